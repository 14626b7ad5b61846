//! What getters in C++ make of an attribute.

use tblgen::Record;

use super::constraint::AttributeKind;
use crate::{
    cpp,
    error::{Diagnostic, Place},
    records::{self, Records},
};

/// Conversions that getters in Rust make as well.
const CONVERSIONS: [&str; 7] = [
    "$_self",
    "$_self.getValue()",
    "$_self.getInt()",
    "$_self.getValue().str()",
    "$_self.getValue().getSExtValue()",
    "$_self.getValue().getZExtValue()",
    "$_self!=nullptr",
];

/// Warns where an attribute of one's own has a getter in C++ that Rust has not.
pub(super) fn check(records: &Records, base: Record<'_>) {
    let own = |field: &str| {
        let place = base.value(field).map(|value| Place::of(records, value)).ok();
        place.filter(|place| place.position().is_some_and(|(file, ..)| !records.is_upstream(file)))
    };
    let text = |field: &str| records::text(base, field).unwrap_or_default();
    let Some(place) = own("convertFromStorage").or_else(|| own("returnType")) else { return };
    let (returned, stored) = (text("returnType"), text("storageType"));
    let code = text("convertFromStorage").replace(' ', "");
    let is_same = match AttributeKind::of_class(&stored) {
        _ if returned.is_empty() => true,
        // Of others than those with a value in Rust the getter returns the attribute.
        AttributeKind::Other | AttributeKind::Array => {
            code == "$_self" && cpp::normalized(&returned) == cpp::normalized(&stored)
        }
        _ => CONVERSIONS.contains(&code.as_str()),
    };
    if !is_same {
        let (name, returned) = (records.shown(base), returned.trim());
        let message =
            format!("'{name}' makes a '{returned}' of an attribute in C++: getters in Rust return what is stored");
        records.warn_once(Diagnostic::warning(place, message));
    }
}
