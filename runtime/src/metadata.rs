//! What a compiled model says about itself: its tensors, its memory, and what a run may report.

use crate::error::ModelError;
use crate::fault::Fault;
use crate::storage::{Storage, Stored};
use crate::tensor::{ElementType, Tensor, volume};
use crate::view::View;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

/// The version of the interface that this loader knows.
const ABI_VERSION: u64 = 6;

/// An input, variable or output.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct TensorInfo {
    /// Name; of a variable the stem of its file.
    pub name: String,
    /// Type of the elements.
    #[serde(rename = "type")]
    pub element_type: ElementType,
    /// Whether it is a pack of which only a run knows the length: its items stand along the first dimension.
    #[serde(default, rename = "pack")]
    pub is_pack: bool,
    /// How the model takes the elements, if not as they are.
    #[serde(default)]
    pub storage: Option<Storage>,
    /// Extents.
    #[serde(rename = "shape")]
    pub extents: Vec<Extent>,
}

/// An extent of a tensor.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Extent {
    /// Known when compiled.
    Known(usize),
    /// An expression of the extents that a run knows, with an upper bound behind `|`: `2 * n|64`.
    Open(String),
}

/// An extent that a run gets from its inputs.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct OpenExtent {
    /// What the model calls it.
    pub name: String,
    /// Its upper bound, if it has one.
    pub bound: Option<i64>,
    /// The number of the input that tells it.
    pub input: usize,
    /// The dimension of that input, which is `factor * extent + offset`.
    pub dimension: usize,
    /// Not 0.
    pub factor: i64,
    /// Added.
    pub offset: i64,
}

/// What a library says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Metadata {
    /// Name of the graph.
    pub graph: String,
    /// LLVM's name for the processor that it was compiled for.
    pub cpu: String,
    /// What a processor must have for the code, by LLVM's names, beyond what all of its architecture have.
    pub features: Vec<String>,
    /// Inputs in the order in which they are given.
    pub inputs: Vec<TensorInfo>,
    /// Variables in the order in which they are given.
    pub variables: Vec<TensorInfo>,
    /// Outputs in order.
    pub outputs: Vec<TensorInfo>,
    /// Variables that a run gives new values, in order.
    pub states: Vec<TensorInfo>,
    /// Extents that a run gets from its inputs, in the order in which the library takes them.
    pub extents: Vec<OpenExtent>,
    /// Whether a run is given a word behind its extents, which random numbers without a seed are drawn from.
    pub takes_seed: bool,
    /// What a run may report.
    pub faults: Vec<Fault>,
    /// Bytes that are kept from the preparation.
    pub prepared_bytes: usize,
    /// Bytes that preparation and run need besides.
    pub workspace_bytes: usize,
    /// Bytes of workspace that a run uses, without buffers whose sizes depend on its extents.
    pub peak_bytes: usize,
}

impl TensorInfo {
    /// The extents, if all are known when compiled.
    pub fn shape(&self) -> Option<Vec<usize>> {
        let known = |extent: &Extent| if let Extent::Known(known) = extent { Some(*known) } else { None };
        self.extents.iter().map(known).collect()
    }

    /// Refuses another type, other extents than those that are known, and those above their bounds.
    ///
    /// # Errors
    /// Where they differ.
    pub fn check(&self, role: &'static str, element_type: ElementType, shape: &[usize]) -> Result<(), ModelError> {
        self.check_type(role, element_type)?;
        let fits = |(extent, found): (&Extent, &usize)| match extent {
            Extent::Known(known) => known == found,
            Extent::Open(_) => extent.bound().is_none_or(|bound| *found <= bound),
        };
        if shape.len() == self.extents.len() && self.extents.iter().zip(shape).all(fits) {
            return Ok(());
        }
        Err(self.wrong_shape(role, &self.extents, shape))
    }

    /// Refuses another type.
    ///
    /// # Errors
    /// Where they differ.
    pub fn check_type(&self, role: &'static str, found: ElementType) -> Result<(), ModelError> {
        let expected = self.element_type;
        if found == expected {
            return Ok(());
        }
        Err(ModelError::Type { role, name: self.name.clone(), expected, found })
    }

    /// Refuses other extents than a run has found.
    ///
    /// # Errors
    /// Where they differ.
    pub fn check_shape(&self, role: &'static str, expected: &[usize], found: &[usize]) -> Result<(), ModelError> {
        if found == expected {
            return Ok(());
        }
        let expected: Vec<Extent> = expected.iter().copied().map(Extent::Known).collect();
        Err(self.wrong_shape(role, &expected, found))
    }

    /// The elements as the model takes them; none if it takes them as they are.
    ///
    /// # Errors
    /// Where one can't be stored so.
    pub fn stored(&self, role: &'static str, view: &View<'_>) -> Result<Option<Stored>, ModelError> {
        let failed = |message| ModelError::Tensor { role, name: self.name.clone(), message };
        self.storage.map(|storage| Stored::of(storage, view)).transpose().map_err(failed)
    }

    fn wrong_shape(&self, role: &'static str, expected: &[Extent], found: &[usize]) -> ModelError {
        let shown = expected.iter().map(|extent| match extent {
            Extent::Known(known) => known.to_string(),
            Extent::Open(_) => extent.bound().map_or_else(|| "any".into(), |bound| format!("at most {bound}")),
        });
        let expected = format!("[{}]", shown.collect::<Vec<_>>().join(", "));
        ModelError::Shape { role, name: self.name.clone(), expected, found: found.to_vec() }
    }

    /// A tensor of this type and of some shape that holds zeros.
    pub fn zeros(&self, shape: Vec<usize>) -> Tensor {
        Tensor::zeros(self.element_type, shape)
    }
}

impl std::fmt::Display for Extent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Extent::Known(known) => known.fmt(f),
            Extent::Open(text) => f.write_str(text),
        }
    }
}

impl Extent {
    /// The largest value of an expression, if it has one; none if it is known.
    pub fn bound(&self) -> Option<usize> {
        match self {
            Extent::Known(_) => None,
            Extent::Open(text) => text.rsplit_once('|')?.1.parse().ok(),
        }
    }
}

impl OpenExtent {
    /// Its value, from a dimension of the input that tells it.
    ///
    /// # Errors
    /// Where it is negative, none at all, or more than its bound; the reason.
    pub fn solve(&self, dimension: usize) -> Result<i64, String> {
        let rest = i64::try_from(dimension).ok().and_then(|dimension| dimension.checked_sub(self.offset));
        let value = rest.filter(|rest| self.factor != 0 && rest % self.factor == 0).map(|rest| rest / self.factor);
        match (value, self.bound) {
            (Some(value), Some(bound)) if value > bound => {
                Err(format!("extent `{}` is {value}, more than its bound {bound}", self.name))
            }
            (Some(value), _) if value >= 0 => Ok(value),
            _ => Err(format!("no extent `{}` gives a dimension of {dimension}", self.name)),
        }
    }
}

impl Metadata {
    /// What a run writes: outputs, and variables that get new values.
    pub fn written(&self) -> impl Iterator<Item = &TensorInfo> {
        self.outputs.iter().chain(&self.states)
    }

    /// Words of the shapes that a run tells.
    pub fn found_words(&self) -> usize {
        self.written().map(|info| info.extents.len()).sum()
    }

    /// The shapes that a run told in words, of what it wrote; `room` has the largest ones.
    ///
    /// # Errors
    /// Where a shape is none that there is room for.
    pub fn found_shapes(&self, words: &[i64], room: &[Vec<usize>]) -> Result<Vec<Vec<usize>>, ModelError> {
        let mut words = words.iter();
        let of_tensor = |(info, most): (&TensorInfo, &Vec<usize>)| {
            let shape = words.by_ref().take(info.extents.len()).map(|&word| usize::try_from(word).ok());
            let most = volume(most).unwrap_or(0);
            let fits = |shape: &Vec<usize>| {
                shape.len() == info.extents.len() && volume(shape).is_some_and(|volume| volume <= most)
            };
            let shape = shape.collect::<Option<Vec<usize>>>().filter(fits);
            shape.ok_or_else(|| ModelError::Tensor {
                role: "output",
                name: info.name.clone(),
                message: "has a shape that there is no room for".into(),
            })
        };
        self.written().zip(room).map(of_tensor).collect()
    }

    /// Bytes of workspace that a run uses for whose extents the library says so many. It says more than what is noted only because
    /// of buffers that depend on them; what is noted may be more than that, because of the preparation.
    pub fn used_workspace(&self, workspace: usize) -> usize {
        if workspace > self.workspace_bytes { workspace } else { self.peak_bytes }
    }

    /// The name that a variable has in the graph: `sum` of `main.Net.sum`.
    pub fn short_name<'n>(&self, name: &'n str) -> &'n str {
        let own = name.strip_prefix("main.").and_then(|name| name.strip_prefix(self.graph.as_str()));
        own.and_then(|name| name.strip_prefix('.')).unwrap_or(name)
    }

    /// Reads what the compiler wrote.
    ///
    /// # Errors
    /// Where it is of another version or incomplete.
    pub fn read(json: &Json) -> Result<Metadata, String> {
        match json["abi"].as_u64() {
            Some(ABI_VERSION) => {}
            Some(other) => return Err(format!("its interface is version {other}; this loader knows {ABI_VERSION}")),
            None => return Err("its metadata have no version".into()),
        }
        let metadata = Metadata {
            graph: field(json, "graph")?,
            cpu: field(json, "cpu")?,
            features: field(json, "features")?,
            inputs: field(json, "inputs")?,
            variables: field(json, "variables")?,
            outputs: field(json, "outputs")?,
            states: field(json, "states")?,
            extents: field(json, "extents")?,
            takes_seed: field(json, "takes_seed")?,
            faults: field(json, "faults")?,
            prepared_bytes: field(json, "prepared_bytes")?,
            workspace_bytes: field(json, "workspace_bytes")?,
            peak_bytes: field(json, "peak_bytes")?,
        };
        let tensors = metadata.inputs.iter().chain(&metadata.variables).chain(metadata.written());
        if tensors.filter_map(TensorInfo::shape).any(|shape| volume(&shape).is_none()) {
            return Err("its metadata have a tensor of too many elements".into());
        }
        let told = |extent: &OpenExtent| {
            metadata.inputs.get(extent.input).is_some_and(|input| extent.dimension < input.extents.len())
        };
        if !metadata.extents.iter().all(told) {
            return Err("its metadata have no valid extents".into());
        }
        Ok(metadata)
    }

    pub(crate) fn parse(text: &[u8]) -> Result<Metadata, String> {
        let json = serde_json::from_slice(text).map_err(|error| format!("its metadata are no JSON: {error}"))?;
        Metadata::read(&json)
    }
}

fn field<T: DeserializeOwned>(json: &Json, name: &str) -> Result<T, String> {
    T::deserialize(&json[name]).map_err(|_| format!("its metadata have no valid {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"{"abi":6,"graph":"Net","cpu":"generic","features":[],"inputs":[{"name":"x","type":"real","shape":[2,3]}],"variables":[],
        "outputs":[{"name":"y","type":"bool","shape":[]}],"states":[],"extents":[],"takes_seed":false,"faults":[],"prepared_bytes":0,"workspace_bytes":128,"peak_bytes":64}"#;

    #[test]
    fn metadata_are_read() {
        let metadata = Metadata::parse(GOOD.as_bytes()).unwrap();
        let x = TensorInfo {
            is_pack: false,
            storage: None,
            name: "x".into(),
            element_type: ElementType::F32,
            extents: vec![Extent::Known(2), Extent::Known(3)],
        };
        assert_eq!(metadata.inputs, [x]);
        assert_eq!((metadata.outputs[0].element_type, metadata.workspace_bytes), (ElementType::Bool, 128));
        let short = ["main.Net.a.w", "main.Network.w", "w"].map(|name| metadata.short_name(name));
        assert_eq!(short, ["a.w", "main.Network.w", "w"]);
    }

    #[test]
    fn extents_have_bounds() {
        let metadata = Metadata::parse(GOOD.replace("[2,3]", "[\"2 * n|4\",\"m\"]").as_bytes()).unwrap();
        let x = &metadata.inputs[0];
        assert!(x.check("input", ElementType::F32, &[4, 100]).is_ok());
        let refused = |kind, shape: &[usize]| x.check("input", kind, shape).unwrap_err().to_string();
        let message = "input `x` must have shape [at most 4, any], but [6, 1] is given";
        assert_eq!(refused(ElementType::F32, &[6, 1]), message);
        assert_eq!(refused(ElementType::I64, &[6, 1]), "input `x` must be real, but int is given");
    }

    #[test]
    fn other_metadata_are_refused() {
        for (from, to, says) in [
            ("\"abi\":6", "\"abi\":9", "version 9"),
            ("\"abi\":6,", "", "no version"),
            ("\"real\"", "\"str\"", "no valid inputs"),
            ("[2,3]", "[18446744073709551615,3]", "too many elements"),
            ("\"features\":[]", "\"features\":7", "no valid features"),
            ("\"faults\":[]", "\"faults\":[{}]", "no valid faults"),
            ("128", "-1", "no valid workspace_bytes"),
            ("{\"abi\"", "{\"abi", "no JSON"),
        ] {
            let error = Metadata::parse(GOOD.replace(from, to).as_bytes()).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
