//! An interpreter runs the program here, against requests that are bytes in memory.

use super::super::bios;
use super::super::buckets::{Totals, VALUE_BYTES, WAITER_VALUE_BYTES, WaiterTotals, bucket_of};
use super::super::events::{self, Event};
use super::super::layout::{BioLayout, RequestLayout};
use super::super::submitters;
use super::*;

const REQUEST_AT: u64 = 0x1000;
const QUEUE_AT: u64 = 0x2000;
const DISK_AT: u64 = 0x3000;
const CONTEXT_AT: u64 = 0x4000;
const STACK_TOP: u64 = 0x5000;
const STACK_BYTES: u64 = 512;
const VALUE_AT: u64 = 0x10_0000;
const WAITER_AT: u64 = 0x20_0000;
const BLANK_AT: u64 = 0x30_0000;
const GROUP_AT: u64 = 0x40_0000;
const MASK_AT: u64 = 0x50_0000;
const BIO_AT: u64 = 0x60_0000;
const START_AT: u64 = 0x70_0000;
const COUNT_AT: u64 = 0x80_0000;
const STARTS: u64 = 92;
const MAPS: Maps = Maps { disks: 77, waiters: 78, blank: 79, mask: 91 };
/// More than the program can run: it has no loops.
const STEPS_MAX: usize = 1000;

/// What the instructions in use do; anything else is a failure.
struct Interpreter {
    registers: [u64; 11],
    /// Address and content.
    memory: Vec<(u64, Vec<u8>)>,
    now_ns: u64,
    /// The keys of disks that were looked up.
    keys: Vec<u32>,
    /// The keys of `waiters`, of which the last one's value is in memory.
    waiter_keys: Vec<Vec<u8>>,
    /// What was put into the ring, and what the kernel answers.
    ring: Vec<Vec<u8>>,
    ring_result: u64,
    random: u64,
    /// Those who asked for requests, and how many.
    submitters: Vec<(Vec<u8>, u64)>,
    /// The bios under way, by address.
    starts: Vec<(u64, Vec<u8>)>,
}

impl Interpreter {
    fn place(&mut self, address: u64, bytes: usize) -> &mut Vec<u8> {
        let (address, offset) = self.region(address);
        let (_, content) = self.memory.iter_mut().find(|(start, _)| *start == address).unwrap();
        assert!(offset + bytes <= content.len(), "{address:#x} + {offset}");
        content
    }

    fn region(&self, address: u64) -> (u64, usize) {
        let holds = |(start, content): &&(u64, Vec<u8>)| {
            (*start..*start + content.len() as u64).contains(&address)
        };
        let (start, _) = self.memory.iter().find(holds).unwrap_or_else(|| panic!("{address:#x}"));
        (*start, (address - start) as usize)
    }

    fn read(&mut self, address: u64, bytes: usize) -> u64 {
        let offset = self.region(address).1;
        let mut word = [0; 8];
        word[..bytes].copy_from_slice(&self.place(address, bytes)[offset..offset + bytes]);
        u64::from_le_bytes(word)
    }

    fn write(&mut self, address: u64, bytes: usize, value: u64) {
        let offset = self.region(address).1;
        let content = self.place(address, bytes);
        content[offset..offset + bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
    }

    fn run(&mut self, instructions: &[u64]) {
        let mut at = 0;
        for _ in 0..STEPS_MAX {
            let [code, registers, o1, o2, number @ ..] = instructions[at].to_le_bytes();
            let (to, from) = (usize::from(registers & 15), usize::from(registers >> 4));
            let offset = i16::from_le_bytes([o1, o2]);
            let number = i32::from_le_bytes(number);
            let address = |base: u64| base.wrapping_add_signed(i64::from(offset));
            let bytes = match code & 0x18 {
                0x00 => 4,
                0x10 => 1,
                _ => 8,
            };
            at += 1;
            match (code & 7, code) {
                (_, 0x95) => return,
                (_, 0x85) => self.call(number),
                (_, 0x18) => {
                    assert_eq!(from, 1, "a map");
                    self.registers[to] = number as u64;
                    at += 1;
                }
                (1, _) => self.registers[to] = self.read(address(self.registers[from]), bytes),
                (3, 0xc3 | 0xdb) => {
                    let place = address(self.registers[to]);
                    let sum = self.read(place, bytes).wrapping_add(self.registers[from]);
                    self.write(place, bytes, sum);
                }
                (3, _) => self.write(address(self.registers[to]), bytes, self.registers[from]),
                (7, _) => {
                    let right = self.operand(code, from, number);
                    self.registers[to] = compute(code, self.registers[to], right);
                }
                (5 | 6, _) => {
                    let right = self.operand(code, from, number);
                    if compare(code, self.registers[to], right) {
                        at = at.checked_add_signed(isize::from(offset)).unwrap();
                    }
                }
                _ => panic!("{code:#x}"),
            }
        }
        panic!("the program did not end");
    }

    fn operand(&self, code: u8, from: usize, number: i32) -> u64 {
        if code & 8 != 0 { self.registers[from] } else { i64::from(number) as u64 }
    }

    fn read_bytes(&mut self, address: u64, bytes: usize) -> Vec<u8> {
        let offset = self.region(address).1;
        self.place(address, bytes)[offset..offset + bytes].to_vec()
    }

    fn look_up(&mut self) -> u64 {
        match self.registers[1] {
            77 => {
                let key = self.read(self.registers[2], 4) as u32;
                self.keys.push(key);
                VALUE_AT
            }
            STARTS => {
                let key = self.read(self.registers[2], 8);
                let start = self.starts.iter().find(|(bio, _)| *bio == key).cloned();
                start.map_or(0, |(_, start)| {
                    self.place(START_AT, start.len()).copy_from_slice(&start);
                    START_AT
                })
            }
            78 => {
                let key = self.read_bytes(self.registers[2], 16);
                if self.waiter_keys.contains(&key) { WAITER_AT } else { 0 }
            }
            79 => {
                assert_eq!(self.read(self.registers[2], 4), 0);
                BLANK_AT
            }
            90 => {
                let key = self.read_bytes(self.registers[2], 32);
                let is_known = self.submitters.iter().any(|(known, _)| *known == key);
                if is_known { COUNT_AT } else { 0 }
            }
            91 => {
                assert_eq!(self.read(self.registers[2], 4), 0);
                MASK_AT
            }
            other => panic!("map {other}"),
        }
    }

    fn add_entry(&mut self) {
        match self.registers[1] {
            STARTS => {
                assert_eq!(self.registers[4], 0);
                let bio = self.read(self.registers[2], 8);
                let start = self.read_bytes(self.registers[3], 24);
                self.starts.retain(|(known, _)| *known != bio);
                self.starts.push((bio, start));
            }
            78 => {
                assert_eq!(self.registers[3], BLANK_AT);
                let key = self.read_bytes(self.registers[2], 16);
                self.waiter_keys.push(key);
            }
            90 => {
                let key = self.read_bytes(self.registers[2], 32);
                let count = self.read(self.registers[3], 8);
                self.write(COUNT_AT, 8, count);
                self.submitters.push((key, count));
            }
            other => panic!("map {other}"),
        }
    }

    fn call(&mut self, function: i32) {
        self.registers[0] = match function {
            1 => self.look_up(),
            2 => {
                self.add_entry();
                0
            }
            3 => {
                assert_eq!(self.registers[1], STARTS);
                let bio = self.read(self.registers[2], 8);
                self.starts.retain(|(known, _)| *known != bio);
                // What the value's memory is used for next.
                self.place(START_AT, 24).fill(0xdd);
                0
            }
            5 => self.now_ns,
            7 => self.random,
            16 => {
                assert_eq!(self.registers[2], 16);
                self.write(self.registers[1], 8, u64::from_le_bytes(*b"postgres"));
                self.write(self.registers[1] + 8, 8, 0);
                0
            }
            130 => {
                assert_eq!((self.registers[1], self.registers[4]), (88, 1));
                let record = self.read_bytes(self.registers[2], self.registers[3] as usize);
                self.ring.push(record);
                self.ring_result
            }
            _ => panic!("function {function}"),
        };
        // A call leaves nothing in the arguments.
        self.registers[1..6].fill(0xdead);
    }
}

fn compute(code: u8, left: u64, right: u64) -> u64 {
    match code & 0xf0 {
        0x00 => left.wrapping_add(right),
        0x10 => left.wrapping_sub(right),
        0x20 => left.wrapping_mul(right),
        0x40 => left | right,
        0x50 => left & right,
        0x60 => left << right,
        0x70 => left >> right,
        0xb0 => right,
        _ => panic!("{code:#x}"),
    }
}

fn compare(code: u8, left: u64, right: u64) -> bool {
    let (left, right) = match code & 7 {
        6 => (u64::from(left as u32), u64::from(right as u32)),
        _ => (left, right),
    };
    match code & 0xf0 {
        0x00 => true,
        0x10 => left == right,
        0x20 => left > right,
        0x30 => left >= right,
        0x50 => left != right,
        0xa0 => left < right,
        _ => panic!("{code:#x}"),
    }
}

fn field(offset: u32, size: u32) -> Field {
    Field { offset, size }
}

fn fields(list: &[(u32, u32)]) -> Vec<Field> {
    list.iter().map(|(offset, size)| field(*offset, *size)).collect()
}

fn layout() -> Layout {
    Layout {
        completion: 1,
        submission: None,
        request: RequestLayout {
            io: IoLayout {
                disk: vec![field(0, 8), field(96, 8)],
                flags: field(24, 4),
                group: Some(fields(&[(56, 8), (72, 8), (16, 8), (0, 8), (288, 8), (96, 8)])),
            },
            rq_flags: field(28, 4),
            state: field(128, 4),
            sector: field(48, 8),
            length: field(44, 4),
            accepted_ns: field(104, 8),
            issued_ns: field(112, 8),
        },
        bio: Some(BioLayout {
            submission: 2,
            completion: 3,
            io: IoLayout {
                disk: vec![field(8, 8), field(96, 8)],
                flags: field(16, 4),
                group: Some(fields(&[(72, 8), (16, 8), (0, 8), (288, 8), (96, 8)])),
            },
            length: field(40, 4),
            status: field(25, 1),
        }),
        major: field(0, 4),
        first_minor: field(4, 4),
        zone_append: Some(7),
        background: Some(20),
        fua: Some(17),
        flush_sequence: 1 << 4,
    }
}

#[derive(Clone)]
struct Completion {
    disk: (u32, u32),
    flags: u32,
    rq_flags: u32,
    state: u32,
    length: u32,
    completed: u32,
    error: u8,
    accepted_ns: u64,
    issued_ns: u64,
    now_ns: u64,
}

const READ: Completion = Completion {
    disk: (254, 0),
    flags: 0x8000,
    rq_flags: 0x2002,
    state: 2,
    length: 4096,
    completed: 4096,
    error: 0,
    accepted_ns: 1_000_000,
    issued_ns: 1_020_000,
    now_ns: 1_120_000,
};

/// Runs the program for each, and returns the keys with the totals of all.
fn run(completions: &[Completion]) -> (Vec<u32>, Totals) {
    let interpreter = interpret(completions);
    let mut totals = Totals::default();
    totals.add(&interpreter.memory.last().unwrap().1);
    (interpreter.keys, totals)
}

fn build_for_disks() -> Vec<u64> {
    let disk = |number| Disk { name: String::new(), number };
    let disks = [disk((8, 16)), disk((254, 0)), disk((4095, 0xf_ffff))];
    let disks: Vec<NumberedDisk> = disks.iter().enumerate().collect();
    build(&layout(), &disks, MAPS).unwrap()
}

fn interpret(completions: &[Completion]) -> Interpreter {
    interpret_with(completions, &build_for_disks(), 0)
}

fn interpret_with(
    completions: &[Completion],
    instructions: &[u64],
    ring_result: u64,
) -> Interpreter {
    let mut interpreter = Interpreter { ring_result, ..new_interpreter() };
    interpreter.run_for_each(completions, instructions);
    interpreter
}

fn new_interpreter() -> Interpreter {
    let blank = |address, bytes| (address, vec![0_u8; bytes]);
    Interpreter {
        registers: [0; 11],
        memory: vec![
            blank(REQUEST_AT, 256),
            blank(QUEUE_AT, 256),
            blank(DISK_AT, 64),
            blank(CONTEXT_AT, 24),
            blank(STACK_TOP - STACK_BYTES, STACK_BYTES as usize),
            blank(WAITER_AT, WAITER_VALUE_BYTES as usize),
            blank(BLANK_AT, WAITER_VALUE_BYTES as usize),
            blank(GROUP_AT, 4096),
            blank(MASK_AT, 8),
            blank(BIO_AT, 512),
            blank(START_AT, 24),
            blank(COUNT_AT, 8),
            blank(VALUE_AT, VALUE_BYTES as usize),
        ],
        now_ns: 0,
        keys: Vec::new(),
        waiter_keys: Vec::new(),
        ring: Vec::new(),
        ring_result: 0,
        random: 0,
        submitters: Vec::new(),
        starts: Vec::new(),
    }
}

impl Interpreter {
    fn run_for_each(&mut self, completions: &[Completion], instructions: &[u64]) {
        for completion in completions {
            let words = [
                (REQUEST_AT, 8, QUEUE_AT),
                (REQUEST_AT + 24, 4, u64::from(completion.flags)),
                (REQUEST_AT + 28, 4, u64::from(completion.rq_flags)),
                (REQUEST_AT + 128, 4, u64::from(completion.state)),
                (REQUEST_AT + 44, 4, u64::from(completion.length)),
                (REQUEST_AT + 48, 8, 800),
                (REQUEST_AT + 104, 8, completion.accepted_ns),
                (REQUEST_AT + 112, 8, completion.issued_ns),
                (QUEUE_AT + 96, 8, DISK_AT),
                (DISK_AT, 4, u64::from(completion.disk.0)),
                (DISK_AT + 4, 4, u64::from(completion.disk.1)),
                (CONTEXT_AT, 8, REQUEST_AT),
                // The bio, its group's counters, the group, and so on to the id.
                (REQUEST_AT + 56, 8, GROUP_AT),
                (GROUP_AT + 72, 8, GROUP_AT + 512),
                (GROUP_AT + 512 + 16, 8, GROUP_AT + 1024),
                (GROUP_AT + 1024, 8, GROUP_AT + 1536),
                (GROUP_AT + 1536 + 288, 8, GROUP_AT + 2048),
                (GROUP_AT + 2048 + 96, 8, 0x5_0000_0011),
                // The upper bits of an argument say nothing.
                (CONTEXT_AT + 8, 8, 0xabcd_ef00 | u64::from(completion.error)),
                (CONTEXT_AT + 16, 8, 0x7_0000_0000 | u64::from(completion.completed)),
            ];
            words.iter().for_each(|(address, bytes, value)| self.write(*address, *bytes, *value));
            self.registers = [0xdead; 11];
            (self.registers[1], self.registers[10]) = (CONTEXT_AT, STACK_TOP);
            self.now_ns = completion.now_ns;
            self.run(instructions);
            assert_eq!(self.registers[0], 0);
        }
    }
}

fn check_counters(completion: &Completion, keys: &[u32], expected: &[(Counter, u64)]) {
    let (found, totals) = run(std::slice::from_ref(completion));
    assert_eq!(found, keys);
    for counter in [Counter::Operations, Counter::Bytes, Counter::Errors] {
        let value = expected.iter().find(|(name, _)| *name == counter).map_or(0, |(_, v)| *v);
        assert_eq!(totals.counter(counter), value, "{counter:?}");
    }
}

#[test]
fn a_request_is_counted_with_its_three_latencies() {
    let (keys, totals) = run(&[READ]);
    assert_eq!(keys, [map_key(1, READS)]);
    assert_eq!(totals.counter(Counter::Operations), 1);
    assert_eq!(totals.counter(Counter::Bytes), 4096);
    for (part, expected) in [(Part::Total, 120_000), (Part::Queue, 20_000), (Part::Device, 100_000)]
    {
        let histogram = totals.histogram(part);
        assert_eq!((histogram.count(), histogram.sum_ns()), (1, expected));
        let error = histogram.max_ns().unwrap().abs_diff(expected as u64) as f64;
        assert!(error / expected as f64 <= 1.0 / 64.0, "{part:?} {error}");
    }
}

#[test]
fn every_latency_goes_to_its_bucket() {
    let powers = (0..40).flat_map(|power| [1_u64 << power, (1 << power) - 1, 11 << power >> 3]);
    for latency_ns in powers {
        let (now_ns, accepted_ns) = (1_000_000 + latency_ns, 1_000_000);
        let completion = Completion { accepted_ns, issued_ns: accepted_ns, now_ns, ..READ };
        let (_, totals) = run(&[completion]);
        let found = totals.histogram(Part::Total);
        let mut expected = Totals::default();
        let mut value = vec![0; VALUE_BYTES as usize];
        let at = Part::Total.offset() as usize + 4 * bucket_of(latency_ns);
        value[at] = 1;
        expected.add(&value);
        let expected = expected.histogram(Part::Total);
        assert_eq!(found.max_ns(), expected.max_ns(), "{latency_ns}");
        assert_eq!(u128::from(latency_ns), found.sum_ns());
    }
}

#[test]
fn disks_directions_and_other_operations_are_told_apart() {
    use Counter::{Bytes, Errors, Operations};
    let whole = [(Operations, 1), (Bytes, 4096)];
    let with = |flags: u32| Completion { flags: 0x8000 | flags, ..READ };
    check_counters(&with(1), &[map_key(1, WRITES)], &whole);
    check_counters(&with(7), &[map_key(1, WRITES)], &whole);
    check_counters(&Completion { disk: (8, 16), ..READ }, &[map_key(0, READS)], &whole);
    check_counters(&Completion { disk: (4095, 0xf_ffff), ..READ }, &[map_key(2, READS)], &whole);
    check_counters(&Completion { disk: (8, 17), ..READ }, &[], &[]);
    // A discard, and commands of the driver.
    for other in [3, 33, 34, 35] {
        check_counters(&with(other), &[], &[]);
    }
    // A secure erasure, zeroes, and the reset of a zone.
    for erasure in [5, 9, 15] {
        check_counters(&with(erasure), &[map_key(1, ERASURES)], &whole);
    }
    // A flush is counted with the write that asks for it, here one without data.
    let flush = Completion { length: 0, completed: 0, ..with(2) };
    check_counters(&flush, &[], &[]);
    let no_data = Completion { length: 0, completed: 0, state: 0, ..with(1) };
    check_counters(&no_data, &[map_key(1, FLUSHES)], &[(Operations, 1)]);
    let failed = Completion { error: 10, ..READ };
    check_counters(&failed, &[map_key(1, READS)], &[(Operations, 1), (Bytes, 4096), (Errors, 1)]);
}

#[test]
fn a_request_that_completes_in_pieces_is_one() {
    let piece = Completion { length: 8192, completed: 4096, ..READ };
    let interpreter = interpret(&[piece.clone(), READ]);
    let value = interpreter.memory.iter().find(|(at, _)| *at == WAITER_AT).unwrap();
    let waiter = WaiterTotals::parse(&value.1);
    assert_eq!((waiter.operations, waiter.bytes), (1, 8192));
    let (_, totals) = run(&[piece, READ]);
    assert_eq!(totals.counter(Counter::Operations), 1);
    assert_eq!(totals.counter(Counter::Bytes), 8192);
    assert_eq!(totals.histogram(Part::Total).count(), 1);
}

#[test]
fn a_write_with_a_flush_after_it_ends_with_the_flush() {
    let write = Completion { flags: 0x8001, ..READ };
    let data = Completion { rq_flags: write.rq_flags | 1 << 4, ..write };
    let end = Completion { length: 0, completed: 0, now_ns: 5_000_000, ..write };
    let interpreter = interpret(&[data.clone(), end.clone()]);
    assert_eq!(interpreter.keys, [map_key(1, WRITES); 2]);
    let mut totals = Totals::default();
    totals.add(&interpreter.memory.last().unwrap().1);
    assert_eq!(totals.counter(Counter::Operations), 1);
    assert_eq!(totals.counter(Counter::Bytes), 4096);
    for (part, expected) in [(Part::Total, 4_000_000), (Part::Device, 3_980_000)] {
        let histogram = totals.histogram(part);
        assert_eq!((histogram.count(), histogram.sum_ns()), (1, expected));
    }
    let value = interpreter.memory.iter().find(|(at, _)| *at == WAITER_AT).unwrap();
    let waiter = WaiterTotals::parse(&value.1);
    assert_eq!((waiter.operations, waiter.bytes, waiter.waited_ns), (1, 4096, 4_000_000));
    // An error of the data is the error of the whole write.
    let failed = [data, end].map(|completion| Completion { error: 10, ..completion });
    assert_eq!(run(&failed).1.counter(Counter::Errors), 1);
}

#[test]
fn requests_without_times_are_counted_without_latency() {
    let untimed = Completion { accepted_ns: 0, issued_ns: 0, ..READ };
    let unissued = Completion { issued_ns: 0, ..READ };
    let early = Completion { now_ns: 999_999, ..READ };
    let (_, totals) = run(&[untimed, unissued, early]);
    assert_eq!(totals.counter(Counter::Operations), 3);
    assert_eq!((totals.counter(Counter::Untimed), totals.counter(Counter::Unissued)), (1, 1));
    assert_eq!(totals.histogram(Part::Total).count(), 2);
    assert_eq!(totals.histogram(Part::Total).sum_ns(), 120_000);
    assert_eq!(totals.histogram(Part::Queue).count(), 1);
}

#[test]
fn a_group_waits_for_its_requests() {
    let slow = Completion { now_ns: 3_000_000, ..READ };
    let interpreter = interpret(&[READ, slow]);
    let [key] = &interpreter.waiter_keys[..] else { panic!("{:?}", interpreter.waiter_keys) };
    assert_eq!(parse_waiter_key(key), Some((0x5_0000_0011, 1, false)));
    let value = interpreter.memory.iter().find(|(at, _)| *at == WAITER_AT).unwrap();
    let totals = WaiterTotals::parse(&value.1);
    assert_eq!((totals.operations, totals.bytes, totals.waited_ns), (2, 8192, 2_120_000));
    let histogram = totals.histogram();
    assert_eq!((histogram.count(), histogram.sum_ns()), (2, 2_120_000));
    let write = Completion { flags: 1 << 20 | 1, disk: (8, 16), ..READ };
    let interpreter = interpret(&[write]);
    assert_eq!(parse_waiter_key(&interpreter.waiter_keys[0]), Some((0x5_0000_0011, 0, true)));
}

#[test]
fn at_a_high_rate_one_request_of_eight_stands_for_eight() {
    let disk = |number| Disk { name: String::new(), number };
    let disks = [disk((8, 16)), disk((254, 0))];
    let disks: Vec<NumberedDisk> = disks.iter().enumerate().collect();
    let layout = layout();
    let group = layout.request.io.group.as_ref().unwrap();
    let instructions = submitters::build(&layout, group, &disks, 90, 91).unwrap();
    let count = |mask: u64, random: &[u64], requests: &[Completion]| {
        let mut interpreter = new_interpreter();
        interpreter.write(MASK_AT, 8, mask);
        for bits in random {
            interpreter.random = *bits;
            interpreter.run_for_each(requests, &instructions);
        }
        let [(key, _)] = &interpreter.submitters[..] else { return None };
        Some((key.clone(), interpreter.read(COUNT_AT, 8)))
    };
    let (key, all) = count(0, &[1, 3, 8], &[READ]).unwrap();
    assert_eq!(all, 3);
    assert_eq!(key[..12], [0x11, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0]);
    assert_eq!(&key[16..], b"postgres\0\0\0\0\0\0\0\0");
    assert_eq!(count(7, &[8, 1, 16, 7, 9], &[READ]).unwrap().1, 16);
    assert_eq!(count(7, &[1, 7, 4], &[READ]), None);
    assert_eq!(count(0, &[0], &[Completion { disk: (8, 17), ..READ }]), None);
}

#[test]
fn at_a_high_rate_fast_requests_are_drawn_and_slow_ones_all_count() {
    let instructions = build_for_disks();
    let mut interpreter = new_interpreter();
    interpreter.write(MASK_AT, 8, 7);
    let part = Completion { length: 8192, completed: 4096, ..READ };
    let slow = Completion { now_ns: READ.accepted_ns + SLOW_NS as u64, ..READ };
    for (random, completion) in [(8, READ), (1, READ), (16, part), (7, slow.clone()), (8, slow)] {
        interpreter.random = random;
        interpreter.run_for_each(&[completion], &instructions);
    }
    let value = interpreter.memory.iter().find(|(at, _)| *at == WAITER_AT).unwrap();
    let waiter = WaiterTotals::parse(&value.1);
    let waited_ns = 8 * 120_000 + 2 * SLOW_NS as u64;
    assert_eq!((waiter.operations, waiter.bytes), (8 + 2, (8 + 8 + 2) * 4096));
    assert_eq!((waiter.waited_ns, waiter.histogram().count()), (waited_ns, 10));
    // What the disk did is never drawn.
    let mut totals = Totals::default();
    totals.add(&interpreter.memory.last().unwrap().1);
    assert_eq!(totals.counter(Counter::Operations), 4);
    assert_eq!(totals.histogram(Part::Total).count(), 4);
}

#[test]
fn a_capture_gets_each_request_of_its_disk() {
    let disk = Disk { name: String::new(), number: (254, 0) };
    let instructions = events::build(&layout(), &disk, 88, 77).unwrap();
    let other = Completion { disk: (254, 1), ..READ };
    let driver = Completion { flags: 34, ..READ };
    let write = Completion { flags: 1 << 17 | 1, completed: 512, rq_flags: 0x12, ..READ };
    let interpreter = interpret_with(&[other, driver, READ, write], &instructions, 0);
    let parse = |record: &Vec<u8>| Event::parse(record.as_slice().try_into().unwrap());
    let found: Vec<Event> = interpreter.ring.iter().map(parse).collect();
    let read = Event {
        accepted_ns: READ.accepted_ns,
        completed_ns: READ.now_ns,
        sector: 800,
        bytes: 4096,
        left: 4096,
        flags: READ.flags,
        rq_flags: READ.rq_flags,
    };
    let write = Event { bytes: 512, flags: 1 << 17 | 1, rq_flags: 0x12, ..read };
    assert_eq!(found, [read, write]);
    assert!(interpreter.keys.is_empty());
    // A ring without room: both are counted as lost.
    let interpreter = interpret_with(&[READ, READ], &instructions, -11_i64 as u64);
    assert_eq!(interpreter.keys, [0, 0]);
    assert_eq!(interpreter.memory.last().unwrap().1[..8], 2_u64.to_ne_bytes());
}

/// Bios of one address, submitted and ended.
struct BioRun {
    interpreter: Interpreter,
    start: Vec<u64>,
    end: Vec<u64>,
}

impl BioRun {
    fn new() -> Self {
        let (layout, disk) = (layout(), Disk { name: String::new(), number: (254, 0) });
        let (bio, disks) = (layout.bio.as_ref().unwrap(), [(5, &disk)]);
        let starts = STARTS as i32;
        let start = bios::build_start(&layout, bio, &disks, starts, 91, Some(90)).unwrap();
        let end = bios::build_end(&layout, bio, &disks, starts, MAPS).unwrap();
        Self { interpreter: new_interpreter(), start, end }
    }

    fn run(&mut self, instructions: &[u64], words: &[(u64, usize, u64)], now_ns: u64) {
        let of_bio = [
            (BIO_AT + 8, 8, QUEUE_AT),
            (QUEUE_AT + 96, 8, DISK_AT),
            (BIO_AT + 72, 8, GROUP_AT),
            (GROUP_AT + 16, 8, GROUP_AT + 512),
            (GROUP_AT + 512, 8, GROUP_AT + 1024),
            (GROUP_AT + 1024 + 288, 8, GROUP_AT + 1536),
            (GROUP_AT + 1536 + 96, 8, 17),
        ];
        let machine = &mut self.interpreter;
        for (address, bytes, value) in of_bio.iter().chain(words) {
            machine.write(*address, *bytes, *value);
        }
        machine.registers = [0xdead; 11];
        (machine.registers[1], machine.registers[10]) = (CONTEXT_AT, STACK_TOP);
        machine.now_ns = now_ns;
        machine.run(instructions);
    }

    fn submit(&mut self, disk: (u64, u64), flags: u64, length: u64, now_ns: u64) {
        let words = [
            (CONTEXT_AT, 8, BIO_AT),
            (DISK_AT, 4, disk.0),
            (DISK_AT + 4, 4, disk.1),
            (BIO_AT + 16, 4, flags),
            (BIO_AT + 40, 4, length),
        ];
        let start = self.start.clone();
        self.run(&start, &words, now_ns);
    }

    /// Nothing is left of the bio's length at its end.
    fn end(&mut self, status: u64, now_ns: u64) {
        let words = [
            (CONTEXT_AT, 8, QUEUE_AT),
            (CONTEXT_AT + 8, 8, BIO_AT),
            (BIO_AT + 40, 4, 0),
            (BIO_AT + 25, 1, status),
        ];
        let end = self.end.clone();
        self.run(&end, &words, now_ns);
    }

    fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        totals.add(&self.interpreter.memory.last().unwrap().1);
        totals
    }

    fn waiter(&self) -> WaiterTotals {
        let value = self.interpreter.memory.iter().find(|(at, _)| *at == WAITER_AT).unwrap();
        WaiterTotals::parse(&value.1)
    }
}

#[test]
fn a_bio_has_the_time_from_its_start_to_its_end() {
    let mut run = BioRun::new();
    run.submit((254, 0), 0, 8192, 1_000_000);
    // It was handed on to another disk.
    run.interpreter.write(DISK_AT + 4, 4, 99);
    run.end(0, 1_120_000);
    // It ended: what ends there now was not seen to begin.
    run.end(0, 1_500_000);
    assert_eq!(run.interpreter.keys, [map_key(5, READS)]);
    let totals = run.totals();
    let counters = [Counter::Operations, Counter::Bytes, Counter::Errors, Counter::Unissued];
    assert_eq!(counters.map(|counter| totals.counter(counter)), [1, 8192, 0, 1]);
    let total = totals.histogram(Part::Total);
    assert_eq!((total.count(), total.sum_ns()), (1, 120_000));
    assert_eq!(totals.histogram(Part::Device).count(), 0);
    let [key] = &run.interpreter.waiter_keys[..] else { panic!("no waiter") };
    assert_eq!(parse_waiter_key(key), Some((17, 5, false)));
    let waiter = run.waiter();
    assert_eq!((waiter.operations, waiter.bytes, waiter.waited_ns), (1, 8192, 120_000));
    let [(key, 1)] = &run.interpreter.submitters[..] else { panic!("no submitter") };
    assert_eq!((key[0], key[8], &key[16..24]), (17, 5, &b"postgres"[..]));
}

#[test]
fn at_a_high_rate_one_bio_of_eight_stands_for_eight() {
    let mut run = BioRun::new();
    run.interpreter.write(MASK_AT, 8, 7);
    for random in [1, 8, 7, 16, 4] {
        run.interpreter.random = random;
        run.submit((254, 0), 1, 512, 1_000_000);
        run.end(0, 1_003_000);
    }
    // An error counts whether its bio is drawn or not.
    for random in [3, 24] {
        run.interpreter.random = random;
        run.submit((254, 0), 1, 512, 1_000_000);
        run.end(10, 1_003_000);
    }
    let totals = run.totals();
    let counters = [Counter::Operations, Counter::Bytes, Counter::Errors, Counter::TotalSum];
    assert_eq!(counters.map(|counter| totals.counter(counter)), [24, 24 * 512, 2, 24 * 3_000]);
    let total = totals.histogram(Part::Total);
    assert_eq!((total.count(), total.sum_ns()), (24, 24 * 3_000));
    let waiter = run.waiter();
    assert_eq!((waiter.operations, waiter.bytes, waiter.waited_ns), (24, 24 * 512, 72_000));
    assert_eq!((waiter.histogram().count(), run.interpreter.read(COUNT_AT, 8)), (24, 24));
}

#[test]
fn bios_are_told_apart_by_kind_and_by_what_became_of_them() {
    let mut run = BioRun::new();
    for (flags, length) in [(1, 4096), (1 << 18 | 1, 0), (9, 4096), (3, 4096), (34, 0)] {
        run.submit((254, 0), flags, length, 1_000);
        run.end(0, 2_000);
    }
    let keys = [WRITES, FLUSHES, ERASURES].map(|kind| map_key(5, kind));
    assert_eq!(run.interpreter.keys, keys);
    // Of another disk.
    run.submit((8, 0), 0, 4096, 3_000);
    run.end(10, 4_000);
    assert_eq!(run.totals().counter(Counter::Errors), 0);
    // Its end was not seen, and its address was used again: for another disk, and for this one.
    run.submit((254, 0), 0, 4096, 5_000);
    run.submit((8, 0), 0, 4096, 900_000);
    run.end(0, 901_000);
    assert_eq!(run.interpreter.keys.len(), 3);
    run.submit((254, 0), 0, 4096, 1_000_000);
    run.submit((254, 0), 1, 512, 2_000_000);
    run.end(0, 2_003_000);
    assert_eq!(run.interpreter.keys[3..], [map_key(5, WRITES)]);
    assert_eq!(run.totals().counter(Counter::TotalSum), 3 * 1_000 + 3_000);
    assert!(run.interpreter.starts.is_empty());
}
