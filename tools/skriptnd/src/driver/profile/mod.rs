//! `skriptnd bench --profile`: which lines of a model take the time of its runs, and how near they are to what the machine can do.

mod limits;
mod measured;
mod packets;
mod roofline;
mod table;
mod trace;

use super::engine::Engine;
use super::output::write;
use super::profile_options::ProfileOptions;
use crate::failure::Failure;
pub use limits::{Limited, Limits, Multiplied, Probe, probes};
pub use measured::{Measured, times};
pub use packets::Packets;
use serde_json::{Value as Json, json};
use skriptnd_runtime::atomic::Mode;
use skriptnd_runtime::session::profile::Event;
use std::time::{Duration, Instant};

/// The profile of a model.
pub struct Profile {
    /// The operations, in the order in which the model has them.
    pub operations: Vec<Measured>,
    /// What ran in the shortest run.
    pub events: Vec<Event>,
    /// Microseconds of all runs, shortest first.
    pub times: Vec<f64>,
    /// What the machine can do.
    pub limits: Limits,
}

impl Profile {
    /// Writes the files that are asked for.
    pub fn write(&self, options: &ProfileOptions) -> Result<(), Failure> {
        if let Some(file) = &options.trace {
            write(file, Mode::Plain, trace::json(self).to_string())?;
        }
        match &options.roofline {
            Some(file) => write(file, Mode::Plain, roofline::svg(self)),
            None => Ok(()),
        }
    }
}

/// Runs a model again and again, for about a second if no number of runs is given.
pub fn measure(engine: &mut dyn Engine, iterations: Option<u32>, limits: Limits) -> Result<Profile, Failure> {
    let mut runs: Vec<(f64, Vec<Event>)> = Vec::new();
    let started = Instant::now();
    let is_enough = |count: usize| match iterations {
        Some(iterations) => count >= iterations as usize,
        None => count >= 3 && started.elapsed() > Duration::from_secs(1),
    };
    while !is_enough(runs.len()) {
        let started = Instant::now();
        let events = engine.profile()?;
        runs.push((started.elapsed().as_nanos() as f64 / 1e3, events));
    }
    runs.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let operations = measured::of_runs(engine.operations(), runs.iter().map(|(_, events)| events.as_slice()));
    let times = runs.iter().map(|(time, _)| *time).collect();
    let events = runs.into_iter().next().map_or_else(Vec::new, |(_, events)| events);
    Ok(Profile { operations, events, times, limits })
}

impl Profile {
    /// Microseconds of all operations together.
    fn whole(&self) -> f64 {
        self.operations.iter().map(|operation| operation.us).sum()
    }

    /// What part of the time an operation takes.
    pub fn share(&self, operation: &Measured) -> f64 {
        let whole = self.whole();
        if whole > 0.0 { operation.us / whole } else { 0.0 }
    }

    /// What part of the machine's limit an operation reaches, where its work or its bytes are known.
    pub fn of_limit(&self, operation: &Measured) -> Option<f64> {
        let calls = operation.calls.max(1);
        let multiplied = if operation.multiplies_bytes() { Multiplied::Bytes } else { Multiplied::Reals };
        let least = self.limits.least_us((operation.work / calls, multiplied), operation.bytes / calls)?;
        (operation.us > 0.0).then(|| least * operation.calls as f64 / operation.us)
    }

    /// The profile as JSON.
    pub fn json(&self) -> Json {
        let operations = self.operations.iter().map(|operation| {
            let Measured { us, calls, work, bytes, .. } = operation;
            json!({
                "source": operation.source(),
                "operator": operation.operator(),
                "lines": operation.lines(),
                "us": us,
                "share": self.share(operation),
                "calls": calls,
                "gflops": operation.gflops(),
                "bytes": if *bytes > 0 { Some(bytes) } else { None },
                "flops": if *work > 0 { Some(work) } else { None },
                "limit": self.of_limit(operation),
            })
        });
        Json::Array(operations.collect())
    }

    /// The limits as JSON.
    pub fn limits_json(&self) -> Json {
        let bandwidths = self.limits.bandwidths.iter();
        let bandwidths = bandwidths.map(|(bytes, gb)| json!({ "within_bytes": bytes, "gbytes_per_s": gb }));
        json!({ "gflops": self.limits.gflops, "gops_of_bytes": self.limits.gops_of_bytes, "memory": bandwidths.collect::<Vec<_>>() })
    }

    /// The profile as a table.
    pub fn table(&self) -> String {
        table::text(self)
    }
}
