//! Declared operands and results of operations, and values of them.

use crate::ods::{Arity, Operation};

/// Which values of an operation a part is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Its operands.
    Operands,
    /// Its results.
    Results,
}

/// A declared operand or result, or one value of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Which values it is of.
    pub side: Side,
    /// Whether each declared operand or result is a group.
    pub groups: Vec<bool>,
    /// Which of them it is.
    pub index: usize,
    /// Which value of the group, if it is one.
    pub item: Option<usize>,
    /// Whether it is one value at most.
    pub is_optional: bool,
}

impl Part {
    /// A declared operand or result of an operation.
    pub fn of(operation: &Operation, side: Side, index: usize) -> Self {
        let groups = arities(operation, side).map(|arity| arity != Arity::One).collect();
        let is_optional = arities(operation, side).nth(index) == Some(Arity::Optional);
        Self { side, groups, index, item: None, is_optional }
    }

    /// Whether it is one value.
    pub fn is_single(&self) -> bool {
        self.item.is_some() || !self.groups[self.index]
    }
}

fn arities(operation: &Operation, side: Side) -> Box<dyn Iterator<Item = Arity> + '_> {
    match side {
        Side::Operands => Box::new(operation.operands.iter().map(|operand| operand.arity)),
        Side::Results => Box::new(operation.results.iter().map(|result| result.arity)),
    }
}

/// Whether PDL tells the groups of an operation apart.
pub fn is_told_apart(operation: &Operation, side: Side) -> bool {
    let sized = match side {
        Side::Operands => "AttrSizedOperandSegments",
        Side::Results => "AttrSizedResultSegments",
    };
    let first = arities(operation, side).position(|arity| arity != Arity::One);
    operation.has_trait(sized) || first.is_none_or(|first| first + 1 == arities(operation, side).count())
}
