//! From a group of operations to the space of a kernel, which is data, and the values that its operands stand for.

use super::values;
use crate::buffers::plan::aligned;
use crate::fusion::group::Group;
use crate::fusion::memory::root;
use crate::nest::element::Element;
use crate::nest::space::{Operand, Rounding, Space};
use crate::target::Target;
use crate::views::elements;
use crate::views::shapes::static_shape;
use crate::{Error, notes};
use skriptnd_mlir::ir::{Type, Value, types};
use skriptnd_mlir::ops::{arith, memref};
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
    /// Whether it is given the memory that it is a part of, and knows itself where that begins.
    pub is_part: bool,
}

/// Elements that the memory of a kernel is said to have where only a run knows how many there are.
const MANY: i64 = 1 << 31;

impl<'c> Passed<'c> {
    /// Memory whose extents only a run knows is given without them, and parts as what they are parts of.
    pub fn of(value: Value<'c, '_>) -> Result<Self, Error> {
        let kind = value.r#type();
        let as_it_is = Passed { r#type: kind, is_moved: false, is_part: false };
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
        Ok(Passed { r#type, is_moved, is_part: false })
    }

    /// A part that begins at a known place: so it is known how far that is from one that is aligned. The place is given, too.
    fn part(value: Value<'c, '_>) -> Option<(Self, i64)> {
        let kind = value.r#type();
        let (_, offset) = types::strides(kind).filter(|(_, offset)| *offset > 0)?;
        let r#type = types::strided_memref(types::element(kind), &[MANY], &[1], 0)?;
        Some((Passed { r#type, is_moved: false, is_part: true }, offset))
    }
}

/// The space of a group, with what is known of its operands, which are numbered in the order in which they are used.
///
/// # Errors
/// Where an operand has no place in memory.
pub fn read<'c: 'a, 'a>(group: &Group<'c, 'a>, rounding: Rounding, target: &Target) -> Result<Bound<'c, 'a>, Error> {
    let walked = group.walked().filter(|(_, access)| access.is_open()).map(|(value, _)| value);
    let fetched = group.captured().chain(walked);
    let fetched = fetched.filter_map(|value| Some((value.key(), known_strides(value)?))).collect();
    let written = group.roots_written().collect();
    let (has_parts, alignment) = (target.aligns_tensors(), target.alignment());
    let mut operands = Operands { fetched, written, has_parts, alignment, ..Operands::default() };
    let from = &group.space;
    let mut number = |operand: usize| operands.add(from.operands[operand]);
    let output = (number(from.output.0)?, from.output.1.clone());
    let further = from.further.iter().map(|(operand, access)| Ok((number(*operand)?, access.clone())));
    let further = further.collect::<Result<_, Error>>()?;
    let init = from.init.iter().map(|init| init.with_operands(&mut number)).next().transpose()?;
    let main = from.main.with_operands(&mut number)?;
    let epilogues =
        from.epilogues.iter().map(|stage| stage.with_operands(&mut number)).collect::<Result<_, Error>>()?;
    let (dims, block) = (from.dims.clone(), from.block);
    let mut space =
        Space { dims, block, operands: operands.described, init, main, epilogues, output, further, rounding };
    for (operand, access) in space.walked_mut() {
        access.offset += operands.offsets[operand];
    }
    Ok(Bound { space, values: operands.values })
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
    /// Whether parts of memory are given as that.
    has_parts: bool,
    /// Where parts begin then.
    offsets: Vec<i64>,
    /// At multiples of how many bytes memory begins that the model has for itself.
    alignment: i64,
}

impl<'c: 'a, 'a> Operands<'c, 'a> {
    /// The number of a value among the operands.
    fn add(&mut self, value: Value<'c, 'a>) -> Result<usize, Error> {
        if let Some(number) = self.numbers.get(&value.key()) {
            return Ok(*number);
        }
        let (described, passed, offset) = self.described(value)?;
        self.numbers.insert(value.key(), self.values.len());
        self.values.push(BoundValue { value, passed });
        self.described.push(described);
        self.offsets.push(offset);
        Ok(self.values.len() - 1)
    }

    /// What a value is for a kernel, how that is given it, and where it begins in what is given.
    fn described(&self, value: Value<'c, 'a>) -> Result<(Operand, Option<Passed<'c>>, i64), Error> {
        let made = value.defining_operation();
        let noted = |name| made.and_then(|made| made.get_integer(name));
        let kind = value.r#type();
        let element = elements::of(types::element(kind));
        if let Some(number) = noted(notes::PRIVATE).and_then(|number| usize::try_from(number).ok()) {
            return Ok((Operand::Private { number, r#type: kind.to_string(), element }, None, 0));
        }
        if let Some(count) = noted(notes::PARTS) {
            let passed = Passed::of(value)?;
            // Where only a run knows how long parts are, strides tell how far they are apart.
            let (count, strides) = if count > 0 { (count, None) } else { (MANY, known_strides(value)) };
            return Ok((
                Operand::Parts { r#type: passed.r#type.to_string(), element, count, strides },
                Some(passed),
                0,
            ));
        }
        let constant = made.filter(|definition| definition.full_name() == arith::CONSTANT);
        if let Some(constant) = constant.and_then(|constant| constant.get("value")) {
            let constant = elements::constant(constant);
            let constant = constant.ok_or_else(|| Error::malformed("a constant that is no number"))?;
            return Ok((Operand::Constant(constant), None, 0));
        }
        self.passed(value)
    }

    /// The same of what is an argument.
    fn passed(&self, value: Value<'c, 'a>) -> Result<(Operand, Option<Passed<'c>>, i64), Error> {
        let is_plain = self.has_parts && !self.fetched.contains_key(&value.key());
        let (passed, offset) = match is_plain.then(|| Passed::part(value)).flatten() {
            Some(part) => part,
            None => (Passed::of(value)?, 0),
        };
        let (element, is_moved) = (elements::of(types::element(value.r#type())), passed.is_moved);
        let unknown = if is_moved { MANY } else { 0 };
        let count = values::elements(value.r#type()).unwrap_or(unknown);
        let r#type = passed.r#type.to_string();
        let strides = self.fetched.get(&value.key()).cloned();
        let is_only_read = !self.written.contains(&root(value).key());
        // Where loads have to be aligned, those of groups are not.
        let is_loaded_anywhere = element == Some(Element::Integer(8)) && !self.has_parts;
        let room = is_loaded_anywhere.then(|| room(root(value), self.alignment)).flatten().unwrap_or(0);
        Ok((Operand::Passed { r#type, element, is_moved, count, is_only_read, room, strides }, Some(passed), offset))
    }
}

/// Bytes behind memory of so many that nothing else lies in: the plan of memory begins everything at multiples of the alignment.
fn room(memory: Value<'_, '_>, alignment: i64) -> Option<i64> {
    let made = memory.defining_operation().filter(|made| made.full_name() == memref::ALLOC)?;
    let bytes = values::elements(made.result(0).ok()?.r#type())?;
    Some(aligned(bytes, alignment) - bytes)
}

/// The strides of memory; none in place of those that only a run knows.
fn known_strides(memory: Value<'_, '_>) -> Option<Vec<Option<i64>>> {
    let (strides, _) = types::open_strides(memory.r#type())?;
    Some(strides.into_iter().map(|stride| (stride != types::OPEN).then_some(stride)).collect())
}
