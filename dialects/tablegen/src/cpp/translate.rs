//! From the tree of a predicate to Rust on the helpers of `skriptnd_mlir::predicate`.

use super::{
    absence::{is_null, not, presence},
    builder,
    classes::{ATTRIBUTE_CLASSES, TYPE_CLASSES, float_name},
    computed, evaluate,
    expression::{self, Expression},
    integer::named,
    kind::{Kind, Typed, snake_case},
    methods, numbers,
    scope::Scope,
    table::{ClassTest, Table},
};

type Result<T> = std::result::Result<T, String>;

/// The Rust expression that means the same; `table` says what names are that are not known here.
pub fn translate(expression: &Expression, scope: &Scope, table: &Table) -> Result<String> {
    truth(expression, &scope.beside(table))
}

/// The Rust expression of a value, with its kind; integers are `i64` there.
pub fn translate_value(expression: &Expression, scope: &Scope, table: &Table) -> Result<Typed> {
    rust(expression, &scope.beside(table)).map(computed::for_helpers)
}

/// An expression as a condition.
fn truth(expression: &Expression, scope: &Scope) -> Result<String> {
    match expression {
        Expression::Binary { operator, left, right } if matches!(operator.as_str(), "&&" | "||") => {
            let (left, right) = (truth(left, scope)?, truth(right, scope)?);
            Ok(match (operator.as_str(), left.as_str(), right.as_str()) {
                ("&&", "true", other) | ("&&", other, "true") => other.to_string(),
                _ => format!("({left} {operator} {right})"),
            })
        }
        Expression::Unary { operator: '!', operand } => match &**operand {
            Expression::Unary { operator: '!', operand } => truth(operand, scope),
            Expression::Binary { operator, left, right } if numbers::negated(operator).is_some() => {
                Ok(binary(numbers::negated(operator).unwrap_or(operator), left, right, scope)?.0)
            }
            operand => Ok(not(truth(operand, scope)?)),
        },
        // A cast that fails gives a null pointer.
        Expression::Call { function, templates, arguments } if function.starts_with("dyn_cast") => {
            match arguments.as_slice() {
                [value] => Ok(is_a(templates, rust(value, scope)?, scope)?.0),
                _ => Err(format!("unknown function '{function}' with {} arguments", arguments.len())),
            }
        }
        _ => match (rust(expression, scope)?, expression) {
            ((code, Kind::Boolean), _) => Ok(code),
            ((code, kind), _) if kind.is_integer() => Ok(format!("({code} != 0)")),
            ((code, kind), _) if kind.is_real() => Ok(format!("({code} != 0.0)")),
            // What a name stands for is there: there are no null pointers in Rust.
            ((_, Kind::Type | Kind::Attribute(_) | Kind::Value), Expression::Name(_)) => Ok("true".into()),
            ((code, Kind::Maybe(_)), Expression::Name(_)) => Ok(format!("{code}.is_some()")),
            ((code, _), _) => Err(format!("'{code}' is not a condition")),
        },
    }
}

/// What is computed of literals alone.
fn constant(expression: &Expression) -> Option<Typed> {
    if !matches!(expression, Expression::Unary { .. } | Expression::Binary { .. }) {
        return None;
    }
    let truth = || evaluate::always_holds(expression).map(|holds| (holds.to_string(), Kind::Boolean));
    evaluate::constant(expression).map(computed::constant).or_else(truth)
}

fn rust(expression: &Expression, scope: &Scope) -> Result<Typed> {
    if let Some(constant) = constant(expression) {
        return Ok(constant);
    }
    match expression {
        Expression::Name(name) => scope.named(name),
        Expression::Integer(number) => Ok(computed::constant(*number)),
        Expression::Float(number) => Ok((format!("{:?}", f64::from(*number)), Kind::Float)),
        Expression::Real(number) => Ok((number.clone(), Kind::Real)),
        Expression::Text(text) => Ok((format!("{text:?}"), Kind::Text)),
        Expression::Rust(code) => Ok((format!("({})", scope.replaced(code)), Kind::Boolean)),
        Expression::Unary { operator: '!', .. } => Ok((truth(expression, scope)?, Kind::Boolean)),
        Expression::Unary { operator, operand } => {
            let given = rust(operand, scope)?;
            match (*operator, &given) {
                ('-', (code, Kind::Real | Kind::Float)) => Ok((format!("-{code}"), given.1)),
                ('+', (_, Kind::Real | Kind::Float)) => Ok(given),
                _ => computed::unary(*operator, &given)
                    .ok_or_else(|| format!("'{operator}' is not known of '{}'", given.0)),
            }
        }
        Expression::Binary { operator, .. } if matches!(operator.as_str(), "&&" | "||") => {
            Ok((truth(expression, scope)?, Kind::Boolean))
        }
        Expression::Conditional { condition, then, otherwise } => {
            let condition = truth(condition, scope)?;
            let (choice, kind) = numbers::alike(vec![rust(then, scope)?, rust(otherwise, scope)?])?;
            let [then, otherwise] = [&choice[0], &choice[1]].map(|choice| computed::literal_of(choice, &kind));
            Ok((format!("(if {condition} {{ {then} }} else {{ {otherwise} }})"), kind))
        }
        Expression::Binary { operator, left, right } => binary(operator, left, right, scope),
        Expression::Call { function, templates, arguments } => call(function, templates, arguments, scope),
        Expression::Method { receiver, method, templates, arguments } => {
            let receiver = rust(receiver, scope)?;
            self::method(receiver, method, templates, arguments, scope)
        }
        Expression::Index { base, index } => {
            let (base, kind) = rust(base, scope)?;
            let (index, _) = computed::for_helpers(rust(index, scope)?);
            if !matches!(kind, Kind::Attribute(_)) {
                return Err(format!("what '{base}' has at an index is not known"));
            }
            Ok((format!("predicate::element({base}, {index})"), Kind::Attribute("Attribute")))
        }
        Expression::Apply { parameter, body, argument } => {
            let (argument, kind) = rust(argument, scope)?;
            let (code, result) = rust(body, &scope.with(parameter, kind))?;
            Ok((format!("{{ let {} = {argument}; {code} }}", snake_case(parameter)), result))
        }
        Expression::List(items) => {
            let (items, kind) = numbers::alike(items_of(items, scope)?)?;
            Ok((format!("[{}]", items.join(", ")), Kind::List(kind.into())))
        }
        Expression::Lambda { .. } => Err("a lambda can only be called or given to all_of".into()),
    }
}

fn binary(operator: &str, left: &Expression, right: &Expression, scope: &Scope) -> Result<Typed> {
    match (is_null(left), is_null(right)) {
        (false, true) => return presence(operator, rust(left, scope)?),
        (true, false) => return presence(operator, rust(right, scope)?),
        _ => {}
    }
    if let Some(result) = builder::compared(operator, left, right, |value| rust(value, scope)) {
        return result;
    }
    let (left, right) = (rust(left, scope)?, rust(right, scope)?);
    if left.1.is_real() || right.1.is_real() {
        return numbers::reals(operator, &left, &right);
    }
    let operator = numbers::ordered(operator);
    let are_truths = left.1 == Kind::Boolean && right.1 == Kind::Boolean;
    if !(are_truths && matches!(operator, "==" | "!=" | "&" | "|" | "^"))
        && let Some(computed) = computed::binary(operator, &left, &right)
    {
        return Ok(computed);
    }
    let ((left, kind), (right, other)) = (left, right);
    match (are_truths, operator, left.as_str(), right.as_str()) {
        (true, "==", other, "true") | (true, "==", "true", other) => return Ok((other.to_string(), Kind::Boolean)),
        (true, "!=", other, "true") | (true, "!=", "true", other) => {
            return Ok((not(other.to_string()), Kind::Boolean));
        }
        _ => {}
    }
    let is_several = |kind: &Kind| matches!(kind, Kind::List(_) | Kind::Values);
    let is_other = |kind: &Kind| (is_several(kind), matches!(kind, Kind::Maybe(_)), *kind == Kind::Boolean);
    if is_other(&kind) != is_other(&other) {
        return Err(format!("'{left}' and '{right}' are not compared"));
    }
    let is_alike = std::mem::discriminant(&kind) == std::mem::discriminant(&other);
    if (is_opaque(&kind) || is_opaque(&other)) && !(is_alike && matches!(operator, "==" | "!=")) {
        return Err(format!("'{operator}' is not known of '{left}' and '{right}'"));
    }
    let result = match operator {
        "&" | "|" | "^" => kind,
        "==" | "!=" | "<" | "<=" | ">" | ">=" => Kind::Boolean,
        _ => return Err(format!("'{operator}' is not known of '{left}' and '{right}'")),
    };
    Ok((format!("({left} {operator} {right})"), result))
}

/// Whether things of a kind are equal or not, and nothing else.
fn is_opaque(kind: &Kind) -> bool {
    matches!(kind, Kind::Type | Kind::Attribute(_) | Kind::Value | Kind::Operation | Kind::Region)
}

fn call(function: &str, templates: &[String], arguments: &[Expression], scope: &Scope) -> Result<Typed> {
    match (function, arguments) {
        ("isa" | "isa_and_nonnull" | "isa_and_present", [value]) => is_a(templates, rust(value, scope)?, scope),
        (
            "cast" | "dyn_cast" | "cast_or_null" | "dyn_cast_or_null" | "cast_if_present" | "dyn_cast_if_present",
            [value],
        ) => cast(templates, rust(value, scope)?, scope),
        ("equal_to" | "equal", [left, right]) => binary("==", left, right, scope),
        ("ArrayRef", [Expression::List(values)]) => array(values, scope),
        ("ArrayRef", values) => array(values, scope),
        ("static_cast", [value]) => {
            numbers::converted(templates.first().map_or("", String::as_str), rust(value, scope)?)
        }
        (class, [value]) if matches!(class, "double" | "float" | "bool") || named(class).is_some() => {
            numbers::converted(class, rust(value, scope)?)
        }
        ("APInt", [_, value]) => Ok((computed::for_helpers(rust(value, scope)?).0, Kind::Bits)),
        ("getElementTypeOrSelf", [value]) => element_type(rust(value, scope)?),
        ("is_contained", [list, value]) => is_contained(rust(list, scope)?, rust(value, scope)?),
        ("isDynamic", [extent]) => {
            Ok((format!("({} == i64::MIN)", computed::for_helpers(rust(extent, scope)?).0), Kind::Boolean))
        }
        ("isPowerOf2_32" | "isPowerOf2_64", [number]) => {
            let class = if function.ends_with("32") { "uint32_t" } else { "uint64_t" };
            let number = numbers::converted(class, rust(number, scope)?)?;
            let (code, _) = numbers::converted("uint64_t", number)?;
            Ok((format!("u64::is_power_of_two({code})"), Kind::Boolean))
        }
        ("is_sorted", [list]) => match rust(list, scope)? {
            // In C++ what is no number is in order with everything.
            (list, Kind::List(item)) if item.is_real() => {
                let below = "f64::partial_cmp(a, b).is_none_or(std::cmp::Ordering::is_le)";
                Ok((format!("{list}.is_sorted_by(|a, b| {below})"), Kind::Boolean))
            }
            (list, _) => Ok((format!("{list}.is_sorted()"), Kind::Boolean)),
        },
        ("all_of", [list, Expression::Lambda { parameter, body }]) => {
            let (list, item) = items(rust(list, scope)?)?;
            let body = truth(body, &scope.with(parameter, item))?;
            Ok((format!("{list}.into_iter().all(|{}| {body})", snake_case(parameter)), Kind::Boolean))
        }
        ("hasNItems" | "hasNItemsOrMore" | "hasNItemsOrLess", [region, Expression::Integer(count)]) => {
            let operator = match function {
                "hasNItems" => "==",
                "hasNItemsOrMore" => ">=",
                _ => "<=",
            };
            Ok((format!("(predicate::block_count({}) {operator} {count})", rust(region, scope)?.0), Kind::Boolean))
        }
        _ => listed(function, templates, arguments, scope),
    }
}

fn each(items: &[Expression], scope: &Scope) -> Result<Vec<Typed>> {
    items.iter().map(|item| rust(item, scope)).collect()
}

/// What lists have, which are of `i64` if they are of integers.
fn items_of(items: &[Expression], scope: &Scope) -> Result<Vec<Typed>> {
    Ok(each(items, scope)?.into_iter().map(computed::for_helpers).collect())
}

fn array(values: &[Expression], scope: &Scope) -> Result<Typed> {
    let (values, kind) = numbers::alike(items_of(values, scope)?)?;
    Ok((format!("vec![{}]", values.join(", ")), Kind::List(kind.into())))
}

fn element_type((code, kind): Typed) -> Result<Typed> {
    let code = match kind {
        Kind::Value => format!("predicate::type_of({code})"),
        Kind::Type => code,
        _ => return Err(format!("'{code}' is no value and no type")),
    };
    Ok((format!("predicate::element_type({code})"), Kind::Type))
}

fn is_contained((list, of): Typed, value: Typed) -> Result<Typed> {
    let (value, kind) = computed::for_helpers(value);
    if !matches!(&of, Kind::List(item) if **item == kind) {
        return Err(format!("'{list}' is not a list that may have '{value}'"));
    }
    let value = if kind == Kind::Text { format!("{value}.as_str()") } else { value };
    Ok((format!("{list}.contains(&{value})"), Kind::Boolean))
}

/// A list, and what its items are.
fn items((list, kind): Typed) -> Result<Typed> {
    match kind {
        Kind::List(item) => Ok((list, *item)),
        Kind::Attribute(_) => Ok((format!("predicate::elements({list})"), Kind::Attribute("Attribute"))),
        _ => Err(format!("'{list}' is not a list")),
    }
}

/// A function of which the table says what it is in Rust, or one over numbers.
fn listed(function: &str, templates: &[String], arguments: &[Expression], scope: &Scope) -> Result<Typed> {
    let unknown = || format!("unknown function '{function}' with {} arguments", arguments.len());
    let Some((path, kind)) = scope.table().and_then(|table| table.function(function)) else {
        let known = each(arguments, scope).ok().and_then(|given| numbers::function(function, templates, &given));
        return known.ok_or_else(unknown);
    };
    let arguments: Vec<String> = items_of(arguments, scope)?.into_iter().map(|(code, _)| code).collect();
    Ok((format!("{path}({})", arguments.join(", ")), kind.clone()))
}

fn is_a(templates: &[String], (code, kind): Typed, scope: &Scope) -> Result<Typed> {
    if let Kind::Maybe(kind) = kind {
        let (present, _) = is_a(templates, ("present".into(), *kind), scope)?;
        return Ok((format!("{code}.is_some_and(|present| {present})"), Kind::Boolean));
    }
    if !matches!(kind, Kind::Type | Kind::Attribute(_)) {
        return Err(format!("'{code}' is no type and no attribute"));
    }
    let mut checks = Vec::new();
    for class in templates {
        let known = match kind {
            Kind::Type => TYPE_CLASSES.contains(&class.as_str()),
            _ => ATTRIBUTE_CLASSES.contains(&class.as_str()),
        };
        match (class.as_str(), scope.table().and_then(|table| table.class(class))) {
            ("Type" | "Attribute", _) => checks.push("true".to_string()),
            _ if kind == Kind::Type && float_name(class).is_some() => {
                checks.push(format!("predicate::is_type({code}, {:?})", float_name(class).unwrap_or_default()));
            }
            _ if known => checks.push(format!("predicate::is_{}({code})", snake_case(class))),
            (_, Some(test)) => checks.push(is_declared(test, &code, &kind)?),
            _ => return Err(format!("unknown class '{class}'")),
        }
    }
    match checks.as_slice() {
        [only] if only == "true" => Ok((only.clone(), Kind::Boolean)),
        _ => Ok((format!("({})", checks.join(" || ")), Kind::Boolean)),
    }
}

/// The test for a class that the table has.
fn is_declared(test: &ClassTest, code: &str, kind: &Kind) -> Result<String> {
    match test {
        ClassTest::Function(path) => Ok(format!("{path}({code})")),
        ClassTest::Registered(name) => match kind {
            Kind::Type => Ok(format!("predicate::is_type({code}, {name:?})")),
            _ => Ok(format!("predicate::is_attribute({code}, {name:?})")),
        },
        ClassTest::Interface(name) => Ok(format!("super::interfaces::{}({code})", interface_test(name))),
        ClassTest::Predicate(text) => truth(&expression::parse(text)?, &Scope::of_self(code, kind.clone())),
    }
}

/// The name of the function that tells whether something has an interface of a C++ name.
pub fn interface_test(name: &str) -> String {
    format!("has_{}", snake_case(name))
}

fn cast(templates: &[String], (code, kind): Typed, scope: &Scope) -> Result<Typed> {
    let class = templates.first().map(String::as_str).unwrap_or_default();
    let declared = || scope.table().is_some_and(|table| table.class(class).is_some());
    if kind == Kind::Type && (class == "Type" || TYPE_CLASSES.contains(&class) || declared()) {
        return Ok((code, Kind::Type));
    }
    match ATTRIBUTE_CLASSES.into_iter().find(|known| *known == class) {
        Some(class) if matches!(kind, Kind::Attribute(_)) => Ok((code, Kind::Attribute(class))),
        None if matches!(kind, Kind::Attribute(_)) && declared() => Ok((code, Kind::Attribute("Attribute"))),
        _ => Err(format!("unknown class '{class}'")),
    }
}

fn method(
    (code, kind): Typed,
    method: &str,
    templates: &[String],
    arguments: &[Expression],
    scope: &Scope,
) -> Result<Typed> {
    // Casts were methods once.
    match (method, arguments) {
        ("isa", []) => return is_a(templates, (code, kind), scope),
        ("cast" | "dyn_cast", []) => return cast(templates, (code, kind), scope),
        _ => {}
    }
    let given = items_of(arguments, scope)?;
    let arguments: Vec<String> = given.iter().map(|(code, _)| code.clone()).collect();
    let argument = arguments.first().map(String::as_str);
    if method == "hasTrait" && kind == Kind::Type && templates.first().is_some_and(|name| name == "ValueSemantics") {
        return Ok((format!("predicate::has_value_semantics({code})"), Kind::Boolean));
    }
    let found = match &kind {
        Kind::Type => methods::type_method(&code, method, argument),
        Kind::Attribute(class) => methods::attribute_method(&code, class, method),
        Kind::Value => methods::value_method(&code, method),
        Kind::Values => methods::values_method(&code, method),
        Kind::Uses => methods::uses_method(&code, method),
        Kind::Operation => methods::operation_method(&code, method, argument),
        Kind::Bits => methods::bits_method(&code, method, given.first()),
        Kind::List(item) => methods::list_method(&code, item, method),
        Kind::Real | Kind::Float => methods::real_method(&code, method),
        Kind::Text => methods::text_method(&code, method, argument),
        _ => None,
    };
    let listed = || {
        let (path, kind) = scope.table()?.method(method)?;
        let arguments: Vec<&str> = std::iter::once(&code).chain(&arguments).map(String::as_str).collect();
        Some((format!("{path}({})", arguments.join(", ")), kind.clone()))
    };
    found.or_else(listed).ok_or_else(|| format!("unknown method '{method}' with {} arguments", arguments.len()))
}
