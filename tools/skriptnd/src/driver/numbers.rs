//! Numbers of the command line.

/// Reads a number of 64 bits from `least` on; clap says of negative ones only that they have an invalid digit.
pub fn number_from(least: u64) -> impl Fn(&str) -> Result<u64, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| *number >= least);
        number.ok_or_else(|| format!("expected a whole number from {least} to {}, found `{text}`", u64::MAX))
    }
}
