//! Applies rules to MLIR: pass by pass in rising number, each to a fixpoint, by PDL.

mod cleanup;
mod graph;
pub mod passes;

use crate::apply::plan::{Planned, plan};
use crate::apply::{Bindings, Options};
use crate::grammar::model::Rule;
use crate::to_pdl;
use graph::IrGraph;
pub use graph::{constant, shape};
use skriptnd_language::source::SourceMap;
use skriptnd_mlir::diagnostics::Position;
use skriptnd_mlir::ir::{Context, InContext, OperationExt, OperationLike, OperationRef, Value};
use skriptnd_mlir::rewrite::{FrozenPatterns, Natives, PatternSet, PdlPatterns, PdlValue};
use std::sync::Arc;

/// When to stop.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Sweeps over the graph in one pass.
    pub sweeps: usize,
    /// Applications of rules in one pass.
    pub applications: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { sweeps: 100, applications: 1_000_000 }
    }
}

/// One application of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Firing {
    /// The rule's index.
    pub rule: usize,
    /// The op that was replaced.
    pub operation: String,
    /// Its place in the model's source, if known.
    pub position: Option<Position>,
}

/// Why rules were not applied to the end.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// Rules that match their own output, or each other's.
    #[error("pass {pass} does not end: after {sweeps} sweeps over the graph these rules still apply: {}", .rules.join(", "))]
    NotEnding {
        /// The pass.
        pass: i64,
        /// Sweeps made.
        sweeps: usize,
        /// File and line of the rules that were applied last.
        rules: Vec<String>,
    },
    /// More rules in a pass than PDL has benefits.
    #[error("pass {pass} has {found} rules; the limit is {}", to_pdl::MAX_RULES_OF_PASS)]
    TooManyRules {
        /// The pass.
        pass: i64,
        /// Its rules.
        found: usize,
    },
    /// MLIR refused.
    #[error(transparent)]
    Mlir(#[from] skriptnd_mlir::Error),
}

/// Rules ready to be applied.
pub struct Engine<'r> {
    rules: Vec<Arc<Rule>>,
    sources: &'r SourceMap,
    package: Arc<str>,
    options: Arc<Options>,
    limits: Limits,
}

impl<'r> Engine<'r> {
    /// For rules that are all supported; `package` is the package of ops whose names have none.
    pub fn new(rules: &[Rule], sources: &'r SourceMap, package: &str, options: Options) -> Self {
        let rules = rules.iter().cloned().map(Arc::new).collect();
        Engine { rules, sources, package: package.into(), options: Arc::new(options), limits: Limits::default() }
    }

    /// Sets when to stop.
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Options of the graph that rules asked for and that are missing.
    pub fn missing_options(&self) -> Vec<String> {
        self.options.missing()
    }

    /// Applies the rules to all ops inside a container.
    pub fn run(&self, container: OperationRef<'_, '_>) -> Result<Vec<Firing>, EngineError> {
        let rules: Vec<Rule> = self.rules.iter().map(|rule| rule.as_ref().clone()).collect();
        let mut firings = Vec::new();
        clean(container)?;
        for (pass, members) in to_pdl::by_pass(&rules) {
            if members.len() > to_pdl::MAX_RULES_OF_PASS {
                return Err(EngineError::TooManyRules { pass, found: members.len() });
            }
            let text = to_pdl::patterns(&rules, &members, self.sources, &self.package);
            let patterns = self.freeze(container.in_context(), &text, &members)?;
            self.run_pass(pass, &patterns, container, &mut firings)?;
            clean(container)?;
        }
        Ok(firings)
    }

    fn run_pass(
        &self,
        pass: i64,
        patterns: &FrozenPatterns,
        container: OperationRef<'_, '_>,
        firings: &mut Vec<Firing>,
    ) -> Result<(), EngineError> {
        let before = firings.len();
        for sweeps in 1.. {
            let start = firings.len();
            let report = patterns.walk_and_apply(container)?;
            for application in report.applications {
                let index = application.pattern.strip_prefix("rule_").and_then(|index| index.parse().ok());
                let (operation, position) = (application.operation, application.position);
                firings.extend(index.map(|rule| Firing { rule, operation, position }));
            }
            if firings.len() == start {
                break;
            }
            cleanup::remove_dead(container)?;
            if sweeps > self.limits.sweeps || firings.len() - before > self.limits.applications {
                let mut last: Vec<usize> = firings[start..].iter().map(|firing| firing.rule).collect();
                last.sort_unstable();
                last.dedup();
                let rules = last.iter().filter_map(|rule| self.rules.get(*rule)).map(|rule| rule.name.clone());
                return Err(EngineError::NotEnding { pass, sweeps, rules: rules.collect() });
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
        let planner =
            Planner { rule: Arc::clone(rule), package: Arc::clone(&self.package), options: Arc::clone(&self.options) };
        let builder = planner.clone();
        natives
            .constraint(to_pdl::constraint_name(index), move |rewriter, arguments| {
                let (_, planned) = planner.plan(arguments)?;
                graph::has_types(rewriter.context(), &planned).then(Vec::new)
            })
            .rewrite(to_pdl::rewrite_name(index), move |rewriter, arguments| {
                let (root, planned) = builder.plan(arguments).ok_or("the replacement is undefined")?;
                rewriter.set_insertion_point_before(root);
                Ok(vec![PdlValue::Value(graph::build(rewriter, &planned, root.location())?)])
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
    package: Arc<str>,
    options: Arc<Options>,
}

impl Planner {
    /// The root and what takes its place; `arguments` are the root and what the tags are bound to.
    fn plan<'c, 'a>(
        &self,
        arguments: &[PdlValue<'c, 'a>],
    ) -> Option<(OperationRef<'c, 'a>, Planned<Value<'c, 'a>>)> {
        let (PdlValue::Operation(root), values) = arguments.split_first()? else { return None };
        let [output] = root.result_values()[..] else { return None };
        let mut tags = Vec::with_capacity(values.len());
        for (tag, value) in self.rule.tags.keys().zip(values) {
            let PdlValue::Value(value) = value else { return None };
            tags.push((tag.as_str(), *value));
        }
        let bindings = Bindings { root: output, tags };
        let planned = plan(&self.rule, &IrGraph::new(), &bindings, &self.options, &self.package)?;
        Some((*root, planned))
    }
}

#[cfg(test)]
mod tests;
