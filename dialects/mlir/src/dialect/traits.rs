//! Traits of operations.

/// What holds of an operation by its kind. Verified by the bridge where MLIR verifies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
#[non_exhaustive]
pub enum Trait {
    /// Ends its block.
    Terminator = 0,
    /// Its operands may be exchanged.
    Commutative = 1,
    /// Applying it twice is applying it once.
    Idempotent = 2,
    /// Applying it twice is not applying it.
    Involution = 3,
    /// All operands and results have one type.
    SameOperandsAndResultType = 4,
    /// All operands and results have one element type.
    SameOperandsAndResultElementType = 5,
    /// All operands and results have one shape.
    SameOperandsAndResultShape = 6,
    /// All operands have one type.
    SameTypeOperands = 7,
    /// All operands have one shape.
    SameOperandsShape = 8,
    /// All operands have one element type.
    SameOperandsElementType = 9,
    /// All operands and results have one rank.
    SameOperandsAndResultRank = 10,
    /// Its regions use no values defined outside.
    IsolatedFromAbove = 11,
    /// It defines a symbol by its `sym_name` attribute (`SymbolOpInterface`).
    Symbol = 12,
    /// Symbols in its region are visible through it.
    SymbolTable = 13,
    /// Its blocks need no terminator.
    NoTerminator = 14,
    /// Each region has at most one block.
    SingleBlock = 15,
    /// It yields the constant in its attribute; it must have a fold that returns the attribute.
    ConstantLike = 16,
    /// Its effects are those of the operations it contains.
    RecursiveMemoryEffects = 17,
    /// Its operand groups are sized by the attribute `operandSegmentSizes`.
    AttrSizedOperandSegments = 18,
    /// Its result groups are sized by the attribute `resultSegmentSizes`.
    AttrSizedResultSegments = 19,
    /// A terminator that hands its operands to the parent.
    ReturnLike = 20,
    /// A new scope for affine symbols.
    AffineScope = 21,
    /// A new scope for automatic allocations.
    AutomaticAllocationScope = 22,
    /// It works on each element by itself.
    Elementwise = 23,
    /// It extends from scalars to containers.
    Scalarizable = 24,
    /// It extends from scalars to vectors.
    Vectorizable = 25,
    /// It extends from scalars to tensors.
    Tensorizable = 26,
    /// May be executed speculatively (`ConditionallySpeculatable`); with no memory effects the operation is pure.
    AlwaysSpeculatable = 27,
    /// Speculatable when the operations that it contains are.
    RecursivelySpeculatable = 28,
    /// Its regions have no arguments.
    NoRegionArguments = 29,
}
