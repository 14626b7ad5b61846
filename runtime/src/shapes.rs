//! The shapes of a run: what follows from the extents that the inputs have, and what the run tells.

use crate::error::ModelError;
use crate::library::Library;
use crate::metadata::{Metadata, TensorInfo};
use crate::status::Status;
use crate::tensor::volume;

/// What follows from the extents of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The extents themselves.
    pub extents: Vec<i64>,
    /// The shapes of inputs, outputs and new values of variables; of what data determine, the largest.
    pub shapes: Vec<Vec<usize>>,
    /// Bytes of workspace.
    pub workspace: usize,
}

impl Library {
    /// Bytes of workspace that a run has for some extents, which are those of the metadata, in their order.
    ///
    /// # Errors
    /// Where there are others than so many, or an input or output would have no shape.
    pub fn workspace(&self, extents: Vec<i64>) -> Result<usize, ModelError> {
        if extents.len() != self.metadata().extents.len() {
            return Err(ModelError::Status(Status::EXTENT));
        }
        follow(self, extents).map(|found| found.workspace)
    }
}

/// What follows from some extents.
pub fn follow(library: &Library, extents: Vec<i64>) -> Result<Found, ModelError> {
    let metadata = library.metadata();
    let inputs = metadata.inputs.iter().map(|info| ("input", info));
    let infos: Vec<(&'static str, &TensorInfo)> =
        inputs.chain(metadata.written().map(|info| ("output", info))).collect();
    let count: usize = infos.iter().map(|(_, info)| info.extents.len()).sum();
    let mut words = vec![0i64; count + 1];
    // SAFETY: there are as many extents as the metadata name, and words as all shapes have extents, and one.
    let status = Status(unsafe { (library.shapes)(extents.as_ptr(), words.as_mut_ptr()) });
    if !matches!(status, Status(0) | Status::EXTENT) {
        return Err(ModelError::Status(status));
    }
    let mut words = words.into_iter();
    let mut shapes = Vec::with_capacity(infos.len());
    for (role, info) in infos {
        let found: Vec<i64> = words.by_ref().take(info.extents.len()).collect();
        let shape = found.iter().map(|&word| usize::try_from(word).ok()).collect::<Option<Vec<usize>>>();
        let wrong = || unfit(metadata, &extents, (role, info), &found);
        shapes.push(shape.filter(|shape| volume(shape).is_some()).ok_or_else(wrong)?);
    }
    if status == Status::EXTENT {
        return Err(ModelError::Status(status));
    }
    let workspace = words.next().and_then(|bytes| usize::try_from(bytes).ok()).ok_or(ModelError::Memory(usize::MAX))?;
    Ok(Found { extents, shapes, workspace })
}

/// The error about a shape that there can't be: it is about the input that tells the extents.
fn unfit(metadata: &Metadata, extents: &[i64], (role, info): (&'static str, &TensorInfo), found: &[i64]) -> ModelError {
    let negative = found.iter().position(|&extent| extent < 0);
    let what = if negative.is_some() { "small" } else { "large" };
    let extents_of = info.extents.iter().enumerate().filter(|(at, _)| negative.is_none_or(|negative| negative == *at));
    let texts: Vec<&str> = extents_of.filter_map(|(_, extent)| extent.expression()).collect();
    let words = || texts.iter().flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_'));
    let telling = metadata.extents.iter().zip(extents).filter(|(open, _)| words().any(|word| word == open.name));
    let telling: Vec<_> = telling.collect();
    let shown = telling.iter().map(|(open, value)| format!("`{}` = {value}", open.name)).collect::<Vec<_>>().join(", ");
    let name = info.called();
    match telling.first() {
        Some((open, _)) => ModelError::of_input(
            metadata.inputs[open.input].called(),
            format!("is too {what}: for {shown}, {role} `{name}` would have shape {found:?}"),
        ),
        None => ModelError::Tensor { role, name: name.to_owned(), message: format!("would have shape {found:?}") },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_that_do_not_fit_are_named_where_an_output_would_have_no_shape() {
        let tensor = |name: &str, extents: &str| {
            format!(r#"{{"name":"{name}","type":"real","storage":"f32","shape":[{extents}]}}"#)
        };
        let n = |text: &str| format!(r#"{{"expression":"{text}"}}"#);
        let least = r#"{"expression":"n1 - 2 * n","bound":8}"#;
        let (a, b, y) = (tensor("a", &n("n")), tensor("b", &n("n1")), tensor("y", &format!("{},{least}", n("n1"))));
        let open = |name: &str, input: usize| {
            format!(r#"{{"name":"{name}","bound":8,"input":{input},"dimension":0,"factor":1,"offset":0}}"#)
        };
        let text = format!(
            r#"{{"abi":8,"graph":"Net","target":"","cpu":"generic","features":[],"inputs":[{a},{b}],"variables":[],"outputs":[{y}],"states":[],
                "extents":[{},{}],"takes_seed":false,"faults":[],"prepared_bytes":0,"workspace_bytes":0,"peak_bytes":0}}"#,
            open("n", 0),
            open("n1", 1)
        );
        let metadata = Metadata::parse(text.as_bytes()).unwrap();
        let said = |found: &[i64]| unfit(&metadata, &[3, 4], ("output", &metadata.outputs[0]), found).to_string();
        let negative = "input `a`: is too small: for `n` = 3, `n1` = 4, output `y` would have shape [4, -2]";
        assert_eq!(said(&[4, -2]), negative);
        assert_eq!(said(&[-1, 2]), "input `b`: is too small: for `n1` = 4, output `y` would have shape [-1, 2]");
        assert!(said(&[i64::MAX, i64::MAX]).starts_with("input `a`: is too large: for `n` = 3, `n1` = 4, output"));
    }
}
