//! `place-htp-tensors`: which variant of an op is taken, and the ops that bring tensors to where and how it takes them.

use crate::dialect::NAMESPACE;
use crate::engine::remove_dead;
use crate::generated::discardable::{TakenAttribute, VariantsAttribute};
use crate::generated::operations::{
    CroutonFromVtcmOp, CroutonToVtcmOp, FlatFromVtcmOp, FlatToVtcmOp, ForceFormatCroutonOp, ForceFormatFlatOp,
};
use crate::generated::{Layout, Place};
use crate::grammar::cost_rank;
use crate::registered::{Format, Variant, is_parameter};
use skriptnd_mlir::diagnostics::{Failure, Severity};
use skriptnd_mlir::ir::{Builder, Location, OperationRef, Value, emit, walk};
use std::collections::HashMap;

/// Of tensors of which nothing is told, and of those of the graph.
const USUAL: Format = Format { layout: Layout::Flat, place: Place::Main };

/// The ops that change a format.
const CONVERSIONS: [&str; 6] = [
    ForceFormatFlatOp::NAME,
    ForceFormatCroutonOp::NAME,
    FlatToVtcmOp::NAME,
    FlatFromVtcmOp::NAME,
    CroutonToVtcmOp::NAME,
    CroutonFromVtcmOp::NAME,
];

/// Whether an op gives its operand as it is, in another layout or place.
pub fn is_conversion(op: OperationRef<'_, '_>) -> bool {
    CONVERSIONS.contains(&op.full_name())
}

/// What was taken for an op.
pub struct Choice<'c> {
    /// Where the op stands.
    pub location: Location<'c>,
    /// The op, the function and its costs, how its result lies, and how many conversions stand before it.
    pub text: String,
}

/// Takes variants of the ops inside a container and converts what they take; nothing where no op has variants.
///
/// # Errors
/// Where an op has variants of another form, or of another number of operands.
pub fn place<'c: 'a, 'a>(container: OperationRef<'c, 'a>) -> Result<Vec<Choice<'c>>, Failure> {
    let ops = walk(container);
    if !ops.iter().any(|op| VariantsAttribute::is_present(*op)) {
        return Ok(Vec::new());
    }
    let mut placement = Placement::default();
    for op in ops.into_iter().filter(|op| !is_conversion(*op)) {
        placement.take(op).map_err(|failure| {
            emit(op.location(), Severity::Error, &format!("'{}' op {failure}", op.full_name()));
            Failure::reported()
        })?;
    }
    remove_dead(container)?;
    Ok(placement.choices)
}

#[derive(Default)]
struct Placement<'c, 'a> {
    choices: Vec<Choice<'c>>,
    /// How values lie, where that is not as usual.
    formats: HashMap<usize, Format>,
    /// Values as they lie otherwise.
    converted: HashMap<(usize, Format), Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Placement<'c, 'a> {
    /// Takes a variant of an op, and gives it its operands as that needs them.
    fn take(&mut self, op: OperationRef<'c, 'a>) -> Result<(), Failure> {
        let variants = Variant::all(op)?;
        let tensors: Vec<_> = op.operands().map(source).enumerate().filter(|(_, of)| !is_parameter(*of)).collect();
        let chosen = (0..variants.len()).min_by_key(|index| self.cost(&variants[*index], &tensors));
        let Some(chosen) = chosen else { return self.give(op, &tensors, |_| USUAL).map(drop) };
        let variant = &variants[chosen];
        let conversions = self.give(op, &tensors, |index| wanted(variant, index))?;
        let result = variant.tensors[0].or(USUAL);
        for value in op.result_values().into_iter().filter(|_| result != USUAL) {
            self.formats.insert(value.key(), result);
        }
        if let Some(attribute) = VariantsAttribute::get(op).and_then(|all| all.get(chosen).copied()) {
            TakenAttribute::set(op, attribute);
        }
        VariantsAttribute::remove(op);
        self.choices.push(Choice { location: op.location(), text: told(op, variant, result, conversions) });
        Ok(())
    }

    /// What decides between variants: the least comes first.
    fn cost(&self, variant: &Variant, tensors: &[(usize, Value<'c, 'a>)]) -> (usize, usize) {
        let missing = tensors.iter().map(|(index, value)| self.missing(*value, wanted(variant, *index)));
        (cost_rank(&variant.cost), missing.sum())
    }

    /// Gives an op its operands in formats; how many ops were made for that.
    fn give(
        &mut self,
        op: OperationRef<'c, 'a>,
        tensors: &[(usize, Value<'c, 'a>)],
        wanted: impl Fn(usize) -> Format,
    ) -> Result<usize, Failure> {
        let mut all = 0;
        for (index, value) in tensors {
            let (value, made) = self.convert(*value, wanted(*index).or(self.format(*value)))?;
            all += made;
            if op.operand(*index)? != value {
                op.set_operand(*index, value)?;
            }
        }
        Ok(all)
    }

    fn format(&self, value: Value<'c, 'a>) -> Format {
        self.formats.get(&value.key()).copied().unwrap_or(USUAL)
    }

    /// How many ops are missing that would make a value lie so.
    fn missing(&self, value: Value<'c, 'a>, wanted: Format) -> usize {
        let from = self.format(value);
        let to = wanted.or(from);
        if self.converted.contains_key(&(value.key(), to)) { 0 } else { steps(from, to).len() }
    }

    /// The value in a format, and how many ops were made for it, which stand behind what gives it.
    fn convert(&mut self, value: Value<'c, 'a>, to: Format) -> Result<(Value<'c, 'a>, usize), Failure> {
        if let Some(known) = self.converted.get(&(value.key(), to)) {
            return Ok((*known, 0));
        }
        let (mut last, mut made) = (value, 0);
        for (op, reached) in steps(self.format(value), to) {
            last = match self.converted.get(&(value.key(), reached)) {
                Some(known) => *known,
                None => {
                    made += 1;
                    behind(last)?.operation(op, &[last], &[], &[value.r#type()])?.result(0)?
                }
            };
            self.converted.insert((value.key(), reached), last);
        }
        Ok((last, made))
    }
}

/// What a variant wants of an operand.
fn wanted(variant: &Variant, operand: usize) -> Format {
    variant.tensors.get(operand + 1).copied().unwrap_or(USUAL)
}

/// What conversions that are there were made of.
fn source<'c: 'a, 'a>(mut value: Value<'c, 'a>) -> Value<'c, 'a> {
    while let Some(op) = value.defining_operation().filter(|op| is_conversion(*op))
        && let Ok(inner) = op.operand(0)
    {
        value = inner;
    }
    value
}

/// The place behind what gives a value.
fn behind<'c: 'a, 'a>(value: Value<'c, 'a>) -> Result<Builder<'c, 'a>, Failure> {
    let next = match (value.defining_operation(), value.as_argument()) {
        (Some(op), _) => op.next(),
        (None, Some((block, _))) => block.first_operation(),
        (None, None) => None,
    };
    let builder = Builder::before(next.ok_or("expected an operation behind what gives a value")?)?;
    Ok(builder.located(value.location()))
}

/// The ops from one format to another, with the formats that they reach. Layouts change in VTCM where an end is there: it is the faster memory.
fn steps(from: Format, to: Format) -> Vec<(&'static str, Format)> {
    let moved = |layout| match (to.place, layout) {
        (Place::Tcm, Layout::Crouton) => CroutonToVtcmOp::NAME,
        (Place::Tcm, _) => FlatToVtcmOp::NAME,
        (_, Layout::Crouton) => CroutonFromVtcmOp::NAME,
        _ => FlatFromVtcmOp::NAME,
    };
    let laid = if to.layout == Layout::Crouton { ForceFormatCroutonOp::NAME } else { ForceFormatFlatOp::NAME };
    let laid_out = |at: Format| (at.layout != to.layout).then_some((laid, Format { layout: to.layout, ..at }));
    let brought = |at: Format| (at.place != to.place).then(|| (moved(at.layout), Format { place: to.place, ..at }));
    let (first, second): (&Step<'_>, &Step<'_>) =
        if to.place == Place::Tcm { (&brought, &laid_out) } else { (&laid_out, &brought) };
    let done = first(from);
    let at = done.map_or(from, |(_, reached)| reached);
    done.into_iter().chain(second(at)).collect()
}

/// The op for a part of the way from a format, and the format that it reaches; none where that is nothing to do.
type Step<'a> = dyn Fn(Format) -> Option<(&'static str, Format)> + 'a;

fn told(op: OperationRef<'_, '_>, variant: &Variant, result: Format, conversions: usize) -> String {
    let Variant { function, cost, flags, .. } = variant;
    let by = if function.is_empty() { "no function".to_owned() } else { format!("`{function}`") };
    let uses: String = flags.iter().map(|flag| format!(", {flag}")).collect();
    let name = op.full_name().strip_prefix(NAMESPACE).unwrap_or_default().trim_start_matches('.');
    let (layout, place) = (result.layout.text(), result.place.text());
    let ops = if conversions == 1 { "conversion" } else { "conversions" };
    format!("{name} by {by} ({cost}{uses}): its result is {layout} in {place}, behind {conversions} {ops}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_change_where_memory_is_fast() {
        let of = |layout, place| Format { layout, place };
        let names = |from, to| steps(from, to).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        let crouton = of(Layout::Crouton, Place::Tcm);
        assert_eq!(names(USUAL, USUAL), [""; 0]);
        assert_eq!(names(USUAL, crouton), [FlatToVtcmOp::NAME, ForceFormatCroutonOp::NAME]);
        assert_eq!(names(crouton, USUAL), [ForceFormatFlatOp::NAME, FlatFromVtcmOp::NAME]);
        assert_eq!(names(crouton, of(Layout::Crouton, Place::Main)), [CroutonFromVtcmOp::NAME]);
        assert_eq!(names(of(Layout::Crouton, Place::Main), of(Layout::Flat, Place::Main)), [ForceFormatFlatOp::NAME]);
        assert_eq!(names(of(Layout::Crouton, Place::Main), crouton), [CroutonToVtcmOp::NAME]);
    }
}
