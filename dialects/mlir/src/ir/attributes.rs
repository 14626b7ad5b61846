//! Making and reading attributes.

use std::fmt;

use melior::ir::attribute::{
    ArrayAttribute, BoolAttribute, DenseElementsAttribute, DenseI64ArrayAttribute, DictionaryAttribute,
    FlatSymbolRefAttribute, FloatAttribute, IntegerAttribute, StringAttribute, TypeAttribute,
};
use melior::ir::r#type::{MemRefType, RankedTensorType};
use melior::ir::{AttributeLike, Identifier};
use mlir_sys::{
    MlirAttribute, mlirBoolAttrGetValue, mlirDenseArrayGetNumElements, mlirDenseBoolArrayGet,
    mlirDenseBoolArrayGetElement, mlirDenseElementsAttrGetBoolValue, mlirDenseElementsAttrGetFloatValue,
    mlirDenseElementsAttrGetInt64Value, mlirDenseElementsAttrGetSplatValue, mlirDenseElementsAttrIsSplat,
    mlirDenseF64ArrayGet, mlirDenseF64ArrayGetElement, mlirDenseI32ArrayGet, mlirDenseI32ArrayGetElement,
    mlirDictionaryAttrGetElement, mlirDictionaryAttrGetNumElements, mlirElementsAttrGetNumElements,
    mlirFlatSymbolRefAttrGetValue, mlirFloatAttrGetValueDouble, mlirMemRefTypeGetLayout, mlirMemRefTypeGetMemorySpace,
    mlirStringAttrGetValue,
};

use super::context::context_of;
use super::{Context, Location, Type, types};
use crate::ffi;

/// An attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Attribute<'c>(pub(crate) melior::ir::Attribute<'c>);

impl<'c> Attribute<'c> {
    /// The context.
    pub fn context(&self) -> &'c Context {
        context_of(self.0.context())
    }

    /// The type of a number, or of an array of numbers; `none` for what has no type.
    pub fn r#type(&self) -> Type<'c> {
        Type(self.0.r#type())
    }

    /// Whether it is an integer, an index or a boolean.
    pub fn is_integer(&self) -> bool {
        self.0.is_integer()
    }

    /// Whether it is a floating-point number.
    pub fn is_float(&self) -> bool {
        self.0.is_float()
    }

    /// Whether it is a string.
    pub fn is_string(&self) -> bool {
        self.0.is_string()
    }

    pub(crate) fn to_raw(self) -> MlirAttribute {
        self.0.to_raw()
    }

    /// # Safety
    ///
    /// The attribute must be valid, and its context live as long as the chosen lifetime.
    pub(crate) unsafe fn from_raw(raw: MlirAttribute) -> Self {
        // SAFETY: as the caller promises.
        Self(unsafe { melior::ir::Attribute::from_raw(raw) })
    }

    /// # Safety
    ///
    /// As for [`Self::from_raw`], or the attribute is null.
    pub(crate) unsafe fn from_option_raw(raw: MlirAttribute) -> Option<Self> {
        // SAFETY: as the caller promises.
        unsafe { melior::ir::Attribute::from_option_raw(raw) }.map(Self)
    }
}

impl fmt::Display for Attribute<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// Where an attribute is: equal attributes of a context are one, which lives as long as the context.
pub fn address(attribute: Attribute<'_>) -> usize {
    attribute.to_raw().ptr as usize
}

/// A 64-bit integer.
pub fn integer(context: &Context, value: i64) -> Attribute<'_> {
    Attribute(IntegerAttribute::new(types::integer(context, 64).0, value).into())
}

/// An integer of an integer or index type; nothing for other types, and for values that its width cannot hold.
pub fn typed_integer(r#type: Type<'_>, value: i64) -> Option<Attribute<'_>> {
    (r#type.is_index() || types::holds(r#type, value)).then(|| Attribute(IntegerAttribute::new(r#type.0, value).into()))
}

/// A 64-bit floating-point number.
pub fn real(context: &Context, value: f64) -> Attribute<'_> {
    Attribute(FloatAttribute::new(&context.0, types::f64(context).0, value).into())
}

/// A number of a floating-point type; nothing for other types.
pub fn typed_real<'c>(context: &'c Context, r#type: Type<'c>, value: f64) -> Option<Attribute<'c>> {
    r#type.is_float().then(|| Attribute(FloatAttribute::new(&context.0, r#type.0, value).into()))
}

/// A boolean.
pub fn boolean(context: &Context, value: bool) -> Attribute<'_> {
    Attribute(BoolAttribute::new(&context.0, value).into())
}

/// A string.
pub fn string<'c>(context: &'c Context, value: &str) -> Attribute<'c> {
    Attribute(StringAttribute::new(&context.0, value).into())
}

/// A reference to a symbol.
pub fn symbol<'c>(context: &'c Context, name: &str) -> Attribute<'c> {
    Attribute(FlatSymbolRefAttribute::new(&context.0, name).into())
}

/// A type.
pub fn r#type(r#type: Type<'_>) -> Attribute<'_> {
    Attribute(TypeAttribute::new(r#type.0).into())
}

/// A location.
pub fn location(location: Location<'_>) -> Attribute<'_> {
    Attribute(location.0.to_attribute())
}

/// The unit attribute.
pub fn unit(context: &Context) -> Attribute<'_> {
    Attribute(melior::ir::Attribute::unit(&context.0))
}

/// An array of attributes.
pub fn array<'c>(context: &'c Context, values: &[Attribute<'c>]) -> Attribute<'c> {
    Attribute(ArrayAttribute::new(&context.0, &raw(values)).into())
}

/// A dense array of 64-bit integers.
pub fn integers<'c>(context: &'c Context, values: &[i64]) -> Attribute<'c> {
    Attribute(DenseI64ArrayAttribute::new(&context.0, values).into())
}

/// A dense array of 32-bit integers, as `operandSegmentSizes` is.
pub fn segment_sizes<'c>(context: &'c Context, values: &[i32]) -> Attribute<'c> {
    // SAFETY: the values are copied into the context.
    unsafe { Attribute::from_raw(mlirDenseI32ArrayGet(context.to_raw(), values.len() as isize, values.as_ptr())) }
}

/// A dense array of 64-bit floating-point numbers.
pub fn reals<'c>(context: &'c Context, values: &[f64]) -> Attribute<'c> {
    // SAFETY: the values are copied into the context.
    unsafe { Attribute::from_raw(mlirDenseF64ArrayGet(context.to_raw(), values.len() as isize, values.as_ptr())) }
}

/// A dense array of booleans.
pub fn booleans<'c>(context: &'c Context, values: &[bool]) -> Attribute<'c> {
    let values: Vec<i32> = values.iter().map(|&value| value.into()).collect();
    // SAFETY: the values are copied into the context.
    unsafe { Attribute::from_raw(mlirDenseBoolArrayGet(context.to_raw(), values.len() as isize, values.as_ptr())) }
}

/// A dictionary.
pub fn dictionary<'c>(context: &'c Context, entries: &[(&str, Attribute<'c>)]) -> Attribute<'c> {
    let entries: Vec<_> = entries.iter().map(|(name, value)| (Identifier::new(&context.0, name), value.0)).collect();
    Attribute(DictionaryAttribute::new(&context.0, &entries).into())
}

/// A constant of a static shaped type whose elements are all the same; nothing if the type is not static or its elements
/// are not of the element's type.
pub fn splat<'c>(r#type: Type<'c>, element: Attribute<'c>) -> Option<Attribute<'c>> {
    let shape = types::shape(r#type)?;
    let fits = shape.iter().all(Option::is_some) && types::element(r#type) == element.r#type();
    (fits && (element.is_integer() || element.is_float()))
        .then(|| Attribute(DenseElementsAttribute::splat(r#type.0, element.0).into()))
}

/// The element that all elements of a constant of a shaped type are; nothing if they differ, or if it is no such constant.
pub fn as_splat(attribute: Attribute<'_>) -> Option<Attribute<'_>> {
    let dense = attribute.0.is_dense_elements();
    // SAFETY: it is a constant of a shaped type, and one whose elements are all the same.
    (dense && unsafe { mlirDenseElementsAttrIsSplat(attribute.to_raw()) })
        .then(|| unsafe { Attribute::from_raw(mlirDenseElementsAttrGetSplatValue(attribute.to_raw())) })
}

/// The elements of a constant of a shaped type that are numbers of 32 bits with a fraction; nothing if it is no such constant.
pub fn as_floats(attribute: Attribute<'_>) -> Option<Vec<f32>> {
    let element = attribute.0.is_dense_elements().then(|| types::element(attribute.r#type()))?;
    let is_float = element == types::f32(attribute.context());
    // SAFETY: it is a constant of a shaped type with such elements, of which there are so many.
    is_float.then(|| unsafe {
        let count = mlirElementsAttrGetNumElements(attribute.to_raw()).try_into().unwrap_or(0);
        (0..count).map(|at| mlirDenseElementsAttrGetFloatValue(attribute.to_raw(), at)).collect()
    })
}

/// The elements of a constant of a shaped type that are integers of 64 bits; nothing if it is no such constant.
pub fn as_whole_numbers(attribute: Attribute<'_>) -> Option<Vec<i64>> {
    let element = attribute.0.is_dense_elements().then(|| types::element(attribute.r#type()))?;
    // SAFETY: it is a constant of a shaped type with such elements, of which there are so many.
    types::is_integer(element, 64).then(|| unsafe {
        let count = mlirElementsAttrGetNumElements(attribute.to_raw()).try_into().unwrap_or(0);
        (0..count).map(|at| mlirDenseElementsAttrGetInt64Value(attribute.to_raw(), at)).collect()
    })
}

/// The elements of a constant of a shaped type that are truth values; nothing if it is no such constant.
pub fn as_truths(attribute: Attribute<'_>) -> Option<Vec<bool>> {
    let element = attribute.0.is_dense_elements().then(|| types::element(attribute.r#type()))?;
    // SAFETY: it is a constant of a shaped type with such elements, of which there are so many.
    types::is_integer(element, 1).then(|| unsafe {
        let count = mlirElementsAttrGetNumElements(attribute.to_raw()).try_into().unwrap_or(0);
        (0..count).map(|at| mlirDenseElementsAttrGetBoolValue(attribute.to_raw(), at)).collect()
    })
}

/// The kinds of the dimensions of a structured operation, as `iterator_types` has them: reduced or parallel.
pub fn iterator_types<'c>(context: &'c Context, reduced: &[bool]) -> Attribute<'c> {
    // SAFETY: the context is valid, and knows the dialect, as contexts of a registry do.
    let kind = |&reduced: &bool| unsafe { Attribute::from_raw(ffi::skndIteratorType(context.to_raw(), reduced)) };
    array(context, &reduced.iter().map(kind).collect::<Vec<_>>())
}

/// Which dimensions of a structured operation are reduced, from its `iterator_types`.
pub fn as_reduced(attribute: Attribute<'_>) -> Option<Vec<bool>> {
    // SAFETY: elements are valid attributes.
    let reduced = |kind: Attribute<'_>| unsafe { ffi::skndIsReductionIterator(kind.to_raw()) };
    Some(as_array(attribute)?.into_iter().map(reduced).collect())
}

/// A constant of a static shaped type with these elements; nothing if their number is another, or if they are not of the
/// element's type.
pub fn elements<'c>(r#type: Type<'c>, elements: &[Attribute<'c>]) -> Option<Attribute<'c>> {
    let shape: Option<Vec<u64>> = types::shape(r#type)?.into_iter().collect();
    let count = shape?.into_iter().try_fold(1u64, u64::checked_mul)?;
    let kind = types::element(r#type);
    let fits = |element: &Attribute<'c>| (element.is_integer() || element.is_float()) && element.r#type() == kind;
    let good = count == elements.len() as u64 && elements.iter().all(fits);
    good.then(|| DenseElementsAttribute::new(r#type.0, &raw(elements)).ok().map(|made| Attribute(made.into())))
        .flatten()
}

/// Parses an attribute; nothing if it is none. Nothing is reported.
pub fn parse<'c>(context: &'c Context, text: &str) -> Option<Attribute<'c>> {
    super::capture(context, || melior::ir::Attribute::parse(&context.0, text)).0.map(Attribute)
}

/// The value of an integer, index or boolean attribute of at most 64 bits, sign-extended.
pub fn as_integer(attribute: Attribute<'_>) -> Option<i64> {
    if attribute.0.is_bool() {
        return as_bool(attribute).map(i64::from);
    }
    let narrow = attribute.is_integer() && types::width(attribute.r#type()).is_none_or(|width| width <= 64);
    // SAFETY: it is an integer that fits.
    narrow.then(|| unsafe { ffi::skndIntegerAttributeValue(attribute.to_raw()) })
}

/// The value of a floating-point attribute.
pub fn as_real(attribute: Attribute<'_>) -> Option<f64> {
    // SAFETY: it is a floating-point attribute.
    attribute.is_float().then(|| unsafe { mlirFloatAttrGetValueDouble(attribute.to_raw()) })
}

/// The value of a boolean attribute.
pub fn as_bool(attribute: Attribute<'_>) -> Option<bool> {
    // SAFETY: it is a boolean attribute.
    attribute.0.is_bool().then(|| unsafe { mlirBoolAttrGetValue(attribute.to_raw()) })
}

/// The value of a string attribute; nothing if it is none or not UTF-8.
pub fn as_string(attribute: Attribute<'_>) -> Option<&str> {
    // SAFETY: it is a string attribute, whose text is interned in the context.
    attribute
        .is_string()
        .then(|| unsafe { ffi::bytes_from(mlirStringAttrGetValue(attribute.to_raw())) })
        .and_then(|bytes| std::str::from_utf8(bytes).ok())
}

/// The name in a reference to a symbol without nesting.
pub fn as_symbol(attribute: Attribute<'_>) -> Option<&str> {
    // SAFETY: it is a flat symbol reference, whose name is interned in the context.
    attribute
        .0
        .is_flat_symbol_ref()
        .then(|| unsafe { ffi::bytes_from(mlirFlatSymbolRefAttrGetValue(attribute.to_raw())) })
        .and_then(|bytes| std::str::from_utf8(bytes).ok())
}

/// The type in a type attribute.
pub fn as_type(attribute: Attribute<'_>) -> Option<Type<'_>> {
    let r#type = attribute.0.is_type().then(|| TypeAttribute::try_from(attribute.0).ok())??;
    Some(Type(r#type.value()))
}

/// The elements of an array attribute.
pub fn as_array(attribute: Attribute<'_>) -> Option<Vec<Attribute<'_>>> {
    // melior's conversion to an array attribute asks for a dense array instead.
    attribute.0.is_array().then(|| {
        // SAFETY: it is an array, and the indices are within it.
        let count = unsafe { mlir_sys::mlirArrayAttrGetNumElements(attribute.to_raw()) };
        let element = |index| unsafe { mlir_sys::mlirArrayAttrGetElement(attribute.to_raw(), index) };
        // SAFETY: elements are valid attributes of the same context.
        (0..count).map(|index| unsafe { Attribute::from_raw(element(index)) }).collect()
    })
}

/// The elements of a dense array of 32- or 64-bit integers, or of an array of integers.
pub fn as_integers(attribute: Attribute<'_>) -> Option<Vec<i64>> {
    if attribute.0.is_dense_i64_array() {
        let dense = DenseI64ArrayAttribute::try_from(attribute.0).ok()?;
        return (0..dense.len()).map(|index| dense.element(index).ok()).collect();
    }
    if attribute.0.is_dense_i32_array() {
        // SAFETY: it is such an array, and the index is within it.
        let element = |index| i64::from(unsafe { mlirDenseI32ArrayGetElement(attribute.to_raw(), index) });
        return Some((0..dense_len(attribute)).map(element).collect());
    }
    as_array(attribute)?.into_iter().map(as_integer).collect()
}

/// The elements of a dense array of 64-bit floating-point numbers, or of an array of such attributes.
pub fn as_reals(attribute: Attribute<'_>) -> Option<Vec<f64>> {
    if attribute.0.is_dense_f64_array() {
        // SAFETY: it is such an array, and the index is within it.
        let element = |index| unsafe { mlirDenseF64ArrayGetElement(attribute.to_raw(), index) };
        return Some((0..dense_len(attribute)).map(element).collect());
    }
    as_array(attribute)?.into_iter().map(as_real).collect()
}

/// The elements of a dense array of booleans, or of an array of booleans.
pub fn as_booleans(attribute: Attribute<'_>) -> Option<Vec<bool>> {
    if attribute.0.is_dense_bool_array() {
        // SAFETY: it is such an array, and the index is within it.
        let element = |index| unsafe { mlirDenseBoolArrayGetElement(attribute.to_raw(), index) };
        return Some((0..dense_len(attribute)).map(element).collect());
    }
    as_array(attribute)?.into_iter().map(as_bool).collect()
}

/// The elements of an array of strings.
pub fn as_strings(attribute: Attribute<'_>) -> Option<Vec<&str>> {
    as_array(attribute)?.into_iter().map(as_string).collect()
}

/// The entries of a dictionary, sorted by name.
pub fn as_dictionary(attribute: Attribute<'_>) -> Option<Vec<(&str, Attribute<'_>)>> {
    if !attribute.0.is_dictionary() {
        return None;
    }
    let entry = |index| {
        // SAFETY: it is a dictionary, the index is within it, and names are interned in the context.
        unsafe {
            let entry = mlirDictionaryAttrGetElement(attribute.to_raw(), index);
            (ffi::str_from(mlir_sys::mlirIdentifierStr(entry.name)), Attribute::from_raw(entry.attribute))
        }
    };
    // SAFETY: it is a dictionary.
    let count = unsafe { mlirDictionaryAttrGetNumElements(attribute.to_raw()) };
    Some((0..count).map(entry).collect())
}

fn raw<'c>(attributes: &[Attribute<'c>]) -> Vec<melior::ir::Attribute<'c>> {
    attributes.iter().map(|attribute| attribute.0).collect()
}

fn dense_len(attribute: Attribute<'_>) -> isize {
    // SAFETY: callers have a dense array.
    unsafe { mlirDenseArrayGetNumElements(attribute.to_raw()) }
}
/// A ranked tensor type with an encoding, which says more of it; nothing if tensors have no such elements.
pub fn encoded_tensor<'c>(element: Type<'c>, shape: &[types::Extent], encoding: Attribute<'c>) -> Option<Type<'c>> {
    let extents = types::raw_extents(shape);
    types::is_element(element).then(|| Type(RankedTensorType::new(&extents, element.0, Some(encoding.0)).into()))
}

/// What a tensor type says besides shape and elements.
pub fn encoding<'c>(r#type: Type<'c>) -> Option<Attribute<'c>> {
    let tensor = types::is_ranked_tensor(r#type).then(|| RankedTensorType::try_from(r#type.0).ok())??;
    tensor.encoding().map(Attribute)
}

/// In which memory a memref is; nothing for other types, and where nothing is said of it.
pub fn memory_space(r#type: Type<'_>) -> Option<Attribute<'_>> {
    if !r#type.is_mem_ref() {
        return None;
    }
    // SAFETY: it is a memref type.
    unsafe { Attribute::from_option_raw(mlirMemRefTypeGetMemorySpace(r#type.to_raw())) }
}

/// The memref type in another memory, or in that of which nothing is said; nothing for other types.
pub fn in_memory_space<'c>(r#type: Type<'c>, space: Option<Attribute<'c>>) -> Option<Type<'c>> {
    if !r#type.is_mem_ref() {
        return None;
    }
    let extents: Vec<i64> =
        types::raw_extents(&types::shape(r#type)?).into_iter().map(|extent| extent as i64).collect();
    // SAFETY: it is a memref type.
    let layout = unsafe { melior::ir::Attribute::from_raw(mlirMemRefTypeGetLayout(r#type.to_raw())) };
    let element = types::element(r#type);
    Some(Type(MemRefType::new(element.0, &extents, Some(layout), space.map(|space| space.0)).into()))
}
