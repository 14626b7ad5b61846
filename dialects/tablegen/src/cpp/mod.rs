//! The small part of C++ that predicates are written in, and what it is in Rust.

mod absence;
mod builder;
mod classes;
mod computed;
mod escapes;
mod evaluate;
mod expression;
mod integer;
mod kind;
mod limits;
mod literals;
mod methods;
mod needs;
mod numbers;
mod real;
mod scope;
mod slip;
mod table;
mod translate;
mod types;

pub use escapes::unescaped;
pub use evaluate::{holds, number};
pub use expression::{Expression, parse};
pub use kind::{Kind, snake_case};
pub use literals::{integer, list, literal, text, truth, typed};
pub use needs::{casts_of_self, numbers_of};
pub use real::real;
pub use scope::Scope;
pub use slip::slip;
pub use table::{ClassTest, Table, ends_in, normalized};
pub use translate::{interface_test, translate, translate_value};
pub use types::type_of;
