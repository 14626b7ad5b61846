//! Rewrites of structured operations on tensors: layouts, packed weights, and what can be computed ahead of the run.

mod accumulated;
pub mod batch;
pub mod bits;
pub mod destinations;
pub mod elementwise;
mod indexed;
pub mod layout;
pub mod loops;
mod moves;
pub mod narrow;
pub mod operations;
pub mod pack;
pub mod pads;
pub mod parts;
pub mod prepare;
mod pure;
pub mod reads;
pub mod reshapes;
pub mod results;
mod roles;
pub mod rounded;
pub mod scales;
pub mod shifts;
pub mod starts;
pub mod truths;
pub mod units;
pub mod winograd;
