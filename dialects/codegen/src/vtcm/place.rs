//! Places of allocations in the VTCM that a run is given.

use super::begin;
use crate::buffers::plan::{aligned, bytes};
use crate::nest::staged::LINE;
use crate::{Error, notes};
use skriptnd_hexagon::dialect::is_in_vtcm;
use skriptnd_hexagon::generated::dialect_attributes::VtcmAttr;
use skriptnd_hexagon::generated::operations::RegionOpBuilder;
use skriptnd_mlir::ir::{Builder, OperationRef, Type, attributes, operations_named, types};
use skriptnd_mlir::ops::{func, memref};
use skriptnd_mlir::rewrite::with_rewriter;

/// Gives each allocation in VTCM its place, one behind the other in a function.
///
/// # Errors
/// Where a function needs more than the budget.
pub fn place<'c: 'a, 'a>(module: OperationRef<'c, 'a>, budget: i64) -> Result<(), Error> {
    let mut functions = Vec::new();
    for function in operations_named(module, func::FUNC) {
        let mut all = operations_named(function, memref::ALLOCA);
        all.retain(|allocation| allocation.result_types().into_iter().any(is_in_vtcm));
        let (mut places, mut end) = (Vec::new(), 0i64);
        for allocation in all {
            places.push((allocation, end));
            end = end.saturating_add(aligned(bytes(allocation.result(0)?.r#type())?, LINE));
        }
        if end > budget {
            let name = function.get_string("sym_name").unwrap_or_default();
            return Err(Error::Unsupported(format!("`{name}` has {end} bytes in VTCM, and {budget} may be there")));
        }
        functions.push((function, places, end));
    }
    let all = functions.iter().map(|(_, _, end)| *end).max().unwrap_or(0);
    for (function, places, _) in functions.into_iter().filter(|(_, places, _)| !places.is_empty()) {
        let start = begin(function)?;
        let region = RegionOpBuilder::new(&start).memory_type(region_type(function, all)?).build()?.memory()?;
        for (allocation, offset) in places {
            let builder = Builder::before(allocation)?;
            let offset = builder.index(offset)?;
            let view = memref::view(&builder, region, offset, &[], allocation.result(0)?.r#type())?;
            with_rewriter(allocation, |rewriter| rewriter.replace(allocation, &[view]))?;
        }
    }
    module.set(notes::VTCM, attributes::integer(module.context(), all));
    Ok(())
}

/// So many bytes of VTCM.
fn region_type<'c>(function: OperationRef<'c, '_>, bytes: i64) -> Result<Type<'c>, Error> {
    let context = function.context();
    let kind = types::memref(types::integer(context, 8), &[u64::try_from(bytes).ok()]);
    let kind = kind.zip(VtcmAttr::get(context).ok());
    let kind = kind.and_then(|(kind, space)| attributes::in_memory_space(kind, Some(space.attribute())));
    kind.ok_or_else(|| Error::malformed("no memory in VTCM"))
}
