//! Values of expressions, and what C++ computes with them where `int` has 32 bits and `size_t` 64.

use crate::apply::Scalar;
use crate::grammar::model::{Arithmetic, Comparison, DType, Reduction, Type};
use std::cmp::Ordering;

/// The value of an expression. Whole numbers of both types are kept exactly, and cut to their type after each operation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    Truth(bool),
    Int(i128),
    Size(i128),
    Real(f32),
    Tag(DType),
}

impl Value {
    pub fn of(scalar: Scalar) -> Self {
        match scalar {
            Scalar::Bool(value) => Value::Truth(value),
            Scalar::Int(value) => Value::Int(value.into()),
            Scalar::Size(value) => Value::Size(value.into()),
            Scalar::Float(value) => Value::Real(value),
            Scalar::DType(tag) => Value::Tag(tag),
        }
    }

    /// As external functions take it.
    pub fn scalar(self) -> Scalar {
        match self {
            Value::Truth(value) => Scalar::Bool(value),
            Value::Int(value) => Scalar::Int(value as i32),
            Value::Size(value) => Scalar::Size(value as u64),
            Value::Real(value) => Scalar::Float(value),
            Value::Tag(tag) => Scalar::DType(tag),
        }
    }

    pub fn truth(self) -> Option<bool> {
        if let Value::Truth(value) = self { Some(value) } else { None }
    }

    pub fn whole(self) -> Option<i128> {
        if let Value::Int(value) | Value::Size(value) = self { Some(value) } else { None }
    }

    pub fn int(value: i128) -> Self {
        Value::Int((value as i32).into())
    }

    pub fn size(value: i128) -> Self {
        Value::Size((value as u64).into())
    }

    /// A whole number of the same type as this one.
    fn alike(self, value: i128) -> Self {
        if matches!(self, Value::Size(_)) { Value::size(value) } else { Value::int(value) }
    }

    pub fn cast(self, to: Type) -> Option<Self> {
        Some(match (to, self) {
            (Type::DType, Value::Tag(_)) => self,
            (Type::DType, _) => Value::Tag(DType::from_number(i64::try_from(self.cut()?).unwrap_or(-1))),
            (Type::Int, Value::Tag(tag)) => Value::Int((tag as u8).into()),
            (_, Value::Tag(_)) => return None,
            (Type::Bool, Value::Real(value)) => Value::Truth(value != 0.0),
            (Type::Bool, _) => Value::Truth(self.cut()? != 0),
            (Type::Int, _) => Value::int(self.cut()?),
            (Type::Size, _) => Value::size(self.cut()?),
            (Type::Float, Value::Real(_)) => self,
            (Type::Float, _) => Value::Real(self.cut()? as f32),
        })
    }

    /// The whole part.
    fn cut(self) -> Option<i128> {
        match self {
            Value::Truth(value) => Some(value.into()),
            Value::Int(value) | Value::Size(value) => Some(value),
            // Far beyond both types C++ says nothing; this is what processors give.
            Value::Real(value) => Some((value as i128).clamp(i64::MIN.into(), u64::MAX.into())),
            Value::Tag(_) => None,
        }
    }

    pub fn negated(self) -> Option<Self> {
        match self {
            Value::Real(value) => Some(Value::Real(-value)),
            number => Some(number.alike(-number.whole()?)),
        }
    }

    pub fn absolute(self) -> Option<Self> {
        match self {
            Value::Real(value) => Some(Value::Real(value.abs())),
            number => Some(number.alike(number.whole()?.abs())),
        }
    }

    pub fn is_power_of_two(self) -> Option<bool> {
        let value = self.whole()?;
        Some(value > 0 && value & (value - 1) == 0)
    }
}

/// Two numbers in the type that C++ brings them to.
fn brought_together(a: Value, b: Value) -> Option<(Value, Value)> {
    Some(match (a, b) {
        (Value::Truth(_), Value::Truth(_)) | (Value::Tag(_), Value::Tag(_)) => (a, b),
        (Value::Truth(_) | Value::Tag(_), _) | (_, Value::Truth(_) | Value::Tag(_)) => return None,
        (Value::Real(_), _) | (_, Value::Real(_)) => (a.cast(Type::Float)?, b.cast(Type::Float)?),
        (Value::Size(_), _) | (_, Value::Size(_)) => (a.cast(Type::Size)?, b.cast(Type::Size)?),
        _ => (a, b),
    })
}

/// `ADD` and its kin, of two operands.
pub fn combine(how: Reduction, a: Value, b: Value) -> Option<Value> {
    let (a, b) = brought_together(a, b)?;
    Some(match how {
        Reduction::And => Value::Truth(a.truth()? & b.truth()?),
        Reduction::Or => Value::Truth(a.truth()? | b.truth()?),
        Reduction::Xor => Value::Truth(a.truth()? ^ b.truth()?),
        Reduction::Min => {
            if order(b, a) == Some(Ordering::Less) {
                b
            } else {
                a
            }
        }
        Reduction::Max => {
            if order(a, b) == Some(Ordering::Less) {
                b
            } else {
                a
            }
        }
        Reduction::Add | Reduction::Mul => match (how, a, b) {
            (Reduction::Add, Value::Real(a), Value::Real(b)) => Value::Real(a + b),
            (_, Value::Real(a), Value::Real(b)) => Value::Real(a * b),
            (Reduction::Add, ..) => a.alike(a.whole()? + b.whole()?),
            _ => a.alike(a.whole()?.wrapping_mul(b.whole()?)),
        },
    })
}

/// `SUB` and its kin.
pub fn calculate(how: Arithmetic, a: Value, b: Value) -> Option<Value> {
    let (a, b) = brought_together(a, b)?;
    if let (Value::Real(a), Value::Real(b)) = (a, b) {
        return match how {
            Arithmetic::Sub => Some(Value::Real(a - b)),
            Arithmetic::Div => Some(Value::Real(a / b)),
            Arithmetic::Rem | Arithmetic::Mod | Arithmetic::RoundUp => None,
        };
    }
    let (first, second) = (a.whole()?, b.whole()?);
    Some(a.alike(match how {
        Arithmetic::Sub => first - second,
        Arithmetic::Div => first.checked_div(second)?,
        Arithmetic::Rem => first.checked_rem(second)?,
        // The sign of the second operand, as a division that rounds down leaves it.
        Arithmetic::Mod => first.checked_rem(second).map(|rest| (rest + second) % second)?,
        Arithmetic::RoundUp if b.is_power_of_two()? => (first + second - 1).div_euclid(second) * second,
        Arithmetic::RoundUp => return None,
    }))
}

fn order(a: Value, b: Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Real(a), Value::Real(b)) => a.partial_cmp(&b),
        (Value::Truth(a), Value::Truth(b)) => Some(a.cmp(&b)),
        (Value::Tag(a), Value::Tag(b)) => Some((a as u8).cmp(&(b as u8))),
        _ => Some(a.whole()?.cmp(&b.whole()?)),
    }
}

/// `EQ` and its kin; with what is no number only `NE` is true.
pub fn compare(how: Comparison, a: Value, b: Value) -> Option<bool> {
    let (a, b) = brought_together(a, b)?;
    let found = order(a, b);
    let wanted: &[Ordering] = match how {
        Comparison::Ne => return Some(found != Some(Ordering::Equal)),
        Comparison::Eq => &[Ordering::Equal],
        Comparison::Lt => &[Ordering::Less],
        Comparison::Gt => &[Ordering::Greater],
        Comparison::Le => &[Ordering::Less, Ordering::Equal],
        Comparison::Ge => &[Ordering::Greater, Ordering::Equal],
    };
    Some(found.is_some_and(|found| wanted.contains(&found)))
}
