//! The variables that runs change.

use crate::error::ModelError;
use crate::file::write_npy;
use crate::metadata::{Metadata, TensorInfo};
use crate::model::Model;
use crate::stored::Stored;
use crate::variable::{Variable, files};
use crate::view::View;
use std::path::Path;

/// Their values in one session, in the order of the metadata.
#[derive(Debug)]
pub struct States(Vec<State>);

#[derive(Debug)]
struct State {
    /// Its number among the variables; none where no run reads it.
    variable: Option<usize>,
    /// What a run reads.
    current: Stored,
    /// What a run writes.
    next: Stored,
}

impl States {
    /// With the values that the model was given.
    pub fn new(model: &Model) -> Result<States, ModelError> {
        let metadata = model.metadata();
        let state = |info: &TensorInfo| {
            let failed = |message: String| ModelError::Tensor { role: "variable", name: info.name.clone(), message };
            let variable = metadata.variables.iter().position(|variable| variable.name == info.name);
            let current = match variable {
                Some(number) => {
                    let given = model.variable_view(number).ok_or_else(|| failed("has no value".into()))?;
                    Stored::of(info.storage, &given).map_err(failed)?
                }
                // The model is not given what nothing reads: it has a value behind the first run.
                None => Stored::zeros(info.storage, info.shape().ok_or_else(|| failed("has no shape".into()))?),
            };
            model.check_files()?;
            Ok(State { variable, next: Stored::zeros(info.storage, current.shape().to_vec()), current })
        };
        metadata.states.iter().map(state).collect::<Result<_, _>>().map(States)
    }

    /// Numbers of the variables with what a run reads.
    pub fn current(&self) -> impl Iterator<Item = (usize, &Stored)> {
        self.0.iter().filter_map(|state| Some((state.variable?, &state.current)))
    }

    /// What a run writes.
    pub fn next(&mut self) -> impl Iterator<Item = &mut Stored> {
        self.0.iter_mut().map(|state| &mut state.next)
    }

    /// The values.
    pub fn values(&self) -> impl Iterator<Item = &Stored> {
        self.0.iter().map(|state| &state.current)
    }

    /// What a run wrote is what the next one reads.
    pub fn advance(&mut self) {
        self.0.iter_mut().for_each(|state| std::mem::swap(&mut state.current, &mut state.next));
    }

    /// Variables keep their shapes.
    pub fn check(&self, shapes: &[Vec<usize>]) -> Result<(), ModelError> {
        match self.values().zip(shapes).find(|(value, shape)| value.shape() != **shape) {
            None => Ok(()),
            Some((value, shape)) => Err(ModelError::Shape {
                role: "variable",
                name: "of a run".into(),
                expected: format!("{:?}", value.shape()),
                found: shape.clone(),
            }),
        }
    }

    /// The value by a name.
    pub fn get<'s>(&'s self, metadata: &'s Metadata, name: &str) -> Result<(&'s TensorInfo, &'s Stored), ModelError> {
        let number = number(metadata, name)?;
        Ok((&metadata.states[number], &self.0[number].current))
    }

    /// Another value by a name.
    pub fn set(&mut self, metadata: &Metadata, name: &str, value: &View<'_>) -> Result<(), ModelError> {
        let number = number(metadata, name)?;
        let info = &metadata.states[number];
        info.check_type("variable", value.storage())?;
        info.check_shape("variable", self.0[number].current.shape(), value.shape())?;
        let failed = |message| ModelError::Tensor { role: "variable", name: info.name.clone(), message };
        self.0[number].current = Stored::of(info.storage, value).map_err(failed)?;
        Ok(())
    }

    /// Writes them to NAME.npy of a folder.
    pub fn save(&self, metadata: &Metadata, folder: &Path) -> Result<(), ModelError> {
        let failed = |source| ModelError::Io { path: folder.into(), source };
        if folder.exists() {
            files::check_folder(folder)?;
        }
        std::fs::create_dir_all(folder).map_err(failed)?;
        for (info, state) in metadata.states.iter().zip(&self.0) {
            let file = folder.join(format!("{}.npy", metadata.short_name(&info.name)));
            write_npy(&file, state.current.view()).map_err(|error| ModelError::File(error.to_string()))?;
        }
        Ok(())
    }

    /// Reads them from a folder, all or none.
    pub fn load(&mut self, metadata: &Metadata, folder: &Path) -> Result<(), ModelError> {
        if !metadata.states.is_empty() {
            files::check_folder(folder)?;
        }
        let read = Variable::all(metadata.states.iter().map(|info| {
            let names = files::names(&info.name, Some(&metadata.graph));
            let failed = |message| ModelError::Tensor { role: "variable", name: info.name.clone(), message };
            let variable = Variable::find_saved(folder, &names, info)?.checked(info)?;
            let view = variable.view(info.storage).ok_or_else(|| failed("has no value".into()))?;
            let value = Stored::of(info.storage, &view).map_err(failed)?;
            variable.check_file(info)?;
            Ok(value)
        }))?;
        for (info, value) in metadata.states.iter().zip(read) {
            self.set(metadata, &info.name, &value.view())?;
        }
        Ok(())
    }
}

fn number(metadata: &Metadata, name: &str) -> Result<usize, ModelError> {
    let is_it = |info: &TensorInfo| info.name == name || metadata.short_name(&info.name) == name;
    metadata.states.iter().position(is_it).ok_or_else(|| ModelError::NoState(name.to_owned()))
}
