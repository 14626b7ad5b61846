//! The abstract syntax tree of a SkriptND module (specification, section 2.16).
//!
//! The tree keeps what was written: names are not resolved, and `x[i]` is one [`ExprKind::Subscript`] whether it
//! indexes a pack or accesses a tensor. Both spellings of the language give the same tree.

pub use super::definitions::Operators;
use std::sync::Arc;

/// Index of a source file in the [`SourceMap`](crate::source::SourceMap).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A half-open range of bytes in one source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// An identifier as written.
#[derive(Debug, Clone)]
pub struct Name {
    /// Its text.
    pub text: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

/// `a.b.c`: an operator or a module.
#[derive(Debug, Clone)]
pub struct QualifiedName {
    /// At least one part.
    pub parts: Vec<Name>,
    /// From the first to the last part.
    pub span: Span,
}

/// One file.
#[derive(Debug, Clone)]
pub struct Module {
    /// `import a.b;`, one entry per imported module.
    pub imports: Vec<QualifiedName>,
    /// Operators and graphs in the order of the text.
    pub operators: Operators,
    /// Whether parts are missing because they could not be parsed.
    pub incomplete: bool,
}

/// What introduces a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperatorKind {
    /// `operator`
    Operator,
    /// `graph`
    Graph,
}

/// An operator or graph definition (section 2.2). A block that is absent is empty.
#[derive(Debug, Clone)]
pub struct Operator {
    /// `operator` or `graph`.
    pub kind: OperatorKind,
    /// Whether its tensors can be named from outside (section 2.10).
    pub public: bool,
    /// Its name.
    pub name: Name,
    /// The comment lines that stand immediately before it, without `#`.
    pub documentation: String,
    /// `@dtype`
    pub dtypes: Vec<DtypeParam>,
    /// `@attrib`
    pub attributes: Vec<Param>,
    /// `@input`
    pub inputs: Vec<Param>,
    /// `@output`
    pub outputs: Vec<Param>,
    /// `@constant`
    pub constants: Vec<Param>,
    /// `@variable`
    pub variables: Vec<Param>,
    /// `@using`
    pub usings: Vec<Using>,
    /// `@assert`
    pub asserts: Vec<Assertion>,
    /// `@lower`
    pub lowerings: Vec<Lowering>,
    /// `@compose`; none if the block is absent.
    pub components: Option<Vec<Component>>,
    /// `@update`
    pub updates: Vec<Component>,
    /// `@quantize`
    pub quantizations: Vec<Quantization>,
    /// Every block that was written, in order, with the place of its `@name` (for duplicates and `fmt`).
    pub blocks: Vec<Name>,
    /// Whether parts are missing because they could not be parsed.
    pub incomplete: bool,
    /// The whole definition.
    pub span: Span,
}

impl Operator {
    /// What an operation of the operator takes: its inputs and, for a formula, the variables that it may read.
    pub fn operands(&self) -> impl Iterator<Item = &Param> {
        let variables = if self.lowerings.is_empty() { &[] } else { self.variables.as_slice() };
        self.inputs.iter().chain(variables)
    }
}

/// A keyword that names a type (section 2.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TypeName {
    /// Any type.
    Type,
    /// int, real, bool.
    Arith,
    /// int, real.
    Num,
    /// Mathematical integer.
    Int,
    /// Mathematical real.
    Real,
    /// Truth value.
    Bool,
    /// String.
    Str,
}

/// `T: num = real;` (section 2.13)
#[derive(Debug, Clone)]
pub struct DtypeParam {
    /// The introduced type name.
    pub name: Name,
    /// What it is restricted to.
    pub bound: TypeName,
    /// Default.
    pub default: Option<TypeName>,
    /// All of it.
    pub span: Span,
}

/// A type keyword or the name of a generic type.
#[derive(Debug, Clone)]
pub enum TypeExpr {
    /// Keyword.
    Concrete(TypeName, Span),
    /// Introduced in `@dtype`.
    Generic(Name),
}

impl TypeExpr {
    /// Its place.
    pub fn span(&self) -> Span {
        match self {
            TypeExpr::Concrete(_, span) => *span,
            TypeExpr::Generic(name) => name.span,
        }
    }
}

/// `optional T^(r)[shape]..(length)`
#[derive(Debug, Clone)]
pub struct TypeSpec {
    /// `optional`
    pub optional: bool,
    /// `dynamic` (newer spelling).
    pub dynamic: bool,
    /// Element type.
    pub base: TypeExpr,
    /// `^(rank)`
    pub rank: Option<Expr>,
    /// `[...]`: a tensor type; none for attributes and for tensors whose shape is omitted.
    pub shape: Option<Vec<ExtentSpec>>,
    /// `..(length)`
    pub pack: Option<PackSpec>,
    /// All of it.
    pub span: Span,
}

/// One item of a shape.
#[derive(Debug, Clone)]
pub struct ExtentSpec {
    /// `..` before the extent: differs between the items of a tensor pack.
    pub distinct: bool,
    /// `static` before the extent (newer spelling).
    pub is_static: bool,
    /// The extent; none for `~`.
    pub extent: Option<Expr>,
    /// `| bound`: upper bound of a dynamic extent.
    pub bound: Option<Expr>,
    /// `..(length)`
    pub pack: Option<PackSpec>,
    /// All of it.
    pub span: Span,
}

/// `..` or `..(length)`
#[derive(Debug, Clone)]
pub struct PackSpec {
    /// The length, if written.
    pub length: Option<Expr>,
    /// All of it.
    pub span: Span,
}

/// An attribute, input, output, constant or variable.
#[derive(Debug, Clone)]
pub struct Param {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub spec: TypeSpec,
    /// Default or value.
    pub value: Option<Expr>,
    /// Index symbols of a constant's value (section 2.7).
    pub bounds: Vec<LoopBound>,
    /// The comment at the end of its line, without `#`.
    pub documentation: String,
    /// All of it.
    pub span: Span,
}

/// `i < n`
#[derive(Debug, Clone)]
pub struct LoopBound {
    /// The index symbol; a pack of them if the bound is packed.
    pub index: Name,
    /// Exclusive upper bound.
    pub bound: Expr,
}

/// `[a, b..] = c;` in `@using` (section 2.9)
#[derive(Debug, Clone)]
pub struct Using {
    /// What is introduced.
    pub target: LValue,
    /// Its value.
    pub value: Expr,
    /// All of it.
    pub span: Span,
}

/// `condition: "message", label: value;` (section 2.8)
#[derive(Debug, Clone)]
pub struct Assertion {
    /// Must be true.
    pub condition: Expr,
    /// Formatted message.
    pub message: Option<Expr>,
    /// Values to print, each with its label if one is written.
    pub values: Vec<(Option<Expr>, Expr)>,
    /// All of it.
    pub span: Span,
}

/// How an assignment combines with what is there (section 2.12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AssignOp {
    /// `=`
    Set,
    /// `:=`
    Update,
    /// `+=`
    Add,
    /// `*=`
    Mul,
    /// `&=`
    And,
    /// `|=`
    Or,
    /// `<=` or `<?=`
    Min,
    /// `>=` or `>?=`
    Max,
}

/// One statement of `@lower`.
#[derive(Debug, Clone)]
pub struct Lowering {
    /// `unroll..(k -> n)`
    pub unroll: Option<IterCount>,
    /// Intermediate values.
    pub locals: Vec<(LocalTarget, Expr)>,
    /// The access on the left: always [`ExprKind::Subscript`].
    pub target: Expr,
    /// The assignment.
    pub op: AssignOp,
    /// The right side.
    pub value: Expr,
    /// Index symbols.
    pub bounds: Vec<LoopBound>,
    /// After `|`.
    pub condition: Option<Expr>,
    /// All of it.
    pub span: Span,
}

/// The name of an intermediate value in `@lower`.
#[derive(Debug, Clone)]
pub struct LocalTarget {
    /// Its name.
    pub name: Name,
    /// A length hint.
    pub pack: Option<PackSpec>,
}

/// `..(index -> count)`
#[derive(Debug, Clone)]
pub struct IterCount {
    /// The iteration index.
    pub index: Option<Name>,
    /// How often.
    pub count: Option<Expr>,
    /// All of it.
    pub span: Span,
}

/// One statement of `@compose` or `@update` (section 2.10).
#[derive(Debug, Clone)]
pub struct Component {
    /// The left side.
    pub results: Vec<LValue>,
    /// The right side.
    pub value: ComponentValue,
    /// All of it.
    pub span: Span,
}

impl Component {
    /// Calls `visit` with every invocation on the right, those in blocks too.
    pub fn invocations<'c>(&'c self, visit: &mut dyn FnMut(&'c Invocation)) {
        match &self.value {
            ComponentValue::Body(body) => body.invocations(visit),
            ComponentValue::Branch(branch) => {
                for (condition, consequent) in &branch.arms {
                    condition.invocations(visit);
                    consequent.invocations(visit);
                }
                branch.otherwise.invocations(visit);
            }
            ComponentValue::Loop(looping) => {
                let conditions = looping.while_before.iter().chain(&looping.while_after);
                conditions.chain([&looping.body]).for_each(|body| body.invocations(visit));
            }
        }
    }
}

/// A name, list or `~` on the left of `=`.
#[derive(Debug, Clone)]
pub enum LValue {
    /// One item.
    Item(LValueItem),
    /// `[a, b..(n)]`
    List(Vec<LValueItem>, Span),
}

/// An item on the left of `=`.
#[derive(Debug, Clone)]
pub enum LValueItem {
    /// `x: real[s]..(n)`
    Name {
        /// The introduced name.
        name: Name,
        /// Its type and shape, if written.
        spec: Option<Box<TypeSpec>>,
        /// `..(n)`
        pack: Option<PackSpec>,
    },
    /// `(a, b)..`
    Zip {
        /// The names that are interleaved.
        names: Vec<(Name, Option<Box<TypeSpec>>)>,
        /// `..(n)`
        pack: Option<PackSpec>,
        /// All of it.
        span: Span,
    },
    /// `~`
    Omitted(Span),
}

/// The right side of a component.
#[derive(Debug, Clone)]
pub enum ComponentValue {
    /// An invocation, a block or an expression.
    Body(Body),
    /// `if ... then ... else ...`
    Branch(Branch),
    /// `with ... for ... while ... do ...`
    Loop(Box<Loop>),
}

/// What a control-flow construct calls.
#[derive(Debug, Clone)]
pub enum Body {
    /// `op(x)`
    Invocation(Invocation),
    /// `{ ...; yield x; }`
    Block(Block),
    /// A tensor or compile-time expression.
    Expr(Expr),
}

impl Body {
    /// Its place.
    pub fn span(&self) -> Span {
        match self {
            Body::Invocation(invocation) => invocation.span,
            Body::Block(block) => block.span,
            Body::Expr(expr) => expr.span,
        }
    }

    fn invocations<'c>(&'c self, visit: &mut dyn FnMut(&'c Invocation)) {
        match self {
            Body::Invocation(invocation) => visit(invocation),
            Body::Block(block) => block.components.iter().for_each(|inner| inner.invocations(visit)),
            Body::Expr(_) => {}
        }
    }
}

/// `label: { ... yield a, b; }`
#[derive(Debug, Clone)]
pub struct Block {
    /// Scope name.
    pub label: Option<Name>,
    /// Its statements.
    pub components: Vec<Component>,
    /// What it yields.
    pub yields: Vec<Expr>,
    /// All of it.
    pub span: Span,
}

/// `label: op<T>{a=1}(x, ~)`
#[derive(Debug, Clone)]
pub struct Invocation {
    /// Scope name.
    pub label: Option<Name>,
    /// The operator.
    pub operator: QualifiedName,
    /// Explicit generic types.
    pub types: Vec<TypeExpr>,
    /// Attributes in the order of the text.
    pub attributes: Vec<AttributeAssignment>,
    /// Arguments; none for `~`.
    pub arguments: Vec<(Option<Expr>, Span)>,
    /// All of it.
    pub span: Span,
}

/// `a=1`
#[derive(Debug, Clone)]
pub struct AttributeAssignment {
    /// The attribute.
    pub name: Name,
    /// Its value.
    pub value: Expr,
}

/// `if c then a elif d then b else e`
#[derive(Debug, Clone)]
pub struct Branch {
    /// Conditions with their consequents, at least one.
    pub arms: Vec<(Body, Body)>,
    /// The alternative.
    pub otherwise: Body,
    /// All of it.
    pub span: Span,
}

/// A loop-carried dependency.
#[derive(Debug, Clone)]
pub struct Carried {
    /// Its name.
    pub name: Name,
    /// Its declared type and shape.
    pub spec: Option<TypeSpec>,
    /// Its initial value.
    pub value: Expr,
}

/// A loop (section 2.10.1).
#[derive(Debug, Clone)]
pub struct Loop {
    /// `with`
    pub carried: Vec<Carried>,
    /// `for`
    pub scans: Vec<(Name, Expr)>,
    /// `while` before `do`.
    pub while_before: Option<Body>,
    /// `unroll` in place of `do`.
    pub unroll: bool,
    /// `..(index -> count)`
    pub count: Option<IterCount>,
    /// The body.
    pub body: Body,
    /// `while` after the body.
    pub while_after: Option<Body>,
    /// All of it.
    pub span: Span,
}

/// `tensor: operator{...};` (section 2.14)
#[derive(Debug, Clone)]
pub struct Quantization {
    /// The possibly scoped tensor.
    pub tensor: QualifiedName,
    /// The algorithm; it has no arguments.
    pub operator: Invocation,
}

/// An expression with its place.
#[derive(Debug, Clone)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// `.shape`, `.rank`, `.size`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Member {
    /// Extents.
    Shape,
    /// Number of dimensions.
    Rank,
    /// Length of a tensor pack.
    Size,
}

/// Unary operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnaryOp {
    /// `+`
    Plus,
    /// `-`
    Neg,
    /// `!`
    Not,
}

/// Binary operators; division of integers as section 2.4 says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// `/`: rounds down on integers.
    Div,
    /// `\`: rounds up.
    CeilDiv,
    Mod,
    Pow,
    /// `<<` or `<?`
    Min,
    /// `>>` or `>?`
    Max,
    And,
    Or,
    Xor,
    /// `=>`
    Implies,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

/// What is folded over a pack (section 2.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FoldOp {
    /// A binary operator.
    Binary(BinaryOp),
    /// `:=`: the uniform value.
    Uniform,
}

/// Built-in functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Builtin {
    Abs,
    Sign,
    Sqrt,
    Exp,
    Log,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Floor,
    Ceil,
    Round,
    Frac,
    Erf,
}

/// A part of a string literal.
#[derive(Debug, Clone)]
pub enum StrPart {
    /// Text with escapes resolved.
    Text(String),
    /// `{expr}`
    Format(Expr),
}

/// An item of a list or of a subscript.
#[derive(Debug, Clone)]
pub enum Item {
    /// One value.
    Value(Expr),
    /// `x..` or `x..(n)`
    Expand(Expr, PackSpec),
    /// `b:e:s`; omitted parts only in subscripts.
    Range(Option<Expr>, Option<Expr>, Option<Expr>, Span),
    /// `(a, b)..`
    Zip(Vec<Expr>, PackSpec),
}

/// Expressions (section 2.4).
#[derive(Debug, Clone)]
pub enum ExprKind {
    /// `42`
    Int(i64),
    /// `4.2`
    Real(f64),
    /// `true`
    Bool(bool),
    /// `'a {b}'`
    Str(Vec<StrPart>),
    /// `inf`
    Inf,
    /// `pi`
    Pi,
    /// An identifier.
    Name(Arc<str>),
    /// `x.shape`
    Member(Name, Member),
    /// `[a, b..]`
    List(Vec<Item>),
    /// `a[i]`, `a[i:j]`, `x[i, j..]`, `x[]`
    Subscript {
        /// What is indexed.
        base: Box<Expr>,
        /// Between the brackets.
        items: Vec<Item>,
        /// `x[i,]`
        trailing_comma: bool,
    },
    /// `|i|` or `|i <> a : b|`, within what makes the index of a tensor access.
    Bounded {
        /// The index that is tested.
        index: Box<Expr>,
        /// What is used in place of it, below and above.
        remap: Option<(Box<Expr>, Box<Expr>)>,
    },
    /// `a[i] <- b`
    Substitute {
        /// The pack.
        base: Box<Expr>,
        /// Which items: one [`Item`].
        index: Box<Item>,
        /// Their new values.
        value: Box<Expr>,
    },
    /// `-a`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `c ? a : b`
    Select(Box<Expr>, Box<Expr>, Option<Box<Expr>>),
    /// `a ?? b`
    Coalesce(Box<Expr>, Box<Expr>),
    /// `a is b`
    Is(Box<Expr>, Box<Expr>),
    /// `a in b`
    In(Box<Expr>, Box<Expr>),
    /// `?a`
    NullTest(Box<Expr>),
    /// `a + ..`, cumulative `a + ...`
    Fold {
        /// The pack.
        pack: Box<Expr>,
        /// What combines.
        op: FoldOp,
        /// Three dots.
        cumulative: bool,
    },
    /// `int(a)`, `T()`
    Cast(TypeExpr, Option<Box<Expr>>),
    /// `` `sqrt`(a) `` or `sqrt(a)`
    Builtin(Builtin, Box<Expr>),
    /// `(a)`: kept, because mixtures of `&&` and `||` are warned about where it is missing.
    Paren(Box<Expr>),
}
