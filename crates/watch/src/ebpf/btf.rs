//! The kernel's own type information (BTF): where a field is in a struct. The format is described
//! in Documentation/bpf/btf.rst.

use std::ops::Range;

const MAGIC: u16 = 0xeb9f;
const HEADER_BYTES: usize = 24;
/// More names and qualifiers around a type are damage.
const NESTING_MAX: usize = 16;
/// Members looked at in search of a name: the kernel's largest structs have some hundreds.
const MEMBERS_MAX: usize = 1 << 16;

const KIND_INT: u32 = 1;
const KIND_POINTER: u32 = 2;
const KIND_ARRAY: u32 = 3;
const KIND_STRUCT: u32 = 4;
const KIND_UNION: u32 = 5;
const KIND_ENUM: u32 = 6;
const KIND_TYPEDEF: u32 = 8;
const KIND_VOLATILE: u32 = 9;
const KIND_CONST: u32 = 10;
const KIND_RESTRICT: u32 = 11;
const KIND_FUNCTION_PROTOTYPE: u32 = 13;
const KIND_VARIABLE: u32 = 14;
const KIND_SECTION: u32 = 15;
const KIND_DECLARATION_TAG: u32 = 17;
const KIND_TYPE_TAG: u32 = 18;
const KIND_ENUM64: u32 = 19;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BtfError {
    #[error("the kernel's type information is damaged: {0}")]
    Damaged(&'static str),
    #[error("this kernel has no {0}")]
    Missing(String),
}

pub(crate) struct Btf {
    bytes: Vec<u8>,
    strings: Range<usize>,
    /// Where each type begins; type 0 is `void` and has no entry.
    types: Vec<usize>,
}

/// Where a field is, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) offset: u32,
    pub(crate) size: u32,
}

#[derive(Clone, Copy)]
struct Type {
    at: usize,
    name: u32,
    info: u32,
    /// Size of the type, or the type it is made of.
    size_or_type: u32,
}

impl Type {
    fn kind(&self) -> u32 {
        self.info >> 24 & 0x1f
    }

    fn entries(&self) -> usize {
        (self.info & 0xffff) as usize
    }

    /// Whether offsets of members share their word with a size in bits.
    fn has_bit_fields(&self) -> bool {
        self.info >> 31 == 1
    }

    /// Bytes after the three common words.
    fn extra_bytes(&self) -> usize {
        match self.kind() {
            KIND_INT | KIND_VARIABLE | KIND_DECLARATION_TAG => 4,
            KIND_ARRAY => 12,
            KIND_STRUCT | KIND_UNION | KIND_SECTION | KIND_ENUM64 => 12 * self.entries(),
            KIND_ENUM | KIND_FUNCTION_PROTOTYPE => 8 * self.entries(),
            _ => 0,
        }
    }
}

impl Btf {
    pub(crate) fn parse(bytes: Vec<u8>) -> Result<Self, BtfError> {
        if bytes.get(..2) != Some(&MAGIC.to_ne_bytes()) {
            return Err(BtfError::Damaged("no magic number"));
        }
        let word = |at: usize| read_u32(&bytes, at).ok_or(BtfError::Damaged("a short header"));
        let header = word(4)? as usize;
        let section = |at: usize| -> Result<Range<usize>, BtfError> {
            let begin = header.saturating_add(word(at)? as usize);
            let end = begin.saturating_add(word(at + 4)? as usize);
            let fits = header >= HEADER_BYTES && end <= bytes.len();
            if fits { Ok(begin..end) } else { Err(BtfError::Damaged("a section beyond its end")) }
        };
        let (type_section, strings) = (section(8)?, section(16)?);
        let mut btf = Self { bytes, strings, types: Vec::new() };
        let mut at = type_section.start;
        while at < type_section.end {
            let entry = btf.read_type(at).ok_or(BtfError::Damaged("a short type"))?;
            btf.types.push(at);
            at += 12 + entry.extra_bytes();
        }
        Ok(btf)
    }

    fn read_type(&self, at: usize) -> Option<Type> {
        let word = |index: usize| read_u32(&self.bytes, at + 4 * index);
        Some(Type { at, name: word(0)?, info: word(1)?, size_or_type: word(2)? })
    }

    fn type_of(&self, id: u32) -> Option<Type> {
        self.read_type(*self.types.get((id as usize).checked_sub(1)?)?)
    }

    fn is_named(&self, name: u32, wanted: &str) -> bool {
        let begin = self.strings.start + name as usize;
        let end = begin + wanted.len();
        end < self.strings.end
            && self.bytes[begin..end] == *wanted.as_bytes()
            && self.bytes[end] == 0
    }

    fn types(&self) -> impl Iterator<Item = (u32, Type)> + '_ {
        let read = |(id, at): (u32, &usize)| Some((id, self.read_type(*at)?));
        (1..).zip(&self.types).filter_map(read)
    }

    /// The id of a typedef: `btf_trace_NAME` is the type of a tracepoint.
    pub(crate) fn find_typedef(&self, name: &str) -> Result<u32, BtfError> {
        let is_it = |entry: &Type| entry.kind() == KIND_TYPEDEF && self.is_named(entry.name, name);
        let found = self.types().find(|(_, entry)| is_it(entry));
        found.map(|(id, _)| id).ok_or_else(|| BtfError::Missing(name.to_owned()))
    }

    /// A field of a struct, also of an anonymous struct or union within it. A path leads through
    /// embedded structs: `css.cgroup`.
    pub(crate) fn find_field(&self, structure: &str, path: &str) -> Result<Field, BtfError> {
        let is_it =
            |entry: &Type| entry.kind() == KIND_STRUCT && self.is_named(entry.name, structure);
        // Several structs may share a name.
        let mut structs = self.types().filter(|(_, entry)| is_it(entry));
        structs
            .find_map(|(_, entry)| self.walk_path(&entry, path))
            .ok_or_else(|| BtfError::Missing(format!("{path} in struct {structure}")))
    }

    fn walk_path(&self, structure: &Type, path: &str) -> Option<Field> {
        let mut structure = *structure;
        let mut offset = 0_u32;
        let mut names = path.split('.').peekable();
        loop {
            let (bits, id) = self.find_member(&structure, names.next()?)?;
            offset = offset.checked_add(bits / 8)?;
            if names.peek().is_none() {
                return Some(Field { offset, size: self.size_of(id)? });
            }
            structure = self.resolve(id)?;
        }
    }

    /// The offset in bits and the type of a member, also of an anonymous struct or union within.
    fn find_member(&self, structure: &Type, name: &str) -> Option<(u32, u32)> {
        let mut structs = vec![(*structure, 0_u32)];
        let mut members_left = MEMBERS_MAX;
        while let Some((structure, base)) = structs.pop() {
            for index in 0..structure.entries() {
                members_left = members_left.checked_sub(1)?;
                let at = structure.at + 12 + 12 * index;
                let word = |index: usize| read_u32(&self.bytes, at + 4 * index);
                let (member, id, offset) = (word(0)?, word(1)?, word(2)?);
                let is_bit_field = structure.has_bit_fields() && offset >> 24 != 0;
                let offset = if structure.has_bit_fields() { offset & 0x00ff_ffff } else { offset };
                let offset = base.checked_add(offset)?;
                if self.is_named(member, name) && !is_bit_field {
                    return Some((offset, id));
                }
                let inner = self.resolve(id).filter(|_| member == 0);
                let inner = inner.filter(|t| matches!(t.kind(), KIND_STRUCT | KIND_UNION));
                structs.extend(inner.map(|inner| (inner, offset)));
            }
        }
        None
    }

    /// The type without the names and qualifiers around it.
    fn resolve(&self, id: u32) -> Option<Type> {
        let mut entry = self.type_of(id)?;
        for _ in 0..NESTING_MAX {
            match entry.kind() {
                KIND_TYPEDEF | KIND_VOLATILE | KIND_CONST | KIND_RESTRICT | KIND_TYPE_TAG => {
                    entry = self.type_of(entry.size_or_type)?;
                }
                _ => return Some(entry),
            }
        }
        None
    }

    fn size_of(&self, id: u32) -> Option<u32> {
        let entry = self.resolve(id)?;
        match entry.kind() {
            KIND_POINTER => Some(size_of::<usize>() as u32),
            KIND_INT | KIND_ENUM | KIND_ENUM64 | KIND_STRUCT | KIND_UNION => {
                Some(entry.size_or_type)
            }
            _ => None,
        }
    }

    /// The value of a constant in any enumeration.
    pub(crate) fn find_constant(&self, name: &str) -> Result<i32, BtfError> {
        let in_enumeration = |entry: &Type| {
            let mut values = (0..entry.entries()).map(|index| entry.at + 12 + 8 * index);
            let at = values.find(|at| {
                read_u32(&self.bytes, *at).is_some_and(|value| self.is_named(value, name))
            })?;
            read_u32(&self.bytes, at + 4).map(|value| value as i32)
        };
        let mut enumerations = self.types().filter(|(_, entry)| entry.kind() == KIND_ENUM);
        enumerations
            .find_map(|(_, entry)| in_enumeration(&entry))
            .ok_or_else(|| BtfError::Missing(name.to_owned()))
    }
}

fn read_u32(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.try_into().ok().map(u32::from_ne_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Builds type information type by type.
    struct Writer {
        types: Vec<u32>,
        strings: Vec<u8>,
        count: u32,
    }

    impl Writer {
        fn new() -> Self {
            Self { types: Vec::new(), strings: vec![0], count: 0 }
        }

        fn string(&mut self, text: &str) -> u32 {
            if text.is_empty() {
                return 0;
            }
            let at = self.strings.len() as u32;
            self.strings.extend(text.bytes().chain([0]));
            at
        }

        fn add(&mut self, name: &str, kind: u32, entries: u32, size: u32, rest: &[u32]) -> u32 {
            let name = self.string(name);
            self.types.extend([name, kind << 24 | entries, size]);
            self.types.extend(rest);
            self.count += 1;
            self.count
        }

        fn structure(&mut self, name: &str, kind: u32, members: &[(&str, u32, u32)]) -> u32 {
            let mut rest = Vec::new();
            for (member, id, offset) in members {
                rest.extend([self.string(member), *id, offset * 8]);
            }
            self.add(name, kind, members.len() as u32, 64, &rest)
        }

        fn finish(self) -> Vec<u8> {
            let types: Vec<u8> = self.types.iter().flat_map(|word| word.to_ne_bytes()).collect();
            let (length, strings) = (types.len() as u32, self.strings.len() as u32);
            let mut bytes = MAGIC.to_ne_bytes().to_vec();
            bytes.extend([1, 0]);
            for word in [24, 0, length, length, strings] {
                bytes.extend(u32::to_ne_bytes(word));
            }
            bytes.extend(types);
            bytes.extend(self.strings);
            bytes
        }
    }

    fn example() -> Vec<u8> {
        let mut writer = Writer::new();
        let long = writer.add("u64", KIND_INT, 0, 8, &[64]);
        let int = writer.add("int", KIND_INT, 0, 4, &[32]);
        let flags = writer.add("blk_opf_t", KIND_TYPEDEF, 0, int, &[]);
        let pointer = writer.add("", KIND_POINTER, 0, 0, &[]);
        let anonymous = writer.structure("", KIND_UNION, &[("key", int, 0), ("id", long, 0)]);
        let inner = writer.structure("inner", KIND_STRUCT, &[("first", int, 0), ("p", pointer, 8)]);
        writer.structure("request", KIND_STRUCT, &[("other", int, 0)]);
        let members = [("flags", flags, 24), ("", anonymous, 40), ("css", inner, 48)];
        writer.structure("request", KIND_STRUCT, &members);
        let constant = writer.string("REQ_OP_ZONE_APPEND");
        writer.add("req_op", KIND_ENUM, 1, 4, &[constant, 7]);
        writer.add("btf_trace_block_rq_complete", KIND_TYPEDEF, 0, pointer, &[]);
        writer.finish()
    }

    #[test]
    fn fields_are_found_through_anonymous_and_embedded_members() {
        let btf = Btf::parse(example()).unwrap();
        let check = |path: &str, offset: u32, size: u32| {
            assert_eq!(btf.find_field("request", path), Ok(Field { offset, size }), "{path}");
        };
        check("flags", 24, 4);
        check("id", 40, 8);
        check("key", 40, 4);
        check("css.p", 56, 8);
        check("css.first", 48, 4);
        // Of another struct with the same name.
        check("other", 0, 4);
        assert_eq!(btf.find_typedef("btf_trace_block_rq_complete"), Ok(10));
        assert_eq!(btf.find_constant("REQ_OP_ZONE_APPEND"), Ok(7));
    }

    #[test]
    fn what_is_missing_is_named() {
        let btf = Btf::parse(example()).unwrap();
        let error = btf.find_field("request", "css.nothing").unwrap_err();
        assert_eq!(error.to_string(), "this kernel has no css.nothing in struct request");
        assert!(btf.find_field("nothing", "flags").is_err());
        // A prefix of a name is another name.
        assert!(btf.find_typedef("btf_trace_block_rq").is_err());
        assert!(btf.find_constant("REQ_OP").is_err());
    }

    #[test]
    fn damage_is_refused_and_never_a_panic() {
        let whole = example();
        assert!(Btf::parse(Vec::new()).is_err());
        for length in 0..whole.len() {
            assert!(Btf::parse(whole[..length].to_vec()).is_err(), "{length}");
        }
        for at in 4..whole.len() {
            for byte in [0, 0x7f, 0xff] {
                let mut damaged = whole.clone();
                damaged[at] = byte;
                if let Ok(btf) = Btf::parse(damaged) {
                    let _ = btf.find_field("request", "css.p");
                    let _ = btf.find_typedef("btf_trace_block_rq_complete");
                    let _ = btf.find_constant("REQ_OP_ZONE_APPEND");
                }
            }
        }
    }

    #[test]
    fn anonymous_structs_that_hold_themselves_end_the_search() {
        let mut writer = Writer::new();
        let own_id = 1;
        writer.structure("request", KIND_STRUCT, &[("", own_id, 8); 1000]);
        let btf = Btf::parse(writer.finish()).unwrap();
        assert!(btf.find_field("request", "flags").is_err());
    }

    #[test]
    fn this_kernel_has_its_requests_described() {
        lab::skip_unless!(lab::Need::Root);
        let bytes = std::fs::read("/sys/kernel/btf/vmlinux").unwrap();
        let btf = Btf::parse(bytes).unwrap();
        assert_eq!(btf.find_field("request", "start_time_ns").unwrap().size, 8);
        assert_eq!(btf.find_field("request", "cmd_flags").unwrap().size, 4);
        assert_eq!(btf.find_field("gendisk", "major").unwrap().size, 4);
        assert!(btf.find_typedef("btf_trace_block_rq_complete").is_ok());
    }
}
