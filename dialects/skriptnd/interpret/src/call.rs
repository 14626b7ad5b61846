//! One operator applied to tensors.

use super::{Limits, Variables, run};
use skriptnd_language::compose::extent::Extent;
use skriptnd_language::compose::graph::{
    self, Argument, Graph, Instance, Operation, OperationKind, OperatorCall, Origin, Port, Region, TensorId, TensorType,
};
use skriptnd_language::compose::{Definitions, Operand};
use skriptnd_runtime::Tensor;
use skriptnd_source::diagnostics::Diagnostics;
use skriptnd_source::{FileId, Span};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Applies an operator to tensors. Attributes and types that `call` leaves out are filled in or deduced.
///
/// # Errors
/// What is wrong with the invocation, or what fails when it is computed.
pub fn run_operator(
    definitions: &Definitions,
    call: &OperatorCall,
    operands: Vec<Tensor>,
    limits: &Limits,
) -> Result<Vec<Tensor>, Diagnostics> {
    let operands: Vec<_> = operands.into_iter().map(Argument::Single).collect();
    let types = operands.iter().map(|operand| operand.map(type_of));
    let given: Vec<_> = types.map(Operand::of).collect();
    let instance = definitions.instance(call, &given).map_err(|found| Diagnostics::clone(&found))?;
    run_instance(definitions, &instance, operands, limits)
}

/// Applies an instance of an operator to tensors and packs.
///
/// # Errors
/// What fails when it is computed.
pub fn run_instance(
    definitions: &Definitions,
    instance: &Arc<Instance>,
    operands: Vec<Argument<Tensor>>,
    limits: &Limits,
) -> Result<Vec<Tensor>, Diagnostics> {
    let types: Vec<_> = operands.iter().map(|operand| operand.map(type_of)).collect();
    let graph = graph_of(instance, &types);
    let inputs = operands.into_iter().map(Some).collect();
    let outcome = run(definitions, &graph, inputs, &NoVariables, limits)?;
    let results = outcome.outputs.iter().flat_map(|(_, tensors)| tensors.items());
    Ok(results.map(|tensor| (**tensor).clone()).collect())
}

/// An operator has none of its own.
struct NoVariables;

impl Variables for NoVariables {
    fn read(&self, file: &str, _: &graph::Tensor) -> Result<Tensor, String> {
        Err(format!("there is no variable `{file}`"))
    }
}

fn type_of(tensor: &Tensor) -> TensorType {
    let extent = |extent: &usize| Extent::known(i64::try_from(*extent).unwrap_or(i64::MAX));
    TensorType { dtype: tensor.element_type().into(), shape: tensor.shape.iter().map(extent).collect() }
}

/// The graph that consists of one invocation.
fn graph_of(instance: &Arc<Instance>, operands: &[Argument<TensorType>]) -> Graph {
    let span = Span { file: FileId(0), start: 0, end: 0 };
    let mut tensors = Vec::new();
    let mut ports = |types: &[Argument<TensorType>], kind: &str, origin: &Origin| -> Vec<Port> {
        let mut tensor = |ty: &TensorType| {
            let name = format!("{kind}.{}", tensors.len());
            tensors.push(graph::Tensor { name, ty: ty.clone(), origin: origin.clone(), span });
            TensorId(tensors.len() as u32 - 1)
        };
        let named = types.iter().enumerate();
        named.map(|(at, types)| Port { name: format!("{kind}.{at}"), tensors: types.map(&mut tensor) }).collect()
    };
    let inputs = ports(operands, "operand", &Origin::Input { default: None });
    let outputs = ports(&instance.outputs, "result", &Origin::Result);
    let arguments = |ports: &[Port]| ports.iter().map(|port| port.tensors.clone()).collect::<Vec<_>>();
    let operation = Operation {
        kind: OperationKind::Operator(instance.call.clone()),
        inputs: arguments(&inputs),
        outputs: arguments(&outputs),
        scope: String::new(),
        span,
        chain: Vec::new(),
        instance: Some(instance.clone()),
    };
    let results = arguments(&outputs);
    Graph {
        name: instance.call.operator.to_string(),
        tensors,
        inputs,
        outputs,
        variables: Vec::new(),
        body: Region { parameters: Vec::new(), operations: vec![operation], results },
        update: Region::default(),
        updates: Vec::new(),
        quantizations: Vec::new(),
        runtime_asserts: Vec::new(),
        pack_lengths: Vec::new(),
        storage: BTreeMap::new(),
        encodings: BTreeMap::new(),
        output_storage: BTreeMap::new(),
        empty_packs: Vec::new(),
    }
}
