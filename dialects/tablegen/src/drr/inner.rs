//! Operations that define operands which a range hides: PDL cannot match them, so native constraints find them. A result
//! stands for such an operation, as a constraint of PDL returns none.

use super::{
    emit::{Emitter, MatchedOperation},
    model::{AttributeMatch, AttributeTest, Reference, SourceOperation},
    parts::{Part, Side},
    pdl::{ATTRIBUTE, Binding, Passed, VALUE},
    source_attributes::is_late,
};
use crate::{
    error::{Error, Result},
    ods::Arity,
};

impl Emitter<'_, '_> {
    /// The value that a range hides.
    pub fn hidden_value(&mut self, operation: &str, part: &Part) -> String {
        let given = self.place_of(operation, part);
        self.found("drr.inner", &given, ("inner", VALUE))
    }

    /// Asks for what an operation has; the answer is another one for each pattern (see `told`).
    fn found(&mut self, function: &str, given: &[Passed], (wish, kind): (&str, &'static str)) -> String {
        let pattern = self.text(&self.pattern.name);
        let given: Vec<Passed> = given.iter().cloned().chain([(pattern, ATTRIBUTE)]).collect();
        self.library(function, &given, Some((wish, kind)))
    }

    /// Matches the operation that defines a value.
    pub fn inner_operation(&mut self, source: &SourceOperation, value: String) -> Result<()> {
        let declared = self.library.get(source.operation);
        let index = self.operand_result(source)?;
        let (name, result) =
            (self.text(&declared.operation.name()), self.constant_called("index", &format!("{index} : i64")));
        self.library("drr.defined", &[(value.clone(), VALUE), (name, ATTRIBUTE), (result, ATTRIBUTE)], None);
        self.inner.insert(value.clone());
        // The root stays the last.
        self.matched.insert(0, value.clone());
        let matched = MatchedOperation { name: value, operation: source.operation, types: Vec::new() };
        self.ask_for_groups(source, &matched);
        let mut errors = Vec::new();
        for (index, operand) in source.operands.iter().enumerate() {
            let part = Part::of(&declared.operation, Side::Operands, index);
            errors.extend(self.hidden(operand, part, &matched).err());
        }
        for ((attribute, declaration), kind) in
            source.attributes.iter().zip(&declared.operation.attributes).zip(&declared.kinds)
        {
            let default = kind.default.as_deref().and_then(|value| kind.attribute(value));
            if !is_late(attribute, declaration, default) {
                errors.extend(self.inner_attribute(attribute, &declaration.name, &matched).err());
            }
        }
        errors.extend(self.late_attributes(source, &declared, &matched).err());
        if let Some(symbol) = &source.symbol {
            errors.extend(self.bind_results(symbol, &matched, index).err());
        }
        Error::collect(errors)
    }

    /// An attribute that must be there.
    fn inner_attribute(&mut self, attribute: &AttributeMatch, name: &str, matched: &MatchedOperation) -> Result<()> {
        let asks = match attribute.test {
            Some(AttributeTest::Absent | AttributeTest::Native(_)) => false,
            Some(_) => true,
            None => attribute.symbol.is_some(),
        };
        if !asks {
            return Ok(());
        }
        let given = [self.matched_as(&matched.name), (self.text(name), ATTRIBUTE)];
        let found = self.found("drr.attribute", &given, (name, ATTRIBUTE));
        if let Some(AttributeTest::Constant(text)) = &attribute.test {
            let constant = self.constant(text);
            self.library("drr.is", &[(found.clone(), ATTRIBUTE), (constant, ATTRIBUTE)], None);
        }
        match attribute.symbol.as_ref().and_then(|symbol| self.known(symbol)) {
            Some(Binding::Attribute(other)) => {
                self.library("drr.is", &[(found.clone(), ATTRIBUTE), (other, ATTRIBUTE)], None);
            }
            Some(_) => {
                let symbol = attribute.symbol.as_ref().map(|symbol| symbol.name.as_str()).unwrap_or_default();
                let message = format!("'${symbol}' is bound twice, and not to attributes that are always there");
                return self.error(&attribute.place, message);
            }
            None => {}
        }
        self.tested(attribute, &found)
    }

    /// Binds a name to the results of an operation; one of them is known.
    fn bind_results(&mut self, symbol: &Reference, matched: &MatchedOperation, known: usize) -> Result<()> {
        let declared = self.library.get(matched.operation);
        let results = &declared.operation.results;
        if results.len() == 1 {
            return self.bind(symbol, Binding::Value(matched.name.clone()));
        }
        if results.iter().any(|result| result.arity != Arity::One) {
            let name = declared.operation.name();
            return self
                .error(&symbol.place, format!("the results of '{name}' cannot be named here: some are variadic"));
        }
        let mut values = Vec::new();
        for index in 0..results.len() {
            let value = match index == known {
                true => matched.name.clone(),
                false => {
                    let index = self.constant_called("index", &format!("{index} : i64"));
                    self.found("drr.other", &[self.matched_as(&matched.name), (index, ATTRIBUTE)], ("other", VALUE))
                }
            };
            values.push((value, VALUE));
        }
        self.bind(symbol, Binding::Native(values))
    }
}
