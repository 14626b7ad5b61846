//! Attributes in the match section of a pattern.

use super::{
    emit::{Emitter, MatchedOperation},
    library::Declared,
    model::{AttributeMatch, AttributeTest, SourceOperation},
    natives::ParameterKind,
    pdl::{ATTRIBUTE, Binding},
};
use crate::{
    error::{Error, Place, Result},
    ods::Attribute,
};

impl Emitter<'_, '_> {
    /// The attribute to be matched in the dictionary, if it must be there.
    pub fn attribute(&mut self, attribute: &AttributeMatch, late: bool) -> Result<Option<String>> {
        let bound = attribute.symbol.as_ref().and_then(|symbol| self.known(symbol));
        let name = match (&attribute.test, bound) {
            (Some(AttributeTest::Absent | AttributeTest::Native(_)), _) => return Ok(None),
            _ if late => return Ok(None),
            (_, Some(Binding::Attribute(name))) => name,
            (_, Some(_)) => {
                let symbol = attribute.symbol.as_ref().map(|symbol| symbol.name.as_str()).unwrap_or_default();
                let message = format!("'${symbol}' is bound twice, and not to attributes that are always there");
                return self.error(&attribute.place, message);
            }
            (None, None) if attribute.symbol.is_none() => return Ok(None),
            (Some(AttributeTest::Constant(text)), None) => {
                let name = self.fresh(attribute.symbol.as_ref().map_or("constant", |symbol| &symbol.name));
                self.line(format!("{name} = pdl.attribute = {text}"));
                name
            }
            (_, None) => {
                let name = self.fresh(attribute.symbol.as_ref().map_or("attribute", |symbol| &symbol.name));
                self.line(format!("{name} = pdl.attribute"));
                name
            }
        };
        self.tested(attribute, &name)?;
        Ok(Some(name))
    }

    /// Tests an attribute that is known, and binds it.
    pub fn tested(&mut self, attribute: &AttributeMatch, name: &str) -> Result<()> {
        if let Some(AttributeTest::Constraint(constraint)) = &attribute.test {
            let about = (vec![(name.to_string(), ATTRIBUTE)], ParameterKind::Attribute);
            self.constrain(constraint, vec![about], false);
        }
        match &attribute.symbol {
            Some(symbol) if self.known(symbol).is_none() => self.bind(symbol, Binding::Attribute(name.to_string())),
            _ => Ok(()),
        }
    }

    /// What concerns attributes that may be missing.
    pub fn late_attributes(
        &mut self,
        source: &SourceOperation,
        declared: &Declared,
        matched: &MatchedOperation,
    ) -> Result<()> {
        let mut errors = Vec::new();
        let declarations = declared.operation.attributes.iter().zip(&declared.kinds);
        for (attribute, (declaration, kind)) in source.attributes.iter().zip(declarations) {
            let default = kind.default.as_deref().and_then(|value| kind.attribute(value));
            if let Some(AttributeTest::Absent) = attribute.test {
                let name = self.text(&declaration.name);
                self.library("drr.absent", &[self.matched_as(&matched.name), (name, ATTRIBUTE)], None);
                continue;
            }
            if let Some(AttributeTest::Native(native)) = &attribute.test {
                let about = self.matched_as(&matched.name);
                errors.extend(self.native_test(native, about, ParameterKind::Operation).err());
                continue;
            }
            if is_late(attribute, declaration, default.clone()) {
                errors.extend(self.late_attribute(attribute, declaration, default, matched).err());
            }
        }
        Error::collect(errors)
    }

    fn late_attribute(
        &mut self,
        attribute: &AttributeMatch,
        declared: &Attribute,
        default: Option<String>,
        matched: &MatchedOperation,
    ) -> Result<()> {
        let bound = attribute.symbol.as_ref().and_then(|symbol| self.known(symbol));
        match (&attribute.test, bound, default) {
            (None, None, default) => match &attribute.symbol {
                Some(symbol) => {
                    let (operation, attribute) = (matched.name.clone(), declared.name.clone());
                    self.bind(symbol, Binding::OptionalAttribute { operation, attribute, default })
                }
                None => Ok(()),
            },
            (test, bound, default) => {
                self.late_test(test.as_ref(), bound, declared, default.as_deref(), matched, &attribute.place)?;
                match &attribute.symbol {
                    Some(symbol) if self.known(symbol).is_none() => {
                        let (operation, attribute) = (matched.name.clone(), declared.name.clone());
                        self.bind(symbol, Binding::OptionalAttribute { operation, attribute, default })
                    }
                    _ => Ok(()),
                }
            }
        }
    }

    /// Tests an attribute that may be absent. PDL's own way, constraints that return attributes for others, crashes it.
    fn late_test(
        &mut self,
        test: Option<&AttributeTest>,
        bound: Option<Binding>,
        declared: &Attribute,
        default: Option<&str>,
        matched: &MatchedOperation,
        place: &Place,
    ) -> Result<()> {
        let mut given = vec![self.matched_as(&matched.name), (self.text(&declared.name), ATTRIBUTE)];
        match bound {
            Some(Binding::Attribute(other)) => given.push((other, ATTRIBUTE)),
            Some(Binding::OptionalAttribute { operation, attribute, .. }) => {
                given.extend([self.matched_as(&operation), (self.text(&attribute), ATTRIBUTE)]);
            }
            Some(_) => return self.error(place, "the name is bound twice, and not to attributes"),
            None => {}
        }
        if given.len() > 2 {
            if let Some(default) = default {
                given.push((self.constant(default), ATTRIBUTE));
            }
            self.library("drr.same", &given, None);
            given.truncate(2);
        }
        match (test, default) {
            (Some(AttributeTest::Constant(_)), Some(default)) => {
                // What equals the default may be absent.
                let constant = self.constant(default);
                given.extend([(constant.clone(), ATTRIBUTE), (constant, ATTRIBUTE)]);
                self.library("drr.same", &given, None);
                Ok(())
            }
            (Some(AttributeTest::Constraint(constraint)), Some(default)) => {
                given.push((self.constant(default), ATTRIBUTE));
                self.constrain(constraint, vec![(given, ParameterKind::Attribute)], false);
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// Whether an attribute that may be absent cannot be matched in the dictionary.
pub fn is_late(attribute: &AttributeMatch, declared: &Attribute, default: Option<String>) -> bool {
    match (&attribute.test, default) {
        (Some(AttributeTest::Absent | AttributeTest::Native(_)), _) => false,
        (Some(AttributeTest::Constant(text)), Some(default)) => *text == default,
        (Some(AttributeTest::Constraint(_)), Some(_)) => true,
        (Some(_), None) => false,
        (None, _) => attribute.symbol.is_some() && (declared.optional || declared.default.is_some()),
    }
}
