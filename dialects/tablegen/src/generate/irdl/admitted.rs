//! Predicates as what IRDL can say of them.

use crate::{
    cpp::{ClassTest, Expression},
    predicate::Predicate,
};

/// What a predicate admits, or more than that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Admitted {
    /// Everything: also where IRDL cannot say it.
    Anything,
    /// What equals a type or an attribute.
    Is(String),
    /// What is of a class, by its symbol or its name in quotes.
    Base(String),
    /// What fulfils all of these.
    All(Vec<Admitted>),
    /// What fulfils one of these.
    OneOf(Vec<Admitted>),
}

impl Admitted {
    /// What a predicate on types (`!`) or attributes (`#`) admits; `own` is the symbol of a type or an attribute that is
    /// declared beside it, by the name under which it is registered.
    pub fn of(predicate: &Predicate, sigil: char, own: &dyn Fn(&str) -> Option<String>) -> Self {
        match predicate.expression() {
            Ok(expression) => Reading { predicate, sigil, own }.admitted(&expression),
            Err(_) => Self::Anything,
        }
    }

    /// What fulfils all of these.
    pub fn all(items: impl IntoIterator<Item = Self>) -> Self {
        let mut known: Vec<Self> = Vec::new();
        for item in items {
            match item {
                Self::Anything => {}
                Self::All(items) => items.into_iter().for_each(|item| add(&mut known, item)),
                item => add(&mut known, item),
            }
        }
        match known.len() {
            0 => Self::Anything,
            1 => known.remove(0),
            _ => Self::All(known),
        }
    }

    /// What fulfils one of these: of several things, of which one is anything, anything.
    pub fn one_of(items: impl IntoIterator<Item = Self>) -> Self {
        let mut known = Vec::new();
        for item in items {
            match item {
                Self::Anything => return Self::Anything,
                Self::OneOf(items) => items.into_iter().for_each(|item| add(&mut known, item)),
                item => add(&mut known, item),
            }
        }
        match known.len() {
            0 => Self::Anything,
            1 => known.remove(0),
            _ => Self::OneOf(known),
        }
    }

    /// Whether it is one type or attribute only.
    pub fn is_single(&self) -> bool {
        matches!(self, Self::Is(_))
    }

    /// Whether compatible types that it admits are equal: none of them has extents that only a run knows.
    pub fn has_known_shapes(&self) -> bool {
        match self {
            Self::Anything => false,
            Self::Is(text) => !["tensor<", "memref<"].iter().any(|shaped| text.starts_with(shaped)),
            Self::Base(name) => name.starts_with('"') && !name.contains("tensor") && !name.contains("memref"),
            Self::All(items) => items.iter().any(Self::has_known_shapes),
            Self::OneOf(items) => items.iter().all(Self::has_known_shapes),
        }
    }
}

fn add(known: &mut Vec<Admitted>, item: Admitted) {
    if !known.contains(&item) {
        known.push(item);
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
                Admitted::all([self.admitted(left), self.admitted(right)])
            }
            Expression::Binary { operator, left, right } if operator == "||" => {
                Admitted::one_of([self.admitted(left), self.admitted(right)])
            }
            Expression::Call { function, templates, arguments }
                if matches!(function.as_str(), "isa" | "isa_and_nonnull" | "isa_and_present") =>
            {
                match arguments.as_slice() {
                    [only] => self.subject(only).map_or(Admitted::Anything, |sigil| {
                        Admitted::one_of(templates.iter().map(|class| self.class(class, sigil)))
                    }),
                    _ => Admitted::Anything,
                }
            }
            Expression::Method { receiver, method, arguments, .. } if self.subject(receiver).is_some() => {
                type_method(method, arguments)
            }
            _ => Admitted::Anything,
        }
    }

    /// Whether an expression is what the predicate is about (`!` for a type), or the type that an attribute holds: to IRDL,
    /// which has types as attributes, that is the same.
    fn subject(&self, expression: &Expression) -> Option<char> {
        let is_self = |expression: &Expression| matches!(expression, Expression::Name(name) if name == "$_self");
        match expression {
            Expression::Method { receiver, method, .. } if method == "getValue" => match receiver.as_ref() {
                Expression::Call { function, templates, arguments } => {
                    let is_cast = function == "cast" && templates.as_slice() == ["TypeAttr"];
                    (is_cast && matches!(arguments.as_slice(), [only] if is_self(only))).then_some('!')
                }
                _ => None,
            },
            expression => is_self(expression).then_some(self.sigil),
        }
    }

    fn class(&self, class: &str, sigil: char) -> Admitted {
        let base = |name: &str| Admitted::Base(format!("\"{sigil}builtin.{name}\""));
        let each = |names: &[&str]| Admitted::one_of(names.iter().map(|name| base(name)));
        let is = |text: &str| Admitted::Is(text.into());
        match class {
            "TensorType" => each(&["tensor", "unranked_tensor"]),
            "RankedTensorType" => base("tensor"),
            "UnrankedTensorType" => base("unranked_tensor"),
            "MemRefType" => base("memref"),
            "UnrankedMemRefType" => base("unranked_memref"),
            "BaseMemRefType" => each(&["memref", "unranked_memref"]),
            "VectorType" | "FixedVectorType" | "ScalableVectorType" => base("vector"),
            "TupleType" => base("tuple"),
            "IntegerType" => base("integer"),
            "ComplexType" => base("complex"),
            "FunctionType" => base("function"),
            "IndexType" => is("index"),
            "NoneType" => is("none"),
            "BFloat16Type" => is("bf16"),
            "FloatType" => Admitted::one_of(FLOATS.map(is)),
            "BoolAttr" => Admitted::one_of(["true", "false"].map(is)),
            "IntegerAttr" => base("integer"),
            "FloatAttr" => base("float"),
            "StringAttr" => base("string"),
            "TypeAttr" => base("type"),
            "ArrayAttr" => base("array"),
            "DictionaryAttr" => base("dictionary"),
            "SymbolRefAttr" | "FlatSymbolRefAttr" => base("symbol_ref"),
            "AffineMapAttr" => base("affine_map"),
            "IntegerSetAttr" => base("integer_set"),
            "UnitAttr" => is("unit"),
            "DenseElementsAttr" | "SplatElementsAttr" => each(&["dense_int_or_fp_elements", "dense_string_elements"]),
            "DenseIntOrFPElementsAttr" | "DenseIntElementsAttr" | "DenseFPElementsAttr" => {
                base("dense_int_or_fp_elements")
            }
            "DenseStringElementsAttr" => base("dense_string_elements"),
            "DenseResourceElementsAttr" => base("dense_resource_elements"),
            "SparseElementsAttr" => base("sparse_elements"),
            "StridedLayoutAttr" => base("strided_layout"),
            class if class.starts_with("Dense") && class.ends_with("ArrayAttr") => base("dense_array"),
            class if float(class).is_some() => float(class).map_or(Admitted::Anything, is),
            _ => match self.predicate.class(class) {
                Some(ClassTest::Registered(name)) => (self.own)(name).map_or(Admitted::Anything, Admitted::Base),
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

/// The floating-point type of a class: `Float8E4M3FNType`.
fn float(class: &str) -> Option<&'static str> {
    let name = class.strip_prefix("Float")?.strip_suffix("Type")?;
    FLOATS.into_iter().find(|float| *float == format!("f{name}") || *float == name.to_lowercase())
}

fn type_method(method: &str, arguments: &[Expression]) -> Admitted {
    let is = Admitted::Is;
    let integer = || Admitted::Base("\"!builtin.integer\"".into());
    match (method, arguments) {
        ("isSignlessInteger", [Expression::Integer(width)]) => is(format!("i{width}")),
        ("isSignedInteger", [Expression::Integer(width)]) => is(format!("si{width}")),
        ("isUnsignedInteger", [Expression::Integer(width)]) => is(format!("ui{width}")),
        ("isInteger", [Expression::Integer(width)]) => {
            Admitted::one_of(["i", "si", "ui"].map(|kind| is(format!("{kind}{width}"))))
        }
        ("isSignlessInteger" | "isSignedInteger" | "isUnsignedInteger" | "isInteger", []) => integer(),
        ("isIntOrIndex" | "isSignlessIntOrIndex", []) => Admitted::one_of([integer(), is("index".into())]),
        ("isIndex", []) => is("index".into()),
        ("isBF16", []) => is("bf16".into()),
        ("isF16" | "isF32" | "isF64" | "isF80" | "isF128", []) => is(format!("f{}", &method[3..])),
        _ => Admitted::Anything,
    }
}
