//! What the declarations in `td/skriptnd` leave to Rust.

use crate::generated::DialectHooks;
use crate::generated::operations::{
    ConstantOp, ConstantOpAdaptor, ConstantOpBuilder, ConstantOpHooks, FormulaOp, FormulaOpHooks, GraphOp,
    GraphOpHooks, IfOp, IfOpHooks, LoopOp, LoopOpHooks, YieldOp,
};
use crate::{assembly, formula, graph};
use skriptnd_mlir::Failure;
use skriptnd_mlir::dialect::{Fold, FoldResult, InferenceInput, Parser, Printer};
use skriptnd_mlir::ir::{Attribute, Builder, OperationRef, RegionRef, Type, Value, block_operations};

/// Gives the dialect what is written by hand.
pub struct Hooks;

impl DialectHooks for Hooks {
    fn materialize_constant<'c, 'a>(
        builder: &Builder<'c, 'a>,
        value: Attribute<'c>,
        r#type: Type<'c>,
    ) -> Option<OperationRef<'c, 'a>> {
        let constant = ConstantOpBuilder::new(builder).value(value).output_type(r#type);
        constant.build().ok().map(ConstantOp::operation)
    }
}

impl GraphOpHooks for Hooks {
    fn verify(op: GraphOp<'_, '_>) -> Result<(), Failure> {
        graph::verify(op)
    }

    fn verify_regions(op: GraphOp<'_, '_>) -> Result<(), Failure> {
        graph::verify_operators(op.operation())
    }

    fn parse(parser: &mut Parser<'_, '_>) -> Result<(), Failure> {
        assembly::parse_graph(parser)
    }

    fn print(op: GraphOp<'_, '_>, printer: &mut Printer<'_>) {
        assembly::print_graph(op, printer);
    }
}

impl FormulaOpHooks for Hooks {
    fn verify(op: FormulaOp<'_, '_>) -> Result<(), Failure> {
        formula::verify(op)
    }
}

/// The type of a constant is that of its value, and it folds to it.
impl ConstantOpHooks for Hooks {
    fn fold<'c, 'a>(op: ConstantOp<'c, 'a>, _: &ConstantOpAdaptor<'c, 'a, Option<Attribute<'c>>>) -> Fold<'c, 'a> {
        op.value().map_or(Fold::Unchanged, |value| Fold::Results(vec![FoldResult::Constant(value)]))
    }

    fn infer_return_types<'c>(
        op: &ConstantOpAdaptor<'c, '_>,
        _: &InferenceInput<'c, '_>,
    ) -> Result<Vec<Type<'c>>, Failure> {
        Ok(vec![op.value()?.r#type()])
    }
}

impl IfOpHooks for Hooks {
    fn verify(op: IfOp<'_, '_>) -> Result<(), Failure> {
        let results = op.outputs().len();
        for (name, region) in [("then", op.consequent()?), ("else", op.alternative()?)] {
            let yielded = yielded(region)?.len();
            if yielded != results {
                let message = format!("has {results} results, but yields {yielded} values behind '{name}'");
                return Err(Failure::new(message));
            }
        }
        Ok(())
    }
}

impl LoopOpHooks for Hooks {
    fn verify(op: LoopOp<'_, '_>) -> Result<(), Failure> {
        let (carried, finals) = (op.carried().len(), op.finals().len());
        if carried != finals {
            return Err(Failure::new(format!("carries {carried} tensors, but has {finals} of them as results")));
        }
        let next = yielded(op.body()?)?.len();
        if next < carried {
            return Err(Failure::new(format!("carries {carried} tensors, but its body yields {next} values")));
        }
        let condition = op.condition()?;
        match condition.first_block().map(|_| yielded(condition)).transpose()?.map(|values| values.len()) {
            None | Some(1) => Ok(()),
            Some(count) => Err(Failure::new(format!("has a condition that yields {count} values, not one"))),
        }
    }
}

/// What a region hands on.
fn yielded<'c: 'a, 'a>(region: RegionRef<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let block = region.first_block().ok_or("has a region without a block")?;
    let last = block_operations(block).last().and_then(YieldOp::new);
    last.map(YieldOp::values)
        .ok_or_else(|| Failure::new(format!("has a region that does not end with '{}'", YieldOp::NAME)))
}
