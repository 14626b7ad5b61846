//! The way from linalg on tensors to the LLVM dialect.

use crate::interface::{Interface, Memory, RUN};
use crate::structured::static_shape;
use crate::target::Target;
use crate::tensors::{destinations, layout, loops, operations, pack, prepare, results, units};
use crate::{Error, carried, emit, empty, exponential, faults, plan};
use skriptnd_mlir::ir::affine::Map;
use skriptnd_mlir::ir::{
    Builder, InContext, Module, OperationExt, OperationLike, OperationRef, Value, ValueExt, attributes,
    block_operations, operations_named, types,
};
use skriptnd_mlir::pass::{self, PipelineOptions};
use skriptnd_mlir::rewrite::with_rewriter;
use skriptnd_mlir::transform;

/// Padding in a form that bufferizes without copies.
const PADDING: &str = include_str!("schedules/padding.mlir");

/// One form of structured operation for the rewrites.
const GENERALIZE: &str =
    "builtin.module(inline,symbol-dce,canonicalize,cse,linalg-generalize-named-ops,canonicalize,cse)";

const CLEAN: &str = "builtin.module(canonicalize,cse)";

/// Tensors to buffers. Loops may go on with other buffers than they began with, until [`carried`] mends that.
const BUFFERIZE: &str = "builtin.module(eliminate-empty-tensors,empty-tensor-to-alloc-tensor,\
     one-shot-bufferize{bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map \
     allow-return-allocs-from-loops=1})";

/// Results become arguments that the caller gives.
const RESULTS: &str = "builtin.module(canonicalize,\
     buffer-results-to-out-params{hoist-static-allocs=1 modify-public-functions=1},\
     canonicalize,cse,fold-memref-alias-ops,linalg-generalize-named-ops,canonicalize,cse)";

/// What has no kernel becomes loops.
const LOOPS: &str = "builtin.module(convert-linalg-to-loops,canonicalize,cse)";

/// Everything to the LLVM dialect. Each conversion is told the width of an index: not all of them ask the module's data
/// layout.
fn lowering(index_width: u32) -> String {
    let index = format!("index-bitwidth={index_width}");
    format!(
        "builtin.module(canonicalize,cse,expand-strided-metadata,lower-affine,func.func(loop-invariant-code-motion),\
         convert-scf-to-cf,canonicalize,cse,convert-math-to-llvm,convert-math-to-libm,convert-vector-to-llvm,\
         expand-strided-metadata,lower-affine,convert-arith-to-llvm{{{index}}},convert-index-to-llvm{{{index}}},\
         finalize-memref-to-llvm{{{index}}},convert-func-to-llvm{{use-bare-ptr-memref-call-conv=1 {index}}},\
         convert-cf-to-llvm{{{index}}},convert-ub-to-llvm{{{index}}},reconcile-unrealized-casts,canonicalize,cse)"
    )
}

/// What is known of a module once it is planned.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The graph's inputs, variables and outputs.
    pub interface: Interface,
    /// Sizes of memory.
    pub memory: Memory,
    /// What the metadata say of the faults that a run may report, in the order of their numbers.
    pub faults: Vec<serde_json::Value>,
    /// Number of different kernels.
    pub kernels: usize,
}

/// Lowers a module with one public function to memrefs and loops over vectors, with all memory planned.
pub fn schedule(module: &mut Module<'_>, target: &Target) -> Result<Plan, Error> {
    let quiet = PipelineOptions::default();
    set_index_width(module, target)?;
    let interface = Interface::of(graph(module)?)?;
    pass::run(module, GENERALIZE, &quiet)?;
    let mut memory = prepare_tensors(module, &interface, target)?;
    pass::run(module, CLEAN, &quiet)?;
    transform::apply(module, PADDING, "padding.mlir", "padding")?;
    pass::run(module, CLEAN, &quiet)?;
    // Behind the last elimination of common subexpressions, which would make one of all empty tensors again.
    for function in operations_named(module.as_operation(), "func.func") {
        results::make_distinct(function)?;
        destinations::separate(function)?;
    }
    protect_arguments(module.as_operation());
    pass::run(module, BUFFERIZE, &quiet)?;
    for function in operations_named(module.as_operation(), "func.func") {
        carried::fix_buffers(function)?;
    }
    pass::run(module, RESULTS, &quiet)?;
    copies_to_kernels(module.as_operation())?;
    empty::erase_empty(module.as_operation())?;
    let kernels = emit::emit_kernels(module.as_operation(), target)?;
    pass::run(module, LOOPS, &quiet)?;
    for name in [RUN, prepare::PREPARE] {
        empty::flatten_empty_arguments(function(module, name)?)?;
    }
    let faults = faults::record_faults(function(module, RUN)?)?;
    memory.run_bytes = plan::plan_memory(function(module, RUN)?)?;
    memory.prepare_bytes = plan::plan_memory(function(module, prepare::PREPARE)?)?;
    Ok(Plan { interface, memory, faults, kernels })
}

/// Layouts, packed weights, and the split of what is prepared from what is run.
fn prepare_tensors(module: &mut Module<'_>, interface: &Interface, target: &Target) -> Result<Memory, Error> {
    let function = graph(module)?;
    function.set("sym_name", attributes::string(function.in_context(), RUN));
    let absorbed = units::absorb_collapses(function)?;
    let changed = layout::channels_last(function)?;
    let packed = pack::pack_filters(function, target)?;
    tracing::debug!(absorbed, changed, packed, "layouts");
    loops::carry_in_place(function)?;
    let prepared = prepare::split(module.as_operation(), function, &interface.variable_arguments())?;
    Memory::of(&prepared)
}

/// Lowers a planned module to the LLVM dialect.
pub fn lower(module: &mut Module<'_>, target: &Target) -> Result<(), Error> {
    exponential::expand(module.as_operation(), target)?;
    let context = module.in_context();
    let internal = attributes::parse(context, "#llvm.linkage<internal>");
    let internal = internal.ok_or_else(|| Error::malformed("no attribute for linkage"))?;
    for function in operations_named(module.as_operation(), "func.func") {
        if function.region(0).is_ok_and(|region| skriptnd_mlir::ir::region_blocks(region).next().is_some()) {
            function.set("llvm.linkage", internal);
        }
    }
    pass::run(module, &lowering(target.spec.pointer_width()?), &PipelineOptions::default())?;
    Ok(())
}

/// Inputs, variables and prepared memory belong to the caller: bufferization may compute nothing in their place.
fn protect_arguments(module: OperationRef<'_, '_>) {
    for function in operations_named(module, "func.func") {
        let context = function.in_context();
        let kind = function.get("function_type").and_then(attributes::as_type).and_then(types::function_parts);
        let arguments = kind.map_or(0, |(inputs, _)| inputs.len());
        let read_only =
            attributes::dictionary(context, &[("bufferization.writable", attributes::boolean(context, false))]);
        function.set("arg_attrs", attributes::array(context, &vec![read_only; arguments]));
    }
}

/// The only function that others may call.
fn graph<'c: 'a, 'a>(module: &'a Module<'c>) -> Result<OperationRef<'c, 'a>, Error> {
    let functions: Vec<_> = block_operations(module.body())
        .filter(|operation| operation.full_name() == "func.func")
        .filter(|function| function.get_string("sym_visibility") != Some("private"))
        .collect();
    match functions.as_slice() {
        [only] => Ok(*only),
        others => Err(Error::malformed(format!("{} public functions; there must be one", others.len()))),
    }
}

fn function<'c: 'a, 'a>(module: &'a Module<'c>, name: &str) -> Result<OperationRef<'c, 'a>, Error> {
    let found = block_operations(module.body()).find(|operation| operation.get_string("sym_name") == Some(name));
    found.ok_or_else(|| Error::malformed(format!("no function `{name}`")))
}

/// Sizes of addresses, for the conversions.
fn set_index_width(module: &Module<'_>, target: &Target) -> Result<(), Error> {
    let width = target.spec.pointer_width()?;
    let context = module.in_context();
    let specification = attributes::parse(context, &format!("#dlti.dl_spec<index = {width} : i32>"));
    let specification = specification.ok_or_else(|| Error::malformed("no data layout"))?;
    module.as_operation().set("dlti.dl_spec", specification);
    Ok(())
}

/// Copies between memrefs as structured operations, which become kernels; copies of a memref to itself go.
fn copies_to_kernels<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Result<(), Error> {
    for copy in operations_named(module, "memref.copy") {
        let values: Vec<Value<'c, 'a>> = copy.operands().collect();
        let [source, destination] = values.as_slice() else { continue };
        let same = source.key() == destination.key();
        let rank = static_shape(skriptnd_mlir::ir::ValueLike::r#type(source)).map(|shape| shape.len());
        let Some(identity) = rank.map(Map::identity) else { continue };
        if !same {
            operations::copy(Builder::before(copy)?, (*source, &identity), (*destination, &identity))?;
        }
        with_rewriter(copy, |rewriter| rewriter.erase(copy))?;
    }
    Ok(())
}
