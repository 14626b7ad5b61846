//! Applies rules to MLIR: pass by pass in rising number, each to a fixpoint, by PDL.

mod census;
mod cleanup;
mod graph;
mod misses;
mod natives;
pub mod plain;
pub mod trace;
mod typed;

use crate::apply::Environment;
pub use crate::apply::Limits;
use crate::grammar::model::Rule;
use crate::to_pdl;
pub use census::matched_ops;
use census::{Census, Needs};
pub use cleanup::{clean, merge_common, remove_dead};
pub use graph::{ID, IrGraph, SPLIT_HISTORY, constant, identity, shape};
use misses::misses;
pub use misses::{Miss, Reached};
use natives::{Change, Session};
pub use natives::{Made, standing_alone};
use skriptnd_mlir::Failure;
use skriptnd_mlir::diagnostics::Position;
use skriptnd_mlir::ir::Root;
use skriptnd_mlir::rewrite::{FrozenPatterns, PatternSet, PdlPatterns};
use skriptnd_source::SourceMap;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// One application of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Firing {
    /// The rule's index.
    pub rule: usize,
    /// The op that was replaced.
    pub operation: String,
    /// Where the model's source has it, if that is known.
    pub position: Option<Position>,
    /// The new ops; none where an op is left out.
    pub made: Vec<Made>,
}

impl Firing {
    fn of(change: Change) -> Option<Self> {
        let Change { pattern, operation, position, made } = change;
        Some(Firing { rule: to_pdl::rule_index(&pattern)?, operation, position, made })
    }
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
    /// Rules that were not applied in their pass, if that is asked for.
    pub misses: Vec<Miss>,
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
    rules: &'r [Rule],
    sources: &'r SourceMap,
    session: Arc<Session>,
    limits: Limits,
    explains: bool,
}

impl<'r> Engine<'r> {
    /// For rules that are all supported.
    pub fn new(rules: &'r [Rule], sources: &'r SourceMap, environment: Environment) -> Self {
        let place = |rule: &Rule| {
            let (line, column) = sources.position(rule.span);
            let file = sources.file(rule.span.file).map_or("?", |file| file.name.as_str()).to_owned();
            Position { file, origin: None, line, column }
        };
        Engine {
            rules,
            sources,
            session: Arc::new(Session::new(environment, rules.iter().map(place).collect())),
            limits: Limits::default(),
            explains: false,
        }
    }

    /// Sets when to stop.
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Says of rules that are not applied how near a node came to them.
    pub fn explaining(mut self, explains: bool) -> Self {
        self.explains = explains;
        self
    }

    /// Options of the graph that rules asked for and that are missing.
    pub fn missing_options(&self) -> Vec<String> {
        self.session.environment.options.missing()
    }

    /// Applies the rules to all ops inside a container. Only rules whose ops occur are compiled, and what was not changed
    /// is not cleaned.
    pub fn run(&self, container: &mut Root<'_, '_>) -> Result<Applied, EngineError> {
        let mut applied = Applied::default();
        clean(container.operation())?;
        let needs: Vec<Needs> = self.rules.iter().map(Needs::of).collect();
        let mut present = Census::of(container.operation());
        for (pass, members) in to_pdl::by_pass(self.rules) {
            if members.len() > to_pdl::MAX_RULES_OF_PASS {
                return Err(EngineError::TooManyRules { pass, found: members.len() });
            }
            let live = census::live(&needs, &members, &present, &self.session.environment);
            let before = applied.firings.len();
            let early = self.misses_of(&members, container, &applied);
            if !live.is_empty() {
                applied.compiled += live.len();
                let patterns = self.patterns(&live, container)?;
                self.run_pass(pass, &patterns, container, &mut applied)?;
            }
            let fired: HashSet<usize> = applied.firings[before..].iter().map(|firing| firing.rule).collect();
            let missed: Vec<usize> = members.iter().copied().filter(|rule| !fired.contains(rule)).collect();
            let late = self.misses_of(&missed, container, &applied);
            applied.misses.extend(misses::nearest_of(early, late));
            if applied.firings.len() > before {
                applied.cleanups += 1;
                // The pass left nothing dead.
                merge_common(container.operation())?;
                present = Census::of(container.operation());
            }
        }
        Ok(applied)
    }

    fn patterns<'c>(&self, live: &[usize], container: &Root<'c, '_>) -> Result<FrozenPatterns<'c>, EngineError> {
        let patterns = to_pdl::patterns(self.rules, live, self.sources);
        let text = format!("module {{\n{patterns}}}\n");
        let mut patterns = PatternSet::new(container.context());
        patterns.add_pdl(PdlPatterns::new(text, "rules.pdl", natives::natives(&self.session)))?;
        Ok(patterns.freeze()?)
    }

    /// How near the graph comes to rules now, if that is asked for.
    fn misses_of(&self, rules: &[usize], container: &Root<'_, '_>, applied: &Applied) -> Vec<Miss> {
        if !self.explains {
            return Vec::new();
        }
        let mut replaced: HashMap<String, (usize, usize)> = HashMap::new();
        for firing in &applied.firings {
            let (by, count) = replaced.entry(firing.operation.clone()).or_default();
            (*by, *count) = (firing.rule, *count + 1);
        }
        let environment = &self.session.environment;
        misses(container.operation(), self.rules, rules, &replaced, environment)
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
        self.session.allow(self.limits.applications);
        for sweeps in 1.. {
            let start = firings.len();
            applied.sweeps += 1;
            patterns.walk_and_apply(container)?;
            firings.extend(self.session.take_changes().into_iter().filter_map(Firing::of));
            if firings.len() == start {
                break;
            }
            cleanup::remove_dead(container.operation())?;
            let applications = firings.len() - before;
            self.session.allow(self.limits.applications.saturating_sub(applications));
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
}

#[cfg(test)]
mod tests;
