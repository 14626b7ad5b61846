//! Attributes: given values, defaults, and lengths of packs (section 2.5 and steps 1, 3 and 4 of section 2.6.1).

use super::Inference;
use crate::compose::diagnostics as say;
use crate::compose::evaluate::Evaluator;
use crate::compose::extent::SymExpr;
use crate::compose::term::Sequence;
use crate::compose::term::Term;
use say::Subject;
use skriptnd_source::Span;
use skriptnd_syntax::ast::{Expr, Param};

impl Inference<'_> {
    /// Values that the invocation gives, and defaults that are constant.
    pub(super) fn given_attributes(&mut self) {
        self.check_names();
        let request = self.request;
        for (at, param) in request.operator.attributes.iter().enumerate() {
            let given = request.attributes.iter().find(|(name, _)| *name == param.name.text);
            if let Some((name, value)) = given {
                self.set_attribute(at, value.clone(), request.site.attribute(name));
                continue;
            }
            match &param.value {
                None if param.spec.optional => self.set_attribute(at, Term::Null, param.span),
                None => self.diagnostics.push(say::missing_attribute(request.path, param, request.site.span)),
                Some(default) if !request.info.deferred[at] => self.default_attribute(at, default),
                Some(_) => {}
            }
        }
    }

    fn check_names(&mut self) {
        let request = self.request;
        for (name, _) in &request.attributes {
            if !request.operator.attributes.iter().any(|param| param.name.text == *name) {
                let span = request.site.attribute_name(name);
                self.diagnostics.push(say::unknown_attribute(request.path, name, request.operator, span));
            }
        }
        let Some(invocation) = request.site.invocation else { return };
        for (at, assignment) in invocation.attributes.iter().enumerate() {
            if let Some(first) = invocation.attributes[..at].iter().find(|a| a.name.text == assignment.name.text) {
                self.diagnostics.push(say::attribute_given_twice(&assignment.name, first.name.span));
            }
        }
    }

    fn default_attribute(&mut self, at: usize, default: &Expr) {
        let value = self.eval(default);
        if let Some(value) = self.try_report(value) {
            let param = &self.request.operator.attributes[at];
            if value == Term::Null && !param.spec.optional {
                self.diagnostics.push(say::missing_attribute(self.request.path, param, self.request.site.span));
            } else {
                self.set_attribute(at, value, default.span);
            }
        }
    }

    /// Checks a value against the declaration. One value for a pack waits until the pack's length is known.
    fn set_attribute(&mut self, at: usize, value: Term, span: Span) {
        let param = &self.request.operator.attributes[at];
        let expected = Evaluator::new(&self.env, &self.types).resolve_type(&param.spec.base);
        let Some(expected) = self.try_report(expected) else { return };
        let value = if value.length() == Some(0) && value.dtype().is_none() { Term::Empty(expected) } else { value };
        let fits = match &value {
            Term::Null => param.spec.optional,
            value => value.dtype().is_none_or(|dtype| dtype == expected) && value.to_value().is_some(),
        };
        if !fits {
            self.diagnostics.push(say::attribute_type(param, expected, &value, span));
            return;
        }
        if value.is_pack() && param.spec.pack.is_none() {
            self.diagnostics.push(say::attribute_is_no_pack(param, &value, span));
            return;
        }
        if param.spec.pack.is_none() || value.is_pack() || value == Term::Null {
            self.env.set(&param.name.text, value.clone());
        }
        self.attributes[at] = Some(value);
    }

    /// Deferred defaults and lengths of packs: each may wait for another.
    pub(super) fn remaining_attributes(&mut self) {
        let count = self.request.operator.attributes.len();
        let mut pending: Vec<usize> = (0..count).filter(|at| self.is_pending(*at)).collect();
        while !pending.is_empty() && !self.failed() {
            let before = pending.len();
            pending.retain(|at| !self.advance(*at));
            if pending.len() == before {
                break;
            }
        }
        if !self.failed() {
            pending.into_iter().for_each(|at| self.report_pending(at));
        }
        if self.failed() {
            self.prefer_assertions();
            return;
        }
        self.null_lengths();
    }

    fn is_pending(&self, at: usize) -> bool {
        let param = &self.request.operator.attributes[at];
        let length = param.spec.pack.as_ref().and_then(|pack| pack.length.as_ref());
        match &self.attributes[at] {
            None => true,
            Some(Term::Null) => false,
            Some(value) => param.spec.pack.is_some() && (length.is_some() || !value.is_pack()),
        }
    }

    /// Takes an attribute as far as it goes; whether it is done.
    fn advance(&mut self, at: usize) -> bool {
        let param = &self.request.operator.attributes[at];
        if self.attributes[at].is_none() {
            match &param.value {
                Some(default) if self.is_known(default) => self.default_attribute(at, default),
                _ => return false,
            }
            if self.failed() || !self.is_pending(at) {
                return true;
            }
        }
        let Some(length) = param.spec.pack.as_ref().and_then(|pack| pack.length.as_ref()) else { return false };
        match &self.attributes[at] {
            Some(value) if value.is_pack() => {
                let actual = value.extent_length().unwrap_or(SymExpr::Const(i64::MAX));
                self.check_length(param, length, &actual);
                true
            }
            Some(value) if self.is_known(length) => {
                let value = value.clone();
                self.spread(at, value, length);
                true
            }
            _ => false,
        }
    }

    fn check_length(&mut self, param: &Param, length: &Expr, actual: &SymExpr) {
        let span = self.request.site.attribute(&param.name.text);
        let result = self.solve(length, actual, Subject::Items(param), span);
        self.try_report(result);
    }

    /// One value for all items.
    fn spread(&mut self, at: usize, value: Term, length: &Expr) {
        let param = &self.request.operator.attributes[at];
        let evaluated = self.eval(length);
        let Some(term) = self.try_report(evaluated) else { return };
        let count = match &term {
            Term::Null => {
                self.env.set(&param.name.text, Term::Null);
                return;
            }
            Term::Int(count) => u64::try_from(*count).ok(),
            Term::Bool(included) => Some(u64::from(*included)),
            Term::Symbolic(length) => {
                let pack = Term::Sequence(Box::new(Sequence { length: length.clone(), item: value }));
                self.env.set(&param.name.text, pack.clone());
                self.attributes[at] = Some(pack);
                return;
            }
            _ => None,
        };
        let Some(count) = count else {
            let span = self.request.site.attribute(&param.name.text);
            self.diagnostics.push(say::attribute_length_unknown(param, &value, span));
            return;
        };
        let pack = Term::repeat(value, count);
        self.env.set(&param.name.text, pack.clone());
        self.attributes[at] = Some(pack);
    }

    fn report_pending(&mut self, at: usize) {
        let param = &self.request.operator.attributes[at];
        let span = self.request.site.attribute(&param.name.text);
        match (&self.attributes[at], &param.value) {
            (Some(value), _) => self.diagnostics.push(say::attribute_length_unknown(param, value, span)),
            (None, Some(default)) => {
                // Evaluation names what is missing.
                let value = self.eval(default);
                self.try_report(value);
            }
            (None, None) => {}
        }
    }

    /// The length of an absent pack is null unless something else determines it.
    fn null_lengths(&mut self) {
        for (at, param) in self.request.operator.attributes.iter().enumerate() {
            if self.attributes[at] != Some(Term::Null) {
                continue;
            }
            if let Some(length) = param.spec.pack.as_ref().and_then(|pack| pack.length.as_ref()) {
                self.set_null(length);
            }
        }
    }

    /// Names of an expression that are still unknown become null.
    pub(super) fn set_null(&mut self, expr: &Expr) {
        let mut names = Vec::new();
        crate::compose::analysis::names::uses(expr, &mut |name| names.push(name.clone()));
        for name in names {
            if self.env.get(&name).is_none() {
                self.env.set(&name, Term::Null);
            }
        }
    }
}
