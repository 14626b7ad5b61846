//! The command line of `skriptnd-tblgen`.

mod generators;
mod options;
mod watch;

use std::{
    cell::RefCell,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use regex_lite::Regex;

use crate::{
    error::{Diagnostic, Error, Result},
    paths::search_path,
    records::Records,
};
use generators::{GENERATORS, Input, Wanted};

pub use watch::{InOther, watch};

/// What the command line asks for.
#[derive(Debug, Default)]
struct Arguments {
    generator: Option<String>,
    file: Option<PathBuf>,
    include_directories: Vec<PathBuf>,
    output: Option<PathBuf>,
    /// The file with what the output depends on, for Make.
    dependencies: Option<PathBuf>,
    wanted: Wanted,
    predicates: Option<PathBuf>,
    writes_only_changes: bool,
    /// What is shown instead of what would be generated.
    shown: Option<Shown>,
}

/// What the tool tells of itself.
#[derive(Debug, Clone, Copy)]
enum Shown {
    Help,
    Version,
}

/// What the tool writes with: text to a file, or to standard output where there is none.
pub type Write<'a> = dyn Fn(Option<&Path>, &str) -> std::io::Result<()> + 'a;

/// Parses PDL as MLIR does; what is wrong with it.
pub type ParsePdl<'a> = dyn Fn(&str) -> std::result::Result<(), String> + 'a;

/// Reads a module of SkriptND; what is wrong with it, at which byte.
pub type CheckFormula<'a> = dyn Fn(&str) -> Vec<(usize, String)> + 'a;

/// What knows the languages that this crate only carries.
pub struct Languages<'a> {
    /// Parses PDL.
    pub parse_pdl: &'a ParsePdl<'a>,
    /// Checks what `reference` says.
    pub check_formula: &'a CheckFormula<'a>,
}

/// Runs the tool on the arguments after the program's name: exit code 0 if done, 1 if the file is wrong, 2 on wrong
/// usage.
pub fn main(arguments: impl IntoIterator<Item = String>, write: &Write<'_>, languages: &Languages<'_>) -> i32 {
    let (code, result) = match parse(arguments) {
        Ok(Arguments { shown: Some(Shown::Help), .. }) => (1, write_to(write, None, &format!("{}\n", usage()))),
        Ok(Arguments { shown: Some(Shown::Version), .. }) => (1, write_to(write, None, VERSION)),
        Ok(arguments) => (1, run(arguments, write, languages)),
        Err(message) => (2, Err(Error::new(format!("{message}\n\n{}", usage())))),
    };
    let Err(error) = result else { return 0 };
    // Standard error may be gone; the exit code remains.
    let _ = writeln!(std::io::stderr(), "{error}");
    code
}

const VERSION: &str = concat!("skriptnd-tblgen ", env!("CARGO_PKG_VERSION"), " (TableGen of LLVM 22)\n");

fn usage() -> String {
    let mut text = String::from(
        "Usage: skriptnd-tblgen GENERATOR FILE.td [OPTION]...\n\n\
         MLIR's own .td files are found without -I. The options are those of mlir-tblgen:\n  \
         -I DIR                    where included files are looked for\n  \
         -o FILE                   the output, instead of standard output; it is whole or not written\n  \
         -d FILE                   a file for Make with what the output depends on\n  \
         -write-if-changed         leaves an output alone that would be the same\n  \
         -dialect NAME             only what belongs to this dialect; also -typedefs-dialect, -attrdefs-dialect\n  \
         -op-include-regex REGEX   only operations whose names match; -op-exclude-regex REGEX: none that do\n\
         and\n  \
         -predicates FILE          says what C++ names in predicates are in Rust, one a line:\n  \
         class NAME = PATH, function NAME = PATH [-> KIND], method NAME = PATH [-> KIND]\n\nGenerators:\n",
    );
    for generator in &GENERATORS {
        text.push_str(&format!("  -{:54} {}\n", generator.options.join(", -"), generator.description));
    }
    text
}

fn parse(arguments: impl IntoIterator<Item = String>) -> std::result::Result<Arguments, String> {
    let mut parsed = Arguments::default();
    let mut given = Vec::new();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let Some(option) = argument.strip_prefix('-').filter(|option| !option.is_empty()) else {
            if let Some(first) = parsed.file.replace(PathBuf::from(&argument)) {
                return Err(format!("more than one file: '{}' and '{argument}'", first.display()));
            }
            continue;
        };
        let option = option.strip_prefix('-').unwrap_or(option);
        if GENERATORS.iter().any(|generator| generator.options.contains(&option)) {
            if let Some(other) = parsed.generator.replace(option.to_string()) {
                return Err(format!("more than one generator: '-{other}' and '-{option}'"));
            }
        } else if !parsed.flag(option) {
            let (name, inline) = valued(option).ok_or_else(|| options::unknown(&argument, option))?;
            if name != "I" && given.contains(&name) {
                return Err(format!("more than one '-{name}'"));
            }
            given.push(name);
            let value = inline.map(str::to_string).or_else(|| arguments.next());
            parsed.set(name, value.ok_or_else(|| format!("'{argument}' needs a value"))?)?;
        }
    }
    match (&parsed.generator, &parsed.file) {
        _ if parsed.shown.is_some() => Ok(parsed),
        (None, _) => Err("no generator was given".into()),
        (_, None) => Err("no file was given".into()),
        _ if parsed.dependencies.is_some() && parsed.output.is_none() => Err("'-d' needs '-o'".into()),
        _ => Ok(parsed),
    }
}

/// The options with values; that of `I` may stand directly behind it.
const VALUED: [&str; 9] = [
    "dialect",
    "typedefs-dialect",
    "attrdefs-dialect",
    "op-include-regex",
    "op-exclude-regex",
    "predicates",
    "o",
    "d",
    "I",
];

/// The name of an option with a value, and the value where it is part of the argument.
fn valued(option: &str) -> Option<(&'static str, Option<&str>)> {
    VALUED.iter().find_map(|name| match option.strip_prefix(name)? {
        "" => Some((*name, None)),
        rest => rest.strip_prefix('=').or((*name == "I").then_some(rest)).map(|value| (*name, Some(value))),
    })
}

impl Arguments {
    /// Takes an option without a value, if it is one.
    fn flag(&mut self, option: &str) -> bool {
        match option {
            "help" | "h" => self.shown = Some(Shown::Help),
            "version" => self.shown = Some(Shown::Version),
            "write-if-changed" => self.writes_only_changes = true,
            _ => return false,
        }
        true
    }

    fn set(&mut self, option: &str, value: String) -> std::result::Result<(), String> {
        let regex = |value: &str| match value {
            "" => Ok(None),
            value => Regex::new(value).map(Some).map_err(|error| format!("'-{option}': {error}")),
        };
        match option {
            "op-include-regex" => self.wanted.included = regex(&value)?,
            "op-exclude-regex" => self.wanted.excluded = regex(&value)?,
            "predicates" => self.predicates = Some(value.into()),
            "o" => self.output = Some(value.into()),
            "d" => self.dependencies = Some(value.into()),
            "I" => self.include_directories.push(value.into()),
            _ => self.wanted.dialect = Some(value),
        }
        Ok(())
    }
}

fn read(file: &Path, arguments: &Arguments) -> Result<Records> {
    let records = Records::from_file(file, &search_path(file, &arguments.include_directories))?;
    match &arguments.predicates {
        Some(predicates) => records.with_predicates(predicates),
        None => Ok(records),
    }
}

fn run(arguments: Arguments, write: &Write<'_>, languages: &Languages<'_>) -> Result<()> {
    let file = arguments.file.as_deref().unwrap_or(Path::new(""));
    let records = read(file, &arguments)?;
    let beside = arguments.output.as_deref().filter(|output| output.extension().is_some_and(|ending| ending == "rs"));
    let beside = beside.map(|output| output.with_extension("pdl.mlir"));
    let input = Input {
        records,
        wanted: arguments.wanted,
        pdl_file: beside.as_ref().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned())),
        pdl: RefCell::default(),
        formulas: RefCell::default(),
    };
    let option = arguments.generator.unwrap_or_default();
    let text = generated(&input, &option);
    warn(&input.records.take_warnings());
    let (text, pdl) = (text?, input.pdl.take());
    check_formulas(&input, languages.check_formula)?;
    if !pdl.is_empty() {
        (languages.parse_pdl)(&pdl).map_err(|message| refused_pdl(&message))?;
        if let (Some(path), "gen-rewriters") = (&beside, option.as_str()) {
            write_to(write, Some(path), &pdl)?;
        }
    }
    let output = arguments.output.as_deref();
    if let (Some(output), Some(dependencies)) = (output, &arguments.dependencies) {
        let files = input.records.included_files().chain([file]).map(for_make);
        let rule = format!("{}: {}\n", for_make(output), files.collect::<Vec<_>>().join(" "));
        write_to(write, Some(dependencies), &rule)?;
    }
    let is_same = |output: &Path| fs::read_to_string(output).is_ok_and(|before| before == text);
    if arguments.writes_only_changes && output.is_some_and(is_same) {
        return Ok(());
    }
    write_to(write, output, &text)?;
    // The process ends soon: taking the records apart one by one would only delay it.
    std::mem::forget(input);
    Ok(())
}

fn check_formulas(input: &Input, check: &CheckFormula<'_>) -> Result<()> {
    Error::collect(input.formulas.take().iter().filter_map(|formula| formula.check(&input.records, check).err()))
}

pub(crate) fn refused_pdl(message: &str) -> Error {
    Error::new(format!("MLIR refuses the PDL that was made:\n{message}"))
}

fn generated(input: &Input, option: &str) -> Result<String> {
    let generator = GENERATORS.iter().find(|generator| generator.options.contains(&option));
    generator.map_or_else(|| Err(Error::new("no generator was given")), |generator| (generator.run)(input))
}

/// The name of a file as Make reads it.
fn for_make(file: &Path) -> String {
    file.to_string_lossy().replace('$', "$$").replace('#', "\\#").replace(' ', "\\ ")
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

#[cfg(test)]
mod tests;
