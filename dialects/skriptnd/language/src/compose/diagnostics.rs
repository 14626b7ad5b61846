//! The messages of this room, one constructor each.

mod control_flow;
mod expressions;
mod extents;
mod formulas;
mod graphs;
mod invocations;

pub(crate) use control_flow::*;
pub(crate) use expressions::*;
pub(crate) use extents::*;
pub(crate) use formulas::*;
pub(crate) use graphs::*;
pub(crate) use invocations::*;
