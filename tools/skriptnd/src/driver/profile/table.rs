//! A profile as a table for people.

use super::measured::Measured;
use super::{Limits, Profile};
use std::fmt::Write;

/// The operations, those that take longest first, and below them the whole run and the limits.
pub fn text(profile: &Profile) -> String {
    let mut text = format!(
        "{:>11} {:>6} {:>9} {:>8} {:>10} {:>6}  {}\n",
        "us", "time", "GFLOP/s", "GB/s", "bytes", "limit", "operation"
    );
    let mut operations: Vec<&Measured> = profile.operations.iter().collect();
    operations.sort_by(|a, b| b.us.total_cmp(&a.us));
    // Writing to a string does not fail.
    for operation in operations {
        let calls = if operation.calls > 1 { format!(" x{}", operation.calls) } else { String::new() };
        let bytes = if operation.bytes > 0 { operation.bytes.to_string() } else { "-".to_string() };
        let _ = writeln!(
            text,
            "{:>11.2} {:>6} {:>9} {:>8} {bytes:>10} {:>6}  {}{calls}",
            operation.us,
            percent(Some(profile.share(operation))),
            number(operation.gflops()),
            number(operation.gbytes()),
            percent(profile.of_limit(operation)),
            operation.title(),
        );
    }
    let least = profile.times.first().copied().unwrap_or_default();
    let median = profile.times.get(profile.times.len() / 2).copied().unwrap_or_default();
    let _ = writeln!(text, "{least:>11.2} us the shortest of {} runs, {median:.2} the median", profile.times.len());
    let limits = &profile.limits;
    let bandwidths = limits.bandwidths.iter().map(|(bytes, gb)| format!("{gb:.1} GB/s within {}", size(*bytes)));
    let bandwidths = bandwidths.collect::<Vec<_>>().join(", ");
    let Limits { gflops, gops_of_bytes, .. } = limits;
    let _ =
        writeln!(text, "limit of the machine: {gflops:.1} GFLOP/s; {bandwidths}; {gops_of_bytes:.1} GOP/s on bytes");
    text
}

fn percent(part: Option<f64>) -> String {
    part.map_or_else(|| "-".to_string(), |part| format!("{:.1}%", 100.0 * part))
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_string(), |value| format!("{value:.2}"))
}

/// Bytes as people say them.
pub fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{} KiB", bytes >> 10),
        _ => format!("{} MiB", bytes >> 20),
    }
}
