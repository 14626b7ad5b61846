//! What a compiled model says about itself: its tensors, its memory, and what a run may report. The compiler fills these types,
//! and libraries have them as JSON.

use crate::elf;
use crate::error::ModelError;
use crate::fault::Fault;
use crate::operation::Operation;
use crate::storage::Storage;
use crate::tensor::{ElementType, Tensor, volume};
use crate::values::Values;
use serde::{Deserialize, Serialize};

/// The version of the interface of compiled models that this release makes.
pub const ABI_VERSION: u64 = 8;
/// The oldest version that this release loads. What a release makes, the next one loads: where the version goes up, this one
/// follows a release later.
pub const OLDEST_ABI_VERSION: u64 = 7;
/// The bound of extents that stands for none: importers write it where nobody gave one, and no run meets it.
pub const OPEN_BOUND: i64 = i32::MAX as i64;
/// This release, as metadata name it.
pub const RELEASE: &str = env!("CARGO_PKG_VERSION");

/// An input, variable or output.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct TensorInfo {
    /// Name; of a variable the stem of its file.
    pub name: String,
    /// What messages call it: its name in a model of another format; empty where that is this one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// Type that elements are computed with.
    #[serde(rename = "type")]
    pub element_type: ElementType,
    /// How elements lie where the model takes or gives them.
    pub storage: Storage,
    /// Whether it is a pack of which only a run knows the length: its items stand along the first dimension.
    #[serde(default, rename = "pack", skip_serializing_if = "is_false")]
    pub is_pack: bool,
    /// Extents.
    #[serde(rename = "shape")]
    pub extents: Vec<Extent>,
    /// Between which whole numbers the elements of a variable lay when the model was compiled, where the code relies on it, and those of an
    /// output lie in every run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Values>,
}

/// An extent of a tensor: a number in JSON, or an object.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(untagged)]
pub enum Extent {
    /// Known when compiled.
    Known(usize),
    /// Known to a run only.
    Open {
        /// What it is, in terms of the extents that a run gets from its inputs: `2 * n`.
        expression: String,
        /// The largest value that it may have, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bound: Option<usize>,
    },
}

/// An extent that a run gets from its inputs.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
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

/// A version of the code.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Version {
    /// LLVM's name for the processor that it is for.
    pub cpu: String,
    /// What a processor must have for it.
    pub features: Vec<String>,
}

/// How processes share the work of a model.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Shard {
    /// Along what: `channel` or `batch`.
    pub along: String,
    /// How many there have to be; none where any number may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processes: Option<usize>,
}

/// What a library says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
pub struct Metadata {
    /// [`ABI_VERSION`] of the compiler.
    pub abi: u64,
    /// [`RELEASE`] of the compiler.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub release: String,
    /// Name of the graph.
    pub graph: String,
    /// LLVM's triple of the machine that it was compiled for.
    pub target: String,
    /// LLVM's name for the processor that it was compiled for.
    pub cpu: String,
    /// What a processor must have for the code, by LLVM's names, beyond what all of its architecture have.
    pub features: Vec<String>,
    /// Where there are several versions of the code, for which processors they are, from the least to the best. `cpu` and
    /// `features` are those of the least.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<Version>,
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
    /// How many loops share their work among the threads of a pool, if a run is given one.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub parallel_loops: usize,
    /// Whether a run is given a word behind its extents, which random numbers without a seed are drawn from.
    pub takes_seed: bool,
    /// What a run may report.
    pub faults: Vec<Fault>,
    /// What a profile tells the times of, if the model was compiled for that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<Operation>,
    /// How several processes share its work, if it was compiled for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Bytes of VTCM that a run needs, if the model was compiled to have some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vtcm_bytes: Option<usize>,
    /// Bytes that are kept from the preparation.
    pub prepared_bytes: usize,
    /// Bytes that preparation and run need besides.
    pub workspace_bytes: usize,
    /// Bytes of workspace that a run uses, without buffers whose sizes depend on its extents.
    pub peak_bytes: usize,
}

impl TensorInfo {
    /// What messages call it.
    pub fn called(&self) -> &str {
        if self.label.is_empty() { &self.name } else { &self.label }
    }

    /// The extents, if all are known when compiled.
    pub fn shape(&self) -> Option<Vec<usize>> {
        let known = |extent: &Extent| if let Extent::Known(known) = extent { Some(*known) } else { None };
        self.extents.iter().map(known).collect()
    }

    /// Refuses another type, other extents than those that are known, and those above their bounds.
    ///
    /// # Errors
    /// Where they differ.
    pub fn check(&self, role: &'static str, storage: impl Into<Storage>, shape: &[usize]) -> Result<(), ModelError> {
        self.check_type(role, storage)?;
        let fits = |(extent, found): (&Extent, &usize)| match extent {
            Extent::Known(known) => known == found,
            Extent::Open { bound, .. } => bound.is_none_or(|bound| *found <= bound),
        };
        if shape.len() == self.extents.len() && self.extents.iter().zip(shape).all(fits) {
            return Ok(());
        }
        Err(self.wrong_shape(role, &self.extents, shape))
    }

    /// Refuses another type than that which elements have where they lie, or which they are computed with.
    ///
    /// # Errors
    /// Where they differ.
    pub fn check_type(&self, role: &'static str, found: impl Into<Storage>) -> Result<(), ModelError> {
        let found = found.into();
        if found == self.element_type.into() { Ok(()) } else { self.check_storage(role, found) }
    }

    /// Refuses another form than that which elements have where they lie.
    ///
    /// # Errors
    /// Where they differ.
    pub fn check_storage(&self, role: &'static str, found: Storage) -> Result<(), ModelError> {
        let expected = self.storage;
        if found == expected {
            return Ok(());
        }
        Err(ModelError::Type { role, name: self.called().to_owned(), expected, found })
    }

    /// What is shown behind its type: ` as f16`, where its elements lie in another form than they are computed with.
    pub fn form(&self) -> String {
        if self.storage.element_type().is_some() { String::new() } else { format!(" as {}", self.storage) }
    }

    /// Bytes that a tensor of some shape takes.
    pub fn size(&self, shape: &[usize]) -> usize {
        volume(shape).unwrap_or(0) * self.storage.size()
    }

    /// Refuses other extents than a run has found.
    ///
    /// # Errors
    /// Where they differ.
    pub fn check_shape(&self, role: &'static str, expected: &[usize], found: &[usize]) -> Result<(), ModelError> {
        // One by one: for so few, a call that compares memory takes longer than the loop.
        if found.iter().eq(expected) {
            return Ok(());
        }
        let expected: Vec<Extent> = expected.iter().copied().map(Extent::Known).collect();
        Err(self.wrong_shape(role, &expected, found))
    }

    fn wrong_shape(&self, role: &'static str, expected: &[Extent], found: &[usize]) -> ModelError {
        let shown = expected.iter().map(|extent| match extent {
            Extent::Known(known) => known.to_string(),
            Extent::Open { bound: Some(bound), .. } if i64::try_from(*bound).is_ok_and(|bound| bound < OPEN_BOUND) => {
                format!("at most {bound}")
            }
            Extent::Open { .. } => "any".into(),
        });
        let expected = format!("[{}]", shown.collect::<Vec<_>>().join(", "));
        ModelError::Shape { role, name: self.called().to_owned(), expected, found: found.to_vec() }
    }

    /// A tensor of this type and of some shape that holds zeros.
    pub fn zeros(&self, shape: Vec<usize>) -> Tensor {
        Tensor::zeros(self.element_type, shape)
    }
}

impl std::fmt::Display for Extent {
    /// As the language writes it: `2 * n|64`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Extent::Known(known) => known.fmt(f),
            Extent::Open { expression, bound: Some(bound) } => write!(f, "{expression}|{bound}"),
            Extent::Open { expression, bound: None } => f.write_str(expression),
        }
    }
}

impl Extent {
    /// What it is in terms of the extents that a run gets from its inputs, if it is not known when compiled.
    pub fn expression(&self) -> Option<&str> {
        match self {
            Extent::Known(_) => None,
            Extent::Open { expression, .. } => Some(expression),
        }
    }

    /// The largest value of one that is not known when compiled, if there is one.
    pub fn bound(&self) -> Option<usize> {
        match self {
            Extent::Known(_) => None,
            Extent::Open { bound, .. } => *bound,
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
        let mut shapes = Vec::new();
        self.take_found_shapes(words, room, &mut shapes)?;
        Ok(shapes)
    }

    /// The same in a list that had such shapes before, whose memory they take.
    ///
    /// # Errors
    /// As [`Metadata::found_shapes`].
    pub fn take_found_shapes(
        &self,
        words: &[i64],
        room: &[Vec<usize>],
        shapes: &mut Vec<Vec<usize>>,
    ) -> Result<(), ModelError> {
        let mut words = words.iter();
        shapes.resize_with(self.written().count().min(room.len()), Vec::new);
        for ((info, most), shape) in self.written().zip(room).zip(shapes) {
            shape.clear();
            let told = words.by_ref().take(info.extents.len());
            shape.extend(told.map_while(|&word| usize::try_from(word).ok()));
            let most = volume(most).unwrap_or(0);
            if shape.len() != info.extents.len() || volume(shape).is_none_or(|volume| volume > most) {
                let message = "has a shape that there is no room for".into();
                return Err(ModelError::Tensor { role: "output", name: info.called().to_owned(), message });
            }
        }
        Ok(())
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
    pub fn parse(text: &[u8]) -> Result<Metadata, String> {
        let Interface { abi, release } =
            serde_json::from_slice(text).map_err(|error| format!("its metadata are no JSON: {error}"))?;
        match abi {
            Some(OLDEST_ABI_VERSION..=ABI_VERSION) => {}
            Some(other) => return Err(other_version(other, release.as_deref())),
            None => return Err("its metadata have no version".into()),
        }
        let metadata: Metadata =
            serde_json::from_slice(text).map_err(|error| format!("its metadata are malformed: {error}"))?;
        metadata.check()?;
        Ok(metadata)
    }

    /// Those of a program that was made for Hexagon; none where a file is no such program.
    ///
    /// # Errors
    /// Where they are of another version or incomplete.
    pub fn of_hexagon(file: &[u8]) -> Option<Result<Metadata, String>> {
        let is_hexagon = elf::other_machine(file).as_deref() == Some("hexagon");
        let text = elf::constant(file, "skriptnd_metadata").filter(|_| is_hexagon)?;
        Some(Metadata::parse(text.strip_suffix(&[0]).unwrap_or(text)))
    }

    /// The same as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    fn check(&self) -> Result<(), String> {
        let tensors = || self.inputs.iter().chain(&self.variables).chain(self.written());
        if let Some(wrong) = tensors().find(|info| !info.storage.holds(info.element_type)) {
            let TensorInfo { name, element_type, storage, .. } = wrong;
            return Err(format!("its metadata store `{name}` as {storage}, which is {element_type}"));
        }
        if tensors().any(|info| info.shape().is_some_and(|shape| volume(&shape).is_none())) {
            return Err("its metadata have a tensor of too many elements".into());
        }
        let told = |extent: &OpenExtent| {
            self.inputs.get(extent.input).is_some_and(|input| extent.dimension < input.extents.len())
        };
        match self.extents.iter().all(told) {
            true => Ok(()),
            false => Err("its metadata have no valid extents".into()),
        }
    }
}

/// What all versions of the interface have.
#[derive(Deserialize)]
struct Interface {
    abi: Option<u64>,
    release: Option<String>,
}

/// That a model has a version of the interface that is not loaded.
fn other_version(found: u64, release: Option<&str>) -> String {
    let maker = release.map(|release| format!(", made by release {release}")).unwrap_or_default();
    let expected = match ABI_VERSION - OLDEST_ABI_VERSION {
        0 => ABI_VERSION.to_string(),
        _ => format!("{OLDEST_ABI_VERSION} to {ABI_VERSION}"),
    };
    let help = match found > ABI_VERSION {
        true => "take the libraries of that release, or compile the model again with this one",
        false => "compile the model again with this release",
    };
    format!(
        "its interface is version {found}{maker}; expected version {expected}, which release {RELEASE} loads\nhelp: {help}"
    )
}

fn is_zero(value: &usize) -> bool {
    *value == 0
}

fn is_false(value: &bool) -> bool {
    !value
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = concat!(
        r#"{"abi":8,"graph":"Net","target":"x86_64-unknown-linux-gnu","cpu":"generic","features":[],"#,
        r#""inputs":[{"name":"x","type":"real","storage":"f16","shape":[2,3]}],"variables":[],"#,
        r#""outputs":[{"name":"y","type":"bool","storage":"bool","shape":[]}],"states":[],"extents":[],"takes_seed":false,"#,
        r#""faults":[],"prepared_bytes":0,"workspace_bytes":128,"peak_bytes":64}"#
    );

    #[test]
    fn metadata_are_read() {
        let metadata = Metadata::parse(GOOD.as_bytes()).unwrap();
        let x = TensorInfo {
            is_pack: false,
            storage: Storage::F16,
            name: "x".into(),
            label: String::new(),
            element_type: ElementType::F32,
            extents: vec![Extent::Known(2), Extent::Known(3)],
            values: None,
        };
        assert_eq!(metadata.inputs, [x]);
        assert_eq!((metadata.outputs[0].element_type, metadata.workspace_bytes), (ElementType::Bool, 128));
        let short = ["main.Net.a.w", "main.Network.w", "w"].map(|name| metadata.short_name(name));
        assert_eq!(short, ["a.w", "main.Network.w", "w"]);
        assert_eq!(metadata.to_json(), GOOD);
    }

    #[test]
    fn extents_have_bounds() {
        const OPEN: &str = r#"[{"expression":"2 * n","bound":4},{"expression":"m"}]"#;
        let metadata = Metadata::parse(GOOD.replace("[2,3]", OPEN).as_bytes()).unwrap();
        let x = &metadata.inputs[0];
        assert!(x.check("input", ElementType::F32, &[4, 100]).is_ok());
        let refused = |kind, shape: &[usize]| x.check("input", kind, shape).unwrap_err().to_string();
        let message = "input `x` must have shape [at most 4, any], but [6, 1] is given";
        assert_eq!(refused(ElementType::F32, &[6, 1]), message);
        assert_eq!(refused(ElementType::I64, &[6, 1]), "input `x` must be f16, but i64 is given");
        assert_eq!(x.extents.iter().map(Extent::to_string).collect::<Vec<_>>(), ["2 * n|4", "m"]);
        assert_eq!(metadata.to_json(), GOOD.replace("[2,3]", OPEN));
    }

    #[test]
    fn what_later_releases_add_is_passed_over() {
        let added = GOOD.replace("\"graph\"", "\"colour\":{\"sky\":[1]},\"release\":\"9.9\",\"graph\"");
        let metadata = Metadata::parse(added.as_bytes()).unwrap();
        assert_eq!((metadata.release.as_str(), metadata.graph.as_str()), ("9.9", "Net"));
    }

    #[test]
    fn the_header_has_the_version() {
        let header = include_str!("../include/skriptnd.h");
        assert!(header.contains(&format!("#define SKRIPTND_ABI {ABI_VERSION}\n")));
    }

    #[test]
    fn other_metadata_are_refused() {
        for (from, to, says) in [
            ("\"abi\":8", "\"abi\":6", "version 6; expected version 7 to 8, which release"),
            (
                "\"abi\":8",
                "\"abi\":6,\"release\":\"0.0.1\"",
                "version 6, made by release 0.0.1; expected version 7 to 8",
            ),
            ("\"abi\":8", "\"abi\":9", "help: take the libraries of that release, or"),
            ("\"abi\":8,", "", "no version"),
            ("\"real\"", "\"str\"", "unknown variant `str`"),
            ("\"f16\"", "\"i32\"", "store `x` as i32, which is real"),
            ("[2,3]", "[\"n\"]", "malformed"),
            ("[2,3]", "[18446744073709551615,3]", "too many elements"),
            ("\"features\":[]", "\"features\":7", "invalid type: integer `7`"),
            ("\"faults\":[]", "\"faults\":[{}]", "missing field `code`"),
            ("128", "-1", "invalid value: integer `-1`"),
            ("{\"abi\"", "{\"abi", "no JSON"),
        ] {
            let error = Metadata::parse(GOOD.replace(from, to).as_bytes()).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
