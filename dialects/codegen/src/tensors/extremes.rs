//! What the greatest and the least of integers begin with, and borders around what is compared: numbers beyond all others of the type.
//! Where what reads the result limits it again, a number within those limits does as well, and few bits have all. Where each result
//! has an element, nothing is left of what it begins with (`accumulators.rs`).

use super::narrow::{broadcast, filled};
use super::operations::padded_by;
use super::sunk::fill;
use crate::Error;
use crate::values::range::Ranges;
use crate::values::{encoding, ranges};
use crate::views::constants::integer;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, block_arguments, operations_named, types};
use skriptnd_mlir::ops::{arith, linalg, tensor};

/// Lets the greatest and the least of a function begin with numbers of what they are found in. Returns how many do.
pub fn begin_within<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let ranges = ranges(function);
    let reductions = operations_named(function, linalg::GENERIC).into_iter().filter_map(Structured::read);
    let found: Vec<_> = reductions.filter_map(|structured| Extreme::of(structured, &ranges)).collect();
    found.iter().try_for_each(Extreme::replace)?;
    Ok(found.len())
}

/// A reduction that finds the greatest, or the least.
struct Extreme<'c, 'a> {
    structured: Structured<'c, 'a>,
    /// What has a border of other numbers, as it lies or reshaped.
    pad: Option<OperationRef<'c, 'a>>,
    /// What it begins with instead.
    begin: i64,
}

impl<'c: 'a, 'a> Extreme<'c, 'a> {
    fn of(structured: Structured<'c, 'a>, ranges: &Ranges) -> Option<Self> {
        let [output] = structured.outputs[..] else { return None };
        let found = structured.body.terminator()?.operand(0).ok()?.defining_operation()?;
        let name = [arith::MAXSI, arith::MINSI].into_iter().find(|name| found.full_name() == *name)?;
        let places: Vec<usize> = found.operands().filter_map(|operand| Some(operand.as_argument()?.1)).collect();
        let partial = structured.inputs.len();
        let input = *places.iter().find(|place| **place != partial).filter(|_| places.contains(&partial))?;
        let compared = structured.inputs[input];
        let border = |pad: OperationRef<'c, 'a>| (pad.full_name() == tensor::PAD).then(|| fill(pad)).flatten();
        let whole = reshaped(compared);
        let pad = whole.defining_operation().filter(|pad| border(*pad).is_some());
        let source = pad.map_or(Some(compared), |pad| pad.operand(0).ok())?;
        let range = ranges.get(source);
        let (scalar, _) = broadcast(output)?;
        let is_beyond =
            |number: i64| if name == arith::MAXSI { number < range.least as i64 } else { number > range.most as i64 };
        let is_wanted = range.is_of_integer(source.r#type()) && is_beyond(integer(scalar)?);
        let own = if name == arith::MAXSI { range.least } else { range.most } as i64;
        let begin = nearer(name, own, limit(structured.operation.result(0).ok()?, name)?);
        let pad = pad.filter(|pad| border(*pad).is_some_and(is_beyond));
        let is_alone = !structured.is_parallel() && pad.is_none_or(|_| compared.has_one_use() && whole.has_one_use());
        (is_wanted && is_alone).then_some(Extreme { structured, pad, begin })
    }

    fn replace(&self) -> Result<(), Error> {
        let Structured { operation, inputs, outputs, .. } = &self.structured;
        let builder = Builder::before(*operation)?;
        if let Some(pad) = self.pad {
            let whole = pad.result(0)?;
            let padded = padded_by(pad, pad.operand(0)?, whole.r#type(), self.begin)?;
            whole.uses().into_iter().try_for_each(|(user, operand)| user.set_operand(operand, padded))?;
        }
        let kind = outputs[0].r#type();
        let begin = builder.integer(types::element(kind), self.begin)?;
        // What nothing reads is another number now.
        encoding::note(*operation, None);
        Ok(operation.set_operand(inputs.len(), filled(&builder, (kind, outputs[0]), begin)?)?)
    }
}

/// What a tensor was before reshapes that nothing else reads.
fn reshaped<'c: 'a, 'a>(mut value: Value<'c, 'a>) -> Value<'c, 'a> {
    let is_reshape =
        |made: &OperationRef<'c, 'a>| [tensor::EXPAND_SHAPE, tensor::COLLAPSE_SHAPE].contains(&made.full_name());
    while let Some(before) = value.defining_operation().filter(is_reshape).filter(|_| value.has_one_use()) {
        let Ok(source) = before.operand(0) else { break };
        value = source;
    }
    value
}

/// That of two numbers which lies further from where the greatest, or the least, may be.
fn nearer(name: &str, left: i64, right: i64) -> i64 {
    if name == arith::MAXSI { left.min(right) } else { left.max(right) }
}

/// What all that reads a value compares it with once more: nothing beyond that is seen.
fn limit<'c: 'a, 'a>(value: Value<'c, 'a>, name: &str) -> Option<i64> {
    let mut limits = value.uses().into_iter().map(|(user, operand)| match user.full_name() {
        tensor::COLLAPSE_SHAPE | tensor::EXPAND_SHAPE => limit(user.result(0).ok()?, name),
        _ => {
            let reader = Structured::read(user).filter(|reader| operand < reader.inputs.len())?;
            let argument = block_arguments(reader.body).nth(operand)?;
            let mut limits = argument.uses().into_iter().map(|(step, _)| {
                let other = step.operands().find(|other| other.key() != argument.key());
                other.filter(|_| step.full_name() == name).and_then(integer)
            });
            let first = limits.next()??;
            limits.try_fold(first, |all, own| Some(nearer(name, all, own?)))
        }
    });
    let first = limits.next()??;
    limits.try_fold(first, |all, own| Some(nearer(name, all, own?)))
}
