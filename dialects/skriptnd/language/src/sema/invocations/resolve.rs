//! Which definition an invocation names (section 2.15).

use crate::library::{Library, is_standard_name};
use crate::sema::checker::Checker;
use crate::sema::diagnostics as say;
use crate::sema::foreign;
use crate::sema::names::Meaning;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::nearest;
use skriptnd_syntax::ast::{Operator, QualifiedName};

impl<'a> Checker<'a> {
    /// The definition that a name stands for here; reports it if there is none.
    pub(in crate::sema) fn resolve(&mut self, name: &QualifiedName) -> Option<&'a Operator> {
        let parts: Vec<&str> = name.parts.iter().map(|part| &*part.text).collect();
        let (operator, path) = parts.split_last()?;
        if path.is_empty() {
            let module = self.module;
            let found = module.operators.get(operator);
            self.note_operator(name, found);
            if found.is_none() && !module.incomplete {
                self.unknown_local_operator(name.span, operator);
            }
            return found;
        }
        let module_name = path.join(".");
        if self.library.modules.contains_key(&module_name) {
            let place = name.parts[0].span.to(name.parts[path.len() - 1].span);
            self.names.occurs(place, Meaning::Module(module_name.as_str().into()));
        }
        if !self.is_imported(&module_name) {
            self.not_imported(name.span, module_name, operator);
            return None;
        }
        // A module that could not be loaded has been reported.
        let module = self.library.modules.get(&module_name)?;
        let found = module.operators.get(operator);
        self.note_operator(name, found);
        if found.is_none() && !module.incomplete {
            let near = nearest(operator, module.operators.names()).map(|near| format!("{module_name}.{near}"));
            self.unknown_operator(name.span, &module_name, operator, near);
        }
        found
    }

    fn note_operator(&mut self, name: &QualifiedName, found: Option<&Operator>) {
        if let (Some(last), Some(_)) = (name.parts.last(), found) {
            self.names.occurs(last.span, Meaning::Operator(name.path_in(self.path).into()));
        }
    }

    fn is_imported(&self, module: &str) -> bool {
        self.module.imports.iter().any(|import| import.to_string() == module)
    }

    fn not_imported(&mut self, span: Span, module: String, operator: &str) {
        if module == "main" && self.module.operators.contains(operator) {
            return self.report(say::needless_module(span, operator));
        }
        if let Some(symbol) = self.symbols.get(&module).cloned() {
            let standard = foreign::operator(operator, None);
            return self.report(say::method_of_tensor(span, &module, symbol.kind, operator, standard));
        }
        if self.is_misspelt_import(&module) || !self.unknown_modules.insert(module.clone()) {
            return;
        }
        let imported: Vec<String> = self.module.imports.iter().map(QualifiedName::to_string).collect();
        let near = nearest(&module, imported.iter().map(String::as_str));
        let exists = self.library.modules.contains_key(&module) || is_standard_name(&module);
        self.report(say::module_not_imported(span, &module, near, exists));
    }

    /// Whether an import that failed, which is reported, was probably meant to be of this module.
    fn is_misspelt_import(&self, module: &str) -> bool {
        let failed =
            self.module.imports.iter().filter(|import| !self.library.modules.contains_key(&import.to_string()));
        failed.into_iter().any(|import| {
            let last = import.parts.last().is_some_and(|part| *part.text == *module);
            last || nearest(&import.to_string(), [module]).is_some()
        })
    }

    /// `near`: an operator of the same module with nearly the same name.
    fn unknown_operator(&mut self, span: Span, module: &str, operator: &str, near: Option<String>) {
        let standard = foreign::operator(operator, Some(module)).map(str::to_owned);
        let meant = if is_standard_name(module) { standard.or(near) } else { near.or(standard) };
        let advice = match meant {
            _ if self.hides_standard(module, operator) => say::Meant::Hidden,
            _ if foreign::is_for_training(operator) => say::Meant::Nothing,
            Some(path) => self.meant(path),
            None => say::Meant::Unknown,
        };
        self.report(say::unknown_operator(span, module, operator, &advice));
    }

    /// An operator that was meant by another name.
    fn meant(&self, path: String) -> say::Meant {
        match path.rsplit_once('.') {
            Some((module, _)) if !self.is_imported(module) => say::Meant::NotImported(module.to_owned(), path),
            _ => say::Meant::Operator(path),
        }
    }

    /// Whether a module of the model has the name of a standard one, which has the operator.
    fn hides_standard(&self, module: &str, operator: &str) -> bool {
        let standard = Library::standard();
        standard.modules.get(module).is_some_and(|module| module.operators.contains(operator))
    }

    fn unknown_local_operator(&mut self, span: Span, operator: &str) {
        let imported = self.module.imports.iter().map(QualifiedName::to_string).find(|module| {
            let module = self.library.modules.get(module);
            module.is_some_and(|module| module.operators.contains(operator))
        });
        let near = || nearest(operator, self.module.operators.names()).map(str::to_owned);
        let meant = imported.map(|module| format!("{module}.{operator}")).or_else(near);
        let advice = match meant.or_else(|| foreign::operator(operator, None).map(str::to_owned)) {
            None if foreign::is_for_training(operator) => say::Meant::Nothing,
            Some(path) => self.meant(path),
            None => say::Meant::Unknown,
        };
        self.report(say::unknown_local_operator(span, operator, &advice));
    }
}
