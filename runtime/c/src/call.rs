//! What every function does: no panic leaves it, and the text of a failure is kept for its thread.

use crate::status::{Failure, MESSAGES, SKRIPTND_DEFECT, SKRIPTND_OK};
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// What a status means. Never NULL; the text lasts as long as the program.
#[unsafe(no_mangle)]
pub extern "C" fn skriptnd_message(status: i32) -> *const c_char {
    let known = MESSAGES.iter().find(|(known, _)| *known == status);
    known.map_or(c"an unknown status", |(_, text)| text).as_ptr()
}

/// The details of the last failure of the calling thread: which tensor, what was expected and found; of a fault, the place in
/// the model's sources. Never NULL; the text lasts until the thread calls another function of this library that fails.
#[unsafe(no_mangle)]
pub extern "C" fn skriptnd_last_error() -> *const c_char {
    LAST.try_with(|last| last.try_borrow().map_or(c"".as_ptr(), |last| last.as_ptr())).unwrap_or(c"".as_ptr())
}

/// The status of what a function does.
pub(crate) fn guarded(work: impl FnOnce() -> Result<(), Failure>) -> i32 {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => SKRIPTND_OK,
        Ok(Err(failure)) => {
            keep(&failure.text);
            failure.status
        }
        Err(_) => {
            keep("a defect of this library; please report it");
            SKRIPTND_DEFECT
        }
    }
}

/// Does what can't fail.
pub(crate) fn unfailing(work: impl FnOnce()) {
    let _ = guarded(|| {
        work();
        Ok(())
    });
}

fn keep(text: &str) {
    let text: Vec<u8> = text.bytes().filter(|byte| *byte != 0).collect();
    let text = CString::new(text).unwrap_or_default();
    // A thread that ends has no place for it any more.
    let _ = LAST.try_with(|last| last.try_borrow_mut().map(|mut last| *last = text));
}

/// A text that a caller gives.
///
/// # Safety
/// It must be NULL or end with a zero.
pub(crate) unsafe fn text<'a>(text: *const c_char, what: &str) -> Result<&'a str, Failure> {
    if text.is_null() {
        return Err(Failure::null(what));
    }
    // SAFETY: it is not NULL; for the rest vouches the caller.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Failure::new(crate::SKRIPTND_VALUE, format!("{what} is not UTF-8")))
}

/// What a pointer leads to.
///
/// # Safety
/// It must be NULL or lead to a value.
pub(crate) unsafe fn given<'a, T>(pointer: *const T, what: &str) -> Result<&'a T, Failure> {
    aligned(pointer, what)?;
    // SAFETY: it is aligned and not NULL; for the rest vouches the caller.
    unsafe { pointer.as_ref() }.ok_or_else(|| Failure::null(what))
}

/// What a pointer leads to, exclusively.
///
/// # Safety
/// It must be NULL or lead to a value that nobody else uses.
pub(crate) unsafe fn given_mut<'a, T>(pointer: *mut T, what: &str) -> Result<&'a mut T, Failure> {
    aligned(pointer, what)?;
    // SAFETY: it is aligned and not NULL; for the rest vouches the caller.
    unsafe { pointer.as_mut() }.ok_or_else(|| Failure::null(what))
}

/// Refuses what is NULL or not aligned.
pub(crate) fn aligned<T>(pointer: *const T, what: impl Display) -> Result<(), Failure> {
    match pointer {
        null if null.is_null() => Err(Failure::null(what)),
        pointer if pointer.is_aligned() => Ok(()),
        _ => Err(Failure::new(crate::SKRIPTND_MISALIGNED, format!("{what} is not aligned"))),
    }
}

/// Writes where a caller wants a result.
///
/// # Safety
/// The pointer must be NULL or lead to memory for the value.
pub(crate) unsafe fn answer<T>(to: *mut T, value: T) -> Result<(), Failure> {
    aligned(to, "the place of the result")?;
    // SAFETY: it is aligned and not NULL; for the rest vouches the caller.
    unsafe { to.write(value) };
    Ok(())
}

/// Hands a value over to the caller, who frees it.
///
/// # Safety
/// The pointer must be NULL or have room for one.
pub(crate) unsafe fn hand_over<T>(to: *mut *mut T, make: impl FnOnce() -> Result<T, Failure>) -> Result<(), Failure> {
    aligned(to.cast_const(), "the place of the result")?;
    let made = Box::into_raw(Box::new(make()?));
    // SAFETY: it is aligned and not NULL; for the rest vouches the caller.
    unsafe { answer(to, made) }
}

/// Items of an array; `array` may be NULL where there are none.
///
/// # Safety
/// It must lead to so many items.
pub(crate) unsafe fn items<'a, T>(array: *const T, count: usize, what: &str) -> Result<&'a [T], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    aligned(array, what)?;
    too_many::<T>(count, what)?;
    // SAFETY: it is aligned, not NULL and no larger than memory; for the rest vouches the caller.
    Ok(unsafe { std::slice::from_raw_parts(array, count) })
}

/// Likewise, exclusively.
///
/// # Safety
/// It must lead to so many items that nobody else uses.
pub(crate) unsafe fn items_mut<'a, T>(array: *mut T, count: usize, what: &str) -> Result<&'a mut [T], Failure> {
    if count == 0 {
        return Ok(&mut []);
    }
    aligned(array, what)?;
    too_many::<T>(count, what)?;
    // SAFETY: it is aligned, not NULL and no larger than memory; for the rest vouches the caller.
    Ok(unsafe { std::slice::from_raw_parts_mut(array, count) })
}

fn too_many<T>(count: usize, what: &str) -> Result<(), Failure> {
    let fits = count.checked_mul(size_of::<T>()).is_some_and(|bytes| isize::try_from(bytes).is_ok());
    if fits { Ok(()) } else { Err(Failure::new(crate::SKRIPTND_COUNT, format!("{what} has {count} items"))) }
}
