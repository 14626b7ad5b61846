//! `--weights`: values of variables from a safetensors file, where they lie.

use super::kept::keep;
use crate::failure::{Failure, print_message};
use skriptnd_onnx::constant::Constant;
use skriptnd_onnx::element::ElementType;
use skriptnd_onnx::problem::listed;
use skriptnd_onnx::translate::names::spelled;
use skriptnd_runtime::{FileError, Safetensors, TensorFile};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The tensors of a file.
#[derive(Debug)]
pub struct Weights {
    file: Safetensors,
    /// What names are like in the language; none where several are like it.
    spelled: HashMap<String, Option<String>>,
    was_checked: AtomicBool,
}

impl Weights {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<Weights, Failure> {
        keep(path, "the file of the weights");
        let file = Safetensors::open(path).map_err(|error| failed(&error))?;
        let mut spellings = HashMap::new();
        for name in file.names() {
            let known = spellings.entry(spelled(name)).or_insert_with(|| Some(name.to_owned()));
            if known.as_deref().is_some_and(|known| known != name) {
                *known = None;
            }
        }
        Ok(Weights { file, spelled: spellings, was_checked: AtomicBool::new(false) })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The name of the tensor for a variable with these names: one of them, or what is spelled like one.
    fn name(&self, names: &[String]) -> Option<&str> {
        let like = |name: &String| self.spelled.get(name)?.as_deref();
        names.iter().find_map(|name| self.file.name(name)).or_else(|| names.iter().find_map(like))
    }

    /// The tensor for a variable with these names.
    pub fn tensor(&self, names: &[String]) -> Option<Result<TensorFile, FileError>> {
        self.file.tensor(self.name(names)?)
    }

    /// Where a tensor is, for messages.
    pub fn place(&self, names: &[String]) -> Option<String> {
        Some(format!("`{}` of {}", self.name(names)?, self.file.path().display()))
    }

    /// Refuses a file that has none of the variables, which have names and one that is shown, and warns of tensors that are none.
    pub fn check(&self, owner: &str, known: &[(&[String], &str)]) -> Result<(), Failure> {
        if self.was_checked.swap(true, Relaxed) {
            return Ok(());
        }
        let read: Vec<&str> = known.iter().filter_map(|(names, _)| self.name(names)).collect();
        let unread = self.file.names().filter(|name| !read.contains(name));
        self.tell(owner, read.is_empty(), unread, known.iter().map(|(_, shown)| *shown))
    }

    fn tell<'n>(
        &self,
        owner: &str,
        is_foreign: bool,
        unread: impl Iterator<Item = &'n str>,
        wanted: impl Iterator<Item = &'n str>,
    ) -> Result<(), Failure> {
        let (file, unread) = (self.file.path().display(), listed(unread));
        if is_foreign {
            let failure = Failure::input(format!("{file}: has no variable of {owner}, but {}", or_none(&unread)));
            return Err(failure.with_help(format!("its variables are {}", or_none(&listed(wanted)))));
        }
        if !unread.is_empty() {
            print_message(format_args!("skriptnd: warning: {file}: these are no variables of {owner}: {unread}\n"));
        }
        Ok(())
    }

    /// All tensors, as an ONNX model holds its own.
    pub fn constants(&self) -> Result<BTreeMap<String, Constant>, Failure> {
        let names = self.file.names();
        let constants = names.filter_map(|name| {
            let (dtype, shape, bytes) = self.file.raw(name)?;
            let element = element(dtype).ok_or_else(|| {
                let file = self.file.path().display();
                Failure::input(format!("{file}: `{name}` has elements of type {dtype}, which no weights have"))
            });
            Some(element.map(|element| (name.to_owned(), Constant::of_owner(name, element, shape, bytes))))
        });
        constants.collect()
    }
}

fn or_none(list: &str) -> &str {
    if list.is_empty() { "none" } else { list }
}

fn failed(error: &FileError) -> Failure {
    let failure = Failure::input(error);
    match error.help() {
        Some(help) => failure.with_help(help),
        None => failure,
    }
}

/// The type of ONNX that a type of safetensors is.
fn element(dtype: &str) -> Option<ElementType> {
    Some(match dtype {
        "F16" => ElementType::Float16,
        "BF16" => ElementType::Bfloat16,
        "F32" => ElementType::Float,
        "F64" => ElementType::Double,
        "I8" => ElementType::Int8,
        "I16" => ElementType::Int16,
        "I32" => ElementType::Int32,
        "I64" => ElementType::Int64,
        "U8" => ElementType::Uint8,
        "U16" => ElementType::Uint16,
        "U32" => ElementType::Uint32,
        "U64" => ElementType::Uint64,
        "BOOL" => ElementType::Bool,
        "F8_E4M3" => ElementType::Float8E4M3Fn,
        "F8_E5M2" => ElementType::Float8E5M2,
        _ => return None,
    })
}
