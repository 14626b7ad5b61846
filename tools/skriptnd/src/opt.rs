//! `skriptnd-opt`: an mlir-opt with our dialects and passes, which takes models, too.

use crate::driver::{GraphOptions, Model, check_files, is_onnx};
use crate::failure;
use crate::model_arguments::{HELP, ModelArguments};
use crate::registry::complete_registry;
use crate::translate::import_model;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::PrintForm;
use skriptnd_mlir::rewrite::trace_rewrites;
use skriptnd_mlir::tools::opt_main;
use std::ffi::OsString;
use std::path::Path;

const TRACE_HELP: &str = "  --skriptnd-trace-rewrites  Print each rule that is applied, with its file and line\n";

/// The option that prints each rule that is applied.
const TRACE: [&str; 2] = ["--skriptnd-trace-rewrites", "-skriptnd-trace-rewrites"];

/// Returns the exit code.
pub fn main(arguments: &[OsString]) -> u8 {
    let (traced, arguments): (Vec<OsString>, Vec<OsString>) =
        arguments.iter().cloned().partition(|argument| TRACE.iter().any(|option| argument == option));
    if !traced.is_empty() {
        trace_rewrites();
    }
    let taken = ModelArguments::take_without_rules(&arguments).and_then(|taken| {
        let texts: Vec<OsString> =
            taken.others.iter().filter(|argument| !is_onnx(Path::new(argument))).cloned().collect();
        check_files(&texts).map(|()| taken)
    });
    let prepared = taken.and_then(|taken| Ok((taken, complete_registry()?)));
    match prepared {
        Ok((ModelArguments { graph, others, .. }, registry)) => {
            let about = format!(
                "SkriptND optimizer driver
{HELP}{TRACE_HELP}"
            );
            let code = opt_main(&others, &about, &registry, &move |path: &Path| import(path, &graph));
            u8::try_from(code).unwrap_or(1)
        }
        Err(failure) => failure::report_as("skriptnd-opt", failure),
    }
}

/// A model as a module whose places are those of the model's text.
fn import(path: &Path, graph: &GraphOptions) -> Option<Result<String, Failure>> {
    if !path.is_dir() && !is_onnx(path) && path.extension().is_none_or(|ending| ending != "sknd") {
        // MLIR reads it, which has no such options.
        return graph.first_of_sources().map(|option| Err(Failure::new(format!("error: {option} is for models only"))));
    }
    let form = PrintForm { locations: true, ..PrintForm::default() };
    Some(Model::find(path, graph).map_err(failure::to_message).and_then(|model| import_model(&model, graph, form)))
}
