//! What the user is told about a text. Each kind of message has one constructor, in the `diagnostics` module of the room
//! that finds it.

mod code;
mod diagnostic;
mod list;
mod nearest;
mod render;

pub use code::Code;
pub use diagnostic::{Diagnostic, Frame, Severity};
pub use list::Diagnostics;
pub use nearest::nearest;
pub use render::{place, render};
