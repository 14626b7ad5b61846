//! Models of ONNX from composed graphs: standard operators become operators of ONNX where these suffice, compositions and
//! the model's own operators become functions of the model, formulas become operators on whole tensors.
//!
//! [`write`] goes through a graph; [`table`](mod@table) says what standard operators are, `formula` what formulas are,
//! `control` what branches and loops are. What has no form is told at once, each with its place.

mod arithmetic;
mod attributes;
mod constants;
mod control;
mod few;
mod formula;
mod fused;
mod graph;
mod model;
mod narrow;
mod nodes;
mod packs;
mod producers;
mod prune;
mod resized;
mod scope;
mod table;
mod versions;

pub use model::{Names, State, Written, write};
