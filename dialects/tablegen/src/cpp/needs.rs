//! What predicates take for granted: operands and results by their numbers, and the class of an attribute.

use super::expression::Expression;

impl Expression {
    /// Its parts, one level deep.
    fn parts(&self) -> Vec<&Expression> {
        match self {
            Self::Name(_) | Self::Integer(_) | Self::Real(_) | Self::Float(_) | Self::Text(_) | Self::Rust(_) => {
                Vec::new()
            }
            Self::Call { arguments, .. } | Self::List(arguments) => arguments.iter().collect(),
            Self::Method { receiver, arguments, .. } => std::iter::once(&**receiver).chain(arguments.iter()).collect(),
            Self::Index { base, index } => vec![base, index],
            Self::Unary { operand, .. } => vec![operand],
            Self::Binary { left, right, .. } => vec![left, right],
            Self::Lambda { body, .. } => vec![body],
            Self::Apply { body, argument, .. } => vec![body, argument],
            Self::Conditional { condition, then, otherwise } => vec![condition, then, otherwise],
        }
    }

    /// It and all of its parts.
    fn walk(&self) -> Vec<&Expression> {
        let mut found = vec![self];
        let mut next = 0;
        while next < found.len() {
            found.extend(found[next].parts());
            next += 1;
        }
        found
    }
}

/// The numbers that `$_op.getOperand(N)` or another `method` of the operation is asked for.
pub fn numbers_of(expression: &Expression, method: &str) -> Vec<i64> {
    let number = |part: &&Expression| match part {
        Expression::Method { receiver, method: asked, arguments, .. }
            if asked == method && matches!(&**receiver, Expression::Name(name) if name == "$_op") =>
        {
            match arguments.as_slice() {
                [Expression::Integer(number)] => i64::try_from(number.value).ok(),
                _ => None,
            }
        }
        _ => None,
    };
    expression.walk().iter().filter_map(number).collect()
}

/// The classes that `$_self` is cast to without asking whether it is of them: `cast<IntegerAttr>($_self)`.
pub fn casts_of_self(expression: &Expression) -> Vec<&str> {
    expression
        .walk()
        .into_iter()
        .filter_map(|part| match part {
            Expression::Call { function, templates, arguments } if function == "cast" => {
                match (templates.as_slice(), arguments.as_slice()) {
                    ([class], [Expression::Name(name)]) if name == "$_self" => Some(class.as_str()),
                    _ => None,
                }
            }
            _ => None,
        })
        .collect()
}
