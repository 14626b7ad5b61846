//! What is kept follows from what a machine measures; here the machine is made up.

use super::search::{Kernel, Machine, Outcome, Pairs, Trial, tune};
use crate::failure::Failure;
use std::cell::Cell;
use std::time::Duration;

/// A machine on which schedules take the time that their text says: microseconds in the order of confirmations.
struct MadeUp {
    /// The keys of the kernels of each operation, which takes 100 microseconds for each.
    operations: Vec<Vec<&'static str>>,
    /// How much the model takes besides.
    around: f64,
    /// Rounds that there is time for.
    rounds: Cell<u32>,
    /// What was tried.
    tried: Vec<Trial>,
}

impl MadeUp {
    fn new(operations: &[&[&'static str]]) -> MadeUp {
        let operations = operations.iter().map(|keys| keys.to_vec()).collect();
        MadeUp { operations, around: 0.0, rounds: Cell::new(100), tried: Vec::new() }
    }

    /// `80`: always; `80 then 120`: for the first time, and when measured again.
    fn us(&self, trial: &Trial, key: &str) -> f64 {
        let Some(text) = trial.get(key) else { return 100.0 };
        let times: Vec<f64> = text.split(" then ").map(|time| time.parse().unwrap()).collect();
        let before = self.tried.iter().filter(|tried| tried.get(key) == Some(text)).count();
        times[before.saturating_sub(1).min(times.len() - 1)]
    }
}

impl Machine for MadeUp {
    fn operations(&mut self, trial: &Trial) -> Result<Vec<Pairs>, Failure> {
        self.tried.push(trial.clone());
        self.rounds.set(self.rounds.get().saturating_sub(1));
        let of = |keys: &Vec<&str>| Pairs {
            chosen: vec![100.0 * keys.len() as f64; 5],
            other: vec![keys.iter().map(|key| self.us(trial, key)).sum(); 5],
        };
        Ok(self.operations.iter().map(of).collect())
    }

    fn whole(&mut self, trial: &Trial) -> Result<Pairs, Failure> {
        let keys: Vec<&str> = self.operations.concat();
        let other = keys.iter().map(|key| self.us(trial, key)).sum::<f64>() + self.around;
        Ok(Pairs { chosen: vec![100.0 * keys.len() as f64; 5], other: vec![other; 5] })
    }

    fn left(&self) -> Duration {
        Duration::from_secs(self.rounds.get().into())
    }

    fn progress(&self, _: &str) {}
}

fn kernel(key: &str, alternatives: &[&str], operations: &[usize]) -> Kernel {
    let alternatives = alternatives.iter().map(ToString::to_string).collect();
    Kernel { key: key.into(), alternatives, operations: operations.to_vec() }
}

fn kept(outcome: &Outcome, kernels: &[Kernel]) -> Vec<(String, String)> {
    outcome.of(kernels).filter_map(|(kernel, found)| Some((kernel.key.clone(), found.schedule.clone()?))).collect()
}

fn texts(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(key, text)| (key.to_string(), text.to_string())).collect()
}

#[test]
fn each_kernel_gets_what_is_best_for_it() {
    let kernels =
        [kernel("a", &["120", "90", "70", "80"], &[0, 2]), kernel("b", &["60"], &[1]), kernel("c", &[], &[3])];
    let mut machine = MadeUp::new(&[&["a"], &["b"], &["a"], &["c"]]);
    let outcome = tune(&kernels, &mut machine).unwrap();
    assert_eq!(kept(&outcome, &kernels), texts(&[("a", "70"), ("b", "60")]));
    assert_eq!((outcome.kernels[0].us, outcome.kernels[1].us), ([200.0, 140.0], [100.0, 60.0]));
    assert_eq!((outcome.us, outcome.rounds, outcome.is_complete), ([400.0, 300.0], 4, true));
    // Each round tries one of every kernel that has some left.
    let tried: Vec<usize> = machine.tried.iter().map(Trial::len).collect();
    assert_eq!(tried, [0, 2, 1, 1, 1, 2]);
}

#[test]
fn what_is_not_faster_by_more_than_noise_is_left() {
    let kernels = [kernel("a", &["98", "105"], &[0]), kernel("b", &["100"], &[1])];
    let outcome = tune(&kernels, &mut MadeUp::new(&[&["a"], &["b"]])).unwrap();
    assert_eq!(kept(&outcome, &kernels), []);
    assert_eq!(outcome.us, [200.0, 200.0]);
}

#[test]
fn what_is_not_faster_when_it_is_measured_again_is_left() {
    let kernels = [kernel("a", &["80 then 101"], &[0]), kernel("b", &["80"], &[1])];
    let outcome = tune(&kernels, &mut MadeUp::new(&[&["a"], &["b"]])).unwrap();
    assert_eq!(kept(&outcome, &kernels), texts(&[("b", "80")]));
    assert_eq!(outcome.us, [200.0, 180.0]);
}

#[test]
fn nothing_is_kept_where_the_whole_model_is_slower() {
    let kernels = [kernel("a", &["80"], &[0])];
    let mut machine = MadeUp { around: 25.0, ..MadeUp::new(&[&["a"]]) };
    let outcome = tune(&kernels, &mut machine).unwrap();
    assert_eq!(kept(&outcome, &kernels), []);
    assert_eq!((outcome.us, outcome.kernels[0].us), ([100.0, 100.0], [100.0, 100.0]));
}

#[test]
fn kernels_of_one_operation_are_tried_one_after_the_other() {
    let kernels = [kernel("a", &["80"], &[0]), kernel("b", &["150", "90"], &[0]), kernel("c", &["70"], &[1])];
    let mut machine = MadeUp::new(&[&["a", "b"], &["c"]]);
    let outcome = tune(&kernels, &mut machine).unwrap();
    assert_eq!(kept(&outcome, &kernels), texts(&[("a", "80"), ("b", "90"), ("c", "70")]));
    let rounds = &machine.tried[1..=outcome.rounds];
    assert!(rounds.iter().all(|trial| !(trial.contains_key("a") && trial.contains_key("b"))), "{rounds:?}");
}

#[test]
fn it_ends_in_time_and_says_so() {
    let all: Vec<String> = (0..50).map(|number| (99 - number).to_string()).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let kernels = [kernel("a", &all, &[0])];
    let machine = MadeUp::new(&[&["a"]]);
    machine.rounds.set(10);
    let mut machine = machine;
    let outcome = tune(&kernels, &mut machine).unwrap();
    assert!(!outcome.is_complete && outcome.rounds == 7, "{} rounds", outcome.rounds);
    assert_eq!(kept(&outcome, &kernels), texts(&[("a", "93")]));
    let machine = MadeUp::new(&[&["a"]]);
    machine.rounds.set(0);
    let mut machine = machine;
    assert_eq!(tune(&kernels, &mut machine).unwrap().rounds, 0);
}

#[test]
fn kernels_that_take_next_to_nothing_are_left() {
    let mut operations: Vec<&[&str]> = vec![&["big"]; 600];
    operations.push(&["small"]);
    let kernels = [kernel("big", &["90"], &(0..600).collect::<Vec<_>>()), kernel("small", &["1"], &[600])];
    let outcome = tune(&kernels, &mut MadeUp::new(&operations)).unwrap();
    assert_eq!(kept(&outcome, &kernels), texts(&[("big", "90")]));
    assert_eq!(outcome.kernels.len(), 1);
}
