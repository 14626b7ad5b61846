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
    /// A declared region.
    Region(usize),
    /// A declared successor.
    Successor(usize),
    /// All operands: `operands`.
    Operands,
    /// All results: `results`.
    Results,
}

/// An element of an assembly format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Element {
    /// Punctuation or a keyword; empty and white space only govern spaces.
    Literal(String),
    /// Operands, an attribute, a region or a successor.
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
    /// `type(...)`.
    Type(Reference),
    /// `functional-type(..., ...)`.
    FunctionalType(Reference, Reference),
    /// `custom<Name>(...)`.
    Custom {
        /// The name of the pair of functions that parse and print it.
        name: String,
        /// What it covers.
        arguments: Vec<Element>,
    },
    /// `(then)?` or `(then):(otherwise)?`; `anchor` says whether it is there.
    Optional {
        /// What stands there if the anchor is present.
        then: Vec<Element>,
        /// What stands there if not.
        otherwise: Vec<Element>,
        /// What decides.
        anchor: Reference,
    },
}

/// An assembly format.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Format {
    /// What is printed and parsed, one after the other.
    pub elements: Vec<Element>,
}
