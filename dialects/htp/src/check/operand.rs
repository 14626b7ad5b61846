//! Operands of the graph before replacement: `cst_opref`.

use super::checker::Checker;
use super::diagnostics;
use crate::grammar::model::{OperandRef, OperandRefKind, Type};
use crate::grammar::term::{Term, TermKind};
use crate::grammar::vocabulary::Place;

impl Checker<'_> {
    /// A `cst_opref`.
    pub fn operand(&mut self, term: &Term) -> Option<OperandRef> {
        if matches!(term.kind, TermKind::Strings(_)) {
            return self.operand_tag(term);
        }
        let (production, operands) = self.call(term, Place::Operand)?;
        let kind = if production.name == "SELECT" {
            let condition = self.scalar_as(&operands[0], Type::Bool);
            let (first, second) = (self.operand(&operands[1]), self.operand(&operands[2]));
            OperandRefKind::Select(Box::new(condition?), Box::new(first?), Box::new(second?))
        } else {
            let operand = self.operand(&operands[0]);
            let index = self.integer(&operands[1]);
            let (operand, index) = (Box::new(operand?), Box::new(index?));
            match production.name {
                "INPUT_OF" => OperandRefKind::Input(operand, index),
                _ => OperandRefKind::Output(operand, index),
            }
        };
        Some(OperandRef { kind, span: term.span })
    }

    /// `"*"`, or a tag of the match.
    pub fn operand_tag(&mut self, term: &Term) -> Option<OperandRef> {
        let tag = self.string(term, "an operand tag")?;
        if tag == "*" {
            return Some(OperandRef { kind: OperandRefKind::Root, span: term.span });
        }
        if !self.tags.contains_key(&tag) {
            if self.scope_known && !self.is_part_of_tag(&tag) {
                let known: Vec<&str> = self.tags.keys().map(String::as_str).collect();
                let diagnostic = diagnostics::unknown_tag(term, &tag, &known);
                self.report_at(term, diagnostic);
            }
            return None;
        }
        Some(OperandRef { kind: OperandRefKind::Tag(tag), span: term.span })
    }

    /// Whether a tag is a part of one in the match, which is told there once.
    fn is_part_of_tag(&mut self, tag: &str) -> bool {
        let found = self.tags_of_parts.iter_mut().find(|(parts, ..)| parts.iter().any(|part| part == tag));
        let Some((parts, span, told)) = found else { return false };
        if !std::mem::replace(told, true) {
            let diagnostic = diagnostics::tag_of_parts(*span, &parts.concat(), tag);
            self.report(diagnostic);
        }
        true
    }
}
