//! A node of a model as a model of its own.

use crate::constant::Constant;
use crate::file::ModelFile;
use crate::proto::{
    Dimension, DimensionProto, GraphProto, ModelProto, NodeProto, TensorProto, TensorShapeProto, TypeProto,
    ValueInfoProto, type_proto,
};
use crate::translate::weights::in_place_of;
use prost::Message;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of a tensor that a node takes or gives.
#[derive(Debug, Clone)]
pub struct Operand {
    /// Its elements.
    pub value: Constant,
    /// Whether the importer has to know them: shapes, axes, limits.
    pub is_known: bool,
}

/// A node as a model.
#[derive(Debug)]
pub struct Cut {
    /// The file.
    pub model: Vec<u8>,
    /// The names of its inputs.
    pub inputs: Vec<String>,
    /// The names of what it gives.
    pub outputs: Vec<String>,
}

/// Cuts a node of the model's graph out of it. What it takes and gives is `told` by name, as far as neither the model nor
/// the `weights` that are given in its place hold it; nodes that give what is not known either, as constants, go with it.
///
/// # Errors
/// Where an operand is not known.
pub fn cut(
    file: &ModelFile,
    node: usize,
    weights: Option<&BTreeMap<String, Constant>>,
    told: &dyn Fn(&str) -> Option<Operand>,
) -> Result<Cut, String> {
    let graph = file.model.graph.as_ref().ok_or("the model has no graph")?;
    let own_value = |tensor: &TensorProto| match weights.and_then(|weights| weights.get(&tensor.name)) {
        Some(given) => in_place_of(tensor, given),
        None => file.constant(tensor),
    };
    let own = graph.node.get(node).ok_or("there is no such node")?;
    let mut made = GraphProto { name: graph.name.clone(), ..GraphProto::default() };
    let (mut numbers, mut next) = (BTreeSet::from([node]), operands(own, graph));
    let mut known = BTreeSet::new();
    while let Some(name) = next.pop() {
        if !known.insert(name) {
            continue;
        }
        let initializer = graph.initializer.iter().find(|tensor| tensor.name == name);
        match (initializer, told(name)) {
            (_, Some(Operand { value, is_known: false })) => made.input.push(info(name, &value)),
            (_, Some(Operand { value, .. })) => made.initializer.push(stored(name, value)),
            (Some(tensor), None) => made.initializer.push(stored(name, own_value(tensor)?)),
            (None, None) => {
                let gives = |node: &&NodeProto| node.output.iter().any(|output| output == name);
                let number = graph.node.iter().position(|node| gives(&node));
                let number = number.ok_or_else(|| format!("what its operand `{name}` is, is not known"))?;
                numbers.insert(number);
                next.extend(operands(&graph.node[number], graph));
            }
        }
    }
    made.node = numbers.into_iter().map(|number| graph.node[number].clone()).collect();
    let given = own.output.iter().filter(|name| !name.is_empty());
    made.output = given.filter_map(|name| told(name).map(|operand| info(name, &operand.value))).collect();
    if made.output.is_empty() {
        return Err("what it gives is no tensor".into());
    }
    let names = |infos: &[ValueInfoProto]| infos.iter().map(|info| info.name.clone()).collect();
    let (inputs, outputs) = (names(&made.input), names(&made.output));
    let model = ModelProto { graph: Some(made), ..without_graph(&file.model) };
    Ok(Cut { model: model.encode_to_vec(), inputs, outputs })
}

fn without_graph(model: &ModelProto) -> ModelProto {
    ModelProto {
        ir_version: model.ir_version,
        producer_name: model.producer_name.clone(),
        graph: None,
        opset_import: model.opset_import.clone(),
        functions: model.functions.clone(),
    }
}

/// What a node takes, in its graphs too, of what there is in the graph around it.
fn operands<'m>(node: &'m NodeProto, around: &'m GraphProto) -> Vec<&'m str> {
    let results = around.node.iter().flat_map(|node| &node.output);
    let inputs = around.input.iter().map(|info| &info.name);
    let there = results.chain(inputs).chain(around.initializer.iter().map(|tensor| &tensor.name));
    let there: BTreeSet<&str> = there.map(String::as_str).collect();
    let (mut read, mut nodes) = (Vec::new(), vec![node]);
    while let Some(node) = nodes.pop() {
        let new = node.input.iter().map(String::as_str).filter(|name| there.contains(name));
        new.for_each(|name| {
            if !read.contains(&name) {
                read.push(name)
            }
        });
        for attribute in &node.attribute {
            let inner = attribute.g.iter().map(|graph| &**graph).chain(&attribute.graphs);
            inner.for_each(|graph| {
                nodes.extend(&graph.node);
                let given = graph.output.iter().map(|info| info.name.as_str()).filter(|name| there.contains(name));
                given.for_each(|name| {
                    if !read.contains(&name) {
                        read.push(name)
                    }
                });
            });
        }
    }
    read
}

fn stored(name: &str, constant: Constant) -> TensorProto {
    TensorProto {
        name: name.to_owned(),
        dims: constant.shape.iter().map(|extent| *extent as i64).collect(),
        data_type: constant.element.number(),
        raw_data: constant.bytes,
        ..TensorProto::default()
    }
}

fn info(name: &str, constant: &Constant) -> ValueInfoProto {
    let known = |extent: &usize| DimensionProto { value: Some(Dimension::Value(*extent as i64)) };
    let shape = Some(TensorShapeProto { dim: constant.shape.iter().map(known).collect() });
    let tensor = type_proto::Tensor { elem_type: constant.element.number(), shape };
    let r#type = Some(TypeProto { value: Some(type_proto::Value::Tensor(tensor)) });
    ValueInfoProto { name: name.to_owned(), r#type }
}
