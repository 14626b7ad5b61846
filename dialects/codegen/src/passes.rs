//! The passes that `td/codegen/Passes.td` declares, and the pipeline of them.

use crate::buffers::{carried, constants, copies, empty, expansions, plan};
use crate::emit::Folders;
use crate::emit::{Along, Sharded};
use crate::generated::discardable::ExactAttribute;
use crate::generated::passes::{self, EmitKernelsOptions, SetTargetOptions};
use crate::interface::{self, export};
use crate::interface::{linkage, shapes};
use crate::nest::staged::Vtcm;
use crate::pipeline::Exported;
use crate::tensors::{
    accumulators, batch, bits, borders, destinations, elementwise, encoded, extremes, joined, layout, loops, narrow,
    numbers, pack, pads, parts, powers, prepare, quotients, reads, repeated, requantized, results, scales, separable,
    shifts, starts, stored, transposed, truths, units, weights, wide, winograd,
};
use crate::views::functions;
use crate::{Error, Target, elementary, emit, faults, fusion, pipeline, vtcm};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::Root;
use skriptnd_mlir::pass::{OptionSpec, PassRun, register as add, register_pipeline};
use skriptnd_mlir::transform;
use std::path::PathBuf;

/// Padding in a form that bufferizes without copies.
const PADDING: &str = include_str!("schedules/padding.mlir");

/// Registers the passes with the process, so that pipelines find them.
///
/// # Errors
/// Where MLIR refuses one.
pub fn register() -> Result<(), Error> {
    on_tensors()?;
    on_buffers()?;
    add(passes::codegen_hide_functions(|root, _| done(linkage::hide(root.operation()))))?;
    add(passes::codegen_export_interface(|root, _, options| {
        let prefix = if options.prefix.is_empty() { export::PREFIX } else { &options.prefix };
        done(export::export(root.operation(), prefix, options.is_version))
    }))?;
    let expand = |options: &str| {
        pipeline::linalg_to_llvm(&pipeline::settings(options)?, Exported::default()).map_err(|error| error.to_string())
    };
    register_pipeline(pipeline::NAME, "From linalg on tensors to the LLVM dialect", &options(), expand)?;
    Ok(())
}

/// The options of pipelines to the LLVM dialect: those of the passes that set the target and emit kernels.
pub fn options() -> Vec<OptionSpec> {
    [passes::codegen_set_target(set_target).options(), passes::codegen_emit_kernels(emit_kernels).options()].concat()
}

fn on_tensors() -> Result<(), Error> {
    layouts()?;
    numbers_of_few_bits()?;
    kernels()
}

/// Passes that choose how operations and filters lie, up to what is prepared.
fn layouts() -> Result<(), Error> {
    add(passes::codegen_set_target(set_target))?;
    add(passes::codegen_describe_interface(|root, _| done(interface::describe(root.operation()))))?;
    add(passes::codegen_truths_as_bytes(|root, _| done(truths::as_bytes(root.operation()))))?;
    add(passes::codegen_absorb_collapses(|root, _| done(units::absorb_collapses(root.operation()))))?;
    add(passes::codegen_absorb_copies(|root, _| {
        counted("transposed operands", transposed::absorb_transposes(root.operation()))?;
        counted("repeated operands", repeated::absorb_repeats(root.operation()))
    }))?;
    add(passes::codegen_relax_powers(|root, _| {
        counted("powers", powers::relax_powers(root.operation(), &Target::noted(root.operation())))
    }))?;
    add(passes::codegen_divide_products(|root, _| counted("quotients", quotients::divide_products(root.operation()))))?;
    add(passes::codegen_separate_windows(|root, _| {
        counted("windows", separable::separate_windows(root.operation(), &Target::noted(root.operation())))
    }))?;
    add(passes::codegen_channels_last(|root, _| {
        counted("layouts", layout::channels_last(root.operation(), &Target::noted(root.operation())))
    }))?;
    add(passes::codegen_winograd(|root, _| {
        counted("convolutions", winograd::transform(root.operation(), &Target::noted(root.operation())))
    }))?;
    add(passes::codegen_shift_factors(|root, _| {
        counted("products", shifts::shift_factors(root.operation(), &Target::noted(root.operation())))
    }))?;
    add(passes::codegen_read_stored_weights(|root, _| {
        counted("products", weights::read_stored(root.operation(), &Target::noted(root.operation())))
    }))?;
    add(passes::codegen_pack_filters(|root, _| {
        counted("filters", pack::pack_filters(root.operation(), &Target::noted(root.operation())))
    }))?;
    add(passes::codegen_batch_iterations(|root, _| done(batch::batch_iterations(root.operation()))))?;
    add(passes::codegen_carry_in_place(|root, _| done(loops::carry_in_place(root.operation()))))?;
    add(passes::codegen_split_preparation(|root, _| done(prepare::split(root.operation()))))?;
    Ok(())
}

/// Passes that choose in how many bits numbers are, and how they are computed.
fn numbers_of_few_bits() -> Result<(), Error> {
    add(passes::codegen_compute_in_fewer_bits(|root, _| {
        counted("integers", bits::compute_in_fewer(root.operation()))
    }))?;
    add(passes::codegen_join_groups(|root, _| {
        counted("convolutions", joined::join_groups(root.operation(), &Target::noted(root.operation())))
    }))?;
    add(passes::codegen_requantize_in_words(|root, _| {
        let target = Target::noted(root.operation());
        counted("requantizations", requantized::requantize_in_words(root.operation(), &target))
    }))?;
    add(passes::codegen_note_encodings(|root, _| counted("encodings", encoded::note_encodings(root.operation()))))?;
    add(passes::codegen_inline_numbers(|root, _| {
        counted("numbers", numbers::inline_numbers(root.operation(), &Target::noted(root.operation())))
    }))?;
    add(passes::codegen_widen_sums(|root, _| counted("sums", wide::widen(root.operation()))))?;
    add(passes::codegen_scale_products(|root, _| {
        counted("products", scales::scale_products(root.operation(), &Target::noted(root.operation())))
    }))?;
    add(passes::codegen_store_narrow(|root, _| {
        counted("begins", extremes::begin_within(root.operation()))?;
        counted("parts", starts::separate(root.operation()))?;
        counted("tensors", stored::store_narrow(root.operation()))
    }))?;
    add(passes::codegen_narrow_accumulators(|root, _| {
        counted("reductions", accumulators::narrow(root.operation(), &Target::noted(root.operation())))
    }))?;
    add(passes::codegen_multiply_narrow(|root, _| {
        counted("products", narrow::multiply_narrow(root.operation(), &Target::noted(root.operation())))
    }))?;
    Ok(())
}

/// Passes from there to what becomes one kernel.
fn kernels() -> Result<(), Error> {
    add(passes::codegen_lower_pads(|root, _| {
        pads::cut_first(root.operation())?;
        borders::fill(root.operation(), &Target::noted(root.operation()))?;
        done(transform::apply(root, PADDING, "padding.mlir", "padding").map_err(Error::from))
    }))?;
    add(passes::codegen_fuse_elementwise(|root, _| {
        counted("elementwise operations", elementwise::fuse(root.operation(), &Target::noted(root.operation())))
    }))?;
    add(passes::codegen_distinct_results(|root, _| {
        results::make_distinct(root.operation())?;
        done(results::shape_destinations(root.operation()))
    }))?;
    add(passes::codegen_separate_destinations(|root, _| {
        destinations::separate(root.operation())?;
        done(destinations::cut_chains(root.operation()))
    }))?;
    add(passes::codegen_separate_reads(|root, _| done(reads::separate(root.operation()))))?;
    add(passes::codegen_write_parts(|root, _| {
        starts::separate(root.operation())?;
        done(parts::write_into_memory(root.operation()))
    }))?;
    add(passes::codegen_protect_arguments(|root, _| done(functions::protect_arguments(root.operation()))))?;
    add(passes::codegen_form_kernels(|root, _| {
        counted("kernels of several operations", fusion::form(root.operation(), &Target::noted(root.operation())))
    }))?;
    Ok(())
}

fn on_buffers() -> Result<(), Error> {
    add(passes::codegen_order_constants(|root, _| done(constants::order(root.operation()))))?;
    add(passes::codegen_fix_loop_buffers(|root, _| done(carried::fix_buffers(root.operation()))))?;
    add(passes::codegen_pass_shapes(|root, _| {
        shapes::pass_shapes(root.operation())?;
        done(expansions::state_shapes(root.operation()))
    }))?;
    add(passes::codegen_structure_copies(|root, _| done(copies::structure(root.operation()))))?;
    add(passes::codegen_erase_empty(|root, _| {
        empty::divide_by_positive(root.operation())?;
        done(empty::erase_empty(root.operation()))
    }))?;
    add(passes::codegen_emit_kernels(emit_kernels))?;
    add(passes::codegen_place_in_vtcm(|root, _, options| {
        done(vtcm::place(root.operation(), bytes(options.budget).unwrap_or(0)))
    }))?;
    add(passes::codegen_flatten_empty_arguments(|root, _| done(functions::flatten_empty_arguments(root.operation()))))?;
    add(passes::codegen_record_faults(|root, _| done(faults::record_faults(root.operation()))))?;
    add(passes::codegen_lower_hexagon(|root, _| done(vtcm::lower(root.operation()))))?;
    add(passes::codegen_plan_memory(|root, _| done(plan::plan_entries(root.operation()))))?;
    add(passes::codegen_keep_iterations_apart(|root, _| done(emit::pipelined::keep_apart(root.operation()))))?;
    add(passes::codegen_expand_elementary(|root, _| done(elementary::expand(root.operation()))))?;
    Ok(())
}

/// What a pass did, with how often in the log.
fn counted(what: &str, result: Result<usize, Error>) -> Result<(), Failure> {
    let count = result?;
    tracing::debug!(count, "{what}");
    Ok(())
}

/// What a pass did, however often.
fn done<T>(result: Result<T, Error>) -> Result<(), Failure> {
    Ok(result.map(drop)?)
}

fn set_target(root: &mut Root<'_, '_>, _: &PassRun<'_>, options: &SetTargetOptions) -> Result<(), Failure> {
    let SetTargetOptions { triple, cpu, features, exact } = options;
    if *exact {
        ExactAttribute::set(root.operation());
    }
    Ok(Target::described(triple, cpu, &features.join(",")).note(root.operation())?)
}

/// How processes share the graph, as the options say.
fn sharded(options: &EmitKernelsOptions) -> Result<Option<Sharded>, Failure> {
    if options.shard.is_empty() {
        return Ok(None);
    }
    let unknown =
        || Failure::new(format!("nothing is shared along `{}`; expected `channel` or `batch`", options.shard));
    let along = Along::named(&options.shard).ok_or_else(unknown)?;
    let processes = usize::try_from(options.processes).ok().filter(|count| *count > 0);
    Ok(Some(Sharded { along, processes }))
}

/// Bytes that an option gives, if it gives some.
fn bytes(given: u64) -> Option<i64> {
    (given > 0).then(|| i64::try_from(given).unwrap_or(i64::MAX))
}

fn emit_kernels(root: &mut Root<'_, '_>, _: &PassRun<'_>, options: &EmitKernelsOptions) -> Result<(), Failure> {
    let folder = |name: &String| (!name.is_empty()).then(|| PathBuf::from(name));
    let noted = Folders::take_noted(root.operation());
    let folders = Folders {
        given: folder(&options.schedules).or(noted.given),
        taken: folder(&options.dump_schedules).or(noted.taken),
        tuned: folder(&options.tuned_schedules).or(noted.tuned),
        alternatives: usize::try_from(options.alternatives).unwrap_or(usize::MAX),
        random: (options.random_schedules > 0).then_some(options.random_schedules),
        report: options.report,
        profile: options.profile,
        sharded: sharded(options)?,
        vtcm: bytes(options.vtcm).map(|bytes| Vtcm { bytes, by_dma: options.dma }),
    };
    done(emit::emit_kernels(root.operation(), &Target::noted(root.operation()), &folders))
}
