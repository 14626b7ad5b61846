//! Operators with graphs in them: branches and loops.

mod extents;
mod flexible;
mod loops;
mod repeat;
mod unroll;

use super::{DEEPEST, Given, Translator, used_by};
use crate::extent::Extent;
use crate::node::Node;
use crate::proto::GraphProto;
use crate::value::{Tensor, Value};
use extents::Local;
use skriptnd_syntax::build::{Block, Computation, Expression, Statement, Target};

/// The results of a node; the reason is none where it has been said.
pub(super) type Outcome = Result<Vec<Value>, Option<String>>;

impl<'m> Translator<'m> {
    /// Translates a node that has graphs in it; none of other nodes.
    pub(super) fn structured(&mut self, node: &Node<'m>, given: &Given<'m>) -> Option<Outcome> {
        match node.proto.domain.as_str() {
            "" | "ai.onnx" => {}
            "ai.onnx.preview" if node.proto.op_type == "FlexAttention" => {
                return Some(self.flexible_attention(node, given));
            }
            _ => return None,
        }
        match node.proto.op_type.as_str() {
            "If" => Some(self.branches(node, given)),
            "Loop" => Some(self.repetition(node, given)),
            "Scan" => Some(self.scan(node, given)),
            "SequenceMap" => Some(self.mapped(node, given)),
            _ => None,
        }
    }

    /// Translates a graph in a scope of its own, which sees the names around it.
    fn inner(&mut self, graph: &'m GraphProto, arguments: Vec<Value>, given: &Given<'m>) -> Outcome {
        if self.depth >= DEEPEST {
            return Err(Some(format!("graphs stand in each other more than {DEEPEST} deep")));
        }
        if graph.input.len() != arguments.len() {
            let (there, expected) = (graph.input.len(), arguments.len());
            return Err(Some(format!("its graph has {there} inputs, where {expected} are expected")));
        }
        let names = graph.input.iter().map(|info| info.name.as_str());
        self.scopes.push(names.zip(arguments).collect());
        self.depth += 1;
        let known = self.problems.len();
        self.body(graph, given);
        let result =
            |name: &str| self.lookup(name).cloned().ok_or_else(|| format!("nothing in its graph gives `{name}`"));
        let results: Result<Vec<Value>, String> = graph.output.iter().map(|info| result(&info.name)).collect();
        self.depth -= 1;
        self.scopes.pop();
        // What is missing follows from what could not be translated, perhaps before this graph.
        let is_told = self.problems.len() > known || results.is_err() && !self.problems.is_empty();
        if is_told { Err(None) } else { results.map_err(Some) }
    }

    /// What statements are made meanwhile.
    fn in_block<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> (T, Vec<Statement>) {
        self.blocks.push(Vec::new());
        let made = make(self);
        (made, self.blocks.pop().unwrap_or_default())
    }

    fn branches(&mut self, node: &Node<'m>, given: &Given<'m>) -> Outcome {
        let (then, otherwise) = (node.graph("then_branch")?, node.graph("else_branch")?);
        let condition = node.input(0)?.clone();
        match condition.bools().as_deref() {
            Some([chosen]) => self.inner(if *chosen { then } else { otherwise }, Vec::new(), given),
            Some(_) => Err(Some("its condition has more elements than one, or none".into())),
            None => self.chosen(node, &condition, [then, otherwise], given),
        }
    }

    /// A branch that a run chooses.
    fn chosen(
        &mut self,
        node: &Node<'m>,
        condition: &Tensor,
        graphs: [&'m GraphProto; 2],
        given: &Given<'m>,
    ) -> Outcome {
        let condition = self.operand(condition);
        let (left, then) = self.branch(graphs[0], given)?;
        let (right, otherwise) = self.branch(graphs[1], given)?;
        let local = Local::of(then.statements.iter().chain(&otherwise.statements));
        let mut targets = Vec::new();
        let mut results = Vec::new();
        if left.len() != right.len() {
            return Err(Some(format!("its branches give {} and {} values", left.len(), right.len())));
        }
        for (at, (left, right)) in left.iter().zip(&right).enumerate() {
            let like = node.proto.output.get(at).map_or("", String::as_str);
            results.push(self.either(like, left, right, &local, &mut targets)?);
        }
        if !targets.is_empty() {
            self.push(Statement::new(targets, Computation::Branch(condition, then, otherwise)));
        }
        Ok(results)
    }

    /// What a branch gives, and its block.
    fn branch(&mut self, graph: &'m GraphProto, given: &Given<'m>) -> Result<(Vec<Value>, Block), Option<String>> {
        let (made, statements) = self.in_block(|t| -> Result<_, Option<String>> {
            let values = t.inner(graph, Vec::new(), given)?;
            let operands: Vec<Expression> = tensors_of(&values).map(|tensor| t.operand(tensor)).collect();
            Ok((values, operands))
        });
        let (values, results) = made?;
        Ok((values, Block { statements: used_by(statements, &results), results }))
    }

    /// The value that is one of two, each tensor with a target of its own.
    fn either(
        &mut self,
        like: &str,
        left: &Value,
        right: &Value,
        local: &Local,
        targets: &mut Vec<Target>,
    ) -> Result<Value, String> {
        match (left, right) {
            (Value::Tensor(left), Value::Tensor(right)) => {
                let name = self.name_of_result(like);
                targets.push(Target::Name(name.clone()));
                self.common(&name, left, right, local).map(Value::Tensor)
            }
            (Value::Sequence(left), Value::Sequence(right)) if left.len() == right.len() => {
                let mut items = Vec::new();
                for (left, right) in left.iter().zip(right) {
                    let name = self.names.fresh(like);
                    targets.push(Target::Name(name.clone()));
                    items.push(self.common(&name, left, right, local)?);
                }
                Ok(Value::Sequence(items))
            }
            (Value::Nothing, Value::Nothing) => Ok(Value::Nothing),
            _ => Err("its branches give sequences of different lengths, or one of them nothing, and only a run knows \
                      which: give the condition by `--value`"
                .into()),
        }
    }

    /// The type of what is one of two tensors.
    fn common(&mut self, name: &str, left: &Tensor, right: &Tensor, local: &Local) -> Result<Tensor, String> {
        if left.element.language() != right.element.language() || left.rank() != right.rank() {
            let told = |tensor: &Tensor| format!("{} with {} dimensions", tensor.element.name(), tensor.rank());
            return Err(format!(
                "its branches give {} and {}, and only a run knows which: give the condition by `--value`",
                told(left),
                told(right)
            ));
        }
        let shape = (0..left.rank()).map(|at| {
            let (left, right) = (&left.shape[at], &right.shape[at]);
            if left == right && !local.is_in(left) {
                return left.clone();
            }
            let bound = self.greatest(left).zip(self.greatest(right)).map(|(left, right)| left.max(right));
            self.found_extent(name, at, bound)
        });
        let shape: Vec<Extent> = shape.collect();
        Ok(Tensor::computed(left.element, shape, Expression::Name(name.to_owned())))
    }

    /// The extent of a named tensor that only data tell.
    fn found_extent(&mut self, name: &str, dimension: usize, bound: Option<i64>) -> Extent {
        let symbol = format!("{name}.shape[{dimension}]");
        if let Some(bound) = bound {
            self.bounds.insert(symbol.clone(), bound);
        }
        Extent::symbol(symbol)
    }
}

fn tensors_of(values: &[Value]) -> impl Iterator<Item = &Tensor> {
    values.iter().flat_map(Value::tensors)
}
