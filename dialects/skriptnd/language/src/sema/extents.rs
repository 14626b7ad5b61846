//! Which names the shapes of inputs and the lengths of packs declare (section 2.6).

use super::checker::Checker;
use super::diagnostics as say;
use super::symbols::{Symbol, SymbolKind};
use super::types::{Base, Type};
use skriptnd_syntax::ast::{BinaryOp, Expr, ExprKind, Name, Param, TypeExpr, TypeName, TypeSpec, UnaryOp};
use skriptnd_syntax::walk;

/// A place where an expression may declare a name.
struct Site<'a> {
    value: &'a Expr,
    ty: Type,
}

/// Declares the names of a definition's extents.
pub(super) struct Extents;

impl Extents {
    pub(super) fn declare(checker: &mut Checker<'_>) {
        let operator = checker.operator;
        let mut sites = Vec::new();
        // Required parameters first: what they determine is never null.
        for required in [true, false] {
            let params = operator.attributes.iter().chain(&operator.inputs);
            params
                .filter(|param| param.spec.optional != required)
                .for_each(|param| collect(checker, param, &mut sites));
        }
        // A name may be declared by a shape further down.
        let mut progress = true;
        while std::mem::take(&mut progress) {
            sites.retain(|site| {
                let unknown = unknown_names(site.value, |name| checker.symbols.get(name).is_some());
                match unknown.as_slice() {
                    [name] if is_affine(site.value, &name.text) => {
                        let symbol = Symbol::new(SymbolKind::Extent, site.ty.clone(), name.span);
                        checker.declare(name, symbol);
                        progress = true;
                        false
                    }
                    [] => false,
                    _ => true,
                }
            });
        }
        sites.iter().for_each(|site| undetermined(checker, site));
    }
}

/// Reports an expression whose value doesn't determine its names, and declares them so that they are reported once.
fn undetermined(checker: &mut Checker<'_>, site: &Site<'_>) {
    let names = unknown_names(site.value, |name| checker.symbols.get(name).is_some());
    let helpers: Vec<&Name> =
        checker.operator.usings.iter().flat_map(|using| using.target.names()).map(|(name, _)| name).collect();
    if names.is_empty() || names.iter().any(|name| helpers.iter().any(|helper| helper.text == name.text)) {
        return;
    }
    let texts: Vec<&str> = names.iter().map(|name| &*name.text).collect();
    checker.report(say::extent_not_affine(site.value.span, &texts));
    for name in &names {
        checker.declare(name, Symbol::new(SymbolKind::Extent, site.ty.clone(), name.span));
    }
}

fn collect<'a>(checker: &Checker<'_>, param: &'a Param, sites: &mut Vec<Site<'a>>) {
    let optional = param.spec.optional;
    let single = Type::scalar(Base::Int).optional_if(optional);
    let mut site = |value: &'a Option<Expr>, ty: &Type| {
        if let Some(value) = value {
            sites.push(Site { value, ty: ty.clone() });
        }
    };
    site(&param.spec.rank, &single);
    if let Some(pack) = &param.spec.pack {
        site(&pack.length, &single);
    }
    for extent in param.spec.shape.iter().flatten() {
        // A length that is a truth value makes a single extent conditional.
        let length = extent.pack.as_ref().and_then(|pack| pack.length.as_ref());
        let conditional = length.is_some_and(|length| is_truth(checker, length));
        if let Some(pack) = &extent.pack {
            site(&pack.length, &single);
        }
        let packed = (extent.pack.is_some() && !conditional) || extent.distinct;
        site(&extent.extent, &Type { packed, optional: optional || conditional, ..Type::scalar(Base::Int) });
    }
}

/// Whether an expression is a truth value.
fn is_truth(checker: &Checker<'_>, expr: &Expr) -> bool {
    use BinaryOp::{And, Eq, Ge, Gt, Implies, Le, Lt, Ne, Or, Xor};
    match &expr.kind {
        ExprKind::Bool(_) | ExprKind::NullTest(_) | ExprKind::In(..) | ExprKind::Is(..) => true,
        ExprKind::Unary(UnaryOp::Not, _) => true,
        ExprKind::Binary(op, ..) => matches!(op, And | Or | Xor | Implies | Lt | Le | Gt | Ge | Eq | Ne),
        ExprKind::Name(name) => checker.symbols.get(name).is_some_and(|symbol| symbol.ty == Type::scalar(Base::Bool)),
        ExprKind::Subscript { base, .. } => match &base.kind {
            ExprKind::Name(name) => checker.symbols.get(name).is_some_and(|symbol| symbol.ty == Type::pack(Base::Bool)),
            _ => false,
        },
        ExprKind::Select(_, then, Some(otherwise)) => is_truth(checker, then) && is_truth(checker, otherwise),
        ExprKind::Coalesce(_, fallback) => is_truth(checker, fallback),
        ExprKind::Cast(TypeExpr::Concrete(TypeName::Bool, _), _) => true,
        ExprKind::Paren(inner) => is_truth(checker, inner),
        _ => false,
    }
}

/// The number of dimensions if all extents are single.
pub(super) fn fixed_rank(spec: &TypeSpec) -> Option<usize> {
    let shape = spec.shape.as_ref()?;
    let single = |extent: &skriptnd_syntax::ast::ExtentSpec| {
        let conditional =
            extent.extent.as_ref().is_some_and(|value| matches!(value.kind, ExprKind::Select(_, _, None)));
        extent.pack.is_none() && !conditional
    };
    // An extent that is a name may still be null if it comes from an optional parameter; then so is its tensor.
    shape.iter().all(single).then_some(shape.len())
}

/// The names in an expression that are not known, each once.
pub(super) fn unknown_names(expr: &Expr, known: impl Fn(&str) -> bool) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::new();
    walk::names(expr, &mut |name, span| {
        if !known(name) && !names.iter().any(|other| other.text == *name) {
            names.push(Name { text: name.clone(), span });
        }
    });
    names
}

/// Whether the value of `name` follows from the value of the expression: `a * name + b`.
fn is_affine(expr: &Expr, name: &str) -> bool {
    let mentions = |part: &Expr| {
        let mut found = false;
        walk::names(part, &mut |other, _| found |= **other == *name);
        found
    };
    match &expr.kind {
        ExprKind::Name(other) => &**other == name,
        ExprKind::Paren(inner) | ExprKind::Unary(UnaryOp::Plus | UnaryOp::Neg, inner) => is_affine(inner, name),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, a, b) => match (mentions(a), mentions(b)) {
            (true, false) => is_affine(a, name),
            (false, true) => is_affine(b, name),
            _ => false,
        },
        _ => false,
    }
}
