//! A module with a function of the operations of a source pattern.

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
        };
        let root = maker.operation(&pattern.source, &leaves)?;
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
        leaves.collect(&pattern.source, operations, &shape(&pattern.name));
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
            OperandMatch::Nested(source) => Some(vec![self.operation(source, leaves)?]),
            OperandMatch::Group { items, .. } => {
                let mut values = Vec::new();
                for item in items {
                    values.extend(self.operand(item, kind, Arity::One, leaves)?);
                }
                Some(values)
            }
            OperandMatch::Capture { symbol, .. } if arity == Arity::One => {
                let known = symbol.as_ref().and_then(|symbol| self.named.get(&symbol.name).copied());
                let value = match known {
                    Some(value) => value,
                    None => {
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

    /// The constant that the rule's conditions ask for.
    fn constant(&self, kind: &str) -> Option<Value<'c, 'a>> {
        let asks =
            |constraint: &str| self.pattern.constraints.iter().any(|extra| extra.constraint.definition == constraint);
        let element = if kind == "SkriptND_Bool" { "i1" } else { self.variant.number };
        let number = match (element, asks("IsOne"), asks("IsNegativeZero")) {
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
        let value = attributes::parse(self.builder.context(), &format!("dense<{number}> : tensor<{element}>"))?;
        self.made("skriptnd.constant", &[], &[("value", value)])
    }

    /// The attribute, if it is given at all; none if there is no value for it.
    fn attribute(
        &self,
        operation: &str,
        declared: &ods::Attribute,
        matched: &AttributeMatch,
        number: usize,
    ) -> Option<Option<Attribute<'c>>> {
        let context = self.builder.context();
        let known = match &matched.test {
            Some(AttributeTest::Absent) => return Some(None),
            Some(AttributeTest::Constant(text)) => Some(text.as_str()),
            _ if self.variant.aligned && declared.name.ends_with("_align") => Some("0 : i64"),
            _ => value(&self.pattern.name, operation, &declared.name, number),
        };
        match known {
            Some(text) => attributes::parse(context, text).map(Some),
            None => (declared.optional || declared.default.is_some()).then_some(None),
        }
    }
}

/// A value that the operators accept and the rule's conditions hold for; `number` counts operations of a kind.
fn value(rule: &str, operation: &str, attribute: &str, number: usize) -> Option<&'static str> {
    let merges = rule.starts_with("Merge");
    Some(match (operation, attribute) {
        ("layout.reshape", "axis") | ("layout.flatten", "axis") | ("layout.unflatten", "axis") => "0 : i64",
        ("layout.reshape", "rank") => "1 : i64",
        ("layout.flatten", "rank") if merges => "2 : i64",
        ("layout.flatten", "rank") => "1 : i64",
        ("layout.reshape" | "layout.unflatten", "shape") if merges => "array<i64: 1, 1>",
        ("layout.reshape" | "layout.unflatten", "shape") => "array<i64: 1>",
        ("layout.squeeze" | "layout.unsqueeze", "axes") if merges => "array<i64: 0>",
        ("layout.squeeze" | "layout.unsqueeze", "axes") => "array<i64>",
        ("layout.broadcast" | "layout.tile", "axes") => "array<i64: 0>",
        ("layout.broadcast", "shape") | ("layout.tile", "repeats") => "array<i64: 1>",
        ("layout.transpose", "axis") => "0 : i64",
        ("layout.transpose", "perm") if merges => "array<i64: 2, 0, 3, 1>",
        ("layout.transpose", "perm") => "array<i64: 0, 1, 2, 3>",
        ("layout.concat", "axis") => "2 : i64",
        ("layout.slice", "axes") => "array<i64: 2>",
        ("layout.slice", "begin") if rule == "SliceLast" => "array<i64: 2>",
        ("layout.slice", "begin") => "array<i64: 0>",
        ("layout.slice", "end") if rule == "SliceLast" => "array<i64: 4>",
        ("layout.slice", "end") => "array<i64: 2>",
        ("layout.pad", "padding") => "array<i64: 0, 0, 0, 0, 0, 0, 0, 0>",
        ("layout.cast", "R") if rule == "CastOfCast" && number == 0 => "i64",
        ("layout.cast", "R") => "f32",
        ("layout.shuffle", "axis") => "1 : i64",
        ("layout.shuffle", "groups") if number == 0 => "2 : i64",
        ("layout.shuffle", "groups") => "4 : i64",
        (_, "block_size") => "array<i64: 2, 2>",
        (_, "blocks_first") => "true",
        (_, "data_format") => "\"NCX\"",
        _ => return None,
    })
}
