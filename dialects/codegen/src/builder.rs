//! Building operations at the end of a block, with loops as closures.

use crate::Error;
use skriptnd_mlir::ir::{
    Attribute, Block, BlockLike, Context, Identifier, Location, Operation, OperationBuilder, OperationLike,
    OperationRef, Region, RegionLike, Type, TypeLike, Value, ValueLike, attributes, types,
};

/// A value that the builder made; it lives in the block that is being filled.
pub type Built<'c> = Value<'c, 'c>;

/// Appends operations to the innermost open block.
pub struct Builder<'c> {
    context: &'c Context,
    location: Location<'c>,
    blocks: Vec<Block<'c>>,
}

impl<'c> Builder<'c> {
    /// A builder that fills `block`.
    pub fn new(context: &'c Context, location: Location<'c>, block: Block<'c>) -> Self {
        Builder { context, location, blocks: vec![block] }
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// The filled block.
    pub fn finish(mut self) -> Result<Block<'c>, Error> {
        self.blocks.pop().ok_or_else(|| Error::malformed("a block was closed twice"))
    }

    /// Appends an operation.
    pub fn append(&mut self, operation: Operation<'c>) -> Result<OperationRef<'c, 'c>, Error> {
        let block = self.blocks.last().ok_or_else(|| Error::malformed("no block is open"))?;
        Ok(block.append_operation(operation))
    }

    /// Builds and appends an operation.
    pub fn operation(
        &mut self,
        name: &str,
        operands: &[Built<'c>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
    ) -> Result<OperationRef<'c, 'c>, Error> {
        let attributes: Vec<_> =
            attributes.iter().map(|(name, value)| (Identifier::new(self.context, name), *value)).collect();
        let builder = OperationBuilder::new(name, self.location);
        let built = builder.add_operands(operands).add_results(results).add_attributes(&attributes).build();
        self.append(built.map_err(skriptnd_mlir::Error::from)?)
    }

    /// Builds an operation with one result.
    pub fn value(
        &mut self,
        name: &str,
        operands: &[Built<'c>],
        result: Type<'c>,
        attributes: &[(&str, Attribute<'c>)],
    ) -> Result<Built<'c>, Error> {
        let operation = self.operation(name, operands, &[result], attributes)?;
        Ok(operation.result(0).map_err(skriptnd_mlir::Error::from)?.into())
    }

    /// A constant of type `index`.
    pub fn index(&mut self, value: i64) -> Result<Built<'c>, Error> {
        let index = types::index(self.context);
        let attribute = attributes::typed_integer(index, value).ok_or_else(|| Error::malformed("no index constant"))?;
        self.value("arith.constant", &[], index, &[("value", attribute)])
    }

    /// A scalar constant of a floating-point type.
    pub fn real(&mut self, r#type: Type<'c>, value: f64) -> Result<Built<'c>, Error> {
        let attribute = attributes::typed_real(self.context, r#type, value);
        let attribute = attribute.ok_or_else(|| Error::malformed(format!("no constant of type {}", r#type)))?;
        self.value("arith.constant", &[], r#type, &[("value", attribute)])
    }

    /// A scalar constant of an integer type.
    pub fn integer(&mut self, r#type: Type<'c>, value: i64) -> Result<Built<'c>, Error> {
        let attribute = attributes::typed_integer(r#type, value);
        let attribute = attribute.ok_or_else(|| Error::malformed(format!("no constant of type {}", r#type)))?;
        self.value("arith.constant", &[], r#type, &[("value", attribute)])
    }

    /// The sum of an index and a constant.
    pub fn index_plus(&mut self, index: Built<'c>, offset: i64) -> Result<Built<'c>, Error> {
        if offset == 0 {
            return Ok(index);
        }
        let offset = self.index(offset)?;
        self.value("arith.addi", &[index, offset], types::index(self.context), &[])
    }

    /// A vector that has the value in all lanes; for one lane, the value.
    pub fn broadcast(&mut self, value: Built<'c>, lanes: i64) -> Result<Built<'c>, Error> {
        if lanes == 1 || value.r#type().is_vector() {
            return Ok(value);
        }
        self.value("vector.broadcast", &[value], vector(lanes, value.r#type()), &[])
    }

    /// A loop from 0 up to `end`, with values carried from one iteration to the next. The body gets the builder, the
    /// index and the carried values, and gives the next ones.
    pub fn count(
        &mut self,
        end: i64,
        step: i64,
        carried: &[Built<'c>],
        body: impl FnOnce(&mut Self, Built<'c>, &[Built<'c>]) -> Result<Vec<Built<'c>>, Error>,
    ) -> Result<Vec<Built<'c>>, Error> {
        let (start, end, step) = (self.index(0)?, self.index(end)?, self.index(step)?);
        let carried_types: Vec<Type<'c>> = carried.iter().map(|value| value.r#type()).collect();
        let block = Block::new(&[(types::index(self.context), self.location)]);
        let index = block.argument(0).map_err(skriptnd_mlir::Error::from)?.into();
        let inside: Vec<_> = carried_types.iter().map(|&r#type| block.add_argument(r#type, self.location)).collect();
        self.blocks.push(block);
        let next = body(self, index, &inside)?;
        self.operation("scf.yield", &next, &[], &[])?;
        let block = self.blocks.pop().ok_or_else(|| Error::malformed("a loop was closed twice"))?;
        let region = Region::new();
        region.append_block(block);
        let operands: Vec<_> = [start, end, step].into_iter().chain(carried.iter().copied()).collect();
        let builder = OperationBuilder::new("scf.for", self.location).add_operands(&operands);
        let built = builder.add_results(&carried_types).add_regions([region]).build();
        let operation = self.append(built.map_err(skriptnd_mlir::Error::from)?)?;
        Ok(operation.results().map(Value::from).collect())
    }
}

/// The type of a vector, or the element's for one lane.
pub fn vector<'c>(lanes: i64, element: Type<'c>) -> Type<'c> {
    match u64::try_from(lanes) {
        Ok(lanes) if lanes > 1 => Type::vector(&[lanes], element),
        _ => element,
    }
}
