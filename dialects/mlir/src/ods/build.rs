//! Making declared operations.

use super::OperationDefinition;
use super::access::{OPERAND_SEGMENTS, RESULT_SEGMENTS};
use crate::Error;
use crate::dialect::Trait;
use crate::ir::Context;
use crate::ir::{Attribute, Identifier, Location, Operation, OperationBuilder, Region, Type, Value, attributes};

/// Collects the parts of an operation by their declaration; generated builders are typed views of it.
pub struct Build<'c, 'a> {
    definition: &'static OperationDefinition,
    context: &'c Context,
    location: Location<'c>,
    operands: Vec<Vec<Value<'c, 'a>>>,
    results: Vec<Vec<Type<'c>>>,
    attributes: Vec<(&'static str, Attribute<'c>)>,
    regions: Vec<Region<'c>>,
}

impl<'c, 'a> Build<'c, 'a> {
    /// An operation without any parts yet.
    pub fn new(definition: &'static OperationDefinition, context: &'c Context, location: Location<'c>) -> Self {
        Self {
            definition,
            context,
            location,
            operands: vec![Vec::new(); definition.operands.len()],
            results: vec![Vec::new(); definition.results.len()],
            attributes: Vec::new(),
            regions: Vec::new(),
        }
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        self.context
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

    /// Adds a region.
    pub fn region(&mut self, region: Region<'c>) {
        self.regions.push(region);
    }

    /// Makes the operation, with the attributes that size its groups.
    pub fn build(mut self) -> Result<Operation<'c>, Error> {
        let sizes = |groups: Vec<usize>| groups.into_iter().map(|size| size as i32).collect::<Vec<_>>();
        if self.definition.has_trait(Trait::AttrSizedOperandSegments) {
            let sizes = sizes(self.operands.iter().map(Vec::len).collect());
            self.attribute(OPERAND_SEGMENTS, attributes::segment_sizes(self.context, &sizes));
        }
        if self.definition.has_trait(Trait::AttrSizedResultSegments) {
            let sizes = sizes(self.results.iter().map(Vec::len).collect());
            self.attribute(RESULT_SEGMENTS, attributes::segment_sizes(self.context, &sizes));
        }
        let named: Vec<_> =
            self.attributes.iter().map(|(name, value)| (Identifier::new(self.context, name), *value)).collect();
        let name = self.definition.name;
        OperationBuilder::new(name, self.location)
            .add_operands(&self.operands.concat())
            .add_attributes(&named)
            .add_results(&self.results.concat())
            .add_regions_vec(self.regions)
            .build()
            .map_err(|error| Error::Invalid(format!("cannot build '{name}': {error}")))
    }
}
