//! Which computations are done so.

use crate::nest::computation::{Computation, Instruction, Ref};
use crate::nest::element::{Element, Literal};
use crate::nest::op::Op;
use crate::nest::parts::Piece;
use crate::nest::space::{Operand, Source, Space, Stage};
use crate::nest::table::table;
use crate::target::Target;

/// How the lanes of a computation lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// Lanes of the narrowest values, which fill a vector.
    pub lanes: i64,
    /// Whether what is read has more bits than these: its vectors are taken as they lie, and results are put in order.
    pub is_turned: bool,
    /// How many vectors what is read has then.
    pub turned: i64,
    /// How many of these have lanes that stand for elements.
    pub filled: i64,
    /// Whether these are only half of them: then the narrowest values are half a vector, each twice.
    pub is_half: bool,
}

impl Form {
    /// The form of a stage on a vector along a dimension; none where another way is better or the only one.
    pub fn of(space: &Space, stage: &Stage, (piece, dim): (Piece, usize), target: &Target) -> Option<Form> {
        let lanes = piece.lanes;
        let base = super::BITS / lanes.max(1);
        let known = Known { computation: &stage.computation, operands: &space.operands };
        let sums = space.has_reduction() && !space.epilogues.contains(stage);
        let is_apart = target.isa.only_whole && target.has("hvxv62") && [8, 16].contains(&base) && !sums;
        if !is_apart || !is_worth(&stage.computation) || !known.has_form(base) {
            return None;
        }
        let argument = |(element, source): (&Element, &Source)| match source {
            Source::Memory(_, access) if access.steps[dim].moves() => Some(bits(*element)),
            Source::Chain | Source::Further(_) => Some(bits(*element)),
            _ => None,
        };
        let read: Vec<i64> = stage.computation.arguments.iter().zip(&stage.sources).filter_map(argument).collect();
        let widest = read.iter().copied().max().unwrap_or(base);
        let is_turned = widest > base && read.iter().all(|bits| *bits == widest);
        let turned = widest / base;
        // Of sums with fewer bits, lanes lie better as they are, and where others are read beside them.
        if space.has_reduction() && ((base, turned) != (8, 4) || !is_turned) {
            return None;
        }
        let filled = (piece.filled * turned + lanes - 1) / lanes;
        let is_half = is_turned && (base, turned) == (8, 4) && filled <= 2 && known.becomes_narrow();
        let lanes = if is_half { lanes / 2 } else { lanes };
        Some(Form { lanes, is_turned, turned, filled, is_half })
    }

    /// Vectors of a value of so many bits.
    pub fn count(&self, bits: u32) -> i64 {
        (i64::from(bits) * self.lanes / super::BITS).max(1)
    }
}

fn bits(element: Element) -> i64 {
    match element {
        Element::Integer(bits) => bits.into(),
        other => 8 * other.bytes(),
    }
}

/// Whether it multiplies, shifts or reads tables: minima, sums and their like LLVM does in the narrowest form.
fn is_worth(computation: &Computation) -> bool {
    let is_long = |op: Op| matches!(op, Op::MulI | Op::MulSIExtended | Op::ShRSI | Op::ShRUI | Op::Fetch);
    computation.further.is_empty() && computation.instructions.iter().any(|it| is_long(it.op))
}

/// A computation, and what is known of what it uses.
#[derive(Clone, Copy)]
pub(super) struct Known<'k> {
    /// What is computed.
    pub computation: &'k Computation,
    /// What comes from outside of the kernel.
    pub operands: &'k [Operand],
}

impl Known<'_> {
    /// The number that a value is.
    pub fn whole(&self, value: Ref) -> Option<i64> {
        let constant = match value {
            Ref::Operand(operand) => match self.operands.get(operand)? {
                Operand::Constant(constant) => *constant,
                _ => return None,
            },
            _ => match self.computation.made(value)?.op {
                Op::Constant(constant) => constant,
                _ => return None,
            },
        };
        match constant.literal() {
            Literal::Integer(number) => Some(number),
            Literal::Real(_) => None,
        }
    }

    /// Whether a product of words has no more than 31 bits above its lower ones: the least word times itself has.
    pub fn is_doubled(&self, product: &Instruction) -> bool {
        product.operands.iter().any(|factor| self.whole(*factor).is_some_and(|factor| factor > i64::from(i32::MIN)))
    }

    fn element(&self, value: Ref) -> Option<Element> {
        match value {
            Ref::Operand(operand) => match self.operands.get(operand)? {
                Operand::Constant(constant) => Some(constant.element),
                operand => operand.element(),
            },
            _ => self.computation.type_of(value),
        }
    }

    /// Whether bytes are what it results in, and nothing is extended.
    fn becomes_narrow(&self) -> bool {
        let is_extended = |it: &Instruction| matches!(it.op, Op::ExtSI | Op::ExtUI | Op::Fetch);
        let bytes = Some(Element::Integer(8));
        let instructions = &self.computation.instructions;
        let is_last = |number: usize| self.computation.result == Ref::Result(number, 0);
        let are_last =
            (0..).zip(instructions).all(|(number, it)| it.results.first().copied() != bytes || is_last(number));
        are_last && self.element(self.computation.result) == bytes && !instructions.iter().any(is_extended)
    }

    /// Whether all of it is done by instructions that this form has, on values of so many bits at least.
    fn has_form(&self, base: i64) -> bool {
        let fits =
            |element: Element| matches!(element, Element::Integer(own @ (8 | 16 | 32)) if i64::from(own) >= base);
        let is_long = |instruction: &Instruction| instruction.results != [Element::Integer(8)];
        let is_fetched = |number: usize| {
            let uses = |it: &&Instruction| it.operands.contains(&Ref::Result(number, 0));
            self.computation.instructions.iter().filter(uses).all(|it| it.op == Op::Fetch)
        };
        self.computation.instructions.iter().enumerate().all(|(number, it)| {
            match it.op {
                Op::Fetch => return base == 8 && table(self.operands, it).is_some(),
                Op::IndexCast => return is_fetched(number) && self.element(it.operands[0]).is_some_and(fits),
                _ => {}
            }
            let is_known = match it.op {
                Op::AddI | Op::SubI | Op::AndI | Op::OrI | Op::XOrI => true,
                Op::MaxSI | Op::MinSI | Op::MaxUI | Op::MinUI => true,
                Op::ExtSI | Op::ExtUI | Op::TruncI | Op::Constant(_) => true,
                Op::MulI => is_long(it),
                // Each lane of a word.
                Op::Bitcast | Op::CountLeadingZeros => return it.results == [Element::Integer(32)],
                // Words are shifted by as many bits as others tell.
                Op::ShRSI | Op::ShRUI | Op::ShLI => {
                    let is_told = it.operands.get(1).is_some_and(|by| self.whole(*by).is_some());
                    is_long(it) && (is_told || it.results == [Element::Integer(32)])
                }
                Op::MulSIExtended => true,
                _ => false,
            };
            let used = it.operands.iter().all(|used| self.element(*used).is_some_and(fits));
            is_known && used && it.results.iter().copied().all(fits)
        })
    }
}
