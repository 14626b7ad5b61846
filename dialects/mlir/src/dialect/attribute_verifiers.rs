//! What a dialect says about attributes of its namespace on operations of any dialect.

use super::DialectSpec;
use crate::diagnostics::Failure;
use crate::ir::{Attribute, OperationRef};

/// Verifies an attribute of an operation, given its whole name.
pub type VerifyAttribute =
    dyn for<'c, 'a> Fn(OperationRef<'c, 'a>, &str, Attribute<'c>) -> Result<(), Failure> + Send + Sync;

/// Verifies an attribute of an argument or a result of a region of an operation, given its whole name.
pub type VerifyRegionAttribute =
    dyn for<'c, 'a> Fn(OperationRef<'c, 'a>, RegionEntry, &str, Attribute<'c>) -> Result<(), Failure> + Send + Sync;

/// An argument or a result of a region of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegionEntry {
    /// The number of the region.
    pub region: usize,
    /// The number of the argument or result.
    pub index: usize,
}

/// The verifiers that a dialect has.
#[derive(Default)]
pub(crate) struct AttributeVerifiers {
    pub of_operations: Option<Box<VerifyAttribute>>,
    pub of_region_arguments: Option<Box<VerifyRegionAttribute>>,
    pub of_region_results: Option<Box<VerifyRegionAttribute>>,
}

impl DialectSpec {
    /// Sets what verifies attributes of the namespace that operations carry.
    pub fn operation_attribute_verifier(
        mut self,
        verify: impl for<'c, 'a> Fn(OperationRef<'c, 'a>, &str, Attribute<'c>) -> Result<(), Failure>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        self.attribute_verifiers.of_operations = Some(Box::new(verify));
        self
    }

    /// Sets what verifies attributes of the namespace that arguments of regions carry: those of functions.
    pub fn region_argument_attribute_verifier(
        mut self,
        verify: impl for<'c, 'a> Fn(OperationRef<'c, 'a>, RegionEntry, &str, Attribute<'c>) -> Result<(), Failure>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        self.attribute_verifiers.of_region_arguments = Some(Box::new(verify));
        self
    }

    /// Sets what verifies attributes of the namespace that results of regions carry: those of functions.
    pub fn region_result_attribute_verifier(
        mut self,
        verify: impl for<'c, 'a> Fn(OperationRef<'c, 'a>, RegionEntry, &str, Attribute<'c>) -> Result<(), Failure>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        self.attribute_verifiers.of_region_results = Some(Box::new(verify));
        self
    }
}
