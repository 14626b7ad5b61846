//! A module with a function of the operations of a source pattern.

use super::values::{done, present, value};
use crate::operator;
use skriptnd_mlir::dialect::InferenceInput;
use skriptnd_mlir::ir::{Attribute, Builder, Context, Location, Module, Type, Value, attributes, types};
use skriptnd_mlir::ops::func;
use skriptnd_tablegen::drr::{AttributeMatch, AttributeTest, OperandMatch, Pattern, SourceOperation};
use skriptnd_tablegen::ods::{self, Argument, Arity};
use std::collections::HashMap;

/// Which operands and attributes a source pattern is given.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// The type of numbers.
    pub number: &'static str,
    /// Operands after the first are vectors, and every alignment that the pattern leaves open is the first dimension.
    pub aligned: bool,
    /// What keeps the graph from matching.
    pub miss: Option<Miss>,
}

/// One thing by which a graph misses a source pattern.
#[derive(Clone, Copy, Debug)]
pub enum Miss {
    /// Another operation stands behind the nested operation of this number.
    Interrupted(usize),
    /// What the pattern wants twice is two operands.
    Distinct,
    /// Attributes that are to be absent are there.
    Present,
    /// Constants are others.
    Constant,
    /// Attributes say that something is done, where the rule wants nothing to be done.
    Done,
}

/// A function that computes the source pattern of its arguments, for the first choice of attributes for which the operators
/// accept it and the rule's conditions can hold.
pub fn module<'c>(
    context: &'c Context,
    pattern: &Pattern,
    operations: &[ods::Operation],
    variant: Variant,
) -> Option<Module<'c>> {
    let leaves = Leaves::of(pattern, operations, variant);
    let module = Module::new(Location::unknown(context));
    let types: Vec<Type<'c>> = leaves.list.iter().map(|leaf| leaf.r#type(context)).collect::<Option<_>>()?;
    let top = Builder::at_end(module.body(), Location::unknown(context));
    let made = {
        let body = func::func(&top, "f", &types, &[], &[]).ok()?;
        let mut maker = Maker {
            pattern,
            operations,
            variant,
            builder: body.builder,
            arguments: body.arguments.clone(),
            next: 0,
            named: HashMap::new(),
            numbered: HashMap::new(),
            nested: 0,
            missed: variant.miss.is_none(),
        };
        let root = maker.operation(&pattern.source, &leaves)?;
        if !maker.missed {
            return None;
        }
        // Its users keep the root alive.
        body.builder.operation("func.return", &[root], &[], &[]).is_ok()
    };
    made.then_some(module)
}

/// The operands of a source pattern that nothing in it makes, in order.
struct Leaves {
    list: Vec<Leaf>,
    variant: Variant,
}

#[derive(Clone, PartialEq)]
struct Leaf {
    name: Option<String>,
    element: &'static str,
    shape: Vec<u64>,
}

impl Leaf {
    fn r#type<'c>(&self, context: &'c Context) -> Option<Type<'c>> {
        let element = types::parse(context, self.element)?;
        types::tensor(element, &self.shape.iter().map(|extent| Some(*extent)).collect::<Vec<_>>())
    }
}

impl Leaves {
    fn of(pattern: &Pattern, operations: &[ods::Operation], variant: Variant) -> Self {
        let mut leaves = Self { list: Vec::new(), variant };
        let shape = shape(&pattern.name);
        leaves.collect(&pattern.source, operations, &shape);
        if let Some(Miss::Distinct) = variant.miss {
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
                if name.is_none() || self.list.iter().all(|leaf| leaf.name != name) {
                    let is_vector = self.variant.aligned && !self.list.is_empty();
                    let shape = if is_vector { &shape[..1] } else { shape };
                    self.list.push(Leaf { name, element, shape: shape.to_vec() });
                }
            }
            _ => {}
        }
    }
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

struct Maker<'m, 'c, 'a> {
    pattern: &'m Pattern,
    operations: &'m [ods::Operation],
    variant: Variant,
    builder: Builder<'c, 'a>,
    arguments: Vec<Value<'c, 'a>>,
    next: usize,
    named: HashMap<String, Value<'c, 'a>>,
    /// How many operations of a kind were made.
    numbered: HashMap<String, usize>,
    /// How many nested operations were made.
    nested: usize,
    /// Whether the graph misses the pattern as the variant says.
    missed: bool,
}

impl<'c: 'a, 'a> Maker<'_, 'c, 'a> {
    fn operation(&mut self, source: &SourceOperation, leaves: &Leaves) -> Option<Value<'c, 'a>> {
        let declared = &self.operations[source.operation];
        let name = declared.name();
        let mut operands = Vec::new();
        let mut segments = Vec::new();
        for (operand, declaration) in source.operands.iter().zip(&declared.operands) {
            let kind = &declaration.constraint.definition;
            let values = self.operand(operand, kind, declaration.arity, leaves)?;
            segments.push(values.len() as i32);
            operands.extend(values);
        }
        let number = *self.numbered.entry(declared.mnemonic.clone()).and_modify(|number| *number += 1).or_insert(0);
        let mut given = Vec::new();
        for argument in &declared.arguments {
            if let Argument::Attribute(index) = argument {
                let attribute = &declared.attributes[*index];
                let value = self.attribute(&declared.mnemonic, attribute, &source.attributes[*index], number)?;
                given.extend(value.map(|value| (attribute.name.as_str(), value)));
            }
        }
        let context = self.builder.context();
        if declared.has_trait("AttrSizedOperandSegments") {
            given.push(("operandSegmentSizes", attributes::segment_sizes(context, &segments)));
        }
        let result = self.made(&name, &operands, &given)?;
        if let Some(symbol) = &source.symbol {
            self.named.insert(symbol.name.clone(), result);
        }
        Some(result)
    }

    fn made(&self, name: &str, operands: &[Value<'c, 'a>], given: &[(&str, Attribute<'c>)]) -> Option<Value<'c, 'a>> {
        let context = self.builder.context();
        let types = if name == "skriptnd.constant" {
            vec![given.first()?.1.r#type()]
        } else {
            let dictionary = attributes::dictionary(context, given);
            let attributes = attributes::as_dictionary(dictionary)?;
            let input = InferenceInput {
                context,
                location: None,
                operands: operands.to_vec(),
                attributes,
                regions: Vec::new(),
            };
            operator::infer(name, &input).ok()?
        };
        self.builder.operation(name, operands, given, &types).ok()?.result(0).ok()
    }

    fn operand(
        &mut self,
        operand: &OperandMatch,
        kind: &str,
        arity: Arity,
        leaves: &Leaves,
    ) -> Option<Vec<Value<'c, 'a>>> {
        match operand {
            OperandMatch::Nested(source) if self.operations[source.operation].mnemonic == "constant" => {
                Some(vec![self.constant(kind)?])
            }
            OperandMatch::Nested(source) => {
                let made = self.operation(source, leaves)?;
                Some(vec![self.interrupted(made)?])
            }
            OperandMatch::Group { items, .. } => {
                let mut values = Vec::new();
                for item in items {
                    values.extend(self.operand(item, kind, Arity::One, leaves)?);
                }
                Some(values)
            }
            OperandMatch::Capture { symbol, .. } if arity == Arity::One => {
                let known = symbol.as_ref().and_then(|symbol| self.named.get(&symbol.name).copied());
                let value = match (known, self.variant.miss) {
                    // The function has one more argument for this.
                    (Some(known), Some(Miss::Distinct)) if !self.missed => {
                        self.missed = true;
                        *self.arguments.last().filter(|other| other.r#type() == known.r#type())?
                    }
                    (Some(value), _) => value,
                    (None, _) => {
                        self.next += 1;
                        *self.arguments.get(self.next - 1)?
                    }
                };
                if let Some(symbol) = symbol {
                    self.named.insert(symbol.name.clone(), value);
                }
                Some(vec![value])
            }
            OperandMatch::Capture { .. } => Some(Vec::new()),
            OperandMatch::Native(_) => None,
        }
    }

    /// A nested operation, or another one behind it.
    fn interrupted(&mut self, value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        self.nested += 1;
        match self.variant.miss {
            Some(Miss::Interrupted(number)) if number + 1 == self.nested => {}
            _ => return Some(value),
        }
        self.missed = true;
        match types::element(value.r#type()).to_string().as_str() {
            "i1" => self.made("skriptnd.math.and", &[value, value], &[]),
            "i64" => self.made("skriptnd.math.neg", &[value], &[]),
            _ => self.made("skriptnd.math.sin", &[value], &[]),
        }
    }

    /// The constant that the rule's conditions ask for.
    fn constant(&mut self, kind: &str) -> Option<Value<'c, 'a>> {
        let asks =
            |constraint: &str| self.pattern.constraints.iter().any(|extra| extra.constraint.definition == constraint);
        let element = if kind == "SkriptND_Bool" { "i1" } else { self.variant.number };
        let is_other = matches!(self.variant.miss, Some(Miss::Constant));
        let number = match (element, asks("IsOne"), asks("IsNegativeZero")) {
            ("i1", is_one, _) if is_other => {
                if is_one {
                    "false"
                } else {
                    "true"
                }
            }
            ("f32", ..) if is_other => "2.0",
            _ if is_other => "2",
            ("i1", is_one, _) => {
                if is_one {
                    "true"
                } else {
                    "false"
                }
            }
            ("f32", true, _) => "1.0",
            ("f32", _, true) => "-0.0",
            ("f32", ..) => "0.0",
            (_, true, _) => "1",
            _ => "0",
        };
        self.missed |= is_other;
        let value = attributes::parse(self.builder.context(), &format!("dense<{number}> : tensor<{element}>"))?;
        self.made("skriptnd.constant", &[], &[("value", value)])
    }

    /// Whether the attribute of the only operation of a pattern is to say that something is done.
    fn does(&self, operation: &str, attribute: &str) -> bool {
        let is_nested = |operand: &OperandMatch| matches!(operand, OperandMatch::Nested(_));
        let is_alone = !self.pattern.source.operands.iter().any(is_nested);
        is_alone && matches!(self.variant.miss, Some(Miss::Done)) && done(operation, attribute).is_some()
    }

    /// The attribute, if it is given at all; none if there is no value for it.
    fn attribute(
        &mut self,
        operation: &str,
        declared: &ods::Attribute,
        matched: &AttributeMatch,
        number: usize,
    ) -> Option<Option<Attribute<'c>>> {
        let context = self.builder.context();
        let known = match &matched.test {
            Some(AttributeTest::Absent) if matches!(self.variant.miss, Some(Miss::Present)) => {
                let Some(present) = present(&declared.name) else { return Some(None) };
                self.missed = true;
                Some(present)
            }
            Some(AttributeTest::Absent) => return Some(None),
            Some(AttributeTest::Constant(text)) => Some(text.as_str()),
            _ if self.does(operation, &declared.name) => {
                self.missed = true;
                done(operation, &declared.name)
            }
            _ if self.variant.aligned && declared.name.ends_with("_align") => Some("0 : i64"),
            _ => value(&self.pattern.name, operation, &declared.name, number),
        };
        match known {
            Some(text) => attributes::parse(context, text).map(Some),
            None => (declared.optional || declared.default.is_some()).then_some(None),
        }
    }
}
