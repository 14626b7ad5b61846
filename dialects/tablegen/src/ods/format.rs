//! Assembly formats as data.

/// What a directive such as `type(...)` refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reference {
    /// A declared operand.
    Operand(usize),
    /// A declared result.
    Result(usize),
    /// A declared attribute.
    Attribute(usize),
    /// A declared property.
    Property(usize),
    /// A declared region.
    Region(usize),
    /// A declared successor.
    Successor(usize),
    /// All operands: `operands`.
    Operands,
    /// All results: `results`.
    Results,
}

impl Reference {
    /// What it refers to, in one word.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Operand(_) | Self::Operands => "operand",
            Self::Result(_) | Self::Results => "result",
            Self::Attribute(_) => "attribute",
            Self::Property(_) => "property",
            Self::Region(_) => "region",
            Self::Successor(_) => "successor",
        }
    }
}

/// An element of an assembly format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Element {
    /// Punctuation or a keyword; empty and white space only govern spaces.
    Literal(String),
    /// Operands, an attribute, a property, a region or a successor.
    Variable(Reference),
    /// `operands`.
    Operands,
    /// `regions`.
    Regions,
    /// `successors`.
    Successors,
    /// `attr-dict` or `attr-dict-with-keyword`.
    AttributeDictionary {
        /// Whether the word `attributes` stands before it.
        keyword: bool,
    },
    /// `prop-dict`: what is stored as properties and stands nowhere else.
    PropertyDictionary,
    /// `type(...)`.
    Type(Reference),
    /// `functional-type(..., ...)`.
    FunctionalType(Reference, Reference),
    /// `qualified(...)`: an attribute or a type with its dialect and mnemonic.
    Qualified(Box<Element>),
    /// `custom<Name>(...)`.
    Custom {
        /// The name of the pair of functions that parse and print it.
        name: String,
        /// What it covers, and what else its functions are given.
        arguments: Vec<Element>,
    },
    /// `ref(...)` among the arguments of `custom`: something that stands elsewhere in the format.
    Referenced(Box<Element>),
    /// A string among the arguments of `custom`.
    Text(String),
    /// `(then)?` or `(then):(otherwise)?`; the anchors say whether it is there.
    Optional {
        /// What stands there if one of the anchors is present (or none of them, if inverted).
        then: Vec<Element>,
        /// What stands there if not.
        otherwise: Vec<Element>,
        /// What decides: one variable or type, or what a `custom` directive covers.
        anchors: Vec<Reference>,
        /// Whether the anchor stands in `otherwise`.
        inverted: bool,
    },
    /// `oilist(...)`: clauses in any order, each of which may be missing.
    Clauses(Vec<Clause>),
}

/// A clause of `oilist`: it is there if one of its variables is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// The word that it begins with.
    pub literal: String,
    /// What stands behind it.
    pub elements: Vec<Element>,
}

/// How the type of an operand or a result is found when its operation is parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeSource {
    /// The text has it.
    Text,
    /// It is built of nothing, by this C++ expression.
    Built(String),
    /// It is that of another operand or result, or that of the value of an attribute.
    Same(Reference),
    /// A C++ expression, of `$_self`, makes it of the type of another operand or result, or of an attribute's value.
    Transformed(Reference, String),
    /// As many times the element type of another operand or result as that has elements.
    ElementsOf(Reference),
    /// The operation infers all types of its results.
    Inferred,
}

/// An assembly format.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Format {
    /// What is printed and parsed, one after the other.
    pub elements: Vec<Element>,
    /// How the types of operands are found, one for each declared operand.
    pub operand_types: Vec<TypeSource>,
    /// How the types of results are found, one for each declared result.
    pub result_types: Vec<TypeSource>,
}

impl Format {
    /// Whether the text has what is referred to, other than within what Rust parses and prints.
    pub fn writes(&self, reference: Reference) -> bool {
        self.elements.iter().any(|element| element.writes(reference))
    }
}

impl Element {
    fn writes(&self, reference: Reference) -> bool {
        match self {
            Self::Variable(found) => *found == reference,
            Self::Qualified(inner) => inner.writes(reference),
            Self::Optional { then, otherwise, .. } => {
                then.iter().chain(otherwise).any(|element| element.writes(reference))
            }
            Self::Clauses(clauses) => {
                clauses.iter().flat_map(|clause| &clause.elements).any(|element| element.writes(reference))
            }
            _ => false,
        }
    }
}

/// An element of the format of a type or an attribute of one's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DefinitionElement {
    /// Punctuation or a keyword; empty and white space only govern spaces.
    Literal(String),
    /// A parameter, by its index.
    Parameter {
        /// Which one.
        index: usize,
        /// Whether a type or attribute in it shows its dialect.
        qualified: bool,
    },
    /// `params`: all parameters with commas between them.
    Parameters(Vec<usize>),
    /// `struct(...)`: parameters by name, in any order.
    Structure(Vec<DefinitionElement>),
    /// `custom<Name>(...)`.
    Custom {
        /// The name of the pair of functions that parse and print it.
        name: String,
        /// What it covers, and what else its functions are given.
        arguments: Vec<DefinitionElement>,
    },
    /// `ref(...)` among the arguments of `custom`: a parameter that stands elsewhere in the format.
    Referenced(Box<DefinitionElement>),
    /// A string among the arguments of `custom`.
    Text(String),
    /// `(then)?` or `(then):(otherwise)?`; the anchors say whether it is there.
    Optional {
        /// What stands there if one of the anchors is present (or none of them, if inverted).
        then: Vec<DefinitionElement>,
        /// What stands there if not.
        otherwise: Vec<DefinitionElement>,
        /// The parameters that decide.
        anchors: Vec<usize>,
        /// Whether the anchor stands in `otherwise`.
        inverted: bool,
    },
}
