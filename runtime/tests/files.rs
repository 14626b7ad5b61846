//! Files that change under a model: weights that are cut off while they are in use, and libraries that are compiled again.

use skriptnd_runtime::pool::PoolFunctions;
use skriptnd_runtime::{
    Library, Model, ModelError, Session, Storage, Tensor, TensorData, TensorFile, read_tensor, write_dat, write_npy,
};
use std::ffi::{CString, c_void};
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// Elements of `w`: enough to be mapped, and some in a page that is not full.
const COUNT: usize = (1 << 18) + 300;
const WORKSPACE: usize = 0;

/// What a run cuts off when it has read the first half of `w`, and the length that stays.
static CUT: Mutex<Option<(PathBuf, u64)>> = Mutex::new(None);

fn cut(file: &Path, length: u64) {
    OpenOptions::new().write(true).open(file).unwrap().set_len(length).unwrap();
}

unsafe extern "C" fn prepare(_: *const *const c_void, _: *mut c_void, _: *mut c_void) -> i32 {
    0
}

/// The extent of `y`, and the workspace.
unsafe extern "C" fn shapes(_: *const i64, words: *mut i64) -> i32 {
    // SAFETY: a caller gives as many words as the metadata say.
    unsafe { [1, WORKSPACE as i64].into_iter().enumerate().for_each(|(at, word)| words.add(at).write(word)) };
    0
}

/// `y` is the sum of `w`.
unsafe extern "C" fn sums(
    _: *const *const c_void,
    variables: *const *const c_void,
    _: *const c_void,
    outputs: *const *mut c_void,
    _: *const i64,
    told: *mut i64,
    _: *mut c_void,
    _: *mut i64,
    _: *const PoolFunctions,
) -> i32 {
    // SAFETY: a caller gives what the metadata say.
    unsafe {
        let w = (*variables).cast::<f32>();
        let sum = |range: std::ops::Range<usize>| range.map(|at| w.add(at).read_volatile()).sum::<f32>();
        let first = sum(0..COUNT / 2);
        if let Some((file, length)) = CUT.lock().unwrap().take() {
            cut(&file, length);
        }
        (*outputs).cast::<f32>().write(first + sum(COUNT / 2..COUNT));
        told.write(1);
    }
    0
}

fn library() -> Library {
    let metadata = format!(
        r#"{{"abi":8,"graph":"Net","target":"","cpu":"generic","features":[],"inputs":[],"extents":[],"takes_seed":false,"states":[],"faults":[],
            "variables":[{{"name":"w","type":"real","storage":"f32","shape":[{COUNT}]}}],"outputs":[{{"name":"y","type":"real","storage":"f32","shape":[1]}}],
            "prepared_bytes":0,"workspace_bytes":{WORKSPACE},"peak_bytes":{WORKSPACE}}}"#
    );
    let metadata = CString::new(metadata).unwrap();
    // SAFETY: the functions are those that the metadata describe.
    unsafe { Library::link(&metadata, prepare, shapes, sums) }.unwrap()
}

fn ones() -> Tensor {
    Tensor { shape: vec![COUNT], data: TensorData::F32(vec![1.0; COUNT]) }
}

/// A folder with `w`, its file, and the file's length.
fn weights() -> (tempfile::TempDir, PathBuf, u64) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("w.npy");
    write_npy(&file, &ones()).unwrap();
    let length = file.metadata().unwrap().len();
    (folder, file, length)
}

/// What is said of a file that was cut off.
fn message(file: &Path, lengths: (u64, u64)) -> String {
    let (file, (opened, now)) = (file.display(), lengths);
    format!(
        "{file}: the file was cut off while it was in use: it had {opened} bytes when it was opened and has {now} now"
    )
}

#[test]
fn weights_that_are_cut_off_fail_the_run_with_their_name() {
    // Whole pages are gone, all are, or the end of one that stays.
    let kept = |length| [0, 5000, 600_000, 1 << 20, length - 1];
    for (at, in_a_run) in (0..5).flat_map(|at| [(at, false), (at, true)]) {
        let (folder, file, length) = weights();
        let mut session = Model::with_files(library(), folder.path()).unwrap().session().unwrap();
        assert_eq!(session.run(&[]).unwrap()[0].data, TensorData::F32(vec![COUNT as f32]));
        let kept = kept(length)[at];
        match in_a_run {
            true => *CUT.lock().unwrap() = Some((file.clone(), kept)),
            false => cut(&file, kept),
        }
        let expected = format!("variable `w`: {}", message(&file, (length, kept)));
        assert_eq!(session.run(&[]).unwrap_err().to_string(), expected);
        assert_eq!(session.run(&[]).unwrap_err().to_string(), expected);
        drop(folder);
    }
}

#[test]
fn a_file_that_is_whole_again_does_not_bring_back_what_was_lost() {
    let (_folder, file, length) = weights();
    let opened = TensorFile::open(&file).unwrap();
    let whole = std::fs::read(&file).unwrap();
    cut(&file, 5000);
    assert_eq!(opened.view(Storage::F32).map(|view| view.reals()[COUNT - 1]), Some(0.0));
    std::fs::write(&file, whole).unwrap();
    assert_eq!(opened.check().unwrap_err().to_string(), message(&file, (length, length)));
    assert_eq!(read_tensor(&file).unwrap(), ones());
}

#[test]
fn reading_a_file_that_is_cut_off_is_an_error_and_replacing_it_is_none() {
    let folder = tempfile::tempdir().unwrap();
    for (name, write) in [
        ("w.npy", (|path: &Path, tensor: &Tensor| write_npy(path, tensor)) as fn(&Path, &Tensor) -> _),
        ("w.dat", write_dat),
    ] {
        let file = folder.path().join(name);
        write(&file, &ones()).unwrap();
        let length = file.metadata().unwrap().len();
        let opened: Vec<TensorFile> = (0..3).map(|_| TensorFile::open(&file).unwrap()).collect();
        // What is written beside the file and renamed to it leaves the one that was opened as it is.
        write(&file, &Tensor::scalar(1.0)).unwrap();
        assert_eq!(opened[0].read().unwrap(), ones());
        drop(opened);
        write(&file, &ones()).unwrap();
        let opened: Vec<TensorFile> = (0..3).map(|_| TensorFile::open(&file).unwrap()).collect();
        cut(&file, 4096);
        std::thread::scope(|scope| {
            for opened in &opened {
                let file = &file;
                scope.spawn(move || assert_eq!(opened.read().unwrap_err().to_string(), message(file, (length, 4096))));
            }
        });
    }
}

#[test]
fn small_files_are_not_looked_at_again() {
    let folder = tempfile::tempdir().unwrap();
    for count in [0, 1, 1000] {
        let (file, tensor) =
            (folder.path().join("x.npy"), Tensor::zeros(skriptnd_runtime::ElementType::F32, vec![count]));
        write_npy(&file, &tensor).unwrap();
        let opened = TensorFile::open(&file).unwrap();
        cut(&file, 0);
        assert_eq!(opened.read().unwrap(), tensor);
        assert!(matches!(TensorFile::open(&file), Err(skriptnd_runtime::FileError::Foreign { .. })));
    }
}

/// Writes a library whose only output is a number, for a processor with some features.
fn write_library(path: &Path, value: u32, features: &str) {
    let text = format!(
        r#"const char skriptnd_metadata[] = "{{\"abi\":8,\"graph\":\"Net\",\"target\":\"\",\"cpu\":\"enterprise\",\"features\":[{features}],\"inputs\":[],"
            "\"extents\":[],\"takes_seed\":false,\"states\":[],\"faults\":[],\"variables\":[],\"outputs\":[{{\"name\":\"y\","
            "\"type\":\"real\",\"storage\":\"f32\",\"shape\":[]}}],\"prepared_bytes\":0,\"workspace_bytes\":0,\"peak_bytes\":0}}";
        int skriptnd_prepare(void *v, void *p, void *w) {{ return 0; }}
        int skriptnd_shapes(void *e, long *shapes) {{ shapes[0] = 0; return 0; }}
        int skriptnd_run(void *i, void *v, void *p, float **outputs, void *e, long *told, void *w, long *f, void *pool) {{
          outputs[0][0] = {value};
          return 0;
        }}"#
    );
    let (folder, source) = (path.parent().unwrap(), path.with_extension("c"));
    std::fs::write(&source, text).unwrap();
    let made = folder.join("made.so");
    let done = Command::new("cc").args(["-shared", "-fPIC", "-w", "-o"]).arg(&made).arg(&source).status().unwrap();
    assert!(done.success());
    std::fs::rename(made, path).unwrap();
}

fn result(library: Library) -> (Session, f32) {
    let mut session = Model::new(library, Vec::new()).unwrap().session().unwrap();
    let value = run(&mut session);
    (session, value)
}

fn run(session: &mut Session) -> f32 {
    match &session.run(&[]).unwrap()[0].data {
        TensorData::F32(items) => items[0],
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_library_is_what_its_file_holds_when_it_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.so");
    let mut sessions = Vec::new();
    for value in 1..=3 {
        write_library(&path, value, "");
        sessions.push(result(Library::load(&path).unwrap()));
    }
    // Written to where it is, not replaced: the inode is the same.
    let other = folder.path().join("other.so");
    write_library(&other, 4, "");
    std::fs::write(&path, std::fs::read(&other).unwrap()).unwrap();
    sessions.push(result(Library::load(&path).unwrap()));
    // By another name, and removed.
    let link = folder.path().join("link.so");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    sessions.push(result(Library::load(&link).unwrap()));
    cut(&path, 100);
    let error = Library::load(&path).unwrap_err().to_string();
    assert!(error.contains("model.so: the library is cut off: it has 100 bytes"), "{error}");
    std::fs::remove_file(&path).unwrap();
    assert_eq!(sessions.iter().map(|(_, value)| *value).collect::<Vec<_>>(), [1.0, 2.0, 3.0, 4.0, 4.0]);
    for (session, value) in &mut sessions {
        assert_eq!(run(session), *value);
    }
}

#[test]
fn a_library_for_a_processor_with_more_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.so");
    write_library(&path, 1, r#"\"warp-drive\",\"tricorder\""#);
    let error = Library::load(&path).unwrap_err();
    assert!(matches!(error, ModelError::Processor { .. }));
    let expected = format!(
        "{}: compiled for the processor enterprise with warp-drive, tricorder, which this one does not have\nhelp: compile the \
         model again: `--cpu native` on this machine, `--cpu generic` for all of its kind",
        path.display()
    );
    assert_eq!(error.to_string(), expected);
}
