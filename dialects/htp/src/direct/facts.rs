//! What expressions say of a match in a plain graph.

use super::graph::{Output, PlainGraph};
use super::values::{Value, calculate, combine, compare};
use crate::apply::{Argument, Elements, Environment, OutputDef, Scope};
use crate::grammar::model::*;
use crate::layout;

/// What a match has found.
#[derive(Debug)]
pub struct Match<'r> {
    pub root: Output,
    pub tags: Vec<(&'r str, Output)>,
}

impl Match<'_> {
    pub fn tag(&self, name: &str) -> Option<Output> {
        self.tags.iter().find(|(tag, _)| *tag == name).map(|(_, output)| *output)
    }
}

/// What expressions can ask.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    pub graph: &'a PlainGraph,
    pub found: &'a Match<'a>,
    pub environment: &'a Environment,
    /// The splits and iterations around, the innermost last.
    pub scopes: &'a [Scope],
}

impl Facts<'_> {
    /// The value of an expression; `None` if it has none.
    pub fn value(&self, expr: &Expr) -> Option<Value> {
        Some(match &expr.kind {
            ExprKind::Bool(value) => Value::Truth(*value),
            ExprKind::Integer(value) if expr.ty == Type::Size => Value::size((*value).into()),
            ExprKind::Integer(value) => Value::int((*value).into()),
            ExprKind::Float(value) => Value::Real(*value),
            ExprKind::DType(tag) => Value::Tag(*tag),
            ExprKind::ChunkSize(class, dimension) => Value::size(layout::chunk_size(class, *dimension)?.into()),
            ExprKind::Option(name) => Value::of(self.environment.options.value(name)).cast(expr.ty)?,
            ExprKind::Cast(inner) => self.value(inner)?.cast(expr.ty)?,
            ExprKind::Not(inner) => Value::Truth(!self.truth(inner)?),
            ExprKind::Neg(inner) => self.value(inner)?.negated()?,
            ExprKind::Abs(inner) => self.value(inner)?.absolute()?,
            ExprKind::IsPow2(inner) => Value::Truth(self.value(inner)?.is_power_of_two()?),
            ExprKind::Select(condition, first, second) => {
                self.value(if self.truth(condition)? { first } else { second })?.cast(expr.ty)?
            }
            ExprKind::Reduce(how, operands) => self.reduction(*how, operands)?,
            ExprKind::Arithmetic(how, a, b) => calculate(*how, self.value(a)?, self.value(b)?)?,
            ExprKind::Compare(how, a, b) => Value::Truth(compare(*how, self.value(a)?, self.value(b)?)?),
            ExprKind::Property(property, of) => self.property(*property, self.operand(of)?)?,
            ExprKind::DimOf(of, index) => {
                let dims = &self.output(of)?.dims;
                let place = usize::try_from(self.whole(index)?).unwrap_or(dims.len());
                Value::size(dims.get(place).map_or(0, |extent| (*extent).into()))
            }
            ExprKind::Same(what, a, b) => Value::Truth(self.same(*what, self.operand(a)?, self.operand(b)?)),
            ExprKind::ConstantValue(query, of, index) => {
                let elements = self.graph.node(self.operand(of)?.node).elements.as_ref();
                element(*query, elements, self.whole(index)?)
            }
            ExprKind::Split(variable, tag) => {
                let scope = self.scope(tag)?;
                let value = match variable {
                    SplitVariable::Dim => scope.dimension,
                    SplitVariable::Start => scope.start,
                    SplitVariable::Size => scope.size,
                };
                Value::size(value.into())
            }
            ExprKind::External(function, operand, values) => {
                let node = self.operand(operand)?;
                let argument =
                    Argument::Node(self.output(operand)?.clone(), self.graph.node(node.node).elements.clone());
                let values =
                    values.iter().map(|value| Some(self.value(value)?.scalar())).collect::<Option<Vec<_>>>()?;
                Value::Truth(self.environment.functions.constraint(function, &argument, &values)?)
            }
        })
    }

    pub fn truth(&self, expr: &Expr) -> Option<bool> {
        self.value(expr)?.truth()
    }

    pub fn whole(&self, expr: &Expr) -> Option<i128> {
        self.value(expr)?.whole()
    }

    /// The split or iteration of a tag.
    pub fn scope(&self, tag: &str) -> Option<&Scope> {
        self.scopes.iter().rfind(|scope| scope.tag == tag)
    }

    /// From left to right; what is decided is not looked at further.
    fn reduction(&self, how: Reduction, operands: &[Expr]) -> Option<Value> {
        let (first, rest) = operands.split_first()?;
        let mut value = self.value(first)?;
        for operand in rest {
            match (how, value) {
                (Reduction::And, Value::Truth(false)) | (Reduction::Or, Value::Truth(true)) => break,
                _ => value = combine(how, value, self.value(operand)?)?,
            }
        }
        Some(value)
    }

    fn property(&self, property: Property, of: Output) -> Option<Value> {
        let node = self.graph.node(of.node);
        let output = &node.outputs[of.index];
        Some(match property {
            Property::Rank => Value::size(output.dims.len() as i128),
            Property::StepSize => Value::Real(output.encoding.step_size()?),
            Property::ZeroOffset => Value::int(output.encoding.zero_offset()?.into()),
            Property::DType => Value::Tag(output.encoding.dtype()),
            Property::ElementSize => Value::size(output.encoding.dtype().element_size().into()),
            Property::Inputs => Value::size(node.inputs.len() as i128),
            Property::Outputs => Value::size(node.outputs.len() as i128),
        })
    }

    fn same(&self, what: Sameness, a: Output, b: Output) -> bool {
        let [first, second] = [a, b].map(|of| &self.graph.node(of.node).outputs[of.index]);
        let (x, y) = (&first.encoding, &second.encoding);
        match what {
            Sameness::Op => a == b,
            Sameness::Shape => first.dims == second.dims,
            Sameness::Encoding => x == y,
        }
    }

    fn output(&self, operand: &OperandRef) -> Option<&OutputDef> {
        let of = self.operand(operand)?;
        self.graph.node(of.node).outputs.get(of.index)
    }

    /// The node that is named.
    pub fn operand(&self, operand: &OperandRef) -> Option<Output> {
        match &operand.kind {
            OperandRefKind::Root => Some(self.found.root),
            OperandRefKind::Tag(tag) => self.found.tag(tag),
            OperandRefKind::Input(of, index) => {
                let place = usize::try_from(self.whole(index)?).ok()?;
                self.graph.node(self.operand(of)?.node).inputs.get(place).copied()
            }
            OperandRefKind::Output(of, index) => {
                let (node, place) = (self.operand(of)?.node, usize::try_from(self.whole(index)?).ok()?);
                (place < self.graph.node(node).outputs.len()).then(|| node.output(place))
            }
            OperandRefKind::Select(condition, first, second) => {
                self.operand(if self.truth(condition)? { first } else { second })
            }
        }
    }
}

/// What is at a place of a constant: the least `int` or no number if there is nothing.
fn element(query: ConstantQuery, elements: Option<&Elements>, place: i128) -> Value {
    let place = usize::try_from(place).ok();
    let int_of = |real: f64| (real == f64::from(real as i32)).then_some(i128::from(real as i32));
    let (real, int) = match (elements, place) {
        (Some(Elements::Ints(all)), Some(place)) => {
            let value = all.get(place).copied();
            (value.map(|value| value as f32), value.and_then(|value| i32::try_from(value).ok()).map(i128::from))
        }
        (Some(Elements::Reals(all)), Some(place)) => {
            let value = all.get(place).copied();
            (value.map(|value| value as f32), value.and_then(int_of))
        }
        _ => (None, None),
    };
    match query {
        ConstantQuery::Int => Value::Int(int.unwrap_or(i32::MIN.into())),
        ConstantQuery::Float => Value::Real(real.unwrap_or(f32::NAN)),
        ConstantQuery::IntValid => Value::Truth(int.is_some()),
        ConstantQuery::FloatValid => Value::Truth(real.is_some()),
    }
}
