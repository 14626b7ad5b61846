//! The definition of an operation.

use crate::diagnostics::Failure;
use crate::ffi;
use crate::ir::{Attribute, BlockRef, OperationRef, RegionRef, Type, Value};

use super::interfaces::Implementations;
use super::names::{Names, ValueNames};
use super::uses::{SuccessorOperands, SymbolTables, Uses};
use super::{
    CallInterface, Effects, FunctionInterface, InferenceInput, Parse, Parser, Print, Printer, RegionPoint,
    RegionSuccessor, Trait,
};

/// How many operands, results, regions or successors an operation has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arity {
    /// At least so many.
    pub minimum: usize,
    /// At most so many.
    pub maximum: Option<usize>,
}

impl Arity {
    /// Any number.
    pub const ANY: Self = Self { minimum: 0, maximum: None };

    /// Exactly so many.
    pub const fn exactly(count: usize) -> Self {
        Self { minimum: count, maximum: Some(count) }
    }

    /// So many or more.
    pub const fn at_least(minimum: usize) -> Self {
        Self { minimum, maximum: None }
    }

    /// Between two numbers, inclusive.
    pub const fn between(minimum: usize, maximum: usize) -> Self {
        Self { minimum, maximum: Some(maximum) }
    }
}

/// What folding an operation came to.
pub enum Fold<'c, 'a> {
    /// It cannot be folded.
    Unchanged,
    /// The callback changed the operation in place.
    InPlace,
    /// One replacement for each result.
    Results(Vec<FoldResult<'c, 'a>>),
}

/// What a result folds to.
#[derive(Clone, Copy, Debug)]
pub enum FoldResult<'c, 'a> {
    /// An existing value.
    Value(Value<'c, 'a>),
    /// A constant, which the dialect's constant materializer turns into an operation.
    Constant(Attribute<'c>),
}

/// Checks an operation.
pub type Verify = dyn for<'c, 'a> Fn(OperationRef<'c, 'a>) -> Result<(), Failure> + Send + Sync;
/// Folds an operation, given the constant operands.
pub type FoldHook = dyn for<'c, 'a> Fn(OperationRef<'c, 'a>, &[Option<Attribute<'c>>]) -> Fold<'c, 'a> + Send + Sync;
/// Infers result types.
pub type InferTypes = dyn for<'c, 'a> Fn(&InferenceInput<'c, 'a>) -> Result<Vec<Type<'c>>, Failure> + Send + Sync;
/// Lists where control can flow from a point.
pub type RegionSuccessors = dyn for<'c, 'a> Fn(OperationRef<'c, 'a>, RegionPoint) -> Vec<RegionSuccessor> + Send + Sync;

/// An operation. Its inherent attributes, those that are named here, are its properties.
pub struct OperationSpec {
    pub(crate) name: String,
    pub(crate) traits: Vec<Trait>,
    pub(crate) operands: Arity,
    pub(crate) results: Arity,
    pub(crate) regions: Arity,
    pub(crate) successors: Arity,
    pub(crate) attribute_names: Vec<String>,
    pub(crate) parents: Vec<String>,
    pub(crate) implicit_terminator: Option<String>,
    pub(crate) verify: Option<Box<Verify>>,
    pub(crate) verify_regions: Option<Box<Verify>>,
    pub(crate) parse: Option<Box<Parse>>,
    pub(crate) print: Option<Box<Print>>,
    pub(crate) fold: Option<Box<FoldHook>>,
    pub(crate) infer_types: Option<Box<InferTypes>>,
    pub(crate) effects: Effects,
    pub(crate) call: Option<CallInterface>,
    pub(crate) function: Option<FunctionInterface>,
    pub(crate) region_successors: Option<Box<RegionSuccessors>>,
    pub(crate) implementations: Implementations,
    pub(crate) names: Names,
    pub(crate) uses: Uses,
}

impl OperationSpec {
    /// An operation by its whole name, such as `toy.add`, with any number of operands and results, no regions
    /// and no successors.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            traits: Vec::new(),
            operands: Arity::ANY,
            results: Arity::ANY,
            regions: Arity::exactly(0),
            successors: Arity::exactly(0),
            attribute_names: Vec::new(),
            parents: Vec::new(),
            implicit_terminator: None,
            verify: None,
            verify_regions: None,
            parse: None,
            print: None,
            fold: None,
            infer_types: None,
            effects: Effects::Unknown,
            call: None,
            function: None,
            region_successors: None,
            implementations: Implementations::default(),
            names: Names::default(),
            uses: Uses::default(),
        }
    }

    /// The whole name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Adds a trait.
    pub fn with_trait(mut self, r#trait: Trait) -> Self {
        if !self.traits.contains(&r#trait) {
            self.traits.push(r#trait);
        }
        self
    }

    /// Adds traits.
    pub fn with_traits(self, traits: impl IntoIterator<Item = Trait>) -> Self {
        traits.into_iter().fold(self, Self::with_trait)
    }

    /// Declares it pure: no memory effects, and speculatable.
    pub fn pure(self) -> Self {
        self.with_trait(Trait::AlwaysSpeculatable).effects(Effects::None)
    }

    /// Sets the number of operands.
    pub fn operands(mut self, arity: Arity) -> Self {
        self.operands = arity;
        self
    }

    /// Sets the number of results.
    pub fn results(mut self, arity: Arity) -> Self {
        self.results = arity;
        self
    }

    /// Sets the number of regions.
    pub fn regions(mut self, arity: Arity) -> Self {
        self.regions = arity;
        self
    }

    /// Sets the number of successors.
    pub fn successors(mut self, arity: Arity) -> Self {
        self.successors = arity;
        self
    }

    /// Names an inherent attribute.
    pub fn attribute(mut self, name: impl Into<String>) -> Self {
        self.attribute_names.push(name.into());
        self
    }

    /// Names inherent attributes.
    pub fn attributes<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.attribute_names.extend(names.into_iter().map(Into::into));
        self
    }

    /// Requires that its parent is one of these operations.
    pub fn parent(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.parents.extend(names.into_iter().map(Into::into));
        self
    }

    /// Names the terminator, without operands, that the parser adds to a region's block that has none
    /// ([`Parser::parse_region`]), and that printing leaves out.
    pub fn implicit_terminator(mut self, name: impl Into<String>) -> Self {
        self.implicit_terminator = Some(name.into());
        self
    }

    /// Sets the verifier, which runs after arity and traits were checked and before the operations inside are.
    pub fn verifier(
        mut self,
        verify: impl for<'c, 'a> Fn(OperationRef<'c, 'a>) -> Result<(), Failure> + Send + Sync + 'static,
    ) -> Self {
        self.verify = Some(Box::new(verify));
        self
    }

    /// Adds a verifier that runs after the one that is set.
    pub fn further_verifier(
        mut self,
        verify: impl for<'c, 'a> Fn(OperationRef<'c, 'a>) -> Result<(), Failure> + Send + Sync + 'static,
    ) -> Self {
        let first = self.verify.take();
        self.verifier(move |operation: OperationRef<'_, '_>| -> Result<(), Failure> {
            first.as_ref().map_or(Ok(()), |first| first(operation))?;
            verify(operation)
        })
    }

    /// Sets the region verifier, which runs when the operations inside have been verified.
    pub fn region_verifier(
        mut self,
        verify: impl for<'c, 'a> Fn(OperationRef<'c, 'a>) -> Result<(), Failure> + Send + Sync + 'static,
    ) -> Self {
        self.verify_regions = Some(Box::new(verify));
        self
    }

    /// Adds a region verifier that runs after the one that is set.
    pub fn further_region_verifier(
        mut self,
        verify: impl for<'c, 'a> Fn(OperationRef<'c, 'a>) -> Result<(), Failure> + Send + Sync + 'static,
    ) -> Self {
        let first = self.verify_regions.take();
        self.region_verifier(move |operation: OperationRef<'_, '_>| -> Result<(), Failure> {
            first.as_ref().map_or(Ok(()), |first| first(operation))?;
            verify(operation)
        })
    }

    /// Sets the custom assembly.
    pub fn assembly(
        mut self,
        parse: impl for<'c, 'p> Fn(&mut Parser<'c, 'p>) -> Result<(), Failure> + Send + Sync + 'static,
        print: impl for<'c, 'a, 'p> Fn(OperationRef<'c, 'a>, &mut Printer<'p>) + Send + Sync + 'static,
    ) -> Self {
        self.parse = Some(Box::new(parse));
        self.print = Some(Box::new(print));
        self
    }

    /// Sets the folder.
    pub fn folder(
        mut self,
        fold: impl for<'c, 'a> Fn(OperationRef<'c, 'a>, &[Option<Attribute<'c>>]) -> Fold<'c, 'a> + Send + Sync + 'static,
    ) -> Self {
        self.fold = Some(Box::new(fold));
        self
    }

    /// Sets how result types are inferred; the verifier then requires them.
    pub fn type_inference(
        mut self,
        infer: impl for<'c, 'a> Fn(&InferenceInput<'c, 'a>) -> Result<Vec<Type<'c>>, Failure> + Send + Sync + 'static,
    ) -> Self {
        self.infer_types = Some(Box::new(infer));
        self
    }

    /// Sets the memory effects.
    pub fn effects(mut self, effects: Effects) -> Self {
        self.effects = effects;
        self
    }

    /// Makes it a call.
    pub fn call(mut self, call: CallInterface) -> Self {
        self.call = Some(call);
        self
    }

    /// Makes it a function; adds [`Trait::Symbol`] and [`Trait::IsolatedFromAbove`].
    pub fn function(mut self) -> Self {
        self.function = Some(FunctionInterface);
        self.with_traits([Trait::Symbol, Trait::IsolatedFromAbove])
    }

    /// Gives it an interface that Rust declares; the type of the function tells which
    /// ([`OperationRef::implementation`] finds it).
    pub fn implement<F: Copy + Send + Sync + 'static>(mut self, implementation: F) -> Self {
        self.implementations.add(implementation);
        self
    }

    /// Makes it branch between its regions.
    pub fn region_branch(
        mut self,
        successors: impl for<'c, 'a> Fn(OperationRef<'c, 'a>, RegionPoint) -> Vec<RegionSuccessor> + Send + Sync + 'static,
    ) -> Self {
        self.region_successors = Some(Box::new(successors));
        self
    }
}

/// How it branches, casts and uses symbols.
impl OperationSpec {
    /// Makes it branch to its successors; tells what it hands to one.
    pub fn branch(
        mut self,
        operands: impl for<'c, 'a> Fn(OperationRef<'c, 'a>, usize) -> SuccessorOperands + Send + Sync + 'static,
    ) -> Self {
        self.uses.successor_operands = Some(Box::new(operands));
        self
    }

    /// Sets which successor it takes where some operands are constants.
    pub fn chosen_successor(
        mut self,
        chosen: impl for<'c, 'a> Fn(OperationRef<'c, 'a>, &[Option<Attribute<'c>>]) -> Option<usize> + Send + Sync + 'static,
    ) -> Self {
        self.uses.chosen_successor = Some(Box::new(chosen));
        self
    }

    /// Makes it a cast between types that are compatible.
    pub fn cast(
        mut self,
        are_compatible: impl for<'c> Fn(&[Type<'c>], &[Type<'c>]) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.uses.are_cast_compatible = Some(Box::new(are_compatible));
        self
    }

    /// Sets the check of the symbols that it names, which runs with that of the symbol table around it.
    pub fn verify_symbols(
        mut self,
        verify: impl for<'c, 'a> Fn(OperationRef<'c, 'a>, &mut SymbolTables<'_>) -> Result<(), Failure>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        self.uses.verify_symbols = Some(Box::new(verify));
        self
    }
}

/// How it names values, blocks and operations inside of it in text.
impl OperationSpec {
    /// Sets what results are called in text.
    pub fn result_names(
        mut self,
        names: impl for<'c, 'a> Fn(OperationRef<'c, 'a>) -> ValueNames<'c, 'a> + Send + Sync + 'static,
    ) -> Self {
        self.names.results = Some(Box::new(names));
        self
    }

    /// Sets what the arguments of the blocks of a region are called in text.
    pub fn argument_names(
        mut self,
        names: impl for<'c, 'a> Fn(OperationRef<'c, 'a>, RegionRef<'c, 'a>) -> ValueNames<'c, 'a> + Send + Sync + 'static,
    ) -> Self {
        self.names.arguments = Some(Box::new(names));
        self
    }

    /// Sets what blocks are called in text.
    pub fn block_names(
        mut self,
        names: impl for<'c, 'a> Fn(OperationRef<'c, 'a>) -> Vec<(BlockRef<'c, 'a>, String)> + Send + Sync + 'static,
    ) -> Self {
        self.names.blocks = Some(Box::new(names));
        self
    }

    /// Sets the dialect whose operations are written without its name inside of this operation.
    pub fn default_dialect(mut self, dialect: &'static str) -> Self {
        self.names.default_dialect = dialect;
        self
    }
}

impl OperationRef<'_, '_> {
    /// The function that its dialect gave for an interface ([`OperationSpec::implement`]), whichever dialect that is.
    pub fn implementation<F: Copy + 'static>(self) -> Option<F> {
        // SAFETY: the operation is valid; a specification lives as long as the process.
        let spec = unsafe { ffi::skndOperationSpec(self.to_raw()).cast::<OperationSpec>().as_ref() };
        spec.and_then(|spec| spec.implementations.find())
    }
}
