//! From a replacement to a plan.

use super::argument::Argument;
use super::plan::*;
use super::{
    Bindings, Elements, Encoding, Environment, Evaluation, Graph, NewNode, NewSource, OutputDef, Scalar, SplitRecord,
    Subject,
};
use crate::grammar::model::*;
use skriptnd_source::Span;

/// The replacement of a match, if all of it is defined and its output definition is the root's, so that the root's users
/// stay well formed.
pub fn plan_replacement<G: Graph>(
    replacement: &Replacement,
    package: &str,
    graph: &G,
    bindings: &Bindings<'_, G::Node>,
    environment: &Environment,
) -> Option<Plan<G::Node>> {
    let output = graph.output_def(bindings.root)?;
    let planner = planned(replacement, package, graph, bindings, environment)?;
    let result = planner.plan.result;
    let fits = result != Source::Existing(bindings.root) && planner.output_of(result)? == output;
    Some(planner.plan).filter(|_| fits).map(pruned).filter(Plan::is_valid)
}

/// A part of a replacement, and its output definition.
pub fn plan_part<G: Graph>(
    part: &Replacement,
    package: &str,
    graph: &G,
    bindings: &Bindings<'_, G::Node>,
    environment: &Environment,
) -> Option<(Plan<G::Node>, OutputDef)> {
    let planner = planned(part, package, graph, bindings, environment)?;
    let output = planner.output_of(planner.plan.result)?;
    Some((pruned(planner.plan), output))
}

fn planned<'a, G: Graph>(
    part: &Replacement,
    package: &'a str,
    graph: &'a G,
    bindings: &'a Bindings<'_, G::Node>,
    environment: &'a Environment,
) -> Option<Planner<'a, G>> {
    let mut planner = Planner::new(Evaluation::new(graph, bindings, environment), package);
    planner.plan.result = planner.whole(part, graph.output_def(bindings.root)?)?;
    Some(planner)
}

pub(super) fn pruned<N: Copy + Eq>(mut plan: Plan<N>) -> Plan<N> {
    plan.prune();
    plan
}

/// What new ops get that no modifier changes.
#[derive(Debug, Clone)]
pub(super) struct Inherited<N> {
    pub output: OutputDef,
    /// How many outputs the next op has; the ops in its operands have one.
    pub outputs: usize,
    pub origin: N,
    pub lineage: Lineage<N>,
    /// The extents of what is split around this, as long as no modifier gives others.
    pub whole: Option<Vec<u64>>,
}

impl<N: Clone> Inherited<N> {
    /// What a slice takes is made once, and not for each slice (Replacement, `repl_macro`): ops there have all of the root's
    /// extents.
    pub fn of_sliced(&self) -> Self {
        let mut sliced = self.clone();
        if let Some(whole) = sliced.whole.take() {
            sliced.output.dims = whole;
        }
        sliced
    }
}

pub(super) struct Planner<'a, G: Graph> {
    pub evaluation: Evaluation<'a, G>,
    package: &'a str,
    pub plan: Plan<G::Node>,
    shared: Shared,
    /// Parts that were built.
    parts: usize,
    /// The innermost part that is undefined.
    pub undefined: Option<Undefined>,
}

type Built<N> = Option<Source<N>>;

impl<'a, G: Graph> Planner<'a, G> {
    pub fn new(evaluation: Evaluation<'a, G>, package: &'a str) -> Self {
        let result = Source::Existing(evaluation.bindings.root);
        let plan = Plan { nodes: Vec::new(), result };
        Planner { evaluation, package, plan, shared: Shared::default(), parts: 0, undefined: None }
    }

    /// A whole replacement: its ops have the root's output, id and split history.
    pub fn whole(&mut self, replacement: &Replacement, output: OutputDef) -> Built<G::Node> {
        let root = self.evaluation.bindings.root;
        let identity = self.evaluation.graph.identity(root);
        let lineage = Lineage { id: identity.id.map(Id::Number), history: known(&identity.history) };
        self.part(replacement, &Inherited { output, outputs: 1, origin: root, lineage, whole: None })
    }

    /// Counts a part: what is beyond the limits is undefined.
    fn begin_part(&mut self) -> Option<()> {
        self.parts += 1;
        if self.parts > MAX_PARTS { None } else { self.evaluation.environment.work.take() }
    }

    pub fn part(&mut self, part: &Replacement, inherited: &Inherited<G::Node>) -> Built<G::Node> {
        let built = self.begin_part().and_then(|()| self.built(part, inherited));
        if built.is_none() && self.undefined.is_none() {
            let reason = "this has no value for the match".to_owned();
            self.undefined = Some(Undefined { span: part.span, reason });
        }
        built
    }

    /// Notes why the part at work is undefined.
    pub fn refuse<T>(&mut self, span: Span, reason: impl FnOnce() -> String) -> Option<T> {
        self.undefined.get_or_insert_with(|| Undefined { span, reason: reason() });
        None
    }

    fn built(&mut self, part: &Replacement, inherited: &Inherited<G::Node>) -> Built<G::Node> {
        match &part.kind {
            ReplacementKind::Existing(operand) => Some(Source::Existing(self.evaluation.operand(operand)?)),
            ReplacementKind::Op(name, operands) => {
                let inputs = self.operands(operands, inherited)?;
                self.op(name, inputs, inherited)
            }
            ReplacementKind::MultiOut(outputs, output, name, operands) => {
                let (outputs, output) = (self.outputs(outputs)?, self.evaluation.integer(output)?);
                let inputs = self.operands(operands, inherited)?;
                let made = self.op(name, inputs, &Inherited { outputs, ..inherited.clone() })?;
                self.view(made, outputs as u64, u64::try_from(output).ok()?, &inherited.output)
            }
            ReplacementKind::Wrap(name, inner, always) => self.wrap(name, inner, *always, inherited),
            ReplacementKind::Constant(builder) => self.constant(builder),
            ReplacementKind::Modified(modifier, body) => {
                let changed = self.modified(modifier, inherited)?;
                self.part(body, &changed)
            }
            ReplacementKind::Select(condition, first, second) => {
                let holds = self.evaluation.evaluate(condition)? == Scalar::Bool(true);
                self.part(if holds { first } else { second }, inherited)
            }
            ReplacementKind::AutoSplit(dimension, tag, size, body) => {
                self.autosplit(dimension, tag, size, body, inherited)
            }
            ReplacementKind::Iterate(base, tag, low, high, body) => {
                self.iterate(base, tag, [low, high], body, inherited)
            }
            ReplacementKind::IterInput(operand, tag) => {
                let step = usize::try_from(self.evaluation.scope(tag)?.start).ok()?;
                let inputs = self.evaluation.graph.inputs(self.evaluation.operand(operand)?);
                inputs.get(step).copied().map(Source::Existing)
            }
            ReplacementKind::Slice(operand, start, size) => {
                let operand = self.part(operand, &inherited.of_sliced())?;
                let (start, size) = (self.part(start, inherited)?, self.part(size, inherited)?);
                self.slice(operand, start, size, part.span)
            }
            ReplacementKind::TypicalSlice(operand, tag, dimension) => {
                self.typical_slice(operand, tag, dimension.as_deref(), inherited)
            }
            ReplacementKind::ExternalReplace(function) => self.external(function, inherited),
            ReplacementKind::ShapeFunction(function, tag, operands) => {
                let dims = self.shape_function(function, tag.as_deref(), operands, inherited, part.span)?;
                self.shape(dims)
            }
        }
    }

    fn operands(&mut self, operands: &[Replacement], inherited: &Inherited<G::Node>) -> Option<Vec<Source<G::Node>>> {
        let inner = Inherited { outputs: 1, ..inherited.clone() };
        operands.iter().map(|operand| self.part(operand, &inner)).collect()
    }

    fn op(&mut self, name: &OpName, inputs: Vec<Source<G::Node>>, inherited: &Inherited<G::Node>) -> Built<G::Node> {
        if let (OUT_OP, [of, which]) = (name.text.as_str(), &inputs[..]) {
            let [0, 0, outputs, output] = self.output_of(*which)?.dims[..] else { return None };
            return self.view(*of, outputs, output, &inherited.output);
        }
        self.make(&name.qualified(self.package), inputs, inherited)
    }

    /// A new op, its name given with package.
    pub fn make(&mut self, name: &str, inputs: Vec<Source<G::Node>>, inherited: &Inherited<G::Node>) -> Built<G::Node> {
        let Inherited { output, outputs, origin, lineage, .. } = inherited.clone();
        let op = self.evaluation.graph.op_called(name);
        let outputs = vec![output; outputs];
        let node = self.plan.add(PlanNode { op, inputs, outputs, elements: None, origin, lineage });
        Some(Source::New(node, 0))
    }

    /// One output of an op that has so many; where the op is new, this says what that output is.
    fn view(&mut self, of: Source<G::Node>, outputs: u64, output: u64, def: &OutputDef) -> Built<G::Node> {
        let (outputs, output) = (usize::try_from(outputs).ok()?, usize::try_from(output).ok()?);
        match of {
            Source::Existing(node) => {
                let all = self.evaluation.graph.outputs(node);
                all.get(output).copied().filter(|_| all.len() == outputs).map(Source::Existing)
            }
            Source::New(node, _) => {
                let all = &mut self.plan.nodes.get_mut(node)?.outputs;
                let fits = all.len() == outputs;
                *all.get_mut(output).filter(|_| fits)? = def.clone();
                Some(Source::New(node, output))
            }
        }
    }

    /// The wrapping op has the output of what it wraps; `WrapOp` around an op of its own name adds none.
    fn wrap(
        &mut self,
        name: &OpName,
        inner: &Replacement,
        always: bool,
        inherited: &Inherited<G::Node>,
    ) -> Built<G::Node> {
        let inner = self.part(inner, inherited)?;
        let qualified = name.qualified(self.package);
        if !always && self.op_of(inner) == Some(self.evaluation.graph.op_called(&qualified)) {
            return Some(inner);
        }
        let output = self.output_of(inner)?;
        self.make(&qualified, vec![inner], &Inherited { output, outputs: 1, ..inherited.clone() })
    }

    /// The op that gives something, as the graph calls it.
    pub fn op_of(&self, source: Source<G::Node>) -> Option<String> {
        match source {
            Source::Existing(node) => self.evaluation.graph.op_name(node),
            Source::New(node, _) => Some(self.plan.nodes.get(node)?.op.clone()),
        }
    }

    pub fn output_of(&self, source: Source<G::Node>) -> Option<OutputDef> {
        match source {
            Source::Existing(node) => self.evaluation.graph.output_def(node),
            Source::New(node, output) => self.plan.nodes.get(node)?.outputs.get(output).cloned(),
        }
    }

    fn modified(&mut self, modifier: &Modifier, outer: &Inherited<G::Node>) -> Option<Inherited<G::Node>> {
        let mut changed = outer.clone();
        let output = &mut changed.output;
        let def = |operand: &OperandRef| self.evaluation.graph.output_def(self.evaluation.operand(operand)?);
        match modifier {
            // The first operand is built with the outer definition.
            Modifier::Size(shape) => {
                let shape = self.part(shape, outer)?;
                output.dims = self.output_of(shape)?.dims;
                changed.whole = None;
            }
            Modifier::Type(operand) => output.encoding = def(operand)?.encoding,
            Modifier::SameOutput(operand) => {
                *output = def(operand)?;
                changed.whole = None;
            }
            Modifier::OutputType(dtype, zero_offset, step_size) => {
                let evaluate = |expr| self.evaluation.evaluate(expr);
                if let (Scalar::DType(dtype), Scalar::Int(zero_offset), Scalar::Float(step_size)) =
                    (evaluate(dtype)?, evaluate(zero_offset)?, evaluate(step_size)?)
                {
                    output.encoding = Encoding::new(dtype, zero_offset, step_size);
                }
            }
            Modifier::ResizeDim(dimension, extent) => {
                let dimension = usize::try_from(self.evaluation.integer(dimension)?).ok()?;
                *output.dims.get_mut(dimension)? = u64::try_from(self.evaluation.integer(extent)?).ok()?;
                changed.whole = None;
            }
            Modifier::SameId(operand) => {
                let operand = self.evaluation.operand(operand)?;
                changed.origin = operand;
                changed.lineage.id = self.id_of(operand);
            }
            Modifier::MultiOut(outputs) => changed.outputs = self.outputs(outputs)?,
            Modifier::SplitHistory(operand, size) => {
                let operand = self.evaluation.operand(operand)?;
                changed.lineage.history = known(&self.evaluation.graph.identity(operand).history);
                if let Some(size) = size {
                    let dimension = self.evaluation.scopes.last().map_or(-1, |scope| scope.dimension as i64);
                    let original = self.id_of(operand).unwrap_or(Id::Number(0));
                    let size = self.evaluation.integer(size)?;
                    changed.lineage.history.push(SplitRecord { dimension, original, size });
                }
            }
        }
        Some(changed)
    }

    /// The id of a node; inputs of a graph have none.
    fn id_of(&self, node: G::Node) -> Option<Id<G::Node>> {
        self.evaluation.graph.op_name(node).map(|_| Id::Of(node))
    }

    fn outputs(&self, count: &Expr) -> Option<usize> {
        let count = self.evaluation.integer(count).filter(|count| (1..=MAX_OUTPUTS).contains(count))?;
        usize::try_from(count).ok()
    }

    fn constant(&mut self, builder: &ConstantBuilder) -> Built<G::Node> {
        let elements = match builder {
            ConstantBuilder::Shape(extents) => {
                let extent = |expr| u64::try_from(self.evaluation.integer(expr)?).ok();
                let dims = extents.iter().map(extent).collect::<Option<_>>()?;
                return self.shape(dims);
            }
            ConstantBuilder::ShapeOf(operand) => {
                let dims = self.evaluation.graph.output_def(self.evaluation.operand(operand)?)?.dims;
                return self.shape(dims);
            }
            ConstantBuilder::ScalarFloat(value) => Elements::Reals(vec![self.real(value)?]),
            ConstantBuilder::ScalarInt(value) => Elements::Ints(vec![self.int(value)?]),
            ConstantBuilder::FilledFloat(value, count) => Elements::Reals(vec![self.real(value)?; self.count(count)?]),
            ConstantBuilder::FilledInt(value, count) => Elements::Ints(vec![self.int(value)?; self.count(count)?]),
            ConstantBuilder::Ints(values) => {
                Elements::Ints(values.iter().map(|value| self.int(value)).collect::<Option<_>>()?)
            }
        };
        self.array(elements)
    }

    /// A constant of shape `[1, 1, 1, n]`.
    pub fn array(&mut self, elements: Elements) -> Built<G::Node> {
        let output = array_output(&elements);
        self.shared(CONST_OP, Vec::new(), output, Some(elements))
    }

    /// A `$Shape`.
    pub fn shape(&mut self, dims: Vec<u64>) -> Built<G::Node> {
        self.shared(SHAPE_OP, Vec::new(), shape_output(dims), None)
    }

    /// What the framework makes, once for all users.
    pub fn shared(
        &mut self,
        name: &str,
        inputs: Vec<Source<G::Node>>,
        output: OutputDef,
        elements: Option<Elements>,
    ) -> Built<G::Node> {
        let (op, origin) = (self.evaluation.graph.op_called(name), self.evaluation.bindings.root);
        let node = PlanNode { op, inputs, outputs: vec![output], elements, origin, lineage: Lineage::none() };
        Some(Source::New(self.plan.share(node, &mut self.shared), 0))
    }

    fn real(&self, expr: &Expr) -> Option<f64> {
        match self.evaluation.evaluate(expr)?.convert(Type::Float)? {
            Scalar::Float(value) => Some(f64::from(value)),
            _ => None,
        }
    }

    fn int(&self, expr: &Expr) -> Option<i64> {
        match self.evaluation.evaluate(expr)?.convert(Type::Int)? {
            Scalar::Int(value) => Some(i64::from(value)),
            _ => None,
        }
    }

    fn count(&self, expr: &Expr) -> Option<usize> {
        let count = self.evaluation.integer(expr).filter(|count| (1..=MAX_ELEMENTS).contains(count))?;
        usize::try_from(count).ok()
    }

    /// What an external function makes of the root.
    fn external(&mut self, function: &str, inherited: &Inherited<G::Node>) -> Built<G::Node> {
        let (graph, root) = (self.evaluation.graph, self.evaluation.bindings.root);
        let inputs = graph.inputs(root);
        let argument = |node: &G::Node| Some(Argument::Node(graph.output_def(*node)?, graph.constant(*node)));
        let arguments = inputs.iter().map(argument).collect::<Option<_>>()?;
        let subject = Subject { op: graph.qualified_op(root)?, output: graph.output_def(root)?, inputs: arguments };
        let made = self.evaluation.environment.functions.replacement(function, &subject)?;
        let mut nodes = Vec::with_capacity(made.nodes.len());
        let source = |nodes: &[Source<G::Node>], source: &NewSource| match source {
            NewSource::Input(index) => inputs.get(*index).copied().map(Source::Existing),
            NewSource::Node(index) => nodes.get(*index).copied(),
        };
        for NewNode { op, inputs, output, elements } in made.nodes {
            self.begin_part()?;
            let inputs = inputs.iter().map(|input| source(&nodes, input)).collect::<Option<_>>()?;
            let name = qualified(&op, self.package);
            nodes.push(match elements {
                Some(_) => self.shared(&name, inputs, output, elements)?,
                None => self.make(&name, inputs, &Inherited { output, ..inherited.clone() })?,
            });
        }
        source(&nodes, &made.result)
    }
}

/// Records that are in the graph.
fn known<N>(history: &[SplitRecord<i64>]) -> Vec<SplitRecord<Id<N>>> {
    let known = |record: &SplitRecord<i64>| SplitRecord {
        dimension: record.dimension,
        original: Id::Number(record.original),
        size: record.size,
    };
    history.iter().map(known).collect()
}
