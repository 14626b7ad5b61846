//! Making declared operations.

use crate::access::{OPERAND_SEGMENTS, RESULT_SEGMENTS};
use crate::{GroupArity, Signature};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{
    Attribute, BlockRef, Builder, Context, Location, OperationRef, Parts, Type, Value, attributes,
};

/// The arguments of a block, with their locations.
type Arguments<'c> = Vec<(Type<'c>, Location<'c>)>;

/// Collects the parts of an operation by their declaration; generated builders are typed views of it.
#[derive(Clone)]
pub struct Build<'c, 'a> {
    signature: &'static Signature,
    builder: Builder<'c, 'a>,
    operands: Vec<Vec<Value<'c, 'a>>>,
    /// None where nothing was said.
    results: Vec<Option<Vec<Type<'c>>>>,
    attributes: Vec<(&'static str, Attribute<'c>)>,
    /// For each region the arguments of its first block; none if it has no block.
    regions: Vec<Vec<Option<Arguments<'c>>>>,
    successors: Vec<Vec<BlockRef<'c, 'a>>>,
    /// An attribute that cannot be made of its value.
    impossible: Option<&'static str>,
}

impl<'c: 'a, 'a> Build<'c, 'a> {
    /// An operation without any parts yet, to be built where a builder stands.
    pub fn new(signature: &'static Signature, builder: &Builder<'c, 'a>) -> Self {
        let regions = signature.regions.iter().map(|region| if region.variadic { Vec::new() } else { vec![None] });
        Self {
            signature,
            builder: *builder,
            operands: vec![Vec::new(); signature.operands.len()],
            results: vec![None; signature.results.len()],
            attributes: Vec::new(),
            regions: regions.collect(),
            successors: Vec::new(),
            impossible: None,
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

    /// Sets the values of a declared operand in groups, whose sizes become an attribute.
    pub fn operand_groups(
        &mut self,
        index: usize,
        sizes: &'static str,
        groups: impl IntoIterator<Item = Vec<Value<'c, 'a>>>,
    ) {
        let groups: Vec<_> = groups.into_iter().collect();
        let lengths: Vec<i32> = groups.iter().map(|group| group.len() as i32).collect();
        self.attribute(sizes, Some(attributes::segment_sizes(self.context(), &lengths)));
        self.operands(index, groups.concat());
    }

    /// Sets the types of a declared result.
    pub fn results(&mut self, index: usize, types: impl IntoIterator<Item = Type<'c>>) {
        self.results[index] = Some(types.into_iter().collect());
    }

    /// Sets an attribute; none takes it away.
    pub fn attribute(&mut self, name: &'static str, attribute: Option<Attribute<'c>>) {
        self.attributes.retain(|(other, _)| *other != name);
        self.attributes.extend(attribute.map(|attribute| (name, attribute)));
    }

    /// Sets an attribute that not every value has; where there is none, [`Self::build`] says so.
    pub fn possible_attribute(&mut self, name: &'static str, attribute: Option<Attribute<'c>>) {
        if attribute.is_none() {
            self.impossible = Some(name);
        }
        self.attribute(name, attribute);
    }

    /// Gives a declared region a block with arguments of these types.
    pub fn block(&mut self, index: usize, arguments: &[Type<'c>]) {
        let location = self.builder.location();
        self.regions[index] = vec![Some(arguments.iter().map(|r#type| (*r#type, location)).collect())];
    }

    /// Gives a declared region a block with arguments of these types and locations.
    pub fn located_block(&mut self, index: usize, arguments: &[(Type<'c>, Location<'c>)]) {
        self.regions[index] = vec![Some(arguments.to_vec())];
    }

    /// Makes regions of a variadic one: each with a block with arguments of these types, or none.
    pub fn regions(&mut self, index: usize, regions: impl IntoIterator<Item = Option<Vec<Type<'c>>>>) {
        let location = self.builder.location();
        let located = |types: Vec<Type<'c>>| types.into_iter().map(|r#type| (r#type, location)).collect();
        self.regions[index] = regions.into_iter().map(|region| region.map(located)).collect();
    }

    /// Sets where it goes on.
    pub fn successors(&mut self, index: usize, blocks: impl IntoIterator<Item = BlockRef<'c, 'a>>) {
        if self.successors.len() <= index {
            self.successors.resize(index + 1, Vec::new());
        }
        self.successors[index] = blocks.into_iter().collect();
    }

    /// Builds the operation, with the attributes that size its groups. Types of results that nothing was said of are
    /// inferred.
    pub fn build(mut self) -> Result<OperationRef<'c, 'a>, Failure> {
        if let Some(name) = self.impossible {
            return Err(Failure::new(format!("the attribute '{name}' of '{}' cannot be made", self.signature.name)));
        }
        let results = self.result_types()?;
        if self.signature.operand_segments {
            let sizes = self.operands.iter().map(|group| group.len() as i32).collect::<Vec<_>>();
            self.attribute(OPERAND_SEGMENTS, Some(attributes::segment_sizes(self.context(), &sizes)));
        }
        let regions = self.regions.concat();
        let parts = Parts {
            operands: &self.operands.concat(),
            attributes: &self.attributes,
            results: results.as_deref(),
            regions: regions.len(),
            successors: &self.successors.concat(),
        };
        let operation = self.builder.with_parts(self.signature.name, &parts)?;
        for (index, arguments) in regions.iter().enumerate() {
            if let Some(arguments) = arguments {
                self.builder.append_located_block(operation, index, arguments)?;
            }
        }
        Ok(operation)
    }

    /// The types of all results; none where they are to be inferred.
    fn result_types(&mut self) -> Result<Option<Vec<Type<'c>>>, Failure> {
        let given = self.results.iter().filter(|types| types.is_some()).count();
        let arities = self.signature.results;
        let needed = self
            .results
            .iter()
            .zip(arities)
            .filter(|(types, arity)| types.is_none() && **arity != GroupArity::Optional);
        match needed.count() {
            0 => {}
            _ if given == 0 => return Ok(None),
            _ => return Err(Failure::new(format!("the type of a result of '{}' is missing", self.signature.name))),
        }
        let groups: Vec<Vec<Type>> = self.results.iter().map(|types| types.clone().unwrap_or_default()).collect();
        if self.signature.result_segments {
            let sizes = groups.iter().map(|group| group.len() as i32).collect::<Vec<_>>();
            self.attribute(RESULT_SEGMENTS, Some(attributes::segment_sizes(self.context(), &sizes)));
        }
        Ok(Some(groups.concat()))
    }
}
