//! What is written is read back, and what does not fit is said at its place.

use super::{parse, print};
use crate::nest::Nest;
use crate::nest::legal::check;
use crate::nest::random::random;
use crate::nest::search::choose;
use crate::nest::testing::{product, scaled, targets};

#[test]
fn schedules_come_back_as_they_were() {
    for space in [product(100, 96, 64), scaled(77)] {
        for target in targets() {
            let chosen = [choose(&space, &target)];
            for schedule in chosen.into_iter().chain((1..40).map(|seed| random(&space, &target, seed))) {
                assert_eq!(check(&space, &schedule), Ok(()));
                let nest = Nest { space: space.clone(), schedule };
                let text = print(&nest, "a target");
                let written = parse(&text).unwrap();
                assert_eq!((&written.schedule, &written.key), (&nest.schedule, &space.key()), "{text}");
                assert_eq!(written.check(&space), Ok(()));
            }
        }
    }
}

/// Line and column of what is wrong with the loops of a product of matrices, and the message.
fn problem(loops: &str) -> String {
    let text = format!("// A comment.\nkernel 0123456789abcdef {{\n{loops}\n}}\n");
    let problem = parse(&text).and_then(|written| written.check(&product(100, 96, 64))).unwrap_err();
    format!("{}:{}: {}", problem.place.0, problem.place.1, problem.message)
}

#[test]
fn what_is_no_schedule_is_said_at_its_place() {
    let expected = [
        ("loop x0;", "3:6: expected a dimension such as `d0`"),
        ("loop d0 by;", "3:11: expected a number"),
        ("loop d0 by 99999999999;", "3:12: 99999999999 is too large"),
        ("reduce d2; loop d0;", "3:12: loops along parallel dimensions stand before those along reduced ones"),
        ("loop d0 by 2; loop d1 by 2;", "3:23: d0 is cut into rows already; one dimension can be"),
        ("loop d0; loop d1; reduce d2 by 4;", "3:29: a reduced dimension is cut into vectors only"),
        ("unroll d2; reduce d3;", "3:12: dimensions that are unrolled stand behind those that have loops"),
    ];
    for (loops, message) in expected {
        assert_eq!(problem(loops), message, "{loops}");
    }
}

#[test]
fn what_does_not_fit_is_said_at_its_dimension() {
    let expected = [
        ("loop d0; loop d7; reduce d2;", "3:15: there is no dimension d7"),
        ("loop d0; reduce d2;", "2:8: no loop goes along d1, which is parallel"),
        ("loop d0; loop d0; loop d1; reduce d2;", "3:15: d0 has a loop already"),
        ("loop d0; loop d1; loop d2;", "3:24: d2 is not parallel"),
        (
            "loop d0; loop d1 by 24 in vectors of 16; reduce d2;",
            "3:15: a tile of 24 elements is not cut into vectors of 16",
        ),
        ("loop d0; loop d1 by 24 in vectors of 12; reduce d2;", "3:15: vectors have 2, 4, 8, ... 64 lanes, not 12"),
        (
            "loop d0; loop d1 by 64 in vectors of 16; reduce d2;",
            "3:15: a tile of 64 elements does not divide the panels of 32 of an operand",
        ),
        (
            "loop d0 by 8 in vectors of 8; loop d1; reduce d2;",
            "3:6: the elements along d0 are not neighbours in every operand",
        ),
        ("loop d0; loop d1 by 2; reduce d2;", "3:15: an operand is cut into panels along d1"),
        ("loop d0 by 0; loop d1; reduce d2;", "3:6: a tile has 1 row or more"),
        ("loop d0 by 200; loop d1; reduce d2;", "3:6: a tile has 200 vectors or single elements; the limit is 128"),
        ("loop d0 by 64; loop d1; unroll d2;", "3:32: 4096 points are unrolled; the limit is 2048"),
    ];
    for (loops, message) in expected {
        assert_eq!(problem(loops), message, "{loops}");
    }
}
