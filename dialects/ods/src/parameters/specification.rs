//! From a definition to what MLIR registers.

use skriptnd_mlir::Failure;
use skriptnd_mlir::dialect::DefinitionSpec;
use skriptnd_mlir::ir::{Attribute, attributes};

use super::parse::parse_definition;
use super::print::print_definition;
use super::{ParameterDefinition, ParameterKind, ParameterizedDefinition};

/// The specification of a declared type or attribute: its assembly, and a verifier of its parameters.
pub fn definition_specification(definition: &'static ParameterizedDefinition) -> DefinitionSpec {
    let mnemonic = definition.name.split_once('.').map_or(definition.name, |(_, mnemonic)| mnemonic);
    DefinitionSpec::new(mnemonic)
        .verifier(move |_, parameters| verify(definition.parameters, parameters))
        .assembly(
            move |parser| parse_definition(parser, definition),
            move |parameters, printer| print_definition(definition, parameters, printer),
        )
}

fn verify(declared: &[ParameterDefinition], parameters: &[Attribute<'_>]) -> Result<(), Failure> {
    if declared.len() != parameters.len() {
        return Err(Failure::new(format!("expected {} parameters, but got {}", declared.len(), parameters.len())));
    }
    for (parameter, value) in declared.iter().zip(parameters) {
        let right = || parameter.kind.holds(*value) && (parameter.accepts)(*value);
        if !parameter.is_absent(*value) && !right() {
            let (name, summary) = (parameter.name, parameter.summary);
            return Err(Failure::new(format!("failed to verify '{name}': {summary}")));
        }
    }
    Ok(())
}

impl ParameterKind {
    /// Whether an attribute stores a value of this kind.
    pub(super) fn holds(&self, value: Attribute<'_>) -> bool {
        match self {
            Self::Boolean => attributes::as_bool(value).is_some(),
            Self::Integer { width, signed } => {
                attributes::as_integer(value).is_some_and(|value| fits(value, *width, *signed))
            }
            Self::Float => attributes::as_real(value).is_some(),
            Self::Text => value.is_string(),
            Self::Type(_) => attributes::as_type(value).is_some(),
            Self::Enumeration(cases) => {
                attributes::as_integer(value).is_some_and(|value| cases.text(value).is_some())
            }
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
