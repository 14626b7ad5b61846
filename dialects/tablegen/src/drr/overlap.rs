//! Patterns that never apply, and such that are told apart by their order alone.

use super::model::{AttributeMatch, AttributeTest, OperandMatch, Pattern, SourceOperation};
use crate::error::Diagnostic;

/// Warnings about patterns, which stand in the order in which they are tried.
pub fn warnings(patterns: &[Pattern]) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    for (index, late) in patterns.iter().enumerate() {
        let same_root = |early: &&Pattern| early.source.operation == late.source.operation && early.place != late.place;
        let mut earlier = patterns[..index].iter().filter(same_root);
        if let Some(early) = earlier.clone().find(|early| always_first(early, late)) {
            let message = format!(
                "pattern '{}' never applies: '{}' matches whatever it matches and goes first",
                late.name, early.name
            );
            warnings.push(Diagnostic::warning(late.place.clone(), message));
            continue;
        }
        let meets = |early: &&Pattern| early.benefit == late.benefit && overlap(&early.source, &late.source);
        if let Some(early) = earlier.find(meets) {
            let message = format!(
                "patterns '{}' and '{}' of benefit {} may match at one operation: the first of the file goes first",
                early.name, late.name, late.benefit
            );
            warnings.push(Diagnostic::warning(late.place.clone(), message));
        }
    }
    warnings
}

/// Whether one pattern matches whatever the other does, without a condition.
fn always_first(early: &Pattern, late: &Pattern) -> bool {
    early.constraints.is_empty() && covers(&early.source, &late.source) && !repeats(&early.source)
}

/// Whether the more general pattern matches whatever the other one does.
pub fn covers(general: &SourceOperation, special: &SourceOperation) -> bool {
    general.operation == special.operation
        && general.operands.iter().zip(&special.operands).all(|(general, special)| match (general, special) {
            (OperandMatch::Capture { constraint: None, .. }, _) => true,
            (
                OperandMatch::Capture { constraint: Some(left), .. },
                OperandMatch::Capture { constraint: Some(right), .. },
            ) => left == right,
            (OperandMatch::Nested(general), OperandMatch::Nested(special)) => covers(general, special),
            _ => false,
        })
        && general.attributes.iter().zip(&special.attributes).all(|(general, special)| {
            match (&general.test, &special.test) {
                (None, _) => true,
                (Some(AttributeTest::Constant(left)), Some(AttributeTest::Constant(right))) => left == right,
                (Some(AttributeTest::Absent), Some(AttributeTest::Absent)) => true,
                (Some(AttributeTest::Constraint(left)), Some(AttributeTest::Constraint(right))) => left == right,
                _ => false,
            }
        })
}

/// Whether a name stands twice, which compares.
fn repeats(source: &SourceOperation) -> bool {
    let mut names = Vec::new();
    collect(source, &mut names);
    names.sort();
    names.windows(2).any(|pair| pair[0] == pair[1])
}

fn collect(source: &SourceOperation, names: &mut Vec<String>) {
    names.extend(source.symbol.iter().map(|symbol| symbol.name.clone()));
    names.extend(
        source.attributes.iter().filter_map(|attribute| attribute.symbol.as_ref()).map(|symbol| symbol.name.clone()),
    );
    source.operands.iter().for_each(|operand| collect_operand(operand, names));
}

fn collect_operand(operand: &OperandMatch, names: &mut Vec<String>) {
    match operand {
        OperandMatch::Capture { symbol, .. } => names.extend(symbol.iter().map(|symbol| symbol.name.clone())),
        OperandMatch::Nested(source) => collect(source, names),
        OperandMatch::Group { items, .. } => items.iter().for_each(|item| collect_operand(item, names)),
        OperandMatch::Native(_) => {}
    }
}

/// Whether an operation may be matched by both, as far as operations, constants and numbers of operands tell.
fn overlap(left: &SourceOperation, right: &SourceOperation) -> bool {
    left.operation == right.operation
        && left.operands.iter().zip(&right.operands).all(|(left, right)| operands_overlap(left, right))
        && left.attributes.iter().zip(&right.attributes).all(|(left, right)| attributes_overlap(left, right))
}

fn operands_overlap(left: &OperandMatch, right: &OperandMatch) -> bool {
    match (left, right) {
        (OperandMatch::Nested(left), OperandMatch::Nested(right)) => overlap(left, right),
        (OperandMatch::Group { items: left, .. }, OperandMatch::Group { items: right, .. }) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| operands_overlap(left, right))
        }
        (OperandMatch::Group { items, .. }, OperandMatch::Nested(_))
        | (OperandMatch::Nested(_), OperandMatch::Group { items, .. }) => items.len() == 1,
        _ => true,
    }
}

fn attributes_overlap(left: &AttributeMatch, right: &AttributeMatch) -> bool {
    match (&left.test, &right.test) {
        (Some(AttributeTest::Constant(left)), Some(AttributeTest::Constant(right))) => left == right,
        (Some(AttributeTest::Absent), Some(AttributeTest::Constant(_)))
        | (Some(AttributeTest::Constant(_)), Some(AttributeTest::Absent)) => false,
        _ => true,
    }
}
