//! What is written is read back, and what does not fit is said at its place.

use super::{parse, print};
use crate::nest::access::Step;
use crate::nest::atom::Fused;
use crate::nest::legal::check;
use crate::nest::packed::Packed;
use crate::nest::random::random;
use crate::nest::search::choose;
use crate::nest::space::{Dim, Rounding};
use crate::nest::testing::{only_read, product, product_of_bytes, scaled, targets, transposed_product};
use crate::nest::{Nest, Space};

#[test]
fn schedules_come_back_as_they_were() {
    let spaces = [product(100, 96, 64), product_of_bytes(100, 96, 63), scaled(77), transposed_product(100, 96, 600)];
    for space in spaces {
        for target in targets() {
            let chosen = [choose(&space, &target)];
            for schedule in chosen.into_iter().chain((1..40).map(|seed| random(&space, &target, seed))) {
                assert_eq!(check(&space, &schedule), Ok(()));
                let nest = Nest { space: space.clone(), schedule };
                let text = print(&nest, "a target", &["main.sknd:2: linalg.matmul".into()]);
                let written = parse(&text).unwrap();
                assert_eq!((&written.schedule, &written.key), (&nest.schedule, &space.key()), "{text}");
                assert_eq!(written.check(&space, &target), Ok(()));
            }
        }
    }
}

/// What a processor with a grid of blocks, each a grid of threads, would be given: loops over blocks of both dimensions, over what the
/// threads of one have, and over the tile of a thread. A range of the outermost loops is a block of the grid.
#[test]
fn a_grid_of_blocks_and_threads_is_a_list_of_loops() {
    let loops = "loop d0 by 64; loop d1 by 64; loop d0 by 16; loop d1 by 32; loop d0 by 4; loop d1 by 8 in vectors of 4; reduce d2;";
    let written = parse(&format!("kernel 0123456789abcdef {{ {loops} }}")).unwrap();
    let space = product(128, 96, 64);
    assert_eq!(check(&space, &written.schedule), Ok(()));
    let levels =
        |dim| written.schedule.loops.iter().filter(|own| own.dim == dim).map(|own| own.step).collect::<Vec<_>>();
    assert_eq!((levels(0), levels(1)), (vec![64, 16, 4], vec![64, 32, 8]));
    let nest = Nest { space, schedule: written.schedule.clone() };
    assert_eq!(parse(&print(&nest, "a grid", &[])).unwrap().schedule, written.schedule);
    let other = loops.replace("d0 by 16", "d0 by 24");
    assert!(problem(&other).ends_with("blocks of 64 are not made of several parts of 24"), "{}", problem(&other));
}

/// The loops of Goto and van de Geijn: blocks of columns, of terms and of rows, a copy of each factor where its block begins, and tiles.
#[test]
fn two_levels_of_tiles_with_copies_are_a_list_of_loops() {
    let loops = "loop d1 by 96; reduce d2 by 400; pack %2; loop d0 by 64; pack %1; loop d1 by 32 in vectors of 16; \
                 loop d0 by 8; reduce d2;";
    let space = transposed_product(100, 200, 600);
    let written = parse(&format!("kernel 0123456789abcdef {{ {loops} }}")).unwrap();
    let schedule = &written.schedule;
    assert_eq!(check(&space, schedule), Ok(()));
    assert_eq!((schedule.blocks(), schedule.around().len(), schedule.reductions()), (Some((2, 400)), 5, vec![2]));
    let (reading, packs) = Packed::all(&space, schedule).unwrap();
    let panels = |size: i64, outer: i64| Step::Panel { size, outer, inner: 1 };
    assert_eq!(packs[0].target.steps, [Step::Linear(0), panels(32, 32 * 400), Step::Linear(32)]);
    assert_eq!(packs[1].target.steps, [panels(8, 8 * 400), Step::Linear(0), Step::Linear(8)]);
    assert_eq!(packs.iter().map(|packed| packed.elements).collect::<Vec<_>>(), [96 * 400, 64 * 400]);
    let read: Vec<usize> = reading.main.memory().map(|(operand, _)| operand).collect();
    assert_eq!(read, [packs[1].number, packs[0].number]);
    let nest = Nest { space, schedule: schedule.clone() };
    let text = print(&nest, "a target", &[]);
    assert_eq!(parse(&text).unwrap().schedule, nest.schedule, "{text}");
    assert!(text.contains("  reduce d2 by 400;\n  pack %2;\n  loop d0 by 64;\n  pack %1;\n"), "{text}");
}

#[test]
fn vectors_of_what_is_copied_have_whole_panels_or_a_part_of_one() {
    let loops = "loop d0 by 64; pack %1; loop d1 by 32 in vectors of 16; loop d0 by 8; reduce d2;";
    let space = transposed_product(100, 200, 4);
    let (reading, packs) = Packed::all(&space, &parse(&format!("kernel 01 {{ {loops} }}")).unwrap().schedule)
        .map(|(reading, packs)| (reading.into_owned(), packs))
        .unwrap();
    let copied = |rows: i64, lanes: i64| {
        let copying = packs[0].copying(&reading, |dim| Some(if dim == 0 { rows } else { 4 }));
        let loops = format!("loop d0 by {lanes} in vectors of {lanes}; loop d1; loop d2;");
        check(&copying, &parse(&format!("kernel 01 {{ {loops} }}")).unwrap().schedule).is_ok()
    };
    assert_eq!([(48, 16), (40, 16), (40, 8)].map(|(rows, lanes)| copied(rows, lanes)), [true, false, true]);
}

#[test]
fn copies_and_blocks_that_do_not_fit_are_said() {
    let space = transposed_product(100, 200, 600);
    let fails = |space: &Space, loops: &str| {
        let written = parse(&format!("kernel 0123456789abcdef {{ {loops} }}")).unwrap();
        check(space, &written.schedule).map_err(|illegal| illegal.reason)
    };
    let tiles = "loop d1 by 32 in vectors of 16; loop d0 by 8; reduce d2;";
    let expected = [
        ("reduce d2 by 256;", "blocks of 256 elements are no whole chains of 200 terms"),
        ("reduce d2 by 600;", "d2 has 600 elements, which are no several blocks of 600"),
        ("pack %0;", "%0 is not read once where sums are computed"),
        ("pack %3;", "%3 is not read once where sums are computed"),
        ("pack %9;", "%9 is not read once where sums are computed"),
    ];
    for (outer, message) in expected {
        assert_eq!(fails(&space, &format!("{outer} {tiles}")), Err(message.to_string()), "{outer}");
    }
    assert_eq!(fails(&space, &format!("reduce d2 by 400; {tiles}")), Ok(()));
    let inside = "loop d1 by 32 in vectors of 16; loop d0 by 8; pack %2; reduce d2;";
    assert_eq!(fails(&space, inside), Err("a tile along d1 is packed around its loop, not within".into()));
    // Neighbours in vectors are those of the copy.
    let across = "loop d0 by 16 in vectors of 16; loop d1 by 4; reduce d2;";
    let mut rows = product(100, 200, 600);
    rows.output.1.steps[..2].copy_from_slice(&[Step::Linear(1), Step::Linear(100)]);
    assert!(fails(&only_read(rows.clone()), across).is_err());
    assert_eq!(fails(&only_read(rows.clone()), &format!("pack %1; {across}")), Ok(()));
    assert_eq!(fails(&rows, &format!("pack %1; {across}")), Err("%1 is no memory of numbers that is only read".into()));
    assert_eq!(
        fails(&rows, &format!("reduce d2 by 200; {tiles}")),
        Err("accumulators can't lie where the results will from one block to the next".into())
    );
    let mut open = space.clone();
    open.dims[0].is_open = true;
    let unknown = "only a run knows how much is packed along d0";
    assert_eq!(fails(&open, &format!("pack %1; {tiles}")), Err(unknown.into()));
    assert_eq!(fails(&open, &format!("loop d0 by 64; pack %1; {tiles}")), Ok(()));
    open.dims[2].is_open = true;
    assert_eq!(fails(&open, &format!("loop d0 by 64; reduce d2 by 512; pack %1; {tiles}")), Ok(()));
    let exact = Space { rounding: Rounding::Formula, ..space.clone() };
    assert_eq!(fails(&exact, &format!("reduce d2 by 200; {tiles}")), Err("what is combined has no blocks".into()));
    assert_eq!(fails(&exact, &format!("pack %1; {tiles}")), Ok(()));
}

/// Line and column of what is wrong with the loops of a product of matrices, and the message.
fn problem(loops: &str) -> String {
    problem_of(&product(100, 96, 64), loops)
}

fn problem_of(space: &Space, loops: &str) -> String {
    let text = format!("// A comment.\nkernel 0123456789abcdef {{\n{loops}\n}}\n");
    let problem = parse(&text).and_then(|written| written.check(space, &targets()[0])).unwrap_err();
    format!("{}:{}: {}", problem.place.0, problem.place.1, problem.message)
}

#[test]
fn the_best_atom_is_chosen() {
    let chosen = |depth: i64| -> Vec<_> {
        let atom =
            |target| choose(&product_of_bytes(100, 96, depth), target).grouped().map(|grouped| grouped.atom.name);
        targets().iter().map(atom).collect()
    };
    let vectors = Some("vpdpbusd-512");
    assert_eq!(chosen(63), [vectors, None, None, None, None, vectors]);
    assert_eq!(chosen(64), [vectors, None, None, None, None, Some("tdpbusd")]);
}

#[test]
fn atoms_that_do_not_fit_are_said_at_their_place() {
    let bytes = product_of_bytes(100, 96, 63);
    let expected = [
        ("reduce d2 with magic;", "3:34: there is no atom `magic`"),
        ("reduce d2 with sdot;", "3:34: the target has no sdot"),
        ("reduce d2 with vpdpwssd;", "3:34: vpdpwssd adds 2 products, the groups have 4"),
        ("reduce d2 with 512-;", "3:34: there is no atom `512-`"),
        ("loop d2 with vpdpbusd;", "3:32: products are added along reduced dimensions"),
    ];
    for (reduction, message) in expected {
        assert_eq!(problem_of(&bytes, &format!("loop d0; loop d1; {reduction}")), message, "{reduction}");
    }
    assert_eq!(
        problem("loop d0; loop d1; reduce d2 with vpdpbusd;"),
        "3:34: no operand is cut into groups along d2, whose products could be added at once"
    );
}

#[test]
fn vectors_of_any_length_are_masked_neighbours_without_atoms() {
    let all = targets();
    let sve = &all[3];
    let problem_on = |space: &Space, target, loops: &str| {
        let text = format!("kernel 0123456789abcdef {{ {loops} }}");
        parse(&text).unwrap().check(space, target).unwrap_err().message
    };
    let known = "the length of the target's vectors is known: it has no factor";
    assert_eq!(problem_on(&scaled(77), &all[2], "loop d0 by [4] in vectors of [4] masked;"), known);
    let fails = |space: &Space, loops: &str| problem_on(space, sve, loops);
    let about = "vectors whose length only the processor knows";
    assert_eq!(fails(&scaled(77), "loop d0 by [4] in vectors of [4];"), format!("{about} have a masked rest"));
    assert_eq!(
        fails(&scaled(77), "loop d0 by [32] in vectors of [32] masked;"),
        format!("{about} have up to [16] lanes")
    );
    assert_eq!(
        fails(&product(8, 96, 64), "loop d0; loop d1 by [4] in vectors of [4] masked; reduce d2;"),
        format!("{about} take neighbours only")
    );
    // A single element is one without a factor only.
    assert_eq!(
        fails(&scaled(77), "loop d0 by [4] in vectors of [1] masked;"),
        "vectors have 2, 4, ... 128 lanes, not 1"
    );
}

#[test]
fn what_does_not_fit_registers_for_matrices_is_said() {
    let targets = targets();
    let amx = targets.last().unwrap();
    let problem_of = |depth: i64, loops: &str| {
        let written = parse(&format!("kernel 0123456789abcdef {{ {loops} }}")).unwrap();
        written.check(&product_of_bytes(100, 96, depth), amx).map_err(|problem| problem.message)
    };
    let tile = |rows: i64, columns: i64| {
        format!("loop d0 by {rows}; loop d1 by {columns} in vectors of 16; reduce d2 with tdpbusd;")
    };
    assert_eq!((problem_of(64, &tile(32, 32)), problem_of(64, &tile(25, 16))), (Ok(()), Ok(())));
    let most = "tdpbusd has tiles of 32 rows and 32 columns in vectors of 16 at most";
    assert_eq!(problem_of(64, &tile(33, 32)).unwrap_err(), most);
    assert_eq!(
        problem_of(62, &tile(32, 32)).unwrap_err(),
        "tdpbusd takes equal parts of whole groups, which 62 elements don't have"
    );
    assert_eq!(
        problem_of(64, "loop d0; loop d1; reduce d2 with tdpbusd;").unwrap_err(),
        "tdpbusd needs rows and vectors"
    );
    assert_eq!(
        problem_of(64, &tile(32, 32).replace("reduce", "unroll")).unwrap_err(),
        "tdpbusd is in no loop that is unrolled"
    );
    assert!(
        problem_of(64, &tile(32, 32).replace("usd", "ssd")).unwrap_err().starts_with("tdpbssd does not add products")
    );
}

#[test]
fn what_is_no_schedule_is_said_at_its_place() {
    let expected = [
        ("loop x0;", "3:6: expected a dimension such as `d0`"),
        ("loop d0 by;", "3:11: expected `[4]` or a number"),
        ("loop d0 by 99999999999;", "3:12: 99999999999 is too large"),
        ("reduce d2; loop d0;", "3:12: loops along parallel dimensions stand before those along reduced ones"),
        ("loop d0; loop d1; unroll d2 by 4;", "3:29: a dimension is either unrolled or cut into blocks"),
        ("loop d0; loop d1; reduce d2 by 4;", "3:26: no loop goes over the elements of blocks of d2"),
        ("unroll d2; reduce d3;", "3:12: dimensions that are unrolled stand behind those that have loops"),
    ];
    for (loops, message) in expected {
        assert_eq!(problem(loops), message, "{loops}");
    }
}

#[test]
fn terms_of_formulas_are_combined_in_their_order() {
    let mut space = product(100, 96, 64);
    space.dims.push(Dim { extent: 3, ..space.dims[2] });
    space.walked_mut().into_iter().for_each(|(_, access)| access.steps.push(Step::Linear(0)));
    space.rounding = Rounding::Formula;
    let problem = |loops: &str| {
        let text = format!("kernel 0123456789abcdef {{ {loops} }}");
        parse(&text).unwrap().check(&space, &targets()[0]).err().map(|problem| problem.message)
    };
    let usual = "loop d0; loop d1 by 32 in vectors of 16;";
    assert_eq!(problem(&format!("{usual} reduce d2; reduce d3;")), None);
    assert_eq!(problem(&format!("{usual} reduce d2; unroll d3;")), None);
    let order = "the result depends on the order of this reduction";
    assert_eq!(problem(&format!("{usual} reduce d3; reduce d2;")).unwrap(), order);
    let terms = "the terms of the formula are combined one after the other, where it is rounded as it says";
    assert_eq!(problem("loop d0; loop d1; reduce d2; reduce d3 by 2 in vectors of 2;").unwrap(), terms);
    for target in targets() {
        let chosen = choose(&space, &target);
        assert_eq!((chosen.reductions(), space.fused(&target)), (vec![2, 3], Fused::NONE), "{target}");
        assert!(chosen.vectors().is_none_or(|vectors| vectors.dim < 2), "{target}");
    }
    let bounded = Space { rounding: Rounding::Bounded, ..space.clone() };
    assert_ne!(bounded.key(), space.key());
    assert_ne!(bounded.fused(&targets()[0]), Fused::NONE);
}

#[test]
fn what_does_not_fit_is_said_at_its_dimension() {
    let expected = [
        ("loop d0; loop d7; reduce d2;", "3:15: there is no dimension d7"),
        ("loop d0; reduce d2;", "2:8: no loop goes along d1, which is parallel"),
        ("loop d0; loop d0; loop d1; reduce d2;", "3:15: blocks of 1 are not made of several parts of 1"),
        ("loop d0 by 12; loop d1; loop d0 by 8; reduce d2;", "3:30: blocks of 12 are not made of several parts of 8"),
        (
            "loop d1 by 32 in vectors of 16; loop d1; loop d0; reduce d2;",
            "3:38: d1 is cut into vectors already; no loop stands within",
        ),
        (
            "loop d0 by 512; loop d0 by 256; loop d0 by 128; loop d0 by 64; loop d0 by 32; loop d0 by 16; loop d0 by 8; \
             loop d0 by 4; loop d0 by 2; loop d0; loop d1; reduce d2;",
            "3:141: more than 8 loops go over blocks",
        ),
        ("loop d0 by 2; loop d1 by 2; reduce d2;", "3:20: d0 is cut into rows already; one dimension can be"),
        ("loop d0; loop d1; reduce d2; reduce d2;", "3:37: d2 has a loop already"),
        ("loop d0; loop d1; loop d2;", "3:24: d2 is not parallel"),
        (
            "loop d0; loop d1 by 24 in vectors of 16; reduce d2;",
            "3:15: a tile of 24 elements is not cut into vectors of 16",
        ),
        ("loop d0; loop d1 by 24 in vectors of 12; reduce d2;", "3:15: vectors have 1, 2, ... 128 lanes, not 12"),
        ("loop d0; loop d1 by 12 in vectors of 1; reduce d2;", "3:15: 12 elements along d1 are not evenly apart"),
        (
            "loop d0; loop d1 by 64 in vectors of 16; reduce d2;",
            "3:15: a tile of 64 elements does not divide the panels of 32 of an operand",
        ),
        (
            "loop d0 by 8 in vectors of 8; loop d1; reduce d2;",
            "3:6: the elements along d0 are not neighbours in every operand",
        ),
        ("loop d0; loop d1 by 5; reduce d2;", "3:15: an operand is cut into panels along d1"),
        ("loop d0 by 0; loop d1; reduce d2;", "3:6: a tile has 1 row or more"),
        ("loop d0 by 200; loop d1; reduce d2;", "3:6: a tile has 200 vectors or single elements; the limit is 128"),
        ("loop d0 by 64; loop d1; unroll d2;", "3:32: 4096 points are unrolled; the limit is 2048"),
    ];
    for (loops, message) in expected {
        assert_eq!(problem(loops), message, "{loops}");
    }
}
