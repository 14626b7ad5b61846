//! What stands at a place.

use super::describe::declarations;
use crate::snapshot::Snapshot;
use skriptnd_language::sema::SymbolKind;
use skriptnd_language::sema::names::{Introduced, Meaning, Names};
use skriptnd_source::{FileId, Span};

/// What is known of a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// The name that stands there.
    pub span: Span,
    /// What is to be told, in Markdown.
    pub text: String,
}

impl Snapshot {
    /// What stands at this byte.
    pub fn hover(&self, file: FileId, offset: u32) -> Option<Hover> {
        let names = self.names(file)?;
        let occurrence = names.at(offset)?;
        let text = match &occurrence.meaning {
            Meaning::Own(number) => self.hover_name(file, &names, *number)?,
            Meaning::Operator(path) => self.hover_operator(path, occurrence.span)?,
            Meaning::Module(path) => self.hover_module(path),
            Meaning::Attribute(path, name) => self.hover_attribute(path, name, occurrence.span)?,
            Meaning::Builtin(name) => {
                format!("{}\n\nbuilt-in function, element by element", code(&format!("`{name}`(x)")))
            }
        };
        Some(Hover { span: occurrence.span, text })
    }

    fn hover_name(&self, file: FileId, names: &Names, number: usize) -> Option<String> {
        let introduced = names.introduced.get(number)?;
        let (module_path, module) = self.module(file)?;
        let operator = module.operators.iter().nth(introduced.operator)?;
        let path = format!("{module_path}.{}", operator.name.text);
        let mut text = code(&self.declared(introduced.kind, introduced.declaration));
        let mut lines = vec![format!("{} of `{}`", introduced.kind.phrase(), operator.name.text)];
        let all = [&operator.attributes, &operator.inputs, &operator.outputs, &operator.constants, &operator.variables];
        let param = all.into_iter().flatten().find(|param| param.name.span == introduced.span);
        lines.extend(param.map(|param| param.documentation.clone()).filter(|text| !text.is_empty()));
        lines.extend(self.known_of(&path, introduced));
        text.push_str(&lines.join("\n\n"));
        Some(text)
    }

    /// What composition knows of a name.
    fn known_of(&self, operator: &str, introduced: &Introduced) -> Option<String> {
        if introduced.kind.is_tensor() {
            let mut types = self.types_of(operator, introduced);
            if types.is_empty() && matches!(introduced.kind, SymbolKind::Input | SymbolKind::Output) {
                types = self.port_types(operator, &introduced.name);
            }
            return known("in the graph", &types);
        }
        match introduced.kind {
            SymbolKind::Attribute | SymbolKind::Extent | SymbolKind::Using => {
                known("value", &self.values_of(operator, &introduced.name))
            }
            _ => None,
        }
    }

    fn hover_operator(&self, path: &str, place: Span) -> Option<String> {
        let operator = self.definitions.operator(path)?;
        let mut text = code(&declarations(&self.definitions, path, operator));
        text.push_str(&operator.documentation);
        if let Some(call) = self.call_at(place, path) {
            let attributes = call.attributes.iter().map(|(name, value)| format!("{name}={value}"));
            let dtypes = call.dtypes.iter().map(|(name, dtype)| format!("{name}={}", dtype.keyword()));
            let all: Vec<String> = dtypes.chain(attributes).collect();
            if !all.is_empty() {
                text.push_str(&format!("\n\nhere: `{}`", all.join(", ")));
            }
        }
        Some(text)
    }

    fn hover_module(&self, path: &str) -> String {
        let standard = if self.definitions.is_standard(path) { " of the standard library" } else { "" };
        let mut text = format!("{}module{standard}", code(&format!("import {path};")));
        if let Some(module) = self.definitions.modules.get(path) {
            let names: Vec<&str> = module.operators.names().filter(|name| !name.starts_with('_')).collect();
            text.push_str(&format!(": {}", names.join(", ")));
        }
        text
    }

    fn hover_attribute(&self, path: &str, name: &str, place: Span) -> Option<String> {
        let operator = self.definitions.operator(path)?;
        let param = operator.attributes.iter().find(|param| *param.name.text == *name)?;
        let mut text = code(&self.declared(SymbolKind::Attribute, param.span));
        let mut lines = vec![format!("an attribute of `{path}`")];
        lines.extend(Some(param.documentation.clone()).filter(|text| !text.is_empty()));
        if let Some(value) = self.call_at(place, path).and_then(|call| call.attributes.get(name).cloned()) {
            lines.push(format!("here: `{value}`"));
        }
        text.push_str(&lines.join("\n\n"));
        Some(text)
    }
}

fn known(what: &str, list: &[String]) -> Option<String> {
    let list: Vec<String> = list.iter().map(|item| format!("`{item}`")).collect();
    (!list.is_empty()).then(|| format!("{what}: {}", list.join(", ")))
}

fn code(text: &str) -> String {
    format!("```skriptnd\n{text}\n```\n")
}
