#[allow(dead_code)]
mod toy {
    include!(concat!(env!("OUT_DIR"), "/Toy.rs"));
}

use skriptnd_ods::mlir::dialect::{Fold, FoldResult};
use skriptnd_ods::mlir::ir::{Attribute, Context, Root, Value};
use skriptnd_ods::mlir::rewrite::{GreedyOptions, PatternSet};
use skriptnd_ods::mlir::{Error, Failure, Registry, pass, tools};
use toy::{dialect_types::*, operations::*};

struct Hooks;

impl IntTypeHooks for Hooks {
    fn verify(_: &Context, parameters: &IntTypeParameters) -> Result<(), Failure> {
        match parameters.bits {
            1..=64 => Ok(()),
            bits => Err(format!("there is no integer of {bits} bits").into()),
        }
    }
}

impl ShiftOpHooks for Hooks {
    fn verify(op: ShiftOp<'_, '_>) -> Result<(), Failure> {
        match (op.amount()?, bits(op.value()?)) {
            (amount, bits) if (0..bits).contains(&amount) => Ok(()),
            (amount, bits) => Err(format!("shifts {bits} bits by {amount}").into()),
        }
    }

    fn fold<'c, 'a>(op: ShiftOp<'c, 'a>, _: &ShiftOpAdaptor<'c, 'a, Option<Attribute<'c>>>) -> Fold<'c, 'a> {
        match (op.amount(), op.value()) {
            (Ok(0), Ok(value)) => Fold::Results(vec![FoldResult::Value(value)]),
            _ => Fold::Unchanged,
        }
    }
}

/// The number of bits of an integer.
fn bits(value: Value<'_, '_>) -> i64 {
    IntType::new(value.r#type()).and_then(|int| int.bits().ok()).unwrap_or(0)
}

fn simplify(root: &mut Root<'_, '_>) -> Result<(), Error> {
    let mut rules = PatternSet::new(root.context());
    rules.add_pdl(toy::rewrites::patterns())?;
    rules.freeze()?.apply_greedily(root, &GreedyOptions::default()).map(drop)
}

fn main() -> Result<(), Error> {
    let mut registry = Registry::new();
    registry.add_dialect(toy::dialect(Hooks))?;
    pass::register(toy::passes::toy_simplify(|root, _| Ok(simplify(root)?)))?;
    let arguments: Vec<_> = std::env::args_os().collect();
    std::process::exit(tools::opt_main(&arguments, "Toy optimizer driver\n", &registry, &|_| None))
}
