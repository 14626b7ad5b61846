//! Types and attributes of a dialect: their parameters are attributes.

use crate::diagnostics::Failure;
use crate::ffi;
use crate::ir::{Attribute, Context, Type};

use super::interfaces::Implementations;
use super::{ParameterParser, ParameterPrinter};

/// Checks parameters.
pub type VerifyParameters = dyn for<'c> Fn(&'c Context, &[Attribute<'c>]) -> Result<(), Failure> + Send + Sync;
/// Parses what follows the name.
pub type ParseParameters =
    dyn for<'c, 'p> Fn(&mut ParameterParser<'c, 'p>) -> Result<Vec<Attribute<'c>>, Failure> + Send + Sync;
/// Prints what follows the name.
pub type PrintParameters = dyn for<'c, 'p> Fn(&[Attribute<'c>], &mut ParameterPrinter<'p>) + Send + Sync;

/// A type or an attribute.
pub struct DefinitionSpec {
    pub(crate) name: String,
    pub(crate) alias: bool,
    pub(crate) verify: Option<Box<VerifyParameters>>,
    pub(crate) parse: Option<Box<ParseParameters>>,
    pub(crate) print: Option<Box<PrintParameters>>,
    implementations: Implementations,
}

impl DefinitionSpec {
    /// One without parameters, by its name without the dialect.
    pub fn new(name: impl Into<String>) -> Self {
        let implementations = Implementations::default();
        Self { name: name.into(), alias: false, verify: None, parse: None, print: None, implementations }
    }

    /// Sets what must hold of the parameters.
    pub fn verifier(
        mut self,
        verify: impl for<'c> Fn(&'c Context, &[Attribute<'c>]) -> Result<(), Failure> + Send + Sync + 'static,
    ) -> Self {
        self.verify = Some(Box::new(verify));
        self
    }

    /// Adds a verifier that runs after the one that is set.
    pub fn further_verifier(
        mut self,
        verify: impl for<'c> Fn(&'c Context, &[Attribute<'c>]) -> Result<(), Failure> + Send + Sync + 'static,
    ) -> Self {
        let first = self.verify.take();
        self.verifier(move |context, parameters| {
            first.as_ref().map_or(Ok(()), |first| first(context, parameters))?;
            verify(context, parameters)
        })
    }

    /// Lets the name be an alias in text.
    pub fn alias(mut self) -> Self {
        self.alias = true;
        self
    }

    /// Sets what follows the name in text.
    pub fn assembly(
        mut self,
        parse: impl for<'c, 'p> Fn(&mut ParameterParser<'c, 'p>) -> Result<Vec<Attribute<'c>>, Failure>
        + Send
        + Sync
        + 'static,
        print: impl for<'c, 'p> Fn(&[Attribute<'c>], &mut ParameterPrinter<'p>) + Send + Sync + 'static,
    ) -> Self {
        self.parse = Some(Box::new(parse));
        self.print = Some(Box::new(print));
        self
    }

    /// Gives it an interface that Rust declares; the type of the function tells which ([`Type::implementation`] and
    /// [`Attribute::implementation`] find it).
    pub fn implement<F: Copy + Send + Sync + 'static>(mut self, implementation: F) -> Self {
        self.implementations.add(implementation);
        self
    }
}

impl Type<'_> {
    /// The function that its dialect gave for an interface ([`DefinitionSpec::implement`]), whichever dialect that is.
    pub fn implementation<F: Copy + 'static>(self) -> Option<F> {
        // SAFETY: the type is live; a specification lives as long as the process.
        let spec = unsafe { ffi::skndTypeSpec(self.to_raw()).cast::<DefinitionSpec>().as_ref() };
        spec.and_then(|spec| spec.implementations.find())
    }
}

impl Attribute<'_> {
    /// The function that its dialect gave for an interface ([`DefinitionSpec::implement`]), whichever dialect that is.
    pub fn implementation<F: Copy + 'static>(self) -> Option<F> {
        // SAFETY: the attribute is live; a specification lives as long as the process.
        let spec = unsafe { ffi::skndAttributeSpec(self.to_raw()).cast::<DefinitionSpec>().as_ref() };
        spec.and_then(|spec| spec.implementations.find())
    }
}
