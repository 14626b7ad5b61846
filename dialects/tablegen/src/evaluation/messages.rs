//! What TableGen says of a file, without what is none of its user's business, and with help.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::paths::llvm_prefix;

/// How TableGen says that a name is not known.
const UNKNOWN: [&str; 2] = ["error: Couldn't find class '", "error: Variable not defined: '"];
/// What the parser says where it comes to an end because of what it said before.
const FOLLOWERS: [&str; 2] = ["Unexpected token at top level", "unknown class name"];
/// The folders of MLIR whose files all dialects include.
const FOLDERS: [&str; 3] = ["mlir/IR", "mlir/Interfaces", "mlir/Pass"];

/// Without errors that only follow from earlier ones: those at the same place, and those that end the parser.
pub fn without_followers(errors: &str) -> String {
    let (mut kept, mut places, mut is_kept) = (Vec::new(), Vec::new(), true);
    for line in errors.lines() {
        if let Some((place, message)) = line.split_once(": error: ") {
            let follows = FOLLOWERS.contains(&message);
            is_kept = !places.contains(&place) && (places.is_empty() || !follows);
            places.push(place);
        }
        if is_kept {
            kept.push(line);
        }
    }
    kept.join("\n")
}

/// Without the names that the tool gives to records which have none.
pub fn without_numbers(errors: &str) -> String {
    match regex_lite::Regex::new(r"\banonymous_\d+\b") {
        Ok(names) => names.replace_all(errors, "a record without a name").into_owned(),
        Err(_) => errors.to_string(),
    }
}

/// Help with the first name in TableGen's messages that a file of MLIR declares and the file does not include.
pub fn help(messages: &str) -> Option<String> {
    let name = UNKNOWN.iter().find_map(|begin| messages.split_once(begin)?.1.split('\'').next())?;
    let root = llvm_prefix().join("include");
    let file = FOLDERS.iter().flat_map(|folder| files(&root.join(folder))).find(|file| declares(file, name))?;
    let shown = file.strip_prefix(&root).unwrap_or(&file).display();
    Some(format!("'{name}' is declared in a file of MLIR: include \"{shown}\""))
}

/// The .td files of a folder, in the order of their names.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
    let mut files: Vec<_> = entries.filter(|path| path.extension().is_some_and(|ending| ending == "td")).collect();
    files.sort();
    files
}

fn declares(file: &Path, name: &str) -> bool {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.lines().any(|line| {
        let rest = ["class ", "def ", "multiclass "].iter().find_map(|word| line.strip_prefix(word));
        let rest = rest.and_then(|rest| rest.trim_start().strip_prefix(name));
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    })
}

#[cfg(test)]
mod tests {
    use super::help;

    #[test]
    fn what_mlir_declares_is_found() {
        let told = |message: &str| help(&format!("x.td:3:9: error: {message}\ndef A : B;\n"));
        let include = |name, file| Some(format!("'{name}' is declared in a file of MLIR: include \"mlir/{file}\""));
        assert_eq!(told("Couldn't find class 'Op'"), include("Op", "IR/OpBase.td"));
        assert_eq!(told("Couldn't find class 'I32EnumAttr'"), include("I32EnumAttr", "IR/EnumAttr.td"));
        assert_eq!(told("Variable not defined: 'Pure'"), include("Pure", "Interfaces/SideEffectInterfaces.td"));
        assert_eq!(told("Variable not defined: 'Pur'"), None);
        assert_eq!(told("Couldn't find class 'OpX'"), None);
        assert_eq!(told("expected ';'"), None);
    }
}
