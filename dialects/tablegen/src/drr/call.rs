//! The expressions of native calls.

use super::model::{NativeFunction, Placeholder, Target};
use crate::constant;
use crate::cpp;
use crate::predicate::snake_case;

/// Reads an expression that is given so many arguments.
///
/// `crate::path::function` and `crate::path::function($0, $1)` are calls of Rust functions. `function($0)`, as C++ has it,
/// and a name alone are methods that the author writes. A few expressions that C++ libraries answer are known; what else
/// C++ can say becomes a method named after `wish`, which takes all arguments.
pub fn read(
    definition: &str,
    text: &str,
    wish: &str,
    arguments: usize,
    returns: usize,
) -> Result<NativeFunction, String> {
    let text = text.trim();
    let function = |target, parameters| NativeFunction {
        definition: definition.to_string(),
        text: text.to_string(),
        target,
        parameters,
        returns,
    };
    if text.is_empty() {
        return Err("the native call says nothing".into());
    }
    check_brackets(text)?;
    check_placeholders(text)?;
    check_expression(text, returns)?;
    if let Some(constant) = constant::type_of(text).filter(|_| text.starts_with("$_builder.")) {
        return Ok(function(Target::Constant(constant), Vec::new()));
    }
    if let Some(constant) = constant::attribute_expression(text) {
        return Ok(function(Target::Constant(constant), Vec::new()));
    }
    match text.replace("->", ".").as_str() {
        "$0.getOwner()" | "$0.getDefiningOp()" if arguments == 1 => {
            return Ok(function(Target::Owner, vec![Placeholder::Argument(0)]));
        }
        "$0.getType()" if arguments == 1 => return Ok(function(Target::TypeOf, vec![Placeholder::Argument(0)])),
        _ => {}
    }
    check_positions(text, arguments)?;
    check_path(text)?;
    let all = || (0..arguments).map(Placeholder::Argument).collect();
    if let Some(target) = self::target(text) {
        return Ok(function(target, all()));
    }
    match called(text, arguments) {
        Some((target, parameters)) => Ok(function(target, parameters)),
        None => {
            let mut parameters: Vec<_> = all();
            let mentioned = [("$_loc", Placeholder::Location), ("$_self", Placeholder::This)];
            parameters.extend(mentioned.into_iter().filter(|(name, _)| text.contains(name)).map(|(_, kind)| kind));
            Ok(function(Target::Expression(snake_case(wish)), parameters))
        }
    }
}

/// The function that a name or a path stands for.
fn target(path: &str) -> Option<Target> {
    let path = path.trim();
    let is_word = |part: &str| {
        part.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    let parts: Vec<&str> = path.trim_start_matches("::").split("::").collect();
    if !parts.iter().all(|part| is_word(part)) {
        return None;
    }
    // Classes are C++, as generated code has none of them in scope, and so are functions that no Rust would call so.
    let is_class = |part: &str| part.starts_with(|c: char| c.is_uppercase());
    let is_rust = matches!(parts[0], "crate" | "self" | "super");
    let is_foreign = is_class(parts[0]) || parts.last().is_some_and(|name| name.contains(char::is_uppercase));
    let is_cpp = path.starts_with("::") || matches!(parts[0], "mlir" | "llvm" | "std") || (is_foreign && !is_rust);
    match parts.as_slice() {
        [.., class, name] if is_cpp && is_class(class) => {
            Some(Target::Method(format!("{}_{}", snake_case(class), snake_case(name))))
        }
        [.., name] if is_cpp || parts.len() == 1 => Some(Target::Method(snake_case(name))),
        _ => Some(Target::Path(path.to_string())),
    }
}

/// The function and the parameters of `function($1, $0)`, and of `::mlir::success(function($_self, &$0))`.
fn called(text: &str, given: usize) -> Option<(Target, Vec<Placeholder>)> {
    let (path, rest) = text.split_once('(')?;
    let inner = rest.trim_end().strip_suffix(')')?;
    let target = self::target(path)?;
    let mut parameters = Vec::new();
    for argument in inner.split(',').map(str::trim).filter(|argument| !argument.is_empty()) {
        match argument.trim_start_matches('&').strip_prefix('$')? {
            "_builder" => {}
            "_loc" => parameters.push(Placeholder::Location),
            "_self" => parameters.push(Placeholder::This),
            position => match position.strip_suffix("...") {
                Some(first) => parameters.extend((first.parse::<usize>().ok()?..given).map(Placeholder::Argument)),
                None => parameters.push(Placeholder::Argument(position.parse().ok()?)),
            },
        }
    }
    Some((target, parameters))
}

/// Whether the parts of the path that is called, if it is one of Rust, are names there.
fn check_path(text: &str) -> Result<(), String> {
    let path = text.split('(').next().unwrap_or(text);
    let Some(Target::Path(path)) = target(path) else { return Ok(()) };
    let parts: Vec<&str> = path.split("::").collect();
    let roots = match parts[0] {
        "crate" | "self" => 1,
        _ => parts.iter().take_while(|part| **part == "super").count(),
    };
    match parts[roots..].iter().find(|part| syn::parse_str::<syn::Ident>(part).is_err()) {
        Some(part) => Err(format!("the native call '{text}' has '{part}' in its path, which is no name in Rust")),
        None if roots == parts.len() => Err(format!("the native call '{text}' names no function")),
        None => Ok(()),
    }
}

/// Whether each bracket outside of strings is closed.
fn check_brackets(text: &str) -> Result<(), String> {
    let mut open = Vec::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' | '\'' => {
                while let Some(inside) = characters.next().filter(|inside| *inside != character) {
                    if inside == '\\' {
                        characters.next();
                    }
                }
            }
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            ')' | ']' | '}' if open.pop() != Some(character) => {
                return Err(format!("the native call '{text}' closes '{character}', which is not open"));
            }
            _ => {}
        }
    }
    match open.pop() {
        Some(missing) => Err(format!("the native call '{text}' lacks '{missing}'")),
        None => Ok(()),
    }
}

/// Whether the text may be an expression, or statements where nothing is returned.
fn check_expression(text: &str, returns: usize) -> Result<(), String> {
    let code = text.trim_end_matches(';').replace("$_loc", "$_self");
    match cpp::slip(&code) {
        Some(slip) if returns > 0 || !code.contains(';') => {
            Err(format!("the native call '{text}' is no expression: {slip}"))
        }
        _ => Ok(()),
    }
}

/// Whether each placeholder is a position or one that the text knows.
fn check_placeholders(text: &str) -> Result<(), String> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let names = text.split('$').skip(1).map(|part| &part[..part.find(|c| !is_word(c)).unwrap_or(part.len())]);
    let mut odd = names.filter(|name| !name.starts_with(|c: char| c.is_ascii_digit()));
    match odd.find(|name| !["_builder", "_loc", "_self"].contains(name)) {
        Some(name) => Err(format!("the native call '{text}' has '${name}', which stands for nothing")),
        None => Ok(()),
    }
}

/// Whether each `$N` has an argument.
fn check_positions(text: &str, arguments: usize) -> Result<(), String> {
    let Some(position) = missing_position(text, arguments) else { return Ok(()) };
    Err(format!("the native call '{text}' has ${position}, but {}", arguments_are_given(arguments)))
}

/// How many arguments there are, in words.
pub fn arguments_are_given(count: usize) -> String {
    match count {
        0 => "no argument is given".to_string(),
        1 => "one argument is given".to_string(),
        count => format!("{count} arguments are given"),
    }
}

/// The first `$N` that has no argument; `$N...` needs none.
pub fn missing_position(text: &str, arguments: usize) -> Option<String> {
    text.split('$').skip(1).find_map(|part| {
        let digits: String = part.chars().take_while(char::is_ascii_digit).collect();
        let is_range = part[digits.len()..].starts_with("...");
        // What no number holds is too large as well.
        let is_missing = digits.parse().map_or(!digits.is_empty(), |position: usize| position >= arguments);
        (is_missing && !is_range).then_some(digits)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target_of(text: &str, arguments: usize) -> (Target, Vec<Placeholder>) {
        let function = read("Def", text, "SomeCall", arguments, 1).unwrap();
        (function.target, function.parameters)
    }

    #[test]
    fn expressions_are_functions_methods_and_constants() {
        use Placeholder::{Argument, Location, This};
        let method = |name: &str| Target::Method(name.into());
        let cases = [
            ("crate::a::f", 2, Target::Path("crate::a::f".into()), vec![Argument(0), Argument(1)]),
            ("crate::a::f($1, $0)", 2, Target::Path("crate::a::f".into()), vec![Argument(1), Argument(0)]),
            ("someFn($_builder, $_loc, $1...)", 3, method("some_fn"), vec![Location, Argument(1), Argument(2)]),
            ("Foo($_self, &$0)", 1, method("foo"), vec![This, Argument(0)]),
            ("bare", 1, method("bare"), vec![Argument(0)]),
            ("::mlir::tosa::fold($0)", 1, method("fold"), vec![Argument(0)]),
            ("::mlir::IntegerAttr::get($0)", 1, method("integer_attr_get"), vec![Argument(0)]),
            ("TypeAttr::get($0)", 1, method("type_attr_get"), vec![Argument(0)]),
            ("tosa::foldConst($0)", 1, method("fold_const"), vec![Argument(0)]),
            ("tosa::fold($0)", 1, Target::Path("tosa::fold".into()), vec![Argument(0)]),
            ("$0.getOwner()", 1, Target::Owner, vec![Argument(0)]),
            ("$0->getType()", 1, Target::TypeOf, vec![Argument(0)]),
            ("$_builder.getI32Type()", 0, Target::Constant("i32".into()), vec![]),
            ("$_builder.getUnitAttr()", 0, Target::Constant("unit".into()), vec![]),
            ("$1->setAttr(\"a\", $0)", 2, Target::Expression("some_call".into()), vec![Argument(0), Argument(1)]),
        ];
        for (text, arguments, target, parameters) in cases {
            assert_eq!(target_of(text, arguments), (target, parameters), "{text}");
        }
        for text in ["crate::fn::f($0)", "self::super", "a::self::f", "a::_($0)", "super::super::crate"] {
            assert!(read("", text, "P", 1, 1).is_err(), "{text}");
        }
        assert!(read("", "super::super::f($0)", "P", 1, 1).is_ok());
        for text in ["f($0", "$_builder.getI32Type(", "f($0)]", "f({$0)}"] {
            assert!(read("", text, "P", 1, 1).is_err(), "{text}");
        }
        assert!(read("", "$0->get(\"(\", '\\'', \"\\\"]\")", "P", 1, 1).is_ok());
        assert_eq!(
            read("", "f($0, $2)", "P", 2, 1).unwrap_err(),
            "the native call 'f($0, $2)' has $2, but 2 arguments are given"
        );
    }
}
