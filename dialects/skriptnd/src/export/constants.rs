//! Constants: those of one element stand where they are used, others are declared.

use super::writer::{Writer, element, result_names, type_of};
use crate::generated::operations::ConstantOp;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Attribute, attributes, types};
use skriptnd_syntax::build::{Expression, Extent, Port};

impl Writer {
    /// A constant.
    pub(super) fn constant_tensor(&mut self, constant: ConstantOp<'_, '_>) -> Result<(), Failure> {
        let output = constant.output()?;
        let (ty, value) = (type_of(output)?, elements(constant.value()?)?);
        let noted = result_names(constant.operation()).into_iter().next();
        if let (true, None, Expression::List(items)) = (ty.shape.is_empty(), &noted, &value) {
            if let [item] = items.as_slice() {
                self.define(output, item.clone());
                return Ok(());
            }
        }
        let value = match value {
            Expression::List(items) if items.len() == 1 => items.into_iter().next().unwrap_or(Expression::Absent),
            other => other,
        };
        let extents = ty.shape.iter().map(|extent| Ok(Extent::Known(self.extent(&extent.value)?, None)));
        let extents = extents.collect::<Result<Vec<_>, Failure>>()?;
        let element = element(ty.dtype)?;
        let same =
            |(port, known): &&(Port, Expression)| *known == value && port.element == element && port.extents == extents;
        // What the model names is a tensor of its own.
        let shared = self.graph.constants.iter().filter(|(port, _)| !self.named_constants.contains(&port.name));
        let known = shared.filter(|_| noted.is_none()).find(same).map(|(port, _)| port.name.clone());
        let name = match known {
            Some(name) => name,
            None => {
                let name = self.names.fresh(self.local(noted.as_deref()).unwrap_or("constant"));
                self.graph.constants.push((Port { name: name.clone(), element, extents }, value));
                name
            }
        };
        if let Some(noted) = noted {
            self.named_constants.insert(name.clone());
            self.called.insert(noted, name.clone());
        }
        self.define(output, Expression::Name(name));
        Ok(())
    }
}

/// The elements as a list, in row-major order; one where all are the same.
fn elements(attribute: Attribute<'_>) -> Result<Expression, Failure> {
    let unreadable = || Failure::new("is a constant whose elements the language has not");
    if let Some(item) = attributes::as_splat(attribute) {
        return Ok(Expression::List(vec![scalar(item).ok_or_else(unreadable)?]));
    }
    let floats = attributes::as_floats(attribute);
    if let Some(items) = floats {
        return Ok(Expression::List(items.into_iter().map(float).collect()));
    }
    if let Some(items) = attributes::as_whole_numbers(attribute) {
        return Ok(Expression::List(items.into_iter().map(Expression::Int).collect()));
    }
    let truths = attributes::as_truths(attribute).ok_or_else(unreadable)?;
    Ok(Expression::List(truths.into_iter().map(Expression::Bool).collect()))
}

fn scalar(attribute: Attribute<'_>) -> Option<Expression> {
    let r#type = attribute.r#type();
    if types::is_integer(r#type, 1) {
        return attributes::as_bool(attribute).map(Expression::Bool);
    }
    let whole = attribute.is_integer().then(|| attributes::as_integer(attribute)).flatten();
    whole.map(Expression::Int).or_else(|| attributes::as_real(attribute).map(|value| float(value as f32)))
}

/// The shortest decimal that is this number of 32 bits.
fn float(value: f32) -> Expression {
    Expression::Real(value.to_string().parse().unwrap_or(f64::from(value)))
}
