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
pub(crate) use outputs::{check_volume, declared_types, evaluate_shape};
pub(crate) use site::Site;

use super::analysis::OperatorInfo;
use super::binding::{Binding, Bounds, DefaultInput, Operand};
use super::diagnostics as say;
use super::env::Env;
use super::env::Names;
use super::evaluate::Evaluator;
use super::extent::Extent;
use super::failure::{Eval, Failure};
use super::formula::{FormulaConstant, TensorRef};
use super::tensors::{Argument, OperatorCall, TensorType};
use super::tensors::{FormalId, FormalTensors};
use super::term::Term;
use super::value::{ScalarType, Value};
use super::violation::RuntimeAssert;
use indexmap::IndexMap;
use skriptnd_source::SourceMap;
use skriptnd_source::diagnostics::Diagnostics;
use skriptnd_syntax::ast::{Expr, ExtentSpec, Operator, OperatorKind, Param};
use std::sync::Arc;

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

/// Which tensor: the number of the input, and that within a pack.
#[derive(Clone, Copy)]
struct Place {
    at: usize,
    number: Option<usize>,
}

/// Some dimensions of a tensor, which a part of the declared shape stands for.
#[derive(Clone)]
struct Dimensions<'a> {
    place: Place,
    param: &'a Param,
    item: &'a ExtentSpec,
    first: usize,
    extents: Vec<Extent>,
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
    postponed: Vec<Dimensions<'a>>,
    /// Dimensions for which a bound is declared.
    bounded: Vec<Dimensions<'a>>,
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
        for (operand, length) in request.operands.iter().filter_map(|operand| Some((operand, operand.length.as_ref()?)))
        {
            // There are as many tensors as there can be.
            let bound = i64::try_from(operand.argument.items().len()).ok();
            note_bounds(&Extent { value: length.clone(), bound }, request.bounds, &mut bounds);
        }
        for (symbol, bound) in request.operands.iter().flat_map(|operand| &operand.bounds) {
            bounds.entry(symbol.clone()).or_insert(*bound);
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
        failure.report(&mut self.diagnostics);
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
    if let Some((symbol, bound)) = extent.symbol_bound() {
        bounds.entry(symbol).and_modify(|known| *known = bound.min(*known)).or_insert(bound);
    }
}
