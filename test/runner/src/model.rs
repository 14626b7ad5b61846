//! The modules of a case, read once.

use skriptnd_source::FileProvider;
use std::path::Path;

/// Module paths, file names and texts; the main module first.
#[derive(Debug)]
pub struct Model {
    modules: Vec<(String, String, String)>,
}

impl Model {
    /// A file, or a folder with `main.sknd`.
    ///
    /// # Errors
    /// Where one can't be read.
    pub fn read(path: &Path) -> Result<Model, String> {
        let mut modules = Vec::new();
        if path.is_dir() {
            read_folder(path, "", &mut modules)?;
            modules.sort_by_key(|(module, ..)| (module != "main", module.clone()));
        } else {
            modules.push(("main".to_string(), "main.sknd".to_string(), read_text(path)?));
        }
        Ok(Model { modules })
    }

    /// A main module alone, with the name of its file.
    pub fn of_text(file: &str, text: String) -> Model {
        Model { modules: vec![("main".to_string(), file.to_string(), text)] }
    }

    /// The text of the main module.
    pub fn main_text(&self) -> &str {
        self.modules.first().map_or("", |(_, _, text)| text)
    }

    /// File names and texts.
    pub fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.modules.iter().map(|(_, file, text)| (file.as_str(), text.as_str()))
    }
}

fn read_folder(folder: &Path, prefix: &str, modules: &mut Vec<(String, String, String)>) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            read_folder(&path, &format!("{prefix}{stem}."), modules)?;
        } else if path.extension().is_some_and(|extension| extension == "sknd") {
            let module = format!("{prefix}{stem}");
            let file = format!("{}.sknd", module.replace('.', "/"));
            modules.push((module, file, read_text(&path)?));
        }
    }
    Ok(())
}

fn read_text(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

impl FileProvider for Model {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        let path = path.join(".");
        let found = self.modules.iter().find(|(module, ..)| *module == path);
        found.map(|(_, file, text)| Ok((file.clone(), text.clone())))
    }
}
