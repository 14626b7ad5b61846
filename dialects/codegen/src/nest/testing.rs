//! Spaces and targets for tests.

use super::access::{Access, Step};
use super::computation::{Computation, Instruction, Ref};
use super::element::{Constant, Element, Literal};
use super::op::Op;
use super::space::{Dim, Operand, Source, Space, Stage, TYPICAL};
use crate::target::Target;
use skriptnd_mlir::llvm::TargetSpec;

/// Targets of every kind.
pub fn targets() -> Vec<Target> {
    let target = |triple: &str, features: &str| {
        Target::of(TargetSpec { triple: triple.into(), cpu: String::new(), features: features.into() })
    };
    vec![
        target("x86_64-unknown-linux-gnu", "+avx512f,+avx512bw,+avx512vl,+avx512vnni"),
        target("x86_64-unknown-linux-gnu", "+avx2,+fma"),
        target("aarch64-unknown-linux-gnu", "+neon"),
        target("aarch64-unknown-linux-gnu", "+sve"),
        target("hexagon-unknown-linux-musl", ""),
    ]
}

fn dim(extent: i64, is_reduced: bool) -> Dim {
    Dim { extent, is_open: false, is_reduced, is_shared: false }
}

fn operand() -> Operand {
    Operand::Passed {
        r#type: "memref<?xf32>".into(),
        element: Some(Element::Real(32)),
        is_moved: false,
        count: 0,
        is_only_read: false,
        strides: None,
    }
}

fn linear(distances: &[i64]) -> Access {
    Access { offset: 0, steps: distances.iter().map(|distance| Step::Linear(*distance)).collect() }
}

fn instruction(op: Op, operands: &[Ref]) -> Instruction {
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
    }
}

/// Products of as many matrices of `width` x 160 elements as a run says and a matrix of 160 x 960.
pub fn products_of_images(width: i64) -> Space {
    let mut space = product(TYPICAL, 960, 160);
    space.dims[0].is_open = true;
    space.dims.insert(2, dim(width, false));
    space.output.1 = linear(&[width * 960, 1, 960, 0]);
    space.main.sources[0] = Source::Memory(1, linear(&[width * 160, 0, 160, 1]));
    if let Source::Memory(_, packed) = &mut space.main.sources[1] {
        packed.steps.insert(2, Step::Linear(0));
    }
    space
}

/// The product of matrices of bytes with signs, the second in groups of 4.
pub fn product_of_bytes(m: i64, n: i64, k: i64) -> Space {
    let (byte, sum) = (Element::Integer(8), Element::Integer(32));
    let mut space = product(m, n, k);
    for operand in &mut space.operands[..3] {
        *operand = Operand::Passed {
            r#type: "memref<?xi8>".into(),
            element: Some(byte),
            is_moved: false,
            count: 0,
            is_only_read: false,
            strides: None,
        };
    }
    let mut packed = linear(&[0, 0, 0]);
    packed.steps[1] = Step::Panel { size: 32, outer: 32 * k, inner: 4 };
    packed.steps[2] = Step::Panel { size: 4, outer: 128, inner: 1 };
    let integer = |op: Op, operands: &[Ref]| Instruction { results: vec![sum], ..instruction(op, operands) };
    space.main.computation = Computation {
        arguments: vec![byte, byte, sum],
        instructions: vec![
            integer(Op::ExtSI, &[Ref::Argument(0)]),
            integer(Op::ExtSI, &[Ref::Argument(1)]),
            integer(Op::MulI, &[Ref::Result(0, 0), Ref::Result(1, 0)]),
            integer(Op::AddI, &[Ref::Argument(2), Ref::Result(2, 0)]),
        ],
        result: Ref::Result(3, 0),
        further: Vec::new(),
    };
    space.main.sources[1] = Source::Memory(2, packed);
    space
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
    }
}
