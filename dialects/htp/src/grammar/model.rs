//! Rules with everything resolved: tags bound, macros expanded to what they stand for, expressions typed.

pub use super::operators::*;
use indexmap::IndexMap;
use skriptnd_source::Span;
use strum::{Display, EnumString, FromRepr, IntoStaticStr, VariantArray};

/// One optimization rule.
#[derive(Debug, Clone)]
pub struct Rule {
    /// File and line, e.g. `rules.htp:12`.
    pub name: String,
    /// The whole rule.
    pub span: Span,
    /// When it is tried.
    pub pass: Pass,
    /// What it matches; its first op is the root, written `"*"` elsewhere.
    pub pattern: MatchOp,
    /// All operand tags of the match, in order of appearance, with the first place.
    pub tags: IndexMap<String, Span>,
    /// Whether it applies to a match.
    pub constraint: Expr,
    /// What takes the root's place.
    pub replacement: Replacement,
    /// The package of ops whose names have none.
    pub package: String,
    /// The flags of the extensions that stand behind the pass, e.g. `relaxed_precision_flag`.
    pub flags: Vec<String>,
}

/// A pass group with its offset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pass {
    /// The group's name, e.g. `EARLY`.
    pub group: String,
    /// The offset behind `+`.
    pub offset: i64,
    /// The sum of the group's number and the offset.
    pub number: i64,
    /// Where the rule tells it.
    pub span: Span,
}

/// Name of an op.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OpName {
    /// As written, string constants joined.
    pub text: String,
    /// Where it is written.
    pub span: Span,
}

impl OpName {
    /// The name with its package: names without `::` belong to the current package, those of the framework begin with `$`.
    pub fn qualified(&self, package: &str) -> String {
        qualified(&self.text, package)
    }
}

/// A name of an op with its package.
pub fn qualified(name: &str, package: &str) -> String {
    if name.contains("::") || name.starts_with('$') { name.to_owned() } else { format!("{package}::{name}") }
}

/// `Op` or `OpVarIn` in a match.
#[derive(Debug, Clone)]
pub struct MatchOp {
    /// The op's name.
    pub name: OpName,
    /// Whether more operands may follow (`OpVarIn`).
    pub open: bool,
    /// What its operands must be; with `open`, the first ones.
    pub operands: Vec<MatchOperand>,
    /// The tag that `LET` gives it.
    pub tag: Option<String>,
    /// From `Op` to the closing parenthesis.
    pub span: Span,
}

/// Operand of an op in a match.
#[derive(Debug, Clone)]
pub enum MatchOperand {
    /// Anything; the same thing wherever the tag is the same.
    Tag(String, Span),
    /// The output of another op.
    Op(MatchOp),
}

/// The types of expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// `bool`.
    Bool,
    /// `int`: 32 bits, signed.
    Int,
    /// `size`: 64 bits, unsigned.
    Size,
    /// `float`: 32 bits.
    Float,
    /// `dtype`.
    DType,
}

impl Type {
    /// Whether it is `int` or `size`.
    pub fn is_integer(self) -> bool {
        matches!(self, Type::Int | Type::Size)
    }

    /// Whether one can calculate with it.
    pub fn is_number(self) -> bool {
        matches!(self, Type::Int | Type::Size | Type::Float)
    }

    /// The type of `a op b` as in C++: integers become `size` if one is, numbers `float` if one is.
    pub fn join(self, other: Type) -> Option<Type> {
        match (self, other) {
            (a, b) if a == b => Some(a),
            (a, b) if !a.is_number() || !b.is_number() => None,
            (Type::Float, _) | (_, Type::Float) => Some(Type::Float),
            _ => Some(Type::Size),
        }
    }
}

impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Type::Bool => "bool",
            Type::Int => "int",
            Type::Size => "size",
            Type::Float => "float",
            Type::DType => "dtype",
        })
    }
}

/// Element types of tensors.
#[expect(missing_docs, reason = "the names say it")]
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Display, EnumString, FromRepr, IntoStaticStr, VariantArray,
)]
#[repr(u8)]
pub enum DType {
    #[strum(serialize = "UNKNOWN")]
    Unknown,
    QUInt8,
    QUInt16,
    QInt8,
    QInt16,
    QInt32,
    Float32,
    Float16,
    Int32,
    Int64,
}

impl DType {
    /// The tag with this number; `UNKNOWN` if there is none.
    pub fn from_number(number: i64) -> DType {
        u8::try_from(number).ok().and_then(DType::from_repr).unwrap_or(DType::Unknown)
    }

    /// Bytes of an element.
    pub fn element_size(self) -> u64 {
        match self {
            DType::Unknown => 0,
            DType::QUInt8 | DType::QInt8 => 1,
            DType::QUInt16 | DType::QInt16 | DType::Float16 => 2,
            DType::QInt32 | DType::Float32 | DType::Int32 => 4,
            DType::Int64 => 8,
        }
    }

    /// Whether zero offset and step size belong to the type.
    pub fn is_quantized(self) -> bool {
        matches!(self, DType::QUInt8 | DType::QUInt16 | DType::QInt8 | DType::QInt16 | DType::QInt32)
    }
}

/// An expression of the constraint language.
#[derive(Debug, Clone)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// What it evaluates to.
    pub ty: Type,
    /// Where it is written.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Debug, Clone)]
pub enum ExprKind {
    /// `OK`, `true`, `false`.
    Bool(bool),
    /// An integer constant; its type tells whether it is `int` or `size`.
    Integer(i64),
    /// A float constant, `INF`, `NEG_INF`.
    Float(f32),
    /// `DType::TAG`.
    DType(DType),
    /// `LAYOUT_CHUNKSIZE(class, dimension)`.
    ChunkSize(String, u32),
    /// `OPTION_...("name")`, of the expression's type.
    Option(String),
    /// `UINT`, `INT`, `FLOAT`, `DTYPE`: to the expression's type.
    Cast(Box<Expr>),
    /// `NOT`.
    Not(Box<Expr>),
    /// `NEG`.
    Neg(Box<Expr>),
    /// `ABS`.
    Abs(Box<Expr>),
    /// `IS_POW2`.
    IsPow2(Box<Expr>),
    /// `SELECT`; only the chosen branch is evaluated.
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `AND` and its kin; `AND` and `OR` stop early.
    Reduce(Reduction, Vec<Expr>),
    /// `SUB` and its kin.
    Arithmetic(Arithmetic, Box<Expr>, Box<Expr>),
    /// `EQ` and its kin.
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// `RANK_OF` and its kin.
    Property(Property, OperandRef),
    /// `DIM_OF`.
    DimOf(OperandRef, Box<Expr>),
    /// `SAME_SHAPE` and its kin.
    Same(Sameness, OperandRef, OperandRef),
    /// `CONSTVAL_INT` and its kin.
    ConstantValue(ConstantQuery, OperandRef, Box<Expr>),
    /// `SPLIT_START("tag")` and its kin.
    Split(SplitVariable, String),
    /// `EXTERNAL_CONSTRAINT(function, operand, values...)`.
    External(String, OperandRef, Vec<Expr>),
}

/// A node that is in the graph before the rule is applied.
#[derive(Debug, Clone)]
pub struct OperandRef {
    /// What it is.
    pub kind: OperandRefKind,
    /// Where it is written.
    pub span: Span,
}

/// The kinds of `cst_opref`.
#[derive(Debug, Clone)]
pub enum OperandRefKind {
    /// `"*"`: the matched root.
    Root,
    /// What a tag of the match is bound to.
    Tag(String),
    /// `INPUT_OF(operand, index)`.
    Input(Box<OperandRef>, Box<Expr>),
    /// `OUTPUT_OF(operand, index)`.
    Output(Box<OperandRef>, Box<Expr>),
    /// `SELECT(condition, a, b)`.
    Select(Box<Expr>, Box<OperandRef>, Box<OperandRef>),
}

/// A part of a replacement.
#[derive(Debug, Clone)]
pub struct Replacement {
    /// What it is.
    pub kind: ReplacementKind,
    /// Where it is written.
    pub span: Span,
}

/// An operand of an external function.
#[derive(Debug, Clone)]
pub enum ApplyOperand {
    /// A node.
    Node(Replacement),
    /// A scalar.
    Scalar(Expr),
}

/// A modifier: what it changes of the output definition of the ops in its last operand.
#[derive(Debug, Clone)]
pub enum Modifier {
    /// `WITH_SIZE`: the shape of an operand, or a shape construction.
    Size(Box<Replacement>),
    /// `WITH_TYPE`: dtype and quantization of an operand.
    Type(OperandRef),
    /// `WITH_SAME_OUTPUT`: all of an operand's output definition.
    SameOutput(OperandRef),
    /// `WITH_OUTPUT_TYPE`: dtype, zero offset, step size.
    OutputType(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `WITH_MULTI_OUT`: the number of outputs.
    MultiOut(Box<Expr>),
    /// `ResizeDim`: a dimension and its extent.
    ResizeDim(Box<Expr>, Box<Expr>),
    /// `WITH_SAME_ID`: the id of an operand.
    SameId(OperandRef),
    /// `WITH_SPLIT_HISTORY`: an operand's, with a record added if there is a size.
    SplitHistory(OperandRef, Option<Box<Expr>>),
}

/// Constants that a replacement makes.
#[derive(Debug, Clone)]
pub enum ConstantBuilder {
    /// `gen_Shape(extents...)`.
    Shape(Vec<Expr>),
    /// `gen_ShapeOf(operand)`.
    ShapeOf(OperandRef),
    /// `gen_ConstScalar_f32(value)`.
    ScalarFloat(Box<Expr>),
    /// `gen_ConstScalar_i32(value)`.
    ScalarInt(Box<Expr>),
    /// `gen_ConstArr_f32(value, count)`.
    FilledFloat(Box<Expr>, Box<Expr>),
    /// `gen_ConstArr_i32(value, count)`.
    FilledInt(Box<Expr>, Box<Expr>),
    /// `gen_ConstArr_vals_i32(values...)`.
    Ints(Vec<Expr>),
}

/// The kinds of replacements.
#[derive(Debug, Clone)]
pub enum ReplacementKind {
    /// A node that was there before.
    Existing(OperandRef),
    /// `Op(name, operands...)`.
    Op(OpName, Vec<Replacement>),
    /// `WrapOp(name, replacement)`; with `true`, `WrapOpAlways`.
    Wrap(OpName, Box<Replacement>, bool),
    /// `OpMultiOut(outputs, output, name, operands...)`.
    MultiOut(Box<Expr>, Box<Expr>, OpName, Vec<Replacement>),
    /// A constant.
    Constant(ConstantBuilder),
    /// A modifier around a replacement.
    Modified(Modifier, Box<Replacement>),
    /// `SELECT(condition, a, b)`.
    Select(Box<Expr>, Box<Replacement>, Box<Replacement>),
    /// `AUTOSPLIT(dimension, tag, size, body)`.
    AutoSplit(Box<Expr>, String, Box<Expr>, Box<Replacement>),
    /// `OP_ITER(base, tag, low, high, body)`.
    Iterate(Box<Replacement>, String, Box<Expr>, Box<Expr>, Box<Replacement>),
    /// `ITER_INPUT_OF(operand, tag)`.
    IterInput(OperandRef, String),
    /// `AUTOSPLIT_SLICE(operand, start, size)`.
    Slice(Box<Replacement>, Box<Replacement>, Box<Replacement>),
    /// `TYPICAL_SLICE(operand, tag)`, or with another dimension `CHANGEDIM_SLICE`.
    TypicalSlice(Box<Replacement>, String, Option<Box<Expr>>),
    /// `EXTERNAL_REPLACE(function)`.
    ExternalReplace(String),
    /// `SHAPEFN_APPLY(function, operands...)`, or with a tag `AUTOSPLIT_SHAPEFN_APPLY`.
    ShapeFunction(String, Option<String>, Vec<ApplyOperand>),
}

impl ReplacementKind {
    /// The parts within it, in the order of the text.
    pub fn parts(&self) -> Vec<&Replacement> {
        match self {
            ReplacementKind::Op(_, operands) | ReplacementKind::MultiOut(_, _, _, operands) => {
                operands.iter().collect()
            }
            ReplacementKind::Modified(Modifier::Size(shape), body) => vec![shape, body],
            ReplacementKind::Wrap(_, inner, _)
            | ReplacementKind::Modified(_, inner)
            | ReplacementKind::AutoSplit(_, _, _, inner)
            | ReplacementKind::TypicalSlice(inner, ..) => vec![inner],
            ReplacementKind::Select(_, first, second) => vec![first, second],
            ReplacementKind::Iterate(base, _, _, _, body) => vec![base, body],
            ReplacementKind::Slice(operand, start, size) => vec![operand, start, size],
            ReplacementKind::ShapeFunction(_, _, operands) => {
                let nodes = operands.iter().filter_map(|operand| match operand {
                    ApplyOperand::Node(node) => Some(node),
                    ApplyOperand::Scalar(_) => None,
                });
                nodes.collect()
            }
            ReplacementKind::Existing(_)
            | ReplacementKind::Constant(_)
            | ReplacementKind::IterInput(..)
            | ReplacementKind::ExternalReplace(_) => Vec::new(),
        }
    }
}
