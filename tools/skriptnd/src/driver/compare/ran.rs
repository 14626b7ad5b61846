//! An ONNX model that was run on what a dump has for its inputs, and how far its results are from those of the dump.

use super::difference::{Farthest, farthest, ratio};
use super::dump::Dump;
use super::random;
use crate::driver::finished::Finished;
use crate::driver::import_options::Keeping;
use crate::driver::model::Model;
use crate::driver::run::execute_model;
use crate::driver::run_options::Options as RunOptions;
use crate::failure::Failure;
use skriptnd_language::compose::graph::Argument;
use skriptnd_onnx::{Imported, Port};
use skriptnd_runtime::Tensor;
use std::collections::HashMap;
use std::ffi::OsString;
use std::sync::Arc;

/// A model that was run, and what it gave.
pub struct Ran {
    /// What was made of it.
    pub imported: Imported,
    given: HashMap<String, Arc<Tensor>>,
}

/// A tensor that departs from the dump's.
pub struct Departing {
    /// The element that is farthest; none if types or shapes differ.
    pub farthest: Option<Farthest>,
    /// How far, relative to the largest element.
    pub ratio: f64,
}

impl Ran {
    /// Imports a model and runs it on the inputs that the dump has.
    pub fn new(options: &RunOptions, dump: &Dump, keeping: Keeping) -> Result<Ran, Failure> {
        let imported = options.graph.import.import_keeping(&options.model, keeping)?;
        let model = Model::of_imported(&imported, &options.model)?;
        let mut inner = options.clone();
        add_inputs(&mut inner, &imported.inputs, dump)?;
        let Finished { outputs, draws, .. } = execute_model(&inner, &model)?;
        if draws {
            return Err(random());
        }
        let single =
            |(name, argument): (String, Argument<Arc<Tensor>>)| Some((name, argument.items().first()?.clone()));
        Ok(Ran { imported, given: outputs.into_iter().filter_map(single).collect() })
    }

    /// What was computed of an output.
    pub fn tensor(&self, port: &Port) -> Option<&Arc<Tensor>> {
        self.given.get(&port.name)
    }

    /// The model's own outputs with how far they are from the dump's.
    pub fn outputs(&self, dump: &Dump) -> Result<Vec<(&Port, Option<f64>)>, Failure> {
        let ports = self.imported.outputs.iter();
        ports.map(|port| Ok((port, self.departing(port, dump)?.map(|departing| departing.ratio)))).collect()
    }

    /// How far a tensor is from the dump's; none if one of them is not there.
    pub fn departing(&self, port: &Port, dump: &Dump) -> Result<Option<Departing>, Failure> {
        let Some(computed) = self.tensor(port) else { return Ok(None) };
        let Some(expected) = dump.tensor(&[&port.tensor()])? else { return Ok(None) };
        Ok(Some(Departing { farthest: farthest(computed, &expected), ratio: ratio(computed, &expected) }))
    }
}

/// Gives inputs that the command line does not name what the dump has of them.
fn add_inputs(options: &mut RunOptions, inputs: &[Port], dump: &Dump) -> Result<(), Failure> {
    let missing: Vec<&Port> = inputs.iter().filter(|port| !options.names_input(&port.name)).collect();
    let mut unnamed = options.inputs.len().saturating_sub(inputs.len() - missing.len());
    for port in missing {
        match dump.file(&[&port.tensor()])? {
            Some(file) => {
                let mut given = OsString::from(format!("{}=", port.name));
                given.push(file);
                options.inputs.push(given);
            }
            // Files without a name are for those that have no value yet.
            None if unnamed > 0 => unnamed -= 1,
            None => {
                let failure =
                    Failure::input(format!("{}: has no input `{}`: {}", dump.name(), port.tensor(), dump.names()));
                return Err(failure.with_help(format!("give it by --input {}=FILE", port.name)));
            }
        }
    }
    Ok(())
}

/// Whether a model's outputs depart from a dump.
pub fn departs(options: &RunOptions, dump: &Dump, tolerance: f64) -> Result<bool, Failure> {
    let ran = Ran::new(options, dump, Keeping::Outputs)?;
    Ok(ran.outputs(dump)?.iter().any(|(_, ratio)| ratio.is_some_and(|ratio| ratio > tolerance)))
}
