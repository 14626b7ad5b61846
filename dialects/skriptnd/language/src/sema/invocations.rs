//! Invocations against the definitions they name: attributes, arguments, generic types (sections 2.10 and 2.13).

mod resolve;

use super::checker::Checker;
use super::diagnostics as say;
use super::foreign;
use super::names::Meaning;
use super::symbols::SymbolKind;
use super::types::{Base, Context, Type};
use skriptnd_source::Span;
use skriptnd_source::diagnostics::nearest;
use skriptnd_syntax::ast::{Expr, ExprKind, Invocation, Name, Operator, OperatorKind, Param, TypeExpr};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

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
        self.label(invocation.label.as_ref(), invocation.span);
        let Some(callee) = self.resolve(&invocation.operator) else {
            self.arguments_alone(invocation);
            return None;
        };
        let mut generics = self.explicit_types(invocation, callee);
        self.attributes(invocation, callee, &mut generics, surplus(invocation, callee));
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

    /// Labels have a space of names of their own: a label must not hide a tensor.
    pub(super) fn label(&mut self, label: Option<&Name>, of: Span) {
        if let Some(label) = label {
            self.names.introduce(label, SymbolKind::Label, of, self.symbols.span());
        }
    }

    /// A sub-graph reads names of the definition that invokes it: they must be visible there.
    pub(super) fn outer_names(&mut self, graph: &Operator, invocation: &Invocation) {
        let subgraphs = self.subgraphs;
        for name in subgraphs.outer(graph) {
            if let Some(symbol) = self.symbols.get_mut(&name.text) {
                symbol.used = true;
            } else if let Some(outer) = &mut self.outer {
                outer.push(name.clone());
            } else if self.reported.insert(name.text.clone()) {
                let near = self.symbols.nearest(&name.text);
                self.report(say::undeclared_outer(name.span, &name.text, invocation.span, near.as_deref()));
            }
        }
    }

    /// Checks what an unknown operator is given, as far as that is possible.
    fn arguments_alone(&mut self, invocation: &Invocation) {
        for attribute in &invocation.attributes {
            self.within(Context::CompileTime, |checker| drop(checker.value(&attribute.value)));
        }
        invocation.arguments.iter().filter_map(|(value, _)| value.as_ref()).for_each(|value| drop(self.expr(value)));
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

    /// Checks attribute values and which attributes are given. `surplus`: there are more arguments than inputs, which is
    /// reported with the attributes that they may be meant for.
    fn attributes(
        &mut self,
        invocation: &Invocation,
        callee: &'a Operator,
        generics: &mut Generics<'a>,
        surplus: bool,
    ) {
        let path: Arc<str> = invocation.operator.path_in(self.path).into();
        let mut given: HashMap<&str, Span> = HashMap::new();
        let mut unknown: Vec<&Name> = Vec::new();
        for assignment in &invocation.attributes {
            let name = &*assignment.name.text;
            let meaning = Meaning::Attribute(path.clone(), assignment.name.text.clone());
            self.names.occurs(assignment.name.span, meaning);
            if let Some(first) = given.insert(name, assignment.name.span) {
                self.report(say::attribute_twice(assignment.name.span, name, first));
            }
            let ty = self.within(Context::CompileTime, |checker| checker.value(&assignment.value));
            match callee.attributes.iter().find(|attribute| &*attribute.name.text == name) {
                Some(attribute) => self.attribute(attribute, &assignment.value, &ty, generics),
                None if callee.incomplete => {}
                None => unknown.push(&assignment.name),
            }
        }
        let mut missing: Vec<&Param> = callee.attributes.iter().filter(|attribute| is_required(attribute)).collect();
        missing.retain(|attribute| !given.contains_key(&*attribute.name.text));
        for name in unknown {
            let names: Vec<&str> = callee.attributes.iter().map(|attribute| &*attribute.name.text).collect();
            let free = names.iter().copied().filter(|name| !given.contains_key(name));
            let meant = attribute_meant(&name.text, free, &missing);
            missing.retain(|attribute| Some(&*attribute.name.text) != meant);
            self.report(say::unknown_attribute(name.span, &name.text, &callee.name.text, meant, &names));
        }
        for attribute in missing.into_iter().filter(|_| !surplus) {
            self.report(say::missing_attribute(invocation.operator.span, &callee.name.text, attribute));
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
        if surplus(invocation, callee) && self.too_many_arguments(invocation, callee) {
            return;
        }
        let mut absent: Vec<&Param> = Vec::new();
        for (at, input) in callee.inputs.iter().enumerate() {
            match (invocation.arguments.get(at), types.get(at)) {
                (Some((Some(value), _)), Some(Some(ty))) => self.argument(input, value, ty, generics),
                _ if !is_required(input) => {}
                (Some((_, span)), _) => self.report(say::omitted_argument(*span, &callee.name.text, input)),
                (None, _) => absent.push(input),
            }
        }
        if !absent.is_empty() {
            self.report(say::missing_arguments(invocation.operator.span, &callee.name.text, &absent));
        }
    }

    /// Reports it. Whether the arguments are the items of a pack that the operator takes: then they fit no input.
    fn too_many_arguments(&mut self, invocation: &Invocation, callee: &Operator) -> bool {
        let Some((_, extra)) = invocation.arguments.get(callee.inputs.len()) else { return false };
        let pack = matches!(callee.inputs.as_slice(), [input] if input.spec.pack.is_some());
        let given = |param: &&Param| invocation.attributes.iter().any(|a| a.name.text == param.name.text);
        let attribute = callee.attributes.iter().find(|param| is_required(param) && !given(param));
        let meant = match attribute {
            _ if pack => say::Surplus::Items,
            Some(attribute) => say::Surplus::Attribute(&attribute.name.text),
            None => say::Surplus::Unknown,
        };
        let inputs: Vec<&str> = callee.inputs.iter().map(|input| &*input.name.text).collect();
        let found = invocation.arguments.len();
        self.report(say::too_many_arguments(*extra, &callee.name.text, found, &inputs, &meant));
        pack
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
            if let TypeExpr::Generic(name) = declared {
                generics.uncertain.insert(&name.text);
            }
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
            let tensor = quantization.tensor.to_string();
            let earlier = &operator.quantizations[..at];
            if let Some(first) = earlier.iter().find(|other| other.tensor.to_string() == tensor) {
                self.report(say::quantized_twice(quantization.tensor.span, &tensor, first.tensor.span));
            }
            if let Some(first) = quantization.tensor.parts.first()
                && let Some(symbol) = self.symbols.get(&first.text)
            {
                self.names.occurs(first.span, Meaning::Own(symbol.number));
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
            self.label(invocation.label.as_ref(), invocation.span);
            let Some(callee) = self.resolve(&invocation.operator) else { continue };
            let mut generics = self.explicit_types(invocation, callee);
            self.attributes(invocation, callee, &mut generics, false);
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

/// Whether a value must be given for a parameter.
fn is_required(param: &Param) -> bool {
    !param.spec.optional && param.value.is_none()
}

/// Whether there are more arguments than inputs.
fn surplus(invocation: &Invocation, callee: &Operator) -> bool {
    invocation.arguments.len() > callee.inputs.len()
}

/// The attribute that was probably meant by a name that is none: one whose name is like it, one that other frameworks
/// call so, or the only one that is missing.
fn attribute_meant<'a>(
    name: &str,
    free: impl Iterator<Item = &'a str> + Clone,
    missing: &[&'a Param],
) -> Option<&'a str> {
    let counterpart = foreign::attribute(name, free.clone());
    counterpart.or_else(|| nearest(name, free)).or(match missing {
        [only] => Some(&*only.name.text),
        _ => None,
    })
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
    callee.inputs.iter().enumerate().any(|(at, input)| generic(input) && is_required(input) && absent(at))
}

fn result(output: &Param, generics: &Generics<'_>, known: bool) -> Type {
    let base = match &output.spec.base {
        TypeExpr::Generic(name) if !known || generics.uncertain.contains(&*name.text) => Base::Unknown,
        ty => generics.base(ty),
    };
    Type { base, packed: output.spec.pack.is_some(), optional: output.spec.optional, tensor: true }
}
