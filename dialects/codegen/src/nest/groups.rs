//! Which atoms add the products of a space in groups.

use super::atom::Atom;
use super::schedule::{Grouped, Schedule};
use super::space::{Grouping, Space};
use super::{matrices, row_pairs};

/// Why an atom does not add what a space says, in the loops of a schedule.
pub fn unfit(space: &Space, schedule: &Schedule, Grouped { dim, atom }: Grouped) -> Option<String> {
    let Some(grouping) = space.grouping().filter(|grouping| grouping.dim == dim) else {
        return Some(format!("no operand is cut into groups along d{dim}, whose products could be added at once"));
    };
    if space.dims[dim].is_open {
        return Some(format!("only a run knows the extent of d{dim}, which has groups"));
    }
    if grouping.is_apart && schedule.vectors().is_none() {
        return Some("each lane has groups of its own, and there are no vectors".to_string());
    }
    unlike(atom, &grouping).or_else(|| {
        if atom.function_of_matrices().is_some() {
            return matrices::unfit(space, schedule, atom, &grouping);
        }
        let fits = atom.function_of_row_pairs().is_none() || row_pairs::fits(space, schedule, &grouping);
        (!fits).then(|| format!("{} multiplies rows with whole columns of the same filter", atom.name))
    })
}

/// Why an atom adds others.
fn unlike(atom: &Atom, grouping: &Grouping<'_>) -> Option<String> {
    let Grouping { size, numbers: [input, filter], sum, .. } = grouping;
    if grouping.is_apart && !atom.takes_own_groups() {
        return Some(format!("{} does not take groups of which each lane has its own", atom.name));
    }
    if atom.group != *size {
        return Some(format!("{} adds {} products, the groups have {size}", atom.name, atom.group));
    }
    let fits = atom.fit(grouping.numbers, *sum).is_some();
    (!fits).then(|| format!("{} does not add products of {input} and {filter} to {sum}", atom.name))
}
