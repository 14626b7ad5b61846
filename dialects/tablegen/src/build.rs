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
    tool::{Languages, refused_pdl},
};

/// The declarations of one dialect, and where the Rust that is made of them goes.
pub struct BuildScript<'l> {
    declarations: PathBuf,
    output: PathBuf,
    /// What C++ names are in Rust.
    names: Option<PathBuf>,
    /// What checks what this crate only carries.
    languages: Option<Languages<'l>>,
}

/// What a build script reads. Cargo shows what is left out of it as warnings.
pub struct Declarations(Records);

impl<'l> BuildScript<'l> {
    /// Of the crate that is being built; `declarations` is the folder of its .td files, relative to that of the crate.
    ///
    /// # Errors
    /// Outside of a build script.
    pub fn new(declarations: &str) -> Result<Self> {
        let folder = |name: &str| env::var(name).map_err(|error| Error::new(format!("{name}: {error}")));
        let declarations = Path::new(&folder("CARGO_MANIFEST_DIR")?).join(declarations);
        let declarations = declarations.canonicalize().unwrap_or(declarations);
        println!("cargo:rerun-if-env-changed=TABLEGEN_220_PREFIX");
        Ok(BuildScript { declarations, output: folder("OUT_DIR")?.into(), names: None, languages: None })
    }

    /// Lets a file beside the .td files say what C++ names are in Rust; it is as the file of `skriptnd-tblgen -predicates`.
    pub fn with_names(mut self, name: &str) -> Self {
        let file = self.declarations.join(name);
        println!("cargo:rerun-if-changed={}", file.display());
        self.names = Some(file);
        self
    }

    /// Lets what `reference` says, and the PDL of patterns, be checked by those who know these languages, as `skriptnd-tblgen`
    /// does. Without them a `reference` is a warning, and PDL is parsed when patterns are first used.
    pub fn with_languages(mut self, languages: Languages<'l>) -> Self {
        self.languages = Some(languages);
        self
    }

    /// Checks what the operations of a model that was read of `declarations` say in `reference`; [`BuildScript::generate`]
    /// does it by itself.
    ///
    /// # Errors
    /// What is wrong, each at its place.
    pub fn check(&self, declarations: &Declarations, model: &Model) -> Result<()> {
        let mut formulas = model.operations.iter().filter_map(|operation| operation.reference.as_ref());
        match &self.languages {
            Some(Languages { check_formula, .. }) => {
                Error::collect(formulas.filter_map(|formula| formula.check(declarations, *check_formula).err()))
            }
            None => {
                formulas.next().into_iter().for_each(|formula| declarations.warn(formula.unchecked()));
                Ok(())
            }
        }
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
        self.check(&declarations, &model)?;
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
            if let Some(Languages { parse_pdl, .. }) = &self.languages {
                parse_pdl(&rewriters.pdl).map_err(|message| refused_pdl(&message))?;
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    const TOY: &str = "include \"mlir/IR/OpBase.td\"
def Toy : Dialect { let name = \"toy\"; }
class Toy_Op<string name> : Op<Toy, name> { code reference = ?; }
def AddOp : Toy_Op<\"add\"> {
  let arguments = (ins AnyTensor:$x, AnyTensor:$y);
  let results = (outs AnyTensor:$z);
  let reference = [{ z[i..] = x[i..] + wrong[i..], i < s; }];
}
";

    fn script<'l>(folder: &Path) -> BuildScript<'l> {
        fs::write(folder.join("Toy.td"), TOY).unwrap();
        BuildScript { declarations: folder.into(), output: folder.into(), names: None, languages: None }
    }

    #[test]
    fn references_are_checked_by_who_knows_them() {
        let folder = tempfile::tempdir().unwrap();
        let find =
            |text: &str| text.find("wrong").map(|at| (at, "no 'wrong' is known".to_string())).into_iter().collect();
        let script = script(folder.path()).with_languages(Languages { parse_pdl: &|_| Ok(()), check_formula: &find });
        let told = script.generate("Toy.td").unwrap_err().to_string();
        assert!(told.contains("Toy.td:7:40: error: reference: no 'wrong' is known"), "{told}");
        assert!(told.contains("note: in field 'reference' of 'AddOp'"), "{told}");
        assert!(!folder.path().join("Toy.rs").exists());
    }

    #[test]
    fn references_that_nobody_checks_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let script = script(folder.path());
        let declarations = script.read("Toy.td").unwrap();
        let model = Model::read(&declarations).unwrap();
        script.check(&declarations, &model).unwrap();
        let told: Vec<String> = declarations.take_warnings().iter().map(ToString::to_string).collect();
        assert!(told.iter().any(|told| told.contains("Toy.td:7:7: warning: 'reference' is not checked")), "{told:?}");
        script.generate("Toy.td").unwrap();
    }
}
