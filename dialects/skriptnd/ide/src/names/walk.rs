//! Declarations, formulas and expressions.

use super::{Meaning, Walker};
use skriptnd_language::sema::SymbolKind;
use skriptnd_source::Span;
use skriptnd_syntax::ast::{Expr, ExprKind, ExtentSpec, Lowering, Name, Operator, PackSpec, Param, TypeExpr, TypeSpec};
use skriptnd_syntax::spelling::BUILTINS;
use skriptnd_syntax::walk;
use std::sync::Arc;

/// Whether names that are not known yet are extents that are introduced where they stand first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unknown {
    Introduces,
    Ignored,
}

impl Walker<'_> {
    pub(super) fn definition(&mut self, number: usize, operator: &Operator) {
        self.operator = number;
        let path = format!("{}.{}", self.path, operator.name.text);
        self.occurs(operator.name.span, Meaning::Operator(path.into()));
        self.within(operator.span, |walker| {
            walker.declare(operator);
            walker.declarations(operator);
            operator.lowerings.iter().for_each(|lowering| walker.lowering(lowering));
            let components = operator.components.iter().flatten();
            components.chain(&operator.updates).for_each(|component| walker.component(component, false));
            for quantization in &operator.quantizations {
                if let Some(first) = quantization.tensor.parts.first() {
                    walker.read(&first.text, first.span);
                }
                walker.invocation(&quantization.operator);
            }
        });
    }

    /// Names that are visible in the whole definition.
    fn declare(&mut self, operator: &Operator) {
        for dtype in &operator.dtypes {
            self.introduce(&dtype.name, SymbolKind::Dtype, dtype.span);
        }
        let lists = [
            (&operator.attributes, SymbolKind::Attribute),
            (&operator.inputs, SymbolKind::Input),
            (&operator.constants, SymbolKind::Constant),
            (&operator.variables, SymbolKind::Variable),
            (&operator.outputs, SymbolKind::Output),
        ];
        for (params, kind) in lists {
            params.iter().for_each(|param| self.introduce(&param.name, kind, param.span));
        }
        for using in &operator.usings {
            using.target.names().for_each(|(name, _)| self.introduce(name, SymbolKind::Using, using.span));
        }
    }

    fn declarations(&mut self, operator: &Operator) {
        let all = [&operator.inputs, &operator.attributes, &operator.constants, &operator.variables, &operator.outputs];
        for param in all.into_iter().flatten() {
            self.type_spec(&param.spec, Unknown::Introduces);
        }
        for param in all.into_iter().flatten() {
            self.value(param);
        }
        for using in &operator.usings {
            self.left_side(&using.target);
            self.expr(&using.value);
        }
        for assertion in &operator.asserts {
            self.expr(&assertion.condition);
            assertion.message.iter().for_each(|message| self.expr(message));
            for (label, value) in &assertion.values {
                label.iter().for_each(|label| self.expr(label));
                self.expr(value);
            }
        }
    }

    fn value(&mut self, param: &Param) {
        let Some(value) = &param.value else { return };
        self.within(param.span, |walker| {
            for bound in &param.bounds {
                walker.introduce(&bound.index, SymbolKind::Index, param.span);
                walker.expr(&bound.bound);
            }
            walker.expr(value);
        });
    }

    fn lowering(&mut self, lowering: &Lowering) {
        self.within(lowering.span, |walker| {
            if let Some(unroll) = &lowering.unroll {
                unroll.index.iter().for_each(|index| walker.introduce(index, SymbolKind::Index, lowering.span));
                unroll.count.iter().for_each(|count| walker.expr(count));
            }
            for bound in &lowering.bounds {
                walker.introduce(&bound.index, SymbolKind::Index, lowering.span);
            }
            for (target, value) in &lowering.locals {
                target.pack.iter().for_each(|pack| walker.pack(pack, Unknown::Ignored));
                walker.expr(value);
                walker.introduce(&target.name, SymbolKind::Local, target.name.span.to(value.span));
            }
            lowering.bounds.iter().for_each(|bound| walker.expr(&bound.bound));
            walker.expr(&lowering.target);
            walker.expr(&lowering.value);
            lowering.condition.iter().for_each(|condition| walker.expr(condition));
        });
    }

    pub(super) fn type_spec(&mut self, spec: &TypeSpec, unknown: Unknown) {
        self.type_expr(&spec.base);
        spec.rank.iter().for_each(|rank| self.extent_expr(rank, unknown));
        spec.shape.iter().flatten().for_each(|extent| self.extent(extent, unknown));
        spec.pack.iter().for_each(|pack| self.pack(pack, unknown));
        spec.length_bound.iter().for_each(|bound| self.extent_expr(bound, unknown));
    }

    pub(super) fn type_expr(&mut self, ty: &TypeExpr) {
        if let TypeExpr::Generic(name) = ty {
            self.read(&name.text, name.span);
        }
    }

    fn extent(&mut self, extent: &ExtentSpec, unknown: Unknown) {
        extent.extent.iter().for_each(|value| self.extent_expr(value, unknown));
        extent.bound.iter().for_each(|bound| self.extent_expr(bound, unknown));
        extent.pack.iter().for_each(|pack| self.pack(pack, unknown));
    }

    pub(super) fn pack(&mut self, pack: &PackSpec, unknown: Unknown) {
        pack.length.iter().for_each(|length| self.extent_expr(length, unknown));
    }

    /// An extent or length, whose unknown names are introduced here.
    fn extent_expr(&mut self, expr: &Expr, unknown: Unknown) {
        match &expr.kind {
            ExprKind::Name(text) if unknown == Unknown::Introduces => {
                let name = Name { text: Arc::clone(text), span: expr.span };
                self.introduce_or_read(&name, SymbolKind::Extent, expr.span);
            }
            ExprKind::Binary(_, left, right) => {
                self.extent_expr(left, unknown);
                self.extent_expr(right, unknown);
            }
            ExprKind::Unary(_, inner) | ExprKind::Paren(inner) => self.extent_expr(inner, unknown),
            _ => self.expr(expr),
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Name(name) => self.read(name, expr.span),
            ExprKind::Member(name, _) => self.read(&name.text, name.span),
            ExprKind::Cast(ty, _) => self.type_expr(ty),
            ExprKind::Builtin(function, value) => {
                if let Some((name, _)) = BUILTINS.iter().find(|(_, known)| known == function) {
                    let span = Span { end: value.span.start.saturating_sub(1), ..expr.span };
                    self.occurs(span, Meaning::Builtin(Arc::from(*name)));
                }
            }
            _ => {}
        }
        walk::parts(expr, &mut |part| self.expr(part));
    }
}
