//! Making and reading types.

use std::fmt;

use melior::ir::r#type::{DimSize, FunctionType, IntegerType, MemRefType, RankedTensorType, TupleType};
use melior::ir::{ShapedTypeLike, TypeLike};
use mlir_sys::{
    MlirType, mlirMemRefTypeGetStridesAndOffset, mlirQuantizedTypeGetStorageTypeIntegralWidth,
    mlirQuantizedTypeGetStorageTypeMax, mlirQuantizedTypeGetStorageTypeMin, mlirQuantizedTypeIsSigned,
    mlirStridedLayoutAttrGet, mlirTypeIsAUniformQuantizedPerAxisType, mlirTypeIsAUniformQuantizedType,
    mlirUniformQuantizedPerAxisTypeGetNumDims, mlirUniformQuantizedPerAxisTypeGetQuantizedDimension,
    mlirUniformQuantizedPerAxisTypeGetScale, mlirUniformQuantizedPerAxisTypeGetZeroPoint,
    mlirUniformQuantizedTypeGetScale, mlirUniformQuantizedTypeGetZeroPoint, mlirVectorTypeGetScalable,
    mlirVectorTypeIsDimScalable,
};

use super::Context;
use super::context::context_of;

/// A stride or an offset that is not known.
pub const OPEN: i64 = i64::MIN;

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Type<'c>(pub(crate) melior::ir::Type<'c>);

impl<'c> Type<'c> {
    /// The context.
    pub fn context(&self) -> &'c Context {
        context_of(self.0.context())
    }

    /// Whether it is a floating-point type.
    pub fn is_float(&self) -> bool {
        self.0.is_float()
    }

    /// Whether it is an integer type; `index` is none.
    pub fn is_integer(&self) -> bool {
        self.0.is_integer()
    }

    /// Whether it is `index`.
    pub fn is_index(&self) -> bool {
        self.0.is_index()
    }

    /// Whether it is a vector.
    pub fn is_vector(&self) -> bool {
        self.0.is_vector()
    }

    /// Whether it is a memref with a rank.
    pub fn is_mem_ref(&self) -> bool {
        self.0.is_mem_ref()
    }

    /// Whether it is a tensor with a rank.
    pub fn is_ranked_tensor(&self) -> bool {
        self.0.is_ranked_tensor()
    }

    /// Whether it is a function type.
    pub fn is_function(&self) -> bool {
        self.0.is_function()
    }

    pub(crate) fn to_raw(self) -> MlirType {
        self.0.to_raw()
    }

    /// # Safety
    ///
    /// The type must be valid, and its context live as long as the chosen lifetime.
    pub(crate) unsafe fn from_raw(raw: MlirType) -> Self {
        // SAFETY: as the caller promises.
        Self(unsafe { melior::ir::Type::from_raw(raw) })
    }
}

impl fmt::Display for Type<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// The extent of a dimension; none if it is dynamic.
pub type Extent = Option<u64>;

/// `f32`
pub fn f32(context: &Context) -> Type<'_> {
    Type(melior::ir::Type::float32(&context.0))
}

/// `f16`
pub fn f16(context: &Context) -> Type<'_> {
    Type(melior::ir::Type::float16(&context.0))
}

/// `bf16`
pub fn bf16(context: &Context) -> Type<'_> {
    Type(melior::ir::Type::bfloat16(&context.0))
}

/// `f64`
pub fn f64(context: &Context) -> Type<'_> {
    Type(melior::ir::Type::float64(&context.0))
}

/// A signless integer type.
pub fn integer(context: &Context, width: u32) -> Type<'_> {
    Type(IntegerType::new(&context.0, width).into())
}

/// `index`
pub fn index(context: &Context) -> Type<'_> {
    Type(melior::ir::Type::index(&context.0))
}

/// A ranked tensor type; nothing if tensors have no such elements.
pub fn tensor<'c>(element: Type<'c>, shape: &[Extent]) -> Option<Type<'c>> {
    let extents = raw_extents(shape);
    is_element(element).then(|| Type(RankedTensorType::new(&extents, element.0, None).into()))
}

/// A memref type with the identity layout; nothing if memrefs have no such elements.
pub fn memref<'c>(element: Type<'c>, shape: &[Extent]) -> Option<Type<'c>> {
    let extents: Vec<i64> = raw_extents(shape).into_iter().map(|extent| extent as i64).collect();
    is_element(element).then(|| Type(MemRefType::new(element.0, &extents, None, None).into()))
}

/// How many lanes a vector has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Width {
    /// So many, or
    pub lanes: i64,
    /// that many times a number that only the processor knows.
    pub is_scalable: bool,
}

impl Width {
    /// A single element.
    pub const ONE: Width = Width { lanes: 1, is_scalable: false };
}

impl From<i64> for Width {
    fn from(lanes: i64) -> Self {
        Width { lanes, is_scalable: false }
    }
}

/// A vector type of one dimension; for one lane, the element's type.
pub fn lanes<'c>(element: Type<'c>, width: impl Into<Width>) -> Type<'c> {
    let Width { lanes, is_scalable } = width.into();
    match u64::try_from(lanes) {
        Ok(_) if is_scalable => scalable(element, &[lanes], &[true]),
        Ok(lanes) if lanes > 1 => vector(element, &[lanes]),
        _ => element,
    }
}

fn scalable<'c>(element: Type<'c>, shape: &[i64], is_scalable: &[bool]) -> Type<'c> {
    // SAFETY: both have as many items.
    unsafe {
        let rank = shape.len().min(is_scalable.len()) as isize;
        Type::from_raw(mlirVectorTypeGetScalable(rank, shape.as_ptr(), is_scalable.as_ptr(), element.to_raw()))
    }
}

/// A vector type.
pub fn vector<'c>(element: Type<'c>, shape: &[u64]) -> Type<'c> {
    Type(melior::ir::Type::vector(shape, element.0))
}

/// The vector type with the lanes of another, scalable or not, and other elements; nothing if that is no vector.
pub fn with_lanes_of<'c>(vector: Type<'c>, element: Type<'c>) -> Option<Type<'c>> {
    let shape: Vec<i64> =
        shape(vector).filter(|_| vector.is_vector())?.into_iter().flatten().map(|n| n as i64).collect();
    let is_scalable = |dim: usize| {
        // SAFETY: it is a vector type of that rank.
        unsafe { mlirVectorTypeIsDimScalable(vector.to_raw(), dim as isize) }
    };
    let is_scalable: Vec<bool> = (0..shape.len()).map(is_scalable).collect();
    is_element(element).then(|| scalable(element, &shape, &is_scalable))
}

/// `none`
pub fn none(context: &Context) -> Type<'_> {
    Type(melior::ir::Type::none(&context.0))
}

/// A memref type of static extents with strides and an offset; nothing if memrefs have no such elements.
pub fn strided_memref<'c>(element: Type<'c>, shape: &[i64], strides: &[i64], offset: i64) -> Option<Type<'c>> {
    let extents: Option<Vec<Extent>> = shape.iter().map(|&extent| u64::try_from(extent).ok().map(Some)).collect();
    strided(element, &extents?, strides, offset)
}

/// The same where extents may be open; strides and the offset are [`OPEN`] where they are not known.
pub fn strided<'c>(element: Type<'c>, shape: &[Extent], strides: &[i64], offset: i64) -> Option<Type<'c>> {
    if !is_element(element) || shape.len() != strides.len() {
        return None;
    }
    // SAFETY: the context of the element is valid, and the strides are copied.
    let layout = unsafe {
        let context = element.context().to_raw();
        melior::ir::Attribute::from_raw(mlirStridedLayoutAttrGet(
            context,
            offset,
            strides.len() as isize,
            strides.as_ptr(),
        ))
    };
    let extents: Vec<i64> = raw_extents(shape).into_iter().map(|extent| extent as i64).collect();
    Some(Type(MemRefType::new(element.0, &extents, Some(layout), None).into()))
}

/// Strides and offset of a memref, in elements; nothing for other types, layouts that have none, and where one of them is
/// not static.
pub fn strides(r#type: Type<'_>) -> Option<(Vec<i64>, i64)> {
    strides_with_open_offset(r#type).filter(|(_, offset)| *offset != OPEN)
}

/// The same where the offset may be [`OPEN`].
pub fn strides_with_open_offset(r#type: Type<'_>) -> Option<(Vec<i64>, i64)> {
    open_strides(r#type).filter(|(strides, _)| !strides.contains(&OPEN))
}

/// The same where strides may be [`OPEN`], too.
pub fn open_strides(r#type: Type<'_>) -> Option<(Vec<i64>, i64)> {
    if !r#type.is_mem_ref() {
        return None;
    }
    let mut strides = vec![0; rank(r#type)?];
    let mut offset = 0;
    // SAFETY: it is a memref type, and there is a place for each stride.
    let known = unsafe { mlirMemRefTypeGetStridesAndOffset(r#type.to_raw(), strides.as_mut_ptr(), &raw mut offset) };
    (known.value != 0).then_some((strides, offset))
}

/// A function type.
pub fn function<'c>(context: &'c Context, inputs: &[Type<'c>], results: &[Type<'c>]) -> Type<'c> {
    Type(FunctionType::new(&context.0, &raw_types(inputs), &raw_types(results)).into())
}

/// A tuple type.
pub fn tuple<'c>(context: &'c Context, types: &[Type<'c>]) -> Type<'c> {
    Type(TupleType::new(&context.0, &raw_types(types)).into())
}

/// The shape of a ranked tensor, memref or vector.
pub fn shape(r#type: Type<'_>) -> Option<Vec<Extent>> {
    let shaped = Shaped::new(r#type)?;
    shaped.has_rank().then(|| shaped.extents())
}

/// The element type of a tensor, memref or vector; other types are their own.
pub fn element(r#type: Type<'_>) -> Type<'_> {
    Shaped::new(r#type).map_or(r#type, |shaped| Type(shaped.element()))
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
        return Some(r#type.0.float_width());
    }
    as_integer(r#type).map(|integer| integer.width())
}

/// Whether it is an integer type of that width.
pub fn is_integer(r#type: Type<'_>, width: u32) -> bool {
    as_integer(r#type).is_some_and(|integer| integer.width() == width)
}

/// Whether it is an integer type that has a value: one without signs has those of both signs.
pub fn holds(r#type: Type<'_>, value: i64) -> bool {
    let Some(integer) = as_integer(r#type) else { return false };
    let width = integer.width();
    let beyond = 1i128 << width.min(64);
    let least = if integer.is_unsigned() { 0 } else { -(beyond / 2) };
    let beyond = if integer.is_signed() { beyond / 2 } else { beyond };
    // Wider ones than 64 bits are given 64 of them.
    width >= 64 || (least..beyond).contains(&i128::from(value))
}

/// Asks before converting: a conversion that fails prints the type for its error.
fn as_integer(r#type: Type<'_>) -> Option<IntegerType<'_>> {
    r#type.0.is_integer().then(|| IntegerType::try_from(r#type.0).ok())?
}

/// What the elements of a type `!quant.uniform` stand for.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantization {
    /// The dimension whose indices are quantized each on its own; none where all elements are quantized alike.
    pub axis: Option<usize>,
    /// The difference between neighbouring elements, as exact as the type has it where printing rounds it, and the element that stands for 0: of all
    /// elements, or of each index along the axis.
    pub parameters: Vec<(f64, i64)>,
    /// The width of the elements in bits.
    pub width: u32,
    /// Whether the elements are signed.
    pub is_signed: bool,
    /// The least element.
    pub least: i64,
    /// The largest element.
    pub most: i64,
}

/// The quantization of a type whose elements are quantized alike, or alike for each index along a dimension; nothing for other types.
pub fn quantization(r#type: Type<'_>) -> Option<Quantization> {
    let raw = r#type.to_raw();
    // SAFETY: the type is valid, and asked for its quantization only if it has one, of channels only where there are such.
    unsafe {
        let (axis, parameters) = if mlirTypeIsAUniformQuantizedType(raw) {
            let zero = mlirUniformQuantizedTypeGetZeroPoint(raw);
            (None, vec![(mlirUniformQuantizedTypeGetScale(raw), zero)])
        } else if mlirTypeIsAUniformQuantizedPerAxisType(raw) {
            let of = |channel| {
                let zero = mlirUniformQuantizedPerAxisTypeGetZeroPoint(raw, channel);
                (mlirUniformQuantizedPerAxisTypeGetScale(raw, channel), zero)
            };
            let axis = usize::try_from(mlirUniformQuantizedPerAxisTypeGetQuantizedDimension(raw)).ok()?;
            (Some(axis), (0..mlirUniformQuantizedPerAxisTypeGetNumDims(raw)).map(of).collect())
        } else {
            return None;
        };
        Some(Quantization {
            axis,
            parameters,
            width: mlirQuantizedTypeGetStorageTypeIntegralWidth(raw),
            is_signed: mlirQuantizedTypeIsSigned(raw),
            least: mlirQuantizedTypeGetStorageTypeMin(raw),
            most: mlirQuantizedTypeGetStorageTypeMax(raw),
        })
    }
}

/// Inputs and results of a function type.
pub fn function_parts(r#type: Type<'_>) -> Option<(Vec<Type<'_>>, Vec<Type<'_>>)> {
    let function = r#type.0.is_function().then(|| FunctionType::try_from(r#type.0).ok())??;
    let inputs = (0..function.input_count()).filter_map(|index| function.input(index).ok().map(Type)).collect();
    let results = (0..function.result_count()).filter_map(|index| function.result(index).ok().map(Type)).collect();
    Some((inputs, results))
}

/// Parses a type; nothing if it is none. Nothing is reported.
pub fn parse<'c>(context: &'c Context, text: &str) -> Option<Type<'c>> {
    super::capture(context, || melior::ir::Type::parse(&context.0, text)).0.map(Type)
}

pub(super) fn is_element(element: Type<'_>) -> bool {
    element.is_float() || element.is_integer() || element.is_index() || element.is_vector()
}

fn raw_types<'c>(types: &[Type<'c>]) -> Vec<melior::ir::Type<'c>> {
    types.iter().map(|r#type| r#type.0).collect()
}

const DYNAMIC: u64 = i64::MIN as u64;

pub(super) fn raw_extents(shape: &[Extent]) -> Vec<u64> {
    shape.iter().map(|extent| extent.map_or(DYNAMIC, |extent| extent.min(i64::MAX as u64))).collect()
}

/// A shaped type; melior has a type for each kind, but the questions are the same.
#[derive(Clone, Copy)]
struct Shaped<'c>(Type<'c>);

impl<'c> TypeLike<'c> for Shaped<'c> {
    fn to_raw(&self) -> MlirType {
        self.0.to_raw()
    }
}

impl<'c> ShapedTypeLike<'c> for Shaped<'c> {}

impl<'c> Shaped<'c> {
    fn new(r#type: Type<'c>) -> Option<Self> {
        r#type.0.is_shaped().then_some(Self(r#type))
    }

    fn extents(self) -> Vec<Extent> {
        let extent = |index| match self.dim_size(index) {
            Ok(DimSize::Static(extent)) => Some(extent),
            _ => None,
        };
        (0..self.rank()).map(extent).collect()
    }
}
