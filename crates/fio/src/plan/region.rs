//! Which part of its files an instance works on, and how much it moves.

use units::Bytes;

use super::pace::plan_read_percent;
use super::section::{PlanError, Section};
use crate::options::engine::Engine;
use crate::options::job::JobOptions;
use crate::options::parse::{READS, TRIMS, WRITES};
use crate::options::sizes::{SizeOptions, SizeRange, SizeValue};
use crate::options::zone::ZoneMode;

/// What is known of a file before the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileState {
    Missing,
    /// A regular file; its bytes.
    File(u64),
    /// A block device; its bytes.
    Device(u64),
    Nothing,
}

impl FileState {
    fn size(self) -> Option<u64> {
        match self {
            Self::File(size) | Self::Device(size) => Some(size).filter(|size| *size > 0),
            Self::Missing | Self::Nothing => None,
        }
    }

    /// Bytes of one of `files` files before the job. As in fio, nothing has the size that is asked
    /// for, and without one no end.
    fn size_before(self, size: &SizeOptions, files: u64) -> Option<u64> {
        match (self, size.size) {
            (Self::Nothing, Some(SizeValue::Bytes(bytes))) => Some(bytes / files),
            (Self::Nothing, _) => None,
            (known, _) => Some(known.size().unwrap_or(0)),
        }
    }
}

/// The part of each file that an instance works on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    pub offset: u64,
    /// Bytes of the largest part.
    pub length: u64,
    /// Bytes of the part of each file; of a single file, `length` may stand for it.
    pub lengths: Vec<u64>,
    /// Bytes of all parts that blocks fit into.
    pub whole: u64,
    /// Bytes that end a loop which no last place ends.
    pub size: u64,
    pub io_size: Option<u64>,
    /// The parts are the whole files.
    pub fills_files: bool,
    /// The parts lie behind the end of the files, where nothing is left for another pass.
    pub appends: bool,
}

impl Region {
    /// The first `length` bytes of one file.
    pub fn of_file(length: u64) -> Self {
        Self {
            offset: 0,
            length,
            lengths: Vec::new(),
            whole: length,
            size: length,
            io_size: None,
            fills_files: true,
            appends: false,
        }
    }

    /// Bytes of the part of each file, where they differ.
    pub(super) fn span_lengths(&self) -> Vec<Bytes> {
        match self.lengths.iter().all(|length| *length == self.length) {
            true => Vec::new(),
            false => self.lengths.iter().copied().map(Bytes).collect(),
        }
    }

    /// Bytes of the part of file number `file`.
    pub fn length_of(&self, file: usize) -> u64 {
        self.lengths.get(file).copied().unwrap_or(self.length)
    }

    /// Bytes that regular file number `file` must have.
    pub fn file_size(&self, file: usize) -> u64 {
        self.offset + self.length_of(file)
    }

    /// The region of calls on the names of `files` files: one block for each, while `size` lasts.
    pub fn of_names(self, section: &Section, files: usize) -> Self {
        let block = smallest_block(section);
        let most = match section.options.size.size {
            Some(SizeValue::Bytes(size)) => size.max(1).next_multiple_of(block),
            _ => u64::MAX,
        };
        let whole = (block * files as u64).min(most);
        Self { offset: 0, length: block, lengths: Vec::new(), whole, size: whole, ..self }
    }
}

/// The region of clone `clone`, given what is known of its files. `free` is what
/// `fill_device` may write to the file system of the first; 0 where that does not matter.
/// Errors: when no size follows from the options and the files, or a device is too small.
pub fn plan_region(
    section: &Section,
    clone: u32,
    known: &[FileState],
    free: u64,
) -> Result<Region, PlanError> {
    let size = &section.options.size;
    let files = known.len().max(1) as u64;
    let smallest = smallest_block(section);
    let appended = find_append_offset(section, known)?;
    let offset = match appended {
        Some(end) => {
            refuse_ended_append(section)?;
            end
        }
        None => plan_offset(section, clone, known)?,
    };
    let request = RegionRequest { section, clone, offset, free, files };
    let parts: Vec<u64> = (0..)
        .zip(known)
        .map(|(file, known)| request.length(file, *known))
        .collect::<Result<_, _>>()?;
    refuse_vague_offset(section, offset, parts.iter().copied().zip(known))?;
    let spans = parts.iter().zip(known).map(|(part, known)| request.span(*part, *known));
    let lengths: Vec<u64> = spans.collect();
    let length = lengths.iter().copied().max().unwrap_or(0);
    let is_too_small = size.filesize.is_some_and(|filesize| filesize.max < smallest);
    if is_too_small && section.options.engine.engine.calls_names() {
        let conflict = format!("a block of {smallest} bytes is larger than filesize");
        return Err(PlanError::new(&section.name, conflict, Some("give a smaller bs")));
    }
    if length == 0 {
        let base = percentage_base(size, known);
        let conflict = format!("nothing is left to work on from offset {offset} of {base} bytes");
        let hint = "give a smaller offset, or name a larger file";
        return Err(PlanError::new(&section.name, conflict, Some(hint)));
    }
    let together: u64 = match lengths.as_slice() {
        _ if is_endless(&section.options) || section.options.pattern.rw.gap < 0 => {
            parts.iter().sum()
        }
        [length] => *length,
        // What is left of each file has no operation of its own.
        lengths => lengths.iter().map(|length| length / smallest * smallest).sum(),
    };
    let moved = plan_moved_bytes(section, &parts, smallest)?;
    let io_size = match size.io_size {
        Some(value @ (SizeValue::Bytes(_) | SizeValue::Zones(_))) => {
            Some(resolve_size(section, value, moved, "io_size")?)
        }
        _ => None,
    };
    if io_size > Some(moved) && section.options.run.loops > 1 && is_mixed_in_order(&section.options)
    {
        let conflict = "rw=rw with loops and an io_size above size: fio ends where its random \
                        directions let it";
        return Err(PlanError::new(&section.name, conflict, Some("leave loops out")));
    }
    // As in fio, a block begins while bytes are missing and a file has room.
    let whole = moved.checked_next_multiple_of(smallest).unwrap_or(moved).min(together);
    let fills_files = offset == 0 && known.iter().all(|known| known.size().unwrap_or(0) <= length);
    let appends = appended.is_some();
    Ok(Region { offset, length, lengths, whole, size: moved, io_size, fills_files, appends })
}

/// Bytes that end a pass: as in fio, `io_size` in percent makes `size` smaller, file by file.
fn plan_moved_bytes(section: &Section, parts: &[u64], smallest: u64) -> Result<u64, PlanError> {
    let size = &section.options.size;
    let share = |part: &u64| match size.io_size {
        Some(SizeValue::Percent(percent)) if percent < 100.0 => {
            (*part as f64 * percent / 100.0) as u64
        }
        _ => *part,
    };
    let together = parts.iter().map(share).sum();
    let moved = match size.size {
        Some(SizeValue::Bytes(bytes)) => bytes.min(together),
        _ => together,
    };
    if moved < smallest && matches!(size.io_size, Some(SizeValue::Percent(_))) {
        let conflict = format!("io_size is {moved} bytes, less than a block of {smallest}");
        return Err(PlanError::new(&section.name, conflict, Some("give a larger io_size")));
    }
    Ok(moved)
}

/// Where the parts of the files begin, without `file_append`.
fn plan_offset(section: &Section, clone: u32, known: &[FileState]) -> Result<u64, PlanError> {
    let size = &section.options.size;
    let base = percentage_base(size, known);
    let offset_of = |value, option| match value {
        // As in fio, nothing of a file that is made only now.
        SizeValue::Percent(_) if base == 0 && !known.contains(&FileState::Nothing) => Ok(0),
        value => resolve_size(section, value, base, option),
    };
    let offset = offset_of(size.offset, "offset")?
        + offset_of(size.offset_increment, "offset_increment")? * u64::from(clone);
    let in_percent = |value| matches!(value, SizeValue::Percent(_));
    let align =
        match (size.offset_align, in_percent(size.offset) || in_percent(size.offset_increment)) {
            (_, false) => 1,
            (0, true) => smallest_block(section),
            (align, true) => align,
        };
    Ok(offset.next_multiple_of(align))
}

/// Where `file_append` begins: as in fio, at the end of the files whatever `offset` says; devices
/// have none.
/// Errors: when the files have no end, or several.
fn find_append_offset(section: &Section, known: &[FileState]) -> Result<Option<u64>, PlanError> {
    let size = &section.options.size;
    let is_device = |known: &FileState| matches!(known, FileState::Device(_));
    if !size.file_append || known.iter().any(is_device) {
        return Ok(None);
    }
    let files = known.len().max(1) as u64;
    let ends: Option<Vec<u64>> = known.iter().map(|known| known.size_before(size, files)).collect();
    match ends {
        None => Err(refuse_append(section, "files of no size", "give size in bytes")),
        Some(ends) if ends.iter().any(|end| *end != ends[0]) => {
            Err(refuse_append(section, "files of several lengths", "give a job to each file"))
        }
        Some(ends) => Ok(ends.first().copied()),
    }
}

/// Refuses `file_append` where fio ends before the part does.
fn refuse_ended_append(section: &Section) -> Result<(), PlanError> {
    let JobOptions { size, pattern, run, .. } = &section.options;
    if pattern.block_sizes_vary() {
        let what = "several block sizes: fio ends before the end of the part";
        return Err(refuse_append(section, what, "give one bs"));
    }
    let is_random = pattern.rw.operation.is_random();
    let has_last_place = !is_endless(&section.options) && pattern.rw.gap == 0;
    if matches!(size.io_size, Some(SizeValue::Bytes(_)))
        || run.time_based && !is_random
        || run.loops > 1 && !has_last_place
    {
        let what = "io_size, time_based in order, or loops without a last place: fio ends early";
        return Err(refuse_append(section, what, "leave them out"));
    }
    Ok(())
}

fn refuse_append(section: &Section, what: &str, hint: &str) -> PlanError {
    PlanError::new(&section.name, format!("file_append with {what}"), Some(hint))
}

/// Refuses an offset in percent of a file that the job makes or lengthens: fio leaves out the last
/// blocks, as the offset grows with the file.
fn refuse_vague_offset<'k>(
    section: &Section,
    offset: u64,
    mut parts: impl Iterator<Item = (u64, &'k FileState)>,
) -> Result<(), PlanError> {
    let JobOptions { size, pattern, run, .. } = &section.options;
    let is_one_pass_of_one_size = !pattern.block_sizes_vary() && run.loops <= 1;
    let is_lengthened = |(part, known): (u64, &FileState)| match known {
        FileState::Device(_) => false,
        known => known.size().is_none_or(|size| offset.saturating_add(part) > size),
    };
    let offsets = [size.offset, size.offset_increment];
    let is_percent = |value: &SizeValue| matches!(value, SizeValue::Percent(p) if *p > 0.0);
    if is_one_pass_of_one_size || !offsets.iter().any(is_percent) || !parts.any(is_lengthened) {
        return Ok(());
    }
    let what = "an offset in percent of a file that the job makes or lengthens, with loops or \
                several block sizes";
    Err(PlanError::new(&section.name, what, Some("give the offset in bytes")))
}

/// Bytes of which offsets in percent are a part: those of the smallest file; of no file, its size.
fn percentage_base(size: &SizeOptions, known: &[FileState]) -> u64 {
    let files = known.len().max(1) as u64;
    let of_file = |known: &FileState| match known {
        FileState::Nothing => known.size_before(size, files).unwrap_or(0),
        known => known.size().unwrap_or(0),
    };
    known.iter().map(of_file).min().unwrap_or(0)
}

struct RegionRequest<'a> {
    section: &'a Section,
    clone: u32,
    offset: u64,
    free: u64,
    files: u64,
}

impl RegionRequest<'_> {
    /// Bytes of the part of file number `file`.
    fn length(&self, file: u64, known: FileState) -> Result<u64, PlanError> {
        let size = &self.section.options.size;
        let real = known.size();
        let room = real.map(|real| real.saturating_sub(self.offset));
        let mut length = self.requested_length(file, known, room)?;
        if size.fill_device && self.free > 0 {
            // What a file has already needs no space.
            let most = real.unwrap_or(0) + self.free / self.files;
            length = length.min(most.saturating_sub(self.offset));
        }
        Ok(match (room, known) {
            (Some(room), FileState::Device(_)) => length.min(room),
            _ => length,
        })
    }

    /// Bytes that the blocks of a part of `length` bytes reach over: as in fio, in order the last
    /// one may reach beyond the part where the file does.
    fn span(&self, length: u64, known: FileState) -> u64 {
        let JobOptions { size, pattern, zone, .. } = &self.section.options;
        let (has, block) = (pattern.rw.operation.directions(), smallest_block(self.section));
        let is_one_size =
            !pattern.block_sizes_vary() && (0..3).all(|d| !has[d] || pattern.min_bs(d) == block);
        let is_strided = zone.mode == ZoneMode::Strided;
        if pattern.rw.operation.is_random() || pattern.rw.gap != 0 || is_strided || !is_one_size {
            return length;
        }
        let end = known.size_before(size, self.files).unwrap_or(u64::MAX);
        let room = end.saturating_sub(self.offset) / block * block;
        length.checked_next_multiple_of(block).unwrap_or(length).min(room).max(length)
    }

    fn requested_length(
        &self,
        file: u64,
        known: FileState,
        room: Option<u64>,
    ) -> Result<u64, PlanError> {
        let section = self.section;
        let (size, real) = (&section.options.size, known.size());
        let (smallest, engine) = (smallest_block(section), section.options.engine.engine);
        Ok(match (size.filesize, size.size) {
            (Some(range), _) => {
                // As in fio, a file whose size is in the range keeps it.
                let kept = known.size_before(size, self.files);
                let kept = kept.filter(|size| (range.min..=range.max).contains(size));
                let whole = kept.unwrap_or_else(|| self.draw_file_size(range, file));
                whole.saturating_sub(self.offset)
            }
            (None, Some(SizeValue::Percent(percent))) => {
                let value = SizeValue::Percent(percent);
                let whole = resolve_size(section, value, real.unwrap_or(0), "size")?;
                let whole = if percent < 100.0 { whole / smallest * smallest } else { whole };
                whole.min(room.unwrap_or(u64::MAX))
            }
            (None, Some(value)) => {
                resolve_size(section, value, real.unwrap_or(0), "size")? / self.files
            }
            (None, None) => match room {
                Some(room) => room,
                None if size.fill_device => self.free / self.files,
                // As in fio: what is made or removed by its name has a block.
                None if engine.creates_names() || engine == Engine::DirDelete => smallest,
                None => {
                    return Err(PlanError::new(
                        &section.name,
                        "no size follows from its options or its files",
                        Some("say how large the file is to be: size=1g"),
                    ));
                }
            },
        })
    }

    /// Any size of the range, always the same of a file: an instance is planned more than once.
    fn draw_file_size(&self, range: SizeRange, file: u64) -> u64 {
        if range.max <= range.min {
            return range.min;
        }
        let seed = self.section.options.pattern.randseed.unwrap_or(0);
        let bits = mix_bits(seed ^ (u64::from(self.clone) << 32 | (file + 1)));
        let smallest = smallest_block(self.section);
        let drawn = range.min + (bits >> 20) % (range.max - range.min + 1);
        (drawn / smallest * smallest).max(range.min)
    }
}

/// Random bits of a key.
pub(super) fn mix_bits(mut bits: u64) -> u64 {
    for factor in [0x9E37_79B9_7F4A_7C15_u64, 0xBF58_476D_1CE4_E5B9] {
        bits = (bits ^ (bits >> 31)).wrapping_mul(factor);
    }
    bits
}

/// The bytes that a size of `option` means, of `whole`.
fn resolve_size(
    section: &Section,
    value: SizeValue,
    whole: u64,
    option: &str,
) -> Result<u64, PlanError> {
    let refuse = |conflict, hint: Option<&str>| Err(PlanError::new(&section.name, conflict, hint));
    match value {
        SizeValue::Bytes(bytes) => Ok(bytes),
        SizeValue::Percent(percent) if whole > 0 => Ok((whole as f64 * percent / 100.0) as u64),
        SizeValue::Percent(percent) => refuse(
            format!("{option}={percent}% of a file that does not exist"),
            Some("give the size in bytes: size=1g"),
        ),
        SizeValue::Zones(_) => refuse(
            format!("{option} in zones needs a zoned device"),
            Some("give the size in bytes: size=1g"),
        ),
    }
}

/// Whether no place is the last: random places may come up again, or reads and writes have an order
/// each. As in fio, such a job ends with the block that reaches its size.
pub(super) fn is_endless(options: &JobOptions) -> bool {
    let (pattern, operation) = (&options.pattern, options.pattern.rw.operation);
    match operation.is_random() {
        // As in fio, the map has only places that are drawn, not those in order between them.
        true => {
            let percents = || used_directions(options).map(|d| pattern.percentage_random[d]);
            match percents().all(|percent| percent == 0) {
                true => is_mixed(options),
                false => {
                    pattern.repeats_places()
                        || pattern.rw.run_length > 1
                        || percents().any(|percent| percent < 100)
                }
            }
        }
        false => is_mixed(options),
    }
}

fn is_mixed_in_order(options: &JobOptions) -> bool {
    !options.pattern.rw.operation.is_random() && is_mixed(options)
}

fn is_mixed(options: &JobOptions) -> bool {
    let operation = options.pattern.rw.operation;
    operation.reads() && operation.writes() && used_directions(options).count() > 1
}

/// The directions of operations that occur.
pub(super) fn used_directions(options: &JobOptions) -> impl Iterator<Item = usize> {
    let (operation, share) = (options.pattern.rw.operation, plan_read_percent(options));
    let is_mix = operation.reads() && operation.writes();
    let has = operation.directions();
    (0..3).filter(move |&direction| {
        has[direction]
            && match direction {
                READS => !is_mix || share > 0,
                WRITES => !is_mix || share < 100,
                _ => true,
            }
    })
}

/// The smallest block of the directions that the section has, in bytes.
pub(super) fn smallest_block(section: &Section) -> u64 {
    let pattern = &section.options.pattern;
    let operation = pattern.rw.operation;
    let mut has = operation.directions();
    // A write after a trim has its size.
    has[WRITES] &= !has[TRIMS];
    let blocks = (0..3).filter(|&d| has[d]).map(|direction| pattern.min_bs(direction));
    blocks.min().unwrap_or(4096).max(1)
}

#[cfg(test)]
mod tests {
    use super::super::section::section;
    use super::*;
    use crate::options::job::JobOptions;
    use crate::options::pattern::{Operation, ReadWrite};

    const MIB: u64 = 1 << 20;

    fn check(
        change: impl FnOnce(&mut JobOptions),
        clone: u32,
        known: &[FileState],
        expected: (u64, u64, u64),
    ) {
        let region = plan_region(&section("j", change), clone, known, 0).unwrap();
        assert_eq!((region.offset, region.length, region.whole), expected);
    }

    fn bytes(options: &mut JobOptions, size: u64) {
        options.size.size = Some(SizeValue::Bytes(size));
    }

    #[test]
    fn regions_follow_from_options_and_files() {
        check(|o| bytes(o, 4 * MIB), 0, &[FileState::Missing], (0, 4 * MIB, 4 * MIB));
        check(|o| bytes(o, 4 * MIB), 0, &[FileState::Missing; 2], (0, 2 * MIB, 4 * MIB));
        check(|_| {}, 0, &[FileState::File(3 * MIB)], (0, 3 * MIB, 3 * MIB));
        let half = |o: &mut JobOptions| o.size.size = Some(SizeValue::Percent(50.0));
        check(half, 0, &[FileState::Device(8 * MIB)], (0, 4 * MIB, 4 * MIB));
        let late = |o: &mut JobOptions| {
            o.size.offset = SizeValue::Bytes(MIB);
            o.size.offset_increment = SizeValue::Bytes(2 * MIB);
        };
        check(late, 1, &[FileState::Device(8 * MIB)], (3 * MIB, 5 * MIB, 5 * MIB));
        let grown = |o: &mut JobOptions| {
            bytes(o, MIB);
            o.size.offset = SizeValue::Bytes(MIB);
        };
        check(grown, 0, &[FileState::File(MIB)], (MIB, MIB, MIB));
        let more = |o: &mut JobOptions| {
            bytes(o, MIB);
            o.size.io_size = Some(SizeValue::Bytes(5 * MIB));
        };
        check(more, 0, &[FileState::Nothing], (0, MIB, MIB));
        let with_offset = |o: &mut JobOptions| {
            o.size.filesize = Some(SizeRange { min: 4 * MIB, max: 4 * MIB });
            o.size.offset = SizeValue::Bytes(MIB);
        };
        check(with_offset, 0, &[FileState::Missing], (MIB, 3 * MIB, 3 * MIB));
        check(|o| bytes(o, 100 * MIB), 0, &[FileState::Device(8 * MIB)], (0, 8 * MIB, 8 * MIB));
        let tenth = |o: &mut JobOptions| {
            bytes(o, MIB);
            o.size.offset_increment = SizeValue::Percent(10.0);
        };
        check(tenth, 1, &[FileState::Missing], (0, MIB, MIB));
        check(tenth, 1, &[FileState::Nothing], (26 * 4096, MIB, MIB));
        check(tenth, 1, &[FileState::File(MIB)], (26 * 4096, MIB, MIB));
        let small = |o: &mut JobOptions| {
            bytes(o, 130 << 10);
            o.size.filesize = Some(SizeRange { min: MIB, max: MIB });
        };
        check(small, 0, &[FileState::Missing], (0, MIB, 132 << 10));
        check(|o| bytes(o, u64::MAX), 0, &[FileState::Missing], (0, u64::MAX, u64::MAX));
        let third = |o: &mut JobOptions| o.size.offset = SizeValue::Percent(33.0);
        let offset = (MIB * 33 / 100).next_multiple_of(4096);
        check(third, 0, &[FileState::File(MIB)], (offset, MIB - offset, MIB - offset));
    }

    #[test]
    fn files_have_a_region_each() {
        let plan = |change: &dyn Fn(&mut JobOptions), known: &[FileState]| {
            let region = plan_region(&section("j", change), 0, known, 0).unwrap();
            let each: Vec<u64> = (0..known.len()).map(|file| region.length_of(file)).collect();
            (each, region.whole)
        };
        let two = [FileState::File(8 * MIB), FileState::File(2 * MIB)];
        assert_eq!(plan(&|_| {}, &two), (vec![8 * MIB, 2 * MIB], 10 * MIB));
        assert_eq!(plan(&|o| bytes(o, 4 * MIB), &two), (vec![2 * MIB; 2], 4 * MIB));
        let smaller = |o: &mut JobOptions| {
            bytes(o, 4 * MIB);
            o.size.filesize = Some(SizeRange { min: MIB, max: MIB });
        };
        assert_eq!(plan(&smaller, &[FileState::Missing]), (vec![MIB], MIB));
        let range = |o: &mut JobOptions| {
            o.size.filesize = Some(SizeRange { min: 65_536, max: 524_288 });
        };
        let (each, all) = plan(&range, &[FileState::Missing; 6]);
        let inside = |size: &u64| (65_536..=524_288).contains(size) && size.is_multiple_of(4096);
        assert!(each.iter().all(inside) && each.iter().any(|size| *size != each[0]), "{each:?}");
        assert_eq!(all, each.iter().sum::<u64>());
    }

    /// Measured with fio 3.33.
    #[test]
    fn a_block_may_reach_beyond_the_part_where_the_file_does() {
        let part = |o: &mut JobOptions| bytes(o, 150 << 10);
        check(part, 0, &[FileState::File(MIB)], (0, 152 << 10, 152 << 10));
        check(part, 0, &[FileState::File(151 << 10)], (0, 150 << 10, 150 << 10));
        check(part, 0, &[FileState::Missing], (0, 150 << 10, 150 << 10));
        let random = |o: &mut JobOptions| {
            bytes(o, 150 << 10);
            o.pattern.rw = ReadWrite::new(Operation::RandRead);
        };
        check(random, 0, &[FileState::File(MIB)], (0, 150 << 10, 150 << 10));
        let of_files = |o: &mut JobOptions| {
            o.size.filesize = Some(SizeRange { min: 130 << 10, max: 130 << 10 });
            o.size.offset = SizeValue::Bytes(64 << 10);
        };
        check(of_files, 0, &[FileState::Nothing; 3], (64 << 10, 68 << 10, 200 << 10));
        check(of_files, 0, &[FileState::Missing; 3], (64 << 10, 66 << 10, 192 << 10));
    }

    /// Measured with fio 3.33.
    #[test]
    fn io_size_in_percent_makes_size_smaller() {
        let check = |percent: f64, size: u64, expected: u64| {
            let section = section("j", |o| {
                bytes(o, size);
                o.size.filesize = Some(SizeRange { min: MIB, max: MIB });
                o.size.io_size = Some(SizeValue::Percent(percent));
            });
            let region = plan_region(&section, 0, &[FileState::Missing], 0).unwrap();
            assert_eq!((region.size, region.io_size), (expected, None));
        };
        check(50.0, 400 << 10, 400 << 10);
        check(25.0, 400 << 10, 256 << 10);
        check(100.0, 4 * MIB, MIB);
    }

    #[test]
    fn appended_parts_begin_at_the_end() {
        let append = |o: &mut JobOptions| {
            bytes(o, MIB);
            o.size.file_append = true;
            o.size.offset = SizeValue::Bytes(4096);
        };
        check(append, 0, &[FileState::File(8192)], (8192, MIB, MIB));
        check(append, 0, &[FileState::Nothing], (MIB, MIB, MIB));
        let refused = |change: fn(&mut JobOptions), known: &[FileState]| {
            let section = section("j", |o| {
                append(o);
                change(o);
            });
            plan_region(&section, 0, known, 0).unwrap_err().conflict
        };
        let two = [FileState::File(8192), FileState::Missing];
        assert!(refused(|_| {}, &two).contains("several lengths"));
        assert!(refused(|o| o.size.size = None, &[FileState::Nothing]).contains("no size"));
        let sizes = |o: &mut JobOptions| o.pattern.bsrange[0] = Some(SizeRange { min: 1, max: 9 });
        assert!(refused(sizes, &[FileState::Missing]).contains("several block sizes"));
        let time = |o: &mut JobOptions| o.run.time_based = true;
        assert!(refused(time, &[FileState::Missing]).contains("ends early"));
    }

    #[test]
    fn filling_ends_where_the_free_space_does() {
        let fill = |size: Option<u64>, known: &[FileState], free: u64| {
            let change = |o: &mut JobOptions| {
                o.size.fill_device = true;
                o.size.size = size.map(SizeValue::Bytes);
            };
            plan_region(&section("j", change), 0, known, free).unwrap().length
        };
        assert_eq!(fill(None, &[FileState::Missing], 3 * MIB), 3 * MIB);
        assert_eq!(fill(None, &[FileState::Missing; 2], 4 * MIB), 2 * MIB);
        assert_eq!(fill(Some(9 * MIB), &[FileState::Missing], 3 * MIB), 3 * MIB);
        assert_eq!(fill(Some(2 * MIB), &[FileState::Missing], 3 * MIB), 2 * MIB);
        assert_eq!(fill(Some(9 * MIB), &[FileState::File(MIB)], 3 * MIB), 4 * MIB);
        assert_eq!(fill(Some(9 * MIB), &[FileState::Nothing], 0), 9 * MIB);
    }

    /// Measured with fio 3.41, `--ioengine=filecreate --nrfiles=10`.
    #[test]
    fn calls_on_names_are_as_many_as_size_has_blocks() {
        let plan = |change: &dyn Fn(&mut JobOptions)| {
            let section = section("j", |o| {
                o.engine.engine = Engine::FileCreate;
                change(o);
            });
            let region = plan_region(&section, 0, &[FileState::Missing; 10], 0)?;
            Ok::<_, PlanError>(region.of_names(&section, 10).whole / 4096)
        };
        assert_eq!(plan(&|_| {}).unwrap(), 10);
        assert_eq!(plan(&|o| bytes(o, 20 << 10)).unwrap(), 5);
        assert_eq!(plan(&|o| bytes(o, 18 << 10)).unwrap(), 5);
        assert_eq!(plan(&|o| bytes(o, MIB)).unwrap(), 10);
        let small = plan(&|o| o.size.filesize = Some(SizeRange { min: 512, max: 512 }));
        assert!(small.unwrap_err().conflict.contains("larger than filesize"));
    }

    #[test]
    fn what_has_no_size_is_refused() {
        let none = plan_region(&section("j", |_| {}), 0, &[FileState::Missing], 0).unwrap_err();
        assert!(none.to_string().contains("no size follows") && none.hint.is_some(), "{none}");
        let percent = section("j", |o| o.size.size = Some(SizeValue::Percent(10.0)));
        let error = plan_region(&percent, 0, &[FileState::Missing], 0).unwrap_err();
        assert!(error.to_string().contains("10% of a file that does not exist"), "{error}");
        let beyond = section("j", |o| o.size.offset = SizeValue::Bytes(MIB));
        let error = plan_region(&beyond, 0, &[FileState::Device(MIB)], 0).unwrap_err();
        assert!(error.to_string().contains("nothing is left"), "{error}");
    }
}
