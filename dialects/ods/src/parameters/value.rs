//! Rust values as the attributes that parameters are stored as.

use skriptnd_mlir::ir::{Attribute, Context, Location, Type, attributes};

/// A value of a parameter.
pub trait ParameterValue<'c>: Sized {
    /// The attribute that stores it.
    fn into_attribute(self, context: &'c Context) -> Attribute<'c>;

    /// The value that an attribute stores; none if it is of another kind.
    fn from_attribute(attribute: Attribute<'c>) -> Option<Self>;
}

/// All parameters of a type or an attribute.
pub trait ParameterValues<'c>: Sized {
    /// The attributes that store them, in order.
    fn into_attributes(self, context: &'c Context) -> Vec<Attribute<'c>>;

    /// The parameters that attributes store; none if one is of another kind.
    fn from_attributes(parameters: &[Attribute<'c>]) -> Option<Self>;
}

/// What stands for a type or an attribute that is absent: an attribute that nobody takes for a parameter.
pub(super) fn absent(context: &Context) -> Attribute<'_> {
    attributes::location(Location::unknown(context))
}

impl<'c> ParameterValue<'c> for i64 {
    fn into_attribute(self, context: &'c Context) -> Attribute<'c> {
        attributes::integer(context, self)
    }

    fn from_attribute(attribute: Attribute<'c>) -> Option<Self> {
        attributes::as_integer(attribute)
    }
}

impl<'c> ParameterValue<'c> for bool {
    fn into_attribute(self, context: &'c Context) -> Attribute<'c> {
        attributes::boolean(context, self)
    }

    fn from_attribute(attribute: Attribute<'c>) -> Option<Self> {
        attributes::as_bool(attribute)
    }
}

impl<'c> ParameterValue<'c> for f64 {
    fn into_attribute(self, context: &'c Context) -> Attribute<'c> {
        attributes::real(context, self)
    }

    fn from_attribute(attribute: Attribute<'c>) -> Option<Self> {
        attributes::as_real(attribute)
    }
}

impl<'c> ParameterValue<'c> for &'c str {
    fn into_attribute(self, context: &'c Context) -> Attribute<'c> {
        attributes::string(context, self)
    }

    fn from_attribute(attribute: Attribute<'c>) -> Option<Self> {
        attributes::as_string(attribute)
    }
}

impl<'c> ParameterValue<'c> for Type<'c> {
    fn into_attribute(self, _: &'c Context) -> Attribute<'c> {
        attributes::r#type(self)
    }

    fn from_attribute(attribute: Attribute<'c>) -> Option<Self> {
        attributes::as_type(attribute)
    }
}

impl<'c> ParameterValue<'c> for Attribute<'c> {
    fn into_attribute(self, _: &'c Context) -> Attribute<'c> {
        self
    }

    fn from_attribute(attribute: Attribute<'c>) -> Option<Self> {
        Some(attribute)
    }
}

impl<'c, T: ParameterValue<'c>> ParameterValue<'c> for Vec<T> {
    fn into_attribute(self, context: &'c Context) -> Attribute<'c> {
        let values: Vec<_> = self.into_iter().map(|value| value.into_attribute(context)).collect();
        attributes::array(context, &values)
    }

    fn from_attribute(attribute: Attribute<'c>) -> Option<Self> {
        attributes::as_array(attribute)?.into_iter().map(T::from_attribute).collect()
    }
}

impl<'c, T: ParameterValue<'c>> ParameterValue<'c> for Option<T> {
    fn into_attribute(self, context: &'c Context) -> Attribute<'c> {
        self.map_or_else(|| absent(context), |value| value.into_attribute(context))
    }

    fn from_attribute(attribute: Attribute<'c>) -> Option<Self> {
        match attribute == absent(attribute.context()) {
            true => Some(None),
            false => T::from_attribute(attribute).map(Some),
        }
    }
}
