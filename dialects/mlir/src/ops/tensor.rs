//! The tensor dialect.

use super::{Size, reassociation, segments};
use crate::Failure;
use crate::ir::{Builder, OperationRef, Type, Value, attributes, types};

/// The name of [`empty`].
pub const EMPTY: &str = "tensor.empty";

/// `tensor.empty`, with the extents that the type leaves open.
pub fn empty<'c, 'a>(
    builder: &Builder<'c, 'a>,
    r#type: Type<'c>,
    open: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, Failure> {
    builder.value(EMPTY, open, &[], r#type)
}

/// The name of [`dim`].
pub const DIM: &str = "tensor.dim";

/// `tensor.dim`
pub fn dim<'c, 'a>(
    builder: &Builder<'c, 'a>,
    tensor: Value<'c, 'a>,
    dimension: usize,
) -> Result<Value<'c, 'a>, Failure> {
    let dimension = builder.index(dimension as i64)?;
    builder.value(DIM, &[tensor, dimension], &[], types::index(builder.context()))
}

/// The name of [`extract`].
pub const EXTRACT: &str = "tensor.extract";

/// `tensor.extract`
pub fn extract<'c, 'a>(
    builder: &Builder<'c, 'a>,
    tensor: Value<'c, 'a>,
    indices: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, Failure> {
    builder.value(EXTRACT, &[&[tensor], indices].concat(), &[], types::element(tensor.r#type()))
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

/// The name of [`from_elements`].
pub const FROM_ELEMENTS: &str = "tensor.from_elements";

/// `tensor.from_elements`
pub fn from_elements<'c, 'a>(
    builder: &Builder<'c, 'a>,
    elements: &[Value<'c, 'a>],
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, Failure> {
    builder.value(FROM_ELEMENTS, elements, &[], r#type)
}

/// A part of a tensor, dimension by dimension.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slice<'c, 'a> {
    /// Where it begins.
    pub offsets: Vec<Size<'c, 'a>>,
    /// How many elements it has.
    pub sizes: Vec<Size<'c, 'a>>,
    /// How far they stand apart.
    pub strides: Vec<i64>,
}

impl<'c, 'a> Slice<'c, 'a> {
    /// An operation on the slice: of `tensors` first.
    fn operation(
        &self,
        name: &str,
        builder: &Builder<'c, 'a>,
        tensors: &[Value<'c, 'a>],
        r#type: Type<'c>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let context = builder.context();
        let (known_offsets, offsets) = Size::split(&self.offsets);
        let (known_sizes, sizes) = Size::split(&self.sizes);
        let counts = [vec![1; tensors.len()], vec![offsets.len(), sizes.len(), 0]].concat();
        let attributes = [
            ("static_offsets", attributes::integers(context, &known_offsets)),
            ("static_sizes", attributes::integers(context, &known_sizes)),
            ("static_strides", attributes::integers(context, &self.strides)),
            segments(context, &counts),
        ];
        builder.value(name, &[tensors, &offsets, &sizes].concat(), &attributes, r#type)
    }
}

/// The name of [`extract_slice`].
pub const EXTRACT_SLICE: &str = "tensor.extract_slice";

/// `tensor.extract_slice`
pub fn extract_slice<'c, 'a>(
    builder: &Builder<'c, 'a>,
    tensor: Value<'c, 'a>,
    slice: &Slice<'c, 'a>,
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, Failure> {
    slice.operation(EXTRACT_SLICE, builder, &[tensor], r#type)
}

/// The name of [`insert_slice`].
pub const INSERT_SLICE: &str = "tensor.insert_slice";

/// `tensor.insert_slice`
pub fn insert_slice<'c, 'a>(
    builder: &Builder<'c, 'a>,
    part: Value<'c, 'a>,
    tensor: Value<'c, 'a>,
    slice: &Slice<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    slice.operation(INSERT_SLICE, builder, &[part, tensor], tensor.r#type())
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

/// `tensor.expand_shape` to a shape.
pub fn expand_shape<'c, 'a>(
    builder: &Builder<'c, 'a>,
    tensor: Value<'c, 'a>,
    groups: &[Vec<usize>],
    shape: &[Size<'c, 'a>],
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, Failure> {
    let context = builder.context();
    let (known, open) = Size::split(shape);
    let attributes = [reassociation(context, groups), ("static_output_shape", attributes::integers(context, &known))];
    builder.value(EXPAND_SHAPE, &[&[tensor], open.as_slice()].concat(), &attributes, r#type)
}

/// The name of [`pad`].
pub const PAD: &str = "tensor.pad";

/// The name of what ends the body of [`pad`].
pub const YIELD: &str = "tensor.yield";

/// `tensor.pad` with one value, by so many elements on each side of each dimension.
pub fn pad<'c, 'a>(
    builder: &Builder<'c, 'a>,
    tensor: Value<'c, 'a>,
    padding: &[(Size<'c, 'a>, Size<'c, 'a>)],
    fill: Value<'c, 'a>,
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, Failure> {
    let context = builder.context();
    let (low, high): (Vec<_>, Vec<_>) = padding.iter().copied().unzip();
    let ((known_low, low), (known_high, high)) = (Size::split(&low), Size::split(&high));
    let attributes = [
        ("static_low", attributes::integers(context, &known_low)),
        ("static_high", attributes::integers(context, &known_high)),
        segments(context, &[1, low.len(), high.len()]),
    ];
    let arguments = vec![types::index(context); padding.len()];
    let operands = [&[tensor], low.as_slice(), high.as_slice()].concat();
    let pad = builder.with_body(PAD, &operands, &attributes, &[r#type], &arguments)?;
    pad.builder.operation(YIELD, &[fill], &[], &[])?;
    pad.operation.result(0)
}

/// How many elements a [`pad`] adds before and behind each dimension; none of other operations.
pub fn padding<'c: 'a, 'a>(pad: OperationRef<'c, 'a>) -> Option<[Vec<Size<'c, 'a>>; 2]> {
    let mut computed = pad.operands().skip(1);
    let mut side = |name| {
        let sizes = pad.get_integers(name)?.into_iter().map(|padding| match padding {
            types::OPEN => computed.next().map(Size::Value),
            _ => Some(Size::Known(padding)),
        });
        sizes.collect::<Option<Vec<_>>>()
    };
    Some([side("static_low")?, side("static_high")?])
}

conversion! {
    cast CAST = "tensor.cast";
}
