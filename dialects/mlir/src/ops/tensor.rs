//! The tensor dialect.

use super::{reassociation, segments};
use crate::Failure;
use crate::ir::{Attribute, Builder, Context, Type, Value, attributes, types};

/// The name of [`empty`].
pub const EMPTY: &str = "tensor.empty";

/// `tensor.empty` of a static shape.
pub fn empty<'c, 'a>(builder: &Builder<'c, 'a>, r#type: Type<'c>) -> Result<Value<'c, 'a>, Failure> {
    builder.value(EMPTY, &[], &[], r#type)
}

/// `tensor.extract`
pub fn extract<'c, 'a>(
    builder: &Builder<'c, 'a>,
    tensor: Value<'c, 'a>,
    indices: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, Failure> {
    builder.value("tensor.extract", &[&[tensor], indices].concat(), &[], types::element(tensor.r#type()))
}

/// The name of [`insert`].
pub const INSERT: &str = "tensor.insert";

/// `tensor.insert`
pub fn insert<'c, 'a>(
    builder: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
    tensor: Value<'c, 'a>,
    indices: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, Failure> {
    builder.value(INSERT, &[&[value, tensor], indices].concat(), &[], tensor.r#type())
}

/// `tensor.from_elements`
pub fn from_elements<'c, 'a>(
    builder: &Builder<'c, 'a>,
    elements: &[Value<'c, 'a>],
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, Failure> {
    builder.value("tensor.from_elements", elements, &[], r#type)
}

/// A part of a tensor, dimension by dimension.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slice {
    /// Where it begins.
    pub offsets: Vec<i64>,
    /// How many elements it has.
    pub sizes: Vec<i64>,
    /// How far they stand apart.
    pub strides: Vec<i64>,
}

impl Slice {
    fn attributes<'c>(&self, context: &'c Context) -> [(&'static str, Attribute<'c>); 3] {
        [
            ("static_offsets", attributes::integers(context, &self.offsets)),
            ("static_sizes", attributes::integers(context, &self.sizes)),
            ("static_strides", attributes::integers(context, &self.strides)),
        ]
    }
}

/// The name of [`extract_slice`].
pub const EXTRACT_SLICE: &str = "tensor.extract_slice";

/// `tensor.extract_slice`
pub fn extract_slice<'c, 'a>(
    builder: &Builder<'c, 'a>,
    tensor: Value<'c, 'a>,
    slice: &Slice,
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, Failure> {
    let [offsets, sizes, strides] = slice.attributes(builder.context());
    let attributes = [offsets, sizes, strides, segments(builder.context(), &[1, 0, 0, 0])];
    builder.value(EXTRACT_SLICE, &[tensor], &attributes, r#type)
}

/// The name of [`insert_slice`].
pub const INSERT_SLICE: &str = "tensor.insert_slice";

/// `tensor.insert_slice`
pub fn insert_slice<'c, 'a>(
    builder: &Builder<'c, 'a>,
    part: Value<'c, 'a>,
    tensor: Value<'c, 'a>,
    slice: &Slice,
) -> Result<Value<'c, 'a>, Failure> {
    let [offsets, sizes, strides] = slice.attributes(builder.context());
    let attributes = [offsets, sizes, strides, segments(builder.context(), &[1, 1, 0, 0, 0])];
    builder.value(INSERT_SLICE, &[part, tensor], &attributes, tensor.r#type())
}

/// The name of [`collapse_shape`].
pub const COLLAPSE_SHAPE: &str = "tensor.collapse_shape";

/// `tensor.collapse_shape`
pub fn collapse_shape<'c, 'a>(
    builder: &Builder<'c, 'a>,
    tensor: Value<'c, 'a>,
    groups: &[Vec<usize>],
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, Failure> {
    builder.value(COLLAPSE_SHAPE, &[tensor], &[reassociation(builder.context(), groups)], r#type)
}

/// The name of [`expand_shape`].
pub const EXPAND_SHAPE: &str = "tensor.expand_shape";

/// `tensor.expand_shape` to a static shape.
pub fn expand_shape<'c, 'a>(
    builder: &Builder<'c, 'a>,
    tensor: Value<'c, 'a>,
    groups: &[Vec<usize>],
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, Failure> {
    let context = builder.context();
    let shape: Option<Vec<i64>> =
        types::shape(r#type).and_then(|shape| shape.into_iter().map(|extent| i64::try_from(extent?).ok()).collect());
    let shape = shape.ok_or_else(|| Failure::new(format!("{type} is no tensor of static shape")))?;
    let attributes = [reassociation(context, groups), ("static_output_shape", attributes::integers(context, &shape))];
    builder.value(EXPAND_SHAPE, &[tensor], &attributes, r#type)
}

/// The name of [`pad`].
pub const PAD: &str = "tensor.pad";

/// The name of what ends the body of [`pad`].
pub const YIELD: &str = "tensor.yield";

/// `tensor.pad` with one value, by so many elements on each side of each dimension.
pub fn pad<'c, 'a>(
    builder: &Builder<'c, 'a>,
    tensor: Value<'c, 'a>,
    padding: &[(i64, i64)],
    fill: Value<'c, 'a>,
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, Failure> {
    let context = builder.context();
    let (low, high): (Vec<i64>, Vec<i64>) = padding.iter().copied().unzip();
    let attributes = [
        ("static_low", attributes::integers(context, &low)),
        ("static_high", attributes::integers(context, &high)),
        segments(context, &[1, 0, 0]),
    ];
    let arguments = vec![types::index(context); padding.len()];
    let pad = builder.with_body(PAD, &[tensor], &attributes, &[r#type], &arguments)?;
    pad.builder.operation(YIELD, &[fill], &[], &[])?;
    pad.operation.result(0)
}

names! {
    CAST = "tensor.cast";
}
