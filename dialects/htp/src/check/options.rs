//! Options of the graph that are given, and that no rule reads: warnings.

use super::{diagnostics, options_of};
use crate::apply::Options;
use crate::grammar::model::Rule;
use skriptnd_source::diagnostics::{Diagnostics, nearest};
use skriptnd_source::{FileId, Span};

/// Warns of them where a rule reads the nearest name, else at the beginning of a file.
pub fn check_options(options: &Options, rules: &[Rule], file: FileId, found: &mut Diagnostics) {
    let read: Vec<(String, Span)> = rules.iter().flat_map(options_of).collect();
    let is_read = |option: &&str| read.iter().any(|(name, _)| name == option);
    for option in options.names().filter(|option| !is_read(option)) {
        let meant = nearest(option, read.iter().map(|(name, _)| name.as_str()));
        let place = meant.and_then(|meant| read.iter().find(|(name, _)| name == meant)).map(|(_, span)| *span);
        let beginning = Span { file, start: 0, end: 0 };
        found.push(diagnostics::option_not_read(place.unwrap_or(beginning), option, meant));
    }
}
