//! The vector dialect.

use crate::Failure;
use crate::ir::{Builder, Type, Value, attributes, types};

conversion! {
    broadcast = "vector.broadcast";
}

/// `vector.load`
pub fn load<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    indices: &[Value<'c, 'a>],
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, Failure> {
    builder.value("vector.load", &[&[memory], indices].concat(), &[], r#type)
}

/// `vector.store`
pub fn store<'c, 'a>(
    builder: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
    memory: Value<'c, 'a>,
    indices: &[Value<'c, 'a>],
) -> Result<(), Failure> {
    builder.operation("vector.store", &[&[value, memory], indices].concat(), &[], &[]).map(drop)
}

/// `vector.create_mask` of one dimension: the first lanes are set, so many.
pub fn create_mask<'c, 'a>(
    builder: &Builder<'c, 'a>,
    set: Value<'c, 'a>,
    lanes: i64,
) -> Result<Value<'c, 'a>, Failure> {
    let r#type = types::vector(types::integer(builder.context(), 1), &[lanes.unsigned_abs()]);
    builder.value("vector.create_mask", &[set], &[], r#type)
}

/// `vector.maskedload` from an address in memory of one dimension; lanes that are not set are those of `other`.
pub fn masked_load<'c, 'a>(
    builder: &Builder<'c, 'a>,
    (memory, address): (Value<'c, 'a>, Value<'c, 'a>),
    mask: Value<'c, 'a>,
    other: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    builder.value("vector.maskedload", &[memory, address, mask, other], &[], other.r#type())
}

/// `vector.maskedstore` of the lanes that are set.
pub fn masked_store<'c, 'a>(
    builder: &Builder<'c, 'a>,
    (memory, address): (Value<'c, 'a>, Value<'c, 'a>),
    mask: Value<'c, 'a>,
    value: Value<'c, 'a>,
) -> Result<(), Failure> {
    builder.operation("vector.maskedstore", &[memory, address, mask, value], &[], &[]).map(drop)
}

/// `vector.step`: the numbers of the lanes.
pub fn step<'c, 'a>(builder: &Builder<'c, 'a>, r#type: Type<'c>) -> Result<Value<'c, 'a>, Failure> {
    builder.value("vector.step", &[], &[], r#type)
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
        }
    }
}

/// `vector.reduction` of all lanes, in any order.
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
    let attributes = [("kind", kind), ("fastmath", parse("#arith.fastmath<reassoc>")?)];
    builder.value("vector.reduction", &[vector], &attributes, element)
}
