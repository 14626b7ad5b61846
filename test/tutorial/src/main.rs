#[allow(dead_code)]
mod toy {
    include!(concat!(env!("OUT_DIR"), "/Toy.rs"));
}

use skriptnd_ods::mlir::dialect::{Fold, FoldResult};
use skriptnd_ods::mlir::ir::{Attribute, Root, Value, types};
use skriptnd_ods::mlir::rewrite::{GreedyOptions, PatternSet};
use skriptnd_ods::mlir::{Error, Failure, Registry, pass, tools};
use toy::operations::{ShiftOp, ShiftOpAdaptor, ShiftOpHooks};

struct Hooks;

impl ShiftOpHooks for Hooks {
    fn verify(op: ShiftOp<'_, '_>) -> Result<(), Failure> {
        let (amount, width) = (op.amount()?, width(op.value()?));
        match (0..width).contains(&amount) {
            true => Ok(()),
            false => Err(format!("shifts {width} bits by {amount}").into()),
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
fn width(value: Value<'_, '_>) -> i64 {
    types::width(value.r#type()).unwrap_or(0).into()
}

fn simplify(root: &mut Root<'_, '_>) -> Result<(), Failure> {
    let mut rules = PatternSet::new(root.context());
    rules.add_pdl(toy::rewrites::patterns())?;
    rules.freeze()?.apply_greedily(root, &GreedyOptions::default())?;
    Ok(())
}

fn main() -> Result<(), Error> {
    let mut registry = Registry::new();
    registry.add_dialect(toy::dialect(Hooks))?;
    pass::register(toy::passes::toy_simplify(|root, _| simplify(root)))?;
    let arguments: Vec<_> = std::env::args_os().collect();
    std::process::exit(tools::opt_main(&arguments, "Toy optimizer driver\n", &registry, &|_| None))
}
