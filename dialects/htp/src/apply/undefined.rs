//! Why a rule whose match is there and whose condition holds is not applied.

use super::plan::{Plan, Source, Undefined};
use super::planner::{Planner, pruned};
use super::{Bindings, Environment, Evaluation, Graph};
use crate::grammar::model::Replacement;

/// Why a replacement is undefined for a match, and its part for which that is said; `None` if it is defined.
pub fn undefined_part<G: Graph>(
    replacement: &Replacement,
    package: &str,
    graph: &G,
    bindings: &Bindings<'_, G::Node>,
    environment: &Environment,
) -> Option<Undefined> {
    let whole = |reason: String| Some(Undefined { span: replacement.span, reason });
    let Some(output) = graph.output_def(bindings.root) else {
        return whole("the root is no tensor of static shape".to_owned());
    };
    let mut planner = Planner::new(Evaluation::new(graph, bindings, environment), package);
    let Some(result) = planner.whole(replacement, output.clone()) else { return planner.undefined };
    planner.plan.result = result;
    match planner.output_of(result) {
        _ if result == Source::Existing(bindings.root) => whole("the root would take its own place".to_owned()),
        Some(found) if found != output => whole(format!("its result would be {found}, and the root is {output}")),
        _ if !is_valid(planner.plan) => whole("an op would have a type that no tensor has".to_owned()),
        _ => None,
    }
}

fn is_valid<N: Copy + Eq>(plan: Plan<N>) -> bool {
    pruned(plan).is_valid()
}
