//! Order, mix and size of operations.

use super::build::*;
use crate::options::spec::{Category, OptionSpec};

const C: Category = Category::Pattern;

pub(super) const TABLE: &[OptionSpec] = &[
    choice("rw", C, "What is done, in which order; may be followed by :number.", RW)
        .alias(&["readwrite"])
        .default("read"),
    sizes("bs", C, "Bytes of an operation: one size, or read,write,trim.")
        .alias(&["blocksize"])
        .default("4k")
        .range(1, NO_MAX)
        .under("rw"),
    sizes("ba", C, "Multiple at which random operations begin; bs, when not given.")
        .alias(&["blockalign"])
        .range(1, NO_MAX)
        .under("rw"),
    ranges("bsrange", C, "Sizes from-to of operations; also one range per direction.")
        .alias(&["blocksize_range"])
        .under("rw"),
    special("bssplit", C, "Sizes and their shares, size/percent:size/percent, per direction.")
        .under("rw"),
    switch("bs_unaligned", C, "Sizes of a range need not be multiples of the smallest.")
        .alias(&["blocksize_unaligned"])
        .under("rw"),
    flag("bs_is_seq_rand", C, "The sizes of bs are for sequential,random, not read,write.")
        .default("0"),
    choice("rw_sequencer", C, "What the :number after rw does.", SEQUENCER).default("sequential"),
    percent("rwmixread", C, "Share of reads in a mix, in percent.").default("50"),
    percent("rwmixwrite", C, "Share of writes in a mix, in percent; the later of both wins.")
        .default("50"),
    sizes("percentage_random", C, "Share of random operations in percent, per direction.")
        .default("100,100,100")
        .range(0, 100),
    choice("random_distribution", C, "How random places are spread.", DISTRIBUTION)
        .without(&[("sequence", "it is of newer versions; use one of the others, or rw=read")])
        .default("random"),
    switch("norandommap", C, "Random places may come up again before all were used.").under("rw"),
    flag("softrandommap", C, "Do without the map of used blocks when memory is short.")
        .default("0"),
    choice("random_generator", C, "Which generator makes random places.", GENERATOR)
        .default("tausworthe")
        .noted("one generator of our own stands in for all three"),
    flag("randrepeat", C, "The same random places in every run.").default("1").under("rw"),
    flag("allrandrepeat", C, "The same random choices of every kind in every run.").default("0"),
    int("randseed", C, "Number from which random choices are derived.")
        .default("0x89")
        .any()
        .under("rw"),
    int("num_range", C, "Number of places one trim command covers (newer versions).")
        .default("1")
        .range(1, 256)
        .refused("a trim command covers one place; leave it out"),
    flag("sprandom", C, "Precondition a drive in one pass (newer versions; experimental).")
        .default("0")
        .refused("precondition with a job of its own: rw=write, then rw=randwrite, loops=2"),
    float("spr_op", C, "Over-provisioning that sprandom assumes (newer versions).")
        .under("sprandom")
        .refused("sprandom is not run"),
    int("spr_num_regions", C, "Number of regions sprandom makes (newer versions).")
        .under("sprandom")
        .refused("sprandom is not run"),
    size("spr_cs", C, "Size of the drive's cache that sprandom assumes (newer versions).")
        .under("sprandom")
        .refused("sprandom is not run"),
];

const RW: &[(&str, &str)] = &[
    ("read", "sequential reads"),
    ("write", "sequential writes"),
    ("trim", "sequential trims"),
    ("randread", "random reads"),
    ("randwrite", "random writes"),
    ("randtrim", "random trims"),
    ("rw", "sequential reads and writes, mixed"),
    ("readwrite", "the same as rw"),
    ("randrw", "random reads and writes, mixed"),
    ("trimwrite", "each block trimmed, then written; sequential"),
    ("randtrimwrite", "each block trimmed, then written; random"),
];

const SEQUENCER: &[(&str, &str)] = &[
    ("sequential", "a new random place after so many operations in sequence"),
    ("identical", "the same place for so many operations"),
];

const DISTRIBUTION: &[(&str, &str)] = &[
    ("random", "all places alike"),
    ("zipf", "Zipf's law, zipf:theta[:center]"),
    ("zipf64", "Zipf's law with 64-bit arithmetic (newer versions)"),
    ("pareto", "Pareto's law, pareto:power[:center]"),
    ("normal", "the bell curve, normal:deviation[:center]"),
    ("gauss", "the same as normal"),
    ("zoned", "shares of operations for shares of the file"),
    ("zoned_abs", "shares of operations for sizes"),
];

const GENERATOR: &[(&str, &str)] = &[
    ("tausworthe", "the usual one"),
    ("lfsr", "one that visits each block once without a map"),
    ("tausworthe64", "as the usual one, for very large files"),
];
