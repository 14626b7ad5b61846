//! The passes that `td/codegen/Passes.td` declares, and the pipeline of them.

use crate::generated::passes;
use crate::interface::{self, export};
use crate::tensors::{destinations, layout, loops, pack, prepare, results, units};
use crate::{Error, Target, arguments, carried, copies, emit, empty, exponential, faults, linkage, pipeline, plan};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::OperationRef;
use skriptnd_mlir::pass::{PassRun, register as add, register_pipeline};
use skriptnd_mlir::transform;

/// Padding in a form that bufferizes without copies.
const PADDING: &str = include_str!("schedules/padding.mlir");

/// Registers the passes with the process, so that pipelines find them.
///
/// # Errors
/// Where MLIR refuses one.
pub fn register() -> Result<(), Error> {
    on_tensors()?;
    on_buffers()?;
    add(passes::codegen_hide_functions(|function, _| done(linkage::hide(function))))?;
    add(passes::codegen_export_interface(|module, _| done(export::export(module))))?;
    register_pipeline(pipeline::NAME, "From linalg on tensors to the LLVM dialect", |options| {
        pipeline::linalg_to_llvm(&pipeline::target(options)?).map_err(|error| error.to_string())
    })?;
    Ok(())
}

fn on_tensors() -> Result<(), Error> {
    add(passes::codegen_set_target(set_target))?;
    add(passes::codegen_describe_interface(|module, _| done(interface::describe(module))))?;
    add(passes::codegen_absorb_collapses(|function, _| done(units::absorb_collapses(function))))?;
    add(passes::codegen_channels_last(|function, _| {
        let changed = layout::channels_last(function)?;
        tracing::debug!(changed, "layouts");
        Ok(())
    }))?;
    add(passes::codegen_pack_filters(|function, _| {
        let packed = pack::pack_filters(function, &Target::noted(function))?;
        tracing::debug!(packed, "filters");
        Ok(())
    }))?;
    add(passes::codegen_carry_in_place(|function, _| done(loops::carry_in_place(function))))?;
    add(passes::codegen_split_preparation(|module, _| done(prepare::split(module))))?;
    add(passes::codegen_lower_pads(|module, _| {
        done(transform::apply(module, PADDING, "padding.mlir", "padding").map_err(Error::from))
    }))?;
    add(passes::codegen_distinct_results(|function, _| done(results::make_distinct(function))))?;
    add(passes::codegen_separate_destinations(|function, _| done(destinations::separate(function))))?;
    add(passes::codegen_protect_arguments(|function, _| done(arguments::protect(function))))?;
    Ok(())
}

fn on_buffers() -> Result<(), Error> {
    add(passes::codegen_fix_loop_buffers(|function, _| done(carried::fix_buffers(function))))?;
    add(passes::codegen_structure_copies(|function, _| done(copies::structure(function))))?;
    add(passes::codegen_erase_empty(|function, _| done(empty::erase_empty(function))))?;
    add(passes::codegen_emit_kernels(|module, _| done(emit::emit_kernels(module, &Target::noted(module)))))?;
    add(passes::codegen_flatten_empty_arguments(|function, _| done(arguments::flatten_empty(function))))?;
    add(passes::codegen_record_faults(|module, _| done(faults::record_faults(module))))?;
    add(passes::codegen_plan_memory(|module, _| done(plan::plan_entries(module))))?;
    add(passes::codegen_expand_exponential(|function, _| {
        done(exponential::expand(function, &Target::noted(function)))
    }))?;
    Ok(())
}

/// What a pass did, however often.
fn done<T>(result: Result<T, Error>) -> Result<(), Failure> {
    Ok(result.map(drop)?)
}

fn set_target(module: OperationRef<'_, '_>, run: &PassRun<'_>) -> Result<(), Failure> {
    let (triple, cpu, features) = (run.text("triple"), run.text("cpu"), run.texts("features").join(","));
    Ok(Target::described(&triple, &cpu, &features).note(module)?)
}
