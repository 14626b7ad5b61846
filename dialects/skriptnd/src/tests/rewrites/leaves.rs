//! The operands of a source pattern.

use super::source::{Miss, Variant};
use super::values::extents;
use skriptnd_mlir::ir::{Context, Type, types};
use skriptnd_tablegen::drr::{OperandMatch, Pattern, SourceOperation};
use skriptnd_tablegen::ods::{self, Arity};

/// The operands of a source pattern that nothing in it makes, in order.
pub struct Leaves<'p> {
    /// Them.
    pub list: Vec<Leaf>,
    variant: Variant,
    pattern: &'p Pattern,
}

/// An operand.
#[derive(Clone, PartialEq)]
pub struct Leaf {
    /// Its name in the pattern.
    pub name: Option<String>,
    /// The type of its elements.
    pub element: &'static str,
    /// Its extents.
    pub shape: Vec<u64>,
}

impl Leaf {
    /// Its type.
    pub fn r#type<'c>(&self, context: &'c Context) -> Option<Type<'c>> {
        let element = types::parse(context, self.element)?;
        types::tensor(element, &self.shape.iter().map(|extent| Some(*extent)).collect::<Vec<_>>())
    }
}

impl<'p> Leaves<'p> {
    /// Those of a pattern.
    pub fn of(pattern: &'p Pattern, operations: &[ods::Operation], variant: Variant) -> Self {
        let mut leaves = Self { list: Vec::new(), variant, pattern };
        let shape = shape(&pattern.name);
        leaves.collect(&pattern.source, operations, &shape);
        if let Some(Miss::Distinct | Miss::Longer) = variant.miss {
            let element = leaves.list.last().map_or(variant.number, |leaf| leaf.element);
            leaves.list.push(Leaf { name: None, element, shape });
        }
        leaves
    }

    fn collect(&mut self, source: &SourceOperation, operations: &[ods::Operation], shape: &[u64]) {
        let declared = &operations[source.operation];
        for (operand, declared) in source.operands.iter().zip(&declared.operands) {
            self.operand(operand, &declared.constraint.definition, declared.arity, operations, shape);
        }
    }

    fn operand(
        &mut self,
        operand: &OperandMatch,
        kind: &str,
        arity: Arity,
        operations: &[ods::Operation],
        shape: &[u64],
    ) {
        match operand {
            OperandMatch::Nested(source) => self.collect(source, operations, shape),
            OperandMatch::Group { items, .. } => {
                items.iter().for_each(|item| self.operand(item, kind, Arity::One, operations, shape));
            }
            OperandMatch::Capture { symbol, constraint, .. } if arity == Arity::One => {
                let kind = constraint.as_ref().map_or(kind, |constraint| &constraint.definition);
                let element = if kind == "SkriptND_Bool" { "i1" } else { self.variant.number };
                let name = symbol.as_ref().map(|symbol| symbol.name.clone());
                if is_variable(self.pattern, self.variant, name.as_deref()) {
                    return;
                }
                if name.is_none() || self.list.iter().all(|leaf| leaf.name != name) {
                    let is_vector = self.variant.aligned && !self.list.is_empty();
                    let shape = if is_vector { &shape[..1] } else { shape };
                    let own = name.as_deref().and_then(|name| extents(&self.pattern.name, name));
                    self.list.push(Leaf { name, element, shape: own.unwrap_or(shape).to_vec() });
                }
            }
            _ => {}
        }
    }
}

/// Whether the rule wants something to depend on variables only.
pub fn is_prepared(pattern: &Pattern, name: &str) -> bool {
    pattern.constraints.iter().any(|extra| {
        extra.constraint.definition == "IsPrepared" && extra.arguments.iter().any(|argument| argument.name == name)
    })
}

/// Whether a variable stands for an operand of the pattern.
pub fn is_variable(pattern: &Pattern, variant: Variant, name: Option<&str>) -> bool {
    !matches!(variant.miss, Some(Miss::Given)) && name.is_some_and(|name| is_prepared(pattern, name))
}

/// Extents that fit the rule: blocks, singular dimensions, or any.
fn shape(rule: &str) -> Vec<u64> {
    match rule {
        _ if rule.starts_with("Merge") && rule != "MergeTransposes" && rule != "MergeRelus" => vec![1, 1, 1, 2, 3],
        "RemoveSqueeze" | "RemoveUnsqueeze" | "RemoveReshape" | "RemoveFlatten" | "RemoveUnflatten" | "RemoveTile"
        | "RemoveBroadcast" => vec![1, 2, 3],
        "ShuffleBack" => vec![2, 8, 3],
        _ => vec![4, 8, 2, 4],
    }
}
