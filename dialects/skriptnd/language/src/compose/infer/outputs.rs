//! Shapes of outputs, variables and constants: expressions of names that are all known (sections 2.6 and 2.7).

use super::Inference;
use crate::compose::binding::Bounds;
use crate::compose::diagnostics as say;
use crate::compose::evaluate::Evaluator;
use crate::compose::extent::marker::{Undetermined, undetermined};
use crate::compose::extent::{Extent, SymExpr, SymOp};
use crate::compose::failure::{Eval, Failure};
use crate::compose::limits;
use crate::compose::tensors::{Argument, TensorType};
use crate::compose::term::Term;
use crate::compose::violation::Violation;
use skriptnd_source::Span;
use skriptnd_syntax::ast::{ExprKind, ExtentSpec, Name, PackSpec, Param};

impl Inference<'_> {
    /// Types of the results.
    pub(super) fn outputs(&mut self) -> Option<Vec<Argument<TensorType>>> {
        if self.is_graph() {
            return None;
        }
        let mut outputs = Vec::with_capacity(self.request.operator.outputs.len());
        for param in &self.request.operator.outputs {
            let output = self.output(param);
            let output = self.try_report(output)?;
            let checked = self.require_extents("result", param, &output);
            self.try_report(checked)?;
            outputs.push(output);
        }
        Some(outputs)
    }

    fn output(&self, param: &Param) -> Eval<Argument<TensorType>> {
        let evaluator = Evaluator::new(&self.env, &self.types);
        if param.spec.optional && self.is_absent(param) {
            return Ok(Argument::Null);
        }
        declared_types(&evaluator, param, &self.bounds, self.request.site.span)
    }

    /// Extents such as `n - 3` must not be negative in the run. A tensor of a pack matters only if it is there.
    fn require_extents(&mut self, kind: &str, param: &Param, types: &Argument<TensorType>) -> Eval<()> {
        let evaluator = Evaluator::new(&self.env, &self.types);
        let length = match (&param.spec.pack, types) {
            (Some(pack), Argument::Pack(_)) => pack_length(&evaluator, param, pack)?,
            _ => None,
        };
        let (path, site) = (self.request.path, self.request.site.span);
        if let Some(length) = &length {
            let violation = || say::negative_pack(path, (kind, param), length, site);
            self.require_not_negative(length, SymExpr::Const(0), violation)?;
        }
        for (number, ty) in types.items().iter().enumerate() {
            let position = length.as_ref().map(|_| number);
            let absent = length
                .as_ref()
                .and_then(|length| SymExpr::apply(SymOp::Le, vec![length.clone(), SymExpr::Const(number as i64)]));
            for (dimension, extent) in ty.shape.iter().enumerate() {
                let place = say::DeclaredExtent { kind, param, position, dimension };
                let violation = || say::negative_declared(path, place, &extent.value, site);
                let absent = absent.clone().unwrap_or(SymExpr::Const(0));
                self.require_not_negative(&extent.value, absent, violation)?;
            }
        }
        Ok(())
    }

    /// Fails if a value is negative though nothing excepts it.
    fn require_not_negative(
        &mut self,
        value: &SymExpr,
        excepted: SymExpr,
        violation: impl FnOnce() -> Violation,
    ) -> Eval<()> {
        if value.as_known().is_some_and(|value| value >= 0) {
            return Ok(());
        }
        let condition = SymExpr::apply(SymOp::Le, vec![SymExpr::Const(0), value.clone()]);
        match condition.and_then(|condition| SymExpr::apply(SymOp::Or, vec![excepted, condition])) {
            Some(condition) if condition.as_known() != Some(1) => self.require(condition, violation()),
            _ => Ok(()),
        }
    }

    /// The same for the constants and variables of the operator.
    pub(super) fn local_tensors(&mut self) {
        let operator = self.request.operator;
        let constants = operator.constants.iter().map(|param| ("constant", param));
        for (kind, param) in constants.chain(operator.variables.iter().map(|param| ("variable", param))) {
            let types = declared_types(&Evaluator::new(&self.env, &self.types), param, &self.bounds, param.span);
            // Whoever makes the tensors tells what is wrong with a declaration.
            let Ok(types) = types else { continue };
            let checked = self.require_extents(kind, param, &types);
            self.try_report(checked);
        }
    }

    /// The lengths of those results that are packs of which only the run knows the length.
    pub(super) fn output_lengths(&self) -> Vec<Option<SymExpr>> {
        let evaluator = Evaluator::new(&self.env, &self.types);
        let length = |param: &Param| match pack_length(&evaluator, param, param.spec.pack.as_ref()?) {
            Ok(Some(SymExpr::Const(_))) => None,
            length => length.ok().flatten(),
        };
        self.request.operator.outputs.iter().map(length).collect()
    }

    /// An optional output of which an extent is null is absent.
    fn is_absent(&self, param: &Param) -> bool {
        let extents = param.spec.shape.iter().flatten().filter_map(|item| item.extent.as_ref());
        extents.filter(|extent| self.is_known(extent)).any(|extent| matches!(self.eval(extent), Ok(Term::Null)))
    }
}

/// The declared types of an output, variable or constant; `site` is who asks for tensors of such sizes.
pub(crate) fn declared_types(
    evaluator: &Evaluator<'_>,
    param: &Param,
    bounds: &Bounds,
    site: Span,
) -> Eval<Argument<TensorType>> {
    let dtype = evaluator.resolve_type(&param.spec.base)?;
    let tensor = |number: Option<usize>| {
        let shape = param.spec.shape.as_deref().unwrap_or_default();
        let shape = evaluate_shape(evaluator, shape, number, &param.name, bounds)?;
        let ty = TensorType { dtype, shape };
        check_volume(&ty, param, site)?;
        Ok(ty)
    };
    let Some(pack) = &param.spec.pack else { return Ok(Argument::Single(tensor(None)?)) };
    let count = match pack_length(evaluator, param, pack)? {
        Some(SymExpr::Const(count)) => count,
        // As many tensors as there can be.
        Some(length) => match length.upper_bound(&|symbol| bounds.get(symbol).copied()) {
            Some(most) => most,
            None => return Err(say::known_int_expected(&Term::extent(length), pack.span).into()),
        },
        None => return Ok(Argument::Null),
    };
    let count = count.max(0) as u64;
    if count > limits::PACK_LENGTH {
        return Err(say::pack_too_long(count, pack.span).into());
    }
    Ok(Argument::Pack((0..count as usize).map(|number| tensor(Some(number))).collect::<Eval<_>>()?))
}

/// The length of the pack that a declaration stands for; none for an absent one.
fn pack_length(evaluator: &Evaluator<'_>, param: &Param, pack: &PackSpec) -> Eval<Option<SymExpr>> {
    if let Some(length) = &pack.length {
        return match evaluator.eval(length)? {
            Term::Null => Ok(None),
            Term::Int(count) if count < 0 => Err(say::negative_length(count, length.span).into()),
            Term::Int(count) => Ok(Some(SymExpr::Const(count))),
            Term::Bool(included) => Ok(Some(SymExpr::Const(included.into()))),
            Term::Symbolic(length) => Ok(Some(length)),
            other => Err(say::known_int_expected(&other, length.span).into()),
        };
    }
    let distinct = param.spec.shape.iter().flatten().filter(|item| item.distinct);
    for extent in distinct.filter_map(|item| item.extent.as_ref()) {
        if let Some(length) = evaluator.eval(extent)?.extent_length() {
            return Ok(Some(length));
        }
    }
    Err(say::pack_length_missing(param).into())
}

/// Extents of a shape whose names are known; null ones are left out.
pub(crate) fn evaluate_shape(
    evaluator: &Evaluator<'_>,
    shape: &[ExtentSpec],
    number: Option<usize>,
    name: &Name,
    bounds: &Bounds,
) -> Eval<Vec<Extent>> {
    let mut extents = Vec::with_capacity(shape.len());
    for item in shape {
        if let Some(marker) = undetermined_extent(evaluator, item, extents.len(), name) {
            push_undetermined(evaluator, item, &marker, bounds, &mut extents)?;
            continue;
        }
        let Some(expr) = &item.extent else { continue };
        let term = match (&item.pack, number.filter(|_| item.distinct)) {
            (_, Some(number)) => match evaluator.eval(expr)? {
                Term::Sequence(sizes) => sizes.at(&SymExpr::Const(number as i64)).ok_or(Failure::Silent)?,
                pack if pack.is_pack() => pack.item(number).cloned().unwrap_or(Term::Null),
                single => single,
            },
            (Some(pack), None) => evaluator.expand(expr, pack)?,
            (None, None) => evaluator.eval(expr)?,
        };
        push_extents(&term, item.span, bounds, &mut extents)?;
    }
    if extents.len() > limits::RANK {
        return Err(say::rank_limit(extents.len(), name.span).into());
    }
    Ok(extents)
}

/// `~`, or a name that nothing declares but another output (section 2.6).
fn undetermined_extent(
    evaluator: &Evaluator<'_>,
    item: &ExtentSpec,
    dimension: usize,
    name: &Name,
) -> Option<Undetermined> {
    match &item.extent {
        None => Some(undetermined(&format!("{}.{dimension}", name.text))),
        Some(extent) => match &extent.kind {
            ExprKind::Name(symbol) if evaluator.env.get(symbol).is_none() => Some(undetermined(symbol)),
            _ => None,
        },
    }
}

fn push_undetermined(
    evaluator: &Evaluator<'_>,
    item: &ExtentSpec,
    marker: &str,
    bounds: &Bounds,
    extents: &mut Vec<Extent>,
) -> Eval<()> {
    let count = match item.pack.as_ref().and_then(|pack| pack.length.as_ref()) {
        Some(length) => evaluator.int(length)?.unwrap_or(0),
        None => 1,
    };
    let bound = item.bound.as_ref().map(|bound| evaluator.eval(bound)).transpose()?;
    for at in 0..usize::try_from(count).unwrap_or(0).min(limits::RANK + 1) {
        let bound = match bound.as_ref().and_then(|bound| bound.item(at)) {
            Some(Term::Int(negative)) if *negative < 0 => {
                return Err(say::negative_bound(*negative, item.bound.as_ref().map_or(item.span, |b| b.span)).into());
            }
            Some(term) => term.as_extent().and_then(|e| e.upper_bound(&|symbol| bounds.get(symbol).copied())),
            None => None,
        };
        let symbol = if count == 1 { marker.to_owned() } else { format!("{marker}.{at}") };
        extents.push(Extent { value: SymExpr::Symbol(symbol.into()), bound });
    }
    Ok(())
}

fn push_extents(term: &Term, span: Span, bounds: &Bounds, extents: &mut Vec<Extent>) -> Eval<()> {
    match term {
        Term::Null | Term::Empty(_) | Term::Repeat(_, 0) => Ok(()),
        Term::Pack(items) => items.iter().try_for_each(|item| push_extents(item, span, bounds, extents)),
        Term::Repeat(item, count) if *count <= limits::RANK as u64 => {
            (0..*count).try_for_each(|_| push_extents(item, span, bounds, extents))
        }
        Term::Repeat(_, count) => Err(say::rank_limit(usize::try_from(*count).unwrap_or(usize::MAX), span).into()),
        Term::Int(extent) if *extent < 0 => Err(say::negative_extent(*extent, span).into()),
        Term::Int(extent) => {
            extents.push(Extent::known(*extent));
            Ok(())
        }
        Term::Symbolic(expr) => {
            let bound = expr.upper_bound(&|symbol| bounds.get(symbol).copied());
            extents.push(Extent { value: expr.clone(), bound });
            Ok(())
        }
        other => Err(say::known_int_expected(other, span).into()),
    }
}

/// Every tensor must be addressable. So must one that is empty: the strides of its other dimensions are computed. What a
/// run tells is checked when it begins: bounds may be far above what anybody gives.
pub(crate) fn check_volume(ty: &TensorType, param: &Param, site: Span) -> Eval<()> {
    let mut known = ty.shape.iter().filter_map(Extent::as_known);
    let volume = known.try_fold(1i64, |volume, extent| volume.checked_mul(extent.max(1)));
    let bytes = volume.and_then(|volume| volume.checked_mul(8));
    bytes.map(|_| ()).ok_or_else(|| say::tensor_too_large(ty, param, site).into())
}
