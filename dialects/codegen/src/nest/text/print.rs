//! A nest as text: comments that say what is computed, and the schedule.

use crate::nest::Nest;
use crate::nest::access::{Access, Open, Step};
use crate::nest::schedule::{Form, Kind, Lanes, Loop, Schedule, Tail};
use crate::nest::space::{Operand, Rounding, Space, Stage};
use std::fmt::Write;

/// The text of a nest; `target` says for what it was chosen, `lines` what of the model it is.
pub fn print(nest: &Nest, target: &str, lines: &[String]) -> String {
    let Nest { space, schedule } = nest;
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(text, "// For {target}.");
    for line in lines {
        let _ = writeln!(text, "// {line}");
    }
    let dims = (0..space.dims.len()).map(|dim| describe_dim(space, dim));
    let _ = writeln!(text, "// Dimensions: {}", dims.collect::<Vec<_>>().join(", "));
    for (number, operand) in space.operands.iter().enumerate() {
        let _ = writeln!(text, "// %{number} = {}", describe_operand(operand));
    }
    for (name, stage) in stages(space) {
        let _ = writeln!(text, "// {name}: {}", describe_stage(stage));
    }
    for (operand, access) in space.outputs() {
        let _ = writeln!(text, "// writes %{operand}[{}]", address(access));
    }
    if space.rounding == Rounding::Formula {
        text.push_str("// rounds as the formula\n");
    }
    let _ = write!(text, "kernel {} {{\n{}}}\n", space.key(), loops(schedule));
    text
}

fn describe_dim(space: &Space, dim: usize) -> String {
    let known = space.dims[dim];
    let kind = match (known.is_shared, known.is_reduced) {
        (true, _) if space.block_along(dim) > 1 => format!("shared by {}", space.block_along(dim)),
        (true, _) => "shared".to_string(),
        (false, true) => "reduced".to_string(),
        (false, false) => "parallel".to_string(),
    };
    match known.is_open {
        true if known.multiple > 1 => format!("d{dim} ({kind}, open, a multiple of {})", known.multiple),
        true => format!("d{dim} ({kind}, open)"),
        false => format!("d{dim} ({kind}) = {}", known.extent),
    }
}

fn describe_operand(operand: &Operand) -> String {
    match operand {
        Operand::Passed { r#type, .. } => r#type.clone(),
        Operand::Private { number, r#type, .. } => format!("private {number}, {type}"),
        Operand::Parts { r#type, .. } => format!("parts, {type}"),
        Operand::Constant(constant) => constant.to_string(),
    }
}

fn stages(space: &Space) -> impl Iterator<Item = (&'static str, &Stage)> {
    let init = space.init.iter().map(|stage| ("begins with", stage));
    let epilogues = space.epilogues.iter().map(|stage| ("then", stage));
    init.chain([("computes", &space.main)]).chain(epilogues)
}

fn describe_stage(stage: &Stage) -> String {
    let names: Vec<&str> = stage.computation.instructions.iter().map(|instruction| instruction.op.name()).collect();
    let reads = stage.memory().map(|(operand, access)| format!("%{operand}[{}]", address(access)));
    let reads: Vec<String> = reads.collect();
    let names = if names.is_empty() { "a copy".to_string() } else { names.join(", ") };
    if reads.is_empty() { names } else { format!("{names} of {}", reads.join(", ")) }
}

fn address(access: &Access) -> String {
    let mut terms = Vec::new();
    for (dim, step) in access.steps.iter().enumerate() {
        match *step {
            Step::Linear(0) => {}
            Step::Linear(1) => terms.push(format!("d{dim}")),
            Step::Linear(distance) => terms.push(format!("{distance} d{dim}")),
            Step::Open(Open { stride, factor, .. }) => terms.push(format!("{factor} s{stride} d{dim}")),
            Step::Panel { size, outer, inner } => {
                terms.push(format!("{outer} (d{dim} / {size}) + {inner} (d{dim} mod {size})"));
            }
        }
    }
    if let Some(Open { stride, factor, .. }) = access.open_offset {
        terms.push(format!("{factor} s{stride}"));
    }
    if access.offset != 0 || terms.is_empty() {
        terms.push(access.offset.to_string());
    }
    terms.join(" + ")
}

fn loops(schedule: &Schedule) -> String {
    let mut text = String::new();
    for (place, own) in schedule.loops.iter().enumerate() {
        packs(&mut text, schedule, place);
        let kind = match own.kind {
            Kind::Parallel => "loop",
            Kind::Reduce => "reduce",
            Kind::Unroll => "unroll",
        };
        let _ = writeln!(text, "  {kind} d{}{};", own.dim, cut(own));
    }
    packs(&mut text, schedule, schedule.loops.len());
    text
}

/// What is copied within so many loops.
fn packs(text: &mut String, schedule: &Schedule, depth: usize) {
    for pack in schedule.packs.iter().filter(|pack| pack.depth == depth) {
        let _ = writeln!(text, "  pack %{};", pack.operand);
    }
}

fn cut(own: &Loop) -> String {
    match own.form {
        Form::Vectors(Lanes { count, is_scalable, tail }) => {
            let masked = if tail == Tail::Mask { " masked" } else { "" };
            let length = |count: i64| if is_scalable { format!("[{count}]") } else { count.to_string() };
            format!(" by {} in vectors of {}{masked}", length(own.step), length(count))
        }
        Form::Groups(atom) => format!(" with {}", atom.name),
        Form::Elements if own.step == 1 => String::new(),
        Form::Elements => format!(" by {}", own.step),
    }
}
