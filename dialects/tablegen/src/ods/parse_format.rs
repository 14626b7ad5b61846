//! `assemblyFormat` of operations: read into elements, as upstream's `OpFormatGen` reads it.

use super::format::{Clause, Element, Format, Reference};
use super::lexer::{Lexer, Parsed, Token, Wrong, check_literal, string};
use super::operation::{Arity, Operation};
use super::optional_group::{self, Group, GroupParser, plain};
use super::resolve_format::resolve;
use super::seen::Seen;
use crate::{
    error::{Error, Result},
    fields::Fields,
};

/// Depth of directives beyond which a format is refused.
const MAXIMUM_DEPTH: usize = 16;

/// Reads the format of `operation` and checks that what it leaves out can be found again.
pub fn parse_format(fields: &Fields<'_>, text: &str, operation: &Operation) -> Result<Format> {
    let parsed = Lexer::new(text).and_then(|lexer| {
        let mut parser = Parser { lexer, operation, seen: Seen::default(), depth: 0 };
        let elements = parser.all()?;
        Ok((elements, parser.seen))
    });
    let resolved = match parsed {
        Ok((elements, seen)) => resolve(elements, &seen, operation),
        Err(wrong) => Err(vec![wrong]),
    };
    resolved.map_err(|wrongs| {
        let errors = wrongs.into_iter().map(|wrong| wrong.error(fields, text));
        Error::collect(errors).err().unwrap_or_else(|| fields.error("assemblyFormat", "assembly format is wrong"))
    })
}

/// Where an element stands: what may stand there differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Context {
    Top,
    Type,
    Custom,
    Reference,
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    operation: &'a Operation,
    seen: Seen,
    depth: usize,
}

/// An element and where it begins.
type Placed = optional_group::Placed<Element>;

impl<'a> GroupParser<'a> for Parser<'a> {
    type Element = Element;

    fn lexer(&mut self) -> &mut Lexer<'a> {
        &mut self.lexer
    }

    fn next_element(&mut self) -> Parsed<Placed> {
        self.element(Context::Top)
    }
}

impl Parser<'_> {
    fn all(&mut self) -> Parsed<Vec<Element>> {
        let mut elements = Vec::new();
        while self.lexer.peek() != Token::End {
            elements.push(self.element(Context::Top)?.0);
        }
        Ok(elements)
    }

    fn element(&mut self, context: Context) -> Parsed<Placed> {
        let at = self.lexer.at();
        self.depth += 1;
        if self.depth > MAXIMUM_DEPTH {
            return Err(Wrong::new(at, format!("directives are nested more than {MAXIMUM_DEPTH} deep")));
        }
        let element = match self.lexer.take()? {
            Token::Literal(text) => {
                if context != Context::Top {
                    return Err(Wrong::new(at, "literals may only be used in the top-level section of the format"));
                }
                check_literal(text, at)?;
                Element::Literal(if text == "\\n" { "\n".into() } else { text.to_string() })
            }
            Token::Variable(name) => Element::Variable(self.variable(name, at, context)?),
            Token::Word(word) => self.directive(word, at, context)?,
            Token::Punctuation('(') => self.optional(at, context)?,
            Token::Text(text) if context == Context::Custom => Element::Text(string(text, at)?),
            _ => return Err(Wrong::new(at, "expected literal, variable, directive, or optional group")),
        };
        self.depth -= 1;
        Ok((element, at))
    }

    fn variable(&mut self, name: &str, at: usize, context: Context) -> Parsed<Reference> {
        let reference = self.operation.find(name).ok_or_else(|| {
            Wrong::new(at, format!("'${name}' is not an argument, result, region or successor of the operation"))
        })?;
        let wrong = |message: &str| Err(Wrong::new(at, message));
        match (reference, context) {
            (Reference::Attribute(_), Context::Type) => {
                return wrong("attributes cannot be used as children to a `type` directive");
            }
            (Reference::Property(_), Context::Type) => {
                return wrong("properties cannot be used as children to a `type` directive");
            }
            (Reference::Region(_), Context::Type) => {
                return wrong("regions can only be used at the top level or in a ref directive");
            }
            (Reference::Successor(_), Context::Type) => {
                return wrong("successors can only be used at the top level or in a ref directive");
            }
            (Reference::Result(_), Context::Top | Context::Custom | Context::Reference) => {
                return wrong("result variables can only be used as a child to a 'type' directive");
            }
            // What `type` refers to is bound there.
            (_, Context::Type) => {}
            (_, Context::Reference) => self.seen.refer(reference, name).map_err(|message| Wrong::new(at, message))?,
            _ => self.seen.bind(reference, name).map_err(|message| Wrong::new(at, message))?,
        }
        Ok(reference)
    }

    fn directive(&mut self, word: &str, at: usize, context: Context) -> Parsed<Element> {
        let top = |what: &str| match context {
            Context::Type => Err(Wrong::new(at, format!("'{what}' is only valid as a top-level directive"))),
            _ => Ok(context == Context::Reference),
        };
        let seen = |result: std::result::Result<(), String>| result.map_err(|message| Wrong::new(at, message));
        match word {
            "attr-dict" | "attr-dict-with-keyword" => {
                let referred = top("attr-dict")?;
                seen(self.seen.dictionary(referred))?;
                Ok(Element::AttributeDictionary { keyword: word == "attr-dict-with-keyword" })
            }
            "prop-dict" => {
                if top("prop-dict")? {
                    return Err(Wrong::new(at, "'ref' of 'prop-dict' unsupported"));
                }
                seen(self.seen.properties())?;
                Ok(Element::PropertyDictionary)
            }
            "operands" if context == Context::Type => Ok(Element::Variable(Reference::Operands)),
            "results" if context == Context::Type => Ok(Element::Variable(Reference::Results)),
            "operands" => seen(self.seen.all_operands(context == Context::Reference)).map(|()| Element::Operands),
            "results" => Err(Wrong::new(at, "'results' directive can only be used as a child to a 'type' directive")),
            "regions" => {
                let referred = top("regions")?;
                seen(self.seen.all_regions(referred)).map(|()| Element::Regions)
            }
            "successors" => {
                let referred = top("successors")?;
                seen(self.seen.all_successors(referred)).map(|()| Element::Successors)
            }
            "type" => self.type_directive(at, context),
            "qualified" => self.qualified(context),
            "functional-type" => self.functional_type(at, context),
            "custom" => self.custom(at, context),
            "ref" => self.referenced(at, context),
            "oilist" => self.clauses(at, context),
            other => Err(Wrong::new(at, format!("unknown directive '{other}' in the format")).help(
                "directives are attr-dict, attr-dict-with-keyword, custom, functional-type, oilist, operands, prop-dict, \
                 qualified, ref, regions, results, successors, type",
            )),
        }
    }

    fn type_directive(&mut self, at: usize, context: Context) -> Parsed<Element> {
        if context == Context::Type {
            return Err(Wrong::new(at, "'type' cannot be used as a child of another `type`"));
        }
        self.lexer.expect('(', "before argument list")?;
        let reference = self.type_operand(context == Context::Reference)?;
        self.lexer.expect(')', "after argument list")?;
        if context == Context::Custom && matches!(reference, Reference::Operands | Reference::Results) {
            let message = "type directives within a custom directive may only refer to variables";
            return Err(Wrong::new(at, message));
        }
        Ok(Element::Type(reference))
    }

    fn type_operand(&mut self, referred: bool) -> Parsed<Reference> {
        let (element, at) = self.element(Context::Type)?;
        let Element::Variable(reference) = element else {
            return Err(Wrong::new(at, "'type' directive operand expects variable or directive operand"));
        };
        let name = match reference {
            Reference::Operand(index) => self.operation.operands[index].name.clone(),
            Reference::Result(index) => self.operation.results[index].name.clone(),
            _ => String::new(),
        };
        self.seen.type_of(reference, &name, referred).map_err(|message| Wrong::new(at, message))?;
        Ok(reference)
    }

    fn functional_type(&mut self, at: usize, context: Context) -> Parsed<Element> {
        if context != Context::Top {
            return Err(Wrong::new(at, "'functional-type' is only valid as a top-level directive"));
        }
        self.lexer.expect('(', "before argument list")?;
        let inputs = self.type_operand(false)?;
        self.lexer.expect(',', "after inputs argument")?;
        let outputs = self.type_operand(false)?;
        self.lexer.expect(')', "after argument list")?;
        Ok(Element::FunctionalType(inputs, outputs))
    }

    fn qualified(&mut self, context: Context) -> Parsed<Element> {
        self.lexer.expect('(', "before argument list")?;
        let (element, at) = self.element(context)?;
        self.lexer.expect(')', "after argument list")?;
        match element {
            Element::Variable(Reference::Attribute(_)) | Element::Type(_) => Ok(Element::Qualified(element.into())),
            Element::Qualified(_) => Ok(element),
            _ => Err(Wrong::new(at, "'qualified' directive expects an attribute or a `type` directive")),
        }
    }

    fn referenced(&mut self, at: usize, context: Context) -> Parsed<Element> {
        if context != Context::Custom {
            return Err(Wrong::new(at, "'ref' is only valid within a `custom` directive"));
        }
        self.lexer.expect('(', "before argument list")?;
        let (element, _) = self.element(Context::Reference)?;
        self.lexer.expect(')', "after argument list")?;
        Ok(Element::Referenced(element.into()))
    }

    fn custom(&mut self, at: usize, context: Context) -> Parsed<Element> {
        if context != Context::Top {
            return Err(Wrong::new(at, "'custom' is only valid as a top-level directive"));
        }
        self.lexer.expect('<', "before custom directive name")?;
        let name_at = self.lexer.at();
        let Token::Word(name) = self.lexer.take()? else {
            return Err(Wrong::new(name_at, "expected custom directive name identifier"));
        };
        self.lexer.expect('>', "after custom directive name")?;
        self.lexer.expect('(', "before custom directive parameters")?;
        let mut arguments = Vec::new();
        loop {
            let (argument, at) = self.element(Context::Custom)?;
            if !is_custom_argument(&argument) {
                let message = "only variables and types may be used as parameters to a custom directive";
                return Err(Wrong::new(at, message));
            }
            arguments.push(argument);
            if !self.lexer.accept(',')? {
                break;
            }
        }
        self.lexer.expect(')', "after custom directive parameters")?;
        Ok(Element::Custom { name: name.to_string(), arguments })
    }

    fn clauses(&mut self, at: usize, context: Context) -> Parsed<Element> {
        if context != Context::Top {
            return Err(Wrong::new(at, "'oilist' is only valid as a top-level directive"));
        }
        self.lexer.expect('(', "before oilist argument list")?;
        let mut clauses = Vec::new();
        loop {
            let (literal, at) = self.element(Context::Top)?;
            let Element::Literal(literal) = literal else { return Err(Wrong::new(at, "expected literal in oilist")) };
            let mut elements = Vec::new();
            while !matches!(self.lexer.peek(), Token::Punctuation('|' | ')')) {
                let (element, at) = self.element(Context::Top)?;
                self.check_clause(&element, at)?;
                elements.push(element);
            }
            clauses.push(Clause { literal, elements });
            if !self.lexer.accept('|')? {
                self.lexer.expect(')', "at the end of an argument list")?;
                return Ok(Element::Clauses(clauses));
            }
        }
    }

    /// Everything in a clause of `oilist` must be something that may be missing.
    fn check_clause(&self, element: &Element, at: usize) -> Parsed<()> {
        let wrong = |what: &str| Err(Wrong::new(at, what));
        let single = |reference: &Reference| self.operation.arity_of(*reference) == Some(Arity::One);
        match element {
            Element::Variable(Reference::Attribute(index)) if !self.operation.attributes[*index].may_be_absent() => {
                wrong("only optional attributes can be used in an oilist parsing group")
            }
            Element::Variable(Reference::Property(index)) if self.operation.properties[*index].default.is_none() => {
                wrong("only default-valued or optional properties can be used in an oilist parsing group")
            }
            Element::Variable(reference @ Reference::Operand(_)) | Element::Type(reference @ Reference::Operand(_))
                if single(reference) =>
            {
                wrong("only variable length operands can be used within an oilist parsing group")
            }
            Element::Type(reference @ Reference::Result(_)) if single(reference) => {
                wrong("only variable length results can be used within an oilist parsing group")
            }
            Element::Qualified(inner) => self.check_clause(inner, at),
            Element::Variable(_)
            | Element::Type(_)
            | Element::FunctionalType(..)
            | Element::Literal(_)
            | Element::Custom { .. }
            | Element::Clauses(_)
            | Element::Optional { .. } => Ok(()),
            _ => wrong("only literals, types, and variables can be used within an oilist group"),
        }
    }

    fn optional(&mut self, at: usize, context: Context) -> Parsed<Element> {
        if context != Context::Top {
            return Err(Wrong::new(at, "optional groups can only be used as top-level elements"));
        }
        let group = self.group(at)?;
        for (element, at) in group.then.iter().chain(&group.otherwise) {
            self.check_optional(element, *at, *at == group.anchor.1)?;
        }
        let is_space = |element: &Element| matches!(element, Element::Literal(text) if text.trim().is_empty());
        let begins = |element: &Element| {
            use Element::{Custom, Literal, Qualified, Variable};
            matches!(element, Literal(_) | Variable(_) | Qualified(_) | Custom { .. })
        };
        group.check_first(at, is_space, begins)?;
        let Group { then, otherwise, anchor, inverted } = group;
        let anchors = anchors_of(&anchor.0);
        Ok(Element::Optional { then: plain(then), otherwise: plain(otherwise), anchors, inverted })
    }

    fn check_optional(&self, element: &Element, at: usize, is_anchor: bool) -> Parsed<()> {
        let wrong = |what: &str| Err(Wrong::new(at, what));
        let single = |reference: Reference| self.operation.arity_of(reference) == Some(Arity::One);
        match element {
            Element::Variable(Reference::Attribute(index)) => {
                let attribute = &self.operation.attributes[*index];
                match is_anchor && !attribute.may_be_absent() {
                    true => wrong("only optional or default-valued attributes can be used to anchor an optional group"),
                    false => Ok(()),
                }
            }
            Element::Variable(Reference::Property(index)) => {
                let property = &self.operation.properties[*index];
                match is_anchor && (property.default.is_none() || !property.has_optional_parser) {
                    true => wrong(
                        "only properties with default values that can be optionally parsed can be used to anchor an optional group",
                    ),
                    false => Ok(()),
                }
            }
            Element::Variable(reference @ Reference::Operand(_)) | Element::Type(reference @ Reference::Operand(_))
                if single(*reference) =>
            {
                wrong("only variable length operands can be used within an optional group")
            }
            Element::Type(reference @ Reference::Result(_)) if single(*reference) => {
                wrong("only variable length results can be used within an optional group")
            }
            Element::Variable(_) | Element::Type(_) => Ok(()),
            Element::FunctionalType(inputs, outputs) => {
                self.check_optional(&Element::Type(*inputs), at, false)?;
                self.check_optional(&Element::Type(*outputs), at, false)
            }
            Element::Qualified(inner) => self.check_optional(inner, at, is_anchor),
            Element::Custom { arguments, .. } if is_anchor => {
                let own = |argument: &&Element| !matches!(argument, Element::Referenced(_) | Element::Text(_));
                arguments.iter().filter(own).try_for_each(|argument| self.check_optional(argument, at, true))
            }
            Element::Literal(_) | Element::Optional { .. } if is_anchor => {
                wrong("only variables and types can be used to anchor an optional group")
            }
            Element::Custom { .. } | Element::Literal(_) | Element::Optional { .. } => Ok(()),
            _ => wrong("only literals, types, and variables can be used within an optional group"),
        }
    }
}

fn is_custom_argument(element: &Element) -> bool {
    match element {
        Element::Qualified(inner) => is_custom_argument(inner),
        Element::Variable(_)
        | Element::Type(_)
        | Element::Referenced(_)
        | Element::Text(_)
        | Element::AttributeDictionary { .. }
        | Element::PropertyDictionary => true,
        _ => false,
    }
}

/// What decides whether an optional group is there.
fn anchors_of(element: &Element) -> Vec<Reference> {
    match element {
        Element::Variable(reference) | Element::Type(reference) => vec![*reference],
        Element::Qualified(inner) => anchors_of(inner),
        Element::Custom { arguments, .. } => arguments.iter().flat_map(anchors_of).collect(),
        _ => Vec::new(),
    }
}
