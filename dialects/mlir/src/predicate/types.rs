//! What constraints ask of types.

use mlir_sys::*;

use super::is_same;
use crate::ffi::skndTypeName;
use crate::ir::{Type, types};

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

/// Whether it is an integer or a float.
pub fn is_int_or_float(this: Type<'_>) -> bool {
    is_integer_type(this) || is_float_type(this)
}

/// Whether it is an integer, an index or a float.
pub fn is_int_or_index_or_float(this: Type<'_>) -> bool {
    is_int_or_float(this) || is_index_type(this)
}

/// Whether it is a signless integer or a float.
pub fn is_signless_int_or_float(this: Type<'_>) -> bool {
    is_signless_integer(this, None) || is_float_type(this)
}

/// Whether it is a signless integer, an index or a float.
pub fn is_signless_int_or_index_or_float(this: Type<'_>) -> bool {
    is_signless_int_or_float(this) || is_index_type(this)
}

/// The width of an integer or a float, in bits; zero of other types.
pub fn get_int_or_float_bit_width(this: Type<'_>) -> i64 {
    // SAFETY: the type is an integer or a float.
    i64::from(unsafe {
        match (is_integer_type(this), is_float_type(this)) {
            (true, _) => mlirIntegerTypeGetWidth(this.to_raw()),
            (_, true) => mlirFloatTypeGetWidth(this.to_raw()),
            _ => 0,
        }
    })
}

/// The width of the elements of a shaped type, in bits; zero where they are no integers or floats.
pub fn get_element_type_bit_width(this: Type<'_>) -> i64 {
    if is_shaped_type(this) { get_int_or_float_bit_width(element_type(this)) } else { 0 }
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

/// The number of unknown extents.
pub fn get_num_dynamic_dims(this: Type<'_>) -> i64 {
    get_shape(this).into_iter().filter(|extent| *extent == i64::MIN).count() as i64
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
