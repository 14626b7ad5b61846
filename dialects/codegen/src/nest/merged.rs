//! Neighbouring dimensions as one, where instructions have whole vectors only: so that a vector of bytes has the channels of several pixels, and
//! few channels leave no lanes empty. Where what is read lies otherwise than what is written, the steps of the one dimension are panels. The
//! outer one may be one whose extent only a run knows.

use super::access::{Access, Step};
use super::legal::has_vector_form;
use super::search::no_word;
use super::space::{Dim, Space};
use crate::target::Target;

/// Bytes of a lane of a vector as its length is counted.
const WORD: i64 = 4;

/// Two dimensions that become one, which has the place of the inner one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Join {
    /// The dimension that goes.
    pub outer: usize,
    /// The dimension that becomes both.
    pub inner: usize,
    /// What its extent was.
    pub extent: i64,
}

/// The space with as few dimensions as fill vectors, and how they became fewer, one after the other.
pub fn merged(mut space: Space, target: &Target) -> (Space, Vec<Join>) {
    let mut joins = Vec::new();
    // The last of several blocks may be shorter along one of the dimensions.
    if target.isa.only_whole && is_plain(&space) && space.rest().is_none() {
        while let Some(join) = pair(&space, target).or_else(|| pair_of_groups(&space)) {
            apply(&mut space, join);
            joins.push(join);
        }
    }
    (space, joins)
}

/// Whether vectors have what is computed, and no computation and no run asks for an index.
fn is_plain(space: &Space) -> bool {
    let is_walked = !space.is_indexed() && !space.fetches();
    is_walked && no_word(space).is_none() && has_vector_form(space)
}

/// The dimension whose neighbours lie beside each other in what is written, and the one around it, if they leave lanes empty and
/// are better as one.
fn pair(space: &Space, target: &Target) -> Option<Join> {
    // The rest of an open dimension begins earlier.
    let may_be_open = space.may_repeat() && space.stages().all(|stage| space.is_total(stage));
    let is_free = |dim: &Dim| !dim.is_reduced && !dim.is_shared && dim.extent > 1 && (may_be_open || !dim.is_open);
    let with_step = |step: i64| {
        let mut dims = (0..space.dims.len()).filter(|&dim| is_free(&space.dims[dim]));
        dims.find(|&dim| space.output.1.steps[dim] == Step::Linear(step))
    };
    let inner = with_step(1).filter(|inner| !space.dims[*inner].is_open)?;
    let extent = space.dims[inner].extent;
    let outer = with_step(extent)?;
    let lanes = lanes(space, inner, target);
    let grouping = space.grouping();
    let fits = |access: &Access| {
        joined(access.steps[outer], access.steps[inner], extent).is_some_and(|step| match grouping {
            Some(grouping) if std::ptr::eq(grouping.factors[1].1, access) => {
                step.repeats(lanes, grouping.size) || has_vectors(step, lanes, grouping.size)
            }
            Some(grouping) if grouping.has_words(access) => step.for_panels(lanes).is_some(),
            _ => is_vector(step, lanes),
        })
    };
    let are_words = space.walked().all(|(operand, access)| {
        let step = joined(access.steps[outer], access.steps[inner], extent);
        let is_number = step.is_some_and(|step| step.for_panels(lanes).is_some());
        let has_words = grouping.is_some_and(|grouping| grouping.has_words(access));
        has_words || !is_number || space.element(operand).is_some_and(|element| element.bytes() == WORD)
    });
    (extent % lanes != 0 && are_words && space.accesses().all(fits)).then_some(Join { outer, inner, extent })
}

/// The dimension along which products are added in groups, and the one around it, if whole groups lie beside each other in both factors: loops
/// over few groups take long to begin.
fn pair_of_groups(space: &Space) -> Option<Join> {
    let grouping = space.grouping().filter(|grouping| !grouping.is_apart)?;
    let (inner, Dim { extent, is_open, is_shared, .. }) = (grouping.dim, space.dims[grouping.dim]);
    let goes_on = |access: &Access, outer: usize| {
        joined(access.steps[outer], access.steps[inner], extent) == Some(access.steps[inner])
    };
    let is_next = |&outer: &usize| {
        outer != inner && !space.dims[outer].is_open && space.accesses().all(|access| goes_on(access, outer))
    };
    let outer = space.dims_that_are(true).find(is_next)?;
    (!is_open && !is_shared && extent % grouping.size == 0).then_some(Join { outer, inner, extent })
}

/// Lanes of vectors that the narrowest elements fill.
fn lanes(space: &Space, dim: usize, target: &Target) -> i64 {
    let grouping = space.grouping();
    let has_words = |access: &Access| grouping.is_some_and(|grouping| grouping.has_words(access));
    let moving = space.walked().filter(|(_, access)| access.steps[dim].moves() && !has_words(access));
    let bytes = moving.filter_map(|(operand, _)| Some(space.element(operand)?.bytes())).min();
    target.isa.lanes() * (WORD / bytes.unwrap_or(WORD).clamp(1, WORD))
}

/// Whether lanes so far apart are a vector: the same for all, neighbours, or panels that divide vectors, also of the same number each.
fn is_vector(step: Step, lanes: i64) -> bool {
    let is_even = matches!(step, Step::Linear(0 | 1)) || has_vectors(step, lanes, 1);
    is_even || step.spread(lanes).or_else(|| step.for_panels(lanes)).is_some()
}

/// Whether panels, the same each time, have whole vectors of elements so far apart.
fn has_vectors(step: Step, lanes: i64, apart: i64) -> bool {
    matches!(step, Step::Panel { size, outer: 0, inner } if inner == apart && size % lanes == 0)
}

/// The step along two dimensions that are one; the inner one has that extent.
fn joined(outer: Step, inner: Step, extent: i64) -> Option<Step> {
    match (outer, inner) {
        (Step::Linear(far), Step::Linear(near)) if far == near * extent => Some(inner),
        (Step::Linear(outer), Step::Linear(inner)) => Some(Step::Panel { size: extent, outer, inner }),
        (Step::Panel { size, outer: 0, inner: far }, Step::Linear(near)) if far == near * extent => {
            Some(Step::Panel { size: size * extent, outer: 0, inner: near })
        }
        (Step::Linear(far), Step::Panel { size, outer, .. }) if extent % size == 0 && far == extent / size * outer => {
            Some(inner)
        }
        _ => None,
    }
}

/// Makes the inner dimension both.
fn apply(space: &mut Space, Join { outer, inner, extent }: Join) {
    for access in space.accesses_mut() {
        if let Some(step) = joined(access.steps[outer], access.steps[inner], extent) {
            access.steps[inner] = step;
        }
        access.steps.remove(outer);
    }
    let Dim { extent: times, is_open, multiple, .. } = space.dims[outer];
    let multiple = if is_open { multiple * extent } else { 1 };
    space.dims[inner] = Dim { extent: extent * times, is_open, multiple, ..space.dims[inner] };
    space.dims.remove(outer);
}

#[cfg(test)]
mod tests {
    use super::super::computation::{Computation, Instruction, Ref};
    use super::super::element::Element;
    use super::super::op::Op;
    use super::super::plain::{dim, linear, passed};
    use super::super::search::choose;
    use super::super::space::{Operand, Rounding, Source, Stage};
    use super::super::testing::product_of_bytes;
    use super::*;

    fn hvx() -> Target {
        Target::named(Some("hexagon-unknown-linux-musl"), Some("hexagonv66+hvxv66+hvx-length128b"))
    }

    fn bytes() -> Operand {
        passed("memref<?xi8>", Element::Integer(8))
    }

    fn only_read() -> Operand {
        let mut operand = bytes();
        if let Operand::Passed { is_only_read, .. } = &mut operand {
            *is_only_read = true;
        }
        operand
    }

    /// The greatest bytes of windows of 2 x 2 pixels, so many pixels apart.
    fn pool([height, width, channels]: [i64; 3], stride: i64) -> Space {
        let byte = Element::Integer(8);
        let line = channels * (stride * width + 1);
        let greatest =
            Instruction { op: Op::MaxSI, operands: vec![Ref::Argument(1), Ref::Argument(0)], results: vec![byte] };
        let copied = Computation {
            arguments: vec![byte, byte],
            instructions: Vec::new(),
            result: Ref::Argument(0),
            further: Vec::new(),
        };
        let computation = Computation {
            arguments: vec![byte; 2],
            instructions: vec![greatest],
            result: Ref::Result(0, 0),
            further: Vec::new(),
        };
        let window = linear(&[stride * line, stride * channels, 1, line, channels]);
        Space {
            dims: vec![dim(height, false), dim(width, false), dim(channels, false), dim(2, true), dim(2, true)],
            block: None,
            operands: vec![bytes(), bytes(), bytes()],
            init: Some(Stage { computation: copied, sources: vec![Source::Scalar(2), Source::Unused] }),
            main: Stage { computation, sources: vec![Source::Memory(1, window), Source::Chain] },
            epilogues: Vec::new(),
            output: (0, linear(&[width * channels, channels, 1, 0, 0])),
            further: Vec::new(),
            rounding: Rounding::default(),
        }
    }

    /// The extents of parallel dimensions, and the step of the innermost one in what is read.
    fn shape(space: &Space) -> (Vec<i64>, Step) {
        let extents: Vec<i64> = space.dims_that_are(false).map(|dim| space.dims[dim].extent).collect();
        let (_, access) = space.main.memory().next().unwrap();
        (extents.clone(), access.steps[extents.len() - 1])
    }

    #[test]
    fn pixels_fill_vectors_that_channels_do_not() {
        let of = |extents, stride| shape(&merged(pool(extents, stride), &hvx()).0);
        assert_eq!(of([8, 10, 24], 1), (vec![8, 240], Step::Linear(1)));
        assert_eq!(of([8, 10, 32], 2), (vec![8, 320], Step::Panel { size: 32, outer: 64, inner: 1 }));
        // Panels of 24 divide no vector, and channels that fill vectors need no others.
        assert_eq!(of([8, 10, 24], 2).0, [8, 10, 24]);
        assert_eq!(of([8, 10, 128], 1).0, [8, 10, 128]);
        assert_eq!(of([8, 10, 32], 3).0, [8, 10, 32]);
    }

    #[test]
    fn groups_of_windows_become_one_dimension() {
        let reduced = |between: i64| {
            // Three pixels of 40 channels, the groups of which lie one behind the other in the filter.
            let mut space = product_of_bytes(28, 64, 40);
            space.dims.insert(2, dim(3, true));
            for (number, access) in space.accesses_mut().enumerate() {
                let step = [40, 40 / 4 * between].get(number).copied().unwrap_or(0);
                access.steps.insert(2, Step::Linear(step));
            }
            let (joined, _) = merged(space, &hvx());
            joined.dims_that_are(true).map(|dim| joined.dims[dim].extent).collect::<Vec<_>>()
        };
        assert_eq!((reduced(128), reduced(256)), (vec![120], vec![3, 40]));
    }

    #[test]
    fn pixels_of_rows_that_only_a_run_knows_become_one_dimension() {
        let mut space = pool([8, 10, 24], 1);
        space.operands[1] = only_read();
        space.operands[2] = only_read();
        (space.dims[1].is_open, space.dims[0].is_open) = (true, true);
        let (joined, joins) = merged(space.clone(), &hvx());
        assert_eq!(joins, [Join { outer: 1, inner: 2, extent: 24 }]);
        assert_eq!((joined.dims[1].is_open, joined.dims[1].multiple), (true, 24));
        // What is written may not be computed again where it is read.
        space.operands[1] = bytes();
        assert_eq!(merged(space, &hvx()).1, []);
    }

    #[test]
    fn other_targets_keep_their_dimensions() {
        let generic = Target::named(Some("x86_64-unknown-linux-gnu"), Some("cascadelake"));
        assert_eq!(merged(pool([8, 10, 24], 1), &generic), (pool([8, 10, 24], 1), Vec::new()));
    }

    #[test]
    fn merged_dimensions_have_vectors() {
        for (extents, stride) in [([8, 10, 24], 1), ([8, 10, 32], 2), ([7, 9, 16], 2), ([7, 9, 3], 1)] {
            let (space, _) = merged(pool(extents, stride), &hvx());
            let vectors = choose(&space, &hvx()).vectors();
            assert_eq!(vectors.map(|vectors| (vectors.dim, vectors.lanes)), Some((1, 128)), "{extents:?}");
        }
    }
}
