//! Changes a graph so that a condition comes true: what one side of a comparison asks of a node becomes what the other side is.

use super::Random;
use super::nodes;
use crate::apply::{Bindings, Encoding, Environment, Evaluation, Scalar, compare};
use crate::direct::{Output, PlainGraph};
use crate::grammar::model::*;
use std::cmp::Ordering;
use strum::VariantArray;

/// A graph that is being changed, and what its nodes are called.
pub struct Solver<'a, 'r> {
    /// The graph.
    pub graph: &'a mut PlainGraph,
    /// What the tags are bound to.
    pub bindings: &'a Bindings<'r, Output>,
    /// What conditions are evaluated with.
    pub environment: &'a Environment,
    /// Chooses among the ways.
    pub random: &'a mut Random,
}

impl Solver<'_, '_> {
    fn evaluate(&self, expr: &Expr) -> Option<Scalar> {
        Evaluation::new(&*self.graph, self.bindings, self.environment).evaluate(expr)
    }

    fn number(&self, expr: &Expr) -> Option<f64> {
        self.evaluate(expr).and_then(real)
    }

    fn operand(&self, operand: &OperandRef) -> Option<Output> {
        Evaluation::new(&*self.graph, self.bindings, self.environment).operand(operand)
    }

    fn one<'e>(&mut self, operands: &'e [Expr]) -> Option<&'e Expr> {
        operands.get(self.random.below(operands.len()))
    }

    /// Changes the graph so that a condition is `wanted`, as far as that can be said of each part alone.
    pub fn make(&mut self, condition: &Expr, wanted: bool) {
        let is = self.evaluate(condition);
        if is == Some(Scalar::Bool(wanted)) {
            return;
        }
        match &condition.kind {
            ExprKind::Not(inner) => self.make(inner, !wanted),
            ExprKind::Reduce(operator @ (Reduction::And | Reduction::Or), operands) => {
                if (*operator == Reduction::And) == wanted {
                    operands.iter().for_each(|operand| self.make(operand, wanted));
                } else if let Some(operand) = self.one(operands) {
                    self.make(operand, wanted);
                }
            }
            ExprKind::Reduce(_, operands) => {
                if let Some(operand) = self.one(operands) {
                    let is = self.evaluate(operand) == Some(Scalar::Bool(true));
                    self.make(operand, !is);
                }
            }
            ExprKind::Select(chooser, first, second) => {
                let chosen = if self.evaluate(chooser) == Some(Scalar::Bool(true)) { first } else { second };
                self.make(chosen, wanted);
            }
            ExprKind::Compare(comparison, first, second) => {
                let comparison = if wanted { *comparison } else { comparison.negated() };
                self.compare(comparison, first, second);
            }
            ExprKind::IsPow2(inner) => {
                let power = 1u32 << self.random.below(9);
                self.set(inner, f64::from(if wanted { power } else { power * 6 }));
            }
            ExprKind::Same(sameness, first, second) => self.make_same(*sameness, (first, second), wanted),
            ExprKind::ConstantValue(_, operand, index) => {
                let value = if wanted { 1.0 } else { 0.5 };
                self.set_element(operand, index, value);
            }
            _ => {}
        }
    }

    /// Changes one side of a comparison to what the other allows.
    fn compare(&mut self, comparison: Comparison, first: &Expr, second: &Expr) {
        let is_literal =
            |expr: &Expr| matches!(expr.kind, ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::DType(_));
        let keeps_order = is_literal(second) || !is_literal(first) && self.random.below(2) == 0;
        let (side, other, comparison) =
            if keeps_order { (first, second, comparison) } else { (second, first, comparison.mirrored()) };
        let Some(target) = self.evaluate(other) else { return };
        let Some(number) = real(target) else {
            if let Scalar::DType(dtype) = target {
                let tried = if comparison == Comparison::Eq { dtype } else { self.other_dtype(dtype) };
                self.set_dtype(side, tried);
            }
            return;
        };
        // Near or further away: other conditions may leave few.
        let share = self.random.choose(&[0.5, 0.05, 0.002]).unwrap_or(0.5);
        let step = if side.ty == Type::Float { number.abs().max(1e-3) * share } else { 1.0 };
        let away = step * (1 + self.random.below(3)) as f64;
        let tried = match comparison {
            Comparison::Eq | Comparison::Le | Comparison::Ge => number,
            Comparison::Lt => number - away,
            Comparison::Gt => number + away,
            Comparison::Ne => number + away,
        };
        self.set(side, tried);
    }

    fn other_dtype(&mut self, dtype: DType) -> DType {
        let others: Vec<DType> = DType::VARIANTS[1..].iter().copied().filter(|other| *other != dtype).collect();
        self.random.choose(&others).unwrap_or(dtype)
    }

    /// Changes nodes so that an expression is a number.
    fn set(&mut self, expr: &Expr, target: f64) {
        if target.is_nan() {
            return;
        }
        match &expr.kind {
            ExprKind::Cast(inner) if inner.ty == Type::DType => {
                self.set_dtype(inner, DType::from_number(target as i64))
            }
            ExprKind::Cast(inner) | ExprKind::Abs(inner) => self.set(inner, target),
            ExprKind::Neg(inner) => self.set(inner, -target),
            ExprKind::Select(chooser, first, second) => {
                let chosen = if self.evaluate(chooser) == Some(Scalar::Bool(true)) { first } else { second };
                self.set(chosen, target);
            }
            ExprKind::Reduce(operator, operands) => self.set_one_of(*operator, operands, target),
            ExprKind::Arithmetic(operator, first, second) => self.set_part(*operator, first, second, target),
            ExprKind::Property(property, operand) => {
                if let Some(node) = self.operand(operand) {
                    nodes::set_property(self.graph, node, *property, target);
                }
            }
            ExprKind::DimOf(operand, index) => {
                if let (Some(node), Some(index)) = (self.operand(operand), self.number(index)) {
                    nodes::set_extent(self.graph, node, index, target);
                }
            }
            ExprKind::ConstantValue(ConstantQuery::Int | ConstantQuery::Float, operand, index) => {
                self.set_element(operand, index, target);
            }
            _ => {}
        }
    }

    fn set_element(&mut self, operand: &OperandRef, index: &Expr, value: f64) {
        if let (Some(node), Some(index)) = (self.operand(operand), self.number(index)) {
            nodes::set_element(self.graph, node, index, value);
        }
    }

    /// Changes one operand so that all together are a number.
    fn set_one_of(&mut self, operator: Reduction, operands: &[Expr], target: f64) {
        let chosen = self.random.below(operands.len());
        let others = operands.iter().enumerate().filter(|(index, _)| *index != chosen);
        let others: Option<Vec<f64>> = others.map(|(_, operand)| self.number(operand)).collect();
        let (Some(others), Some(operand)) = (others, operands.get(chosen)) else { return };
        let target = match operator {
            Reduction::Add => target - others.iter().sum::<f64>(),
            Reduction::Mul => {
                let factor: f64 = others.iter().product();
                let quotient = if factor == 0.0 { 1.0 } else { target / factor };
                if operand.ty == Type::Float { quotient } else { quotient.ceil() }
            }
            _ => target,
        };
        self.set(operand, target);
    }

    /// Changes one operand so that the result is a number.
    fn set_part(&mut self, operator: Arithmetic, first: &Expr, second: &Expr, target: f64) {
        let (Some(a), Some(b)) = (self.number(first), self.number(second)) else { return };
        let is_first = self.random.below(3) > 0;
        let multiple = b * self.random.below(5) as f64;
        match operator {
            Arithmetic::Sub if is_first => self.set(first, target + b),
            Arithmetic::Sub => self.set(second, a - target),
            Arithmetic::Div if is_first => self.set(first, target * b),
            Arithmetic::Div if target != 0.0 => self.set(second, a / target),
            Arithmetic::Div => {}
            Arithmetic::Rem | Arithmetic::Mod => self.set(first, multiple + target),
            Arithmetic::RoundUp => self.set(first, target),
        }
    }

    /// Changes nodes so that an expression is a dtype.
    fn set_dtype(&mut self, expr: &Expr, dtype: DType) {
        match &expr.kind {
            ExprKind::Cast(inner) if inner.ty != Type::DType => self.set(inner, f64::from(dtype as u8)),
            ExprKind::Cast(inner) => self.set_dtype(inner, dtype),
            ExprKind::Select(chooser, first, second) => {
                let chosen = if self.evaluate(chooser) == Some(Scalar::Bool(true)) { first } else { second };
                self.set_dtype(chosen, dtype);
            }
            ExprKind::Property(Property::DType, operand) => {
                if let Some(node) = self.operand(operand) {
                    nodes::set_dtype(self.graph, node, dtype);
                }
            }
            _ => {}
        }
    }

    /// Changes what splits slice so that it extends as far as what they split.
    pub fn fit<'p>(&mut self, part: &'p Replacement, splits: &mut Vec<(&'p str, usize, u64)>) {
        match &part.kind {
            ReplacementKind::AutoSplit(dimension, tag, ..) => {
                let dimension = self.number(dimension).map(|number| number as usize);
                let root = nodes::output(self.graph, self.bindings.root).map(|root| root.dims.clone());
                let extent = dimension.zip(root).and_then(|(dimension, dims)| Some((dimension, *dims.get(dimension)?)));
                splits.extend(extent.map(|(dimension, extent)| (tag.as_str(), dimension, extent)));
            }
            ReplacementKind::TypicalSlice(sliced, tag, along) => {
                let split = splits.iter().find(|(around, ..)| around == tag).copied();
                let along = along.as_ref().and_then(|along| self.number(along)).map(|number| number as usize);
                if let (Some((_, dimension, extent)), ReplacementKind::Existing(operand)) = (split, &sliced.kind)
                    && let Some(node) = self.operand(operand)
                {
                    nodes::set_extent(self.graph, node, along.unwrap_or(dimension) as f64, extent as f64);
                }
            }
            _ => {}
        }
        part.kind.parts().into_iter().for_each(|inner| self.fit(inner, splits));
    }

    /// Gives the root what a replacement of constants has: only there may it take the root's place.
    pub fn take_root(&mut self, replacement: &Replacement) {
        let root = self.bindings.root;
        let mut part = replacement;
        while let ReplacementKind::Modified(modifier, body) = &part.kind {
            match modifier {
                Modifier::OutputType(dtype, zero_offset, step_size) => {
                    if let (Some(Scalar::DType(dtype)), Some(Scalar::Int(zero)), Some(Scalar::Float(step))) =
                        (self.evaluate(dtype), self.evaluate(zero_offset), self.evaluate(step_size))
                    {
                        nodes::set_encoding(self.graph, root, Encoding::new(dtype, zero, step));
                    }
                }
                Modifier::Size(shape) => self.take_shape(root, shape),
                Modifier::ResizeDim(dimension, extent) => {
                    if let (Some(dimension), Some(extent)) = (self.number(dimension), self.number(extent)) {
                        nodes::set_extent(self.graph, root, dimension, extent);
                    }
                }
                Modifier::Type(operand) | Modifier::SameOutput(operand) => {
                    let def = self.operand(operand).and_then(|of| nodes::output(self.graph, of).cloned());
                    if let Some(def) = def {
                        nodes::set_encoding(self.graph, root, def.encoding);
                    }
                }
                Modifier::MultiOut(_) | Modifier::SameId(_) | Modifier::SplitHistory(..) => {}
            }
            part = body;
        }
        if let ReplacementKind::Slice(_, _, size) = &part.kind {
            self.take_shape(root, size);
        }
    }

    /// Gives a node the shape that `gen_Shape` makes.
    fn take_shape(&mut self, node: Output, shape: &Replacement) {
        let ReplacementKind::Constant(ConstantBuilder::Shape(extents)) = &shape.kind else { return };
        let extents: Option<Vec<f64>> = extents.iter().map(|extent| self.number(extent)).collect();
        let is_extent = |extent: &f64| (1.0..=4096.0).contains(extent);
        if let Some(extents) = extents.filter(|extents| !extents.is_empty() && extents.iter().all(is_extent)) {
            nodes::set_dims(self.graph, node, extents.into_iter().map(|extent| extent as u64).collect());
        }
    }

    fn make_same(&mut self, sameness: Sameness, operands: (&OperandRef, &OperandRef), wanted: bool) {
        let (Some(first), Some(second)) = (self.operand(operands.0), self.operand(operands.1)) else { return };
        let (from, to) = if self.random.below(2) == 0 { (first, second) } else { (second, first) };
        let Some(model) = nodes::output(self.graph, from).cloned() else { return };
        match (sameness, wanted) {
            (Sameness::Shape, true) => nodes::set_dims(self.graph, to, model.dims),
            (Sameness::Encoding, true) => nodes::set_encoding(self.graph, to, model.encoding),
            (Sameness::Shape, false) => {
                let extent = model.dims.first().map_or(2, |extent| extent + 1);
                nodes::set_extent(self.graph, to, 0.0, extent as f64);
            }
            (Sameness::Encoding, false) => {
                let dtype = self.other_dtype(model.encoding.dtype());
                nodes::set_dtype(self.graph, to, dtype);
            }
            (Sameness::Op, _) => {}
        }
    }
}

/// How near to a condition the values of its sides are: 1 where it holds.
pub fn nearness(comparison: Comparison, first: Option<Scalar>, second: Option<Scalar>) -> f64 {
    let (Some(first), Some(second)) = (first, second) else { return 0.0 };
    if compare(comparison, first, second) == Some(true) {
        return 1.0;
    }
    match (real(first), real(second)) {
        // Nearer is better, but never as good as met; what is no number is near to nothing.
        (Some(first), Some(second)) if first.partial_cmp(&second).is_some_and(Ordering::is_ne) => {
            0.5 / (1.0 + (first - second).abs().ln_1p())
        }
        _ => 0.0,
    }
}

fn real(value: Scalar) -> Option<f64> {
    match value {
        Scalar::Int(value) => Some(f64::from(value)),
        Scalar::Size(value) => Some(value as f64),
        Scalar::Float(value) => Some(f64::from(value)),
        Scalar::Bool(_) | Scalar::DType(_) => None,
    }
}
