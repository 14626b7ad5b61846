//! Rules tried on random graphs: whether they apply at all, whether they end, and whether the engine and the direct
//! evaluation make the same graph.

mod climb;
mod hints;
mod meaning;
mod nodes;
mod solve;
mod stand_ins;
mod valid;
mod view;

use crate::apply::plan::{CONST_OP, SHAPE_OP, array_output, shape_output};
use crate::apply::{Bindings, Elements, Encoding, Environment, Evaluation, OutputDef, Work};
use crate::dialect;
use crate::direct::{self, Node, Output, PlainGraph};
use crate::engine::{Engine, EngineError, Limits, clean, plain};
use crate::grammar::model::{DType, MatchOp, MatchOperand, Rule};
use crate::settings::Settings;
use hints::Hints;
pub use meaning::{Evaluator, Meaning, Values, try_meaning};
use skriptnd_mlir::ir::{Context, parse_module};
use skriptnd_source::SourceMap;
use std::collections::HashMap;
use strum::VariantArray;

/// Numbers that look random and are the same for the same seed (xorshift64*).
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        usize::try_from(number).unwrap_or_default() % bound.max(1)
    }

    /// One of some values.
    pub fn choose<T: Copy>(&mut self, values: &[T]) -> Option<T> {
        values.get(self.below(values.len())).copied()
    }
}

/// Parts of replacements that are built to try one rule.
pub const MAX_WORK: usize = 1 << 22;

/// When a rule is said not to end: the graphs are small.
pub const LIMITS: Limits = Limits { sweeps: 400, applications: 1000 };

/// What came of trying a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It was applied to so many of the graphs, and both ways made the same of all.
    Applied(usize),
    /// It applied to none, though its condition held on so many.
    NeverApplied(usize),
    /// Its replacement has so many parts that it was not tried on all graphs: it was applied to the first of these numbers of
    /// graphs, of the second one.
    Bounded(usize, usize),
    /// It applies to its own output. Its first application to so many of the graphs was alike both ways.
    NotEnding(usize),
    /// The two ways differ: both graphs.
    Differs(String, String),
    /// MLIR refused.
    Failed(String),
}

/// Tries a rule on `count` graphs that its pattern was made to match.
pub fn try_rule(context: &Context, rule: &Rule, sources: &SourceMap, settings: &Settings, count: usize) -> Verdict {
    let trial = Trial { context, rule, sources, settings, work: Work::limited(MAX_WORK) };
    let limits = settings.limits(LIMITS);
    match trial.on_graphs(limits, count) {
        Verdict::NotEnding(_) => match trial.on_graphs(Limits { applications: 1, ..limits }, count) {
            Verdict::Applied(times) | Verdict::Bounded(times, _) => Verdict::NotEnding(times),
            verdict => verdict,
        },
        verdict => verdict,
    }
}

/// What something stood in for when a rule was tried: functions that nobody has bound, and options that nobody has given.
pub fn stand_ins(environment: &Environment, rule: &Rule) -> Vec<String> {
    stand_ins::needed(environment, rule)
}

struct Trial<'a> {
    context: &'a Context,
    rule: &'a Rule,
    sources: &'a SourceMap,
    settings: &'a Settings,
    /// What is left of the work on all graphs.
    work: Work,
}

impl Trial<'_> {
    /// The same for the same seed.
    fn environment(&self, seed: u64) -> Result<Environment, Verdict> {
        let mut environment = self.settings.environment().map_err(Verdict::Failed)?;
        environment.work = self.work.clone();
        Ok(stand_ins::bound(environment, self.rule, &mut Random::new(seed + 1)))
    }

    fn on_graphs(&self, limits: Limits, count: usize) -> Verdict {
        let (mut applied, mut held) = (0, 0);
        for seed in 0..count as u64 {
            let environment = || self.environment(seed);
            let graph = match environment() {
                Ok(environment) => {
                    let matching = matching_graph(self.rule, &environment, &mut Random::new(seed + 1));
                    held += usize::from(matching.condition_holds(self.rule, &environment));
                    matching.graph
                }
                Err(verdict) => return verdict,
            };
            let rules = (std::slice::from_ref(self.rule), self.sources);
            let outcome = compare_with(self.context, &graph, rules, limits, &environment);
            // What was cut short tells nothing.
            if self.work.is_over() {
                return Verdict::Bounded(applied, seed as usize);
            }
            match outcome {
                Ok(0) => {}
                Ok(_) => applied += 1,
                Err(verdict) => return verdict,
            }
        }
        if applied == 0 { Verdict::NeverApplied(held) } else { Verdict::Applied(applied) }
    }
}

/// Applies rules to a graph in both ways; returns how often one was applied.
pub fn compare(
    context: &Context,
    graph: &PlainGraph,
    rules: &[Rule],
    sources: &SourceMap,
    settings: &Settings,
) -> Result<usize, Verdict> {
    let environment = || settings.environment().map_err(Verdict::Failed);
    compare_with(context, graph, (rules, sources), settings.limits(LIMITS), &environment)
}

fn compare_with(
    context: &Context,
    graph: &PlainGraph,
    (rules, sources): (&[Rule], &SourceMap),
    limits: Limits,
    environment: &dyn Fn() -> Result<Environment, Verdict>,
) -> Result<usize, Verdict> {
    // Some steps that conditions name no type can hold: there is no such graph.
    let Some(text) = plain::to_text(context, graph) else { return Ok(0) };
    let failed = |error: skriptnd_mlir::Error| Verdict::Failed(error.to_string());
    let mut module = parse_module(context, &text, "graph.mlir").map_err(failed)?;
    let engine = Engine::new(rules, sources, environment()?).with_limits(limits);
    let by_engine = engine.run(&mut module.root());
    let mut expected = graph.clone();
    let directly = direct::run(&mut expected, rules, &environment()?, limits);
    let applied = match (by_engine, directly) {
        // Several applications end at different places of the graph, a single one does not.
        (Err(EngineError::NotEnding { .. }), Err(_)) if limits.applications == 1 => {
            clean(module.as_operation()).map_err(|failure| failed(failure.into()))?;
            expected.clean();
            1
        }
        (Err(EngineError::NotEnding { .. }), Err(_)) => return Err(Verdict::NotEnding(0)),
        (Err(error), _) => return Err(Verdict::Failed(error.to_string())),
        (Ok(_), Err(_)) => {
            return Err(Verdict::Differs(module.as_operation().to_string(), expected.canonical()));
        }
        (Ok(applied), Ok(_)) => applied.firings.len(),
    };
    let found = plain::from_module(module.as_operation()).map(|graph| graph.canonical()).unwrap_or_default();
    expected.rename(dialect::operation_name);
    let expected = expected.canonical();
    if found == expected { Ok(applied) } else { Err(Verdict::Differs(found, expected)) }
}

/// A graph that a rule's pattern matches.
struct Matching<'r> {
    graph: PlainGraph,
    root: Output,
    tags: HashMap<&'r str, Output>,
}

impl Matching<'_> {
    /// What a rule's match has bound.
    fn bindings<'n>(&self, rule: &'n Rule) -> Bindings<'n, Output> {
        let tags = rule.tags.keys().filter_map(|tag| Some((tag.as_str(), *self.tags.get(tag.as_str())?))).collect();
        Bindings { root: self.root, tags }
    }

    fn condition_holds(&self, rule: &Rule, environment: &Environment) -> bool {
        environment.options.allow(&rule.flags)
            && Evaluation::new(&self.graph, &self.bindings(rule), environment).holds(&rule.constraint)
    }
}

/// A graph that has the structure of a rule's match; shapes, types and constants are chosen at random. Those of every other
/// graph are then changed until the rule's condition holds.
fn matching_graph<'r>(rule: &'r Rule, environment: &Environment, random: &mut Random) -> Matching<'r> {
    let hints = Hints::of(rule);
    let (graph, tags, dims) = (PlainGraph::default(), HashMap::new(), Vec::new());
    let leaves = Vec::new();
    let (package, pattern) = (rule.package.as_str(), &rule.pattern);
    let mut maker = Maker { graph, tags, package, pattern, random, hints: &hints, dims, leaves };
    maker.dims = maker.any_dims();
    let root = maker.op(&rule.pattern);
    // A user of the root, and one of an inner node.
    let user = maker.node("user::Use", vec![root]);
    maker.graph.outputs.push(user);
    let Maker { graph, tags, .. } = maker;
    let mut matching = Matching { graph, root, tags };
    if random.below(2) == 0 {
        climb::climb(&mut matching, rule, environment, &hints, random);
    }
    matching
}

struct Maker<'a, 'r> {
    graph: PlainGraph,
    tags: HashMap<&'a str, Output>,
    package: &'a str,
    /// The whole match: a tag may stand before the op that it names.
    pattern: &'a MatchOp,
    random: &'r mut Random,
    hints: &'r Hints,
    /// The shape that most nodes of the graph have.
    dims: Vec<u64>,
    /// The operands that tags name.
    leaves: Vec<Output>,
}

impl<'a> Maker<'a, '_> {
    fn any_dims(&mut self) -> Vec<u64> {
        let rank = self.random.choose(&[4, 4, 4, 2, 1]).unwrap_or(4);
        // Half of the graphs have extents that the condition names.
        let hinted = self.random.below(2) == 0;
        (0..rank).map(|_| self.extent(hinted)).collect()
    }

    fn extent(&mut self, hinted: bool) -> u64 {
        let hint = if hinted && self.random.below(2) == 0 { self.random.choose(&self.hints.extents) } else { None };
        hint.or_else(|| self.random.choose(&[1, 1, 2, 3, 4, 8, 32, 64])).unwrap_or(1)
    }

    fn output(&mut self) -> OutputDef {
        let dims = if self.random.below(4) == 0 { self.any_dims() } else { self.dims.clone() };
        let dtype = self.random.choose(&DType::VARIANTS[1..]).unwrap_or(DType::Float32);
        let hint = self.random.choose(&self.hints.dtypes).unwrap_or(DType::Float32);
        let dtype = if self.random.below(2) == 0 { hint } else { dtype };
        OutputDef { dims, encoding: Encoding::new(dtype, 0, 0.5) }
    }

    fn node(&mut self, op: &str, inputs: Vec<Output>) -> Output {
        let output = self.output();
        self.graph.add(Node::new(Some(op), &inputs, output, None)).output(0)
    }

    fn op(&mut self, pattern: &'a MatchOp) -> Output {
        let mut inputs: Vec<Output> = pattern.operands.iter().map(|operand| self.operand(operand)).collect();
        if pattern.open {
            for _ in 0..self.random.below(5) {
                inputs.push(self.leaf());
            }
        }
        let node = self.node(&pattern.name.qualified(self.package), inputs);
        if let Some(tag) = &pattern.tag {
            self.tags.insert(tag, node);
        }
        node
    }

    /// An op of the match, made once.
    fn op_once(&mut self, op: &'a MatchOp) -> Output {
        let made = op.tag.as_ref().and_then(|tag| self.tags.get(tag.as_str()).copied());
        made.unwrap_or_else(|| self.op(op))
    }

    fn operand(&mut self, operand: &'a MatchOperand) -> Output {
        match operand {
            MatchOperand::Op(op) => self.op_once(op),
            MatchOperand::Tag(tag, _) => match (self.tags.get(tag.as_str()), named(self.pattern, tag)) {
                (Some(bound), _) => *bound,
                (None, Some(op)) => self.op(op),
                (None, None) => {
                    // Now and then two tags are one node.
                    let shared = self.leaves.last().copied().filter(|_| self.random.below(8) == 0);
                    let leaf = shared.unwrap_or_else(|| self.leaf());
                    self.leaves.push(leaf);
                    self.tags.insert(tag, leaf);
                    leaf
                }
            },
        }
    }

    fn element(&mut self) -> f64 {
        let hint = if self.random.below(2) == 0 { self.random.choose(&self.hints.numbers) } else { None };
        hint.or_else(|| self.random.choose(&[0.0, 1.0, -1.0, 6.0, 0.5])).unwrap_or(0.0)
    }

    /// An input of the graph, a constant, or a shape; where the rule asks for the inputs of operands, also an op.
    fn leaf(&mut self) -> Output {
        if self.hints.inputs > 0 && self.random.below(3) > 0 {
            let inputs = (0..self.hints.inputs + self.random.below(2)).map(|_| self.plain_leaf()).collect();
            return self.node("user::Make", inputs);
        }
        self.plain_leaf()
    }

    fn plain_leaf(&mut self) -> Output {
        let node = match self.random.below(4) {
            0 => {
                let count = 1 + self.random.below(4);
                let elements = Elements::Reals((0..count).map(|_| self.element()).collect());
                Node::new(Some(CONST_OP), &[], array_output(&elements), Some(elements))
            }
            1 => {
                let output = shape_output(self.any_dims());
                Node::new(Some(SHAPE_OP), &[], output, None)
            }
            _ => Node::new(None, &[], self.output(), None),
        };
        self.graph.add(node).output(0)
    }
}

/// The op of a match that `LET` names so.
fn named<'a>(within: &'a MatchOp, tag: &str) -> Option<&'a MatchOp> {
    if within.tag.as_deref() == Some(tag) {
        return Some(within);
    }
    within.operands.iter().find_map(|operand| match operand {
        MatchOperand::Op(op) => named(op, tag),
        MatchOperand::Tag(..) => None,
    })
}
