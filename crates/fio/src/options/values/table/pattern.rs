//! Order, mix, sizes and content of operations.

use super::super::super::job::{DedupeMode, JobOptions, RandomGenerator, SequenceKind};
use super::super::reader::{self, ValueReader};
use super::super::{ValueProblem, blocks, distribution, fill, lists, number};
use super::Table;

pub(super) const TABLE: Table = &[
    ("rw", distribution::read_rw),
    ("readwrite", distribution::read_rw),
    (
        "rw_sequencer",
        set!(choice pattern.rw_sequencer, &[
            ("sequential", SequenceKind::Sequential),
            ("identical", SequenceKind::Identical),
        ]),
    ),
    ("rwmixread", set!(percent pattern.rwmixread)),
    ("rwmixwrite", |o, i| {
        o.pattern.rwmixread = 100 - i.percent()?;
        Ok(())
    }),
    ("percentage_random", |o, i| {
        let expected = "a percentage from 0 to 100";
        let slots = &mut o.pattern.percentage_random;
        lists::parse_per_direction(slots, i.text(expected)?, expected, reader::parse_percent)
    }),
    ("bs", blocks::read_bs),
    ("blocksize", blocks::read_bs),
    ("bsrange", blocks::read_bsrange),
    ("blocksize_range", blocks::read_bsrange),
    ("bssplit", blocks::read_bssplit),
    ("ba", blockalign),
    ("blockalign", blockalign),
    ("bs_unaligned", set!(switch pattern.bs_unaligned)),
    ("blocksize_unaligned", set!(switch pattern.bs_unaligned)),
    ("bs_is_seq_rand", set!(flag pattern.bs_is_seq_rand)),
    ("random_distribution", distribution::read_random_distribution),
    ("norandommap", set!(switch pattern.norandommap)),
    ("softrandommap", set!(flag pattern.softrandommap)),
    (
        "random_generator",
        set!(choice pattern.random_generator, &[
            ("tausworthe", RandomGenerator::Tausworthe),
            ("lfsr", RandomGenerator::Lfsr),
            ("tausworthe64", RandomGenerator::Tausworthe64),
        ]),
    ),
    ("randrepeat", set!(flag pattern.randrepeat)),
    ("allrandrepeat", set!(flag pattern.allrandrepeat)),
    ("randseed", |o, i| {
        let expected = "a whole number of 64 bits";
        let number = i.number(i.text(expected)?, expected)?;
        let seed = u64::try_from(number).ok().or_else(|| {
            // A negative seed is its two's complement.
            i64::try_from(number).ok().map(i64::cast_unsigned)
        });
        o.pattern.randseed =
            Some(seed.ok_or_else(|| ValueProblem::new("it is too large", expected))?);
        Ok(())
    }),
    ("refill_buffers", set!(switch data.refill_buffers)),
    ("scramble_buffers", set!(flag data.scramble_buffers)),
    ("zero_buffers", set!(switch data.zero_buffers)),
    ("buffer_pattern", |o, i| {
        o.data.buffer_pattern = Some(fill::read_pattern(i, false)?);
        Ok(())
    }),
    ("buffer_compress_percentage", set!(some_percent data.compress_percentage)),
    ("buffer_compress_chunk", set!(size data.compress_chunk, 0)),
    ("dedupe_percentage", set!(some_percent data.dedupe_percentage)),
    (
        "dedupe_mode",
        set!(choice data.dedupe_mode, &[
            ("repeat", DedupeMode::Repeat),
            ("working_set", DedupeMode::WorkingSet),
        ]),
    ),
    ("dedupe_working_set_percentage", set!(percent data.dedupe_working_set_percentage)),
    ("dedupe_global", set!(flag data.dedupe_global)),
];

fn blockalign(o: &mut JobOptions, i: &mut ValueReader<'_>) -> Result<(), ValueProblem> {
    let text = i.text(number::SIZE)?;
    lists::parse_per_direction(&mut o.pattern.blockalign, text, number::SIZE, |piece| {
        i.size_of(piece, 1).map(Some)
    })
}
