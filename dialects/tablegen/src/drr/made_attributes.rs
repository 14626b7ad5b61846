//! The attributes of operations that a pattern makes.

use super::{
    emit::Emitter,
    model::{Reference, ResultArgument, ResultNode},
    pdl::{ATTRIBUTE, Binding, Passed},
    results::node_place,
};
use crate::{
    error::{Place, Result},
    ods::Attribute,
};

/// What an operation is made of.
#[derive(Default)]
pub struct Parts {
    /// Its operands.
    pub operands: Vec<Passed>,
    /// How many values stand for each declared operand; `None` for a range.
    pub sizes: Vec<Option<usize>>,
    /// Its attributes, by their names.
    pub attributes: Vec<(String, String)>,
    /// Attributes copied if they are there: name at the source, source, name here.
    pub copies: Vec<(String, String, String)>,
}

/// An attribute to be given, and what stands for an absent one.
pub struct Wanted<'d> {
    pub attribute: &'d Attribute,
    pub default: Option<String>,
}

impl Emitter<'_, '_> {
    /// Gives an operation the attribute that an argument stands for, if it stands for one.
    pub fn made_attribute(
        &mut self,
        argument: &ResultArgument,
        wanted: &Wanted<'_>,
        place: &Place,
        parts: &mut Parts,
    ) -> Result<()> {
        let declared = wanted.attribute;
        let place = argument_place(argument, place);
        let name = match argument {
            ResultArgument::Absent if may_be_absent(declared) => return Ok(()),
            ResultArgument::Absent | ResultArgument::Group(_) => {
                return self.error(&place, format!("attribute '{}' must be given", declared.name));
            }
            ResultArgument::Reference(reference) => match self.bound_attribute(reference, wanted, &place, parts)? {
                Some(name) => name,
                None => return Ok(()),
            },
            ResultArgument::Constant(text) => self.constant(text),
            ResultArgument::Integer(value) => self.constant(&format!("{value} : i64")),
            ResultArgument::Node(node) => self.computed_attribute(node, declared, &place)?,
        };
        parts.attributes.push((declared.name.clone(), name));
        Ok(())
    }

    /// The attribute that a symbol is bound to; none where it is copied, if it is there.
    fn bound_attribute(
        &mut self,
        reference: &Reference,
        wanted: &Wanted<'_>,
        place: &Place,
        parts: &mut Parts,
    ) -> Result<Option<String>> {
        let (symbol, name) = (&reference.name, &wanted.attribute.name);
        match self.lookup(reference)? {
            Binding::Attribute(found) => Ok(Some(found)),
            // What is absent is left out where that means the same.
            Binding::OptionalAttribute { operation, attribute, default }
                if may_be_absent(wanted.attribute) && (default.is_none() || default == wanted.default) =>
            {
                parts.copies.push((attribute, operation, name.clone()));
                Ok(None)
            }
            Binding::OptionalAttribute { operation, attribute, default: Some(default) } => {
                Ok(Some(self.or_default(&operation, &attribute, &default)))
            }
            Binding::OptionalAttribute { .. } => {
                self.error(place, format!("'${symbol}' may be absent, but attribute '{name}' must be given"))
            }
            Binding::Native(returned) => match returned.get(reference.index.unwrap_or(0)) {
                Some((found, ATTRIBUTE)) => Ok(Some(found.clone())),
                _ => self.error(place, format!("'${symbol}' has no such attribute")),
            },
            _ => self.error(place, format!("'${symbol}' is not an attribute, which '{name}' needs")),
        }
    }

    /// The attribute that a native call returns.
    fn computed_attribute(&mut self, node: &ResultNode, declared: &Attribute, place: &Place) -> Result<String> {
        let ResultNode::Native(call) = node else {
            return self.error(place, format!("attribute '{}' cannot be an operation", declared.name));
        };
        match self.native(call, ATTRIBUTE)?.pop() {
            Some((name, ATTRIBUTE)) => Ok(name),
            _ => {
                let message = format!("attribute '{}' needs a native call that returns one", declared.name);
                self.error(place, message)
            }
        }
    }
}

fn may_be_absent(declared: &Attribute) -> bool {
    declared.optional || declared.default.is_some()
}

/// Where an argument stands, or what it is an argument of.
pub fn argument_place(argument: &ResultArgument, around: &Place) -> Place {
    match argument {
        ResultArgument::Reference(reference) => reference.place.clone(),
        ResultArgument::Node(node) => node_place(node),
        _ => around.clone(),
    }
}
