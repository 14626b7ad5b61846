//! Native functions in the match section of a pattern.

use super::{
    emit::Emitter,
    model::{AttributeTest, NativeMatch, NativeOutput, Placeholder, Target},
    natives::{NativeKind, ParameterKind, Place as NativePlace, ReturnKind},
    pdl::{ATTRIBUTE, Binding, Passed, VALUE},
    source::wish_of,
};
use crate::error::Result;

impl Emitter<'_, '_> {
    /// A native function that is asked about the operation that defines an operand.
    pub fn native_match(&mut self, native: &NativeMatch) -> Result<String> {
        let value = self.value(None, None, &native.place)?;
        self.native_test(native, (value.clone(), VALUE), ParameterKind::DefiningOperation)?;
        Ok(value)
    }

    /// A native function that is asked about what is given to it as `$_self`.
    pub fn native_test(&mut self, native: &NativeMatch, about: Passed, this: ParameterKind) -> Result<()> {
        let place = match &native.function.target {
            Target::Path(path) => NativePlace::Path(path.clone()),
            Target::Method(method) | Target::Expression(method) => NativePlace::Method(method.clone()),
            _ => return self.error(&native.place, format!("'{}' does not match anything", native.function.text)),
        };
        let mut parameters = Vec::new();
        for placeholder in &native.function.parameters {
            match placeholder {
                Placeholder::This => parameters.push(this.clone()),
                // What is told is returned.
                Placeholder::Argument(_) => {}
                Placeholder::Location => return self.error(&native.place, "'$_loc' is known when something is made"),
            }
        }
        // PDL asks nothing without an argument, which such a function does not read.
        let given = vec![about; parameters.len().max(1)];
        let kind = |output: &NativeOutput| if output.is_attribute { ReturnKind::Attribute } else { ReturnKind::Value };
        let returns = native.outputs.iter().map(kind).collect();
        let wish = wish_of(&native.function.target, &native.function.definition);
        let kind = NativeKind::Matcher { place, parameters, returns };
        let function = self.natives.add_call(&wish, kind, &native.function);
        self.told(native, &function, &given)
    }

    /// Calls the function, tests what it tells, and binds that.
    fn told(&mut self, native: &NativeMatch, function: &str, given: &[Passed]) -> Result<()> {
        let mut returned = Vec::new();
        for output in &native.outputs {
            let name = self.fresh(output.symbol.as_ref().map_or("told", |symbol| &symbol.name));
            returned.push((name, if output.is_attribute { ATTRIBUTE } else { VALUE }));
        }
        // PDL asks the same of several patterns once, but not always before each of them needs what is told. With the name of
        // the pattern it is not the same.
        let pattern = self.text(&self.pattern.name);
        let given: Vec<Passed> = given.iter().cloned().chain([(pattern, ATTRIBUTE)]).collect();
        self.apply(function, &given, &returned);
        for (output, (name, kind)) in native.outputs.iter().zip(returned) {
            let is_value = !output.is_attribute;
            match &output.test {
                Some(AttributeTest::Constraint(constraint)) => {
                    let parameter = if is_value { ParameterKind::Values(Some(1)) } else { ParameterKind::Attribute };
                    self.constrain(constraint, vec![(vec![(name.clone(), kind)], parameter)], is_value);
                }
                Some(AttributeTest::Constant(text)) => {
                    let constant = self.constant(text);
                    self.library("drr.is", &[(name.clone(), ATTRIBUTE), (constant, ATTRIBUTE)], None);
                }
                _ => {}
            }
            if let Some(symbol) = &output.symbol {
                let binding = if is_value { Binding::Value(name) } else { Binding::Attribute(name) };
                self.bind(symbol, binding)?;
            }
        }
        Ok(())
    }
}
