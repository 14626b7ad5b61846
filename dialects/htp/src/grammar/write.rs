//! Rules as text of the published grammar: names of ops with their packages, macros as what they stand for.
//!
//! What is written is read back as the same thing, so that parts of rules can travel as text.

use super::model::*;

/// Writes the parts of rules of a package.
#[derive(Debug, Clone, Copy)]
pub struct Writer<'a> {
    /// The package of ops whose names have none.
    pub package: &'a str,
    /// Tags that are called otherwise, with those other names.
    pub renamed: &'a [(String, String)],
}

fn call(name: &str, operands: impl IntoIterator<Item = String>) -> String {
    format!("{name}({})", operands.into_iter().collect::<Vec<_>>().join(", "))
}

fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

fn reduction(operator: Reduction) -> &'static str {
    match operator {
        Reduction::And => "AND",
        Reduction::Or => "OR",
        Reduction::Xor => "XOR",
        Reduction::Add => "ADD",
        Reduction::Mul => "MUL",
        Reduction::Min => "MIN",
        Reduction::Max => "MAX",
    }
}

fn arithmetic(operator: Arithmetic) -> &'static str {
    match operator {
        Arithmetic::Sub => "SUB",
        Arithmetic::Div => "DIV",
        Arithmetic::Rem => "REM",
        Arithmetic::Mod => "MOD",
        Arithmetic::RoundUp => "ROUNDUP",
    }
}

fn comparison(operator: Comparison) -> &'static str {
    match operator {
        Comparison::Eq => "EQ",
        Comparison::Ne => "NE",
        Comparison::Lt => "LT",
        Comparison::Gt => "GT",
        Comparison::Le => "LE",
        Comparison::Ge => "GE",
    }
}

fn property(property: Property) -> &'static str {
    match property {
        Property::Rank => "RANK_OF",
        Property::StepSize => "STEPSIZE_OF",
        Property::ZeroOffset => "ZERO_OFFSET_OF",
        Property::DType => "DTYPE_OF",
        Property::ElementSize => "ELEMENTSIZE_OF",
        Property::Inputs => "INPUTS_OF",
        Property::Outputs => "OUTPUTS_OF",
    }
}

fn sameness(sameness: Sameness) -> &'static str {
    match sameness {
        Sameness::Encoding => "SAME_ENCODING",
        Sameness::Op => "SAME_OP",
        Sameness::Shape => "SAME_SHAPE",
    }
}

fn constant_query(query: ConstantQuery) -> &'static str {
    match query {
        ConstantQuery::Int => "CONSTVAL_INT",
        ConstantQuery::IntValid => "CONSTVAL_INT_VALID",
        ConstantQuery::Float => "CONSTVAL_FLOAT",
        ConstantQuery::FloatValid => "CONSTVAL_FLOAT_VALID",
    }
}

fn option(ty: Type) -> &'static str {
    match ty {
        Type::Size => "OPTION_UINT",
        Type::Bool => "OPTION_BOOL",
        Type::Float => "OPTION_FLOAT",
        Type::Int | Type::DType => "OPTION_INT",
    }
}

fn cast(ty: Type) -> &'static str {
    match ty {
        Type::Size => "UINT",
        Type::Float => "FLOAT",
        Type::DType => "DTYPE",
        Type::Int | Type::Bool => "INT",
    }
}

fn split_variable(variable: SplitVariable) -> &'static str {
    match variable {
        SplitVariable::Dim => "SPLIT_DIM",
        SplitVariable::Start => "SPLIT_START",
        SplitVariable::Size => "SPLIT_SIZE",
    }
}

fn float(value: f32) -> String {
    match value {
        f32::INFINITY => "INF".to_owned(),
        f32::NEG_INFINITY => "NEG_INF".to_owned(),
        value => format!("{value:?}"),
    }
}

impl Writer<'_> {
    fn name(&self, name: &OpName) -> String {
        quoted(&name.qualified(self.package))
    }

    fn tag(&self, tag: &str) -> String {
        quoted(self.renamed.iter().find(|(own, _)| own == tag).map_or(tag, |(_, other)| other))
    }

    /// Several expressions.
    fn exprs<'e>(&self, exprs: impl IntoIterator<Item = &'e Expr>) -> Vec<String> {
        exprs.into_iter().map(|expr| self.expr(expr)).collect()
    }

    /// An expression.
    pub fn expr(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Integer(value) if expr.ty == Type::Size => format!("{value}u"),
            ExprKind::Integer(value) => value.to_string(),
            ExprKind::Float(value) => float(*value),
            ExprKind::DType(tag) => format!("DType::{tag}"),
            ExprKind::ChunkSize(class, dimension) => call("LAYOUT_CHUNKSIZE", [class.clone(), dimension.to_string()]),
            ExprKind::Option(name) => call(option(expr.ty), [quoted(name)]),
            ExprKind::Cast(inner) => call(cast(expr.ty), [self.expr(inner)]),
            ExprKind::Not(inner) => call("NOT", [self.expr(inner)]),
            ExprKind::Neg(inner) => call("NEG", [self.expr(inner)]),
            ExprKind::Abs(inner) => call("ABS", [self.expr(inner)]),
            ExprKind::IsPow2(inner) => call("IS_POW2", [self.expr(inner)]),
            ExprKind::Select(condition, first, second) => call("SELECT", self.exprs([&**condition, first, second])),
            ExprKind::Reduce(operator, operands) => call(reduction(*operator), self.exprs(operands)),
            ExprKind::Arithmetic(operator, a, b) => call(arithmetic(*operator), self.exprs([&**a, b])),
            ExprKind::Compare(operator, a, b) => call(comparison(*operator), self.exprs([&**a, b])),
            ExprKind::Property(of, operand) => call(property(*of), [self.operand(operand)]),
            ExprKind::DimOf(operand, index) => call("DIM_OF", [self.operand(operand), self.expr(index)]),
            ExprKind::Same(what, a, b) => call(sameness(*what), [self.operand(a), self.operand(b)]),
            ExprKind::ConstantValue(query, operand, index) => {
                call(constant_query(*query), [self.operand(operand), self.expr(index)])
            }
            ExprKind::Split(variable, tag) => call(split_variable(*variable), [quoted(tag)]),
            ExprKind::External(function, operand, values) => {
                let given = [function.clone(), self.operand(operand)];
                call("EXTERNAL_CONSTRAINT", given.into_iter().chain(self.exprs(values)))
            }
        }
    }

    /// A node that is there.
    pub fn operand(&self, operand: &OperandRef) -> String {
        match &operand.kind {
            OperandRefKind::Root => quoted("*"),
            OperandRefKind::Tag(tag) => self.tag(tag),
            OperandRefKind::Input(of, index) => call("INPUT_OF", [self.operand(of), self.expr(index)]),
            OperandRefKind::Output(of, index) => call("OUTPUT_OF", [self.operand(of), self.expr(index)]),
            OperandRefKind::Select(condition, first, second) => {
                call("SELECT", [self.expr(condition), self.operand(first), self.operand(second)])
            }
        }
    }

    fn parts<'r>(&self, parts: impl IntoIterator<Item = &'r Replacement>) -> Vec<String> {
        parts.into_iter().map(|part| self.replacement(part)).collect()
    }

    /// A part of a replacement.
    pub fn replacement(&self, part: &Replacement) -> String {
        match &part.kind {
            ReplacementKind::Existing(operand) => self.operand(operand),
            ReplacementKind::Op(name, operands) => {
                call("Op", [self.name(name)].into_iter().chain(self.parts(operands)))
            }
            ReplacementKind::Wrap(name, inner, always) => {
                call(if *always { "WrapOpAlways" } else { "WrapOp" }, [self.name(name), self.replacement(inner)])
            }
            ReplacementKind::MultiOut(outputs, output, name, operands) => {
                let head = [self.expr(outputs), self.expr(output), self.name(name)];
                call("OpMultiOut", head.into_iter().chain(self.parts(operands)))
            }
            ReplacementKind::Constant(constant) => self.constant(constant),
            ReplacementKind::Modified(modifier, body) => self.modified(modifier, self.replacement(body)),
            ReplacementKind::Select(condition, first, second) => {
                call("SELECT", [self.expr(condition), self.replacement(first), self.replacement(second)])
            }
            ReplacementKind::AutoSplit(dimension, tag, size, body) => {
                call("AUTOSPLIT", [self.expr(dimension), quoted(tag), self.expr(size), self.replacement(body)])
            }
            ReplacementKind::Iterate(base, tag, low, high, body) => {
                let [low, high] = [low, high].map(|bound| self.expr(bound));
                call("OP_ITER", [self.replacement(base), quoted(tag), low, high, self.replacement(body)])
            }
            ReplacementKind::IterInput(operand, tag) => call("ITER_INPUT_OF", [self.operand(operand), quoted(tag)]),
            ReplacementKind::Slice(operand, start, size) => {
                call("AUTOSPLIT_SLICE", self.parts([&**operand, start, size]))
            }
            ReplacementKind::TypicalSlice(operand, tag, dimension) => {
                let name = if dimension.is_some() { "CHANGEDIM_SLICE" } else { "TYPICAL_SLICE" };
                let head = [self.replacement(operand), quoted(tag)];
                call(name, head.into_iter().chain(dimension.iter().map(|dimension| self.expr(dimension))))
            }
            ReplacementKind::ExternalReplace(function) => call("EXTERNAL_REPLACE", [function.clone()]),
            ReplacementKind::ShapeFunction(function, tag, operands) => {
                let name = if tag.is_some() { "AUTOSPLIT_SHAPEFN_APPLY" } else { "SHAPEFN_APPLY" };
                let head = [function.clone()].into_iter().chain(tag.iter().map(|tag| quoted(tag)));
                call(name, head.chain(operands.iter().map(|operand| self.apply_operand(operand))))
            }
        }
    }

    fn apply_operand(&self, operand: &ApplyOperand) -> String {
        match operand {
            ApplyOperand::Node(node) => self.replacement(node),
            ApplyOperand::Scalar(expr) => self.expr(expr),
        }
    }

    fn constant(&self, constant: &ConstantBuilder) -> String {
        match constant {
            ConstantBuilder::Shape(extents) => call("gen_Shape", self.exprs(extents)),
            ConstantBuilder::ShapeOf(operand) => call("gen_ShapeOf", [self.operand(operand)]),
            ConstantBuilder::ScalarFloat(value) => call("gen_ConstScalar_f32", [self.expr(value)]),
            ConstantBuilder::ScalarInt(value) => call("gen_ConstScalar_i32", [self.expr(value)]),
            ConstantBuilder::FilledFloat(value, count) => call("gen_ConstArr_f32", self.exprs([&**value, count])),
            ConstantBuilder::FilledInt(value, count) => call("gen_ConstArr_i32", self.exprs([&**value, count])),
            ConstantBuilder::Ints(values) => call("gen_ConstArr_vals_i32", self.exprs(values)),
        }
    }

    /// A modifier around what is written already.
    pub fn modified(&self, modifier: &Modifier, body: String) -> String {
        match modifier {
            Modifier::Size(shape) => call("WITH_SIZE", [self.replacement(shape), body]),
            Modifier::Type(operand) => call("WITH_TYPE", [self.operand(operand), body]),
            Modifier::SameOutput(operand) => call("WITH_SAME_OUTPUT", [self.operand(operand), body]),
            Modifier::OutputType(dtype, zero_offset, step_size) => {
                let parameters = self.exprs([&**dtype, zero_offset, step_size]);
                call("WITH_OUTPUT_TYPE", parameters.into_iter().chain([body]))
            }
            Modifier::MultiOut(outputs) => call("WITH_MULTI_OUT", [self.expr(outputs), body]),
            Modifier::ResizeDim(dimension, extent) => {
                call("ResizeDim", [self.expr(dimension), self.expr(extent), body])
            }
            Modifier::SameId(operand) => call("WITH_SAME_ID", [self.operand(operand), body]),
            Modifier::SplitHistory(operand, size) => {
                let size = size.iter().map(|size| self.expr(size));
                call("WITH_SPLIT_HISTORY", [self.operand(operand)].into_iter().chain(size).chain([body]))
            }
        }
    }
}
