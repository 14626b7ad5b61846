//! Values of expressions, and arithmetic as in C++ on a machine where `int` has 32 bits and `size_t` 64; integers wrap around.

use crate::grammar::model::{Arithmetic, Comparison, DType, Reduction, Type};

/// The value of an expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scalar {
    /// `bool`
    Bool(bool),
    /// `int`
    Int(i32),
    /// `size`
    Size(u64),
    /// `float`
    Float(f32),
    /// `dtype`
    DType(DType),
}

impl Scalar {
    /// The type of the expressions that have such values.
    pub fn ty(self) -> Type {
        match self {
            Scalar::Bool(_) => Type::Bool,
            Scalar::Int(_) => Type::Int,
            Scalar::Size(_) => Type::Size,
            Scalar::Float(_) => Type::Float,
            Scalar::DType(_) => Type::DType,
        }
    }

    /// Converted to a type; between numbers as C++ does.
    pub fn convert(self, to: Type) -> Option<Scalar> {
        Some(match (self, to) {
            (Scalar::DType(tag), Type::DType) => Scalar::DType(tag),
            (Scalar::DType(tag), Type::Int) => Scalar::Int(tag as i32),
            (Scalar::DType(_), _) => return None,
            (value, Type::Bool) => Scalar::Bool(value.as_float()? != 0.0),
            (value, Type::DType) => Scalar::DType(DType::from_number(value.as_integer()?)),
            (value, Type::Int) => Scalar::Int(value.as_integer()? as i32),
            (Scalar::Float(value), Type::Size) if value > 0.0 => Scalar::Size(value as u64),
            (value, Type::Size) => Scalar::Size(value.as_integer()? as u64),
            (value, Type::Float) => Scalar::Float(value.as_float()?),
        })
    }

    /// As a whole number; floats are cut off.
    fn as_integer(self) -> Option<i64> {
        match self {
            Scalar::Bool(value) => Some(i64::from(value)),
            Scalar::Int(value) => Some(i64::from(value)),
            Scalar::Size(value) => Some(value as i64),
            Scalar::Float(value) => Some(value as i64),
            Scalar::DType(_) => None,
        }
    }

    fn as_float(self) -> Option<f32> {
        match self {
            Scalar::Bool(value) => Some(f32::from(u8::from(value))),
            Scalar::Int(value) => Some(value as f32),
            Scalar::Size(value) => Some(value as f32),
            Scalar::Float(value) => Some(value),
            Scalar::DType(_) => None,
        }
    }
}

/// The type that both operands are converted to.
fn joined(a: Scalar, b: Scalar) -> Option<(Scalar, Scalar)> {
    let ty = a.ty().join(b.ty())?;
    Some((a.convert(ty)?, b.convert(ty)?))
}

/// `ADD`, `MUL`, `MIN`, `MAX`, `XOR` of two operands.
pub fn reduce(operator: Reduction, a: Scalar, b: Scalar) -> Option<Scalar> {
    let (a, b) = joined(a, b)?;
    Some(match (operator, a, b) {
        (Reduction::And, Scalar::Bool(a), Scalar::Bool(b)) => Scalar::Bool(a && b),
        (Reduction::Or, Scalar::Bool(a), Scalar::Bool(b)) => Scalar::Bool(a || b),
        (Reduction::Xor, Scalar::Bool(a), Scalar::Bool(b)) => Scalar::Bool(a != b),
        (Reduction::Add, Scalar::Int(a), Scalar::Int(b)) => Scalar::Int(a.wrapping_add(b)),
        (Reduction::Add, Scalar::Size(a), Scalar::Size(b)) => Scalar::Size(a.wrapping_add(b)),
        (Reduction::Add, Scalar::Float(a), Scalar::Float(b)) => Scalar::Float(a + b),
        (Reduction::Mul, Scalar::Int(a), Scalar::Int(b)) => Scalar::Int(a.wrapping_mul(b)),
        (Reduction::Mul, Scalar::Size(a), Scalar::Size(b)) => Scalar::Size(a.wrapping_mul(b)),
        (Reduction::Mul, Scalar::Float(a), Scalar::Float(b)) => Scalar::Float(a * b),
        (Reduction::Min, a, b) => {
            if compare(Comparison::Lt, b, a)? {
                b
            } else {
                a
            }
        }
        (Reduction::Max, a, b) => {
            if compare(Comparison::Lt, a, b)? {
                b
            } else {
                a
            }
        }
        _ => return None,
    })
}

/// `SUB`, `DIV`, `REM`, `MOD`, `ROUNDUP`; `None` where an integer is divided by 0 or rounded up to no power of 2.
pub fn calculate(operator: Arithmetic, a: Scalar, b: Scalar) -> Option<Scalar> {
    match joined(a, b)? {
        (Scalar::Int(a), Scalar::Int(b)) => Some(Scalar::Int(match operator {
            Arithmetic::Sub => a.wrapping_sub(b),
            _ if b == 0 => return None,
            Arithmetic::Div => a.wrapping_div(b),
            Arithmetic::Rem => a.wrapping_rem(b),
            Arithmetic::Mod => {
                let remainder = a.wrapping_rem(b);
                if remainder != 0 && (remainder < 0) != (b < 0) { remainder.wrapping_add(b) } else { remainder }
            }
            Arithmetic::RoundUp if b > 0 && b.count_ones() == 1 => a.wrapping_add(b - 1) & !(b - 1),
            Arithmetic::RoundUp => return None,
        })),
        (Scalar::Size(a), Scalar::Size(b)) => Some(Scalar::Size(match operator {
            Arithmetic::Sub => a.wrapping_sub(b),
            _ if b == 0 => return None,
            Arithmetic::Div => a / b,
            Arithmetic::Rem | Arithmetic::Mod => a % b,
            Arithmetic::RoundUp if b.is_power_of_two() => a.wrapping_add(b - 1) & !(b - 1),
            Arithmetic::RoundUp => return None,
        })),
        (Scalar::Float(a), Scalar::Float(b)) => match operator {
            Arithmetic::Sub => Some(Scalar::Float(a - b)),
            Arithmetic::Div => Some(Scalar::Float(a / b)),
            Arithmetic::Rem | Arithmetic::Mod | Arithmetic::RoundUp => None,
        },
        _ => None,
    }
}

/// `EQ` and its kin.
pub fn compare(comparison: Comparison, a: Scalar, b: Scalar) -> Option<bool> {
    // With a NaN no order holds, and only NE is true.
    let ordering = match joined(a, b)? {
        (Scalar::Bool(a), Scalar::Bool(b)) => a.partial_cmp(&b),
        (Scalar::Int(a), Scalar::Int(b)) => a.partial_cmp(&b),
        (Scalar::Size(a), Scalar::Size(b)) => a.partial_cmp(&b),
        (Scalar::Float(a), Scalar::Float(b)) => a.partial_cmp(&b),
        (Scalar::DType(a), Scalar::DType(b)) => a.partial_cmp(&b),
        _ => return None,
    };
    Some(match comparison {
        Comparison::Eq => ordering.is_some_and(|o| o.is_eq()),
        Comparison::Ne => !ordering.is_some_and(|o| o.is_eq()),
        Comparison::Lt => ordering.is_some_and(|o| o.is_lt()),
        Comparison::Gt => ordering.is_some_and(|o| o.is_gt()),
        Comparison::Le => ordering.is_some_and(|o| o.is_le()),
        Comparison::Ge => ordering.is_some_and(|o| o.is_ge()),
    })
}
