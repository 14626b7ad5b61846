//! Optional groups of a format, `(then : otherwise)?`: what those of operations and those of types and attributes have in common.

use super::lexer::{Lexer, Parsed, Wrong};

/// An element, and where it stands in the text.
pub type Placed<E> = (E, usize);

/// An optional group, one element of which is marked as its anchor.
pub struct Group<E> {
    /// What is printed where the anchor is there.
    pub then: Vec<Placed<E>>,
    /// What is printed where it is not.
    pub otherwise: Vec<Placed<E>>,
    /// The marked element.
    pub anchor: Placed<E>,
    /// Whether the anchor stands in what is printed where it is not there.
    pub inverted: bool,
}

impl<E> Group<E> {
    /// Refuses a group of which a parser can't tell by its first element whether it is there.
    pub fn check_first(&self, at: usize, is_space: impl Fn(&E) -> bool, begins: impl Fn(&E) -> bool) -> Parsed<()> {
        let first = self.then.iter().find(|(element, _)| !is_space(element));
        if first.is_some_and(|(element, _)| begins(element)) {
            return Ok(());
        }
        let message = "first parsable element of an optional group must be a literal, variable, or custom directive";
        Err(Wrong::new(first.map_or(at, |(_, at)| *at), message))
    }
}

/// The elements without their places.
pub fn plain<E>(elements: Vec<Placed<E>>) -> Vec<E> {
    elements.into_iter().map(|(element, _)| element).collect()
}

/// What reads a format.
pub trait GroupParser<'a> {
    /// What the format consists of.
    type Element: Clone;

    /// Where it is in the text.
    fn lexer(&mut self) -> &mut Lexer<'a>;

    /// Reads the next element.
    fn next_element(&mut self) -> Parsed<Placed<Self::Element>>;

    /// Reads a group behind its opening bracket, which stands at `at`.
    fn group(&mut self, at: usize) -> Parsed<Group<Self::Element>> {
        let mut anchor = None;
        let then = self.branch(&mut anchor)?;
        let inverted = anchor.is_none();
        let otherwise = match self.lexer().accept(':')? {
            true => {
                self.lexer().expect('(', "to start else branch of optional group")?;
                self.branch(&mut anchor)?
            }
            false => Vec::new(),
        };
        self.lexer().expect('?', "after optional group")?;
        match anchor {
            Some(anchor) => Ok(Group { then, otherwise, anchor, inverted }),
            None => Err(Wrong::new(at, "optional group has no anchor element").help("mark one element with '^'")),
        }
    }

    /// The elements up to the closing bracket; one of them may be the anchor.
    fn branch(&mut self, anchor: &mut Option<Placed<Self::Element>>) -> Parsed<Vec<Placed<Self::Element>>> {
        let mut elements = Vec::new();
        loop {
            let element = self.next_element()?;
            let caret = self.lexer().at();
            if self.lexer().accept('^')? && anchor.replace(element.clone()).is_some() {
                let message = "only one element can be marked as the anchor of an optional group";
                return Err(Wrong::new(caret, message));
            }
            elements.push(element);
            if self.lexer().accept(')')? {
                return Ok(elements);
            }
        }
    }
}
