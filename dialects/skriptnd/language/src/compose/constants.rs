//! `@constant` (specification, section 2.7).

use super::binding::Bounds;
use super::diagnostics as say;
use super::env::Env;
use super::evaluate::Evaluator;
use super::failure::{Eval, Failure};
use super::infer::declared_types;
use super::limits;
use super::tensors::TensorTypes;
use super::tensors::{Argument, TensorType};
use super::term::Term;
use super::value::Value;
use skriptnd_syntax::ast::{Operator, Param};
use std::sync::Arc;

/// A constant's tensors with their values.
pub(crate) type Declared = Argument<(TensorType, Value)>;

/// All constants of an operator whose other names are known.
pub(crate) fn declared(
    operator: &Operator,
    env: &Env,
    tensors: &dyn TensorTypes,
    bounds: &Bounds,
) -> Eval<Vec<(Arc<str>, Declared)>> {
    let constants = operator.constants.iter();
    constants.map(|param| Ok((param.name.text.clone(), constant(param, env, tensors, bounds)?))).collect()
}

fn constant(param: &Param, env: &Env, tensors: &dyn TensorTypes, bounds: &Bounds) -> Eval<Declared> {
    let evaluator = Evaluator::new(env, tensors);
    let types = declared_types(&evaluator, param, bounds, param.span)?;
    let Some(expr) = &param.value else { return Err(say::constant_without_value(param).into()) };
    Ok(match types {
        Argument::Null => Argument::Null,
        Argument::Single(ty) => {
            let value = if param.bounds.is_empty() {
                checked(param, &ty, evaluator.eval(expr)?)?
            } else {
                indexed(param, &ty, env, tensors)?
            };
            Argument::Single((ty, value))
        }
        Argument::Pack(types) => {
            let value = evaluator.eval(expr)?;
            if let Some(length) = value.length().filter(|length| *length != types.len() as u64) {
                return Err(say::constant_pack_length(param, types.len(), length).into());
            }
            let items = types.into_iter().enumerate().map(|(at, ty)| {
                let item = value.item(at).cloned().ok_or(Failure::Silent)?;
                let value = checked(param, &ty, item)?;
                Ok((ty, value))
            });
            Argument::Pack(items.collect::<Eval<_>>()?)
        }
    })
}

/// One value for all elements, or as many values as elements.
fn checked(param: &Param, ty: &TensorType, value: Term) -> Eval<Value> {
    if value.dtype().is_some_and(|dtype| dtype != ty.dtype) || value == Term::Null {
        return Err(say::default_type(param, ty.dtype, &value).into());
    }
    if let Term::Sequence(_) = value {
        return Err(say::known_int_expected(&value, param.span).into());
    }
    if let Some(length) = value.length() {
        let volume = volume(ty);
        if volume != i64::try_from(length).ok() {
            return Err(say::constant_volume(param, volume, length).into());
        }
    }
    value.to_value().ok_or_else(|| say::default_type(param, ty.dtype, &value).into())
}

fn volume(ty: &TensorType) -> Option<i64> {
    ty.shape.iter().try_fold(1i64, |volume, extent| volume.checked_mul(extent.as_known()?))
}

/// A value for each combination of the index symbols.
fn indexed(param: &Param, ty: &TensorType, env: &Env, tensors: &dyn TensorTypes) -> Eval<Value> {
    let Some(expr) = &param.value else { return Err(Failure::Silent) };
    let volume = volume(ty).filter(|volume| *volume <= limits::CONSTANT_ELEMENTS);
    let Some(volume) = volume else { return Err(say::constant_too_large(param).into()) };
    let extents: Vec<i64> = ty.shape.iter().filter_map(|extent| extent.as_known()).collect();
    let widths = index_widths(param, env, tensors, &extents)?;
    let mut inner = env.clone();
    inner.push();
    let mut position = vec![0i64; extents.len()];
    let mut values = Vec::with_capacity(usize::try_from(volume).unwrap_or(0));
    for _ in 0..volume {
        let mut rest = position.as_slice();
        for (bound, width) in param.bounds.iter().zip(&widths) {
            let (own, others) = rest.split_at(width.unwrap_or(1).min(rest.len()));
            rest = others;
            let index = match width {
                Some(_) => Term::Pack(own.iter().map(|at| Term::Int(*at)).collect()),
                None => Term::Int(own.first().copied().unwrap_or(0)),
            };
            inner.set(&bound.index.text, index);
        }
        let value = Evaluator::new(&inner, tensors).eval(expr)?;
        values.push(match value.to_value() {
            Some(known) if !value.is_pack() && value.dtype() == Some(ty.dtype) => known,
            _ => return Err(say::default_type(param, ty.dtype, &value).into()),
        });
        advance(&mut position, &extents);
    }
    Ok(Value::Pack(values))
}

/// How many dimensions each index symbol covers, none for one that is no pack; their bounds must be the shape.
fn index_widths(param: &Param, env: &Env, tensors: &dyn TensorTypes, extents: &[i64]) -> Eval<Vec<Option<usize>>> {
    let evaluator = Evaluator::new(env, tensors);
    let mut covered = Vec::new();
    let mut widths = Vec::with_capacity(param.bounds.len());
    for bound in &param.bounds {
        let term = evaluator.eval(&bound.bound)?;
        widths.push(term.length().map(|length| usize::try_from(length).unwrap_or(usize::MAX)));
        let count = term.length().map_or(1, |length| usize::try_from(length).unwrap_or(usize::MAX));
        for item in (0..count.min(limits::RANK)).filter_map(|at| term.item(at)) {
            match item {
                Term::Int(extent) => covered.push(*extent),
                other => return Err(say::known_int_expected(other, bound.bound.span).into()),
            }
        }
    }
    if covered != extents {
        return Err(say::constant_bounds(param, &covered, extents).into());
    }
    Ok(widths)
}

/// The next position in row-major order.
fn advance(position: &mut [i64], extents: &[i64]) {
    for (at, extent) in position.iter_mut().zip(extents).rev() {
        *at += 1;
        if *at < *extent {
            return;
        }
        *at = 0;
    }
}
