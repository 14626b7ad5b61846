//! Linking a model's object with the runtime to an executable.

use crate::Error;
use crate::machine::Machine;
use skriptnd_mlir::link::{Word, elf};

/// Links objects, which together define the functions of `runtime/include/skriptnd.h`, to an executable.
///
/// # Errors
/// Where there is no runtime for the objects' machine, or the linker refuses.
pub fn executable<T: AsRef<[u8]>>(objects: &[T]) -> Result<Vec<u8>, Error> {
    let machine = Machine::of(objects.first().map(T::as_ref).unwrap_or_default())?;
    let names: Vec<_> = (0..objects.len()).map(|number| format!("model{number}.o")).collect();
    let model = names.iter().zip(objects).map(|(name, object)| Word::Bytes(name, object.as_ref()));
    let runtime = machine.runtime.iter().map(|(name, object)| Word::Bytes(name, object));
    let options = ["-static", "--gc-sections"].map(Word::Option);
    Ok(elf(&options.into_iter().chain(model).chain(runtime).collect::<Vec<_>>())?)
}
