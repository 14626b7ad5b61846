//! `-gen-pass-decls`: passes with their options, to be given what they do.

use super::names;
use crate::{
    error::Result,
    ods::{Model, Pass, PassOption},
    writer::{Writer, dedent},
};

/// The Rust text of a module `passes`.
pub fn passes(model: &Model, file_name: &str) -> Result<String> {
    let mut body = Writer::default();
    for pass in &model.passes {
        write(pass, &mut body)?;
    }
    let mut writer = Writer::default();
    writer.line(super::header(file_name).trim_end());
    writer.line("");
    writer.line("/// The passes, each to be given what it does.");
    writer.line("#[allow(clippy::all, unused_imports)]");
    writer.block("pub mod passes {", "}", |writer| {
        writer.line("use skriptnd_ods::mlir::{ir::Root, pass::{OptionValue, PassRun, PassSpec}, Failure};");
        writer.line("");
        writer.line("/// The arguments of all passes, in the order of their declaration.");
        let arguments: Vec<String> = model.passes.iter().map(|pass| format!("{:?}", pass.argument)).collect();
        writer.line(format_args!("pub const ARGUMENTS: &[&str] = &[{}];", arguments.join(", ")));
        body.finish().lines().for_each(|line| writer.line(line));
    });
    Ok(writer.finish())
}

fn write(pass: &Pass, writer: &mut Writer) -> Result<()> {
    let name = names::function(&pass.argument.replace('-', "_"));
    let mut options = Vec::new();
    for option in &pass.options {
        let value = default(pass, option)?;
        options.push(format!(".option({:?}, {:?}, {value})", option.name, option.description));
    }
    writer.line("");
    writer.line(format_args!("/// `{}`: {}.", pass.argument, pass.summary.trim_end_matches('.')));
    if !pass.description.is_empty() {
        writer.line("///");
        writer.documentation(&dedent(&pass.description).replace("```mlir", "```text"));
    }
    writer.line(format_args!("pub fn {name}("));
    writer.line("    run: impl for<'c, 'r, 'p> Fn(&mut Root<'c, 'r>, &PassRun<'p>) -> Result<(), Failure> + Send + Sync + 'static,");
    writer.block(") -> PassSpec {", "}", |writer| {
        writer.line(format_args!("PassSpec::new({:?}, {:?}, run)", pass.argument, pass.summary));
        if !pass.operation.is_empty() {
            writer.line(format_args!("    .anchor({:?})", pass.operation));
        }
        pass.dependent_dialects
            .iter()
            .for_each(|dialect| writer.line(format_args!("    .dependent_dialect({dialect:?})")));
        options.iter().for_each(|option| writer.line(format_args!("    {option}")));
    });
    Ok(())
}

fn default(pass: &Pass, option: &PassOption) -> Result<String> {
    let text = option.default.trim().trim_matches('"');
    let invalid = || {
        let message =
            format!("pass '{}': option '{}' cannot be '{}' by default", pass.argument, option.name, option.default);
        pass.place.error(message)
    };
    Ok(match (option.kind.as_str(), option.is_list) {
        ("std::string", false) => format!("OptionValue::Text({text:?}.into())"),
        ("std::string", true) => "OptionValue::Texts(Vec::new())".into(),
        ("bool", false) => match text {
            "" | "false" => "OptionValue::Flag(false)".into(),
            "true" => "OptionValue::Flag(true)".into(),
            _ => return Err(invalid()),
        },
        ("bool", true) => return Err(invalid()),
        (_, true) => "OptionValue::Integers(Vec::new())".into(),
        (_, false) => {
            let value: i64 = if text.is_empty() { 0 } else { text.parse().map_err(|_| invalid())? };
            format!("OptionValue::Integer({value})")
        }
    })
}
