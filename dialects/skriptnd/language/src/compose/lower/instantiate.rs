//! From the statements of `@lower` to a formula.

use super::assignment::{accumulates, fill, null_element, targets, values};
use super::locals::Locals;
use super::outside::check_accesses;
use crate::compose::analysis::OperatorInfo;
use crate::compose::binding::{Binding, Bounds};
use crate::compose::constants;
use crate::compose::diagnostics as say;
use crate::compose::env::Env;
use crate::compose::env::Names;
use crate::compose::evaluate::Evaluator;
use crate::compose::evaluate::context::{FormulaContext, loop_extent};
use crate::compose::evaluate::scalar;
use crate::compose::extent::SymExpr;
use crate::compose::failure::{Eval, Failure};
use crate::compose::formula::{Assignment, Formula, FormulaConstant, ScalarExpr, ScalarKind, TensorRef};
use crate::compose::infer::declared_types;
use crate::compose::limits;
use crate::compose::tensors::{Argument, TensorType};
use crate::compose::tensors::{FormalId, FormalTensors};
use crate::compose::term::Term;
use crate::compose::value::{ScalarType, Value};
use skriptnd_source::diagnostics::Diagnostics;
use skriptnd_syntax::ast::{AssignOp, BinaryOp, Expr, Lowering, Operator};
use std::collections::HashMap;
use std::sync::Arc;

/// What a formula is made from.
pub(crate) struct FormulaRequest<'a> {
    pub(crate) operator: &'a Operator,
    pub(crate) info: &'a OperatorInfo,
    pub(crate) binding: &'a Binding,
    pub(crate) outputs: &'a [Argument<TensorType>],
}

/// The formula of an operator that has `@lower`.
pub(crate) fn instantiate(request: &FormulaRequest<'_>) -> Result<Formula, Diagnostics> {
    let mut diagnostics = Diagnostics::default();
    let mut work = match Instantiation::new(request) {
        Ok(work) => work,
        Err(failure) => {
            failure.report(&mut diagnostics);
            return Err(diagnostics);
        }
    };
    for (at, lowering) in request.operator.lowerings.iter().enumerate() {
        if let Err(failure) = work.statement(at, lowering) {
            failure.report(&mut diagnostics);
        }
    }
    if !diagnostics.has_errors() {
        work.check_outputs(&mut diagnostics);
    }
    if diagnostics.has_errors() { Err(diagnostics) } else { Ok(work.finish()) }
}

/// The names that formulas of the operator see.
pub(crate) fn names(operator: &Operator, info: &OperatorInfo, binding: &Binding) -> Option<Names> {
    let outputs = binding.outputs.as_deref()?;
    let request = FormulaRequest { operator, info, binding, outputs };
    let work = Instantiation::new(&request).ok()?;
    Some(Names { env: work.env, types: work.types })
}

/// Packs whose length only the run knows, as long as they can be at most: of these, the run takes as many as there are.
fn write_out_sequences(env: &mut Env, bounds: &Bounds) {
    let open = |name: &str| match env.get(name) {
        Some(Term::Sequence(sequence)) => {
            let bound = sequence.length.upper_bound(&|symbol| bounds.get(symbol).copied())?;
            let count = u64::try_from(bound).ok().filter(|count| *count <= limits::PACK_LENGTH)? as i64;
            let items = (0..count).map(|at| sequence.at(&SymExpr::Const(at))).collect::<Option<_>>()?;
            Some((Arc::from(name), Term::pack(items, sequence.item.dtype())))
        }
        _ => None,
    };
    let packs: Vec<(Arc<str>, Term)> = env.names().filter_map(open).collect();
    packs.into_iter().for_each(|(name, pack)| env.set(&name, pack));
}

/// An index symbol that is unrolled.
pub(super) struct Unrolled<'a> {
    pub(super) index: Option<&'a Arc<str>>,
    pub(super) count: &'a Expr,
}

/// A formula that is being made.
pub(super) struct Instantiation<'a> {
    pub(super) request: &'a FormulaRequest<'a>,
    pub(super) env: Env,
    types: FormalTensors,
    pub(super) context: FormulaContext,
    assignments: Vec<Assignment>,
    /// Statements that assign to a tensor, and how.
    assigned: HashMap<TensorRef, Vec<(usize, AssignOp)>>,
    nodes: usize,
    /// Index symbols of the statement that are unrolled.
    pub(super) unrolled: Vec<Arc<str>>,
    /// Conditions of unrolled loops around, and of loops whose bound depends on other indices.
    pub(super) guards: Vec<ScalarExpr>,
    /// Whether a loop never runs, so that outputs may stay unassigned.
    pub(super) empty: bool,
}

impl<'a> Instantiation<'a> {
    fn new(request: &'a FormulaRequest<'a>) -> Eval<Self> {
        let binding = request.binding;
        let mut env = binding.env.clone();
        write_out_sequences(&mut env, &binding.bounds);
        let mut types = binding.types.clone();
        let mut tensors = binding.formula_inputs.clone();
        let mut operands = tensors.iter().filter(|tensor| matches!(tensor, TensorRef::Input(_))).count();
        for param in &request.operator.variables {
            let declared =
                declared_types(&Evaluator::new(&binding.env, &binding.types), param, &binding.bounds, param.span)?;
            env.set(&param.name.text, Term::of_tensors(&types.declare(&declared)));
            tensors.extend((operands..).take(declared.items().len()).map(TensorRef::Input));
            operands += declared.items().len();
        }
        let mut outputs = 0;
        for (param, output) in request.operator.outputs.iter().zip(request.outputs) {
            env.set(&param.name.text, Term::of_tensors(&types.declare(output)));
            tensors.extend(output.items().iter().enumerate().map(|(at, _)| TensorRef::Output(outputs + at)));
            outputs += output.items().len();
        }
        let mut table = binding.default_constants.clone();
        for (name, constant) in constants::declared(request.operator, &binding.env, &binding.types, &binding.bounds)? {
            env.set(&name, Term::of_tensors(&types.declare(&constant.map(|(ty, _)| ty.clone()))));
            for (ty, value) in constant.items() {
                tensors.push(TensorRef::Constant(table.len()));
                let shape = ty.shape.iter().map(|e| loop_extent(&e.value, e.bound).0).collect();
                table.push(FormulaConstant { name: name.clone(), dtype: ty.dtype, shape, value: value.clone() });
            }
        }
        let context = FormulaContext::new(tensors, table);
        let (assignments, assigned, guards) = (Vec::new(), HashMap::new(), Vec::new());
        Ok(Instantiation {
            request,
            env,
            types,
            context,
            assignments,
            assigned,
            nodes: 0,
            unrolled: Vec::new(),
            guards,
            empty: false,
        })
    }

    pub(super) fn eval(&self, expr: &Expr) -> Eval<Term> {
        Evaluator::in_formula(&self.env, &self.types, &self.context).eval(expr)
    }

    fn statement(&mut self, at: usize, lowering: &'a Lowering) -> Eval<()> {
        if lowering.bounds.len() > limits::RANK {
            return Err(say::too_many_loops(lowering.bounds.len(), lowering.span).into());
        }
        let mut unrolled = Vec::new();
        if let Some(iteration) = &lowering.unroll {
            let index = iteration.index.as_ref().map(|name| &name.text);
            match &iteration.count {
                Some(count) => unrolled.push(Unrolled { index, count }),
                None => return Err(say::unroll_needs_count(iteration.span).into()),
            }
        }
        let info = self.request.info;
        let names = lowering.bounds.iter().map(|bound| &bound.index.text);
        self.unrolled = names.clone().filter(|name| info.is_unrolled(at, name)).cloned().collect();
        if !self.bounds_have_ranges(at, lowering) {
            self.unrolled.extend(names.filter(|name| info.is_bounding(at, name)).cloned());
        }
        let bounds = lowering.bounds.iter().filter(|bound| self.unrolled.contains(&bound.index.text));
        unrolled.extend(bounds.map(|bound| Unrolled { index: Some(&bound.index.text), count: &bound.bound }));
        self.env.push();
        let result = self.unroll(at, lowering, &unrolled);
        self.env.pop();
        result
    }

    pub(super) fn assignment(&mut self, at: usize, lowering: &Lowering) -> Eval<()> {
        self.env.push();
        let guards = self.guards.len();
        let result = self.one_assignment(at, lowering);
        self.guards.truncate(guards);
        self.env.pop();
        result
    }

    fn one_assignment(&mut self, at: usize, lowering: &Lowering) -> Eval<()> {
        if !self.loops(lowering)? {
            return Ok(());
        }
        if self.context.loops.borrow().iter().any(|index| index.extent == 0) {
            return self.never_runs(at, lowering);
        }
        self.check_iterations(lowering.span)?;
        let mut locals = Locals::default();
        self.define_locals(lowering, &mut locals)?;
        let condition = match self.condition(lowering.condition.as_ref())? {
            Some(ScalarExpr { kind: ScalarKind::Const(Value::Bool(false)), .. }) => {
                return self.never_runs(at, lowering);
            }
            Some(ScalarExpr { kind: ScalarKind::Const(Value::Bool(true)), .. }) => None,
            condition => condition,
        };
        let left = match self.eval(&lowering.target)? {
            Term::Null => return Ok(()),
            left => left,
        };
        let (targets, types) = targets(left, lowering.target.span)?;
        if let Some(dtype) = types.iter().find(|dtype| !accumulates(lowering.op, **dtype)) {
            return Err(say::accumulated_type(lowering.op, *dtype, lowering.span).into());
        }
        let right = match condition {
            Some(_) => self.context.conditionally(|| self.eval(&lowering.value))?,
            None => self.eval(&lowering.value)?,
        };
        if right == Term::Null {
            return Err(say::optional_not_resolved(&lowering.value, &self.env).into());
        }
        let values = values(&right, &types, lowering.op, lowering.value.span)?;
        if targets.is_empty() {
            return Ok(());
        }
        self.start(at, lowering, &targets.iter().map(|t| t.tensor).collect::<Vec<_>>(), &types)?;
        let (op, span) = (lowering.op, lowering.span);
        if condition.is_none() {
            check_accesses(&self.context, &self.types)?;
        }
        let loops = self.context.loops.borrow().clone();
        self.push(Assignment { loops, locals: locals.values, op, targets, values, condition, span })
    }

    fn define_locals(&mut self, lowering: &Lowering, locals: &mut Locals) -> Eval<()> {
        for (target, value) in &lowering.locals {
            let value = locals.define(self.eval(value)?);
            self.env.set(&target.name.text, value);
        }
        Ok(())
    }

    /// A statement of which no iteration runs still initialises what it accumulates to. Its expressions need not make
    /// sense.
    fn never_runs(&mut self, at: usize, lowering: &Lowering) -> Eval<()> {
        self.empty = true;
        if self.define_locals(lowering, &mut Locals::default()).is_err() {
            return Ok(());
        }
        let Ok(left) = self.eval(&lowering.target) else { return Ok(()) };
        match targets(left, lowering.target.span) {
            Ok((targets, types)) => {
                self.start(at, lowering, &targets.iter().map(|t| t.tensor).collect::<Vec<_>>(), &types)
            }
            Err(_) => Ok(()),
        }
    }

    fn condition(&self, condition: Option<&Expr>) -> Eval<Option<ScalarExpr>> {
        let mut all =
            self.guards.clone().into_iter().reduce(|a, b| scalar::binary(BinaryOp::And, a.clone(), b).unwrap_or(a));
        let Some(expr) = condition else { return Ok(all) };
        let items = match self.eval(expr)?.written_out() {
            Term::Null => return Err(say::optional_not_resolved(expr, &self.env).into()),
            Term::Pack(items) => items,
            Term::Repeat(item, _) => vec![*item],
            single => vec![single],
        };
        for item in &items {
            let scalar = scalar::of(item).filter(|scalar| scalar.dtype == ScalarType::Bool);
            let Some(scalar) = scalar else {
                return Err(say::bool_expected("the condition of an assignment", item, expr.span).into());
            };
            all = match all {
                None => Some(scalar),
                Some(before) => scalar::binary(BinaryOp::And, before, scalar),
            };
        }
        Ok(all)
    }

    /// Checks that the tensors may be assigned to in this way, and inserts what an accumulation starts from.
    fn start(&mut self, at: usize, lowering: &Lowering, tensors: &[TensorRef], types: &[ScalarType]) -> Eval<()> {
        let op = lowering.op;
        for (tensor, dtype) in tensors.iter().zip(types) {
            let before = self.assigned.get(tensor).map(Vec::as_slice).unwrap_or_default();
            let others = before.iter().filter(|(statement, _)| *statement != at);
            let initialised = !before.is_empty();
            if others.clone().count() > 1
                || others.clone().any(|(_, other)| op == AssignOp::Set || *other != AssignOp::Set)
            {
                return Err(say::assigned_again(lowering.span).into());
            }
            if !initialised && op != AssignOp::Set {
                let Some(value) = null_element(op, *dtype) else {
                    return Err(say::not_initialised(op, lowering.span).into());
                };
                let ty = self.output_type(*tensor).ok_or(Failure::Silent)?;
                let fill = fill(*tensor, ty, value, lowering.span);
                self.push(fill)?;
            }
            let statements = self.assigned.entry(*tensor).or_default();
            if !statements.contains(&(at, op)) {
                statements.push((at, op));
            }
        }
        Ok(())
    }

    fn output_type(&self, tensor: TensorRef) -> Option<&TensorType> {
        let at = self.context.tensors.iter().position(|known| *known == tensor)?;
        self.types.get(FormalId::given(at))
    }

    fn push(&mut self, assignment: Assignment) -> Eval<()> {
        let expressions = assignment.locals.iter().chain(&assignment.values).chain(&assignment.condition);
        self.nodes += expressions.map(|expr| scalar::size(expr, limits::FORMULA_NODES)).sum::<usize>();
        if self.nodes > limits::FORMULA_NODES || self.assignments.len() >= limits::ASSIGNMENTS {
            return Err(say::formula_too_large(assignment.span).into());
        }
        self.assignments.push(assignment);
        Ok(())
    }

    /// Every output must be assigned to, unless the loops over the pack it belongs to never run.
    fn check_outputs(&self, diagnostics: &mut Diagnostics) {
        let mut first = 0;
        for (param, output) in self.request.operator.outputs.iter().zip(self.request.outputs) {
            let count = output.items().len();
            let assigned = |at| self.assigned.contains_key(&TensorRef::Output(at));
            if !self.empty && !(first..first + count).all(assigned) {
                diagnostics.push(say::output_without_formula(&param.name));
            }
            first += count;
        }
    }

    fn finish(self) -> Formula {
        Formula { constants: self.context.into_constants(), assignments: self.assignments }
    }
}
