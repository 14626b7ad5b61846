//! The vocabulary of constraints: what generated predicates ask of types, attributes, values and operations.
//!
//! The names follow the C++ that upstream's constraints are written in, in snake case. All functions are total: asked
//! of something that does not have the property, they answer with `false`, zero or nothing.

use mlir_sys::*;

use crate::ffi::{skndAttributeName, skndTypeName, text};
use crate::ir::{Attribute, OperationRef, RegionRef, Type, Value, attributes, region_blocks, types};

macro_rules! type_classes {
    ($($name:ident = $query:ident,)*) => {
        $(
            #[doc = concat!("What `", stringify!($query), "` says of a type.")]
            pub fn $name(this: Type<'_>) -> bool {
                // SAFETY: the type is a live one of its context.
                unsafe { $query(this.to_raw()) }
            }
        )*
    };
}

type_classes! {
    is_tensor_type = mlirTypeIsATensor,
    is_ranked_tensor_type = mlirTypeIsARankedTensor,
    is_unranked_tensor_type = mlirTypeIsAUnrankedTensor,
    is_mem_ref_type = mlirTypeIsAMemRef,
    is_unranked_mem_ref_type = mlirTypeIsAUnrankedMemRef,
    is_vector_type = mlirTypeIsAVector,
    is_shaped_type = mlirTypeIsAShaped,
    is_tuple_type = mlirTypeIsATuple,
    is_integer_type = mlirTypeIsAInteger,
    is_index_type = mlirTypeIsAIndex,
    is_index = mlirTypeIsAIndex,
    is_float_type = mlirTypeIsAFloat,
    is_b_float16_type = mlirTypeIsABF16,
    is_complex_type = mlirTypeIsAComplex,
    is_function_type = mlirTypeIsAFunction,
    is_none_type = mlirTypeIsANone,
}

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

/// Whether it is a vector without scalable dimensions.
pub fn is_fixed_vector_type(this: Type<'_>) -> bool {
    is_vector_type(this) && !is_scalable_vector_type(this)
}

/// Whether it is a vector with a scalable dimension.
pub fn is_scalable_vector_type(this: Type<'_>) -> bool {
    // SAFETY: the type is a vector.
    is_vector_type(this) && unsafe { mlirVectorTypeIsScalable(this.to_raw()) }
}

/// Whether it is a memref, with or without rank.
pub fn is_base_mem_ref_type(this: Type<'_>) -> bool {
    is_mem_ref_type(this) || is_unranked_mem_ref_type(this)
}

/// Whether it is a tensor or a vector.
pub fn has_value_semantics(this: Type<'_>) -> bool {
    is_tensor_type(this) || is_vector_type(this)
}

/// Whether it is of the class that is registered as `name`: `builtin.f8E5M2`, `gpu.async.token`.
pub fn is_type(this: Type<'_>, name: &str) -> bool {
    // SAFETY: the type is live, and its class lives as long as the context.
    is_same(unsafe { skndTypeName(this.to_raw()) }, name)
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

/// Whether it is the IEEE float of so many bits.
pub fn is_float(this: Type<'_>, width: u32) -> bool {
    is_type(this, &format!("builtin.f{width}"))
}

fn has_width(this: Type<'_>, width: Option<u32>) -> bool {
    // SAFETY: only asked of integer types.
    width.is_none_or(|width| unsafe { mlirIntegerTypeGetWidth(this.to_raw()) } == width)
}

/// Whether it is an integer, of so many bits if given.
pub fn is_integer(this: Type<'_>, width: Option<u32>) -> bool {
    is_integer_type(this) && has_width(this, width)
}

/// Whether it is a signless integer, of so many bits if given.
pub fn is_signless_integer(this: Type<'_>, width: Option<u32>) -> bool {
    // SAFETY: the type is an integer.
    is_integer(this, width) && unsafe { mlirIntegerTypeIsSignless(this.to_raw()) }
}

/// Whether it is a signed integer, of so many bits if given.
pub fn is_signed_integer(this: Type<'_>, width: Option<u32>) -> bool {
    // SAFETY: the type is an integer.
    is_integer(this, width) && unsafe { mlirIntegerTypeIsSigned(this.to_raw()) }
}

/// Whether it is an unsigned integer, of so many bits if given.
pub fn is_unsigned_integer(this: Type<'_>, width: Option<u32>) -> bool {
    // SAFETY: the type is an integer.
    is_integer(this, width) && unsafe { mlirIntegerTypeIsUnsigned(this.to_raw()) }
}

/// Whether it is a signless integer or an index.
pub fn is_signless_int_or_index(this: Type<'_>) -> bool {
    is_signless_integer(this, None) || is_index_type(this)
}

/// Whether it is an integer or an index.
pub fn is_int_or_index(this: Type<'_>) -> bool {
    is_integer_type(this) || is_index_type(this)
}

/// The element type of a shaped or complex type; of any other the type itself.
pub fn element_type(this: Type<'_>) -> Type<'_> {
    // SAFETY: the type is shaped or complex, and its element type lives as long as the context.
    unsafe {
        if is_shaped_type(this) {
            Type::from_raw(mlirShapedTypeGetElementType(this.to_raw()))
        } else if is_complex_type(this) {
            Type::from_raw(mlirComplexTypeGetElementType(this.to_raw()))
        } else {
            this
        }
    }
}

/// A truth value for each element: `i1`, or a vector or a tensor of such.
pub fn i1_same_shape(this: Type<'_>) -> Type<'_> {
    let truth = types::integer(this.context(), 1);
    let shaped = match (this.is_vector(), types::shape(this)) {
        (true, _) => types::with_lanes_of(this, truth),
        (false, Some(shape)) => types::tensor(truth, &shape),
        (false, None) => None,
    };
    shaped.unwrap_or(truth)
}

/// Whether it is a shaped type with a rank.
pub fn has_rank(this: Type<'_>) -> bool {
    // SAFETY: the type is shaped.
    is_shaped_type(this) && unsafe { mlirShapedTypeHasRank(this.to_raw()) }
}

/// The rank; zero without one.
pub fn get_rank(this: Type<'_>) -> i64 {
    // SAFETY: the type has a rank.
    if has_rank(this) { unsafe { mlirShapedTypeGetRank(this.to_raw()) } } else { 0 }
}

/// Whether all extents are known.
pub fn has_static_shape(this: Type<'_>) -> bool {
    // SAFETY: the type has a rank.
    has_rank(this) && unsafe { mlirShapedTypeHasStaticShape(this.to_raw()) }
}

/// The extents; unknown ones are the smallest integer, as in MLIR.
pub fn get_shape(this: Type<'_>) -> Vec<i64> {
    // SAFETY: the type has a rank, and the dimensions are below it.
    (0..get_rank(this)).map(|index| unsafe { mlirShapedTypeGetDimSize(this.to_raw(), index as isize) }).collect()
}

/// The extent of a dimension; `i64::MIN` if it is unknown, and zero if there is no such dimension.
pub fn get_dim_size(this: Type<'_>, dimension: i64) -> i64 {
    usize::try_from(dimension).ok().and_then(|index| get_shape(this).get(index).copied()).unwrap_or_default()
}

/// The number of elements; zero where an extent is unknown.
pub fn get_num_elements(this: Type<'_>) -> i64 {
    match has_static_shape(this) {
        true => get_shape(this).into_iter().fold(1, i64::saturating_mul),
        false => 0,
    }
}

/// The types in a tuple.
pub fn get_types(this: Type<'_>) -> Vec<Type<'_>> {
    if !is_tuple_type(this) {
        return Vec::new();
    }
    // SAFETY: the type is a tuple, and the positions are below its size.
    unsafe {
        let count = mlirTupleTypeGetNumTypes(this.to_raw());
        (0..count).map(|index| Type::from_raw(mlirTupleTypeGetType(this.to_raw(), index))).collect()
    }
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
