//! Operators applied to operands of known shape, prepared once for each combination.

use super::diagnostics as say;
use super::formula::{CompiledFormula, Engine, FormulaFault, TensorShape};
use super::symbols::Symbols;
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
    /// The types of its results, as far as they are known.
    pub outputs: Vec<Argument<TensorType>>,
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

/// An instance, and the values of its symbols. The instance is kept as long as what is prepared of it.
type Key = (*const Instance, Vec<Option<i64>>);

/// Prepared operators.
pub(super) struct Operators<'a> {
    engine: Engine,
    definitions: &'a Definitions,
    prepared: HashMap<Key, Arc<Prepared>>,
}

impl<'a> Operators<'a> {
    pub(super) fn new(engine: Engine, definitions: &'a Definitions) -> Self {
        Operators { engine, definitions, prepared: HashMap::new() }
    }

    /// The operator of `operation`, its attributes resolved, applied to operands of these types. What was composed for any
    /// extents is taken for those of the run; only packs of open lengths are instantiated again, with the items there are.
    pub(super) fn prepare(
        &mut self,
        operation: &Operation,
        call: &OperatorCall,
        (operands, symbols): (&[Operand], &Symbols),
    ) -> Result<Arc<Prepared>, Diagnostics> {
        let instance = match &operation.instance {
            Some(instance) if instance.runs_as_composed() => instance.clone(),
            composed => self.instantiate(operation, call, operands, composed.as_ref())?,
        };
        let values = instance.symbols.iter().map(|symbol| symbols.get(symbol)).collect();
        let key = (Arc::as_ptr(&instance), values);
        if let Some(prepared) = self.prepared.get(&key) {
            return Ok(prepared.clone());
        }
        let outputs = instance.outputs.iter().map(|output| output.map(|ty| symbols.known(ty))).collect();
        let body = self.body(operation, call, &instance, (operands, &outputs, symbols))?;
        let prepared = Arc::new(Prepared { instance, body, outputs });
        self.prepared.insert(key, prepared.clone());
        Ok(prepared)
    }

    fn instantiate(
        &self,
        operation: &Operation,
        call: &OperatorCall,
        operands: &[Operand],
        composed: Option<&Arc<Instance>>,
    ) -> Result<Arc<Instance>, Diagnostics> {
        let composed = composed.filter(|instance| instance.knows_more());
        self.definitions.instance_as(call, operands, composed).map_err(|found| {
            let mut list = Diagnostics::default();
            found.iter().for_each(|d| list.push(in_invocation(d.clone(), operation, &call.operator)));
            list
        })
    }

    fn body(
        &self,
        operation: &Operation,
        call: &OperatorCall,
        instance: &Instance,
        (operands, outputs, symbols): (&[Operand], &Vec<Argument<TensorType>>, &Symbols),
    ) -> Result<Body, Diagnostics> {
        Ok(match &instance.body {
            InstanceBody::Formula(formula) => {
                let inputs = given(instance, operands).flat_map(Operand::items).map(concrete);
                let inputs: Vec<_> = inputs.collect::<Option<_>>().ok_or_else(|| {
                    say::at(operation, say::inconsistent(operation.span, "an operand's extent is not known"))
                })?;
                // Making the instance again tells what in it has no value for these extents.
                let explained = |otherwise: Diagnostic| match self.instantiate(operation, call, operands, None) {
                    Ok(_) => say::at(operation, otherwise),
                    Err(found) => found,
                };
                let results = outputs.iter().flat_map(Argument::items).map(concrete).collect::<Option<_>>();
                let results =
                    results.ok_or_else(|| explained(say::unknown_extent(operation.span, "the shape of a result")))?;
                let known = (!instance.symbols.is_empty()).then(|| formula.with_extents(symbols));
                let undefined = || explained(say::undefined_formula(operation.span, &call.operator));
                let known = known.map(|known| known.ok_or_else(undefined)).transpose()?;
                let compiled = CompiledFormula::new(known.as_ref().unwrap_or(formula), &inputs, results, self.engine);
                Body::Formula(compiled.map_err(|(fault, span)| self.fault(operation, call, &fault, span, None))?)
            }
            InstanceBody::Composition(_) => Body::Composition,
            InstanceBody::Intrinsic => {
                let kernel = kernel(&call.operator)
                    .ok_or_else(|| say::at(operation, say::no_kernel(operation.span, &call.operator)))?;
                let attributes = instance.call.attributes.iter().map(|(name, value)| {
                    let known = symbols.resolve(value);
                    let undefined = || say::at(operation, say::undefined_attribute(operation.span, name));
                    Ok((name.clone(), attribute(&known.ok_or_else(undefined)?)))
                });
                Body::Intrinsic(kernel, attributes.collect::<Result<_, Diagnostics>>()?)
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

/// What an invocation gives; the formula has the defaults of other inputs itself.
pub(super) fn given<'o, T>(instance: &Instance, operands: &'o [T]) -> impl Iterator<Item = &'o T> {
    let defaults: Vec<usize> = instance.default_inputs().collect();
    operands.iter().enumerate().filter(move |(at, _)| !defaults.contains(at)).map(|(_, operand)| operand)
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
