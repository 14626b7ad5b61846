//! Values of expressions that ask nothing of a graph.

use crate::apply::{Bindings, Elements, Environment, Evaluation, Graph, Identity, OutputDef, Scalar};
use crate::grammar::model::*;

/// What an expression is in every graph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Constant {
    /// It has this value.
    Value(Scalar),
    /// It has none, e.g. as it rounds up to no power of 2.
    Undefined,
}

/// What an expression is in every graph; `None` if that depends on the graph or its options.
pub fn constant(expr: &Expr) -> Option<Constant> {
    if !is_constant(expr) {
        return None;
    }
    let (environment, bindings) = (Environment::default(), Bindings { root: (), tags: Vec::new() });
    let value = Evaluation::new(&NoGraph, &bindings, &environment).evaluate(expr);
    Some(value.map_or(Constant::Undefined, Constant::Value))
}

/// The whole number that an expression is in every graph.
pub fn whole(expr: &Expr) -> Option<i128> {
    match constant(expr)? {
        Constant::Value(Scalar::Int(value)) => Some(value.into()),
        Constant::Value(Scalar::Size(value)) => Some(value.into()),
        _ => None,
    }
}

fn is_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Bool(_) | ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::DType(_) => true,
        ExprKind::Cast(inner)
        | ExprKind::Not(inner)
        | ExprKind::Neg(inner)
        | ExprKind::Abs(inner)
        | ExprKind::IsPow2(inner) => is_constant(inner),
        ExprKind::Select(condition, first, second) => [condition, first, second].into_iter().all(|e| is_constant(e)),
        ExprKind::Reduce(_, operands) => operands.iter().all(is_constant),
        ExprKind::Arithmetic(_, first, second) | ExprKind::Compare(_, first, second) => {
            is_constant(first) && is_constant(second)
        }
        ExprKind::ChunkSize(..)
        | ExprKind::Option(_)
        | ExprKind::Property(..)
        | ExprKind::DimOf(..)
        | ExprKind::Same(..)
        | ExprKind::ConstantValue(..)
        | ExprKind::Split(..)
        | ExprKind::External(..) => false,
    }
}

/// What constants ask nothing of.
struct NoGraph;

impl Graph for NoGraph {
    type Node = ();

    fn output_def(&self, (): ()) -> Option<OutputDef> {
        None
    }

    fn op_called(&self, qualified: &str) -> String {
        qualified.to_owned()
    }

    fn op_name(&self, (): ()) -> Option<String> {
        None
    }

    fn inputs(&self, (): ()) -> Vec<()> {
        Vec::new()
    }

    fn outputs(&self, (): ()) -> Vec<()> {
        Vec::new()
    }

    fn constant(&self, (): ()) -> Option<Elements> {
        None
    }

    fn identity(&self, (): ()) -> Identity {
        Identity::default()
    }
}
