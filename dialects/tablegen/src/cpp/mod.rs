//! The small part of C++ that predicates are written in, and what it is in Rust.

mod absence;
mod builder;
mod evaluate;
mod expression;
mod kind;
mod methods;
mod needs;
mod numbers;
mod slip;
mod table;
mod translate;

pub use evaluate::holds;
pub use expression::{Expression, parse};
pub use kind::{Kind, snake_case};
pub use needs::{casts_of_self, numbers_of};
pub use slip::slip;
pub use table::{ClassTest, Table, ends_in, normalized};
pub use translate::{Scope, interface_test, translate, translate_value};
