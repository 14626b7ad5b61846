//! Types that are deduced from what an operation is made of, by MLIR or by the author.

use super::{
    emit::Emitter,
    library::Declared,
    made_attributes::Parts,
    model::ResultOperation,
    natives::{NativeKind, ParameterKind, Place as NativePlace, ReturnKind},
    pdl::{ATTRIBUTE, Passed, TYPE, TYPES},
};
use crate::{
    error::Result,
    ods::{Argument, Arity},
};

impl Emitter<'_, '_> {
    /// Gives what would be copied from elsewhere, if it is there, when the operation is made, as its types depend on it.
    pub fn fill_in(&mut self, declared: &Declared, parts: &mut Parts) -> bool {
        let default = |name: &String| {
            let index = declared.operation.attributes.iter().position(|attribute| attribute.name == *name)?;
            let kind = &declared.kinds[index];
            kind.default.as_deref().and_then(|value| kind.attribute(value))
        };
        let copies = std::mem::take(&mut parts.copies);
        for (from, source, to) in copies {
            match default(&to) {
                Some(default) => {
                    let name = self.or_default(&source, &from, &default);
                    parts.attributes.push((to, name));
                }
                None => parts.copies.push((from, source, to)),
            }
        }
        parts.copies.is_empty()
    }

    /// The types that a builder in C++ deduces from the arguments: a function that the author writes.
    pub fn asked_types(
        &mut self,
        operation: &ResultOperation,
        declared: &Declared,
        parts: &Parts,
    ) -> Result<Vec<Passed>> {
        let (mut given, mut parameters) = (Vec::new(), Vec::new());
        let mut operands = parts.operands.iter();
        let mut sizes = parts.sizes.iter();
        for argument in &declared.operation.arguments {
            match *argument {
                Argument::Operand(index) => {
                    let size = sizes.next().copied().flatten();
                    let group = declared.operation.operands[index].arity != Arity::One;
                    given.extend(operands.by_ref().take(size.unwrap_or(1)).cloned());
                    parameters.push(if group { ParameterKind::Values(size) } else { ParameterKind::Value });
                }
                Argument::Attribute(index) => {
                    let (passed, kind) = self.builder_attribute(operation, declared, index, parts)?;
                    given.extend(passed);
                    parameters.push(kind);
                }
                Argument::Property(_) => {}
            }
        }
        let results = &declared.operation.results;
        let single = matches!(results.as_slice(), [result] if result.arity == Arity::One);
        let (kind, returns) = if single { (TYPE, ReturnKind::Type) } else { (TYPES, ReturnKind::Types) };
        let method = format!("{}_types", declared.operation.mnemonic.replace('.', "_"));
        let text = format!("the types that a builder of '{}' deduces", declared.operation.name());
        let native =
            NativeKind::Function { place: NativePlace::Method(method.clone()), parameters, returns: vec![returns] };
        let function = self.natives.add(&method, native, &text);
        let returned = (self.fresh("types"), kind);
        self.apply(&function, &given, std::slice::from_ref(&returned));
        Ok(vec![returned])
    }

    /// What a builder is given for an attribute: of one signature, whether or not it is there.
    fn builder_attribute(
        &mut self,
        operation: &ResultOperation,
        declared: &Declared,
        index: usize,
        parts: &Parts,
    ) -> Result<(Vec<Passed>, ParameterKind)> {
        let (attribute, kind) = (&declared.operation.attributes[index], &declared.kinds[index]);
        let default = kind.default.as_deref().and_then(|value| kind.attribute(value));
        let parameter = match attribute.optional || (attribute.default.is_some() && default.is_none()) {
            true => ParameterKind::OptionalAttribute,
            false => ParameterKind::Attribute,
        };
        if let Some((_, value)) = parts.attributes.iter().find(|(known, _)| *known == attribute.name) {
            return Ok((vec![(value.clone(), ATTRIBUTE)], parameter));
        }
        let copied = parts.copies.iter().find(|(_, _, to)| *to == attribute.name);
        match (copied, default) {
            (Some((from, source, _)), default) => {
                let mut given = vec![self.matched_as(source), (self.text(from), ATTRIBUTE)];
                if parameter == ParameterKind::Attribute {
                    given.extend(default.map(|default| (self.constant(&default), ATTRIBUTE)));
                }
                Ok((given, parameter))
            }
            (None, Some(default)) if parameter == ParameterKind::Attribute => {
                Ok((vec![(self.constant(&default), ATTRIBUTE)], parameter))
            }
            (None, _) if parameter == ParameterKind::OptionalAttribute => {
                Ok((Vec::new(), ParameterKind::AbsentAttribute))
            }
            (None, _) => self.error(&operation.place, "a builder that deduces types needs all attributes"),
        }
    }
}
