//! LLVM modules in parts, which threads can compile beside each other: each reads its part in a context of its own.

use std::ffi::c_void;
use std::mem::transmute;

use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::{Linkage, Module};
use mlir_sys::MlirStringRef;

use super::{LlvmModule, llvm_error};
use crate::{Error, ffi};

/// Parts of more instructions than this are divided, as far as there may be so many.
const INSTRUCTIONS_OF_A_PART: u64 = 3000;

/// A part of a module, which refers to what the others define.
pub struct Part(Vec<u8>);

impl LlvmModule {
    /// Divides what a module defines among at most so many parts, by its size alone. What only the module saw is then seen
    /// by all its parts, but not from outside of the library that they are linked to; its name begins with the prefix, so
    /// that several modules may be linked to one program.
    pub fn into_parts(self, most: u32, prefix: &str) -> Vec<Part> {
        let mut parts = Vec::<Part>::new();
        self.name_hidden(prefix);
        let module: *mut c_void = self.module.as_mut_ptr().cast();
        // SAFETY: the module is valid and this is its owner, and the sink is what the callback expects.
        unsafe {
            let count = ffi::skndModuleInstructions(module).div_ceil(INSTRUCTIONS_OF_A_PART);
            let count = u32::try_from(count).unwrap_or(most).clamp(1, most.max(1));
            ffi::skndDivideModule(module, count, push_part, (&raw mut parts).cast());
        }
        parts
    }

    fn name_hidden(&self, prefix: &str) {
        let functions = self.module.get_functions().map(|function| function.as_global_value());
        for value in functions.chain(self.module.get_globals()) {
            if [Linkage::Internal, Linkage::Private].contains(&value.get_linkage()) {
                value.set_name(&format!("{prefix}.{}", value.get_name().to_string_lossy()));
            }
        }
    }

    /// Reads a part.
    pub fn read(part: &Part) -> Result<Self, Error> {
        let context = Box::new(Context::create());
        let buffer = MemoryBuffer::create_from_memory_range_copy(&part.0, "part");
        let module = Module::parse_bitcode_from_buffer(&buffer, &*context).map_err(llvm_error)?;
        // SAFETY: the context is kept beside the module, at an address of its own, and dropped after it.
        let module = unsafe { transmute::<Module<'_>, Module<'static>>(module) };
        Ok(Self { module, context })
    }
}

/// # Safety
///
/// The sink must be a vector of parts.
unsafe extern "C" fn push_part(bitcode: MlirStringRef, sink: *mut c_void) {
    // SAFETY: as the caller promises; the text is valid during the call.
    unsafe {
        let bytes = std::slice::from_raw_parts(bitcode.data.cast::<u8>(), bitcode.length);
        (*sink.cast::<Vec<Part>>()).push(Part(bytes.to_vec()));
    }
}
