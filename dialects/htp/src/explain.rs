//! Rules in words: what was understood of them, with macros expanded and packages filled in.

mod layout;
mod lines;
mod names;
mod picture;
mod sketch;
mod words;

use crate::apply::Scalar;
use crate::check::{Constant, constant};
use crate::grammar::RuleFile;
use crate::grammar::model::*;
pub use picture::{Format, picture};
use std::fmt::Write;
use words::{arithmetic, constant_query, iteration_tags, property, same_operator, split_variable};

/// A rule as `skriptnd rules explain` shows it.
pub fn explain(rule: &Rule) -> String {
    let explainer = Explainer::of(rule);
    let mut text = heading(rule) + "\n";
    let mut line = |label: &str, told: &str| {
        let _ = writeln!(text, "  {label:<7}  {}", lines::broken(told, lines::INDENT));
    };
    line("matches", &explainer.pattern(&rule.pattern));
    let mut told = explainer.conditions(&rule.constraint);
    told.push(explainer.replacement(&rule.replacement));
    for (at, (name, meaning)) in names::named(&mut told, |name| rule.tags.contains_key(name)).iter().enumerate() {
        line(if at == 0 { "with" } else { "and" }, &format!("{name} = {meaning}"));
    }
    let becomes = told.pop().unwrap_or_default();
    for (at, condition) in told.iter().enumerate() {
        line(if at == 0 { "where" } else { "and" }, lines::without_parentheses(condition));
    }
    line("becomes", &becomes);
    text
}

/// A condition of a rule in words.
pub fn condition(rule: &Rule, condition: &Expr) -> String {
    let told = Explainer { folds: false, ..Explainer::of(rule) }.expr(condition);
    lines::without_parentheses(&told).to_owned()
}

/// The name of a rule, its pass and its flags.
fn heading(rule: &Rule) -> String {
    let offset = match rule.pass.offset {
        0 => String::new(),
        offset => format!(" {} {}", if offset < 0 { '-' } else { '+' }, offset.abs()),
    };
    let flags = if rule.flags.is_empty() { String::new() } else { format!(", with {}", rule.flags.join(", ")) };
    format!("{}: in pass {}{offset} ({}){flags}", rule.name, rule.pass.group, rule.pass.number)
}

/// The ops that a file registers, and what it tells of their tensors.
pub fn explain_ops(file: &RuleFile) -> String {
    let mut text = String::new();
    for op in &file.ops {
        let flags: String = op.flags.iter().map(|flag| format!(", {flag}")).collect();
        let _ = writeln!(text, "op {}: computed by {}, cost {}{flags}", op.op, op.function, op.cost());
    }
    for properties in &file.properties {
        let told = properties.layouts.iter().filter(|(_, tensors)| !tensors.is_empty());
        let named = |tensor: &String| match tensor.as_str() {
            "*" => "the result".to_owned(),
            "..." => "all others".to_owned(),
            _ => tensor.clone(),
        };
        let told = told.map(|(layout, tensors)| format!("{layout}: {}", list(tensors.iter().map(named))));
        let told = told.collect::<Vec<_>>().join("; ");
        let told = if told.is_empty() { "of which nothing is told" } else { &told };
        let _ = writeln!(text, "op {}({}) has tensors {told}", properties.op, properties.operands.join(", "));
    }
    text
}

struct Explainer<'a> {
    package: &'a str,
    /// The tags of iterations: their variables are numbers of steps.
    iterations: Vec<&'a str>,
    /// Whether constants are told by their values.
    folds: bool,
}

fn list(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().collect::<Vec<_>>().join(", ")
}

impl<'a> Explainer<'a> {
    fn of(rule: &'a Rule) -> Self {
        let mut iterations = Vec::new();
        iteration_tags(&rule.replacement, &mut iterations);
        Explainer { package: &rule.package, iterations, folds: true }
    }

    /// The conditions that all must hold.
    fn conditions(&self, condition: &Expr) -> Vec<String> {
        match &condition.kind {
            ExprKind::Reduce(Reduction::And, operands) => operands.iter().flat_map(|e| self.conditions(e)).collect(),
            ExprKind::Bool(_) => vec![self.expr(condition)],
            _ => match constant(condition) {
                Some(Constant::Value(Scalar::Bool(holds))) => {
                    let written = Explainer { iterations: self.iterations.clone(), folds: false, ..*self };
                    vec![format!("{} (always {holds})", written.expr(condition))]
                }
                _ => vec![self.expr(condition)],
            },
        }
    }

    fn pattern(&self, op: &MatchOp) -> String {
        let mut operands: Vec<String> = op
            .operands
            .iter()
            .map(|operand| match operand {
                MatchOperand::Tag(tag, _) => tag.clone(),
                MatchOperand::Op(op) => self.pattern(op),
            })
            .collect();
        if op.open {
            operands.push("...".to_owned());
        }
        let tag = op.tag.as_ref().map(|tag| format!("{tag} = ")).unwrap_or_default();
        format!("{tag}{}({})", op.name.qualified(self.package), operands.join(", "))
    }

    fn exprs(&self, exprs: &[Expr]) -> String {
        list(exprs.iter().map(|expr| self.expr(expr)))
    }

    fn expr(&self, expr: &Expr) -> String {
        // What constants come to, e.g. those of macros, is their value.
        match constant(expr).filter(|_| self.folds) {
            Some(Constant::Value(Scalar::Int(value))) => return value.to_string(),
            Some(Constant::Value(Scalar::Size(value))) => return value.to_string(),
            Some(Constant::Value(Scalar::Float(value))) => return format!("{value:?}"),
            _ => {}
        }
        let all = |name: &str, operands: &[&Expr]| format!("{name}({})", list(operands.iter().map(|e| self.expr(e))));
        match &expr.kind {
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Integer(value) => value.to_string(),
            ExprKind::Float(value) => format!("{value:?}"),
            ExprKind::DType(tag) => tag.to_string(),
            ExprKind::ChunkSize(class, dimension) => format!("LAYOUT_CHUNKSIZE({class}, {dimension})"),
            ExprKind::Option(name) => format!("option {name} as {}", expr.ty),
            ExprKind::Cast(inner) => all(&expr.ty.to_string(), &[inner]),
            ExprKind::Not(inner) => all("not", &[inner]),
            ExprKind::Neg(inner) => all("-", &[inner]),
            ExprKind::Abs(inner) => all("abs", &[inner]),
            ExprKind::IsPow2(inner) => all("is_power_of_2", &[inner]),
            ExprKind::Select(condition, first, second) => {
                format!("({} ? {} : {})", self.expr(condition), self.expr(first), self.expr(second))
            }
            ExprKind::Reduce(operator, operands) => self.reduction(*operator, operands),
            ExprKind::Arithmetic(operator, first, second) => {
                format!("({} {} {})", self.expr(first), arithmetic(*operator), self.expr(second))
            }
            ExprKind::Compare(operator, first, second) => {
                format!("{} {} {}", self.expr(first), operator.symbol(), self.expr(second))
            }
            ExprKind::Property(of, operand) => format!("{} of {}", property(*of), self.operand(operand)),
            ExprKind::DimOf(operand, index) => format!("dimension {} of {}", self.index(index), self.operand(operand)),
            ExprKind::Same(sameness, first, second) => {
                let what = match sameness {
                    Sameness::Encoding => "have the same encoding",
                    Sameness::Op => "are the same node",
                    Sameness::Shape => "have the same shape",
                };
                format!("{} and {} {what}", self.operand(first), self.operand(second))
            }
            ExprKind::ConstantValue(query, operand, index) => {
                format!("element {} of {} {}", self.index(index), self.operand(operand), constant_query(*query))
            }
            ExprKind::Split(SplitVariable::Start, tag) if self.iterations.contains(&tag.as_str()) => tag.clone(),
            ExprKind::Split(variable, tag) => format!("{} of split {tag}", split_variable(*variable)),
            ExprKind::External(function, operand, values) => {
                let values = values.iter().map(|value| self.expr(value));
                format!("{function}({})", list(std::iter::once(self.operand(operand)).chain(values)))
            }
        }
    }

    /// The number of something: what is more than one word stands in parentheses.
    fn index(&self, index: &Expr) -> String {
        let text = self.expr(index);
        if text.contains(' ') && !text.starts_with('(') { format!("({text})") } else { text }
    }

    fn reduction(&self, operator: Reduction, operands: &[Expr]) -> String {
        let sign = match operator {
            Reduction::And => " and ",
            Reduction::Or => " or ",
            Reduction::Xor => " xor ",
            Reduction::Add => " + ",
            Reduction::Mul => " * ",
            Reduction::Min => return format!("min({})", self.exprs(operands)),
            Reduction::Max => return format!("max({})", self.exprs(operands)),
        };
        let mut flat = Vec::new();
        same_operator(operator, operands, &mut flat);
        let told = if operator == Reduction::Or { self.alternatives(&flat) } else { self.told(&flat) };
        // What is one of several is one condition.
        if told.len() == 1 && flat.len() > 1 { told.concat() } else { format!("({})", told.join(sign)) }
    }

    fn told(&self, exprs: &[&Expr]) -> Vec<String> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    /// Conditions of which one holds: what may be one of several is told once.
    fn alternatives(&self, flat: &[&Expr]) -> Vec<String> {
        let is_equal = |expr: &Expr| match &expr.kind {
            ExprKind::Compare(Comparison::Eq, first, second) => Some((self.expr(first), self.expr(second))),
            _ => None,
        };
        let mut groups: Vec<(String, Vec<String>)> = Vec::new();
        for expr in flat {
            match (is_equal(expr), groups.last_mut()) {
                (Some((asked, value)), Some((known, values))) if asked == *known && !values.is_empty() => {
                    values.push(value);
                }
                (Some((asked, value)), _) => groups.push((asked, vec![value])),
                (None, _) => groups.push((self.expr(expr), Vec::new())),
            }
        }
        let told = groups.into_iter().map(|(asked, values)| match &values[..] {
            [] => asked,
            [value] => format!("{asked} == {value}"),
            [..] => format!("{asked} is one of [{}]", values.join(", ")),
        });
        told.collect()
    }

    fn operand(&self, operand: &OperandRef) -> String {
        match &operand.kind {
            OperandRefKind::Root => "the root".to_owned(),
            OperandRefKind::Tag(tag) => tag.clone(),
            OperandRefKind::Input(of, index) => format!("input {} of {}", self.index(index), self.operand(of)),
            OperandRefKind::Output(of, index) => format!("output {} of {}", self.index(index), self.operand(of)),
            OperandRefKind::Select(condition, first, second) => {
                format!("({} ? {} : {})", self.expr(condition), self.operand(first), self.operand(second))
            }
        }
    }

    fn op(&self, name: &OpName, operands: &[Replacement]) -> String {
        format!("{}({})", name.qualified(self.package), list(operands.iter().map(|o| self.replacement(o))))
    }

    fn replacement(&self, replacement: &Replacement) -> String {
        match &replacement.kind {
            ReplacementKind::Existing(operand) => self.operand(operand),
            ReplacementKind::Op(name, operands) => self.op(name, operands),
            ReplacementKind::Wrap(name, inner, always) => {
                let unless = if *always { "" } else { " unless it is one" };
                format!("{}({}){unless}", name.qualified(self.package), self.replacement(inner))
            }
            ReplacementKind::MultiOut(outputs, output, name, operands) => {
                format!("output {} of {} of {}", self.expr(output), self.expr(outputs), self.op(name, operands))
            }
            ReplacementKind::Constant(constant) => self.constant(constant),
            ReplacementKind::Modified(modifier, body) => {
                format!("{} {{{}}}", self.replacement(body), self.modifier(modifier))
            }
            ReplacementKind::Select(condition, first, second) => {
                format!("({} ? {} : {})", self.expr(condition), self.replacement(first), self.replacement(second))
            }
            ReplacementKind::AutoSplit(dimension, tag, size, body) => format!(
                "split {tag} of dimension {} in slices of {}: {}",
                self.expr(dimension),
                self.expr(size),
                self.replacement(body)
            ),
            ReplacementKind::Iterate(base, tag, low, high, body) => format!(
                "{} with an input for {tag} from {} below {}: {}",
                self.replacement(base),
                self.expr(low),
                self.expr(high),
                self.replacement(body)
            ),
            ReplacementKind::IterInput(operand, tag) => format!("input {tag} of {}", self.operand(operand)),
            ReplacementKind::Slice(operand, start, size) => format!(
                "slice of {} at {} of size {}",
                self.replacement(operand),
                self.replacement(start),
                self.replacement(size)
            ),
            ReplacementKind::TypicalSlice(operand, tag, dimension) => {
                let along = dimension.as_ref().map(|dimension| format!(" along dimension {}", self.expr(dimension)));
                format!("slice {tag} of {}{}", self.replacement(operand), along.unwrap_or_default())
            }
            ReplacementKind::ExternalReplace(function) => format!("what {function} makes"),
            ReplacementKind::ShapeFunction(function, split, operands) => {
                let split = split.iter().map(|tag| format!("split {tag}"));
                let operands = operands.iter().map(|operand| match operand {
                    ApplyOperand::Node(node) => self.replacement(node),
                    ApplyOperand::Scalar(expr) => self.expr(expr),
                });
                format!("{function}({})", list(split.chain(operands)))
            }
        }
    }

    fn constant(&self, constant: &ConstantBuilder) -> String {
        match constant {
            ConstantBuilder::Shape(extents) => format!("shape [{}]", self.exprs(extents)),
            ConstantBuilder::ShapeOf(operand) => format!("shape of {}", self.operand(operand)),
            ConstantBuilder::ScalarFloat(value) => format!("float {}", self.expr(value)),
            ConstantBuilder::ScalarInt(value) => format!("int {}", self.expr(value)),
            ConstantBuilder::FilledFloat(value, count) => {
                format!("floats [{}, {} times]", self.expr(value), self.expr(count))
            }
            ConstantBuilder::FilledInt(value, count) => {
                format!("ints [{}, {} times]", self.expr(value), self.expr(count))
            }
            ConstantBuilder::Ints(values) => format!("ints [{}]", self.exprs(values)),
        }
    }

    /// A property that is set: to that of an operand, or to a number.
    fn as_of(&self, value: &Expr, set: Property, name: &str) -> String {
        let told = self.expr(value);
        let is_same = matches!(&value.kind, ExprKind::Property(asked, _) if *asked == set);
        if is_same { told } else { format!("{name} {told}") }
    }

    fn modifier(&self, modifier: &Modifier) -> String {
        match modifier {
            Modifier::Size(shape) => format!("size of {}", self.replacement(shape)),
            Modifier::Type(operand) => format!("type of {}", self.operand(operand)),
            Modifier::SameOutput(operand) => format!("size and type of {}", self.operand(operand)),
            Modifier::OutputType(dtype, zero_offset, step_size) => {
                let tag = self.expr(dtype);
                // Types that are not quantized have neither.
                if matches!(dtype.kind, ExprKind::DType(dtype) if !dtype.is_quantized()) {
                    return format!("dtype {tag}");
                }
                let zero_offset = self.as_of(zero_offset, Property::ZeroOffset, "zero offset");
                let step_size = self.as_of(step_size, Property::StepSize, "step size");
                format!("dtype {tag}, {zero_offset}, {step_size}")
            }
            Modifier::MultiOut(outputs) => format!("{} outputs", self.expr(outputs)),
            Modifier::ResizeDim(dimension, extent) => {
                format!("dimension {} is {}", self.expr(dimension), self.expr(extent))
            }
            Modifier::SameId(operand) => format!("id of {}", self.operand(operand)),
            Modifier::SplitHistory(operand, size) => {
                let more = size.as_ref().map(|size| format!(" and a split in slices of {}", self.expr(size)));
                format!("split history of {}{}", self.operand(operand), more.unwrap_or_default())
            }
        }
    }
}

#[cfg(test)]
mod tests;
