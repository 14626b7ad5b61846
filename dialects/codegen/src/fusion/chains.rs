//! The operations that a group takes in: what computes its initial accumulator, and what follows elementwise.

use super::group::{Group, Growing};
use super::memory::root;
use crate::target::Target;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::{OperationRef, Value, block_operations, types};
use skriptnd_mlir::ops::tensor;
use std::collections::HashSet;

/// Steps on reals, so many of which are code of their own where they are computed one by one.
const MOST_REALS: usize = 24;
/// Functions that are as many steps.
const FUNCTIONS: [&str; 8] =
    ["math.exp", "math.log", "math.tanh", "math.erf", "math.sin", "math.cos", "math.powf", "math.log1p"];

/// The groups of some structured operations on tensors. Reductions come first: what several could take in is theirs, and the last one's of these,
/// so that what the others give goes on as it is stored.
pub fn groups<'c: 'a, 'a>(operations: &[OperationRef<'c, 'a>], target: &Target) -> Vec<Group<'c, 'a>> {
    let is_parallel = |operation: &OperationRef<'c, 'a>| {
        Structured::read(*operation).is_none_or(|structured| structured.is_parallel())
    };
    let (parallel, reductions): (Vec<_>, Vec<_>) = operations.iter().copied().partition(is_parallel);
    let (mut taken, mut groups) = (HashSet::new(), Vec::new());
    for operation in reductions.into_iter().rev().chain(parallel) {
        if taken.contains(&operation.key()) {
            continue;
        }
        let Some(group) = around(operation, &taken, target) else { continue };
        taken.extend(group.operations.iter().map(OperationRef::key));
        groups.push(group);
    }
    groups
}

/// The largest group around an operation, of operations whose keys are not taken.
fn around<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
    taken: &HashSet<usize>,
    target: &Target,
) -> Option<Group<'c, 'a>> {
    let mut growing = Growing::around(operation)?;
    let is_free = |found: &Structured<'c, 'a>| !taken.contains(&found.operation.key());
    if let Some(init) = before(&growing.main).filter(is_free) {
        growing.begin_with(&init);
    }
    while let Some(next) = behind(&growing.group).filter(is_free) {
        if is_long_one_by_one(&growing, &next, target) || !growing.go_on_with(&next) {
            break;
        }
    }
    Some(growing.group)
}

/// Whether an operation computes long functions of reals behind sums of integers in vectors, where the target has no vectors of reals: the
/// code for one element would stand there as often as a tile has elements.
fn is_long_one_by_one(growing: &Growing<'_, '_>, next: &Structured<'_, '_>, target: &Target) -> bool {
    let results = growing.main.outputs.first();
    let are_words = results.is_some_and(|sums| types::element(sums.r#type()).is_integer());
    let is_real = |step: &OperationRef<'_, '_>| step.results().any(|result| result.r#type().is_float());
    let weight = |step: OperationRef<'_, '_>| if FUNCTIONS.contains(&step.full_name()) { MOST_REALS } else { 1 };
    let reals: usize = block_operations(next.body).filter(is_real).map(weight).sum();
    target.isa.only_words && !growing.main.is_parallel() && are_words && reals >= MOST_REALS
}

/// The operation that computes what another one begins with, and nothing else.
fn before<'c: 'a, 'a>(main: &Structured<'c, 'a>) -> Option<Structured<'c, 'a>> {
    let made = main.outputs.first()?.defining_operation()?;
    let fits = made.block() == main.operation.block() && made.results().all(|made| made.has_one_use());
    Structured::read(made).filter(|_| fits)
}

/// The only operation that reads what a group computes, if nothing of that is in memory that something else has, too.
fn behind<'c: 'a, 'a>(group: &Group<'c, 'a>) -> Option<Structured<'c, 'a>> {
    let computed = group.output();
    let mut users: Vec<_> = computed.uses().into_iter().map(|(user, _)| user).collect();
    users.dedup();
    let [user] = users.as_slice() else { return None };
    let next =
        Structured::read(*user).filter(|_| user.block() == group.operations.last().and_then(|last| last.block()));
    next.filter(|next| {
        let into = next.outputs.first().map(|output| root(*output).key());
        is_empty(root(computed)) && into.is_some_and(|into| !group.roots_read().contains(&into))
    })
}

fn is_empty(value: Value<'_, '_>) -> bool {
    value.defining_operation().is_some_and(|made| made.full_name() == tensor::EMPTY)
}
