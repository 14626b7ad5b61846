//! Modules of a crate depend on each other in one direction (ARCHITECTURE.md, "Invariants"), as far as the paths that they
//! write tell: files and folders that stand beside each other are in no circle. A path leads to the file that defines what
//! it names; to re-export is not to use. Tests are left out.

use proc_macro2::TokenStream;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What is not looked at: the types of a syntax tree hold each other.
const EXCEPTIONS: [&str; 1] = ["dialects/skriptnd/syntax/src/ast"];

/// The path of a module or of an item from the root of its crate.
type Names = Vec<String>;
type Modules = BTreeMap<Names, Module>;

/// What the file of one module says.
#[derive(Default)]
struct Module {
    /// What is defined here; methods are among them.
    defines: BTreeSet<String>,
    /// What imported names stand for, and whether others see them.
    imports: BTreeMap<String, (Names, bool)>,
    /// The modules of which everything is imported.
    globs: Vec<Names>,
    /// The paths that the code writes.
    writes: BTreeSet<Names>,
}

/// Adds the files below a folder, which is the module `at`.
fn read(folder: &Path, at: &[String], found: &mut Modules) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let is_own = ["lib", "main", "mod"].contains(&stem.as_str());
        let names = if is_own { at.to_vec() } else { [at, std::slice::from_ref(&stem)].concat() };
        if stem == "tests" || stem == "testing" || EXCEPTIONS.iter().any(|exception| path.ends_with(exception)) {
        } else if path.is_dir() {
            read(&path, &names, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let code: TokenStream = text.split("#[cfg(test)]\nmod tests").next().unwrap().parse().unwrap();
            let apart = |text: String, c: char| text.replace(c, &format!(" {c} "));
            let spaced = "()[]<>&".chars().fold(code.to_string(), apart);
            let tokens: Vec<&str> = spaced.split_whitespace().collect();
            found.entry(names.clone()).or_default().read(&tokens, &names);
        }
    }
}

impl Module {
    fn read(&mut self, tokens: &[&str], own: &[String]) {
        const DEFINING: [&str; 9] = ["fn", "struct", "enum", "trait", "type", "const", "static", "union", "!"];
        let mut at = 0;
        while at < tokens.len() {
            let before = if at == 0 { "" } else { tokens[at - 1] };
            if tokens[at] == "use" {
                at = self.import(tokens, at + 1, &[], own, ["pub", ")"].contains(&before));
                continue;
            }
            if DEFINING.contains(&before) {
                self.defines.insert(tokens[at].to_owned());
            }
            let (path, next) = path(tokens, at);
            if path.len() > 1 && before != "::" {
                self.writes.insert(absolute(own, &path));
            }
            at = next.max(at + 1);
        }
    }

    /// Reads one tree of a `use` that stands behind `prefix`; gives the place behind it.
    fn import(&mut self, tokens: &[&str], at: usize, prefix: &[String], own: &[String], public: bool) -> usize {
        let (names, mut at) = path(tokens, at);
        let mut path = [prefix, &names].concat();
        if tokens[at] == "{" {
            while tokens[at] != "}" {
                at = self.import(tokens, at + 1, &path, own, public);
            }
            return at + 1;
        }
        let is_module = path.len() > 1 && path.last().is_some_and(|last| last == "self") && path.pop().is_some();
        let target = absolute(own, &path);
        if tokens[at] == "*" {
            self.globs.push(target);
            return at + 1;
        }
        let is_renamed = tokens[at] == "as";
        let alias = if is_renamed { Some(tokens[at + 1].to_owned()) } else { target.last().cloned() };
        if !public && !is_module {
            self.writes.insert(target.clone());
        }
        self.imports.extend(alias.filter(|_| !names.is_empty()).map(|alias| (alias, (target, public))));
        if is_renamed { at + 2 } else { at }
    }
}

/// The names between `::` that begin at a place, and the place behind them.
fn path(tokens: &[&str], mut at: usize) -> (Names, usize) {
    let mut names = Names::new();
    while tokens.get(at).is_some_and(|token| token.starts_with(|c: char| c.is_alphabetic() || c == '_')) {
        names.push(tokens[at].to_owned());
        if tokens.get(at + 1) != Some(&"::") {
            return (names, at + 1);
        }
        at += 2;
    }
    (names, at)
}

/// A path that stands in the module `own`, from the root.
fn absolute(own: &[String], path: &[String]) -> Names {
    match path.first().map(String::as_str) {
        Some("crate") => path[1..].to_vec(),
        Some("self") => absolute(own, &path[1..]),
        Some("super") => absolute(&own[..own.len().saturating_sub(1)], &path[1..]),
        _ => [own, path].concat(),
    }
}

/// The module that defines what a path leads to, for code in `own`; where none is seen to, as of what macros make, the last
/// one on the path. A module itself is nobody's.
fn origin(modules: &Modules, own: &[String], path: &[String], depth: u32) -> Result<Names, Names> {
    let mut at = Names::new();
    for (index, name) in path.iter().enumerate() {
        let child = [&at[..], std::slice::from_ref(name)].concat();
        let Some(module) = modules.get(&at).filter(|_| depth < 9) else { break };
        let visible = module.imports.get(name).filter(|(_, public)| *public || own.starts_with(&at));
        if modules.contains_key(&child) {
            at = child;
        } else if let Some((target, _)) = visible {
            return origin(modules, own, &[target, &path[index + 1..]].concat(), depth + 1);
        } else if module.defines.contains(name) {
            return Ok(at);
        } else {
            let through = |glob: &Names| origin(modules, own, &[glob, &path[index..]].concat(), depth + 1).ok();
            return module.globs.iter().find_map(through).ok_or(at);
        }
    }
    Err(own.to_vec())
}

/// Those of these arrows that lie on a circle.
fn circular(arrows: &BTreeSet<(&String, &String)>) -> Vec<String> {
    let mut reached = arrows.clone();
    loop {
        let from = |&(a, b)| arrows.iter().filter(move |(c, _)| *c == b).map(move |&(_, d)| (a, d));
        let further: BTreeSet<_> = reached.iter().flat_map(from).filter(|pair| !reached.contains(pair)).collect();
        if further.is_empty() {
            break;
        }
        reached.extend(further);
    }
    arrows.iter().filter(|(a, b)| reached.contains(&(*b, *a))).map(|(a, b)| format!("{a} -> {b}")).collect()
}

#[test]
fn what_stands_beside_each_other_is_in_no_circle() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let members = manifest.lines().filter_map(|line| line.strip_prefix("    \"")?.strip_suffix("\","));
    let mut circles = Vec::new();
    for room in members {
        let mut modules = Modules::new();
        read(&root.join(room).join("src"), &[], &mut modules);
        let mut uses = Vec::new();
        for (own, module) in &modules {
            let origins = module.writes.iter().map(|path| origin(&modules, own, path, 0).unwrap_or_else(|last| last));
            uses.extend(origins.map(|other| (own, other)));
        }
        let folders: BTreeSet<&[String]> = modules.keys().filter_map(|name| Some(name.split_last()?.1)).collect();
        for folder in folders {
            let inside = |name: &[String]| name.starts_with(folder) && name.len() > folder.len();
            let inner = uses.iter().filter(|(one, other)| inside(one) && inside(other));
            let arrows = inner.map(|(one, other)| (&one[folder.len()], &other[folder.len()]));
            let found = circular(&arrows.filter(|(one, other)| one != other).collect());
            circles.extend(found.iter().map(|arrow| format!("{room}/src/{}: {arrow}", folder.join("/"))));
        }
    }
    assert_eq!(circles, Vec::<String>::new());
}
