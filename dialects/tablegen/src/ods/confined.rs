//! Constraints that are put on an attribute beside its own: `ConfinedAttr<I32Attr, [IntMinValue<0>]>`.

use tblgen::Record;

use super::constraint::{AttributeKind, Constraint};
use crate::{
    cpp,
    error::{Error, Place, Result},
    fields::Fields,
    records::{self, Records},
};

/// Refuses constraints that are about attributes of another class than the one that `record` stores, which no attribute
/// can fulfil: in C++ their `cast` would fail.
pub(super) fn check(records: &Records, record: Record<'_>, place: &Place) -> Result<()> {
    let stored = records::text(record, "storageType").unwrap_or_default();
    let (mut errors, mut layer) = (Vec::new(), Some(record));
    while let Some(confined) = layer {
        let fields = Fields::new(records, confined);
        for constraint in fields.definitions("attrConstraints")? {
            let constraint = Constraint::read(records, constraint)?;
            let Some(class) = foreign_class(&constraint, &stored) else { continue };
            let name = stored.trim().trim_start_matches("::mlir::");
            let message = format!("a constraint on {class} is put on an attribute that is stored as {name}");
            errors.push(place.error(message).help(format!("the constraint says '{}'", constraint.summary)));
        }
        layer = records::definition(confined, "baseAttr");
    }
    Error::collect(errors)
}

/// The class that the predicate casts to, if what is stored is of another one.
fn foreign_class(constraint: &Constraint, stored: &str) -> Option<String> {
    let expression = constraint.predicate.expression().ok()?;
    let classes = cpp::casts_of_self(&expression);
    let is_asked = constraint.predicate.text().contains("isa<");
    classes.into_iter().find(|class| !is_asked && !fits(class, stored)).map(str::to_string)
}

fn fits(class: &str, stored: &str) -> bool {
    use AttributeKind::{Bool, Bools, Floats, Integer, Integers, Other};
    let stored = AttributeKind::of_class(stored);
    match (AttributeKind::of_class(class), stored) {
        (_, Other) | (Integer | Bool, Integer | Bool) => true,
        (Other, _) if class == "DenseArrayAttr" => matches!(stored, Bools | Integers(_) | Floats(_)),
        (Other, _) => true,
        (class, stored) => class == stored,
    }
}
