//! What must hold of parameters.

use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Attribute, attributes};

use super::{ParameterConstraint, ParameterDefinition, ParameterKind};

/// Checks all parameters of a type or an attribute.
pub(super) fn verify(declared: &[ParameterDefinition], parameters: &[Attribute<'_>]) -> Result<(), Failure> {
    if declared.len() != parameters.len() {
        return Err(Failure::new(format!("expected {} parameters, but got {}", declared.len(), parameters.len())));
    }
    for (parameter, value) in declared.iter().zip(parameters) {
        let right = || parameter.kind.holds(*value) && parameter.fits(*value);
        if !parameter.is_absent(*value) && !right() {
            let (name, summary) = (parameter.name, parameter.summary);
            return Err(Failure::new(format!("failed to verify '{name}': {summary}")));
        }
    }
    Ok(())
}

impl ParameterDefinition {
    /// Whether the constraint holds: of a list, for each of its elements.
    fn fits(&self, value: Attribute<'_>) -> bool {
        match attributes::as_array(value).filter(|_| matches!(self.kind, ParameterKind::List(_))) {
            Some(values) => values.iter().all(|value| self.constraint.holds(*value)),
            None => self.constraint.holds(value),
        }
    }
}

impl ParameterConstraint {
    fn holds(&self, value: Attribute<'_>) -> bool {
        match self {
            Self::Anything => true,
            Self::Type(accepts) => attributes::as_type(value).is_some_and(accepts),
            Self::Attribute(accepts) => accepts(value),
        }
    }
}

impl ParameterKind {
    /// Whether an attribute stores a value of this kind.
    fn holds(&self, value: Attribute<'_>) -> bool {
        match self {
            Self::Boolean => attributes::as_bool(value).is_some(),
            Self::Integer { width, signed } => {
                attributes::as_integer(value).is_some_and(|value| fits(value, *width, *signed))
            }
            Self::Float => attributes::as_real(value).is_some(),
            Self::Text => value.is_string(),
            Self::Type(_) => attributes::as_type(value).is_some(),
            Self::Enumeration(cases) => attributes::as_integer(value).is_some_and(|value| cases.text(value).is_some()),
            Self::List(kind) => {
                attributes::as_array(value).is_some_and(|values| values.iter().all(|value| kind.holds(*value)))
            }
            Self::Attribute(_) | Self::Opaque { .. } => true,
        }
    }
}

/// Whether a number can be stored in so many bits.
pub(super) fn fits(value: i64, width: u32, signed: bool) -> bool {
    match (width, signed) {
        (64.., _) => signed || value >= 0,
        (_, true) => (-(1i64 << (width - 1))..1i64 << (width - 1)).contains(&value),
        (_, false) => (0..1i64 << width).contains(&value),
    }
}
