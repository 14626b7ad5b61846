//! The interpreter as what computes graphs of the `htp` dialect: by the operators that their ops are.

use crate::build::LOWER;
use crate::hexagon;
use skriptnd_codegen::{CompileOptions, Compiled, Emit, Target, compile};
use skriptnd_dialect::call::operator_path;
use skriptnd_dialect::generated::operations::{ConstantOp, RoundedOp};
use skriptnd_dialect::{definitions, operator};
use skriptnd_htp::direct::PlainGraph;
use skriptnd_htp::engine::plain;
use skriptnd_htp::trial::{Evaluator, Values};
use skriptnd_interpret::{Limits, run_instance};
use skriptnd_language::compose::graph::Argument;
use skriptnd_mlir::diagnostics::{Diagnostic, Severity};
use skriptnd_mlir::ir::{
    Context, Module, OperationRef, Type, Value, attributes, block_arguments, block_operations, capture,
    operations_named, parse_module, types,
};
use skriptnd_mlir::link::temporary_folder;
use skriptnd_mlir::ops::func;
use skriptnd_mlir::pass::{self, PipelineOptions};
use skriptnd_mlir::{Error, Failure};
use skriptnd_runtime::atomic::{Mode, Prepared};
use skriptnd_runtime::intrinsic::random::Generator;
use skriptnd_runtime::{Storage, Tensor, TensorData};
use std::collections::HashMap;
use std::fmt::Display;

const TO_OPERATORS: &str = "builtin.module(convert-htp-to-skriptnd)";

/// Computes graphs in a context that knows both dialects, and where a processor is named by code for it, on its emulator.
pub struct Operators<'c> {
    /// The context.
    pub context: &'c Context,
    /// The processor.
    pub target: Option<Target>,
}

impl Evaluator for Operators<'_> {
    fn evaluate(&self, graph: &PlainGraph, inputs: &[Values]) -> Result<Vec<Values>, String> {
        let text = plain::to_text(self.context, graph).ok_or("a node has a type that MLIR has not")?;
        let (module, reported) = capture(self.context, || converted(self.context, &text));
        let module = module.map_err(|error| told(&error, &reported))?;
        let outputs = compute(module.as_operation(), inputs).map_err(|failure| failure.to_string())?;
        Ok(outputs)
    }

    fn by_code(&self, graph: &PlainGraph, inputs: &[Values]) -> Option<Result<Vec<Values>, String>> {
        let target = self.target.clone()?;
        let text = plain::to_graph_text(self.context, graph)?;
        // What a graph takes may be of types that only rules have.
        let (module, _) = capture(self.context, || converted(self.context, &text));
        let (compiled, reported) = capture(self.context, || compiled(module.ok()?, target));
        Some(compiled?.map_err(|error| told(&error, &reported)).and_then(|compiled| emulated(&compiled, inputs)))
    }
}

/// Code for a module of operators; none where there is none for one of them.
fn compiled(mut module: Module<'_>, target: Target) -> Option<Result<Compiled, Error>> {
    pass::run(&mut module, LOWER, &PipelineOptions::default()).ok()?;
    Some(
        compile(module, &CompileOptions::new(target, Emit::Runner))
            .map_err(|error| Failure::new(error.to_string()).into()),
    )
}

/// What code computes on the emulator.
fn emulated(compiled: &Compiled, inputs: &[Values]) -> Result<Vec<Values>, String> {
    let failed = |error: &dyn Display| error.to_string();
    let folder = temporary_folder().map_err(|error| failed(&error))?;
    let (file, metadata) = (folder.path().join("graph"), &compiled.report.metadata);
    let written = Prepared::new(&file, Mode::Executable, |out| out.write_all(&compiled.code));
    written.and_then(Prepared::finish).map_err(|error| failed(&error))?;
    let tensors = metadata.inputs.iter().zip(inputs).map(|(info, values)| {
        let shape = info.shape().ok_or("an input of an open shape")?;
        Ok(Tensor { shape, data: TensorData::F32(values.clone()) })
    });
    let tensors = tensors.collect::<Result<Vec<_>, &str>>()?;
    let ran = hexagon::run(&file, metadata, &tensors, &[], &mut Generator::new(0)).map_err(|error| failed(&error))?;
    ran.0.iter().map(|output| numbers(output).map_err(|error| failed(&error))).collect()
}

fn converted<'c>(context: &'c Context, text: &str) -> Result<Module<'c>, Error> {
    let mut module = parse_module(context, text, "graph.mlir")?;
    pass::run(&mut module, TO_OPERATORS, &PipelineOptions::default())?;
    Ok(module)
}

/// What is wrong, in the words of the first error.
fn told(error: &Error, reported: &[Diagnostic]) -> String {
    let within = if let Error::Reported { diagnostics, .. } = error { diagnostics.as_slice() } else { &[] };
    let first = within.iter().chain(reported).find(|diagnostic| diagnostic.severity == Severity::Error);
    first.map_or_else(|| error.to_string(), |diagnostic| diagnostic.message.clone())
}

/// The results of the only function of a module.
fn compute(module: OperationRef<'_, '_>, inputs: &[Values]) -> Result<Vec<Values>, Failure> {
    let function = operations_named(module, func::FUNC).into_iter().next().ok_or("there is no function")?;
    let body = function.region(0)?.first_block().ok_or("the function has no body")?;
    let mut known: HashMap<usize, Tensor> = HashMap::new();
    for (argument, values) in block_arguments(body).zip(inputs) {
        known.insert(argument.key(), tensor(argument.r#type(), TensorData::F32(values.clone()))?);
    }
    for operation in block_operations(body) {
        let value = |value: &Value<'_, '_>| known.get(&value.key()).cloned().ok_or("a value is not known");
        if operation.result_count() == 0 {
            let outputs = operation.operands().map(|output| value(&output)).collect::<Result<Vec<_>, _>>()?;
            return outputs.into_iter().map(|output| numbers(&output)).collect();
        }
        let results = match (ConstantOp::new(operation), RoundedOp::new(operation)) {
            (Some(constant), _) => vec![constant_tensor(constant)?],
            (_, Some(rounded)) => vec![halves(value(&rounded.input()?)?)?],
            _ => {
                let operands = operator::arguments(operation)?;
                let operands =
                    operands.iter().map(|operand| argument(operand, &value)).collect::<Result<Vec<_>, _>>()?;
                operator_results(operation, operands)?
            }
        };
        known.extend(operation.result_values().iter().map(|result| result.key()).zip(results));
    }
    Err("the function returns nothing".into())
}

fn argument<'c, 'a>(
    operand: &Argument<Value<'c, 'a>>,
    value: &dyn Fn(&Value<'c, 'a>) -> Result<Tensor, &'static str>,
) -> Result<Argument<Tensor>, Failure> {
    Ok(match operand {
        Argument::Null => Argument::Null,
        Argument::Single(item) => Argument::Single(value(item)?),
        Argument::Pack(items) => Argument::Pack(items.iter().map(value).collect::<Result<_, _>>()?),
    })
}

fn operator_results<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
    operands: Vec<Argument<Tensor>>,
) -> Result<Vec<Tensor>, Failure> {
    let path =
        operator_path(operation.full_name()).ok_or_else(|| format!("'{}' is no operator", operation.full_name()))?;
    let instance = operator::instance(operation)?.ok_or("an operand has no static shape")?;
    let definitions = definitions::of(operation, path);
    let results = run_instance(&definitions, &instance, operands, &Limits::default());
    results.map_err(|found| {
        let first = found.iter().next().map_or("it can't be computed", |diagnostic| diagnostic.message.as_str());
        Failure::new(format!("'{path}': {first}"))
    })
}

fn shape(ty: Type<'_>) -> Result<Vec<usize>, Failure> {
    let extents = types::shape(ty).unwrap_or_default().into_iter();
    let extents = extents.map(|extent| extent.and_then(|extent| usize::try_from(extent).ok()));
    extents.collect::<Option<_>>().ok_or_else(|| "a tensor has no static shape".into())
}

fn tensor(ty: Type<'_>, data: TensorData) -> Result<Tensor, Failure> {
    let shape = shape(ty)?;
    match shape.iter().product::<usize>() == data.len() {
        true => Ok(Tensor { shape, data }),
        false => Err(Failure::new(format!("expected the elements of {ty}, found {}", data.len()))),
    }
}

fn constant_tensor(constant: ConstantOp<'_, '_>) -> Result<Tensor, Failure> {
    let value = constant.value()?;
    let floats = attributes::as_floats(value).map(TensorData::F32);
    let data = floats.or_else(|| attributes::as_whole_numbers(value).map(TensorData::I64));
    tensor(constant.output()?.r#type(), data.ok_or("a constant is of no type of the language")?)
}

fn halves(mut tensor: Tensor) -> Result<Tensor, Failure> {
    Storage::F16.round(&mut tensor.data).map_err(Failure::new)?;
    Ok(tensor)
}

fn numbers(tensor: &Tensor) -> Result<Values, Failure> {
    Ok(match &tensor.data {
        TensorData::F32(values) => values.clone(),
        TensorData::I64(values) => values.iter().map(|value| *value as f32).collect(),
        TensorData::Bool(values) => values.iter().map(|value| f32::from(u8::from(*value))).collect(),
    })
}
