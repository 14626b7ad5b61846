//! Marks around the operations of a run, for profiles: which operation begins, and how much work and memory it takes with the
//! extents of the run.

use super::read::Bound;
use super::source::{line, lines};
use super::{Emitter, Sequence, report};
use crate::fusion::group::Group;
use crate::nest::computation::Computation;
use crate::nest::element::Number;
use crate::nest::op::Op;
use crate::nest::scaled::Scaled;
use crate::nest::{Space, space::Operand};
use crate::views::functions::{self, MARK, RUN};
use crate::views::shapes::{static_shape, volume};
use crate::{Error, notes};
use skriptnd_mlir::ir::{Builder, OperationRef, Value, attributes, block_operations, types};
use skriptnd_mlir::ops::{arith, func, linalg, memref, scf};
use skriptnd_runtime::operation::Operation;

/// What stands for an operation in the call that ends one.
const END: i64 = -1;

/// The operations that are marked.
#[derive(Default)]
pub struct Marks {
    operations: Vec<Operation>,
}

/// Bytes by the memory that they are of, and whether it is written.
type Parts<'c, 'a> = Vec<((usize, bool), Value<'c, 'a>)>;

/// A kernel at the place of its call.
pub struct Called<'k, 'c, 'a> {
    /// What it computes.
    pub sequence: &'k Sequence<'c, 'a>,
    /// On what.
    pub bound: &'k [Bound<'c, 'a>],
    /// Where open dimensions end, of each nest.
    pub ends: &'k [Vec<Option<Value<'c, 'a>>>],
    /// Why elements are computed one after the other, as far as they are.
    pub unvectorized: Option<&'k str>,
}

impl<'c: 'a, 'a> Called<'_, 'c, 'a> {
    /// What is computed, without initial values: equal ones are one operation, wherever they come from.
    fn operations(&self) -> impl Iterator<Item = OperationRef<'c, 'a>> {
        let own = |group: &Group<'c, 'a>| group.operations[usize::from(group.space.init.is_some())..].to_vec();
        self.sequence.groups.iter().flat_map(own)
    }

    /// Whether it adds up products of bytes.
    fn multiplies_bytes(&self) -> bool {
        let is_byte = |number: Number| number.element().bytes() == 1;
        let of_bytes =
            |space: &Space| space.grouping().is_some_and(|grouping| grouping.numbers.into_iter().all(is_byte));
        self.bound.iter().any(|bound| of_bytes(&bound.space))
    }

    /// Operations on numbers.
    fn work(&self, place: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let mut sum = place.index(0)?;
        for (Bound { space, .. }, ends) in self.bound.iter().zip(self.ends) {
            let outer = (0..space.dims.len()).filter(|&dim| !space.dims[dim].is_reduced);
            let outer = product(place, space, ends, outer)?;
            let inner = product(place, space, ends, 0..space.dims.len())?;
            for (number, stage) in space.stages().enumerate() {
                let is_main = number == usize::from(space.init.is_some());
                let points = if is_main { inner } else { outer };
                // What makes factors of weights is no work that the formula asks for.
                let scaled = Scaled::of(space).filter(|_| is_main);
                let count =
                    scaled.map_or(operations(&stage.computation), |scaled| 2 * scaled.terms.computation.terms() as i64);
                let own = arith::muli(place, points, place.index(count)?)?;
                sum = arith::addi(place, sum, own)?;
            }
        }
        Ok(sum)
    }

    /// Bytes of memory that it reads and of memory that it writes, each element once.
    fn bytes(&self, place: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let mut parts = Parts::new();
        for (bound, ends) in self.bound.iter().zip(self.ends) {
            let space = &bound.space;
            let written = space.outputs().map(|(operand, access)| (*operand, access, true));
            let read = space.reads().map(|(operand, access)| (operand, access, false));
            for (operand, access, is_written) in written.chain(read) {
                let moving = (0..space.dims.len()).filter(|&dim| access.steps[dim].moves());
                let elements = product(place, space, ends, moving)?;
                add(&mut parts, place, (bound, operand, is_written), elements)?;
            }
            let points = product(place, space, ends, 0..space.dims.len())?;
            for operand in (0..space.operands.len()).filter(|&operand| space.is_fetched(operand)) {
                add(&mut parts, place, (bound, operand, false), points)?;
            }
        }
        let mut sum = place.index(0)?;
        for (_, bytes) in parts {
            sum = arith::addi(place, sum, bytes)?;
        }
        Ok(sum)
    }
}

/// Notes so many elements of an operand; no more than its memory has.
fn add<'c: 'a, 'a>(
    parts: &mut Parts<'c, 'a>,
    place: &Builder<'c, 'a>,
    (bound, operand, is_written): (&Bound<'c, 'a>, usize, bool),
    elements: Value<'c, 'a>,
) -> Result<(), Error> {
    let Operand::Passed { element: Some(element), .. } = &bound.space.operands[operand] else { return Ok(()) };
    let memory = bound.values[operand].value;
    let most = static_shape(memory.r#type()).map(|shape| place.index(volume(&shape))).transpose()?;
    let elements = most.map_or(Ok(elements), |most| arith::minsi(place, elements, most))?;
    let bytes = arith::muli(place, elements, place.index(element.bytes())?)?;
    let key = (memory.key(), is_written);
    match parts.iter_mut().find(|(known, _)| *known == key) {
        Some((_, known)) => *known = arith::maxsi(place, *known, bytes)?,
        None => parts.push((key, bytes)),
    }
    Ok(())
}

/// The product of the extents of dimensions, where those of a block count once.
fn product<'c: 'a, 'a>(
    place: &Builder<'c, 'a>,
    space: &Space,
    ends: &[Option<Value<'c, 'a>>],
    dims: impl IntoIterator<Item = usize>,
) -> Result<Value<'c, 'a>, Error> {
    let (mut product, mut size) = (place.index(1)?, 1);
    for dim in dims {
        let extent = ends[dim].map_or_else(|| place.index(space.dims[dim].extent), Ok)?;
        product = arith::muli(place, product, extent)?;
        size *= space.block_along(dim);
    }
    if size == 1 { Ok(product) } else { Ok(arith::divui(place, product, place.index(size)?)?) }
}

/// Operations on numbers at each point. What only moves, converts or chooses is none.
fn operations(computation: &Computation) -> i64 {
    let count = |op: Op| match op {
        Op::Fma => 2,
        Op::Constant(_) | Op::Index(_) | Op::Select | Op::Bitcast | Op::Fetch | Op::IndexCast | Op::IndexCastUI => 0,
        Op::ExtF | Op::ExtSI | Op::ExtUI | Op::TruncF | Op::TruncI => 0,
        Op::FPToSI | Op::FPToUI | Op::SIToFP | Op::UIToFP => 0,
        _ => 1,
    };
    computation.instructions.iter().map(|instruction| count(instruction.op)).sum()
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Marks where a kernel of the run begins; gives whether that is to be marked.
    pub(super) fn begin(&mut self, place: &Builder<'c, 'a>, called: &Called<'_, 'c, 'a>) -> Result<bool, Error> {
        let is_in_run = called.sequence.operations().next().is_some_and(functions::is_in_run);
        let Some(marks) = self.marks.as_mut().filter(|_| is_in_run) else { return Ok(false) };
        let unvectorized = called.unvectorized.map(str::to_owned);
        let kernels = called.bound.iter().map(|bound| bound.space.key()).collect();
        let (lines, multiplies_bytes) = (lines(called.operations()), called.multiplies_bytes());
        marks.operations.push(Operation { lines, unvectorized, kernels, multiplies_bytes });
        let number = index(marks.operations.len() - 1);
        mark(place, number, [called.work(place)?, called.bytes(place)?])?;
        Ok(true)
    }

    /// Marks what has no kernel, declares the function that is called, and notes the operations.
    pub(super) fn finish_marks(&mut self) -> Result<(), Error> {
        let Some(mut marks) = self.marks.take() else { return Ok(()) };
        let run = functions::named(self.module, RUN)?;
        marks.mark_others(run)?;
        let context = self.module.context();
        let body = self.module.region(0).ok().and_then(|region| region.first_block());
        let body = body.ok_or_else(|| Error::malformed("a module without a body"))?;
        let kind = types::function(context, &[types::integer(context, 64); 3], &[]);
        let attributes = [
            ("sym_name", attributes::string(context, MARK)),
            ("function_type", attributes::r#type(kind)),
            ("sym_visibility", attributes::string(context, "private")),
        ];
        Builder::at_end(body, self.module.location()).with_empty_regions(func::FUNC, &[], &attributes, &[], 1)?;
        let texts = marks.operations.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>();
        let texts = texts.map_err(|error| Error::malformed(error.to_string()))?;
        let texts: Vec<_> = texts.iter().map(|text| attributes::string(context, text)).collect();
        self.module.set(notes::OPERATIONS, attributes::array(context, &texts));
        Ok(())
    }
}

impl Marks {
    /// Marks loops and copies below an operation that are no part of what is marked.
    fn mark_others<'c: 'a, 'a>(&mut self, around: OperationRef<'c, 'a>) -> Result<(), Error> {
        // Regions have one block each, until control flow is that of LLVM.
        let blocks = around.regions().filter_map(|region| region.first_block());
        let inside: Vec<_> = blocks.flat_map(block_operations).collect();
        for operation in inside {
            let name = operation.full_name();
            let has_marked = skriptnd_mlir::ir::walk(operation).into_iter().any(is_marked);
            if has_marked && !is_marked(operation) {
                self.mark_others(operation)?;
            } else if !has_marked && [scf::FOR, scf::WHILE, linalg::GENERIC, linalg::FILL, memref::COPY].contains(&name)
            {
                self.mark_other(operation)?;
            }
        }
        Ok(())
    }

    fn mark_other<'c: 'a, 'a>(&mut self, operation: OperationRef<'c, 'a>) -> Result<(), Error> {
        let next = operation.next().ok_or_else(|| Error::malformed("a loop at the end of a block"))?;
        let (begin, end) = (Builder::before(operation)?, Builder::before(next)?);
        let zero = begin.index(0)?;
        mark(&begin, index(self.operations.len()), [zero, zero])?;
        let lines = line(operation.location()).into_iter().collect();
        let unvectorized = reason(operation).map(str::to_owned);
        self.operations.push(Operation { lines, unvectorized, kernels: Vec::new(), multiplies_bytes: false });
        finish(&end)
    }
}

/// Why what has no kernel is computed element after element; nothing where memory is filled or copied.
fn reason(operation: OperationRef<'_, '_>) -> Option<&'static str> {
    match operation.full_name() {
        scf::FOR | scf::WHILE => Some(report::SERIAL),
        linalg::GENERIC => report::refused(operation),
        _ => None,
    }
}

/// Whether an operation is the call of a kernel, or of what marks it.
fn is_marked(operation: OperationRef<'_, '_>) -> bool {
    operation.full_name() == func::CALL
}

/// Marks where an operation ends.
pub fn finish<'c: 'a, 'a>(place: &Builder<'c, 'a>) -> Result<(), Error> {
    let zero = place.index(0)?;
    mark(place, END, [zero, zero])
}

fn mark<'c: 'a, 'a>(place: &Builder<'c, 'a>, number: i64, [work, bytes]: [Value<'c, 'a>; 2]) -> Result<(), Error> {
    let word = types::integer(place.context(), 64);
    let mut words = Vec::new();
    for number in [place.index(number)?, work, bytes] {
        words.push(arith::index_cast(place, number, word)?);
    }
    func::call(place, MARK, &words, &[])?;
    Ok(())
}

fn index(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
