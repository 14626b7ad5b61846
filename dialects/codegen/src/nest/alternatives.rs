//! Schedules that may be better on a machine than the one that is chosen: what is measured.

use super::copies::two_level;
use super::cost::cost;
use super::legal::check;
use super::parallel::shareable;
use super::schedule::{Form, Kind, Loop, Schedule};
use super::search::{candidates, choose};
use super::space::Space;
use crate::target::Target;
use std::collections::HashSet;

/// How many times more than the best one a schedule may be expected to cost.
const WORST: f64 = 4.0;
/// Schedules to which loops over blocks are added, and copies.
const BLOCKED: usize = 3;
/// Tiles in a block.
const TILES: [i64; 2] = [4, 16];

/// Legal schedules of a space in place of the chosen one, those first that are expected to be better; threads can share the
/// work of each as well as that of the chosen one.
pub fn alternatives(space: &Space, target: &Target, most: usize) -> Vec<Schedule> {
    let chosen = choose(space, target);
    let least = shareable(space, &chosen);
    let fits = |schedule: &Schedule| check(space, schedule).is_ok() && shareable(space, schedule) >= least;
    let judged = |schedule: Schedule| (cost(space, &schedule, target), schedule);
    let mut found: Vec<(f64, Schedule)> = candidates(space, target).into_iter().filter(fits).map(judged).collect();
    found.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let best: Vec<Schedule> = found.iter().take(BLOCKED).map(|(_, schedule)| schedule.clone()).collect();
    let others = |schedule: &Schedule| [blocked(space, schedule), two_level(space, schedule)].concat();
    found.extend(best.iter().flat_map(others).filter(fits).map(judged));
    found.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let limit = WORST * found.first().map_or(0.0, |(least, _)| *least);
    let mut known = HashSet::from([chosen]);
    let new = found.into_iter().filter(|(cost, schedule)| *cost <= limit && known.insert(schedule.clone()));
    new.map(|(_, schedule)| schedule).take(most).collect()
}

/// The schedule with a loop over blocks of one of its parallel dimensions around all others.
fn blocked(space: &Space, schedule: &Schedule) -> Vec<Schedule> {
    let mut all = Vec::new();
    for own in schedule.around().iter().filter(|own| own.kind == Kind::Parallel) {
        for tiles in TILES {
            let block = Loop { step: own.step * tiles, kind: Kind::Parallel, form: Form::Elements, ..*own };
            if block.step < space.dims[own.dim].extent {
                let loops = [block].into_iter().chain(schedule.loops.iter().copied()).collect();
                all.push(Schedule { loops, packs: Vec::new() });
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nest::testing::{only_read, product, product_of_bytes, products_of_images, scaled, targets};

    #[test]
    fn alternatives_are_legal_others_and_shared_as_well() {
        let spaces = [product(512, 960, 160), product_of_bytes(100, 96, 63), scaled(77), products_of_images(56)];
        for (space, target) in spaces.iter().flat_map(|space| targets().into_iter().map(move |target| (space, target)))
        {
            let chosen = choose(space, &target);
            let found = alternatives(space, &target, 24);
            assert!(found.len() <= 24 && !found.contains(&chosen), "{target}");
            for schedule in &found {
                assert_eq!(check(space, schedule), Ok(()), "{target}");
                assert!(shareable(space, schedule) >= shareable(space, &chosen), "{target}: {schedule:?}");
            }
            let different: HashSet<_> = found.iter().collect();
            assert_eq!(different.len(), found.len());
        }
    }

    #[test]
    fn large_products_have_alternatives_with_blocks() {
        let found = alternatives(&product(512, 960, 160), &targets()[1], 64);
        assert!(found.iter().any(|schedule| schedule.around().len() > 2), "{found:?}");
        assert!(alternatives(&product(512, 960, 160), &targets()[1], 5).len() == 5);
        let found = alternatives(&only_read(product(1024, 1024, 1024)), &targets()[0], 64);
        assert!(found.iter().any(|schedule| schedule.blocks().is_some() && !schedule.packs.is_empty()), "{found:?}");
    }
}
