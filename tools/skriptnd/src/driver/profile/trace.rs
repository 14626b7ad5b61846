//! A run as trace events, as Chrome has them and Perfetto opens them.

use super::Profile;
use serde_json::{Value as Json, json};
use std::collections::HashMap;

/// The operations of the shortest run.
pub fn json(profile: &Profile) -> Json {
    let known: HashMap<usize, _> = profile.operations.iter().map(|operation| (operation.number, operation)).collect();
    let operations = profile.events.iter().filter_map(|event| {
        let operation = known.get(&event.operation)?;
        let (begin, length) = (event.begin, event.end - event.begin);
        Some(json!({
            "name": operation.title(),
            "cat": operation.operator().unwrap_or("move"),
            "ph": "X",
            "ts": begin.as_nanos() as f64 / 1e3,
            "dur": length.as_nanos() as f64 / 1e3,
            "pid": 1,
            "tid": 1,
            "args": { "source": operation.source(), "flops": event.work, "bytes": event.bytes },
        }))
    });
    let named = json!({ "name": "process_name", "ph": "M", "pid": 1, "args": { "name": "skriptnd" } });
    let thread = json!({ "name": "thread_name", "ph": "M", "pid": 1, "tid": 1, "args": { "name": "run" } });
    let events: Vec<_> = [named, thread].into_iter().chain(operations).collect();
    json!({ "displayTimeUnit": "ns", "traceEvents": events })
}
