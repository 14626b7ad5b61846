//! Graphs made by programs: typed pieces, and the text that the formatter would write of them (section 2.16).

mod expression;
mod write;

pub use expression::escaped;

use crate::ast::BinaryOp;

/// An expression of a graph: a literal, a name, or what is made of others.
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    /// `3`
    Int(i64),
    /// `0.5`; what is infinite or no number as well.
    Real(f64),
    /// `true`
    Bool(bool),
    /// `'LINEAR'`
    Text(String),
    /// A tensor, an extent, or a member of one such as `x.shape[0]`.
    Name(String),
    /// `[a, b]`
    List(Vec<Expression>),
    /// `a + b`
    Binary(BinaryOp, Box<Expression>, Box<Expression>),
    /// `~`: an operand that is left out.
    Absent,
    /// The text of an expression of operators, which is put in parentheses where it is an operand.
    Written(String),
}

/// A name for a type of elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Element {
    /// `real`
    Real,
    /// `int`
    Int,
    /// `bool`
    Bool,
}

/// An extent of a declared tensor.
#[derive(Debug, Clone, PartialEq)]
pub enum Extent {
    /// An expression, with the bound of the extent that it introduces.
    Known(Expression, Option<i64>),
    /// `~|bound`: only data tell it.
    Found(Expression),
}

/// A declared tensor of a graph, or of the result of a statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// The type of its elements.
    pub element: Element,
    /// Its extents.
    pub extents: Vec<Extent>,
}

/// An application of an operator.
#[derive(Debug, Clone, PartialEq)]
pub struct Invocation {
    /// What this application is called, before it: `label: operator(x)`.
    pub label: Option<String>,
    /// `module.operator`, or the name of a graph of the module.
    pub operator: String,
    /// Types given by name, in the order of declaration.
    pub dtypes: Vec<Element>,
    /// Attributes in the order in which they are written.
    pub attributes: Vec<(String, Expression)>,
    /// Operands.
    pub operands: Vec<Expression>,
}

/// Statements, and what they give to where they stand.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Block {
    /// In order.
    pub statements: Vec<Statement>,
    /// What is given.
    pub results: Vec<Expression>,
}

/// A value that a loop carries.
#[derive(Debug, Clone, PartialEq)]
pub struct Carried {
    /// Its name and type in the loop.
    pub port: Port,
    /// Its first value.
    pub first: Expression,
    /// Whether its type is written, because it is not that of the first value.
    pub is_typed: bool,
}

/// What must hold for another iteration of a loop.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// What is known before or behind an iteration.
    Expression(Expression),
    /// What is computed for it.
    Block(Block),
}

/// What a statement computes.
#[derive(Debug, Clone, PartialEq)]
pub enum Computation {
    /// An operator's results.
    Invocation(Invocation),
    /// An expression.
    Expression(Expression),
    /// `if c then { .. } else { .. }`
    Branch(Expression, Block, Block),
    /// `with .. for .. while .. do..(index -> count) { .. }`
    Loop(Loop),
}

/// A loop; each of its parts may miss.
#[derive(Debug, Clone, PartialEq)]
pub struct Loop {
    /// What each iteration gives to the next.
    pub carried: Vec<Carried>,
    /// Packs whose items the iterations take, by the names of the items.
    pub items: Vec<(String, Expression)>,
    /// What must hold for another iteration.
    pub condition: Option<Condition>,
    /// Whether the condition is asked behind the body.
    pub test_last: bool,
    /// How many iterations there are at most.
    pub count: Option<Expression>,
    /// The name of the number of an iteration.
    pub index: Option<String>,
    /// What an iteration does.
    pub body: Block,
}

/// The target of a result.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// A new name.
    Name(String),
    /// A name with its type.
    Typed(Port),
    /// `[a, b]`: names for the items of a pack.
    Pack(Vec<String>),
    /// `ys..(n)`: a pack of so many items, or at most so many where only data tell.
    Items(String, Expression),
    /// `~`: a result that nothing reads.
    Ignored,
}

/// A statement: names for what is computed.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// A name for each result.
    pub targets: Vec<Target>,
    /// What is computed.
    pub value: Computation,
    /// The number of what it is made of, where who builds the graph keeps that; the text does not have it.
    pub origin: Option<usize>,
}

impl Statement {
    /// One of which nobody knows what it is made of.
    pub fn new(targets: Vec<Target>, value: Computation) -> Statement {
        Statement { targets, value, origin: None }
    }
}

/// A graph of a module.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Graph {
    /// Its name.
    pub name: String,
    /// What it takes.
    pub inputs: Vec<Port>,
    /// What is read from files.
    pub variables: Vec<Port>,
    /// Small tensors that stand in the text, by their elements in row-major order.
    pub constants: Vec<(Port, Expression)>,
    /// What it gives.
    pub outputs: Vec<Port>,
    /// How many items the inputs and outputs have that are packs, by their names; nothing where only data tell.
    pub packs: Vec<(String, Option<Extent>)>,
    /// What inputs are where they are not given, by their names.
    pub defaults: Vec<(String, Expression)>,
    /// What must hold, with what is said where it does not.
    pub asserts: Vec<(Expression, String)>,
    /// What it computes.
    pub statements: Vec<Statement>,
    /// Variables with their new values (`@update`).
    pub updates: Vec<(String, Expression)>,
    /// Tensors with the operators that quantize them, which have no operands (`@quantize`).
    pub quantizations: Vec<(String, Invocation)>,
}

/// An attribute of an operator.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// The type of its value, or of the items of that.
    pub element: Element,
    /// Whether it is a list.
    pub is_list: bool,
}

/// An operator that is composed of others.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Operator {
    /// Its name.
    pub name: String,
    /// What is known when a graph is composed.
    pub attributes: Vec<Attribute>,
    /// What it takes.
    pub inputs: Vec<Port>,
    /// What it gives.
    pub outputs: Vec<Port>,
    /// Small tensors that stand in the text.
    pub constants: Vec<(Port, Expression)>,
    /// What it computes.
    pub statements: Vec<Statement>,
}

/// A module of operators and graphs, the entry first among those.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Module {
    /// The operators.
    pub operators: Vec<Operator>,
    /// The graphs.
    pub graphs: Vec<Graph>,
    /// Definitions that stand in another text, as they stand there.
    pub copied: Vec<String>,
    /// Modules that these name.
    pub imports: Vec<String>,
}

impl Expression {
    /// A name.
    pub fn name(name: impl Into<String>) -> Expression {
        Expression::Name(name.into())
    }

    /// A list of integers.
    pub fn ints(values: impl IntoIterator<Item = i64>) -> Expression {
        Expression::List(values.into_iter().map(Expression::Int).collect())
    }

    /// An operation on two expressions.
    pub fn binary(operation: BinaryOp, left: Expression, right: Expression) -> Expression {
        Expression::Binary(operation, Box::new(left), Box::new(right))
    }
}
