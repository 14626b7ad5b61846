//! Building the LLVM dialect.

use skriptnd_mlir::Registry;
use skriptnd_mlir::ir::{Builder, Location, Module, attributes, types, verify};
use skriptnd_mlir::llvm::{Emission, LlvmModule, TargetSpec};
use skriptnd_mlir::ops::llvm::{self, Index, Linkage, Predicate};
use skriptnd_mlir::{Failure, parse_module};

/// Counts the pointers in an array up to the first that is null, and tells a function of them.
fn build<'c>(module: &Module<'c>, context: &'c skriptnd_mlir::ir::Context) -> Result<(), Failure> {
    let top = Builder::at_end(module.body(), Location::unknown(context));
    let (pointer, long) = (llvm::pointer_type(context), types::integer(context, 64));
    let text = llvm::array_type(types::integer(context, 8), 3);
    llvm::constant_global(&top, "text", Linkage::External, text, attributes::string(context, "a\"\0"))?;
    llvm::declare(&top, "tell", &[pointer, long], None)?;
    llvm::declare(&top, "ask", &[], Some(long))?;
    let function = llvm::define(&top, "count", Linkage::Internal, &[pointer], Some(types::integer(context, 32)))?;
    let (entry, array) = (function.entry, function.arguments[0]);
    let (next, index) = function.block(&[long])?;
    let (end, found) = function.block(&[long])?;
    let (null, zero, one) =
        (llvm::zero(&entry, pointer)?, llvm::integer(&entry, long, 0)?, llvm::integer(&entry, long, 1)?);
    let (no, first) = (llvm::boolean(&entry, false)?, llvm::ptrtoint(&entry, array, long)?);
    let missing = llvm::icmp(&entry, Predicate::Eq, array, null)?;
    let missing = llvm::or(&entry, missing, no)?;
    llvm::cond_br(&entry, missing, (end.block(), &[zero]), (next.block(), &[zero]))?;
    let place = llvm::getelementptr(&next, array, pointer, &[Index::Value(index[0])])?;
    let value = llvm::load(&next, place, pointer)?;
    let last = llvm::icmp(&next, Predicate::Eq, value, null)?;
    let following = llvm::add(&next, index[0], one)?;
    llvm::cond_br(&next, last, (end.block(), &[index[0]]), (next.block(), &[following]))?;
    let text = llvm::address_of(&end, "text")?;
    let second = llvm::getelementptr(&end, text, types::integer(context, 8), &[Index::Constant(1)])?;
    llvm::call(&end, "tell", &[second, found[0]])?;
    let asked = llvm::call_value(&end, "ask", &[], long)?;
    llvm::store(&end, asked, array)?;
    let low = llvm::and(&end, first, asked)?;
    let status = llvm::trunc(&end, low, types::integer(context, 32))?;
    llvm::r#return(&end, Some(status))
}

#[test]
fn built_functions_become_llvm_ir() {
    let context = Registry::new().context();
    let module = parse_module(&context, "", "empty.mlir").unwrap();
    build(&module, &context).unwrap();
    verify(module.as_operation()).unwrap();
    let module = LlvmModule::translate(&module, "built").unwrap();
    let text = String::from_utf8(module.emit(&TargetSpec::host(), Emission::Ir).unwrap()).unwrap();
    for expected in [
        "@text = constant [3 x i8] c\"a\\22\\00\"",
        "declare void @tell(ptr, i64)",
        "declare i64 @ask()",
        "define internal i32 @count(ptr %0)",
        "getelementptr ptr, ptr %0, i64",
        "(i8, ptr @text, i64 1), i64",
        "call i64 @ask()",
        "trunc i64",
    ] {
        assert!(text.contains(expected), "{expected} is missing in\n{text}");
    }
}

#[test]
fn what_llvm_has_not_is_refused() {
    let context = Registry::new().context();
    let module = parse_module(&context, "", "empty.mlir").unwrap();
    let builder = Builder::at_end(module.body(), Location::unknown(&context));
    assert!(llvm::integer(&builder, types::f32(&context), 1).is_err());
    let pointer = llvm::zero(&builder, llvm::pointer_type(&context)).unwrap();
    assert!(llvm::getelementptr(&builder, pointer, types::f32(&context), &[Index::Constant(i32::MIN)]).is_err());
}
