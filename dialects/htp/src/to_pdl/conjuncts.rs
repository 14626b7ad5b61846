//! Conditions as PDL has them: what is asked of one or two nodes becomes a constraint that all patterns share.
//!
//! A condition holds if all of its conjuncts do, whatever their order: one that is undefined does not hold, nor does a
//! conjunction with it.

use super::names::native;
use crate::grammar::model::*;

/// An argument of a shared constraint.
#[derive(Debug)]
pub enum Given<'r> {
    /// The root or what a tag is bound to.
    Node(&'r OperandRef),
    /// An attribute: what its value in the pattern is called, and its text.
    Attribute(String, String),
}

/// A conjunct that is asked of nodes that the match binds.
#[derive(Debug)]
pub struct Shared<'r> {
    /// The native constraint.
    pub native: &'static str,
    /// What it takes.
    pub given: Vec<Given<'r>>,
}

/// The name of the constraint that compares a property with a number.
pub fn property_native(property: Property) -> &'static str {
    match property {
        Property::Rank => "htp.rank",
        Property::StepSize => "htp.step_size",
        Property::ZeroOffset => "htp.zero_offset",
        Property::DType => "htp.dtype",
        Property::ElementSize => "htp.element_size",
        Property::Inputs => "htp.inputs",
        Property::Outputs => "htp.outputs",
    }
}

/// The name of the constraint that compares two nodes.
pub fn sameness_native(sameness: Sameness) -> &'static str {
    match sameness {
        Sameness::Encoding => "htp.encoding",
        Sameness::Op => "htp.node",
        Sameness::Shape => "htp.shape",
    }
}

/// The conjuncts of a condition that are shared constraints, and the other ones.
pub fn conjuncts(condition: &Expr) -> (Vec<Shared<'_>>, Vec<&Expr>) {
    let (mut shared, mut others) = (Vec::new(), Vec::new());
    let mut pending = vec![condition];
    while let Some(conjunct) = pending.pop() {
        match &conjunct.kind {
            ExprKind::Bool(true) => {}
            ExprKind::Reduce(Reduction::And, operands) => pending.extend(operands.iter().rev()),
            _ => match shared_of(conjunct, false) {
                Some(found) => shared.push(found),
                None => others.push(conjunct),
            },
        }
    }
    (shared, others)
}

fn shared_of(conjunct: &Expr, negated: bool) -> Option<Shared<'_>> {
    match &conjunct.kind {
        ExprKind::Not(inner) => shared_of(inner, !negated),
        ExprKind::Compare(comparison, a, b) => {
            let comparison = if negated { inverse(*comparison, a, b)? } else { *comparison };
            compared(a, comparison, b).or_else(|| compared(b, mirrored(comparison), a))
        }
        ExprKind::Same(sameness, a, b) => {
            let comparison = comparison(if negated { Comparison::Ne } else { Comparison::Eq });
            Some(Shared { native: sameness_native(*sameness), given: vec![node(a)?, comparison, node(b)?] })
        }
        ExprKind::ConstantValue(query, of, index) if !negated => {
            let native = match query {
                ConstantQuery::FloatValid => native::IS_CONST,
                ConstantQuery::IntValid => native::IS_INT,
                ConstantQuery::Int | ConstantQuery::Float => return None,
            };
            Some(Shared { native, given: vec![node(of)?, literal(index)?] })
        }
        _ => None,
    }
}

/// A question about a node, compared with a literal.
fn compared<'r>(question: &'r Expr, by: Comparison, with: &Expr) -> Option<Shared<'r>> {
    let (by, with) = (comparison(by), literal(with)?);
    match &question.kind {
        ExprKind::Property(property, of) => {
            Some(Shared { native: property_native(*property), given: vec![node(of)?, by, with] })
        }
        ExprKind::DimOf(of, index) => {
            Some(Shared { native: native::DIM, given: vec![node(of)?, literal(index)?, by, with] })
        }
        ExprKind::ConstantValue(query, of, index) => {
            // The kind of number that is asked for is the kind of number that it is compared with.
            let asked = match query {
                ConstantQuery::Int => ("int", "\"int\""),
                ConstantQuery::Float => ("float", "\"float\""),
                ConstantQuery::IntValid | ConstantQuery::FloatValid => return None,
            };
            let asked = Given::Attribute(asked.0.to_owned(), asked.1.to_owned());
            Some(Shared { native: native::ELEMENT, given: vec![node(of)?, literal(index)?, asked, by, with] })
        }
        _ => None,
    }
}

fn node(operand: &OperandRef) -> Option<Given<'_>> {
    matches!(operand.kind, OperandRefKind::Root | OperandRefKind::Tag(_)).then_some(Given::Node(operand))
}

fn comparison<'r>(comparison: Comparison) -> Given<'r> {
    let name = match comparison {
        Comparison::Eq => "is",
        Comparison::Ne => "is_not",
        Comparison::Lt => "less",
        Comparison::Gt => "greater",
        Comparison::Le => "at_most",
        Comparison::Ge => "at_least",
    };
    Given::Attribute(name.to_owned(), format!("\"{}\"", comparison.symbol()))
}

/// `int` has 32 bits and `size` 64, in attributes as well.
fn literal<'r>(expr: &Expr) -> Option<Given<'r>> {
    let (name, text) = match &expr.kind {
        ExprKind::Integer(value) if expr.ty == Type::Size => (format!("size_{value}"), format!("{value} : i64")),
        ExprKind::Integer(value) if *value < 0 => (format!("minus_{}", value.unsigned_abs()), format!("{value} : i32")),
        ExprKind::Integer(value) => (format!("int_{value}"), format!("{value} : i32")),
        ExprKind::Float(value) => ("number".to_owned(), format!("{} : f32", real(*value))),
        ExprKind::DType(tag) => (tag.to_string(), format!("\"{tag}\"")),
        _ => return None,
    };
    Some(Given::Attribute(name, text))
}

/// A float as MLIR reads it: with a point, or the bits of what has no digits.
fn real(value: f32) -> String {
    let short = format!("{value:?}");
    match value {
        value if !value.is_finite() => format!("0x{:08X}", value.to_bits()),
        _ if short.contains('e') => format!("{value:.8e}"),
        _ => short,
    }
}

fn mirrored(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Lt => Comparison::Gt,
        Comparison::Gt => Comparison::Lt,
        Comparison::Le => Comparison::Ge,
        Comparison::Ge => Comparison::Le,
        same => same,
    }
}

/// What holds where a comparison does not; of floats no order may hold.
fn inverse(comparison: Comparison, a: &Expr, b: &Expr) -> Option<Comparison> {
    let floats = a.ty == Type::Float || b.ty == Type::Float;
    Some(match comparison {
        Comparison::Eq => Comparison::Ne,
        Comparison::Ne => Comparison::Eq,
        _ if floats => return None,
        Comparison::Lt => Comparison::Ge,
        Comparison::Gt => Comparison::Le,
        Comparison::Le => Comparison::Gt,
        Comparison::Ge => Comparison::Lt,
    })
}
