//! The memory of a virtual machine, kept from its hypervisor during comparisons.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

/// The smallest order of free pages that a guest reports to its hypervisor.
const ORDER_FILE: &str = "/sys/module/page_reporting/parameters/page_reporting_order";
/// Larger than any: none is reported.
const ORDER_NEVER: &str = "11";

/// As long as it lives, a guest's free pages are not reported to the hypervisor, which takes them
/// away within two seconds and brings them back one fault at a time: reads were 8 times as slow.
/// Where nothing is reported, or may not be changed, it does nothing.
#[derive(Debug)]
pub(super) struct PageReportingGuard {
    order: PathBuf,
    before: Option<String>,
}

impl PageReportingGuard {
    pub(super) fn disable() -> Result<PageReportingGuard> {
        PageReportingGuard::disable_at(PathBuf::from(ORDER_FILE))
    }

    fn disable_at(order: PathBuf) -> Result<PageReportingGuard> {
        let Ok(before) = fs::read_to_string(&order) else {
            return Ok(PageReportingGuard { order, before: None });
        };
        fs::write(&order, ORDER_NEVER)
            .with_context(|| format!("cannot write {}", order.display()))?;
        Ok(PageReportingGuard { order, before: Some(before) })
    }
}

impl Drop for PageReportingGuard {
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
        let kept = PageReportingGuard::disable_at(order.clone()).unwrap();
        assert_eq!(fs::read_to_string(&order).unwrap(), ORDER_NEVER);
        drop(kept);
        assert_eq!(fs::read_to_string(&order).unwrap(), "9");
        drop(PageReportingGuard::disable_at(folder.path().join("absent")).unwrap());
        assert!(!folder.path().join("absent").exists());
    }
}
