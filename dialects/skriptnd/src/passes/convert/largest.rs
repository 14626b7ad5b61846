//! What extents that data determine are at most, by the extents that inputs tell: room for them is as large as a run needs, which may
//! be far below what their bounds let them be.

use super::found::named;
use super::parsed;
use crate::call::operator_path;
use crate::generated::operations::{ExtentOp, IfOp, LoopOp, ShapedOp};
use crate::lowering::intrinsic;
use crate::lowering::limits::Limits;
use crate::operator;
use crate::passes::named_shape;
use skriptnd_language::compose::InstanceBody;
use skriptnd_language::compose::extent::{SymExpr, SymOp};
use skriptnd_mlir::ir::{BlockRef, OperationRef, RegionRef, Type, attributes, block_arguments, block_operations};

/// Notes in the limits what follows from the operations of a block, in their order; what can't be said keeps to its bound.
pub(super) fn note<'c: 'a, 'a>(limits: &mut Limits, block: BlockRef<'c, 'a>) {
    for operation in block_operations(block) {
        let repetition = LoopOp::new(operation);
        if let Some(repetition) = repetition {
            carried(limits, repetition);
        }
        for inner in operation.regions().filter_map(|region: RegionRef<'c, 'a>| region.first_block()) {
            note(limits, inner);
        }
        if let Some(repetition) = repetition {
            behind(limits, repetition);
        } else {
            results(limits, operation);
        }
    }
}

/// What the results of an operation tell.
fn results<'c: 'a, 'a>(limits: &mut Limits, operation: OperationRef<'c, 'a>) -> Option<()> {
    if let Some(branch) = IfOp::new(operation) {
        let sides = [branch.consequent(), branch.alternative()].map(|region| yielded(region.ok()?.first_block()?));
        let [Some(left), Some(right)] = sides else { return None };
        for ((kind, left), right) in operation.result_types().into_iter().zip(left).zip(right) {
            note_greater(limits, kind, (left, right));
        }
    } else if let Some(shaped) = ShapedOp::new(operation) {
        note_same(limits, shaped.output().ok()?.r#type(), shaped.input().ok()?.r#type());
    } else if let Some(told) = ExtentOp::new(operation) {
        let value = parsed(told.value().ok()?).ok()?;
        limits.note_most(told.symbol().ok()?, &value);
    } else if operator_path(operation.full_name()).is_some_and(intrinsic::finds_extents) {
        let instance = operator::instance(operation).ok()??;
        let inputs: Vec<_> = operation.operand_types().into_iter().map(named_shape).collect::<Result<_, _>>().ok()?;
        let found = matches!(instance.body, InstanceBody::Intrinsic).then(|| intrinsic::most(&instance.call, &inputs));
        let (dimension, most) = found??;
        let extent = named(*operation.result_types().first()?).ok()?.shape.get(dimension)?.value.clone();
        note_extent(limits, &extent, &most);
    }
    Some(())
}

fn yielded<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Option<Vec<Type<'c>>> {
    block_operations(block).last().map(|terminator| terminator.operand_types())
}

fn note_extent(limits: &mut Limits, extent: &SymExpr, most: &SymExpr) {
    if let SymExpr::Symbol(symbol) = extent {
        limits.note_most(symbol, most);
    }
}

/// One type has the extents of another.
fn note_same<'c>(limits: &mut Limits, kind: Type<'c>, found: Type<'c>) -> Option<()> {
    let (declared, found) = (named(kind).ok()?, named(found).ok()?);
    declared.shape.iter().zip(&found.shape).for_each(|(declared, found)| {
        note_extent(limits, &declared.value, &found.value);
    });
    Some(())
}

/// One type has the extents of one of two others.
fn note_greater<'c>(limits: &mut Limits, kind: Type<'c>, (left, right): (Type<'c>, Type<'c>)) -> Option<()> {
    let (declared, left, right) = (named(kind).ok()?, named(left).ok()?, named(right).ok()?);
    for ((declared, left), right) in declared.shape.iter().zip(&left.shape).zip(&right.shape) {
        let sides = [&left.value, &right.value].map(|side| limits.at_most(side));
        let [Some(left), Some(right)] = sides else { continue };
        if let Some(greater) = SymExpr::apply(SymOp::Max, vec![left, right]) {
            note_extent(limits, &declared.value, &greater);
        }
    }
    Some(())
}

/// How many iterations a loop has at most.
fn iterations(limits: &Limits, repetition: LoopOp<'_, '_>) -> Option<SymExpr> {
    let lengths = repetition.scan_extents_attribute().and_then(attributes::as_strings).unwrap_or_default();
    let told = repetition.extent().into_iter().chain(lengths.into_iter().filter(|text| !text.is_empty()));
    let told = told.filter_map(|text| limits.at_most(&parsed(text).ok()?)).next();
    told.or_else(|| repetition.bound().map(|bound| SymExpr::Const(bound.max(0))))
}

/// Carried tensors that grow by as much in each iteration, or not at all.
fn carried<'c: 'a, 'a>(limits: &mut Limits, repetition: LoopOp<'c, 'a>) -> Option<()> {
    let body = repetition.body().ok()?.first_block()?;
    let count = iterations(limits, repetition)?;
    let first = repetition.carried().into_iter().map(|value| value.r#type());
    let kinds = block_arguments(body).map(|parameter| parameter.r#type());
    for ((first, kind), next) in first.zip(kinds).zip(yielded(body)?) {
        let (Ok(first), Ok(kind), Ok(next)) = (named(first), named(kind), named(next)) else { continue };
        for ((first, own), next) in first.shape.iter().zip(&kind.shape).zip(&next.shape) {
            let grown = || {
                let step = limits.at_most(&next.value.minus(&own.value)?)?;
                limits.at_most(&first.value)?.plus(&step.times(&count)?)
            };
            if let Some(grown) = grown().filter(|_| own.value != first.value) {
                note_extent(limits, &own.value, &grown);
            }
        }
    }
    Some(())
}

/// What is known behind a loop: what it carried has the extents of an iteration, items those of what the body gives.
fn behind<'c: 'a, 'a>(limits: &mut Limits, repetition: LoopOp<'c, 'a>) -> Option<()> {
    let body = repetition.body().ok()?.first_block()?;
    let finals = repetition.finals();
    for (last, parameter) in finals.iter().zip(block_arguments(body)) {
        note_same(limits, last.r#type(), parameter.r#type());
    }
    if let Some(count) = iterations(limits, repetition) {
        for symbol in repetition.lengths_attribute().and_then(attributes::as_strings).unwrap_or_default() {
            limits.note_most(symbol, &count);
        }
    }
    let items: Vec<Type<'c>> = repetition.collected().iter().map(|item| item.r#type()).collect();
    let packs: Vec<Type<'c>> = yielded(body)?.into_iter().skip(finals.len()).collect();
    for (kinds, found) in items.chunks(items.len().checked_div(packs.len())?.max(1)).zip(packs) {
        kinds.iter().for_each(|kind| _ = note_same(limits, *kind, found));
    }
    Some(())
}
