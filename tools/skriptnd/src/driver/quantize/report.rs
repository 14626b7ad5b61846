//! What is told of a quantization: as a table, and as JSON.

use super::{Activations, MethodName, Options};
use crate::driver::model::Composed;
use crate::failure::Failure;
use serde_json::{Value as Json, json};
use skriptnd_compiler::quantize::{Contents, Deviation, Parameters, Quantized, Seen, Written, left_whole};
use skriptnd_language::compose::graph::{Graph, Operation, OperationKind, TensorId};
use skriptnd_runtime::{Storage, Tensor};
use skriptnd_source::Span;
use std::collections::BTreeMap;
use std::fmt::Write;

/// How far the result of an operation is from what it is with reals.
pub struct Layer {
    /// What the quantized model calls it.
    pub name: String,
    pub operator: String,
    /// File and line.
    pub source: String,
    /// What of a model of another format it was made of.
    origin: Option<String>,
    /// Whether it is an output of the graph.
    pub is_output: bool,
    /// With all that was quantized before it.
    pub whole: Deviation,
    /// Of rounding this result alone; nothing is counted where it is not quantized.
    pub alone: Deviation,
}

impl Layer {
    pub fn of(
        (composed, operation, id): (&Composed, &Operation, TensorId),
        written: &Written,
        whole: Deviation,
        alone: Deviation,
    ) -> Layer {
        let (graph, sources) = (&composed.graph, &composed.definitions.sources);
        let name = written.names.get(&id).cloned().unwrap_or_default();
        let operator = match &operation.kind {
            OperationKind::Operator(call) => call.operator.to_string(),
            _ => String::new(),
        };
        let file = sources.file(operation.span.file).map(|file| file.name.as_str()).unwrap_or_default();
        let source = format!("{file}:{}", sources.position(operation.span).0);
        let origin = sources.origin(operation.span).map(ToString::to_string);
        let is_output = graph.outputs.iter().any(|port| port.tensors.items() == [id]);
        Layer { name, operator, source, origin, is_output, whole, alone }
    }

    /// Its line of the table.
    fn write(&self, text: &mut String) {
        let (Layer { name, operator, whole, alone, .. }, place) = (self, self.place());
        let lost = format!("; {} elements are finite in one only", whole.lost);
        let lost = if whole.lost > 0 { lost } else { String::new() };
        let numbers = [number(whole.largest), number(whole.most)];
        let [largest, most] = &numbers;
        let decibels = [decibels(whole), decibels(alone)];
        let [whole, alone] = &decibels;
        let _ = writeln!(text, "{whole:>8} {alone:>8} {largest:>11} {most:>11}  {operator} {name} ({place}){lost}");
    }

    /// Where it comes from, for people.
    pub fn place(&self) -> &str {
        self.origin.as_deref().unwrap_or(&self.source)
    }
}

/// All that is told.
pub struct Report {
    method: MethodName,
    activations: Option<Activations>,
    weight_bits: u32,
    batches: usize,
    /// How tensors are quantized.
    pub parameters: BTreeMap<TensorId, Parameters>,
    tensors: Vec<Json>,
    weights: Vec<Json>,
    bytes: [usize; 2],
    /// In the order of the model.
    pub layers: Vec<Layer>,
    pub warnings: Vec<String>,
}

/// A line of the model, or what it was made of.
fn place(composed: &Composed, span: Span) -> String {
    let sources = &composed.definitions.sources;
    let file = sources.file(span.file).map(|file| file.name.as_str()).unwrap_or_default();
    let line = format!("{file}:{}", sources.position(span).0);
    sources.origin(span).map_or(line, ToString::to_string)
}

impl Report {
    /// Without anything that was found.
    pub fn of(options: &Options, batches: usize) -> Report {
        Report {
            method: options.method,
            activations: (!options.weight_only).then_some(options.activations),
            weight_bits: 8,
            batches,
            parameters: BTreeMap::new(),
            tensors: Vec::new(),
            weights: Vec::new(),
            bytes: [0, 0],
            layers: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Says what of a graph stays as it is, and what is left out.
    pub fn warn_of_graph(&mut self, composed: &Composed) {
        for (operation, what) in left_whole(&composed.graph) {
            let place = place(composed, operation.span);
            self.warnings.push(format!("the products within {what} ({place}) stay real"));
        }
        if !composed.graph.quantizations.is_empty() {
            self.warnings.push("the model's own @quantize is left out of the quantized model".into());
        }
    }

    /// Warns of asserts that the text lacks.
    pub fn warn_of_asserts(&mut self, composed: &Composed, left_out: &[Span]) {
        for span in left_out {
            let place = place(composed, *span);
            self.warnings.push(format!(
                "an assert about an extent that only data tell ({place}) is left out of the quantized model"
            ));
        }
    }

    /// Says what is odd of the values of a tensor.
    pub fn warn_of_values(&mut self, name: &str, seen: &Seen) -> Result<(), Failure> {
        match seen {
            Seen { count: 0, not_finite: 1.., .. } => {
                let failure =
                    Failure::input(format!("`{name}` has no finite number in any sample: it can't be quantized"));
                return Err(
                    failure.with_help("`skriptnd compare` and `skriptnd run` show where what is no number comes from")
                );
            }
            Seen { count: 0, .. } => {
                self.warnings.push(format!("`{name}` has no elements in any sample; its scale is 1"))
            }
            Seen { limits: [0.0, 0.0], .. } => {
                self.warnings.push(format!("`{name}` is 0 in all samples; its scale is 1"))
            }
            _ => {}
        }
        if seen.not_finite > 0 && seen.count > 0 {
            let (odd, all) = (seen.not_finite, seen.not_finite + seen.count);
            self.warnings.push(format!(
                "`{name}`: {odd} of {all} elements are no finite numbers; they are left out of its range"
            ));
        }
        Ok(())
    }

    /// Notes what was quantized.
    pub fn note(
        &mut self,
        graph: &Graph,
        written: &Written,
        (seen, parameters): (&BTreeMap<TensorId, Seen>, &BTreeMap<TensorId, Parameters>),
        (reals, weights): (&BTreeMap<TensorId, Tensor>, &BTreeMap<TensorId, Quantized>),
    ) {
        self.parameters.clone_from(parameters);
        self.tensors = parameters.iter().filter_map(|(id, parameters)| {
            let (name, seen) = (written.names.get(id)?, seen.get(id)?);
            Some(json!({
                "name": name, "least": finite(seen.limits[0]), "most": finite(seen.limits[1]), "scale": parameters.scale,
                "zero_point": parameters.zero_point, "bits": parameters.form.bits, "signed": parameters.form.signed,
            }))
        }).collect();
        self.weights = weights.iter().filter_map(|(id, weight)| {
            let mut deviation = Deviation::default();
            deviation.note(&weight.reals(), super::runner::reals(reals.get(id)?));
            Some(json!({
                "name": written.names.get(id)?, "shape": weight.shape, "bits": weight.bits, "scales": weight.scales.len(),
                "snr_db": deviation.decibels(), "max_error": deviation.largest,
            }))
        }).collect();
        self.weight_bits = weights.values().map(|weight| weight.bits).next().unwrap_or(self.weight_bits);
        self.bytes = [bytes_of(graph), written_bytes(graph, written)];
    }

    /// One object.
    pub fn json(&self, output: &str) -> Json {
        let layers: Vec<Json> = self.layers.iter().map(|layer| of_layer(layer, true)).collect();
        let outputs: Vec<Json> =
            self.layers.iter().filter(|layer| layer.is_output).map(|layer| of_layer(layer, false)).collect();
        json!({
            "output": output,
            "method": name(self.method),
            "activations": self.activations.map(name),
            "weights": format!("i{}", self.weight_bits),
            "batches": self.batches,
            "bytes": { "before": self.bytes[0], "after": self.bytes[1] },
            "layers": layers,
            "outputs": outputs,
            "quantized_tensors": self.tensors,
            "quantized_weights": self.weights,
            "warnings": self.warnings,
        })
    }

    /// For people.
    pub fn table(&self) -> String {
        let mut text = String::new();
        if !self.layers.is_empty() {
            text = format!("{:>8} {:>8} {:>11} {:>11}  layer\n", "dB", "alone", "max error", "largest");
        }
        self.layers.iter().for_each(|layer| layer.write(&mut text));
        let [before, after] = self.bytes;
        let part = format!(", {:.1} % of {before}", 100.0 * after as f64 / before as f64);
        let part = if before > 0 { part } else { String::new() };
        let tensors = format!("{} tensors of {} samples and ", self.tensors.len(), self.batches);
        let tensors = if self.tensors.is_empty() { String::new() } else { tensors };
        let weights = self.weights.len();
        // Writing to a string does not fail.
        let _ = writeln!(text, "{tensors}{weights} weights are quantized; the variables have {after} bytes{part}");
        text
    }
}

fn name(value: impl clap::ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

fn finite(value: f32) -> Option<f32> {
    Some(value).filter(|value| value.is_finite())
}

fn of_layer(layer: &Layer, is_whole: bool) -> Json {
    let Layer { name, operator, source, origin, whole, alone, .. } = layer;
    let mut told = json!({
        "name": name, "snr_db": whole.decibels(), "max_error": whole.largest, "largest": whole.most, "lost": whole.lost,
    });
    if is_whole {
        told["operator"] = json!(operator);
        told["source"] = json!(source);
        told["origin"] = json!(origin);
        told["quantized"] = json!(alone.count > 0);
        told["alone_snr_db"] = json!(alone.decibels());
    }
    told
}

/// Nothing differs where there is no number.
pub fn decibels(deviation: &Deviation) -> String {
    match deviation.decibels() {
        Some(decibels) => format!("{decibels:.1}"),
        None if deviation.count > 0 && deviation.largest == 0.0 => "exact".into(),
        None => "-".into(),
    }
}

fn number(value: f64) -> String {
    if value != 0.0 && !(1e-3..1e5).contains(&value) { format!("{value:.3e}") } else { format!("{value:.5}") }
}

/// The bytes of the variables of a graph.
fn bytes_of(graph: &Graph) -> usize {
    let of_one = |id: &TensorId| {
        let tensor = graph.tensor(*id);
        let extents =
            tensor.ty.shape.iter().map(|extent| extent.as_known().and_then(|extent| usize::try_from(extent).ok()));
        let storage = graph.storage.get(id).copied().unwrap_or(tensor.ty.dtype.element_type().into());
        Some(extents.collect::<Option<Vec<_>>>()?.iter().product::<usize>() * Storage::size(storage))
    };
    graph.variables.iter().filter_map(of_one).sum()
}

fn written_bytes(graph: &Graph, written: &Written) -> usize {
    let of_one = |id: TensorId| bytes_of(&Graph { variables: vec![id], ..graph.clone() });
    let bytes = |contents: &Contents| match contents {
        Contents::Same(id) => of_one(*id),
        Contents::Whole(values) => values.len(),
        Contents::Nibbles(bytes) => bytes.len(),
        Contents::Reals(values) => 4 * values.len(),
    };
    written.files.iter().map(|file| bytes(&file.contents)).sum()
}
