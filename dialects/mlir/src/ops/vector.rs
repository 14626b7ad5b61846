//! The vector dialect.

use crate::Failure;
use crate::ir::types::Width;
use crate::ir::{Attribute, Builder, Type, Value, attributes, types};

conversion! {
    bitcast = "vector.bitcast";
    broadcast BROADCAST = "vector.broadcast";
}

/// `vector.extract` of one lane.
pub fn extract<'c, 'a>(builder: &Builder<'c, 'a>, vector: Value<'c, 'a>, lane: i64) -> Result<Value<'c, 'a>, Failure> {
    let place = [("static_position", attributes::integers(builder.context(), &[lane]))];
    builder.value("vector.extract", &[vector], &place, types::element(vector.r#type()))
}

/// `vector.insert` of one lane.
pub fn insert<'c, 'a>(
    builder: &Builder<'c, 'a>,
    lane: Value<'c, 'a>,
    vector: Value<'c, 'a>,
    place: i64,
) -> Result<Value<'c, 'a>, Failure> {
    let place = [("static_position", attributes::integers(builder.context(), &[place]))];
    builder.value("vector.insert", &[lane, vector], &place, vector.r#type())
}

/// `vector.extract_strided_slice` of lanes beside each other.
pub fn slice<'c, 'a>(
    builder: &Builder<'c, 'a>,
    vector: Value<'c, 'a>,
    first: i64,
    lanes: i64,
) -> Result<Value<'c, 'a>, Failure> {
    let context = builder.context();
    let [first, sizes, strides] =
        [first, lanes, 1].map(|value| attributes::array(context, &[attributes::integer(context, value)]));
    let kind = types::vector(types::element(vector.r#type()), &[lanes.unsigned_abs()]);
    builder.value(
        "vector.extract_strided_slice",
        &[vector],
        &[("offsets", first), ("sizes", sizes), ("strides", strides)],
        kind,
    )
}

/// `vector.insert_strided_slice` of lanes beside each other.
pub fn insert_slice<'c, 'a>(
    builder: &Builder<'c, 'a>,
    lanes: Value<'c, 'a>,
    vector: Value<'c, 'a>,
    first: i64,
) -> Result<Value<'c, 'a>, Failure> {
    let context = builder.context();
    let [first, strides] = [first, 1].map(|value| attributes::array(context, &[attributes::integer(context, value)]));
    builder.value(
        "vector.insert_strided_slice",
        &[lanes, vector],
        &[("offsets", first), ("strides", strides)],
        vector.r#type(),
    )
}

/// `vector.load` from an address in memory of one dimension, of an alignment in bytes where more is known of it than that it is
/// aligned as an element.
pub fn load<'c, 'a>(
    builder: &Builder<'c, 'a>,
    (memory, address): (Value<'c, 'a>, Value<'c, 'a>),
    r#type: Type<'c>,
    alignment: Option<i64>,
) -> Result<Value<'c, 'a>, Failure> {
    builder.value("vector.load", &[memory, address], &aligned(builder, alignment), r#type)
}

fn aligned<'c>(builder: &Builder<'c, '_>, alignment: Option<i64>) -> Vec<(&'static str, Attribute<'c>)> {
    alignment.map(|bytes| ("alignment", attributes::integer(builder.context(), bytes))).into_iter().collect()
}

/// `vector.store` to such an address.
pub fn store<'c, 'a>(
    builder: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
    (memory, address): (Value<'c, 'a>, Value<'c, 'a>),
    alignment: Option<i64>,
) -> Result<(), Failure> {
    builder.operation("vector.store", &[value, memory, address], &aligned(builder, alignment), &[]).map(drop)
}

/// `vector.create_mask` of one dimension: the first lanes are set, so many.
pub fn create_mask<'c, 'a>(
    builder: &Builder<'c, 'a>,
    set: Value<'c, 'a>,
    width: impl Into<Width>,
) -> Result<Value<'c, 'a>, Failure> {
    let r#type = types::lanes(types::integer(builder.context(), 1), width);
    builder.value("vector.create_mask", &[set], &[], r#type)
}

/// `vector.maskedload` from such an address; lanes that are not set are those of `other`.
pub fn masked_load<'c, 'a>(
    builder: &Builder<'c, 'a>,
    (memory, address): (Value<'c, 'a>, Value<'c, 'a>),
    (mask, other): (Value<'c, 'a>, Value<'c, 'a>),
    alignment: Option<i64>,
) -> Result<Value<'c, 'a>, Failure> {
    let operands = [memory, address, mask, other];
    builder.value("vector.maskedload", &operands, &aligned(builder, alignment), other.r#type())
}

/// `vector.maskedstore` of the lanes that are set.
pub fn masked_store<'c, 'a>(
    builder: &Builder<'c, 'a>,
    (memory, address): (Value<'c, 'a>, Value<'c, 'a>),
    (mask, value): (Value<'c, 'a>, Value<'c, 'a>),
    alignment: Option<i64>,
) -> Result<(), Failure> {
    let operands = [memory, address, mask, value];
    builder.operation("vector.maskedstore", &operands, &aligned(builder, alignment), &[]).map(drop)
}

/// `vector.gather` of the elements at these distances from an address in memory of one dimension; lanes that are not set are those
/// of `other`.
pub fn gather<'c, 'a>(
    builder: &Builder<'c, 'a>,
    (memory, address): (Value<'c, 'a>, Value<'c, 'a>),
    distances: Value<'c, 'a>,
    mask: Value<'c, 'a>,
    other: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    builder.value("vector.gather", &[memory, address, distances, mask, other], &[], other.r#type())
}

/// `vector.scatter` of the lanes that are set to these distances from an address in memory of one dimension.
pub fn scatter<'c, 'a>(
    builder: &Builder<'c, 'a>,
    (memory, address): (Value<'c, 'a>, Value<'c, 'a>),
    distances: Value<'c, 'a>,
    mask: Value<'c, 'a>,
    value: Value<'c, 'a>,
) -> Result<(), Failure> {
    builder.operation("vector.scatter", &[memory, address, distances, mask, value], &[], &[]).map(drop)
}

/// `vector.shuffle` of two vectors, of which the second begins one element before the first one ends, to the elements with even
/// numbers of what they are together.
pub fn every_second<'c, 'a>(
    builder: &Builder<'c, 'a>,
    halves: [Value<'c, 'a>; 2],
    lanes: i64,
) -> Result<Value<'c, 'a>, Failure> {
    let order: Vec<i64> = (0..lanes).map(|lane| 2 * lane + i64::from(2 * lane >= lanes)).collect();
    shuffle(builder, halves, &order)
}

/// `vector.shuffle`: of the lanes of two vectors, one behind the other, those with these numbers.
pub fn shuffle<'c, 'a>(
    builder: &Builder<'c, 'a>,
    vectors: [Value<'c, 'a>; 2],
    order: &[i64],
) -> Result<Value<'c, 'a>, Failure> {
    let lanes = u64::try_from(order.len()).map_err(|_| Failure::new("a vector without a length"))?;
    let kind = types::vector(types::element(vectors[0].r#type()), &[lanes]);
    let order = ("mask", attributes::integers(builder.context(), order));
    builder.value("vector.shuffle", &vectors, &[order], kind)
}

/// `vector.shuffle` of one vector: its lanes in reverse order.
pub fn reverse<'c, 'a>(builder: &Builder<'c, 'a>, vector: Value<'c, 'a>, lanes: i64) -> Result<Value<'c, 'a>, Failure> {
    let order: Vec<i64> = (0..lanes).rev().collect();
    shuffle(builder, [vector, vector], &order)
}

/// `vector.step`: the numbers of the lanes.
pub fn step<'c, 'a>(builder: &Builder<'c, 'a>, r#type: Type<'c>) -> Result<Value<'c, 'a>, Failure> {
    builder.value("vector.step", &[], &[], r#type)
}

/// `vector.vscale`: how many times their least length vectors have whose length only the processor knows.
pub fn vscale<'c, 'a>(builder: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    builder.value("vector.vscale", &[], &[], types::index(builder.context()))
}

/// How `vector.reduction` combines lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CombiningKind {
    /// The sum.
    Add,
    /// The product.
    Mul,
    /// The largest real; what is not a number stays.
    Maximumf,
    /// The smallest real; what is not a number stays.
    Minimumf,
    /// The largest real that is a number.
    Maxnumf,
    /// The smallest real that is a number.
    Minnumf,
    /// The largest signed integer.
    Maxsi,
    /// The smallest signed integer.
    Minsi,
    /// The largest integer without a sign.
    Maxui,
    /// The smallest integer without a sign.
    Minui,
    /// Bits that all have.
    And,
    /// Bits that any has.
    Or,
    /// Bits that an odd number has.
    Xor,
}

impl CombiningKind {
    fn keyword(self) -> &'static str {
        match self {
            CombiningKind::Add => "add",
            CombiningKind::Mul => "mul",
            CombiningKind::Maximumf => "maximumf",
            CombiningKind::Minimumf => "minimumf",
            CombiningKind::Maxnumf => "maxnumf",
            CombiningKind::Minnumf => "minnumf",
            CombiningKind::Maxsi => "maxsi",
            CombiningKind::Minsi => "minsi",
            CombiningKind::Maxui => "maxui",
            CombiningKind::Minui => "minui",
            CombiningKind::And => "and",
            CombiningKind::Or => "or",
            CombiningKind::Xor => "xor",
        }
    }
}

/// `vector.reduction` of all lanes, in any order, with any of two zeros.
pub fn reduction<'c, 'a>(
    builder: &Builder<'c, 'a>,
    kind: CombiningKind,
    vector: Value<'c, 'a>,
    element: Type<'c>,
) -> Result<Value<'c, 'a>, Failure> {
    let parse = |text: &str| {
        let attribute = attributes::parse(builder.context(), text);
        attribute.ok_or_else(|| Failure::new("the context has no dialects of vectors and arithmetic"))
    };
    let kind = parse(&format!("#vector.kind<{}>", kind.keyword()))?;
    let attributes = [("kind", kind), ("fastmath", parse("#arith.fastmath<reassoc,nsz>")?)];
    builder.value("vector.reduction", &[vector], &attributes, element)
}
