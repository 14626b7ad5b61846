//! How many outputs a rule replaces.

use super::model::{ExprKind, Modifier, Replacement, ReplacementKind, Rule};

/// Outputs that the root of a match may have.
const MOST: i64 = 64;

/// The number of outputs of a replaced root: one, and what `WITH_MULTI_OUT` around the whole replacement says. Output by
/// output is then replaced.
pub fn root_outputs(rule: &Rule) -> Option<usize> {
    let ReplacementKind::Modified(Modifier::MultiOut(count), body) = &rule.replacement.kind else { return None };
    let is_op = matches!(body.as_ref(), Replacement { kind: ReplacementKind::Op(..), .. });
    match count.kind {
        ExprKind::Integer(count) if is_op && (2..=MOST).contains(&count) => usize::try_from(count).ok(),
        _ => None,
    }
}
