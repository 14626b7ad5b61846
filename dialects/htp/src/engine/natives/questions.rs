//! Constraints that ask one thing of one or two nodes.

use super::super::graph::IrGraph;
use crate::apply::{Environment, Graph, Scalar, compare, constant_value, extent, property_of, same};
use crate::dialect::encoding;
use crate::grammar::model::{Comparison, ConstantQuery, DType, Property, Sameness};
use crate::to_pdl::conjuncts::{property_native, sameness_native};
use crate::to_pdl::names::native;
use skriptnd_mlir::ir::{Attribute, Value, attributes, types};
use skriptnd_mlir::rewrite::{Natives, PdlValue};

const PROPERTIES: [Property; 7] = [
    Property::Rank,
    Property::StepSize,
    Property::ZeroOffset,
    Property::DType,
    Property::ElementSize,
    Property::Inputs,
    Property::Outputs,
];
const SAMENESSES: [Sameness; 3] = [Sameness::Encoding, Sameness::Op, Sameness::Shape];
const COMPARISONS: [Comparison; 6] =
    [Comparison::Eq, Comparison::Ne, Comparison::Lt, Comparison::Gt, Comparison::Le, Comparison::Ge];

/// How many arguments a constraint of this file takes; `None` if it is another function.
fn arity(name: &str) -> Option<usize> {
    let properties = PROPERTIES.map(|property| (property_native(property), 3));
    let samenesses = SAMENESSES.map(|sameness| (sameness_native(sameness), 3));
    let others = [
        (native::TENSOR, 1),
        (native::ALLOWED, 2),
        (native::OUTPUT, 2),
        (native::IS_CONST, 2),
        (native::IS_INT, 2),
        (native::DIM, 4),
        (native::ELEMENT, 5),
    ];
    properties.into_iter().chain(samenesses).chain(others).find(|(known, _)| *known == name).map(|(_, count)| count)
}

/// Whether a pattern gives a constraint as many arguments as it takes: with others it would never hold.
pub fn check(name: &str, given: &[Option<Attribute<'_>>]) -> Result<(), String> {
    match arity(name) {
        Some(expected) if expected != given.len() => {
            let noun = if expected == 1 { "argument" } else { "arguments" };
            Err(format!("it takes {expected} {noun}, found {}", given.len()))
        }
        _ => Ok(()),
    }
}

/// Adds the constraints that need nothing but their arguments.
pub fn natives(mut natives: Natives) -> Natives {
    for property in PROPERTIES {
        natives = natives.constraint(property_native(property), move |_, arguments| {
            let [PdlValue::Value(of), by, with] = arguments else { return None };
            compared(property_of(&IrGraph::default(), property, *of)?, by, with)?.then(Vec::new)
        });
    }
    for sameness in SAMENESSES {
        natives = natives.constraint(sameness_native(sameness), move |_, arguments| {
            let [PdlValue::Value(first), by, PdlValue::Value(second)] = arguments else { return None };
            let are_same = Scalar::Bool(same(&IrGraph::default(), sameness, *first, *second)?);
            compare(comparison(by)?, are_same, Scalar::Bool(true))?.then(Vec::new)
        });
    }
    natives
        .constraint(native::DIM, |_, arguments| {
            let [PdlValue::Value(of), index, by, with] = arguments else { return None };
            let dims = IrGraph::default().output_def(*of)?.dims;
            compared(Scalar::Size(extent(&dims, integer(index)?)), by, with)?.then(Vec::new)
        })
        .constraint(native::ELEMENT, |_, arguments| {
            let [PdlValue::Value(of), index, kind, by, with] = arguments else { return None };
            let query = if text(kind)? == "int" { ConstantQuery::Int } else { ConstantQuery::Float };
            compared(element(*of, query, index)?, by, with)?.then(Vec::new)
        })
        .constraint(native::IS_CONST, |_, arguments| has_element(ConstantQuery::FloatValid, arguments))
        .constraint(native::IS_INT, |_, arguments| has_element(ConstantQuery::IntValid, arguments))
        .constraint(native::OUTPUT, |_, arguments| {
            let [PdlValue::Value(first), PdlValue::Value(second)] = arguments else { return None };
            (IrGraph::default().output_def(*first)? == IrGraph::default().output_def(*second)?).then(Vec::new)
        })
}

fn has_element<'c: 'a, 'a>(query: ConstantQuery, arguments: &[PdlValue<'c, 'a>]) -> Option<Vec<PdlValue<'c, 'a>>> {
    let [PdlValue::Value(of), index] = arguments else { return None };
    (element(*of, query, index)? == Scalar::Bool(true)).then(Vec::new)
}

fn element(of: Value<'_, '_>, query: ConstantQuery, index: &PdlValue<'_, '_>) -> Option<Scalar> {
    Some(constant_value(query, IrGraph::default().constant(of), integer(index)?))
}

/// Whether a node, or all outputs of an op, are tensors that rules can see all of.
pub fn is_tensor(arguments: &[PdlValue<'_, '_>]) -> Option<bool> {
    let types = match arguments {
        [PdlValue::Value(value)] => vec![value.r#type()],
        [PdlValue::Operation(operation)] => operation.result_types(),
        _ => return None,
    };
    let is_tensor = |ty| encoding::output_def(ty).is_some_and(|def| def.encoding.dtype() != DType::Unknown);
    Some(types.into_iter().all(is_tensor))
}

/// Whether no option forbids rules with a flag.
pub fn is_allowed(environment: &Environment, arguments: &[PdlValue<'_, '_>]) -> Option<bool> {
    let [_, flag] = arguments else { return None };
    Some(environment.options.allow(&[text(flag)?.to_owned()]))
}

fn text<'c>(argument: &PdlValue<'c, '_>) -> Option<&'c str> {
    match argument {
        PdlValue::Attribute(attribute) => attributes::as_string(*attribute),
        _ => None,
    }
}

fn integer(argument: &PdlValue<'_, '_>) -> Option<i64> {
    match argument {
        PdlValue::Attribute(attribute) => attributes::as_integer(*attribute),
        _ => None,
    }
}

fn comparison(argument: &PdlValue<'_, '_>) -> Option<Comparison> {
    let written = text(argument)?;
    COMPARISONS.into_iter().find(|comparison| comparison.symbol() == written)
}

fn compared(value: Scalar, by: &PdlValue<'_, '_>, with: &PdlValue<'_, '_>) -> Option<bool> {
    let PdlValue::Attribute(with) = with else { return None };
    compare(comparison(by)?, value, literal(*with)?)
}

/// A literal: numbers of 32 bits are `int`, of 64 bits `size`.
fn literal(attribute: Attribute<'_>) -> Option<Scalar> {
    let ty = attribute.r#type();
    if let Some(tag) = attributes::as_string(attribute) {
        return Some(Scalar::DType(tag.parse().ok()?));
    }
    match attributes::as_integer(attribute) {
        Some(value) if types::is_integer(ty, 64) => Some(Scalar::Size(value as u64)),
        Some(value) => Some(Scalar::Int(i32::try_from(value).ok()?)),
        None => Some(Scalar::Float(attributes::as_real(attribute)? as f32)),
    }
}
