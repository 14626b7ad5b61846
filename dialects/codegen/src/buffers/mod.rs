//! What is done to buffers, once tensors are such: copies, what loops carry, and the memory plan.

pub mod carried;
pub mod constants;
pub mod copies;
pub mod empty;
pub mod expansions;
pub mod plan;
