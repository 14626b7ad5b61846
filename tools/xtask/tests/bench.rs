//! What `cargo xtask bench` makes of times, which are made up: the scripts have tests of their own.

use std::path::Path;
use std::process::Command;

#[test]
fn the_scripts_make_tables_and_charts_of_what_they_find() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bench/test_bench.py");
    let output = Command::new("python3").arg(script).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
