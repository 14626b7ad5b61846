//! What has interfaces: an operation, a type or an attribute of a dialect, in the words of Rust.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{members::Members, names, rust::ident};
use crate::ods::{Definition, DefinitionKind, InterfaceKind, InterfaceUse, Model, Operation};

/// What declares that it has interfaces.
#[derive(Clone, Copy)]
pub enum Owner<'m> {
    Operation(&'m Operation),
    Definition(&'m Definition),
}

impl<'m> Owner<'m> {
    /// All of a model.
    pub fn all(model: &'m Model) -> impl Iterator<Item = Self> {
        model.operations.iter().map(Self::Operation).chain(model.definitions.iter().map(Self::Definition))
    }

    /// What its interfaces are of.
    pub fn kind(self) -> InterfaceKind {
        match self {
            Self::Operation(_) => InterfaceKind::Operation,
            Self::Definition(definition) => match definition.kind {
                DefinitionKind::Type => InterfaceKind::Type,
                DefinitionKind::Attribute => InterfaceKind::Attribute,
            },
        }
    }

    /// The interfaces that it declares.
    pub fn interfaces(self) -> &'m [InterfaceUse] {
        match self {
            Self::Operation(operation) => &operation.interfaces,
            Self::Definition(definition) => &definition.interfaces,
        }
    }

    /// The names that its hooks have already.
    pub fn members(self) -> Members {
        match self {
            Self::Operation(operation) => Members::of(operation),
            Self::Definition(definition) => Members::of_definition(definition),
        }
    }

    /// The module of its view and hooks.
    pub fn module(self) -> Ident {
        match self {
            Self::Operation(operation) => ident(&names::module_or_default(operation)),
            Self::Definition(definition) => ident(names::module_of_definitions(definition.kind)),
        }
    }

    /// The name of its view.
    pub fn view(self) -> Ident {
        match self {
            Self::Operation(operation) => ident(&names::structure(operation)),
            Self::Definition(definition) => ident(&names::parameterized(definition)),
        }
    }

    /// The name of the trait with what its declaration leaves to Rust.
    pub fn hooks(self) -> Ident {
        match self {
            Self::Operation(operation) => ident(&names::hooks(operation)),
            Self::Definition(definition) => ident(&names::hooks_of_definition(definition)),
        }
    }

    /// The name of the object that shows its interfaces.
    pub fn object(self) -> Ident {
        match self {
            Self::Operation(operation) => ident(&names::object(operation)),
            Self::Definition(definition) => ident(&names::object_of_definition(definition)),
        }
    }

    /// Its name in text.
    pub fn name(self) -> String {
        match self {
            Self::Operation(operation) => operation.name(),
            Self::Definition(definition) => definition.name(),
        }
    }

    /// What hooks call it.
    pub fn argument(self) -> TokenStream {
        match self {
            Self::Operation(_) => quote!(op),
            Self::Definition(_) => quote!(this),
        }
    }
}
