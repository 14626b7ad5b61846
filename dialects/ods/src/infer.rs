//! Types of results that follow from the declaration.

use skriptnd_mlir::Failure;
use skriptnd_mlir::dialect::InferenceInput;
use skriptnd_mlir::ir::{Type, attributes};

/// How the types of all results follow from the rest of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultTypes {
    /// They are the type of the first operand.
    FirstOperand,
    /// They are the type that an attribute is or, if it is none, has.
    Attribute(&'static str),
}

impl ResultTypes {
    /// The types of so many results.
    pub(crate) fn of<'c>(self, input: &InferenceInput<'c, '_>, count: usize) -> Result<Vec<Type<'c>>, Failure> {
        let r#type = match self {
            Self::FirstOperand => input.operands.first().ok_or("needs an operand")?.r#type(),
            Self::Attribute(name) => {
                let attribute = input.attribute(name);
                let attribute = attribute.ok_or_else(|| Failure::new(format!("requires attribute '{name}'")))?;
                attributes::as_type(attribute).unwrap_or_else(|| attribute.r#type())
            }
        };
        Ok(vec![r#type; count])
    }
}
