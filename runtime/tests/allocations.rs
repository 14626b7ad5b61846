//! Runs that follow one another allocate nothing: the second one of a session finds all its memory there.

use skriptnd_runtime::library::RunFunction;
use skriptnd_runtime::pool::{PoolFunctions, Threads};
use skriptnd_runtime::{Library, Model, Session, Tensor, TensorData, Variable, View, ViewMut};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ffi::{CString, c_void};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Elements of the variable `sum`.
const COUNT: usize = 3;

thread_local! {
    static ALLOCATED: Cell<usize> = const { Cell::new(0) };
}

/// The system's memory, which counts how often a thread asks for some.
struct Counting;

// SAFETY: it is the system's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // A thread that ends counts no more.
        let _ = ALLOCATED.try_with(|allocated| allocated.set(allocated.get() + 1));
        // SAFETY: as the caller vouches.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller vouches.
        unsafe { System.dealloc(pointer, layout) };
    }
}

#[global_allocator]
static MEMORY: Counting = Counting;

/// How often this thread allocates in what is done.
fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATED.get();
    work();
    ALLOCATED.get() - before
}

unsafe extern "C" fn prepare(_: *const *const c_void, _: *mut c_void, _: *mut c_void) -> i32 {
    0
}

/// `x` has the extent `n`, `y` half of it at most, and `sum` what it has.
unsafe extern "C" fn shapes(extents: *const i64, words: *mut i64) -> i32 {
    // SAFETY: a caller gives an extent, and as many words as the metadata say.
    unsafe {
        let count = *extents;
        for (at, word) in [count, count / 2, COUNT as i64, 8 * count].into_iter().enumerate() {
            words.add(at).write(word);
        }
    }
    0
}

/// Ranges that were shared.
static RANGES: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn range(_: *mut c_void, _: i64) {
    RANGES.fetch_add(1, Relaxed);
}

/// `y` has one element less than there is room for, of zeros; `sum` grows by 1; ranges are shared.
unsafe extern "C" fn run(
    _: *const *const c_void,
    variables: *const *const c_void,
    _: *const c_void,
    outputs: *const *mut c_void,
    extents: *const i64,
    told: *mut i64,
    _: *mut c_void,
    _: *mut i64,
    pool: *const PoolFunctions,
) -> i32 {
    // SAFETY: a caller gives what the metadata say.
    unsafe {
        told.write(*extents / 2 - 1);
        told.add(1).write(COUNT as i64);
        let (sum, next) = ((*variables).cast::<f32>(), (*outputs.add(1)).cast::<f32>());
        (0..COUNT).for_each(|at| next.add(at).write(*sum.add(at) + 1.0));
        if let Some(PoolFunctions { context, parallel_for: Some(parallel_for) }) = pool.as_ref() {
            parallel_for(*context, 4, range, std::ptr::null_mut());
        }
    }
    0
}

/// A session whose inputs and outputs lie in some form.
fn session(storage: &str) -> Session {
    let tensor = |name: &str, storage: &str, extent: &str| {
        format!(r#"{{"name":"{name}","type":"real","storage":"{storage}","shape":[{extent}]}}"#)
    };
    let open = |expression: &str| format!(r#"{{"expression":"{expression}","bound":64}}"#);
    let sum = tensor("main.Net.sum", "f32", "3");
    let metadata = format!(
        r#"{{"abi":8,"graph":"Net","target":"","cpu":"generic","features":[],"inputs":[{x}],"variables":[{sum}],"outputs":[{y}],"states":[{sum}],
            "extents":[{{"name":"n","bound":64,"input":0,"dimension":0,"factor":1,"offset":0}}],"takes_seed":true,"parallel_loops":1,
            "faults":[],"prepared_bytes":0,"workspace_bytes":64,"peak_bytes":64}}"#,
        x = tensor("x", storage, &open("n")),
        y = tensor("y", storage, &open("n / 2")),
    );
    let metadata = CString::new(metadata).unwrap();
    // SAFETY: the functions are those that the metadata describe.
    let library = unsafe { Library::link(&metadata, prepare, shapes, run as RunFunction) }.unwrap();
    let model = Model::new(library, vec![Variable::Owned(reals(COUNT))]).unwrap();
    model.session_builder().threads(Threads::count(2)).build().unwrap()
}

fn reals(count: usize) -> Tensor {
    Tensor { shape: vec![count], data: TensorData::F32(vec![1.0; count]) }
}

#[test]
fn runs_into_tensors_allocate_nothing_the_second_time() {
    for storage in ["f32", "f16"] {
        let (mut session, inputs, mut outputs) = (session(storage), [reals(16)], [reals(0)]);
        let mut run = || allocations(|| session.run_into(&inputs, &mut outputs).unwrap());
        assert!(run() > 0);
        assert_eq!([run(), run()], [0, 0], "{storage}");
        assert_eq!(
            session.state("sum").unwrap(),
            Tensor { shape: vec![COUNT], data: TensorData::F32(vec![4.0; COUNT]) }
        );
        assert_eq!(outputs[0].shape, [7]);
    }
    assert!(RANGES.load(Relaxed) > 0);
}

#[test]
fn runs_on_views_allocate_nothing_the_second_time() {
    for storage in ["f32", "f16"] {
        let (mut session, input, mut output) = (session(storage), reals(16), reals(8));
        let (inputs, mut outputs) = ([View::from(&input)], [ViewMut::from(&mut output)]);
        let mut run = || allocations(|| session.run_views(&inputs, &mut outputs).unwrap());
        assert!(run() > 0);
        assert_eq!([run(), run()], [0, 0], "{storage}");
        assert_eq!(outputs[0].shape, [7]);
    }
}

/// The extents of each run are looked at; only what follows from them is kept.
#[test]
fn other_extents_are_found_anew() {
    let (mut session, mut outputs) = (session("f32"), [reals(0)]);
    for count in [16, 8, 32, 32] {
        session.run_into(&[reals(count)], &mut outputs).unwrap();
        assert_eq!(outputs[0].shape, [count / 2 - 1]);
    }
    let (inputs, mut run) = ([reals(2)], |inputs: &[Tensor]| session.run_into(inputs, &mut outputs));
    run(&inputs).unwrap();
    assert_eq!(allocations(|| run(&inputs).unwrap()), 0);
    assert!(run(&[reals(65)]).unwrap_err().to_string().contains("at most 64"));
    assert_eq!(allocations(|| run(&inputs).unwrap()), 0);
}
