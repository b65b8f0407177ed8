//! A watch as a live screen: the terminal, its keys, and how both end.
//!
//! [`draw`] makes the lines; everything that it shows is in [`state`].

pub(crate) mod disk_capture;
pub(crate) mod draw;
mod layout;
mod map;
mod state;
mod table;
#[cfg(test)]
mod tests;

use std::io::{Stdout, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use message::Message;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{execute, queue};
use ratatui::text::Text;
use ratatui::{Frame, Terminal};
use signal_hook::consts::SIGINT;
use watch::{DiskFacts, DiskJudgement, SourceKind, WatchSummary};

use crate::exit::Failure;
use crate::terminal;
use disk_capture::DiskCapture;
use state::ScreenState;

/// What a watch waits for.
#[derive(Debug)]
pub(super) enum Input {
    /// A signal asks it to end.
    Stop,
    Terminal(Event),
}

/// Whether a screen is open. The terminal is restored once, by the first that asks for it: the
/// end of the watch, a panic, or a second signal.
static IS_OPEN: AtomicBool = AtomicBool::new(false);

/// How often it is looked whether a capture that ends is saved.
const SAVING_POLL: Duration = Duration::from_millis(50);

pub(super) struct Screen {
    state: ScreenState,
    terminal: Terminal<CrosstermBackend<Stdout>>,
    capture: Option<DiskCapture>,
    /// `q` was typed.
    is_ending: bool,
    _open: OpenScreen,
}

/// Restores the terminal when it goes.
struct OpenScreen;

impl Drop for OpenScreen {
    fn drop(&mut self) {
        close();
    }
}

/// Restores the terminal if a screen is open.
pub(super) fn close() {
    if !IS_OPEN.swap(false, Ordering::SeqCst) {
        return;
    }
    // A terminal that is gone needs no restoring.
    let _ = execute!(terminal::data_stdout(), LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}

impl Screen {
    /// Opens it, and sends its keys and changes of its size to `inputs`.
    pub(super) fn open(
        source: SourceKind,
        notes: &[Message],
        inputs: Sender<Input>,
    ) -> Result<Self, Failure> {
        let style = terminal::style();
        let zone = TimeZone::system();
        let state = ScreenState::new(style.language, style.colour, zone, source, notes);
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            close();
            hook(info);
        }));
        let fault = |error| {
            let message = format_args!("cannot draw on the terminal: {error}");
            Failure::failed(message).hint("--plain prints text instead")
        };
        let open = open_terminal().map_err(fault)?;
        let backend = CrosstermBackend::new(terminal::data_stdout());
        let terminal = Terminal::new(backend).map_err(fault)?;
        let mut screen = Self { state, terminal, capture: None, is_ending: false, _open: open };
        screen.redraw()?;
        forward_events(inputs)?;
        Ok(screen)
    }

    /// Waits for `time` and answers keys meanwhile; whether the watch is to end.
    pub(super) fn wait(
        &mut self,
        inputs: &Receiver<Input>,
        time: Duration,
    ) -> Result<bool, Failure> {
        let start = Instant::now();
        loop {
            let left = time.saturating_sub(start.elapsed());
            let is_saving = self.capture.as_ref().is_some_and(DiskCapture::is_stopped);
            match inputs.recv_timeout(if is_saving { left.min(SAVING_POLL) } else { left }) {
                Ok(Input::Stop) => return Ok(true),
                Ok(Input::Terminal(event)) => {
                    if let Event::Key(key) = event {
                        self.answer_key(key)?;
                    }
                    self.redraw()?;
                }
                Err(RecvTimeoutError::Timeout) if !left.is_zero() => {
                    self.note_ended_capture();
                    self.redraw()?;
                }
                Err(_) => return Ok(false),
            }
        }
    }

    pub(super) fn show(
        &mut self,
        time: Timestamp,
        interval: &WatchSummary,
        judgements: Vec<DiskJudgement>,
        facts: &[DiskFacts],
    ) -> Result<(), Failure> {
        self.state.add(time, interval, judgements, facts);
        self.note_ended_capture();
        self.redraw()
    }

    /// Closes it; what came of a capture that was still running.
    pub(super) fn end(mut self) -> Option<Message> {
        self.capture.take().map(DiskCapture::finish)
    }

    fn note_ended_capture(&mut self) {
        if let Some(capture) = self.capture.take_if(|capture| capture.has_ended()) {
            self.state.capture_note = Some(capture.finish());
        }
    }

    /// Begins a capture of the chosen disk, or ends the one that is running.
    fn switch_capture(&mut self) {
        if let Some(capture) = &mut self.capture {
            return capture.stop();
        }
        let Some(disk) = self.state.chosen_disk() else { return };
        match DiskCapture::start(disk, &self.state.zone) {
            Ok(capture) => {
                self.state.capture_note = Some(capture.describe());
                self.capture = Some(capture);
            }
            Err(note) => self.state.capture_note = Some(note),
        }
    }

    fn answer_key(&mut self, key: KeyEvent) -> Result<(), Failure> {
        let wants_end = match answer_key(&mut self.state, key) {
            KeyAnswer::Shown => false,
            KeyAnswer::CaptureSwitched => {
                self.switch_capture();
                false
            }
            KeyAnswer::Interrupted => true,
            // Typed twice it would be a second signal, which ends without a result.
            KeyAnswer::Ended => !std::mem::replace(&mut self.is_ending, true),
        };
        if wants_end {
            signal_hook::low_level::raise(SIGINT)?;
        }
        Ok(())
    }

    fn redraw(&mut self) -> Result<(), Failure> {
        self.terminal.draw(|frame| render(&self.state, frame))?;
        Ok(())
    }
}

fn render(state: &ScreenState, frame: &mut Frame<'_>) {
    let area = frame.area();
    let lines = draw::draw(state, usize::from(area.width), usize::from(area.height));
    frame.render_widget(Text::from(lines), area);
}

fn open_terminal() -> std::io::Result<OpenScreen> {
    enable_raw_mode()?;
    IS_OPEN.store(true, Ordering::SeqCst);
    let open = OpenScreen;
    let mut stdout = terminal::data_stdout();
    queue!(stdout, EnterAlternateScreen, Hide)?;
    stdout.flush()?;
    Ok(open)
}

/// A thread of its own: the reader of a terminal that is gone never comes back.
fn forward_events(inputs: Sender<Input>) -> Result<(), Failure> {
    let forward = move || {
        loop {
            let input = event::read().map_or(Input::Stop, Input::Terminal);
            let is_last = matches!(input, Input::Stop);
            if inputs.send(input).is_err() || is_last {
                return;
            }
        }
    };
    let thread = std::thread::Builder::new().name("keys".to_owned()).spawn(forward);
    match thread {
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::failed(format_args!("cannot read keys: {error}"))),
    }
}

/// What a key asks for.
enum KeyAnswer {
    /// Nothing more than the screen shows.
    Shown,
    /// The start or the end of a capture.
    CaptureSwitched,
    /// The end of the watch.
    Ended,
    /// The same as a signal does: a second one ends at once.
    Interrupted,
}

fn answer_key(state: &mut ScreenState, key: KeyEvent) -> KeyAnswer {
    if key.kind == KeyEventKind::Release {
        return KeyAnswer::Shown;
    }
    let is_interrupt = key.code == KeyCode::Char('c') && key.modifiers == KeyModifiers::CONTROL;
    match key.code {
        KeyCode::Esc if state.is_help => state.is_help = false,
        KeyCode::Char('q') | KeyCode::Esc => return KeyAnswer::Ended,
        // The terminal sends no signal while keys are read one by one.
        _ if is_interrupt => return KeyAnswer::Interrupted,
        KeyCode::Char('?') => state.is_help = !state.is_help,
        KeyCode::Up | KeyCode::Char('k') => state.move_choice(-1),
        KeyCode::Down | KeyCode::Char('j') => state.move_choice(1),
        KeyCode::Char('c') => return KeyAnswer::CaptureSwitched,
        KeyCode::Char('s') => state.change_order(),
        KeyCode::Char('p' | ' ') => state.switch_pause(),
        _ => {}
    }
    KeyAnswer::Shown
}
