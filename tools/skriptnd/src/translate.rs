//! `skriptnd-translate`: an mlir-translate with our translations.

use crate::failure;
use crate::registry::registry;
use skriptnd_codegen::{CompileOptions, Emit, Target};
use skriptnd_htp::commands::{Settings, rules_to_pdl};
use skriptnd_language::compose::ComposeOptions;
use skriptnd_language::library::Library;
use skriptnd_language::model::CheckedModel;
use skriptnd_mlir::pass::{self, PipelineOptions};
use skriptnd_mlir::tools::{Source, Translation, translate_main};
use skriptnd_mlir::{Error, Failure, parse_module};
use skriptnd_source::FileProvider;
use skriptnd_source::diagnostics::{Diagnostics, render};
use std::path::{Path, PathBuf};

/// Returns the exit code.
pub fn main(arguments: &[String]) -> u8 {
    if let Err(failure) = registry() {
        return failure::report(failure);
    }
    let translations = vec![
        Translation::new("import-skriptnd", "SkriptND text to the skriptnd dialect", import),
        Translation::new(
            "skriptnd-to-llvmir",
            "The skriptnd dialect, or linalg, to LLVM IR for this machine",
            to_llvm_ir,
        ),
        Translation::new("htp-rules-to-pdl", "A rule file of an HTP op package to PDL", rules),
        Translation::new("drr-to-pdl", "Rewrite patterns in TableGen to PDL", patterns),
    ];
    u8::try_from(translate_main(arguments, translations)).unwrap_or(1)
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
        let name = file.display().to_string();
        file.is_file().then(|| {
            let text = std::fs::read_to_string(&file).map_err(|error| format!("{name}: {error}"));
            text.map(|text| (name, text))
        })
    }
}

fn import(source: Source) -> Result<String, Failure> {
    let model = CheckedModel::load(&Beside { name: source.name, text: source.text });
    let (graph, further) = model.compose(&ComposeOptions::default());
    let CheckedModel { definitions, diagnostics: mut found } = model;
    found.extend(further);
    match graph {
        Some(graph) => {
            failure::print_message(messages(&found, &definitions));
            let registry = known()?;
            let context = registry.context();
            Ok(skriptnd_dialect::import_model(&context, &definitions, &graph)?.as_operation().to_string())
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
    let mut module = parse_module(&context, source.text, source.name).map_err(failure_of)?;
    pass::run(&mut module, skriptnd_compiler::LOWER, &PipelineOptions::default()).map_err(failure_of)?;
    let folder = tempfile::tempdir().map_err(|error| Failure::new(format!("no temporary folder: {error}")))?;
    let output = folder.path().join("model.ll");
    let options =
        CompileOptions { target: Target::host(), emit: Emit::LlvmIr, output: output.clone(), fast_math: false };
    skriptnd_codegen::compile(module, &options).map_err(|error| match error {
        skriptnd_codegen::Error::Mlir(error) => failure_of(error),
        other => Failure::new(other.to_string()),
    })?;
    std::fs::read_to_string(&output).map_err(|error| Failure::new(error.to_string()))
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
