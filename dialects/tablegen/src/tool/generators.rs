//! What `skriptnd-tblgen` can make of a file, by the options of `mlir-tblgen`.

use std::cell::RefCell;

use regex_lite::Regex;

use crate::{
    error::{Error, Result},
    generate,
    ods::{DefinitionKind, Formula, InterfaceKind, Model, Part},
    records::Records,
};

/// What can be made of a .td file: option, meaning, and how.
pub struct Generator {
    /// Several where Rust, which has no headers, says the same for declarations and definitions.
    pub options: &'static [&'static str],
    pub description: &'static str,
    pub run: fn(&Input) -> Result<String>,
}

/// What is wanted of a file.
#[derive(Debug, Default)]
pub struct Wanted {
    /// The only dialect.
    pub dialect: Option<String>,
    /// What the names of operations must match.
    pub included: Option<Regex>,
    /// What they must not match.
    pub excluded: Option<Regex>,
}

/// A file that was read, and what is wanted of it.
pub struct Input {
    pub records: Records,
    pub wanted: Wanted,
    /// The name of the file for PDL beside the output; none where the output is not a file.
    pub pdl_file: Option<String>,
    /// The PDL that was made, which is to be parsed.
    pub pdl: RefCell<String>,
    /// What operations compute, which is to be checked.
    pub formulas: RefCell<Vec<Formula>>,
}

impl Input {
    fn pdl(&self) -> Result<String> {
        let text = generate::pdl(&self.records)?;
        self.pdl.replace(text.clone());
        Ok(text)
    }

    fn rewriters(&self) -> Result<String> {
        let made = generate::rewriters(&self.records, self.pdl_file.as_deref())?;
        self.pdl.replace(made.pdl);
        Ok(made.rust)
    }

    fn irdl(&self) -> Result<String> {
        let (text, left_out) = generate::irdl(&self.model()?);
        left_out.into_iter().for_each(|warning| self.records.warn(warning));
        Ok(text)
    }

    fn interfaces(&self, kind: InterfaceKind) -> Result<String> {
        generate::interfaces(&self.part(Part::Interfaces)?, &[kind], self.records.file_name())
    }

    fn definitions(&self, kind: DefinitionKind) -> Result<Model> {
        let mut model = self.model()?.with_operations(|_| false);
        model.definitions.retain(|definition| definition.kind == kind);
        Ok(model)
    }

    fn model(&self) -> Result<Model> {
        self.part(Part::Dialect)
    }

    fn part(&self, part: Part) -> Result<Model> {
        let Wanted { dialect, included, excluded } = &self.wanted;
        let model = Model::read_part(&self.records, dialect.as_deref(), part)?;
        if let Some(name) = dialect.as_ref().filter(|name| !model.dialects.iter().any(|dialect| dialect.name == **name))
        {
            return Err(Error::new(format!("'{}' declares no dialect '{name}'", self.records.file_name())));
        }
        let matches = |regex: &Option<Regex>, name: &str| regex.as_ref().map(|regex| regex.is_match(name));
        let model = model.with_operations(|operation| {
            let name = operation.name();
            matches(included, &name) != Some(false) && matches(excluded, &name) != Some(true)
        });
        self.formulas.replace(model.operations.iter().filter_map(|operation| operation.reference.clone()).collect());
        Ok(model)
    }
}

const fn generator(
    options: &'static [&'static str],
    description: &'static str,
    run: fn(&Input) -> Result<String>,
) -> Generator {
    Generator { options, description, run }
}

/// All of them.
pub const GENERATORS: [Generator; 27] = [
    generator(&["gen-op-decls"], "Rust types, hooks and builders of operations, types and attributes", |input| {
        generate::operation_declarations(&input.model()?, input.records.file_name())
    }),
    generator(&["gen-op-defs"], "definitions of these for verifier, assembly and registration", |input| {
        generate::operation_definitions(&input.model()?, input.records.file_name())
    }),
    generator(
        &["gen-dialect-decls", "gen-dialect-defs"],
        "the dialect of these, and what it leaves to Rust",
        |input| generate::dialect(&input.model()?, input.records.file_name()),
    ),
    generator(&["gen-typedef-decls"], "Rust types and hooks of types alone", |input| {
        generate::operation_declarations(&input.definitions(DefinitionKind::Type)?, input.records.file_name())
    }),
    generator(&["gen-typedef-defs"], "definitions of types alone", |input| {
        generate::operation_definitions(&input.definitions(DefinitionKind::Type)?, input.records.file_name())
    }),
    generator(&["gen-attrdef-decls"], "Rust types and hooks of attributes alone", |input| {
        generate::operation_declarations(&input.definitions(DefinitionKind::Attribute)?, input.records.file_name())
    }),
    generator(&["gen-attrdef-defs"], "definitions of attributes alone", |input| {
        generate::operation_definitions(&input.definitions(DefinitionKind::Attribute)?, input.records.file_name())
    }),
    generator(&["gen-enum-decls", "gen-enum-defs"], "Rust types of enumerations", |input| {
        generate::enumerations(&input.part(Part::Enumerations)?, input.records.file_name())
    }),
    generator(
        &["gen-op-interface-decls", "gen-op-interface-defs"],
        "Rust traits of interfaces of operations",
        |input| input.interfaces(InterfaceKind::Operation),
    ),
    generator(
        &["gen-attr-interface-decls", "gen-attr-interface-defs"],
        "Rust traits of interfaces of attributes",
        |input| input.interfaces(InterfaceKind::Attribute),
    ),
    generator(
        &["gen-type-interface-decls", "gen-type-interface-defs"],
        "Rust traits of interfaces of types",
        |input| input.interfaces(InterfaceKind::Type),
    ),
    generator(
        &["gen-type-constraint-decls", "gen-type-constraint-defs"],
        "functions for constraints on types that have a 'cppFunctionName'",
        |input| generate::constraint_functions(&input.records, DefinitionKind::Type),
    ),
    generator(
        &["gen-attr-constraint-decls", "gen-attr-constraint-defs"],
        "the same for constraints on attributes",
        |input| generate::constraint_functions(&input.records, DefinitionKind::Attribute),
    ),
    generator(&["gen-pass-decls"], "Rust declarations of passes", |input| {
        generate::passes(&input.part(Part::Passes)?, input.records.file_name())
    }),
    generator(&["gen-rewriters"], "rewrite patterns with the functions that they call, in Rust", Input::rewriters),
    generator(&["gen-pdl"], "rewrite patterns as PDL", Input::pdl),
    generator(&["gen-irdl"], "dialects in IRDL", Input::irdl),
    generator(&["gen-op-doc"], "Markdown about operations", |input| {
        Ok(generate::operation_documentation(&input.model()?))
    }),
    generator(&["gen-dialect-doc"], "Markdown about dialects with their operations", |input| {
        Ok(generate::dialect_documentation(&input.model()?))
    }),
    generator(&["gen-pass-doc"], "Markdown about passes", |input| {
        Ok(generate::pass_documentation(&input.part(Part::Passes)?))
    }),
    generator(&["gen-typedef-doc"], "Markdown about types", |input| {
        Ok(generate::definition_documentation(&input.model()?, DefinitionKind::Type))
    }),
    generator(&["gen-attrdef-doc"], "Markdown about attributes", |input| {
        Ok(generate::definition_documentation(&input.model()?, DefinitionKind::Attribute))
    }),
    generator(&["gen-enum-doc"], "Markdown about enumerations", |input| {
        Ok(generate::enumeration_documentation(&input.part(Part::Enumerations)?))
    }),
    generator(&["gen-op-interface-docs", "gen-op-interface-doc"], "Markdown about interfaces of operations", |input| {
        Ok(generate::interface_documentation(&input.part(Part::Interfaces)?, InterfaceKind::Operation))
    }),
    generator(
        &["gen-attr-interface-docs", "gen-attr-interface-doc"],
        "Markdown about interfaces of attributes",
        |input| Ok(generate::interface_documentation(&input.part(Part::Interfaces)?, InterfaceKind::Attribute)),
    ),
    generator(&["gen-type-interface-docs", "gen-type-interface-doc"], "Markdown about interfaces of types", |input| {
        Ok(generate::interface_documentation(&input.part(Part::Interfaces)?, InterfaceKind::Type))
    }),
    generator(&["print-records"], "all records as TableGen evaluated them", |input| {
        Ok(generate::print_records(&input.records))
    }),
];
