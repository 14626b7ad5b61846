//! Sums of products: `y[..] += a[..] * b[..]` on reals with affine indices, which is where a network's time goes. They are
//! computed two loops at a time, without rows of intermediate values. Products are rounded to float32 and sums are kept
//! with 64 bits, as everywhere.

use super::elements::inside;
use super::fault::FormulaFault;
use super::nodes::NodeId;
use super::products::{Run, Source, accumulate};
use super::program::{Access, Address, Contraction, NodeKind, Program};
use super::storage::{Buffer, Storage};
use crate::limits::Clock;
use skriptnd_language::compose::formula::{LinearForm, TensorRef};
use skriptnd_language::compose::value::ScalarType;
use skriptnd_runtime::TensorData;
use skriptnd_syntax::ast::{AssignOp, BinaryOp};

/// More loops than this are left to the general way of executing.
const MAX_LOOPS: usize = 16;
/// Iterations of the two inner loops at a time.
const MAX_LANES: i64 = 1024;
const MAX_REPEATS: i64 = 256;
/// How often the clock is looked at, in blocks of that size.
const BLOCKS_BETWEEN_LOOKS: u32 = 64;

impl Address {
    fn new(form: &LinearForm, loops: usize) -> Self {
        Address { first: form.offset(), steps: (0..loops).map(|number| form.coefficient(number)).collect() }
    }

    fn at(&self, position: &[i64]) -> i64 {
        self.steps.iter().zip(position).fold(self.first, |sum, (step, index)| sum + step * index)
    }
}

/// The assignment as a contraction, if it is one.
pub(super) fn recognise(program: &Program) -> Option<Contraction> {
    let ([target], [value]) = (program.targets.as_slice(), program.values.as_slice()) else { return None };
    let TensorRef::Output(output) = target.tensor else { return None };
    if program.op != AssignOp::Add || program.condition.is_some() || program.extents.len() > MAX_LOOPS {
        return None;
    }
    let factors = factors(program, *value)?;
    // Further nodes might fail.
    let nodes = 2 * factors.len() - 1;
    let accesses = || factors.iter().copied().chain([target]);
    let checks = || accesses().flat_map(|access| &access.checks);
    let is_affine = |access: &Access| access.computed.is_empty();
    if program.nodes.len() != nodes || !accesses().all(is_affine) || !checks().all(|check| check.bounds.skip) {
        return None;
    }
    let address = |form: &LinearForm| Address::new(form, program.extents.len());
    let mut contraction = Contraction {
        extents: program.extents.clone(),
        output,
        target: address(&target.offset),
        factors: factors.iter().map(|access| (access.tensor, address(&access.offset))).collect(),
        guards: checks().map(|check| (address(&check.form), check.bounds.extent)).collect(),
        lane: 0,
        repeat: None,
        outer: Vec::new(),
    };
    contraction.merge_loops();
    contraction.choose_loops()?;
    Some(contraction)
}

/// The tensors multiplied: one or two, none of them written by the assignment.
fn factors(program: &Program, value: NodeId) -> Option<Vec<&Access>> {
    let load = |node: NodeId| match &program.nodes[node].kind {
        NodeKind::Load(access) if program.nodes[node].dtype == ScalarType::Real => {
            (!matches!(access.tensor, TensorRef::Output(_))).then_some(access)
        }
        _ => None,
    };
    match &program.nodes[value].kind {
        NodeKind::Binary(BinaryOp::Mul, a, b) => Some(vec![load(*a)?, load(*b)?]),
        _ => Some(vec![load(value)?]),
    }
}

impl Contraction {
    /// Makes one loop of two through which all addresses go in equal steps, as through an image without padding.
    fn merge_loops(&mut self) {
        let loops = self.extents.len();
        let pairs = (0..loops).flat_map(|outer| (0..loops).map(move |inner| (outer, inner)));
        for (outer, inner) in pairs {
            let (rows, columns) = (self.extents[outer], self.extents[inner]);
            let continues = |address: &Address| address.steps[inner].checked_mul(columns) == Some(address.steps[outer]);
            if outer == inner || rows == 1 || columns == 1 || !self.addresses().all(continues) {
                continue;
            }
            if let Some(merged) = rows.checked_mul(columns) {
                (self.extents[outer], self.extents[inner]) = (1, merged);
            }
        }
    }

    fn addresses(&self) -> impl Iterator<Item = &Address> {
        self.accesses().chain(self.guards.iter().map(|(form, _)| form))
    }

    fn accesses(&self) -> impl Iterator<Item = &Address> {
        self.factors.iter().map(|(_, address)| address).chain([&self.target])
    }

    /// Chooses the two inner loops; none if there is no loop at all.
    fn choose_loops(&mut self) -> Option<()> {
        let remaining: Vec<_> = (0..self.extents.len()).filter(|&number| self.extents[number] > 1).collect();
        self.lane = remaining.iter().copied().min_by_key(|&number| self.cost(number))?;
        let others = || remaining.iter().copied().filter(|&number| number != self.lane);
        let unguarded = |&number: &usize| self.guards.iter().all(|(form, _)| form.steps[number] == 0);
        let sums = |number: usize| self.target.steps[number] == 0;
        let repeat = others().filter(unguarded).max_by_key(|&number| (sums(number), self.extents[number]));
        self.outer = others().filter(|&number| Some(number) != repeat).collect();
        self.repeat = repeat;
        Some(())
    }

    /// Estimated time per iteration with this loop innermost: elements that are not neighbours take longer, and so does
    /// beginning a row.
    fn cost(&self, number: usize) -> i64 {
        let strided = self.accesses().filter(|address| address.steps[number].unsigned_abs() > 1).count() as i64;
        64 * (1 + 3 * strided) + 640 / self.extents[number]
    }

    /// Executes it. Every loop has at least one iteration.
    pub(super) fn run(&self, storage: &mut Storage, clock: &Clock) -> Result<(), FormulaFault> {
        let Storage { inputs, constants, outputs } = storage;
        let elements = |tensor: &TensorRef| match tensor {
            TensorRef::Input(number) => reals(&inputs[*number].data),
            TensorRef::Constant(number) => reals(&constants[*number].data),
            TensorRef::Output(_) => None,
        };
        let wrong = FormulaFault::Inconsistent("an operand has not the type that the formula was made for");
        let factors: Option<Vec<_>> = self.factors.iter().map(|(tensor, _)| elements(tensor)).collect();
        let (Some(factors), Buffer::Wide(sums)) = (factors, &mut outputs[self.output]) else { return Err(wrong) };
        self.nest(sums, &factors, clock)
    }

    /// Runs all loops.
    fn nest(&self, sums: &mut [f64], factors: &[&[f32]], clock: &Clock) -> Result<(), FormulaFault> {
        let mut position = vec![0; self.extents.len()];
        let mut blocks = 0u32;
        let mut look = || {
            blocks = blocks.wrapping_add(1);
            let is_late = blocks % BLOCKS_BETWEEN_LOOKS == 0 && clock.has_run_out();
            if is_late { Err(FormulaFault::Timeout) } else { Ok(()) }
        };
        loop {
            look()?;
            let (low, high) = self.unguarded(&position);
            for start in (low..high).step_by(MAX_LANES as usize) {
                let lanes = (high - start).min(MAX_LANES);
                for first in (0..self.repeats()).step_by(MAX_REPEATS as usize) {
                    let repeats = (self.repeats() - first).min(MAX_REPEATS);
                    self.go_to(&mut position, start, first);
                    self.block(&position, sums, factors, (lanes as usize, repeats));
                    look()?;
                }
            }
            self.go_to(&mut position, 0, 0);
            if !self.advance(&mut position) {
                return Ok(());
            }
        }
    }

    fn repeats(&self) -> i64 {
        self.repeat.map_or(1, |number| self.extents[number])
    }

    fn go_to(&self, position: &mut [i64], lane: i64, repeat: i64) {
        position[self.lane] = lane;
        if let Some(number) = self.repeat {
            position[number] = repeat;
        }
    }

    /// The lanes that no guard skips.
    fn unguarded(&self, position: &[i64]) -> (i64, i64) {
        self.guards.iter().fold((0, self.extents[self.lane]), |(low, high), (form, extent)| {
            let (from, to) = inside(form.at(position), form.steps[self.lane], *extent);
            (low.max(from), high.min(to))
        })
    }

    fn block(&self, position: &[i64], sums: &mut [f64], factors: &[&[f32]], size: (usize, i64)) {
        let run = |address: &Address| Run {
            first: address.at(position),
            lane: address.steps[self.lane],
            repeat: self.repeat.map_or(0, |number| address.steps[number]),
        };
        let source = |at: usize| Some(Source { items: factors.get(at)?, run: run(&self.factors[at].1) });
        if let Some(a) = source(0) {
            accumulate((sums, run(&self.target)), a, source(1), size);
        }
    }

    /// Moves on to the next iteration of the outer loops, if there is one.
    fn advance(&self, position: &mut [i64]) -> bool {
        for &number in self.outer.iter().rev() {
            position[number] += 1;
            if position[number] < self.extents[number] {
                return true;
            }
            position[number] = 0;
        }
        false
    }
}

fn reals(data: &TensorData) -> Option<&[f32]> {
    if let TensorData::F32(items) = data { Some(items) } else { None }
}
