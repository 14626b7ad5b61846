//! How HVX is asked for: LLVM takes some spellings without a word and makes scalar code.

use crate::Error;
use skriptnd_hexagon::processor;

const LENGTH: &str = "hvx-length128b";

/// Refuses HVX that no code would use: registers without a length or of 64 bytes, and processors that have none.
///
/// # Errors
/// With what to write.
pub fn check(cpu: &str, has: impl Fn(&str) -> bool) -> Result<(), Error> {
    let own = processor::version(cpu);
    let version = processor::HVX_VERSIONS.iter().rev().find(|version| has(&format!("hvxv{version}")));
    if !(has("hvx") || has(LENGTH) || has("hvx-length64b") || version.is_some()) {
        return Ok(());
    }
    let first = processor::HVX_VERSIONS[0];
    if let Some(own) = own.filter(|own| *own < first) {
        return Err(Error::Target(format!(
            "`{cpu}` has no HVX, which begins with version {first} (found {own}): write `hexagonv{first}+hvxv{first}+{LENGTH}`"
        )));
    }
    let asked = version.copied().or(own).unwrap_or(first);
    let cpu = if cpu.is_empty() { format!("hexagonv{asked}") } else { cpu.to_owned() };
    let written = format!("write `{cpu}+hvxv{asked}+{LENGTH}`");
    if has("hvx-length64b") {
        let found = "code uses HVX with registers of 128 bytes, and `hvx-length64b` is for 64";
        return Err(Error::Target(format!("{found}: it would be scalar; {written}")));
    }
    if !has(LENGTH) {
        let found = format!("HVX is asked for without the length of its registers, `{LENGTH}`");
        return Err(Error::Target(format!("{found}: code would be scalar; {written}")));
    }
    Ok(())
}
