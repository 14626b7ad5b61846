//! Constraints in the match section of a pattern.

use super::{
    call,
    emit::Emitter,
    model::ExtraConstraint,
    natives::{NativeKind, ParameterKind},
    pdl::{ATTRIBUTE, Binding, Passed},
};
use crate::{
    error::{Diagnostic, Error, Result},
    ods::Constraint,
    predicate::snake_case,
};

impl Emitter<'_, '_> {
    /// A constraint over things that the pattern bound.
    pub fn extra_constraint(&mut self, extra: &ExtraConstraint) -> Result<()> {
        let mut about = Vec::new();
        let mut errors = Vec::new();
        for reference in &extra.arguments {
            if let (Some(Binding::OptionalAttribute { operation, attribute, .. }), "IsNullAttr") =
                (self.known(reference), extra.constraint.definition.as_str())
            {
                let name = self.text(&attribute);
                self.library("drr.absent", &[self.matched_as(&operation), (name, ATTRIBUTE)], None);
                return Ok(());
            }
            match self.passed_reference(reference) {
                Ok(passed) => about.push(passed),
                Err(error) => errors.push(error),
            }
        }
        Error::collect(errors)?;
        if about.is_empty() {
            return self.error(&extra.place, format!("{} is about nothing", shown(&extra.constraint)));
        }
        if let Some(position) = call::missing_position(extra.constraint.predicate.text(), about.len()) {
            let (name, given) = (shown(&extra.constraint), call::arguments_are_given(about.len()));
            return self.error(&extra.place, format!("{name} has ${position}, but {given}"));
        }
        self.warn_of_unasked(extra);
        if let (true, [(_, kind)]) = (extra.is_type, about.as_mut_slice()) {
            *kind = match kind {
                ParameterKind::Value => ParameterKind::Values(Some(1)),
                ParameterKind::Values(_)
                | ParameterKind::OptionalValue
                | ParameterKind::PartValue(_)
                | ParameterKind::PartOptionalValue(_)
                | ParameterKind::PartValues(_) => kind.clone(),
                _ => return self.error(&extra.place, "a type constraint is about a value"),
            };
        }
        self.constrain(&extra.constraint, about, extra.is_type);
        Ok(())
    }

    /// A constraint that is given more than its predicate mentions forgets it.
    fn warn_of_unasked(&mut self, extra: &ExtraConstraint) {
        let text = extra.constraint.predicate.text();
        let is_asked = |position: usize| {
            let placeholder = format!("${position}");
            let ends = |at: usize| !text[at + placeholder.len()..].starts_with(|c: char| c.is_ascii_digit());
            text.match_indices(&placeholder).any(|(at, _)| ends(at))
        };
        for (position, reference) in extra.arguments.iter().enumerate().skip(1).filter(|(at, _)| !is_asked(*at)) {
            let (pattern, name) = (&self.pattern.definition, shown(&extra.constraint));
            let message =
                format!("pattern '{pattern}': {name} has no ${position}, so '${}' is not asked", reference.name);
            self.warnings.push(Diagnostic::warning(reference.place.clone(), message));
        }
    }

    /// A native constraint that does what the predicate says.
    pub fn constrain(&mut self, constraint: &Constraint, about: Vec<(Vec<Passed>, ParameterKind)>, is_type: bool) {
        let (passed, kinds): (Vec<Vec<Passed>>, Vec<ParameterKind>) = about.into_iter().unzip();
        let text = constraint.predicate.text();
        let name = match constraint.definition.as_str() {
            "" => format!("{}_holds", self.pattern.subject),
            definition => definition.to_string(),
        };
        let kind = match NativeKind::predicate(constraint, kinds.clone(), is_type) {
            Ok(kind) => kind,
            // What C++ says beyond the table is asked of the author, under the constraint's name or that of the pattern.
            Err(_) => NativeKind::Asked { method: snake_case(&name), parameters: kinds },
        };
        let function = self.natives.add(&kind.predicate_name(&name), kind, text);
        self.apply(&function, &passed.concat(), &[]);
    }
}

/// What a message says of a constraint: what must hold, or else its name.
fn shown(constraint: &Constraint) -> String {
    match constraint.summary.trim_matches('\'') {
        "" => "this constraint".to_string(),
        summary => format!("the constraint '{summary}'"),
    }
}
