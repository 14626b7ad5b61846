//! Rules that never apply, or change nothing, and parts of them that say nothing.

use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic};

/// A constraint that no graph meets, by this part of it, which may only contradict what stands before it.
pub fn never_applies(span: Span, contradicts: bool) -> Diagnostic {
    let reason = if contradicts { "contradicts what stands before it" } else { "never holds" };
    Diagnostic::warning(Code::UselessRule, span, format!("this {reason}, so that the rule never applies"))
        .with_help("check the comparison, its constants and the operand that it asks; or remove the rule")
}

/// A comparison whose outcome is the same wherever the rule matches.
pub fn decided(span: Span, holds: bool) -> Diagnostic {
    let outcome = if holds { "always" } else { "never" };
    Diagnostic::warning(Code::UselessRule, span, format!("this {outcome} holds where the rule matches"))
        .with_help("check its constants and the operand that it asks, or leave it out")
}

/// A replacement that is the match again.
pub fn replaced_by_same(span: Span) -> Diagnostic {
    Diagnostic::warning(Code::UselessRule, span, "the match is replaced by the same: the rule applies for ever")
        .with_help("say in the constraint when the rule is not to apply, or set another output by a modifier")
}

/// A rule behind one that takes all.
pub fn shadowed(span: Span, earlier: Span, takes_same: bool) -> Diagnostic {
    let help = match takes_same {
        true => "both take the same nodes: remove one, or say in the constraints when each is to apply",
        false => "put the narrower rule before the wider one, or give the wider one a constraint",
    };
    Diagnostic::warning(Code::UselessRule, span, "an earlier rule of this pass applies wherever this one would")
        .with_related(earlier, "this is tried first")
        .with_help(help)
}

/// A rule that an earlier one leaves only what that can't replace.
pub fn shadowed_where_defined(span: Span, earlier: Span) -> Diagnostic {
    let message =
        "an earlier rule of this pass takes all nodes that this one does, unless its replacement is undefined there";
    Diagnostic::warning(Code::UselessRule, span, message)
        .with_related(earlier, "this is tried first")
        .with_help("say in the constraints when each is to apply")
}

/// A part of a replacement that is the match again.
pub fn matched_again(span: Span) -> Diagnostic {
    Diagnostic::warning(Code::UselessRule, span, "the match stands again in its replacement: the rule applies for ever")
        .with_help("say in the constraint when the rule is not to apply, or make another op")
}

/// A replacement of another size or type than the root has where the constraint holds.
pub fn other_than_root(span: Span, what: &str) -> Diagnostic {
    let message = format!("the root has no such {what} where the constraint holds: the rule never applies");
    Diagnostic::warning(Code::UselessRule, span, message)
        .with_help("what takes the root's place has its size and type; put another op around this one, e.g. a Cast")
}

/// A rule that one of an earlier pass leaves nothing.
pub fn shadowed_by_pass(span: Span, earlier: Span) -> Diagnostic {
    let message =
        "a rule of an earlier pass takes all that this one would, and none makes more of that before this pass";
    Diagnostic::warning(Code::UselessRule, span, message)
        .with_related(earlier, "its pass goes first")
        .with_help("put this rule into an earlier pass, or give the other one a constraint")
}

/// A rule that makes its own match again.
pub fn makes_own_match(span: Span) -> Diagnostic {
    let message = "applied to what it makes, the rule gives its match again: where its constraint holds of both, the pass does not end";
    Diagnostic::warning(Code::UselessRule, span, message)
        .with_help("say in the constraint when the rule is not to apply")
}

fn with_others(mut diagnostic: Diagnostic, others: &[Span]) -> Diagnostic {
    for other in others {
        diagnostic = diagnostic.with_related(*other, "with this one");
    }
    diagnostic.with_help("say in the constraints when each is to apply, or remove one")
}

/// Rules of one pass that make again what the first of them replaces.
pub fn never_ends(span: Span, others: &[Span]) -> Diagnostic {
    let message = "this rule makes again what others of its pass replace: where all their constraints hold, the pass does not end";
    with_others(Diagnostic::warning(Code::UselessRule, span, message), others)
}

/// Rules of several passes that make again what the first of them replaces.
pub fn undoes(span: Span, others: &[Span]) -> Diagnostic {
    let message = "this rule undoes what others do in their passes: where all their constraints hold, they do nothing";
    with_others(Diagnostic::warning(Code::UselessRule, span, message), others)
}
