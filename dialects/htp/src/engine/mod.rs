//! Applies rules to MLIR: pass by pass in rising number, each to a fixpoint, by PDL.

mod census;
mod cleanup;
mod graph;
pub mod passes;
pub mod plain;

pub use crate::apply::Limits;
use crate::apply::plan::Plan;
use crate::apply::{Bindings, Environment, plan_replacement};
use crate::grammar::model::Rule;
use crate::to_pdl;
use census::Needs;
pub use census::matched_ops;
pub use cleanup::{merge_common, remove_dead};
use graph::Ids;
pub use graph::{ID, IrGraph, SPLIT_HISTORY, constant, shape};
use skriptnd_mlir::Failure;
use skriptnd_mlir::diagnostics::Position;
use skriptnd_mlir::ir::{Context, OperationRef, Root, Value, walk};
use skriptnd_mlir::rewrite::{FrozenPatterns, Natives, PatternSet, PdlPatterns, PdlValue};
use skriptnd_source::SourceMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// One application of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Firing {
    /// The rule's index.
    pub rule: usize,
    /// The op that was replaced.
    pub operation: String,
    /// Where the model's source has it, if that is known.
    pub position: Option<Position>,
}

/// What the engine did.
#[derive(Debug, Default)]
pub struct Applied {
    /// The applications of rules, in order.
    pub firings: Vec<Firing>,
    /// Rules that were compiled, in all passes.
    pub compiled: usize,
    /// Sweeps over the graph, in all passes.
    pub sweeps: usize,
    /// Passes behind which the graph was cleaned.
    pub cleanups: usize,
}

/// Why rules were not applied to the end.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// Rules that match their own output, or each other's.
    #[error("pass {pass} does not end: after {applications} applications in {sweeps} sweeps over the graph, these rules \
             still apply: {}", .rules.join(", "))]
    NotEnding {
        /// The number of the pass.
        pass: i64,
        /// Rules applied.
        applications: usize,
        /// Sweeps made.
        sweeps: usize,
        /// File and line of the rules that were applied last.
        rules: Vec<String>,
    },
    /// More rules in a pass than PDL has benefits.
    #[error("pass {pass} has {found} rules; the limit is {}", to_pdl::MAX_RULES_OF_PASS)]
    TooManyRules {
        /// The number of the pass.
        pass: i64,
        /// How many rules there are.
        found: usize,
    },
    /// MLIR refused.
    #[error(transparent)]
    Mlir(#[from] skriptnd_mlir::Error),
}

impl From<Failure> for EngineError {
    fn from(failure: Failure) -> Self {
        EngineError::Mlir(failure.into())
    }
}

/// Rules ready to be applied.
pub struct Engine<'r> {
    rules: Vec<Arc<Rule>>,
    sources: &'r SourceMap,
    environment: Arc<Environment>,
    limits: Limits,
    /// What was applied since this was last taken. The rewrites note it themselves: a driver that walks does not tell.
    applied: Arc<Mutex<Vec<Firing>>>,
    /// How many may still be applied in this pass: one sweep may already be too long.
    remaining: Arc<AtomicUsize>,
    ids: Arc<Ids>,
}

impl<'r> Engine<'r> {
    /// For rules that are all supported.
    pub fn new(rules: &[Rule], sources: &'r SourceMap, environment: Environment) -> Self {
        let rules = rules.iter().cloned().map(Arc::new).collect();
        let (environment, limits) = (Arc::new(environment), Limits::default());
        let (applied, remaining, ids) = (Arc::default(), Arc::default(), Arc::default());
        Engine { rules, sources, environment, limits, applied, remaining, ids }
    }

    /// Sets when to stop.
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Options of the graph that rules asked for and that are missing.
    pub fn missing_options(&self) -> Vec<String> {
        self.environment.options.missing()
    }

    /// Applies the rules to all ops inside a container. Only rules whose ops occur are compiled, and what was not changed
    /// is not cleaned.
    pub fn run(&self, container: &mut Root<'_, '_>) -> Result<Applied, EngineError> {
        let mut applied = Applied::default();
        clean(container.operation())?;
        self.ids.behind(walk(container.operation()));
        let needs: Vec<Needs> = self.rules.iter().map(|rule| Needs::of(rule)).collect();
        let mut present = census::census(container.operation());
        for (pass, members) in to_pdl::by_pass(&self.rules) {
            if members.len() > to_pdl::MAX_RULES_OF_PASS {
                return Err(EngineError::TooManyRules { pass, found: members.len() });
            }
            let live = census::live(&needs, &members, &present);
            if live.is_empty() {
                continue;
            }
            applied.compiled += live.len();
            let patterns = to_pdl::patterns(&self.rules, &live, self.sources);
            let text = format!("module {{\n{patterns}}}\n");
            let patterns = self.freeze(container.context(), &text, &live)?;
            let before = applied.firings.len();
            self.run_pass(pass, &patterns, container, &mut applied)?;
            if applied.firings.len() > before {
                applied.cleanups += 1;
                clean(container.operation())?;
                present = census::census(container.operation());
            }
        }
        Ok(applied)
    }

    fn run_pass<'c>(
        &self,
        pass: i64,
        patterns: &FrozenPatterns<'c>,
        container: &mut Root<'c, '_>,
        applied: &mut Applied,
    ) -> Result<(), EngineError> {
        let firings = &mut applied.firings;
        let before = firings.len();
        self.remaining.store(self.limits.applications, Ordering::Relaxed);
        for sweeps in 1.. {
            let start = firings.len();
            applied.sweeps += 1;
            patterns.walk_and_apply(container)?;
            firings.append(&mut self.applied.lock().unwrap_or_else(PoisonError::into_inner));
            if firings.len() == start {
                break;
            }
            cleanup::remove_dead(container.operation())?;
            let applications = firings.len() - before;
            self.remaining.store(self.limits.applications.saturating_sub(applications), Ordering::Relaxed);
            if sweeps > self.limits.sweeps || applications >= self.limits.applications {
                let mut last: Vec<usize> = firings[start..].iter().map(|firing| firing.rule).collect();
                last.sort_unstable();
                last.dedup();
                let rules = last.iter().filter_map(|rule| self.rules.get(*rule)).map(|rule| rule.name.clone());
                return Err(EngineError::NotEnding { pass, applications, sweeps, rules: rules.collect() });
            }
        }
        Ok(())
    }

    fn freeze<'c>(
        &self,
        context: &'c Context,
        text: &str,
        members: &[usize],
    ) -> Result<FrozenPatterns<'c>, skriptnd_mlir::Error> {
        let mut natives = Natives::new();
        for index in members {
            if let Some(rule) = self.rules.get(*index) {
                natives = self.natives(natives, *index, rule);
            }
        }
        let mut patterns = PatternSet::new(context);
        patterns.add_pdl(PdlPatterns::new(text, "rules.pdl", natives))?;
        patterns.freeze()
    }

    /// The constraint decides all, and the rewrite then can't fail: MLIR could not go back.
    fn natives(&self, natives: Natives, index: usize, rule: &Arc<Rule>) -> Natives {
        let planner = Planner { rule: Arc::clone(rule), environment: Arc::clone(&self.environment) };
        let (builder, applied) = (planner.clone(), Arc::clone(&self.applied));
        let ids = Arc::clone(&self.ids);
        let (remaining, spent) = (Arc::clone(&self.remaining), Arc::clone(&self.remaining));
        natives
            .constraint(to_pdl::constraint_name(index), move |context, arguments| {
                if remaining.load(Ordering::Relaxed) == 0 {
                    return None;
                }
                let (_, planned) = planner.plan(arguments)?;
                graph::has_types(context, &planned).then(Vec::new)
            })
            .rewrite(to_pdl::rewrite_name(index), move |editor, arguments| {
                let (root, planned) = builder.plan(arguments).ok_or("the replacement is undefined")?;
                let firing = Firing {
                    rule: index,
                    operation: root.full_name().to_owned(),
                    position: Position::of(root.location()),
                };
                spent.fetch_sub(1, Ordering::Relaxed);
                applied.lock().unwrap_or_else(PoisonError::into_inner).push(firing);
                Ok(vec![PdlValue::Value(graph::build(&editor.before(root)?, &planned, &ids)?)])
            })
    }
}

fn clean(container: OperationRef<'_, '_>) -> Result<(), EngineError> {
    cleanup::remove_dead(container)?;
    Ok(cleanup::merge_common(container)?)
}

#[derive(Clone)]
struct Planner {
    rule: Arc<Rule>,
    environment: Arc<Environment>,
}

impl Planner {
    /// The root and what takes its place; `arguments` are the root and what the tags are bound to.
    fn plan<'c, 'a>(&self, arguments: &[PdlValue<'c, 'a>]) -> Option<(OperationRef<'c, 'a>, Plan<Value<'c, 'a>>)> {
        let (PdlValue::Operation(root), values) = arguments.split_first()? else { return None };
        let [output] = root.result_values()[..] else { return None };
        let mut tags = Vec::with_capacity(values.len());
        for (tag, value) in self.rule.tags.keys().zip(values) {
            let PdlValue::Value(value) = value else { return None };
            tags.push((tag.as_str(), *value));
        }
        let bindings = Bindings { root: output, tags };
        let planned = plan_replacement(&self.rule, &IrGraph::default(), &bindings, &self.environment)?;
        Some((*root, planned))
    }
}

#[cfg(test)]
mod tests;
