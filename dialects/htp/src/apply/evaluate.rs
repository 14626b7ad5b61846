//! Values of expressions.

use super::argument::Argument;
use super::arithmetic::{Scalar, calculate, compare, reduce};
use super::{Bindings, Elements, Environment, Graph, OutputDef, Scope};
use crate::grammar::model::*;
use crate::layout;

/// What expressions are evaluated with.
pub struct Evaluation<'a, G: Graph> {
    /// What is asked about nodes and tensors.
    pub graph: &'a G,
    /// What the tags of the rule are bound to.
    pub bindings: &'a Bindings<'a, G::Node>,
    /// Options of the graph, external functions and the package.
    pub environment: &'a Environment,
    /// The splits and iterations around the present place, the innermost last.
    pub scopes: Vec<Scope>,
}

impl<'a, G: Graph> Evaluation<'a, G> {
    /// Outside of splits.
    pub fn new(graph: &'a G, bindings: &'a Bindings<'a, G::Node>, environment: &'a Environment) -> Self {
        Evaluation { graph, bindings, environment, scopes: Vec::new() }
    }

    /// The split or iteration of this tag.
    pub fn scope(&self, tag: &str) -> Option<&Scope> {
        self.scopes.iter().rev().find(|scope| scope.tag == tag)
    }

    /// Whether a condition holds; one that is undefined does not.
    pub fn holds(&self, condition: &Expr) -> bool {
        self.evaluate(condition) == Some(Scalar::Bool(true))
    }

    /// The value of an expression; `None` if it is undefined: an operand that is not there, a division by 0.
    pub fn evaluate(&self, expr: &Expr) -> Option<Scalar> {
        Some(match &expr.kind {
            ExprKind::Bool(value) => Scalar::Bool(*value),
            ExprKind::Integer(value) if expr.ty == Type::Size => Scalar::Size(*value as u64),
            ExprKind::Integer(value) => Scalar::Int(*value as i32),
            ExprKind::Float(value) => Scalar::Float(*value),
            ExprKind::DType(tag) => Scalar::DType(*tag),
            ExprKind::ChunkSize(class, dimension) => Scalar::Size(layout::chunk_size(class, *dimension)?),
            ExprKind::Option(name) => self.environment.options.value(name).convert(expr.ty)?,
            ExprKind::Cast(inner) => self.evaluate(inner)?.convert(expr.ty)?,
            ExprKind::Not(inner) => Scalar::Bool(!self.condition(inner)?),
            ExprKind::Neg(inner) => negated(self.evaluate(inner)?)?,
            ExprKind::Abs(inner) => match self.evaluate(inner)? {
                Scalar::Int(value) => Scalar::Int(value.wrapping_abs()),
                Scalar::Float(value) => Scalar::Float(value.abs()),
                value => value,
            },
            ExprKind::IsPow2(inner) => Scalar::Bool(match self.evaluate(inner)? {
                Scalar::Int(value) => value > 0 && value.count_ones() == 1,
                Scalar::Size(value) => value.is_power_of_two(),
                _ => return None,
            }),
            ExprKind::Select(condition, first, second) => {
                let chosen = if self.condition(condition)? { first } else { second };
                self.evaluate(chosen)?.convert(expr.ty)?
            }
            ExprKind::Reduce(operator, operands) => self.reduction(*operator, operands)?,
            ExprKind::Arithmetic(operator, a, b) => calculate(*operator, self.evaluate(a)?, self.evaluate(b)?)?,
            ExprKind::Compare(comparison, a, b) => {
                Scalar::Bool(compare(*comparison, self.evaluate(a)?, self.evaluate(b)?)?)
            }
            ExprKind::Property(property, operand) => property_of(self.graph, *property, self.operand(operand)?)?,
            ExprKind::DimOf(operand, index) => {
                let dims = self.output_def(operand)?.dims;
                Scalar::Size(extent(&dims, self.index(index)?))
            }
            ExprKind::Same(sameness, a, b) => {
                Scalar::Bool(same(self.graph, *sameness, self.operand(a)?, self.operand(b)?)?)
            }
            ExprKind::ConstantValue(query, operand, index) => {
                constant_value(*query, self.graph.constant(self.operand(operand)?), self.index(index)?)
            }
            ExprKind::Split(variable, tag) => {
                let scope = self.scope(tag)?;
                Scalar::Size(match variable {
                    SplitVariable::Dim => scope.dimension,
                    SplitVariable::Start => scope.start,
                    SplitVariable::Size => scope.size,
                })
            }
            ExprKind::External(function, operand, values) => {
                let operand = Argument::Node(self.output_def(operand)?, self.graph.constant(self.operand(operand)?));
                let values = values.iter().map(|value| self.evaluate(value)).collect::<Option<Vec<_>>>()?;
                Scalar::Bool(self.environment.functions.constraint(function, &operand, &values)?)
            }
        })
    }

    fn condition(&self, expr: &Expr) -> Option<bool> {
        match self.evaluate(expr)? {
            Scalar::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The value of an integer expression.
    pub fn integer(&self, expr: &Expr) -> Option<i64> {
        match self.evaluate(expr)? {
            Scalar::Int(value) => Some(i64::from(value)),
            Scalar::Size(value) => i64::try_from(value).ok(),
            _ => None,
        }
    }

    /// The value of an integer expression as a place in a list: a size beyond those of signed numbers is out of any range.
    fn index(&self, expr: &Expr) -> Option<i64> {
        match self.evaluate(expr)? {
            Scalar::Int(value) => Some(i64::from(value)),
            Scalar::Size(value) => Some(i64::try_from(value).unwrap_or(i64::MAX)),
            _ => None,
        }
    }

    /// `AND` and `OR` stop at the first operand that decides.
    fn reduction(&self, operator: Reduction, operands: &[Expr]) -> Option<Scalar> {
        let mut value: Option<Scalar> = None;
        for operand in operands {
            let next = self.evaluate(operand)?;
            let total = match value {
                None => next,
                Some(value) => reduce(operator, value, next)?,
            };
            match (operator, total) {
                (Reduction::And, Scalar::Bool(false)) | (Reduction::Or, Scalar::Bool(true)) => return Some(total),
                _ => value = Some(total),
            }
        }
        value
    }

    fn output_def(&self, operand: &OperandRef) -> Option<OutputDef> {
        self.graph.output_def(self.operand(operand)?)
    }

    /// What an operand names.
    pub fn operand(&self, operand: &OperandRef) -> Option<G::Node> {
        let nth = |nodes: Vec<G::Node>, index: &Expr| {
            let index = usize::try_from(self.integer(index)?).ok()?;
            nodes.get(index).copied()
        };
        match &operand.kind {
            OperandRefKind::Root => Some(self.bindings.root),
            OperandRefKind::Tag(tag) => self.bindings.tag(tag),
            OperandRefKind::Input(of, index) => nth(self.graph.inputs(self.operand(of)?), index),
            OperandRefKind::Output(of, index) => nth(self.graph.outputs(self.operand(of)?), index),
            OperandRefKind::Select(condition, first, second) => {
                self.operand(if self.condition(condition)? { first } else { second })
            }
        }
    }
}

/// A property of a node's output.
pub fn property_of<G: Graph>(graph: &G, property: Property, node: G::Node) -> Option<Scalar> {
    let def = || graph.output_def(node);
    Some(match property {
        Property::Rank => Scalar::Size(def()?.dims.len() as u64),
        Property::StepSize => Scalar::Float(def()?.encoding.step_size()?),
        Property::ZeroOffset => Scalar::Int(def()?.encoding.zero_offset()?),
        Property::DType => Scalar::DType(def()?.encoding.dtype()),
        Property::ElementSize => Scalar::Size(def()?.encoding.dtype().element_size()),
        Property::Inputs => Scalar::Size(graph.inputs(node).len() as u64),
        Property::Outputs => Scalar::Size(graph.outputs(node).len() as u64),
    })
}

/// What two nodes have in common.
pub fn same<G: Graph>(graph: &G, sameness: Sameness, first: G::Node, second: G::Node) -> Option<bool> {
    if sameness == Sameness::Op {
        return Some(first == second);
    }
    let (first, second) = (graph.output_def(first)?, graph.output_def(second)?);
    Some(match sameness {
        Sameness::Shape => first.dims == second.dims,
        _ => first.encoding == second.encoding,
    })
}

/// An extent; beyond the rank 0.
pub fn extent(dims: &[u64], index: i64) -> u64 {
    usize::try_from(index).ok().and_then(|index| dims.get(index)).copied().unwrap_or(0)
}

fn negated(value: Scalar) -> Option<Scalar> {
    Some(match value {
        Scalar::Int(value) => Scalar::Int(value.wrapping_neg()),
        Scalar::Size(value) => Scalar::Size(value.wrapping_neg()),
        Scalar::Float(value) => Scalar::Float(-value),
        _ => return None,
    })
}

/// An element of a constant; outside `MIN_INT` or NaN. An integer that does not fit in 32 bits is outside.
pub fn constant_value(query: ConstantQuery, elements: Option<Elements>, index: i64) -> Scalar {
    let index = usize::try_from(index).unwrap_or(usize::MAX);
    let real = match &elements {
        Some(Elements::Ints(values)) => values.get(index).map(|v| *v as f64),
        Some(Elements::Reals(values)) => values.get(index).copied(),
        None => None,
    };
    // Every int of 32 bits is exact in 64 bits of float.
    let int = real.filter(|v| v.fract() == 0.0 && *v >= f64::from(i32::MIN) && *v <= f64::from(i32::MAX));
    match query {
        ConstantQuery::Int => Scalar::Int(int.map_or(i32::MIN, |v| v as i32)),
        ConstantQuery::IntValid => Scalar::Bool(int.is_some()),
        ConstantQuery::Float => Scalar::Float(match &elements {
            // Once rounded: by way of 64 bits of float a large integer would be rounded twice.
            Some(Elements::Ints(values)) => values.get(index).map_or(f32::NAN, |v| *v as f32),
            _ => real.map_or(f32::NAN, |v| v as f32),
        }),
        ConstantQuery::FloatValid => Scalar::Bool(real.is_some()),
    }
}
