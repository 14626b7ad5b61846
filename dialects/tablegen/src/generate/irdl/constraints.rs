//! Predicates as constraints of IRDL.

use crate::{
    cpp::{ClassTest, Expression},
    predicate::Predicate,
};

/// The constraints of one operation: each is a value that is defined once.
pub struct Constraints<'a> {
    /// The definitions, without the names of their values.
    lines: Vec<String>,
    /// The symbol of a type or attribute of the dialect, by the name under which it is registered.
    own: &'a dyn Fn(&str) -> Option<String>,
}

/// What a predicate admits, or more than that.
enum Admitted {
    /// Everything: also where IRDL cannot say it.
    Anything,
    /// The definition of one constraint: `irdl.is f32`.
    One(String),
    /// What fulfils all of these.
    All(Vec<Admitted>),
    /// What fulfils one of these.
    OneOf(Vec<Admitted>),
}

impl<'a> Constraints<'a> {
    /// None yet.
    pub fn new(own: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Self { lines: Vec::new(), own }
    }

    /// The value of a predicate on types (`!`) or attributes (`#`).
    pub fn of(&mut self, predicate: &Predicate, sigil: char) -> String {
        let admitted = match predicate.expression() {
            Ok(expression) => Reading { predicate, sigil, own: self.own }.admitted(&expression),
            Err(_) => Admitted::Anything,
        };
        self.write(admitted)
    }

    /// The value of what equals an attribute or a type.
    pub fn is(&mut self, text: &str) -> String {
        self.define(format!("irdl.is {text}"))
    }

    /// The value of what equals one of these.
    pub fn any_of_attributes(&mut self, texts: &[String]) -> String {
        let admitted = texts.iter().map(|text| Admitted::One(format!("irdl.is {text}"))).collect();
        self.write(Admitted::OneOf(admitted))
    }

    /// The definitions.
    pub fn finish(self) -> Vec<String> {
        self.lines.iter().enumerate().map(|(index, line)| format!("%{index} = {line}")).collect()
    }

    fn write(&mut self, admitted: Admitted) -> String {
        let (form, items) = match admitted {
            Admitted::Anything => return self.define("irdl.any".into()),
            Admitted::One(line) => return self.define(line),
            Admitted::All(items) => ("all_of", items),
            Admitted::OneOf(items) => ("any_of", items),
        };
        let mut values: Vec<String> = items.into_iter().map(|item| self.write(item)).collect();
        values.dedup();
        match values.as_slice() {
            [] => self.define("irdl.any".into()),
            [only] => only.clone(),
            values => self.define(format!("irdl.{form}({})", values.join(", "))),
        }
    }

    fn define(&mut self, line: String) -> String {
        let known = self.lines.iter().position(|known| *known == line);
        let index = known.unwrap_or_else(|| {
            self.lines.push(line);
            self.lines.len() - 1
        });
        format!("%{index}")
    }
}

struct Reading<'a> {
    predicate: &'a Predicate,
    sigil: char,
    own: &'a dyn Fn(&str) -> Option<String>,
}

impl Reading<'_> {
    fn admitted(&self, expression: &Expression) -> Admitted {
        match expression {
            Expression::Binary { operator, left, right } if operator == "&&" => {
                self.all([self.admitted(left), self.admitted(right)])
            }
            Expression::Binary { operator, left, right } if operator == "||" => {
                one_of([self.admitted(left), self.admitted(right)])
            }
            Expression::Call { function, templates, arguments }
                if matches!(function.as_str(), "isa" | "isa_and_nonnull" | "isa_and_present")
                    && is_subject(arguments) =>
            {
                one_of(templates.iter().map(|class| self.class(class)))
            }
            Expression::Method { receiver, method, arguments, .. } if is_subject(std::slice::from_ref(receiver)) => {
                type_method(method, arguments)
            }
            _ => Admitted::Anything,
        }
    }

    fn all(&self, items: [Admitted; 2]) -> Admitted {
        let mut known: Vec<Admitted> = Vec::new();
        for item in items {
            match item {
                Admitted::Anything => {}
                Admitted::All(items) => known.extend(items),
                item => known.push(item),
            }
        }
        match known.len() {
            0 => Admitted::Anything,
            1 => known.remove(0),
            _ => Admitted::All(known),
        }
    }

    fn class(&self, class: &str) -> Admitted {
        let base = |name: &str| Admitted::One(format!("irdl.base \"{}builtin.{name}\"", self.sigil));
        let each = |names: &[&str]| one_of(names.iter().map(|name| base(name)));
        let is = |text: &str| Admitted::One(format!("irdl.is {text}"));
        match (class, self.sigil) {
            ("TensorType", _) => each(&["tensor", "unranked_tensor"]),
            ("RankedTensorType", _) => base("tensor"),
            ("UnrankedTensorType", _) => base("unranked_tensor"),
            ("MemRefType", _) => base("memref"),
            ("UnrankedMemRefType", _) => base("unranked_memref"),
            ("BaseMemRefType", _) => each(&["memref", "unranked_memref"]),
            ("VectorType" | "FixedVectorType" | "ScalableVectorType", _) => base("vector"),
            ("TupleType", _) => base("tuple"),
            ("IntegerType", _) => base("integer"),
            ("ComplexType", _) => base("complex"),
            ("FunctionType", _) => base("function"),
            ("IndexType", _) => is("index"),
            ("NoneType", _) => is("none"),
            ("BFloat16Type", _) => is("bf16"),
            ("FloatType", _) => one_of(FLOATS.iter().map(|name| is(name))),
            ("IntegerAttr" | "BoolAttr", _) => base("integer"),
            ("FloatAttr", _) => base("float"),
            ("StringAttr", _) => base("string"),
            ("TypeAttr", _) => base("type"),
            ("ArrayAttr", _) => base("array"),
            ("DictionaryAttr", _) => base("dictionary"),
            ("SymbolRefAttr" | "FlatSymbolRefAttr", _) => base("symbol_ref"),
            ("AffineMapAttr", _) => base("affine_map"),
            ("IntegerSetAttr", _) => base("integer_set"),
            ("UnitAttr", _) => is("unit"),
            (class, _) if class.starts_with("Dense") && class.ends_with("ArrayAttr") => base("dense_array"),
            _ => match self.predicate.class(class) {
                Some(ClassTest::Registered(name)) => match (self.own)(name) {
                    Some(symbol) => Admitted::One(format!("irdl.base {symbol}")),
                    None => Admitted::Anything,
                },
                _ => Admitted::Anything,
            },
        }
    }
}

/// All floating-point types.
const FLOATS: [&str; 18] = [
    "f16",
    "bf16",
    "f32",
    "f64",
    "f80",
    "f128",
    "tf32",
    "f4E2M1FN",
    "f6E2M3FN",
    "f6E3M2FN",
    "f8E5M2",
    "f8E4M3",
    "f8E4M3FN",
    "f8E5M2FNUZ",
    "f8E4M3FNUZ",
    "f8E4M3B11FNUZ",
    "f8E3M4",
    "f8E8M0FNU",
];

fn is_subject(arguments: &[impl std::borrow::Borrow<Expression>]) -> bool {
    matches!(arguments, [only] if matches!(only.borrow(), Expression::Name(name) if name == "$_self"))
}

fn one_of(items: impl IntoIterator<Item = Admitted>) -> Admitted {
    let mut known = Vec::new();
    for item in items {
        match item {
            // One of several things, of which one is anything.
            Admitted::Anything => return Admitted::Anything,
            Admitted::OneOf(items) => known.extend(items),
            item => known.push(item),
        }
    }
    match known.len() {
        1 => known.remove(0),
        _ => Admitted::OneOf(known),
    }
}

fn type_method(method: &str, arguments: &[Expression]) -> Admitted {
    let is = |text: String| Admitted::One(format!("irdl.is {text}"));
    match (method, arguments) {
        ("isSignlessInteger", [Expression::Integer(width)]) => is(format!("i{width}")),
        ("isSignedInteger", [Expression::Integer(width)]) => is(format!("si{width}")),
        ("isUnsignedInteger", [Expression::Integer(width)]) => is(format!("ui{width}")),
        ("isInteger", [Expression::Integer(width)]) => {
            one_of(["i", "si", "ui"].map(|kind| is(format!("{kind}{width}"))))
        }
        ("isSignlessInteger" | "isSignedInteger" | "isUnsignedInteger" | "isInteger", []) => {
            Admitted::One("irdl.base \"!builtin.integer\"".into())
        }
        ("isIntOrIndex" | "isSignlessIntOrIndex", []) => {
            one_of([Admitted::One("irdl.base \"!builtin.integer\"".into()), is("index".into())])
        }
        ("isIndex", []) => is("index".into()),
        ("isBF16", []) => is("bf16".into()),
        ("isF16" | "isF32" | "isF64" | "isF80" | "isF128", []) => is(format!("f{}", &method[3..])),
        _ => Admitted::Anything,
    }
}
