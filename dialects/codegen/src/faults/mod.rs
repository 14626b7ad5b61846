//! What a run requires (`skriptnd.require`): where it does not hold, the number of the fault and the values of its message
//! go to a record that the caller gives. What is said of each number stands in the metadata.

pub mod leave;

use crate::generated::operations::{HoldsOp, LeaveOp, RequireOp};
use crate::views::functions;
use crate::{Error, notes};
use skriptnd_mlir::ir::locations::{Frame, call_stack};
use skriptnd_mlir::ir::{Builder, OperationRef, Value, attributes, operations_named, types};
use skriptnd_mlir::ops::arith::{self, IntegerPredicate};
use skriptnd_mlir::ops::{func, memref, scf};
use skriptnd_mlir::rewrite::with_rewriter;
use skriptnd_runtime::Fault;
use skriptnd_runtime::fault::{Call, Place};

/// Words of the record: the number, then the values.
pub const RECORD_WORDS: u64 = 16;

/// Replaces what a module's functions on buffers require by code that writes to a record, which becomes their last argument;
/// a function that requires nothing stays as it is. What the metadata say of the faults is noted.
pub fn record_faults<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Result<(), Error> {
    let mut faults: Vec<Fault> = Vec::new();
    let context = module.context();
    let (mut recording, mut leaves) = (Vec::new(), false);
    for function in operations_named(module, func::FUNC) {
        leaves |= !operations_named(function, LeaveOp::NAME).is_empty();
        if record(function, &mut faults)? {
            recording.push(attributes::string(context, function.get_string("sym_name").unwrap_or_default()));
        }
    }
    if leaves {
        leave::define(module)?;
    }
    module.set(notes::RECORDING, attributes::array(context, &recording));
    let faults: Vec<_> = faults.iter().map(|fault| attributes::string(context, &fault.to_json())).collect();
    module.set(notes::FAULTS, attributes::array(context, &faults));
    Ok(())
}

/// What was noted of the faults of a module.
///
/// # Errors
/// Where [`record_faults`] has not run.
pub fn noted(module: OperationRef<'_, '_>) -> Result<Vec<Fault>, Error> {
    let texts = attributes::as_strings(notes::read(module, notes::FAULTS, "codegen-record-faults")?);
    let faults: Option<_> = texts.map(|texts| texts.into_iter().map(serde_json::from_str).collect::<Result<_, _>>());
    faults.and_then(Result::ok).ok_or_else(|| Error::malformed(format!("`{}` is no list of JSON", notes::FAULTS)))
}

/// Whether a function requires anything.
fn record<'c: 'a, 'a>(function: OperationRef<'c, 'a>, faults: &mut Vec<Fault>) -> Result<bool, Error> {
    let required: Vec<_> = operations_named(function, RequireOp::NAME).into_iter().filter_map(RequireOp::new).collect();
    let ends = operations_named(function, LeaveOp::NAME);
    if required.is_empty() {
        for end in ends {
            with_rewriter(end, |rewriter| rewriter.erase(end))?;
        }
        return Ok(false);
    }
    let record = add_record(function)?;
    for requirement in required {
        let fault = describe(requirement);
        let number = faults.iter().position(|known| *known == fault).unwrap_or_else(|| {
            faults.push(fault);
            faults.len() - 1
        });
        replace_requirement(requirement, record, number as i64 + 1)?;
    }
    for question in operations_named(function, HoldsOp::NAME) {
        let holds = is_empty(Builder::before(question)?, record)?;
        with_rewriter(question, |rewriter| rewriter.replace(question, &[holds]))?;
    }
    for end in ends {
        let builder = Builder::before(end)?;
        leave::mark(&builder, is_empty(builder, record)?)?;
        with_rewriter(end, |rewriter| rewriter.erase(end))?;
    }
    Ok(true)
}

/// What the metadata say of a fault.
fn describe(requirement: RequireOp<'_, '_>) -> Fault {
    let stack = call_stack(requirement.operation().location());
    let place = |frame: &Frame| Place {
        file: frame.file.clone(),
        origin: frame.origin.clone().unwrap_or_default(),
        start: frame.start,
        end: frame.end,
    };
    let call = |frame: &Frame| Call { operator: frame.name.clone().unwrap_or_default(), place: place(frame) };
    let nowhere = || Place { file: "?".into(), origin: String::new(), start: (1, 1), end: (1, 1) };
    Fault {
        code: requirement.code().unwrap_or_default().to_string(),
        message: requirement.message().unwrap_or_default().to_string(),
        label: requirement.label().unwrap_or_default().to_string(),
        help: requirement.help().unwrap_or_default().to_string(),
        place: stack.first().map_or_else(nowhere, place),
        calls: stack.iter().skip(1).map(call).collect(),
    }
}

/// Adds the record to the arguments; no fault is in it when the function begins.
fn add_record<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
    let word = types::integer(function.context(), 64);
    let kind = types::memref(word, &[Some(RECORD_WORDS)]).ok_or_else(|| Error::malformed("no record of faults"))?;
    let record = functions::add_argument(function, kind)?;
    let body = function.region(0).ok().and_then(|region| region.first_block());
    let first = body.and_then(|body| body.first_operation());
    let builder = Builder::before(first.ok_or_else(|| Error::malformed("a function without a body"))?)?;
    store(builder, builder.integer(word, 0)?, record, 0)?;
    Ok(record)
}

/// The record is written in a branch of its own, which is hardly ever taken.
fn replace_requirement<'c: 'a, 'a>(
    requirement: RequireOp<'c, 'a>,
    record: Value<'c, 'a>,
    number: i64,
) -> Result<(), Error> {
    let (holds, values) = (requirement.condition()?, requirement.values());
    let builder = Builder::before(requirement.operation())?;
    let word = types::integer(builder.context(), 64);
    let fails = arith::xori(&builder, holds, builder.boolean(true)?)?;
    let branch = scf::r#if(&builder, fails, &[])?;
    let inside = branch.then;
    let is_first = is_empty(inside, record)?;
    let number = inside.integer(word, number)?;
    for (word, value) in (0i64..).zip([number].iter().chain(&values)) {
        let known = load(inside, record, word)?;
        let new = arith::select(&inside, is_first, *value, known)?;
        store(inside, new, record, word)?;
    }
    scf::r#yield(&inside, &[])?;
    scf::r#yield(&branch.otherwise, &[])?;
    with_rewriter(requirement.operation(), |rewriter| rewriter.erase(requirement.operation()))?;
    Ok(())
}

/// Whether no fault is in the record.
fn is_empty<'c: 'a, 'a>(builder: Builder<'c, 'a>, record: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
    let zero = builder.integer(types::integer(builder.context(), 64), 0)?;
    Ok(arith::cmpi(&builder, IntegerPredicate::Eq, load(builder, record, 0)?, zero)?)
}

fn load<'c: 'a, 'a>(builder: Builder<'c, 'a>, record: Value<'c, 'a>, word: i64) -> Result<Value<'c, 'a>, Error> {
    Ok(memref::load(&builder, record, &[builder.index(word)?])?)
}

fn store<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    value: Value<'c, 'a>,
    record: Value<'c, 'a>,
    word: i64,
) -> Result<(), Error> {
    Ok(memref::store(&builder, value, record, &[builder.index(word)?])?)
}
