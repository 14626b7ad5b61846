//! Tables of which computations read elements by numbers that bytes have: what activations are on quantized values, and powers.

use super::computation::{Instruction, Ref};
use super::element::Element;
use super::op::Op;
use super::space::{Operand, Space};

/// Elements that a table has at most: those that the values of a byte tell apart.
pub const MOST: i64 = 256;

/// The table that an instruction reads from, and how many elements it has.
pub fn table(operands: &[Operand], instruction: &Instruction) -> Option<(usize, i64)> {
    let [Ref::Operand(operand), _] = instruction.operands[..] else { return None };
    match operands.get(operand).filter(|_| instruction.op == Op::Fetch)? {
        Operand::Passed { element: Some(Element::Integer(8 | 16 | 32)), count, strides: Some(strides), .. } => {
            (strides[..] == [Some(1)] && (1..=MOST).contains(count)).then_some((operand, *count))
        }
        _ => None,
    }
}

/// Whether an instruction reads a byte from a table.
pub fn is_of_bytes(operands: &[Operand], instruction: &Instruction) -> bool {
    table(operands, instruction).is_some() && instruction.results == [Element::Integer(8)]
}

impl Space {
    /// Whether all that computations fetch are elements of tables.
    pub fn has_tables_only(&self) -> bool {
        let mut fetches =
            self.stages().flat_map(|stage| &stage.computation.instructions).filter(|it| it.op == Op::Fetch);
        fetches.all(|fetch| table(&self.operands, fetch).is_some())
    }
}
