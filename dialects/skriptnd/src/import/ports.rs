//! What a graph takes and gives, as the IR has it: a pack of which only a run knows the length is one tensor, whose items stand
//! along a further first dimension.

use super::encoding::encoded;
use super::region::Importer;
use crate::call::write_type;
use crate::generated::discardable::{EncodingAttribute, NameAttribute, PackAttribute, StorageAttribute};
use crate::generated::operations::{ItemsOpBuilder, PackOpBuilder};
use skriptnd_language::compose::extent::{Extent, SymExpr};
use skriptnd_language::compose::graph::{Argument, Graph, Port, TensorId, TensorType};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Attribute, Builder, Context, Type, Value, attributes};
use skriptnd_runtime::Storage;

/// An argument or a result of the graph.
pub(super) struct Slot<'g> {
    name: String,
    ids: &'g [TensorId],
    pub ty: TensorType,
    /// Whether it is a pack of which only a run knows the length.
    is_open: bool,
    /// The form of its elements, if they are taken or given in another one than they are computed with.
    storage: Option<Storage>,
}

/// The arguments, in the order of the inputs.
pub(super) fn inputs(graph: &Graph) -> Result<Vec<Slot<'_>>, Failure> {
    let length = |port: &Port| graph.pack_length(port.tensors.items()).map(|length| length.value.clone());
    let storage = |_: usize, ids: &[TensorId]| graph.storage.get(ids.first()?).copied();
    slots(graph, &graph.inputs, &|port| Ok(length(port)), &storage)
}

/// Tensors of ports; `length` tells how long a pack is, where only a run knows it, `storage` the form of tensors of the port with
/// a number.
fn slots<'g>(
    graph: &'g Graph,
    ports: &'g [Port],
    length: &dyn Fn(&Port) -> Result<Option<SymExpr>, Failure>,
    storage: &dyn Fn(usize, &[TensorId]) -> Option<Storage>,
) -> Result<Vec<Slot<'g>>, Failure> {
    let mut slots = Vec::new();
    let ty = |id: &TensorId| graph.tensor(*id).ty.clone();
    for (at, port) in ports.iter().enumerate() {
        let (name, ids) = (&port.name, port.tensors.items());
        if let Some(length) = length(port)? {
            let ty = pack_type(graph, name, (ids, &length))?;
            slots.push(Slot { name: name.clone(), ids, ty, is_open: true, storage: storage(at, ids) });
            continue;
        }
        slots.extend(ids.iter().enumerate().map(|(number, id)| {
            let name = match port.tensors {
                Argument::Pack(_) => format!("{name}.{number}"),
                _ => name.clone(),
            };
            let ids = &ids[number..=number];
            Slot { name, ids, ty: ty(id), is_open: false, storage: storage(at, ids) }
        }));
    }
    Ok(slots)
}

/// The type of a pack as one tensor.
fn pack_type(graph: &Graph, name: &str, (ids, length): (&[TensorId], &SymExpr)) -> Result<TensorType, Failure> {
    let mut types = ids.iter().map(|id| &graph.tensor(*id).ty);
    let first = types.next().ok_or("a pack without tensors")?;
    if !types.all(|other| has_same_extents(other, first)) {
        let text =
            format!("has the pack `{name}`, whose items differ in their extents, and only the run knows its length");
        return Err(format!("{text}; `--bind` gives `{length}` a value").into());
    }
    let own = Extent { value: length.clone(), bound: i64::try_from(ids.len()).ok() };
    Ok(TensorType { dtype: first.dtype, shape: [own].into_iter().chain(first.shape.iter().cloned()).collect() })
}

impl<'g> Slot<'g> {
    pub fn r#type<'c>(&self, context: &'c Context) -> Result<Type<'c>, Failure> {
        write_type(context, &self.ty)
    }

    /// The first of its tensors.
    pub fn first(&self) -> Option<TensorId> {
        self.ids.first().copied()
    }

    /// What is noted of it.
    pub fn marks<'c>(&self, graph: &Graph, context: &'c Context) -> Result<Attribute<'c>, Failure> {
        let text = |text: &str| attributes::string(context, text);
        let mut entries = vec![(NameAttribute::NAME, text(&self.name))];
        entries.extend(self.storage.map(|storage| (StorageAttribute::NAME, text(storage.name()))));
        entries.extend(self.is_open.then(|| (PackAttribute::NAME, attributes::unit(context))));
        if let Some(encoding) = self.first().filter(|_| !self.is_open).and_then(|id| graph.encodings.get(&id)) {
            entries.push((EncodingAttribute::NAME, encoded(context, encoding)?));
        }
        Ok(attributes::dictionary(context, &entries))
    }
}

impl<'s, 'l, 'c: 'a, 'a> Importer<'s, 'l, 'c, 'a> {
    /// Gives the tensors of an input their values.
    pub(super) fn take(
        &mut self,
        builder: &Builder<'c, 'a>,
        slot: &Slot<'_>,
        argument: Value<'c, 'a>,
    ) -> Result<(), Failure> {
        if !slot.is_open {
            slot.ids.iter().for_each(|id| self.define(*id, argument));
            return Ok(());
        }
        let types = slot.ids.iter().map(|id| self.type_of(*id)).collect::<Result<Vec<_>, _>>()?;
        let items = ItemsOpBuilder::new(builder).whole(argument).items_type(types).build()?.items();
        slot.ids.iter().zip(items).for_each(|(id, item)| self.define(*id, item));
        Ok(())
    }

    /// The results, in the order of the outputs.
    pub(super) fn outputs(&self) -> Result<Vec<Slot<'s>>, Failure> {
        let graph = self.graph;
        let narrow = |at: usize, ids: &[TensorId]| {
            let computed = graph.tensor(*ids.first()?).ty.dtype.element_type();
            graph.form_of_output(at).filter(|storage| *storage != computed.into())
        };
        slots(graph, &graph.outputs, &|port| self.given_length(&port.tensors), &narrow)
    }

    /// The value of an output.
    pub(super) fn give(&self, builder: &Builder<'c, 'a>, slot: &Slot<'_>) -> Result<Value<'c, 'a>, Failure> {
        if let ([id], false) = (slot.ids, slot.is_open) {
            let value = self.present_values(builder, &[Argument::Single(*id)])?;
            return value.first().copied().ok_or_else(|| "an output without a value".into());
        }
        let items = self.given_values(builder, &Argument::Pack(slot.ids.to_vec()))?;
        PackOpBuilder::new(builder).items(items).whole_type(slot.r#type(builder.context())?).build()?.whole()
    }
}

fn has_same_extents(a: &TensorType, b: &TensorType) -> bool {
    let extents = |ty: &TensorType| ty.shape.iter().map(|extent| extent.value.clone()).collect::<Vec<_>>();
    a.dtype == b.dtype && extents(a) == extents(b)
}
