//! The memory of a virtual machine, kept from its hypervisor while figures that go through memory
//! are compared.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

/// The smallest order of free pages that a guest reports to its hypervisor.
const ORDER: &str = "/sys/module/page_reporting/parameters/page_reporting_order";
/// Larger than any: none is reported.
const NEVER: &str = "11";

/// As long as it lives, a guest's free pages are not reported to the hypervisor, which takes them
/// away within two seconds and brings them back one fault at a time: reads through an emptied page
/// cache were then 8 times as slow after a rest of 3 s, as hdparm takes it, as without one.
/// Where nothing is reported, or may not be changed, it does nothing.
#[derive(Debug)]
pub(super) struct FreePages {
    order: PathBuf,
    /// What stood there; none where it was left alone.
    before: Option<String>,
}

impl FreePages {
    /// Keeps them.
    pub(super) fn kept() -> Result<FreePages> {
        FreePages::kept_by(PathBuf::from(ORDER))
    }

    fn kept_by(order: PathBuf) -> Result<FreePages> {
        let Ok(before) = fs::read_to_string(&order) else {
            return Ok(FreePages { order, before: None });
        };
        fs::write(&order, NEVER).with_context(|| format!("cannot write {}", order.display()))?;
        Ok(FreePages { order, before: Some(before) })
    }
}

impl Drop for FreePages {
    fn drop(&mut self) {
        if let Some(before) = &self.before
            && let Err(error) = fs::write(&self.order, before.trim())
        {
            eprintln!("xtask: cannot set {} back to {before}: {error}", self.order.display());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stood_there_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let order = folder.path().join("order");
        fs::write(&order, "9\n").unwrap();
        let kept = FreePages::kept_by(order.clone()).unwrap();
        assert_eq!(fs::read_to_string(&order).unwrap(), NEVER);
        drop(kept);
        assert_eq!(fs::read_to_string(&order).unwrap(), "9");
        drop(FreePages::kept_by(folder.path().join("absent")).unwrap());
        assert!(!folder.path().join("absent").exists());
    }
}
