//! The dialect of `td/kinds.td`.

use generated::{definitions, dialect_types};
use skriptnd_ods::mlir::Failure;
use skriptnd_ods::mlir::dialect::{DialectSpec, ParameterParser, ParameterPrinter, Token};
use skriptnd_ods::mlir::ir::{Attribute, Context, attributes};
use skriptnd_ods::{ParameterElement, ParameterValue, ParsedParameters};

/// What is generated.
pub mod generated {
    include!(concat!(env!("OUT_DIR"), "/kinds.rs"));
}

struct Rust;

impl definitions::AssemblyHooks for Rust {
    fn parse_opaque_type_shape<'c>(parser: &mut ParameterParser<'c, '_>) -> Result<Attribute<'c>, Failure> {
        let word = parser.parse_identifier()?;
        Ok(attributes::string(parser.context(), &word))
    }

    fn print_opaque_type_shape(value: Attribute<'_>, printer: &mut ParameterPrinter<'_>) {
        printer.text(attributes::as_string(value).unwrap_or_default());
    }

    fn parse_rank_parameters<'c>(
        parser: &mut ParameterParser<'c, '_>,
        parsed: &mut ParsedParameters<'c, '_>,
        arguments: &[ParameterElement],
    ) -> Result<(), Failure> {
        let [ParameterElement::Parameter { index, .. }, ParameterElement::Referenced(_), ParameterElement::Text(word)] =
            arguments
        else {
            return Err(parser.error("unexpected arguments"));
        };
        parser.parse_keyword(word)?;
        let rank = parser.parse_integer()?;
        parsed.set(*index, rank.into_attribute(parser.context()));
        Ok(())
    }

    fn print_rank_parameters(
        parameters: &[Attribute<'_>],
        arguments: &[ParameterElement],
        printer: &mut ParameterPrinter<'_>,
    ) {
        if let [ParameterElement::Parameter { index, .. }, _, ParameterElement::Text(word)] = arguments {
            let rank = attributes::as_integer(parameters[*index]).unwrap_or_default();
            printer.text(word).text(&format!(" {rank}"));
        }
    }
}

impl dialect_types::VecTypeHooks for Rust {
    fn verify<'c>(_: &'c Context, parameters: &dialect_types::VecTypeParameters<'c>) -> Result<(), Failure> {
        match parameters.count {
            0 => Err(Failure::new("there must be at least one")),
            _ => Ok(()),
        }
    }
}

impl dialect_types::WrittenTypeHooks for Rust {
    fn parse<'c>(parser: &mut ParameterParser<'c, '_>) -> Result<dialect_types::WrittenTypeParameters, Failure> {
        let wide = parser.parse_optional_token(Token::Less);
        if wide {
            parser.parse_keyword("wide")?;
            parser.parse_token(Token::Greater)?;
        }
        Ok(dialect_types::WrittenTypeParameters { width: if wide { 64 } else { 32 } })
    }

    fn print(parameters: &dialect_types::WrittenTypeParameters, printer: &mut ParameterPrinter<'_>) {
        printer.text(if parameters.width == 64 { "<wide>" } else { "" });
    }

    fn get_with_wide<'c: 'a, 'a>(context: &'c Context, wide: bool) -> Result<dialect_types::WrittenType<'c>, Failure> {
        let width = if wide { 64 } else { 32 };
        dialect_types::WrittenType::of(context, dialect_types::WrittenTypeParameters { width })
    }
}

/// The dialect.
pub fn spec() -> DialectSpec {
    generated::dialect(Rust)
}
