//! Assignments to elements that indices tell.

use super::assign::reduction;
use super::lane::{Lane, both};
use super::{FormulaWriter, Nest, State};
use crate::element::ElementType;
use crate::export::attributes as attr;
use crate::export::scope::Why;
use skriptnd_language::arithmetic::accumulator;
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::formula::Target;
use skriptnd_language::compose::value::ScalarType;

impl FormulaWriter<'_, '_> {
    /// A result as a vector, in which elements are replaced or combined one iteration after the other. What iterations that are
    /// left out would write goes to an element more.
    pub(super) fn scattered(
        &mut self,
        nest: &mut Nest<'_>,
        (target, at): (&Target, usize),
        lane: Lane,
    ) -> Result<State, Why> {
        let ty = self.given.outputs[at].clone();
        let before = self.output(at)?;
        let (mut positions, mut mask) = (Vec::new(), lane.mask.clone());
        for (dimension, (access, extent)) in target.indices.iter().zip(&ty.shape).enumerate() {
            let position = self.position(nest, access, (&before, dimension, extent))?;
            mask = both(&mut self.scope.nodes, mask.as_deref(), position.mask.as_deref());
            positions.push(position.bare());
        }
        let mut index = self.flat_index(nest, &before, &ty, &positions)?;
        let nodes = &mut self.scope.nodes;
        let all = nodes.ints(&[-1]);
        let mut flat = nodes.add("Reshape", &[&before, &all], Vec::new());
        if let Some(mask) = mask.as_deref() {
            let beyond = nodes.extent(&flat, 0);
            let name = nodes.select(&mask.name, [&index.name, &beyond], false);
            index = Lane::of(name, &[&index, mask], None);
            let more = self.scope.scalar(&super::zero(ty.dtype), ty.dtype)?;
            let nodes = &mut self.scope.nodes;
            let one = nodes.ints(&[1]);
            let more = nodes.add("Reshape", &[&more, &one], Vec::new());
            flat = nodes.add("Concat", &[&flat, &more], vec![attr::int("axis", 0)]);
        }
        // What was reduced before is there once.
        let loops: Vec<usize> = match accumulator(nest.assignment.op) {
            Some(_) => nest.placed(target).into_iter().chain(lane.loops()).chain(index.loops()).collect(),
            None => (0..nest.depth()).collect(),
        };
        let index = self.iterations(nest, &index, &loops)?;
        let value = self.iterations(nest, &lane, &loops)?;
        let mut written = self.scatter(nest, [&flat, &index, &value], ty.dtype);
        if mask.is_some() {
            let nodes = &mut self.scope.nodes;
            let [begin, end] = [nodes.ints(&[0]), nodes.ints(&[-1])];
            written = nodes.add("Slice", &[&written, &begin, &end], Vec::new());
        }
        let shape = self.scope.shape(&ty.shape)?;
        Ok(State::Value(self.scope.nodes.add("Reshape", &[&written, &shape], vec![attr::int("allowzero", 1)])))
    }

    fn scatter(&mut self, nest: &Nest<'_>, [flat, index, value]: [&str; 3], dtype: ScalarType) -> String {
        let nodes = &mut self.scope.nodes;
        let reduction = reduction(nest.assignment.op);
        let attributes = vec![attr::int("axis", 0), attr::text("reduction", reduction)];
        if dtype != ScalarType::Bool || reduction == "none" {
            return nodes.add("ScatterElements", &[flat, index, value], attributes);
        }
        let [flat, value] = [flat, value].map(|truths| nodes.cast(truths, ElementType::Int64));
        let written = nodes.add("ScatterElements", &[&flat, index, &value], attributes);
        nodes.cast(&written, ElementType::Bool)
    }

    /// The values of all iterations of some loops, as a vector.
    fn iterations(&mut self, nest: &Nest<'_>, lane: &Lane, loops: &[usize]) -> Result<String, Why> {
        self.check_size(nest, loops)?;
        let extent = |number: usize| match nest.fixed.contains_key(&number) || !loops.contains(&number) {
            true => SymExpr::Const(1),
            false => nest.extent_expression(number),
        };
        let shape: Vec<_> = (0..nest.depth()).map(extent).collect();
        let shape = self.scope.vector(&shape)?;
        let nodes = &mut self.scope.nodes;
        let is_whole = lane.rank == nest.depth() && lane.along.iter().all(|along| *along);
        let all = nodes.ints(&[-1]);
        let whole = if is_whole { lane.name.clone() } else { nodes.add("Expand", &[&lane.name, &shape], Vec::new()) };
        Ok(nodes.add("Reshape", &[&whole, &all], Vec::new()))
    }
}
