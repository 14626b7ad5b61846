//! Which memory has no gaps, where only a run knows its strides.

use skriptnd_mlir::ir::{OperationRef, Value, types};
use skriptnd_mlir::ops::{arith, memref};

/// A size or a stride.
#[derive(Clone, Copy)]
enum Count<'c, 'a> {
    Known(i64),
    Value(Value<'c, 'a>),
}

impl<'c: 'a, 'a> Count<'c, 'a> {
    fn of(value: Value<'c, 'a>) -> Self {
        let constant = value.defining_operation().filter(|made| made.full_name() == arith::CONSTANT);
        constant.and_then(|made| made.get_integer("value")).map_or(Count::Value(value), Count::Known)
    }

    fn is(self, other: Self) -> bool {
        match (self, other) {
            (Count::Known(own), Count::Known(other)) => own == other,
            (Count::Value(own), Count::Value(other)) => own.key() == other.key(),
            _ => false,
        }
    }

    /// Whether it is the product of two others.
    fn is_product(self, a: Self, b: Self) -> bool {
        let factors = |product: Value<'c, 'a>| {
            let made = product.defining_operation().filter(|made| made.full_name() == arith::MULI)?;
            Some([Count::of(made.operand(0).ok()?), Count::of(made.operand(1).ok()?)])
        };
        match (a, b, self) {
            (Count::Known(1), other, product) | (other, Count::Known(1), product) => product.is(other),
            (Count::Known(a), Count::Known(b), Count::Known(product)) => a.checked_mul(b) == Some(product),
            (_, _, Count::Value(product)) => {
                factors(product).is_some_and(|[x, y]| x.is(a) && y.is(b) || x.is(b) && y.is(a))
            }
            _ => false,
        }
    }
}

/// Whether the elements of memory are known to lie one behind the other: its type says so, or what it was made with.
pub fn is_contiguous(memory: Value<'_, '_>) -> bool {
    let kind = memory.r#type();
    let plain = types::shape(kind).and_then(|shape| types::memref(types::element(kind), &shape));
    if !kind.is_mem_ref() || plain == Some(kind) {
        return true;
    }
    memory.defining_operation().is_some_and(|made| match made.full_name() {
        memref::CAST => made.operand(0).is_ok_and(is_contiguous),
        memref::REINTERPRET_CAST => has_no_gaps(made).unwrap_or(false),
        _ => false,
    })
}

/// Whether each stride of what an operation lays out anew is that of the next dimension times its size.
fn has_no_gaps(made: OperationRef<'_, '_>) -> Option<bool> {
    let segments = made.get_integers("operandSegmentSizes")?;
    let [source, offsets, sizes, _] = segments[..] else { return None };
    let first = usize::try_from(source + offsets).ok()?;
    let counts = |name: &str, first: usize| {
        let mut open = made.operands().skip(first);
        let known = made.get_integers(name)?.into_iter();
        let counts = known
            .map(|known| if known == types::OPEN { open.next().map(Count::of) } else { Some(Count::Known(known)) });
        counts.collect::<Option<Vec<_>>>()
    };
    let strides = counts("static_strides", first + usize::try_from(sizes).ok()?)?;
    let sizes = counts("static_sizes", first)?;
    let is_next = |at: usize| strides[at - 1].is_product(sizes[at], strides[at]);
    Some(strides.last().is_none_or(|last| last.is(Count::Known(1))) && (1..strides.len()).all(is_next))
}
