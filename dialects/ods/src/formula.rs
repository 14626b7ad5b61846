//! What an operation computes, said in SkriptND: the `reference` of its record.

/// The reference of an operation: a module in SkriptND, and which of its operators it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Formula<'t> {
    /// The name of the operator; its inputs are the operands in their order.
    pub operator: &'t str,
    /// The text of the module.
    pub text: &'t str,
}

/// What computes formulas. This crate knows nothing of SkriptND: whoever does implements it.
pub trait Evaluator {
    /// What operands and results are.
    type Value;
    /// The value of an attribute.
    type Attribute;
    /// Why nothing could be computed.
    type Fault;

    /// The results for these operands and attributes.
    ///
    /// # Errors
    /// Where the formula takes no such operands or attributes, or has no value for them.
    fn evaluate(
        &self,
        formula: Formula<'_>,
        operands: Vec<Self::Value>,
        attributes: Vec<(String, Self::Attribute)>,
    ) -> Result<Vec<Self::Value>, Self::Fault>;
}
