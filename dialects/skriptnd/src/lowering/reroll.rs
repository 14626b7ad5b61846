//! Loops over the items of packs of which only a run knows the length: composition unrolls them as often as there can be items,
//! each time under the condition that there is one. Where the items have one shape, all of these assignments are one with
//! one more loop, over the pack as one tensor.

use super::form::IndexForm;
use super::plan::{TensorShape, Tensors};
use super::requirements::requirements;
use skriptnd_language::compose::extent::{SymExpr, SymOp};
use skriptnd_language::compose::formula::{
    AccessIndex, Assignment, Formula, Guard, LoopIndex, ScalarExpr, ScalarKind, Target, TensorRef,
};
use skriptnd_language::compose::value::{ScalarType, Symbolic, Value};
use skriptnd_syntax::ast::BinaryOp;
use std::collections::BTreeSet;

/// Operands that are a pack of which only a run knows the length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenPack {
    /// The number of its first item among the operands.
    pub first: usize,
    /// How many items there can be.
    pub count: usize,
    /// How many there are.
    pub length: SymExpr,
}

impl OpenPack {
    /// The shape of the pack as one tensor; none if its items have several.
    pub fn whole(&self, inputs: &[TensorShape]) -> Option<TensorShape> {
        let items = inputs.get(self.first..self.first.checked_add(self.count)?)?;
        let first = items.first()?;
        let shape = [&[SymExpr::Const(self.count as i64)], first.shape.as_slice()].concat();
        items.iter().all(|item| item == first).then_some(TensorShape { dtype: first.dtype, shape })
    }
}

/// A formula with loops over packs as tensors. `inputs` are the operands, behind them one tensor for each pack. Gives the numbers
/// of the packs that are read as one tensor, too.
pub fn rerolled(formula: &Formula, packs: &[OpenPack], tensors: Tensors<'_>) -> (Formula, BTreeSet<usize>) {
    let first_whole = tensors.inputs.len().saturating_sub(packs.len());
    let (mut rolled, mut taken) =
        (Formula { constants: formula.constants.clone(), assignments: Vec::new() }, BTreeSet::new());
    let mut rest = formula.assignments.as_slice();
    while let Some((first, others)) = rest.split_first() {
        let found = packs.iter().find_map(|pack| {
            let run = rest.get(..pack.count).filter(|run| run.len() > 1)?;
            let mut roller = Roller { packs, first_whole, taken: BTreeSet::new() };
            let assignment = roller.assignment(run, &pack.length)?;
            // What is required of items names them.
            requirements(&assignment, tensors, &formula.constants).is_empty().then_some((
                assignment,
                pack.count,
                roller.taken,
            ))
        });
        match found {
            Some((assignment, count, packs)) => {
                rolled.assignments.push(assignment);
                taken.extend(packs);
                rest = &rest[count..];
            }
            None => {
                rolled.assignments.push(first.clone());
                rest = others;
            }
        }
    }
    (rolled, taken)
}

/// One expression for those of all items, in which the index of the new loop, the outermost one, stands for their numbers.
struct Roller<'p> {
    packs: &'p [OpenPack],
    /// The number of the first pack as one tensor.
    first_whole: usize,
    taken: BTreeSet<usize>,
}

impl Roller<'_> {
    fn assignment(&mut self, run: &[Assignment], length: &SymExpr) -> Option<Assignment> {
        let first = run.first()?;
        let alike = |other: &Assignment| {
            let same_loops = other
                .loops
                .iter()
                .map(|l| (l.extent, &l.dynamic))
                .eq(first.loops.iter().map(|l| (l.extent, &l.dynamic)));
            let targets = other.targets.iter().map(|target| target.tensor);
            same_loops
                && other.op == first.op
                && other.span == first.span
                && targets.eq(first.targets.iter().map(|target| target.tensor))
        };
        if !run.iter().all(alike) || !run.iter().enumerate().all(|(number, item)| is_reached(item, number, length)) {
            return None;
        }
        let item = LoopIndex { name: "item".into(), extent: run.len() as i64, dynamic: Some(length.clone()) };
        let targets = (0..first.targets.len()).map(|at| {
            let indices: Vec<&[AccessIndex]> = run.iter().map(|item| item.targets[at].indices.as_slice()).collect();
            Some(Target { tensor: first.targets[at].tensor, indices: self.indices(&indices)? })
        });
        let targets = targets.collect::<Option<Vec<_>>>()?;
        Some(Assignment {
            loops: [item].into_iter().chain(first.loops.iter().cloned()).collect(),
            locals: self.all(&run.iter().map(|item| item.locals.iter().collect()).collect::<Vec<_>>())?,
            op: first.op,
            targets,
            values: self.all(&run.iter().map(|item| item.values.iter().collect()).collect::<Vec<_>>())?,
            condition: None,
            span: first.span,
        })
    }

    /// Lists of expressions, one for each item.
    fn all(&mut self, lists: &[Vec<&ScalarExpr>]) -> Option<Vec<ScalarExpr>> {
        let count = lists.first()?.len();
        let at = |at: usize| lists.iter().map(|list| list.get(at).copied()).collect::<Option<Vec<_>>>();
        let same = lists.iter().all(|list| list.len() == count);
        if same { (0..count).map(|number| self.expression(&at(number)?)).collect() } else { None }
    }

    fn indices(&mut self, lists: &[&[AccessIndex]]) -> Option<Vec<AccessIndex>> {
        let first = lists.first()?;
        let mut rolled = Vec::with_capacity(first.len());
        for at in 0..first.len() {
            let of_items = lists.iter().map(|list| list.get(at)).collect::<Option<Vec<_>>>()?;
            let index = self.expression(&of_items.iter().map(|item| &item.index).collect::<Vec<_>>())?;
            let guard = match &first[at].guard {
                Guard::Remap { .. } => return None,
                guard => guard.clone(),
            };
            of_items.iter().all(|item| item.guard == guard).then_some(())?;
            rolled.push(AccessIndex { index, guard });
        }
        lists.iter().all(|list| list.len() == first.len()).then_some(rolled)
    }

    fn expression(&mut self, items: &[&ScalarExpr]) -> Option<ScalarExpr> {
        let first = *items.first()?;
        if items.iter().any(|item| item.dtype != first.dtype) {
            return None;
        }
        if let Some(index) = Some(items).filter(|_| first.dtype == ScalarType::Int).and_then(progression) {
            return Some(index);
        }
        let kind = match &first.kind {
            ScalarKind::Const(value) if items.iter().all(|item| item.kind == first.kind) => {
                ScalarKind::Const(value.clone())
            }
            ScalarKind::Const(_) => return None,
            ScalarKind::Index(number) => {
                items.iter().all(|item| item.kind == first.kind).then_some(ScalarKind::Index(number + 1))?
            }
            ScalarKind::Local(number) => {
                items.iter().all(|item| item.kind == first.kind).then_some(ScalarKind::Local(*number))?
            }
            ScalarKind::Access { .. } => self.access(items)?,
            ScalarKind::Unary(op, _) => ScalarKind::Unary(*op, self.part(items, 0)?),
            ScalarKind::Cast(_) => ScalarKind::Cast(self.part(items, 0)?),
            ScalarKind::Builtin(function, _) => ScalarKind::Builtin(*function, self.part(items, 0)?),
            ScalarKind::Binary(op, ..) => ScalarKind::Binary(*op, self.part(items, 0)?, self.part(items, 1)?),
            ScalarKind::Select(..) => {
                ScalarKind::Select(self.part(items, 0)?, self.part(items, 1)?, self.part(items, 2)?)
            }
        };
        items
            .iter()
            .all(|item| same_operation(&item.kind, &first.kind))
            .then_some(ScalarExpr { dtype: first.dtype, kind })
    }

    /// An operand of all expressions.
    fn part(&mut self, items: &[&ScalarExpr], number: usize) -> Option<Box<ScalarExpr>> {
        let parts: Option<Vec<&ScalarExpr>> =
            items.iter().map(|item| operands(&item.kind).get(number).copied()).collect();
        self.expression(&parts?).map(Box::new)
    }

    fn access(&mut self, items: &[&ScalarExpr]) -> Option<ScalarKind> {
        let accesses = items.iter().map(|item| match &item.kind {
            ScalarKind::Access { tensor, indices } => Some((*tensor, indices.as_slice())),
            _ => None,
        });
        let (tensors, indices): (Vec<TensorRef>, Vec<&[AccessIndex]>) =
            accesses.collect::<Option<Vec<_>>>()?.into_iter().unzip();
        let indices = self.indices(&indices)?;
        let first = *tensors.first()?;
        if tensors.iter().all(|tensor| *tensor == first) {
            return Some(ScalarKind::Access { tensor: first, indices });
        }
        let is_pack = |pack: &OpenPack| {
            pack.count == tensors.len()
                && tensors.iter().enumerate().all(|(at, item)| *item == TensorRef::Input(pack.first + at))
        };
        let pack = self.packs.iter().position(is_pack)?;
        self.taken.insert(pack);
        let item = AccessIndex { index: item_number(), guard: Guard::None };
        Some(ScalarKind::Access {
            tensor: TensorRef::Input(self.first_whole + pack),
            indices: [item].into_iter().chain(indices).collect(),
        })
    }
}

/// Whether an assignment is made if and only if there is an item of this number.
fn is_reached(assignment: &Assignment, number: usize, length: &SymExpr) -> bool {
    let wanted = SymExpr::apply(SymOp::Lt, vec![SymExpr::Const(number as i64), length.clone()]);
    match assignment.condition.as_ref().map(|condition| &condition.kind) {
        // It is there for certain.
        None => wanted == Some(SymExpr::Const(1)),
        Some(ScalarKind::Const(Value::Symbolic(Symbolic::Bool(condition)))) => Some(condition) == wanted.as_ref(),
        Some(_) => false,
    }
}

/// The number of the item.
fn item_number() -> ScalarExpr {
    ScalarExpr { dtype: ScalarType::Int, kind: ScalarKind::Index(0) }
}

/// Indices that grow evenly from item to item.
fn progression(items: &[&ScalarExpr]) -> Option<ScalarExpr> {
    let forms: Vec<IndexForm> = items.iter().map(|item| IndexForm::of(item, &[])).collect::<Option<_>>()?;
    let first = forms.first()?;
    let step = forms.get(1)?.offset().minus(first.offset())?;
    let grows = |pair: &[IndexForm]| {
        pair[0].terms() == pair[1].terms() && pair[1].offset().minus(pair[0].offset()).as_ref() == Some(&step)
    };
    forms.windows(2).all(grows).then_some(())?;
    let term = |loop_number: usize, factor: &SymExpr| {
        let index = ScalarExpr { dtype: ScalarType::Int, kind: ScalarKind::Index(loop_number) };
        if *factor == SymExpr::Const(1) { index } else { binary(BinaryOp::Mul, constant(factor), index) }
    };
    let others = first.terms().iter().map(|(number, factor)| term(number + 1, factor));
    let item = (step != SymExpr::Const(0)).then(|| term(0, &step));
    let terms = item.into_iter().chain(others);
    let offset = Some(constant(first.offset())).filter(|_| *first.offset() != SymExpr::Const(0));
    let sum = terms.chain(offset).reduce(|sum, part| binary(BinaryOp::Add, sum, part));
    Some(sum.unwrap_or_else(|| constant(&SymExpr::Const(0))))
}

fn constant(expr: &SymExpr) -> ScalarExpr {
    let value = expr.as_known().map_or_else(|| Value::Symbolic(Symbolic::Int(expr.clone())), Value::Int);
    ScalarExpr { dtype: ScalarType::Int, kind: ScalarKind::Const(value) }
}

fn binary(op: BinaryOp, a: ScalarExpr, b: ScalarExpr) -> ScalarExpr {
    ScalarExpr { dtype: ScalarType::Int, kind: ScalarKind::Binary(op, Box::new(a), Box::new(b)) }
}

/// The operands of an expression that is no access.
fn operands(kind: &ScalarKind) -> Vec<&ScalarExpr> {
    match kind {
        ScalarKind::Unary(_, a) | ScalarKind::Cast(a) | ScalarKind::Builtin(_, a) => vec![a],
        ScalarKind::Binary(_, a, b) => vec![a, b],
        ScalarKind::Select(condition, a, b) => vec![condition, a, b],
        _ => Vec::new(),
    }
}

/// Whether both do the same with their operands.
fn same_operation(a: &ScalarKind, b: &ScalarKind) -> bool {
    match (a, b) {
        (ScalarKind::Unary(a, _), ScalarKind::Unary(b, _)) => a == b,
        (ScalarKind::Binary(a, ..), ScalarKind::Binary(b, ..)) => a == b,
        (ScalarKind::Builtin(a, _), ScalarKind::Builtin(b, _)) => a == b,
        _ => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lowering::limits::Limits;
    use crate::lowering::testing::{add, assign, bare, index, input, int};
    use skriptnd_syntax::ast::AssignOp;

    fn length() -> SymExpr {
        SymExpr::Symbol(Limits::default().declare_new("n", 3))
    }

    /// `y[offset(k) + i] = xs[k][i]` where there is an item `k`.
    fn items(count: i64, offset: impl Fn(i64) -> ScalarExpr) -> Formula {
        let item = |number: i64| {
            let place = usize::try_from(number).unwrap();
            let mut item = assign(&[2], AssignOp::Set, vec![bare(offset(number))], input(place, vec![bare(index(0))]));
            let is_there = SymExpr::apply(SymOp::Lt, vec![SymExpr::Const(number), length()]).unwrap();
            let kind = ScalarKind::Const(Value::Symbolic(Symbolic::Bool(is_there)));
            item.condition = Some(ScalarExpr { dtype: ScalarType::Bool, kind });
            item
        };
        Formula { constants: Vec::new(), assignments: (0..count).map(item).collect() }
    }

    fn roll(formula: &Formula, shapes: &[i64]) -> (Formula, BTreeSet<usize>) {
        let mut inputs: Vec<_> = shapes.iter().map(|extent| TensorShape::known(ScalarType::Real, &[*extent])).collect();
        let pack = OpenPack { first: 0, count: inputs.len(), length: length() };
        inputs.extend(pack.whole(&inputs));
        let output = TensorShape { dtype: ScalarType::Real, shape: vec![length().times(&SymExpr::Const(2)).unwrap()] };
        let packs = if inputs.len() > shapes.len() { vec![pack] } else { Vec::new() };
        let mut limits = Limits::default();
        limits.declare_new("n", 3);
        let tensors = Tensors { inputs: &inputs, outputs: &[output], constants: &[], limits: &limits };
        rerolled(formula, &packs, tensors)
    }

    #[test]
    fn items_of_one_shape_are_one_loop() {
        let formula = items(3, |number| if number == 0 { index(0) } else { add(int(2 * number), index(0)) });
        let (rolled, taken) = roll(&formula, &[2, 2, 2]);
        assert_eq!((rolled.assignments.len(), taken.len()), (1, 1));
        let assignment = &rolled.assignments[0];
        assert_eq!(assignment.loops[0].dynamic, Some(length()));
        assert!(assignment.condition.is_none());
        assert_eq!(assignment.values[0], input(3, vec![bare(index(0)), bare(index(1))]));
    }

    #[test]
    fn others_stay_as_they_are() {
        let uneven = items(3, |number| add(int(number * number), index(0)));
        assert_eq!(roll(&uneven, &[2, 2, 2]).0.assignments.len(), 3);
        let even = items(3, |number| add(int(2 * number), index(0)));
        assert_eq!(roll(&even, &[2, 3, 2]).0.assignments.len(), 3);
    }
}
