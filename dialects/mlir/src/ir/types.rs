//! Making and reading types.

use melior::Context;
use melior::ir::r#type::{FunctionType, IntegerType, MemRefType, RankedTensorType, TupleType};
use melior::ir::{Attribute, ShapedTypeLike, Type, TypeLike};
use mlir_sys::{mlirMemRefTypeGetStridesAndOffset, mlirStridedLayoutAttrGet};

use super::InContext;

/// The extent of a dimension; none if it is dynamic.
pub type Extent = Option<u64>;

/// `f32`
pub fn f32(context: &Context) -> Type<'_> {
    Type::float32(context)
}

/// `f64`
pub fn f64(context: &Context) -> Type<'_> {
    Type::float64(context)
}

/// A signless integer type.
pub fn integer(context: &Context, width: u32) -> Type<'_> {
    IntegerType::new(context, width).into()
}

/// `index`
pub fn index(context: &Context) -> Type<'_> {
    Type::index(context)
}

/// A ranked tensor type; nothing if tensors have no such elements.
pub fn tensor<'c>(element: Type<'c>, shape: &[Extent]) -> Option<Type<'c>> {
    let extents = raw_extents(shape);
    is_element(element).then(|| RankedTensorType::new(&extents, element, None).into())
}

/// A memref type with the identity layout; nothing if memrefs have no such elements.
pub fn memref<'c>(element: Type<'c>, shape: &[Extent]) -> Option<Type<'c>> {
    let extents: Vec<i64> = raw_extents(shape).into_iter().map(|extent| extent as i64).collect();
    is_element(element).then(|| MemRefType::new(element, &extents, None, None).into())
}

/// A vector type of one dimension; for one lane, the element's type.
pub fn lanes(element: Type<'_>, lanes: i64) -> Type<'_> {
    match u64::try_from(lanes) {
        Ok(lanes) if lanes > 1 => Type::vector(&[lanes], element),
        _ => element,
    }
}

/// A memref type of static extents with strides and an offset; nothing if memrefs have no such elements.
pub fn strided_memref<'c>(element: Type<'c>, shape: &[i64], strides: &[i64], offset: i64) -> Option<Type<'c>> {
    if !is_element(element) || shape.len() != strides.len() || shape.iter().any(|&extent| extent < 0) {
        return None;
    }
    // SAFETY: the context of the element is valid, and the strides are copied.
    let layout = unsafe {
        let context = element.in_context().to_raw();
        Attribute::from_raw(mlirStridedLayoutAttrGet(context, offset, strides.len() as isize, strides.as_ptr()))
    };
    Some(MemRefType::new(element, shape, Some(layout), None).into())
}

/// Strides and offset of a memref, in elements; nothing for other types, layouts that have none, and where one of them is
/// not static.
pub fn strides(r#type: Type<'_>) -> Option<(Vec<i64>, i64)> {
    if !r#type.is_mem_ref() {
        return None;
    }
    let mut strides = vec![0; rank(r#type)?];
    let mut offset = 0;
    // SAFETY: it is a memref type, and there is a place for each stride.
    let known = unsafe { mlirMemRefTypeGetStridesAndOffset(r#type.to_raw(), strides.as_mut_ptr(), &raw mut offset) };
    let fixed = |&value: &i64| value != i64::MIN;
    (known.value != 0 && strides.iter().chain([&offset]).all(fixed)).then_some((strides, offset))
}

/// A function type.
pub fn function<'c>(context: &'c Context, inputs: &[Type<'c>], results: &[Type<'c>]) -> Type<'c> {
    FunctionType::new(context, inputs, results).into()
}

/// A tuple type.
pub fn tuple<'c>(context: &'c Context, types: &[Type<'c>]) -> Type<'c> {
    TupleType::new(context, types).into()
}

/// The shape of a ranked tensor, memref or vector.
pub fn shape(r#type: Type<'_>) -> Option<Vec<Extent>> {
    let shaped = Shaped::new(r#type)?;
    shaped.has_rank().then(|| shaped.extents())
}

/// The element type of a tensor, memref or vector; other types are their own.
pub fn element(r#type: Type<'_>) -> Type<'_> {
    Shaped::new(r#type).map_or(r#type, |shaped| shaped.element())
}

/// The rank of a ranked tensor, memref or vector.
pub fn rank(r#type: Type<'_>) -> Option<usize> {
    shape(r#type).map(|shape| shape.len())
}

/// Whether it is a ranked tensor.
pub fn is_ranked_tensor(r#type: Type<'_>) -> bool {
    r#type.is_ranked_tensor()
}

/// The width of an integer or floating-point type.
pub fn width(r#type: Type<'_>) -> Option<u32> {
    if r#type.is_float() {
        return Some(r#type.float_width());
    }
    IntegerType::try_from(r#type).ok().map(|integer| integer.width())
}

/// Whether it is an integer type of that width.
pub fn is_integer(r#type: Type<'_>, width: u32) -> bool {
    IntegerType::try_from(r#type).is_ok_and(|integer| integer.width() == width)
}

/// Inputs and results of a function type.
pub fn function_parts(r#type: Type<'_>) -> Option<(Vec<Type<'_>>, Vec<Type<'_>>)> {
    let function = FunctionType::try_from(r#type).ok()?;
    let inputs = (0..function.input_count()).filter_map(|index| function.input(index).ok()).collect();
    let results = (0..function.result_count()).filter_map(|index| function.result(index).ok()).collect();
    Some((inputs, results))
}

/// Parses a type; nothing if it is none. Nothing is reported.
pub fn parse<'c>(context: &'c Context, text: &str) -> Option<Type<'c>> {
    crate::diagnostics::capture(context, || Type::parse(context, text)).0
}

fn is_element(element: Type<'_>) -> bool {
    let _ = element.in_context();
    element.is_float() || element.is_integer() || element.is_index() || element.is_vector()
}

const DYNAMIC: u64 = i64::MIN as u64;

fn raw_extents(shape: &[Extent]) -> Vec<u64> {
    shape.iter().map(|extent| extent.map_or(DYNAMIC, |extent| extent.min(i64::MAX as u64))).collect()
}

/// A shaped type; melior has a type for each kind, but the questions are the same.
#[derive(Clone, Copy)]
struct Shaped<'c>(Type<'c>);

impl<'c> TypeLike<'c> for Shaped<'c> {
    fn to_raw(&self) -> mlir_sys::MlirType {
        self.0.to_raw()
    }
}

impl<'c> ShapedTypeLike<'c> for Shaped<'c> {}

impl<'c> Shaped<'c> {
    fn new(r#type: Type<'c>) -> Option<Self> {
        r#type.is_shaped().then_some(Self(r#type))
    }

    fn extents(self) -> Vec<Extent> {
        use melior::ir::r#type::DimSize;
        let extent = |index| match self.dim_size(index) {
            Ok(DimSize::Static(extent)) => Some(extent),
            _ => None,
        };
        (0..self.rank()).map(extent).collect()
    }
}
