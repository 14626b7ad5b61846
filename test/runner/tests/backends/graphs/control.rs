//! Branches, loops, and operators of the model's own.

use super::{Choices, Digits, Graph, Tensor, Type};

/// Operators by name, with their definitions: formulas with guards, compositions with conditions on their operands.
const CUSTOM: [(&str, &str); 6] = [
    (
        "same",
        "@input { x: real[s..]; y: real[s..]; } @output { z: real[s..]; } \
         @compose { z = if x is y then math.neg(x) else math.sub(x, y); }",
    ),
    (
        "shifted",
        "@input { x: real[n, m..]; y: real[n, m..]; } @output { z: real[n, m..]; } \
         @lower { z[i, j..] = x[i, j..], i < n, j < m; z[|i + 1|, j..] += y[i, j..], i < n, j < m; }",
    ),
    (
        "mirrored",
        "@input { x: real[n, m..]; y: real[n, m..]; } @output { z: real[n, m..]; } \
         @lower { z[i, j..] = x[|i - 1 <> 0 : n - 1|, j..] - y[n - 1 - i, j..], i < n, j < m; }",
    ),
    (
        "guarded",
        "@input { x: real[s..]; y: real[s..]; } @output { z: real[s..]; } \
         @lower { z[i..] = x[i..] < y[i..] ? x[i..] : -y[i..], i < s; }",
    ),
    (
        "nested",
        "@input { x: real[s..]; y: real[s..]; } @output { z: real[s..]; } \
         @compose { u = same(x, x); v = same(y, x); z = math.max(u, v); }",
    ),
    (
        "largest",
        "@input { x: real[n, m..]; y: real[n, m..]; } @output { z: real[m..]; } \
         @lower { z[j..] = -10.0, j < m; z[j..] >?= x[i, j..] << y[i, j..], i < n, j < m | x[i, j..] != y[i, j..]; }",
    ),
];

impl Graph {
    pub(super) fn custom(&mut self, choices: &mut Choices) {
        let (name, _) = choices.pick(&CUSTOM);
        let Some(x) = self.any(choices, |x| x.ty == Type::Real && x.is_exact() && x.rank() > 0) else { return };
        let Some(y) = self.any(choices, |y| y.ty == Type::Real && y.is_exact() && y.shape == x.shape) else { return };
        self.define(name);
        let shape = if name == "largest" { x.shape[1..].to_vec() } else { x.shape.clone() };
        let digits = x.digits.zip(y.digits).map(|(a, b)| a.sum(b).sum(Digits { whole: 4, fraction: 0 }));
        self.result(format!("{name}({}, {})", x.name, y.name), Type::Real, shape, digits);
    }

    fn define(&mut self, name: &str) {
        if name == "nested" {
            self.define("same");
        }
        let head = format!("operator {name} {{");
        if !self.operators.contains(&head) {
            let body = CUSTOM.iter().find(|(known, _)| *known == name).map_or("", |(_, body)| body);
            self.operators.push_str(&format!("{head} {body} }}\n\n"));
        }
    }

    pub(super) fn control(&mut self, choices: &mut Choices) {
        let Some(x) = self.any(choices, |x| x.is_exact() && x.ty != Type::Bool) else { return };
        let Some(y) = self.any(choices, |y| y.is_exact() && y.ty == x.ty && y.shape == x.shape) else { return };
        match choices.below(5) {
            0 => self.branch(choices, &x, &y),
            1 => self.counted(choices, &x, &y),
            2 => self.exchanging(choices, &x, &y),
            3 => self.conditional(choices, &x),
            _ => self.carried(choices, &x),
        }
    }

    fn branch(&mut self, choices: &mut Choices, x: &Tensor, y: &Tensor) {
        let Some(flag) = self.flag(choices) else { return };
        let digits = x.digits.zip(y.digits).map(|(a, b)| a.sum(b));
        let otherwise = choices.pick(&["neg", "abs"]);
        let expression =
            format!("if {} then math.add({}, {}) else math.{otherwise}({})", flag.name, x.name, y.name, x.name);
        self.result(expression, x.ty, x.shape.clone(), digits);
    }

    fn counted(&mut self, choices: &mut Choices, x: &Tensor, y: &Tensor) {
        let count = choices.below(5);
        let digits = x.digits.zip(y.digits).map(|(a, b)| a.sum(b).sum_of(count + 1));
        let expression = format!("with s = {} do..({count}) math.add(s, {})", x.name, y.name);
        self.result(expression, x.ty, x.shape.clone(), digits);
    }

    /// What is carried changes places.
    fn exchanging(&mut self, choices: &mut Choices, x: &Tensor, y: &Tensor) {
        let count = choices.below(4);
        let digits = x.digits.zip(y.digits).map(|(a, b)| a.sum(b).sum_of(1 << count));
        let a = self.fresh(x.ty, x.shape.clone(), digits);
        let b = self.fresh(x.ty, x.shape.clone(), digits);
        let body = choices.pick(&["yield v, u;", "t = math.add(u, v); yield v, t;", "t = math.sub(v, u); yield t, u;"]);
        let (x, y) = (&x.name, &y.name);
        self.statements.push_str(&format!("        {a}, {b} = with u = {x}, v = {y} do..({count}) {{ {body} }};\n"));
    }

    /// Ends with a condition on what is carried, or after a number of rounds.
    fn conditional(&mut self, choices: &mut Choices, x: &Tensor) {
        let (one, limit) = if x.ty == Type::Int { ("1", "5") } else { ("1.0", "5.0") };
        if x.rank() > 0 {
            return;
        }
        let rounds = 1 + choices.below(6);
        let digits = x.digits.map(|digits| digits.sum_of(rounds));
        let (name, loop_) = (&x.name, format!("do..({rounds}) math.add(s, {one})"));
        let expression = match choices.chance(50) {
            true => format!("with s = {name} while math.lt(s, {limit}) {loop_}"),
            false => format!("with s = {name} {loop_} while math.lt(s, {limit})"),
        };
        self.result(expression, x.ty, Vec::new(), digits);
    }

    /// The condition is carried, too.
    fn carried(&mut self, choices: &mut Choices, x: &Tensor) {
        if x.rank() > 0 {
            return;
        }
        let (one, limit) = if x.ty == Type::Int { ("1", "3") } else { ("1.0", "3.0") };
        let rounds = 1 + choices.below(4);
        let digits = x.digits.map(|digits| digits.sum_of(rounds));
        let result = self.fresh(x.ty, Vec::new(), digits);
        let body = format!("t = math.add(s, {one}); g = math.lt(t, {limit}); yield t, g;");
        let name = &x.name;
        self.statements.push_str(&format!(
            "        {result}, ~ = with s = {name}, go = true while go do..({rounds}) {{ {body} }};\n"
        ));
    }
}
