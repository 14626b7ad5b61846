//! `-gen-rewriters`: patterns as PDL, with the native functions that they call, in Rust.

use crate::writer::Writer;
use crate::{
    drr::{self, Native, NativeKind, ParameterKind},
    error::Result,
    records::Records,
};

/// The Rust text of a module `rewrites`.
pub fn rewriters(records: &Records) -> Result<String> {
    let module = drr::translate(records)?;
    let file_name = records.file_name();
    let mut writer = Writer::default();
    writer.line(super::header(file_name).trim_end());
    writer.line("");
    writer.line("/// The rewrite patterns.");
    writer.line("#[allow(clippy::all, unused_imports, unused_parens, unused_braces, unused_variables)]");
    writer.block("pub mod rewrites {", "}", |writer| {
        writer.line("use skriptnd_ods::{mlir::rewrite::{Natives, PdlPatterns}, natives, predicate};");
        writer.line("");
        writer.line("/// The names of the patterns, those of greater benefit first.");
        let names: Vec<String> = module.patterns.iter().map(|name| format!("{name:?}")).collect();
        writer.line(format_args!("pub const PATTERNS: &[&str] = &[{}];", names.join(", ")));
        writer.line("");
        writer.line("/// The patterns in PDL.");
        writer.line(format_args!("pub const PDL: &str = {:?};", module.text));
        writer.line("");
        writer.line("/// The native functions that the patterns call.");
        writer.block("pub fn natives() -> Natives {", "}", |writer| {
            writer.line("Natives::new()");
            module.natives.iter().for_each(|native| self::native(native, writer));
        });
        writer.line("");
        writer.line("/// The patterns with their native functions.");
        writer.block("pub fn patterns() -> PdlPatterns {", "}", |writer| {
            let name = std::path::Path::new(file_name).file_name().map(|name| name.to_string_lossy().into_owned());
            writer.line(format_args!("PdlPatterns::new(PDL, {:?}, natives())", name.unwrap_or_default()));
        });
    });
    Ok(writer.finish())
}

fn native(native: &Native, writer: &mut Writer) {
    let name = &native.name;
    match &native.kind {
        NativeKind::Predicate { parameters, rust } => predicate(name, parameters, rust, writer),
        NativeKind::AttributeAbsent(attribute) => {
            writer.line(format_args!("    .constraint({name:?}, natives::attribute_absent({attribute:?}))"));
        }
        NativeKind::GroupEmpty => writer.line(format_args!("    .constraint({name:?}, natives::group_empty)")),
        NativeKind::Function(path) => writer.line(format_args!("    .rewrite({name:?}, {path})")),
        NativeKind::CopyAttribute { from, to } => {
            writer.line(format_args!("    .rewrite({name:?}, natives::copy_attribute({from:?}, {to:?}))"));
        }
        NativeKind::SegmentSizes(sizes) => {
            writer.line(format_args!("    .rewrite({name:?}, natives::segment_sizes(&{sizes:?}))"));
        }
    }
}

fn predicate(name: &str, parameters: &[ParameterKind], rust: &str, writer: &mut Writer) {
    writer.block(format_args!("    .constraint({name:?}, |_, arguments| {{"), "    })", |writer| {
        for (index, parameter) in parameters.iter().enumerate() {
            let read = match parameter {
                ParameterKind::Value => "value",
                ParameterKind::Values => "values",
                ParameterKind::Attribute => "attribute",
            };
            writer.line(format_args!("    let p{index} = natives::{read}(arguments, {index})?;"));
        }
        writer.line(format_args!("    ({rust}).then(Vec::new)"));
    });
}
