//! Operations of a composed graph, inside a graph operation or in place of an operator.

mod control;
mod packs;

use super::encoding::encode;
use super::symbols::Symbols;
use super::{asserts, unused};
use crate::call::{PREFIX, write_call, write_type};
use crate::generated::discardable::{IdentityAttribute, LengthsAttribute, ResultsAttribute, StorageAttribute};
use crate::generated::operations::{
    ConstantOp, ConstantOpBuilder, IfOp, KeepOpBuilder, LoopOp, ShapedOpBuilder, UpdateOpBuilder, VariableOpBuilder,
};
use crate::locations::{Locations, called_from, invocation};
use crate::lowering::emit::tensor_attribute;
use crate::lowering::limits::Limits;
use crate::lowering::plan::TensorShape;
use crate::report::report_at;
use skriptnd_language::compose::extent::{Extent, SymExpr};
use skriptnd_language::compose::graph::{
    Argument, Graph, Instance, Operation, OperationKind, OperatorCall, Origin, Region, RuntimeAssert, TensorId,
    TensorType,
};
use skriptnd_language::compose::value::{Symbolic, Value as Constant};
use skriptnd_language::compose::{Definitions, first_of_same};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Attribute, Builder, Location, OperationRef, Type, Value, attributes};
use std::collections::{HashMap, HashSet};

/// The operator that makes constants.
const CONSTANT: &str = "layout.constant";

/// Imports the operations of one graph.
pub struct Importer<'s, 'l, 'c, 'a> {
    definitions: &'s Definitions,
    pub(super) graph: &'s Graph,
    locations: &'s mut Locations<'c, 'l>,
    values: HashMap<TensorId, Value<'c, 'a>>,
    limits: Limits,
    used: HashSet<TensorId>,
    symbols: Symbols,
    /// Items of packs that need not be there: the first tensor of the pack, and which one they are.
    missing: HashMap<TensorId, (TensorId, usize)>,
    /// Requirements of the graph that have no place yet, in order.
    pending: Vec<&'s RuntimeAssert>,
    /// The operation in whose place the graph is put, if it is a composition.
    caller: Option<Location<'c>>,
    /// Whether operations note what the model calls their results.
    pub(super) is_named: bool,
}

/// Puts the composition of an operator in place: gives the values of its outputs. Extents that data determine inside get names
/// that nothing in the graph around has.
pub fn compose_at<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    definitions: &Definitions,
    (instance, composition): (&Instance, &Graph),
    operands: &[Value<'c, 'a>],
    around: OperationRef<'c, 'a>,
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let mut locations = Locations::new(builder.context(), &definitions.sources);
    let mut importer = Importer::new(definitions, composition, &mut locations);
    importer.caller = Some(invocation(&instance.call.operator, builder.location()));
    importer.symbols = Symbols::inside(instance, composition, around)?;
    let inputs = composition.inputs.iter().flat_map(|port| port.tensors.items());
    for (id, operand) in inputs.zip(operands) {
        importer.define(*id, *operand);
    }
    importer.asserts(builder)?;
    importer.sources(builder)?;
    importer.region(builder, &composition.body)?;
    let outputs: Vec<Argument> = composition.outputs.iter().map(|port| port.tensors.clone()).collect();
    importer.all_values(builder, &outputs)
}

impl<'s, 'l, 'c: 'a, 'a> Importer<'s, 'l, 'c, 'a> {
    /// Nothing imported yet.
    pub fn new(definitions: &'s Definitions, graph: &'s Graph, locations: &'s mut Locations<'c, 'l>) -> Self {
        let limits = Limits::of(graph);
        let used = unused::used(graph, &limits);
        let mut importer = Importer {
            definitions,
            graph,
            locations,
            values: HashMap::new(),
            limits,
            used,
            symbols: Symbols::told(graph),
            missing: HashMap::new(),
            pending: Vec::new(),
            caller: None,
            is_named: false,
        };
        importer.note_packs(graph.inputs.iter().map(|port| &port.tensors));
        importer
    }

    /// Gives a tensor its value.
    pub fn define(&mut self, id: TensorId, value: Value<'c, 'a>) {
        self.values.insert(id, value);
    }

    /// The value of a tensor.
    pub fn value(&self, id: TensorId) -> Result<Value<'c, 'a>, Failure> {
        let missing = || Failure::new(format!("tensor '{}' has no value", self.graph.tensor(id).name));
        self.values.get(&id).copied().ok_or_else(missing)
    }

    /// The values of tensors.
    pub fn all_values(&self, builder: &Builder<'c, 'a>, arguments: &[Argument]) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let value = |id: &TensorId| match (self.values.contains_key(id), &self.graph.tensor(*id).origin) {
            (false, Origin::Constant(value)) => self.open_constant(builder, *id, value),
            _ => self.value(*id),
        };
        arguments.iter().flat_map(Argument::items).map(value).collect()
    }

    /// A constant that depends on extents, made where it is used: they need not be known before.
    fn open_constant(
        &self,
        builder: &Builder<'c, 'a>,
        id: TensorId,
        value: &Constant,
    ) -> Result<Value<'c, 'a>, Failure> {
        let ty = self.symbols.of_type(&self.graph.tensor(id).ty)?;
        let extent = |extent: &Extent| match extent.as_known() {
            Some(known) => Constant::Int(known),
            None => Constant::Symbolic(Symbolic::Int(extent.value.clone())),
        };
        let value = match self.symbols.of_value(value)? {
            pack @ (Constant::Pack(_) | Constant::Repeat(..)) => pack,
            item => repeated(item, &ty)?,
        };
        let shape = Constant::Pack(ty.shape.iter().map(extent).collect());
        let call = OperatorCall {
            operator: CONSTANT.into(),
            dtypes: [("T".to_owned(), ty.dtype)].into_iter().collect(),
            attributes: [("shape".to_owned(), shape), ("value".to_owned(), value)].into_iter().collect(),
        };
        let attributes = write_call(self.context(), &call, self.definitions.operator(CONSTANT), &[], &[1])?;
        let attributes: Vec<_> = attributes.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let made =
            builder.operation(&format!("{PREFIX}{CONSTANT}"), &[], &attributes, &[write_type(self.context(), &ty)?])?;
        made.result(0)
    }

    fn all_types(&self, arguments: &[Argument]) -> Result<Vec<Type<'c>>, Failure> {
        arguments.iter().flat_map(Argument::items).map(|id| self.type_of(*id)).collect()
    }

    pub(super) fn type_of(&self, id: TensorId) -> Result<Type<'c>, Failure> {
        write_type(self.context(), &self.symbols.of_type(&self.graph.tensor(id).ty)?)
    }

    fn context(&self) -> &'c skriptnd_mlir::ir::Context {
        self.locations.context()
    }

    fn place(&self, location: Location<'c>) -> Location<'c> {
        called_from(location, self.caller.as_slice())
    }

    /// What must hold of extents.
    pub fn asserts(&mut self, builder: &Builder<'c, 'a>) -> Result<(), Failure> {
        self.pending = self.graph.runtime_asserts.iter().collect();
        self.require(builder)
    }

    /// Adds the requirements whose extents are known from here on.
    fn require(&mut self, builder: &Builder<'c, 'a>) -> Result<(), Failure> {
        let (now, later): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.pending).into_iter().partition(|required| self.symbols.knows(&required.condition));
        self.pending = later;
        for required in now {
            let location = self.locations.of_chain(required.violation.span, &required.violation.chain);
            asserts::import(&builder.located(self.place(location)), required, &self.symbols)?;
        }
        Ok(())
    }

    /// The variables and constants.
    pub fn sources(&mut self, builder: &Builder<'c, 'a>) -> Result<(), Failure> {
        for (number, tensor) in self.graph.tensors.iter().enumerate() {
            let id = TensorId(u32::try_from(number).map_err(|_| "too many tensors")?);
            let location = self.locations.of(tensor.span);
            let builder = builder.located(self.place(location));
            let value = match &tensor.origin {
                Origin::Variable { file } => {
                    let variable = VariableOpBuilder::new(&builder).label(file);
                    let variable = variable.output_type(self.type_of(id)?).build()?;
                    if let Some(storage) = self.graph.storage.get(&id) {
                        StorageAttribute::set(variable.operation(), storage.name())?;
                    }
                    encode(self.graph, id, variable.operation())?;
                    variable.output()?
                }
                Origin::Constant(value) if is_open(&tensor.ty, value) => {
                    // What is quantized is one tensor, wherever it is used.
                    let made = self.has_quantization(id).then(|| self.open_constant(&builder, id, value));
                    let Some(Ok(constant)) = made else { continue };
                    self.note_name(constant, id);
                    constant
                }
                Origin::Constant(value) => {
                    let constant = self.constant(&builder, &tensor.ty, value);
                    let constant = report_at(builder.location(), ConstantOp::NAME, constant)?;
                    if self.has_quantization(id) {
                        self.note_name(constant, id);
                    }
                    constant
                }
                Origin::Input { .. } | Origin::Result => continue,
            };
            self.define(id, value);
        }
        Ok(())
    }

    /// Whether something is said of a tensor by its name.
    fn has_quantization(&self, id: TensorId) -> bool {
        self.is_named && self.graph.quantizations.iter().any(|quantization| quantization.tensor == id)
    }

    /// Notes what the model calls a constant.
    fn note_name(&self, constant: Value<'c, 'a>, id: TensorId) {
        if let Some(made) = constant.defining_operation() {
            made.set(ResultsAttribute::NAME, self.names(&[Argument::Single(id)]));
        }
    }

    fn constant(&self, builder: &Builder<'c, 'a>, ty: &TensorType, value: &Constant) -> Result<Value<'c, 'a>, Failure> {
        let shape = TensorShape::of(ty);
        let value = tensor_attribute(builder, &shape, value)?;
        let constant = ConstantOpBuilder::new(builder).value(value);
        constant.output_type(write_type(self.context(), ty)?).build()?.output()
    }

    /// The operations of a region whose tensors are known behind it.
    pub fn region(&mut self, builder: &Builder<'c, 'a>, region: &Region) -> Result<(), Failure> {
        for operation in &region.operations {
            let location = self.locations.of_chain(operation.span, &operation.chain);
            let builder = builder.located(self.place(location));
            let imported = self.operation(&builder, operation);
            report_at(builder.location(), &operation_name(operation), imported)?;
            self.keep_unused(&builder, operation)?;
            self.learn(operation.outputs.iter().flat_map(Argument::items));
            self.note_packs(operation.outputs.iter());
            let lengths: Vec<&Extent> = operation.outputs.iter().filter_map(|output| self.length(output)).collect();
            lengths.into_iter().for_each(|length| self.symbols.learn_extent(&length.value));
            self.require(&builder)?;
        }
        Ok(())
    }

    /// Notes that the extents of these tensors are known.
    fn learn<'t>(&mut self, tensors: impl Iterator<Item = &'t TensorId>) {
        for id in tensors {
            self.symbols.learn(&self.graph.tensor(*id).ty);
        }
    }

    /// Rewrites would drop what nobody uses, with its faults.
    fn keep_unused(&self, builder: &Builder<'c, 'a>, operation: &Operation) -> Result<(), Failure> {
        let mut results = operation.outputs.iter().flat_map(Argument::items);
        let is_told = operation.outputs.iter().flat_map(Argument::items).any(|id| self.tells(*id));
        let is_used = results.any(|id| self.used.contains(id));
        // Attributes of other operations may depend on what only this one tells.
        if !is_told && (is_used || !unused::may_fail(self.graph, &self.limits, operation)) {
            return Ok(());
        }
        let values = self.all_values(builder, &operation.outputs)?;
        KeepOpBuilder::new(builder).values(values).build()?;
        Ok(())
    }

    /// `@update`, which runs after the body.
    pub fn updates(&mut self, builder: &Builder<'c, 'a>) -> Result<(), Failure> {
        self.region(builder, &self.graph.update)?;
        for (variable, value) in &self.graph.updates {
            let Origin::Variable { file } = &self.graph.tensor(*variable).origin else { continue };
            let value = self.declared(builder, *variable, self.value(*value)?)?;
            UpdateOpBuilder::new(builder).value(value).label(file).build()?;
        }
        Ok(())
    }

    /// A new value of a variable as one of its declared type: what a run finds its extents to be is required elsewhere.
    fn declared(
        &self,
        builder: &Builder<'c, 'a>,
        variable: TensorId,
        value: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let declared = self.type_of(variable)?;
        if value.r#type() == declared {
            return Ok(value);
        }
        let shaped = ShapedOpBuilder::new(builder).input(value).name(&self.graph.tensor(variable).name);
        shaped.output_type(declared).build()?.output()
    }

    fn operation(&mut self, builder: &Builder<'c, 'a>, operation: &Operation) -> Result<(), Failure> {
        let results = match &operation.kind {
            OperationKind::Operator(call) => self.operator(builder, operation, call)?,
            OperationKind::If { arms, otherwise } => self.branch(builder, arms, otherwise, &operation.outputs)?,
            OperationKind::Loop(parts) => self.repetition(builder, operation, parts)?,
        };
        let outputs = operation.outputs.iter().flat_map(Argument::items);
        for (id, value) in outputs.zip(results) {
            self.define(*id, value);
        }
        Ok(())
    }

    fn operator(
        &self,
        builder: &Builder<'c, 'a>,
        operation: &Operation,
        call: &OperatorCall,
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let name = operation_name(operation);
        let call = &self.symbols.of_call(call)?;
        let operands = operation.inputs.iter().map(|input| self.argument_values(builder, input));
        let operands: Vec<_> = operands.collect::<Result<Vec<_>, _>>()?.concat();
        let results = self.all_types(&operation.outputs)?;
        let sizes =
            |arguments: &[Argument]| arguments.iter().map(|argument| argument.items().len()).collect::<Vec<_>>();
        let definition = self.definitions.operator(&call.operator);
        let (inputs, outputs) = (sizes(&operation.inputs), sizes(&operation.outputs));
        let mut attributes = write_call(self.context(), call, definition, &inputs, &outputs)?;
        if self.definitions.compares_tensors(&call.operator) {
            attributes.push((IdentityAttribute::NAME.into(), self.identity(&operation.inputs)));
        }
        if let Some(lengths) = self.lengths(&operation.inputs)? {
            attributes.push((LengthsAttribute::NAME.into(), lengths));
        }
        if self.is_named || operation.outputs.iter().flat_map(Argument::items).any(|id| self.tells(*id)) {
            attributes.push((ResultsAttribute::NAME.into(), self.names(&operation.outputs)));
        }
        let attributes: Vec<_> = attributes.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let made = builder.operation(&name, &operands, &attributes, &results)?;
        if let [Argument::Single(id)] = operation.outputs[..] {
            encode(self.graph, id, made)?;
        }
        Ok(made.result_values())
    }

    /// Whether extents of a tensor become known with it.
    fn tells(&self, id: TensorId) -> bool {
        !self.symbols.knows_all(&self.graph.tensor(id).ty)
    }

    /// What the model calls tensors.
    fn names(&self, arguments: &[Argument]) -> Attribute<'c> {
        self.names_of(arguments.iter().flat_map(Argument::items))
    }

    fn names_of<'t>(&self, tensors: impl Iterator<Item = &'t TensorId>) -> Attribute<'c> {
        let names: Vec<_> =
            tensors.map(|id| attributes::string(self.context(), &self.graph.tensor(*id).name)).collect();
        attributes::array(self.context(), &names)
    }

    /// Which of these tensors are the same.
    fn identity(&self, arguments: &[Argument]) -> Attribute<'c> {
        let first = first_of_same(arguments.iter().flat_map(Argument::items));
        let first: Vec<i64> = first.into_iter().map(|at| i64::try_from(at).unwrap_or(i64::MAX)).collect();
        attributes::integers(self.context(), &first)
    }
}

/// Whether a constant depends on extents that only a run knows.
fn is_open(ty: &TensorType, value: &Constant) -> bool {
    let mut open = ty.shape.iter().any(|extent| extent.as_known().is_none());
    value.symbols(&mut |_| open = true);
    open
}

/// An item for each element of a tensor.
fn repeated(item: Constant, ty: &TensorType) -> Result<Constant, Failure> {
    let mut extents = ty.shape.iter();
    let volume = extents.try_fold(SymExpr::Const(1), |volume, extent| volume.times(&extent.value));
    let volume = volume.ok_or("has a constant of too many elements")?;
    Ok(match volume {
        SymExpr::Const(known) => Constant::Repeat(Box::new(item), u64::try_from(known).unwrap_or(0)),
        length => Constant::Symbolic(Symbolic::Pack { item: Box::new(item), length }),
    })
}

/// What the operation is called in the dialect.
fn operation_name(operation: &Operation) -> String {
    match &operation.kind {
        OperationKind::Operator(call) => format!("{PREFIX}{}", call.operator),
        OperationKind::If { .. } => IfOp::NAME.to_owned(),
        OperationKind::Loop(_) => LoopOp::NAME.to_owned(),
    }
}
