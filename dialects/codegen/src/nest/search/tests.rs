//! Which schedules are chosen.

use super::*;
use crate::nest::computation::{Computation, Ref};
use crate::nest::plain::{dim, instruction, linear};
use crate::nest::testing::{product, products_of_images, targets, transposed_product};

#[test]
fn rows_are_along_what_is_known_rather_than_a_batch_that_may_be_one() {
    for target in targets() {
        let rows = |width: i64| choose(&products_of_images(width), &target).rows().map(|rows| rows.dim);
        assert_eq!((rows(7), rows(56), rows(2)), (Some(2), Some(2), Some(0)), "{target}");
    }
}

#[test]
fn rows_of_products_of_neighbours_use_what_they_load_again() {
    // Of each of 12 heads 4 queries times as many keys as a run says, 64 numbers each: keys are loaded once.
    let mut space = product(4, TYPICAL, 64);
    space.dims[1].is_open = true;
    space.dims.push(dim(12, false));
    space.output.1 = linear(&[TYPICAL, 1, 0, 4 * TYPICAL]);
    space.main.sources[0] = Source::Memory(1, linear(&[64, 0, 1, 256]));
    space.main.sources[1] = Source::Memory(2, linear(&[0, 64, 1, 64 * TYPICAL]));
    for target in targets().iter().filter(|target| target.isa.lanes() > 1 && !target.isa.only_whole) {
        assert_eq!(choose(&space, target).rows().map(|rows| rows.dim), Some(0), "{target}");
    }
}

#[test]
fn tiles_of_products_without_vectors_have_rows_and_columns() {
    let tile = |cpu: &str, (m, n): (i64, i64)| {
        let target = Target::named(Some("hexagon-unknown-linux-musl"), Some(cpu));
        let mut space = product(m, n, 64);
        space.main.sources[1] = Source::Memory(2, linear(&[0, 1, n]));
        let found = choose(&space, &target);
        let columns = found.vectors().map(|vectors| (vectors.lanes, vectors.tile));
        (found.rows().map_or(1, |rows| rows.count), columns)
    };
    for cpu in ["hexagonv66", "hexagonv66+hvxv66+hvx-length128b"] {
        assert_eq!(tile(cpu, (64, 64)), (4, Some((1, 4))), "{cpu}");
        assert_eq!(tile(cpu, (63, 65)), (4, Some((1, 4))), "{cpu}");
        // Without rows, columns would be no better than rows along these.
        assert_eq!(tile(cpu, (1, 64)).1, None, "{cpu}");
    }
}

fn x86() -> impl Iterator<Item = Target> {
    targets().into_iter().filter(|target| target.to_string().starts_with("x86_64"))
}

#[test]
fn rows_of_a_matrix_that_is_read_once_are_read_by_many_vectors() {
    // A row times a matrix that lies as it is.
    let row = |width: i64, depth: i64| {
        let mut space = product(1, width, depth);
        space.main.sources[1] = Source::Memory(2, linear(&[0, 1, width]));
        space
    };
    for target in x86() {
        let vectors = |width: i64, depth: i64| {
            let found = choose(&row(width, depth), &target).vectors();
            found.map_or(1, |vectors| vectors.tile / target.isa.lanes())
        };
        assert!(vectors(4096, 1024) > 4 && vectors(128, 4096) <= 4, "{target}");
    }
}

#[test]
fn vectors_of_functions_are_computed_side_by_side() {
    for target in x86() {
        let lanes = |op: Op| {
            let mut space = product(1, 4096, 1);
            space.dims[2] = dim(1, false);
            let function = Instruction { op, operands: vec![Ref::Argument(0)], results: vec![Element::Real(32)] };
            space.main.computation.instructions = vec![function];
            space.main.computation.result = Ref::Result(0, 0);
            space.main.sources = vec![Source::Memory(1, linear(&[0, 1, 0])), Source::Unused, Source::Unused];
            space.init = None;
            choose(&space, &target).vectors().map(|vectors| vectors.lanes / target.isa.lanes())
        };
        assert_eq!((lanes(Op::Exp), lanes(Op::AbsF)), (Some(4), Some(1)), "{target}");
    }
}

#[test]
fn channels_of_near_images_are_outermost_in_a_depthwise_convolution() {
    // Windows of 3 by 3 of images of `side` by `side` with a border, the channels last.
    let depthwise = |side: i64, channels: i64| {
        let (row, all) = (channels * (side + 2), channels * side);
        let mut space = product(1, 1, 1);
        space.dims = [channels, side, side].map(|extent| dim(extent, false)).to_vec();
        space.dims.extend([3, 3].map(|extent| dim(extent, true)));
        space.output.1 = linear(&[1, all, channels, 0, 0]);
        space.main.sources[0] = Source::Memory(1, linear(&[1, row, channels, row, channels]));
        space.main.sources[1] = Source::Memory(2, linear(&[1, 0, 0, 3 * channels, channels]));
        space
    };
    for target in x86() {
        let outermost = |side: i64, channels: i64| choose(&depthwise(side, channels), &target).loops[0].dim;
        // What is far comes line after line.
        assert_eq!((outermost(14, 384), outermost(112, 96)), (0, 1), "{target}");
    }
}

#[test]
fn what_lies_on_a_page_for_each_term_is_copied() {
    for target in x86() {
        let copied = |size: i64| choose(&transposed_product(size, size, size), &target).packs;
        assert!(copied(1024).iter().any(|pack| pack.operand == 1), "{target}");
        assert_eq!(copied(256), [], "{target}");
        assert_eq!(choose(&product(1024, 1024, 1024), &target).packs, [], "{target}");
    }
}

#[test]
fn sums_that_are_written_on_the_way_have_rows_and_are_not_split() {
    // Of 8 times 50 rows of 16 elements, the sums of the 50.
    let mut space = product(8, 16, 50);
    let (kept, all) = (linear(&[16, 1, 0]), linear(&[800, 1, 16]));
    let sum = Ref::Result(0, 0);
    let instructions = vec![instruction(Op::AddF, &[Ref::Argument(1), Ref::Argument(0)])];
    let main = &mut space.main;
    main.computation = Computation { instructions, result: sum, further: vec![sum], ..main.computation.clone() };
    main.sources = vec![Source::Memory(1, all.clone()), Source::Chain, Source::Unused];
    (space.output.1, space.further) = (kept, vec![(2, all)]);
    for target in x86() {
        let found = choose(&space, &target);
        let of = found.vectors().map(|vectors| vectors.dim).zip(found.rows().map(|rows| rows.dim));
        assert_eq!((of, found.unrolled(), space.combiner().is_none()), (Some((1, 0)), 0, true), "{target}");
        assert_eq!((space.on_the_way().len(), space.finished().count()), (1, 1));
    }
}
