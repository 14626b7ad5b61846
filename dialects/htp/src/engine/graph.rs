//! MLIR as the graph that rules see, and plans made in it.

use crate::apply::plan::{Id, Plan, PlanNode, Source};
use crate::apply::{Elements, Graph, Identity, OutputDef};
use crate::dialect::{self, encoding};
use crate::generated::operations::{ConstOp, ConstOpBuilder, ShapeOpBuilder};
use skriptnd_mlir::diagnostics::Failure;
use skriptnd_mlir::ir::{Attribute, Builder, Context, OperationRef, Type, Value, attributes, walk};
use std::collections::HashSet;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The attribute of a node's op id. Nodes that a rule has not asked for their id have none.
pub const ID: &str = "id";
/// The attribute of a node's split history: dimension, the original's id and the size of a slice for each split.
pub const SPLIT_HISTORY: &str = "split_history";

/// The values of a function or graph: they tell all of it.
#[derive(Default)]
pub struct IrGraph<'c, 'a> {
    /// A node that had no id before the rewrite at work, whatever it has now.
    without_id: Option<OperationRef<'c, 'a>>,
}

impl<'c, 'a> IrGraph<'c, 'a> {
    /// What the graph was before a rewrite that may have given the root an id.
    pub fn before_rewrite(root: OperationRef<'c, 'a>, ids: &Ids) -> Self {
        IrGraph { without_id: ids.is_new(root).then_some(root) }
    }
}

impl<'c: 'a, 'a> Graph for IrGraph<'c, 'a> {
    type Node = Value<'c, 'a>;

    fn output_def(&self, node: Self::Node) -> Option<OutputDef> {
        encoding::output_def(node.r#type())
    }

    fn op_called(&self, qualified: &str) -> String {
        dialect::operation_name(qualified)
    }

    fn op_name(&self, node: Self::Node) -> Option<String> {
        node.defining_operation().map(|op| op.full_name().to_owned())
    }

    fn qualified_op(&self, node: Self::Node) -> Option<String> {
        node.defining_operation().map(|op| dialect::qualified_name(op.full_name()))
    }

    fn inputs(&self, node: Self::Node) -> Vec<Self::Node> {
        node.defining_operation().map(|op| op.operands().collect()).unwrap_or_default()
    }

    fn outputs(&self, node: Self::Node) -> Vec<Self::Node> {
        node.defining_operation().map_or_else(|| vec![node], |op| op.result_values())
    }

    fn constant(&self, node: Self::Node) -> Option<Elements> {
        let elements = ConstOp::new(node.defining_operation()?)?.elements().ok()?;
        let reals = || attributes::as_reals(elements).map(Elements::Reals);
        attributes::as_integers(elements).map(Elements::Ints).or_else(reals)
    }

    fn identity(&self, node: Self::Node) -> Identity {
        let op = node.defining_operation();
        let mut identity = op.map(identity).unwrap_or_default();
        if op.is_some() && op == self.without_id {
            identity.id = None;
        }
        identity
    }
}

/// Op id and split history of a node.
pub fn identity(op: OperationRef<'_, '_>) -> Identity {
    Identity::of_numbers(op.get_integer(ID), &op.get_integers(SPLIT_HISTORY).unwrap_or_default())
}

/// Gives op ids to nodes that are asked for one.
#[derive(Debug, Default)]
pub struct Ids {
    last: AtomicI64,
    begun: OnceLock<()>,
    /// The nodes that got one in the rewrite at work.
    new: Mutex<HashSet<usize>>,
}

impl Ids {
    /// Goes on behind the ids of a graph.
    fn begin(&self, root: OperationRef<'_, '_>) {
        let given = walk(root).into_iter().map(identity);
        let largest = given.flat_map(|of| of.history.into_iter().map(|r| r.original).chain(of.id)).max();
        self.last.store(largest.unwrap_or(0), Ordering::Relaxed);
    }

    fn of<'c>(&self, op: OperationRef<'c, '_>) -> i64 {
        op.get_integer(ID).unwrap_or_else(|| {
            self.begun.get_or_init(|| self.begin(op.root()));
            let id = self.last.fetch_add(1, Ordering::Relaxed) + 1;
            op.set(ID, attributes::integer(op.context(), id));
            self.new.lock().unwrap_or_else(PoisonError::into_inner).insert(op.key());
            id
        })
    }

    /// Whether a node got its id in the rewrite at work.
    pub fn is_new(&self, op: OperationRef<'_, '_>) -> bool {
        self.new.lock().unwrap_or_else(PoisonError::into_inner).contains(&op.key())
    }

    /// Says that another rewrite begins.
    pub fn end_rewrite(&self) {
        self.new.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn number(&self, id: &Id<Value<'_, '_>>) -> i64 {
        match id {
            Id::Number(number) => *number,
            Id::Of(value) => value.defining_operation().map_or(0, |op| self.of(op)),
        }
    }
}

/// Whether all outputs of planned nodes have types.
pub fn has_types<N>(context: &Context, plan: &Plan<N>) -> bool {
    let mut outputs = plan.nodes.iter().flat_map(|node| &node.outputs);
    outputs.all(|output| encoding::tensor_type(context, output).is_some())
}

/// Makes the nodes of a plan before the root; returns what takes the root's place, and the nodes.
pub fn build<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    root: OperationRef<'c, 'a>,
    plan: &Plan<Value<'c, 'a>>,
    ids: &Ids,
) -> Result<(Value<'c, 'a>, Vec<OperationRef<'c, 'a>>), Failure> {
    let mut construction =
        Construction { builder: *builder, root, ids, made: Vec::with_capacity(plan.nodes.len()), copy: None };
    for planned in &plan.nodes {
        let node = construction.node(planned)?;
        construction.made.push(node);
    }
    // A node that was made may have asked for the id of the root.
    if let (Some(copy), Some(id)) = (construction.copy, root.get(ID)) {
        copy.set(ID, id);
    }
    Ok((construction.value(plan.result)?, construction.made))
}

struct Construction<'c, 'a, 'p> {
    builder: Builder<'c, 'a>,
    root: OperationRef<'c, 'a>,
    ids: &'p Ids,
    made: Vec<OperationRef<'c, 'a>>,
    /// What new nodes take for the root: it is replaced wherever it is used.
    copy: Option<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Construction<'c, 'a, '_> {
    fn value(&mut self, source: Source<Value<'c, 'a>>) -> Result<Value<'c, 'a>, Failure> {
        match source {
            Source::Existing(value) if value.defining_operation() == Some(self.root) => {
                let copy = match self.copy {
                    Some(copy) => copy,
                    None => *self.copy.insert(self.builder.copy(self.root, &self.root.operands().collect::<Vec<_>>())?),
                };
                let results = self.root.result_values();
                copy.result(results.iter().position(|result| *result == value).unwrap_or_default())
            }
            Source::Existing(value) => Ok(value),
            Source::New(node, output) => self.made.get(node).ok_or("stands before what it takes")?.result(output),
        }
    }

    fn node(&mut self, planned: &PlanNode<Value<'c, 'a>>) -> Result<OperationRef<'c, 'a>, Failure> {
        let context = self.builder.context();
        let typed = |output| encoding::tensor_type(context, output).ok_or_else(|| Failure::new("has no type in MLIR"));
        let types = planned.outputs.iter().map(typed).collect::<Result<Vec<_>, _>>()?;
        let inputs = planned.inputs.iter().map(|input| self.value(*input)).collect::<Result<Vec<_>, _>>()?;
        let ids = self.ids;
        let mut attributes = Vec::new();
        if let Some(elements) = &planned.elements {
            attributes.push((dialect::ELEMENTS, elements_attribute(context, elements)));
        }
        if let Some(id) = &planned.lineage.id {
            attributes.push((ID, attributes::integer(context, ids.number(id))));
        }
        if !planned.lineage.history.is_empty() {
            let records = planned.lineage.history.iter();
            let numbers: Vec<i64> =
                records.flat_map(|record| [record.dimension, ids.number(&record.original), record.size]).collect();
            attributes.push((SPLIT_HISTORY, attributes::integers(context, &numbers)));
        }
        let place = planned.origin.defining_operation().map(|op| op.location());
        let builder = place.map_or(self.builder, |place| self.builder.located(place));
        builder.operation(&planned.op, &inputs, &attributes, &types)
    }
}

fn elements_attribute<'c>(context: &'c Context, elements: &Elements) -> Attribute<'c> {
    match elements {
        Elements::Ints(values) => attributes::integers(context, values),
        Elements::Reals(values) => attributes::reals(context, values),
    }
}

/// A `$Shape` op.
pub fn shape<'c: 'a, 'a>(builder: &Builder<'c, 'a>, ty: Type<'c>) -> Result<Value<'c, 'a>, Failure> {
    ShapeOpBuilder::new(builder).output_type(ty).build()?.output()
}

/// A `$Const` op.
pub fn constant<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    elements: &Elements,
    ty: Type<'c>,
) -> Result<Value<'c, 'a>, Failure> {
    let attribute = elements_attribute(builder.context(), elements);
    ConstOpBuilder::new(builder).elements(attribute).output_type(ty).build()?.output()
}
