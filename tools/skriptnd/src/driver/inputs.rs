//! `--input [NAME=]FILE[,FILE...]`

use super::extents::Extents;
use super::kept::keep;
use super::model::Composed;
use crate::failure::Failure;
use skriptnd_language::compose::extent::Extent;
use skriptnd_language::compose::graph::{Argument, Graph, Origin, Port, TensorType};
use skriptnd_runtime::intrinsic::random::Generator;
use skriptnd_runtime::tensor::volume;
use skriptnd_runtime::{ElementType, FileError, Storage, Tensor, TensorData, TensorFile};
use skriptnd_source::diagnostics::{Diagnostic, Diagnostics, nearest};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Larger tensors are not made up.
pub const MAX_ELEMENTS: usize = 1 << 31;

/// What `--input` may give: a tensor, or a pack of them.
pub struct InputPort<'a> {
    pub name: &'a str,
    /// What a model of another format calls it; empty where that is its name.
    pub label: &'a str,
    pub is_pack: bool,
    /// What its elements are computed with, and how they may be stored.
    pub form: Option<(ElementType, Storage)>,
}

/// The inputs of a graph.
fn ports(Composed { graph, labels, .. }: &Composed) -> Vec<InputPort<'_>> {
    let is_pack = |port: &Port| matches!(port.tensors, Argument::Pack(_));
    let form = |port: &Port| {
        let id = port.tensors.items().first()?;
        Some((graph.tensor(*id).ty.dtype.element_type(), *graph.storage.get(id)?))
    };
    let label = |name: &str| labels.inputs.iter().find(|(own, _)| own == name).map_or("", |(_, label)| label.as_str());
    let ports = graph.inputs.iter().map(|port| InputPort {
        name: &port.name,
        label: label(&port.name),
        is_pack: is_pack(port),
        form: form(port),
    });
    ports.collect()
}

/// What is given for inputs, one entry each.
pub struct Given {
    pub values: Vec<Option<Argument<Tensor>>>,
    /// The files that they come from.
    pub files: Vec<Option<OsString>>,
}

impl Given {
    /// The values, if the graph takes them.
    pub fn checked(self, composed: &Composed) -> Result<Vec<Option<Argument<Tensor>>>, Failure> {
        let graph = &composed.graph;
        let Err(found) = skriptnd_interpret::check_inputs(graph, &self.values) else { return Ok(self.values) };
        let span = |port: &Port| port.tensors.items().first().map(|id| graph.tensor(*id).span);
        let file = |diagnostic: &Diagnostic| {
            let at = graph.inputs.iter().position(|port| span(port) == Some(diagnostic.span))?;
            Some(self.files[at].as_ref()?.to_string_lossy())
        };
        let mut told = Diagnostics::default();
        for diagnostic in found.iter().cloned() {
            told.push(match file(&diagnostic) {
                Some(file) => diagnostic.with_note(format!("its value is read from {file}")),
                None => diagnostic,
            });
        }
        Err(composed.fail(&told))
    }
}

/// Reads the files for a graph.
pub fn read_graph_inputs(composed: &Composed, given: &[OsString]) -> Result<Given, Failure> {
    read_inputs(&ports(composed), &format!("graph {}", composed.graph.name), given)
}

/// Reads the files. Those without a name stand for the inputs without a value, in order. `owner` is what has the inputs.
pub fn read_inputs(ports: &[InputPort], owner: &str, given: &[OsString]) -> Result<Given, Failure> {
    let mut inputs = Given { values: vec![None; ports.len()], files: vec![None; ports.len()] };
    let mut unnamed = Vec::new();
    for text in given {
        match named(ports, owner, text)? {
            Some((at, files)) => match inputs.files[at].replace(files.to_owned()) {
                None => inputs.values[at] = Some(read(files, &ports[at])?),
                Some(first) => return Err(given_twice(ports[at].name, &first, files)),
            },
            None => unnamed.push(text),
        }
    }
    for files in unnamed {
        let Some(at) = inputs.values.iter().position(Option::is_none) else {
            return Err(too_many(files, owner, ports));
        };
        inputs.values[at] = Some(read(files, &ports[at])?);
        inputs.files[at] = Some(files.clone());
    }
    Ok(inputs)
}

fn given_twice(name: &str, first: &OsStr, second: &OsStr) -> Failure {
    let (first, second) = (first.to_string_lossy(), second.to_string_lossy());
    let failure = Failure::usage(format!("input `{name}` is given twice: {first} and {second}"));
    failure.with_help("a tensor pack is given at once: --input NAME=FILE,FILE")
}

fn too_many(files: &OsStr, owner: &str, ports: &[InputPort]) -> Failure {
    let (files, names) = (files.to_string_lossy(), names(ports));
    match ports {
        [] => Failure::usage(format!("--input {files}: {owner} has no inputs")),
        [_] => Failure::usage(format!("--input {files}: {owner} has only one input, {names}, which has a value")),
        _ => {
            let count = ports.len();
            Failure::usage(format!("--input {files}: {owner} has only {count} inputs, which all have a value: {names}"))
        }
    }
    .with_help("leave it out; a name says which input a file is for: --input NAME=FILE")
}

fn names(ports: &[InputPort]) -> String {
    ports.iter().map(|port| port.name).collect::<Vec<_>>().join(", ")
}

/// The input that a name before `=` means, and the files.
fn named<'a>(ports: &[InputPort], owner: &str, text: &'a OsStr) -> Result<Option<(usize, &'a OsStr)>, Failure> {
    let Some((name, files)) = split_once(text, b'=') else { return Ok(None) };
    let Some(name) = name.to_str() else { return Ok(None) };
    let of_name = ports.iter().position(|port| port.name == name);
    if let Some(at) = of_name.or_else(|| ports.iter().position(|port| port.label == name && !name.is_empty())) {
        return Ok(Some((at, files)));
    }
    let is_identifier = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_identifier && !Path::new(text).exists() {
        let known = names(ports);
        let failure = match ports {
            [] => Failure::usage(format!("{owner} has no input `{name}`; it has none")),
            _ => Failure::usage(format!("{owner} has no input `{name}`; its inputs are: {known}")),
        };
        let near = nearest(name, ports.iter().map(|port| port.name));
        return Err(match near {
            Some(near) => failure.with_help(format!("did you mean `{near}`?")),
            None => failure,
        });
    }
    Ok(None)
}

/// Names of files need not be UTF-8.
pub fn split_once(text: &OsStr, at: u8) -> Option<(&OsStr, &OsStr)> {
    let bytes = text.as_bytes();
    let place = bytes.iter().position(|&byte| byte == at)?;
    Some((OsStr::from_bytes(&bytes[..place]), OsStr::from_bytes(&bytes[place + 1..])))
}

/// The tensors of files; no file at all is a pack without items.
fn read(files: &OsStr, port: &InputPort) -> Result<Argument<Tensor>, Failure> {
    let pack = port.is_pack;
    let items: Vec<&OsStr> = match files.is_empty() && pack {
        true => Vec::new(),
        false => files.as_bytes().split(|&byte| byte == b',').map(OsStr::from_bytes).collect(),
    };
    if items.iter().any(|file| file.is_empty()) && !Path::new(files).exists() {
        let files = files.to_string_lossy();
        return Err(Failure::usage(format!("--input {files}: the name of a file is missing"))
            .with_help(format!("give a file: --input {}=FILE", port.name)));
    }
    let read = |file: &OsStr| {
        keep(Path::new(file), "the file of an input");
        read_stored(Path::new(file), port.form).map_err(|error| unreadable(port.name, &error))
    };
    if pack {
        return Ok(Argument::Pack(items.into_iter().map(read).collect::<Result<_, _>>()?));
    }
    if items.len() > 1 && !Path::new(files).exists() {
        let (files, name, count) = (files.to_string_lossy(), port.name, items.len());
        let message = format!("--input {files}: {count} files, but the input `{name}` is one tensor, not a pack");
        return Err(
            Failure::usage(message).with_help("give each input a file of its own: --input A=FILE --input B=FILE")
        );
    }
    read(files).map(Argument::Single)
}

/// The tensor of a file, whose elements may have some form.
pub fn read_stored(file: &Path, form: Option<(ElementType, Storage)>) -> Result<Tensor, FileError> {
    read_in_form(&TensorFile::open(file)?, form)
}

/// The tensor of an open file, whose elements may have some form.
pub fn read_in_form(file: &TensorFile, form: Option<(ElementType, Storage)>) -> Result<Tensor, FileError> {
    form.map_or_else(|| file.read(), |(element_type, storage)| file.read_as(element_type, storage))
}

/// That the file of an input can't be read.
fn unreadable(name: &str, error: &FileError) -> Failure {
    let failure = Failure::input(format!("input `{name}`: {error}"));
    match error.help() {
        Some(help) => failure.with_help(help),
        None => failure,
    }
}

/// Gives the inputs that have neither a file nor a default random values.
pub fn fill_randomly(graph: &Graph, inputs: &mut [Option<Argument<Tensor>>], seed: usize) -> Result<(), Failure> {
    let extents = extents_of(graph, inputs, true);
    for (number, (port, input)) in graph.inputs.iter().zip(inputs).enumerate() {
        let has_default = |&id: &_| matches!(graph.tensor(id).origin, Origin::Input { default: Some(_) });
        let items = port.tensors.items();
        if input.is_some() || (!items.is_empty() && items.iter().all(has_default)) {
            continue;
        }
        let storage = |at: usize| items.get(at).and_then(|id| graph.storage.get(id).copied());
        let tensor = |(at, ty): (usize, &_)| random(ty, storage(at), seed + 100 * number + at);
        let types = types_of(graph, port, &extents);
        let tensors = types.iter().enumerate().map(tensor).collect::<Result<Vec<_>, _>>()?;
        *input = match port.tensors {
            Argument::Null => None,
            Argument::Single(_) => tensors.into_iter().next().map(Argument::Single),
            Argument::Pack(_) => Some(Argument::Pack(tensors)),
        };
    }
    Ok(())
}

/// The extents that given inputs tell; of the others, if they are made up, the largest.
pub fn extents_of(graph: &Graph, inputs: &[Option<Argument<Tensor>>], made_up: bool) -> Extents {
    let mut told = Vec::new();
    for (port, input) in graph.inputs.iter().zip(inputs) {
        let Some(given) = input else { continue };
        let ids = port.tensors.items();
        told.extend(graph.pack_length(ids).map(|length| (vec![length.clone()], vec![given.items().len()])));
        let declared = ids.iter().map(|id| graph.tensor(*id).ty.shape.clone());
        told.extend(declared.zip(given.items().iter().map(|tensor| tensor.shape.clone())));
    }
    let mut extents = Extents::told(&told);
    if made_up {
        let items = graph.inputs.iter().map(|port| port.tensors.items());
        let declared = items.flat_map(|ids| {
            graph.pack_length(ids).into_iter().chain(ids.iter().flat_map(|id| &graph.tensor(*id).ty.shape))
        });
        extents.settle(&declared.collect::<Vec<_>>());
        extents.tell_open();
    }
    extents
}

/// The types of the items of an input with these extents.
pub fn types_of(graph: &Graph, port: &Port, extents: &Extents) -> Vec<TensorType> {
    let items = port.tensors.items();
    let length = graph.pack_length(items).and_then(|length| extents.decided(length).as_known());
    let count = length.and_then(|length| usize::try_from(length).ok()).unwrap_or(items.len());
    let types = items.iter().take(count).map(|&id| &graph.tensor(id).ty);
    let shape = |ty: &TensorType| ty.shape.iter().map(|extent| extents.decided(extent)).collect();
    types.map(|ty| TensorType { dtype: ty.dtype, shape: shape(ty) }).collect()
}

/// The extents of an input; those that a run would determine must be bound.
pub fn known_shape(ty: &TensorType) -> Result<Vec<usize>, Failure> {
    possible_shape(&ty.shape, |extent| {
        Failure::usage(format!("extent {extent} of an input is open: give it with --bind"))
    })
}

/// A shape that can be made up; `open` says that one of its extents is not known.
pub fn possible_shape(extents: &[Extent], open: impl Fn(&Extent) -> Failure) -> Result<Vec<usize>, Failure> {
    let extents = extents.iter().map(|extent| {
        let known = extent.as_known().and_then(|value| usize::try_from(value).ok());
        known.ok_or_else(|| open(extent))
    });
    let shape: Vec<usize> = extents.collect::<Result<_, _>>()?;
    match volume(&shape) {
        Some(count) if count <= MAX_ELEMENTS => Ok(shape),
        _ => Err(Failure::input(format!("an input of shape {shape:?} has more than {MAX_ELEMENTS} elements"))),
    }
}

/// A tensor that a seed determines, as it may be stored.
pub fn random(ty: &TensorType, storage: Option<Storage>, seed: usize) -> Result<Tensor, Failure> {
    let element_type = ty.dtype.element_type();
    random_tensor((element_type, storage.unwrap_or(element_type.into())), known_shape(ty)?, seed)
}

/// Reals between 0 and 1, or whole ones where they are stored so; integers from 0 to 9, truth values by the toss of a coin.
pub fn random_tensor(
    (element_type, storage): (ElementType, Storage),
    shape: Vec<usize>,
    seed: usize,
) -> Result<Tensor, Failure> {
    let count: usize = shape.iter().product();
    let mut generator = Generator::new(seed as u64);
    let data = match element_type {
        ElementType::F32 => made_up(count, || real(storage, &mut generator)).map(TensorData::F32),
        ElementType::I64 => made_up(count, || random_int(&mut generator)).map(TensorData::I64),
        ElementType::Bool => made_up(count, || generator.bits() & 1 == 1).map(TensorData::Bool),
    };
    match data {
        Some(data) => Ok(Tensor { shape, data }),
        None => Err(Failure::input(format!("there is no memory for an input of shape {shape:?}"))),
    }
}

fn real(storage: Storage, generator: &mut Generator) -> f32 {
    let unit = generator.unit();
    storage.whole(unit).unwrap_or(unit as f32)
}

/// Small enough for indices.
pub fn random_int(generator: &mut Generator) -> i64 {
    (generator.unit() * 10.0) as i64
}

/// So many elements; none if there is no memory for them.
pub fn made_up<T>(count: usize, mut element: impl FnMut() -> T) -> Option<Vec<T>> {
    let mut elements = Vec::new();
    elements.try_reserve_exact(count).ok()?;
    elements.extend((0..count).map(|_| element()));
    Some(elements)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_values_of_every_type_differ() {
        let of =
            |element_type: ElementType| random_tensor((element_type, element_type.into()), vec![100], 7).unwrap().data;
        let TensorData::I64(ints) = of(ElementType::I64) else { panic!("no integers") };
        assert!(ints.iter().all(|int| (0..10).contains(int)) && ints.iter().any(|int| *int != ints[0]));
        let TensorData::Bool(bools) = of(ElementType::Bool) else { panic!("no truth values") };
        assert!(bools.contains(&true) && bools.contains(&false));
    }

    #[test]
    fn a_pack_without_items_has_no_names() {
        let message = |files: &str, is_pack| {
            read(OsStr::new(files), &InputPort { name: "x", label: "", is_pack, form: None })
                .map_err(|failure| failure.to_string())
        };
        assert_eq!(message("", true), Ok(Argument::Pack(Vec::new())));
        let missing = |files: &str| {
            format!("--input {files}: the name of a file is missing\n  = help: give a file: --input x=FILE")
        };
        for (files, pack) in [("", false), ("a.npy,", false), (",", true), ("a.npy,,b.npy", true), ("a.npy,", true)] {
            assert_eq!(message(files, pack), Err(missing(files)), "{files}");
        }
    }

    #[test]
    fn without_memory_nothing_is_made_up() {
        assert_eq!(made_up(2, || 1), Some(vec![1, 1]));
        assert_eq!(made_up(usize::MAX / 8, || 1i64), None);
    }
}
