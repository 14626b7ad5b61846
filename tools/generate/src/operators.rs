//! `td/skriptnd/<module>.td`: names, attributes with defaults, kinds of operands and results, and documentation of the
//! standard operators, as their definitions in SkriptND have them. Traits that a definition doesn't tell stand in
//! `td/skriptnd/Traits.td`.

use crate::Generated;
use crate::confinement::{Confinement, confinement};
use skriptnd_ide::excerpt;
use skriptnd_language::library::Library;
use skriptnd_syntax::ast::{ExtentSpec, Module, Operator, OperatorKind, Param, TypeExpr, TypeName};

/// The files of all modules.
pub fn all() -> Vec<Generated> {
    let library = Library::standard();
    let file = |name: &String, module: &Module| {
        let module = Declarations { library: &library, name, module };
        Generated { path: format!("td/skriptnd/{name}.td"), text: module.file() }
    };
    library.modules.iter().map(|(name, module)| file(name, module)).collect()
}

/// A module of the library, as TableGen is to have it.
struct Declarations<'a> {
    library: &'a Library,
    name: &'a str,
    module: &'a Module,
}

impl Declarations<'_> {
    fn file(&self) -> String {
        let (name, guard) = (self.name, self.name.to_uppercase());
        let rule = "-".repeat(33_usize.saturating_sub(2 * name.len()));
        let mut text = format!("//===- {name}.td - Operators of the module `{name}` {rule}===//\n//\n");
        text.extend(self.introduction().lines().map(|line| format!("// {line}").trim_end().to_owned() + "\n"));
        text.push_str(&format!(
            "//\n// Written by `cargo xtask docs` from stdlib/{name}.sknd: changes belong there, traits into Traits.td.\n//\n\
             //===----------------------------------------------------------------------===//\n\n\
             #ifndef SKRIPTND_{guard}_TD\n#define SKRIPTND_{guard}_TD\n\ninclude \"Traits.td\"\n\n"
        ));
        let operators = self.module.operators.iter().filter(|operator| operator.kind == OperatorKind::Operator);
        text.extend(operators.map(|operator| self.operator(operator)));
        text + &format!("#endif // SKRIPTND_{guard}_TD\n")
    }

    /// What the module says of itself: the comment that its text begins with.
    fn introduction(&self) -> String {
        let file = self.library.file_of(self.name).and_then(|file| self.library.sources.file(file));
        let lines = file.map_or("", |file| &file.text).lines();
        let comment = lines.map_while(|line| line.strip_prefix('#')).map(|line| line.strip_prefix(' ').unwrap_or(line));
        comment.collect::<Vec<_>>().join("\n")
    }

    /// `Layout` for `layout`; a name of two letters is an abbreviation.
    fn prefix(&self) -> String {
        if self.name.len() == 2 { self.name.to_uppercase() } else { camel(self.name) }
    }

    fn operator(&self, operator: &Operator) -> String {
        let (prefix, mnemonic) = (self.prefix(), &operator.name.text);
        let traits = match self.traits(operator).join(", ") {
            none if none.is_empty() => none,
            some => format!(", [{some}]"),
        };
        let class = if operator.variables.is_empty() { "SkriptND_Operator" } else { "SkriptND_StatefulOperator" };
        let arguments = format!("{}, {}{traits}", quoted(self.name), quoted(mnemonic));
        let mut text = format!("def {prefix}_{}Op : {class}<{arguments}> {{\n", camel(mnemonic));
        let (summary, description) = split(&operator.documentation);
        text.push_str(&format!("  let summary = {};\n", quoted(&summary)));
        if !description.is_empty() {
            text.push_str(&format!("  let description = [{{\n{}  }}];\n", wrapped(&description)));
        }
        let operands = operator.inputs.iter().map(|param| value(param, operator, "Arg"));
        let attributes = operator.attributes.iter().map(|param| self.attribute(param, operator));
        let types = operator.dtypes.iter().map(|dtype| &*dtype.name.text).filter(|name| !is_determined(operator, name));
        let types = types.map(|name| format!("OptionalAttr<TypeAttr>:${name}"));
        text.push_str(&list("arguments", "ins", operands.chain(attributes).chain(types).collect()));
        let results = operator.outputs.iter().map(|param| value(param, operator, "Res"));
        text.push_str(&list("results", "outs", results.collect()));
        text + "}\n\n"
    }

    /// The traits that follow from the definition.
    fn traits(&self, operator: &Operator) -> Vec<&'static str> {
        let is_open = |param: &&Param| param.spec.pack.is_some() || param.spec.optional;
        let open = |params: &[Param]| params.iter().filter(is_open).count();
        let mut traits = Vec::new();
        if self.all_of_one_type(operator) {
            traits.push("SameOperandsAndResultType");
        }
        // Upstream's trait is for several groups; operators say the size of one as well, so that all are written alike.
        match open(&operator.inputs) {
            0 => {}
            1 => traits.push("SizedOperands"),
            _ => traits.push("AttrSizedOperandSegments"),
        }
        match open(&operator.outputs) {
            0 => {}
            1 => traits.push("SizedResults"),
            _ => traits.push("AttrSizedResultSegments"),
        }
        traits
    }

    /// Whether all operands and results are single tensors of the same elements and extents.
    fn all_of_one_type(&self, operator: &Operator) -> bool {
        let extent = |item: &ExtentSpec| {
            item.extent.as_ref().map(|extent| (excerpt(self.library, extent.span), item.pack.is_some()))
        };
        let written = |param: &Param| {
            let spec = &param.spec;
            let single = spec.pack.is_none() && !spec.optional && param.value.is_none();
            let shape: Vec<_> = spec.shape.as_ref()?.iter().map(extent).collect::<Option<_>>()?;
            single.then(|| (excerpt(self.library, spec.base.span()), shape))
        };
        let tensors: Option<Vec<_>> = operator.inputs.iter().chain(&operator.outputs).map(written).collect();
        !operator.inputs.is_empty() && tensors.is_some_and(|tensors| tensors.iter().all(|tensor| *tensor == tensors[0]))
    }

    fn attribute(&self, param: &Param, operator: &Operator) -> String {
        let mut constraint = attribute_constraint(param, &confinement(param, operator));
        if param.spec.optional {
            constraint = format!("OptionalAttr<{constraint}>");
        } else if let Some(value) = &param.value {
            constraint =
                format!("DefaultValuedAttr<{constraint}, {}>", cpp_literal(&excerpt(self.library, value.span)));
        }
        described(constraint, param, "Arg")
    }
}

/// A default value as a string of TableGen; texts are in double quotes there.
fn cpp_literal(text: &str) -> String {
    match text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')) {
        Some(text) => format!("\"\\\"{text}\\\"\""),
        None => quoted(text),
    }
}

fn list(field: &str, operator: &str, items: Vec<String>) -> String {
    match items.as_slice() {
        [] => String::new(),
        [only] if field == "results" => format!("  let {field} = ({operator} {only});\n"),
        items => format!("  let {field} = ({operator}\n    {}\n  );\n", items.join(",\n    ")),
    }
}

/// An operand or a result.
fn value(param: &Param, operator: &Operator, wrapper: &str) -> String {
    let kind = format!("SkriptND_{}", camel(keyword(bound(&param.spec.base, operator))));
    let constraint = match (param.spec.pack.is_some(), param.spec.optional) {
        (true, _) => format!("Variadic<{kind}>"),
        (false, true) => format!("Optional<{kind}>"),
        (false, false) => kind,
    };
    described(constraint, param, wrapper)
}

fn described(constraint: String, param: &Param, wrapper: &str) -> String {
    let name = &param.name.text;
    match param.documentation.trim() {
        "" => format!("{constraint}:${name}"),
        text => format!("{wrapper}<{constraint}, {}>:${name}", quoted(text)),
    }
}

fn attribute_constraint(param: &Param, confinement: &Confinement) -> String {
    let plain = match (&param.spec.base, param.spec.pack.is_some()) {
        (TypeExpr::Concrete(TypeName::Int, _), pack) => {
            let kind = match confinement {
                Confinement::Positive => "SkriptND_PositiveInt",
                Confinement::NonNegative => "SkriptND_NonNegativeInt",
                _ if pack => "DenseI64ArrayAttr",
                _ => "I64Attr",
            };
            let plural = if pack && kind.starts_with("SkriptND") { "s" } else { "" };
            return format!("{kind}{plural}");
        }
        (TypeExpr::Concrete(TypeName::Str, _), false) => match confinement {
            Confinement::OneOf(words) => {
                let words: Vec<_> = words.iter().map(|word| quoted(word)).collect();
                return format!("SkriptND_OneOf<[{}]>", words.join(", "));
            }
            _ => "StrAttr",
        },
        (TypeExpr::Concrete(TypeName::Real, _), true) => "DenseF64ArrayAttr",
        (TypeExpr::Concrete(TypeName::Real, _), false) => "F64Attr",
        (TypeExpr::Concrete(TypeName::Bool, _), false) => "BoolAttr",
        (TypeExpr::Concrete(..), true) => "ArrayAttr",
        _ => "AnyAttr",
    };
    plain.to_owned()
}

/// What a type is restricted to.
fn bound(base: &TypeExpr, operator: &Operator) -> TypeName {
    match base {
        TypeExpr::Concrete(name, _) => *name,
        TypeExpr::Generic(name) => operator
            .dtypes
            .iter()
            .find(|dtype| dtype.name.text == name.text)
            .map_or(TypeName::Type, |dtype| dtype.bound),
    }
}

/// Whether some operand determines a generic type; else it is an attribute of the operation.
fn is_determined(operator: &Operator, dtype: &str) -> bool {
    operator.inputs.iter().any(|param| matches!(&param.spec.base, TypeExpr::Generic(name) if &*name.text == dtype))
}

fn keyword(name: TypeName) -> &'static str {
    match name {
        TypeName::Type => "any",
        TypeName::Arith => "arith",
        TypeName::Num => "num",
        TypeName::Int => "int",
        TypeName::Real => "real",
        TypeName::Bool => "bool",
        TypeName::Str => "str",
    }
}

/// `MaxPool` for `max_pool`.
fn camel(name: &str) -> String {
    let capital = |part: &str| {
        let (first, rest) = part.split_at(part.len().min(1));
        first.to_uppercase() + rest
    };
    name.split('_').map(capital).collect()
}

/// A string literal of TableGen.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The first sentence, without its full stop, and the rest.
fn split(documentation: &str) -> (String, String) {
    let text = documentation.split_whitespace().collect::<Vec<_>>().join(" ");
    let (summary, description) = text.split_once(". ").unwrap_or((&text, ""));
    (summary.trim_end_matches('.').to_owned(), description.to_owned())
}

/// Indented lines of at most 120 columns.
fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut width = usize::MAX;
    for word in text.split(' ') {
        if width.saturating_add(1 + word.len()) > 120 {
            lines.push_str(if lines.is_empty() { "   " } else { "\n   " });
            width = 3;
        }
        lines.push(' ');
        lines.push_str(word);
        width += 1 + word.len();
    }
    lines + "\n"
}
