//! Building operations in place.
//!
//! A builder never holds an operation, block or region that stands nowhere: an operation is inserted as soon as it is made,
//! its regions are made with it, and their blocks are filled where they stand. So a value that a builder gives lives as long
//! as the IR around it, also when what is being built is given up halfway; nothing can outlive what it is used by.

use melior::Context;
use melior::ir::operation::{OperationBuilder, OperationLike, OperationMutLike};
use melior::ir::{
    Attribute, Block, BlockLike, BlockRef, Identifier, Location, OperationRef, Region, RegionLike, Type, TypeLike,
    Value, ValueLike,
};

use super::{InContext, OperationExt, attributes, block_arguments, types};
use crate::Error;

/// A named attribute.
pub type NamedAttribute<'n, 'c> = (&'n str, Attribute<'c>);

/// Inserts operations at one place of IR that lives for `'a`.
#[derive(Clone, Copy)]
pub struct Builder<'c, 'a> {
    location: Location<'c>,
    block: BlockRef<'c, 'a>,
    /// Operations go before this one, or to the end of the block.
    before: Option<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Builder<'c, 'a> {
    /// Appends to a block.
    pub fn at_end(block: BlockRef<'c, 'a>, location: Location<'c>) -> Self {
        Builder { location, block, before: None }
    }

    /// Inserts before an operation, with its location.
    pub fn before(operation: OperationRef<'c, 'a>) -> Result<Self, Error> {
        let block = operation.block();
        let block = block.ok_or_else(|| Error::Invalid(format!("`{}` stands in no block", operation.full_name())))?;
        Ok(Builder { location: operation.location(), block, before: Some(operation) })
    }

    /// The same place with another location for what is built.
    pub fn located(self, location: Location<'c>) -> Self {
        Builder { location, ..self }
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        self.location.in_context()
    }

    /// The location of what is built.
    pub fn location(&self) -> Location<'c> {
        self.location
    }

    /// Builds an operation.
    pub fn operation(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        attributes: &[NamedAttribute<'_, 'c>],
        results: &[Type<'c>],
    ) -> Result<OperationRef<'c, 'a>, Error> {
        self.with_regions(name, operands, attributes, results, &[])
    }

    /// Builds an operation with one region of one block for each list of types of block arguments; [`Self::inside`] fills
    /// them.
    pub fn with_regions(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        attributes: &[NamedAttribute<'_, 'c>],
        results: &[Type<'c>],
        regions: &[&[Type<'c>]],
    ) -> Result<OperationRef<'c, 'a>, Error> {
        let region = |arguments: &&[Type<'c>]| {
            let region = Region::new();
            region.append_block(self.new_block(arguments));
            region
        };
        self.make(name, operands, attributes, results, regions.iter().map(region).collect(), &[])
    }

    /// Builds an operation with so many regions without blocks; [`Self::append_block`] adds them.
    pub fn with_empty_regions(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        attributes: &[NamedAttribute<'_, 'c>],
        results: &[Type<'c>],
        regions: usize,
    ) -> Result<OperationRef<'c, 'a>, Error> {
        self.make(name, operands, attributes, results, (0..regions).map(|_| Region::new()).collect(), &[])
    }

    /// Builds a terminator that goes on at other blocks.
    pub fn branch(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        attributes: &[NamedAttribute<'_, 'c>],
        successors: &[BlockRef<'c, 'a>],
    ) -> Result<(), Error> {
        self.make(name, operands, attributes, &[], Vec::new(), successors).map(drop)
    }

    fn make(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        attributes: &[NamedAttribute<'_, 'c>],
        results: &[Type<'c>],
        regions: Vec<Region<'c>>,
        successors: &[BlockRef<'c, 'a>],
    ) -> Result<OperationRef<'c, 'a>, Error> {
        let context = self.context();
        let attributes: Vec<_> =
            attributes.iter().map(|(name, value)| (Identifier::new(context, name), *value)).collect();
        let successors: Vec<&Block<'c>> = successors.iter().map(|block| &**block).collect();
        let operation = OperationBuilder::new(name, self.location)
            .add_operands(operands)
            .add_attributes(&attributes)
            .add_results(results)
            .add_regions_vec(regions)
            .add_successors(&successors)
            .build()
            .map_err(|error| Error::Invalid(format!("cannot build '{name}': {error}")))?;
        Ok(match self.before {
            Some(before) => self.block.insert_operation_before(before, operation),
            None => self.block.append_operation(operation),
        })
    }

    fn new_block(&self, arguments: &[Type<'c>]) -> Block<'c> {
        let arguments: Vec<_> = arguments.iter().map(|&r#type| (r#type, self.location)).collect();
        Block::new(&arguments)
    }

    /// The block that is built in.
    pub fn block(&self) -> BlockRef<'c, 'a> {
        self.block
    }

    /// Adds a block with arguments of these types to a region of an operation, behind its other blocks: a builder at its
    /// end, and its arguments.
    pub fn append_block(
        &self,
        operation: OperationRef<'c, 'a>,
        region: usize,
        arguments: &[Type<'c>],
    ) -> Result<(Self, Vec<Value<'c, 'a>>), Error> {
        let block = operation.region(region)?.append_block(self.new_block(arguments));
        Ok((Builder::at_end(block, self.location), block_arguments(block).map(Value::from).collect()))
    }

    /// A builder at the end of the first block of an operation's region, and the arguments of that block.
    pub fn inside(&self, operation: OperationRef<'c, 'a>, region: usize) -> Result<(Self, Vec<Value<'c, 'a>>), Error> {
        let block = operation.region(region).ok().and_then(|region| region.first_block());
        let block = block.ok_or_else(|| Error::Invalid(format!("`{}` has no block to fill", operation.full_name())))?;
        Ok((Builder::at_end(block, self.location), block_arguments(block).map(Value::from).collect()))
    }

    /// Builds an operation with one result.
    pub fn value(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        attributes: &[NamedAttribute<'_, 'c>],
        result: Type<'c>,
    ) -> Result<Value<'c, 'a>, Error> {
        Ok(self.operation(name, operands, attributes, &[result])?.result(0)?.into())
    }

    /// Builds a copy of an operation with other operands, one for each of its own.
    pub fn copy(
        &self,
        operation: OperationRef<'c, 'a>,
        operands: &[Value<'c, 'a>],
    ) -> Result<OperationRef<'c, 'a>, Error> {
        let (name, expected, found) = (operation.full_name(), operation.operand_count(), operands.len());
        if expected != found {
            return Err(Error::Invalid(format!("a copy of `{name}` needs {expected} operands, not {found}")));
        }
        let mut copied = (*operation).clone();
        for (index, operand) in operands.iter().enumerate() {
            copied.set_operand(index, *operand);
        }
        Ok(match self.before {
            Some(before) => self.block.insert_operation_before(before, copied),
            None => self.block.append_operation(copied),
        })
    }

    /// `arith.constant`
    pub fn constant(&self, value: Attribute<'c>, r#type: Type<'c>) -> Result<Value<'c, 'a>, Error> {
        self.value("arith.constant", &[], &[("value", value)], r#type)
    }

    /// A constant of type `index`.
    pub fn index(&self, value: i64) -> Result<Value<'c, 'a>, Error> {
        self.integer(types::index(self.context()), value)
    }

    /// A constant of an integer type or `index`.
    pub fn integer(&self, r#type: Type<'c>, value: i64) -> Result<Value<'c, 'a>, Error> {
        let attribute = attributes::typed_integer(r#type, value);
        self.constant(attribute.ok_or_else(|| no_constant(r#type))?, r#type)
    }

    /// A constant of a floating-point type.
    pub fn real(&self, r#type: Type<'c>, value: f64) -> Result<Value<'c, 'a>, Error> {
        let attribute = attributes::typed_real(self.context(), r#type, value);
        self.constant(attribute.ok_or_else(|| no_constant(r#type))?, r#type)
    }

    /// A constant of type `i1`.
    pub fn boolean(&self, value: bool) -> Result<Value<'c, 'a>, Error> {
        self.constant(attributes::boolean(self.context(), value), types::integer(self.context(), 1))
    }

    /// The sum of an index and a constant.
    pub fn index_plus(&self, index: Value<'c, 'a>, offset: i64) -> Result<Value<'c, 'a>, Error> {
        if offset == 0 {
            return Ok(index);
        }
        self.value("arith.addi", &[index, self.index(offset)?], &[], types::index(self.context()))
    }

    /// A vector that has the value in all lanes; for one lane, the value.
    pub fn broadcast(&self, value: Value<'c, 'a>, lanes: i64) -> Result<Value<'c, 'a>, Error> {
        if lanes == 1 || value.r#type().is_vector() {
            return Ok(value);
        }
        self.value("vector.broadcast", &[value], &[], types::lanes(value.r#type(), lanes))
    }

    /// `scf.for` from 0 up to `end`, with values carried from one iteration to the next. The body gets a builder, the index
    /// and the carried values, and gives the next ones; it may fail with an error of its own kind.
    pub fn count<E: From<Error>>(
        &self,
        end: i64,
        step: i64,
        carried: &[Value<'c, 'a>],
        body: impl FnOnce(Self, Value<'c, 'a>, &[Value<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, E>,
    ) -> Result<Vec<Value<'c, 'a>>, E> {
        let mut operands = vec![self.index(0)?, self.index(end)?, self.index(step)?];
        operands.extend(carried);
        let results: Vec<Type<'c>> = carried.iter().map(|value| value.r#type()).collect();
        let mut arguments = vec![types::index(self.context())];
        arguments.extend(&results);
        let operation = self.with_regions("scf.for", &operands, &[], &results, &[&arguments])?;
        let (inner, arguments) = self.inside(operation, 0)?;
        let Some((index, inside)) = arguments.split_first() else { return Ok(Vec::new()) };
        let next = body(inner, *index, inside)?;
        inner.operation("scf.yield", &next, &[], &[])?;
        Ok(operation.result_values())
    }
}

fn no_constant(r#type: Type<'_>) -> Error {
    Error::Invalid(format!("there are no constants of type {type}"))
}
