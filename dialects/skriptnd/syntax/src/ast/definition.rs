//! Modules and definitions (sections 2.1 and 2.2).

use super::{Assertion, Component, DtypeParam, Lowering, Name, Operators, Param, QualifiedName, Quantization, Using};
use skriptnd_source::Span;
use std::collections::HashSet;
use std::sync::Arc;

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
    /// What invocations call it.
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
    /// The words of these parts: what is missing may be there. The empty word stands for a name that is missing itself.
    pub lost: HashSet<Arc<str>>,
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
