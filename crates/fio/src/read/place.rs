//! Where something was written.

use std::fmt;
use std::sync::Arc;

/// The source of words of the command line.
pub const COMMAND_LINE: &str = "command line";

/// The source of a job file read from the standard input.
pub const STDIN: &str = "<stdin>";

/// A place in a job file, or a word of the command line.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    pub source: Arc<str>,
    /// Line, from 1; on the command line the number of the word, from 1.
    pub line: usize,
    /// Character in the line, from 1.
    pub column: usize,
}

impl Place {
    /// A place in a file.
    pub fn new(source: Arc<str>, line: usize, column: usize) -> Place {
        Place { source, line, column }
    }

    /// Word `word` of the command line, counted from 1 (0 for the command line as a whole).
    pub fn word(word: usize) -> Place {
        Place { source: Arc::from(COMMAND_LINE), line: word, column: 1 }
    }

    /// Whether this is a word of the command line.
    pub fn is_command_line(&self) -> bool {
        &*self.source == COMMAND_LINE
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.is_command_line(), self.line) {
            (true, 0) => f.write_str(COMMAND_LINE),
            (true, word) => write!(f, "{COMMAND_LINE}, word {word}"),
            (false, line) => write!(f, "{}:{line}:{}", self.source, self.column),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_file_line_and_column_or_the_word() {
        assert_eq!(Place::new("jobs.fio".into(), 12, 3).to_string(), "jobs.fio:12:3");
        assert_eq!(Place::new(STDIN.into(), 1, 1).to_string(), "<stdin>:1:1");
        assert_eq!(Place::word(3).to_string(), "command line, word 3");
        assert_eq!(Place::word(0).to_string(), "command line");
    }
}
