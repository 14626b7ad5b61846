//! Patterns that match what they make, by themselves or by way of others.

use super::{circles::Circles, model::Pattern, taken::Search};
use crate::{error::Diagnostic, ods::Operation};

/// Warnings about patterns that certainly never end: each matches what it makes, or what others make of that. The patterns
/// stand in the order in which they are tried; some of them may never be.
pub fn warnings(
    patterns: &[Pattern],
    is_tried: impl Fn(usize) -> bool,
    operation: &dyn Fn(usize) -> Operation,
) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    // What must hold besides may differ for what is made.
    let mut plain: Vec<usize> = (0..patterns.len()).filter(|index| patterns[*index].constraints.is_empty()).collect();
    plain.retain(|index| match alone(&patterns[*index], operation) {
        Some(warning) => {
            warnings.push(warning);
            false
        }
        None => is_tried(*index),
    });
    let makers: Vec<&Pattern> = plain.into_iter().map(|index| &patterns[index]).collect();
    warnings.extend(Circles::new(&makers, operation).warnings());
    warnings
}

/// A warning about a pattern that matches an operation that it makes.
fn alone(pattern: &Pattern, operation: &dyn Fn(usize) -> Operation) -> Option<Diagnostic> {
    let search = Search { pattern, operation };
    let made = pattern.results.iter().find_map(|node| search.find(node))?;
    let message = format!(
        "pattern '{}' matches the '{}' that it makes, so that it applies without end",
        pattern.definition,
        operation(made.operation).name()
    );
    Some(Diagnostic::warning(made.place.clone(), message))
}
