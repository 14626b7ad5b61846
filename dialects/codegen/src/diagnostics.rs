//! What is said of models that can't be compiled: a diagnostic for each place in the model's source that a pass of ours
//! refused, or one, whatever it was that refused it. What MLIR reported is a note, for those who work on the compiler.

use crate::Error;
use crate::error::{REFUSAL, SCHEDULE, SHARD};
use crate::generated::operations::GraphOp;
use skriptnd_mlir::{Diagnostic, Position, Severity};

const ALONE: &str = "help: without `--shard`, one process runs the model";

/// What is said of a step besides what it says itself.
struct Told {
    /// Of what only MLIR has a reason for.
    unknown: &'static str,
    /// What can be done instead.
    help: Option<&'static str>,
    /// What is asked for where the reason is MLIR's.
    report: &'static str,
}

const COMPILED: Told = Told {
    unknown: "this part of the model can't be compiled yet",
    help: Some("help: `--backend interpret` runs the model as it is"),
    report: "please report what could not be compiled",
};
const WRITTEN: Told = Told {
    unknown: "this part of the model can't be written yet",
    help: None,
    report: "please report what could not be written",
};

/// An error of compilation as something about the model, where MLIR reported it.
pub fn about_model(error: Error) -> Error {
    match error {
        Error::Mlir(skriptnd_mlir::Error::Reported { what, diagnostics }) => {
            Error::Refused(refused(&what, &diagnostics))
        }
        other => other,
    }
}

/// The diagnostics for a step that MLIR refused, from what it reported; at least one.
pub fn refused(step: &str, reported: &[Diagnostic]) -> Vec<Diagnostic> {
    refusals(step, reported, &COMPILED)
}

/// The same where a model was to be written as a text.
pub fn not_written(step: &str, reported: &[Diagnostic]) -> Vec<Diagnostic> {
    refusals(step, reported, &WRITTEN)
}

fn refusals(step: &str, reported: &[Diagnostic], told: &Told) -> Vec<Diagnostic> {
    let is_own = |found: &&Diagnostic| found.rule.is_some() || own_message(&found.message).is_some();
    let own = reported.iter().filter(|diagnostic| diagnostic.is_error()).filter(is_own);
    let mut refusals: Vec<Diagnostic> = own.map(|own| refusal(step, std::slice::from_ref(own), told)).collect();
    refusals.dedup_by(|second, first| (&second.position, &second.message) == (&first.position, &first.message));
    if refusals.is_empty() { vec![refusal(step, reported, told)] } else { refusals }
}

fn refusal(step: &str, reported: &[Diagnostic], told: &Told) -> Diagnostic {
    let first = reported.iter().find(|diagnostic| diagnostic.is_error()).or(reported.first());
    let text = first.map_or(step, |first| &first.message);
    let about_schedule = first.filter(|first| first.message.starts_with(SCHEDULE));
    if let Some(first) = about_schedule {
        return Diagnostic { notes: Vec::new(), ..first.clone() };
    }
    if let Some((first, rule)) = first.and_then(|first| Some((first, first.rule.clone()?))) {
        return made_by_rule(first, rule);
    }
    let places = || reported.iter().chain(reported.iter().flat_map(|diagnostic| &diagnostic.notes));
    let mut notes = Vec::new();
    let message = own_message(text).unwrap_or_else(|| {
        notes.push(format!("MLIR reported: {text}"));
        told.unknown.to_string()
    });
    // What has a reason of ours needs no report.
    let report = (!notes.is_empty()).then_some(told.report);
    let help = if report.is_none() && message.starts_with(SHARD) { Some(ALONE) } else { told.help };
    let advice: Vec<&str> = help.into_iter().chain(report).collect();
    notes.extend((!advice.is_empty()).then(|| advice.join("; ")));
    Diagnostic {
        severity: Severity::Error,
        message,
        position: places().find_map(|diagnostic| diagnostic.position.clone()),
        rule: None,
        location: first.map(|first| first.location.clone()).unwrap_or_default(),
        notes: notes.into_iter().map(note).collect(),
    }
}

/// What is wrong with what a rule has made of a part of the model: that is no fault of the model.
fn made_by_rule(found: &Diagnostic, rule: Position) -> Diagnostic {
    let reason = own_message(&found.message).unwrap_or_else(|| found.message.clone());
    let note = Diagnostic { position: found.position.clone(), ..note("it takes the place of this".to_string()) };
    Diagnostic {
        message: format!("what this rule makes can't be compiled: {reason}"),
        position: Some(rule),
        notes: vec![note],
        ..found.clone()
    }
}

/// What passes of our own say of operations of our own, without the form that MLIR gives to it.
fn own_message(text: &str) -> Option<String> {
    if let Some(refusal) = text.strip_prefix(REFUSAL) {
        return Some(refusal.to_string());
    }
    let (name, message) = text.strip_prefix('\'')?.split_once("' op ")?;
    let refusal = message.strip_prefix(REFUSAL).map(str::to_string);
    refusal.or_else(|| match name {
        GraphOp::NAME => Some(format!("the graph {message}")),
        _ => name.starts_with("skriptnd.").then(|| format!("`{name}` {message}")),
    })
}

fn note(message: String) -> Diagnostic {
    Diagnostic {
        severity: Severity::Note,
        message,
        position: None,
        rule: None,
        location: String::new(),
        notes: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reported(message: &str, line: Option<usize>) -> Diagnostic {
        let position = line.map(|line| Position { file: "main.sknd".into(), origin: None, line, column: 5 });
        Diagnostic { severity: Severity::Error, message: message.into(), position, ..note(String::new()) }
    }

    #[test]
    fn what_a_rule_makes_is_blamed_on_it() {
        let rule = Position { file: "a.htp".into(), origin: None, line: 2, column: 1 };
        let found = Diagnostic { rule: Some(rule), ..reported("'htp.q.Relu.x' op has no known meaning", Some(7)) };
        let told = refused("lower", &[found]).iter().map(ToString::to_string).collect::<Vec<_>>();
        let expected = "a.htp:2:1: error: what this rule makes can't be compiled: 'htp.q.Relu.x' op has no known meaning\n\
                        main.sknd:7:5: note: it takes the place of this";
        assert_eq!(told, [expected]);
    }

    #[test]
    fn what_upstream_says_is_a_note() {
        let mut first = reported("Yield operand #0 is not equivalent", None);
        first.notes.push(reported("here", Some(7)));
        let text = refused("bufferization", &[first])[0].to_string();
        let (head, rest) = text.split_once('\n').unwrap();
        assert_eq!(head, "main.sknd:7:5: error: this part of the model can't be compiled yet");
        assert!(rest.starts_with("note: MLIR reported: Yield operand #0 is not equivalent\nnote: help: "), "{rest}");
    }

    #[test]
    fn what_our_passes_say_is_the_message() {
        let text = refused("lowering", &[reported("'skriptnd.loop' op goes through 5 items", Some(3))])[0].to_string();
        assert!(text.starts_with("main.sknd:3:5: error: `skriptnd.loop` goes through 5 items\n"), "{text}");
        let failure = skriptnd_mlir::Failure::from(Error::Unsupported("no such size".into())).to_string();
        let text = refused("planning", &[reported(&failure, None)])[0].to_string();
        assert!(text.contains("error: no such size\n"), "{text}");
    }

    #[test]
    fn each_part_of_the_model_is_told_of() {
        let first = reported("'skriptnd.loop' op goes on", Some(3));
        let second = reported("'skriptnd.if' op differs", Some(4));
        let found = refused("lowering", &[reported("upstream's", None), first.clone(), first, second]);
        let told: Vec<&str> = found.iter().map(|found| &*found.message).collect();
        assert_eq!(told, ["`skriptnd.loop` goes on", "`skriptnd.if` differs"]);
    }
}
