//! One invocation against its operator's definition: generic types, attributes, input shapes, helper symbols,
//! assertions and output shapes (specification, sections 2.5 to 2.9 and 2.13).

mod asserts;
mod attributes;
mod deduce;
mod defaults;
mod dimensions;
mod outputs;
mod shapes;
mod site;
mod solve;

pub(crate) use deduce::admits;
pub(crate) use outputs::{check_volume, declared_types, evaluate_shape, is_undetermined};
pub(crate) use site::Site;

use super::analysis::OperatorInfo;
use super::composed::Names;
use super::diagnostics as say;
use super::env::Env;
use super::evaluate::{Eval, Evaluator, Failure};
use super::extent::{Extent, SymExpr};
use super::formula::{FormulaConstant, TensorRef};
use super::graph::{Argument, OperatorCall, RuntimeAssert, TensorType};
use super::tensors::{FormalId, FormalTensors};
use super::term::Term;
use super::value::{ScalarType, Value};
use indexmap::IndexMap;
use skriptnd_source::SourceMap;
use skriptnd_source::diagnostics::Diagnostics;
use skriptnd_syntax::ast::{Expr, Operator, OperatorKind};
use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;
use std::sync::Arc;

/// Upper bounds of the symbols of extents.
pub(crate) type Bounds = HashMap<Arc<str>, i64>;

/// What is known of what stands for one input.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Operand {
    /// Its types.
    pub argument: Argument<TensorType>,
    /// The length of the pack, where only the run knows it.
    pub length: Option<SymExpr>,
    /// For each of its tensors the first one of the invocation, counted from 0, that is the same; nothing where all
    /// tensors differ.
    pub same: Vec<usize>,
}

impl Operand {
    /// Of which nothing more is known.
    pub fn of(argument: Argument<TensorType>) -> Self {
        Operand { argument, length: None, same: Vec::new() }
    }

    /// A pack without tensors, of which the type that they would have is known.
    pub fn empty(ty: TensorType) -> Self {
        Operand { length: Some(SymExpr::Const(0)), ..Operand::of(Argument::Pack(vec![ty])) }
    }

    /// Whether it is such a pack.
    pub fn is_empty(&self) -> bool {
        self.length == Some(SymExpr::Const(0))
    }

    /// Calls `visit` with every symbol of its types and its length.
    pub(crate) fn symbols(&self, visit: &mut dyn FnMut(&Arc<str>)) {
        let extents = self.argument.items().iter().flat_map(|ty| &ty.shape).map(|extent| &extent.value);
        extents.chain(&self.length).for_each(|extent| extent.symbols(visit));
    }

    /// The types of its tensors.
    pub fn items(&self) -> &[TensorType] {
        if self.is_empty() { &[] } else { self.argument.items() }
    }
}

/// Notes which tensors of an invocation are the same: for each of them the first one, counted from 0, that is.
pub fn note_identity(operands: &mut [Operand], first: &[usize]) {
    let mut rest = first;
    if first.iter().enumerate().all(|(at, first)| at == *first) {
        return drop_identity(operands);
    }
    for operand in operands {
        let (own, others) = rest.split_at(operand.items().len().min(rest.len()));
        (operand.same, rest) = (own.to_vec(), others);
    }
}

/// Takes all tensors of an invocation as different.
pub(crate) fn drop_identity(operands: &mut [Operand]) {
    operands.iter_mut().for_each(|operand| operand.same.clear());
}

/// For each of some tensors the first one, counted from 0, that is the same.
pub fn first_of_same<T: Eq + Hash>(tensors: impl IntoIterator<Item = T>) -> Vec<usize> {
    let mut first = HashMap::new();
    tensors.into_iter().enumerate().map(|(at, tensor)| *first.entry(tensor).or_insert(at)).collect()
}

/// An invocation to be checked.
pub(crate) struct Request<'a> {
    /// Module path and operator.
    pub(crate) path: &'a Arc<str>,
    pub(crate) operator: &'a Operator,
    pub(crate) info: &'a OperatorInfo,
    /// Types that are written explicitly, by generic name.
    pub(crate) dtypes: Vec<(Arc<str>, ScalarType)>,
    /// Attributes that are given.
    pub(crate) attributes: Vec<(Arc<str>, Term)>,
    pub(crate) operands: Vec<Operand>,
    pub(crate) site: Site<'a>,
    /// For labels of printed values.
    pub(crate) sources: &'a SourceMap,
    pub(crate) bounds: &'a Bounds,
    /// The names as they were composed, if that is the second time.
    pub(crate) composed: Option<Arc<Names>>,
}

/// An input that is absent and has a default.
#[derive(Debug, Clone)]
pub(crate) struct DefaultInput {
    /// Which input.
    pub(crate) input: usize,
    /// Types and values of its tensors.
    pub(crate) tensors: Argument<(TensorType, Value)>,
}

/// Everything that an invocation determines.
#[derive(Debug, Clone)]
pub(crate) struct Binding {
    /// Generic types, attributes, extents, helper symbols, and inputs as tensors of `types`.
    pub(crate) env: Env,
    /// Types of the inputs' tensors, packs flattened.
    pub(crate) types: FormalTensors,
    /// What formulas call them.
    pub(crate) formula_inputs: Vec<TensorRef>,
    /// Values of those that are constants.
    pub(crate) default_constants: Vec<FormulaConstant>,
    /// Inputs that take their defaults.
    pub(crate) defaults: Vec<DefaultInput>,
    /// The call with everything filled in.
    pub(crate) call: OperatorCall,
    /// Types of the results; none for a graph, whose results are what its composition gives.
    pub(crate) outputs: Option<Vec<Argument<TensorType>>>,
    /// The lengths of the packs among them, where only the run knows them.
    pub(crate) output_lengths: Vec<Option<SymExpr>>,
    /// The same for the operands.
    pub(crate) input_lengths: Vec<Option<SymExpr>>,
    /// What has to be checked when the extents are known.
    pub(crate) runtime_asserts: Vec<RuntimeAssert>,
    /// Upper bounds of the symbols in the operands' shapes.
    pub(crate) bounds: Bounds,
    /// Whether one tensor stands for several inputs or items of packs.
    pub(crate) repeats_tensors: bool,
    /// Whether assertions are left to be checked when the run makes the operator again, for the items that there are.
    pub(crate) defers_assertions: bool,
}

impl Binding {
    /// The symbols of operands and attributes, in order.
    pub(crate) fn symbols(&self) -> Vec<Arc<str>> {
        let mut symbols = BTreeSet::new();
        let mut add = |symbol: &Arc<str>| {
            symbols.insert(symbol.clone());
        };
        self.types.iter().flat_map(|ty| &ty.shape).for_each(|extent| extent.value.symbols(&mut add));
        self.input_lengths.iter().flatten().for_each(|length| length.symbols(&mut add));
        self.call.attributes.values().for_each(|value| value.symbols(&mut add));
        symbols.into_iter().collect()
    }
}

/// Binds and checks an invocation.
pub(crate) fn infer<'a>(request: &'a Request<'a>) -> Result<Binding, Diagnostics> {
    let mut work = Inference::new(request);
    // Each step needs what the steps before it have determined.
    let steps: [fn(&mut Inference<'a>); 9] = [
        Inference::check_arguments,
        Inference::deduce_types,
        Inference::given_attributes,
        Inference::bind_inputs,
        Inference::remaining_attributes,
        Inference::postponed_extents,
        Inference::bounded_extents,
        Inference::helpers_and_assertions,
        Inference::local_tensors,
    ];
    for step in steps {
        step(&mut work);
        if work.failed() {
            return Err(work.diagnostics);
        }
    }
    let outputs = work.outputs();
    if work.failed() { Err(work.diagnostics) } else { Ok(work.finish(outputs)) }
}

/// A binding that is being worked out.
struct Inference<'a> {
    request: &'a Request<'a>,
    env: Env,
    types: FormalTensors,
    formula_inputs: Vec<TensorRef>,
    default_constants: Vec<FormulaConstant>,
    defaults: Vec<DefaultInput>,
    /// Values of the attributes in order of declaration; none for those still to be determined.
    attributes: Vec<Option<Term>>,
    bounds: Bounds,
    /// Extents that attributes prescribe which have no value yet.
    postponed: Vec<dimensions::Dimensions<'a>>,
    /// Dimensions for which a bound is declared.
    bounded: Vec<dimensions::Dimensions<'a>>,
    runtime_asserts: Vec<RuntimeAssert>,
    checked_asserts: Vec<bool>,
    defers_assertions: bool,
    diagnostics: Diagnostics,
    silent: bool,
}

impl<'a> Inference<'a> {
    fn new(request: &'a Request<'a>) -> Self {
        let mut bounds = Bounds::new();
        for ty in request.operands.iter().flat_map(|operand| operand.argument.items()) {
            for extent in &ty.shape {
                note_bounds(extent, request.bounds, &mut bounds);
            }
        }
        for value in request.attributes.iter().filter_map(|(_, value)| value.to_value()) {
            value.symbols(&mut |symbol| note_bound(symbol, request.bounds, &mut bounds));
        }
        for length in request.operands.iter().filter_map(|operand| operand.length.as_ref()) {
            note_bounds(&Extent { value: length.clone(), bound: None }, request.bounds, &mut bounds);
        }
        Inference {
            request,
            env: Env::composed_as(request.composed.clone()),
            types: FormalTensors::default(),
            formula_inputs: Vec::new(),
            default_constants: Vec::new(),
            defaults: Vec::new(),
            attributes: vec![None; request.operator.attributes.len()],
            bounds,
            postponed: Vec::new(),
            bounded: Vec::new(),
            runtime_asserts: Vec::new(),
            defers_assertions: false,
            checked_asserts: vec![false; request.operator.asserts.len()],
            diagnostics: Diagnostics::default(),
            silent: false,
        }
    }

    fn failed(&self) -> bool {
        self.silent || self.diagnostics.has_errors()
    }

    fn fail(&mut self, failure: Failure) {
        self.silent = true;
        say::report(&mut self.diagnostics, failure);
    }

    /// The result, or nothing after its failure has been reported.
    fn try_report<T>(&mut self, result: Eval<T>) -> Option<T> {
        result.map_err(|failure| self.fail(failure)).ok()
    }

    fn eval(&self, expr: &Expr) -> Eval<Term> {
        Evaluator::new(&self.env, &self.types).eval(expr)
    }

    /// An expression as it is written, on one line.
    fn text(&self, expr: &Expr) -> String {
        let file = self.request.sources.file(expr.span.file);
        let text = file.and_then(|file| file.text.get(expr.span.start as usize..expr.span.end as usize));
        text.unwrap_or("value").split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Whether all names of an expression are known.
    fn is_known(&self, expr: &Expr) -> bool {
        let mut known = true;
        super::analysis::names::uses(expr, &mut |name| known &= self.env.get(name).is_some());
        known
    }

    /// As many arguments as inputs, at most.
    fn check_arguments(&mut self) {
        let (given, declared) = (self.request.operands.len(), self.request.operator.inputs.len());
        if given > declared {
            let span = self.request.site.argument(declared);
            self.diagnostics.push(say::too_many_arguments(self.request.path, given, declared, span));
        }
    }

    fn finish(self, outputs: Option<Vec<Argument<TensorType>>>) -> Binding {
        let operator = self.request.operator;
        let dtypes = operator.dtypes.iter().filter_map(|param| match self.env.get(&param.name.text) {
            Some(Term::Type(dtype)) => Some((param.name.text.to_string(), *dtype)),
            _ => None,
        });
        let values = self.attributes.iter().map(|value| value.as_ref().and_then(Term::to_value));
        let attributes: IndexMap<String, Value> = operator
            .attributes
            .iter()
            .zip(values)
            .map(|(param, value)| (param.name.text.to_string(), value.unwrap_or(Value::Null)))
            .collect();
        let call = OperatorCall { operator: self.request.path.clone(), dtypes: dtypes.collect(), attributes };
        let output_lengths = outputs.as_ref().map_or_else(Vec::new, |_| self.output_lengths());
        let input_lengths = self.request.operands.iter().map(|operand| operand.length.clone()).collect();
        Binding {
            env: self.env,
            types: self.types,
            formula_inputs: self.formula_inputs,
            default_constants: self.default_constants,
            defaults: self.defaults,
            call,
            outputs,
            output_lengths,
            input_lengths,
            runtime_asserts: self.runtime_asserts,
            bounds: self.bounds,
            defers_assertions: self.defers_assertions,
            repeats_tensors: self.request.operands.iter().any(|operand| !operand.same.is_empty()),
        }
    }

    /// Declares the tensors of an input.
    fn declare(
        &mut self,
        types: &Argument<TensorType>,
        references: impl Iterator<Item = TensorRef>,
    ) -> Argument<FormalId> {
        self.formula_inputs.extend(references.take(types.items().len()));
        self.types.declare(types)
    }

    fn is_graph(&self) -> bool {
        self.request.operator.kind == OperatorKind::Graph
    }
}

fn note_bound(symbol: &Arc<str>, known: &Bounds, bounds: &mut Bounds) {
    if let Some(bound) = known.get(symbol) {
        bounds.insert(symbol.clone(), *bound);
    }
}

/// Collects the bounds of the symbols in an extent.
fn note_bounds(extent: &Extent, known: &Bounds, bounds: &mut Bounds) {
    extent.value.symbols(&mut |symbol| note_bound(symbol, known, bounds));
    if let (SymExpr::Symbol(symbol), Some(bound)) = (&extent.value, extent.bound) {
        bounds.insert(symbol.clone(), bound);
    }
}
