//! Branches and loops.

use super::Importer;
use crate::generated::discardable::{ParametersAttribute, ResultsAttribute};
use crate::generated::operations::{IfOpBuilder, LoopOpBuilder, YieldOpBuilder};
use skriptnd_language::compose::graph::{Argument, Loop, Operation, Region};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Type, Value, attributes};

impl<'s, 'l, 'c: 'a, 'a> Importer<'s, 'l, 'c, 'a> {
    /// The operations of a region. What becomes known inside is not known outside.
    fn inner_region(&mut self, builder: &Builder<'c, 'a>, region: &Region) -> Result<(), Failure> {
        let known = self.symbols.known();
        let inside = self.require(builder).and_then(|()| self.region(builder, region));
        self.symbols.forget(known);
        inside
    }

    /// Conditions are computed where they are asked; further ones in the alternative of those before them.
    pub(super) fn branch(
        &mut self,
        builder: &Builder<'c, 'a>,
        arms: &[(Region, Region)],
        otherwise: &Region,
        outputs: &[Argument],
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let types = self.all_types(outputs)?;
        let Some(((condition, consequent), rest)) = arms.split_first() else {
            self.region(builder, otherwise)?;
            return self.present_values(builder, &otherwise.results);
        };
        self.region(builder, condition)?;
        let condition = self.all_values(builder, &condition.results)?.pop().ok_or("a branch without a condition")?;
        let branch = IfOpBuilder::new(builder)
            .condition(condition)
            .outputs_type(types)
            .consequent_arguments(&[])
            .alternative_arguments(&[])
            .build()?;
        if self.is_named {
            branch.operation().set(ResultsAttribute::NAME, self.names(outputs));
        }
        let (inner, _) = branch.inside_consequent(builder)?;
        self.inner_region(&inner, consequent)?;
        yield_results(&inner, self.present_values(&inner, &consequent.results)?)?;
        let (inner, _) = branch.inside_alternative(builder)?;
        let known = self.symbols.known();
        let results = self.branch(&inner, rest, otherwise, outputs)?;
        self.symbols.forget(known);
        yield_results(&inner, results)?;
        Ok(branch.outputs())
    }

    pub(super) fn repetition(
        &mut self,
        builder: &Builder<'c, 'a>,
        operation: &Operation,
        parts: &Loop,
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let carried = parts.carried.min(operation.inputs.len());
        let (initial, rest) = operation.inputs.split_at(carried);
        let (scanned, count) = rest.split_at(parts.scans.min(rest.len()));
        let (finals, collected) = operation.outputs.split_at(carried.min(operation.outputs.len()));
        let arguments = self.parameter_types(&parts.body)?;
        let lengths: Vec<i64> = scanned.iter().map(|pack| pack.items().len() as i64).collect();
        let context = self.context();
        let bound = parts.count.as_ref().and_then(|count| count.as_known().or(count.bound));
        let extent = parts.count.as_ref().filter(|count| count.as_known().is_none());
        let extent = extent.map(|count| self.symbols.of(&count.value)).transpose()?;
        let items = scanned.iter().map(|pack| self.argument_values(builder, pack)).collect::<Result<Vec<_>, _>>()?;
        let told = collected.iter().filter_map(|pack| self.graph.pack_length(pack.items()));
        let told = told.filter(|length| !self.symbols.knows(&length.value));
        let told = told.map(|length| Ok(attributes::string(context, &self.symbols.of(&length.value)?.to_string())));
        let told = told.collect::<Result<Vec<_>, Failure>>()?;
        let tested_last = parts.condition.is_some() && !parts.tested_before;
        let mut repetition = LoopOpBuilder::new(builder)
            .carried(self.present_values(builder, initial)?)
            .scanned(items.concat())
            .count(self.present_values(builder, count)?.pop())
            .scan_lengths(&lengths)
            .has_index(parts.has_index)
            .bound(bound)
            .extent_attribute(extent.map(|extent| attributes::string(context, &extent.to_string())))
            .scan_extents_attribute(self.lengths(scanned)?)
            .lengths_attribute((!told.is_empty()).then(|| attributes::array(context, &told)))
            .test_last(tested_last)
            .finals_type(self.all_types(finals)?)
            .collected_type(self.all_types(collected)?)
            .body_arguments(&arguments);
        if parts.condition.is_some() {
            repetition = repetition.condition_arguments(&arguments);
        }
        let repetition = repetition.build()?;
        if self.is_named {
            repetition.operation().set(ResultsAttribute::NAME, self.names(&operation.outputs));
            repetition.operation().set(ParametersAttribute::NAME, self.names_of(parts.body.parameters.iter()));
        }
        self.loop_region(repetition.inside_body(builder)?, &parts.body)?;
        if let Some(condition) = &parts.condition {
            self.loop_region(repetition.inside_condition(builder)?, condition)?;
        }
        Ok(repetition.operation().result_values())
    }

    fn parameter_types(&self, region: &Region) -> Result<Vec<Type<'c>>, Failure> {
        region.parameters.iter().map(|id| self.type_of(*id)).collect()
    }

    fn loop_region(
        &mut self,
        (builder, arguments): (Builder<'c, 'a>, Vec<Value<'c, 'a>>),
        region: &Region,
    ) -> Result<(), Failure> {
        for (id, value) in region.parameters.iter().zip(arguments) {
            self.define(*id, value);
        }
        let known = self.symbols.known();
        self.learn(region.parameters.iter());
        let inside = self.inner_region(&builder, region);
        self.symbols.forget(known);
        inside?;
        yield_results(&builder, self.present_values(&builder, &region.results)?)
    }
}

fn yield_results<'c: 'a, 'a>(builder: &Builder<'c, 'a>, results: Vec<Value<'c, 'a>>) -> Result<(), Failure> {
    YieldOpBuilder::new(builder).values(results).build().map(drop)
}
