//! What can be wrong with the words for a model.

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    #[error("unknown plan '{asked}'{}", nearest(near))]
    Unknown {
        asked: String,
        /// Names that are like it, the nearest first.
        near: Vec<String>,
    },
    /// A parameter that is missing, unknown, not a number, or not for sale.
    #[error("{plan}: {}", input::shorten_message(reason))]
    Parameter {
        plan: String,
        /// What is wrong, and the range.
        reason: String,
    },
    #[error("{file} is not a file of plans: {}", input::shorten_message(reason))]
    File { file: String, reason: String },
}

fn nearest(near: &[String]) -> String {
    match near {
        [] => String::new(),
        names => format!("; nearest: {}", names.join(", ")),
    }
}
