//! Computations that take one of several values by the index along a dimension. Where a tile has rows along it, the index of
//! each row tells which: nothing else is computed for that row, and what several rows need is computed once.

use super::computation::{Computation, Ref};
use super::element::Literal;
use super::op::Op;
use super::schedule::Rows;
use super::space::{Operand, Space};
use skriptnd_mlir::ops::arith::IntegerPredicate;

/// What a computation takes values by: the index along a dimension, or its remainder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deciding {
    /// The dimension.
    pub dim: usize,
    /// The divisor of the remainder, a power of two.
    pub divisor: Option<i64>,
}

impl Deciding {
    /// What a computation of a space takes values by, if that is one thing.
    pub fn of(space: &Space, computation: &Computation) -> Option<Deciding> {
        let known = Known { space, dim: None, row: 0 };
        let mut found = None;
        for select in computation.instructions.iter().filter(|instruction| instruction.op == Op::Select) {
            let compared = known.instruction(computation, *select.operands.first()?)?;
            let is_equal = computation.instructions[compared].op == Op::CmpI(IntegerPredicate::Eq);
            let index = *computation.instructions[compared].operands.first().filter(|_| is_equal)?;
            let own = known.deciding(computation, index)?;
            if *found.get_or_insert(own) != own {
                return None;
            }
        }
        found
    }

    /// How many rows a tile has that decide, one after the other.
    pub fn rows(self, space: &Space) -> i64 {
        self.divisor.unwrap_or(space.dims[self.dim].extent)
    }

    /// Whether rows of a tile decide: whole tiles begin at multiples of their number.
    pub fn is_decided_by(self, rows: Rows, space: &Space) -> bool {
        let dim = space.dims[self.dim];
        rows.dim == self.dim
            && match self.divisor {
                Some(divisor) => rows.count % divisor == 0,
                None => !dim.is_open && rows.count >= dim.extent,
            }
    }
}

/// A computation in a row whose index decides.
#[derive(Debug, Clone)]
pub struct Decided {
    /// What stands for the result of each instruction, where that is something else.
    taken: Vec<Option<Ref>>,
    /// Instructions whose results are needed.
    needed: Vec<bool>,
}

impl Decided {
    /// In the row of this number.
    pub fn new(space: &Space, computation: &Computation, deciding: Deciding, row: i64) -> Decided {
        let known = Known { space, dim: Some(deciding.dim), row };
        let count = computation.instructions.len();
        let mut decided = Decided { taken: vec![None; count], needed: vec![false; count] };
        for (number, instruction) in computation.instructions.iter().enumerate() {
            if let (Op::Select, [condition, yes, no]) = (instruction.op, instruction.operands.as_slice()) {
                let holds = known.truth(computation, *condition);
                decided.taken[number] = holds.map(|holds| decided.resolve(if holds { *yes } else { *no }));
            }
        }
        let given: Vec<Ref> = [computation.result].into_iter().chain(computation.further.iter().copied()).collect();
        given.into_iter().for_each(|given| decided.need(given));
        for number in (0..count).rev().filter(|number| computation.instructions[*number].op != Op::Fetch) {
            if decided.needed[number] {
                computation.instructions[number].operands.iter().for_each(|operand| decided.need(*operand));
            }
        }
        decided
    }

    fn need(&mut self, value: Ref) {
        if let Ref::Result(number, _) = self.resolve(value) {
            self.needed[number] = true;
        }
    }

    /// What stands for a value.
    pub fn resolve(&self, value: Ref) -> Ref {
        match value {
            Ref::Result(number, 0) => self.taken[number].unwrap_or(value),
            other => other,
        }
    }

    /// Whether the results of an instruction are needed.
    pub fn needs(&self, number: usize) -> bool {
        self.needed[number]
    }
}

/// What is known of an index.
struct Known<'s> {
    space: &'s Space,
    dim: Option<usize>,
    row: i64,
}

impl Known<'_> {
    fn instruction(&self, computation: &Computation, value: Ref) -> Option<usize> {
        match value {
            Ref::Result(number, 0) if number < computation.instructions.len() => Some(number),
            _ => None,
        }
    }

    fn constant(&self, computation: &Computation, value: Ref) -> Option<i64> {
        let constant = match value {
            Ref::Operand(number) => match self.space.operands.get(number)? {
                Operand::Constant(constant) => *constant,
                _ => return None,
            },
            _ => match computation.instructions[self.instruction(computation, value)?].op {
                Op::Constant(constant) => constant,
                _ => return None,
            },
        };
        match constant.literal() {
            Literal::Integer(number) => Some(number),
            Literal::Real(_) => None,
        }
    }

    /// What an index or a remainder of one decides by.
    fn deciding(&self, computation: &Computation, value: Ref) -> Option<Deciding> {
        let instruction = &computation.instructions[self.instruction(computation, value)?];
        match (instruction.op, instruction.operands.as_slice()) {
            (Op::Index(dim), _) => Some(Deciding { dim, divisor: None }),
            (Op::AndI, [index, mask]) => {
                let whole = self.deciding(computation, *index).filter(|whole| whole.divisor.is_none())?;
                let divisor = self.constant(computation, *mask)?.checked_add(1).filter(|by| by.count_ones() == 1)?;
                Some(Deciding { divisor: Some(divisor), ..whole })
            }
            _ => None,
        }
    }

    fn number(&self, computation: &Computation, value: Ref) -> Option<i64> {
        self.constant(computation, value).or_else(|| {
            let deciding = self.deciding(computation, value).filter(|deciding| Some(deciding.dim) == self.dim)?;
            Some(deciding.divisor.map_or(self.row, |divisor| self.row % divisor))
        })
    }

    fn truth(&self, computation: &Computation, value: Ref) -> Option<bool> {
        let compared = &computation.instructions[self.instruction(computation, value)?];
        match (compared.op, compared.operands.as_slice()) {
            (Op::CmpI(IntegerPredicate::Eq), [a, b]) => {
                Some(self.number(computation, *a)? == self.number(computation, *b)?)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nest::computation::Instruction;
    use crate::nest::element::{Constant, Element};
    use crate::nest::plain::{instruction, scaled};

    /// Of `n` elements their double where the index is even, and else themselves; by the remainder or by the index itself.
    fn alternating(n: i64, by_remainder: bool) -> Space {
        let mut space = scaled(n);
        let index =
            |op, operands: &[Ref]| Instruction { op, operands: operands.to_vec(), results: vec![Element::Index] };
        let number = |number| Op::Constant(Constant::new(Element::Index, Literal::Integer(number)));
        let compared = Ref::Result(if by_remainder { 3 } else { 2 }, 0);
        space.main.computation.instructions = vec![
            instruction(Op::AddF, &[Ref::Argument(0), Ref::Argument(0)]),
            index(number(1), &[]),
            index(Op::Index(0), &[]),
            index(Op::AndI, &[Ref::Result(2, 0), Ref::Result(1, 0)]),
            index(Op::CmpI(IntegerPredicate::Eq), &[compared, Ref::Result(1, 0)]),
            instruction(Op::Select, &[Ref::Result(4, 0), Ref::Argument(0), Ref::Result(0, 0)]),
        ];
        space.main.computation.result = Ref::Result(5, 0);
        space
    }

    #[test]
    fn rows_decide_what_is_taken_and_needed() {
        let space = alternating(8, true);
        let computation = &space.main.computation;
        let deciding = Deciding::of(&space, computation).unwrap();
        assert_eq!(deciding, Deciding { dim: 0, divisor: Some(2) });
        for row in 0..4 {
            let decided = Decided::new(&space, computation, deciding, row);
            let (taken, is_needed) = if row % 2 == 1 { (Ref::Argument(0), false) } else { (Ref::Result(0, 0), true) };
            assert_eq!(decided.resolve(computation.result), taken);
            let needed: Vec<bool> = (0..6).map(|number| decided.needs(number)).collect();
            assert_eq!(needed, [is_needed, false, false, false, false, false]);
        }
    }

    #[test]
    fn tiles_decide_where_they_begin_at_known_indices() {
        let (whole, remainder) = (alternating(3, false), alternating(3, true));
        let is_decided = |space: &Space, count| {
            let deciding = Deciding::of(space, &space.main.computation).unwrap();
            deciding.is_decided_by(Rows { dim: 0, count }, space)
        };
        assert!(is_decided(&whole, 3) && !is_decided(&whole, 2));
        assert!(is_decided(&remainder, 2) && !is_decided(&remainder, 3));
        let mut open = alternating(3, false);
        open.dims[0].is_open = true;
        assert!(!is_decided(&open, 3));
        assert_eq!(Deciding::of(&scaled(3), &scaled(3).main.computation), None);
    }
}
