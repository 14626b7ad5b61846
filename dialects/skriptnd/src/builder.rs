//! Building operations one after the other.

use skriptnd_language::compose::value::ScalarType;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{
    Attribute, Block, BlockLike, BlockRef, Context, Identifier, Location, Operation, OperationBuilder, OperationLike,
    OperationRef, Region, RegionLike, Type, Value, attributes, types,
};

/// Appends operations to a block, or inserts them before an operation of it.
#[derive(Clone, Copy)]
pub struct Builder<'c, 'a> {
    context: &'c Context,
    location: Location<'c>,
    block: BlockRef<'c, 'a>,
    before: Option<OperationRef<'c, 'a>>,
}

/// A named attribute.
pub type NamedAttribute<'n, 'c> = (&'n str, Attribute<'c>);

impl<'c: 'a, 'a> Builder<'c, 'a> {
    /// Appends to a block.
    pub fn at_end(context: &'c Context, block: BlockRef<'c, 'a>, location: Location<'c>) -> Self {
        Builder { context, location, block, before: None }
    }

    /// Inserts before an operation, with its location.
    pub fn before(context: &'c Context, operation: OperationRef<'c, 'a>) -> Result<Self, Failure> {
        let block = operation.block().ok_or_else(|| Failure::new("the operation stands in no block"))?;
        Ok(Builder { context, location: operation.location(), block, before: Some(operation) })
    }

    /// The same place with another location for what is built.
    pub fn located(self, location: Location<'c>) -> Self {
        Builder { location, ..self }
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// The location of what is built.
    pub fn location(&self) -> Location<'c> {
        self.location
    }

    /// Builds an operation with regions.
    pub fn with_regions(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        attributes: &[NamedAttribute<'_, 'c>],
        results: &[Type<'c>],
        regions: Vec<Region<'c>>,
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        let attributes: Vec<_> =
            attributes.iter().map(|(name, value)| (Identifier::new(self.context, name), *value)).collect();
        let operation = OperationBuilder::new(name, self.location)
            .add_operands(operands)
            .add_attributes(&attributes)
            .add_results(results)
            .add_regions_vec(regions)
            .build()?;
        Ok(self.insert(operation))
    }

    /// Puts an operation that was made to this place.
    pub fn insert(&self, operation: Operation<'c>) -> OperationRef<'c, 'a> {
        match self.before {
            Some(before) => self.block.insert_operation_before(before, operation),
            None => self.block.append_operation(operation),
        }
    }

    /// Puts an operation of one result to this place; gives the result.
    pub fn insert_value(&self, operation: Operation<'c>) -> Result<Value<'c, 'a>, Failure> {
        Ok(self.insert(operation).result(0)?.into())
    }

    /// Builds an operation.
    pub fn operation(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        attributes: &[NamedAttribute<'_, 'c>],
        results: &[Type<'c>],
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        self.with_regions(name, operands, attributes, results, Vec::new())
    }

    /// Builds an operation with one result.
    pub fn value(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        attributes: &[NamedAttribute<'_, 'c>],
        result: Type<'c>,
    ) -> Result<Value<'c, 'a>, Failure> {
        Ok(self.operation(name, operands, attributes, &[result])?.result(0)?.into())
    }

    /// A region of one block with arguments of these types, filled by a function.
    pub fn region(
        &self,
        arguments: &[Type<'c>],
        fill: impl FnOnce(Builder<'c, 'a>, Vec<Value<'c, 'a>>) -> Result<(), Failure>,
    ) -> Result<Region<'c>, Failure> {
        let arguments: Vec<_> = arguments.iter().map(|&r#type| (r#type, self.location)).collect();
        let region = Region::new();
        let block = region.append_block(Block::new(&arguments));
        let values = skriptnd_mlir::ir::block_arguments(block).map(Value::from).collect();
        fill(Builder::at_end(self.context, block, self.location), values)?;
        Ok(region)
    }

    /// `arith.constant`
    pub fn constant(&self, value: Attribute<'c>, r#type: Type<'c>) -> Result<Value<'c, 'a>, Failure> {
        self.value("arith.constant", &[], &[("value", value)], r#type)
    }

    /// A constant of type `i64`.
    pub fn integer(&self, value: i64) -> Result<Value<'c, 'a>, Failure> {
        self.constant(attributes::integer(self.context, value), types::integer(self.context, 64))
    }

    /// A constant of type `index`.
    pub fn index(&self, value: i64) -> Result<Value<'c, 'a>, Failure> {
        let index = types::index(self.context);
        let attribute = attributes::typed_integer(index, value).ok_or("no index constant")?;
        self.constant(attribute, index)
    }

    /// A constant of type `f32`.
    pub fn real(&self, value: f64) -> Result<Value<'c, 'a>, Failure> {
        let f32 = types::f32(self.context);
        let attribute = attributes::typed_real(self.context, f32, value).ok_or("no real constant")?;
        self.constant(attribute, f32)
    }

    /// A constant of type `i1`.
    pub fn boolean(&self, value: bool) -> Result<Value<'c, 'a>, Failure> {
        self.constant(attributes::boolean(self.context, value), types::integer(self.context, 1))
    }

    /// The MLIR type of scalars.
    pub fn scalar_type(&self, dtype: ScalarType) -> Result<Type<'c>, Failure> {
        scalar_type(self.context, dtype)
    }

    /// The MLIR type of tensors with known extents.
    pub fn tensor_type(&self, dtype: ScalarType, shape: &[i64]) -> Result<Type<'c>, Failure> {
        let extents: Option<Vec<_>> = shape.iter().map(|&extent| u64::try_from(extent).ok().map(Some)).collect();
        let extents = extents.ok_or("an extent is negative")?;
        types::tensor(self.scalar_type(dtype)?, &extents).ok_or_else(|| "no such tensor type".into())
    }
}

/// The MLIR type of scalars: `real` is `f32`, `int` is `i64`, `bool` is `i1`.
pub fn scalar_type(context: &Context, dtype: ScalarType) -> Result<Type<'_>, Failure> {
    match dtype {
        ScalarType::Real => Ok(types::f32(context)),
        ScalarType::Int => Ok(types::integer(context, 64)),
        ScalarType::Bool => Ok(types::integer(context, 1)),
        ScalarType::Str => Err("tensors of strings have no run-time representation".into()),
    }
}

/// The SkriptND type of MLIR scalars.
pub fn dtype_of(r#type: Type<'_>) -> Option<ScalarType> {
    use skriptnd_mlir::ir::TypeLike;
    if r#type.is_float() {
        return (types::width(r#type) == Some(32)).then_some(ScalarType::Real);
    }
    match types::width(r#type)? {
        64 => Some(ScalarType::Int),
        1 => Some(ScalarType::Bool),
        _ => None,
    }
}
