//! Making declared operations.

use crate::OperationDefinition;
use crate::access::{OPERAND_SEGMENTS, RESULT_SEGMENTS};
use skriptnd_mlir::Failure;
use skriptnd_mlir::dialect::Trait;
use skriptnd_mlir::ir::{Attribute, Builder, Context, OperationRef, Type, Value, attributes};

/// Collects the parts of an operation by their declaration; generated builders are typed views of it.
pub struct Build<'c, 'a> {
    definition: &'static OperationDefinition,
    builder: Builder<'c, 'a>,
    operands: Vec<Vec<Value<'c, 'a>>>,
    results: Vec<Vec<Type<'c>>>,
    attributes: Vec<(&'static str, Attribute<'c>)>,
    /// For each region the arguments of its first block; none if it has no block.
    regions: Vec<Option<Vec<Type<'c>>>>,
}

impl<'c: 'a, 'a> Build<'c, 'a> {
    /// An operation without any parts yet, to be built where a builder stands.
    pub fn new(definition: &'static OperationDefinition, builder: &Builder<'c, 'a>) -> Self {
        Self {
            definition,
            builder: *builder,
            operands: vec![Vec::new(); definition.operands.len()],
            results: vec![Vec::new(); definition.results.len()],
            attributes: Vec::new(),
            regions: vec![None; definition.regions.len()],
        }
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        self.builder.context()
    }

    /// Sets the values of a declared operand.
    pub fn operands(&mut self, index: usize, values: impl IntoIterator<Item = Value<'c, 'a>>) {
        self.operands[index] = values.into_iter().collect();
    }

    /// Sets the types of a declared result.
    pub fn results(&mut self, index: usize, types: impl IntoIterator<Item = Type<'c>>) {
        self.results[index] = types.into_iter().collect();
    }

    /// Sets an attribute.
    pub fn attribute(&mut self, name: &'static str, attribute: Attribute<'c>) {
        self.attributes.retain(|(other, _)| *other != name);
        self.attributes.push((name, attribute));
    }

    /// Gives a declared region a block with arguments of these types.
    pub fn block(&mut self, index: usize, arguments: &[Type<'c>]) {
        self.regions[index] = Some(arguments.to_vec());
    }

    /// Builds the operation, with the attributes that size its groups.
    pub fn build(mut self) -> Result<OperationRef<'c, 'a>, Failure> {
        let sizes = |groups: Vec<usize>| groups.into_iter().map(|size| size as i32).collect::<Vec<_>>();
        if self.definition.has_trait(Trait::AttrSizedOperandSegments) {
            let sizes = sizes(self.operands.iter().map(Vec::len).collect());
            self.attribute(OPERAND_SEGMENTS, attributes::segment_sizes(self.context(), &sizes));
        }
        if self.definition.has_trait(Trait::AttrSizedResultSegments) {
            let sizes = sizes(self.results.iter().map(Vec::len).collect());
            self.attribute(RESULT_SEGMENTS, attributes::segment_sizes(self.context(), &sizes));
        }
        let (operands, results) = (self.operands.concat(), self.results.concat());
        let (name, count) = (self.definition.name, self.regions.len());
        let operation = self.builder.with_empty_regions(name, &operands, &self.attributes, &results, count)?;
        for (index, arguments) in self.regions.iter().enumerate() {
            if let Some(arguments) = arguments {
                self.builder.append_block(operation, index, arguments)?;
            }
        }
        Ok(operation)
    }
}
