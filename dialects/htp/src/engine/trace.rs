//! What rules did, step by step: as text, and as JSON with an object a line.

use super::{Firing, Made};
use crate::grammar::model::Rule;
use std::fmt::Write;

/// A line for each application: pass, rule, place, what was replaced and by what, with the splits that it comes from.
pub fn text(firings: &[Firing], rules: &[Rule]) -> String {
    let mut text = String::new();
    for firing in firings {
        let Some(rule) = rules.get(firing.rule) else { continue };
        let made: Vec<String> = firing.made.iter().map(made_text).collect();
        let by = if made.is_empty() { "what it takes".to_owned() } else { made.join(", ") };
        let (pass, name, replaced) = (rule.pass.number, &rule.name, &firing.operation);
        let _ = writeln!(text, "pass {pass}: {name} replaces {replaced} at {} by {by}", place(firing));
    }
    text
}

fn place(firing: &Firing) -> String {
    firing.position.as_ref().map_or("?".to_owned(), ToString::to_string)
}

fn made_text(made: &Made) -> String {
    let id = made.identity.id.map(|id| format!("id {id}"));
    let splits = made.identity.history.iter();
    let splits = splits.map(|of| format!("dimension {} of {} split in {}", of.dimension, of.original, of.size));
    let notes: Vec<String> = id.into_iter().chain(splits).collect();
    if notes.is_empty() { made.op.clone() } else { format!("{} ({})", made.op, notes.join(", ")) }
}

/// The same as JSON.
pub fn json(firings: &[Firing], rules: &[Rule]) -> String {
    let mut text = String::new();
    for firing in firings {
        let Some(rule) = rules.get(firing.rule) else { continue };
        let made: Vec<String> = firing.made.iter().map(made_json).collect();
        let _ = writeln!(
            text,
            "{{\"pass\": {}, \"rule\": {}, \"replaced\": {}, \"place\": {}, \"made\": [{}]}}",
            rule.pass.number,
            string(&rule.name),
            string(&firing.operation),
            string(&place(firing)),
            made.join(", ")
        );
    }
    text
}

fn made_json(made: &Made) -> String {
    let id = made.identity.id.map_or("null".to_owned(), |id| id.to_string());
    let splits = made.identity.history.iter();
    let splits: Vec<String> = splits
        .map(|of| format!("{{\"dimension\": {}, \"original\": {}, \"size\": {}}}", of.dimension, of.original, of.size))
        .collect();
    format!("{{\"op\": {}, \"id\": {id}, \"splits\": [{}]}}", string(&made.op), splits.join(", "))
}

fn string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            _ if character < ' ' => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(character));
            }
            _ => quoted.push(character),
        }
    }
    quoted + "\""
}
