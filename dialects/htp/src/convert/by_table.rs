//! Conversion of what the table of counterparts has, both ways.

use super::builder::{Nodes, permuted, static_dims};
use super::counterparts::{Counterpart, ElementKinds, Form, Parameter, of_operator};
use super::images::{TO_CHANNELS_FIRST, TO_CHANNELS_LAST};
use super::kept::Kept;
use super::reshaped::of_rank;
use crate::apply::{Elements, Graph};
use crate::dialect::operation_name;
use crate::engine::IrGraph;
use crate::grammar::vocabulary::DEFAULT_PACKAGE;
use skriptnd_dialect::call::OPERAND_SEGMENTS;
use skriptnd_mlir::diagnostics::Failure;
use skriptnd_mlir::ir::{Attribute, Builder, Context, OperationRef, Type, Value, attributes, types};

/// The ops whose operands behind the first one are vectors.
const VECTORS: [&str; 3] = ["Batchnorm", "InstanceNorm", "Prelu"];

/// The attributes that move operands of elementwise operators to dimensions of the result.
const ALIGNMENTS: [&str; 2] = ["lhs_align", "rhs_align"];

/// The op of the operator's line in the table.
pub fn to_htp<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    operator: &str,
    to: &Builder<'c, 'a>,
) -> Result<Value<'c, 'a>, Kept> {
    let mut reason = Kept::because("the tensor processor has no such op");
    for line in of_operator(operator) {
        match unfit(line, op) {
            None => return (Conversion { line, op, to }).run(),
            Some(why) => reason = Kept::because(why),
        }
    }
    Err(reason)
}

/// Whether an operator is the one of a line of the table.
pub fn fits(op: OperationRef<'_, '_>, operator: &str) -> bool {
    of_operator(operator).any(|line| unfit(line, op).is_none())
}

/// Why an operator is not the one of a line.
fn unfit(line: &Counterpart, op: OperationRef<'_, '_>) -> Option<String> {
    let wrong = line.fixed.iter().find(|(name, value)| op.get_string(name) != Some(value));
    if let Some((name, value)) = wrong {
        return Some(format!("its `{name}` is not {value}"));
    }
    let told = |name: &str| {
        line.parameters.iter().any(|parameter| parameter.name() == name)
            || line.fixed.iter().any(|(fixed, _)| *fixed == name)
            || line.ignored.contains(&name)
            || (line.form == Form::Elementwise && ALIGNMENTS.contains(&name))
    };
    let is_type = |attribute: Attribute<'_>| attributes::as_type(attribute).is_some();
    let of_dialect = |name: &str| name == OPERAND_SEGMENTS || name.contains('.');
    let further = op.attributes().find(|(name, attribute)| !told(name) && !of_dialect(name) && !is_type(*attribute));
    if let Some((name, _)) = further {
        return Some(format!("its op has no `{name}`"));
    }
    if !line.inputs.contains(&op.operand_count()) {
        return Some(format!("its op does not take {} operands", op.operand_count()));
    }
    None
}

/// Whether all operands and the result are tensors of static shape with such elements.
pub fn are_static(op: OperationRef<'_, '_>, elements: ElementKinds) -> bool {
    let context = op.context();
    let fits = |ty: Type<'_>| {
        let element = types::element(ty);
        let is_integer = [32, 64].iter().any(|width| element == types::integer(context, *width));
        element == types::f32(context) || (elements == ElementKinds::Numbers && is_integer)
    };
    op.operand_types().into_iter().chain(op.result_types()).all(|ty| static_dims(ty).is_some() && fits(ty))
}

struct Conversion<'t, 'c, 'a> {
    line: &'static Counterpart,
    op: OperationRef<'c, 'a>,
    to: &'t Builder<'c, 'a>,
}

impl<'c: 'a, 'a> Conversion<'_, 'c, 'a> {
    fn run(&self) -> Result<Value<'c, 'a>, Kept> {
        let [ty] = self.op.result_types()[..] else { return Err(Kept::because("it has several results")) };
        if !are_static(self.op, self.line.elements) {
            return Err(Kept::because("its tensors are not all of static shape and such elements"));
        }
        let rank = self.rank(ty)?;
        let last = self.has_channels_last(ty, rank)?;
        let operands: Vec<_> = self.op.operands().collect();
        let shaped = if self.line.form == Form::Elementwise { operands.len() } else { 1 };
        let mut inputs = Vec::new();
        for (index, operand) in operands.into_iter().enumerate() {
            let aligned = if index < shaped { self.aligned(operand, index, ty)? } else { operand };
            inputs.push(if last && index < shaped { self.to.last(aligned)? } else { aligned });
        }
        for parameter in self.line.parameters {
            inputs.push(self.parameter(parameter, rank, last)?);
        }
        let moved = last && types::rank(ty) == Some(rank);
        let made = if moved { permuted(ty, &TO_CHANNELS_LAST)? } else { ty };
        let name = operation_name(&format!("{DEFAULT_PACKAGE}::{}", self.line.op));
        let output = self.to.operation(&name, &inputs, &[], &[made])?.result(0)?;
        Ok(if moved { self.to.transpose(output, &TO_CHANNELS_FIRST)? } else { output })
    }

    /// The rank that axes refer to.
    fn rank(&self, ty: Type<'c>) -> Result<usize, Kept> {
        let of = if self.line.form == Form::Elementwise { ty } else { self.op.operand(0)?.r#type() };
        types::rank(of).ok_or_else(|| Kept::because("its shape is not known"))
    }

    /// Whether the op works on images, with the channels last.
    fn has_channels_last(&self, ty: Type<'c>, rank: usize) -> Result<bool, Kept> {
        Ok(rank == 4
            && match self.line.form {
                Form::Elementwise | Form::Image => true,
                Form::Whole => false,
                Form::Reduction => types::rank(ty) == Some(rank) || self.keeps_order(rank)?,
            })
    }

    /// Whether the dimensions that are left stand in the same order with the channels last.
    fn keeps_order(&self, rank: usize) -> Result<bool, Kept> {
        let axis = || self.op.get_integer("axis").map(|axis| vec![axis]);
        let gone = self.op.get_integers("axes").or_else(axis).ok_or_else(|| missing("axes"))?;
        let gone: Vec<usize> = gone.iter().filter_map(|axis| absolute(*axis, rank)).collect();
        let kept: Vec<usize> = TO_CHANNELS_LAST.into_iter().filter(|axis| !gone.contains(axis)).collect();
        Ok(kept.is_sorted())
    }

    /// An operand with the rank of the result, where it has to have it.
    fn aligned(&self, operand: Value<'c, 'a>, index: usize, ty: Type<'c>) -> Result<Value<'c, 'a>, Kept> {
        if self.line.form != Form::Elementwise {
            return Ok(operand);
        }
        let align = ALIGNMENTS.get(index).and_then(|name| self.op.get_integer(name));
        aligned_to(operand, align, types::rank(ty).unwrap_or_default(), self.to)
    }

    fn integers(&self, name: &str) -> Result<Vec<i64>, Kept> {
        self.op.get_integers(name).ok_or_else(|| missing(name))
    }

    /// An attribute as an operand.
    fn parameter(&self, parameter: &Parameter, rank: usize, last: bool) -> Result<Value<'c, 'a>, Kept> {
        let moved = |axis: i64| {
            let axis = absolute(axis, rank).ok_or_else(|| Kept::because("it has no such dimension"))?;
            let place = if last { TO_CHANNELS_LAST.iter().position(|from| *from == axis) } else { Some(axis) };
            Ok::<i64, Kept>(place.map_or(0, |place| place as i64))
        };
        let op = self.op;
        let values = match parameter {
            Parameter::Real(name) => {
                let value = op.get_real(name).ok_or_else(|| missing(name))?;
                return Ok(self.to.reals(&[value], &[1])?);
            }
            Parameter::Int(name) => vec![op.get_integer(name).ok_or_else(|| missing(name))?],
            Parameter::Ints(name) => self.integers(name)?,
            Parameter::Axis(name) => vec![moved(op.get_integer(name).ok_or_else(|| missing(name))?)?],
            Parameter::Axes(name) => self.integers(name)?.into_iter().map(moved).collect::<Result<_, _>>()?,
            Parameter::Flag(name) => vec![i64::from(op.get_bool(name).ok_or_else(|| missing(name))?)],
            Parameter::Choice(name, texts) => {
                let text = op.get_string(name).ok_or_else(|| missing(name))?;
                let place = texts.iter().position(|known| *known == text);
                vec![place.ok_or_else(|| Kept::because(format!("its op has no {name} {text}")))? as i64]
            }
        };
        Ok(self.to.ints(&values, &[values.len() as u64])?)
    }
}

/// An operand with so many dimensions, where an attribute tells how many stand before or behind it, or where an image moves.
pub fn aligned_to<'c: 'a, 'a>(
    operand: Value<'c, 'a>,
    align: Option<i64>,
    rank: usize,
    to: &Builder<'c, 'a>,
) -> Result<Value<'c, 'a>, Kept> {
    let dims = static_dims(operand.r#type()).unwrap_or_default();
    let is_image = rank == 4 && dims.len() < rank;
    if align.is_none() && !is_image {
        return Ok(operand);
    }
    let missing = rank.saturating_sub(dims.len());
    let before = match align {
        Some(align) if align >= 0 => usize::try_from(align).unwrap_or(usize::MAX),
        Some(align) => missing.saturating_sub(usize::try_from(align.unsigned_abs()).unwrap_or(usize::MAX)),
        None => missing,
    };
    if before > missing {
        return Err(Kept::because("its operands are not aligned within the result"));
    }
    let mut shape = vec![1; before];
    shape.extend(&dims);
    shape.resize(rank, 1);
    Ok(to.reshaped(operand, &shape)?)
}

fn missing(name: &str) -> Kept {
    Kept::because(format!("its `{name}` is not given"))
}

/// A dimension counted from the front.
fn absolute(axis: i64, rank: usize) -> Option<usize> {
    let axis = if axis < 0 { axis + rank as i64 } else { axis };
    usize::try_from(axis).ok().filter(|axis| *axis < rank)
}

/// The operator of a line, for an op whose result is to have this type.
pub fn to_skriptnd<'c: 'a, 'a>(
    line: &Counterpart,
    op: OperationRef<'c, 'a>,
    ty: Type<'c>,
    to: &Builder<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    let operands: Vec<_> = op.operands().collect();
    let count = operands.len().checked_sub(line.parameters.len()).filter(|count| line.inputs.contains(count));
    let Some((inputs, constants)) = count.and_then(|count| operands.split_at_checked(count)) else {
        return Err(Failure::new(format!("has no known meaning with {} operands", operands.len())));
    };
    let inputs = fitted(line, inputs, ty, to)?;
    let mut named = Vec::new();
    for (parameter, constant) in line.parameters.iter().zip(constants) {
        named.push((parameter.name(), attribute(parameter, *constant, to.context())?));
    }
    named.extend(line.fixed.iter().map(|(name, value)| (*name, attributes::string(to.context(), value))));
    if line.has_optional_inputs {
        let given: Vec<i32> = (0..*line.inputs.end()).map(|index| i32::from(index < inputs.len())).collect();
        named.push((OPERAND_SEGMENTS, attributes::segment_sizes(to.context(), &given)));
    }
    to.operation(&format!("skriptnd.{}", line.operator), &inputs, &named, &[ty])?.result(0)
}

/// Tensors with the rank that the operator takes: those of elementwise ops have no more dimensions than the result.
fn fitted<'c: 'a, 'a>(
    line: &Counterpart,
    inputs: &[Value<'c, 'a>],
    ty: Type<'c>,
    to: &Builder<'c, 'a>,
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let rank = types::rank(ty).unwrap_or_default();
    let fits = |(index, input): (usize, &Value<'c, 'a>)| match line.form {
        Form::Elementwise => of_rank(*input, rank, to),
        _ if index > 0 && VECTORS.contains(&line.op) => of_rank(*input, 1, to),
        _ => Ok(*input),
    };
    inputs.iter().enumerate().map(fits).collect()
}

/// The attribute that a constant operand is.
fn attribute<'c>(
    parameter: &Parameter,
    constant: Value<'c, '_>,
    context: &'c Context,
) -> Result<Attribute<'c>, Failure> {
    let wrong = |what: &str| Failure::new(format!("expected {what} as the parameter '{}'", parameter.name()));
    let elements = IrGraph::default().constant(constant);
    if let Parameter::Real(_) = parameter {
        return match elements.as_ref() {
            Some(Elements::Reals(values)) if values.len() == 1 => Ok(attributes::real(context, values[0])),
            _ => Err(wrong("a constant real number")),
        };
    }
    let Some(Elements::Ints(values)) = elements else { return Err(wrong("constant integers")) };
    let single =
        || <[i64; 1]>::try_from(values.clone()).map(|[value]| value).map_err(|_| wrong("one constant integer"));
    Ok(match parameter {
        Parameter::Ints(_) | Parameter::Axes(_) => attributes::integers(context, &values),
        Parameter::Flag(_) => attributes::boolean(context, single()? != 0),
        Parameter::Choice(_, texts) => {
            let text = usize::try_from(single()?).ok().and_then(|place| texts.get(place));
            attributes::string(context, text.ok_or_else(|| wrong("the number of a choice"))?)
        }
        _ => attributes::integer(context, single()?),
    })
}
