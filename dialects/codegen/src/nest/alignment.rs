//! Of how many elements the addresses of a nest are multiples, where the memory itself begins at a place that is aligned.

use super::Nest;
use super::access::{Access, Open, Step};
use super::parts::Piece;
use super::schedule::Form;
use super::woven::Woven;

/// The greatest number of elements of which the address of a piece in a row of any tile is a multiple; 0 where the address is
/// always 0. Vectors begin so many elements `behind` multiples of their lanes; `known` tells the indices that are
/// the same in all tiles.
pub fn elements(
    nest: &Nest,
    access: &Access,
    (row, piece): (i64, Piece),
    (behind, known): (i64, impl Fn(usize) -> Option<i64>),
) -> i64 {
    let starts = access.steps.iter().enumerate().map(|(dim, step)| match (known(dim), step) {
        (Some(index), Step::Linear(distance)) => distance * index,
        _ if nest.schedule.is_vectorized(dim) => start(*step, divisor(multiple(nest, dim), behind)),
        _ => start(*step, multiple(nest, dim)),
    });
    let (rows, vectors) = (nest.schedule.rows(), nest.schedule.vectors());
    let along = |dim: Option<usize>, count: i64| dim.filter(|_| count != 0).map(|dim| access.steps[dim]);
    let row = along(rows.map(|rows| rows.dim), row).map_or(0, |step| match step {
        Step::Open(_) => start(step, row),
        step => step.in_tile(rows.map_or(1, |rows| rows.count)).map_or(1, |distance| distance * row),
    });
    let lane = along(vectors.map(|own| own.dim), piece.offset).map_or(0, |step| {
        let between = vectors.and_then(|own| step.between(own.tile, own.lanes));
        between.map_or(1, |distance| distance * piece.offset)
    });
    starts.chain([access.offset, open_offset(access), row, lane]).fold(0, divisor)
}

/// How many elements the address of a piece in a row of any tile is behind a multiple of `whole`, if that is the same for all.
pub fn behind(nest: &Nest, access: &Access, (row, piece): (i64, Piece), whole: i64) -> Option<i64> {
    let starts = access.steps.iter().enumerate().map(|(dim, step)| start(*step, multiple(nest, dim)));
    let vectors = nest.schedule.vectors()?;
    let lane = Woven::of(access.steps[vectors.dim], piece.lanes)?.distance(piece.offset);
    let is_same = row == 0 && starts.fold(open_offset(access), divisor) % whole == 0;
    is_same.then(|| (access.offset + lane).rem_euclid(whole))
}

/// Of what the part of an address is a multiple that only a run knows, and that is the same for all points.
fn open_offset(access: &Access) -> i64 {
    access.open_offset.map_or(0, |open| open.factor * open.multiple)
}

/// Of which number the indices at which tiles begin along a dimension are multiples.
fn multiple(nest: &Nest, dim: usize) -> i64 {
    let (known, schedule) = (nest.space.dims[dim], &nest.schedule);
    if let Some(vectors) = schedule.vectors().filter(|vectors| vectors.dim == dim) {
        // Behind whole tiles there are whole vectors; single elements have no alignment of their own.
        return vectors.lanes;
    }
    match schedule.innermost(dim) {
        Some(own) => match own.form {
            Form::Groups(atom) => atom.group,
            _ if known.is_open || known.is_shared => 1,
            _ => own.step,
        },
        None => 1,
    }
}

/// Of what the address is a multiple that a step leads to from an index that is one of `multiple`.
fn start(step: Step, multiple: i64) -> i64 {
    match step {
        Step::Linear(distance) => distance * multiple,
        Step::Open(Open { factor, multiple: stride, .. }) => factor * stride * multiple,
        Step::Panel { size, outer, .. } if multiple % size == 0 => outer * (multiple / size),
        Step::Panel { size, outer, inner } if size % multiple == 0 => divisor(outer, inner * multiple),
        Step::Panel { outer, inner, .. } => divisor(outer, inner),
    }
}

/// The greatest common divisor; that of 0 and a number is the number.
pub fn divisor(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::super::search::choose;
    use super::super::testing::{product, targets};
    use super::*;

    #[test]
    fn addresses_of_all_tiles_are_multiples() {
        for target in targets() {
            for (rows, columns, terms) in [(64, 64, 64), (63, 65, 127), (1, 96, 5), (7, 1, 12)] {
                let space = product(rows, columns, terms);
                let nest = Nest { schedule: choose(&space, &target), space };
                let lanes = nest.schedule.vectors().map_or(1, |vectors| vectors.lanes);
                for (_, access) in nest.space.walked() {
                    let piece = Piece { lanes, filled: lanes, ..Piece::ELEMENT };
                    let own = elements(&nest, access, (0, piece), (0, |_| None));
                    let starts = tile_starts(&nest);
                    let address = |index: &Vec<i64>| {
                        let steps = index.iter().zip(&access.steps);
                        steps.map(|(index, step)| at(*step, *index)).sum::<i64>() + access.offset
                    };
                    let wrong = starts.iter().find(|index| own > 1 && address(index) % own != 0);
                    assert_eq!(wrong, None, "{target}: {rows} x {columns} x {terms}, multiples of {own}");
                }
            }
        }
    }

    fn at(step: Step, index: i64) -> i64 {
        match step {
            Step::Linear(distance) => distance * index,
            Step::Open(open) => open.factor * open.multiple * index,
            Step::Panel { size, outer, inner } => index / size * outer + index % size * inner,
        }
    }

    /// The indices at which tiles and what remains of them begin.
    fn tile_starts(nest: &Nest) -> Vec<Vec<i64>> {
        nest.space.dims.iter().enumerate().fold(vec![Vec::new()], |starts, (dim, known)| {
            let step = multiple(nest, dim);
            let along: Vec<i64> = (0..known.extent).step_by(usize::try_from(step).unwrap()).collect();
            let longer = |start: &Vec<i64>, index: i64| [start.clone(), vec![index]].concat();
            starts.iter().flat_map(|start| along.iter().map(move |index| longer(start, *index))).collect()
        })
    }
}
