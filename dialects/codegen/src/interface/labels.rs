//! What messages call the tensors of a graph that was made of a model in another format.

use super::entry;
use crate::notes;
use skriptnd_mlir::ir::{OperationRef, attributes};
use skriptnd_runtime::metadata::TensorInfo;

/// What messages call inputs and outputs, by names in the graph that are others.
#[derive(Debug, Clone, Default)]
pub struct Labels {
    /// Of inputs.
    pub inputs: Vec<(String, String)>,
    /// Of outputs.
    pub outputs: Vec<(String, String)>,
}

/// Notes what messages call inputs and outputs that have other names in the model that a graph was made of.
pub fn label(module: OperationRef<'_, '_>, labels: &Labels) {
    if labels.inputs.is_empty() && labels.outputs.is_empty() {
        return;
    }
    let context = module.context();
    let noted = |labels: &[(String, String)]| {
        let entries = labels.iter().map(|(name, label)| (name.as_str(), attributes::string(context, label)));
        attributes::dictionary(context, &entries.collect::<Vec<_>>())
    };
    let roles = [("inputs", noted(&labels.inputs)), ("outputs", noted(&labels.outputs))];
    module.set(notes::LABELS, attributes::dictionary(context, &roles));
}

/// Calls tensors of a role by their labels, where a module notes such.
pub(super) fn call(module: OperationRef<'_, '_>, role: &str, infos: &mut [TensorInfo]) {
    let Some(labels) = module.get(notes::LABELS).and_then(|labels| entry(labels, role)) else { return };
    for info in infos {
        let label = entry(labels, &info.name).and_then(attributes::as_string);
        info.label = label.unwrap_or_default().to_owned();
    }
}
