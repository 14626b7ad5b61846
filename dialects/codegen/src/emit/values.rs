//! What a kernel works on.

use skriptnd_mlir::ir::Value;

/// What the names in a nest are bound to inside a kernel, by the numbers of operands and dimensions. Memory may be there in
/// both forms: a computation can fetch elements of an operand.
#[derive(Default)]
pub struct Values<'c, 'a> {
    /// Memory that is accessed by addresses, with one dimension.
    pub flat: Vec<Option<Value<'c, 'a>>>,
    /// The strides of memory of which computations fetch elements.
    pub strides: Vec<Vec<Value<'c, 'a>>>,
    /// Scalars and memory as computations use them.
    pub plain: Vec<Option<Value<'c, 'a>>>,
    /// Where dimensions end of which only the run knows that.
    pub ends: Vec<Option<Value<'c, 'a>>>,
    /// How many times their least length vectors have, where the schedule leaves that to the processor.
    pub scale: Option<Value<'c, 'a>>,
}

/// Where the first lane lies, and how far the next one is from each.
#[derive(Clone, Copy)]
pub(super) struct Lanes<'c, 'a> {
    /// The memory, of one dimension.
    pub memory: Value<'c, 'a>,
    /// The first lane's address.
    pub address: Value<'c, 'a>,
    /// From lane to lane.
    pub distance: i64,
}
