//! Whether what a pattern makes is matched by the source of a pattern, as far as that is certain.

use super::index::{ABSENT, Features, attribute_of, constant, operand_of, size_of};
use super::model::{
    AttributeMatch, AttributeTest, OperandMatch, Pattern, Reference, ResultArgument, ResultNode, ResultOperation,
    SourceOperation,
};
use super::overlap::covers;
use crate::{ods::Argument, ods::Operation};

/// What is made by a pattern, and whether it is matched.
pub struct Search<'p> {
    /// The pattern that makes it.
    pub pattern: &'p Pattern,
    /// The operations by their numbers.
    pub operation: &'p dyn Fn(usize) -> Operation,
}

impl<'p> Search<'p> {
    /// The operation in something made that the pattern matches.
    pub fn find(&self, node: &'p ResultNode) -> Option<&'p ResultOperation> {
        let ResultNode::Operation(made) = node else { return None };
        match self.is_matched_by(&self.pattern.source, made) {
            true => Some(made),
            false => nested(made).find_map(|inner| self.find(inner)),
        }
    }

    /// Whether a source certainly matches what is made.
    pub fn is_matched_by(&self, source: &'p SourceOperation, made: &'p ResultOperation) -> bool {
        let mut bound = Vec::new();
        self.matches(source, made, &mut bound) && is_consistent(&bound)
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
                ResultNode::Operation(made) => {
                    index_of(source.symbol.as_ref()) == index_of(made.symbol.as_ref())
                        && self.matches(source, made, bound)
                }
                _ => false,
            },
            // What was matched there is taken over.
            (OperandMatch::Nested(source), ResultArgument::Reference(reference)) => {
                named(&self.pattern.source, &reference.name).is_some_and(|known| {
                    let taken = reference.index.unwrap_or_else(|| index_of(known.symbol.as_ref()));
                    index_of(source.symbol.as_ref()) == taken && covers(source, known)
                })
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

/// Which result of an operation is an operand.
fn index_of(symbol: Option<&Reference>) -> usize {
    symbol.and_then(|symbol| symbol.index).unwrap_or(0)
}

/// What is made as an argument of something made.
pub fn nested(made: &ResultOperation) -> impl Iterator<Item = &ResultNode> {
    let items = made.arguments.iter().flat_map(|argument| match argument {
        ResultArgument::Group(items) => items.as_slice(),
        other => std::slice::from_ref(other),
    });
    items.filter_map(|argument| match argument {
        ResultArgument::Node(inner) => Some(&**inner),
        _ => None,
    })
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

impl Search<'_> {
    /// All that is known of something made, as a source pattern would ask for it.
    pub fn features(&self, made: &ResultOperation) -> Features {
        let mut features = Features::default();
        self.fix_made("", made, &mut features);
        features
    }

    fn fix_made(&self, at: &str, made: &ResultOperation, features: &mut Features) {
        features.operation(at, made.operation);
        for (argument, given) in (self.operation)(made.operation).arguments.iter().zip(&made.arguments) {
            match argument {
                Argument::Operand(index) => self.fix_operand(&operand_of(at, *index), given, features),
                Argument::Attribute(index) => self.fix_attribute(&attribute_of(at, *index), given, features),
                Argument::Property(_) => {}
            }
        }
    }

    fn fix_operand(&self, at: &str, given: &ResultArgument, features: &mut Features) {
        match given {
            ResultArgument::Node(node) => {
                if let ResultNode::Operation(made) = &**node {
                    self.fix_made(at, made, features);
                }
            }
            ResultArgument::Reference(Reference { name, .. }) => {
                if let Some(source) = named(&self.pattern.source, name) {
                    features.source(at, source, true);
                } else if let Some(operand @ OperandMatch::Capture { .. }) = captured(&self.pattern.source, name) {
                    features.operand(at, operand, true);
                }
            }
            ResultArgument::Group(items) => {
                features.fix(&size_of(at), items.len().to_string());
                for (index, item) in items.iter().enumerate() {
                    self.fix_operand(&operand_of(at, index), item, features);
                }
            }
            _ => {}
        }
    }

    fn fix_attribute(&self, at: &str, given: &ResultArgument, features: &mut Features) {
        match given {
            ResultArgument::Absent => features.fix(at, ABSENT),
            ResultArgument::Constant(text) => features.fix(at, constant(text)),
            ResultArgument::Reference(Reference { name, place, .. }) => {
                let test = tested(&self.pattern.source, name).cloned();
                features.attribute(at, &AttributeMatch { symbol: None, test, place: place.clone() }, true);
            }
            _ => {}
        }
    }
}
