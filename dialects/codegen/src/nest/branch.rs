//! Stages of which a part is left out where a number that is the same for all points says so, such as the limits of sums that are shifted
//! to the left before they are multiplied: code for a tile branches there, once.

use super::computation::{Computation, Ref};
use super::op::Op;
use super::space::{Source, Stage};

/// A stage in three parts, each of which goes on with what the one before gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// What is computed in any case.
    pub before: Stage,
    /// The number that decides.
    pub condition: Stage,
    /// What is computed where it is false; else the value stays as it is.
    pub otherwise: Stage,
    /// What is computed of it then.
    pub behind: Stage,
    /// The whole stage where the number is true, and where it is false.
    pub sides: [Stage; 2],
}

impl Branch {
    /// The parts of a stage, where it has them.
    pub fn of(stage: &Stage) -> Option<Branch> {
        let computation = &stage.computation;
        let chain = stage.sources.iter().position(|source| *source == Source::Chain)?;
        let is_alone = computation.further.is_empty() && computation.uses(Ref::Argument(chain)) > 0;
        let mut selects = computation.instructions.iter().enumerate().filter(|(_, found)| found.op == Op::Select);
        selects.find_map(|(number, select)| {
            let &[condition, kept, other] = select.operands.as_slice() else { return None };
            let part = |result: Ref, given: Option<Ref>| part(computation, (result, given), chain);
            let condition = part(condition, None).filter(|it| is_uniform(it, stage))?;
            let parts =
                [part(kept, None)?, part(other, Some(kept))?, part(computation.result, Some(Ref::Result(number, 0)))?];
            let of = |computation: Computation| Stage { computation, sources: stage.sources.clone() };
            let [before, otherwise, behind] = parts.map(of);
            let sides = [kept, other].map(|value| {
                let mut side = computation.clone();
                side.replace(Ref::Result(number, 0), value);
                side.drop_unused();
                of(side)
            });
            is_alone.then(|| Branch { before, condition: of(condition), otherwise, behind, sides })
        })
    }
}

/// What gives a value, without what gives another one, which the argument of this number stands for. None where that argument is used otherwise.
fn part(computation: &Computation, (result, given): (Ref, Option<Ref>), chain: usize) -> Option<Computation> {
    let mut part = Computation { result, ..computation.clone() };
    let Some(given) = given.filter(|given| *given != Ref::Argument(chain)) else {
        part.drop_unused();
        return Some(part);
    };
    let kind = computation.type_of(given)?;
    // What stands for nothing else.
    part.arguments.push(kind);
    let marker = Ref::Argument(part.arguments.len() - 1);
    part.replace(given, marker);
    part.drop_unused();
    if part.uses(Ref::Argument(chain)) > 0 {
        return None;
    }
    part.replace(marker, Ref::Argument(chain));
    part.arguments.pop();
    part.arguments[chain] = kind;
    Some(part)
}

/// Whether a computation gives the same at all points.
fn is_uniform(computation: &Computation, stage: &Stage) -> bool {
    let is_same = |source: &Source| match source {
        Source::Memory(_, access) => access.steps.iter().all(|step| !step.moves()),
        Source::Scalar(_) => true,
        Source::Chain | Source::Further(_) | Source::Unused => false,
    };
    let mut used = stage.sources.iter().enumerate().filter(|(number, _)| computation.uses(Ref::Argument(*number)) > 0);
    let is_free = computation.fetched().next().is_none() && !computation.is_indexed();
    is_free && used.all(|(_, source)| is_same(source))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nest::access::{Access, Step};
    use crate::nest::computation::Instruction;
    use crate::nest::element::Element;
    use skriptnd_mlir::ops::arith::IntegerPredicate;

    const WORD: Element = Element::Integer(32);

    fn instruction(op: Op, operands: &[Ref], result: Element) -> Instruction {
        Instruction { op, operands: operands.to_vec(), results: vec![result] }
    }

    /// `(few != 0 ? sum + bias : (sum + bias) << few) * factor` of a sum, a bias, a number and a factor.
    fn stage(step: i64) -> Stage {
        let [sum, bias, few, factor] = [0, 1, 2, 3].map(Ref::Argument);
        let result = |number| Ref::Result(number, 0);
        let memory = |operand, step| {
            Source::Memory(operand, Access { offset: 0, open_offset: None, steps: vec![Step::Linear(step)] })
        };
        Stage {
            computation: Computation {
                arguments: vec![WORD; 4],
                instructions: vec![
                    instruction(Op::AddI, &[sum, bias], WORD),
                    instruction(Op::CmpI(IntegerPredicate::Ne), &[few, Ref::Operand(7)], Element::Integer(1)),
                    instruction(Op::ShLI, &[result(0), few], WORD),
                    instruction(Op::Select, &[result(1), result(0), result(2)], WORD),
                    instruction(Op::MulI, &[result(3), factor], WORD),
                ],
                result: result(4),
                further: Vec::new(),
            },
            sources: vec![Source::Chain, memory(1, 1), memory(2, step), memory(3, 1)],
        }
    }

    #[test]
    fn what_a_number_decides_is_a_part() {
        let Branch { before, condition, otherwise, behind, sides } = Branch::of(&stage(0)).unwrap();
        let ops = |stage: &Stage| stage.computation.instructions.iter().map(|own| own.op).collect::<Vec<_>>();
        assert_eq!(ops(&before), [Op::AddI]);
        assert_eq!(ops(&condition), [Op::CmpI(IntegerPredicate::Ne)]);
        assert_eq!(ops(&otherwise), [Op::ShLI]);
        assert_eq!(ops(&behind), [Op::MulI]);
        assert_eq!(behind.computation.instructions[0].operands, [Ref::Argument(0), Ref::Argument(3)]);
        assert_eq!(ops(&sides[0]), [Op::AddI, Op::MulI]);
        assert_eq!(ops(&sides[1]), [Op::AddI, Op::ShLI, Op::MulI]);
    }

    #[test]
    fn what_decides_at_each_point_or_is_used_otherwise_is_none() {
        assert_eq!(Branch::of(&stage(1)), None);
        let mut twice = stage(0);
        twice.computation.instructions[4].operands[1] = Ref::Argument(0);
        assert_eq!(Branch::of(&twice), None);
        let mut around = stage(0);
        around.computation.instructions[4].operands[1] = Ref::Result(0, 0);
        assert_eq!(Branch::of(&around), None);
    }
}
