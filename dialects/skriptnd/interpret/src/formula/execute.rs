//! Runs programs, row by row.

use super::compile::operands;
use super::elements::{Addresses, Update, inside};
use super::fault::FormulaFault;
use super::nodes::{NodeId, PerNode};
use super::program::{Access, Bounds, Check, Node, NodeKind, Program};
use super::rows::{self, Row, lane};
use super::storage::{Buffer, Storage};
use crate::limits::Clock;
use skriptnd_language::compose::formula::{LinearForm, TensorRef};
use skriptnd_runtime::TensorData;
use std::collections::BTreeSet;

/// Lanes that are processed together.
const ROW_LENGTH: i64 = 1024;

/// How often the clock is looked at.
const ROWS_BETWEEN_LOOKS: u32 = 256;

/// Executes one assignment.
pub(super) fn execute(program: &Program, storage: &mut Storage, clock: &Clock) -> Result<(), FormulaFault> {
    if program.extents.iter().any(|&extent| extent <= 0) {
        return Ok(());
    }
    if let Some(contraction) = &program.contraction {
        return contraction.run(storage, clock);
    }
    let mut executor = Executor {
        program,
        storage,
        position: vec![0; program.extents.len()],
        guards: guards(program),
        depths: program.nodes.map(|node| depth(node, program)),
        rows: program.nodes.map(|node| Row::new(node.dtype)),
        addresses: Vec::new(),
        events: Events::default(),
        rows_run: 0,
    };
    executor.run(clock)
}

/// When a node must be evaluated anew: 0 never, `n + 1` when the n-th loop of the order or one outside it advances.
fn depth(node: &Node, program: &Program) -> usize {
    let order = &program.schedule.order;
    let in_lanes = program.schedule.lane.is_some_and(|number| node.loops.contains(number));
    if node.volatile || in_lanes {
        return usize::MAX;
    }
    order.iter().rposition(|&number| node.loops.contains(number)).map_or(0, |at| at + 1)
}

/// The affine `|i|` that hold for the whole assignment.
fn guards(program: &Program) -> Vec<&Check> {
    let always = program.nodes.iter().filter(|node| node.mask.is_none());
    let loads = always.filter_map(|node| if let NodeKind::Load(load) = &node.kind { Some(load) } else { None });
    loads.chain(&program.targets).flat_map(|access| &access.checks).filter(|check| check.bounds.skip).collect()
}

/// What happens in single lanes of a row.
#[derive(Default)]
struct Events {
    /// Lanes whose iteration a guard skips, if there are any.
    skipped: Vec<bool>,
    /// Lane, failing node's number, fault.
    faults: Vec<(usize, NodeId, FormulaFault)>,
    /// Nodes that have no value in a lane.
    absent: BTreeSet<(NodeId, usize)>,
}

impl Events {
    fn skip(&mut self, lane: usize, lanes: usize) {
        self.skipped.resize(lanes, false);
        self.skipped[lane] = true;
    }

    fn fail(&mut self, lane: usize, node: NodeId, fault: FormulaFault) {
        self.faults.push((lane, node, fault));
        self.absent.insert((node, lane));
    }

    fn is_absent(&self, node: NodeId, lane: usize) -> bool {
        self.absent.contains(&(node, lane))
    }

    fn is_skipped(&self, lane: usize) -> bool {
        self.skipped.get(lane).copied().unwrap_or(false)
    }

    fn clear(&mut self) {
        self.skipped.clear();
        self.faults.clear();
        self.absent.clear();
    }
}

struct Executor<'a, 'b> {
    program: &'a Program,
    storage: &'a mut Storage<'b>,
    /// The value of every index; the lane loop's is that of the row's first lane.
    position: Vec<i64>,
    guards: Vec<&'a Check>,
    depths: PerNode<usize>,
    rows: PerNode<Row>,
    /// One list per target: an address per lane.
    addresses: Vec<Addresses>,
    events: Events,
    rows_run: u32,
}

impl Executor<'_, '_> {
    fn run(&mut self, clock: &Clock) -> Result<(), FormulaFault> {
        let order = &self.program.schedule.order;
        // Nodes at this depth and deeper have to be evaluated anew.
        let mut stale = 0;
        loop {
            stale = self.lanes(stale, clock)?;
            let Some(advanced) = self.advance(order) else { return Ok(()) };
            stale = stale.min(advanced + 1);
        }
    }

    /// Moves on to the next iteration of the outer loops; says which of them is the outermost that changed.
    fn advance(&mut self, order: &[usize]) -> Option<usize> {
        for at in (0..order.len()).rev() {
            let number = order[at];
            self.position[number] += 1;
            if self.position[number] < self.program.extents[number] {
                return Some(at);
            }
            self.position[number] = 0;
        }
        None
    }

    /// Runs all iterations of the lane loop. Returns the depth from which on nodes stay to be evaluated.
    fn lanes(&mut self, mut stale: usize, clock: &Clock) -> Result<usize, FormulaFault> {
        let lane_loop = self.program.schedule.lane;
        let extent = lane_loop.map_or(1, |number| self.program.extents[number]);
        let mut start = 0;
        while start < extent {
            let end = (start + ROW_LENGTH).min(extent);
            let (low, high) = self.unguarded(start, end);
            if low < high {
                if let Some(number) = lane_loop {
                    self.position[number] = low;
                }
                self.row((high - low) as usize, stale)?;
                stale = usize::MAX;
            }
            start = end;
            self.rows_run = self.rows_run.wrapping_add(1);
            if self.rows_run % ROWS_BETWEEN_LOOKS == 0 && clock.has_run_out() {
                return Err(FormulaFault::Timeout);
            }
        }
        if let Some(number) = lane_loop {
            self.position[number] = 0;
        }
        Ok(stale)
    }

    /// The lanes from `start` to `end` in which no affine `|i|` skips the iteration.
    fn unguarded(&mut self, start: i64, end: i64) -> (i64, i64) {
        let number = self.program.schedule.lane;
        if let Some(number) = number {
            self.position[number] = 0;
        }
        let (mut low, mut high) = (start, end);
        for check in &self.guards {
            let coefficient = number.map_or(0, |number| check.form.coefficient(number));
            let first = check.form.at(&self.position);
            let (from, to) = inside(first, coefficient, check.bounds.extent);
            (low, high) = (low.max(from), high.min(to));
        }
        (low, high)
    }

    fn row(&mut self, lanes: usize, stale: usize) -> Result<(), FormulaFault> {
        self.events.clear();
        for node in self.program.nodes.ids() {
            if self.depths[node] >= stale {
                self.evaluate(node, lanes);
            }
        }
        self.addresses.clear();
        for target in &self.program.targets {
            let addresses = self.addresses_of(target, None, self.program.nodes.next(), lanes);
            self.addresses.push(addresses);
        }
        self.check_faults()?;
        self.store(lanes);
        Ok(())
    }

    fn evaluate(&mut self, id: NodeId, lanes: usize) {
        let node = &self.program.nodes[id];
        let mut out = std::mem::replace(&mut self.rows[id], Row::Bool(Vec::new()));
        let rows = &self.rows;
        match &node.kind {
            NodeKind::Real(value) => fill(&mut out, Constant::Real(*value)),
            NodeKind::Int(value) => fill(&mut out, Constant::Int(*value)),
            NodeKind::Bool(value) => fill(&mut out, Constant::Bool(*value)),
            NodeKind::Affine(form) => {
                let step = self.program.schedule.lane.map_or(0, |number| form.coefficient(number));
                let first = form.at(&self.position);
                if let Row::Int(out) = &mut out {
                    out.clear();
                    out.extend((0..if step == 0 { 1 } else { lanes as i64 }).map(|at| first + at * step));
                }
            }
            NodeKind::Load(access) => {
                let addresses = self.addresses_of(access, node.mask, id, lanes);
                self.load(access.tensor, &addresses, lanes, &mut out);
            }
            NodeKind::Unary(op, a) => rows::unary(*op, &rows[*a], &mut out),
            NodeKind::Binary(op, a, b) => {
                let mask = node.mask.map(|mask| rows[mask].as_bool());
                let events = &mut self.events;
                let for_all = rows[*a].len() == 1 && rows[*b].len() == 1;
                rows::binary(*op, &rows[*a], &rows[*b], &mut out, |at, left, right| {
                    let affected = if for_all { 0..lanes } else { at..at + 1 };
                    let affected = affected.filter(|&at| mask.is_none_or(|mask| lane(mask, at)));
                    affected.for_each(|at| events.fail(at, id, FormulaFault::Undefined { op: *op, left, right }));
                });
            }
            NodeKind::Select(c, a, b) => rows::select(&rows[*c], &rows[*a], &rows[*b], &mut out),
            NodeKind::Cast(a) => rows::cast(&rows[*a], &mut out),
            NodeKind::Builtin(function, a) => rows::builtin(*function, &rows[*a], &mut out),
            NodeKind::Mask(outer, condition, value) => {
                rows::mask(outer.map(|outer| &rows[outer]), &rows[*condition], *value, &mut out);
            }
        }
        if !self.events.absent.is_empty() {
            self.pass_on_absence(id, lanes, &mut out);
        }
        self.rows[id] = out;
    }

    /// What uses a value that is absent in a lane has none there either; a choice that is not decided takes no branch.
    fn pass_on_absence(&mut self, id: NodeId, lanes: usize, out: &mut Row) {
        let events = &self.events;
        let kind = &self.program.nodes[id].kind;
        let uses_absent = |at: &usize| match kind {
            NodeKind::Select(c, a, b) => {
                let chosen = || if lane(self.rows[*c].as_bool(), *at) { *a } else { *b };
                events.is_absent(*c, *at) || events.is_absent(chosen(), *at)
            }
            kind => operands(kind).into_iter().any(|operand| events.is_absent(operand, *at)),
        };
        let absent: Vec<usize> = (0..lanes).filter(uses_absent).collect();
        if let (NodeKind::Mask(..), Row::Bool(mask), false) = (kind, &mut *out, absent.is_empty()) {
            if mask.len() == 1 {
                mask.resize(lanes, mask[0]);
            }
            absent.iter().for_each(|&at| mask[at] = false);
        }
        self.events.absent.extend(absent.into_iter().map(|at| (id, at)));
    }

    /// The addresses that an access has in the lanes of this row; skips and faults are noted.
    fn addresses_of(&mut self, access: &Access, mask: Option<NodeId>, id: NodeId, lanes: usize) -> Addresses {
        let number = self.program.schedule.lane;
        let step = |form: &LinearForm| number.map_or(0, |number| form.coefficient(number));
        let (first, stride) = (access.offset.at(&self.position), step(&access.offset));
        // Without a mask, the row has been narrowed to the lanes that affine `|i|` leave.
        let narrowed = |bounds: &Bounds| mask.is_none() && bounds.skip;
        let checks: Vec<_> = access.checks.iter().filter(|check| !narrowed(&check.bounds)).collect();
        if checks.is_empty() && access.computed.is_empty() {
            return Addresses::Affine { first, stride };
        }
        let mask = mask.map(|mask| self.rows[mask].as_bool());
        let mut list = Vec::with_capacity(lanes);
        for at in 0..lanes {
            if mask.is_some_and(|mask| !lane(mask, at)) {
                list.push(None);
                continue;
            }
            let affine = checks
                .iter()
                .map(|check| (check.form.at(&self.position) + at as i64 * step(&check.form), 0, &check.bounds, None));
            let computed = access
                .computed
                .iter()
                .map(|index| (lane(self.rows[index.node].as_int(), at), index.stride, &index.bounds, Some(index.node)));
            let mut address = Some(first + at as i64 * stride);
            for (index, stride, bounds, node) in affine.chain(computed) {
                let is_absent = node.is_some_and(|node| self.events.is_absent(node, at));
                let inside = !is_absent && (0..bounds.extent).contains(&index);
                address = address.filter(|_| inside).map(|address| address + index * stride);
                if inside || is_absent {
                    continue;
                }
                if bounds.skip {
                    self.events.skip(at, lanes);
                } else {
                    self.events.fail(at, id, bounds.fault(access.tensor, index));
                }
            }
            list.push(address);
        }
        Addresses::List(list)
    }

    fn load(&self, tensor: TensorRef, addresses: &Addresses, lanes: usize, out: &mut Row) {
        let tensor = match tensor {
            TensorRef::Input(number) => Source::Tensor(&self.storage.inputs[number].data),
            TensorRef::Constant(number) => Source::Tensor(&self.storage.constants[number].data),
            TensorRef::Output(number) => Source::Buffer(&self.storage.outputs[number]),
        };
        match (tensor, out) {
            (Source::Tensor(TensorData::F32(items)) | Source::Buffer(Buffer::Real(items)), Row::Real(out)) => {
                addresses.gather(items, lanes, out, |item| item);
            }
            (Source::Tensor(TensorData::I64(items)) | Source::Buffer(Buffer::Int(items)), Row::Int(out)) => {
                addresses.gather(items, lanes, out, |item| item);
            }
            (Source::Tensor(TensorData::Bool(items)) | Source::Buffer(Buffer::Bool(items)), Row::Bool(out)) => {
                addresses.gather(items, lanes, out, |item| item);
            }
            (Source::Buffer(Buffer::Wide(items)), Row::Real(out)) => {
                addresses.gather(items, lanes, out, |item| item as f32);
            }
            _ => debug_assert!(false, "an operand has not the type that the formula was made for"),
        }
    }

    /// A fault counts if the iteration is not skipped and the condition holds; one of the condition itself, always.
    fn check_faults(&mut self) -> Result<(), FormulaFault> {
        if self.events.faults.is_empty() {
            return Ok(());
        }
        let condition = self.program.condition.map(|node| self.rows[node].as_bool());
        let counts = |&(at, node, _): &(usize, NodeId, FormulaFault)| {
            let in_condition = self.program.condition_nodes.contains(&node);
            let undecided = self.program.condition.is_some_and(|condition| self.events.is_absent(condition, at));
            let holds = undecided || condition.is_none_or(|condition| lane(condition, at));
            !self.events.is_skipped(at) && (in_condition || holds)
        };
        // Of several, that of the first iteration; in one iteration, the first that was met.
        let counting = self.events.faults.iter().filter(|fault| counts(fault));
        match counting.min_by_key(|(at, ..)| *at) {
            Some((.., fault)) => Err(fault.clone()),
            None => Ok(()),
        }
    }

    fn store(&mut self, lanes: usize) {
        let condition = self.program.condition.map(|node| self.rows[node].as_bool());
        let events = &self.events;
        let live = |at: usize| !events.is_skipped(at) && condition.is_none_or(|condition| lane(condition, at));
        let all_live = condition.is_none() && events.skipped.is_empty();
        for ((target, value), addresses) in self.program.targets.iter().zip(&self.program.values).zip(&self.addresses) {
            let TensorRef::Output(number) = target.tensor else { continue };
            let update = Update { addresses, lanes, all_live, live: &live };
            match (&mut self.storage.outputs[number], &self.rows[*value]) {
                (Buffer::Real(items), Row::Real(values)) => update.reals(self.program.op, items, values),
                (Buffer::Wide(items), Row::Real(values)) => update.wide(self.program.op, items, values),
                (Buffer::Int(items), Row::Int(values)) => update.ints(self.program.op, items, values),
                (Buffer::Bool(items), Row::Bool(values)) => update.bools(self.program.op, items, values),
                _ => debug_assert!(false, "a value has not the type of its target"),
            }
        }
    }
}

enum Constant {
    Real(f32),
    Int(i64),
    Bool(bool),
}

fn fill(out: &mut Row, value: Constant) {
    *out = match value {
        Constant::Real(value) => Row::Real(vec![value]),
        Constant::Int(value) => Row::Int(vec![value]),
        Constant::Bool(value) => Row::Bool(vec![value]),
    };
}

enum Source<'a> {
    Tensor(&'a TensorData),
    Buffer(&'a Buffer),
}
