//! What follows a product channel by channel, with numbers that are known before the run, becomes part of its weights and its bias: norms
//! of batches, and biases that are added. So sums of whole numbers are multiplied once, and weights are quantized as they are then.

use super::operators;
use super::plan::{Uses, known};
use skriptnd_language::compose::Definitions;
use skriptnd_language::compose::channels::{Channels, added_by_channel};
use skriptnd_language::compose::edit::{Editor, Invocation, single};
use skriptnd_language::compose::graph::{Argument, Graph, Operation, OperationKind, OperatorCall, Origin, TensorId};
use skriptnd_language::compose::value::Value;
use std::collections::HashSet;

/// The same graph, with what follows the products of its body in their weights.
pub fn fold(graph: &Graph, definitions: &Definitions) -> Graph {
    let mut graph = graph.clone();
    let mut at = 0;
    while at < graph.body.operations.len() {
        // What is folded stands farther behind then, where more may follow it.
        if fold_into(&mut graph, definitions, at).is_none() {
            at += 1;
        }
    }
    graph
}

/// A product, and what follows it.
struct Pair<'g> {
    product: &'g Operation,
    channels: Channels,
    follower: &'g Operation,
    known: HashSet<TensorId>,
}

/// Puts what follows the product with this number into it; none if that can't be.
fn fold_into(graph: &mut Graph, definitions: &Definitions, at: usize) -> Option<()> {
    let product = graph.body.operations[at].clone();
    let OperationKind::Operator(call) = &product.kind else { return None };
    let next = Uses::of(graph).only(single(&product.outputs)?)?;
    let follower = graph.body.operations[next].clone();
    let ranks = [0, 1].map(|input| single(product.inputs.get(input..=input)?));
    let ranks = [ranks[0]?, ranks[1]?].map(|id| graph.tensor(id).ty.shape.len());
    let channels = Channels::of(call, ranks).filter(|_| takes_bias(call))?;
    let pair = Pair { product: &product, channels, follower: &follower, known: known(graph) };
    let mut editor = Editor::new(graph, definitions);
    editor.place = Some(follower.clone());
    let [filter, bias] = pair.folded(&mut editor)?;
    pair.name(&mut editor, [filter, bias]);
    editor.place = Some(product.clone());
    let attributes = call.attributes.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    let inputs = vec![product.inputs[0].clone(), Argument::Single(filter), Argument::Single(bias)];
    editor.invoke(Invocation { operator: &call.operator, attributes, inputs })?;
    let mut operations = std::mem::take(&mut editor.operations);
    operations.last_mut()?.outputs.clone_from(&follower.outputs);
    graph.body.operations.splice(next..=next, operations);
    graph.body.operations.remove(at);
    Some(())
}

/// Whether a product takes what is added to its channels.
fn takes_bias(call: &OperatorCall) -> bool {
    let is_product = operators::factors(call, &|_| Some(2)).is_some() && !operators::is_recurrent(call);
    is_product && call.operator.starts_with("nn.")
}

impl Pair<'_> {
    /// The filter and the bias of the product that does both.
    fn folded(&self, editor: &mut Editor<'_>) -> Option<[TensorId; 2]> {
        let filter = single(self.product.inputs.get(1..=1)?).filter(|id| self.known.contains(id))?;
        let own = match self.product.inputs.get(2) {
            None | Some(Argument::Null) => None,
            Some(Argument::Single(bias)) => Some(*bias).filter(|bias| self.known.contains(bias)),
            Some(_) => return None,
        };
        let is_fixed = own.is_some() || !matches!(self.product.inputs.get(2), Some(Argument::Single(_)));
        let OperationKind::Operator(call) = &self.follower.kind else { return None };
        match &*call.operator {
            _ if !is_fixed => None,
            "nn.batch_norm" => self.normalized(editor, call, filter, own),
            _ => {
                let result = single(&self.product.outputs)?;
                let added = added_by_channel(editor.graph, self.follower, result, self.channels.result)?;
                let added = editor.vector(added).filter(|_| self.known.contains(&added))?;
                let bias = own.map_or(Some(added), |own| editor.call("math.add", vec![], &[own, added]))?;
                Some([filter, bias])
            }
        }
    }

    /// Calls new tensors as those are called that they take the place of.
    fn name(&self, editor: &mut Editor<'_>, new: [TensorId; 2]) {
        let given = |operation: &Operation, at: usize| {
            operation.inputs.get(at).and_then(|input| input.items().first().copied())
        };
        let old = [given(self.product, 1), given(self.product, 2).or_else(|| given(self.follower, 3))];
        for (new, old) in new.into_iter().zip(old) {
            if let (Origin::Result, Some(old)) = (&editor.graph.tensor(new).origin, old) {
                editor.graph.tensors[new.0 as usize].name = editor.graph.tensor(old).name.clone();
            }
        }
    }

    /// Those of a product and a norm: `(filter x + bias - mean) scale / deviation + offset`.
    fn normalized(
        &self,
        editor: &mut Editor<'_>,
        call: &OperatorCall,
        filter: TensorId,
        own: Option<TensorId>,
    ) -> Option<[TensorId; 2]> {
        let Some(Value::Real(epsilon)) = call.attributes.get("epsilon") else { return None };
        let Some(Value::Int(axis)) = call.attributes.get("channel_axis") else { return None };
        let rank = editor.rank(single(&self.product.outputs)?);
        let axis = if *axis < 0 { *axis + rank as i64 } else { *axis };
        let [_, Argument::Single(mean), Argument::Single(variance), optional @ ..] = &self.follower.inputs[..] else {
            return None;
        };
        let given = |at: usize| optional.get(at).map_or(&[][..], Argument::items).first().copied();
        let (offset, scale) = (given(0), given(1));
        let mut taken = [Some(*mean), Some(*variance), offset, scale].into_iter().flatten();
        let is_known = taken.all(|id| self.known.contains(&id));
        if !is_known || usize::try_from(axis).ok() != Some(self.channels.result) {
            return None;
        }
        let epsilon = editor.known(editor.ty(*mean).dtype, &[], Value::Real(*epsilon))?;
        let stabilized = editor.call("math.add", vec![], &[*variance, epsilon])?;
        let deviation = editor.call("math.sqrt", vec![], &[stabilized])?;
        let factor = match scale {
            Some(scale) => editor.call("math.div", vec![], &[scale, deviation])?,
            None => editor.call("math.rcp", vec![], &[deviation])?,
        };
        let align = vec![("rhs_align", Value::Int(i64::try_from(self.channels.filter?).ok()?))];
        let whole = editor.call("math.mul", align, &[filter, factor])?;
        let centered = match own {
            Some(own) => editor.call("math.sub", vec![], &[own, *mean])?,
            None => editor.call("math.neg", vec![], &[*mean])?,
        };
        let scaled = editor.call("math.mul", vec![], &[centered, factor])?;
        let bias = offset.map_or(Some(scaled), |offset| editor.call("math.add", vec![], &[scaled, offset]))?;
        Some([whole, bias])
    }
}
