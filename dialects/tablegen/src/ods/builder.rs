//! Builders that a record declares beside those that follow from its arguments.

use tblgen::Record;

use crate::{
    error::{Error, Place, Result},
    fields::{Class, Fields},
    records::{self, Records},
};

/// A parameter of a builder or of an interface's method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its name; empty if it has none.
    pub name: String,
    /// Its C++ type.
    pub cpp_type: String,
    /// The C++ expression for a parameter that is not given.
    pub default: Option<String>,
}

/// An `OpBuilder`, `AttrBuilder` or `TypeBuilder`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Builder {
    /// What it takes beside the builder and the state.
    pub parameters: Vec<Parameter>,
    /// The C++ of its body; `None` where it is written elsewhere.
    pub body: Option<String>,
    /// Why it should not be used any more.
    pub deprecated: Option<String>,
    /// Whether an attribute's or type's builder finds the context in its parameters.
    pub infers_context: bool,
    /// The C++ type of what it builds, if it is not the class itself.
    pub return_type: Option<String>,
    /// Where it is defined.
    pub place: Place,
}

const BUILDER: Class = Class { name: "OpBuilder", cpp: &["odsCppDeprecated"], derived: &[] };

impl Builder {
    /// Reads the list in `field` of a record.
    pub fn read_list(owner: &Fields<'_>, field: &str) -> Result<Vec<Self>> {
        let (mut builders, mut errors) = (Vec::<Self>::new(), Vec::new());
        let declared = owner.definitions(field)?;
        let count = declared.len();
        for (index, record) in declared.into_iter().enumerate() {
            match Self::read(owner.records, record) {
                Ok(builder) if builders.iter().any(|earlier| earlier.hides(&builder)) => {
                    let message = format!("an earlier builder takes {} already", shown_types(&builder.parameters));
                    // One that is written alike is the same record, of which the first place is known.
                    let place = owner.item_place(field, index, count);
                    errors.push(place.error(message).note(owner.whereabouts(field)));
                }
                Ok(builder) => builders.push(builder),
                Err(error) => errors.push(error),
            }
        }
        Error::collect(errors).map(|()| builders)
    }

    /// Whether C++ cannot tell calls of the other one from calls of this: what this takes beyond it has default values.
    fn hides(&self, other: &Self) -> bool {
        let further = self.parameters.get(other.parameters.len());
        self.infers_context == other.infers_context
            && self.parameters.len() >= other.parameters.len()
            && have_same_types(&self.parameters, &other.parameters)
            && further.is_none_or(|parameter| parameter.default.is_some())
    }

    fn read(records: &Records, record: Record<'_>) -> Result<Self> {
        let fields = Fields::new(records, record);
        let builder = Self {
            parameters: Parameter::read_dag(&fields, "dagParams")?,
            body: fields.text("body"),
            deprecated: fields.text("odsCppDeprecated"),
            infers_context: fields.flag("hasInferredContextParam"),
            return_type: fields.text("returnType"),
            place: fields.place(),
        };
        fields.finish(&BUILDER)?;
        Ok(builder)
    }
}

/// Whether the parameters that both lists have are of the same types in C++.
pub(super) fn have_same_types(some: &[Parameter], others: &[Parameter]) -> bool {
    let name = |parameter: &Parameter| {
        let text: String = parameter.cpp_type.split_whitespace().collect::<Vec<_>>().join(" ");
        text.replace("::mlir::", "").replace("mlir::", "").replace(" &", "&").replace(" *", "*")
    };
    some.iter().zip(others).all(|(one, other)| name(one) == name(other))
}

/// The types of parameters as messages show them.
pub(super) fn shown_types(parameters: &[Parameter]) -> String {
    let types: Vec<&str> = parameters.iter().map(|parameter| parameter.cpp_type.trim()).collect();
    format!("({})", types.join(", "))
}

impl Parameter {
    /// Reads the dag `(ins "Type":$name, CArg<"Type", "default">:$name)` in `field`.
    pub fn read_dag(fields: &Fields<'_>, field: &str) -> Result<Vec<Self>> {
        let dag = fields.marked(field, "ins")?;
        let mut parameters = Vec::new();
        for (index, argument) in dag.arguments().enumerate() {
            let error = |message: &str| fields.argument_error(field, index, dag.len(), message);
            let name = argument.name.unwrap_or_default().to_string();
            let Some(value) = argument.value else { return Err(error("a parameter needs a C++ type")) };
            let parameter = match (String::try_from(value), records::as_record(value)) {
                (Ok(cpp_type), _) => Self { name, cpp_type, default: None },
                (Err(_), Some(argument)) if argument.subclass_of("CArg") => Self {
                    name,
                    cpp_type: records::text(argument, "type").unwrap_or_default(),
                    default: records::text(argument, "defaultValue"),
                },
                _ => return Err(error("a parameter must be a string with a C++ type, or a CArg")),
            };
            if parameter.cpp_type.trim().is_empty() {
                return Err(error("a parameter needs a C++ type"));
            }
            if !parameter.name.is_empty() && parameters.iter().any(|other: &Self| other.name == parameter.name) {
                return Err(error(&format!("two parameters are named '{}'", parameter.name)));
            }
            let follows_default = parameters.last().is_some_and(|last: &Self| last.default.is_some());
            if follows_default && parameter.default.is_none() {
                return Err(error("a parameter without a default value stands behind one that has one"));
            }
            parameters.push(parameter);
        }
        Ok(parameters)
    }
}
