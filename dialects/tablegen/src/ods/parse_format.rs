//! `assemblyFormat`: read into elements, checked against the operation.

use tblgen::Record;

use super::format::{Element, Format, Reference};
use super::operation::{Arity, Operation};
use super::traits::Trait;
use crate::{
    error::{Error, Result},
    records::Records,
};

/// Depth of optional groups beyond which a format is refused.
const MAXIMUM_DEPTH: usize = 16;

/// Reads the format of `operation` and checks that what it leaves out can be found again.
pub fn parse_format(records: &Records, record: Record<'_>, text: &str, operation: &Operation) -> Result<Format> {
    let mut parser = Parser { text, position: 0, operation, anchor: None, depth: 0 };
    let elements = parser.elements(&[]).and_then(|elements| check(&elements, operation).map(|()| elements)).map_err(
        |message| match record.value("assemblyFormat") {
            Ok(field) => Error::at(records, field, format!("assembly format: {message}")),
            Err(_) => Error::at(records, record, format!("assembly format: {message}")),
        },
    )?;
    Ok(Format { elements })
}

type Parsed<T> = std::result::Result<T, String>;

struct Parser<'a> {
    text: &'a str,
    position: usize,
    operation: &'a Operation,
    /// The element that `^` followed, inside an optional group.
    anchor: Option<Reference>,
    depth: usize,
}

impl Parser<'_> {
    fn rest(&mut self) -> &str {
        let rest = &self.text[self.position..];
        self.position += rest.len() - rest.trim_start().len();
        &self.text[self.position..]
    }

    fn accept(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.position += token.len();
        }
        found
    }

    fn expect(&mut self, token: &str) -> Parsed<()> {
        match self.accept(token) {
            true => Ok(()),
            false => Err(format!("expected '{token}' before '{}'", self.rest().chars().take(20).collect::<String>())),
        }
    }

    fn word(&mut self) -> String {
        let word: String =
            self.rest().chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '$')).collect();
        self.position += word.len();
        word
    }

    /// Elements up to one of the closing tokens, or the end where there are none.
    fn elements(&mut self, closing: &[&str]) -> Parsed<Vec<Element>> {
        let mut elements = Vec::new();
        loop {
            let rest = self.rest();
            if rest.is_empty() || closing.iter().any(|token| rest.starts_with(token)) {
                return Ok(elements);
            }
            let element = self.element()?;
            if self.accept("^") {
                self.anchor = Some(anchor_of(&element)?);
            }
            elements.push(element);
        }
    }

    fn element(&mut self) -> Parsed<Element> {
        match self.rest().chars().next() {
            Some('`') => self.literal(),
            Some('(') => self.optional(),
            Some('$') => Ok(Element::Variable(self.variable()?)),
            _ => self.directive(),
        }
    }

    fn literal(&mut self) -> Parsed<Element> {
        let text = self.text;
        let start = self.position + 1;
        let length = text[start..].find('`').ok_or("a literal without its closing '`'")?;
        self.position = start + length + 1;
        let literal = &text[start..start + length];
        let keyword = literal.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '-'));
        let punctuation =
            [":", ",", "=", "<", ">", "(", ")", "{", "}", "[", "]", "?", "+", "*", "...", "->", "|", "/", "~", "\\n"];
        match keyword || punctuation.contains(&literal) || literal.trim().is_empty() {
            true => Ok(Element::Literal(literal.to_string())),
            false => Err(format!("'{literal}' is neither a keyword nor punctuation")),
        }
    }

    fn variable(&mut self) -> Parsed<Reference> {
        self.expect("$")?;
        let name = self.word();
        let operation = self.operation;
        let find = |names: Vec<&str>| names.iter().position(|candidate| *candidate == name);
        find(operation.operands.iter().map(|operand| operand.name.as_str()).collect())
            .map(Reference::Operand)
            .or_else(|| {
                find(operation.attributes.iter().map(|item| item.name.as_str()).collect()).map(Reference::Attribute)
            })
            .or_else(|| find(operation.results.iter().map(|item| item.name.as_str()).collect()).map(Reference::Result))
            .or_else(|| find(operation.regions.iter().map(|item| item.name.as_str()).collect()).map(Reference::Region))
            .or_else(|| {
                find(operation.successors.iter().map(|item| item.name.as_str()).collect()).map(Reference::Successor)
            })
            .ok_or_else(|| format!("'${name}' is not an argument, result, region or successor of the operation"))
    }

    fn directive(&mut self) -> Parsed<Element> {
        let word = self.word();
        match word.as_str() {
            "attr-dict" => Ok(Element::AttributeDictionary { keyword: false }),
            "attr-dict-with-keyword" => Ok(Element::AttributeDictionary { keyword: true }),
            "operands" => Ok(Element::Operands),
            "regions" => Ok(Element::Regions),
            "successors" => Ok(Element::Successors),
            "type" => {
                self.expect("(")?;
                let reference = self.values()?;
                self.expect(")")?;
                Ok(Element::Type(reference))
            }
            "qualified" => {
                self.expect("(")?;
                let element = self.element()?;
                self.expect(")")?;
                Ok(element)
            }
            "functional-type" => {
                self.expect("(")?;
                let inputs = self.values()?;
                self.expect(",")?;
                let outputs = self.values()?;
                self.expect(")")?;
                Ok(Element::FunctionalType(inputs, outputs))
            }
            "custom" => self.custom(),
            "" => Err(format!("expected an element before '{}'", self.rest().chars().take(20).collect::<String>())),
            other => Err(format!("the directive '{other}' is not supported")),
        }
    }

    fn values(&mut self) -> Parsed<Reference> {
        if self.accept("operands") {
            return Ok(Reference::Operands);
        }
        if self.accept("results") {
            return Ok(Reference::Results);
        }
        match self.variable()? {
            reference @ (Reference::Operand(_) | Reference::Result(_)) => Ok(reference),
            _ => Err("a type is that of operands or results".into()),
        }
    }

    fn custom(&mut self) -> Parsed<Element> {
        self.expect("<")?;
        let name = self.word();
        self.expect(">")?;
        self.expect("(")?;
        let mut arguments = Vec::new();
        while !self.accept(")") {
            arguments.push(match self.accept("ref") {
                true => {
                    self.expect("(")?;
                    let element = self.element()?;
                    self.expect(")")?;
                    element
                }
                false => self.element()?,
            });
            if !self.accept(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(Element::Custom { name, arguments })
    }

    fn optional(&mut self) -> Parsed<Element> {
        self.depth += 1;
        if self.depth > MAXIMUM_DEPTH {
            return Err(format!("optional groups are nested more than {MAXIMUM_DEPTH} deep"));
        }
        let outer = self.anchor.take();
        self.expect("(")?;
        let then = self.elements(&[")"])?;
        self.expect(")")?;
        let otherwise = match self.accept(":") {
            true => {
                self.expect("(")?;
                let otherwise = self.elements(&[")"])?;
                self.expect(")")?;
                otherwise
            }
            false => Vec::new(),
        };
        self.expect("?")?;
        let anchor = self.anchor.take().ok_or("an optional group needs an element marked with '^'")?;
        self.anchor = outer;
        self.depth -= 1;
        match then.first() {
            Some(Element::Literal(text)) if !text.trim().is_empty() => {}
            Some(Element::Variable(_) | Element::Operands | Element::Custom { .. }) => {}
            _ => return Err("an optional group must start with a literal or a variable".into()),
        }
        Ok(Element::Optional { then, otherwise, anchor })
    }
}

fn anchor_of(element: &Element) -> Parsed<Reference> {
    match element {
        Element::Variable(reference) | Element::Type(reference) => Ok(*reference),
        Element::Operands => Ok(Reference::Operands),
        Element::Custom { arguments, .. } => match arguments.first() {
            Some(first) => anchor_of(first),
            None => Err("a custom directive without arguments cannot be marked with '^'".into()),
        },
        _ => Err("only a variable, a type or a custom directive can be marked with '^'".into()),
    }
}

/// Everything that parsing needs must stand in the format: the attributes, every operand and region, and the types
/// that traits don't give.
fn check(elements: &[Element], operation: &Operation) -> Parsed<()> {
    let mut seen = Seen::default();
    seen.visit(elements);
    if !seen.dictionary {
        return Err("'attr-dict' must stand in it once".into());
    }
    let same = operation.has_trait("SameOperandsAndResultType") || operation.has_trait("SameTypeOperands");
    for (index, operand) in operation.operands.iter().enumerate() {
        if !seen.operands && !seen.variables.contains(&Reference::Operand(index)) {
            return Err(format!("operand #{index}, named '{}', is missing", operand.name));
        }
        let any_type =
            seen.types.iter().any(|reference| matches!(reference, Reference::Operand(_) | Reference::Result(_)));
        let known = seen.types.contains(&Reference::Operand(index)) || seen.types.contains(&Reference::Operands);
        let shared = same && any_type && operand.arity == Arity::One;
        if !known && !shared {
            return Err(format!("the type of operand #{index}, named '{}', is missing", operand.name));
        }
    }
    let inferred = operation.has_trait("SameOperandsAndResultType")
        || operation.traits.iter().any(|item| matches!(item, Trait::Interface(name) if name == "InferTypeOpInterface"));
    for (index, result) in operation.results.iter().enumerate() {
        if !seen.types.contains(&Reference::Result(index)) && !seen.types.contains(&Reference::Results) && !inferred {
            return Err(format!("the type of result #{index}, named '{}', is missing", result.name));
        }
    }
    for (index, region) in operation.regions.iter().enumerate() {
        if !seen.regions && !seen.variables.contains(&Reference::Region(index)) {
            return Err(format!("region #{index}, named '{}', is missing", region.name));
        }
    }
    Ok(())
}

#[derive(Default)]
struct Seen {
    variables: Vec<Reference>,
    types: Vec<Reference>,
    operands: bool,
    regions: bool,
    dictionary: bool,
}

impl Seen {
    fn visit(&mut self, elements: &[Element]) {
        for element in elements {
            match element {
                Element::Variable(reference) => self.variables.push(*reference),
                Element::Operands => self.operands = true,
                Element::Regions => self.regions = true,
                Element::AttributeDictionary { .. } => self.dictionary = true,
                Element::Type(reference) => self.types.push(*reference),
                Element::FunctionalType(inputs, outputs) => self.types.extend([*inputs, *outputs]),
                Element::Custom { arguments, .. } => self.visit(arguments),
                Element::Optional { then, otherwise, .. } => {
                    self.visit(then);
                    self.visit(otherwise);
                }
                Element::Literal(_) | Element::Successors => {}
            }
        }
    }
}
