//! Evaluation of expressions (specification, section 2.4) where attributes, extents and helper symbols are known.
//! Within `@lower` the same evaluator leaves run-time scalars where loop indices and tensor elements take part.

mod access;
mod cast;
mod containment;
pub(crate) mod context;
mod elementwise;
mod fold;
mod format;
mod index;
mod known;
mod list;
pub(crate) mod operators;
pub(crate) mod scalar;
mod select;
mod sequence;
#[cfg(test)]
mod tests;

pub(crate) use cast::{concrete, convert};
pub(crate) use elementwise::checked_length;
pub(crate) use fold::conjunction;
pub(crate) use index::undefined;
pub(crate) use select::choose_by_extents;

use super::diagnostics as say;
use super::env::Env;
use super::extent::SymExpr;
use super::failure::{Eval, Failure, Fault};
use super::limits;
use super::tensors::{TensorTypes, TermTensor};
use super::term::Term;
use super::value::ScalarType;
use context::FormulaContext;
use skriptnd_source::Span;
use skriptnd_syntax::ast::{BinaryOp, Expr, ExprKind, Item, Member, Name, StrPart, UnaryOp};
use skriptnd_syntax::walk;
use std::borrow::Cow;
use std::cell::Cell;

/// Evaluates expressions among the names of an environment.
pub(crate) struct Evaluator<'a> {
    pub(crate) env: &'a Env,
    pub(crate) tensors: &'a dyn TensorTypes,
    /// Present within `@lower`.
    pub(crate) formula: Option<&'a FormulaContext>,
    depth: Cell<u32>,
    /// Whether a select operator will choose among the items of what is evaluated.
    selecting: Cell<bool>,
}

/// The tensors of a pack; nothing for what is none.
pub(crate) fn tensors_of(items: &[Term]) -> Vec<Option<TermTensor>> {
    let tensor = |item: &Term| match item {
        Term::Tensor(tensor) => Some(*tensor),
        _ => None,
    };
    items.iter().map(tensor).collect()
}

impl<'a> Evaluator<'a> {
    pub(crate) fn new(env: &'a Env, tensors: &'a dyn TensorTypes) -> Self {
        Evaluator { env, tensors, formula: None, depth: Cell::new(0), selecting: Cell::new(false) }
    }

    pub(crate) fn in_formula(env: &'a Env, tensors: &'a dyn TensorTypes, formula: &'a FormulaContext) -> Self {
        Evaluator { formula: Some(formula), ..Evaluator::new(env, tensors) }
    }

    /// The value of an expression.
    pub(crate) fn eval(&self, expr: &Expr) -> Eval<Term> {
        if self.depth.get() >= limits::EXPRESSION_DEPTH {
            return Err(say::expression_too_deep(expr.span).into());
        }
        self.depth.set(self.depth.get() + 1);
        let grows = matches!(expr.kind, ExprKind::Select(..) | ExprKind::Builtin(..) | ExprKind::Cast(..));
        let result =
            self.dispatch(expr).and_then(|term| if grows { self.bounded_size(term, expr.span) } else { Ok(term) });
        #[cfg(test)]
        crate::steps::count(if let Ok(Term::Pack(items)) = &result { 1 + items.len() } else { 1 });
        self.depth.set(self.depth.get() - 1);
        result
    }

    /// A term that is not built from too many parts.
    fn bounded_size(&self, term: Term, span: Span) -> Eval<Term> {
        if term.fits(&mut limits::SYMBOLIC_NODES.clone()) { Ok(term) } else { Err(say::value_too_large(span).into()) }
    }

    fn dispatch(&self, expr: &Expr) -> Eval<Term> {
        match &expr.kind {
            ExprKind::Int(value) => Ok(Term::Int(*value)),
            ExprKind::Real(value) => Ok(Term::Real(*value)),
            ExprKind::Bool(value) => Ok(Term::Bool(*value)),
            ExprKind::Str(parts) => self.string(parts, expr.span),
            ExprKind::Inf => Ok(Term::Real(f64::INFINITY)),
            ExprKind::Pi => Ok(Term::Real(std::f64::consts::PI)),
            ExprKind::Name(name) => self.name(name, expr.span).cloned(),
            ExprKind::Member(name, member) => self.member(name, *member, expr.span),
            ExprKind::List(items) => self.list(items, expr.span),
            ExprKind::Subscript { base, items, trailing_comma } => {
                self.subscript(base, items, *trailing_comma, expr.span)
            }
            ExprKind::Bounded { index, remap } => self.bounded(index, remap.as_ref(), expr.span),
            ExprKind::Substitute { base, index, value } => self.substitute(base, index, value, expr.span),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, expr.span),
            ExprKind::Binary(..) => self.binary_chain(expr),
            ExprKind::Select(condition, then, otherwise) => {
                self.select(condition, then, otherwise.as_deref(), expr.span)
            }
            ExprKind::Coalesce(value, fallback) => match self.eval(value)? {
                Term::Null => self.eval(fallback),
                value => Ok(value),
            },
            ExprKind::Is(a, b) => self.identity(a, b, expr.span),
            ExprKind::In(item, pack) => self.contained(item, pack, expr.span),
            ExprKind::NullTest(value) => Ok(Term::Bool(self.eval(value)? != Term::Null)),
            ExprKind::Fold { pack, op, cumulative } => self.fold(pack, *op, *cumulative, expr.span),
            ExprKind::Cast(ty, value) => self.cast(ty, value.as_deref(), expr.span),
            ExprKind::Builtin(function, value) => self.builtin(*function, value, expr.span),
            ExprKind::Paren(inner) => self.eval(inner),
        }
    }

    fn string(&self, parts: &[StrPart], span: Span) -> Eval<Term> {
        match parts {
            [] => Ok(Term::Str("".into())),
            [StrPart::Text(text)] => Ok(Term::Str(text.as_str().into())),
            parts => self.formatted(parts, span),
        }
    }

    /// The value of an expression that is only looked at: a pack that has a name need not be copied.
    pub(super) fn look(&self, expr: &Expr) -> Eval<Cow<'_, Term>> {
        match &expr.kind {
            ExprKind::Name(name) => self.name(name, expr.span).map(Cow::Borrowed),
            _ => self.eval(expr).map(Cow::Owned),
        }
    }

    fn name(&self, name: &str, span: Span) -> Eval<&Term> {
        match self.env.get(name) {
            Some(Term::Unknown) => Err(Failure::Silent),
            Some(Term::Type(_)) => Err(say::type_as_value(name, span).into()),
            Some(term) => Ok(term),
            None => Err(say::undeclared(name, span, self.env.names()).into()),
        }
    }

    fn member(&self, name: &Name, member: Member, span: Span) -> Eval<Term> {
        let base = self.name(&name.text, name.span)?;
        match (base, member) {
            (Term::Null, _) => Ok(Term::Null),
            (Term::Tensor(id), Member::Shape | Member::Rank) => {
                let ty = self.tensors.tensor_type(*id).ok_or(Failure::Silent)?;
                Ok(match member {
                    Member::Rank => Term::Int(ty.shape.len() as i64),
                    _ => {
                        let extents = ty.shape.iter().map(|extent| Term::extent(extent.value.clone()));
                        Term::pack(extents.collect(), Some(ScalarType::Int))
                    }
                })
            }
            (Term::Pack(items), Member::Size) => {
                let open = self.tensors.open_length(&tensors_of(items));
                Ok(open.map_or(Term::Int(items.len() as i64), Term::extent))
            }
            (Term::Empty(_), Member::Size) => Ok(Term::Int(0)),
            (Term::Sequence(sequence), Member::Size) => Ok(Term::extent(sequence.length.clone())),
            (Term::Repeat(_, count), Member::Size) => Ok(Term::Int(i64::try_from(*count).unwrap_or(i64::MAX))),
            _ => Err(say::no_such_member(&name.text, member, base, span).into()),
        }
    }

    fn unary(&self, op: UnaryOp, operand: &Expr, span: Span) -> Eval<Term> {
        let value = self.eval(operand)?;
        self.map(value, &mut |item| {
            operators::unary(op, item).map_err(|fault| say::unary_fault(fault, op, item, span).into())
        })
    }

    /// Walks the left spine of a chain such as `a + b + c` in a loop, so that its length is no depth.
    fn binary_chain(&self, expr: &Expr) -> Eval<Term> {
        let mut chain = Vec::new();
        let mut left = expr;
        while let ExprKind::Binary(op, a, b) = &left.kind {
            chain.push((*op, &**a, &**b, left.span));
            left = a;
        }
        let first = self.eval(left)?;
        let mut chain = chain.into_iter().rev();
        chain.try_fold(first, |value, (op, left, right, span)| self.combine(op, (left, value), right, span))
    }

    /// What already follows from the left side hides errors on the right, so that a condition can protect what comes
    /// after it. A null it does not hide (section 2.4.1), unless it is that of a name which the left side tests.
    fn combine(&self, op: BinaryOp, (tested, left): (&Expr, Term), right: &Expr, span: Span) -> Eval<Term> {
        let decided = match (op, &left) {
            (BinaryOp::And, Term::Bool(false)) => Some(false),
            (BinaryOp::Or, Term::Bool(true)) | (BinaryOp::Implies, Term::Bool(false)) => Some(true),
            _ => None,
        };
        let logical = matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Implies);
        let value = if logical { self.conditionally(|| self.eval(right)) } else { self.eval(right) };
        match (decided, value) {
            (Some(_), Ok(Term::Null)) if op == BinaryOp::Or || !self.is_shown_absent(tested, right) => Ok(Term::Null),
            (Some(value), Ok(right)) if right.is_pack() => self.map(right, &mut |_| Ok(Term::Bool(value))),
            (Some(value), _) => Ok(Term::Bool(value)),
            (None, right) => self.binary(op, &left, &right?, span),
        }
    }

    /// Whether a condition tests a name that is null, and the expression uses it (section 2.4, null testing).
    fn is_shown_absent(&self, condition: &Expr, expr: &Expr) -> bool {
        match &condition.kind {
            ExprKind::NullTest(operand) => match &operand.kind {
                ExprKind::Name(name) => {
                    let mut used = false;
                    walk::names(expr, &mut |other, _| used |= other == name);
                    used && self.env.get(name) == Some(&Term::Null)
                }
                _ => false,
            },
            ExprKind::Binary(BinaryOp::And, a, b) => self.is_shown_absent(a, expr) || self.is_shown_absent(b, expr),
            ExprKind::Paren(inner) => self.is_shown_absent(inner, expr),
            _ => false,
        }
    }

    /// A binary operator, element-wise over packs.
    pub(crate) fn binary(&self, op: BinaryOp, left: &Term, right: &Term, span: Span) -> Eval<Term> {
        self.zip((left, right), op.symbol(), span, &mut |a, b| {
            let result = operators::binary(op, a, b).or_else(|fault| self.left_to_run(fault, op, a, b));
            let result = result.map_err(|fault| say::binary_fault(fault, op, a, b, span))?;
            self.bounded_size(result, span)
        })
    }

    /// What has no value is an error of an iteration of a formula, if one comes to it at all.
    fn left_to_run(&self, fault: Fault, op: BinaryOp, a: &Term, b: &Term) -> Result<Term, Fault> {
        let undefined = matches!(fault, Fault::DivisionByZero | Fault::NegativeExponent | Fault::Overflow);
        match (scalar::of(a), scalar::of(b)) {
            (Some(a), Some(b)) if undefined && self.formula.is_some_and(FormulaContext::in_branch) => {
                scalar::binary(op, a, b).map(Term::from).ok_or(fault)
            }
            _ => Err(fault),
        }
    }

    /// Evaluates something that an iteration of a formula may leave out.
    pub(crate) fn conditionally<T>(&self, evaluate: impl FnOnce() -> T) -> T {
        match self.formula {
            Some(formula) => formula.conditionally(evaluate),
            None => evaluate(),
        }
    }

    fn identity(&self, a: &Expr, b: &Expr, span: Span) -> Eval<Term> {
        // A run that knows the extents does not decide again what has been decided when composing (section 2.4).
        if let Some((env, types)) = self.env.as_composed() {
            let composed = Evaluator { formula: self.formula, ..Evaluator::new(&env, types) };
            if let Ok(same) = composed.same(a, b, span) {
                return Ok(same);
            }
        }
        self.same(a, b, span)
    }

    fn same(&self, a: &Expr, b: &Expr, span: Span) -> Eval<Term> {
        let (a, b) = (self.eval(a)?, self.eval(b)?);
        self.zip((&a, &b), "is", span, &mut |a, b| match (a, b) {
            // Which of the graph's tensors an input has become, the names as they were composed do not tell.
            (Term::Tensor(TermTensor::Graph(_)), Term::Tensor(TermTensor::Formal(_)))
            | (Term::Tensor(TermTensor::Formal(_)), Term::Tensor(TermTensor::Graph(_))) => Err(Failure::Silent),
            _ => Ok(Term::Bool(a == b)),
        })
    }

    /// An integer that must be known.
    pub(crate) fn int(&self, expr: &Expr) -> Eval<Option<i64>> {
        match self.eval(expr)? {
            Term::Null => Ok(None),
            Term::Int(value) => Ok(Some(value)),
            Term::Bool(value) => Ok(Some(value.into())),
            term => Err(say::known_int_expected(&term, expr.span).into()),
        }
    }

    /// An integer that may depend on extents.
    fn extent(&self, expr: &Expr) -> Eval<Option<SymExpr>> {
        match self.eval(expr)? {
            Term::Null => Ok(None),
            Term::Bool(value) => Ok(Some(SymExpr::Const(value.into()))),
            term => match term.as_extent() {
                Some(extent) => Ok(Some(extent)),
                None => Err(say::known_int_expected(&term, expr.span).into()),
            },
        }
    }

    /// The single item of `[..]` where only one makes sense.
    pub(crate) fn is_single(items: &[Item]) -> bool {
        matches!(items, [Item::Value(_) | Item::Range(..)])
    }
}
