//! Operators applied to operands of known shape, prepared once for each combination.

use super::diagnostics as say;
use super::formula::{CompiledFormula, Engine, FormulaFault, TensorShape};
use skriptnd_language::compose::extent::Extent;
use skriptnd_language::compose::formula::TensorRef;
use skriptnd_language::compose::graph::{Argument, Graph, Operation, OperatorCall, TensorType};
use skriptnd_language::compose::value::Value;
use skriptnd_language::compose::{Definitions, Instance, InstanceBody, Operand};
use skriptnd_language::fault::tensor_names;
use skriptnd_runtime::Tensor;
use skriptnd_runtime::intrinsic::{Attribute, Kernel, kernel};
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Diagnostic, Diagnostics, Frame};
use std::collections::HashMap;
use std::sync::Arc;

/// An operator that is ready to be executed.
pub(super) struct Prepared {
    pub instance: Arc<Instance>,
    pub body: Body,
}

pub(super) enum Body {
    Formula(CompiledFormula),
    Composition,
    Intrinsic(Kernel, Vec<(String, Attribute)>),
}

impl Prepared {
    /// The graph that the operator is composed of.
    pub(super) fn composition(&self) -> Option<&Graph> {
        match &self.instance.body {
            InstanceBody::Composition(graph) => Some(graph),
            _ => None,
        }
    }
}

/// Prepared operators by the instances that they are made of, which they keep.
pub(super) struct Operators<'a> {
    engine: Engine,
    definitions: &'a Definitions,
    prepared: HashMap<*const Instance, Arc<Prepared>>,
}

impl<'a> Operators<'a> {
    pub(super) fn new(engine: Engine, definitions: &'a Definitions) -> Self {
        Operators { engine, definitions, prepared: HashMap::new() }
    }

    /// The operator of `operation`, its attributes resolved, applied to operands of these types.
    pub(super) fn prepare(
        &mut self,
        operation: &Operation,
        call: &OperatorCall,
        operands: &[Operand],
    ) -> Result<Arc<Prepared>, Diagnostics> {
        let instance = match &operation.instance {
            Some(instance) if instance.is_static() => Ok(instance.clone()),
            composed => {
                let composed = composed.as_ref().filter(|instance| instance.knows_more());
                self.definitions.instance_as(call, operands, composed)
            }
        };
        let instance = instance.map_err(|found| {
            let mut list = Diagnostics::default();
            found.iter().for_each(|d| list.push(in_invocation(d.clone(), operation, &call.operator)));
            list
        })?;
        if let Some(prepared) = self.prepared.get(&Arc::as_ptr(&instance)) {
            return Ok(prepared.clone());
        }
        let body = self.body(operation, &instance, operands)?;
        let prepared = Arc::new(Prepared { instance: instance.clone(), body });
        self.prepared.insert(Arc::as_ptr(&instance), prepared.clone());
        Ok(prepared)
    }

    fn body(&self, operation: &Operation, instance: &Instance, operands: &[Operand]) -> Result<Body, Diagnostics> {
        let call = &instance.call;
        Ok(match &instance.body {
            InstanceBody::Formula(formula) => {
                let inputs: Vec<_> =
                    operands.iter().flat_map(Operand::items).map(concrete).collect::<Option<_>>().ok_or_else(|| {
                        say::at(operation, say::inconsistent(operation.span, "an operand's extent is not known"))
                    })?;
                let outputs = instance.outputs.iter().flat_map(Argument::items).map(concrete).collect::<Option<_>>();
                let outputs = outputs
                    .ok_or_else(|| say::at(operation, say::unknown_extent(operation.span, "the shape of a result")))?;
                let compiled = CompiledFormula::new(formula, &inputs, outputs, self.engine);
                Body::Formula(compiled.map_err(|(fault, span)| self.fault(operation, call, &fault, span, None))?)
            }
            InstanceBody::Composition(_) => Body::Composition,
            InstanceBody::Intrinsic => {
                let kernel = kernel(&call.operator)
                    .ok_or_else(|| say::at(operation, say::no_kernel(operation.span, &call.operator)))?;
                let attributes = call.attributes.iter();
                Body::Intrinsic(kernel, attributes.map(|(name, value)| (name.clone(), attribute(value))).collect())
            }
        })
    }

    /// What is wrong with the formula of an operator, at the statement where it has one.
    pub(super) fn fault(
        &self,
        operation: &Operation,
        call: &OperatorCall,
        fault: &FormulaFault,
        statement: Option<Span>,
        formula: Option<&CompiledFormula>,
    ) -> Diagnostics {
        let name = |tensor| match (tensor, formula) {
            (TensorRef::Constant(number), Some(formula)) => {
                formula.constant_name(number).unwrap_or("constant").to_owned()
            }
            _ => self.tensor_name(call, operation, tensor),
        };
        let diagnostic = say::formula(statement.unwrap_or(operation.span), fault, name);
        say::one(in_invocation(diagnostic, operation, &call.operator))
    }

    /// The name in the operator's definition of a tensor that its formula counts.
    fn tensor_name(&self, call: &OperatorCall, operation: &Operation, tensor: TensorRef) -> String {
        let Some(definition) = self.definitions.operator(&call.operator) else { return format!("{tensor:?}") };
        let (names, number) = match tensor {
            TensorRef::Input(number) => (tensor_names(definition.operands(), &operation.inputs), number),
            TensorRef::Output(number) => (tensor_names(&definition.outputs, &operation.outputs), number),
            TensorRef::Constant(_) => return "constant".to_owned(),
        };
        names.get(number).cloned().unwrap_or_else(|| format!("{tensor:?}"))
    }
}

/// A message about an operator's definition, with the invocation that led there.
fn in_invocation(mut diagnostic: Diagnostic, operation: &Operation, operator: &str) -> Diagnostic {
    if diagnostic.span != operation.span {
        diagnostic.chain.push(Frame { operator: operator.to_string(), span: operation.span });
    }
    diagnostic.chain.extend(operation.chain.iter().cloned());
    diagnostic
}

fn concrete(ty: &TensorType) -> Option<TensorShape> {
    let extent = |extent: &skriptnd_language::compose::extent::Extent| usize::try_from(extent.as_known()?).ok();
    Some(TensorShape { dtype: ty.dtype, shape: ty.shape.iter().map(extent).collect::<Option<_>>()? })
}

fn attribute(value: &Value) -> Attribute {
    match value {
        Value::Null | Value::Symbolic(_) => Attribute::Null,
        Value::Int(value) => Attribute::Int(*value),
        Value::Real(value) => Attribute::Real(*value),
        Value::Bool(value) => Attribute::Bool(*value),
        Value::Str(value) => Attribute::Str(value.to_string()),
        Value::Pack(items) => Attribute::Pack(items.iter().map(attribute).collect()),
        Value::Repeat(item, length) => {
            let length = usize::try_from(*length).unwrap_or(usize::MAX).min(1 << 20);
            Attribute::Pack(vec![attribute(item); length])
        }
    }
}

/// The type of a tensor that is there.
pub(super) fn type_of(tensor: &Tensor) -> TensorType {
    let shape = tensor.shape.iter().map(|&extent| Extent::known(extent as i64)).collect();
    TensorType { dtype: tensor.element_type().into(), shape }
}
