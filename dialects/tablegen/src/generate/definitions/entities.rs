//! Constraints on one part of an operation that ask for more than it: for the operation, `$_op`, or for the block that a
//! successor is. They are asked of the whole operation.

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    super::{
        constraints::{Asked, Subject},
        rust::{ident, skip},
    },
    Generator, signature_name,
};
use crate::{
    error::Result,
    ods::{Constraint, Operand, Operation},
    predicate::{Kind, Scope},
};

/// A part of an operation with its constraint.
struct Part<'o> {
    /// What the declaration calls it.
    what: &'static str,
    name: &'o str,
    index: usize,
    constraint: &'o Constraint,
    subject: Subject,
    /// The Rust expression of an iterator over what stands for it.
    each: TokenStream,
}

/// Whether operands or results are found by the shape of the operation to ask what their constraints ask.
pub fn needs_signature(operation: &Operation) -> bool {
    operation.operands.iter().chain(&operation.results).any(|value| value.constraint.predicate.asks_operation())
}

fn values<'o>(operation: &Operation, what: &'static str, values: &'o [Operand]) -> impl Iterator<Item = Part<'o>> {
    let shape = ident(&signature_name(operation));
    let group = ident(&format!("{what}_group"));
    values.iter().enumerate().map(move |(index, value)| Part {
        what,
        name: &value.name,
        index,
        constraint: &value.constraint,
        subject: Subject::Type,
        each: quote!(#shape.#group(operation, #index).into_iter().map(|value| value.r#type())),
    })
}

/// The parts that have constraints.
fn parts(operation: &Operation) -> Vec<Part<'_>> {
    let attributes = operation.attributes.iter().enumerate().map(|(index, item)| {
        let name = item.name.as_str();
        Part {
            what: if item.property.is_some() { "property" } else { "attribute" },
            name,
            index,
            constraint: &item.constraint,
            subject: Subject::Attribute,
            each: quote!(operation.get(#name).into_iter()),
        }
    });
    // A variadic one is the last.
    let taken = |index: usize, variadic: bool| {
        let behind = skip(index);
        let one = (!variadic).then(|| quote!(.take(1)));
        quote!(#behind #one)
    };
    let regions = operation.regions.iter().enumerate().map(|(index, item)| {
        let taken = taken(index, item.variadic);
        let each = quote!(operation.regions() #taken);
        Part { what: "region", name: &item.name, index, constraint: &item.constraint, subject: Subject::Region, each }
    });
    let successors = operation.successors.iter().enumerate().map(|(index, item)| {
        let (taken, constraint) = (taken(index, item.variadic), &item.constraint);
        let each = quote!(operation.successors() #taken);
        Part { what: "successor", name: &item.name, index, constraint, subject: Subject::Block, each }
    });
    let values =
        values(operation, "operand", &operation.operands).chain(values(operation, "result", &operation.results));
    values.chain(attributes).chain(regions).chain(successors).collect()
}

impl Generator<'_> {
    /// The predicates of an operation that its parts bring.
    pub(super) fn entities(&mut self, operation: &Operation) -> Result<Vec<TokenStream>> {
        let asks_more = |part: &Part<'_>| {
            let predicate = &part.constraint.predicate;
            predicate.asks_operation() || part.subject == Subject::Block && !predicate.is_trivial()
        };
        let asking = parts(operation).into_iter().filter(asks_more);
        asking.map(|part| self.entity(operation, part)).collect()
    }

    fn entity(&mut self, operation: &Operation, part: Part<'_>) -> Result<TokenStream> {
        let Part { what, name, index, constraint, subject, each } = part;
        let Constraint { summary, definition, predicate } = constraint;
        let mut scope = match subject {
            Subject::Type => Scope::of_self("this", Kind::Type),
            Subject::Attribute => Scope::of_self("this", Kind::Attribute("Attribute")),
            Subject::Region => Scope::of_self("this", Kind::Region),
            Subject::Operation | Subject::Block => Scope::default(),
        };
        scope.bind("$_op", "operation", Kind::Operation);
        let asked = Asked { owner: &operation.mnemonic, subject, definition, summary, predicate };
        let holds = self.accepts(&asked, &scope)?;
        let beside = predicate.asks_operation().then(|| quote!(, operation));
        let shown = if name.is_empty() { format!("#{index}") } else { format!("'{name}'") };
        let told = format!("{what} {shown} is {summary}");
        Ok(quote!(PredicateDefinition { summary: #told, holds: |operation| #each.all(|this| #holds(this #beside)) }))
    }
}
