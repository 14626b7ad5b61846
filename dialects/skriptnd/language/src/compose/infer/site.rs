//! Where in the text the parts of an invocation stand.

use skriptnd_source::Span;
use skriptnd_syntax::ast::{ExprKind, Invocation, Item};

/// Items of longer lists are not told apart: looking at all items before each takes a time that grows with the square
/// of their number.
const LONGEST_LIST: usize = 1 << 10;

/// An invocation, or what takes its place where there is none in the text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Site<'a> {
    pub(crate) span: Span,
    pub(crate) invocation: Option<&'a Invocation>,
}

impl Site<'_> {
    /// The value of an attribute.
    pub(crate) fn attribute(&self, name: &str) -> Span {
        let assignments = self.invocation.map(|invocation| invocation.attributes.as_slice()).unwrap_or_default();
        let assignment = assignments.iter().find(|assignment| &*assignment.name.text == name);
        assignment.map_or(self.span, |assignment| assignment.value.span)
    }

    /// The name of an attribute that is given.
    pub(crate) fn attribute_name(&self, name: &str) -> Span {
        let assignments = self.invocation.map(|invocation| invocation.attributes.as_slice()).unwrap_or_default();
        let assignment = assignments.iter().find(|assignment| &*assignment.name.text == name);
        assignment.map_or(self.span, |assignment| assignment.name.span)
    }

    /// A tensor of an argument: an item of the list, if it is one whose items can be told apart.
    pub(crate) fn tensor(&self, at: usize, number: Option<usize>) -> Span {
        let argument = self.invocation.and_then(|invocation| invocation.arguments.get(at));
        let (Some((Some(expr), _)), Some(number)) = (argument, number) else { return self.argument(at) };
        let ExprKind::List(items) = &expr.kind else { return expr.span };
        let single = |item: &Item| matches!(item, Item::Value(_));
        match items.get(number) {
            Some(Item::Value(item)) if number < LONGEST_LIST && items[..number].iter().all(single) => item.span,
            _ => expr.span,
        }
    }

    /// An argument.
    pub(crate) fn argument(&self, at: usize) -> Span {
        self.invocation.and_then(|invocation| invocation.arguments.get(at)).map_or(self.span, |(_, span)| *span)
    }
}
