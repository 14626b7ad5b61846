//! Spaces that other parts of the compiler ask the cost of, before there are operations for them.

use super::access::{Access, Step};
use super::computation::{Computation, Instruction, Ref};
use super::element::{Constant, Element, Literal};
use super::op::Op;
use super::space::{Dim, Operand, Rounding, Source, Space, Stage};

pub(super) fn dim(extent: i64, is_reduced: bool) -> Dim {
    Dim { extent, is_open: false, multiple: 1, is_reduced, is_shared: false }
}

pub(super) fn operand() -> Operand {
    passed("memref<?xf32>", Element::Real(32))
}

/// Memory of a type, with such elements.
pub(super) fn passed(r#type: &str, element: Element) -> Operand {
    Operand::Passed {
        r#type: r#type.into(),
        element: Some(element),
        is_moved: false,
        count: 0,
        is_only_read: false,
        room: 0,
        strides: None,
    }
}

pub(super) fn linear(distances: &[i64]) -> Access {
    Access { offset: 0, open_offset: None, steps: distances.iter().map(|distance| Step::Linear(*distance)).collect() }
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
        block: None,
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

/// The same product with weights of so many bits, 4 or 8, in panels of 64 columns. Each `group` of a column has a scale.
pub fn weighted(m: i64, n: i64, k: i64, (group, bits): (i64, u32)) -> Space {
    let mut space = product(m, n, k);
    let (each, panel) = (i64::from(8 / bits), 64);
    let rows = k / each;
    let weight = Operand::Passed {
        r#type: "memref<?xi8>".into(),
        element: Some(Element::Integer(8)),
        is_moved: false,
        count: 0,
        is_only_read: true,
        room: 0,
        strides: None,
    };
    space.dims = vec![dim(m, false), dim(n, false), dim(k / group, true), dim(group / each, true)];
    space.operands = vec![operand(), operand(), weight, operand(), space.operands[3].clone()];
    let input = |place: i64| Access { offset: place, ..linear(&[k, 0, group, each]) };
    let panels = |outer: i64, steps: [i64; 2]| {
        let mut access = linear(&[0, 0, steps[0], steps[1]]);
        access.steps[1] = super::access::Step::Panel { size: panel, outer, inner: 1 };
        access
    };
    let factors = (0..each).map(|place| Source::Memory(1, input(place)));
    let stored = Source::Memory(2, panels(panel * rows, [panel * group / each, panel]));
    let scale = Source::Memory(3, panels(panel * k / group, [panel, 0]));
    let sources = factors.chain([stored, scale, Source::Chain]).collect();
    space.main = Stage { computation: weighted_sum(bits), sources };
    space.output.1 = linear(&[n, 1, 0, 0]);
    if let Some(init) = &mut space.init {
        init.sources[0] = Source::Scalar(4);
    }
    space
}

/// Adds the product of a factor and a weight in a byte, or of two and those in its halves, times a scale.
fn weighted_sum(bits: u32) -> Computation {
    let (byte, word) = (Element::Integer(8), Element::Integer(32));
    let factors = (8 / bits) as usize;
    let whole = |op: Op, operands: &[Ref]| Instruction { results: vec![word], ..instruction(op, operands) };
    let constant = |value: i64| Op::Constant(Constant::new(word, Literal::Integer(value)));
    let eight = Op::Constant(Constant::new(Element::Real(32), Literal::Real(8.0)));
    let (stored, scale, sum) = (Ref::Argument(factors), Ref::Argument(factors + 1), Ref::Argument(factors + 2));
    let result = |number: usize| Ref::Result(number, 0);
    let mut instructions = match bits {
        4 => vec![
            whole(Op::ExtSI, &[stored]),
            whole(constant(15), &[]),
            whole(Op::AndI, &[result(0), result(1)]),
            instruction(Op::SIToFP, &[result(2)]),
            instruction(eight, &[]),
            instruction(Op::SubF, &[result(3), result(4)]),
            whole(constant(4), &[]),
            whole(Op::ShRSI, &[result(0), result(6)]),
            instruction(Op::SIToFP, &[result(7)]),
            instruction(Op::MulF, &[Ref::Argument(0), result(5)]),
            instruction(Op::MulF, &[Ref::Argument(1), result(8)]),
            instruction(Op::AddF, &[result(9), result(10)]),
        ],
        _ => vec![instruction(Op::SIToFP, &[stored]), instruction(Op::MulF, &[Ref::Argument(0), result(0)])],
    };
    let products = result(instructions.len() - 1);
    instructions.push(instruction(Op::MulF, &[products, scale]));
    instructions.push(instruction(Op::AddF, &[sum, result(instructions.len() - 1)]));
    let result = result(instructions.len() - 1);
    let mut arguments = vec![Element::Real(32); factors + 3];
    arguments[factors] = byte;
    Computation { arguments, instructions, result, further: Vec::new() }
}

/// `n` elements times the same number.
pub fn scaled(n: i64) -> Space {
    let f32 = Element::Real(32);
    let instructions = vec![instruction(Op::MulF, &[Ref::Argument(0), Ref::Argument(1)])];
    Space {
        dims: vec![dim(n, false)],
        block: None,
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
