//! The command line of `skriptnd-tblgen`.

use std::{
    cell::RefCell,
    io::Write as _,
    path::{Path, PathBuf},
};

use crate::{
    drr,
    error::{Diagnostic, Error, Result},
    generate,
    ods::{DefinitionKind, InterfaceKind, Model},
    paths::search_path,
    records::Records,
};

/// What can be made of a .td file: option, meaning, and how.
struct Generator {
    option: &'static str,
    description: &'static str,
    run: fn(&Input) -> Result<String>,
}

/// A file that was read, and the dialect that is wanted of it.
struct Input {
    records: Records,
    dialect: Option<String>,
    /// The name of the file for PDL beside the output; none where the output is not a file.
    pdl_file: Option<String>,
    /// The PDL that was made, which is to be parsed.
    pdl: RefCell<String>,
}

impl Input {
    fn pdl(&self) -> Result<String> {
        let module = drr::translate(&self.records)?;
        module.warnings.into_iter().for_each(|warning| self.records.warn(warning));
        self.pdl.replace(module.text.clone());
        Ok(module.text)
    }

    fn rewriters(&self) -> Result<String> {
        let made = generate::rewriters(&self.records, self.pdl_file.as_deref())?;
        self.pdl.replace(made.pdl);
        Ok(made.rust)
    }

    fn interfaces(&self, kind: InterfaceKind) -> Result<String> {
        generate::interfaces(&self.model()?, &[kind], self.records.file_name())
    }

    fn model(&self) -> Result<Model> {
        let model = Model::read_dialect(&self.records, self.dialect.as_deref())?;
        match &self.dialect {
            Some(name) if !model.dialects.iter().any(|dialect| dialect.name == *name) => {
                Err(Error::new(format!("'{}' declares no dialect '{name}'", self.records.file_name())))
            }
            _ => Ok(model),
        }
    }
}

const GENERATORS: [Generator; 19] = [
    Generator {
        option: "gen-op-decls",
        description: "Rust types, hooks and builders of operations",
        run: |input| generate::operation_declarations(&input.model()?, input.records.file_name()),
    },
    Generator {
        option: "gen-op-defs",
        description: "definitions of operations for verifier, assembly and registration",
        run: |input| generate::operation_definitions(&input.model()?, input.records.file_name()),
    },
    Generator {
        option: "gen-dialect-defs",
        description: "the dialect of these, and what it leaves to Rust",
        run: |input| generate::dialect(&input.model()?, input.records.file_name()),
    },
    Generator {
        option: "gen-op-doc",
        description: "Markdown about operations",
        run: |input| Ok(generate::operation_documentation(&input.model()?)),
    },
    Generator {
        option: "gen-dialect-doc",
        description: "Markdown about dialects with their operations",
        run: |input| Ok(generate::dialect_documentation(&input.model()?)),
    },
    Generator {
        option: "gen-pass-doc",
        description: "Markdown about passes",
        run: |input| Ok(generate::pass_documentation(&input.model()?)),
    },
    Generator {
        option: "gen-typedef-doc",
        description: "Markdown about types",
        run: |input| Ok(generate::definition_documentation(&input.model()?, DefinitionKind::Type)),
    },
    Generator {
        option: "gen-attrdef-doc",
        description: "Markdown about attributes",
        run: |input| Ok(generate::definition_documentation(&input.model()?, DefinitionKind::Attribute)),
    },
    Generator {
        option: "gen-enum-doc",
        description: "Markdown about enumerations",
        run: |input| Ok(generate::enumeration_documentation(&input.model()?)),
    },
    Generator {
        option: "gen-op-interface-docs",
        description: "Markdown about interfaces of operations",
        run: |input| Ok(generate::interface_documentation(&input.model()?, InterfaceKind::Operation)),
    },
    Generator {
        option: "gen-attr-interface-docs",
        description: "Markdown about interfaces of attributes",
        run: |input| Ok(generate::interface_documentation(&input.model()?, InterfaceKind::Attribute)),
    },
    Generator {
        option: "gen-type-interface-docs",
        description: "Markdown about interfaces of types",
        run: |input| Ok(generate::interface_documentation(&input.model()?, InterfaceKind::Type)),
    },
    Generator {
        option: "gen-op-interface-decls",
        description: "Rust traits of interfaces of operations",
        run: |input| input.interfaces(InterfaceKind::Operation),
    },
    Generator {
        option: "gen-pass-decls",
        description: "Rust declarations of passes",
        run: |input| generate::passes(&input.model()?, input.records.file_name()),
    },
    Generator {
        option: "gen-enum-defs",
        description: "Rust types of enumerations",
        run: |input| generate::enumerations(&input.model()?, input.records.file_name()),
    },
    Generator {
        option: "gen-rewriters",
        description: "rewrite patterns as PDL with the native functions they call, in Rust",
        run: Input::rewriters,
    },
    Generator { option: "gen-pdl", description: "rewrite patterns as PDL", run: Input::pdl },
    Generator {
        option: "gen-irdl",
        description: "dialects in IRDL",
        run: |input| {
            let (text, left_out) = generate::irdl(&input.model()?);
            left_out.into_iter().for_each(|warning| input.records.warn(warning));
            Ok(text)
        },
    },
    Generator {
        option: "print-records",
        description: "all records as TableGen evaluated them",
        run: |input| Ok(generate::print_records(&input.records)),
    },
];

/// What the command line asks for.
#[derive(Debug, Default, PartialEq)]
struct Arguments {
    generator: Option<&'static str>,
    file: Option<PathBuf>,
    include_directories: Vec<PathBuf>,
    output: Option<PathBuf>,
    dialect: Option<String>,
    predicates: Option<PathBuf>,
    help: bool,
}

/// What the tool writes with: text to a file, or to standard output where there is none.
pub type Write<'a> = dyn Fn(Option<&Path>, &str) -> std::io::Result<()> + 'a;

/// Parses PDL as MLIR does; what is wrong with it.
pub type ParsePdl<'a> = dyn Fn(&str) -> std::result::Result<(), String> + 'a;

/// Runs the tool on the arguments after the program's name: exit code 0 if done, 1 if the file is wrong, 2 on wrong
/// usage.
pub fn main(arguments: impl IntoIterator<Item = String>, write: &Write<'_>, parse_pdl: &ParsePdl<'_>) -> i32 {
    let (code, result) = match parse(arguments) {
        Ok(arguments) if arguments.help => (1, write_to(write, None, &format!("{}\n", usage()))),
        Ok(arguments) => (1, run(&arguments, write, parse_pdl)),
        Err(message) => (2, Err(Error::new(format!("{message}\n\n{}", usage())))),
    };
    let Err(error) = result else { return 0 };
    // Standard error may be gone; the exit code remains.
    let _ = writeln!(std::io::stderr(), "{error}");
    code
}

fn usage() -> String {
    let mut text = String::from(
        "Usage: skriptnd-tblgen GENERATOR FILE.td [-I DIR]... [-o FILE] [-dialect NAME] [-predicates FILE]\n\n\
         Without -o the text goes to standard output. MLIR's own .td files are found without -I.\n\
         -predicates names a file that says what C++ names in predicates are in Rust, one a line:\n  \
         class NAME = PATH, function NAME = PATH [-> KIND], method NAME = PATH [-> KIND]\n\nGenerators:\n",
    );
    for generator in &GENERATORS {
        text.push_str(&format!("  -{:24} {}\n", generator.option, generator.description));
    }
    text
}

fn parse(arguments: impl IntoIterator<Item = String>) -> std::result::Result<Arguments, String> {
    let mut parsed = Arguments::default();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let mut value = |inline: &str| match inline {
            "" => arguments.next().ok_or_else(|| format!("'{argument}' needs a value")),
            inline => Ok(inline.trim_start_matches('=').to_string()),
        };
        let Some(option) = argument.strip_prefix('-').filter(|option| !option.is_empty()) else {
            if let Some(first) = parsed.file.replace(PathBuf::from(&argument)) {
                return Err(format!("more than one file: '{}' and '{argument}'", first.display()));
            }
            continue;
        };
        let option = option.strip_prefix('-').unwrap_or(option);
        if let Some(generator) = GENERATORS.iter().find(|generator| generator.option == option) {
            if let Some(other) = parsed.generator.replace(generator.option) {
                return Err(format!("more than one generator: '-{other}' and '-{option}'"));
            }
        } else if matches!(option, "help" | "h") {
            parsed.help = true;
        } else if let Some(inline) = assigned(option, "dialect") {
            parsed.dialect = Some(value(inline)?);
        } else if let Some(inline) = assigned(option, "predicates") {
            parsed.predicates = Some(PathBuf::from(value(inline)?));
        } else if let Some(inline) = option.strip_prefix('I') {
            parsed.include_directories.push(PathBuf::from(value(inline)?));
        } else if let Some(inline) = assigned(option, "o") {
            parsed.output = Some(PathBuf::from(value(inline)?));
        } else {
            return Err(format!("unknown option '{argument}'"));
        }
    }
    match (&parsed.generator, &parsed.file) {
        _ if parsed.help => Ok(parsed),
        (None, _) => Err("no generator was given".into()),
        (_, None) => Err("no file was given".into()),
        _ => Ok(parsed),
    }
}

/// What follows the name of an option: `=VALUE`, or nothing where the value is the next argument.
fn assigned<'a>(option: &'a str, name: &str) -> Option<&'a str> {
    option.strip_prefix(name).filter(|rest| rest.is_empty() || rest.starts_with('='))
}

fn run(arguments: &Arguments, write: &Write<'_>, parse_pdl: &ParsePdl<'_>) -> Result<()> {
    let file = arguments.file.as_deref().unwrap_or(Path::new(""));
    let include_directories = search_path(file, &arguments.include_directories);
    let mut records = Records::from_file(file, &include_directories)?;
    if let Some(predicates) = &arguments.predicates {
        records = records.with_predicates(predicates)?;
    }
    let beside = arguments.output.as_deref().filter(|output| output.extension().is_some_and(|ending| ending == "rs"));
    let beside = beside.map(|output| output.with_extension("pdl.mlir"));
    let input = Input {
        records,
        dialect: arguments.dialect.clone(),
        pdl_file: beside.as_ref().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned())),
        pdl: RefCell::default(),
    };
    let generator = GENERATORS.iter().find(|generator| Some(generator.option) == arguments.generator);
    let text = generator.map_or_else(|| Err(Error::new("no generator was given")), |generator| (generator.run)(&input));
    warn(&input.records.take_warnings());
    let text = text?;
    let pdl = input.pdl.take();
    if !pdl.is_empty() {
        parse_pdl(&pdl).map_err(|message| Error::new(format!("MLIR refuses the PDL that was made:\n{message}")))?;
        if let (Some(path), "gen-rewriters") = (&beside, arguments.generator.unwrap_or_default()) {
            write_to(write, Some(path), &pdl)?;
        }
    }
    write_to(write, arguments.output.as_deref(), &text)
}

fn warn(warnings: &[Diagnostic]) {
    for warning in warnings {
        // Standard error may be gone.
        let _ = writeln!(std::io::stderr(), "{warning}");
    }
}

fn write_to(write: &Write<'_>, file: Option<&Path>, text: &str) -> Result<()> {
    let name = || file.map_or("standard output".to_string(), |file| format!("'{}'", file.display()));
    write(file, text).map_err(|error| Error::new(format!("cannot write {}: {error}", name())))
}
