//! Spaces that other parts of the compiler ask the cost of, before there are operations for them.

use super::access::{Access, Step};
use super::computation::{Computation, Instruction, Ref};
use super::element::{Constant, Element, Literal};
use super::op::Op;
use super::space::{Dim, Operand, Rounding, Source, Space, Stage};

pub(super) fn dim(extent: i64, is_reduced: bool) -> Dim {
    Dim { extent, is_open: false, is_reduced, is_shared: false }
}

pub(super) fn operand() -> Operand {
    Operand::Passed {
        r#type: "memref<?xf32>".into(),
        element: Some(Element::Real(32)),
        is_moved: false,
        count: 0,
        is_only_read: false,
        strides: None,
    }
}

pub(super) fn linear(distances: &[i64]) -> Access {
    Access { offset: 0, steps: distances.iter().map(|distance| Step::Linear(*distance)).collect() }
}

pub(super) fn instruction(op: Op, operands: &[Ref]) -> Instruction {
    Instruction { op, operands: operands.to_vec(), results: vec![Element::Real(32)] }
}

/// A product of an `m` x `k` matrix and a `k` x `n` matrix in panels of 32 columns, with zeros to begin with.
pub fn product(m: i64, n: i64, k: i64) -> Space {
    let f32 = Element::Real(32);
    let instructions = vec![
        instruction(Op::MulF, &[Ref::Argument(0), Ref::Argument(1)]),
        instruction(Op::AddF, &[Ref::Argument(2), Ref::Result(0, 0)]),
    ];
    let mut packed = linear(&[0, 0, 32]);
    packed.steps[1] = Step::Panel { size: 32, outer: 32 * k, inner: 1 };
    let zero = Computation {
        arguments: vec![f32, f32],
        instructions: Vec::new(),
        result: Ref::Argument(0),
        further: Vec::new(),
    };
    Space {
        dims: vec![dim(m, false), dim(n, false), dim(k, true)],
        operands: vec![operand(), operand(), operand(), Operand::Constant(Constant::new(f32, Literal::Real(0.0)))],
        init: Some(Stage { computation: zero, sources: vec![Source::Scalar(3), Source::Unused] }),
        main: Stage {
            computation: Computation {
                arguments: vec![f32; 3],
                instructions,
                result: Ref::Result(1, 0),
                further: Vec::new(),
            },
            sources: vec![Source::Memory(1, linear(&[k, 0, 1])), Source::Memory(2, packed), Source::Chain],
        },
        epilogues: Vec::new(),
        output: (0, linear(&[n, 1, 0])),
        further: Vec::new(),
        rounding: Rounding::default(),
    }
}

/// `n` elements times the same number.
pub fn scaled(n: i64) -> Space {
    let f32 = Element::Real(32);
    let instructions = vec![instruction(Op::MulF, &[Ref::Argument(0), Ref::Argument(1)])];
    Space {
        dims: vec![dim(n, false)],
        operands: vec![operand(), operand(), operand()],
        init: None,
        main: Stage {
            computation: Computation {
                arguments: vec![f32; 3],
                instructions,
                result: Ref::Result(0, 0),
                further: Vec::new(),
            },
            sources: vec![Source::Memory(1, linear(&[1])), Source::Memory(2, linear(&[0])), Source::Unused],
        },
        epilogues: Vec::new(),
        output: (0, linear(&[1])),
        further: Vec::new(),
        rounding: Rounding::default(),
    }
}
