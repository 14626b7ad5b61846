//! Rules in words: what was understood of them, with macros expanded and packages filled in.

mod picture;
mod sketch;

use crate::grammar::RuleFile;
use crate::grammar::model::*;
pub use picture::{Format, picture};
use std::fmt::Write;

/// A rule as `skriptnd rules explain` shows it.
pub fn explain(rule: &Rule) -> String {
    let explainer = Explainer { package: &rule.package };
    let mut text = String::new();
    let offset = match rule.pass.offset {
        0 => String::new(),
        offset => format!(" {} {}", if offset < 0 { '-' } else { '+' }, offset.abs()),
    };
    let flags = if rule.flags.is_empty() { String::new() } else { format!(", with {}", rule.flags.join(", ")) };
    let _ = writeln!(text, "{}: in pass {}{offset} ({}){flags}", rule.name, rule.pass.group, rule.pass.number);
    let _ = writeln!(text, "  matches  {}", explainer.pattern(&rule.pattern));
    let _ = writeln!(text, "  where    {}", explainer.expr(&rule.constraint));
    let _ = writeln!(text, "  becomes  {}", explainer.replacement(&rule.replacement));
    text
}

/// The ops that a file registers, and what it tells of their tensors.
pub fn explain_ops(file: &RuleFile) -> String {
    let mut text = String::new();
    for op in &file.ops {
        let cost = op.cost.as_deref().unwrap_or("GLACIAL");
        let flags: String = op.flags.iter().map(|flag| format!(", {flag}")).collect();
        let _ = writeln!(text, "op {}: computed by {}, cost {cost}{flags}", op.op, op.function);
    }
    for properties in &file.properties {
        let told = properties.layouts.iter().map(|(layout, tensors)| format!("{layout} {}", tensors.join(" ")));
        let _ = writeln!(text, "op {}({}): {}", properties.op, properties.operands.join(", "), list(told));
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
}

fn list(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().collect::<Vec<_>>().join(", ")
}

impl Explainer<'_> {
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
        let all = |name: &str, operands: &[&Expr]| format!("{name}({})", list(operands.iter().map(|e| self.expr(e))));
        match &expr.kind {
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Integer(value) if expr.ty == Type::Size => format!("{value}u"),
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
            ExprKind::DimOf(operand, index) => format!("dimension {} of {}", self.expr(index), self.operand(operand)),
            ExprKind::Same(sameness, first, second) => {
                let what = match sameness {
                    Sameness::Encoding => "have the same encoding",
                    Sameness::Op => "are the same node",
                    Sameness::Shape => "have the same shape",
                };
                format!("{} and {} {what}", self.operand(first), self.operand(second))
            }
            ExprKind::ConstantValue(query, operand, index) => {
                format!("element {} of {} {}", self.expr(index), self.operand(operand), constant_query(*query))
            }
            ExprKind::Split(variable, tag) => format!("{} of split {tag}", split_variable(*variable)),
            ExprKind::External(function, operand, values) => {
                format!("{function}({}, {})", self.operand(operand), self.exprs(values))
            }
        }
    }

    fn reduction(&self, operator: Reduction, operands: &[Expr]) -> String {
        let operator = match operator {
            Reduction::And => " and ",
            Reduction::Or => " or ",
            Reduction::Xor => " xor ",
            Reduction::Add => " + ",
            Reduction::Mul => " * ",
            Reduction::Min => return format!("min({})", self.exprs(operands)),
            Reduction::Max => return format!("max({})", self.exprs(operands)),
        };
        format!("({})", operands.iter().map(|e| self.expr(e)).collect::<Vec<_>>().join(operator))
    }

    fn operand(&self, operand: &OperandRef) -> String {
        match &operand.kind {
            OperandRefKind::Root => "the root".to_owned(),
            OperandRefKind::Tag(tag) => tag.clone(),
            OperandRefKind::Input(of, index) => format!("input {} of {}", self.expr(index), self.operand(of)),
            OperandRefKind::Output(of, index) => format!("output {} of {}", self.expr(index), self.operand(of)),
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
            ReplacementKind::TypicalSlice(operand, tag, _) => format!("slice {tag} of {}", self.replacement(operand)),
            ReplacementKind::ExternalReplace(function) => format!("what {function} makes"),
            ReplacementKind::ShapeFunction(function, _, operands) => {
                let operands = operands.iter().map(|operand| match operand {
                    ApplyOperand::Node(node) => self.replacement(node),
                    ApplyOperand::Scalar(expr) => self.expr(expr),
                });
                format!("{function}({})", list(operands))
            }
        }
    }

    fn constant(&self, constant: &ConstantBuilder) -> String {
        match constant {
            ConstantBuilder::Shape(extents) => format!("shape [{}]", self.exprs(extents)),
            ConstantBuilder::ShapeOf(operand) => format!("shape of {}", self.operand(operand)),
            ConstantBuilder::ScalarFloat(value) => format!("float constant {}", self.expr(value)),
            ConstantBuilder::ScalarInt(value) => format!("int constant {}", self.expr(value)),
            ConstantBuilder::FilledFloat(value, count) => {
                format!("{} float constants {}", self.expr(count), self.expr(value))
            }
            ConstantBuilder::FilledInt(value, count) => {
                format!("{} int constants {}", self.expr(count), self.expr(value))
            }
            ConstantBuilder::Ints(values) => format!("int constants [{}]", self.exprs(values)),
        }
    }

    fn modifier(&self, modifier: &Modifier) -> String {
        match modifier {
            Modifier::Size(shape) => format!("size of {}", self.replacement(shape)),
            Modifier::Type(operand) => format!("type of {}", self.operand(operand)),
            Modifier::SameOutput(operand) => format!("output of {}", self.operand(operand)),
            Modifier::OutputType(dtype, zero_offset, step_size) => {
                let zero_offset = self.expr(zero_offset);
                format!("{}, zero offset {zero_offset}, step size {}", self.expr(dtype), self.expr(step_size))
            }
            Modifier::MultiOut(outputs) => format!("{} outputs", self.expr(outputs)),
            Modifier::ResizeDim(dimension, extent) => {
                format!("dimension {} is {}", self.expr(dimension), self.expr(extent))
            }
            Modifier::SameId(operand) => format!("id of {}", self.operand(operand)),
            Modifier::SplitHistory(operand, _) => format!("split history of {}", self.operand(operand)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::{RuleSet, Settings};

    #[test]
    fn a_rule_reads_well() {
        let set = RuleSet::parse(
            "test.htp",
            "DEF_PACKAGE_OPTIMIZATION(EARLY + 2, Op(\"A\", LET(\"r\", OpVarIn(\"$Cat\", \"x\"))),\n\
             AND(IS_FLOAT(\"x\"), GT(DIM_DEPTH(\"*\"), ADD(1, 2u)), NOT(SAME_SHAPE(\"r\", INPUT_OF(\"*\", 0)))),\n\
             WITH_SIZE(gen_Shape(1, RANK_OF(\"x\")), Op(\"mine::B\", \"r\", gen_ConstScalar_f32(0.5))))",
            &Settings::default(),
        );
        assert!(set.found.is_empty(), "{}", set.messages());
        assert_eq!(
            explain(&set.rules[0]),
            "test.htp:1: in pass EARLY + 2 (2002)\n  \
               matches  q::A(r = $Cat(x, ...))\n  \
               where    (dtype of x == Float32 and dimension 3 of the root > (1 + 2u) and \
             not(r and input 0 of the root have the same shape))\n  \
               becomes  mine::B(r, float constant 0.5) {size of shape [1, rank of x]}\n"
        );
    }
}
