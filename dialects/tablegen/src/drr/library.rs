//! The operations that patterns name.

use std::{cell::RefCell, collections::HashMap, rc::Rc};

use tblgen::Record;

use crate::{
    constant,
    dag::Dag,
    error::{Error, Result},
    ods::{self, Argument, Operation, Property, PropertyKind},
    records::{self, Records},
};

/// An operation with what patterns need of it besides.
pub struct Declared {
    /// The operation.
    pub operation: Operation,
    /// How C++ makes each attribute of a constant, by the index of the attribute.
    pub kinds: Vec<constant::Kind>,
    /// What is known of the type of each result.
    pub result_types: Vec<ResultType>,
}

/// What a declaration tells of the type of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResultType {
    /// It is always this one.
    Fixed(String),
    /// It is that of an operand.
    OfOperand(usize),
    /// It is that of an attribute.
    OfAttribute(usize),
    /// Nothing.
    Unknown,
}

/// The operations that patterns name, by their definitions. They are read when they are asked for: others of the file
/// need not be readable.
pub struct Library<'a> {
    records: &'a Records,
    operations: RefCell<Vec<Rc<Declared>>>,
    by_definition: RefCell<HashMap<String, Result<usize>>>,
}

impl<'a> Library<'a> {
    /// No operations yet.
    pub fn new(records: &'a Records) -> Self {
        Self { records, operations: RefCell::default(), by_definition: RefCell::default() }
    }

    /// The operation that a record defines; none if it is not one.
    pub fn find(&self, record: Record<'a>) -> Option<Result<usize>> {
        if !record.subclass_of("Op") {
            return None;
        }
        let name = records::name(record);
        if let Some(known) = self.by_definition.borrow().get(name) {
            return Some(known.clone());
        }
        let read = self.records.quietly(|| self.read(record)).map(|declared| {
            let mut operations = self.operations.borrow_mut();
            operations.push(Rc::new(declared));
            operations.len() - 1
        });
        self.by_definition.borrow_mut().insert(name.to_string(), read.clone());
        Some(read)
    }

    fn read(&self, record: Record<'a>) -> Result<Declared> {
        let mut operation = Operation::read(self.records, record)?;
        ods::store_in_attributes(&mut operation, &[]);
        let arguments = Dag::in_field(self.records, record, "arguments")?;
        let mut kinds = Vec::new();
        for (argument, declared) in arguments.arguments().zip(&operation.arguments) {
            if let Argument::Attribute(index) = declared {
                let attribute = argument.value.and_then(records::as_record);
                let attribute = attribute.ok_or_else(|| Error::at(self.records, record, "an argument has no kind"))?;
                let kind = match &operation.attributes[*index].property {
                    Some(property) => self.kind_of(property),
                    None => constant::Kind::read(attribute),
                };
                kinds.push((*index, kind));
            }
        }
        // What is stored of properties stands behind the attributes.
        kinds.sort_by_key(|(index, _)| *index);
        let kinds = kinds.into_iter().map(|(_, kind)| kind).collect();
        let result_types = self.result_types(record, &operation)?;
        Ok(Declared { operation, kinds, result_types })
    }

    /// How C++ makes a constant of a property.
    fn kind_of(&self, property: &Property) -> constant::Kind {
        let (builder, definition) = match &property.kind {
            PropertyKind::Bool => ("$_builder.getBoolAttr($0)".to_string(), None),
            PropertyKind::Unit => ("(($0) ? $_builder.getUnitAttr() : nullptr)".into(), None),
            PropertyKind::Integer(width) => {
                (format!("$_builder.getIntegerAttr($_builder.getIntegerType({width}), $0)"), None)
            }
            PropertyKind::String => ("$_builder.getStringAttr($0)".into(), None),
            PropertyKind::Integers(width) => (format!("$_builder.getDenseI{width}ArrayAttr($0)"), None),
            PropertyKind::Enumeration { definition, .. } => (String::new(), Some(definition)),
            PropertyKind::Optional { .. } | PropertyKind::List(_) | PropertyKind::Other => (String::new(), None),
        };
        let named =
            |name: &String| self.records.derived("EnumInfo").into_iter().find(|record| records::name(*record) == name);
        let value = ods::stored_value(&property.kind, "$_self").unwrap_or_default();
        let default = property.default.clone();
        constant::Kind::stored(property.base.clone(), &builder, definition.and_then(named), value, default)
    }

    fn result_types(&self, record: Record<'a>, operation: &Operation) -> Result<Vec<ResultType>> {
        let results = Dag::in_field(self.records, record, "results")?;
        let mut types = Vec::new();
        for (argument, result) in results.arguments().zip(&operation.results) {
            let constraint = argument.value.and_then(records::as_record);
            let fixed = constraint.and_then(|constraint| {
                let constraint = if constraint.subclass_of("OpVariable") {
                    constraint.def_value("constraint").ok()?
                } else {
                    constraint
                };
                constant::type_of(&records::text(constraint, "builderCall")?)
            });
            types.push(match fixed {
                Some(fixed) => ResultType::Fixed(fixed),
                None => self.related_type(record, operation, &result.name),
            });
        }
        Ok(types)
    }

    /// The type of a result by the traits of the operation.
    fn related_type(&self, record: Record<'a>, operation: &Operation, result: &str) -> ResultType {
        if operation.has_trait("SameOperandsAndResultType") && !operation.operands.is_empty() {
            return ResultType::OfOperand(0);
        }
        if operation.has_trait("FirstAttrDerivedResultType") {
            return ResultType::OfAttribute(0);
        }
        let traits = record.list_of_defs_value("traits").unwrap_or_default();
        let others = traits.into_iter().flat_map(|item| same_type(item, result)).collect::<Vec<_>>();
        let operand = operation.operands.iter().position(|operand| others.contains(&operand.name));
        let attribute = operation.attributes.iter().position(|attribute| others.contains(&attribute.name));
        operand.map(ResultType::OfOperand).or(attribute.map(ResultType::OfAttribute)).unwrap_or(ResultType::Unknown)
    }

    /// All operations that were asked for.
    pub fn operations(&self) -> Vec<Operation> {
        self.operations.borrow().iter().map(|declared| declared.operation.clone()).collect()
    }

    /// The operation of an index.
    pub fn get(&self, index: usize) -> Rc<Declared> {
        self.operations.borrow()[index].clone()
    }
}

/// The names of what has the type of `name`, by a trait.
fn same_type(item: Record<'_>, name: &str) -> Vec<String> {
    if item.subclass_of("AllTypesMatch") {
        let names = item.list_init_value("values").ok();
        let names: Vec<String> = names
            .map(|list| (0..list.len()).filter_map(|index| String::try_from(list.get(index)?).ok()).collect())
            .unwrap_or_default();
        return if names.iter().any(|other| other == name) { names } else { Vec::new() };
    }
    let field = |field| records::text(item, field).unwrap_or_default();
    let equal = item.subclass_of("TypesMatchWith") && field("transformer").trim() == "$_self";
    match (equal, field("lhs"), field("rhs")) {
        (true, lhs, rhs) if rhs == name => vec![lhs],
        (true, lhs, rhs) if lhs == name => vec![rhs],
        _ => Vec::new(),
    }
}
