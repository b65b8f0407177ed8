//! Reports: the terminal's text and the HTML page, from a record alone.
//!
//! Both tell the same rows in the same words (`words`; of a search for a limit, `limit`); neither
//! measures, judges or prints. A number of a cell that a finding touches is marked wherever it is
//! shown.
//!
//! Invariants
//! - A page is one file that needs nothing from anywhere.
//! - Text from outside (paths, models, host names) is escaped.
//! - Meaning is never carried by colour alone.
//! - What was not measured, or cannot be supported by its sample, is shown as missing.
//!
//! [`Sheet`] is for what has no record: the tables of a model. [`ping`] tells single requests as
//! they come.
//!
//! Start reading at [`terminal`], then [`html`].
#![forbid(unsafe_code)]

mod chart;
mod compare;
mod devices;
mod figure_name;
mod findings_page;
mod fleet;
mod html;
mod limit;
mod metadata;
mod outliers;
pub mod ping;
pub mod preset;
mod promise;
mod replay;
mod result_table;
mod runs;
mod sweep;
mod terminal;
mod terms;
mod text;
mod trend;
mod watch;
mod words;

pub use compare::{render_comparison_html, render_comparison_summary, render_comparison_text};
pub use devices::render_devices;
pub use findings_page::render_findings_page;
pub use html::{ReportError, render_html, render_svg_files};
pub use result_table::{
    KeyFigure, ResultTable, build_comparison_table, build_record_table, list_key_figures,
};
pub use runs::{diff_json, render_diff, render_runs};
pub use terminal::{
    Sheet, Topic, explanation_json, render_explanation, render_explanations, render_summary,
    render_terminal,
};
pub use terms::{Term, render_terms_page};
pub use text::{
    Style, TextTable, WIDTH, keep_end, keep_start, pad_left, pad_right, text_width, wrap_paragraph,
};
pub use trend::{TrendSubject, render_trend_html, render_trend_text};
pub use watch::compare::render_watch_comparison;
pub use watch::text::{render_watch_answers, render_watch_figures};
pub use watch::{MissingRequests, WaitedPerSecond, describe_probe, describe_source, name_waiter};
