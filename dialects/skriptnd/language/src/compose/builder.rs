//! Composition (specification, section 2.10): from the statements of a definition to operations and tensors.

mod arguments;
mod assign;
mod branch;
mod check;
mod checkpoint;
mod definition;
mod inline;
mod inputs;
mod invoke;
mod journal;
mod lengths;
mod loops;
mod outputs;
mod quantize;
mod statement;
mod unroll;

use super::env::Env;
use super::evaluate::Evaluator;
use super::extent::{Extent, SymExpr};
use super::failure::{Eval, Failure};
use super::graph::{Graph, Operation, Origin, Port, Quantization, Region, Tensor};
use super::integers;
use super::quantized::{self, Quantized};
use super::session::{Definition, Session};
use super::tensors::{Argument, TensorId, TensorType};
use super::tensors::{TensorTypes, TermTensor};
use super::term::Term;
use super::violation::RuntimeAssert;
use journal::Journal;
use lengths::Lengths;
use skriptnd_runtime::Storage;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Diagnostic, Diagnostics, Frame};
use skriptnd_syntax::ast::Expr;
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

pub(crate) use check::refine_all;
pub(crate) use definition::compose_operator;
pub(crate) use inputs::compose_main;

/// The tensors of a graph.
#[derive(Debug, Default)]
pub(crate) struct Tensors {
    list: Vec<Tensor>,
    lengths: Lengths,
}

impl TensorTypes for Tensors {
    fn tensor_type(&self, tensor: TermTensor) -> Option<&TensorType> {
        self.list.get(tensor.in_graph()?.0 as usize).map(|tensor| &tensor.ty)
    }

    fn open_length(&self, items: &[Option<TermTensor>]) -> Option<SymExpr> {
        self.lengths.of(&in_graph(items))
    }

    fn note_part(&self, items: &[Option<TermTensor>], length: &SymExpr) -> bool {
        let first = in_graph(items).first().copied().flatten();
        first.is_some_and(|first| self.lengths.note_part(first, items.len(), length))
    }
}

fn in_graph(items: &[Option<TermTensor>]) -> Vec<Option<TensorId>> {
    items.iter().map(|item| item.and_then(TermTensor::in_graph)).collect()
}

/// The definition that is being composed, and what its names stand for.
pub(crate) struct Context<'a> {
    definition: Rc<Definition<'a>>,
    env: Env,
    /// Labels that lead here, joined by `.`: the prefix of tensor names.
    scope: String,
    /// The prefix of the names of variables' files.
    files: String,
    /// Invocations around, innermost first.
    chain: Vec<Frame>,
    /// Whether `@update` is being composed.
    updating: bool,
}

/// How the scope of a right-hand side is called where nothing is written.
#[derive(Debug, Clone)]
enum Label {
    /// It takes over the scope around it.
    Pass,
    /// By the one result.
    Named(String),
    /// Iteration `at` of an unrolled loop: `name.at`; a label that is written takes the place of the name.
    Iteration { name: String, at: usize },
    /// By the operator, numbered where it would not be unique.
    Operator,
}

/// A graph under construction.
pub(crate) struct Builder<'s, 'a> {
    session: &'s Session<'a>,
    tensors: Tensors,
    /// Of the region that is being composed.
    operations: Vec<Operation>,
    variables: Vec<TensorId>,
    update: Vec<Operation>,
    updates: Vec<(TensorId, TensorId)>,
    quantizations: Vec<Quantization>,
    /// What is computed in place of quantized tensors, if that is asked for.
    quantized: Vec<Quantized>,
    runtime_asserts: Vec<RuntimeAssert>,
    /// Symbols for extents that only the run knows.
    symbols: Vec<Arc<str>>,
    /// What branches of the run give for extents in which they differ.
    alternatives: Journal<Arc<str>, Vec<Extent>>,
    /// How often a tensor name or scope was asked for.
    taken: Journal<String, usize>,
    /// Tensors by all their scoped names.
    scoped: Journal<String, Argument>,
    /// Scoped names inside operators that are not public, with the operator: nobody else may use them (section 2.10).
    private: Journal<String, Arc<str>>,
    /// Variables by file; those of sub-graphs are shared between invocations.
    files: Journal<String, Argument>,
    /// Invocations whose variables have the files of others.
    conflicting: Journal<Span, ()>,
    operation_count: usize,
    /// The same with those that they are composed of.
    inner_operations: u64,
    /// How often bodies of loops were composed again.
    recomposed: usize,
    /// Conditions and loops of the run that are being composed.
    dynamic_depth: usize,
    /// Branches of the run that are being composed: they give what they update as further results.
    branch_depth: usize,
    /// `@update` blocks that are being composed: an operator invoked there may have one of its own.
    update_depth: usize,
    diagnostics: Diagnostics,
}

impl<'s, 'a> Builder<'s, 'a> {
    pub(crate) fn new(session: &'s Session<'a>) -> Self {
        Builder {
            session,
            tensors: Tensors::default(),
            operations: Vec::new(),
            variables: Vec::new(),
            update: Vec::new(),
            updates: Vec::new(),
            quantizations: Vec::new(),
            quantized: Vec::new(),
            runtime_asserts: Vec::new(),
            symbols: Vec::new(),
            alternatives: Journal::default(),
            taken: Journal::default(),
            scoped: Journal::default(),
            private: Journal::default(),
            files: Journal::default(),
            conflicting: Journal::default(),
            operation_count: 0,
            inner_operations: 0,
            recomposed: 0,
            dynamic_depth: 0,
            branch_depth: 0,
            update_depth: 0,
            diagnostics: Diagnostics::default(),
        }
    }

    fn eval(&self, cx: &Context<'a>, expr: &Expr) -> Eval<Term> {
        Evaluator::new(&cx.env, &self.tensors).eval(expr)
    }

    /// Reports an error within the definition that is being composed.
    fn report(&mut self, cx: &Context<'a>, mut diagnostic: Diagnostic) {
        if diagnostic.chain.is_empty() {
            diagnostic.chain.clone_from(&cx.chain);
        }
        self.diagnostics.push(diagnostic);
    }

    /// The result, or nothing after its failure has been reported.
    fn check<T>(&mut self, cx: &Context<'a>, result: Eval<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(Failure::Silent) => None,
            Err(Failure::Report(diagnostic)) => {
                self.report(cx, *diagnostic);
                None
            }
        }
    }

    fn add(&mut self, ty: TensorType, origin: Origin, span: Span) -> TensorId {
        let id = TensorId(u32::try_from(self.tensors.list.len()).unwrap_or(u32::MAX));
        self.tensors.list.push(Tensor { name: String::new(), ty, origin, span });
        id
    }

    /// A symbol for an extent that only the run knows.
    fn new_symbol(&mut self, name: &str, bound: Option<i64>) -> Arc<str> {
        let symbol = self.session.new_symbol(name);
        if let Some(bound) = bound {
            self.session.bounds.borrow_mut().insert(symbol.clone(), bound);
        }
        self.symbols.push(symbol.clone());
        symbol
    }

    fn ty(&self, id: TensorId) -> &TensorType {
        &self.tensors.list[id.0 as usize].ty
    }

    /// Gives a tensor its name, made unique by a number.
    fn set_name(&mut self, id: TensorId, name: String) {
        let unique = self.unique(name);
        self.tensors.list[id.0 as usize].name = unique;
    }

    fn unique(&mut self, name: String) -> String {
        let before = self.taken.get(&name).copied().unwrap_or(0);
        self.taken.insert(name.clone(), before + 1);
        if before == 0 {
            return name;
        }
        let numbered = format!("{name}_{before}");
        self.unique(numbered)
    }

    /// Names all tensors of an argument, and makes them known by that name.
    fn name_argument(&mut self, argument: &Argument, name: &str) {
        match argument {
            Argument::Null => return,
            Argument::Single(id) => self.set_name(*id, name.to_owned()),
            Argument::Pack(items) => {
                for (at, id) in items.iter().enumerate() {
                    self.set_name(*id, format!("{name}.{at}"));
                }
            }
        }
        self.scoped.insert(name.to_owned(), argument.clone());
    }

    /// Composes the condition of a branch, or a part of a loop of the run.
    fn dynamic_region<T>(&mut self, compose: impl FnOnce(&mut Self) -> Option<T>) -> (Vec<Operation>, Option<T>) {
        self.dynamic_depth += 1;
        let result = self.region(compose);
        self.dynamic_depth -= 1;
        result
    }

    /// Composes something whose operations form a region of their own.
    fn region<T>(&mut self, compose: impl FnOnce(&mut Self) -> Option<T>) -> (Vec<Operation>, Option<T>) {
        let outer = std::mem::take(&mut self.operations);
        let result = compose(self);
        (std::mem::replace(&mut self.operations, outer), result)
    }

    /// The graph, of whose inputs, variables and outputs some are known to be stored in certain forms.
    fn finish(
        mut self,
        name: String,
        [inputs, outputs]: [Vec<Port>; 2],
        storage: &[(String, Storage)],
    ) -> (Graph, Diagnostics) {
        for at in 0..self.tensors.list.len() {
            if self.tensors.list[at].name.is_empty() {
                let kind =
                    if matches!(self.tensors.list[at].origin, Origin::Constant(_)) { "constant" } else { "unused" };
                self.set_name(TensorId(at as u32), format!("{kind}.{at}"));
            }
        }
        // Equal operations have equal conditions.
        let mut seen = HashSet::new();
        self.runtime_asserts.retain(|assertion| seen.insert((assertion.condition.clone(), assertion.violation.span)));
        let results = outputs.iter().map(|port| port.tensors.clone()).collect();
        let mut graph = Graph {
            name,
            tensors: self.tensors.list,
            inputs,
            outputs,
            variables: self.variables,
            body: Region { parameters: Vec::new(), operations: self.operations, results },
            update: Region { operations: self.update, ..Region::default() },
            updates: self.updates,
            quantizations: self.quantizations,
            runtime_asserts: self.runtime_asserts,
            pack_lengths: self.tensors.lengths.into_sorted(),
            storage: BTreeMap::new(),
            encodings: BTreeMap::new(),
            output_storage: BTreeMap::new(),
            empty_packs: Vec::new(),
        };
        // Who gives the names is told of those that there are not, where he notes them.
        let _ = graph.store(storage);
        quantized::execute(&mut graph, self.quantized);
        if !self.diagnostics.has_errors() {
            integers::rewrite(&mut graph, self.session.store());
        }
        (graph, self.diagnostics)
    }
}

/// A scope within a scope.
fn nested(scope: &str, label: &str) -> String {
    match (scope.is_empty(), label.is_empty()) {
        (true, _) => label.to_owned(),
        (_, true) => scope.to_owned(),
        _ => format!("{scope}.{label}"),
    }
}
