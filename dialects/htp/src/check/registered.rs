//! What a file registers of ops against itself and against its rules: warnings.

use super::diagnostics::registered as told;
use crate::grammar::model::*;
use crate::grammar::{RuleFile, TensorProperties};
use skriptnd_source::Span;
use skriptnd_source::diagnostics::Diagnostics;

/// Layouts and places of which a tensor has one.
const EXCLUSIVE: [[&str; 2]; 2] = [["Flat", "Crouton"], ["MainMemory", "Tcm"]];

/// Warns of properties that contradict each other or say nothing, of ops that nobody registers, and of rules that give an op another number of
/// operands than its properties say.
pub fn check(file: &RuleFile, rules: &[Rule], found: &mut Diagnostics) {
    let mut made = Vec::new();
    rules.iter().for_each(|rule| ops(&rule.replacement, &mut made));
    for (index, properties) in file.properties.iter().enumerate() {
        let earlier = file.properties[..index].iter().find(|earlier| is_same(earlier, properties));
        if let Some(earlier) = earlier {
            found.push(told::properties_twice(properties.span, &properties.op, earlier.span));
        }
        let is_known = file.ops.iter().any(|op| op.op == properties.op) || made.iter().any(|op| op.0 == properties.op);
        if !is_known {
            found.push(told::not_registered(properties.span, &properties.op));
        }
        contradictions(properties, found);
    }
    for (name, operands, span) in made {
        let of_op = || file.properties.iter().filter(|properties| properties.op == name);
        let fits = of_op().any(|properties| properties.operands.len() == operands);
        if let Some(first) = of_op().next().filter(|_| !fits) {
            found.push(told::other_operands(span, name, operands, first.operands.len(), first.span));
        }
    }
}

fn is_same(first: &TensorProperties, second: &TensorProperties) -> bool {
    first.op == second.op && first.package == second.package && first.operands.len() == second.operands.len()
}

fn contradictions(properties: &TensorProperties, found: &mut Diagnostics) {
    for (layout, _) in properties.layouts.iter().filter(|(_, tensors)| tensors.is_empty()) {
        found.push(told::no_tensor(properties.span, &properties.op, layout));
    }
    for [one, other] in EXCLUSIVE {
        let tensors = |layout: &str| {
            let named = properties.layouts.iter().filter(|(kind, _)| kind == layout).flat_map(|(_, tensors)| tensors);
            named.cloned().collect::<Vec<_>>()
        };
        let both = tensors(one);
        for tensor in tensors(other).iter().filter(|tensor| both.contains(tensor)) {
            found.push(told::contradiction(properties.span, &properties.op, tensor, [one, other]));
        }
    }
}

/// Names, operands and places of the ops that a replacement makes.
fn ops<'r>(part: &'r Replacement, found: &mut Vec<(&'r str, usize, Span)>) {
    match &part.kind {
        ReplacementKind::Op(name, operands) | ReplacementKind::MultiOut(_, _, name, operands) => {
            found.push((&name.text, operands.len(), name.span));
        }
        ReplacementKind::Wrap(name, ..) => found.push((&name.text, 1, name.span)),
        _ => {}
    }
    // The base of an iteration gets more operands.
    let is_base = matches!(part.kind, ReplacementKind::Iterate(..));
    for (index, inner) in part.kind.parts().into_iter().enumerate() {
        match &inner.kind {
            ReplacementKind::Op(_, operands) if is_base && index == 0 => operands.iter().for_each(|o| ops(o, found)),
            _ => ops(inner, found),
        }
    }
}
