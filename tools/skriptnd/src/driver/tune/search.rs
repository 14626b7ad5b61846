//! Which schedules of a model's kernels are faster than those that are chosen, by what a machine measures.
//!
//! In a round each kernel takes the next of its alternatives, so that a few compilations try all; the operations of the model tell
//! the kernels' times apart. What was faster is measured once more, all of it together, by operations and at last as a whole:
//! nothing is kept that is not faster every time.

use crate::failure::Failure;
use std::collections::BTreeMap;
use std::time::Duration;

/// A schedule is better where runs take less than this part of the time.
const BETTER: f64 = 0.97;
/// Kernels that take less than this part of a run are left as they are.
const LEAST_SHARE: f64 = 0.002;
/// Compilations that must fit into the time that is left when another round begins: its own, and those that confirm.
const RESERVED: u32 = 3;

/// Schedules in place of those that are chosen, as text, by the keys of their kernels.
pub type Trial = BTreeMap<String, String>;

/// Microseconds of runs one after the other, and of those with other schedules between them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pairs {
    /// With the schedules that are chosen.
    pub chosen: Vec<f64>,
    /// With others.
    pub other: Vec<f64>,
}

/// What runs a model.
pub trait Machine {
    /// What each operation of the model takes.
    ///
    /// # Errors
    /// Where the model can't be compiled or run.
    fn operations(&mut self, trial: &Trial) -> Result<Vec<Pairs>, Failure>;

    /// What the model takes as it is compiled without marks.
    ///
    /// # Errors
    /// As above.
    fn whole(&mut self, trial: &Trial) -> Result<Pairs, Failure>;

    /// The time that is left.
    fn left(&self) -> Duration;

    /// Shows how far it is.
    fn progress(&self, what: &str);
}

/// A kernel of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Kernel {
    /// Tells what it computes.
    pub key: String,
    /// Other schedules, those first that are expected to be better.
    pub alternatives: Vec<String>,
    /// The operations that run it, by their numbers.
    pub operations: Vec<usize>,
}

/// What was found of a kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The number of the kernel.
    pub kernel: usize,
    /// Microseconds of its operations in a run, with the schedule that is chosen and with the best one.
    pub us: [f64; 2],
    /// The best schedule, where it is better than the one that is chosen.
    pub schedule: Option<String>,
    /// How many alternatives were measured.
    pub tried: usize,
}

/// What was found of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Of each kernel that was looked at.
    pub kernels: Vec<Found>,
    /// Microseconds of a run, with the schedules that are chosen and with what is kept.
    pub us: [f64; 2],
    /// How often all kernels took another schedule.
    pub rounds: usize,
    /// Whether the time was enough for all alternatives.
    pub is_complete: bool,
}

impl Outcome {
    /// The kernels that were looked at.
    pub fn of<'k>(&self, kernels: &'k [Kernel]) -> impl Iterator<Item = (&'k Kernel, &Found)> {
        self.kernels.iter().filter_map(|found| Some((kernels.get(found.kernel)?, found)))
    }
}

/// Looks for better schedules as long as there is time.
///
/// # Errors
/// Those of the machine.
pub fn tune(kernels: &[Kernel], machine: &mut dyn Machine) -> Result<Outcome, Failure> {
    let mut search = Search::begin(kernels, machine)?;
    while search.go_on(machine)? {}
    search.confirm(machine)?;
    search.finish(machine)
}

/// Where the search stands with a kernel.
struct Standing {
    kernel: usize,
    tried: usize,
    chosen_us: f64,
    /// The best alternative with the part of the time that it takes.
    best: Option<(usize, f64)>,
}

struct Search<'k> {
    kernels: &'k [Kernel],
    all: Vec<Standing>,
    longest: Duration,
    rounds: usize,
}

impl<'k> Search<'k> {
    /// Finds out which kernels are worth it.
    fn begin(kernels: &'k [Kernel], machine: &mut dyn Machine) -> Result<Search<'k>, Failure> {
        machine.progress("measuring the model as it is");
        let before = machine.left();
        let operations = machine.operations(&Trial::new())?;
        let longest = before.saturating_sub(machine.left());
        let whole: f64 = operations.iter().map(|pairs| median(&pairs.chosen)).sum();
        let standing = |(kernel, of): (usize, &Kernel)| {
            let chosen_us = median(&pairs_of(of, &operations).chosen);
            let is_worth = !of.alternatives.is_empty() && chosen_us > LEAST_SHARE * whole;
            is_worth.then_some(Standing { kernel, tried: 0, chosen_us, best: None })
        };
        let all = kernels.iter().enumerate().filter_map(standing).collect();
        Ok(Search { kernels, all, longest, rounds: 0 })
    }

    /// Tries another alternative of as many kernels as possible; whether there was one, and time for it.
    fn go_on(&mut self, machine: &mut dyn Machine) -> Result<bool, Failure> {
        let tried = self.next();
        if tried.is_empty() || machine.left().is_zero() || machine.left() < self.longest * RESERVED {
            return Ok(false);
        }
        self.rounds += 1;
        let rounds = self.all.iter().map(|own| self.kernels[own.kernel].alternatives.len()).max().unwrap_or(0);
        machine.progress(&format!("round {} of {rounds}, {} kernels", self.rounds, tried.len()));
        let before = machine.left();
        let trial = tried.iter().map(|&place| self.trial(place, self.all[place].tried)).collect();
        let operations = machine.operations(&trial)?;
        self.longest = self.longest.max(before.saturating_sub(machine.left()));
        for place in tried {
            let own = &mut self.all[place];
            let part = pairs_of(&self.kernels[own.kernel], &operations).part();
            if part.is_better() && own.best.is_none_or(|(_, least)| part.median < least) {
                own.best = Some((own.tried, part.median));
            }
            own.tried += 1;
        }
        Ok(true)
    }

    /// Kernels that have an alternative left; of those that an operation runs, one.
    fn next(&self) -> Vec<usize> {
        let (mut busy, mut next) = (Vec::new(), Vec::new());
        let mut waiting: Vec<usize> = (0..self.all.len()).collect();
        // So that none has to wait for the others to the end.
        waiting.sort_by_key(|&place| self.all[place].tried);
        for place in waiting {
            let Kernel { alternatives, operations, .. } = &self.kernels[self.all[place].kernel];
            if self.all[place].tried < alternatives.len() && !operations.iter().any(|number| busy.contains(number)) {
                busy.extend(operations);
                next.push(place);
            }
        }
        next
    }

    fn trial(&self, place: usize, alternative: usize) -> (String, String) {
        let Kernel { key, alternatives, .. } = &self.kernels[self.all[place].kernel];
        (key.clone(), alternatives[alternative].clone())
    }

    /// The best alternatives of all kernels together.
    fn best(&self) -> Trial {
        let places = (0..self.all.len()).filter_map(|place| Some((place, self.all[place].best?.0)));
        places.map(|(place, alternative)| self.trial(place, alternative)).collect()
    }

    /// Measures what was better once more, and forgets what is not any more. Kernels of one operation are confirmed or forgotten together.
    fn confirm(&mut self, machine: &mut dyn Machine) -> Result<(), Failure> {
        let trial = self.best();
        if trial.is_empty() {
            return Ok(());
        }
        machine.progress("measuring what was better once more");
        let operations = machine.operations(&trial)?;
        for own in self.all.iter_mut().filter(|own| own.best.is_some()) {
            let pairs = pairs_of(&self.kernels[own.kernel], &operations);
            let part = pairs.part();
            own.chosen_us = median(&pairs.chosen);
            own.best = own.best.map(|(best, _)| (best, part.median)).filter(|_| part.is_better());
        }
        Ok(())
    }

    /// Measures the model with what is left; where that is not faster, nothing is kept.
    fn finish(mut self, machine: &mut dyn Machine) -> Result<Outcome, Failure> {
        machine.progress("measuring the whole model");
        let trial = self.best();
        let pairs = machine.whole(&trial)?;
        let chosen = median(&pairs.chosen);
        let is_faster = !trial.is_empty() && pairs.part().median <= 1.0;
        let us = [chosen, if is_faster { median(&pairs.other) } else { chosen }];
        if !is_faster {
            self.all.iter_mut().for_each(|own| own.best = None);
        }
        let is_complete = self.all.iter().all(|own| own.tried == self.kernels[own.kernel].alternatives.len());
        let found = |own: &Standing| Found {
            kernel: own.kernel,
            us: [own.chosen_us, own.chosen_us * own.best.map_or(1.0, |(_, part)| part)],
            schedule: own.best.map(|(best, _)| self.kernels[own.kernel].alternatives[best].clone()),
            tried: own.tried,
        };
        Ok(Outcome { kernels: self.all.iter().map(found).collect(), us, rounds: self.rounds, is_complete })
    }
}

/// What part of the time runs take with other schedules.
#[derive(Debug, Clone, Copy)]
struct Part {
    median: f64,
    /// Three of four are below it.
    most: f64,
}

impl Part {
    /// Whether they are faster by more than what differs from run to run.
    fn is_better(self) -> bool {
        self.median < BETTER && self.most < 1.0
    }
}

impl Pairs {
    fn part(&self) -> Part {
        let mut parts: Vec<f64> = self.chosen.iter().zip(&self.other).map(|(chosen, other)| other / chosen).collect();
        parts.sort_by(f64::total_cmp);
        let at = |place: usize| parts.get(place).copied().filter(|part| part.is_finite()).unwrap_or(1.0);
        Part { median: at(parts.len() / 2), most: at(parts.len() * 3 / 4) }
    }
}

/// The runs of the operations of a kernel together.
fn pairs_of(kernel: &Kernel, operations: &[Pairs]) -> Pairs {
    let own: Vec<&Pairs> = kernel.operations.iter().filter_map(|number| operations.get(*number)).collect();
    let sums = |of: fn(&Pairs) -> &Vec<f64>| {
        let runs = own.iter().map(|pairs| of(pairs).len()).min().unwrap_or(0);
        (0..runs).map(|run| own.iter().map(|pairs| of(pairs)[run]).sum()).collect()
    };
    Pairs { chosen: sums(|pairs| &pairs.chosen), other: sums(|pairs| &pairs.other) }
}

fn median(times: &[f64]) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(0.0)
}
