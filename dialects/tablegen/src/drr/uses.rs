//! What native calls return, an attribute, a type or a value: C++ knows the types of functions, a pattern only says what it
//! does with what they return.

use std::collections::HashMap;

use super::{
    library::Library,
    model::{
        AttributeMatch, NativeCall, NativeFunction, OperandMatch, Pattern, ResultArgument, ResultNode, SourceOperation,
        TypeSource,
    },
    pdl::{ATTRIBUTE, TYPE, VALUE},
};
use crate::ods::Argument;

/// What calls return by what patterns do with it; none where they disagree.
#[derive(Default)]
pub struct Uses {
    /// By what is called.
    calls: HashMap<Call, Option<&'static str>>,
    /// By what is called with what: functions of C++ may have one name.
    overloads: HashMap<(Call, Vec<Option<bool>>), Option<&'static str>>,
}

/// The definition and the expression of a native call.
type Call = (String, String);

impl Uses {
    /// What the patterns say of all native calls.
    pub fn of(patterns: &[Pattern], library: &Library<'_>) -> Self {
        let mut uses = Self::default();
        for pattern in patterns {
            visit(pattern, library, &mut |argument, kind| {
                if let ResultArgument::Node(node) = argument
                    && let ResultNode::Native(call) = &**node
                {
                    uses.note(pattern, call, kind);
                }
            });
            types(pattern, &mut |call| uses.note(pattern, call, TYPE));
        }
        uses
    }

    fn note(&mut self, pattern: &Pattern, call: &NativeCall, kind: &'static str) {
        let agree = |known: &mut Option<&'static str>| *known = known.filter(|known| *known == kind);
        agree(self.calls.entry(key(&call.function)).or_insert(Some(kind)));
        agree(self.overloads.entry((key(&call.function), given(pattern, call))).or_insert(Some(kind)));
    }

    /// What a call returns where the pattern does not say it.
    pub fn returned(&self, pattern: &Pattern, call: &NativeCall) -> Option<&'static str> {
        let all = self.calls.get(&key(&call.function)).copied().flatten();
        let alike = || self.overloads.get(&(key(&call.function), given(pattern, call))).copied().flatten();
        all.or_else(alike).or_else(|| returned(&call.function.text))
    }
}

fn key(function: &NativeFunction) -> Call {
    (function.definition.clone(), function.text.clone())
}

/// Whether each argument of a call is an attribute that the pattern matched; none where it is made.
fn given(pattern: &Pattern, call: &NativeCall) -> Vec<Option<bool>> {
    let is_attribute = |argument: &ResultArgument| match argument {
        ResultArgument::Reference(reference) => Some(binds_attribute(&pattern.source, &reference.name)),
        ResultArgument::Constant(_) | ResultArgument::Integer(_) => Some(true),
        _ => None,
    };
    call.arguments.iter().map(is_attribute).collect()
}

fn binds_attribute(source: &SourceOperation, name: &str) -> bool {
    fn inside(operand: &OperandMatch, name: &str) -> bool {
        match operand {
            OperandMatch::Nested(source) => binds_attribute(source, name),
            OperandMatch::Group { items, .. } => items.iter().any(|item| inside(item, name)),
            OperandMatch::Native(native) => {
                let mut told = native.outputs.iter().filter(|output| output.is_attribute);
                told.any(|output| output.symbol.as_ref().is_some_and(|symbol| symbol.name == name))
            }
            OperandMatch::Capture { .. } => false,
        }
    }
    let here = |attribute: &AttributeMatch| attribute.symbol.as_ref().is_some_and(|symbol| symbol.name == name);
    source.attributes.iter().any(here) || source.operands.iter().any(|operand| inside(operand, name))
}

/// What a pattern takes a name for.
pub fn of_name(pattern: &Pattern, library: &Library<'_>, name: &str) -> Option<&'static str> {
    let mut found = None;
    visit(pattern, library, &mut |argument, kind| match argument {
        ResultArgument::Reference(reference) if reference.name == name => found = found.or(Some(kind)),
        _ => {}
    });
    found
}

/// Visits what operations are made of, as attributes and as values.
fn visit(pattern: &Pattern, library: &Library<'_>, seen: &mut dyn FnMut(&ResultArgument, &'static str)) {
    for node in pattern.results.iter().chain(&pattern.supplemental) {
        visit_node(node, library, seen);
    }
}

fn visit_node(node: &ResultNode, library: &Library<'_>, seen: &mut dyn FnMut(&ResultArgument, &'static str)) {
    match node {
        ResultNode::Operation(made) => {
            let declared = library.get(made.operation);
            for (argument, declaration) in made.arguments.iter().zip(&declared.operation.arguments) {
                let kind = if matches!(declaration, Argument::Operand(_)) { VALUE } else { ATTRIBUTE };
                for item in items(argument) {
                    seen(item, kind);
                    visit_inner(item, library, seen);
                }
            }
        }
        ResultNode::Native(call) => {
            call.arguments.iter().flat_map(items).for_each(|item| visit_inner(item, library, seen));
        }
        ResultNode::Value(_) => {}
    }
}

fn visit_inner(argument: &ResultArgument, library: &Library<'_>, seen: &mut dyn FnMut(&ResultArgument, &'static str)) {
    if let ResultArgument::Node(node) = argument {
        visit_node(node, library, seen);
    }
}

fn items(argument: &ResultArgument) -> &[ResultArgument] {
    match argument {
        ResultArgument::Group(items) => items,
        other => std::slice::from_ref(other),
    }
}

/// The calls that say the types of what is made.
fn types(pattern: &Pattern, seen: &mut dyn FnMut(&NativeCall)) {
    fn of_node(node: &ResultNode, seen: &mut dyn FnMut(&NativeCall)) {
        let arguments = match node {
            ResultNode::Operation(made) => {
                for source in made.tail.types.iter().flat_map(|(sources, _)| sources) {
                    if let TypeSource::Native(call) = source {
                        seen(call);
                    }
                }
                &made.arguments
            }
            ResultNode::Native(call) => &call.arguments,
            ResultNode::Value(_) => return,
        };
        for argument in arguments.iter().flat_map(items) {
            if let ResultArgument::Node(inner) = argument {
                of_node(inner, seen);
            }
        }
    }
    pattern.results.iter().chain(&pattern.supplemental).for_each(|node| of_node(node, seen));
}

/// What an expression of C++ returns, by the names that MLIR gives to such functions and classes.
fn returned(text: &str) -> Option<&'static str> {
    let head = match text.trim().strip_suffix(')') {
        Some(_) => &text[..opening(text.trim_end())?],
        None => text,
    };
    let (head, template) = match head.strip_suffix('>').and_then(|head| head.rsplit_once('<')) {
        Some((head, template)) => (head, Some(template)),
        None => (head, None),
    };
    let words: Vec<&str> =
        head.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
    match (words.as_slice(), template) {
        ([.., "cast" | "dyn_cast" | "cast_or_null" | "dyn_cast_or_null"], Some(class)) => kind_of(class),
        ([.., "create" | "createOrFold" | "getResult" | "getOperand"], _) => Some(VALUE),
        ([.., class, "get"], _) => kind_of(class),
        ([.., "getValue"], _) => None,
        ([.., name], _) => kind_of(name),
        ([], _) => None,
    }
}

/// Where the bracket opens that the last one of the text closes.
fn opening(text: &str) -> Option<usize> {
    let (mut open, mut last, mut quoted, mut escaped) = (Vec::new(), None, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            '(' if !quoted => open.push(at),
            ')' if !quoted => last = open.pop(),
            _ => {}
        }
    }
    last
}

fn kind_of(name: &str) -> Option<&'static str> {
    let ends = [
        ("Attr", ATTRIBUTE),
        ("Attribute", ATTRIBUTE),
        ("_attr", ATTRIBUTE),
        ("_attribute", ATTRIBUTE),
        ("Type", TYPE),
        ("_type", TYPE),
        ("Value", VALUE),
        ("_value", VALUE),
    ];
    ends.into_iter().find(|(end, _)| name.trim().ends_with(end)).map(|(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_is_returned() {
        for (text, expected) in [
            ("$_builder.getStringAttr(\"a)\")", Some(ATTRIBUTE)),
            ("::mlir::IntegerAttr::get($0, f(1))", Some(ATTRIBUTE)),
            ("::llvm::cast<::mlir::IntegerAttr>($0)", Some(ATTRIBUTE)),
            ("createArrayAttr($_builder, $0, $1)", Some(ATTRIBUTE)),
            ("crate::fold_attr", Some(ATTRIBUTE)),
            ("getElementType($0)", Some(TYPE)),
            ("RankedTensorType::get({1}, $0)", Some(TYPE)),
            ("$_builder.create<ConstantOp>($_loc, $0)", Some(VALUE)),
            ("$0->getResult(0)", Some(VALUE)),
            ("$0.getValue()", None),
            ("f($0)", None),
            ("f", None),
        ] {
            assert_eq!(returned(text), expected, "{text}");
        }
    }
}
