//! What fio's options and switches are called, take and do; and their help.

pub mod help;
pub mod job;
pub mod lookup;
pub mod spec;
pub mod switches;
pub mod table;
pub mod values;
