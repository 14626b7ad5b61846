//! Memory that compiled code is given: aligned, or, to find out what it touches beside it, between pages that nothing may touch.

use crate::error::ModelError;
use crate::guards;
use memmap2::{MmapMut, MmapOptions};
use std::alloc::{Layout, alloc_zeroed};
use std::ffi::c_void;

/// Alignment of prepared memory and workspace, in bytes.
pub const ALIGNMENT: usize = 64;
/// What guarded memory holds before anything is written to it, and what stays beside it: as a real number not finite, as an
/// integer no index, as a truth value neither.
const POISON: u8 = 0xFF;

/// Memory of a fixed size.
#[derive(Debug)]
pub enum Memory {
    /// Zeroed.
    Plain(Aligned),
    /// Zeroed pages that the system gives when they are touched, though it may have fewer than these.
    Sparse(MmapMut),
    /// Poisoned, between guards.
    Guarded(Guarded),
}

impl Memory {
    /// Aligned memory.
    ///
    /// # Errors
    /// Where there is not enough.
    pub fn new(size: usize, guarded: bool) -> Result<Memory, ModelError> {
        match guarded {
            true => Guarded::new(size, ALIGNMENT).map(Memory::Guarded),
            false => Aligned::new(size).map(Memory::Plain),
        }
    }

    /// Memory of which little will be touched: the host may have less.
    ///
    /// # Errors
    /// Where the system has no addresses for it.
    pub fn sparse(size: usize) -> Result<Memory, ModelError> {
        let pages = MmapOptions::new().len(size).no_reserve_swap().map_anon();
        pages.map(Memory::Sparse).map_err(|_| ModelError::Memory(size))
    }

    /// Bytes.
    pub fn size(&self) -> usize {
        match self {
            Memory::Plain(memory) => memory.size,
            Memory::Sparse(pages) => pages.len(),
            Memory::Guarded(memory) => memory.size,
        }
    }

    /// For reading.
    pub fn pointer(&self) -> *const c_void {
        match self {
            Memory::Plain(memory) => memory.bytes[memory.start..].as_ptr().cast(),
            Memory::Sparse(pages) => pages.as_ptr().cast(),
            Memory::Guarded(memory) => memory.data().cast_const().cast(),
        }
    }

    /// For writing.
    pub fn pointer_mut(&mut self) -> *mut c_void {
        match self {
            Memory::Plain(memory) => memory.bytes[memory.start..].as_mut_ptr().cast(),
            Memory::Sparse(pages) => pages.as_mut_ptr().cast(),
            Memory::Guarded(memory) => memory.data().cast(),
        }
    }

    /// Makes what was computed before unusable, if it is guarded.
    pub fn poison(&mut self) {
        if let Memory::Guarded(memory) = self {
            memory.poison();
        }
    }

    /// The same memory, told of by a name if it is guarded.
    pub fn named(self, name: &str) -> Memory {
        match self {
            other @ (Memory::Plain(_) | Memory::Sparse(_)) => other,
            Memory::Guarded(memory) => Memory::Guarded(memory.named(name)),
        }
    }

    /// Whether nothing beside it was written to, as far as that can be seen.
    pub fn is_intact(&self) -> bool {
        match self {
            Memory::Plain(_) | Memory::Sparse(_) => true,
            Memory::Guarded(memory) => memory.is_intact(),
        }
    }
}

/// Memory of the heap from an aligned byte on.
#[derive(Debug)]
pub struct Aligned {
    bytes: Vec<u8>,
    start: usize,
    size: usize,
}

impl Aligned {
    fn new(size: usize) -> Result<Aligned, ModelError> {
        let whole = size.checked_add(ALIGNMENT).ok_or(ModelError::Memory(size))?;
        let layout = Layout::array::<u8>(whole).map_err(|_| ModelError::Memory(size))?;
        // The system gives pages of zeros when they are touched: a process that computes a part has no more of them.
        // SAFETY: the layout has a size above 0.
        let zeroed = unsafe { alloc_zeroed(layout) };
        if zeroed.is_null() {
            return Err(ModelError::Memory(size));
        }
        // SAFETY: the allocator of vectors gave so many bytes, all of them initialised.
        let bytes = unsafe { Vec::from_raw_parts(zeroed, whole, whole) };
        let start = bytes.as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT);
        Ok(Aligned { bytes, start, size })
    }
}

/// Pages of their own between two that nothing may touch. The memory ends where the second guard begins, or as close as its
/// alignment allows; what is left of the pages is looked at afterwards.
#[derive(Debug)]
pub struct Guarded {
    pages: *mut u8,
    /// Bytes of all pages.
    whole: usize,
    page: usize,
    /// Where the memory begins in the pages.
    start: usize,
    size: usize,
}

// SAFETY: the pages belong to this value alone; what is written needs it exclusively, as with a vector.
unsafe impl Send for Guarded {}
// SAFETY: likewise; shared references only read.
unsafe impl Sync for Guarded {}

impl Guarded {
    /// Poisoned memory whose begin is a multiple of `alignment`, a power of two up to that of a page.
    ///
    /// # Errors
    /// Where there is not enough.
    pub fn new(size: usize, alignment: usize) -> Result<Guarded, ModelError> {
        let failed = || ModelError::Memory(size);
        // SAFETY: asks the system for a number.
        let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).map_err(|_| failed())?;
        let inner = size.max(1).checked_next_multiple_of(page).ok_or_else(failed)?;
        let whole = inner.checked_add(2 * page).ok_or_else(failed)?;
        let (read_write, private) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: new pages wherever the system has room.
        let pages = unsafe { libc::mmap(std::ptr::null_mut(), whole, read_write, private, -1, 0) };
        if pages == libc::MAP_FAILED {
            return Err(failed());
        }
        let start = (page + inner - size) / alignment * alignment;
        let mut memory = Guarded { pages: pages.cast(), whole, page, start, size };
        memory.poison_inner();
        // SAFETY: the first and the last page of those that were just mapped.
        let guarded = unsafe {
            libc::mprotect(pages, page, libc::PROT_NONE)
                | libc::mprotect(memory.pages.add(whole - page).cast(), page, libc::PROT_NONE)
        };
        if guarded == 0 { Ok(memory) } else { Err(failed()) }
    }

    /// A copy of other memory, which can't be written to.
    ///
    /// # Errors
    /// Where there is not enough memory.
    pub fn copy(bytes: &[u8], alignment: usize) -> Result<Guarded, ModelError> {
        let mut memory = Guarded::new(bytes.len(), alignment)?;
        memory.bytes_mut().copy_from_slice(bytes);
        memory.protect()?;
        Ok(memory)
    }

    /// The same memory with a name, by which it is told of when code touches what lies beside it.
    pub fn named(self, name: &str) -> Guarded {
        guards::note(name, (self.pages, self.whole), (self.data(), self.size));
        self
    }

    /// Lets nothing be written any more.
    ///
    /// # Errors
    /// Where the system refuses.
    pub fn protect(&mut self) -> Result<(), ModelError> {
        let inner = self.whole - 2 * self.page;
        // SAFETY: the pages between the guards.
        let done = unsafe { libc::mprotect(self.pages.add(self.page).cast(), inner, libc::PROT_READ) };
        if done == 0 { Ok(()) } else { Err(ModelError::Memory(self.size)) }
    }

    /// Where the memory begins.
    pub fn data(&self) -> *mut u8 {
        // SAFETY: inside the pages, or at their end where nothing is asked for.
        unsafe { self.pages.add(self.start) }
    }

    /// What it holds.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: as many bytes are mapped from there on, and initialised by the poison at least.
        unsafe { std::slice::from_raw_parts(self.data(), self.size) }
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: likewise, and borrowed exclusively; nobody writes to protected memory.
        unsafe { std::slice::from_raw_parts_mut(self.data(), self.size) }
    }

    fn poison(&mut self) {
        self.bytes_mut().fill(POISON);
    }

    fn poison_inner(&mut self) {
        // SAFETY: the pages between the guards, while they can be written to.
        unsafe { self.pages.add(self.page).write_bytes(POISON, self.whole - 2 * self.page) };
    }

    /// Whether the poison beside the memory is still there.
    pub fn is_intact(&self) -> bool {
        let (end, last) = (self.start + self.size, self.whole - self.page);
        // SAFETY: the pages between the guards, which are mapped and initialised.
        let (before, behind) = unsafe {
            (
                std::slice::from_raw_parts(self.pages.add(self.page), self.start - self.page),
                std::slice::from_raw_parts(self.pages.add(end), last - end),
            )
        };
        before.iter().chain(behind).all(|byte| *byte == POISON)
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        guards::forget(self.pages);
        // SAFETY: what was mapped for this value; nothing refers to it any more.
        unsafe { libc::munmap(self.pages.cast(), self.whole) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_aligned_and_checked() {
        for guarded in [false, true] {
            let mut memory = Memory::new(100, guarded).unwrap();
            assert_eq!((memory.pointer_mut() as usize % ALIGNMENT, memory.size()), (0, 100));
            assert!(matches!(Memory::new(usize::MAX, guarded), Err(ModelError::Memory(_))));
            assert!(matches!(Memory::new(isize::MAX as usize, guarded), Err(ModelError::Memory(_))));
        }
    }

    #[test]
    fn memory_that_is_hardly_touched_may_be_more_than_there_is() {
        let mut memory = Memory::sparse(1 << 42).unwrap();
        assert_eq!((memory.pointer_mut() as usize % ALIGNMENT, memory.size()), (0, 1 << 42));
        assert!(matches!(Memory::sparse(usize::MAX), Err(ModelError::Memory(_))));
        assert_eq!(Memory::sparse(0).unwrap().size(), 0);
    }

    #[test]
    fn guarded_memory_ends_at_its_guard() {
        for (size, alignment) in [(0, 4), (4, 4), (4096, 8), (4100, 4)] {
            let memory = Guarded::new(size, alignment).unwrap();
            assert_eq!((memory.data() as usize + size) % memory.page, 0);
            assert!(memory.bytes().iter().all(|byte| *byte == POISON));
        }
        assert_eq!(Guarded::copy(&[1, 2, 3, 4], 4).unwrap().bytes(), [1, 2, 3, 4]);
    }

    #[test]
    fn what_is_written_beside_memory_is_seen() {
        for offset in [-1, 70] {
            let memory = Guarded::new(70, ALIGNMENT).unwrap();
            assert!(memory.is_intact());
            // SAFETY: in the pages between the guards.
            unsafe { memory.data().offset(offset).write(7) };
            assert!(!memory.is_intact());
        }
    }
}
