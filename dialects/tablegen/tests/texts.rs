//! The texts about ODS and DRR, paragraph by paragraph: the cases of `test/TableGen/ods` and `test/TableGen/drr`, with the
//! verdict of `mlir-tblgen`.
//!
//! Comments in a case say what is expected of it:
//!
//! - `// expected-error@-1:24 {{WORDS}}` (or `warning`): one line above, in column 24. There are no others.
//! - `// CHECK: TEXT`: what is generated has it, whatever the white space.
//! - `// TOLD: TEXT`: so does what is said, in notes and help as well.
//! - `// GENERATE: enum-defs enum-doc`: these generators, not those of operations (of rewriters in `drr`).
//! - `// UPSTREAM: takes, WHY` (or `refuses`): `mlir-tblgen` decides otherwise.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use skriptnd_tablegen::{
    Records, Result, generate, llvm_prefix,
    ods::{DefinitionKind, InterfaceKind, Model},
    search_path,
};

/// The folders of the texts, and what is generated of their cases.
const TEXTS: [(&str, &[&str]); 2] =
    [("ods", &["op-decls", "op-defs", "dialect-defs", "op-doc", "irdl"]), ("drr", &["rewriters"])];

/// Line, column, severity and words.
type Said = BTreeSet<(usize, usize, String, String)>;

struct Case {
    path: PathBuf,
    text: String,
    generators: &'static [&'static str],
}

impl Case {
    fn all() -> Vec<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/TableGen");
        TEXTS.iter().flat_map(|(folder, generators)| Self::of(&root.join(folder), generators)).collect()
    }

    fn of(folder: &Path, generators: &'static [&'static str]) -> Vec<Self> {
        let chapters = fs::read_dir(folder).unwrap().map(|chapter| chapter.unwrap().path());
        let files = chapters.filter(|chapter| chapter.is_dir()).flat_map(|chapter| fs::read_dir(chapter).unwrap());
        let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        paths.sort();
        paths.into_iter().map(|path| Self { text: fs::read_to_string(&path).unwrap(), path, generators }).collect()
    }

    /// What the comments that begin with `mark` say.
    fn comments<'a>(&'a self, mark: &'a str) -> impl Iterator<Item = (usize, &'a str)> {
        let lines = self.text.lines().enumerate();
        lines.filter_map(move |(index, line)| Some((index + 1, line.trim().strip_prefix("// ")?.strip_prefix(mark)?)))
    }

    fn generators(&self) -> Vec<&str> {
        let given = self.comments("GENERATE:").next();
        given.map_or(self.generators.to_vec(), |(_, names)| names.split_whitespace().collect())
    }

    fn expected(&self) -> Said {
        let read = |(line, rest): (usize, &str)| {
            let (severity, rest) = rest.split_once("@-")?;
            let (place, words) = rest.split_once(" {{")?;
            let (above, column) = place.split_once(':')?;
            let words = words.strip_suffix("}}")?;
            Some((line - above.parse::<usize>().ok()?, column.parse().ok()?, severity.to_string(), words.to_string()))
        };
        self.comments("expected-").map(|comment| read(comment).unwrap_or_else(|| panic!("{comment:?}"))).collect()
    }

    /// All that was said, as it is shown, and all that was generated.
    fn run(&self) -> (String, String) {
        let records = match Records::from_file(&self.path, &search_path(&self.path, &[])) {
            Ok(records) => records,
            Err(error) => return (error.to_string(), String::new()),
        };
        let (mut generated, mut shown) = (String::new(), String::new());
        match Model::read(&records) {
            Ok(model) => self.generators().into_iter().for_each(|name| match generated_of(name, &model, &records) {
                Ok(text) => generated.push_str(&text),
                Err(error) => shown.push_str(&format!("{error}\n")),
            }),
            Err(error) => shown = format!("{error}\n"),
        }
        records.take_warnings().iter().for_each(|warning| shown.push_str(&format!("{warning}\n")));
        (shown, generated)
    }

    /// The messages about this file, as they are shown.
    fn said(&self, shown: &str) -> Said {
        let own = format!("{}:", self.path.display());
        let read = |line: &str| {
            let (place, rest) = line.strip_prefix(&own)?.split_once(": ")?;
            let (severity, words) = rest.split_once(": ")?;
            let (line, column) = place.split_once(':')?;
            let known = matches!(severity, "error" | "warning");
            known.then_some((line.parse().ok()?, column.parse().ok()?, severity.to_string(), words.to_string()))
        };
        shown.lines().filter_map(read).collect()
    }

    /// Whether upstream's tool takes it; none if it has nothing to say.
    fn taken_upstream(&self) -> Option<bool> {
        let documentation = |name: &&str| !name.ends_with("doc") && !name.ends_with("docs") && *name != "irdl";
        let mut verdict = None;
        for name in self.generators().into_iter().filter(documentation) {
            let mut command = Command::new(llvm_prefix().join("bin/mlir-tblgen"));
            command.arg(format!("-gen-{name}")).arg(&self.path).arg("-I").arg(llvm_prefix().join("include"));
            command.arg("-I").arg(self.path.parent().unwrap());
            let output = command.args(["-o", "/dev/null"]).env("LLVM_DISABLE_SYMBOLIZATION", "1").output().unwrap();
            verdict = Some(output.status.success());
            if !output.status.success() {
                break;
            }
        }
        verdict
    }
}

fn generated_of(name: &str, model: &Model, records: &Records) -> Result<String> {
    let file = records.file_name();
    Ok(match name {
        "op-decls" => generate::operation_declarations(model, file)?,
        "op-defs" | "typedef-defs" | "attrdef-defs" => generate::operation_definitions(model, file)?,
        "dialect-defs" => generate::dialect(model, file)?,
        "op-doc" => generate::operation_documentation(model),
        "irdl" => generate::irdl(model).0,
        "enum-defs" => generate::enumerations(model, file)?,
        "enum-doc" => generate::enumeration_documentation(model),
        "attrdef-doc" => generate::definition_documentation(model, DefinitionKind::Attribute),
        "op-interface-decls" => generate::interfaces(model, &[InterfaceKind::Operation], file)?,
        "attr-interface-decls" => generate::interfaces(model, &[InterfaceKind::Attribute], file)?,
        "type-interface-decls" => generate::interfaces(model, &[InterfaceKind::Type], file)?,
        "op-interface-docs" => generate::interface_documentation(model, InterfaceKind::Operation),
        "type-constraint-defs" => generate::constraint_functions(records, DefinitionKind::Type)?,
        "attr-constraint-defs" => generate::constraint_functions(records, DefinitionKind::Attribute)?,
        "rewriters" => generate::rewriters(records, None)?.rust,
        other => panic!("unknown generator '{other}'"),
    })
}

/// Without what depends on the width of lines.
fn without_white_space(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect::<String>().replace(",)", ")")
}

#[test]
fn cases_are_as_they_say() {
    let mut wrong = Vec::new();
    for case in Case::all() {
        let (shown, generated) = case.run();
        let said = case.said(&shown);
        let expected = case.expected();
        let file = case.path.display();
        said.difference(&expected).for_each(|said| wrong.push(format!("{file}: not expected: {said:?}")));
        expected.difference(&said).for_each(|missing| wrong.push(format!("{file}: not said: {missing:?}")));
        for (mark, text, what) in [("CHECK:", generated, "generated"), ("TOLD:", shown, "told")] {
            let text = without_white_space(&text);
            let missing = case.comments(mark).filter(|(_, part)| !text.contains(&without_white_space(part)));
            missing.for_each(|(line, part)| wrong.push(format!("{file}:{line}: not {what}:{part}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn cases_agree_with_upstream() {
    let mut wrong = Vec::new();
    for case in Case::all() {
        let Some(theirs) = case.taken_upstream() else { continue };
        let ours = case.expected().iter().all(|(_, _, severity, _)| severity != "error");
        let said = case.comments("UPSTREAM: ").next().map(|(_, text)| text.starts_with("takes"));
        if said.unwrap_or(ours) != theirs || said == Some(ours) {
            wrong.push(format!("{}: upstream's tool takes it: {theirs}", case.path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
