//! Which operands are staged, and how, in nests of products of bytes.

use super::super::schedule::{Lanes, Tail};
use super::super::space::Source;
use super::super::testing::{product_of_bytes, targets};
use super::*;

const VTCM: Vtcm = Vtcm { bytes: 4 << 20, by_dma: true };

/// The product of bytes of 64 x `k` and `k` x `n` elements, panel by panel and in each four rows at a time.
fn nest(n: i64, k: i64) -> (Space, Schedule) {
    let mut space = product_of_bytes(64, n, k);
    for operand in &mut space.operands[1..3] {
        if let Operand::Passed { is_only_read, .. } = operand {
            *is_only_read = true;
        }
    }
    if let Source::Memory(_, packed) = &mut space.main.sources[1] {
        packed.steps[1..].copy_from_slice(&[Step::Panel { size: 32, outer: 32 * k, inner: 1 }, Step::Linear(32)]);
    }
    let lanes = Lanes { count: 32, is_scalable: false, tail: Tail::Mask };
    let own = |dim, step, kind, form| Loop { dim, step, kind, form };
    let loops = vec![
        own(1, 32, Kind::Parallel, Form::Vectors(lanes)),
        own(0, 4, Kind::Parallel, Form::Elements),
        own(2, 1, Kind::Reduce, Form::Elements),
    ];
    (space, Schedule { loops, packs: Vec::new() })
}

fn staged(n: i64, k: i64, bytes: i64) -> Staging {
    let (space, schedule) = nest(n, k);
    Staging::of(&space, &schedule, Vtcm { bytes, ..VTCM })
}

#[test]
fn panels_are_streamed_and_single_numbers_stay_where_they_are() {
    let staging = staged(128, 256, VTCM.bytes);
    let [panel] = staging.streamed.as_slice() else { panic!("{staging:?}") };
    assert_eq!((panel.operand, panel.span, panel.places, staging.depth), (2, 32 * 256, 2, 1));
    assert!(staging.whole.is_empty() && panel.place >= panel.span + LINE && panel.place % LINE == 0);
    // All rows read the one panel.
    let staging = staged(32, 256, VTCM.bytes);
    assert_eq!((staging.whole.len(), staging.whole[0].operand, staging.streamed.len()), (1, 2, 0));
}

#[test]
fn what_is_read_once_is_streamed_by_no_small_tiles() {
    let once = |k: i64| {
        let (mut space, schedule) = nest(128, k);
        space.dims[0].extent = 4;
        Staging::of(&space, &schedule, VTCM)
    };
    assert!(once(64).is_empty());
    assert_eq!(once(128).streamed[0].span, 32 * 128);
}

#[test]
fn loops_go_where_tiles_are_read_in_order() {
    let (space, schedule) = nest(512, 256);
    let mut rows_first = schedule.clone();
    rows_first.loops.swap(0, 1);
    let with =
        |schedule: &Schedule, bytes: i64| arranged(&space, schedule.clone(), Vtcm { bytes, ..VTCM }, &targets()[0]);
    assert_eq!((with(&rows_first, 64 << 10).0, with(&schedule, 64 << 10).0), (schedule.clone(), schedule.clone()));
    // Without room for anything, nothing changes.
    let least = Staging::of(&space, &schedule, VTCM).least;
    assert_eq!(with(&rows_first, 1), (rows_first.clone(), least));
    assert!(least < Staging::of(&space, &rows_first, VTCM).least);
}

#[test]
fn parts_of_panels_are_read_panel_by_panel() {
    let (mut space, schedule) = nest(512, 256);
    if let Source::Memory(_, packed) = &mut space.main.sources[1] {
        packed.steps[1..].copy_from_slice(&[Step::Panel { size: 64, outer: 64 * 256, inner: 1 }, Step::Linear(64)]);
    }
    let small = Vtcm { bytes: 64 << 10, ..VTCM };
    assert!(Staging::of(&space, &schedule, small).is_empty());
    let (blocked, _) = arranged(&space, schedule, small, &targets()[0]);
    assert_eq!((blocked.loops[0].dim, blocked.loops[0].step), (1, 64));
    assert_eq!(Staging::of(&space, &blocked, small).streamed[0].span, 64 * 256);
}

#[test]
fn budgets_are_kept() {
    let full = staged(128, 256, VTCM.bytes);
    let needed: i64 = full.tiles().map(|tiles| tiles.bytes).sum();
    for bytes in 0..=needed {
        let staging = staged(128, 256, bytes);
        assert!(staging.tiles().map(|tiles| tiles.bytes).sum::<i64>() <= bytes);
        assert_eq!(staging.least, full.least);
        assert_eq!(staging.is_empty(), bytes < full.least.unwrap(), "{bytes}");
    }
    let one = staged(128, 256, full.least.unwrap());
    assert_eq!((one.streamed[0].places, one.whole.len()), (1, 0));
}

#[test]
fn slices_are_there_as_a_whole_where_there_is_room() {
    let whole = |n: i64, k: i64, bytes: i64| {
        let (space, schedule) = nest(n, k);
        Staging::whole(&space, &schedule, Vtcm { bytes, ..VTCM })
    };
    let staging = whole(128, 256, VTCM.bytes).unwrap();
    let [panels] = staging.whole.as_slice() else { panic!("{staging:?}") };
    assert_eq!((panels.operand, panels.span, panels.places, staging.depth), (2, 128 * 256, 1, 0));
    assert_eq!(whole(128, 256, panels.bytes).as_ref(), Ok(&staging));
    assert_eq!(whole(128, 256, panels.bytes - 1), Err(NotWhole::NoRoom(panels.bytes)));
    // Few bytes are there as well: somebody wants them to be.
    assert!(whole(128, 4, VTCM.bytes).is_ok_and(|staging| !staging.is_empty()));
    let (mut space, schedule) = nest(128, 256);
    if let Source::Memory(_, packed) = &mut space.main.sources[1] {
        packed.steps[2] = Step::Linear(32 * 3);
        packed.steps[1] = Step::Panel { size: 32, outer: 32 * 256 * 3, inner: 1 };
    }
    assert_eq!(Staging::whole(&space, &schedule, VTCM), Err(NotWhole::Scattered));
    let loops = schedule.loops.iter().map(|own| Loop { form: Form::Elements, ..*own }).collect();
    let scalar = Schedule { loops, packs: Vec::new() };
    assert_eq!(Staging::whole(&space, &scalar, VTCM), Err(NotWhole::NoVectors));
}

#[test]
fn small_operands_stay_where_they_are() {
    let staging = staged(128, 4, VTCM.bytes);
    assert!(staging.is_empty() && staging.least.is_none(), "{staging:?}");
}
