//! Declarations of one definition: types, attributes, tensors, helper symbols, asserts (sections 2.5 to 2.9, 2.13).

use super::binding;
use super::checker::Checker;
use super::diagnostics as say;
use super::extents::{self, Extents};
use super::symbols::{Symbol, SymbolKind};
use super::types::{Base, Context, Type};
use skriptnd_source::Span;
use skriptnd_syntax::ast::{
    Assertion, Expr, ExprKind, LValue, LValueItem, Name, Operator, OperatorKind, PackSpec, Param, TypeSpec, Using,
};
use std::collections::HashMap;
use std::sync::Arc;

impl Checker<'_> {
    /// Checks the definition.
    pub(super) fn definition(&mut self) {
        self.blocks();
        self.dtypes();
        self.attributes_and_inputs();
        self.usings();
        let operator = self.operator;
        for constant in &operator.constants {
            self.constant(constant);
        }
        operator.variables.iter().for_each(|variable| self.variable(variable));
        for output in &operator.outputs {
            self.declare_tensor(output, SymbolKind::Output);
            self.dynamic_extents(output);
            self.shape(output);
            self.output_extents(output);
            if let Some(value) = &output.value {
                self.report(say::output_with_value(value.span, &output.name.text));
            }
        }
        operator.asserts.iter().for_each(|assertion| self.assertion(assertion));
        self.within(Context::Formula, Self::lowerings);
        self.within(Context::Composition, Self::compositions);
        self.quantizations();
    }

    fn blocks(&mut self) {
        let mut seen: HashMap<&str, &Name> = HashMap::new();
        let operator = self.operator;
        for block in &operator.blocks {
            match seen.get(&*block.text) {
                Some(first) => self.report(say::duplicate_block(block.span, &block.text, first.span)),
                None => drop(seen.insert(&block.text, block)),
            }
        }
        if operator.kind == OperatorKind::Graph
            && let Some(block) = seen.get("lower")
        {
            self.report(say::graph_with_formula(block.span, &operator.name.text));
        }
    }

    fn dtypes(&mut self) {
        let operator = self.operator;
        for (at, dtype) in operator.dtypes.iter().enumerate() {
            self.names.introduce(&dtype.name, SymbolKind::Dtype, dtype.span, operator.span);
            if let Some(first) = operator.dtypes[..at].iter().find(|other| other.name.text == dtype.name.text) {
                self.report(say::duplicate_type(dtype.name.span, &dtype.name.text, first.name.span));
            }
            if Base::concrete(dtype.bound).is_some() {
                self.report(say::concrete_bound(dtype.name.span, &dtype.name.text, dtype.bound));
            } else if let Some(default) = dtype.default {
                match Base::concrete(default) {
                    Some(base) if base.satisfies(dtype.bound) => {}
                    _ => self.report(say::bad_default_type(dtype.name.span, &dtype.name.text, dtype.bound, default)),
                }
            }
        }
    }

    fn attributes_and_inputs(&mut self) {
        let operator = self.operator;
        for attribute in &operator.attributes {
            let ty = Type { tensor: false, ..self.tensor_type(&attribute.spec) };
            self.declare(&attribute.name, Symbol::new(SymbolKind::Attribute, ty, attribute.span));
            if attribute.spec.shape.is_some() {
                self.report(say::tensor_attribute(attribute.spec.span, &attribute.name.text));
            }
            if let (true, Some(value)) = (attribute.spec.optional, &attribute.value) {
                self.report(say::optional_with_default(value.span, &attribute.name.text));
            }
        }
        for input in &operator.inputs {
            self.declare_tensor(input, SymbolKind::Input);
        }
        Extents::declare(self);
        self.later = later(operator);
        for attribute in &operator.attributes {
            if let Some(length) = attribute.spec.pack.as_ref().and_then(|pack| pack.length.as_ref()) {
                self.expect(length, &Base::Int, "the length of a pack");
            }
            if let Some(value) = &attribute.value {
                self.default(attribute, value);
            }
        }
        for input in &operator.inputs {
            self.shape(input);
            if let Some(value) = &input.value {
                self.default(input, value);
            }
        }
        self.circular_defaults();
        binding::check(self);
    }

    pub(super) fn declare_tensor(&mut self, param: &Param, kind: SymbolKind) {
        let ty = self.tensor_type(&param.spec);
        let rank = extents::fixed_rank(&param.spec);
        self.declare(&param.name, Symbol { rank, ..Symbol::new(kind, ty, param.span) });
    }

    /// Checks the extents, rank and pack length of a tensor, all of whose names must be known by now.
    pub(super) fn shape(&mut self, param: &Param) {
        if let Some(rank) = &param.spec.rank {
            self.expect(rank, &Base::Int, "a rank");
        }
        if let Some(length) = param.spec.pack.as_ref().and_then(|pack| pack.length.as_ref()) {
            self.expect(length, &Base::Int, "the length of a pack");
        }
        if let Some(bound) = &param.spec.length_bound {
            self.expect(bound, &Base::Int, "the bound of a length");
        }
        for extent in param.spec.shape.iter().flatten() {
            if let Some(length) = extent.pack.as_ref().and_then(|pack| pack.length.as_ref()) {
                self.length(length);
            }
            if let Some(bound) = &extent.bound {
                self.expect(bound, &Base::Int, "the bound of an extent");
            }
            if extent.distinct && param.spec.pack.is_none() {
                self.report(say::distinct_without_pack(extent.span, &param.name.text));
            } else if extent.distinct && extent.pack.is_some() {
                self.report(say::distinct_pack(extent.span));
            }
            let Some(value) = &extent.extent else { continue };
            let ty = self.expect(value, &Base::Int, "an extent");
            if extent.distinct && param.spec.pack.is_some() && !ty.packed && !ty.is_unknown() {
                self.report(say::distinct_single(value.span, &ty));
            }
            let expanded = extent.pack.is_some() || extent.distinct;
            if ty.packed && !expanded {
                self.report(say::pack_not_expanded(value.span, &ty));
            }
            if let (false, Some(PackSpec { length: None, .. }), false) = (ty.packed, &extent.pack, ty.is_unknown()) {
                self.report(say::expanded_single(value.span, &ty));
            }
        }
    }

    /// A name that is new and has a bound stands for an extent that the data determine, of this and other outputs.
    fn dynamic_extents(&mut self, output: &Param) {
        for extent in output.spec.shape.iter().flatten().filter(|extent| extent.bound.is_some()) {
            let Some(Expr { kind: ExprKind::Name(name), span }) = &extent.extent else { continue };
            if self.symbols.get(name).is_none() {
                let ty = Type { packed: extent.pack.is_some(), ..Type::scalar(Base::Int) };
                let name = Name { text: name.clone(), span: *span };
                self.declare(&name, Symbol::new(SymbolKind::Extent, ty, *span));
            }
        }
    }

    /// An operator must bound what it leaves open (section 2.6, dynamic shapes).
    fn output_extents(&mut self, output: &Param) {
        if self.operator.kind == OperatorKind::Graph {
            return;
        }
        match &output.spec.shape {
            None => self.report(say::missing_shape(output.spec.span, &output.name.text)),
            Some(shape) => {
                for extent in shape.iter().filter(|extent| extent.extent.is_none() && extent.bound.is_none()) {
                    self.report(say::unbounded_output(extent.span, &output.name.text));
                }
            }
        }
    }

    fn usings(&mut self) {
        let operator = self.operator;
        for using in &operator.usings {
            self.using(using);
        }
    }

    fn using(&mut self, using: &Using) {
        let ty = self.value(&using.value);
        if let LValue::List(..) = using.target
            && !ty.packed
            && !ty.is_unknown()
        {
            self.report(say::not_a_pack(using.value.span, "be taken apart", &ty));
        }
        self.open_parts(using);
        let packs = using.target.items().iter().filter_map(LValueItem::pack);
        for length in packs.filter_map(|pack| pack.length.as_ref()) {
            self.expect(length, &Base::Int, "the length of a pack");
        }
        if let LValue::Item(LValueItem::Name { name, pack: Some(pack), .. }) = &using.target
            && !ty.packed
            && !ty.is_unknown()
        {
            self.report(say::hinted_single(pack.span, &name.text, &ty));
        }
        self.written_types(using, &ty);
        let whole = matches!(using.target, LValue::Item(_));
        for (name, packed) in using.target.names() {
            let packed = if whole { ty.packed || packed } else { packed };
            self.declare(name, Symbol::new(SymbolKind::Using, Type { packed, ..ty.clone() }, using.span));
        }
    }

    /// The types that are written on the left, if any, are those of the value.
    fn written_types(&mut self, using: &Using, value: &Type) {
        for item in using.target.items() {
            let specs: Vec<(&Name, &TypeSpec)> = match item {
                LValueItem::Name { name, spec, .. } => spec.iter().map(|spec| (name, &**spec)).collect(),
                LValueItem::Zip { names, .. } => {
                    names.iter().filter_map(|(name, spec)| Some((name, &**spec.as_ref()?))).collect()
                }
                LValueItem::Omitted(_) => Vec::new(),
            };
            for (name, spec) in specs {
                let declared = self.base(&spec.base);
                if spec.shape.is_some() {
                    self.report(say::tensor_helper(spec.span, &name.text));
                } else if !value.base.is(&declared) {
                    let role = format!("the value of `{}`", name.text);
                    self.report(say::wrong_type(using.value.span, &role, &declared.to_string(), value));
                }
            }
        }
    }

    /// At most one part of a list on the left may take what the others leave.
    fn open_parts(&mut self, using: &Using) {
        let LValue::List(items, _) = &using.target else { return };
        let mut first = None;
        for item in items {
            let (pack, span) = match item {
                LValueItem::Name { name, pack: Some(pack), .. } => (pack, name.span),
                LValueItem::Zip { pack: Some(pack), span, .. } => (pack, *span),
                _ => continue,
            };
            match first {
                _ if pack.length.is_some() => {}
                None => first = Some(span),
                Some(first) => self.report(say::several_open_parts(span, first)),
            }
        }
    }

    fn assertion(&mut self, assertion: &Assertion) {
        self.condition(&assertion.condition, "an assertion");
        if let Some(message) = &assertion.message {
            self.expr(message);
        }
        for (label, value) in &assertion.values {
            // A single word is a label as it is.
            if let Some(label) = label.as_ref().filter(|label| !matches!(label.kind, ExprKind::Name(_))) {
                self.expect(label, &Base::Str, "a label");
            }
            self.value(value);
        }
    }
}

/// What is declared after attributes, inputs and helper symbols, and helper symbols among themselves.
fn later(operator: &Operator) -> HashMap<Arc<str>, (Span, SymbolKind)> {
    let helpers = operator.usings.iter().flat_map(|using| using.target.names());
    let kinds = [
        (&operator.constants, SymbolKind::Constant),
        (&operator.variables, SymbolKind::Variable),
        (&operator.outputs, SymbolKind::Output),
    ];
    let tensors = kinds.into_iter().flat_map(|(params, kind)| params.iter().map(move |param| (&param.name, kind)));
    let mut later = HashMap::new();
    for (name, kind) in helpers.map(|(name, _)| (name, SymbolKind::Using)).chain(tensors) {
        later.entry(name.text.clone()).or_insert((name.span, kind));
    }
    later
}
