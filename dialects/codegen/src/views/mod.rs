//! What passes read of the IR as data: structured operations, scalars, functions, extents.

pub mod constants;
pub mod contiguous;
pub mod elements;
pub mod extents;
pub mod functions;
pub mod made;
pub mod shapes;
pub mod structured;
pub mod symbols;
pub mod typical;
