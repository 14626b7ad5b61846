//! Spaces and targets for tests.

use super::access::Step;
use super::computation::{Computation, Instruction, Ref};
use super::element::Element;
use super::op::Op;
use super::plain::{dim, instruction, linear};
pub use super::plain::{product, scaled};
use super::space::{Operand, Source, Space, TYPICAL};
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
        target("x86_64-unknown-linux-gnu", "+avx512f,+avx512bw,+avx512vl,+avx512vnni,+amx-int8"),
    ]
}

/// A space of which nothing that is read is written.
pub fn only_read(mut space: Space) -> Space {
    let written = space.output.0;
    for (_, operand) in space.operands.iter_mut().enumerate().filter(|(number, _)| *number != written) {
        if let Operand::Passed { is_only_read, .. } = operand {
            *is_only_read = true;
        }
    }
    space
}

/// The product of two matrices as they lie, of which the first is transposed.
pub fn transposed_product(m: i64, n: i64, k: i64) -> Space {
    let mut space = only_read(product(m, n, k));
    space.main.sources[0] = Source::Memory(1, linear(&[1, 0, m]));
    space.main.sources[1] = Source::Memory(2, linear(&[0, 1, n]));
    space
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

/// The product of matrices of bytes, those of the first without signs, the second in groups of 4.
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
            room: 0,
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
            integer(Op::ExtUI, &[Ref::Argument(0)]),
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
