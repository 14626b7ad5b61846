//! Ops of the default package that the dialect declares, against what a rule says of them: warnings. Of others nothing is known.

use super::diagnostics as told;
use crate::dialect::{operation_name, qualified_name};
use crate::generated::definitions;
use crate::grammar::RuleFile;
use crate::grammar::model::*;
use skriptnd_ods::{GroupArity, OperationDefinition, ValueDefinition};
use skriptnd_source::Span;
use skriptnd_source::diagnostics::Diagnostics;
use std::collections::HashMap;

/// Warns of ops with another number of operands than they have, with operands in places of others, and of names that are those
/// of ops but for their case.
pub fn check(file: &RuleFile, rules: &[Rule], found: &mut Diagnostics) {
    for rule in rules {
        let mut known = Known { file, rule, found, places: HashMap::new() };
        known.matched(&rule.pattern);
        known.part(&rule.replacement, false);
    }
}

/// The declaration of an op, by its name with package.
fn declared(qualified: &str) -> Option<&'static OperationDefinition> {
    let name = operation_name(qualified);
    definitions::ALL.iter().copied().find(|known| known.name == name)
}

/// How many operands an op takes: the least and, if there is one, the greatest number.
fn counts(op: &OperationDefinition) -> (usize, Option<usize>) {
    let of = |arity| op.operands.iter().filter(|operand| operand.arity == arity).count();
    let least = of(GroupArity::One);
    let most = if of(GroupArity::Variadic) > 0 { None } else { Some(least + of(GroupArity::Optional)) };
    (least, most)
}

/// What each of so many operands is; `None` if there can't be so many.
fn places(op: &'static OperationDefinition, count: usize) -> Option<Vec<&'static ValueDefinition>> {
    let (least, most) = counts(op);
    let mut further = count.checked_sub(least).filter(|_| most.is_none_or(|most| count <= most))?;
    let mut places = Vec::with_capacity(count);
    for operand in op.operands {
        let times = match operand.arity {
            GroupArity::One => 1,
            GroupArity::Optional => further.min(1),
            GroupArity::Variadic => further,
        };
        further -= if operand.arity == GroupArity::One { 0 } else { times };
        places.extend(std::iter::repeat_n(operand, times));
    }
    Some(places)
}

/// Whether an operand tells the op what to do, and is no tensor that it computes with.
fn is_parameter(operand: &ValueDefinition) -> bool {
    operand.summary.starts_with("parameter")
}

struct Known<'r, 'f> {
    file: &'f RuleFile,
    rule: &'r Rule,
    found: &'f mut Diagnostics,
    /// What the tags of the match are there.
    places: HashMap<&'r str, Vec<&'static ValueDefinition>>,
}

impl<'r> Known<'r, '_> {
    fn op(&mut self, name: &OpName) -> Option<&'static OperationDefinition> {
        let qualified = name.qualified(&self.rule.package);
        let op = declared(&qualified);
        if op.is_none() && !self.file.ops.iter().any(|op| op.op == name.text) {
            let known = definitions::ALL.iter().map(|known| qualified_name(known.name));
            let meant = known.into_iter().find(|known| known.eq_ignore_ascii_case(&qualified));
            meant.into_iter().for_each(|meant| self.found.push(told::op_of_other_case(name.span, &qualified, &meant)));
        }
        op
    }

    fn matched(&mut self, pattern: &'r MatchOp) {
        let count = pattern.operands.len();
        if let Some(op) = self.op(&pattern.name) {
            let (least, most) = counts(op);
            let fits = most.is_none_or(|most| count <= most) && (pattern.open || count >= least);
            if !fits {
                self.found.push(told::matches_other_count(
                    pattern.name.span,
                    &qualified_name(op.name),
                    op.operands,
                    count,
                ));
            }
            // Of an open match the first operands are known.
            let places = places(op, if pattern.open { count.max(least) } else { count }).unwrap_or_default();
            for (operand, place) in pattern.operands.iter().zip(places) {
                if let MatchOperand::Tag(tag, _) = operand {
                    self.places.entry(tag).or_default().push(place);
                }
            }
        }
        for operand in &pattern.operands {
            if let MatchOperand::Op(inner) = operand {
                self.matched(inner);
            }
        }
    }

    /// `gets_more`: what iterations begin with gets further operands.
    fn part(&mut self, part: &'r Replacement, gets_more: bool) {
        match &part.kind {
            ReplacementKind::Op(name, operands) | ReplacementKind::MultiOut(_, _, name, operands) => {
                self.made(name, &operands.iter().collect::<Vec<_>>(), gets_more);
            }
            ReplacementKind::Wrap(name, inner, _) => self.made(name, &[inner], gets_more),
            _ => {}
        }
        let is_iteration = matches!(part.kind, ReplacementKind::Iterate(..));
        for (index, inner) in part.kind.parts().into_iter().enumerate() {
            self.part(inner, is_iteration && index == 0);
        }
    }

    fn made(&mut self, name: &OpName, operands: &[&'r Replacement], gets_more: bool) {
        let Some(op) = self.op(name) else { return };
        let qualified = qualified_name(op.name);
        let (count, (_, most)) = (operands.len(), counts(op));
        if gets_more && most.is_none_or(|most| count < most) {
            return;
        }
        let Some(places) = places(op, count) else {
            return self.found.push(told::makes_other_count(name.span, &qualified, op.operands, count));
        };
        for (operand, place) in operands.iter().zip(&places) {
            self.operand(&qualified, (operand, place), op, (operands, &places));
        }
    }

    fn operand(
        &mut self,
        op: &str,
        (operand, place): (&'r Replacement, &'static ValueDefinition),
        declared: &OperationDefinition,
        all: (&[&Replacement], &[&'static ValueDefinition]),
    ) {
        let told = |known: &'static ValueDefinition, found: &mut Diagnostics, span: Span| {
            found.push(told::operand_of_other_place(span, op, place.name, known.name));
        };
        match &operand.kind {
            ReplacementKind::Constant(ConstantBuilder::ScalarFloat(_) | ConstantBuilder::FilledFloat(..))
                if is_parameter(place) =>
            {
                self.found.push(told::real_parameter(operand.span, op, place.name));
            }
            ReplacementKind::Constant(ConstantBuilder::Shape(_) | ConstantBuilder::ShapeOf(_))
                if !is_parameter(place) =>
            {
                self.found.push(told::shape_as_tensor(operand.span, op, place.name));
            }
            ReplacementKind::Existing(OperandRef { kind: OperandRefKind::Tag(tag), span }) => {
                let Some(known) = self.places.get(tag.as_str()) else { return };
                let is_of_kind = |known: &&&ValueDefinition| is_parameter(known) == is_parameter(place);
                match known.iter().find(is_of_kind) {
                    None => told(known[0], self.found, *span),
                    // A parameter in the place of another one, while its own has something else.
                    Some(_) if !is_parameter(place) || known.iter().any(|known| known.name == place.name) => {}
                    Some(known) => {
                        let has_own = declared.operands.iter().any(|operand| operand.name == known.name);
                        let is_there = all
                            .0
                            .iter()
                            .zip(all.1)
                            .any(|(operand, place)| place.name == known.name && is_tag(operand, tag));
                        if has_own && !is_there {
                            told(known, self.found, *span);
                        }
                    }
                }
            }
            _ => {}
        }
    }
}

fn is_tag(operand: &Replacement, tag: &str) -> bool {
    matches!(&operand.kind, ReplacementKind::Existing(OperandRef { kind: OperandRefKind::Tag(used), .. }) if used == tag)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::vocabulary::DEFAULT_PACKAGE;

    #[test]
    fn operands_have_their_places() {
        let names = |op: &str, count| {
            let op = declared(&format!("{DEFAULT_PACKAGE}::{op}")).unwrap();
            places(op, count).map(|places| places.into_iter().map(|place| place.name).collect::<Vec<_>>())
        };
        assert_eq!(names("Pad", 4).unwrap(), ["input", "axes", "padding", "method"]);
        assert_eq!(names("Pad", 5).unwrap(), ["input", "value", "axes", "padding", "method"]);
        assert_eq!((names("Pad", 3), names("Pad", 6), names("Relu", 0)), (None, None, None));
        assert_eq!(names("Concat", 1).unwrap(), ["axis"]);
        assert_eq!(names("Concat", 3).unwrap(), ["axis", "inputs", "inputs"]);
    }
}
