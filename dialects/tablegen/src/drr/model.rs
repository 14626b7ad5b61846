//! Patterns as data.

use std::collections::HashMap;

use crate::{
    error::{Place, Result},
    ods::{Constraint, Operation},
    records::{self, Records},
};

/// The operations that patterns may name, by their definitions.
pub struct Library {
    operations: Vec<Operation>,
    by_definition: HashMap<String, usize>,
}

impl Library {
    /// Reads the operations.
    pub fn read(records: &Records) -> Result<Self> {
        let operations = records
            .derived("Op")
            .into_iter()
            .map(|record| Operation::read(records, record))
            .collect::<Result<Vec<_>>>()?;
        let by_definition =
            operations.iter().enumerate().map(|(index, operation)| (operation.definition.clone(), index)).collect();
        Ok(Self { operations, by_definition })
    }

    /// The operation that a record defines.
    pub fn find(&self, record: tblgen::Record<'_>) -> Option<usize> {
        self.by_definition.get(records::name(record)).copied()
    }

    /// The operation of an index.
    pub fn get(&self, index: usize) -> &Operation {
        &self.operations[index]
    }
}

/// A rewrite.
#[derive(Debug, Clone)]
pub struct Pattern {
    /// The name of the definition.
    pub name: String,
    /// What is matched.
    pub source: SourceOperation,
    /// What is made; the last of them replace the results of the root.
    pub results: Vec<ResultNode>,
    /// What must hold besides.
    pub constraints: Vec<ExtraConstraint>,
    /// What is done after the replacement was made.
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
    pub symbol: Option<String>,
    /// What its declared operands must be.
    pub operands: Vec<OperandMatch>,
    /// What its declared attributes must be.
    pub attributes: Vec<AttributeMatch>,
}

/// What a declared operand must be.
#[derive(Debug, Clone)]
pub enum OperandMatch {
    /// Anything that fulfils the constraint.
    Capture {
        /// The name bound to it.
        symbol: Option<String>,
        /// What it must fulfil beyond its declaration.
        constraint: Option<Constraint>,
    },
    /// The result of an operation.
    Nested(Box<SourceOperation>),
    /// So many values: `(variadic ...)`.
    Group {
        /// The name bound to all of them.
        symbol: Option<String>,
        /// Each of them.
        items: Vec<OperandMatch>,
    },
}

/// What a declared attribute must be.
#[derive(Debug, Clone)]
pub struct AttributeMatch {
    /// The name bound to it.
    pub symbol: Option<String>,
    /// What it must fulfil beyond its declaration.
    pub test: Option<AttributeTest>,
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
}

/// A name bound by the pattern; `$name__1` is the second result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The name.
    pub name: String,
    /// Which result, if it says so.
    pub index: Option<usize>,
}

impl Reference {
    /// Splits `name__1`.
    pub fn new(text: &str) -> Self {
        match text.rsplit_once("__").map(|(name, index)| (name, index.parse())) {
            Some((name, Ok(index))) if !name.is_empty() => Self { name: name.to_string(), index: Some(index) },
            _ => Self { name: text.to_string(), index: None },
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
    /// The types of its results, if the pattern says them.
    pub types: Option<Vec<TypeSource>>,
}

/// A call of a native function: `NativeCodeCall<"path::function($0, $1)">`.
#[derive(Debug, Clone)]
pub struct NativeCall {
    /// The path of the Rust function.
    pub path: String,
    /// The name bound to what it returns.
    pub symbol: Option<Reference>,
    /// What it is given, in the order of its parameters.
    pub arguments: Vec<ResultArgument>,
    /// How many values it returns.
    pub returns: usize,
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
    Native(NativeCall),
}
