//! Where the values of variables come from: options, a saved state, the model's folder, or chance.

use super::model::Model;
use crate::failure::Failure;
use clap::Args;
use skriptnd_language::compose::graph;
use skriptnd_language::compose::value::ScalarType;
use skriptnd_language::interpret::Variables;
use skriptnd_runtime::intrinsic::random::Generator;
use skriptnd_runtime::tensor::volume;
use skriptnd_runtime::{Tensor, TensorData, read_tensor};
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, Args)]
pub struct Options {
    /// A file for a variable in place of the model's own
    #[arg(long = "variable", value_name = "NAME=FILE", value_parser = parse)]
    files: Vec<(String, PathBuf)>,
    /// Give the variables random values that follow from this number
    #[arg(long, value_name = "SEED")]
    random_variables: Option<u64>,
    /// Take variables from a folder that --save-state wrote
    #[arg(long, value_name = "DIR")]
    load_state: Option<PathBuf>,
}

fn parse(text: &str) -> Result<(String, PathBuf), String> {
    let (name, file) = text.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or("expected NAME=FILE")?;
    Ok((name.to_string(), file.into()))
}

/// Finds the values of a model's variables.
pub struct Source<'a> {
    options: &'a Options,
    folder: &'a Path,
}

impl<'a> Source<'a> {
    /// Every variable that the options name must be one of the graph.
    pub fn new(options: &'a Options, model: &'a Model, graph: &graph::Graph) -> Result<Self, Failure> {
        for (name, _) in &options.files {
            let known = |id: &graph::TensorId| names(graph.tensor(*id)).iter().any(|known| known == name);
            if !graph.variables.iter().any(known) {
                let known: Vec<_> = graph.variables.iter().map(|&id| graph.tensor(id).name.as_str()).collect();
                let known = if known.is_empty() { "none".to_string() } else { known.join(", ") };
                return Err(Failure::usage(format!("graph {} has no variable `{name}`; it has: {known}", graph.name)));
            }
        }
        Ok(Source { options, folder: &model.folder })
    }

    /// The file of a variable; none if its value is random.
    pub fn file(&self, declared: &graph::Tensor) -> Result<Option<PathBuf>, String> {
        let names = names(declared);
        if let Some((_, file)) = self.options.files.iter().find(|(name, _)| names.contains(name)) {
            return Ok(Some(file.clone()));
        }
        let in_folder = |folder: &Path| {
            let files = names.iter().flat_map(|name| ["dat", "npy"].map(|kind| folder.join(format!("{name}.{kind}"))));
            files.into_iter().find(|file| file.is_file())
        };
        if let Some(file) = self.options.load_state.as_deref().and_then(in_folder) {
            return Ok(Some(file));
        }
        if self.options.random_variables.is_some() {
            return Ok(None);
        }
        in_folder(self.folder).map(Some).ok_or_else(|| {
            let folder = self.folder.join("");
            format!("there is no file {}{}.dat, nor .npy, nor one without `main.`", folder.display(), names[0])
        })
    }
}

impl Variables for Source<'_> {
    fn read(&self, _file: &str, declared: &graph::Tensor) -> Result<Tensor, String> {
        match self.file(declared)? {
            Some(file) => read_tensor(&file).map_err(|error| error.to_string()),
            None => random(self.options.random_variables.unwrap_or(0), declared),
        }
    }
}

/// `main.G.a.w`, `G.a.w`, `a.w`
fn names(declared: &graph::Tensor) -> Vec<String> {
    let mut names = Vec::new();
    if let graph::Origin::Variable { file } = &declared.origin {
        names.push(file.clone());
        names.extend(file.strip_prefix("main.").map(str::to_string));
    }
    names.push(declared.name.clone());
    names
}

/// Values that keep activations in range: weights between plus and minus `sqrt(3 / fan-in)`; vectors, which may be
/// variances, between 0.5 and 1.5.
fn random(seed: u64, declared: &graph::Tensor) -> Result<Tensor, String> {
    let extent = |extent: &skriptnd_language::compose::extent::Extent| usize::try_from(extent.as_known()?).ok();
    let shape: Option<Vec<usize>> = declared.ty.shape.iter().map(extent).collect();
    let shape = shape.ok_or("its shape is not known")?;
    let count = volume(&shape).filter(|&count| count < 1 << 36).ok_or("its shape is too large")?;
    // Every variable has numbers of its own, whatever the order.
    let name_hash = declared
        .name
        .bytes()
        .fold(0xCBF2_9CE4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
    let mut generator = Generator::new(seed ^ name_hash);
    let fan_in = shape.iter().skip(1).product::<usize>().max(1);
    let range = (3.0 / fan_in as f64).sqrt();
    let real = |generator: &mut Generator| match shape.len() {
        0 | 1 => (0.5 + generator.unit()) as f32,
        _ => ((2.0 * generator.unit() - 1.0) * range) as f32,
    };
    let data = match declared.ty.dtype {
        ScalarType::Real => TensorData::F32((0..count).map(|_| real(&mut generator)).collect()),
        ScalarType::Int => TensorData::I64(vec![0; count]),
        ScalarType::Bool | ScalarType::Str => TensorData::Bool((0..count).map(|_| generator.bits() & 1 == 1).collect()),
    };
    Ok(Tensor { shape, data })
}
