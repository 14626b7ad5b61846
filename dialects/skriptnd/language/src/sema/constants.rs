//! Constants and variables (section 2.7).

use super::checker::Checker;
use super::diagnostics as say;
use super::symbols::{Symbol, SymbolKind};
use super::types::Base;
use skriptnd_syntax::ast::{PackSpec, Param};

impl Checker<'_> {
    pub(super) fn constant(&mut self, constant: &Param) {
        self.shape(constant);
        self.fixed_shape(constant, SymbolKind::Constant);
        let Some(value) = &constant.value else {
            self.report(say::constant_without_value(constant.name.span, &constant.name.text));
            return self.declare_tensor(constant, SymbolKind::Constant);
        };
        self.symbols.enter(constant.span);
        for bound in &constant.bounds {
            let ty = self.expect(&bound.bound, &Base::Int, "the bound of an index symbol");
            self.declare(&bound.index, Symbol::new(SymbolKind::Index, ty, constant.span));
        }
        let base = self.base(&constant.spec.base);
        let ty = self.expect(value, &base, &format!("the value of `{}`", constant.name.text));
        self.symbols.leave();
        if constant.spec.pack.is_some() {
            if !ty.packed && !ty.is_unknown() {
                self.report(say::constant_pack_value(value.span, &constant.name.text, &ty));
            }
            if let Some(bound) = constant.bounds.first() {
                self.report(say::constant_pack_index(bound.index.span, &constant.name.text));
            }
        } else if let (true, Some(bound)) = (ty.packed, constant.bounds.first()) {
            self.report(say::packed_element(value.span, &constant.name.text, &bound.index.text, &ty));
        }
        self.declare_tensor(constant, SymbolKind::Constant);
    }

    pub(super) fn variable(&mut self, variable: &Param) {
        self.declare_tensor(variable, SymbolKind::Variable);
        self.shape(variable);
        self.fixed_shape(variable, SymbolKind::Variable);
        if let Some(value) = &variable.value {
            self.report(say::variable_with_value(value.span, &variable.name.text));
        }
    }

    /// Nothing but its declaration determines the shape of a constant or variable, and how many there are.
    fn fixed_shape(&mut self, param: &Param, kind: SymbolKind) {
        let Some(shape) = &param.spec.shape else {
            return self.report(say::shape_not_written(param.spec.span, kind, &param.name.text));
        };
        for extent in shape.iter().filter(|extent| extent.extent.is_none()) {
            self.report(say::extent_not_written(extent.span, kind, &param.name.text));
        }
        if let Some(PackSpec { length: None, span, .. }) = &param.spec.pack {
            self.report(say::length_not_written(*span, kind, &param.name.text));
        }
    }
}
