//! From a definition to what MLIR registers.

use skriptnd_mlir::dialect::DefinitionSpec;

use super::ParameterizedDefinition;
use super::parse::parse_definition;
use super::print::print_definition;
use super::verify::verify;

/// The specification of a declared type or attribute: its assembly, and a verifier of its parameters.
pub fn definition_specification(definition: &'static ParameterizedDefinition) -> DefinitionSpec {
    let mnemonic = definition.name.split_once('.').map_or(definition.name, |(_, mnemonic)| mnemonic);
    DefinitionSpec::new(mnemonic).verifier(move |_, parameters| verify(definition.parameters, parameters)).assembly(
        move |parser| parse_definition(parser, definition),
        move |parameters, printer| print_definition(definition, parameters, printer),
    )
}
