//! Between the `skriptnd` dialect and the `htp` dialect.
//!
//! Graphs of the tensor processor have the channels last: an operator on images becomes an op between two transposes,
//! and those that meet cancel. What has no counterpart stays as it is, so that a graph may hold ops of both dialects.

mod builder;
mod by_table;
mod counterparts;
mod from_skriptnd;
mod images;
mod kept;
mod moved;
mod quantized;
mod reshaped;
mod to_skriptnd;
mod transposes;
mod weights;

pub use from_skriptnd::{Stayed, convert as from_skriptnd};
pub use to_skriptnd::convert as to_skriptnd;
