//! What operators are called, their applications, and the weights that they take.

use super::Part;
use super::group::{Group, Run};
use crate::scope::{Module, Scope};
use crate::translate::names::{Names, is_numbered, spelled};
use skriptnd_syntax::build::{Computation, Statement};

/// Classes that only hold others: their names say nothing.
const CONTAINERS: [&str; 4] = ["Sequential", "ModuleList", "ModuleDict", "Module"];

/// The modules of the standard library.
const MODULES: [&str; 11] =
    ["layout", "math", "linalg", "nn", "layer", "image", "quant", "algo", "misc", "rand", "onnx"];

/// The names that operators have, and their applications.
#[derive(Debug, Default)]
pub(super) struct Taken {
    operators: Names,
    labels: Names,
}

impl Taken {
    /// A new name of an application.
    pub fn label(&mut self, like: &str) -> String {
        self.labels.fresh(like)
    }

    /// A new name of an operator, like that of the modules where they have one.
    pub fn operator(&mut self, like: Option<&str>) -> String {
        let like = like.unwrap_or("block");
        if MODULES.contains(&like) {
            self.operators.fresh(&format!("{like}_block"))
        } else {
            self.operators.fresh(like)
        }
    }
}

/// What an operator and its applications are called.
#[derive(Debug, Default)]
pub(super) struct Naming<'s> {
    /// The operator.
    pub name: Option<String>,
    /// Where the modules are that the runs are of.
    pub labels: Vec<String>,
    /// The module of the first run, and those of all statements.
    first: Option<(&'s Module, &'s [Scope])>,
}

impl<'s> Naming<'s> {
    /// What the modules tell that a group's runs are of.
    pub fn of(group: &Group, scopes: &'s [Scope]) -> Naming<'s> {
        let module = |run: &Run| scopes[run.begin].modules().get(run.depth?);
        let modules: Option<Vec<_>> = group.runs.iter().map(module).collect();
        let Some(modules) = modules else { return Naming::default() };
        let labels = modules.iter().map(|module| spelled(&module.path)).collect();
        let first = modules.first().map(|module| (*module, scopes));
        Naming { name: operator_name(modules.into_iter()), labels, first }
    }

    /// A name for a weight of the first run that a statement reads: after its module where it bears none of the model.
    pub fn weight(&self, name: &str, rank: usize, reader: &Part) -> String {
        let own = self.within(name);
        let kind = if rank < 2 && is_sum(&reader.statement) { "bias" } else { "weight" };
        let inside = self.first.and_then(|(module, scopes)| {
            let scope = scopes[reader.begin].shared(&scopes[reader.end - 1]);
            let inside =
                scope.modules().last()?.path.strip_prefix(module.path.as_str())?.trim_start_matches(['.', '/']);
            (own == name && is_numbered(name) && !inside.is_empty()).then(|| format!("{}_{kind}", spelled(inside)))
        });
        inside.unwrap_or_else(|| own.to_owned())
    }

    /// A name of the first run as it is called within that.
    pub fn within<'n>(&self, name: &'n str) -> &'n str {
        let around = self.labels.first().and_then(|label| name.strip_prefix(label.as_str())?.strip_prefix('_'));
        around.filter(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic())).unwrap_or(name)
    }
}

fn is_sum(statement: &Statement) -> bool {
    matches!(&statement.value, Computation::Invocation(invocation) if invocation.operator == "math.add")
}

/// What an operator is called that stands for these modules: their class, or what their paths end with but for numbers.
fn operator_name<'s>(modules: impl Iterator<Item = &'s Module>) -> Option<String> {
    let mut names = modules.map(|module| match &module.class {
        Some(class) if !CONTAINERS.contains(&class.as_str()) => class.as_str(),
        _ => without_number(&module.path),
    });
    let first = names.next().filter(|name| name.chars().any(char::is_alphabetic))?;
    names.all(|name| name == first).then(|| snake_case(&spelled(first)))
}

/// Operators that say something of what a block does; those that only move elements come after all others.
const TELLING: [&str; 5] = ["nn", "linalg", "onnx", "quant", "image"];

/// What exporters have all names of nodes and tensors begin with.
const OF_ANY_NODE: [&str; 4] = ["node", "val", "output", "tensor"];

/// Longer names are not read any more.
const MOST_WORDS: usize = 3;

/// What an operator is called that no module tells of: what the names of the nodes that it stands for begin with, or else
/// what it does.
pub(super) fn told_by_statements(statements: &[Statement], nodes: &[&str]) -> Option<String> {
    let of_nodes = shared_begin(nodes).filter(|name| !OF_ANY_NODE.contains(name));
    of_nodes.map(|name| snake_case(&spelled(name))).or_else(|| of_operators(statements))
}

/// What all names begin with, up to a number or the end of a word; none where that is no word.
fn shared_begin<'n>(names: &[&'n str]) -> Option<&'n str> {
    let (first, others) = names.split_first()?;
    let shared = |end: &usize| others.iter().all(|other| other.get(..*end) == first.get(..*end));
    let is_end = |end: &usize| {
        let (before, behind) = (first[..*end].chars().last(), first[*end..].chars().next());
        before.is_some_and(char::is_alphabetic) && behind.is_none_or(|c| !c.is_alphabetic())
    };
    let ends = first.char_indices().map(|(at, _)| at).chain([first.len()]);
    let end = ends.take_while(shared).filter(is_end).last()?;
    let begin = first[..end].rfind(['/', '.', ':']).map_or(0, |at| at + 1);
    Some(&first[begin..end]).filter(|name| name.chars().filter(|c| c.is_alphabetic()).count() > 2)
}

/// The first few operators, those before others that tell most.
fn of_operators(statements: &[Statement]) -> Option<String> {
    let mut found: Vec<(usize, usize, &str)> = Vec::new();
    for (at, statement) in statements.iter().enumerate() {
        let Computation::Invocation(invocation) = &statement.value else { continue };
        let (rank, name) = match invocation.operator.split_once('.') {
            Some(("layout", name)) => (2, name),
            Some((module, name)) => (usize::from(!TELLING.contains(&module)), name),
            None => (0, invocation.operator.as_str()),
        };
        if found.iter().all(|(.., known)| *known != name) {
            found.push((rank, at, name));
        }
    }
    found.sort_by_key(|(rank, at, _)| (*rank, *at));
    found.truncate(MOST_WORDS);
    found.sort_by_key(|(_, at, _)| *at);
    let words: Vec<&str> = found.into_iter().map(|(.., name)| name).collect();
    (!words.is_empty()).then(|| words.join("_"))
}

/// The last part of a path that is no number, without the digits at its end.
fn without_number(path: &str) -> &str {
    let is_digit = |c: char| c.is_ascii_digit() || c == '_';
    let mut parts = path.rsplit(['.', '/']).map(|part| part.trim_end_matches(is_digit));
    parts.find(|part| !part.is_empty()).unwrap_or("")
}

/// `BertLayer` as `bert_layer`, `LlamaMLP` as `llama_mlp`; `ViT` is one word.
fn snake_case(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut made = String::new();
    for (at, letter) in letters.iter().enumerate().filter(|(_, letter)| **letter != '_') {
        let is_lower = |at: usize| letters.get(at).is_some_and(|letter| letter.is_ascii_lowercase());
        let word = made.rsplit('_').next().unwrap_or("").len();
        let is_after_word = at > 0 && !letters[at - 1].is_ascii_uppercase() && (word > 2 || is_lower(at + 1));
        let is_begin = letter.is_ascii_uppercase() && (is_after_word || is_lower(at + 1));
        if at > 0 && !made.is_empty() && (is_begin || letters[at - 1] == '_') {
            made.push('_');
        }
        made.push(letter.to_ascii_lowercase());
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;
    use skriptnd_syntax::build::Invocation;

    #[test]
    fn operators_that_no_module_tells_of_are_called_like_nodes_or_what_they_do() {
        let statement = |operator: &str| {
            let invocation = Invocation {
                label: None,
                operator: operator.into(),
                dtypes: Vec::new(),
                attributes: Vec::new(),
                operands: Vec::new(),
            };
            Statement::new(Vec::new(), Computation::Invocation(invocation))
        };
        let made = |operators: &[&str], nodes: &[&str]| {
            let statements: Vec<Statement> = operators.iter().map(|operator| statement(operator)).collect();
            told_by_statements(&statements, nodes).unwrap_or_default()
        };
        let residual = ["nn.conv", "nn.relu", "nn.conv", "math.add", "nn.relu"];
        assert_eq!(made(&residual, &["Conv_0", "Relu_1", "Add_3"]), "conv_relu_add");
        assert_eq!(made(&residual, &["net_stage1_conv0", "net_stage1_relu0", "net_stage2_conv0"]), "net_stage");
        assert_eq!(made(&residual, &["node_Conv_0", "node_Relu_1"]), "conv_relu_add");
        assert_eq!(made(&residual, &["a1", "a2"]), "conv_relu_add");
        let attention =
            ["layout.reshape", "math.mul", "linalg.matmul", "layout.transpose", "nn.softmax", "linalg.matmul"];
        assert_eq!(made(&attention, &[]), "mul_matmul_softmax");
        assert_eq!(made(&["layout.reshape", "layout.slice"], &["é1", "é2"]), "reshape_slice");
        assert_eq!(made(&["conv_relu", "math.add"], &[]), "conv_relu_add");
        assert_eq!(made(&[], &[]), "");
    }

    #[test]
    fn operators_are_called_like_classes_or_paths() {
        let module = |path: &str, class: Option<&str>| Module { path: path.into(), class: class.map(Into::into) };
        let name = |modules: &[Module]| operator_name(modules.iter());
        assert_eq!(name(&[module("a.0", Some("BertLayer"))]).unwrap(), "bert_layer");
        assert_eq!(name(&[module("a.0", Some("GPT2Block"))]).unwrap(), "gpt2_block");
        assert_eq!(name(&[module("a.0", Some("LayerNorm2d"))]).unwrap(), "layer_norm2d");
        assert_eq!(name(&[module("a.0", Some("DPTViTLayer"))]).unwrap(), "dpt_vit_layer");
        assert_eq!(name(&[module("a.0", Some("LlamaMLP"))]).unwrap(), "llama_mlp");
        assert_eq!(name(&[module("a.0", Some("SiLU"))]).unwrap(), "silu");
        assert_eq!(name(&[module("layer1/layer1.0", None), module("layer2/layer2.1", None)]).unwrap(), "layer");
        assert_eq!(name(&[module("blocks.1.0", Some("Sequential"))]).unwrap(), "blocks");
        assert_eq!(name(&[module("up", None), module("down", None)]), None);
        assert_eq!(name(&[module("0", None)]), None);
    }
}
