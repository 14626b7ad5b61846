//! Patterns as data.

use crate::{error::Place, ods::Constraint};

/// A rewrite.
#[derive(Debug, Clone)]
pub struct Pattern {
    /// The name of the definition; the orders of `either` are numbered.
    pub name: String,
    /// The name of the definition, or what stands for it where it has none.
    pub definition: String,
    /// What is asked of Rust without a name of its own is named after this: the definition, or what it matches.
    pub subject: String,
    /// What is matched.
    pub source: SourceOperation,
    /// What is made; the last of them replace the results of the root.
    pub results: Vec<ResultNode>,
    /// What must hold besides.
    pub constraints: Vec<ExtraConstraint>,
    /// What is done after the results were made, before they replace the root.
    pub supplemental: Vec<ResultNode>,
    /// The number of matched operations, and what the pattern adds.
    pub benefit: i64,
    /// Where it is defined.
    pub place: Place,
}

/// An operation to be matched.
#[derive(Debug, Clone)]
pub struct SourceOperation {
    /// Index of the operation in the library.
    pub operation: usize,
    /// The name bound to it.
    pub symbol: Option<Reference>,
    /// What its declared operands must be.
    pub operands: Vec<OperandMatch>,
    /// What its declared attributes must be.
    pub attributes: Vec<AttributeMatch>,
    /// Where it stands.
    pub place: Place,
}

/// What a declared operand must be.
#[derive(Debug, Clone)]
pub enum OperandMatch {
    /// Anything that fulfils the constraint.
    Capture {
        /// The name bound to it.
        symbol: Option<Reference>,
        /// What it must fulfil beyond its declaration.
        constraint: Option<Constraint>,
        /// Where it stands.
        place: Place,
    },
    /// The result of an operation.
    Nested(Box<SourceOperation>),
    /// So many values: `(variadic ...)`.
    Group {
        /// The name bound to all of them.
        symbol: Option<Reference>,
        /// Each of them.
        items: Vec<OperandMatch>,
        /// Where it stands.
        place: Place,
    },
    /// What a native function accepts of the operation that defines it.
    Native(Box<NativeMatch>),
}

/// A native function in a source pattern: `(NativeCodeCall<"f($_self, &$0)"> I32Attr:$value)`.
#[derive(Debug, Clone)]
pub struct NativeMatch {
    /// What is called.
    pub function: NativeFunction,
    /// What it tells: names for attributes where there is an attribute constraint, for values otherwise.
    pub outputs: Vec<NativeOutput>,
    /// Where it stands.
    pub place: Place,
}

/// Something that a native function in a source pattern tells.
#[derive(Debug, Clone)]
pub struct NativeOutput {
    /// The name bound to it.
    pub symbol: Option<Reference>,
    /// What it must fulfil.
    pub test: Option<AttributeTest>,
    /// Whether it is an attribute, not a value.
    pub is_attribute: bool,
}

/// What a declared attribute must be.
#[derive(Debug, Clone)]
pub struct AttributeMatch {
    /// The name bound to it.
    pub symbol: Option<Reference>,
    /// What it must fulfil beyond its declaration.
    pub test: Option<AttributeTest>,
    /// Where it stands.
    pub place: Place,
}

/// What an attribute must fulfil.
#[derive(Debug, Clone)]
pub enum AttributeTest {
    /// A constraint.
    Constraint(Constraint),
    /// Be this attribute, in MLIR's syntax.
    Constant(String),
    /// Not be there.
    Absent,
    /// What a native function accepts of the operation that has it.
    Native(Box<NativeMatch>),
}

/// A constraint over things that the pattern bound.
#[derive(Debug, Clone)]
pub struct ExtraConstraint {
    /// What must hold.
    pub constraint: Constraint,
    /// Whether it is about the type of a value.
    pub is_type: bool,
    /// What it is about.
    pub arguments: Vec<Reference>,
    /// Where it stands.
    pub place: Place,
}

/// A name bound by the pattern; `$name__1` is the second result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The name.
    pub name: String,
    /// Which result, if it says so.
    pub index: Option<usize>,
    /// Where it stands.
    pub place: Place,
}

impl Reference {
    /// Splits `name__1`.
    pub fn new(text: &str, place: Place) -> Self {
        match text.rsplit_once("__").map(|(name, index)| (name, index.parse())) {
            Some((name, Ok(index))) if !name.is_empty() => Self { name: name.to_string(), index: Some(index), place },
            _ => Self { name: text.to_string(), index: None, place },
        }
    }
}

/// Something made.
#[derive(Debug, Clone)]
pub enum ResultNode {
    /// An operation.
    Operation(ResultOperation),
    /// What a native function returns.
    Native(NativeCall),
    /// A value that is there already: `(replaceWithValue $name)`.
    Value(Reference),
}

/// An operation to be made.
#[derive(Debug, Clone)]
pub struct ResultOperation {
    /// Index of the operation in the library.
    pub operation: usize,
    /// The name bound to it.
    pub symbol: Option<Reference>,
    /// Operands and attributes in the order of `arguments`.
    pub arguments: Vec<ResultArgument>,
    /// The directives behind them.
    pub tail: Tail,
    /// Where it stands.
    pub place: Place,
}

/// The directives at the end of something made.
#[derive(Debug, Clone, Default)]
pub struct Tail {
    /// `(returnType ...)`, and where it stands.
    pub types: Option<(Vec<TypeSource>, Place)>,
    /// `(location ...)`
    pub location: Option<LocationSource>,
}

/// Where the place of something made comes from: `(location "text", $name, ...)`.
#[derive(Debug, Clone)]
pub struct LocationSource {
    /// The name of the place, or what is known of fused places.
    pub text: Option<String>,
    /// The things whose places are taken.
    pub sources: Vec<Reference>,
}

/// What a native call names: the function, and how its arguments are made of those of the dag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NativeFunction {
    /// The name of the definition; empty if it has none.
    pub definition: String,
    /// The expression as it is written.
    pub text: String,
    /// What is called.
    pub target: Target,
    /// What it is given, in the order of its parameters.
    pub parameters: Vec<Placeholder>,
    /// How many values it returns.
    pub returns: usize,
}

/// What a native call does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A Rust function, by its path.
    Path(String),
    /// A method that the author writes in Rust.
    Method(String),
    /// A method for an expression that calls no function: other expressions are other methods.
    Expression(String),
    /// The operation that defines a value: `$0.getOwner()`.
    Owner,
    /// The type of a value: `$0.getType()`.
    TypeOf,
    /// A type or an attribute that is the same always, in MLIR's syntax.
    Constant(String),
}

/// A placeholder in the expression of a native call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placeholder {
    /// `$N`: an argument of the dag.
    Argument(usize),
    /// `$_loc`: the place of what is made.
    Location,
    /// `$_self`: what the call stands for.
    This,
}

/// A call of a native function: `NativeCodeCall<"path::function($0, $1)">`.
#[derive(Debug, Clone)]
pub struct NativeCall {
    /// What is called.
    pub function: NativeFunction,
    /// The name bound to what it returns.
    pub symbol: Option<Reference>,
    /// What `$_self` stands for, where the call is an argument by itself: `NativeCodeCall<"f($_self)">:$name`.
    pub this: Option<Reference>,
    /// The arguments of the dag.
    pub arguments: Vec<ResultArgument>,
    /// The place that `$_loc` stands for, if it is not that of the match.
    pub location: Option<LocationSource>,
    /// Where it stands.
    pub place: Place,
}

/// An operand or an attribute of something made.
#[derive(Debug, Clone)]
pub enum ResultArgument {
    /// Something bound.
    Reference(Reference),
    /// An attribute in MLIR's syntax.
    Constant(String),
    /// An integer, of the type of the attribute that it becomes.
    Integer(i64),
    /// Something made.
    Node(Box<ResultNode>),
    /// Values of a variadic operand: `(variadic ...)`.
    Group(Vec<ResultArgument>),
    /// Nothing: `?` for what is optional.
    Absent,
}

/// Where a result type comes from: `(returnType ...)`.
#[derive(Debug, Clone)]
pub enum TypeSource {
    /// The type of a bound value.
    Of(Reference),
    /// A native function.
    Native(Box<NativeCall>),
}

impl SourceOperation {
    /// The number of operations in it.
    pub fn count(&self) -> usize {
        1 + self.operands.iter().map(OperandMatch::count).sum::<usize>()
    }
}

impl OperandMatch {
    fn count(&self) -> usize {
        match self {
            Self::Capture { .. } | Self::Native(_) => 0,
            Self::Nested(operation) => operation.count(),
            Self::Group { items, .. } => items.iter().map(Self::count).sum(),
        }
    }
}
