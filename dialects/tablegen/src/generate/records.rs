//! `-print-records`: what TableGen made of the file.

use crate::records::Records;

/// All definitions with their fields, as TableGen writes them.
pub fn print_records(records: &Records) -> String {
    let mut text = String::from("------------- Defs -----------------\n");
    for record in records.definitions() {
        text.push_str(&format!("def {record}"));
    }
    text
}
