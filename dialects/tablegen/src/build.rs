//! What the build scripts of dialects have in common: their .td files and the folder of what is generated.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::{
    error::{Error, Result},
    generate,
    ods::{Dialect, Model},
    paths::search_path,
    records::Records,
};

/// The declarations of one dialect, and where the Rust that is made of them goes.
#[derive(Debug)]
pub struct BuildScript {
    declarations: PathBuf,
    output: PathBuf,
    /// What C++ names are in Rust.
    names: Option<PathBuf>,
}

/// What a build script reads. Cargo shows what is left out of it as warnings.
pub struct Declarations(Records);

impl BuildScript {
    /// Of the crate that is being built; `declarations` is the folder of its .td files, relative to that of the crate.
    ///
    /// # Errors
    /// Outside of a build script.
    pub fn new(declarations: &str) -> Result<Self> {
        let folder = |name: &str| env::var(name).map_err(|error| Error::new(format!("{name}: {error}")));
        let declarations = Path::new(&folder("CARGO_MANIFEST_DIR")?).join(declarations);
        let declarations = declarations.canonicalize().unwrap_or(declarations);
        println!("cargo:rerun-if-env-changed=TABLEGEN_220_PREFIX");
        Ok(BuildScript { declarations, output: folder("OUT_DIR")?.into(), names: None })
    }

    /// Lets a file beside the .td files say what C++ names are in Rust; it is as the file of `skriptnd-tblgen -predicates`.
    pub fn with_names(mut self, name: &str) -> Self {
        let file = self.declarations.join(name);
        println!("cargo:rerun-if-changed={}", file.display());
        self.names = Some(file);
        self
    }

    /// Reads one of the .td files. Cargo is told to watch it and all that it includes.
    ///
    /// # Errors
    /// What TableGen says of it.
    pub fn read(&self, name: &str) -> Result<Declarations> {
        let file = self.declarations.join(name);
        println!("cargo:rerun-if-changed={}", file.display());
        let mut records = Records::from_file(&file, &search_path(&file, &[]))?;
        if let Some(names) = &self.names {
            records = records.with_predicates(names)?;
        }
        records.included_files().for_each(|file| println!("cargo:rerun-if-changed={}", file.display()));
        Ok(Declarations(records))
    }

    /// Makes all that the .td file `name` declares: its dialect with operations and enumerations, passes and rewrite
    /// patterns. It becomes the file of the same name with the ending `.rs`, which one module of the crate includes:
    ///
    /// ```rust,ignore
    /// include!(concat!(env!("OUT_DIR"), "/Toy.rs"));
    /// ```
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn generate(&self, name: &str) -> Result<()> {
        let declarations = self.read(name)?;
        let model = Model::read(&declarations)?;
        let dialect = own_dialect(&declarations, &model)?.name.clone();
        let model = model.of_dialect(&dialect);
        let mut rust = [
            generate::operation_definitions(&model, name)?,
            generate::operation_declarations(&model, name)?,
            generate::enumerations(&model, name)?,
            generate::dialect(&model, name)?,
        ]
        .join("\n");
        if !model.passes.is_empty() {
            rust.push_str(&generate::passes(&model, name)?);
        }
        if !declarations.derived("Pattern").is_empty() {
            let pdl = format!("{}.pdl.mlir", stem(name));
            let rewriters = generate::rewriters(&declarations, Some(&pdl))?;
            rust.push_str(&rewriters.rust);
            self.write(&pdl, &rewriters.pdl)?;
        }
        self.write(&format!("{}.rs", stem(name)), &rust)
    }

    /// Writes a generated file.
    ///
    /// # Errors
    /// Where that fails.
    pub fn write(&self, name: &str, text: &str) -> Result<()> {
        let file = self.output.join(name);
        fs::write(&file, text).map_err(|error| Error::new(format!("{}: {error}", file.display())))
    }
}

fn stem(name: &str) -> &str {
    Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name)
}

/// The only dialect that is not one of MLIR's.
fn own_dialect<'m>(records: &Records, model: &'m Model) -> Result<&'m Dialect> {
    let is_own = |dialect: &&Dialect| dialect.place.position().is_some_and(|(file, ..)| !records.is_upstream(file));
    let mut own = model.dialects.iter().filter(is_own);
    match (own.next(), own.next()) {
        (Some(only), None) => Ok(only),
        (None, _) => Err(Error::new(format!("'{}' declares no dialect", records.file_name()))),
        (Some(first), Some(second)) => {
            let message =
                format!("a second dialect, '{}' beside '{}': generate them one by one", second.name, first.name);
            Err(second.place.error(message))
        }
    }
}

impl Deref for Declarations {
    type Target = Records;

    fn deref(&self) -> &Records {
        &self.0
    }
}

/// A build script can't forget to ask for the warnings.
impl Drop for Declarations {
    fn drop(&mut self) {
        for warning in self.0.take_warnings() {
            warning.to_string().lines().for_each(|line| println!("cargo:warning={line}"));
        }
    }
}
