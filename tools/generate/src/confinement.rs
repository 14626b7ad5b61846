//! What an operator's assertions say of a single attribute in a form that TableGen has a name for. Whatever else must
//! hold is checked by the definition itself.

use skriptnd_syntax::ast::{
    BinaryOp, Expr, ExprKind, Item, LValue, LValueItem, Operator, Param, StrPart, TypeExpr, TypeName,
};

/// A restriction of an attribute's values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Confinement {
    /// None that is known.
    None,
    /// Numbers above zero.
    Positive,
    /// Numbers that are not below zero.
    NonNegative,
    /// One of these words.
    OneOf(Vec<String>),
}

/// The restriction that an operator asserts of one of its attributes.
pub fn confinement(param: &Param, operator: &Operator) -> Confinement {
    let mut asserted = operator.asserts.iter().map(|assertion| of_condition(&assertion.condition, param, operator));
    asserted.find(|found| *found != Confinement::None).unwrap_or(Confinement::None)
}

fn of_condition(condition: &Expr, param: &Param, operator: &Operator) -> Confinement {
    let is_param = |expr: &Expr| matches!(&expr.kind, ExprKind::Name(name) if *name == param.name.text);
    let is_zero = |expr: &Expr| matches!(expr.kind, ExprKind::Int(0));
    let is_integer = matches!(param.spec.base, TypeExpr::Concrete(TypeName::Int, _));
    match &condition.kind {
        ExprKind::Binary(op, left, right) if is_integer && is_param(left) && is_zero(right) => match op {
            BinaryOp::Gt => Confinement::Positive,
            BinaryOp::Ge => Confinement::NonNegative,
            _ => Confinement::None,
        },
        ExprKind::In(value, set) if is_param(value) => {
            words(set, operator).map_or(Confinement::None, Confinement::OneOf)
        }
        _ => Confinement::None,
    }
}

/// The words of a list, which may be a symbol of `@using`.
fn words(set: &Expr, operator: &Operator) -> Option<Vec<String>> {
    match &set.kind {
        ExprKind::List(items) => items.iter().map(word).collect(),
        ExprKind::Name(name) => {
            let named = |target: &LValue| matches!(target, LValue::Item(LValueItem::Name { name: found, .. }) if found.text == *name);
            let using = operator.usings.iter().find(|using| named(&using.target))?;
            matches!(using.value.kind, ExprKind::List(_)).then(|| words(&using.value, operator)).flatten()
        }
        _ => None,
    }
}

fn word(item: &Item) -> Option<String> {
    let Item::Value(Expr { kind: ExprKind::Str(parts), .. }) = item else { return None };
    match parts.as_slice() {
        [StrPart::Text(text)] => Some(text.clone()),
        _ => None,
    }
}
