//! Loops of the language.

use super::Outcome;
use super::extents::Local;
use crate::element::ElementType;
use crate::extent::Extent;
use crate::proto::GraphProto;
use crate::translate::{Given, Translator, used_by};
use crate::value::{Tensor, Value};
use skriptnd_syntax::build::{
    self, Block, Carried, Computation, Condition, Element, Expression, Loop, Port, Statement, Target,
};

/// Where nothing says how many iterations there are at most, what they collect has room for so many; a run that has more
/// says so.
const MOST_ITERATIONS: i64 = 1024;

/// How often something is repeated.
#[derive(Debug, Clone)]
pub(super) enum Count {
    /// A number, which may depend on extents.
    Extent(Extent),
    /// What data tell.
    Data(Expression),
}

impl Count {
    fn expression(&self) -> Expression {
        match self {
            Count::Extent(extent) => extent.expression(),
            Count::Data(text) => text.clone(),
        }
    }
}

/// What iterations take an item each of.
#[derive(Debug, Clone)]
pub(super) struct Scanned {
    pub(super) tensor: Tensor,
    pub(super) axis: usize,
    pub(super) is_reversed: bool,
}

/// A graph that is repeated.
#[derive(Debug)]
pub(super) struct Repetition<'m> {
    pub(super) graph: &'m GraphProto,
    /// What the model calls its results.
    pub(super) outputs: &'m [String],
    pub(super) count: Option<Count>,
    /// How many iterations there are at most, where that is known.
    pub(super) bound: Option<i64>,
    /// What must hold for the first iteration, where only a run knows it.
    pub(super) condition: Option<Tensor>,
    /// First values.
    pub(super) carried: Vec<Value>,
    pub(super) scanned: Vec<Scanned>,
    /// Whether the graph takes an index and a condition, and gives a condition.
    pub(super) is_loop: bool,
}

impl<'m> Repetition<'m> {
    /// What the model calls a result.
    fn output(&self, at: usize) -> &'m str {
        self.outputs.get(at).map_or("", String::as_str)
    }

    /// How many results are collected from all iterations.
    pub(super) fn collected(&self) -> usize {
        (self.graph.output.len() - usize::from(self.is_loop)).saturating_sub(self.carried.len())
    }

    /// The condition for another iteration, and the other results.
    pub(super) fn parted(&self, mut results: Vec<Value>) -> (Option<Tensor>, Vec<Value>) {
        if !self.is_loop {
            return (None, results);
        }
        match results.remove(0) {
            Value::Tensor(going) => (Some(going), results),
            _ => (None, results),
        }
    }
}

/// The tensors that a loop carries, as its body sees them.
#[derive(Debug, Clone)]
struct State {
    tensors: Vec<Tensor>,
    /// Names, and which extents only data tell, with their bounds.
    ports: Vec<(String, Vec<Option<i64>>)>,
}

/// A translated body.
struct Body {
    going: Option<Tensor>,
    results: Vec<Tensor>,
    operands: Vec<Expression>,
    statements: Vec<Statement>,
}

impl<'m> Translator<'m> {
    /// The loop, and whether what it carries keeps its extents; where it does not and `only_steady`, there is none.
    pub(super) fn looped(
        &mut self,
        repetition: &Repetition<'m>,
        only_steady: bool,
        given: &Given<'m>,
    ) -> ((Outcome, Vec<Statement>), bool) {
        let mut is_steady = true;
        let made = self.in_block(|t| {
            let mut state = t.first_state(repetition);
            let index = t.names.fresh("index");
            loop {
                let body = t.loop_body(repetition, &state, &index, given)?;
                let local = Local::of(body.statements.iter()).and(state.ports.iter().map(|(name, _)| name.clone()));
                if !t.grown(repetition, &mut state, &body, &local)? {
                    return t.emit(repetition, state, index, body, &local);
                }
                is_steady = false;
                if only_steady {
                    return Err(None);
                }
            }
        });
        (made, is_steady)
    }

    fn first_state(&mut self, repetition: &Repetition<'m>) -> State {
        let mut state = State { tensors: Vec::new(), ports: Vec::new() };
        let first = usize::from(repetition.is_loop) * 2;
        let names = repetition.graph.input.iter().skip(first).map(|info| info.name.as_str());
        for (tensor, like) in super::tensors_of(&repetition.carried).zip(names) {
            let name = self.names.fresh(like);
            state.tensors.push(Tensor::computed(tensor.element, tensor.shape.clone(), Expression::Name(name.clone())));
            state.ports.push((name, vec![None; tensor.rank()]));
        }
        state
    }

    fn loop_body(
        &mut self,
        repetition: &Repetition<'m>,
        state: &State,
        index: &str,
        given: &Given<'m>,
    ) -> Result<Body, Option<String>> {
        let (made, statements) = self.in_block(|t| -> Result<_, Option<String>> {
            let index = Tensor::computed(ElementType::Int64, Vec::new(), Expression::name(index));
            let carried: Vec<Value> = state.tensors.iter().cloned().map(Value::Tensor).collect();
            let results = t.iteration(repetition, &index, &carried, given)?;
            let (going, results) = repetition.parted(results);
            let going = match going.filter(|going| going.bools().is_none_or(|going| going != [true])) {
                Some(going) => Some(t.reshaped(&going, Vec::new())?),
                None => None,
            };
            let results: Vec<Tensor> = super::tensors_of(&results).cloned().collect();
            let operands = going.iter().chain(&results).map(|tensor| t.operand(tensor)).collect();
            Ok((going, results, operands))
        });
        let (going, results, operands): (_, Vec<Tensor>, Vec<Expression>) = made?;
        if results.len() < state.tensors.len() {
            return Err(Some("its body gives sequences where tensors are carried".into()));
        }
        let statements = used_by(statements, &operands);
        Ok(Body { going, results, operands, statements })
    }

    /// Whether extents of what is carried change from iteration to iteration; they are open from then on.
    fn grown(
        &mut self,
        repetition: &Repetition<'m>,
        state: &mut State,
        body: &Body,
        local: &Local,
    ) -> Result<bool, String> {
        let trips = repetition.bound.unwrap_or(MOST_ITERATIONS);
        let mut has_grown = false;
        for ((now, (name, open)), next) in state.tensors.iter_mut().zip(&mut state.ports).zip(&body.results) {
            if now.rank() != next.rank() || now.element.language() != next.element.language() {
                return Err(format!(
                    "what it carries as `{name}` has {} dimensions and gets {}, or elements of another type",
                    now.rank(),
                    next.rank()
                ));
            }
            for (dimension, open) in open.iter_mut().enumerate() {
                let (from, to) = (&now.shape[dimension], &next.shape[dimension]);
                if from == to && !local.is_in(to) || open.is_some() {
                    continue;
                }
                *open = Some(self.most(from, to, trips).ok_or_else(|| {
                    format!("dimension {dimension} of what it carries as `{name}` grows, and nothing says how far")
                })?);
                now.shape[dimension] = self.found_extent(name, dimension, *open);
                has_grown = true;
            }
        }
        Ok(has_grown)
    }

    /// What an extent is at most that so many iterations change.
    fn most(&self, from: &Extent, to: &Extent, trips: i64) -> Option<i64> {
        let steps = self.greatest(&to.sub(from)).and_then(|step| step.max(0).checked_mul(trips));
        let most = self.greatest(from).zip(steps).and_then(|(first, steps)| first.checked_add(steps));
        most.or_else(|| self.greatest(to))
    }

    fn emit(&mut self, repetition: &Repetition<'m>, state: State, index: String, body: Body, local: &Local) -> Outcome {
        let mut carried = self.carried(repetition, &state);
        let mut targets = Vec::new();
        let mut results = body.operands;
        let mut condition = None;
        if body.going.is_some() || repetition.condition.is_some() {
            let going = self.condition(repetition)?;
            condition = Some(Condition::Expression(Expression::name(&going.port.name)));
            carried.insert(0, going);
            targets.push(Target::Ignored);
            if body.going.is_none() {
                results.insert(0, Expression::Bool(true));
            }
        } else if repetition.count.is_none() {
            return Err(Some("it has neither a number of iterations nor a condition that ends it".into()));
        }
        let states: Vec<Tensor> = self.last_values(repetition, &state, &mut targets);
        let packs = self.packs(repetition, condition.is_some(), &body.results[states.len()..], &mut targets);
        let count = repetition.count.as_ref().map(Count::expression);
        let body = Block { statements: body.statements, results };
        let value = Loop { carried, items: Vec::new(), condition, test_last: false, count, index: Some(index), body };
        self.push(Statement::new(targets, Computation::Loop(value)));
        let stacked: Vec<Tensor> = packs.into_iter().map(|pack| self.stacked_pack(pack, local)).collect();
        Ok(states.into_iter().chain(stacked).map(Value::Tensor).collect())
    }

    /// The condition as something carried, with its first value.
    fn condition(&mut self, repetition: &Repetition<'m>) -> Result<Carried, String> {
        let first = match &repetition.condition {
            Some(condition) => {
                let scalar = self.reshaped(condition, Vec::new())?;
                self.operand(&scalar)
            }
            None => Expression::Bool(true),
        };
        let port = Port { name: self.names.fresh("going"), element: Element::Bool, extents: Vec::new() };
        Ok(Carried { port, first, is_typed: true })
    }

    fn carried(&mut self, repetition: &Repetition<'m>, state: &State) -> Vec<Carried> {
        let mut all = Vec::new();
        for ((first, (name, open)), now) in super::tensors_of(&repetition.carried).zip(&state.ports).zip(&state.tensors)
        {
            let extent = |(extent, open): (&Extent, &Option<i64>)| match open {
                Some(bound) => build::Extent::Found(Expression::Int(*bound)),
                None => build::Extent::Known(extent.expression(), None),
            };
            let extents = now.shape.iter().zip(open).map(extent).collect();
            let element = now.element.language().unwrap_or(Element::Real);
            let port = Port { name: name.clone(), element, extents };
            all.push(Carried { port, first: self.operand(first), is_typed: true });
        }
        all
    }

    /// What is carried, behind the loop.
    fn last_values(&mut self, repetition: &Repetition<'m>, state: &State, targets: &mut Vec<Target>) -> Vec<Tensor> {
        let mut last = Vec::new();
        for (at, (now, (_, open))) in state.tensors.iter().zip(&state.ports).enumerate() {
            let name = self.names.fresh(repetition.output(at));
            targets.push(Target::Name(name.clone()));
            let mut shape = now.shape.clone();
            for (dimension, bound) in open.iter().enumerate().filter(|(_, bound)| bound.is_some()) {
                shape[dimension] = self.found_extent(&name, dimension, *bound);
            }
            last.push(Tensor::computed(now.element, shape, Expression::Name(name)));
        }
        last
    }

    /// The packs of what iterations give: how many items, where that is known, else how many at most.
    fn packs(
        &mut self,
        repetition: &Repetition<'m>,
        may_end: bool,
        items: &[Tensor],
        targets: &mut Vec<Target>,
    ) -> Vec<Pack> {
        let exact = match &repetition.count {
            Some(Count::Extent(extent)) if !may_end => Some(extent.clone()),
            _ => None,
        };
        let bound = repetition.bound.unwrap_or(MOST_ITERATIONS);
        let length = exact.as_ref().map_or(Expression::Int(bound), Extent::expression);
        let mut packs = Vec::new();
        for (at, item) in items.iter().enumerate() {
            let name = self.names.fresh("items");
            let like = repetition.output(repetition.carried.len() + at).to_owned();
            targets.push(Target::Items(name.clone(), length.clone()));
            packs.push(Pack { name, like, item: item.clone(), exact: exact.clone(), bound });
        }
        packs
    }

    fn stacked_pack(&mut self, pack: Pack, local: &Local) -> Tensor {
        let name = self.names.fresh(&pack.like);
        let first = pack.exact.unwrap_or_else(|| self.found_extent(&name, 0, Some(pack.bound)));
        let mut shape = vec![first];
        for (at, extent) in pack.item.shape.iter().enumerate() {
            let bound = self.greatest(extent);
            shape.push(if local.is_in(extent) { self.found_extent(&name, at + 1, bound) } else { extent.clone() });
        }
        let call = self.call("layout.stack").int("axis", 0).on_expression(Expression::Name(pack.name));
        call.gives_as(&name, pack.item.element, shape)
    }
}

/// What iterations give, one after the other.
struct Pack {
    name: String,
    /// What the model calls them all.
    like: String,
    item: Tensor,
    exact: Option<Extent>,
    bound: i64,
}
