//! Invocations against the definitions they name: attributes, arguments, generic types (sections 2.10 and 2.13).

use super::checker::{Checker, Context};
use super::diagnostics as say;
use super::types::{Base, Type};
use crate::diagnostics::nearest;
use crate::library::Library;
use crate::syntax::ast::{
    AttributeAssignment, Expr, ExprKind, Invocation, Operator, OperatorKind, Param, QualifiedName, Span, TypeExpr,
};
use std::collections::{HashMap, HashSet};

/// The generic types of one invocation.
struct Generics<'a> {
    callee: &'a Operator,
    /// What each stands for and what says so.
    bound: HashMap<&'a str, (Base, String)>,
    /// Those that a value of unknown type is given for: what else says of them may be wrong.
    uncertain: HashSet<&'a str>,
}

impl<'a> Generics<'a> {
    /// The base type that a parameter of the callee stands for, as far as it is known.
    fn base(&self, ty: &TypeExpr) -> Base {
        match ty {
            TypeExpr::Concrete(name, _) => Base::concrete(*name).unwrap_or(Base::Unknown),
            TypeExpr::Generic(name) => self.bound.get(&*name.text).map_or(Base::Unknown, |(base, _)| base.clone()),
        }
    }

    /// Why a generic type is what it is, for messages.
    fn reason(&self, ty: &TypeExpr) -> Option<String> {
        let TypeExpr::Generic(name) = ty else { return None };
        let (base, source) = self.bound.get(&*name.text)?;
        Some(format!("{} is {base} because of {source}", name.text))
    }
}

impl<'a> Checker<'a> {
    /// The types of an operator's results; none if it is not known.
    pub(super) fn invocation(&mut self, invocation: &Invocation) -> Option<Vec<Type>> {
        let Some(callee) = self.resolve(&invocation.operator) else {
            self.arguments_alone(invocation);
            return None;
        };
        let mut generics = self.explicit_types(invocation, callee);
        self.attributes(&invocation.attributes, callee, &mut generics, invocation.operator.span);
        self.arguments(invocation, callee, &mut generics);
        let known = self.deduced(invocation, callee, &mut generics);
        if callee.kind == OperatorKind::Graph {
            self.outer_names(callee, invocation);
        }
        if callee.incomplete {
            return None;
        }
        Some(callee.outputs.iter().map(|output| result(output, &generics, known)).collect())
    }

    /// Checks what an unknown operator is given, as far as that is possible.
    fn arguments_alone(&mut self, invocation: &Invocation) {
        for attribute in &invocation.attributes {
            self.within(Context::CompileTime, |checker| drop(checker.value(&attribute.value)));
        }
        invocation.arguments.iter().filter_map(|(value, _)| value.as_ref()).for_each(|value| drop(self.expr(value)));
    }

    /// The definition that a name stands for here; reports it if there is none.
    pub(super) fn resolve(&mut self, name: &QualifiedName) -> Option<&'a Operator> {
        let parts: Vec<&str> = name.parts.iter().map(|part| &*part.text).collect();
        let (operator, path) = parts.split_last()?;
        let library = self.library;
        if path.is_empty() {
            let module = self.module;
            let found = module.operators.get(operator);
            if found.is_none() && !module.incomplete {
                self.unknown_local_operator(name.span, operator);
            }
            return found;
        }
        let module_name = path.join(".");
        let is_imported = self.module.imports.iter().any(|import| {
            import.parts.len() == path.len() && import.parts.iter().zip(path).all(|(part, own)| &*part.text == *own)
        });
        if !is_imported {
            let imported: Vec<String> = self.module.imports.iter().map(joined).collect();
            let near = nearest(&module_name, imported.iter().map(String::as_str));
            if module_name == "main" && self.module.operators.contains(operator) {
                self.report(say::needless_module(name.span, operator));
                return None;
            }
            if let Some(symbol) = self.symbols.get(&module_name).cloned() {
                let standard = standard_module_with(operator);
                self.report(say::method_of_tensor(name.span, &module_name, symbol.kind, operator, standard.as_deref()));
                return None;
            }
            let exists = library.modules.contains_key(&module_name) || crate::library::is_standard_name(&module_name);
            if self.unknown_modules.insert(module_name.clone()) {
                self.report(say::module_not_imported(name.span, &module_name, near, exists));
            }
            return None;
        }
        // A module that could not be loaded has been reported.
        let module = library.modules.get(&module_name)?;
        let found = module.operators.get(operator);
        if found.is_none() && !module.incomplete {
            let near = nearest(operator, module.operators.names());
            let elsewhere = standard_module_with(operator).filter(|other| *other != module_name);
            let hides = self.hides_standard(&module_name, operator);
            self.report(say::unknown_operator(name.span, &module_name, operator, near, elsewhere.as_deref(), hides));
        }
        found
    }

    /// Whether a module of the model has the name of a standard one, which has the operator.
    fn hides_standard(&self, module: &str, operator: &str) -> bool {
        let standard = Library::standard();
        standard.modules.get(module).is_some_and(|module| module.operators.contains(operator))
    }

    fn unknown_local_operator(&mut self, span: Span, operator: &str) {
        let elsewhere = self.module.imports.iter().map(joined).find(|module| {
            let module = self.library.modules.get(module);
            module.is_some_and(|module| module.operators.contains(operator))
        });
        let near = nearest(operator, self.module.operators.names());
        let standard = if elsewhere.is_none() && near.is_none() { standard_module_with(operator) } else { None };
        let advice = say::Elsewhere { imported: elsewhere.as_deref(), standard: standard.as_deref(), nearest: near };
        self.report(say::unknown_local_operator(span, operator, &advice));
    }

    fn explicit_types(&mut self, invocation: &Invocation, callee: &'a Operator) -> Generics<'a> {
        let mut generics = Generics { callee, bound: HashMap::new(), uncertain: HashSet::new() };
        if invocation.types.len() > callee.dtypes.len() {
            let (found, expected) = (invocation.types.len(), callee.dtypes.len());
            let names: Vec<&str> = callee.dtypes.iter().map(|dtype| &*dtype.name.text).collect();
            let span = invocation.types.get(expected).map_or(invocation.operator.span, TypeExpr::span);
            self.report(say::too_many_types(span, &callee.name.text, found, &names));
        }
        for (ty, dtype) in invocation.types.iter().zip(&callee.dtypes) {
            let base = self.base(ty);
            let span = ty.span();
            let fits = base.satisfies(dtype.bound);
            if !fits {
                self.report(say::type_out_of_bound(span, &dtype.name.text, dtype.bound, &base));
            }
            let base = if fits { base } else { Base::Unknown };
            generics.bound.insert(&dtype.name.text, (base, "the type given explicitly".to_owned()));
        }
        generics
    }

    /// Checks attribute values and which attributes are given.
    fn attributes(
        &mut self,
        assignments: &[AttributeAssignment],
        callee: &'a Operator,
        generics: &mut Generics<'a>,
        place: Span,
    ) {
        let mut given: HashMap<&str, Span> = HashMap::new();
        for assignment in assignments {
            let name = &*assignment.name.text;
            if let Some(first) = given.insert(name, assignment.name.span) {
                self.report(say::attribute_twice(assignment.name.span, name, first));
            }
            let ty = self.within(Context::CompileTime, |checker| checker.value(&assignment.value));
            match callee.attributes.iter().find(|attribute| &*attribute.name.text == name) {
                Some(attribute) => self.attribute(attribute, &assignment.value, &ty, generics),
                None if callee.incomplete => {}
                None => {
                    let names = callee.attributes.iter().map(|attribute| &*attribute.name.text);
                    let near = nearest(name, names.clone());
                    let names: Vec<&str> = names.collect();
                    let span = assignment.name.span;
                    self.report(say::unknown_attribute(span, name, &callee.name.text, near, &names));
                }
            }
        }
        for attribute in &callee.attributes {
            let required = !attribute.spec.optional && attribute.value.is_none();
            if required && !given.contains_key(&*attribute.name.text) {
                self.report(say::missing_attribute(place, &callee.name.text, attribute));
            }
        }
    }

    fn attribute(&mut self, attribute: &'a Param, value: &Expr, ty: &Type, generics: &mut Generics<'a>) {
        let role = format!("the attribute `{}`", attribute.name.text);
        self.unify(&attribute.spec.base, value.span, ty, &role, generics);
        if ty.packed && attribute.spec.pack.is_none() {
            self.report(say::packed_argument(value.span, &role, ty));
        }
    }

    fn arguments(&mut self, invocation: &Invocation, callee: &'a Operator, generics: &mut Generics<'a>) {
        let types: Vec<Option<Type>> =
            invocation.arguments.iter().map(|(value, _)| value.as_ref().map(|value| self.expr(value))).collect();
        if callee.incomplete {
            return;
        }
        if let Some((_, extra)) = invocation.arguments.get(callee.inputs.len()) {
            let names: Vec<&str> = callee.inputs.iter().map(|input| &*input.name.text).collect();
            let pack = matches!(callee.inputs.as_slice(), [input] if input.spec.pack.is_some());
            self.report(say::too_many_arguments(*extra, &callee.name.text, types.len(), &names, pack));
            if pack {
                return;
            }
        }
        for (at, input) in callee.inputs.iter().enumerate() {
            match (invocation.arguments.get(at), types.get(at)) {
                (Some((Some(value), _)), Some(Some(ty))) => self.argument(input, value, ty, generics),
                (given, _) => {
                    if !input.spec.optional && input.value.is_none() {
                        let span = given.map_or(invocation.operator.span, |(_, span)| *span);
                        self.report(say::missing_argument(span, &callee.name.text, input, given.is_some()));
                    }
                }
            }
        }
    }

    fn argument(&mut self, input: &'a Param, value: &Expr, ty: &Type, generics: &mut Generics<'a>) {
        let role = format!("the input `{}`", input.name.text);
        self.unify(&input.spec.base, value.span, ty, &role, generics);
        let packed = input.spec.pack.is_some();
        if ty.packed && !packed {
            self.report(say::packed_argument(value.span, &role, ty));
        } else if packed && !ty.packed && !ty.is_unknown() {
            self.report(say::single_argument(value.span, &role, ty));
        }
        if ty.optional && !input.spec.optional {
            let name = if let ExprKind::Name(name) = &value.kind { Some(&**name) } else { None };
            self.report(say::optional_argument(value.span, &role, ty, name));
        }
    }

    /// Matches the type of a value with the declared one, which may be generic.
    fn unify(&mut self, declared: &'a TypeExpr, span: Span, ty: &Type, role: &str, generics: &mut Generics<'a>) {
        if ty.is_unknown() {
            if let TypeExpr::Generic(name) = declared {
                generics.uncertain.insert(&name.text);
            }
            return;
        }
        let expected = generics.base(declared);
        if !expected.is(&ty.base) {
            let reason = generics.reason(declared);
            return self.report(say::argument_type(span, role, &expected, ty, reason));
        }
        let TypeExpr::Generic(name) = declared else { return };
        if generics.bound.contains_key(&*name.text) {
            return;
        }
        let Some(dtype) = generics.callee.dtypes.iter().find(|dtype| dtype.name.text == name.text) else { return };
        if ty.base.satisfies(dtype.bound) {
            generics.bound.insert(&dtype.name.text, (ty.base.clone(), role.to_owned()));
        } else {
            self.report(say::type_out_of_bound(span, &dtype.name.text, dtype.bound, &ty.base));
        }
    }

    /// Whether all generic types are known; reports those that nothing can tell.
    fn deduced(&mut self, invocation: &Invocation, callee: &'a Operator, generics: &mut Generics<'a>) -> bool {
        let mut known = true;
        for dtype in &callee.dtypes {
            let name = &*dtype.name.text;
            if generics.bound.contains_key(name) {
                continue;
            }
            if let Some(base) = dtype.default.and_then(Base::concrete)
                && !mentioned(callee, invocation, name)
            {
                generics.bound.insert(name, (base, "its default".to_owned()));
                continue;
            }
            known = false;
            if !mentioned(callee, invocation, name) && !missing(callee, invocation, name) && !callee.incomplete {
                self.report(say::type_not_deduced(invocation.operator.span, &callee.name.text, name));
            }
        }
        known
    }

    pub(super) fn quantizations(&mut self) {
        let operator = self.operator;
        for (at, quantization) in operator.quantizations.iter().enumerate() {
            let tensor = joined(&quantization.tensor);
            let earlier = &operator.quantizations[..at];
            if let Some(first) = earlier.iter().find(|other| joined(&other.tensor) == tensor) {
                self.report(say::quantized_twice(quantization.tensor.span, &tensor, first.tensor.span));
            }
            let mut found = None;
            if let [name] = quantization.tensor.parts.as_slice() {
                match self.symbols.get(&name.text) {
                    Some(symbol) if symbol.ty.tensor => found = Some(symbol.ty.clone()),
                    Some(symbol) => {
                        let kind = symbol.kind;
                        self.report(say::quantized_no_tensor(name.span, &name.text, kind));
                    }
                    None => self.undeclared(&name.text, name.span),
                }
            }
            let invocation = &quantization.operator;
            let Some(callee) = self.resolve(&invocation.operator) else { continue };
            let mut generics = self.explicit_types(invocation, callee);
            self.attributes(&invocation.attributes, callee, &mut generics, invocation.operator.span);
            if callee.inputs.len() != 1 || callee.outputs.len() != 1 || callee.kind == OperatorKind::Graph {
                let (inputs, outputs) = (callee.inputs.len(), callee.outputs.len());
                self.report(say::no_quantization(invocation.operator.span, &callee.name.text, inputs, outputs));
                continue;
            }
            let expected = match &callee.inputs[0].spec.base {
                TypeExpr::Concrete(name, _) => Base::concrete(*name),
                TypeExpr::Generic(_) => None,
            };
            if let (Some(expected), Some(found)) = (expected, found)
                && !found.base.is(&expected)
            {
                let place = quantization.tensor.span;
                self.report(say::quantized_type(place, &tensor, &found, &callee.name.text, &expected));
            }
        }
    }
}

/// Whether a value of unknown type is given for a parameter of the generic type, or the operator could not be read.
fn mentioned(callee: &Operator, invocation: &Invocation, dtype: &str) -> bool {
    let generic = |param: &Param| matches!(&param.spec.base, TypeExpr::Generic(name) if &*name.text == dtype);
    let given = |param: &&Param| invocation.attributes.iter().any(|a| a.name.text == param.name.text);
    let attribute = callee.attributes.iter().filter(given).any(generic);
    let arguments = callee.inputs.iter().zip(&invocation.arguments);
    attribute || arguments.into_iter().any(|(input, (value, _))| value.is_some() && generic(input))
}

/// Whether a required argument of the generic type is missing, which is reported as such.
fn missing(callee: &Operator, invocation: &Invocation, dtype: &str) -> bool {
    let generic = |param: &Param| matches!(&param.spec.base, TypeExpr::Generic(name) if &*name.text == dtype);
    let absent = |at: usize| invocation.arguments.get(at).is_none_or(|(value, _)| value.is_none());
    let required = |param: &Param| !param.spec.optional && param.value.is_none();
    callee.inputs.iter().enumerate().any(|(at, input)| generic(input) && required(input) && absent(at))
}

fn result(output: &Param, generics: &Generics<'_>, known: bool) -> Type {
    let base = match &output.spec.base {
        TypeExpr::Generic(name) if !known || generics.uncertain.contains(&*name.text) => Base::Unknown,
        ty => generics.base(ty),
    };
    Type { base, packed: output.spec.pack.is_some(), optional: output.spec.optional, tensor: true }
}

/// The module of the standard library that has an operator of this name.
fn standard_module_with(operator: &str) -> Option<String> {
    let library = Library::standard();
    let found = library.modules.iter().find(|(_, module)| module.operators.contains(operator));
    found.map(|(name, _)| name.clone())
}

fn joined(name: &QualifiedName) -> String {
    name.parts.iter().map(|part| &*part.text).collect::<Vec<_>>().join(".")
}
