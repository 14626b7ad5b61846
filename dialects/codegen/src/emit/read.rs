//! From a group of operations to the space of a kernel, which is data, and the values that its operands stand for.

use super::values;
use crate::fusion::group::{self, Group};
use crate::fusion::memory::root;
use crate::nest::computation::{Computation, Instruction, Ref};
use crate::nest::op::Op;
use crate::nest::space::{Dim, Operand, Source, Space, Stage};
use crate::structured::static_shape;
use crate::{Error, elements, notes};
use skriptnd_mlir::ir::{OperationRef, Type, Value, block_arguments, block_operations, types};
use skriptnd_mlir::ops::arith::{self, FloatPredicate, IntegerPredicate};
use skriptnd_mlir::ops::{linalg, memref};
use std::collections::{HashMap, HashSet};

/// A space and what its operands are.
pub struct Bound<'c, 'a> {
    /// What is computed.
    pub space: Space,
    /// On what, one for each operand.
    pub values: Vec<BoundValue<'c, 'a>>,
}

/// What an operand is.
pub struct BoundValue<'c, 'a> {
    /// The value.
    pub value: Value<'c, 'a>,
    /// How the kernel is given it; constants and private memory it makes itself.
    pub passed: Option<Passed<'c>>,
}

/// How a kernel is given a value.
#[derive(Clone, Copy)]
pub struct Passed<'c> {
    /// The type under which the kernel takes it.
    pub r#type: Type<'c>,
    /// Whether the kernel is told where it begins in its memory: so parts of different memory have the same kernel.
    pub is_moved: bool,
}

/// Elements that the memory of a kernel is said to have where only a run knows how many there are.
const MANY: i64 = 1 << 31;

impl<'c> Passed<'c> {
    /// Memory whose extents only a run knows is given without them, and parts as what they are parts of.
    fn of(value: Value<'c, '_>) -> Result<Self, Error> {
        let kind = value.r#type();
        let as_it_is = Passed { r#type: kind, is_moved: false };
        if !kind.is_mem_ref() {
            return Ok(as_it_is);
        }
        let malformed = || Error::malformed(format!("an operand of type {kind}"));
        let (_, offset) = types::open_strides(kind).ok_or_else(malformed)?;
        let is_moved = offset != 0;
        // A part of known extents may have the strides of what only a run knows the extents of.
        if !is_moved && static_shape(kind).is_some() && types::strides(kind).is_some() {
            return Ok(as_it_is);
        }
        let offset = if is_moved { 0 } else { offset };
        let r#type = types::strided_memref(types::element(kind), &[MANY], &[1], offset).ok_or_else(malformed)?;
        Ok(Passed { r#type, is_moved })
    }
}

/// The space of a group; none where a computation is no list of operations on scalars.
///
/// # Errors
/// Where an operand has no place in memory.
pub fn read<'c: 'a, 'a>(group: &Group<'c, 'a>) -> Result<Option<Bound<'c, 'a>>, Error> {
    let captured = group.stages().flat_map(group::Stage::captured);
    let walked = group.walked().filter(|(_, access)| access.open().next().is_some()).map(|(value, _)| value);
    let fetched = captured.chain(walked).filter_map(|value| Some((value.key(), known_strides(value)?))).collect();
    let mut operands = Operands { fetched, written: group.roots_written().collect(), ..Operands::default() };
    let output = operands.add(group.output.0)?;
    let further = group.further.iter().map(|(memory, access)| Ok((operands.add(*memory)?, access.clone())));
    let further = further.collect::<Result<_, Error>>()?;
    let mut stages = Vec::new();
    for stage in group.stages() {
        match operands.stage(stage)? {
            Some(mut stage) => {
                stage.computation.instructions.iter_mut().for_each(|instruction| renumber(instruction, group));
                stages.push(stage);
            }
            None => return Ok(None),
        }
    }
    let mut stages = stages.into_iter();
    let init = if group.init.is_some() { stages.next() } else { None };
    let Some(main) = stages.next() else { return Ok(None) };
    let dims = (0..group.extents.len()).map(|dim| Dim {
        extent: group.extents[dim],
        is_open: group.open[dim].is_some(),
        is_reduced: group.reduced[dim],
        is_shared: dim < group.shared,
    });
    let space = Space {
        dims: dims.collect(),
        operands: operands.described,
        init,
        main,
        epilogues: stages.collect(),
        output: (output, group.output.1.clone()),
        further,
    };
    Ok(Some(Bound { space, values: operands.values }))
}

/// Lets an instruction that asks for an index name the dimension as the group numbers it.
fn renumber(instruction: &mut Instruction, group: &Group<'_, '_>) {
    if let Op::Index(dim) = &mut instruction.op {
        *dim = group.origins.iter().position(|origin| *origin == Some(*dim)).unwrap_or(*dim);
    }
}

#[derive(Default)]
struct Operands<'c, 'a> {
    described: Vec<Operand>,
    values: Vec<BoundValue<'c, 'a>>,
    /// Memory of which computations fetch elements by themselves, or which has strides that only a run knows, with its
    /// strides as far as they are known.
    fetched: HashMap<usize, Vec<Option<i64>>>,
    /// Keys of the memory that is written.
    written: HashSet<usize>,
    numbers: HashMap<usize, usize>,
}

impl<'c: 'a, 'a> Operands<'c, 'a> {
    /// The number of a value among the operands.
    fn add(&mut self, value: Value<'c, 'a>) -> Result<usize, Error> {
        if let Some(number) = self.numbers.get(&value.key()) {
            return Ok(*number);
        }
        let made = value.defining_operation();
        let constant = made.filter(|definition| definition.full_name() == arith::CONSTANT);
        let private =
            made.and_then(|made| made.get_integer(notes::PRIVATE)).and_then(|number| usize::try_from(number).ok());
        let (described, passed) = match constant.and_then(|constant| constant.get("value")) {
            _ if private.is_some() => {
                let (kind, number) = (value.r#type(), private.unwrap_or_default());
                let element = elements::of(types::element(kind));
                (Operand::Private { number, r#type: kind.to_string(), element }, None)
            }
            Some(constant) => {
                let constant = elements::constant(constant);
                let constant = constant.ok_or_else(|| Error::malformed("a constant that is no number"))?;
                (Operand::Constant(constant), None)
            }
            None => {
                let passed = Passed::of(value)?;
                let (element, is_moved) = (elements::of(types::element(value.r#type())), passed.is_moved);
                let count = if is_moved { values::elements(value.r#type()).unwrap_or(MANY) } else { 0 };
                let r#type = passed.r#type.to_string();
                let strides = self.fetched.get(&value.key()).cloned();
                let is_only_read = !self.written.contains(&root(value).key());
                (Operand::Passed { r#type, element, is_moved, count, is_only_read, strides }, Some(passed))
            }
        };
        self.numbers.insert(value.key(), self.values.len());
        self.values.push(BoundValue { value, passed });
        self.described.push(described);
        Ok(self.values.len() - 1)
    }

    fn stage(&mut self, stage: &group::Stage<'c, 'a>) -> Result<Option<Stage>, Error> {
        let mut sources = Vec::new();
        for source in &stage.sources {
            sources.push(match source {
                group::Source::Memory(value, access) => Source::Memory(self.add(*value)?, access.clone()),
                group::Source::Scalar(value) => Source::Scalar(self.add(*value)?),
                group::Source::Chain => Source::Chain,
                group::Source::Further(number) => Source::Further(*number),
                group::Source::Unused => Source::Unused,
            });
        }
        let computation = self.computation(stage)?;
        Ok(computation.map(|computation| Stage { computation, sources }))
    }

    fn computation(&mut self, stage: &group::Stage<'c, 'a>) -> Result<Option<Computation>, Error> {
        let mut known = HashMap::new();
        let mut arguments = Vec::new();
        for (number, argument) in block_arguments(stage.body).enumerate() {
            known.insert(argument.key(), Ref::Argument(number));
            let Some(element) = elements::of(argument.r#type()) else { return Ok(None) };
            arguments.push(element);
        }
        let mut instructions = Vec::new();
        for operation in block_operations(stage.body) {
            let operands = self.used(operation, &known)?;
            if operation.full_name() == linalg::YIELD {
                let Some((&result, further)) = operands.split_first() else { return Ok(None) };
                return Ok(Some(Computation { arguments, instructions, result, further: further.to_vec() }));
            }
            let Some(instruction) = instruction(operation, operands).filter(|_| fetches_only(operation)) else {
                return Ok(None);
            };
            for (number, result) in operation.result_values().iter().enumerate() {
                known.insert(result.key(), Ref::Result(instructions.len(), number));
            }
            instructions.push(instruction);
        }
        Ok(None)
    }

    fn used(&mut self, operation: OperationRef<'c, 'a>, known: &HashMap<usize, Ref>) -> Result<Vec<Ref>, Error> {
        let used = operation.operands().map(|operand| match known.get(&operand.key()) {
            Some(found) => Ok(*found),
            None => self.add(operand).map(Ref::Operand),
        });
        used.collect()
    }
}

/// The strides of memory; none in place of those that only a run knows.
fn known_strides(memory: Value<'_, '_>) -> Option<Vec<Option<i64>>> {
    let (strides, _) = types::open_strides(memory.r#type())?;
    Some(strides.into_iter().map(|stride| (stride != types::OPEN).then_some(stride)).collect())
}

/// Whether an operation does nothing with memory but fetch an element.
fn fetches_only(operation: OperationRef<'_, '_>) -> bool {
    let mut memory = operation.operands().enumerate().filter(|(_, operand)| operand.r#type().is_mem_ref());
    memory.all(|(place, _)| place == 0 && operation.full_name() == memref::LOAD)
}

/// None for operations with regions, those whose results are no scalars, and those that kernels don't have.
fn instruction(operation: OperationRef<'_, '_>, operands: Vec<Ref>) -> Option<Instruction> {
    let results = operation.result_types().into_iter().map(elements::of).collect::<Option<_>>()?;
    let op = op(operation).filter(|_| operation.region_count() == 0)?;
    Some(Instruction { op, operands, results })
}

/// What an operation is on scalars. Permissions to compute in other ways, `fastmath` and `overflowFlags`, are not used.
fn op(operation: OperationRef<'_, '_>) -> Option<Op> {
    let index = |name: &str| operation.get_integer(name);
    Some(match operation.full_name() {
        arith::CONSTANT => Op::Constant(elements::constant(operation.get("value")?)?),
        linalg::INDEX => Op::Index(usize::try_from(index("dim")?).ok()?),
        arith::CMPF => Op::CmpF(FloatPredicate::of(index("predicate")?)?),
        arith::CMPI => Op::CmpI(IntegerPredicate::of(index("predicate")?)?),
        _ if operation.get("roundingmode").is_some() => return None,
        name => Op::named(name)?,
    })
}
