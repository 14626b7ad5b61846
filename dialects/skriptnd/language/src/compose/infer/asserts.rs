//! Helper symbols and assertions, interleaved (sections 2.8 and 2.9).

use super::Inference;
use crate::compose::diagnostics as say;
use crate::compose::evaluate::{Evaluator, conjunction};
use crate::compose::failure::{Eval, Failure};
use crate::compose::term::Term;
use crate::compose::value::Value;
use crate::compose::violation::RuntimeAssert;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::Diagnostic;
use skriptnd_syntax::ast::{Assertion, Expr, ExprKind, LValue, LValueItem, Name, PackSpec, Using};
use skriptnd_syntax::walk;

impl Inference<'_> {
    pub(super) fn helpers_and_assertions(&mut self) {
        let request = self.request;
        for (at, stage) in request.info.stages.iter().enumerate() {
            self.check_assertions(stage);
            if self.failed() {
                return;
            }
            if let Some(using) = request.operator.usings.get(at) {
                let result = self.define(using);
                self.try_report(result);
            }
            if self.failed() {
                return;
            }
        }
    }

    /// Where shapes or lengths don't fit, an assertion that fails tells more about the reason.
    pub(super) fn prefer_assertions(&mut self) {
        let found = std::mem::take(&mut self.diagnostics);
        let asserts = self.request.operator.asserts.iter().enumerate();
        let known = asserts.filter(|(_, assertion)| self.is_known(&assertion.condition)).map(|(at, _)| at);
        self.report_violations(&known.collect::<Vec<_>>());
        if !self.diagnostics.has_errors() {
            self.diagnostics = found;
        }
    }

    /// Checks assertions. One that can't be evaluated counts only where all others hold: it may rely on them.
    fn check_assertions(&mut self, numbers: &[usize]) {
        let without_value = self.report_violations(numbers);
        if !self.failed() {
            without_value.into_iter().for_each(|failure| self.fail(failure));
        }
    }

    /// Reports those of the assertions with these numbers that have not been checked and do not hold; why others can't be
    /// evaluated.
    fn report_violations(&mut self, numbers: &[usize]) -> Vec<Failure> {
        let mut without_value = Vec::new();
        for &at in numbers {
            if std::mem::replace(&mut self.checked_asserts[at], true) {
                continue;
            }
            match self.violation(&self.request.operator.asserts[at]) {
                Ok(None) => {}
                Ok(Some(diagnostic)) => self.fail(diagnostic.into()),
                Err(failure) => without_value.push(failure),
            }
        }
        without_value
    }

    /// What to say of an assertion that does not hold; nothing if it does. One of which only a run can tell is left to
    /// that.
    fn violation(&mut self, assertion: &Assertion) -> Eval<Option<Diagnostic>> {
        let condition = self.eval(&assertion.condition)?;
        if condition == Term::Null {
            return Ok(None);
        }
        let conjunction = conjunction(&condition);
        // The run makes the operator again, and checks it with the items that there are.
        if conjunction.is_none() && matches!(condition, Term::Sequence(_)) && !self.is_graph() {
            self.defers_assertions = true;
            return Ok(None);
        }
        let Some(all) = conjunction else {
            return Err(say::bool_expected("an assertion", &condition, assertion.condition.span).into());
        };
        let truth = all.truth(&|symbol| self.bounds.get(symbol).copied());
        if truth == Some(true) {
            return Ok(None);
        }
        let evaluator = Evaluator::new(&self.env, &self.types);
        let message = assertion.message.as_ref().and_then(|message| evaluator.message(message).ok()?.to_value());
        let message = message.filter(|message| *message != Value::Null);
        let written = self.text(&assertion.condition);
        let (values, site) = (self.labelled(assertion), self.request.site.span);
        let violation = say::assertion_failed(self.request.path, assertion, (message, &written), values, site);
        if truth == Some(false) {
            return Ok(Some(self.certain(violation)));
        }
        let mut identity = false;
        walk::walk(&assertion.condition, &mut |part| identity |= matches!(part.kind, ExprKind::Is(..)));
        let violation = if identity { say::undecided_identity(violation) } else { violation };
        self.runtime_asserts.push(RuntimeAssert { condition: all, violation });
        Ok(None)
    }

    /// The values to print, or those of the names in the condition if nothing is said; those that are null or have no
    /// value are left out.
    fn labelled(&self, assertion: &Assertion) -> Vec<(String, Value)> {
        if assertion.message.is_none() {
            return self.names_in(&assertion.condition);
        }
        let values = assertion.values.iter().filter_map(|(written, value)| {
            let evaluated = self.eval(value).ok().filter(|term| *term != Term::Null)?;
            let text = match written {
                Some(written) => self.label(written)?,
                None => self.text(value),
            };
            Some((text, evaluated.to_value()?))
        });
        values.collect()
    }

    /// What is written before `:`: a string, or a word that stands for itself.
    fn label(&self, written: &Expr) -> Option<String> {
        match (&written.kind, self.eval(written)) {
            (_, Ok(Term::Str(text))) => Some(text.to_string()),
            (ExprKind::Name(name), _) => Some(name.to_string()),
            (_, label) => label.ok().map(|label| label.to_string()),
        }
    }

    fn names_in(&self, condition: &Expr) -> Vec<(String, Value)> {
        let mut values: Vec<(String, Value)> = Vec::new();
        walk::names(condition, &mut |name, _| {
            let known = self.env.get(name).filter(|term| **term != Term::Null).and_then(Term::to_value);
            if let Some(value) = known.filter(|_| !values.iter().any(|(other, _)| **other == **name)) {
                values.push((name.to_string(), value));
            }
        });
        values
    }

    fn define(&mut self, using: &Using) -> Eval<()> {
        let value = self.eval(&using.value)?;
        match &using.target {
            LValue::Item(LValueItem::Name { name, pack, .. }) => self.define_name(name, pack.as_ref(), value),
            LValue::Item(LValueItem::Omitted(_)) => Ok(()),
            LValue::Item(item @ LValueItem::Zip { .. }) => self.unpack(std::slice::from_ref(item), &value, using.span),
            LValue::List(items, _) => self.unpack(items, &value, using.span),
        }
    }

    fn define_name(&mut self, name: &Name, pack: Option<&PackSpec>, value: Term) -> Eval<()> {
        if let (Some(hint), Some(length)) = (pack.and_then(|pack| pack.length.as_ref()), value.length())
            && let Term::Int(expected) = self.eval(hint)?
            && i64::try_from(length) != Ok(expected)
        {
            return Err(say::hinted_length(&name.text, expected, length, name.span).into());
        }
        self.env.set(&name.text, value);
        Ok(())
    }

    /// `[head, tail..] = value`, `[(a, b)..] = value`
    fn unpack(&mut self, items: &[LValueItem], value: &Term, span: Span) -> Eval<()> {
        if *value == Term::Null {
            for (name, _) in items.iter().flat_map(LValueItem::names) {
                self.env.set(&name.text, Term::Null);
            }
            return Ok(());
        }
        if let Term::Sequence(_) = value {
            return Err(say::known_int_expected(value, span).into());
        }
        let Some(total) = value.length().and_then(|length| usize::try_from(length).ok()) else {
            return Err(say::pack_expected("a list on the left of `=`", value, span).into());
        };
        let lengths = self.shares(items, total, span)?;
        let mut at = 0;
        for (item, length) in items.iter().zip(lengths) {
            let part = (at..at + length).map(|at| value.item(at).cloned().ok_or(Failure::Silent));
            let part = part.collect::<Eval<Vec<Term>>>()?;
            at += length;
            match item {
                LValueItem::Name { name, pack: Some(_), .. } => {
                    self.env.set(&name.text, Term::pack(part, value.dtype()))
                }
                LValueItem::Name { name, pack: None, .. } => {
                    self.env.set(&name.text, part.into_iter().next().unwrap_or(Term::Null));
                }
                LValueItem::Zip { names, .. } => {
                    for (offset, (name, _)) in names.iter().enumerate() {
                        let every = part.iter().skip(offset).step_by(names.len()).cloned().collect();
                        self.env.set(&name.text, Term::pack(every, value.dtype()));
                    }
                }
                LValueItem::Omitted(_) => {}
            }
        }
        Ok(())
    }

    /// How many items of the value each item of the target takes: at most one takes what the others leave.
    fn shares(&self, items: &[LValueItem], total: usize, span: Span) -> Eval<Vec<usize>> {
        let mut shares = Vec::with_capacity(items.len());
        for item in items {
            let (width, pack) = match item {
                LValueItem::Name { pack, .. } => (1, pack.as_ref()),
                LValueItem::Zip { names, pack, .. } => (names.len().max(1), pack.as_ref()),
                LValueItem::Omitted(_) => (1, None),
            };
            let zip = matches!(item, LValueItem::Zip { .. });
            shares.push(match pack {
                None if !zip => Some(1),
                None => None,
                Some(pack) => match &pack.length {
                    None => None,
                    Some(length) => {
                        let count = self.eval(length)?;
                        let Term::Int(count) = count else {
                            return Err(say::known_int_expected(&count, length.span).into());
                        };
                        Some(usize::try_from(count).unwrap_or(0).saturating_mul(width))
                    }
                },
            });
        }
        let fixed = shares.iter().flatten().fold(0usize, |sum, share| sum.saturating_add(*share));
        let open = shares.iter().filter(|share| share.is_none()).count();
        if open > 1 || fixed > total || (open == 0 && fixed != total) {
            return Err(say::cannot_unpack(total, fixed, open, span).into());
        }
        let rest = total - fixed;
        for (item, share) in items.iter().zip(&shares) {
            if let (LValueItem::Zip { names, .. }, None) = (item, share) {
                if rest % names.len().max(1) != 0 {
                    return Err(say::cannot_unzip(rest, names.len(), span).into());
                }
            }
        }
        Ok(shares.into_iter().map(|share| share.unwrap_or(rest)).collect())
    }
}
