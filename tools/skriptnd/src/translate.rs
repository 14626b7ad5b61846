//! `skriptnd-translate`: an mlir-translate with our translations.

use crate::driver::{GraphOptions, Model, check_files, is_onnx, read_text};
use crate::failure::{self, Failure};
use crate::model_arguments::{HELP, HELP_OF_RULES, ModelArguments};
use crate::registry::registry;
use skriptnd_codegen::{CompileOptions, Emit, Target};
use skriptnd_compiler::export::{Notes, export};
use skriptnd_htp::commands::{Settings, rules_to_pdl};
use skriptnd_language::compose::ComposeOptions;
use skriptnd_language::library::Library;
use skriptnd_language::model::CheckedModel;
use skriptnd_mlir::ir::{PrintForm, capture, print};
use skriptnd_mlir::pass::{self, PipelineOptions};
use skriptnd_mlir::tools::{Source, Translation, translate_main};
use skriptnd_mlir::{Error, Failure as Message, parse_module};
use skriptnd_source::FileProvider;
use skriptnd_source::diagnostics::{Diagnostics, render};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Returns the exit code.
pub fn main(arguments: &[OsString]) -> u8 {
    if let Err(failure) = registry() {
        return failure::report_as("skriptnd-translate", failure);
    }
    let prepared = arguments_of(arguments).and_then(|ModelArguments { graph, rules, others }| {
        let texts = with_texts(&others, &graph)?;
        check_files(&texts.arguments)?;
        Ok((graph, rules.settings()?, rules, texts))
    });
    let (graph, settings, rules, texts) = match prepared {
        Ok(prepared) => prepared,
        Err(failure) => return failure::report_as("skriptnd-translate", failure),
    };
    if let Some(option) = rules.first_of_application() {
        failure::print_message(format_args!(
            "warning: {option} says nothing of patterns: whoever applies them does, e.g. apply-pdl-patterns{{max-rewrites=N}}\n"
        ));
    }
    let (of_import, models) = (graph.clone(), texts.imported.clone());
    let translations = vec![
        Translation::new("import-skriptnd", "A model, or one SkriptND text, to the skriptnd dialect", move |source| {
            import(source, &of_import, &models)
        }),
        Translation::new(
            "skriptnd-to-llvmir",
            "A model, the skriptnd dialect, or linalg, to LLVM IR for this machine",
            move |source| to_llvm_ir(source, &graph, &texts.imported),
        ),
        Translation::new("export-skriptnd", "The skriptnd dialect to the text of a SkriptND model", |source| {
            to_language(source)
        }),
        Translation::new("htp-rules-to-pdl", "A rule file of an HTP op package to PDL", move |source| {
            rules_as_pdl(source, &settings)
        }),
        Translation::new("drr-to-pdl", "Rewrite patterns in TableGen to PDL", patterns),
    ];
    let arguments = texts.arguments.clone();
    let about = format!("SkriptND translation driver\n{HELP}{HELP_OF_RULES}");
    u8::try_from(translate_main(&arguments, &about, translations)).unwrap_or(1)
}

/// The command line in two parts; only translations of models take what is said of a graph.
fn arguments_of(arguments: &[OsString]) -> Result<ModelArguments, Failure> {
    let taken = ModelArguments::take(arguments)?;
    let given = [(taken.graph.first_of_sources(), &OF_MODELS[..]), (taken.rules.first_given(), &OF_RULES[..])];
    let wrong = given
        .into_iter()
        .find_map(|(option, of)| option.filter(|_| !asks_for(&taken.others, of)).map(|option| (option, of)));
    match wrong {
        Some((option, of)) => Err(Failure::usage(format!("{option} is for --{}", of.join(" and --")))),
        None => Ok(taken),
    }
}

/// Whether a command line asks for one of these translations.
fn asks_for(arguments: &[OsString], translations: &[&str]) -> bool {
    let names = arguments.iter().filter_map(|argument| argument.to_str());
    names.map(|text| text.trim_start_matches('-')).any(|name| translations.contains(&name))
}

/// The translations that take a model.
const OF_MODELS: [&str; 2] = ["import-skriptnd", "skriptnd-to-llvmir"];
/// The translations that take rules.
const OF_RULES: [&str; 1] = ["htp-rules-to-pdl"];

/// A command line with texts in the place of models.
struct Texts {
    arguments: Vec<OsString>,
    /// Whose texts are there as long as they are.
    imported: Vec<Model>,
}

/// In place of a model's folder, and of an ONNX model, its main module, which MLIR can read.
fn with_texts(given: &[OsString], graph: &GraphOptions) -> Result<Texts, Failure> {
    let takes_models = asks_for(given, &OF_MODELS);
    let (mut arguments, mut imported) = (given.to_vec(), Vec::new());
    for at in 1..given.len() {
        let path = Path::new(&given[at]);
        let main = path.join("main.sknd");
        if given[at - 1] == "-o" || given[at - 1] == "--o" {
            continue;
        } else if main.is_file() {
            arguments[at] = main.into();
        } else if takes_models && is_onnx(path) {
            let model = Model::find(path, graph)?;
            arguments[at] = model.main.clone().into();
            imported.push(model);
        }
    }
    match graph.import.first_given().filter(|_| imported.is_empty()) {
        Some(option) => Err(Failure::usage(format!("{option} is for ONNX models; none is given"))),
        None => Ok(Texts { arguments, imported }),
    }
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

fn import(source: Source, graph: &GraphOptions, models: &[Model]) -> Result<String, Message> {
    import_text(source, graph, models, PrintForm::default())
}

/// The text of a model that was made of one in another format, or one with what lies beside it.
fn import_text(source: Source, graph: &GraphOptions, models: &[Model], form: PrintForm) -> Result<String, Message> {
    match models.iter().find(|model| model.main == Path::new(source.name)) {
        Some(model) => import_model(model, graph, form),
        None => import_model(&Beside { name: source.name, text: source.text }, graph, form),
    }
}

/// A graph of a model in the skriptnd dialect, as text.
pub fn import_model(files: &dyn FileProvider, options: &GraphOptions, form: PrintForm) -> Result<String, Message> {
    let model = options.load(files);
    let options = match options.compose_options(&model.definitions) {
        // What can't be set because of an error is no error of its own.
        Err(_) if model.diagnostics.has_errors() => ComposeOptions::default(),
        options => options.map_err(failure::to_message)?,
    };
    let (graph, further) = model.compose(&options);
    let CheckedModel { definitions, diagnostics: mut found, .. } = model;
    found.extend(further);
    match graph {
        Some(graph) => {
            failure::print_message(messages(&found, &definitions));
            let registry = known()?;
            let context = registry.context();
            let module = skriptnd_compiler::import(&context, &definitions, &graph);
            let module = module.map_err(|error| Message::new(error.to_string()))?;
            Ok(print(module.as_operation(), form))
        }
        None => Err(Message::new(messages(&found, &definitions))),
    }
}

fn messages(found: &Diagnostics, library: &Library) -> String {
    found.iter().map(|diagnostic| render(diagnostic, &library.sources)).collect()
}

fn to_llvm_ir(source: Source, graph: &GraphOptions, models: &[Model]) -> Result<String, Message> {
    let registry = known()?;
    let context = registry.context();
    let imported = match source.name.ends_with(".sknd") {
        true => {
            let form = PrintForm { locations: true, ..PrintForm::default() };
            Some(import_text(source, graph, models, form)?)
        }
        false => match graph.first_of_sources() {
            Some(option) => return Err(Message::new(format!("error: {option} is for models only"))),
            None => None,
        },
    };
    let text = imported.as_deref().unwrap_or(source.text);
    let mut module = parse_module(&context, text, source.name).map_err(failure_of)?;
    pass::run(&mut module, skriptnd_compiler::LOWER, &PipelineOptions::default()).map_err(failure_of)?;
    let options = CompileOptions::new(Target::host(), Emit::LlvmIr);
    let compiled = skriptnd_codegen::compile(module, &options).map_err(|error| match error {
        skriptnd_codegen::Error::Mlir(error) => failure_of(error),
        other => Message::new(other.to_string()),
    })?;
    String::from_utf8(compiled.code).map_err(|error| Message::new(error.to_string()))
}

/// The main module; others of the model stand behind it, each under a line that names its file.
fn to_language(source: Source) -> Result<String, Message> {
    let registry = known()?;
    let context = registry.context();
    let module = parse_module(&context, source.text, source.name).map_err(failure_of)?;
    let (exported, reported) = capture(&context, || export(module.as_operation(), &Notes::default()));
    let exported = exported.map_err(|failure| match (reported.is_empty(), failure.message()) {
        (true, Some(message)) => Message::new(format!("error: {message}")),
        _ => Message::new(reported.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")),
    })?;
    let modules = exported.modules.iter().map(|(path, text)| format!("\n# {}.sknd\n{text}", path.replace('.', "/")));
    Ok(exported.main.clone() + &modules.collect::<String>())
}

fn known() -> Result<skriptnd_mlir::Registry, Message> {
    registry().map_err(|failure| Message::new(format!("{failure:?}")))
}

/// All that MLIR reported.
fn failure_of(error: Error) -> Message {
    match error {
        Error::Reported { diagnostics, .. } if !diagnostics.is_empty() => {
            let lines: Vec<_> = diagnostics.iter().map(ToString::to_string).collect();
            Message::new(lines.join("\n"))
        }
        other => Message::new(other.to_string()),
    }
}

fn rules_as_pdl(source: Source, settings: &Settings) -> Result<String, Message> {
    let output = rules_to_pdl(source.name, source.text, settings).map_err(Message::new)?;
    if !output.good {
        return Err(Message::new(output.set.messages()));
    }
    failure::print_message(output.set.messages());
    Ok(output.text)
}

fn patterns(source: Source) -> Result<String, Message> {
    let pdl = skriptnd_tablegen::drr::drr_text_to_pdl(source.text, source.name, &[]);
    pdl.map_err(|error| Message::new(error.to_string()))
}
