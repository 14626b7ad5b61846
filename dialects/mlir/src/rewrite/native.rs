//! Native functions that PDL patterns call.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::{Mutex, PoisonError};

use mlir_sys::*;

use super::recording::{begin_pdl_rewrite, has_failed, is_ours};
use super::value::{Kind, PdlValue};
use super::{Editor, created, endless, guarded, verified};
use crate::diagnostics::Failure;
use crate::ffi;
use crate::ir::changes::with_changes;
use crate::ir::guard;
use crate::ir::{Attribute, Context, Location, OperationRef, Type, Value, attributes, types};

/// Whether a constraint holds: its results if it does. It must be pure and total: it may run in any order, for
/// candidates that match no further than its arguments.
pub type Constraint =
    dyn for<'c, 'a> Fn(&'c Context, &[PdlValue<'c, 'a>]) -> Option<Vec<PdlValue<'c, 'a>>> + Send + Sync;

/// Part of a rewrite. A failure does not undo the rewrite: the driver stops and reports it, and the module is to be
/// thrown away. What can fail belongs into a constraint.
pub type Rewrite =
    dyn for<'c, 'a> Fn(&Editor<'c, 'a>, &[PdlValue<'c, 'a>]) -> Result<Vec<PdlValue<'c, 'a>>, Failure> + Send + Sync;

/// Whether what a pattern gives a native function is fit for it: the function's name, and for each argument the attribute
/// that the pattern carries, if it is one. The message says what is wrong.
pub type Check = dyn for<'c> Fn(&str, &[Option<Attribute<'c>>]) -> Result<(), String> + Send + Sync;

/// The native functions that a set of PDL patterns may call, by name.
#[derive(Default)]
pub struct Natives {
    pub(crate) constraints: BTreeMap<String, Box<Constraint>>,
    pub(crate) rewrites: BTreeMap<String, Box<Rewrite>>,
    pub(super) checks: Vec<Box<Check>>,
}

impl Natives {
    /// No functions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a constraint.
    pub fn constraint(
        mut self,
        name: impl Into<String>,
        function: impl for<'c, 'a> Fn(&'c Context, &[PdlValue<'c, 'a>]) -> Option<Vec<PdlValue<'c, 'a>>>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        self.constraints.insert(name.into(), Box::new(function));
        self
    }

    /// Adds a rewrite.
    pub fn rewrite(
        mut self,
        name: impl Into<String>,
        function: impl for<'c, 'a> Fn(&Editor<'c, 'a>, &[PdlValue<'c, 'a>]) -> Result<Vec<PdlValue<'c, 'a>>, Failure>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        self.rewrites.insert(name.into(), Box::new(function));
        self
    }

    /// Adds a check of what patterns give to native functions, made when patterns are read.
    pub fn checked(
        mut self,
        check: impl for<'c> Fn(&str, &[Option<Attribute<'c>>]) -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.checks.push(Box::new(check));
        self
    }

    /// These and others, which replace those of the same name.
    pub fn and(mut self, others: Natives) -> Self {
        self.constraints.extend(others.constraints);
        self.rewrites.extend(others.rewrites);
        self.checks.extend(others.checks);
        self
    }
}

/// What makes the native functions that dialects offer to patterns in files.
static OFFERED: Mutex<Vec<fn() -> Natives>> = Mutex::new(Vec::new());

/// Offers native functions to patterns in files, in this process.
pub fn offer_natives(natives: fn() -> Natives) {
    let mut offered = OFFERED.lock().unwrap_or_else(PoisonError::into_inner);
    if !offered.iter().any(|known| std::ptr::fn_addr_eq(*known, natives)) {
        offered.push(natives);
    }
}

/// All native functions that are offered to patterns in files.
pub fn offered_natives() -> Natives {
    let offered = OFFERED.lock().unwrap_or_else(PoisonError::into_inner);
    offered.iter().fold(Natives::new(), |natives, more| natives.and(more()))
}

/// A native function as patterns use it: what it is called, and what it must return.
pub(super) struct BoundFunction {
    pub name: String,
    /// The name in the patterns handed to MLIR, which no other set of patterns has.
    pub unique_name: String,
    pub results: Vec<Kind>,
    /// The set that the function is in; sets of patterns that are handed to MLIR keep it alive.
    pub natives: *const Natives,
}

/// The rewrite that tells which pattern is at work.
pub(super) const APPLIED: &str = "skriptnd.applied";
/// The rewrite that ends the work of a pattern.
pub(super) const DONE: &str = "skriptnd.done";
/// The constraint that ends rules that apply again and again.
pub(super) const ALLOWED: &str = "skriptnd.allowed";

impl BoundFunction {
    fn check(&self, results: &[PdlValue<'_, '_>]) -> Result<(), Failure> {
        let fits = results.len() == self.results.len()
            && self.results.iter().zip(results).all(|(kind, value)| kind.admits(value));
        let name = &self.name;
        if fits {
            return Ok(());
        }
        Err(Failure::new(format!("native function `{name}` returned {results:?}, not {:?}", self.results)))
    }
}

/// # Safety
///
/// The values must be valid for the chosen lifetimes.
unsafe fn values_from<'c, 'a>(values: *const MlirPDLValue, count: usize) -> Vec<PdlValue<'c, 'a>> {
    // SAFETY: as the caller promises; each value is read as the kind that it has.
    let value = |&value: &MlirPDLValue| unsafe {
        match ffi::skndPdlValueKind(value) {
            0 => PdlValue::Attribute(Attribute::from_raw(ffi::skndPdlAttribute(value))),
            1 => PdlValue::Operation(OperationRef::from_raw(ffi::skndPdlOperation(value))),
            2 => PdlValue::Type(Type::from_raw(ffi::skndPdlType(value))),
            3 => {
                let types = 0..ffi::skndPdlTypeCount(value);
                PdlValue::Types(types.map(|index| Type::from_raw(ffi::skndPdlTypeAt(value, index))).collect())
            }
            4 => PdlValue::Value(Value::from_raw(ffi::skndPdlValue(value))),
            5 => {
                let values = 0..ffi::skndPdlValueCount(value);
                PdlValue::Values(values.map(|index| Value::from_raw(ffi::skndPdlValueAt(value, index))).collect())
            }
            _ => PdlValue::Absent,
        }
    };
    // SAFETY: as the caller promises.
    unsafe { ffi::slice_from(values, count) }.iter().map(value).collect()
}

/// # Safety
///
/// The list must be valid.
unsafe fn push_results(list: MlirPDLResultList, results: &[PdlValue<'_, '_>]) {
    for result in results {
        // SAFETY: as the caller promises; what is pushed is copied.
        unsafe {
            match result {
                PdlValue::Attribute(attribute) => mlirPDLResultListPushBackAttribute(list, attribute.to_raw()),
                PdlValue::Operation(operation) => {
                    mlirPDLResultListPushBackOperation(list, operation.to_raw());
                }
                PdlValue::Type(r#type) => mlirPDLResultListPushBackType(list, r#type.to_raw()),
                PdlValue::Value(value) => mlirPDLResultListPushBackValue(list, value.to_raw()),
                PdlValue::Types(types) => {
                    let types: Vec<_> = types.iter().map(|r#type| r#type.to_raw()).collect();
                    ffi::skndPushPdlTypes(list, types.as_ptr(), types.len());
                }
                PdlValue::Values(values) => {
                    let values: Vec<_> = values.iter().map(|value| value.to_raw()).collect();
                    ffi::skndPushPdlValues(list, values.as_ptr(), values.len());
                }
                PdlValue::Absent => {}
            }
        }
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustConstraint(
    function: *const c_void,
    rewriter: MlirRewriterBase,
    values: *const MlirPDLValue,
    count: usize,
    list: MlirPDLResultList,
) -> bool {
    if has_failed() {
        return false;
    }
    // SAFETY: the function and its set are kept by the set of patterns that is being applied; the IR is valid during the
    // call.
    let (function, natives, editor, values) = unsafe {
        let function = &*function.cast::<BoundFunction>();
        (function, &*function.natives, Editor::from_raw(rewriter), values_from(values, count))
    };
    if let (ALLOWED, [PdlValue::Operation(root)]) = (function.name.as_str(), &values[..]) {
        return is_ours() || endless::is_allowed(rewriter, *root);
    }
    let outcome = guard(|| {
        let Some(results) = natives.constraints.get(&function.name).and_then(|hold| hold(editor.context(), &values))
        else {
            return Ok(None);
        };
        function.check(&results).map(|()| Some(results))
    });
    match outcome {
        Ok(Some(results)) => unsafe { push_results(list, &results) },
        Ok(None) => return false,
        Err(failure) => {
            verified::report(place_of(editor.context(), &values), failure);
            return false;
        }
    }
    true
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustRewrite(
    function: *const c_void,
    rewriter: MlirRewriterBase,
    values: *const MlirPDLValue,
    count: usize,
    list: MlirPDLResultList,
) {
    // SAFETY: as for constraints.
    let (function, natives, editor, values) = unsafe {
        let function = &*function.cast::<BoundFunction>();
        (function, &*function.natives, Editor::from_raw(rewriter), values_from(values, count))
    };
    if function.name == APPLIED {
        if let [PdlValue::Attribute(name), PdlValue::Attribute(place), PdlValue::Operation(root)] = &values[..] {
            let text = |attribute| attributes::as_string(attribute).unwrap_or_default();
            begin_pdl_rewrite(rewriter, text(*name), text(*place), *root);
            verified::begin(*root, text(*name), text(*place));
        }
        return;
    }
    if function.name == DONE {
        verified::finish(rewriter);
        return;
    }
    let outcome = guard(|| {
        let own = guarded::run(&function.name, &editor, &values);
        if let Some(done) = own.or_else(|| created::run(&function.name, &editor, &values)) {
            return done.map_err(|failure| verified::blamed(failure, " "));
        }
        let rewrite = natives.rewrites.get(&function.name);
        let results = rewrite.map_or(Ok(Vec::new()), |rewrite| rewrite(&editor, &values));
        let checked = results.and_then(|results| function.check(&results).map(|()| results));
        checked.map_err(|failure| verified::blamed(failure, ": "))
    });
    let results = outcome.unwrap_or_else(|failure| {
        report(editor.context(), failure);
        function.results.iter().map(|&kind| placeholder(&editor, kind)).collect()
    });
    // SAFETY: the list is valid during the call.
    unsafe { push_results(list, &results) }
}

/// Where something stands that a constraint is asked about.
fn place_of<'c: 'a, 'a>(context: &'c Context, values: &[PdlValue<'c, 'a>]) -> Location<'c> {
    let operation = |value: &PdlValue<'c, 'a>| match value {
        PdlValue::Operation(operation) => Some(*operation),
        PdlValue::Value(value) => value.defining_operation(),
        PdlValue::Values(values) => values.iter().find_map(|value| value.defining_operation()),
        _ => None,
    };
    values.iter().find_map(operation).map_or(Location::unknown(context), |operation| operation.location())
}

/// Tells the driver of a failure of the rule at work, if one is.
fn report(context: &Context, failure: Failure) {
    let location = with_changes(|changes| changes.location()).unwrap_or(Location::unknown(context));
    verified::report(location, failure);
}

/// What stands for a result of a rewrite that failed, since MLIR does not allow rewrites to fail.
fn placeholder<'c: 'a, 'a>(editor: &Editor<'c, 'a>, kind: Kind) -> PdlValue<'c, 'a> {
    let context = editor.context();
    let none = types::none(context);
    let unknown = || editor.here().ok()?.operation("builtin.unrealized_conversion_cast", &[], &[], &[none]).ok();
    match kind {
        Kind::Attribute => PdlValue::Attribute(attributes::unit(context)),
        Kind::Type => PdlValue::Type(none),
        Kind::Types => PdlValue::Types(Vec::new()),
        Kind::Values => PdlValue::Values(Vec::new()),
        Kind::Operation => unknown().map_or(PdlValue::Absent, PdlValue::Operation),
        Kind::Value => {
            let result = unknown().and_then(|cast| cast.result(0).ok());
            result.map_or(PdlValue::Absent, PdlValue::Value)
        }
    }
}
