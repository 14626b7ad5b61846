//! What `TypeDef` and `AttrDef` records say.

use tblgen::Record;

use super::{
    builder::Builder,
    constraint::Constraint,
    definition::{Definition, DefinitionKind, DefinitionParameter},
    dialect::Dialect,
    parse_definition_format::parse_definition_format,
    traits::Traits,
};
use crate::{
    error::{Error, Place, Result},
    fields::{Class, Fields},
    records::{self, Records},
};

/// Fields that say how C++ stores and names it.
const CPP: &[&str] = &[
    "extraClassDeclaration",
    "extraClassDefinition",
    "storageClass",
    "storageNamespace",
    "genStorageClass",
    "hasStorageCustomConstructor",
    "cppBaseClassName",
];
const READ_ELSEWHERE: &[&str] = &[
    // Of the class as a constraint.
    "storageType",
    "returnType",
    "convertFromStorage",
    "constBuilderCall",
    "builderCall",
    "valueType",
    "defaultValue",
    "isOptional",
    "baseAttr",
    "cppFunctionName",
    "cppNamespace",
    "typeName",
    "attrName",
];

impl Definition {
    /// Reads the record.
    pub fn read(records: &Records, record: Record<'_>) -> Result<Self> {
        let fields = Fields::new(records, record);
        let kind = if record.subclass_of("TypeDef") { DefinitionKind::Type } else { DefinitionKind::Attribute };
        let mut errors = Vec::new();
        let mut definition = Self::head(&fields, kind)?;
        let (what, interface) = match kind {
            DefinitionKind::Type => ("types", "TypeInterface"),
            DefinitionKind::Attribute => ("attributes", "AttrInterface"),
        };
        match Traits::read_of_definition(&fields, "traits", what, interface) {
            Ok(traits) => (definition.traits, definition.interfaces) = (traits.traits, traits.interfaces),
            Err(error) => errors.push(error),
        }
        match read_parameters(&fields) {
            Ok(parameters) => definition.parameters = parameters,
            Err(error) => errors.push(error),
        }
        match Builder::read_list(&fields, "builders") {
            Ok(builders) => definition.builders = builders,
            Err(error) => errors.push(error),
        }
        if let Some(text) = fields.set_text("assemblyFormat").filter(|_| errors.is_empty()) {
            match parse_definition_format(&fields, &text, &definition) {
                Ok(elements) => definition.format = Some(elements),
                Err(error) => errors.push(error),
            }
        }
        errors.extend(definition.check(&fields).err());
        let name = if kind == DefinitionKind::Type { "TypeDef" } else { "AttrDef" };
        errors.extend(fields.finish(&Class { name, cpp: CPP, derived: READ_ELSEWHERE }).err());
        Error::collect(errors).map(|()| definition)
    }

    /// The dialect that a definition belongs to, without reading more of it.
    pub fn dialect_of(record: Record<'_>) -> Option<String> {
        record.def_value("dialect").ok().and_then(|dialect| records::text(dialect, "name"))
    }

    fn head(fields: &Fields<'_>, kind: DefinitionKind) -> Result<Self> {
        let name = fields.shown();
        fields.note("dialect");
        if let Some(dialect) = fields.definition("dialect") {
            // One slip is told once.
            Dialect::name_of(&Fields::new(fields.records, dialect))?;
        }
        let dialect =
            Self::dialect_of(fields.record).ok_or_else(|| fields.place().error(format!("'{name}' needs a dialect")))?;
        Ok(Self {
            definition: name,
            kind,
            dialect,
            is_qualified: false,
            class: fields.text("cppClassName").unwrap_or_default(),
            cpp_type: fields.text("cppType").unwrap_or_default(),
            mnemonic: fields.text("mnemonic"),
            constraint: Constraint::of(fields)?,
            summary: fields.text("summary"),
            description: fields.text("description"),
            parameters: Vec::new(),
            traits: Vec::new(),
            interfaces: Vec::new(),
            format: None,
            has_custom_assembly: fields.flag("hasCustomAssemblyFormat"),
            builders: Vec::new(),
            skips_default_builders: fields.flag("skipDefaultBuilders"),
            has_verifier: fields.flag("genVerifyDecl"),
            has_accessors: fields.flag("genAccessors"),
            has_mnemonic_alias: fields.flag("genMnemonicAlias"),
            enumeration: fields.definition("enum").map(|found| records::name(found).to_string()),
            place: fields.place(),
        })
    }

    /// What upstream asks of parameters and text together.
    fn check(&self, fields: &Fields<'_>) -> Result<()> {
        let declared = fields.record.has_field("assemblyFormat") && fields.set_text("assemblyFormat").is_some();
        let error = |field: &str, message: &str| Err(fields.error(field, message));
        match (declared, self.has_custom_assembly) {
            (true, true) => {
                error("assemblyFormat", "cannot specify both 'assemblyFormat' and 'hasCustomAssemblyFormat'")
            }
            (false, false) if self.mnemonic.is_some() && !self.parameters.is_empty() => {
                let message =
                    "must specify either 'assemblyFormat' or 'hasCustomAssemblyFormat' when 'mnemonic' is set";
                let help = "its parameters have no other text";
                Err(fields.error("mnemonic", message).help(help))
            }
            (false, false) => Ok(()),
            // That of an `EnumAttr` without a name of its own is set, and empty.
            _ if fields.set_text("mnemonic").is_none() => {
                let message = "'assemblyFormat' or 'hasCustomAssemblyFormat' can only be used when 'mnemonic' is set";
                error(if declared { "assemblyFormat" } else { "hasCustomAssemblyFormat" }, message)
            }
            (true, _) if !self.has_accessors => {
                error("assemblyFormat", "'assemblyFormat' requires 'genAccessors' to be true")
            }
            (true, _) if self.skips_default_builders && fields.definitions("builders")?.is_empty() => {
                error("skipDefaultBuilders", "default builders are skipped and no custom builders provided")
            }
            _ => Ok(()),
        }
    }
}

const CODE: [&str; 5] = ["allocator", "comparator", "convertFromStorage", "parser", "printer"];

fn read_parameters(fields: &Fields<'_>) -> Result<Vec<DefinitionParameter>> {
    let dag = fields.marked("parameters", "ins")?;
    let (mut parameters, mut errors) = (Vec::<DefinitionParameter>::new(), Vec::new());
    for (index, argument) in dag.arguments().enumerate() {
        let place = fields.argument_place("parameters", index, dag.len());
        let name = argument.name.unwrap_or_default().to_string();
        let error = |message: String| place.error(message).note(fields.whereabouts("parameters"));
        if name.is_empty() {
            errors.push(error("a parameter needs a name".into()));
        } else if parameters.iter().any(|parameter| parameter.name == name) {
            errors.push(error(format!("two parameters are named '{name}'")));
        } else if let Some(value) = argument.value {
            match (String::try_from(value), records::as_record(value)) {
                (Ok(cpp_type), _) => parameters.push(DefinitionParameter::plain(name, cpp_type, place)),
                (_, Some(record)) if record.has_field("cppType") => {
                    match DefinitionParameter::read(fields.records, record, name, place.clone()) {
                        Ok(parameter) if parameter.asks_operation() => {
                            let message =
                                format!("the constraint of parameter '{}' asks for an operation", parameter.name);
                            errors.push(error(message).help("'$_op' stands for nothing here"));
                        }
                        Ok(parameter) => parameters.push(parameter),
                        Err(error) => errors.push(error),
                    }
                }
                _ => errors.push(error(format!("parameter '{name}' is neither a C++ type nor a parameter record"))),
            }
        } else {
            errors.push(error(format!("parameter '{name}' needs a type")));
        }
    }
    Error::collect(errors).map(|()| parameters)
}

impl DefinitionParameter {
    fn asks_operation(&self) -> bool {
        self.constraint.as_ref().is_some_and(|constraint| constraint.predicate.asks_operation())
    }

    fn plain(name: String, cpp_type: String, place: Place) -> Self {
        Self {
            name,
            storage: cpp_type.clone(),
            accessor: cpp_type.clone(),
            cpp_type,
            default: None,
            optional: false,
            is_self_type: false,
            constraint: None,
            code: Vec::new(),
            summary: None,
            syntax: None,
            place,
        }
    }

    fn read(records: &Records, record: Record<'_>, name: String, place: Place) -> Result<Self> {
        let fields = Fields::new(records, record);
        let code = |field: &&str| fields.text(field).map(|text| (field.to_string(), text));
        let default = fields.text("defaultValue");
        let parameter = Self {
            name,
            cpp_type: fields.text("cppType").unwrap_or_default(),
            storage: fields.text("cppStorageType").unwrap_or_default(),
            accessor: fields.text("cppAccessorType").unwrap_or_default(),
            optional: default.is_some(),
            default,
            is_self_type: record.subclass_of("AttributeSelfTypeParameter"),
            constraint: record.subclass_of("Constraint").then(|| Constraint::read(records, record)).transpose()?,
            code: CODE.iter().filter_map(code).filter(|(_, text)| text != "$_self").collect(),
            summary: fields.text("summary"),
            syntax: fields.text("syntax"),
            place,
        };
        if record.subclass_of("AttrOrTypeParameter") {
            fields.finish(&Class { name: "AttrOrTypeParameter", cpp: &[], derived: &[] })?;
        }
        Ok(parameter)
    }
}
