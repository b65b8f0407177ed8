//! About how long a run takes, before anything is known of the file system.

use record::{MetadataLoad, MetadataPlan};
use units::Nanos;

use super::loads::{all_loads, cold_rounds};

/// Of one round over all, where its time sets the number of files.
const ROUND_TIME: Nanos = Nanos::millis(400);
/// And of one that looks at as many with cold caches.
const COLD_ROUND_TIME: Nanos = Nanos::secs(2);
/// Of one round of few files: looks, syncs and threads.
const SMALL_ROUND_TIME: Nanos = Nanos::millis(80);
/// Of a file in one round without syncs: made, asked, read, listed, renamed and deleted. ext4 on
/// an SSD takes some 60 us, xfs and btrfs more.
const UNSYNCED_FILE_TIME: Nanos = Nanos::micros(80);
/// Of a file in one round with syncs, of which it waits for three; each takes an SSD 0.5 ms, one
/// thread's as well as that of several at once. A hard disk takes 20 times as long.
const SYNCED_FILE_TIME: Nanos = Nanos::micros(1500);
/// Of a file that is looked at with cold caches: an SSD reads three blocks for it.
const COLD_FILE_TIME: Nanos = Nanos::micros(500);

/// A run whose time is ours to say, because neither a time nor a number of files is asked for, ends
/// after this multiple of an SSD's time: a simulated disk of 7200 rpm took 1.4 times as long; one
/// whose flushes take 20 ms is reckoned to take two and a half.
const TIME_LIMIT_FACTOR: u64 = 3;

/// The longest that a run takes; no bound where a number of files is asked for.
pub fn time_limit(plan: &MetadataPlan) -> Option<Nanos> {
    plan.files.is_none().then(|| Nanos(expected_time(plan).0.saturating_mul(TIME_LIMIT_FACTOR)))
}

/// About how long it takes on an SSD.
pub fn expected_time(plan: &MetadataPlan) -> Nanos {
    let rounds = u64::from(plan.rounds);
    let of = |load: &MetadataLoad| {
        let cold = cold_rounds(plan, load);
        let Some(files) = plan.files else {
            return ROUND_TIME.0 * (rounds + 1) + COLD_ROUND_TIME.0 * cold;
        };
        let each = if load.synced { SYNCED_FILE_TIME } else { UNSYNCED_FILE_TIME };
        let of_all = |each: Nanos| SMALL_ROUND_TIME.0.saturating_add(each.0.saturating_mul(files));
        (of_all(each) * (rounds + 1)).saturating_add(of_all(COLD_FILE_TIME) * cold)
    };
    Nanos(all_loads(plan.threads).iter().map(of).fold(0, u64::saturating_add))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_grows_with_what_is_asked() {
        let plan = |files, rounds| MetadataPlan { files, threads: 4, rounds, keep_caches: false };
        let seconds = |plan, drops_caches: bool| {
            expected_time(&MetadataPlan { keep_caches: !drops_caches, ..plan }).as_secs_f64()
        };
        // On ext4 on an SSD, in a virtual machine that others use too, these were measured:
        // 47 s without cold phases and 77 s with; a thousand files 73 s and 98 s.
        assert!((40.0..50.0).contains(&seconds(plan(None, 6), false)));
        assert!((60.0..80.0).contains(&seconds(plan(None, 6), true)));
        assert!((60.0..120.0).contains(&seconds(plan(Some(1000), 6), false)));
        // A million files are a day's work.
        assert!((12.0..48.0).contains(&(seconds(plan(Some(1_000_000), 6), true) / 3600.0)));
        let rounds = |rounds| seconds(plan(Some(1000), rounds), true);
        assert!(rounds(12) > 1.8 * rounds(6));
        assert!(rounds(6) > seconds(plan(Some(1000), 6), false));
        // The largest number that can be asked for.
        assert!(expected_time(&plan(Some(10_000_000), 1000)) > Nanos::secs(86_400));
    }
}
