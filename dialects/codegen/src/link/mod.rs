//! Linking, by the lld that is linked into the compiler.

mod start;
mod system;
pub mod weights;

use crate::{Error, Target};
use skriptnd_mlir::link::{Word, elf, loaded_objects};
use skriptnd_mlir::llvm::{Emission, LlvmModule};
pub use start::Contents;
use std::path::Path;
use system::{Companions, System};

/// Whether shared libraries can be linked for a target.
pub fn has_shared_libraries(target: &Target) -> bool {
    System::of(&target.spec.triple).is_some()
}

/// Links objects to a shared library. What it needs of its system it finds when it is loaded: nothing of that has to be
/// installed here.
///
/// # Errors
/// Where the target's system is none of those that are known, or an object needs what that system does not have.
pub fn shared_library(objects: &[Vec<u8>], target: &Target) -> Result<Vec<u8>, Error> {
    let unknown = || Error::Unsupported(format!("shared libraries for {}; emit an object", target.spec.triple));
    let companions = Companions::of(&target.spec)?.ok_or_else(unknown)?;
    let names = names(objects.len());
    let mut words = ["-shared", "-z", "defs", "--as-needed", "--eh-frame-hdr"].map(Word::Option).to_vec();
    words.extend(names.iter().zip(objects).map(|(name, object)| Word::Bytes(name, object)));
    words.extend(where_needed(&companions.support));
    words.extend(companions.libraries.iter().map(|(name, library)| Word::Bytes(name, library)));
    Ok(elf(&words)?)
}

/// Makes one object of several.
pub fn object(mut objects: Vec<Vec<u8>>) -> Result<Vec<u8>, Error> {
    if objects.len() == 1 {
        return Ok(objects.swap_remove(0));
    }
    let names = names(objects.len());
    let files = names.iter().zip(&objects).map(|(name, object)| Word::Bytes(name, object));
    Ok(elf(&[Word::Option("-r")].into_iter().chain(files).collect::<Vec<_>>())?)
}

/// Links an object of the host to a program that runs it on files. `library` is the runtime's `libskriptnd.a`; `note` says in
/// JSON where the files of variables are, unless the object has their values itself, as `has` says. The libraries of the system are those that this process runs with.
///
/// # Errors
/// Where this process has no such libraries, or the linker refuses.
pub fn program(object: &[u8], library: &Path, note: &str, has: Contents) -> Result<Vec<u8>, Error> {
    // Programs begin on other processors, too: that of the model is asked for behind the begin.
    let spec = &Target::usual_host().spec;
    let text = start::module(spec, note, has).ok_or_else(|| Error::NoPrograms(format!("for {}", spec.triple)))?;
    let main = LlvmModule::parse(&text, "main.ll")?.emit(spec, Emission::Object)?;
    let loaded = loaded_objects();
    let loader = loaded.iter().find(|path| is_named(path, &["ld-", "ld.", "ld64."]));
    let loader = loader.ok_or_else(|| Error::NoPrograms("by an executable that is linked statically".into()))?;
    let loader_option = format!("--dynamic-linker={}", loader.display());
    let support = system::support(spec)?;
    let options = ["-pie", &loader_option, "--gc-sections", "--strip-debug", "--eh-frame-hdr", "--as-needed"];
    let mut words: Vec<_> = options.into_iter().chain(["--allow-shlib-undefined"]).map(Word::Option).collect();
    words.extend([Word::Bytes("main.o", &main), Word::Bytes("model.o", object), Word::Path(library)]);
    words.extend(where_needed(&support));
    let of_system = loaded.iter().filter(|path| is_named(path, &SYSTEM));
    words.extend(of_system.chain([loader]).map(|path| Word::Path(path)));
    Ok(elf(&words)?)
}

/// How the names of the libraries begin that the runtime needs; of some of them newer systems have nothing.
const SYSTEM: [&str; 6] = ["libc.", "libm.", "libgcc_s.", "libunwind.", "libpthread.", "libdl."];

fn is_named(path: &Path, beginnings: &[&str]) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    beginnings.iter().any(|beginning| name.starts_with(beginning))
}

/// A file that is taken only where something in it is missing elsewhere.
fn where_needed(object: &[u8]) -> [Word<'_>; 3] {
    [Word::Option("--start-lib"), Word::Bytes("support.o", object), Word::Option("--end-lib")]
}

/// What messages call the objects of a model.
fn names(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("model{number}.o")).collect()
}
