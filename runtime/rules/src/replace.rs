//! What a function for EXTERNAL_REPLACE makes: C builds nodes by calling back.

use crate::{Argument, MOST_EXTENTS, RawArgument, RawTensor, Tensor, with_raw, with_tensor};
use std::ffi::{CStr, CString, c_char, c_void};

/// Bounds of what a function may ask for.
const MOST_NODES: usize = 4096;
const MOST_INPUTS: usize = 4096;
const MOST_ELEMENTS: usize = 1 << 20;

/// The answer of a function that has none.
const UNDEFINED: i64 = -1;

/// Something that a new node takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// What the replaced node takes.
    Input(usize),
    /// A node made before.
    Node(usize),
}

/// A node that a function makes.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The op.
    pub op: String,
    /// What it takes.
    pub inputs: Vec<Source>,
    /// The name of the DType of its output.
    pub dtype: String,
    /// The element that stands for 0.
    pub zero_offset: i32,
    /// The difference between neighbouring elements.
    pub step_size: f32,
    /// The extents of its output.
    pub extents: Vec<u64>,
    /// The elements of a constant.
    pub elements: Vec<f64>,
}

/// The nodes of a replacement, and which takes the place of the replaced one.
#[derive(Debug, Clone, PartialEq)]
pub struct Replacement {
    /// The nodes, operands before users.
    pub nodes: Vec<Node>,
    /// What takes the replaced node's place.
    pub result: Source,
}

type MakeNode = unsafe extern "C" fn(*mut c_void, *const c_char, u64, *const i64, *const RawTensor) -> i64;

#[repr(C)]
pub(crate) struct RawBuilder {
    state: *mut c_void,
    node: MakeNode,
}

pub(crate) type ReplaceFunction =
    unsafe extern "C" fn(*const c_char, *const RawTensor, u64, *const RawArgument, *const RawBuilder) -> i64;

struct Building {
    inputs: usize,
    nodes: Vec<Node>,
}

impl Building {
    fn source(&self, number: i64) -> Option<Source> {
        let number = usize::try_from(number).ok()?;
        match number.checked_sub(self.inputs) {
            None => Some(Source::Input(number)),
            Some(node) => (node < self.nodes.len()).then_some(Source::Node(node)),
        }
    }

    /// # Safety
    ///
    /// The pointers are what the header asks of a caller.
    unsafe fn node(&mut self, op: *const c_char, inputs: &[i64], output: *const RawTensor) -> Option<i64> {
        if op.is_null() || output.is_null() || self.nodes.len() >= MOST_NODES {
            return None;
        }
        // SAFETY: as the caller promises.
        let (op, raw) = unsafe { (CStr::from_ptr(op), &*output) };
        // SAFETY: as the caller promises.
        let (extents, elements) = unsafe {
            (list(raw.extents, raw.rank, MOST_EXTENTS)?, list(raw.elements, raw.element_count, MOST_ELEMENTS)?)
        };
        if raw.dtype.is_null() {
            return None;
        }
        // SAFETY: as the caller promises.
        let dtype = unsafe { CStr::from_ptr(raw.dtype) };
        self.nodes.push(Node {
            op: op.to_str().ok()?.to_owned(),
            inputs: inputs.iter().map(|input| self.source(*input)).collect::<Option<_>>()?,
            dtype: dtype.to_str().ok()?.to_owned(),
            zero_offset: raw.zero_offset,
            step_size: raw.step_size,
            extents,
            elements,
        });
        i64::try_from(self.inputs + self.nodes.len() - 1).ok()
    }
}

/// # Safety
///
/// Behind the pointer stand so many values.
unsafe fn list<T: Copy>(values: *const T, count: u64, most: usize) -> Option<Vec<T>> {
    let count = usize::try_from(count).ok().filter(|count| *count <= most)?;
    if count == 0 {
        return Some(Vec::new());
    }
    // SAFETY: as the caller promises.
    (!values.is_null()).then(|| unsafe { std::slice::from_raw_parts(values, count) }.to_vec())
}

unsafe extern "C" fn make_node(
    state: *mut c_void,
    op: *const c_char,
    count: u64,
    inputs: *const i64,
    output: *const RawTensor,
) -> i64 {
    // SAFETY: the state is what `replacement` gave, which nobody else uses during the call; the rest is as the header says.
    let made = unsafe {
        let building = state.cast::<Building>().as_mut();
        building.zip(list(inputs, count, MOST_INPUTS)).and_then(|(building, inputs)| building.node(op, &inputs, output))
    };
    made.unwrap_or(UNDEFINED)
}

/// Calls a function with a node's op, output and inputs; none where it has no answer.
pub(crate) fn replacement(
    function: ReplaceFunction,
    op: &str,
    output: &Tensor,
    inputs: &[Argument],
) -> Option<Replacement> {
    let op = CString::new(op).ok()?;
    let mut building = Building { inputs: inputs.len(), nodes: Vec::new() };
    let builder = RawBuilder { state: (&raw mut building).cast(), node: make_node };
    let result = with_tensor(output, |output| {
        with_raw(inputs, |inputs| {
            // SAFETY: the symbol's name tells its type, and all pointers are valid during the call.
            unsafe { function(op.as_ptr(), output, inputs.len() as u64, inputs.as_ptr(), &raw const builder) }
        })
    });
    let result = building.source(result)?;
    Some(Replacement { nodes: building.nodes, result })
}
