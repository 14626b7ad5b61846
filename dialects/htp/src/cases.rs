//! Cases of rules, kept beside a rule file: a graph, and what the rules of the file make of it.
//!
//! The cases of `pack.htp` stand in `pack.cases`. A line is a statement; `#` begins a comment:
//!
//! ```text
//! case a relu of a sum                       begins a case
//! input x: Float32[1, 8, 8, 3]               an input of the graph
//! k = [1, 2]                                 a constant: integers, or reals with a point; a type may follow
//! s = shape [1, 2, 2, 1]                     a $Shape
//! y = Relu(x): QUInt8(128, 0.5)[1, 8, 8, 3]  an op, and the type of its output: zero offset and step size where quantized
//! output y                                   what the graph gives
//! becomes                                    then the graph that is expected, with the same inputs
//! unchanged                                  in place of `becomes`: no rule applies
//! ```

mod read;
mod write;

use crate::dialect;
use crate::direct::{self, PlainGraph};
use crate::engine::{Engine, plain};
use crate::grammar::model::Rule;
use crate::grammar::read_text;
use crate::grammar::vocabulary::DEFAULT_PACKAGE;
use crate::settings::Settings;
use crate::trial::LIMITS;
pub use read::{Case, CaseError, read};
use skriptnd_mlir::ir::{Context, parse_module};
use skriptnd_source::SourceMap;
use std::path::{Path, PathBuf};
use write::text_of;

/// The file that has the cases of a rule file.
pub fn beside(rules: &Path) -> PathBuf {
    rules.with_extension("cases")
}

/// Reads the cases beside a rule file; none where there is no such file.
pub fn load(rules: &Path, settings: &Settings) -> Result<Vec<Case>, String> {
    let path = beside(rules);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let package = settings.package.as_deref().unwrap_or(DEFAULT_PACKAGE);
    read(&read_text(&path)?, package).map_err(|error| format!("{}:{error}", path.display()))
}

/// What is wrong with what the rules make of a case's graph, if anything: engine and direct evaluation must both make what is
/// expected.
pub fn run(context: &Context, case: &Case, rules: (&[Rule], &SourceMap), settings: &Settings) -> Result<(), String> {
    let expected = canonical(case.expected.as_ref().unwrap_or(&case.graph), true);
    let by_engine = with_engine(context, &case.graph, rules, settings)?;
    let mut directly = case.graph.clone();
    direct::run(&mut directly, rules.0, &settings.environment()?, settings.limits(LIMITS))
        .map_err(|_| "the rules go on and on".to_owned())?;
    for (way, found, is_plain) in [("the engine", &by_engine, false), ("direct evaluation", &directly, true)] {
        if canonical(found, is_plain) != expected {
            return Err(format!("{way} made\n{}", text_of(found)));
        }
    }
    Ok(())
}

fn with_engine(
    context: &Context,
    graph: &PlainGraph,
    (rules, sources): (&[Rule], &SourceMap),
    settings: &Settings,
) -> Result<PlainGraph, String> {
    let text = plain::to_text(context, graph).ok_or("a node has no type in MLIR")?;
    let mut module = parse_module(context, &text, "case.mlir").map_err(|error| error.to_string())?;
    let engine = Engine::new(rules, sources, settings.environment()?).with_limits(settings.limits(LIMITS));
    engine.run(&mut module.root()).map_err(|error| error.to_string())?;
    plain::from_module(module.as_operation()).ok_or_else(|| "the rules made no graph".to_owned())
}

/// A graph as text, without ids and split histories, which cases don't tell.
fn canonical(graph: &PlainGraph, is_plain: bool) -> String {
    let mut graph = graph.clone();
    for id in graph.order().to_vec() {
        graph.node_mut(id).identity = crate::apply::Identity::default();
    }
    if is_plain {
        graph.rename(dialect::operation_name);
    }
    graph.merge_common();
    graph.canonical()
}
