//! Types, extents and the lengths of packs.

use super::pieces::When;
use super::printer::Printer;
use crate::ast::{Expr, ExtentSpec, PackSpec, TypeExpr, TypeName, TypeSpec};

impl Printer<'_> {
    /// `..`, `..(length)` or `..(length|bound)`
    pub(super) fn pack(&mut self, pack: &PackSpec, bound: Option<&Expr>) {
        self.word("..");
        if let Some(length) = &pack.length {
            self.word("(");
            self.keyword_static(pack.is_static);
            self.grouped(|p| {
                p.expr(length);
                p.bound(bound);
            });
            self.word(")");
        }
    }

    /// `|bound`
    fn bound(&mut self, bound: Option<&Expr>) {
        if let Some(bound) = bound {
            self.word("|");
            self.expr(bound);
        }
    }

    /// `static` of the newer spelling, if it is there.
    fn keyword_static(&mut self, is_there: bool) {
        if is_there {
            self.name("static");
            self.space();
        }
    }

    pub(super) fn type_expr(&mut self, ty: &TypeExpr) {
        match ty {
            TypeExpr::Concrete(name, _) => self.type_name(*name),
            TypeExpr::Generic(name) => self.name(&name.text),
        }
    }

    pub(super) fn type_name(&mut self, name: TypeName) {
        self.name(name.keyword());
    }

    pub(super) fn type_spec(&mut self, spec: &TypeSpec) {
        if spec.optional {
            self.name("optional");
            self.space();
        }
        if spec.dynamic {
            self.name("dynamic");
            self.space();
        }
        self.type_expr(&spec.base);
        if let Some(rank) = &spec.rank {
            self.word("^");
            self.word("(");
            self.expr(rank);
            self.word(")");
        }
        if let Some(shape) = &spec.shape {
            self.word("[");
            self.grouped(|p| p.separated(shape, When::Fill, Self::extent));
            self.word("]");
        }
        spec.pack.iter().for_each(|pack| self.pack(pack, spec.length_bound.as_ref()));
    }

    fn extent(&mut self, extent: &ExtentSpec) {
        if extent.distinct {
            self.word("..");
        }
        self.keyword_static(extent.is_static);
        match &extent.extent {
            Some(value) => self.expr(value),
            None => self.word("~"),
        }
        self.bound(extent.bound.as_ref());
        extent.pack.iter().for_each(|pack| self.pack(pack, None));
    }
}
