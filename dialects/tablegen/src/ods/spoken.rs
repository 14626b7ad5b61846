//! The dialects of which a file itself speaks, among those of the files that it includes.

use std::collections::BTreeSet;

use tblgen::Record;

use super::{Definition, Operation};
use crate::records::Records;

/// The dialects of a file whose types and attributes are made without being named. Whoever includes the classes of
/// MLIR's LLVM dialect wants no types of LLVM.
pub struct Spoken {
    /// Those with operations, and those for which the file or others of its author declare types or attributes. Of a file
    /// that has neither, all.
    dialects: BTreeSet<String>,
}

impl Spoken {
    /// The dialects of which the records speak.
    pub fn of(records: &Records) -> Self {
        let operations = records.derived("Op").into_iter().filter_map(Operation::dialect_of);
        let definitions = records.derived("AttrOrTypeDef").into_iter();
        let own = definitions.filter(|record| is_own(records, *record)).filter_map(Definition::dialect_of);
        Self { dialects: operations.chain(own).collect() }
    }

    /// Whether a type or an attribute is of one of these dialects.
    pub fn holds(&self, definition: Record<'_>) -> bool {
        self.dialects.is_empty() || Definition::dialect_of(definition).is_none_or(|name| self.dialects.contains(&name))
    }
}

/// Whether a record stands in the file itself or in another one that is not MLIR's.
fn is_own(records: &Records, record: Record<'_>) -> bool {
    let place = records.place_of(record);
    place.is_in(records.file_name()) || place.position().is_some_and(|(file, ..)| !records.is_upstream(file))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::{ods::Model, records::Records};

    /// The dialects whose types and attributes are made.
    fn spoken(text: &str, dialect: Option<&str>) -> BTreeSet<String> {
        let directories = [crate::paths::llvm_prefix().join("include")];
        let text = format!("include \"mlir/Dialect/LLVMIR/LLVMOpBase.td\"\n{text}");
        let records = Records::from_text(&text, "test.td", &directories).unwrap();
        let definitions = Model::read_dialect(&records, dialect).unwrap().definitions;
        definitions.into_iter().map(|definition| definition.dialect).collect()
    }

    const DIALECTS: &str = "def A : Dialect { let name = \"a\"; }\ndef B : Dialect { let name = \"b\"; }\n";

    #[test]
    fn included_types_of_other_dialects_are_theirs() {
        let of = |text: &str| spoken(&format!("{DIALECTS}{text}"), None);
        let types = "def X : TypeDef<A, \"X\"> { let mnemonic = \"x\"; }\n";
        let operation = "def YOp : Op<B, \"y\"> { let arguments = (ins LLVM_AnyPointer:$p); }\n";
        assert_eq!(of(operation), BTreeSet::new());
        assert_eq!(of(types), BTreeSet::from(["a".into()]));
        // Of its own dialects one may have operations alone, another one types.
        assert_eq!(of(&format!("{types}{operation}")), BTreeSet::from(["a".into()]));
        // What is added to a dialect makes it one of those of which the file speaks.
        assert_eq!(of("def Z : LLVM_Op<\"z\">;"), BTreeSet::from(["llvm".into()]));
    }

    #[test]
    fn all_are_made_where_they_are_asked_for() {
        assert_eq!(spoken("", None), BTreeSet::from(["llvm".into()]));
        let named = spoken("def A : Dialect { let name = \"a\"; }\ndef YOp : Op<A, \"y\">;", Some("llvm"));
        assert_eq!(named, BTreeSet::from(["llvm".into()]));
    }
}
