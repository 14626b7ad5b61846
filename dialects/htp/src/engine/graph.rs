//! MLIR as the graph that rules see, and planned nodes made in it.

use crate::apply::plan::Planned;
use crate::apply::{Elements, Graph, OutputDef};
use crate::dialect::{self, encoding};
use skriptnd_mlir::diagnostics::Failure;
use skriptnd_mlir::ir::{Builder, Context, Type, Value, attributes};
use std::marker::PhantomData;

/// The values of a function or graph: they tell all of it.
#[derive(Default)]
pub struct IrGraph<'c, 'a>(PhantomData<Value<'c, 'a>>);

impl<'c: 'a, 'a> Graph for IrGraph<'c, 'a> {
    type Node = Value<'c, 'a>;

    fn output_def(&self, node: Self::Node) -> Option<OutputDef> {
        encoding::output_def(node.r#type())
    }

    fn is_op(&self, node: Self::Node, name: &str) -> bool {
        node.defining_operation().is_some_and(|op| op.full_name() == dialect::operation_name(name))
    }

    fn inputs(&self, node: Self::Node) -> Vec<Self::Node> {
        node.defining_operation().map(|op| op.operands().collect()).unwrap_or_default()
    }

    fn outputs(&self, node: Self::Node) -> Vec<Self::Node> {
        node.defining_operation().map_or_else(|| vec![node], |op| op.result_values())
    }

    fn constant(&self, node: Self::Node) -> Option<Elements> {
        let op = node.defining_operation().filter(|op| op.full_name() == dialect::CONST)?;
        let reals = || op.get_reals(dialect::ELEMENTS).map(Elements::Reals);
        op.get_integers(dialect::ELEMENTS).map(Elements::Ints).or_else(reals)
    }
}

/// Whether all planned nodes have types.
pub fn has_types<N>(context: &Context, planned: &Planned<N>) -> bool {
    match planned {
        Planned::Existing(_) => true,
        Planned::Shape(dims) => shape_type(context, dims).is_some(),
        Planned::Constant(_, output) => encoding::tensor_type(context, output).is_some(),
        Planned::Op { inputs, output, .. } => {
            encoding::tensor_type(context, output).is_some() && inputs.iter().all(|input| has_types(context, input))
        }
    }
}

fn shape_type<'c>(context: &'c Context, dims: &[u64]) -> Option<Type<'c>> {
    encoding::tensor_type(context, &crate::apply::plan::shape_output(dims.to_vec()))
}

/// Makes planned nodes.
pub fn build<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    planned: &Planned<Value<'c, 'a>>,
) -> Result<Value<'c, 'a>, Failure> {
    let context = builder.context();
    let typed = |ty: Option<Type<'c>>| ty.ok_or_else(|| Failure::new("has no type in MLIR"));
    match planned {
        Planned::Existing(value) => Ok(*value),
        Planned::Shape(dims) => shape(builder, typed(shape_type(context, dims))?),
        Planned::Constant(elements, output) => {
            constant(builder, elements, typed(encoding::tensor_type(context, output))?)
        }
        Planned::Op { name, inputs, output, id } => {
            let builder = id.defining_operation().map_or(*builder, |op| builder.located(op.location()));
            let inputs = inputs.iter().map(|input| build(&builder, input)).collect::<Result<Vec<_>, _>>()?;
            let ty = typed(encoding::tensor_type(context, output))?;
            builder.value(&dialect::operation_name(name), &inputs, &[], ty)
        }
    }
}

/// A `$Shape` op.
pub fn shape<'c: 'a, 'a>(builder: &Builder<'c, 'a>, ty: Type<'c>) -> Result<Value<'c, 'a>, Failure> {
    builder.value(dialect::SHAPE, &[], &[], ty)
}

/// A `$Const` op.
pub fn constant<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    elements: &Elements,
    ty: Type<'c>,
) -> Result<Value<'c, 'a>, Failure> {
    let context = builder.context();
    let attribute = match elements {
        Elements::Ints(values) => attributes::integers(context, values),
        Elements::Reals(values) => attributes::reals(context, values),
    };
    builder.value(dialect::CONST, &[], &[(dialect::ELEMENTS, attribute)], ty)
}
