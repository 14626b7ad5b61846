//! Remarks on what is computed element after element, for who looks for where the time goes.

use super::sequence::Sequence;
use crate::fusion::body;
use crate::fusion::group::Group;
use crate::nest::Nest;
use crate::nest::unvectorized::Reason;
use crate::target::Target;
use crate::views::functions;
use crate::views::structured::Structured;
use skriptnd_mlir::Severity;
use skriptnd_mlir::ir::{Location, OperationRef, emit, operations_named, walk};
use skriptnd_mlir::ops::{linalg, memref, scf};
use std::collections::HashSet;

/// Fewer points than these take no time that counts.
const LEAST_POINTS: i64 = 64;

fn remark(location: Location<'_>, reason: &str) {
    emit(location, Severity::Remark, &format!("computed element after element: {reason}"));
}

/// Remarks kernels without vectors.
pub fn kernels<'c: 'a, 'a>(nests: &[Nest], target: &Target, sequence: &Sequence<'c, 'a>, location: Location<'c>) {
    let plain = nests.iter().zip(&sequence.groups).filter(|(nest, _)| !nest.schedule.has_vectors());
    for (Nest { space, .. }, group) in plain.filter(|_| target.isa.lanes() > 1) {
        if space.points() >= LEAST_POINTS {
            let place = group.operations.last().map_or(location, |operation| operation.location());
            remark(place, &Reason::of(space, target).to_string());
        }
    }
}

/// Why the nests of a kernel have no vectors, as far as they have none; the same reason once.
pub fn unvectorized(nests: &[Nest], target: &Target) -> Option<String> {
    let plain = nests.iter().filter(|nest| !nest.schedule.has_vectors());
    let mut reasons: Vec<Reason> = Vec::new();
    for reason in plain.map(|nest| Reason::of(&nest.space, target)) {
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    let told: Vec<_> = reasons.iter().map(Reason::to_string).collect();
    (!told.is_empty()).then(|| told.join("; "))
}

/// Why a structured operation has no kernel.
pub fn refused(operation: OperationRef<'_, '_>) -> Option<&'static str> {
    let structured = Structured::read(operation);
    let computes = structured.as_ref().map(|structured| body::computation(structured.body, |_| 0).is_some());
    match (computes, Group::of(&[operation], 0)) {
        (None, _) => Some("extents that no operand tells"),
        (Some(false), _) => Some("what is computed has branches or loops"),
        (_, None) => Some("an address is no sum of multiples of indices"),
        _ => None,
    }
}

/// Why a loop has no vectors.
pub const SERIAL: &str = "a loop goes from one to the next, or data say where elements are written";

/// Remarks structured operations that have no kernel, and loops that store single elements. What is in `kernels`, by the names of
/// their functions, was remarked when their schedules were known: vectors are combined and stored in loops, too.
pub fn loops<'c: 'a, 'a>(module: OperationRef<'c, 'a>, kernels: &HashSet<&str>) {
    for operation in operations_named(module, linalg::GENERIC) {
        refused(operation).into_iter().for_each(|reason| remark(operation.location(), reason));
    }
    let is_loop = |operation: OperationRef<'c, 'a>| [scf::FOR, scf::WHILE].contains(&operation.full_name());
    let is_kernel =
        |function: &OperationRef<'c, 'a>| function.get_string("sym_name").is_some_and(|name| kernels.contains(name));
    let others = functions::all(module).filter(|function| !is_kernel(function)).flat_map(walk);
    for operation in others.filter(|operation| is_loop(*operation) && !is_inside(*operation, is_loop)) {
        let stored = operations_named(operation, memref::STORE);
        if let Some(store) = stored.first() {
            remark(store.location(), SERIAL);
        }
    }
}

/// Whether such an operation is around one.
fn is_inside<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, is_such: impl Fn(OperationRef<'c, 'a>) -> bool) -> bool {
    let mut around = operation.parent_operation();
    while let Some(parent) = around {
        if is_such(parent) {
            return true;
        }
        around = parent.parent_operation();
    }
    false
}
