//! Words for operators and properties, and what is told together.

use crate::grammar::model::*;

/// The sign of an operator.
pub fn arithmetic(operator: Arithmetic) -> &'static str {
    match operator {
        Arithmetic::Sub => "-",
        Arithmetic::Div => "/",
        Arithmetic::Rem => "rem",
        Arithmetic::Mod => "mod",
        Arithmetic::RoundUp => "rounded up to a multiple of",
    }
}

/// What is asked of an operand.
pub fn property(property: Property) -> &'static str {
    match property {
        Property::Rank => "rank",
        Property::StepSize => "step size",
        Property::ZeroOffset => "zero offset",
        Property::DType => "dtype",
        Property::ElementSize => "element size",
        Property::Inputs => "number of inputs",
        Property::Outputs => "number of outputs",
    }
}

/// What is asked of an element.
pub fn constant_query(query: ConstantQuery) -> &'static str {
    match query {
        ConstantQuery::Int => "as int",
        ConstantQuery::Float => "as float",
        ConstantQuery::IntValid => "is a constant int",
        ConstantQuery::FloatValid => "is a constant",
    }
}

/// What a split has.
pub fn split_variable(variable: SplitVariable) -> &'static str {
    match variable {
        SplitVariable::Dim => "dimension",
        SplitVariable::Start => "start",
        SplitVariable::Size => "size",
    }
}

/// The operands of `AND` or `OR`, with those of the same one within it in its place.
pub fn same_operator<'e>(operator: Reduction, operands: &'e [Expr], found: &mut Vec<&'e Expr>) {
    for operand in operands {
        match &operand.kind {
            ExprKind::Reduce(inner, operands)
                if *inner == operator && matches!(operator, Reduction::And | Reduction::Or) =>
            {
                same_operator(operator, operands, found);
            }
            _ => found.push(operand),
        }
    }
}

/// The tags of the iterations within a part.
pub fn iteration_tags<'a>(part: &'a Replacement, found: &mut Vec<&'a str>) {
    if let ReplacementKind::Iterate(_, tag, ..) = &part.kind {
        found.push(tag);
    }
    part.kind.parts().into_iter().for_each(|inner| iteration_tags(inner, found));
}
