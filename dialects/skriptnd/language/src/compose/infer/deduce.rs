//! Deduction of generic types (section 2.13).

use super::Inference;
use crate::compose::diagnostics as say;
use crate::compose::evaluate::Evaluator;
use crate::compose::tensors::Argument;
use crate::compose::term::Term;
use crate::compose::value::ScalarType;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::Diagnostic;
use skriptnd_syntax::ast::{DtypeParam, Param, TypeExpr, TypeName};
use std::sync::Arc;

impl Inference<'_> {
    pub(super) fn deduce_types(&mut self) {
        self.explicit_types();
        if self.failed() {
            return;
        }
        let request = self.request;
        for (at, (param, operand)) in request.operator.inputs.iter().zip(&request.operands).enumerate() {
            let span = request.site.argument(at);
            for ty in operand.argument.items() {
                self.expect(param, "argument", ty.dtype, span);
            }
        }
        for (name, value) in &request.attributes {
            let Some(param) = request.operator.attributes.iter().find(|param| param.name.text == *name) else {
                continue;
            };
            // Concrete types are checked with the values.
            let generic = matches!(param.spec.base, TypeExpr::Generic(_));
            if let Some(dtype) = value.dtype().filter(|_| generic) {
                self.expect(param, "attribute", dtype, request.site.attribute(name));
            }
        }
        self.default_types();
    }

    fn explicit_types(&mut self) {
        for (name, dtype) in &self.request.dtypes {
            match self.request.operator.dtypes.iter().find(|param| param.name.text == *name) {
                Some(param) if admits(param.bound, *dtype) => self.env.set(name, Term::Type(*dtype)),
                Some(param) => self.diagnostics.push(say::type_not_admitted(param, *dtype, self.request.site.span)),
                None => {}
            }
        }
    }

    /// Checks the type of an argument or attribute, or deduces the generic type that it determines.
    fn expect(&mut self, param: &Param, what: &str, found: ScalarType, span: Span) {
        let TypeExpr::Generic(name) = &param.spec.base else {
            let expected = Evaluator::new(&self.env, &self.types).resolve_type(&param.spec.base);
            match self.try_report(expected) {
                Some(expected) if expected != found => {
                    self.diagnostics.push(say::type_mismatch(what, param, expected, found, span));
                }
                _ => {}
            }
            return;
        };
        let Some(generic) = self.request.operator.dtypes.iter().find(|generic| generic.name.text == name.text) else {
            self.diagnostics.push(say::unknown_type(&name.text, name.span));
            return;
        };
        match self.env.get(&name.text) {
            Some(Term::Type(known)) if *known == found => {}
            Some(Term::Type(known)) => {
                let known = *known;
                self.diagnostics.push(say::generic_conflict(what, param, &name.text, known, found, span));
            }
            _ if admits(generic.bound, found) => self.env.set(&name.text, Term::Type(found)),
            _ => self.diagnostics.push(say::type_not_admitted(generic, found, span)),
        }
    }

    /// Defaults of the types that nothing else determines, and of the inputs that do.
    fn default_types(&mut self) {
        for generic in &self.request.operator.dtypes {
            if self.env.get(&generic.name.text).is_some() || self.failed() {
                continue;
            }
            if let Some(dtype) = self.default_type(generic) {
                self.env.set(&generic.name.text, Term::Type(dtype));
            } else {
                let diagnostic = self
                    .null_attribute(generic)
                    .unwrap_or_else(|| say::generic_not_deduced(self.request.path, generic, self.request.site.span));
                self.diagnostics.push(diagnostic);
            }
        }
    }

    /// An attribute that would tell the type, was it not null: then that is the mistake.
    fn null_attribute(&self, generic: &DtypeParam) -> Option<Diagnostic> {
        let of_type =
            |param: &&Param| matches!(&param.spec.base, TypeExpr::Generic(name) if name.text == generic.name.text);
        let required = self.request.operator.attributes.iter().filter(|param| !param.spec.optional);
        required.filter(of_type).find_map(|param| {
            let null = |(name, value): &(Arc<str>, Term)| *name == param.name.text && *value == Term::Null;
            let (name, _) = self.request.attributes.iter().find(|attribute| null(attribute))?;
            Some(say::null_attribute(param, self.request.site.attribute(name)))
        })
    }

    fn default_type(&self, generic: &DtypeParam) -> Option<ScalarType> {
        if let Some(default) = generic.default.and_then(crate::compose::evaluate::concrete) {
            return Some(default);
        }
        let operator = self.request.operator;
        let absent = |at: usize| !matches!(self.request.operands.get(at), Some(o) if o.argument != Argument::Null);
        let defaults = operator.inputs.iter().enumerate().filter(|(at, _)| absent(*at)).map(|(_, param)| param);
        defaults.chain(&operator.attributes).find_map(|param| match (&param.spec.base, &param.value) {
            (TypeExpr::Generic(name), Some(value)) if name.text == generic.name.text && self.is_known(value) => {
                self.eval(value).ok()?.dtype()
            }
            _ => None,
        })
    }
}

/// Whether a generic type restricted by `bound` may stand for `dtype`.
pub(crate) fn admits(bound: TypeName, dtype: ScalarType) -> bool {
    match bound {
        TypeName::Type => true,
        TypeName::Arith => dtype != ScalarType::Str,
        TypeName::Num => matches!(dtype, ScalarType::Int | ScalarType::Real),
        concrete => crate::compose::evaluate::concrete(concrete) == Some(dtype),
    }
}
