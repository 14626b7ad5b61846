//! Dialects and operations defined at run time from Rust.
//!
//! A [`DialectSpec`] is a plain value that owns its names and callbacks; [`crate::Registry::add_dialect`] hands it to MLIR.
//! Upstream passes treat its operations as they treat their own: `--cse` merges pure ones, `--canonicalize` folds and
//! rewrites, symbol passes see symbols, and the generic and custom assembly forms both round trip.

mod assembly;
mod attribute_verifiers;
mod callbacks;
mod definition;
mod definition_callbacks;
mod effects;
mod interfaces;
mod names;
mod operation;
mod operation_parser;
mod parser;
mod printer;
mod registration;
mod traits;
mod use_callbacks;
mod uses;

use crate::ffi;
use crate::ir::{Attribute, Builder, Context, OperationRef, Type};
use crate::rewrite::{OperationPattern, PdlPatterns};

pub use assembly::{ArgumentSyntax, Delimiter, Token, UnresolvedOperand};
pub use attribute_verifiers::{RegionEntry, VerifyAttribute, VerifyRegionAttribute};
pub use definition::{DefinitionSpec, ParseParameters, PrintParameters, VerifyParameters};
pub use effects::{Effect, EffectKind, EffectTarget, Effects};
pub use interfaces::{CallInterface, FunctionInterface, InferenceInput, RegionPoint, RegionSuccessor};
pub use names::ValueNames;
pub use operation::{Arity, Fold, FoldHook, FoldResult, InferTypes, OperationSpec, RegionSuccessors, Verify};
pub use operation_parser::ParsedRegion;
pub use parser::{OperationState, ParameterParser, ParameterState, Parser};
pub use printer::{OfOperation, OfParameters, ParameterPrinter, Printer, RegionPrinting};
pub use traits::Trait;
pub use uses::{SuccessorOperands, SymbolTables};

use attribute_verifiers::AttributeVerifiers;
pub(crate) use registration::register;

/// A number that tells the dialect which a context has for a namespace from those of all other contexts, past ones too,
/// so that something can be remembered of a context. None if the dialect is not loaded or is an upstream one.
pub fn instance_number(context: &Context, namespace: &str) -> Option<u64> {
    // SAFETY: the context is valid, and the text outlives the call.
    let number = unsafe { ffi::skndDialectNumber(context.to_raw(), ffi::text(namespace)) };
    (number != 0).then_some(number)
}

/// Builds an operation that yields a constant, when folding produced an attribute in place of a value.
pub type MaterializeConstant =
    dyn for<'c, 'a> Fn(&Builder<'c, 'a>, Attribute<'c>, Type<'c>) -> Option<OperationRef<'c, 'a>> + Send + Sync;

/// Parses what follows the name of an operation.
pub type Parse = dyn for<'c, 'p> Fn(&mut Parser<'c, 'p>) -> Result<(), crate::Failure> + Send + Sync;

/// Prints what follows the name of an operation.
pub type Print = dyn for<'c, 'a, 'p> Fn(OperationRef<'c, 'a>, &mut Printer<'p>) + Send + Sync;

/// How a dialect treats operations of its namespace that it does not define.
#[derive(Default)]
pub struct UnknownOperations {
    /// Whether they touch no memory, so that unused ones vanish and equal ones merge.
    pub pure: bool,
    /// Their custom assembly; without it they print in generic form. The parser finds the whole name in
    /// [`Parser::operation_name`].
    pub assembly: Option<(Box<Parse>, Box<Print>)>,
}

/// A dialect.
pub struct DialectSpec {
    pub(crate) namespace: String,
    pub(crate) operations: Vec<OperationSpec>,
    pub(crate) types: Vec<DefinitionSpec>,
    pub(crate) attributes: Vec<DefinitionSpec>,
    pub(crate) unknown_operations: Option<UnknownOperations>,
    pub(crate) materialize_constant: Option<Box<MaterializeConstant>>,
    pub(crate) attribute_verifiers: AttributeVerifiers,
    pub(crate) dependent_dialects: Vec<String>,
    pub(crate) patterns: Vec<OperationPattern>,
    pub(crate) pdl_patterns: Vec<PdlPatterns>,
}

impl DialectSpec {
    /// An empty dialect.
    pub fn new(namespace: impl Into<String>) -> Self {
        Self {
            namespace: namespace.into(),
            operations: Vec::new(),
            types: Vec::new(),
            attributes: Vec::new(),
            unknown_operations: None,
            materialize_constant: None,
            attribute_verifiers: AttributeVerifiers::default(),
            dependent_dialects: Vec::new(),
            patterns: Vec::new(),
            pdl_patterns: Vec::new(),
        }
    }

    /// The namespace: what stands before the first dot of its operations' names.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// The operations defined so far.
    pub fn operations(&self) -> &[OperationSpec] {
        &self.operations
    }

    /// Defines an operation.
    pub fn operation(mut self, operation: OperationSpec) -> Self {
        self.operations.push(operation);
        self
    }

    /// Defines several operations.
    pub fn with_operations(mut self, operations: impl IntoIterator<Item = OperationSpec>) -> Self {
        self.operations.extend(operations);
        self
    }

    /// Defines a type.
    pub fn r#type(mut self, definition: DefinitionSpec) -> Self {
        self.types.push(definition);
        self
    }

    /// Defines an attribute.
    pub fn attribute(mut self, definition: DefinitionSpec) -> Self {
        self.attributes.push(definition);
        self
    }

    /// Accepts operations of the namespace that the dialect does not define.
    pub fn allow_unknown_operations(mut self, unknown: UnknownOperations) -> Self {
        self.unknown_operations = Some(unknown);
        self
    }

    /// Sets how folding results become operations.
    pub fn constant_materializer(
        mut self,
        materialize: impl for<'c, 'a> Fn(&Builder<'c, 'a>, Attribute<'c>, Type<'c>) -> Option<OperationRef<'c, 'a>>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        self.materialize_constant = Some(Box::new(materialize));
        self
    }

    /// Names a dialect that is loaded together with this one.
    pub fn dependent_dialect(mut self, namespace: impl Into<String>) -> Self {
        self.dependent_dialects.push(namespace.into());
        self
    }

    /// Adds a pattern in Rust to what `--canonicalize` applies.
    pub fn canonicalization_pattern(mut self, pattern: OperationPattern) -> Self {
        self.patterns.push(pattern);
        self
    }

    /// Adds several patterns in Rust.
    pub fn canonicalization_patterns(mut self, patterns: impl IntoIterator<Item = OperationPattern>) -> Self {
        self.patterns.extend(patterns);
        self
    }

    /// Adds patterns in PDL to what `--canonicalize` applies.
    pub fn canonicalization_pdl(mut self, patterns: PdlPatterns) -> Self {
        self.pdl_patterns.push(patterns);
        self
    }
}
