//! Iterations that depend on earlier ones: a `Loop` over them, in which the others are computed at once.

use super::{FormulaWriter, Nest, State};
use crate::element::ElementType;
use crate::export::attributes as attr;
use crate::export::prune::prune;
use crate::export::scope::Why;
use crate::proto::{GraphProto, ValueInfoProto};
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::formula::{Assignment, TensorRef};
use std::collections::HashMap;

/// Most iterations that run one after the other.
const MOST_STEPS: i64 = 1 << 22;

impl FormulaWriter<'_, '_> {
    /// An assignment of which some loops are run one iteration after the other.
    pub(super) fn steps(&mut self, assignment: &Assignment, fixed: &[usize]) -> Result<(), Why> {
        let nest = Nest::new(assignment, HashMap::new());
        let known = fixed.iter().filter_map(|number| nest.extent(*number));
        let count = known.into_iter().try_fold(1i64, i64::checked_mul);
        if count.is_none_or(|count| count > MOST_STEPS) {
            return Err(format!("it has more than {MOST_STEPS} iterations that depend on earlier ones"));
        }
        let mut written: Vec<usize> = Vec::new();
        for target in &assignment.targets {
            let TensorRef::Output(at) = target.tensor else { return Err("it assigns to an operand".to_owned()) };
            if !written.contains(&at) {
                written.push(at);
            }
        }
        let mut initial = Vec::new();
        for at in &written {
            initial.push(self.output(*at)?);
        }
        let extents: Vec<SymExpr> = fixed.iter().map(|number| nest.extent_expression(*number)).collect();
        let steps = self.scope.extent(&product(&extents))?;
        let outer = self.scope.enter();
        let states = self.states.clone();
        let body = self.step(assignment, (fixed, &extents), &written);
        let nodes = self.scope.leave(outer);
        self.states = states;
        let (input, output) = body?;
        let needed: Vec<String> = output.iter().map(|output| output.name.clone()).collect();
        let node = prune(nodes, &needed);
        let graph = GraphProto { node, name: "step".to_owned(), input, output, ..GraphProto::default() };
        let goes_on = self.scope.nodes.truth(true);
        let inputs = [steps, goes_on].into_iter().chain(initial).collect();
        let body = vec![attr::graph("body", graph)];
        let results = self.scope.nodes.several(("", "Loop"), inputs, written.len(), body);
        for (at, result) in written.into_iter().zip(results) {
            self.states[at] = State::Value(result);
        }
        Ok(())
    }

    /// One of the iterations: what its graph takes and gives.
    fn step(
        &mut self,
        assignment: &Assignment,
        (fixed, extents): (&[usize], &[SymExpr]),
        written: &[usize],
    ) -> Result<(Vec<ValueInfoProto>, Vec<ValueInfoProto>), Why> {
        let nodes = &mut self.scope.nodes;
        let (step, goes_on) = (nodes.fresh("step"), nodes.fresh("goes_on"));
        let mut inputs = vec![attr::info(&step, ElementType::Int64, &[]), attr::info(&goes_on, ElementType::Bool, &[])];
        for at in written {
            let name = self.scope.nodes.fresh("state");
            let ty = &self.given.outputs[*at];
            inputs.push(attr::open_info(&name, attr::element_of(ty.dtype), &ty.shape));
            self.states[*at] = State::Value(name);
        }
        let mut numbers = HashMap::new();
        for (at, number) in fixed.iter().enumerate() {
            let inner = self.scope.extent(&product(&extents[at + 1..]))?;
            let extent = self.scope.extent(&extents[at])?;
            let nodes = &mut self.scope.nodes;
            let outer = nodes.add("Div", &[&step, &inner], Vec::new());
            numbers.insert(*number, nodes.add("Mod", &[&outer, &extent], Vec::new()));
        }
        self.iterations_at_once(Nest::new(assignment, numbers))?;
        let goes_on = self.scope.nodes.truth(true);
        let goes_on = self.scope.nodes.add("Identity", &[&goes_on], Vec::new());
        let mut outputs = vec![attr::info(&goes_on, ElementType::Bool, &[])];
        for at in written {
            let value = self.output(*at)?;
            let own = self.scope.nodes.add("Identity", &[&value], Vec::new());
            let ty = &self.given.outputs[*at];
            outputs.push(attr::open_info(&own, attr::element_of(ty.dtype), &ty.shape));
        }
        Ok((inputs, outputs))
    }
}

fn product(extents: &[SymExpr]) -> SymExpr {
    let both = |product: SymExpr, extent: &SymExpr| {
        product.times(extent).unwrap_or_else(|| SymExpr::Product(vec![product, extent.clone()]))
    };
    extents.iter().fold(SymExpr::Const(1), both)
}
