//! Operations that records name by their C++ classes.

use tblgen::Record;

use super::operation::Operation;
use crate::{
    cpp, predicate,
    records::{self, Records},
};

/// Operations of MLIR by their C++ classes, which need not be defined in what is read.
const CLASSES: [(&str, &str); 7] = [
    ("ModuleOp", "builtin.module"),
    ("func::FuncOp", "func.func"),
    ("gpu::GPUModuleOp", "gpu.module"),
    ("gpu::GPUFuncOp", "gpu.func"),
    ("spirv::ModuleOp", "spirv.module"),
    ("spirv::FuncOp", "spirv.func"),
    ("LLVM::LLVMFuncOp", "llvm.func"),
];

/// The name of the operation of a C++ class, `::mlir::ModuleOp`, or of an operation that is defined, first of all in the
/// `dialect` that names it; names of operations stay. Empty for any operation, none for an unknown one.
pub fn operation_of_class(records: &Records, class: &str, dialect: &str) -> Option<String> {
    let name = cpp::normalized(class);
    let is_name = name.contains('.') && !name.contains("::");
    if name.is_empty() || is_name {
        return Some(name);
    }
    let (namespace, own) = name.rsplit_once("::").unwrap_or(("", &name));
    let has_class = |record: &Record<'_>| {
        let definition = records::name(*record);
        definition == own || definition.split_once('_').is_some_and(|(_, class)| class.replace('_', "") == own)
    };
    let all = records.derived("Op");
    let mut fitting = all.into_iter().filter(has_class).filter(|record| is_in(*record, namespace)).peekable();
    let first = fitting.peek().copied();
    let beside = fitting.find(|record| Operation::dialect_of(*record).as_deref() == Some(dialect));
    let is_of_mlir = class.trim().trim_start_matches("::").starts_with("mlir::");
    let known = CLASSES.iter().find(|(class, _)| *class == name && (is_of_mlir || beside.is_none()));
    if let Some((_, operation)) = known {
        return Some(operation.to_string());
    }
    let defined = beside.or(first)?;
    Some(format!("{}.{}", Operation::dialect_of(defined)?, records::text(defined, "opName")?))
}

/// Whether an operation is in a namespace, or in one that ends so.
fn is_in(record: Record<'_>, namespace: &str) -> bool {
    let own = records::text(record, "cppNamespace").or_else(|| {
        let dialect = records::definition(record, "opDialect")?;
        records::text(dialect, "cppNamespace").or_else(|| records::text(dialect, "name"))
    });
    let own = cpp::normalized(&own.unwrap_or_default());
    own == namespace || own.ends_with(&format!("::{namespace}")) || namespace.is_empty()
}

/// What an operation of a class that nobody defines is probably called: `scf::ForOp` is `scf.for`, `GraphOp` is
/// `<dialect>.graph`.
pub fn guessed_operation(class: &str, dialect: &str, own_namespace: &str) -> String {
    let name = cpp::normalized(class);
    let (namespace, own) = name.rsplit_once("::").unwrap_or(("", &name));
    let is_own = namespace.is_empty() || cpp::normalized(own_namespace).ends_with(namespace);
    let last = namespace.rsplit("::").next().unwrap_or_default().to_lowercase();
    let dialect = if is_own { dialect } else { &last };
    format!("{dialect}.{}", predicate::snake_case(own.strip_suffix("Op").unwrap_or(own)))
}
