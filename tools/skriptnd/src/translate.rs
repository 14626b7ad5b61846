//! `skriptnd-translate`: an mlir-translate with our translations.

use crate::driver::read_text;
use crate::failure;
use crate::registry::registry;
use skriptnd_codegen::{CompileOptions, Emit, Target};
use skriptnd_htp::commands::{Settings, rules_to_pdl};
use skriptnd_language::compose::ComposeOptions;
use skriptnd_language::library::Library;
use skriptnd_language::model::CheckedModel;
use skriptnd_mlir::ir::{PrintForm, print};
use skriptnd_mlir::pass::{self, PipelineOptions};
use skriptnd_mlir::tools::{Source, Translation, translate_main};
use skriptnd_mlir::{Error, Failure, parse_module};
use skriptnd_source::FileProvider;
use skriptnd_source::diagnostics::{Diagnostics, render};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Returns the exit code.
pub fn main(arguments: &[OsString]) -> u8 {
    if let Err(failure) = registry() {
        return failure::report(failure);
    }
    let translations = vec![
        Translation::new("import-skriptnd", "A model, or one SkriptND text, to the skriptnd dialect", import),
        Translation::new(
            "skriptnd-to-llvmir",
            "A model, the skriptnd dialect, or linalg, to LLVM IR for this machine",
            to_llvm_ir,
        ),
        Translation::new("htp-rules-to-pdl", "A rule file of an HTP op package to PDL", rules),
        Translation::new("drr-to-pdl", "Rewrite patterns in TableGen to PDL", patterns),
    ];
    u8::try_from(translate_main(&with_main_modules(arguments), translations)).unwrap_or(1)
}

/// In place of a model's folder its main module, which MLIR can read.
fn with_main_modules(arguments: &[OsString]) -> Vec<OsString> {
    let mut previous = None;
    let replace = |argument: &OsString| {
        let is_output = matches!(previous.replace(argument.clone()), Some(option) if option == "-o" || option == "--o");
        let main = Path::new(argument).join("main.sknd");
        if !is_output && main.is_file() { main.into() } else { argument.clone() }
    };
    arguments.iter().map(replace).collect()
}

/// The main module as it was given; other modules lie beside it.
struct Beside<'a> {
    name: &'a str,
    text: &'a str,
}

impl FileProvider for Beside<'_> {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        if path == ["main"] {
            return Some(Ok((self.name.to_string(), self.text.to_string())));
        }
        let folder = Path::new(self.name).parent().unwrap_or(Path::new(""));
        let file = folder.join(path.iter().collect::<PathBuf>()).with_extension("sknd");
        let text = read_text(&file).transpose()?;
        Some(text.map(|text| (file.display().to_string(), text)))
    }
}

fn import(source: Source) -> Result<String, Failure> {
    import_model(&Beside { name: source.name, text: source.text }, PrintForm::default())
}

/// A model's first graph in the skriptnd dialect, as text.
pub fn import_model(files: &dyn FileProvider, form: PrintForm) -> Result<String, Failure> {
    let model = CheckedModel::load(files);
    let (graph, further) = model.compose(&ComposeOptions::default());
    let CheckedModel { definitions, diagnostics: mut found, .. } = model;
    found.extend(further);
    match graph {
        Some(graph) => {
            failure::print_message(messages(&found, &definitions));
            let registry = known()?;
            let context = registry.context();
            let module = skriptnd_compiler::import(&context, &definitions, &graph);
            let module = module.map_err(|error| Failure::new(error.to_string()))?;
            Ok(print(module.as_operation(), form))
        }
        None => Err(Failure::new(messages(&found, &definitions))),
    }
}

fn messages(found: &Diagnostics, library: &Library) -> String {
    found.iter().map(|diagnostic| render(diagnostic, &library.sources)).collect()
}

fn to_llvm_ir(source: Source) -> Result<String, Failure> {
    let registry = known()?;
    let context = registry.context();
    let imported = match source.name.ends_with(".sknd") {
        true => Some(import_model(
            &Beside { name: source.name, text: source.text },
            PrintForm { locations: true, ..PrintForm::default() },
        )?),
        false => None,
    };
    let text = imported.as_deref().unwrap_or(source.text);
    let mut module = parse_module(&context, text, source.name).map_err(failure_of)?;
    pass::run(&mut module, skriptnd_compiler::LOWER, &PipelineOptions::default()).map_err(failure_of)?;
    let options = CompileOptions { target: Target::host(), emit: Emit::LlvmIr, fast_math: false };
    let compiled = skriptnd_codegen::compile(module, &options).map_err(|error| match error {
        skriptnd_codegen::Error::Mlir(error) => failure_of(error),
        other => Failure::new(other.to_string()),
    })?;
    String::from_utf8(compiled.code).map_err(|error| Failure::new(error.to_string()))
}

fn known() -> Result<skriptnd_mlir::Registry, Failure> {
    registry().map_err(|failure| Failure::new(format!("{failure:?}")))
}

/// All that MLIR reported.
fn failure_of(error: Error) -> Failure {
    match error {
        Error::Reported { diagnostics, .. } if !diagnostics.is_empty() => {
            let lines: Vec<_> = diagnostics.iter().map(ToString::to_string).collect();
            Failure::new(lines.join("\n"))
        }
        other => Failure::new(other.to_string()),
    }
}

fn rules(source: Source) -> Result<String, Failure> {
    let output = rules_to_pdl(source.name, source.text, &Settings::default());
    if !output.good {
        return Err(Failure::new(output.messages));
    }
    failure::print_message(&output.messages);
    Ok(output.text)
}

fn patterns(source: Source) -> Result<String, Failure> {
    let pdl = skriptnd_tablegen::drr::drr_text_to_pdl(source.text, source.name, &[]);
    pdl.map_err(|error| Failure::new(error.to_string()))
}
