//! Messages about types of expressions.

use super::plural;
use crate::sema::types::{Base, Context, Type};
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic, nearest};
use skriptnd_syntax::ast::{BinaryOp, Builtin, Expr, Member, Name, TypeName};

pub(in crate::sema) fn wrong_type(span: Span, role: &str, expected: &str, found: &Type) -> Diagnostic {
    let diagnostic = Diagnostic::error(Code::TypeMismatch, span, format!("{role} must be {expected}, found {found}"))
        .with_label(found.to_string());
    match (expected, &found.base) {
        ("real", Base::Int) => {
            diagnostic.with_help("int isn't converted by itself: write `real(...)`, or `1.0` for `1`")
        }
        ("int", Base::Real) => {
            diagnostic.with_help("real isn't converted by itself: write `int(...)`, or `1` for `1.0`")
        }
        ("int or real", Base::Str) if role.contains('+') => {
            diagnostic.with_help("strings are joined by formatting: `'{a}{b}'`")
        }
        ("int" | "real", Base::Bool) => diagnostic.with_help(format!("write `{expected}(...)` to convert it")),
        _ => diagnostic,
    }
}

pub(in crate::sema) fn operand_mismatch(
    span: Span,
    operator: &str,
    left: (Span, &Type),
    right: (Span, &Type),
) -> Diagnostic {
    let message =
        format!("the operands of `{operator}` must have the same type, found {} and {}", left.1.base, right.1.base);
    let diagnostic = Diagnostic::error(Code::TypeMismatch, span, message)
        .with_label("different types")
        .with_related(left.0, left.1.to_string())
        .with_related(right.0, right.1.to_string());
    match (&left.1.base, &right.1.base) {
        (Base::Int, Base::Real) | (Base::Real, Base::Int) => {
            diagnostic.with_help("convert one of them with `real(...)` or `int(...)`; write `1.0` for a real one")
        }
        (Base::Generic(name, _), _) | (_, Base::Generic(name, _)) => {
            diagnostic.with_help(format!("convert the other one with `{name}(...)`"))
        }
        _ => diagnostic,
    }
}

pub(in crate::sema) fn wrong_operand(operand: &Expr, op: BinaryOp, expected: &str, found: &Type) -> Diagnostic {
    let diagnostic = wrong_type(operand.span, &format!("the operand of `{}`", op.symbol()), expected, found);
    match (op, found.base.is_numeric() && !found.is_unknown()) {
        (BinaryOp::Xor, true) => diagnostic.with_help("`^` is the exclusive or; a power is written `a ** b`"),
        (BinaryOp::And | BinaryOp::Or, true) => diagnostic.with_help("compare it with a number: `a != 0`"),
        _ => diagnostic,
    }
}

/// `operand` is the first that is a tensor.
pub(in crate::sema) fn operator_on_tensor(span: Span, op: BinaryOp, operand: (Span, &Type)) -> Diagnostic {
    let message = format!("`{}` doesn't apply to tensors: expected single values, found {}", op.symbol(), operand.1);
    let diagnostic = Diagnostic::error(Code::TensorAsValue, span, message)
        .with_label("an operation of values")
        .with_related(operand.0, operand.1.to_string());
    let operator = match op {
        BinaryOp::Add => "add",
        BinaryOp::Sub => "sub",
        BinaryOp::Mul => "mul",
        BinaryOp::Div => "div",
        BinaryOp::Mod => "mod",
        BinaryOp::Pow => "pow",
        BinaryOp::Min => "min",
        BinaryOp::Max => "max",
        BinaryOp::And => "and",
        BinaryOp::Or => "or",
        BinaryOp::Xor => "xor",
        BinaryOp::Lt => "lt",
        BinaryOp::Le => "le",
        BinaryOp::Gt => "gt",
        BinaryOp::Ge => "ge",
        BinaryOp::Eq => "eq",
        BinaryOp::Ne => "ne",
        BinaryOp::CeilDiv | BinaryOp::Implies => return diagnostic.with_help("invoke an operator on tensors"),
    };
    diagnostic.with_help(format!("invoke the operator on tensors: `t = math.{operator}(x, y);`, then use `t`"))
}

pub(in crate::sema) fn tensor_as_value(span: Span, found: &Type, context: Context) -> Diagnostic {
    let diagnostic = Diagnostic::error(Code::TensorAsValue, span, format!("expected a single value, found {found}"))
        .with_label(found.to_string());
    diagnostic.with_help(match context {
        Context::Formula => "formulas compute with elements: write `x[i, j]`, `x[i,]` or `x[]`",
        Context::Composition => {
            "operators such as `+` don't apply to tensors: invoke an operator such as `math.add(x, y)`"
        }
        Context::CompileTime => "only the shape of a tensor is known here: `x.shape`, `x.rank`, for packs `x.size`",
    })
}

pub(in crate::sema) fn bad_member(span: Span, name: &str, member: Member, found: &Type) -> Diagnostic {
    let message = format!("`{name}.{member}` doesn't exist: `{name}` is {found}");
    Diagnostic::error(Code::UnknownMember, span, message)
        .with_label("no such property")
        .with_help("tensors have `.shape` and `.rank`, packs of tensors have `.size`")
}

pub(in crate::sema) fn mixed_list(span: Span, expected: &Base, found: &Type) -> Diagnostic {
    let message = format!("the items of a list must have the same type: expected {expected}, found {}", found.base);
    Diagnostic::error(Code::TypeMismatch, span, message).with_label(found.to_string())
}

pub(in crate::sema) fn nested_list(span: Span, found: &Type) -> Diagnostic {
    Diagnostic::error(Code::PackNotExpanded, span, format!("expected a single value in a list, found {found}"))
        .with_label("a list")
        .with_help(
            "lists don't nest: the items of a tensor are in one list, row by row, as in `[1, 2, 3, 4]` for 2 by 2",
        )
}

pub(in crate::sema) fn pack_not_expanded(span: Span, found: &Type) -> Diagnostic {
    Diagnostic::error(Code::PackNotExpanded, span, format!("expected a single value, found {found}"))
        .with_label("a pack")
        .with_help("packs don't nest: expand it with `..`, as in `[x..]`")
}

pub(in crate::sema) fn expanded_single(span: Span, found: &Type) -> Diagnostic {
    Diagnostic::error(Code::NotAPack, span, format!("expected a pack before `..`, found {found}"))
        .with_label("a single value")
        .with_help("a single value is repeated with a length: `x..(n)`")
}

pub(in crate::sema) fn expanded_index(span: Span) -> Diagnostic {
    Diagnostic::error(Code::ExpandedIndex, span, "a pack is indexed by a pack as it is: expected no `..`")
        .with_label("expanded")
        .with_help("write `a[i]` where `i` is a pack of indices")
}

pub(in crate::sema) fn not_a_pack(span: Span, what: &str, found: &Type) -> Diagnostic {
    Diagnostic::error(Code::NotAPack, span, format!("only a pack can {what}, found {found}"))
        .with_label(found.to_string())
}

pub(in crate::sema) fn pack_index_count(span: Span, found: usize, trailing_comma: bool) -> Diagnostic {
    let message = format!("a pack has one index, found {}", plural(found, "index").replace("indexs", "indices"));
    let diagnostic = Diagnostic::error(Code::PackIndex, span, message).with_label("indexed like a tensor");
    if trailing_comma {
        return diagnostic.with_help("remove the comma: only tensors need `x[i,]`");
    }
    diagnostic.with_help("several items are selected by a list: `a[[0, 2]]`")
}

pub(in crate::sema) fn never_null(span: Span, found: &Type) -> Diagnostic {
    let message = format!("the operand of `?` is {found}, which is never null");
    Diagnostic::warning(Code::NeverNull, span, message).with_label("not optional")
}

pub(in crate::sema) fn coalesced_never_null(span: Span, found: &Type) -> Diagnostic {
    Diagnostic::error(Code::NeverNull, span, format!("the left operand of `??` must be optional, found {found}"))
        .with_label("never null")
        .with_help("remove `??` and its fallback")
}

pub(in crate::sema) fn optional_fallback(span: Span, found: &Type) -> Diagnostic {
    Diagnostic::error(Code::OptionalFallback, span, format!("the fallback of `??` must not be optional, found {found}"))
        .with_label("may be null")
        .with_help("end the chain with a value that is there: `a ?? b ?? 0`")
}

pub(in crate::sema) fn substituted_mask(span: Span) -> Diagnostic {
    Diagnostic::error(Code::MaskInSubstitution, span, "`<-` takes an index or a pack of indices, found a mask")
        .with_label("a pack of bool")
        .with_help("choose item by item instead: `mask ? new : a`")
}

pub(in crate::sema) fn single_new_value(span: Span, found: &Type) -> Diagnostic {
    wrong_type(span, "what replaces the items at several indices", "a pack of as many values", found)
        .with_help("a value that is the same for all is repeated: `a[i] <- [x ..(n)]`")
}

pub(in crate::sema) fn bad_cast(span: Span, from: &Type, to: &Base) -> Diagnostic {
    let (message, help) = match (&from.base, to) {
        (Base::Str, to) => (format!("{from} can't be converted to {to}: expected int, real or bool"), None),
        (_, to) => (format!("{from} can't be converted to {to}"), Some("a string is made by formatting: `'{x}'`")),
    };
    let diagnostic = Diagnostic::error(Code::BadCast, span, message).with_label(from.to_string());
    help.into_iter().fold(diagnostic, Diagnostic::with_help)
}

pub(in crate::sema) fn unknown_call(name: &Name) -> Diagnostic {
    let message = format!("`{}` is neither a built-in function nor a type", name.text);
    let diagnostic = Diagnostic::error(Code::UnknownFunction, name.span, message).with_label("unknown function");
    let habit = match &*name.text {
        "len" => Some("the length of a pack is that of its declaration, `..(n)`; of a tensor, `x.rank`, `x.size`"),
        "range" => Some("a range is written `[a:b]` or `[a:b:step]`"),
        "float" | "double" => Some("write `real(...)`"),
        "sum" => Some("a pack is summed by the fold `xs + ..`"),
        _ => None,
    };
    if let Some(habit) = habit {
        return diagnostic.with_help(habit);
    }
    match nearest(&name.text, Builtin::names()) {
        Some(nearest) => diagnostic.with_help(format!("did you mean `{nearest}`?")),
        None => diagnostic
            .with_help(format!("the result of an operator needs a name of its own first: `t = {}(...);`", name.text)),
    }
}

pub(in crate::sema) fn unclear_logic(span: Span, inner: &str, outer: &str, grouped: Span) -> Diagnostic {
    let message = format!("`{inner}` and `{outer}` have the same precedence and are read from the left");
    Diagnostic::warning(Code::UnclearLogic, span, message)
        .with_label("mixed without parentheses")
        .with_related(grouped, "evaluated first")
        .with_help("put parentheses around what belongs together")
}

pub(in crate::sema) fn abstract_type(span: Span, name: TypeName) -> Diagnostic {
    let name = name.keyword();
    Diagnostic::error(
        Code::AbstractType,
        span,
        format!("`{name}` is no type of values: expected int, real, bool or str"),
    )
    .with_label("restricts generic types only")
    .with_help(format!("introduce a generic type: `@dtype {{ T: {name}; }}`, and use `T`"))
}

/// The type that other languages call differently.
fn translated_type(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
    Some(match name {
        "float" | "double" | "bfloat" | "half" | "f" | "number" | "scalar" => "real",
        "int" | "integer" | "uint" | "long" | "short" | "i" | "u" | "size_t" => "int",
        "string" | "text" | "char" => "str",
        "boolean" | "logical" => "bool",
        _ => return None,
    })
}

pub(in crate::sema) fn unknown_type(span: Span, name: &str, known: &[&str]) -> Diagnostic {
    let diagnostic =
        Diagnostic::error(Code::UnknownType, span, format!("there is no type `{name}`")).with_label("unknown type");
    match name.to_ascii_lowercase().as_str() {
        "list" | "tuple" | "ints" | "floats" => {
            return diagnostic.with_help("a list of values is a pack: `int..`, or `int..(3)` with its length");
        }
        "tensor" | "array" | "ndarray" => {
            return diagnostic.with_help("a tensor has the type of its elements and a shape: `real[2, 3]`");
        }
        _ => {}
    }
    if let Some(own) = translated_type(name) {
        return diagnostic.with_help(format!("write `{own}`: types are int, real, bool and str, without a size"));
    }
    if let Some(nearest) = nearest(name, ["int", "real", "bool", "str"].into_iter().chain(known.iter().copied())) {
        return diagnostic.with_help(format!("did you mean `{nearest}`?"));
    }
    if known.is_empty() {
        return diagnostic
            .with_help(format!("types are int, real, bool and str; generic ones need `@dtype {{ {name}: num; }}`"));
    }
    diagnostic.with_help(format!("types are int, real, bool, str and {}", known.join(", ")))
}

pub(in crate::sema) fn duplicate_type(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::error(Code::DuplicateName, span, format!("the type `{name}` is declared twice"))
        .with_label("declared again")
        .with_related(first, "the first declaration")
}

pub(in crate::sema) fn concrete_bound(span: Span, name: &str, bound: TypeName) -> Diagnostic {
    let message = format!("the type `{name}` must be restricted to type, arith or num, found {}", bound.keyword());
    Diagnostic::error(Code::ConcreteBound, span, message)
        .with_help(format!("write `{}` where `{name}` is used", bound.keyword()))
}

pub(in crate::sema) fn bad_default_type(span: Span, name: &str, bound: TypeName, default: TypeName) -> Diagnostic {
    let message = format!(
        "the default of `{name}` must be a concrete type within {}, found {}",
        bound.keyword(),
        default.keyword()
    );
    Diagnostic::error(Code::BadDefault, span, message)
}
