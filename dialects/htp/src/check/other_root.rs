//! Replacements that are never like the root: what takes a node's place has its size and type, which the constraint may rule out.

use super::constant::whole;
use super::diagnostics;
use super::truth::Facts;
use crate::apply::plan::MAX_RANK;
use crate::grammar::model::*;
use skriptnd_source::diagnostics::Diagnostics;

/// Warns of a rule whose replacement has a size or a type that the root has not where the constraint holds.
pub fn check(rule: &Rule, found: &mut Diagnostics) {
    let mut facts = Facts::default();
    if facts.add(&rule.constraint, false, &rule.pattern).is_some() {
        return;
    }
    let Some((shape, dtype)) = given(&rule.replacement) else { return };
    if let Some(shape) = shape.filter(|shape| is_ruled_out(shape, &facts)) {
        found.push(diagnostics::other_than_root(shape.span, "size"));
    }
    let (Some(Expr { kind: ExprKind::DType(tag), span, .. }), Some(known)) = (dtype, facts.dtype_of_root()) else {
        return;
    };
    if !(known.least..=known.most).contains(&(*tag as i128)) {
        found.push(diagnostics::other_than_root(*span, "type"));
    }
}

/// What modifiers say of the op that takes the root's place; `None` where that is not known.
fn given(replacement: &Replacement) -> Option<(Option<&Replacement>, Option<&Expr>)> {
    let (mut shape, mut dtype, mut part) = (None, None, replacement);
    loop {
        match &part.kind {
            ReplacementKind::Modified(modifier, body) => {
                match modifier {
                    Modifier::Size(size) => shape = Some(&**size),
                    Modifier::OutputType(tag, ..) => dtype = Some(&**tag),
                    Modifier::Type(_) => dtype = None,
                    Modifier::SameOutput(_) => (shape, dtype) = (None, None),
                    Modifier::ResizeDim(..) => shape = None,
                    Modifier::MultiOut(_) => return None,
                    Modifier::SameId(_) | Modifier::SplitHistory(..) => {}
                }
                part = body;
            }
            ReplacementKind::Op(name, _) => return (!name.text.starts_with('$')).then_some((shape, dtype)),
            ReplacementKind::Slice(_, _, size) => return Some((Some(size), None)),
            _ => return None,
        }
    }
}

/// Whether a shape of constants has an extent that the root has not.
fn is_ruled_out(shape: &Replacement, facts: &Facts) -> bool {
    let ReplacementKind::Constant(ConstantBuilder::Shape(extents)) = &shape.kind else { return false };
    (0..MAX_RANK).any(|dimension| {
        // Beyond the rank extents read as 0.
        let extent = match usize::try_from(dimension).ok().and_then(|at| extents.get(at)) {
            Some(extent) => whole(extent),
            None => Some(0),
        };
        let known = facts.extent_of_root(dimension.into());
        extent.zip(known).is_some_and(|(extent, known)| !(known.least..=known.most).contains(&extent))
    })
}
