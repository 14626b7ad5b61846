//! The `hexagon` dialect: VTCM, and the DMA that fills it.

use crate::generated;
use crate::generated::dialect_attributes::{RowsAttr, VtcmAttr};
use crate::generated::operations::{DmaStartOp, DmaStartOpHooks, DmaWaitOp, DmaWaitOpHooks, RegionOp, RegionOpHooks};
use crate::processor;
use skriptnd_mlir::diagnostics::Failure;
use skriptnd_mlir::dialect::DialectSpec;
use skriptnd_mlir::ir::{OperationRef, Type, attributes, types};

/// The attribute of a module that says for what its code is: a dictionary of `triple`, `cpu` and `features`.
pub const TARGET: &str = "skriptnd.target";
/// The versions with which VTCM, and the DMA that programs start themselves, begin.
const VTCM_VERSION: u32 = 65;
const DMA_VERSION: u32 = 68;
/// Places that descriptors of the DMA have for the numbers of rows, and for distances in bytes.
const MOST_ROWS: i64 = (1 << 16) - 1;

/// Whether a processor has VTCM.
pub fn has_vtcm(cpu: &str) -> bool {
    processor::version(cpu).is_some_and(|version| version >= VTCM_VERSION)
}

/// Whether programs for a processor may start its DMA.
pub fn has_dma(cpu: &str) -> bool {
    processor::version(cpu).is_some_and(|version| version >= DMA_VERSION)
}

/// The dialect, to be added to a registry.
pub fn dialect() -> DialectSpec {
    generated::dialect(Hooks)
}

/// Whether a type is memory in VTCM.
pub fn is_in_vtcm(r#type: Type<'_>) -> bool {
    attributes::memory_space(r#type).is_some_and(|space| VtcmAttr::new(space).is_some())
}

/// What the declarations leave to Rust.
struct Hooks;

impl RegionOpHooks for Hooks {
    fn verify(op: RegionOp<'_, '_>) -> Result<(), Failure> {
        check_version(op.operation(), "VTCM", VTCM_VERSION)?;
        let kind = op.operation().result(0)?.r#type();
        let is_bytes = types::is_integer(types::element(kind), 8);
        match is_in_vtcm(kind) && is_bytes && types::shape(kind).is_some_and(|shape| shape.iter().all(Option::is_some))
        {
            true => Ok(()),
            false => Err(Failure::new(format!("expected so many bytes in `#hexagon.vtcm`, found {kind}"))),
        }
    }
}

impl DmaStartOpHooks for Hooks {
    fn verify(op: DmaStartOp<'_, '_>) -> Result<(), Failure> {
        check_version(op.operation(), "the DMA that programs start", DMA_VERSION)?;
        let ends = [op.source()?.r#type(), op.target()?.r#type()];
        let [source, target] = ends;
        if types::element(source) != types::element(target) {
            return Err(Failure::new(format!("copies elements of {source} to those of {target}")));
        }
        if !ends.into_iter().any(is_in_vtcm) {
            return Err(Failure::new(format!("expected one of {source} and {target} in `#hexagon.vtcm`")));
        }
        let is_dense = |kind: &Type<'_>| types::open_strides(*kind).is_some_and(|(strides, _)| strides == [1]);
        if let Some(apart) = ends.iter().find(|kind| !is_dense(kind)) {
            return Err(Failure::new(format!("expected elements beside each other, found {apart}")));
        }
        op.rows().map_or(Ok(()), |rows| check_rows(rows, types::element(source)))
    }
}

impl DmaWaitOpHooks for Hooks {
    fn verify(op: DmaWaitOp<'_, '_>) -> Result<(), Failure> {
        check_version(op.operation(), "the DMA that programs start", DMA_VERSION)
    }
}

/// Whether rows have a descriptor.
fn check_rows(rows: RowsAttr<'_>, element: Type<'_>) -> Result<(), Failure> {
    let bytes = i64::from(types::width(element).unwrap_or(8).div_ceil(8));
    let (count, distances) = (rows.count()?, [rows.source()?, rows.target()?]);
    let fits = |number: i64, bytes: i64| number > 0 && number <= MOST_ROWS / bytes;
    if !fits(count, 1) {
        return Err(Failure::new(format!("expected from 1 to {MOST_ROWS} rows, found {count}")));
    }
    match distances.into_iter().find(|distance| !fits(*distance, bytes)) {
        Some(distance) => {
            let most = MOST_ROWS / bytes;
            Err(Failure::new(format!("expected rows that are from 1 to {most} elements apart, found {distance}")))
        }
        None => Ok(()),
    }
}

/// Refuses an operation in a module whose processor has not what it needs.
fn check_version(operation: OperationRef<'_, '_>, what: &str, least: u32) -> Result<(), Failure> {
    let mut around = std::iter::successors(Some(operation), OperationRef::parent_operation);
    let target = around.find_map(|operation| attributes::as_dictionary(operation.get(TARGET)?));
    let Some(target) = target else { return Ok(()) };
    let named = |name: &str| {
        let entry = target.iter().find(|(key, _)| *key == name);
        entry.and_then(|(_, text)| attributes::as_string(*text)).unwrap_or_default()
    };
    let (triple, cpu) = (named("triple"), named("cpu"));
    if !triple.starts_with("hexagon") {
        return Err(Failure::new(format!("{what} is Hexagon's, and the module is for {triple}")));
    }
    match processor::version(cpu) {
        Some(version) if version >= least => Ok(()),
        _ => Err(Failure::new(format!("{what} begins with version {least}, and the module is for `{cpu}`"))),
    }
}
