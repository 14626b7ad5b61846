//! Interfaces: methods that operations, types, attributes or dialects promise.

use tblgen::Record;

use super::builder::{Parameter, have_same_types, shown_types};
use crate::{
    error::{Error, Place, Result},
    fields::{Class, Fields},
    records::{self, Records},
};

/// What an interface is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InterfaceKind {
    /// Operations.
    Operation,
    /// Attributes.
    Attribute,
    /// Types.
    Type,
    /// Dialects.
    Dialect,
}

/// Interfaces that the bridge implements in MLIR.
const REACHED: [&str; 12] = [
    "InferTypeOpInterface",
    "MemoryEffectOpInterface",
    "CallOpInterface",
    "RegionBranchOpInterface",
    "BranchOpInterface",
    "CastOpInterface",
    "SymbolUserOpInterface",
    // By the trait `ReturnLike`.
    "RegionBranchTerminatorOpInterface",
    "FunctionOpInterface",
    "SymbolOpInterface",
    "ConditionallySpeculatable",
    "OpAsmOpInterface",
];

/// Whether MLIR reaches an interface of this C++ name through hooks of its own.
pub fn is_reached(name: &str) -> bool {
    REACHED.contains(&name)
}

/// A method of an interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Method {
    /// Its name.
    pub name: String,
    /// Markdown about it.
    pub description: Option<String>,
    /// The C++ type of what it returns.
    pub returned: String,
    /// What it takes.
    pub parameters: Vec<Parameter>,
    /// Whether it belongs to the kind of operation, not to one operation.
    pub is_static: bool,
    /// The C++ of its body, which is the same for all that implement the interface.
    pub body: Option<String>,
    /// The C++ of its body where nothing else is said.
    pub default_body: Option<String>,
    /// Where it is declared.
    pub place: Place,
}

/// An `OpInterface`, `AttrInterface`, `TypeInterface` or `DialectInterface` record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interface {
    /// The name of the definition.
    pub definition: String,
    /// The C++ name.
    pub name: String,
    /// The C++ namespace.
    pub namespace: String,
    /// What it is of.
    pub kind: InterfaceKind,
    /// Markdown about it.
    pub description: Option<String>,
    /// The methods in order.
    pub methods: Vec<Method>,
    /// The interfaces that it extends, by their C++ names and namespaces.
    pub bases: Vec<(String, String)>,
    /// The C++ that verifies what has the interface.
    pub verify: Option<String>,
    /// Whether the verifier runs after what stands in the regions is verified.
    pub verifies_regions: bool,
    /// The C++ expression that says whether an instance has the interface at all.
    pub applies_if: Option<String>,
    /// Whether the file that is read defines it, not one that it includes.
    pub is_own: bool,
    /// Whether it is one of MLIR's own, which C++ implements, too.
    pub is_upstream: bool,
    /// Where it is defined.
    pub place: Place,
}

const INTERFACE: Class = Class {
    name: "Interface",
    cpp: &[
        "extraClassDeclaration",
        "extraSharedClassDeclaration",
        "extraConcreteClassDeclaration",
        "extraConcreteClassDefinition",
        "extraTraitClassDeclaration",
    ],
    derived: &[],
};

impl Interface {
    /// Reads the record, if it defines an interface: uses of one with settings of their own are records as well.
    pub(super) fn read(records: &Records, record: Record<'_>) -> Result<Option<Self>> {
        if record.subclass_of("DeclareInterfaceMethods") || record.anonymous() && !records.is_definition(record) {
            return Ok(None);
        }
        Fields::new(records, record).check_named("an interface")?;
        Self::read_definition(records, record).map(Some)
    }

    fn read_definition(records: &Records, record: Record<'_>) -> Result<Self> {
        let fields = Fields::new(records, record);
        let name = fields.required_name("cppInterfaceName", "interface")?;
        let mut methods = Vec::<Method>::new();
        let mut errors = Vec::new();
        let declared = fields.definitions("methods")?;
        let count = declared.len();
        for (index, method) in declared.into_iter().enumerate() {
            match Method::read(records, method) {
                Ok(method) if methods.iter().any(|earlier| earlier.is_same(&method)) => {
                    let signature = format!("{}{}", method.name, shown_types(&method.parameters));
                    // One that is written alike is the same record, of which the first place is known.
                    let place = fields.item_place("methods", index, count);
                    let message = format!("interface '{name}' has two methods '{signature}'");
                    errors.push(place.error(message).note(fields.whereabouts("methods")));
                }
                Ok(method) => methods.push(method),
                Err(error) => errors.push(error.within(&fields.whereabouts("methods"))),
            }
        }
        let bases = fields.definitions("baseInterfaces")?;
        let interface = Self {
            definition: fields.name().to_string(),
            namespace: fields.text("cppNamespace").unwrap_or_default(),
            kind: match record {
                _ if record.subclass_of("AttrInterface") => InterfaceKind::Attribute,
                _ if record.subclass_of("TypeInterface") => InterfaceKind::Type,
                _ if record.subclass_of("DialectInterface") => InterfaceKind::Dialect,
                _ => InterfaceKind::Operation,
            },
            description: fields.text("description"),
            bases: bases.into_iter().filter_map(whole_name).collect(),
            verify: fields.text("verify"),
            verifies_regions: fields.flag("verifyWithRegions"),
            applies_if: fields.text("extraClassOf"),
            is_own: fields.place().position().is_some_and(|(file, ..)| file == records.file_name()),
            is_upstream: fields.place().position().is_some_and(|(file, ..)| records.is_upstream(file)),
            place: fields.place(),
            name,
            methods,
        };
        // What makes it a constraint and a trait as well is read where it is used as one.
        ["trait", "dependentTraits"].iter().for_each(|field| fields.note(field));
        ["baseEffectName", "predicate", "summary", "storageType", "returnType", "convertFromStorage", "cppType"]
            .iter()
            .for_each(|field| fields.note(field));
        errors.extend(fields.finish(&INTERFACE).err());
        Error::collect(errors).map(|()| interface)
    }
}

/// The C++ name and namespace.
fn whole_name(record: Record<'_>) -> Option<(String, String)> {
    Some((records::text(record, "cppInterfaceName")?, records::text(record, "cppNamespace").unwrap_or_default()))
}

const METHOD: Class = Class { name: "InterfaceMethod", cpp: &[], derived: &[] };

impl Method {
    fn read(records: &Records, record: Record<'_>) -> Result<Self> {
        let fields = Fields::new(records, record);
        let name = fields.required_name("name", "method")?;
        let returned = fields.text("returnType").unwrap_or_default().trim().to_string();
        if returned.is_empty() {
            let error = fields.error("returnType", format!("method '{name}' does not say what it returns"));
            return Err(error.help("write \"void\" for nothing"));
        }
        let method = Self {
            name,
            description: fields.text("description"),
            returned,
            parameters: Parameter::read_dag(&fields, "arguments")?,
            is_static: record.subclass_of("StaticInterfaceMethod"),
            body: fields.text("body").filter(|body| !body.trim().is_empty()),
            default_body: fields.text("defaultBody").filter(|body| !body.trim().is_empty()),
            place: fields.place(),
        };
        fields.finish(&METHOD)?;
        Ok(method)
    }

    /// Whether C++ takes the other one for a second declaration of this.
    fn is_same(&self, other: &Self) -> bool {
        self.name == other.name
            && self.parameters.len() == other.parameters.len()
            && have_same_types(&self.parameters, &other.parameters)
    }
}
