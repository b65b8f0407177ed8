//! What the figures of the writes stand for: a burst, the sustained state, or neither, in the terms
//! of SNIA's performance test specification. Flash may take tens of gigabytes into a write cache at
//! a steady rate.

use message::{Message, messages};
use record::{
    Cell, CellRole, FindingId, Judgement, LayerKind, Measured, Status, WriteState, Writes,
};
use units::{Bytes, Iops, Ratio};

use crate::curve::is_provider_disk;
use crate::rotation::may_rotate;

pub(crate) fn last_rounds(measured: &Measured) -> Option<[&Cell; 5]> {
    let rounds: Vec<&Cell> = measured.cells.iter().filter(|c| c.role == CellRole::Round).collect();
    rounds.last_chunk::<5>().copied()
}

pub(crate) fn judge_writes(measured: &Measured, judgement: &Judgement) -> Option<Writes> {
    let rounds = measured.cells.iter().filter(|cell| cell.role == CellRole::Round).count();
    // Rounds that fell and agree since are what sustained figures come after.
    let is_figure = |name: &String| {
        measured.cell(name).is_some_and(|c| c.job.mix.writes() && c.role != CellRole::Round)
    };
    let burst = judgement.findings.iter().find(|finding| {
        finding.id == FindingId::Burst
            && finding.status == Status::Warning
            && finding.cells.iter().any(is_figure)
    });
    let (state, because) = match (burst, last_rounds(measured)) {
        (Some(finding), _) => (WriteState::Burst, finding.summary.clone()),
        (None, Some(last)) => match (judge_rounds(last), find_cache_within(measured, judgement)) {
            ((WriteState::Sustained, _), _)
                if let Some(fall) = find_fall(last, measured, judgement) =>
            {
                (WriteState::NotSettled, fall)
            }
            ((WriteState::Sustained, agreed), Some(cache)) => {
                let written = bytes_written(measured);
                let because = RoundsWithinCache { agreed, written, cache };
                (WriteState::NotSettled, because.into())
            }
            (judged, _) => judged,
        },
        (None, None) if rounds > 0 => (WriteState::NotSettled, TooFewRounds { rounds }.into()),
        (None, None) => return None,
    };
    Some(Writes {
        state,
        because,
        rounds: rounds as u32,
        written: bytes_written(measured),
        span: measured.plan.span,
        capacity: disk_capacity(measured),
    })
}

fn judge_rounds(last: [&Cell; 5]) -> (WriteState, Message) {
    let rates = last.map(Cell::iops);
    let settled = stats::check_five_rounds(rates);
    let mean = Iops(rates.iter().sum::<f64>() / 5.0);
    let (range, slope) = (Ratio(settled.range), Ratio(settled.slope.abs()));
    if settled.steady {
        (WriteState::Sustained, RoundsAgree { mean, range, slope }.into())
    } else {
        (WriteState::NotSettled, RoundsDisagree { mean, range, slope }.into())
    }
}

/// What says that writes slowed down for good only after the rounds: these agree because a cache or
/// credits still lasted.
fn find_fall(last: [&Cell; 5], measured: &Measured, judgement: &Judgement) -> Option<Message> {
    let is_later = |name: &String| {
        let cell = measured.cell(name);
        cell.is_some_and(|cell| cell.totals.write.is_some() && cell.started > last[4].started)
    };
    let burst = judgement.findings.iter().find(|finding| {
        finding.id == FindingId::Burst
            && finding.status == Status::Note
            && finding.cells.iter().any(is_later)
    });
    burst.map(|finding| finding.summary.clone())
}

/// The size of a write cache that may have taken all that was written. Rotating disks have none of
/// that size; of a rented disk the provider's credits come first.
fn find_cache_within(measured: &Measured, judgement: &Judgement) -> Option<Bytes> {
    let fell = judgement.has_finding(FindingId::Burst, Status::Note);
    if fell || is_provider_disk(measured) || may_rotate(&measured.cells, measured.target()) {
        return None;
    }
    write_cache_max(measured).filter(|most| bytes_written(measured) < *most)
}

/// Write caches of flash take at most this share of the device (methodology: a third).
const CACHE_SHARE_MAX: f64 = 1.0 / 3.0;

pub(crate) fn bytes_written(measured: &Measured) -> Bytes {
    let laid_out = measured.layout.as_ref().map_or(0, |layout| layout.written.0);
    let cells = measured.cells.iter().map(|cell| cell.ledger.write_bytes.0);
    Bytes(cells.fold(laid_out, u64::saturating_add))
}

pub(crate) fn write_cache_max(measured: &Measured) -> Option<Bytes> {
    disk_capacity(measured).map(|size| Bytes((size.0 as f64 * CACHE_SHARE_MAX) as u64))
}

pub(crate) fn disk_capacity(measured: &Measured) -> Option<Bytes> {
    let disks = measured.target()?.bottom_devices();
    let sizes = disks.iter().filter(|layer| layer.kind != LayerKind::Partition);
    sizes.map(|layer| layer.size).reduce(|a, b| Bytes(a.0.saturating_add(b.0)))
}

messages! {
    RoundsAgree = "writes-rounds-agree" { mean: Iops, range: Ratio, slope: Ratio };
    RoundsDisagree = "writes-rounds-disagree" { mean: Iops, range: Ratio, slope: Ratio };
    RoundsWithinCache = "writes-rounds-within-cache" {
        agreed: Message, written: Bytes, cache: Bytes,
    };
    TooFewRounds = "writes-too-few-rounds" { rounds: usize };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample_record;
    use units::{Bytes, Nanos};

    /// The record with rounds of these rates before its writes.
    fn with_rounds(rates: &[f64]) -> Measured {
        let mut record = sample_record();
        let model = record.cell("randwrite-4k-qd1").unwrap().clone();
        let at = record.cells.iter().position(|c| c.name == model.name).unwrap();
        for (i, rate) in rates.iter().enumerate() {
            let mut round = model.clone();
            round.name = format!("randwrite-4k-round-{}", i + 1);
            round.role = CellRole::Round;
            round.started = Nanos(model.started.0 - Nanos::secs((rates.len() - i) as u64).0);
            round.totals.write.as_mut().unwrap().iops = *rate;
            record.cells.insert(at + i, round);
        }
        record
    }

    #[test]
    fn rounds_that_agree_make_writes_sustained() {
        let check = |rates: &[f64], expected: Option<WriteState>| {
            let record = with_rounds(rates);
            let judgement = crate::judge(&record);
            assert_eq!(judgement.writes.map(|w| w.state), expected, "{rates:?}");
        };
        check(&[], None);
        check(&[5e3, 5e3, 5e3], Some(WriteState::NotSettled));
        check(&[9e3, 5e3, 5.1e3, 4.9e3, 5e3, 5e3], Some(WriteState::Sustained));
        check(&[9e3, 8e3, 7e3, 6e3, 5e3], Some(WriteState::NotSettled));
    }

    #[test]
    fn what_a_cache_may_have_taken_is_not_sustained() {
        let mut record = with_rounds(&[5e3; 5]);
        record.environment.virtualisation = None;
        record.targets[0].stack.iter_mut().for_each(|layer| layer.transport = Some("nvme".into()));
        let judged = |record: &Measured| crate::judge(record).writes.unwrap();
        let writes = judged(&record);
        assert_eq!(writes.state, WriteState::NotSettled, "{writes:?}");
        assert!(writes.because.text().contains("a write cache may have taken all"), "{writes:?}");
        // After more than any cache takes it is what stays.
        record.layout.as_mut().unwrap().written = writes.capacity.unwrap();
        assert_eq!(judged(&record).state, WriteState::Sustained);
    }

    #[test]
    fn rounds_on_their_way_down_are_not_settled() {
        let finding = |rates: &[f64]| {
            let record = with_rounds(rates);
            let judgement = crate::judge(&record);
            judgement.findings.into_iter().find(|f| f.id == FindingId::NotSettled).unwrap().status
        };
        assert_eq!(finding(&[9e3, 8e3, 7e3, 6e3, 5e3]), Status::Warning);
        assert_eq!(finding(&[9e3, 6e3, 8e3, 6e3, 9e3]), Status::Note);
        assert_eq!(finding(&[5e3; 5]), Status::Ok);
    }

    #[test]
    fn what_was_written_is_counted_against_span_and_device() {
        let record = with_rounds(&[5e3; 5]);
        let judgement = crate::judge(&record);
        let writes = judgement.writes.unwrap();
        assert!(writes.written > record.layout.unwrap().written);
        assert_eq!(writes.span, record.plan.span);
        assert!(writes.capacity.unwrap() > Bytes::gib(1));
    }
}
