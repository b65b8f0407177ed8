//! The screen as lines: a pure function of its state and its size.

use message::{Message, messages};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use report::{pad_right, text_width};
use units::escape_controls;
use watch::{DiskJudgement, Verdict};

use super::layout::{time_of_day, wrap};
use super::map;
use super::state::{Order, ScreenState};
use super::table::{draw_disks, draw_waiters};
use report::{MissingRequests, describe_source};

messages! {
    Keys = "watch-keys" { order: Message };
    SourceInUse = "watch-source" { source: Message };
    MapTitle = "watch-map" { disk: String };
    MeansTitle = "watch-means" { disk: String };
}

const TITLE: &str = "truedisk watch";
/// From this height on, blank lines part what is shown.
const SPACIOUS_HEIGHT: usize = 20;
/// From this height on, the source in use is named.
const SOURCE_HEIGHT: usize = 10;
/// Rows of those who wait.
const WAITERS_MAX: usize = 8;

/// At most `height` lines for a terminal of `width` columns.
pub(super) fn draw(state: &ScreenState, width: usize, height: usize) -> Vec<Line<'static>> {
    let tail = draw_tail(state, width, height);
    let room = height.saturating_sub(tail.len());
    let mut lines = vec![draw_title(state)];
    match state.is_help {
        true => lines.extend(draw_help(state, width)),
        false => lines.extend(draw_figures(state, width, room.saturating_sub(1))),
    }
    lines.resize(room, Line::default());
    lines.extend(tail);
    lines.truncate(height);
    lines
}

fn draw_title(state: &ScreenState) -> Line<'static> {
    let mut spans = vec![Span::styled(TITLE, Modifier::BOLD)];
    if !state.figures().interval.disks.is_empty() {
        spans.push(Span::raw(format!("  {}", time_of_day(state.figures().time, &state.zone))));
    }
    if state.is_paused() {
        spans.push(Span::raw("  "));
        let words = format!(" {} ", state.say("watch-paused"));
        spans.push(Span::styled(words, Modifier::REVERSED));
    }
    Line::from(spans)
}

/// The source in use, where there is room for it, and the keys.
fn draw_tail(state: &ScreenState, width: usize, height: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let lost = state.figures().interval.missing_requests;
    if lost > 0 {
        lines.extend(wrap(&state.tell(MissingRequests { count: lost }), width, 1));
    }
    if state.figures().interval.waiters_estimated {
        lines.extend(wrap(&state.say("watch-waiters-estimated"), width, 1));
    }
    if height >= SOURCE_HEIGHT {
        let source = SourceInUse { source: describe_source(state.source) };
        let notes = state.notes.iter().map(|note| state.tell(note.clone()));
        let words: Vec<String> = std::iter::once(state.tell(source)).chain(notes).collect();
        lines.extend(wrap(&escape_controls(&words.join("; ")), width, 1));
    }
    let probe = state.figures().interval.probe.as_ref().map(watch::describe_probe);
    for words in probe.iter().flat_map(report::describe_probe) {
        lines.extend(wrap(&state.tell(words), width, 1));
    }
    if let Some(note) = &state.capture_note {
        lines.extend(wrap(&escape_controls(&state.tell(note.clone())), width, 2));
    }
    let order = Message::find(match state.order {
        Order::Verdict => "watch-order-verdict",
        Order::Rate => "watch-order-rate",
        Order::Latency => "watch-order-latency",
        Order::Name => "watch-order-name",
    });
    lines.extend(wrap(&state.tell(Keys { order: order.unwrap_or_default() }), width, 1));
    lines.into_iter().map(Line::from).collect()
}

fn draw_help(state: &ScreenState, width: usize) -> Vec<Line<'static>> {
    let keys = [
        ("q Esc Ctrl-C", "watch-help-end"),
        ("\u{2191} \u{2193} j k", "watch-help-disk"),
        ("s", "watch-help-sort"),
        ("c", "watch-help-capture"),
        ("p", "watch-help-pause"),
        ("?", "watch-help-help"),
    ];
    let widest = keys.map(|(keys, _)| text_width(keys)).into_iter().max().unwrap_or(0) + 2;
    let mut lines = vec![String::new()];
    for (keys, words) in keys {
        let words = wrap(&state.say(words), width.saturating_sub(widest), usize::MAX);
        for (place, words) in words.into_iter().enumerate() {
            let keys = if place == 0 { keys } else { "" };
            lines.push(format!("{}{words}", pad_right(keys, widest)));
        }
    }
    lines.push(String::new());
    for words in ["watch-help-parts", "watch-help-used", "watch-help-map", "watch-help-absent"] {
        lines.extend(wrap(&state.say(words), width, usize::MAX));
    }
    lines.into_iter().map(Line::from).collect()
}

/// The sentence, the disks, the map and who waits, in at most `height` lines.
fn draw_figures(state: &ScreenState, width: usize, height: usize) -> Vec<Line<'static>> {
    let figures = state.figures();
    let Some(chosen) = figures.judgements.iter().find(|one| state.is_chosen(&one.disk)) else {
        return wrap(&state.say("watch-first-interval"), width, height)
            .into_iter()
            .map(Line::from)
            .collect();
    };
    let blank = usize::from(height + 2 >= SPACIOUS_HEIGHT);
    let mut room = height;
    let mut take = |lines: &mut Vec<Line<'static>>, blank: usize| {
        if !lines.is_empty() && lines.len() + blank <= room {
            lines.splice(0..0, vec![Line::default(); blank]);
        }
        lines.truncate(room);
        room -= lines.len();
        room
    };
    let mut sentence = draw_sentence(state, chosen, width, (height / 3).max(2));
    let room_of_disks = take(&mut sentence, 0);
    let mut disks = draw_disks(state, width, room_of_disks / 3);
    let rest = take(&mut disks, blank);
    let mut waiters = draw_waiters(state, &chosen.disk, width, (rest / 3).min(WAITERS_MAX));
    let rest = take(&mut waiters, blank);
    let mut map = draw_map(state, &chosen.disk, width, rest.saturating_sub(blank));
    take(&mut map, blank);
    [sentence, disks, map, waiters].concat()
}

/// The verdict with its evidence, and what to do next.
fn draw_sentence(
    state: &ScreenState,
    judgement: &DiskJudgement,
    width: usize,
    height: usize,
) -> Vec<Line<'static>> {
    let colour = match judgement.verdict {
        Verdict::NotBottleneck => Color::Green,
        Verdict::Saturated | Verdict::Capped | Verdict::Slow => Color::Red,
        Verdict::CannotTell => Color::Yellow,
    };
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let style = if state.has_colour { bold.fg(colour) } else { bold };
    let prose = |message: &Message| escape_controls(&state.tell(message.clone())).into_owned();
    let next = judgement.next.as_ref().map(prose);
    // The sentence is cut before what to do next, of which the first line stays.
    let kept = usize::from(next.is_some() && height > 2);
    let mut lines: Vec<Line> = wrap(&prose(&judgement.sentence), width, height - kept)
        .into_iter()
        .map(|line| Line::styled(line, style))
        .collect();
    let room = height - lines.len();
    lines.extend(next.into_iter().flat_map(|next| wrap(&next, width, room)).map(Line::from));
    lines
}

/// The title, and the map below it; nothing where it does not fit.
fn draw_map(state: &ScreenState, disk: &str, width: usize, height: usize) -> Vec<Line<'static>> {
    let Some(map) = state.figures().maps.get(disk) else { return Vec::new() };
    let Some(is_mean) = map.shows_means() else { return Vec::new() };
    if height < 1 + map::ROWS_MIN {
        return Vec::new();
    }
    let disk = disk.to_owned();
    let title = match is_mean {
        true => state.tell(MeansTitle { disk }),
        false => state.tell(MapTitle { disk }),
    };
    let title = wrap(&escape_controls(&title), width, 1);
    let mut lines: Vec<Line> = title.into_iter().map(Line::from).collect();
    lines.extend(map.draw(width, height - 1, &state.zone));
    lines
}
