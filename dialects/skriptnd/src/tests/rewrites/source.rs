//! A module with a function of the operations of a source pattern.

use super::leaves::{Leaf, Leaves, is_prepared, is_variable};
use super::values::{done, extents, present, value};
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
    /// A group has one value more.
    Longer,
    /// The result has another type, where the rule wants that of an operand.
    Retyped,
    /// What is to depend on variables only is an operand of the function.
    Given,
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
    fn operation(&mut self, source: &SourceOperation, leaves: &Leaves<'_>) -> Option<Value<'c, 'a>> {
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
        let mut types = self.types(&name, &operands, &given)?;
        if std::ptr::eq(source, &self.pattern.source) && self.is_retyped() {
            types = vec![types::tensor(types::element(types[0]), &vec![None; types::rank(types[0])? as usize])?];
            self.missed = true;
        }
        let result = self.builder.operation(&name, &operands, &given, &types).ok()?.result(0).ok()?;
        if let Some(symbol) = &source.symbol {
            self.named.insert(symbol.name.clone(), result);
        }
        Some(result)
    }

    /// Whether the root is to have another type, where the rule wants that of an operand.
    fn is_retyped(&self) -> bool {
        let root = self.pattern.source.symbol.as_ref();
        let about = |name: &str| root.is_some_and(|root| root.name == name);
        matches!(self.variant.miss, Some(Miss::Retyped))
            && self.pattern.constraints.iter().any(|extra| {
                extra.constraint.definition == "SameType"
                    && extra.arguments.iter().any(|argument| about(&argument.name))
            })
    }

    fn made(&self, name: &str, operands: &[Value<'c, 'a>], given: &[(&str, Attribute<'c>)]) -> Option<Value<'c, 'a>> {
        let types = self.types(name, operands, given)?;
        self.builder.operation(name, operands, given, &types).ok()?.result(0).ok()
    }

    /// The types of what is made.
    fn types(&self, name: &str, operands: &[Value<'c, 'a>], given: &[(&str, Attribute<'c>)]) -> Option<Vec<Type<'c>>> {
        let context = self.builder.context();
        if name == "skriptnd.constant" {
            return Some(vec![given.first()?.1.r#type()]);
        }
        let attributes = attributes::as_dictionary(attributes::dictionary(context, given))?;
        let operands = operands.to_vec();
        let input = InferenceInput { context, location: None, operands, attributes, regions: Vec::new() };
        operator::infer(name, &input).ok()
    }

    fn operand(
        &mut self,
        operand: &OperandMatch,
        kind: &str,
        arity: Arity,
        leaves: &Leaves<'_>,
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
                // The function has one more argument for this.
                if matches!(self.variant.miss, Some(Miss::Longer)) && arity == Arity::Variadic {
                    values.extend(self.arguments.last());
                    self.missed = true;
                }
                Some(values)
            }
            OperandMatch::Capture { symbol, .. }
                if is_variable(self.pattern, self.variant, symbol.as_ref().map(|symbol| symbol.name.as_str())) =>
            {
                Some(vec![self.variable(&symbol.as_ref()?.name)?])
            }
            OperandMatch::Capture { symbol, .. } if arity == Arity::One => {
                let name = symbol.as_ref().map(|symbol| symbol.name.as_str());
                self.missed |= matches!(self.variant.miss, Some(Miss::Given))
                    && name.is_some_and(|name| is_prepared(self.pattern, name));
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

    /// A variable of the shape that the rule wants.
    fn variable(&self, name: &str) -> Option<Value<'c, 'a>> {
        let context = self.builder.context();
        let shape = extents(&self.pattern.name, name)?.to_vec();
        let r#type = Leaf { name: None, element: self.variant.number, shape }.r#type(context)?;
        let label = attributes::string(context, name);
        self.builder.operation("skriptnd.variable", &[], &[("label", label)], &[r#type]).ok()?.result(0).ok()
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
