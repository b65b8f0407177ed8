//! About how long a run takes, before anything is known of the file system.

use record::{MetadataLoad, MetadataPlan};
use units::Nanos;

use super::loads::{is_cold, loads};

/// Of one round over all, where the files are as many as its time allows.
const ROUND: Nanos = Nanos::millis(300);
/// Of one round of few files: looks, syncs and threads.
const FEW: Nanos = Nanos::millis(80);
/// Of a file in one round without syncs: made, asked, read, listed, renamed and deleted. ext4 on
/// an SSD takes some 60 us, xfs and btrfs more.
const PLAIN: Nanos = Nanos::micros(80);
/// Of a file in one round with syncs, of which it waits for three; each takes an SSD 0.5 ms, one
/// thread's as well as that of several at once. A hard disk takes 20 times as long.
const SYNCED: Nanos = Nanos::micros(1500);
/// Of a file that is looked at with cold caches: an SSD reads three blocks for it.
const COLD: Nanos = Nanos::micros(500);

/// About how long it takes.
#[must_use]
pub fn time(plan: &MetadataPlan) -> Nanos {
    let rounds = u64::from(plan.rounds);
    let of = |load: &MetadataLoad| {
        let cold = if is_cold(load) && !plan.keep_caches { rounds } else { 0 };
        let Some(files) = plan.files else {
            return ROUND.0 * (rounds + 1 + cold);
        };
        let each = if load.synced { SYNCED } else { PLAIN };
        let of_all = |each: Nanos| FEW.0.saturating_add(each.0.saturating_mul(files));
        (of_all(each) * (rounds + 1)).saturating_add(of_all(COLD) * cold)
    };
    Nanos(loads(plan.threads).iter().map(of).fold(0, u64::saturating_add))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_grows_with_what_is_asked() {
        let plan =
            |files, rounds, keep_caches| MetadataPlan { files, threads: 4, rounds, keep_caches };
        let seconds = |plan| time(&plan).as_secs_f64();
        assert!((30.0..45.0).contains(&seconds(plan(None, 6, false))));
        // Measured on ext4 on an SSD in a virtual machine: 73 s.
        assert!((60.0..120.0).contains(&seconds(plan(Some(1000), 6, true))));
        // A million files are a day's work.
        assert!((12.0..48.0).contains(&(seconds(plan(Some(1_000_000), 6, false)) / 3600.0)));
        assert!(seconds(plan(Some(1000), 12, true)) > 1.8 * seconds(plan(Some(1000), 6, true)));
        assert!(seconds(plan(Some(1000), 6, false)) > seconds(plan(Some(1000), 6, true)));
        // As many as can be asked for.
        assert!(time(&plan(Some(10_000_000), 1000, false)) > Nanos::secs(86_400));
    }
}
