//! Limits that keep hostile models from running away. Every message about one of them names it.

/// Nesting of expressions.
pub(crate) const EXPRESSION_DEPTH: u32 = 256;
/// Items of one pack that has to be written out; uniform packs of any length stay short.
pub(crate) const PACK_LENGTH: u64 = 1 << 20;
/// Comparisons of items with one another that depend on extents.
pub(crate) const COMPARISONS: u64 = 1 << 20;
/// A uniform pack up to this length is written out.
pub(crate) const SHORT_PACK: u64 = 64;
/// Operators invoked inside one another.
pub(crate) const INVOCATION_DEPTH: usize = 64;
/// Iterations of one unrolled loop.
pub(crate) const UNROLL_COUNT: i64 = 1 << 14;
/// Operations of a composed graph.
pub(crate) const OPERATIONS: usize = 1 << 18;
/// Operations of a composed graph when all its operators are replaced by what they are composed of.
pub(crate) const INNER_OPERATIONS: u64 = 1 << 24;
/// Different uses of operators inside one invocation of a graph.
pub(crate) const CHECKED_BODIES: usize = 1 << 14;
/// Assignments of one formula after unrolling.
pub(crate) const ASSIGNMENTS: usize = 1 << 16;
/// Nodes of the scalar expressions of one formula.
pub(crate) const FORMULA_NODES: usize = 1 << 20;
/// Elements of a constant that is given by an expression of its indices.
pub(crate) const CONSTANT_ELEMENTS: i64 = 1 << 22;
/// Iterations of one assignment of a formula: days, even where each takes a nanosecond.
pub(crate) const ITERATIONS: i64 = 1 << 48;
/// Dimensions of a tensor.
pub(crate) const RANK: usize = 256;
/// Terms of a symbolic extent.
pub(crate) const SYMBOLIC_TERMS: usize = 256;
/// Parts of one value that only the run knows.
pub(crate) const SYMBOLIC_NODES: usize = 1 << 11;
/// Bytes of a string.
pub(crate) const STRING_BYTES: usize = 1 << 20;
/// Iterations of a loop that are followed to find out how its carried tensors grow.
pub(crate) const ITERATED_EXTENTS: usize = 1 << 14;
/// The same where extents stay expressions.
pub(crate) const FOLLOWED_EXTENTS: i64 = 64;
/// Carried tensors that nothing but a loop's count bounds stay below this extent.
pub(crate) const PROVISIONAL_EXTENT: i64 = 1 << 24;
/// How often bodies of loops are composed again to find out how their tensors grow.
pub(crate) const RECOMPOSED_LOOPS: usize = 1 << 10;
