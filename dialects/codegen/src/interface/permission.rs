//! Linux saves the registers that hold matrices for processes that have asked for them only: a model that uses them asks in its first call,
//! so that who calls its functions need not know.

use crate::{Error, Target, notes};
use skriptnd_mlir::ir::{Builder, OperationRef, attributes, types};
use skriptnd_mlir::ops::llvm::{self, Function, Linkage, Predicate};
use skriptnd_runtime::processor::x86::{MATRICES, PERMISSION};
use skriptnd_runtime::status::Status;

/// Where it is kept that the system has agreed.
const ASKED: &str = "matrices_permitted";
/// The instruction that calls the system, which overwrites two registers, and where its number, what is asked and the answer are.
pub const CALL: (&str, &str) = ("syscall", "={ax},{ax},{di},{si},~{rcx},~{r11},~{memory}");

/// Whether the system of a triple is asked.
pub fn is_asked(triple: &str) -> bool {
    triple.contains("linux")
}

/// Whether a module's code has to ask.
fn asks(module: OperationRef<'_, '_>) -> bool {
    module.get(notes::MATRICES).is_some() && is_asked(&Target::noted(module).spec.triple)
}

/// Makes the place of the answer.
pub fn define<'c: 'a, 'a>(module: OperationRef<'c, 'a>, end: &Builder<'c, 'a>) -> Result<(), Error> {
    if asks(module) {
        let kind = types::integer(end.context(), 32);
        let zero = attributes::typed_integer(kind, 0).ok_or_else(|| Error::malformed(ASKED))?;
        llvm::variable_global(end, ASKED, Linkage::Internal, kind, zero)?;
    }
    Ok(())
}

/// Asks once, and returns from a function where the system refuses; gives the block that goes on. Threads that ask at the same time are all
/// answered.
pub fn ask<'c: 'a, 'a>(
    module: OperationRef<'c, 'a>,
    function: &Function<'c, 'a>,
    body: Builder<'c, 'a>,
) -> Result<Builder<'c, 'a>, Error> {
    if !asks(module) {
        return Ok(body);
    }
    let (status, word) = (types::integer(body.context(), 32), types::integer(body.context(), 64));
    let [(ask, _), (agreed, _), (refused, _), (next, _)] =
        [function.block(&[])?, function.block(&[])?, function.block(&[])?, function.block(&[])?];
    let compared = |builder: &Builder<'c, 'a>, value, predicate| -> Result<_, Error> {
        Ok(llvm::icmp(builder, predicate, value, llvm::integer(builder, status, 0)?)?)
    };
    let known = llvm::load(&body, llvm::address_of(&body, ASKED)?, status)?;
    let known = compared(&body, known, Predicate::Ne)?;
    llvm::cond_br(&body, known, (next.block(), &[]), (ask.block(), &[]))?;
    let request = PERMISSION.into_iter().chain([MATRICES.into()]).map(|number| llvm::integer(&ask, word, number));
    let request = request.collect::<Result<Vec<_>, _>>()?;
    let answer = llvm::inline_asm(&ask, CALL, &request, &[word])?.result(0)?;
    let is_agreed = compared(&ask, llvm::trunc(&ask, answer, status)?, Predicate::Eq)?;
    llvm::cond_br(&ask, is_agreed, (agreed.block(), &[]), (refused.block(), &[]))?;
    llvm::r#return(&refused, Some(llvm::integer(&refused, status, Status::PROCESSOR.0.into())?))?;
    llvm::store(&agreed, llvm::integer(&agreed, status, 1)?, llvm::address_of(&agreed, ASKED)?)?;
    llvm::br(&agreed, (next.block(), &[]))?;
    Ok(next)
}
