//! From a composed graph to the dialect. Operators stay whole.

mod asserts;
mod encoding;
mod ports;
mod region;
mod symbols;
mod unused;

use crate::definitions::{provide, sources_attribute};
use crate::generated::discardable::SourcesAttribute;
use crate::generated::operations::{GraphOp, GraphOpBuilder, ReturnOpBuilder};
use crate::locations::Locations;
use crate::lowering::limits::Limits;
use crate::report::report_at;
use ports::Slot;
use region::Importer;
use skriptnd_language::compose::Definitions;
use skriptnd_language::compose::graph::Graph;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Attribute, Builder, Context, Location, Module, Type, Value, attributes, types};

pub use region::compose_at;
pub use unused::invocation_may_fail;

/// Imports a composed graph: a module with one `skriptnd.graph`. What the dialect has no form for is reported at its place.
pub fn import_model<'c>(context: &'c Context, definitions: &Definitions, graph: &Graph) -> Result<Module<'c>, Failure> {
    import_with(context, definitions, graph, false)
}

/// The same where operations note what the model calls their results.
pub fn import_named_model<'c>(
    context: &'c Context,
    definitions: &Definitions,
    graph: &Graph,
) -> Result<Module<'c>, Failure> {
    import_with(context, definitions, graph, true)
}

fn import_with<'c>(
    context: &'c Context,
    definitions: &Definitions,
    graph: &Graph,
    is_named: bool,
) -> Result<Module<'c>, Failure> {
    let mut locations = Locations::new(context, &definitions.sources);
    let location = graph_location(definitions, graph, &mut locations).unwrap_or_else(|| Location::unknown(context));
    let module = Module::new(location);
    let sources = sources_attribute(context, definitions);
    provide(context, sources, definitions);
    if let Some(sources) = sources {
        SourcesAttribute::set(module.as_operation(), sources);
    }
    let imported = import_graph(context, definitions, (graph, is_named), &mut locations, &module, location);
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
    (graph, is_named): (&Graph, bool),
    locations: &mut Locations<'c, '_>,
    module: &Module<'c>,
    location: Location<'c>,
) -> Result<(), Failure> {
    let inputs = ports::inputs(graph)?;
    let input_types = inputs.iter().map(|slot| slot.r#type(context)).collect::<Result<Vec<_>, _>>()?;
    let place = |slot: &Slot<'_>| slot.first().map_or(location, |first| locations.of(graph.tensor(first).span));
    let places: Vec<Location<'c>> = inputs.iter().map(place).collect();
    let top = Builder::at_end(module.body(), location);
    let operation = GraphOpBuilder::new(&top)
        .sym_name(&graph.name)
        .function_type(types::function(context, &input_types, &[]))
        .arg_attrs(&marks(graph, context, &inputs)?)
        .extents(Limits::of(graph).attribute(context))
        .body_located_arguments(&input_types.iter().copied().zip(places.iter().copied()).collect::<Vec<_>>())
        .build()?;
    let (builder, arguments) = operation.inside_body(&top)?;
    let mut importer = Importer::new(definitions, graph, locations);
    importer.is_named = is_named;
    for ((slot, argument), place) in inputs.iter().zip(arguments).zip(places) {
        importer.take(&builder.located(place), slot, argument)?;
    }
    importer.asserts(&builder)?;
    importer.sources(&builder)?;
    importer.region(&builder, &graph.body)?;
    let outputs = importer.outputs()?;
    let results = outputs.iter().map(|slot| importer.give(&builder, slot)).collect::<Result<Vec<_>, _>>()?;
    importer.updates(&builder)?;
    // How long a pack is that the graph gives, the operations tell that make it.
    let output_types: Vec<Type<'c>> = results.iter().map(Value::r#type).collect();
    let r#type = types::function(context, &input_types, &output_types);
    operation.operation().set("function_type", attributes::r#type(r#type));
    operation.operation().set("res_attrs", attributes::array(context, &marks(graph, context, &outputs)?));
    ReturnOpBuilder::new(&builder).outputs(results).build().map(drop)
}

fn marks<'c>(graph: &Graph, context: &'c Context, slots: &[Slot<'_>]) -> Result<Vec<Attribute<'c>>, Failure> {
    slots.iter().map(|slot| slot.marks(graph, context)).collect()
}
