//! The cases, by group. Sizes are small and most engines null: what is compared is what fio
//! accepts, does and prints, not how fast.

mod basics;
mod failures;
mod filing;
mod moves;
mod outputs;
mod pace;
mod proof;

pub use basics::{command_line, job_files, units};
pub use failures::{added, errors, refusals};
pub use filing::{durability, file_steps, files, layout_content, payload};
pub use moves::{block_sizes, distributions, engines, patterns};
pub use outputs::outputs;
pub use pace::{goals, jobs, order, placement, rates, times};
pub use proof::{logs, replay, verify, zones_and_trim};
