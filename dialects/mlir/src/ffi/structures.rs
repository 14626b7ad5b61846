//! The structures of `bridge/Bridge.h`.

use std::ffi::{c_char, c_void};

use mlir_sys::*;

/// Mirrors `SkndOperand`, which mirrors `OpAsmParser::UnresolvedOperand`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct UnresolvedOperand {
    pub location: *const c_char,
    pub name: MlirStringRef,
    pub number: u32,
}

/// Mirrors `SkndArgument`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Argument {
    pub operand: UnresolvedOperand,
    pub r#type: MlirType,
    pub attributes: MlirAttribute,
    pub location: MlirLocation,
}

/// Mirrors `SkndArity`.
#[repr(C)]
pub(crate) struct Arity {
    pub minimum: usize,
    pub maximum: usize,
}

/// Mirrors `SkndStrings`.
#[repr(C)]
pub(crate) struct Strings {
    pub data: *const MlirStringRef,
    pub size: usize,
}

/// Mirrors `SkndCapability`.
pub(crate) mod capability {
    pub const VERIFY: u32 = 1 << 0;
    pub const VERIFY_REGIONS: u32 = 1 << 1;
    pub const ASSEMBLY: u32 = 1 << 2;
    pub const FOLD: u32 = 1 << 3;
    pub const INFER_TYPES: u32 = 1 << 4;
    pub const EFFECTS: u32 = 1 << 5;
    pub const CALL: u32 = 1 << 6;
    pub const FUNCTION: u32 = 1 << 7;
    pub const REGION_BRANCH: u32 = 1 << 8;
    pub const NAMES: u32 = 1 << 9;
    pub const BRANCH: u32 = 1 << 10;
    pub const CAST: u32 = 1 << 11;
    pub const SYMBOL_USER: u32 = 1 << 12;
}

/// Mirrors `SkndSuccessorOperands`.
#[derive(Default)]
#[repr(C)]
pub(crate) struct SuccessorOperands {
    pub produced: usize,
    pub first_operand: usize,
    pub operand_count: usize,
}

/// Mirrors `SkndOperation`.
#[repr(C)]
pub(crate) struct OperationDefinition {
    pub spec: *const c_void,
    pub name: MlirStringRef,
    pub traits: *const u32,
    pub trait_count: usize,
    pub operands: Arity,
    pub results: Arity,
    pub regions: Arity,
    pub successors: Arity,
    pub attribute_names: Strings,
    pub parents: Strings,
    pub callee_attribute: MlirStringRef,
    pub default_dialect: MlirStringRef,
    pub capabilities: u32,
}

/// Mirrors `SkndDefinition`.
#[repr(C)]
pub(crate) struct Definition {
    pub spec: *const c_void,
    pub name: MlirStringRef,
    pub alias: bool,
}

/// Mirrors `SkndDialect`.
#[repr(C)]
pub(crate) struct DialectDefinition {
    pub spec: *const c_void,
    pub name: MlirStringRef,
    pub operations: *const OperationDefinition,
    pub operation_count: usize,
    pub types: *const Definition,
    pub type_count: usize,
    pub attributes: *const Definition,
    pub attribute_count: usize,
    pub dependent_dialects: Strings,
    pub allow_unknown: bool,
    pub unknown_pure: bool,
    pub unknown_assembly: bool,
    pub verifies_operation_attributes: bool,
    pub verifies_argument_attributes: bool,
    pub verifies_result_attributes: bool,
    pub materializes_constants: bool,
    pub has_patterns: bool,
}

/// Mirrors `SkndFoldResult`.
#[repr(C)]
pub(crate) struct FoldResult {
    pub value: MlirValue,
    pub constant: MlirAttribute,
}

/// Mirrors `SkndEffect`.
#[repr(C)]
pub(crate) struct Effect {
    pub kind: u32,
    pub target: u32,
    pub index: usize,
}

/// Mirrors `SkndRegionSuccessor`.
#[repr(C)]
pub(crate) struct RegionSuccessor {
    pub point: isize,
    pub first_operand: usize,
    pub operand_count: usize,
}

/// Mirrors `SkndOption`.
#[repr(C)]
pub(crate) struct OptionDefinition {
    pub kind: u32,
    pub name: *const c_char,
    pub description: *const c_char,
    pub integer: i64,
    pub real: f64,
    pub text: MlirStringRef,
    pub integers: *const i64,
    pub reals: *const f64,
    pub texts: *const MlirStringRef,
    pub count: usize,
}

/// Mirrors `SkndPass`.
#[repr(C)]
pub(crate) struct PassDefinition {
    pub spec: *const c_void,
    pub argument: MlirStringRef,
    pub description: MlirStringRef,
    pub anchor: MlirStringRef,
    pub interface: MlirStringRef,
    pub dependent_dialects: Strings,
    pub options: *const OptionDefinition,
    pub option_count: usize,
}

/// Mirrors `SkndNative`.
#[repr(C)]
pub(crate) struct Native {
    pub name: MlirStringRef,
    pub function: *const c_void,
}

/// Mirrors `SkndOther`.
#[repr(C)]
pub(crate) struct OtherPattern {
    pub root: MlirStringRef,
    pub benefit: u16,
}

/// Mirrors `SkndGreedyOptions`.
#[repr(C)]
pub(crate) struct GreedyOptions {
    pub max_rewrites: i64,
    pub max_iterations: i64,
    pub fold: bool,
    pub merge_constants: bool,
    pub top_down: bool,
    pub region_simplification: u32,
}

/// Mirrors `SkndTranslation`.
#[repr(C)]
pub(crate) struct TranslationDefinition {
    pub spec: *const c_void,
    pub name: MlirStringRef,
    pub description: MlirStringRef,
}
