//! Match expressions.

use super::checker::Checker;
use super::diagnostics;
use crate::apply::plan::{CONST_OP, SHAPE_OP};
use crate::grammar::model::{MatchOp, MatchOperand, OpName};
use crate::grammar::term::{Term, TermKind};
use crate::grammar::vocabulary::Place;
use skriptnd_source::Span;

/// What makes an operand one that must be a constant.
const CONSTANT: &str = "OPCONST";

/// The tags of `LET`s met so far, and of those around the present place.
#[derive(Default)]
struct Lets {
    named: Vec<(String, Span)>,
    around: Vec<String>,
}

impl Checker<'_> {
    /// The match of a rule.
    pub fn pattern(&mut self, term: &Term) -> Option<MatchOp> {
        if let TermKind::Call { name, name_span, .. } = &term.kind
            && name == "LET"
        {
            self.report_at(term, diagnostics::let_at_root(*name_span));
            return None;
        }
        if matches!(term.kind, TermKind::Strings(_)) {
            self.report_at(term, diagnostics::root_must_be_op(term.span));
            return None;
        }
        let pattern = self.match_op(term, &mut Lets::default())?;
        if let Some((tag, span)) = cycle(&pattern) {
            self.report_at(term, diagnostics::let_within_itself(span, tag));
            return None;
        }
        if [CONST_OP, SHAPE_OP].contains(&pattern.name.text.as_str()) {
            self.report_at(term, diagnostics::constant_at_root(pattern.name.span, &pattern.name.text));
        }
        Some(pattern)
    }

    fn match_op(&mut self, term: &Term, lets: &mut Lets) -> Option<MatchOp> {
        let (production, operands) = self.call(term, Place::Match)?;
        if production.name == "LET" {
            return self.match_let(operands, lets);
        }
        if production.name == CONSTANT {
            self.report_at(term, diagnostics::expected_place(term, Place::Match));
            return None;
        }
        let name = self.op_name(&operands[0]);
        self.name_of_parts(operands, name.as_ref());
        let checked: Vec<Option<MatchOperand>> =
            operands[1..].iter().map(|operand| self.match_operand(operand, lets)).collect();
        Some(MatchOp {
            name: name?,
            open: production.name == "OpVarIn",
            operands: checked.into_iter().collect::<Option<_>>()?,
            tag: None,
            span: term.span,
        })
    }

    /// Warns of the name of an op without operands that several string constants make.
    pub fn name_of_parts(&mut self, operands: &[Term], name: Option<&OpName>) {
        if let ([only], Some(name)) = (operands, name)
            && matches!(&only.kind, TermKind::Strings(parts) if parts.len() > 1)
        {
            self.report_at(only, diagnostics::name_of_parts(only.span, &name.text));
        }
    }

    fn match_let(&mut self, operands: &[Term], lets: &mut Lets) -> Option<MatchOp> {
        let tag = self.new_tag(&operands[0]);
        if let Some(tag) = &tag {
            match lets.named.iter().find(|(named, _)| named == tag) {
                Some((_, first)) => self.report_at(&operands[0], diagnostics::let_twice(operands[0].span, tag, *first)),
                None => lets.named.push((tag.clone(), operands[0].span)),
            }
            lets.around.push(tag.clone());
        }
        let body = &operands[1];
        let is_op = matches!(&body.kind, TermKind::Call { name, .. } if name != "LET");
        let op = if is_op {
            self.match_op(body, lets)
        } else {
            self.report_at(body, diagnostics::let_needs_op(body));
            None
        };
        if tag.is_some() {
            lets.around.pop();
        }
        let mut op = op?;
        op.tag = Some(tag?);
        Some(op)
    }

    fn match_operand(&mut self, term: &Term, lets: &mut Lets) -> Option<MatchOperand> {
        if matches!(&term.kind, TermKind::Call { name, .. } if name == CONSTANT) {
            return self.match_constant(term, lets);
        }
        if !matches!(term.kind, TermKind::Strings(_)) {
            return self.match_op(term, lets).map(MatchOperand::Op);
        }
        Some(MatchOperand::Tag(self.match_tag(term, lets)?, term.span))
    }

    fn match_tag(&mut self, term: &Term, lets: &mut Lets) -> Option<String> {
        let tag = self.new_tag(term)?;
        if lets.around.contains(&tag) {
            self.report_at(term, diagnostics::let_within_itself(term.span, &tag));
            return None;
        }
        Some(tag)
    }

    /// `OPCONST("tag")`: an operand that must be a constant.
    fn match_constant(&mut self, term: &Term, lets: &mut Lets) -> Option<MatchOperand> {
        let (_, operands) = self.call(term, Place::Match)?;
        let tag = self.match_tag(&operands[0], lets)?;
        self.constants.push((tag.clone(), term.span));
        Some(MatchOperand::Tag(tag, term.span))
    }

    fn new_tag(&mut self, term: &Term) -> Option<String> {
        let tag = self.string(term, "an operand tag")?;
        if tag == "*" {
            self.report_at(term, diagnostics::star_in_match(term.span));
            return None;
        }
        if let TermKind::Strings(parts) = &term.kind
            && parts.len() > 1
        {
            let parts = parts.iter().map(|(text, _)| text.trim_matches('"').to_owned()).collect();
            self.tags_of_parts.push((parts, term.span, false));
        }
        self.tags.entry(tag.clone()).or_insert(term.span);
        Some(tag)
    }
}

/// A tag whose op is, by way of the tags of other `LET`s, an operand of its own, and the place of that op.
fn cycle(pattern: &MatchOp) -> Option<(&str, Span)> {
    let mut lets: Vec<(&str, Span, Vec<&str>)> = Vec::new();
    let mut pending = vec![pattern];
    while let Some(op) = pending.pop() {
        if let Some(tag) = &op.tag {
            lets.push((tag, op.span, tags_within(op)));
        }
        pending.extend(op.operands.iter().rev().filter_map(operand_op));
    }
    lets.iter().find_map(|(tag, span, direct)| {
        let mut reached: Vec<&str> = direct.clone();
        let mut at = 0;
        while let Some(next) = reached.get(at).copied() {
            at += 1;
            let further = lets.iter().filter(|(named, ..)| *named == next).flat_map(|(_, _, within)| within);
            let new: Vec<&str> = further.copied().filter(|tag| !reached.contains(tag)).collect();
            reached.extend(new);
        }
        reached.contains(tag).then_some((*tag, *span))
    })
}

fn operand_op(operand: &MatchOperand) -> Option<&MatchOp> {
    match operand {
        MatchOperand::Op(op) => Some(op),
        MatchOperand::Tag(..) => None,
    }
}

/// All tags that stand within an op.
fn tags_within(op: &MatchOp) -> Vec<&str> {
    let mut tags = Vec::new();
    let mut pending = vec![op];
    while let Some(op) = pending.pop() {
        for operand in &op.operands {
            match operand {
                MatchOperand::Tag(tag, _) => tags.push(tag.as_str()),
                MatchOperand::Op(inner) => {
                    tags.extend(inner.tag.as_deref());
                    pending.push(inner);
                }
            }
        }
    }
    tags
}
