//! What was parsed of an operation with an assembly format, and what becomes of it.

use crate::access::{OPERAND_SEGMENTS, RESULT_SEGMENTS};
use crate::infer::type_of;
use crate::reference::{Reference, TypeSource};
use crate::{GroupArity, OperationDefinition};
use skriptnd_mlir::Failure;
use skriptnd_mlir::dialect::{ParsedRegion, Parser, Trait, UnresolvedOperand};
use skriptnd_mlir::ir::{Type, attributes};

/// What was parsed so far of an operation with an assembly format; custom directives add their part.
pub struct FormatParser<'c, 'p, 'f> {
    pub(super) definition: &'f OperationDefinition,
    pub(super) operands: Vec<Vec<UnresolvedOperand<'p>>>,
    pub(super) operand_types: Vec<Option<Vec<Type<'c>>>>,
    pub(super) result_types: Vec<Option<Vec<Type<'c>>>>,
    /// Operands and types that stand for all groups together.
    pub(super) all_operands: Option<Vec<UnresolvedOperand<'p>>>,
    pub(super) all_operand_types: Option<Vec<Type<'c>>>,
    pub(super) all_result_types: Option<Vec<Type<'c>>>,
    pub(super) regions: Vec<Vec<ParsedRegion<'c>>>,
}

impl<'c, 'p, 'f> FormatParser<'c, 'p, 'f> {
    pub(super) fn new(definition: &'f OperationDefinition) -> Self {
        Self {
            definition,
            operands: vec![Vec::new(); definition.operands.len()],
            operand_types: vec![None; definition.operands.len()],
            result_types: vec![None; definition.results.len()],
            all_operands: None,
            all_operand_types: None,
            all_result_types: None,
            regions: definition.regions.iter().map(|_| Vec::new()).collect(),
        }
    }

    /// The definition of the operation.
    pub fn definition(&self) -> &'f OperationDefinition {
        self.definition
    }

    /// Sets the values of a declared operand.
    pub fn set_operands(&mut self, index: usize, operands: Vec<UnresolvedOperand<'p>>) {
        self.operands[index] = operands;
    }

    /// Sets the types of a declared operand.
    pub fn set_operand_types(&mut self, index: usize, types: Vec<Type<'c>>) {
        self.operand_types[index] = Some(types);
    }

    /// Sets the types of a declared result.
    pub fn set_result_types(&mut self, index: usize, types: Vec<Type<'c>>) {
        self.result_types[index] = Some(types);
    }

    /// Adds to a declared region.
    pub fn add_region(&mut self, index: usize, region: ParsedRegion<'c>) {
        self.regions[index].push(region);
    }

    /// Types that the text does not have, where they follow from others.
    pub(super) fn find_types(&mut self, parser: &Parser<'c, 'p>, (operands, results): (&[TypeSource], &[TypeSource])) {
        // What follows from what follows is found in the second round.
        for _ in 0..2 {
            for (index, source) in operands.iter().enumerate() {
                let count = self.operands[index].len();
                if self.operand_types[index].is_none() && self.all_operand_types.is_none() {
                    self.operand_types[index] = self.types_of(parser, source, Some(count));
                }
            }
            for (index, source) in results.iter().enumerate() {
                let is_single = self.definition.results[index].arity == GroupArity::One;
                if self.result_types[index].is_none() && self.all_result_types.is_none() {
                    self.result_types[index] = self.types_of(parser, source, is_single.then_some(1));
                }
            }
        }
    }

    /// Types by their source: so many, or as many as those that they follow from.
    fn types_of(&self, parser: &Parser<'c, 'p>, source: &TypeSource, count: Option<usize>) -> Option<Vec<Type<'c>>> {
        source.types(parser.context(), count, |of| self.known_types(parser, of))
    }

    fn known_types(&self, parser: &Parser<'c, 'p>, of: Reference) -> Option<Vec<Type<'c>>> {
        match of {
            Reference::Operand(index) => match &self.all_operand_types {
                Some(all) => {
                    let start: usize = self.operands[..index].iter().map(Vec::len).sum();
                    all.get(start..start + self.operands[index].len()).map(<[Type]>::to_vec)
                }
                None => self.operand_types[index].clone(),
            },
            Reference::Result(index) => self.result_types[index].clone(),
            Reference::Attribute(index) => {
                let value = parser.attribute(self.definition.attributes[index].name)?;
                Some(vec![type_of(value)])
            }
            _ => None,
        }
    }

    /// Resolves operands and adds everything to the operation.
    pub(super) fn finish(self, parser: &mut Parser<'c, 'p>) -> Result<(), Failure> {
        // With one type for all operands and results, any known one serves.
        let shared = self
            .operand_types
            .iter()
            .chain(&self.result_types)
            .flatten()
            .flatten()
            .chain(self.all_operand_types.iter().flatten())
            .next()
            .copied();
        let sizes: Vec<i32> = self.operands.iter().map(|group| group.len() as i32).collect();
        let (operands, types) = self.resolvable(shared);
        parser.add_resolved_operands(&operands, &types)?;
        if self.definition.has_trait(Trait::AttrSizedOperandSegments) && self.all_operands.is_none() {
            let sizes = attributes::segment_sizes(parser.context(), &sizes);
            parser.add_attribute(OPERAND_SEGMENTS, sizes);
        }
        self.add_results(parser, shared)?;
        for (declared, regions) in self.definition.regions.iter().zip(self.regions) {
            // What a group leaves out is there nevertheless, and empty.
            if regions.is_empty() && !declared.variadic {
                parser.add_region(ParsedRegion::empty());
            }
            regions.into_iter().for_each(|region| parser.add_region(region));
        }
        Ok(())
    }

    fn resolvable(&self, shared: Option<Type<'c>>) -> (Vec<UnresolvedOperand<'p>>, Vec<Type<'c>>) {
        let operands = match &self.all_operands {
            Some(operands) => operands.clone(),
            None => self.operands.concat(),
        };
        if let Some(types) = &self.all_operand_types {
            return (operands, types.clone());
        }
        let mut types = Vec::new();
        for (group, known) in self.operands.iter().zip(&self.operand_types) {
            match known {
                Some(known) => types.extend(known),
                None => types.extend(shared.into_iter().cycle().take(group.len())),
            }
        }
        if self.all_operands.is_some() && types.len() < operands.len() {
            types.extend(shared.into_iter().cycle().take(operands.len() - types.len()));
        }
        (operands, types)
    }

    fn add_results(&self, parser: &mut Parser<'c, 'p>, shared: Option<Type<'c>>) -> Result<(), Failure> {
        if let Some(types) = &self.all_result_types {
            parser.add_results(types);
            return Ok(());
        }
        if self.result_types.iter().all(Option::is_some) {
            let sizes: Vec<i32> = self.result_types.iter().flatten().map(|types| types.len() as i32).collect();
            self.result_types.iter().flatten().for_each(|types| parser.add_results(types));
            if self.definition.has_trait(Trait::AttrSizedResultSegments) {
                let sizes = attributes::segment_sizes(parser.context(), &sizes);
                parser.add_attribute(RESULT_SEGMENTS, sizes);
            }
            return Ok(());
        }
        match shared {
            Some(shared) if self.definition.has_trait(Trait::SameOperandsAndResultType) => {
                parser.add_results(&vec![shared; self.result_types.len()]);
                Ok(())
            }
            _ => parser.infer_results(),
        }
    }
}
