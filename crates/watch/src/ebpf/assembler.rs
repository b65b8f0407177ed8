//! Instructions of the kernel's eBPF machine, and jumps by label. The encoding is RFC 9669's.

/// R0 holds results, R1 to R5 arguments; R6 to R9 survive calls; R10 is the top of the stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Register {
    R0,
    R1,
    R2,
    R3,
    R4,
    R5,
    R6,
    R7,
    R8,
    R9,
    R10,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Size {
    Word = 0x00,
    Byte = 0x10,
    Double = 0x18,
}

impl Size {
    pub(crate) fn of_field(bytes: u32) -> Self {
        match bytes {
            1 => Self::Byte,
            4 => Self::Word,
            _ => Self::Double,
        }
    }
}

/// On 64-bit values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    Add = 0x00,
    Subtract = 0x10,
    Multiply = 0x20,
    Or = 0x40,
    And = 0x50,
    ShiftLeft = 0x60,
    ShiftRight = 0x70,
    Move = 0xb0,
}

/// Of unsigned 64-bit values; the lower halves alone for `Equal32`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Condition {
    Equal,
    Equal32,
    NotEqual,
    Above,
    AtLeast,
    Below,
}

impl Condition {
    fn code(self) -> u8 {
        match self {
            Self::Equal => 0x15,
            Self::Equal32 => 0x16,
            Self::NotEqual => 0x55,
            Self::Above => 0x25,
            Self::AtLeast => 0x35,
            Self::Below => 0xa5,
        }
    }
}

/// Functions of the kernel that a program may call: `enum bpf_func_id`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Function {
    MapLookup = 1,
    MapUpdate = 2,
    MapDelete = 3,
    Clock = 5,
    /// 32 random bits.
    Random = 7,
    /// The name of the thread that runs.
    CurrentName = 16,
    RingOutput = 130,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operand {
    Register(Register),
    Number(i32),
}

impl Operand {
    pub(crate) const ONE: Self = Self::Number(1);
}

impl From<Register> for Operand {
    fn from(register: Register) -> Self {
        Self::Register(register)
    }
}

impl From<i32> for Operand {
    fn from(number: i32) -> Self {
        Self::Number(number)
    }
}

/// A place to jump to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Label(usize);

#[derive(Default)]
pub(crate) struct Assembler {
    instructions: Vec<u64>,
    /// Where each label is placed.
    labels: Vec<Option<usize>>,
    jumps: Vec<(usize, Label)>,
}

/// A jump leads to a label that was never placed, or too far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a jump leads nowhere")]
pub struct JumpError;

const LOAD: u8 = 0x61;
const STORE: u8 = 0x63;
const ATOMIC: u8 = 0xc3;
const LOAD_NUMBER: u8 = 0x18;
const JUMP: u8 = 0x05;
const CALL: u8 = 0x85;
const EXIT: u8 = 0x95;
const ARITHMETIC: u8 = 0x07;
/// In the code of arithmetic and of jumps: the second operand is a register.
const FROM_REGISTER: u8 = 0x08;
/// In the source of [`LOAD_NUMBER`]: the number is a map's descriptor.
const PSEUDO_MAP: u8 = 1;

impl Assembler {
    fn push(&mut self, code: u8, to: u8, from: u8, offset: i16, number: i32) {
        let registers = if cfg!(target_endian = "big") { to << 4 | from } else { from << 4 | to };
        let [o1, o2] = offset.to_ne_bytes();
        let [n1, n2, n3, n4] = number.to_ne_bytes();
        self.instructions.push(u64::from_ne_bytes([code, registers, o1, o2, n1, n2, n3, n4]));
    }

    fn push_operand(&mut self, code: u8, to: Register, operand: Operand) {
        match operand {
            Operand::Register(from) => self.push(code | FROM_REGISTER, to as u8, from as u8, 0, 0),
            Operand::Number(number) => self.push(code, to as u8, 0, 0, number),
        }
    }

    pub(crate) fn arithmetic(
        &mut self,
        operation: Operation,
        to: Register,
        operand: impl Into<Operand>,
    ) {
        self.push_operand(ARITHMETIC | operation as u8, to, operand.into());
    }

    pub(crate) fn set(&mut self, to: Register, operand: impl Into<Operand>) {
        self.arithmetic(Operation::Move, to, operand);
    }

    /// `to = *(base + offset)`
    pub(crate) fn load(&mut self, size: Size, to: Register, base: Register, offset: i16) {
        self.push(LOAD | size as u8, to as u8, base as u8, offset, 0);
    }

    /// `*(base + offset) = from`
    pub(crate) fn store(&mut self, size: Size, base: Register, offset: i16, from: Register) {
        self.push(STORE | size as u8, base as u8, from as u8, offset, 0);
    }

    /// `*(base + offset) += from`, whole also when processors meet.
    pub(crate) fn atomic_add(&mut self, size: Size, base: Register, offset: i16, from: Register) {
        self.push(ATOMIC | size as u8, base as u8, from as u8, offset, 0);
    }

    pub(crate) fn load_map(&mut self, to: Register, descriptor: i32) {
        self.push(LOAD_NUMBER, to as u8, PSEUDO_MAP, 0, descriptor);
        self.push(0, 0, 0, 0, 0);
    }

    pub(crate) fn call(&mut self, function: Function) {
        self.push(CALL, 0, 0, 0, function as i32);
    }

    /// `R0 = &map[key]`, zero when there is none; the key is at a place on the stack.
    pub(crate) fn look_up(&mut self, map: i32, key: i16) {
        self.call_with_key(Function::MapLookup, map, key);
    }

    /// `map[key] = *R3`; the flags are those of `bpf_map_update_elem`.
    pub(crate) fn update(&mut self, map: i32, key: i16, flags: i32) {
        self.set(Register::R4, flags);
        self.call_with_key(Function::MapUpdate, map, key);
    }

    pub(crate) fn delete(&mut self, map: i32, key: i16) {
        self.call_with_key(Function::MapDelete, map, key);
    }

    fn call_with_key(&mut self, function: Function, map: i32, key: i16) {
        self.load_map(Register::R1, map);
        self.point_to_stack(Register::R2, key);
        self.call(function);
    }

    /// `to = &stack[place]`
    pub(crate) fn point_to_stack(&mut self, to: Register, place: i16) {
        self.set(to, Register::R10);
        self.arithmetic(Operation::Add, to, i32::from(place));
    }

    pub(crate) fn exit(&mut self) {
        self.set(Register::R0, 0);
        self.push(EXIT, 0, 0, 0, 0);
    }

    pub(crate) fn new_label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    pub(crate) fn place(&mut self, label: Label) {
        self.labels[label.0] = Some(self.instructions.len());
    }

    pub(crate) fn jump(&mut self, to: Label) {
        self.jumps.push((self.instructions.len(), to));
        self.push(JUMP, 0, 0, 0, 0);
    }

    pub(crate) fn jump_if(
        &mut self,
        left: Register,
        condition: Condition,
        right: impl Into<Operand>,
        to: Label,
    ) {
        self.jumps.push((self.instructions.len(), to));
        self.push_operand(condition.code(), left, right.into());
    }

    /// The instructions, with every jump led to its label.
    pub(crate) fn finish(mut self) -> Result<Vec<u64>, JumpError> {
        for (at, label) in self.jumps {
            let place = self.labels[label.0].ok_or(JumpError)?;
            let distance = place as i64 - at as i64 - 1;
            let distance = i16::try_from(distance).map_err(|_| JumpError)?;
            let mut bytes = self.instructions[at].to_ne_bytes();
            bytes[2..4].copy_from_slice(&distance.to_ne_bytes());
            self.instructions[at] = u64::from_ne_bytes(bytes);
        }
        Ok(self.instructions)
    }
}

#[cfg(test)]
mod tests {
    use super::Register::{R0, R1, R2, R6, R10};
    use super::*;

    fn check(build: impl FnOnce(&mut Assembler), expected: &[[u8; 8]]) {
        let mut assembler = Assembler::default();
        build(&mut assembler);
        let built: Vec<[u8; 8]> =
            assembler.finish().unwrap().iter().map(|word| word.to_le_bytes()).collect();
        assert_eq!(built, expected);
    }

    /// Against what `llvm-objdump -d` shows for these.
    #[test]
    #[cfg(target_endian = "little")]
    fn instructions_are_encoded_as_the_kernel_reads_them() {
        check(|a| a.set(R1, 5), &[[0xb7, 1, 0, 0, 5, 0, 0, 0]]);
        check(|a| a.set(R6, R1), &[[0xbf, 0x16, 0, 0, 0, 0, 0, 0]]);
        check(|a| a.arithmetic(Operation::Add, R2, -8), &[[7, 2, 0, 0, 0xf8, 255, 255, 255]]);
        check(|a| a.arithmetic(Operation::ShiftRight, R1, 3), &[[0x77, 1, 0, 0, 3, 0, 0, 0]]);
        check(|a| a.load(Size::Double, R1, R6, 16), &[[0x79, 0x61, 16, 0, 0, 0, 0, 0]]);
        check(|a| a.load(Size::Word, R1, R6, 24), &[[0x61, 0x61, 24, 0, 0, 0, 0, 0]]);
        check(|a| a.load(Size::Byte, R1, R6, 1), &[[0x71, 0x61, 1, 0, 0, 0, 0, 0]]);
        check(|a| a.store(Size::Word, R10, -4, R1), &[[0x63, 0x1a, 0xfc, 255, 0, 0, 0, 0]]);
        check(|a| a.atomic_add(Size::Double, R1, 8, R2), &[[0xdb, 0x21, 8, 0, 0, 0, 0, 0]]);
        check(|a| a.call(Function::Clock), &[[0x85, 0, 0, 0, 5, 0, 0, 0]]);
        check(|a| a.load_map(R1, 7), &[[0x18, 0x11, 0, 0, 7, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0]]);
        check(|a| a.exit(), &[[0xb7, 0, 0, 0, 0, 0, 0, 0], [0x95, 0, 0, 0, 0, 0, 0, 0]]);
    }

    #[test]
    #[cfg(target_endian = "little")]
    fn jumps_count_from_the_next_instruction() {
        check(
            |a| {
                let (back, out) = (a.new_label(), a.new_label());
                a.place(back);
                a.jump_if(R0, Condition::Equal, 9, out);
                a.jump_if(R1, Condition::Above, R2, out);
                a.jump(back);
                a.place(out);
                a.set(R0, 0);
            },
            &[
                [0x15, 0, 2, 0, 9, 0, 0, 0],
                [0x2d, 0x21, 1, 0, 0, 0, 0, 0],
                [0x05, 0, 0xfd, 255, 0, 0, 0, 0],
                [0xb7, 0, 0, 0, 0, 0, 0, 0],
            ],
        );
    }

    #[test]
    fn a_label_that_is_never_placed_is_an_error() {
        let mut assembler = Assembler::default();
        let label = assembler.new_label();
        assembler.jump(label);
        assert_eq!(assembler.finish(), Err(JumpError));
    }
}
