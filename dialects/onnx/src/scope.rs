//! Where a node stands among the modules of the program that its model was exported from.

use crate::proto::NodeProto;
use std::sync::Arc;

/// The keys under which exporters write the paths and the classes of the modules around a node, which are the last ones.
const PATHS: &str = "pkg.torch.onnx.name_scopes";
const CLASSES: &str = "pkg.torch.onnx.class_hierarchy";

/// Modules that are in more of each other are those of no program.
const DEEPEST: usize = 64;

/// A module of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// Where it is: `encoder.layer.0`.
    pub path: String,
    /// What it is, where that is known: `BertLayer`.
    pub class: Option<String>,
}

/// Modules in each other, the outermost first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    modules: Option<Arc<Vec<Module>>>,
}

impl Scope {
    /// The modules around a node, as far as the exporter has written them.
    pub fn of(node: &NodeProto) -> Option<Scope> {
        let modules = of_metadata(node).or_else(|| of_name(&node.name))?;
        Some(Scope { modules: Some(Arc::new(modules)) })
    }

    /// The same with one more inside.
    #[must_use]
    pub fn with(&self, name: &str, class: &str) -> Scope {
        if self.modules().len() >= DEEPEST {
            return self.clone();
        }
        let mut modules = self.modules().to_vec();
        let path = modules.last().map_or(name.to_owned(), |around| format!("{}.{name}", around.path));
        modules.push(Module { path, class: Some(class.to_owned()) });
        Scope { modules: Some(Arc::new(modules)) }
    }

    /// Those that are around another node, too.
    #[must_use]
    pub fn shared(&self, other: &Scope) -> Scope {
        let same = self.modules().iter().zip(other.modules()).take_while(|(own, other)| own == other).count();
        match same {
            same if same == self.modules().len() => self.clone(),
            same if same == other.modules().len() => other.clone(),
            same => Scope { modules: Some(Arc::new(self.modules()[..same].to_vec())) },
        }
    }

    /// The modules.
    pub fn modules(&self) -> &[Module] {
        self.modules.as_deref().map_or(&[], Vec::as_slice)
    }
}

/// The modules as PyTorch's exporter writes them: lists of Python, with the program before them and the node behind.
fn of_metadata(node: &NodeProto) -> Option<Vec<Module>> {
    let listed = |key: &str| {
        let found = node.metadata_props.iter().find(|entry| entry.key == key)?;
        strings(&found.value)
    };
    let (paths, classes) = (listed(PATHS)?, listed(CLASSES).unwrap_or_default());
    let inner = paths.len().checked_sub(1).filter(|inner| *inner <= DEEPEST)?;
    let named = paths.into_iter().enumerate().take(inner).filter(|(_, path)| !path.is_empty());
    Some(named.map(|(at, path)| Module { path, class: classes.get(at).map(|class| last_of(class)) }).collect())
}

/// The modules that a node's name tells: `/encoder/layer.0/attention/MatMul`.
fn of_name(name: &str) -> Option<Vec<Module>> {
    let (modules, _) = name.rsplit_once('/')?;
    let mut path = String::new();
    let parts = modules.split('/').filter(|part| !part.is_empty());
    // Each has the path of all around it.
    if parts.clone().nth(DEEPEST).is_some() {
        return None;
    }
    let module = |part: &str| {
        path.push_str(if path.is_empty() { "" } else { "/" });
        path.push_str(part);
        Module { path: path.clone(), class: None }
    };
    Some(parts.map(module).collect())
}

/// The strings of a list as Python writes it.
fn strings(list: &str) -> Option<Vec<String>> {
    let mut found = Vec::new();
    let mut rest = list.trim().strip_prefix('[')?.strip_suffix(']')?.chars();
    while let Some(begin) = rest.next() {
        if begin != '\'' && begin != '"' {
            continue;
        }
        let mut item = String::new();
        loop {
            match rest.next()? {
                '\\' => item.push(rest.next()?),
                end if end == begin => break,
                letter => item.push(letter),
            }
        }
        found.push(item);
    }
    Some(found)
}

/// A class without its package.
fn last_of(class: &str) -> String {
    class.rsplit('.').next().unwrap_or(class).to_owned()
}

/// Statements of no known module are of those that the ones before and behind them share.
pub fn filled(scopes: &mut [Option<Scope>]) -> Vec<Scope> {
    let mut behind = Vec::new();
    let mut next = Scope::default();
    for scope in scopes.iter().rev() {
        if let Some(scope) = scope {
            next = scope.clone();
        }
        behind.push(next.clone());
    }
    let mut before = Scope::default();
    let fill = |(scope, next): (&mut Option<Scope>, Scope)| {
        before = scope.take().unwrap_or_else(|| before.shared(&next));
        before.clone()
    };
    scopes.iter_mut().zip(behind.into_iter().rev()).map(fill).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::StringStringEntryProto;

    fn entry(key: &str, value: &str) -> StringStringEntryProto {
        StringStringEntryProto { key: key.into(), value: value.into() }
    }

    #[test]
    fn modules_are_those_that_the_exporter_wrote() {
        let metadata_props = vec![
            entry(PATHS, "['', 'm.encoder', 'm.encoder.layer.0', \"view_2\"]"),
            entry(CLASSES, "['main.<locals>.W', 'a.b.BertEncoder', 'a.b.BertLayer', 'aten.view.default']"),
        ];
        let node = NodeProto { metadata_props, ..NodeProto::default() };
        let scope = Scope::of(&node).unwrap();
        let found: Vec<_> = scope.modules().iter().map(|module| (&*module.path, module.class.as_deref())).collect();
        assert_eq!(found, [("m.encoder", Some("BertEncoder")), ("m.encoder.layer.0", Some("BertLayer"))]);
    }

    #[test]
    fn modules_are_those_of_a_name() {
        let named = |name: &str| Scope::of(&NodeProto { name: name.into(), ..NodeProto::default() });
        let scope = named("/layer1/layer1.0/conv1/Conv").unwrap();
        let paths: Vec<&str> = scope.modules().iter().map(|module| &*module.path).collect();
        assert_eq!(paths, ["layer1", "layer1/layer1.0", "layer1/layer1.0/conv1"]);
        assert_eq!(named("Identity_54"), None);
        assert_eq!(named("/Add").unwrap().modules(), []);
        assert_eq!(named(&"/a".repeat(65)).unwrap().modules().len(), 64);
        assert_eq!(named(&"/a".repeat(1_000_000)), None);
    }

    #[test]
    fn statements_between_those_of_a_module_are_its() {
        let scope = |name: &str| Scope::of(&NodeProto { name: name.into(), ..NodeProto::default() });
        let mut scopes = [None, scope("/a/b/x"), None, scope("/a/c/x"), None, scope("/d/x")];
        let filled: Vec<usize> = filled(&mut scopes).iter().map(|scope| scope.modules().len()).collect();
        assert_eq!(filled, [0, 2, 1, 2, 0, 1]);
    }
}
