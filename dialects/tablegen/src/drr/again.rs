//! Patterns that match what they make.

use super::model::{
    AttributeMatch, AttributeTest, OperandMatch, Pattern, Reference, ResultArgument, ResultNode, ResultOperation,
    SourceOperation,
};
use super::overlap::covers;
use crate::{error::Diagnostic, ods::Argument, ods::Operation};

/// A warning about a pattern that certainly matches an operation that it makes, and so never ends.
pub fn warning(pattern: &Pattern, operation: impl Fn(usize) -> Operation) -> Option<Diagnostic> {
    // What must hold besides may differ for what is made.
    if !pattern.constraints.is_empty() {
        return None;
    }
    let search = Search { pattern, operation: &operation };
    let made = pattern.results.iter().find_map(|node| search.find(node))?;
    let message = format!(
        "pattern '{}' matches the '{}' that it makes, so that it applies without end",
        pattern.name,
        operation(made.operation).name()
    );
    Some(Diagnostic::warning(made.place.clone(), message))
}

struct Search<'p> {
    pattern: &'p Pattern,
    operation: &'p dyn Fn(usize) -> Operation,
}

impl<'p> Search<'p> {
    /// The operation in something made that the pattern matches.
    fn find(&self, node: &'p ResultNode) -> Option<&'p ResultOperation> {
        let ResultNode::Operation(made) = node else { return None };
        let mut bound = Vec::new();
        if self.matches(&self.pattern.source, made, &mut bound) && is_consistent(&bound) {
            return Some(made);
        }
        made.arguments.iter().find_map(|argument| match argument {
            ResultArgument::Node(inner) => self.find(inner),
            _ => None,
        })
    }

    /// Whether a source certainly matches what is made; what its names would be bound to is noted.
    fn matches(
        &self,
        source: &'p SourceOperation,
        made: &'p ResultOperation,
        bound: &mut Vec<(&'p str, Option<&'p Reference>)>,
    ) -> bool {
        let declared = (self.operation)(source.operation);
        source.operation == made.operation
            && declared.arguments.len() == made.arguments.len()
            && declared.arguments.iter().zip(&made.arguments).all(|(argument, given)| match argument {
                Argument::Operand(index) => {
                    source.operands.get(*index).is_some_and(|operand| self.operand(operand, given, bound))
                }
                Argument::Attribute(index) => {
                    source.attributes.get(*index).is_some_and(|attribute| self.attribute(attribute, given, bound))
                }
                Argument::Property(_) => false,
            })
    }

    fn operand(
        &self,
        operand: &'p OperandMatch,
        given: &'p ResultArgument,
        bound: &mut Vec<(&'p str, Option<&'p Reference>)>,
    ) -> bool {
        match (operand, given) {
            (OperandMatch::Capture { symbol, constraint, .. }, given) => {
                note(symbol.as_ref(), given, bound);
                match (constraint, given) {
                    (None, _) => true,
                    (Some(wanted), ResultArgument::Reference(reference)) => {
                        captured(&self.pattern.source, &reference.name).is_some_and(|known| match known {
                            OperandMatch::Capture { constraint, .. } => constraint.as_ref() == Some(wanted),
                            _ => false,
                        })
                    }
                    _ => false,
                }
            }
            (OperandMatch::Nested(source), ResultArgument::Node(node)) => match node.as_ref() {
                ResultNode::Operation(made) => self.matches(source, made, bound),
                _ => false,
            },
            // What was matched there is taken over.
            (OperandMatch::Nested(source), ResultArgument::Reference(reference)) => {
                named(&self.pattern.source, &reference.name).is_some_and(|known| covers(source, known))
            }
            (OperandMatch::Group { symbol: None, items, .. }, ResultArgument::Group(given)) => {
                items.len() == given.len()
                    && items.iter().zip(given).all(|(item, given)| self.operand(item, given, bound))
            }
            _ => false,
        }
    }

    fn attribute(
        &self,
        attribute: &'p AttributeMatch,
        given: &'p ResultArgument,
        bound: &mut Vec<(&'p str, Option<&'p Reference>)>,
    ) -> bool {
        note(attribute.symbol.as_ref(), given, bound);
        match (&attribute.test, given) {
            (None, ResultArgument::Absent) => attribute.symbol.is_none(),
            (None, _) => true,
            (Some(AttributeTest::Absent), ResultArgument::Absent) => true,
            (Some(AttributeTest::Constant(wanted)), ResultArgument::Constant(given)) => wanted == given,
            (Some(wanted), ResultArgument::Reference(reference)) => tested(&self.pattern.source, &reference.name)
                .is_some_and(|known| match (wanted, known) {
                    (AttributeTest::Constant(wanted), AttributeTest::Constant(known)) => wanted == known,
                    (AttributeTest::Constraint(wanted), AttributeTest::Constraint(known)) => wanted == known,
                    _ => false,
                }),
            _ => false,
        }
    }
}

fn note<'p>(
    symbol: Option<&'p Reference>,
    given: &'p ResultArgument,
    bound: &mut Vec<(&'p str, Option<&'p Reference>)>,
) {
    if let Some(symbol) = symbol {
        let reference = match given {
            ResultArgument::Reference(reference) => Some(reference),
            _ => None,
        };
        bound.push((&symbol.name, reference));
    }
}

/// Whether names that stand twice would be bound to the same.
fn is_consistent(bound: &[(&str, Option<&Reference>)]) -> bool {
    bound.iter().enumerate().all(|(index, (name, given))| {
        bound[..index].iter().filter(|(other, _)| other == name).all(|(_, other)| match (given, other) {
            (Some(given), Some(other)) => given.name == other.name && given.index == other.index,
            _ => false,
        })
    })
}

/// The operation inside of a match that has a name.
fn named<'p>(source: &'p SourceOperation, name: &str) -> Option<&'p SourceOperation> {
    source.operands.iter().find_map(|operand| match operand {
        OperandMatch::Nested(inner) if inner.symbol.as_ref().is_some_and(|symbol| symbol.name == name) => {
            Some(&**inner)
        }
        OperandMatch::Nested(inner) => named(inner, name),
        _ => None,
    })
}

/// The operand that a name is bound to.
fn captured<'p>(source: &'p SourceOperation, name: &str) -> Option<&'p OperandMatch> {
    fn inside<'p>(operand: &'p OperandMatch, name: &str) -> Option<&'p OperandMatch> {
        match operand {
            OperandMatch::Capture { symbol, .. } => {
                symbol.as_ref().is_some_and(|symbol| symbol.name == name).then_some(operand)
            }
            OperandMatch::Nested(source) => captured(source, name),
            OperandMatch::Group { items, .. } => items.iter().find_map(|item| inside(item, name)),
            OperandMatch::Native(_) => None,
        }
    }
    source.operands.iter().find_map(|operand| inside(operand, name))
}

/// What the attribute that a name is bound to must fulfil.
fn tested<'p>(source: &'p SourceOperation, name: &str) -> Option<&'p AttributeTest> {
    let here = source.attributes.iter().find(|attribute| attribute.symbol.as_ref().is_some_and(|it| it.name == name));
    here.and_then(|attribute| attribute.test.as_ref()).or_else(|| {
        source.operands.iter().find_map(|operand| match operand {
            OperandMatch::Nested(source) => tested(source, name),
            OperandMatch::Group { items, .. } => items.iter().find_map(|item| match item {
                OperandMatch::Nested(source) => tested(source, name),
                _ => None,
            }),
            _ => None,
        })
    })
}
