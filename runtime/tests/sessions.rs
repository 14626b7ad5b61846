//! Sessions of models whose functions are written by hand: what a run reads, keeps, tells, and may not touch.

use skriptnd_runtime::library::RunFunction;
use skriptnd_runtime::pool::PoolFunctions;
use skriptnd_runtime::{Library, Model, ModelError, Tensor, TensorData, Variable, View, ViewMut, write_dat, write_npy};
use std::ffi::{CString, c_void};
use std::path::Path;

/// Elements of `x`, of the variable `sum` and, at most, of `y`.
const COUNT: usize = 3;
/// Bytes of workspace: less than a page, and no multiple of the alignment.
const WORKSPACE: usize = 40;

unsafe extern "C" fn prepare(_: *const *const c_void, _: *mut c_void, _: *mut c_void) -> i32 {
    0
}

/// The extents of `x`, `y` and `sum`, and the workspace.
unsafe extern "C" fn shapes(_: *const i64, words: *mut i64) -> i32 {
    for (at, word) in [COUNT, COUNT, COUNT, WORKSPACE].into_iter().enumerate() {
        // SAFETY: a caller gives as many words as the metadata say.
        unsafe { words.add(at).write(word as i64) };
    }
    0
}

/// `y` is `sum` plus `x` where that is not negative; `sum` grows by `x`. Writes to the workspace at an offset if there is one.
unsafe fn count(
    (inputs, variables): (*const *const c_void, *const *const c_void),
    outputs: *const *mut c_void,
    (told, workspace): (*mut i64, *mut c_void),
    offset: Option<isize>,
) -> i32 {
    // SAFETY: a caller gives what the metadata say; what is written beside the workspace lies in its pages.
    unsafe {
        let (x, sum) = ((*inputs).cast::<f32>(), (*variables).cast::<f32>());
        let (y, next) = ((*outputs).cast::<f32>(), (*outputs.add(1)).cast::<f32>());
        let mut found = 0;
        for at in 0..COUNT {
            let value = *sum.add(at) + *x.add(at);
            next.add(at).write(value);
            if *x.add(at) >= 0.0 {
                y.add(found).write(value);
                found += 1;
            }
        }
        told.write(found as i64);
        told.add(1).write(COUNT as i64);
        if let Some(offset) = offset {
            workspace.cast::<u8>().offset(offset).write(7);
        }
    }
    0
}

macro_rules! run_function {
    ($name:ident, $offset:expr) => {
        unsafe extern "C" fn $name(
            inputs: *const *const c_void,
            variables: *const *const c_void,
            _: *const c_void,
            outputs: *const *mut c_void,
            _: *const i64,
            told: *mut i64,
            workspace: *mut c_void,
            _: *mut i64,
            _: *const PoolFunctions,
        ) -> i32 {
            // SAFETY: a caller gives what the metadata say.
            unsafe { count((inputs, variables), outputs, (told, workspace), $offset) }
        }
    };
}

run_function!(counts, None);
run_function!(writes_behind, Some(WORKSPACE as isize));
run_function!(writes_before, Some(-1));

fn model(run: RunFunction) -> Model {
    Model::new(library(run), vec![Variable::Owned(reals(&[10.0, 20.0, 30.0]))]).unwrap()
}

fn library(run: RunFunction) -> Library {
    let tensor =
        |name: &str, extent: &str| format!(r#"{{"name":"{name}","type":"real","storage":"f32","shape":[{extent}]}}"#);
    let (x, sum, y) = (tensor("x", "3"), tensor("main.Net.sum", "3"), tensor("y", r#"{"expression":"k","bound":3}"#));
    let metadata = format!(
        r#"{{"abi":8,"graph":"Net","target":"","cpu":"generic","features":[],"inputs":[{x}],"variables":[{sum}],"outputs":[{y}],"states":[{sum}],"extents":[],"takes_seed":false,
            "faults":[],"prepared_bytes":0,"workspace_bytes":{WORKSPACE},"peak_bytes":{WORKSPACE}}}"#
    );
    let metadata = CString::new(metadata).unwrap();
    // SAFETY: the functions are those that the metadata describe.
    unsafe { Library::link(&metadata, prepare, shapes, run) }.unwrap()
}

fn reals(items: &[f32]) -> Tensor {
    Tensor { shape: vec![items.len()], data: TensorData::F32(items.to_vec()) }
}

#[test]
fn runs_follow_one_another() {
    let model = model(counts);
    for guarded in [false, true] {
        let mut session = model.session_builder().guarded(guarded).build().unwrap();
        assert_eq!(session.run(&[reals(&[1.0, 2.0, 3.0])]).unwrap(), [reals(&[11.0, 22.0, 33.0])]);
        // Data determine how many elements there are.
        assert_eq!(session.run(&[reals(&[-1.0, 2.0, -1.0])]).unwrap(), [reals(&[24.0])]);
        assert_eq!(session.state("sum").unwrap(), reals(&[10.0, 24.0, 32.0]));
        assert_eq!(session.state("main.Net.sum").unwrap(), session.state("sum").unwrap());
        session.reset().unwrap();
        assert_eq!(session.run(&[reals(&[0.0; COUNT])]).unwrap(), [reals(&[10.0, 20.0, 30.0])]);
    }
}

#[test]
fn outputs_take_the_shapes_of_each_run() {
    let mut session = model(counts).session().unwrap();
    let mut outputs = [reals(&[0.0; COUNT])];
    session.run_into(&[reals(&[-1.0, -1.0, 1.0])], &mut outputs).unwrap();
    assert_eq!(outputs, [reals(&[31.0])]);
    session.run_into(&[reals(&[1.0, 1.0, 1.0])], &mut outputs).unwrap();
    assert_eq!(outputs, [reals(&[10.0, 20.0, 32.0])]);
}

#[test]
fn states_are_kept_in_folders() {
    let folder = tempfile::tempdir().unwrap();
    let model = model(counts);
    let (mut first, mut second) = (model.session().unwrap(), model.session().unwrap());
    first.run(&[reals(&[1.0, 1.0, 1.0])]).unwrap();
    first.save_states(folder.path()).unwrap();
    second.load_states(folder.path()).unwrap();
    assert_eq!(first.states().collect::<Vec<_>>(), second.states().collect::<Vec<_>>());
    let wrong = second.set_state("sum", &reals(&[1.0])).unwrap_err();
    assert_eq!(wrong.to_string(), "variable `main.Net.sum` must have shape [3], but [1] is given");
    second.set_state("sum", &reals(&[0.0; COUNT])).unwrap();
    assert_eq!(second.run(&[reals(&[1.0, 2.0, 3.0])]).unwrap(), [reals(&[1.0, 2.0, 3.0])]);
    assert!(matches!(second.state("y"), Err(ModelError::NoState(_))));
}

#[test]
fn variables_are_read_by_every_name() {
    for name in ["main.Net.sum", "Net.sum", "sum"] {
        let npy = |path: &Path, tensor: &Tensor| write_npy(path, tensor);
        for (ending, write) in [("npy", npy as fn(&Path, &Tensor) -> _), ("dat", write_dat)] {
            let folder = tempfile::tempdir().unwrap();
            write(&folder.path().join(format!("{name}.{ending}")), &reals(&[1.0, 2.0, 3.0])).unwrap();
            let mut session = Model::with_files(library(counts), folder.path()).unwrap().session().unwrap();
            assert_eq!(session.run(&[reals(&[0.0; COUNT])]).unwrap(), [reals(&[1.0, 2.0, 3.0])], "{name}");
        }
    }
}

#[test]
fn a_model_reads_what_a_session_saved() {
    let folder = tempfile::tempdir().unwrap();
    model(counts).session().unwrap().save_states(folder.path()).unwrap();
    let read = Model::with_files(library(counts), folder.path()).unwrap();
    assert_eq!(read.variables()[0].to_tensor(&read.metadata().variables[0]).unwrap(), reals(&[10.0, 20.0, 30.0]));
}

/// In a folder that has the model's own file, too, a session finds what it saved there; a model is not read from both.
#[test]
fn files_that_differ_are_not_mixed() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("main.Net.sum.npy");
    for own in [&own, &own.with_file_name("sum.dat")] {
        write_dat(own, &reals(&[0.0; COUNT])).unwrap();
    }
    let mut session = model(counts).session().unwrap();
    session.save_states(folder.path()).unwrap();
    session.set_state("sum", &reals(&[1.0; COUNT])).unwrap();
    session.load_states(folder.path()).unwrap();
    assert_eq!(session.state("sum").unwrap(), reals(&[10.0, 20.0, 30.0]));
    let error = Model::with_files(library(counts), folder.path()).unwrap_err().to_string();
    let (own, saved) = (own.display(), folder.path().join("sum.npy"));
    let expected = format!("variable `main.Net.sum`: it has several files that differ: {own}, and {}", saved.display());
    assert_eq!(error, expected);
}

#[test]
fn what_is_no_folder_or_no_file_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let (place, file) = (folder.path().display(), folder.path().join("file"));
    std::fs::write(&file, "").unwrap();
    let mut session = model(counts).session().unwrap();
    let mut said = |folder: &Path| {
        let read = Model::with_files(library(counts), folder).unwrap_err().to_string();
        assert_eq!(session.load_states(folder).unwrap_err().to_string(), read);
        read
    };
    let nothing = format!("{place}/nowhere: expected a folder, found nothing of this name");
    assert_eq!(said(&folder.path().join("nowhere")), nothing);
    assert_eq!(said(&file), format!("{place}/file: expected a folder, found a file"));
    let names = ["main.Net.sum", "Net.sum", "sum"].map(|name| format!("{place}/{name}.dat, nor .npy"));
    let missing = format!("variable `main.Net.sum`: there is no file {}", names.join(", nor "));
    assert_eq!(said(folder.path()), missing);
    std::fs::create_dir(folder.path().join("sum.npy")).unwrap();
    assert_eq!(said(folder.path()), format!("{missing}; {place}/sum.npy is a folder"));
    std::os::unix::fs::symlink("gone", folder.path().join("Net.sum.npy")).unwrap();
    let link = "Net.sum.npy is a link that can't be followed: No such file or directory (os error 2)";
    assert_eq!(said(folder.path()), format!("{missing}; {place}/{link}"));
    let saved = session.save_states(&file).unwrap_err().to_string();
    assert_eq!(saved, format!("{place}/file: expected a folder, found a file"));
}

#[test]
fn sessions_run_at_the_same_time() {
    let model = model(counts);
    std::thread::scope(|scope| {
        for number in 0..8 {
            let model = &model;
            scope.spawn(move || {
                let mut session = model.session().unwrap();
                for run in 1..=100 {
                    let y = session.run(&[reals(&[number as f32; COUNT])]).unwrap();
                    assert_eq!(y, [reals(&[10.0, 20.0, 30.0].map(|sum| sum + (run * number) as f32))]);
                }
            });
        }
    });
}

#[test]
fn guarded_sessions_see_what_is_written_beside_memory() {
    for run in [writes_behind as RunFunction, writes_before] {
        let mut session = model(run).session_builder().guarded(true).build().unwrap();
        let state = session.state("sum").unwrap();
        let wrong = session.run(&[reals(&[1.0, 2.0, 3.0])]).unwrap_err();
        assert!(matches!(wrong, ModelError::Overrun(_)), "{wrong}");
        assert_eq!(session.state("sum").unwrap(), state);
    }
}

#[test]
fn memory_that_is_too_small_is_not_written_to() {
    let mut session = model(counts).session().unwrap();
    let (x, mut y) = (reals(&[1.0, 2.0, 3.0]), reals(&[0.0; 2]));
    let mut outputs = [ViewMut::from(&mut y)];
    let wrong = session.run_views(&[View::from(&x)], &mut outputs).unwrap_err();
    assert_eq!(wrong.to_string(), "output `y` needs 12 bytes; it has 8");
    assert_eq!(outputs[0].shape, [COUNT]);
    assert_eq!(y, reals(&[0.0; 2]));
}
