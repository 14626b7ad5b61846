//! Rules in words: what was understood of them, with macros expanded and packages filled in.

mod lines;
mod picture;
mod sketch;

use crate::apply::Scalar;
use crate::check::{Constant, constant};
use crate::grammar::RuleFile;
use crate::grammar::model::*;
pub use picture::{Format, picture};
use std::fmt::Write;

/// A rule as `skriptnd rules explain` shows it.
pub fn explain(rule: &Rule) -> String {
    let explainer = Explainer::of(rule);
    let mut text = heading(rule) + "\n";
    let mut line = |label: &str, told: &str| {
        let _ = writeln!(text, "  {label:<7}  {}", lines::broken(told, lines::INDENT));
    };
    line("matches", &explainer.pattern(&rule.pattern));
    for (at, condition) in explainer.conditions(&rule.constraint).iter().enumerate() {
        line(if at == 0 { "where" } else { "and" }, lines::without_parentheses(condition));
    }
    line("becomes", &explainer.replacement(&rule.replacement));
    text
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

fn arithmetic(operator: Arithmetic) -> &'static str {
    match operator {
        Arithmetic::Sub => "-",
        Arithmetic::Div => "/",
        Arithmetic::Rem => "rem",
        Arithmetic::Mod => "mod",
        Arithmetic::RoundUp => "rounded up to a multiple of",
    }
}

fn property(property: Property) -> &'static str {
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

fn constant_query(query: ConstantQuery) -> &'static str {
    match query {
        ConstantQuery::Int => "as int",
        ConstantQuery::Float => "as float",
        ConstantQuery::IntValid => "is a constant int",
        ConstantQuery::FloatValid => "is a constant",
    }
}

fn split_variable(variable: SplitVariable) -> &'static str {
    match variable {
        SplitVariable::Dim => "dimension",
        SplitVariable::Start => "start",
        SplitVariable::Size => "size",
    }
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
        format!("({})", flat.into_iter().map(|e| self.expr(e)).collect::<Vec<_>>().join(sign))
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
                let (zero_offset, step_size) = (self.expr(zero_offset), self.expr(step_size));
                format!("dtype {tag}, zero offset {zero_offset}, step size {step_size}")
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

/// The operands of `AND` or `OR`, with those of the same one within it in its place.
fn same_operator<'e>(operator: Reduction, operands: &'e [Expr], found: &mut Vec<&'e Expr>) {
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
fn iteration_tags<'a>(part: &'a Replacement, found: &mut Vec<&'a str>) {
    if let ReplacementKind::Iterate(_, tag, ..) = &part.kind {
        found.push(tag);
    }
    part.kind.parts().into_iter().for_each(|inner| iteration_tags(inner, found));
}

#[cfg(test)]
mod tests;
