//! From a composed graph to the dialect. Operators stay whole.

mod asserts;
mod region;
mod symbols;
mod unused;

use crate::call::write_type;
use crate::definitions::{provide, sources_attribute};
use crate::generated::operations::{GraphOp, GraphOpBuilder, ReturnOpBuilder};
use crate::locations::Locations;
use crate::lowering::limits::Limits;
use crate::names::{NAME_ATTRIBUTE, SOURCES_ATTRIBUTE, STORAGE_ATTRIBUTE};
use crate::report::report_at;
use region::Importer;
use skriptnd_language::compose::Definitions;
use skriptnd_language::compose::graph::{Argument, Graph, Port, TensorId};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Attribute, Builder, Context, Location, Module, Type, Value, attributes, types};

pub use region::compose_at;

/// Imports a composed graph: a module with one `skriptnd.graph`. What the dialect has no form for is reported at its place.
pub fn import_model<'c>(context: &'c Context, definitions: &Definitions, graph: &Graph) -> Result<Module<'c>, Failure> {
    let mut locations = Locations::new(context, &definitions.sources);
    let location = graph_location(definitions, graph, &mut locations).unwrap_or_else(|| Location::unknown(context));
    let module = Module::new(location);
    let sources = sources_attribute(context, definitions);
    provide(context, sources, definitions);
    if let Some(sources) = sources {
        module.as_operation().set(SOURCES_ATTRIBUTE, sources);
    }
    let imported = import_graph(context, definitions, graph, &mut locations, &module, location);
    report_at(location, GraphOp::NAME, imported)?;
    Ok(module)
}

fn graph_location<'c>(
    definitions: &Definitions,
    graph: &Graph,
    locations: &mut Locations<'c, '_>,
) -> Option<Location<'c>> {
    let main = definitions.modules.get("main")?;
    let definition = main.operators.iter().find(|operator| *operator.name.text == *graph.name)?;
    Some(locations.of(definition.name.span))
}

fn import_graph<'c>(
    context: &'c Context,
    definitions: &Definitions,
    graph: &Graph,
    locations: &mut Locations<'c, '_>,
    module: &Module<'c>,
    location: Location<'c>,
) -> Result<(), Failure> {
    let inputs = flatten(&graph.inputs);
    let outputs = flatten(&graph.outputs);
    let type_of = |(_, id): &(String, TensorId)| write_type(context, &graph.tensor(*id).ty);
    let input_types = inputs.iter().map(type_of).collect::<Result<Vec<_>, _>>()?;
    let output_types = outputs.iter().map(type_of).collect::<Result<Vec<_>, _>>()?;

    let arguments: Vec<(Type<'c>, Location<'c>)> = inputs
        .iter()
        .zip(&input_types)
        .map(|((_, id), r#type)| (*r#type, locations.of(graph.tensor(*id).span)))
        .collect();
    let top = Builder::at_end(module.body(), location);
    let operation = GraphOpBuilder::new(&top)
        .sym_name(&graph.name)
        .function_type(types::function(context, &input_types, &output_types))
        .arg_attrs(&names(context, &inputs, graph))
        .res_attrs(&names(context, &outputs, graph))
        .extents_attribute(Limits::of(graph).attribute(context))
        .build()?;
    let (builder, arguments) = top.append_located_block(operation.operation(), 0, &arguments)?;
    let mut importer = Importer::new(definitions, graph, locations);
    for ((_, id), argument) in inputs.iter().zip(arguments) {
        importer.define(*id, argument);
    }
    importer.asserts(&builder)?;
    importer.sources(&builder)?;
    importer.region(&builder, &graph.body)?;
    let given: Vec<Argument> = outputs.iter().map(|(_, id)| Argument::Pack(vec![*id])).collect();
    importer.check_results(&graph.outputs)?;
    let results: Vec<Value<'c, '_>> = importer.all_values(&builder, &given)?;
    importer.updates(&builder)?;
    ReturnOpBuilder::new(&builder).outputs(results).build().map(drop)
}

fn names<'c>(context: &'c Context, tensors: &[(String, TensorId)], graph: &Graph) -> Vec<Attribute<'c>> {
    let text = |text: &str| attributes::string(context, text);
    let name = |(name, id): &(String, TensorId)| {
        let mut entries = vec![(NAME_ATTRIBUTE, text(name))];
        entries.extend(graph.storage.get(id).map(|storage| (STORAGE_ATTRIBUTE, text(storage.name()))));
        attributes::dictionary(context, &entries)
    };
    tensors.iter().map(name).collect()
}

/// The tensors of ports with their names; items of packs are numbered.
fn flatten(ports: &[Port]) -> Vec<(String, TensorId)> {
    let mut tensors = Vec::new();
    for port in ports {
        match &port.tensors {
            Argument::Null => {}
            Argument::Single(id) => tensors.push((port.name.clone(), *id)),
            Argument::Pack(ids) => {
                tensors.extend(ids.iter().enumerate().map(|(item, id)| (format!("{}.{item}", port.name), *id)));
            }
        }
    }
    tensors
}
