//! What can be wrong with the words for a model.

/// Why there is no such model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// No plan of that name.
    #[error("unknown plan '{asked}'{}", nearest(near))]
    Unknown {
        /// As written.
        asked: String,
        /// Names that are like it, the nearest first.
        near: Vec<String>,
    },
    /// A parameter that is missing, unknown, not a number, or not for sale.
    #[error("{plan}: {}", input::shorten_message(reason))]
    Parameter {
        /// The plan as written.
        plan: String,
        /// What is wrong, and the range.
        reason: String,
    },
    /// The user's own file.
    #[error("{file} is not a file of plans: {}", input::shorten_message(reason))]
    File {
        /// As written.
        file: String,
        /// What the reader says.
        reason: String,
    },
}

fn nearest(near: &[String]) -> String {
    match near {
        [] => String::new(),
        names => format!("; nearest: {}", names.join(", ")),
    }
}
