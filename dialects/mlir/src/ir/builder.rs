//! Building operations in place.
//!
//! A builder never holds an operation, block or region that stands nowhere: an operation is inserted as soon as it is made,
//! its regions are made with it, and their blocks are filled where they stand. So a value that a builder gives lives as long
//! as the IR around it, also when what is being built is given up halfway; nothing can outlive what it is used by.

use melior::ir::operation::{OperationBuilder, OperationMutLike};
use melior::ir::{Block, BlockLike, Identifier, Region, RegionLike};
use mlir_sys::{MlirOperation, MlirRewriterBase};

use super::changes::note_change;
use super::{Attribute, BlockRef, Context, Location, OperationRef, Type, Value, block_arguments};
use crate::{Failure, ffi};

/// A named attribute.
pub type NamedAttribute<'n, 'c> = (&'n str, Attribute<'c>);

/// What an operation is built of, but its name.
#[derive(Clone, Copy, Default)]
pub struct Parts<'n, 'c, 'a> {
    /// Its operands.
    pub operands: &'n [Value<'c, 'a>],
    /// Its attributes.
    pub attributes: &'n [NamedAttribute<'n, 'c>],
    /// The types of its results; none where the operation infers them.
    pub results: Option<&'n [Type<'c>]>,
    /// How many regions it has, without blocks.
    pub regions: usize,
    /// Where it goes on.
    pub successors: &'n [BlockRef<'c, 'a>],
}

/// An operation whose only block is to be filled.
#[derive(Clone)]
pub struct Body<'c, 'a> {
    /// The operation.
    pub operation: OperationRef<'c, 'a>,
    /// Appends to the block.
    pub builder: Builder<'c, 'a>,
    /// The arguments of the block.
    pub arguments: Vec<Value<'c, 'a>>,
}

/// Inserts operations at one place of IR that lives for `'a`.
#[derive(Clone, Copy)]
pub struct Builder<'c, 'a> {
    location: Location<'c>,
    block: BlockRef<'c, 'a>,
    /// Operations go before this one, or to the end of the block.
    before: Option<OperationRef<'c, 'a>>,
    /// The rewriter of a driver that is to know of what is built; it is valid for `'a`.
    watcher: Option<MlirRewriterBase>,
}

impl<'c: 'a, 'a> Builder<'c, 'a> {
    /// Appends to a block.
    pub fn at_end(block: BlockRef<'c, 'a>, location: Location<'c>) -> Self {
        Builder { location, block, before: None, watcher: None }
    }

    /// Inserts before an operation, with its location.
    pub fn before(operation: OperationRef<'c, 'a>) -> Result<Self, Failure> {
        let block = operation.block();
        let block = block.ok_or_else(|| Failure::new(format!("`{}` stands in no block", operation.full_name())))?;
        Ok(Builder { location: operation.location(), block, before: Some(operation), watcher: None })
    }

    /// The same place; what is built is told to a rewriter.
    ///
    /// # Safety
    ///
    /// The rewriter must be valid for `'a`.
    pub(crate) unsafe fn watched_by(self, rewriter: MlirRewriterBase) -> Self {
        Builder { watcher: Some(rewriter), ..self }
    }

    /// The same place with another location for what is built.
    pub fn located(self, location: Location<'c>) -> Self {
        Builder { location, ..self }
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        self.location.context()
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
    ) -> Result<OperationRef<'c, 'a>, Failure> {
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
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        let region = |arguments: &&[Type<'c>]| {
            let region = Region::new();
            region.append_block(self.new_block(&self.located_here(arguments)));
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
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        self.with_parts(name, &Parts { operands, attributes, results: Some(results), regions, successors: &[] })
    }

    /// Builds an operation of all that it can have; its regions get their blocks by [`Self::append_block`].
    pub fn with_parts(&self, name: &str, parts: &Parts<'_, 'c, 'a>) -> Result<OperationRef<'c, 'a>, Failure> {
        let regions = (0..parts.regions).map(|_| Region::new()).collect();
        self.assemble(name, parts, regions)
    }

    /// Builds a terminator that goes on at other blocks.
    pub fn branch(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        attributes: &[NamedAttribute<'_, 'c>],
        successors: &[BlockRef<'c, 'a>],
    ) -> Result<(), Failure> {
        self.make(name, operands, attributes, &[], Vec::new(), successors).map(drop)
    }

    pub(crate) fn make(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        attributes: &[NamedAttribute<'_, 'c>],
        results: &[Type<'c>],
        regions: Vec<Region<'c>>,
        successors: &[BlockRef<'c, 'a>],
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        let parts = Parts { operands, attributes, results: Some(results), regions: regions.len(), successors };
        self.assemble(name, &parts, regions)
    }

    fn assemble(
        &self,
        name: &str,
        parts: &Parts<'_, 'c, 'a>,
        regions: Vec<Region<'c>>,
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        self.check(parts.operands)?;
        let context = self.context();
        let attributes: Vec<_> =
            parts.attributes.iter().map(|(name, value)| (Identifier::new(&context.0, name), value.0)).collect();
        let operands: Vec<_> = parts.operands.iter().map(|operand| operand.0).collect();
        let successors: Vec<&Block<'c>> = parts.successors.iter().map(|block| &*block.0).collect();
        let state = OperationBuilder::new(name, self.location.0)
            .add_operands(&operands)
            .add_attributes(&attributes)
            .add_regions_vec(regions)
            .add_successors(&successors);
        let state = match parts.results {
            Some(results) => state.add_results(&results.iter().map(|result| result.0).collect::<Vec<_>>()),
            None => state.enable_result_type_inference(),
        };
        let operation = state.build().map_err(|error| Failure::new(format!("cannot build '{name}': {error}")))?;
        Ok(self.insert(operation))
    }

    fn check(&self, operands: &[Value<'c, 'a>]) -> Result<(), Failure> {
        let Some(root) = self.block.parent_operation().map(|operation| operation.root()) else { return Ok(()) };
        operands.iter().try_for_each(|operand| operand.check_usable_in(root))
    }

    fn insert(&self, operation: melior::ir::Operation<'c>) -> OperationRef<'c, 'a> {
        let Some(watcher) = self.watcher else {
            return OperationRef(match self.before {
                Some(before) => self.block.0.insert_operation_before(before.0, operation),
                None => self.block.0.append_operation(operation),
            });
        };
        let before = self.before.map_or(MlirOperation { ptr: std::ptr::null_mut() }, OperationRef::to_raw);
        // SAFETY: the rewriter is valid for `'a`, and so is the place.
        let inserted = unsafe {
            OperationRef::from_raw(ffi::skndInsert(watcher, self.block.to_raw(), before, operation.into_raw()))
        };
        note_change(inserted, true);
        inserted
    }

    fn new_block(&self, arguments: &[(Type<'c>, Location<'c>)]) -> Block<'c> {
        let arguments: Vec<_> = arguments.iter().map(|(r#type, location)| (r#type.0, location.0)).collect();
        Block::new(&arguments)
    }

    fn located_here(&self, types: &[Type<'c>]) -> Vec<(Type<'c>, Location<'c>)> {
        types.iter().map(|&r#type| (r#type, self.location)).collect()
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
    ) -> Result<(Self, Vec<Value<'c, 'a>>), Failure> {
        self.append_located_block(operation, region, &self.located_here(arguments))
    }

    /// Adds a block whose arguments have locations of their own.
    pub fn append_located_block(
        &self,
        operation: OperationRef<'c, 'a>,
        region: usize,
        arguments: &[(Type<'c>, Location<'c>)],
    ) -> Result<(Self, Vec<Value<'c, 'a>>), Failure> {
        let block = BlockRef(operation.region(region)?.0.append_block(self.new_block(arguments)));
        Ok((self.at_end_of(block), block_arguments(block).collect()))
    }

    fn at_end_of(&self, block: BlockRef<'c, 'a>) -> Self {
        Builder { block, before: None, ..*self }
    }

    /// Builds an operation with one region of one block with arguments of these types, to be filled.
    pub fn with_body(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        attributes: &[NamedAttribute<'_, 'c>],
        results: &[Type<'c>],
        arguments: &[Type<'c>],
    ) -> Result<Body<'c, 'a>, Failure> {
        let operation = self.with_regions(name, operands, attributes, results, &[arguments])?;
        let (builder, arguments) = self.inside(operation, 0)?;
        Ok(Body { operation, builder, arguments })
    }

    /// A builder at the end of the first block of an operation's region, and the arguments of that block.
    pub fn inside(
        &self,
        operation: OperationRef<'c, 'a>,
        region: usize,
    ) -> Result<(Self, Vec<Value<'c, 'a>>), Failure> {
        let block = operation.region(region)?.first_block();
        let block = block.ok_or_else(|| Failure::new(format!("`{}` has no block to fill", operation.full_name())))?;
        Ok((self.at_end_of(block), block_arguments(block).collect()))
    }

    /// Builds an operation with one result.
    pub fn value(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        attributes: &[NamedAttribute<'_, 'c>],
        result: Type<'c>,
    ) -> Result<Value<'c, 'a>, Failure> {
        self.operation(name, operands, attributes, &[result])?.result(0)
    }

    /// Builds a copy of an operation with other operands, one for each of its own.
    pub fn copy(
        &self,
        operation: OperationRef<'c, 'a>,
        operands: &[Value<'c, 'a>],
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        let (name, expected, found) = (operation.full_name(), operation.operand_count(), operands.len());
        if expected != found {
            return Err(Failure::new(format!("a copy of `{name}` needs {expected} operands, not {found}")));
        }
        self.check(operands)?;
        let mut copied = (*operation.0).clone();
        for (index, operand) in operands.iter().enumerate() {
            copied.set_operand(index, operand.0);
        }
        Ok(self.insert(copied))
    }
}
