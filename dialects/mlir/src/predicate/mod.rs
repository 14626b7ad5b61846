//! The vocabulary of constraints: what generated predicates ask of types, attributes, values and operations.
//!
//! The names follow the C++ that upstream's constraints are written in, in snake case. All functions are total: asked
//! of something that does not have the property, they answer with `false`, zero or nothing.

mod types;

pub use types::*;

use mlir_sys::*;

use crate::ffi::{skndAttributeName, text};
use crate::ir::{Attribute, OperationRef, RegionRef, Type, Value, attributes, region_blocks};

macro_rules! attribute_classes {
    ($($name:ident = $query:ident,)*) => {
        $(
            #[doc = concat!("What `", stringify!($query), "` says of an attribute.")]
            pub fn $name(this: Attribute<'_>) -> bool {
                // SAFETY: the attribute is a live one of its context.
                unsafe { $query(this.to_raw()) }
            }
        )*
    };
}

attribute_classes! {
    is_integer_attr = mlirAttributeIsAInteger,
    is_bool_attr = mlirAttributeIsABool,
    is_float_attr = mlirAttributeIsAFloat,
    is_string_attr = mlirAttributeIsAString,
    is_type_attr = mlirAttributeIsAType,
    is_unit_attr = mlirAttributeIsAUnit,
    is_array_attr = mlirAttributeIsAArray,
    is_dictionary_attr = mlirAttributeIsADictionary,
    is_symbol_ref_attr = mlirAttributeIsASymbolRef,
    is_flat_symbol_ref_attr = mlirAttributeIsAFlatSymbolRef,
    is_affine_map_attr = mlirAttributeIsAAffineMap,
    is_elements_attr = mlirAttributeIsAElements,
    is_dense_elements_attr = mlirAttributeIsADenseElements,
    is_dense_int_elements_attr = mlirAttributeIsADenseIntElements,
    is_dense_fp_elements_attr = mlirAttributeIsADenseFPElements,
    is_dense_bool_array_attr = mlirAttributeIsADenseBoolArray,
    is_dense_i8_array_attr = mlirAttributeIsADenseI8Array,
    is_dense_i16_array_attr = mlirAttributeIsADenseI16Array,
    is_dense_i32_array_attr = mlirAttributeIsADenseI32Array,
    is_dense_i64_array_attr = mlirAttributeIsADenseI64Array,
    is_dense_f32_array_attr = mlirAttributeIsADenseF32Array,
    is_dense_f64_array_attr = mlirAttributeIsADenseF64Array,
    is_location_attr = mlirAttributeIsALocation,
}

/// Whether it is of the class that is registered as `name`: `arith.fastmath`.
pub fn is_attribute(this: Attribute<'_>, name: &str) -> bool {
    // SAFETY: the attribute is live, and its class lives as long as the context.
    is_same(unsafe { skndAttributeName(this.to_raw()) }, name)
}

fn is_same(registered: MlirStringRef, name: &str) -> bool {
    // SAFETY: both are live for the call.
    unsafe { mlirStringRefEqual(registered, text(name)) }
}

/// Whether it is an array of one kind of number.
pub fn is_dense_array_attr(this: Attribute<'_>) -> bool {
    is_dense_bool_array_attr(this)
        || is_dense_i8_array_attr(this)
        || is_dense_i16_array_attr(this)
        || is_dense_i32_array_attr(this)
        || is_dense_i64_array_attr(this)
        || is_dense_f32_array_attr(this)
        || is_dense_f64_array_attr(this)
}

/// Whether the attribute has a type of its own.
pub fn is_typed_attr(this: Attribute<'_>) -> bool {
    !is_none_type(type_of_attribute(this))
}

/// The type of an attribute; the none type where it has none.
pub fn type_of_attribute(this: Attribute<'_>) -> Type<'_> {
    // SAFETY: the attribute is live; attributes without a type answer with the none type.
    unsafe { Type::from_raw(mlirAttributeGetType(this.to_raw())) }
}

/// The value of an integer, index or boolean attribute of at most 64 bits.
pub fn integer(this: Attribute<'_>) -> i64 {
    attributes::as_integer(this).unwrap_or(0)
}

/// The bits of an integer, index or boolean attribute of at most 64 bits, read without a sign.
pub fn unsigned_integer(this: Attribute<'_>) -> u64 {
    let width = crate::ir::types::width(this.r#type()).unwrap_or(64).clamp(1, 64);
    integer(this) as u64 & (u64::MAX >> (64 - width))
}

/// The value of a floating-point attribute.
pub fn float(this: Attribute<'_>) -> f64 {
    attributes::as_real(this).unwrap_or(0.0)
}

/// The type in a type attribute; the none type for any other attribute.
pub fn type_value(this: Attribute<'_>) -> Type<'_> {
    // SAFETY: the attribute holds a type.
    match is_type_attr(this) {
        true => unsafe { Type::from_raw(mlirTypeAttrGetValue(this.to_raw())) },
        false => unsafe { Type::from_raw(mlirNoneTypeGet(mlirAttributeGetContext(this.to_raw()))) },
    }
}

/// The text of a string attribute or the name of a symbol reference.
pub fn string(this: Attribute<'_>) -> String {
    attributes::as_string(this).or_else(|| attributes::as_symbol(this)).unwrap_or_default().to_string()
}

/// The number of elements of an array, a dense array or a dictionary.
pub fn size(this: Attribute<'_>) -> i64 {
    // SAFETY: the attribute is of the kind that is asked.
    unsafe {
        if is_array_attr(this) {
            mlirArrayAttrGetNumElements(this.to_raw()) as i64
        } else if is_dense_array_attr(this) {
            mlirDenseArrayGetNumElements(this.to_raw()) as i64
        } else if is_dictionary_attr(this) {
            mlirDictionaryAttrGetNumElements(this.to_raw()) as i64
        } else {
            0
        }
    }
}

/// The elements of an array.
pub fn elements(this: Attribute<'_>) -> Vec<Attribute<'_>> {
    attributes::as_array(this).unwrap_or_default()
}

/// An element of an array; the array itself where there is no such element.
pub fn element(this: Attribute<'_>, index: i64) -> Attribute<'_> {
    usize::try_from(index).ok().and_then(|index| elements(this).get(index).copied()).unwrap_or(this)
}

/// The integers of a dense array or of an array of integers.
pub fn integers(this: Attribute<'_>) -> Vec<i64> {
    let raw = this.to_raw();
    let get: fn(MlirAttribute, isize) -> i64 = match this {
        // SAFETY: each function is asked of an attribute of its kind, with positions below its size.
        _ if is_dense_i16_array_attr(this) => |raw, index| unsafe { mlirDenseI16ArrayGetElement(raw, index).into() },
        _ if is_dense_i8_array_attr(this) => |raw, index| unsafe { mlirDenseI8ArrayGetElement(raw, index).into() },
        _ if is_dense_bool_array_attr(this) => |raw, index| unsafe { mlirDenseBoolArrayGetElement(raw, index).into() },
        _ => return attributes::as_integers(this).unwrap_or_default(),
    };
    (0..size(this) as isize).map(|index| get(raw, index)).collect()
}

/// The numbers of a dense array of floats or of an array of floats.
pub fn floats(this: Attribute<'_>) -> Vec<f64> {
    attributes::as_reals(this).unwrap_or_default()
}

/// The smaller of two numbers, as C++'s `std::min` has it: the first unless the second is below it.
pub fn minimum(first: f64, second: f64) -> f64 {
    if second < first { second } else { first }
}

/// The larger of two numbers, as C++'s `std::max` has it: the first unless it is below the second.
pub fn maximum(first: f64, second: f64) -> f64 {
    if first < second { second } else { first }
}

/// Whether it is a power of two.
pub fn is_power_of_2(this: i64) -> bool {
    this > 0 && this & (this - 1) == 0
}

/// The type of a value.
pub fn type_of<'c>(this: Value<'c, '_>) -> Type<'c> {
    this.r#type()
}

/// The types of values.
pub fn types_of<'c>(these: &[Value<'c, '_>]) -> Vec<Type<'c>> {
    these.iter().map(|value| value.r#type()).collect()
}

/// Whether nothing uses the value.
pub fn use_empty(this: Value<'_, '_>) -> bool {
    use_count(this, 1) == 0
}

/// Whether one operand uses the value.
pub fn has_one_use(this: Value<'_, '_>) -> bool {
    use_count(this, 2) == 1
}

/// The number of uses, counted up to `limit`.
fn use_count(this: Value<'_, '_>, limit: usize) -> usize {
    // SAFETY: the value is live, and nothing changes its uses meanwhile.
    unsafe {
        let mut next = mlirValueGetFirstUse(this.to_raw());
        let mut count = 0;
        while count < limit && !mlirOpOperandIsNull(next) {
            count += 1;
            next = mlirOpOperandGetNextUse(next);
        }
        count
    }
}

/// An operand; operands are counted before predicates over them are asked.
pub fn operand<'c, 'a>(this: OperationRef<'c, 'a>, index: i64) -> Value<'c, 'a> {
    this.operands().collect::<Vec<_>>()[index as usize]
}

/// A result; results are counted before predicates over them are asked.
pub fn result<'c, 'a>(this: OperationRef<'c, 'a>, index: i64) -> Value<'c, 'a> {
    this.results().collect::<Vec<_>>()[index as usize]
}

/// The number of operands.
pub fn operand_count(this: OperationRef<'_, '_>) -> i64 {
    this.operand_count() as i64
}

/// The number of results.
pub fn result_count(this: OperationRef<'_, '_>) -> i64 {
    this.result_count() as i64
}

/// The number of blocks of a region.
pub fn block_count(this: RegionRef<'_, '_>) -> i64 {
    region_blocks(this).count() as i64
}

/// The unit attribute, for an attribute that is not there.
pub fn unit<'c>(this: OperationRef<'c, '_>) -> Attribute<'c> {
    // SAFETY: the attribute belongs to the context of the operation.
    unsafe { Attribute::from_raw(mlirUnitAttrGet(mlirOperationGetContext(this.to_raw()))) }
}
