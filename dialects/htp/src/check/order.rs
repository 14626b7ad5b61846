//! Operands that stand in each other's places: one mistake, not one for each of them.

use crate::grammar::term::{Term, TermKind};
use crate::grammar::vocabulary::{self, Place, Production, Slot};

/// Most operands whose orders are tried.
const MAX_OPERANDS: usize = 5;

/// Whether the operands of a call look as they should only in another order.
pub fn exchanged(production: &Production, place: Place, operands: &[Term]) -> bool {
    let slots = production.slots(operands.len());
    let ours = match place {
        Place::Match => Slot::Match,
        Place::Scalar => Slot::Scalar,
        Place::Operand => Slot::Operand,
        Place::Replacement => Slot::Replacement,
    };
    // What is compared may be anything.
    let chooses = production.name == "SELECT";
    let slots: Vec<Option<Slot>> = slots
        .into_iter()
        .map(|slot| match slot {
            Slot::Same => chooses.then_some(ours),
            other => Some(other),
        })
        .collect();
    first_exchanged(&slots, operands).is_some()
}

/// The first of several terms that look like what is wanted only in another order.
fn first_exchanged<'t>(slots: &[Option<Slot>], terms: &'t [Term]) -> Option<&'t Term> {
    let terms = terms.get(..slots.len()).filter(|terms| (2..=MAX_OPERANDS).contains(&terms.len()))?;
    let looks = |slot: &Option<Slot>, term: &Term| slot.is_none_or(|slot| fits(slot, term));
    let (_, wrong) = slots.iter().zip(terms).find(|(slot, term)| !looks(slot, term))?;
    fill(slots, &mut terms.iter().collect(), &looks).then_some(wrong)
}

/// The first of match, constraint and replacement if they stand in another order: what stands as the constraint is none.
pub fn parts_exchanged(parts: &[Term]) -> Option<&Term> {
    let is_constraint = parts.get(1).is_some_and(|part| fits(Slot::Scalar, part));
    let wrong = first_exchanged(&[Slot::Match, Slot::Scalar, Slot::Replacement].map(Some), parts)?;
    (!is_constraint).then_some(wrong)
}

/// Whether the terms fill the slots in some order.
fn fill(slots: &[Option<Slot>], terms: &mut Vec<&Term>, looks: &dyn Fn(&Option<Slot>, &Term) -> bool) -> bool {
    let Some((slot, rest)) = slots.split_first() else { return true };
    (0..terms.len()).any(|at| {
        let term = terms.remove(at);
        let filled = looks(slot, term) && fill(rest, terms, looks);
        terms.insert(at, term);
        filled
    })
}

fn fits(slot: Slot, term: &Term) -> bool {
    let name = match &term.kind {
        TermKind::Call { name, .. } => name.as_str(),
        TermKind::Strings(_) => return matches!(slot, Slot::Text | Slot::Operand | Slot::Replacement),
        TermKind::Number { .. } => return slot == Slot::Scalar,
        TermKind::Scoped(..) => return slot == Slot::DType,
        TermKind::Name(name) => {
            let is_constant = vocabulary::CONSTANTS.contains(&name.as_str());
            return slot == if is_constant { Slot::Scalar } else { Slot::Name };
        }
    };
    let Some(production) = vocabulary::production(name) else { return false };
    let stands_in = |place: Place| production.places.contains(&place);
    match slot {
        Slot::Text | Slot::Name | Slot::Same => false,
        Slot::Operand => stands_in(Place::Operand),
        Slot::Replacement => stands_in(Place::Replacement),
        Slot::Match => stands_in(Place::Match),
        Slot::Scalar | Slot::DType => stands_in(Place::Scalar),
    }
}
