//! Operators on elements, and reductions.

use super::{Choices, Digits, Graph, Tensor, Type};

impl Graph {
    pub(super) fn elementwise(&mut self, choices: &mut Choices) {
        let Some(x) = self.any(choices, Tensor::is_exact) else { return };
        match choices.below(6) {
            0 => self.unary(choices, &x),
            1 => self.inexact(choices, &x),
            2 => self.cast(choices, &x),
            3 => self.select(choices, &x),
            _ => self.binary(choices, &x),
        }
    }

    fn unary(&mut self, choices: &mut Choices, x: &Tensor) {
        let operator = match x.ty {
            Type::Bool => "not",
            Type::Int => choices.pick(&["neg", "abs", "sign"]),
            Type::Real => choices.pick(&["neg", "abs", "sign", "floor", "ceil", "round"]),
        };
        self.result(format!("math.{operator}({})", x.name), x.ty, x.shape.clone(), x.digits);
    }

    /// Functions that are rounded.
    fn inexact(&mut self, choices: &mut Choices, x: &Tensor) {
        if self.is_rough && x.ty == Type::Real {
            return self.result(format!("math.sqrt({})", x.name), x.ty, x.shape.clone(), x.digits);
        }
        if x.ty == Type::Real {
            let operator =
                choices.pick(&["nn.sigmoid", "math.tanh", "math.exp", "nn.erf", "math.sin", "nn.gelu", "math.sqrt"]);
            self.result(format!("{operator}({})", x.name), Type::Real, x.shape.clone(), None);
        }
    }

    fn cast(&mut self, choices: &mut Choices, x: &Tensor) {
        let ty = choices.pick(&[Type::Int, Type::Real, Type::Bool]);
        let digits = match (x.ty, ty) {
            // An int may have 64 binary digits.
            (Type::Int, Type::Real) => None,
            (Type::Bool, Type::Real) => Some(Digits { whole: 1, fraction: 0 }),
            (_, Type::Int | Type::Bool) => Some(Digits::NONE),
            (Type::Real, Type::Real) => x.digits,
        };
        self.result(format!("layout.cast<{ty}>({})", x.name), ty, x.shape.clone(), digits);
    }

    /// Another tensor of the same type whose shape is the same up to singular dimensions.
    fn partner(&mut self, choices: &mut Choices, x: &Tensor) -> Option<(Tensor, Vec<usize>)> {
        let y = self.any(choices, |y| y.ty == x.ty && y.is_exact() && broadcast(&x.shape, &y.shape).is_some())?;
        let shape = broadcast(&x.shape, &y.shape)?;
        Some((y, shape))
    }

    fn binary(&mut self, choices: &mut Choices, x: &Tensor) {
        let Some((y, shape)) = self.partner(choices, x) else { return };
        let (a, b) = (x.digits.unwrap_or(Digits::NONE), y.digits.unwrap_or(Digits::NONE));
        let compares = choices.chance(25);
        let (operator, ty, digits) = match x.ty {
            Type::Bool => (choices.pick(&["and", "or", "xor", "eq"]), Type::Bool, Digits::NONE),
            _ if compares => (choices.pick(&["lt", "le", "gt", "ge", "eq", "ne"]), Type::Bool, Digits::NONE),
            Type::Int if choices.chance(20) => return self.division(choices, x, &y, shape),
            Type::Int => (choices.pick(&["add", "sub", "mul", "min", "max"]), Type::Int, Digits::NONE),
            Type::Real => match choices.below(5) {
                0 if self.is_rough && choices.chance(50) => ("div", Type::Real, a.product(b)),
                0 => ("mul", Type::Real, a.product(b)),
                1 => ("min", Type::Real, a.sum(b)),
                2 => ("max", Type::Real, a.sum(b)),
                3 => ("sub", Type::Real, a.sum(b)),
                _ => ("add", Type::Real, a.sum(b)),
            },
        };
        self.result(format!("math.{operator}({}, {})", x.name, y.name), ty, shape, Some(digits));
    }

    /// Mostly by what is not zero.
    fn division(&mut self, choices: &mut Choices, x: &Tensor, y: &Tensor, shape: Vec<usize>) {
        let operator = choices.pick(&["div", "mod"]);
        let divisor = match choices.below(8) {
            0 => y.name.clone(),
            1 => "-1".to_owned(),
            _ => self.intermediate(format!("math.max({}, 1)", y.name)),
        };
        self.result(format!("math.{operator}({}, {divisor})", x.name), Type::Int, shape, Some(Digits::NONE));
    }

    fn select(&mut self, choices: &mut Choices, x: &Tensor) {
        let Some((y, shape)) = self.partner(choices, x) else { return };
        let fits = |c: &Tensor| c.ty == Type::Bool && broadcast(&c.shape, &shape).as_ref() == Some(&shape);
        let Some(c) = self.any(choices, fits) else { return };
        let digits = x.digits.zip(y.digits).map(|(a, b)| a.sum(b));
        self.result(format!("math.select({}, {}, {})", c.name, x.name, y.name), x.ty, shape, digits);
    }

    pub(super) fn reduction(&mut self, choices: &mut Choices) {
        let Some(x) = self.any(choices, |x| x.is_exact() && x.rank() > 0) else { return };
        let axis = choices.below(x.rank());
        let squeeze = choices.chance(50);
        let mut shape = x.shape.clone();
        match squeeze {
            true => drop(shape.remove(axis)),
            false => shape[axis] = 1,
        }
        let extent = x.shape[axis];
        let digits = x.digits.unwrap_or(Digits::NONE);
        if x.ty != Type::Bool && choices.chance(20) {
            let operator = choices.pick(&["argmin", "argmax"]);
            let call = format!("math.{operator}{{axis={axis}, squeeze={squeeze}}}({})", x.name);
            return self.result(call, Type::Int, shape, Some(Digits::NONE));
        }
        if x.ty != Type::Bool && !self.is_rough && choices.chance(20) {
            let call = format!("math.cumsum{{axis={axis}, reverse={squeeze}}}({})", x.name);
            return self.result(call, x.ty, x.shape.clone(), Some(digits.sum_of(extent)));
        }
        let operator = match x.ty {
            Type::Bool => choices.pick(&["any_reduce", "all_reduce"]),
            _ => choices.pick(&["sum_reduce", "min_reduce", "max_reduce"]),
        };
        let call = format!("math.{operator}{{axes=[{axis}], squeeze={squeeze}}}({})", x.name);
        self.result(call, x.ty, shape, Some(digits.sum_of(extent)));
    }
}

/// The shape of both together: of the same rank, or one of them a scalar.
pub(super) fn broadcast(a: &[usize], b: &[usize]) -> Option<Vec<usize>> {
    match (a, b) {
        ([], other) | (other, []) => Some(other.to_vec()),
        _ if a.len() != b.len() => None,
        _ => a.iter().zip(b).map(|(&a, &b)| (a == b || a == 1 || b == 1).then_some(a.max(b))).collect(),
    }
}
