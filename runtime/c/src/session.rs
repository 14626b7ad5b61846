//! Sessions: what runs a model.

use crate::call::{given, given_mut, guarded, hand_over, items, items_mut, text, unfailing};
use crate::model::skriptnd_model;
use crate::status::Failure;
use crate::tensor::{check_apart, copied, skriptnd_tensor};
use crate::{SKRIPTND_CAPACITY, SKRIPTND_COUNT, SKRIPTND_SHAPE};
use skriptnd_runtime::metadata::TensorInfo;
use skriptnd_runtime::pool::{MOST_THREADS, PoolFunctions, Threads};
use skriptnd_runtime::view::emptied;
use skriptnd_runtime::{Session, View, ViewMut};
use std::ffi::{CString, c_char};
use std::path::Path;

/// One user of a model: a workspace, and values of the variables that runs change. One thread at a time may use it.
#[allow(non_camel_case_types, reason = "the name in C")]
pub struct skriptnd_session {
    session: Session,
    /// What is said of the last run, if it failed.
    fault: Option<CString>,
    room: Room,
}

/// Lists of a run that the next one writes anew, so that it allocates none.
#[derive(Default)]
struct Room {
    extents: Vec<Vec<usize>>,
    inputs: Vec<View<'static>>,
    /// Nobody follows them after the run.
    outputs: Vec<ViewMut<'static>>,
}

/// Makes a session in which variables begin with the values that the model was given.
///
/// # Safety
/// `model` must be NULL or one that was made and not freed; `session` NULL or have room for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_session_new(
    model: *const skriptnd_model,
    session: *mut *mut skriptnd_session,
) -> i32 {
    guarded(|| {
        // SAFETY: what the documentation asks for.
        let model = unsafe { given(model, "the model") }?;
        let made = || Ok(skriptnd_session { session: model.0.session()?, fault: None, room: Room::default() });
        // SAFETY: likewise.
        unsafe { hand_over(session, made) }
    })
}

/// Lets so many threads share the work of the session's runs, the one that runs it among them; 0 are as many as the processor has for
/// this process, as without this function. Sessions with as many share these threads. The results are the same bits for every number.
///
/// # Safety
/// `session` must be NULL or one that was made and not freed, and no other thread may use it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_session_threads(session: *mut skriptnd_session, count: usize) -> i32 {
    guarded(|| {
        if count > MOST_THREADS {
            return Err(Failure::new(SKRIPTND_COUNT, format!("{count} threads; at most {MOST_THREADS} are made")));
        }
        // SAFETY: what the documentation asks for.
        unsafe { given_mut(session, "the session") }?.session.set_threads(Threads::count(count));
        Ok(())
    })
}

/// Lets the program's own threads share the work of the session's runs; what leads to them is copied. NULL: the thread that runs the
/// session does all.
///
/// # Safety
/// As skriptnd_session_threads; `pool` must be NULL or lead to functions that do what is said of them, as long as the session is
/// used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_session_pool(session: *mut skriptnd_session, pool: *const PoolFunctions) -> i32 {
    guarded(|| {
        // SAFETY: what the documentation asks for.
        let (session, pool) = unsafe { (given_mut(session, "the session")?, pool.as_ref()) };
        // SAFETY: likewise.
        if pool.is_some_and(|pool| pool.parallel_for.is_none()) {
            return Err(Failure::null("the function of the pool"));
        }
        let threads = pool.map_or_else(|| Threads::count(1), |pool| unsafe { Threads::of_host(*pool) });
        session.session.set_threads(threads);
        Ok(())
    })
}

/// Frees a session; NULL is none.
///
/// # Safety
/// `session` must be NULL or one that was made and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_session_free(session: *mut skriptnd_session) {
    if !session.is_null() {
        // SAFETY: what the documentation asks for.
        unfailing(|| drop(unsafe { Box::from_raw(session) }));
    }
}

/// Runs the model once. Inputs and outputs are in the order of the model. The shapes of the outputs are written to `shape`
/// and their sizes to `bytes`; their `rank` must be that of the model. Where the capacity of an output is too small, nothing
/// is run: the status is SKRIPTND_CAPACITY, and shapes and sizes say what all outputs need. Variables that the run changes
/// keep their new values for the next run of the session, unless it fails. A run with the same extents as the one before
/// allocates nothing and takes no lock.
///
/// # Safety
/// `session` must be NULL or one that was made and not freed, and no other thread may use it; `inputs` and `outputs` must lead
/// to as many tensors as the counts say, and those to their memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_session_run(
    session: *mut skriptnd_session,
    inputs: *const skriptnd_tensor,
    input_count: usize,
    outputs: *mut skriptnd_tensor,
    output_count: usize,
) -> i32 {
    guarded(|| {
        // SAFETY: what the documentation asks for.
        let (session, inputs, outputs) = unsafe {
            (
                given_mut(session, "the session")?,
                items(inputs, input_count, "the array of inputs")?,
                items_mut(outputs, output_count, "the array of outputs")?,
            )
        };
        session.fault = None;
        // SAFETY: likewise.
        let done = unsafe { run(session, inputs, outputs) };
        if let Err(failure) = &done {
            session.fault = CString::new(failure.text.replace('\0', "")).ok();
        }
        done
    })
}

/// Runs a session on what a caller describes.
///
/// # Safety
/// Extents and elements must be there.
unsafe fn run(
    session: &mut skriptnd_session,
    inputs: &[skriptnd_tensor],
    outputs: &mut [skriptnd_tensor],
) -> Result<(), Failure> {
    check_apart(inputs, outputs)?;
    let skriptnd_session { session, room, .. } = session;
    // SAFETY: the caller vouches for them.
    unsafe { extents_of(inputs, &mut room.extents) }?;
    let mut views = emptied(std::mem::take(&mut room.inputs));
    // SAFETY: likewise; outputs are apart from everything else.
    unsafe {
        take_views(inputs, &room.extents, &mut views)?;
        take_outputs(outputs, &mut room.outputs)?;
    }
    let metadata = session.model().metadata();
    check_types("input", &metadata.inputs, &views)?;
    for (number, ((info, output), view)) in metadata.outputs.iter().zip(&*outputs).zip(&room.outputs).enumerate() {
        info.check_storage("output", view.storage())?;
        if usize::try_from(output.rank) != Ok(info.extents.len()) {
            let text = format!("the rank of output {number} is {}, not {}", info.extents.len(), output.rank);
            return Err(Failure::new(SKRIPTND_SHAPE, text));
        }
    }
    let done = session.run_views(&views, &mut room.outputs);
    room.inputs = emptied(views);
    let told = matches!(done, Ok(()) | Err(skriptnd_runtime::ModelError::Capacity { .. }));
    for (number, (output, view)) in outputs.iter_mut().zip(&room.outputs).enumerate().filter(|_| told) {
        // SAFETY: likewise.
        unsafe { output.tell(&view.shape, format_args!("output {number}")) }?;
    }
    Ok(done?)
}

/// Refuses tensors whose elements lie in another form than the model says: nothing is converted here.
fn check_types(role: &'static str, infos: &[TensorInfo], views: &[View<'_>]) -> Result<(), Failure> {
    infos.iter().zip(views).try_for_each(|(info, view)| info.check_storage(role, view.storage())).map_err(Failure::from)
}

/// The extents of inputs, in lists that may have had others.
///
/// # Safety
/// As many extents as the ranks say must be there.
unsafe fn extents_of(inputs: &[skriptnd_tensor], extents: &mut Vec<Vec<usize>>) -> Result<(), Failure> {
    extents.resize_with(inputs.len(), Vec::new);
    inputs.iter().zip(extents).enumerate().try_for_each(|(number, (input, extents))| {
        // SAFETY: the caller vouches for them.
        unsafe { input.extents(extents, format_args!("input {number}")) }
    })
}

/// The inputs, whose extents were taken out.
///
/// # Safety
/// As many bytes as the capacities say must be there.
unsafe fn take_views<'e>(
    inputs: &[skriptnd_tensor],
    extents: &'e [Vec<usize>],
    views: &mut Vec<View<'e>>,
) -> Result<(), Failure> {
    for (number, (input, extents)) in inputs.iter().zip(extents).enumerate() {
        // SAFETY: the caller vouches for them.
        views.push(unsafe { input.view(extents, format_args!("input {number}")) }?);
    }
    Ok(())
}

/// The memory of outputs, with what the shapes of those before have.
///
/// # Safety
/// As many bytes as the capacities say must be there, which nobody else uses as long as the views are.
unsafe fn take_outputs(outputs: &mut [skriptnd_tensor], views: &mut Vec<ViewMut<'static>>) -> Result<(), Failure> {
    views.truncate(outputs.len());
    for (number, output) in outputs.iter_mut().enumerate() {
        // SAFETY: the caller vouches for them.
        let mut view = unsafe { output.view_mut(format_args!("output {number}")) }?;
        match views.get_mut(number) {
            Some(before) => {
                view.shape = std::mem::take(&mut before.shape);
                *before = view;
            }
            None => views.push(view),
        }
    }
    Ok(())
}

/// Tells the shapes and sizes that the outputs of a run on these inputs need, as skriptnd_session_run does; where only the
/// data determine an extent, the largest. Nothing is run; `data` and `capacity` of the outputs are not looked at.
///
/// # Safety
/// As skriptnd_session_run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_session_shapes(
    session: *mut skriptnd_session,
    inputs: *const skriptnd_tensor,
    input_count: usize,
    outputs: *mut skriptnd_tensor,
    output_count: usize,
) -> i32 {
    guarded(|| {
        // SAFETY: what the documentation asks for.
        let (session, inputs, outputs) = unsafe {
            (
                given_mut(session, "the session")?,
                items(inputs, input_count, "the array of inputs")?,
                items_mut(outputs, output_count, "the array of outputs")?,
            )
        };
        let (mut extents, mut views) = (Vec::new(), Vec::new());
        // SAFETY: likewise.
        unsafe {
            extents_of(inputs, &mut extents)?;
            take_views(inputs, &extents, &mut views)?;
        }
        check_types("input", &session.session.model().metadata().inputs, &views)?;
        let shapes = session.session.output_shapes(&views)?;
        if shapes.len() != outputs.len() {
            let text = format!("the model has {} outputs; {} were given", shapes.len(), outputs.len());
            return Err(Failure::new(SKRIPTND_COUNT, text));
        }
        let infos = &session.session.model().metadata().outputs;
        for (number, ((output, shape), info)) in outputs.iter_mut().zip(&shapes).zip(infos).enumerate() {
            info.check_storage("output", output.storage(format_args!("output {number}"))?)?;
            // SAFETY: likewise.
            unsafe { output.tell(shape, format_args!("output {number}")) }?;
        }
        Ok(())
    })
}

/// What is said of the last run of the session, if it failed; of a fault of the data with its place in the model's sources.
/// Empty otherwise, NULL if `session` is. The text lasts until the next run.
///
/// # Safety
/// `session` must be NULL or one that was made and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_session_fault(session: *const skriptnd_session) -> *const c_char {
    // SAFETY: what the documentation asks for.
    let session = unsafe { session.as_ref() };
    session.map_or(std::ptr::null(), |session| session.fault.as_deref().unwrap_or_default().as_ptr())
}

/// Refuses a description of another type than a variable that runs change has.
fn check_state(name: &str, state: &View<'_>, value: &skriptnd_tensor) -> Result<(), Failure> {
    let (expected, found) = (state.storage(), value.storage(format_args!("`{name}`"))?);
    if expected == found {
        return Ok(());
    }
    let name = name.to_owned();
    Err(skriptnd_runtime::ModelError::Type { role: "variable", name, expected, found }.into())
}

/// Copies the value of a variable that runs change; `value` is described as an output is.
///
/// # Safety
/// `session` must be NULL or one that was made and not freed; `name` NULL or end with a zero; `value` NULL or lead to a tensor,
/// and that to its memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_session_get_state(
    session: *const skriptnd_session,
    name: *const c_char,
    value: *mut skriptnd_tensor,
) -> i32 {
    guarded(|| {
        // SAFETY: what the documentation asks for.
        let (session, name, value) =
            unsafe { (given(session, "the session")?, text(name, "the name")?, given_mut(value, "the value")?) };
        let state = session.session.state_view(name)?;
        check_state(name, &state, value)?;
        // SAFETY: likewise.
        unsafe { value.tell(state.shape(), "the value") }?;
        // SAFETY: likewise.
        let mut target = unsafe { value.view_mut("the value") }?;
        let bytes = state.size_in_bytes();
        if bytes > target.capacity() {
            return Err(Failure::new(SKRIPTND_CAPACITY, format!("`{name}` needs {bytes} bytes")));
        }
        // SAFETY: both have so many bytes; what the session owns is apart from what the caller owns.
        unsafe { std::ptr::copy_nonoverlapping(state.pointer().cast::<u8>(), target.pointer().cast(), bytes) };
        Ok(())
    })
}

/// Gives a variable that runs change another value, which is copied.
///
/// # Safety
/// As skriptnd_session_get_state, and no other thread may use the session.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_session_set_state(
    session: *mut skriptnd_session,
    name: *const c_char,
    value: *const skriptnd_tensor,
) -> i32 {
    guarded(|| {
        // SAFETY: what the documentation asks for.
        let (session, name, value) =
            unsafe { (given_mut(session, "the session")?, text(name, "the name")?, given(value, "the value")?) };
        check_state(name, &session.session.state_view(name)?, value)?;
        // SAFETY: likewise.
        let value = unsafe { copied(value, format_args!("`{name}`")) }?;
        Ok(session.session.set_state(name, value.view())?)
    })
}

/// Gives all variables that runs change the values that the model was given.
///
/// # Safety
/// `session` must be NULL or one that was made and not freed, and no other thread may use it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_session_reset(session: *mut skriptnd_session) -> i32 {
    // SAFETY: what the documentation asks for.
    guarded(|| Ok(unsafe { given_mut(session, "the session") }?.session.reset()?))
}

/// Sets what random numbers are drawn from that have no seed in the model: runs that follow draw the same numbers as those of
/// another session with this seed. Without it, a session takes a number that nobody knows.
///
/// # Safety
/// `session` must be NULL or one that was made and not freed, and no other thread may use it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_session_seed(session: *mut skriptnd_session, seed: u64) -> i32 {
    guarded(|| {
        // SAFETY: what the documentation asks for.
        unsafe { given_mut(session, "the session") }?.session.set_seed(seed);
        Ok(())
    })
}

/// Writes all variables that runs change to a folder, each to NAME.npy.
///
/// # Safety
/// `session` must be NULL or one that was made and not freed; `folder` NULL or end with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_session_save(session: *const skriptnd_session, folder: *const c_char) -> i32 {
    guarded(|| {
        // SAFETY: what the documentation asks for.
        let (session, folder) = unsafe { (given(session, "the session")?, text(folder, "the folder")?) };
        Ok(session.session.save_states(Path::new(folder))?)
    })
}

/// Reads all variables that runs change from a folder that skriptnd_session_save wrote. Where one is missing or wrong, all
/// keep what they had.
///
/// # Safety
/// As skriptnd_session_save, and no other thread may use the session.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn skriptnd_session_load(session: *mut skriptnd_session, folder: *const c_char) -> i32 {
    guarded(|| {
        // SAFETY: what the documentation asks for.
        let (session, folder) = unsafe { (given_mut(session, "the session")?, text(folder, "the folder")?) };
        Ok(session.session.load_states(Path::new(folder))?)
    })
}
