//! From a composed graph back to the language.

use crate::Error;
use skriptnd_codegen::diagnostics::not_written;
pub use skriptnd_dialect::export::{EmptyPack, Exported, Notes, Variable, export};
use skriptnd_dialect::{decompose_quantized, import_named_model};
use skriptnd_language::compose::Definitions;
use skriptnd_language::compose::graph::{Argument, Graph, Origin, Port, TensorId};
use skriptnd_language::compose::value::Value;
use skriptnd_mlir::ir::{Context, capture};

/// The text of a graph, with what the model defines itself: each operation is invoked with the attributes that it has, graphs inside
/// are put in place. With `is_quantized`, the graph computes what `@quantize` says already.
///
/// # Errors
/// Where the dialect or the language has no form for something, with its place.
pub fn to_language(
    context: &Context,
    definitions: &Definitions,
    graph: &Graph,
    is_quantized: bool,
) -> Result<Exported, Error> {
    let written = || {
        let module = import_named_model(context, definitions, graph)?;
        if is_quantized {
            decompose_quantized(module.as_operation())?;
        }
        export(module.as_operation(), &notes(graph, is_quantized))
    };
    let (exported, reported) = capture(context, written);
    exported.map_err(|failure| match (reported.is_empty(), failure.message()) {
        (true, Some(message)) => skriptnd_codegen::Error::Unsupported(message.to_owned()).into(),
        _ => skriptnd_codegen::Error::Refused(not_written("export", &reported)).into(),
    })
}

fn notes(graph: &Graph, is_quantized: bool) -> Notes {
    let own = |id: &TensorId| match &graph.tensor(*id).origin {
        Origin::Input { default } => default.clone(),
        _ => None,
    };
    let default = |port: &Port| {
        let items = port.tensors.items().iter().map(own).collect::<Option<Vec<Value>>>()?;
        let value = match port.tensors {
            // Nothing stands for no items whether it is said or not.
            Argument::Pack(_) if items.is_empty() => return None,
            Argument::Pack(_) => Value::Pack(items),
            _ => items.into_iter().next()?,
        };
        Some((port.name.clone(), value))
    };
    let quantizations = graph.quantizations.iter().filter(|_| !is_quantized);
    let quantizations = quantizations.map(|noted| (graph.tensor(noted.tensor).name.clone(), noted.call.clone()));
    Notes {
        defaults: graph.inputs.iter().filter_map(default).collect(),
        quantizations: quantizations.collect(),
        empty_inputs: empty(graph, &graph.inputs),
        empty_outputs: empty(graph, &graph.outputs),
    }
}

/// The packs without items.
fn empty(graph: &Graph, ports: &[Port]) -> Vec<EmptyPack> {
    let ty = |port: &Port| graph.empty_packs.iter().find(|(name, _)| *name == port.name).map(|(_, ty)| ty.clone());
    let pack = |(at, port): (usize, &Port)| Some(EmptyPack { at, name: port.name.clone(), ty: ty(port)? });
    ports.iter().enumerate().filter_map(pack).collect()
}
