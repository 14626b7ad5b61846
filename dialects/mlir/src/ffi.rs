//! The C interface of the bridge in `cmake/` (see `cmake/Bridge.h`), and the conversions around it.

use std::ffi::{c_char, c_int, c_void};

use melior::StringRef;
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
    pub capabilities: u32,
}

/// Mirrors `SkndDialect`.
#[repr(C)]
pub(crate) struct DialectDefinition {
    pub spec: *const c_void,
    pub name: MlirStringRef,
    pub operations: *const OperationDefinition,
    pub operation_count: usize,
    pub dependent_dialects: Strings,
    pub allow_unknown: bool,
    pub unknown_pure: bool,
    pub unknown_assembly: bool,
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
    pub text: MlirStringRef,
    pub integers: *const i64,
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

/// A callback for text, with user data.
pub(crate) type TextCallback = unsafe extern "C" fn(MlirStringRef, *mut c_void);

unsafe extern "C" {
    pub(crate) fn skndConfigureContext(context: MlirContext);
    pub(crate) fn skndDialectNumber(context: MlirContext, name: MlirStringRef) -> u64;
    pub(crate) fn skndParseModule(context: MlirContext, text: MlirStringRef, file_name: MlirStringRef) -> MlirModule;
    pub(crate) fn skndEmitDiagnostic(
        location: MlirLocation,
        severity: u32,
        message: MlirStringRef,
        notes: *const MlirStringRef,
        count: usize,
    );
    pub(crate) fn skndEmitOpError(
        operation: MlirOperation,
        message: MlirStringRef,
        notes: *const MlirStringRef,
        count: usize,
    );
    pub(crate) fn skndOperationGetPrevious(operation: MlirOperation) -> MlirOperation;
    pub(crate) fn skndIntegerAttributeValue(attribute: MlirAttribute) -> i64;

    pub(crate) fn skndRegisterUpstreamDialects(registry: MlirDialectRegistry);
    pub(crate) fn skndRegisterUpstreamPasses();
    pub(crate) fn skndRegisterEverything(registry: MlirDialectRegistry);
    pub(crate) fn skndRegisterDialect(registry: MlirDialectRegistry, definition: *const DialectDefinition);
    pub(crate) fn skndIsValidNamespace(name: MlirStringRef) -> bool;
    pub(crate) fn skndRegistryHasDialect(registry: MlirDialectRegistry, name: MlirStringRef) -> bool;
    pub(crate) fn skndExtendKnownDialects(registry: MlirDialectRegistry);

    pub(crate) fn skndPushFoldResults(sink: *mut c_void, results: *const FoldResult, count: usize);
    pub(crate) fn skndPushEffect(sink: *mut c_void, effect: *const Effect);
    pub(crate) fn skndPushType(sink: *mut c_void, r#type: MlirType);
    pub(crate) fn skndPushRegionSuccessor(sink: *mut c_void, successor: *const RegionSuccessor);

    pub(crate) fn skndParserContext(parser: *mut c_void) -> MlirContext;
    pub(crate) fn skndParserOperationName(state: *mut c_void) -> MlirStringRef;
    pub(crate) fn skndParserLocation(parser: *mut c_void) -> MlirLocation;
    pub(crate) fn skndParserError(parser: *mut c_void, message: MlirStringRef);
    pub(crate) fn skndParserErrorAtOperand(
        parser: *mut c_void,
        operand: *const UnresolvedOperand,
        message: MlirStringRef,
    );
    pub(crate) fn skndParseKeyword(parser: *mut c_void, keyword: MlirStringRef) -> bool;
    pub(crate) fn skndParseOptionalKeyword(parser: *mut c_void, keyword: MlirStringRef) -> bool;
    pub(crate) fn skndParseIdentifier(parser: *mut c_void, result: *mut MlirStringRef) -> bool;
    pub(crate) fn skndParseOptionalIdentifier(parser: *mut c_void, result: *mut MlirStringRef) -> bool;
    pub(crate) fn skndParseToken(parser: *mut c_void, token: u32) -> bool;
    pub(crate) fn skndParseOptionalToken(parser: *mut c_void, token: u32) -> bool;
    pub(crate) fn skndParseOptionalInteger(parser: *mut c_void, result: *mut i64) -> c_int;
    pub(crate) fn skndParseFloat(parser: *mut c_void, result: *mut f64) -> bool;
    pub(crate) fn skndParseOptionalString(parser: *mut c_void, callback: TextCallback, sink: *mut c_void) -> bool;
    pub(crate) fn skndParseOptionalSymbolName(parser: *mut c_void, result: *mut MlirStringRef) -> bool;
    pub(crate) fn skndParseAttribute(parser: *mut c_void, r#type: MlirType, result: *mut MlirAttribute) -> bool;
    pub(crate) fn skndParseOptionalAttribute(
        parser: *mut c_void,
        r#type: MlirType,
        result: *mut MlirAttribute,
    ) -> c_int;
    pub(crate) fn skndParseAttributeDictionary(parser: *mut c_void, state: *mut c_void, keyword: bool) -> bool;
    pub(crate) fn skndParseType(parser: *mut c_void, result: *mut MlirType) -> bool;
    pub(crate) fn skndParseOptionalType(parser: *mut c_void, result: *mut MlirType) -> c_int;
    pub(crate) fn skndParseOperand(parser: *mut c_void, result: *mut UnresolvedOperand) -> bool;
    pub(crate) fn skndParseOptionalOperand(parser: *mut c_void, result: *mut UnresolvedOperand) -> c_int;
    pub(crate) fn skndParseList(
        parser: *mut c_void,
        delimiter: u32,
        element: unsafe extern "C" fn(*mut c_void) -> bool,
        data: *mut c_void,
    ) -> bool;
    pub(crate) fn skndResolveOperand(
        parser: *mut c_void,
        operand: *const UnresolvedOperand,
        r#type: MlirType,
        result: *mut MlirValue,
    ) -> bool;
    pub(crate) fn skndParseOptionalArgument(
        parser: *mut c_void,
        allow_attributes: bool,
        result: *mut Argument,
    ) -> c_int;
    pub(crate) fn skndParseOptionalRegion(
        parser: *mut c_void,
        arguments: *const Argument,
        count: usize,
        result: *mut MlirRegion,
    ) -> c_int;
    pub(crate) fn skndParseSuccessor(parser: *mut c_void, state: *mut c_void) -> bool;
    pub(crate) fn skndAddOperands(state: *mut c_void, values: *const MlirValue, count: usize);
    pub(crate) fn skndAddResultTypes(state: *mut c_void, types: *const MlirType, count: usize);
    pub(crate) fn skndAddAttribute(state: *mut c_void, name: MlirStringRef, attribute: MlirAttribute);
    pub(crate) fn skndGetAttribute(state: *mut c_void, name: MlirStringRef) -> MlirAttribute;
    pub(crate) fn skndAddRegion(state: *mut c_void, region: MlirRegion);
    pub(crate) fn skndInferResults(parser: *mut c_void, state: *mut c_void) -> bool;
    pub(crate) fn skndEnsureTerminator(region: MlirRegion, name: MlirStringRef, location: MlirLocation);

    pub(crate) fn skndPrintText(printer: *mut c_void, text: MlirStringRef);
    pub(crate) fn skndPrintOperand(printer: *mut c_void, value: MlirValue);
    pub(crate) fn skndPrintType(printer: *mut c_void, r#type: MlirType);
    pub(crate) fn skndPrintAttribute(printer: *mut c_void, attribute: MlirAttribute, with_type: bool);
    pub(crate) fn skndPrintAttributeDictionary(
        printer: *mut c_void,
        operation: MlirOperation,
        without: *const MlirStringRef,
        count: usize,
        keyword: bool,
    );
    pub(crate) fn skndPrintString(printer: *mut c_void, text: MlirStringRef);
    pub(crate) fn skndPrintSymbolName(printer: *mut c_void, name: MlirStringRef);
    pub(crate) fn skndPrintFloat(printer: *mut c_void, value: f64);
    pub(crate) fn skndPrintRegion(
        printer: *mut c_void,
        region: MlirRegion,
        entry_arguments: bool,
        terminators: bool,
        empty_block: bool,
    );
    pub(crate) fn skndPrintArgument(printer: *mut c_void, argument: MlirValue);
    pub(crate) fn skndPrintSuccessor(printer: *mut c_void, block: MlirBlock);
    pub(crate) fn skndPrintNewline(printer: *mut c_void);

    pub(crate) fn skndRegisterPass(definition: *const PassDefinition);
    pub(crate) fn skndIsPassRegistered(argument: MlirStringRef) -> bool;
    pub(crate) fn skndRegisterPipeline(
        argument: MlirStringRef,
        description: MlirStringRef,
        options: *const OptionDefinition,
        option_count: usize,
        spec: *const c_void,
    );
    pub(crate) fn skndCheckPipeline(pipeline: MlirStringRef, callback: TextCallback, sink: *mut c_void) -> bool;
    pub(crate) fn skndPassFlag(pass: *mut c_void, index: usize) -> bool;
    pub(crate) fn skndPassInteger(pass: *mut c_void, index: usize) -> i64;
    pub(crate) fn skndPassText(pass: *mut c_void, index: usize) -> MlirStringRef;
    pub(crate) fn skndPassIntegers(pass: *mut c_void, index: usize, count: *mut usize) -> *const i64;
    pub(crate) fn skndPassTexts(pass: *mut c_void, index: usize, callback: TextCallback, sink: *mut c_void);
    pub(crate) fn skndPassRunPipeline(
        pass: *mut c_void,
        operation: MlirOperation,
        pipeline: MlirStringRef,
        callback: TextCallback,
        sink: *mut c_void,
    ) -> bool;
    pub(crate) fn skndRunPipeline(
        module: MlirModule,
        pipeline: MlirStringRef,
        verify: bool,
        print_after_all: bool,
        timing: bool,
        callback: TextCallback,
        sink: *mut c_void,
    ) -> c_int;

    pub(crate) fn skndAddOperationPattern(
        set: MlirRewritePatternSet,
        pattern: *const c_void,
        name: MlirStringRef,
        root: MlirStringRef,
        benefit: u16,
    );
    pub(crate) fn skndAddPdlPatterns(
        set: MlirRewritePatternSet,
        module: MlirModule,
        constraints: *const Native,
        constraint_count: usize,
        rewrites: *const Native,
        rewrite_count: usize,
    );
    pub(crate) fn skndPatternSetContext(set: MlirRewritePatternSet) -> MlirContext;
    pub(crate) fn skndFreeze(set: MlirRewritePatternSet) -> MlirFrozenRewritePatternSet;
    pub(crate) fn skndPdlValueKind(value: MlirPDLValue) -> u32;
    pub(crate) fn skndPdlAttribute(value: MlirPDLValue) -> MlirAttribute;
    pub(crate) fn skndPdlOperation(value: MlirPDLValue) -> MlirOperation;
    pub(crate) fn skndPdlType(value: MlirPDLValue) -> MlirType;
    pub(crate) fn skndPdlValue(value: MlirPDLValue) -> MlirValue;
    pub(crate) fn skndPdlTypeCount(value: MlirPDLValue) -> usize;
    pub(crate) fn skndPdlTypeAt(value: MlirPDLValue, index: usize) -> MlirType;
    pub(crate) fn skndPdlValueCount(value: MlirPDLValue) -> usize;
    pub(crate) fn skndPdlValueAt(value: MlirPDLValue, index: usize) -> MlirValue;
    pub(crate) fn skndPushPdlTypes(results: MlirPDLResultList, types: *const MlirType, count: usize);
    pub(crate) fn skndPushPdlValues(results: MlirPDLResultList, values: *const MlirValue, count: usize);
    pub(crate) fn skndApplyGreedily(
        operation: MlirOperation,
        patterns: MlirFrozenRewritePatternSet,
        options: *const GreedyOptions,
        stopped: unsafe extern "C" fn(*mut c_void) -> bool,
        sink: *mut c_void,
        changed: *mut bool,
    ) -> bool;
    pub(crate) fn skndWalkAndApply(operation: MlirOperation, patterns: MlirFrozenRewritePatternSet, sink: *mut c_void);
    pub(crate) fn skndIsUsedOutside(operation: MlirOperation) -> bool;
    pub(crate) fn skndSetAside(operation: MlirOperation) -> bool;
    pub(crate) fn skndIsIsolatedFromAbove(operation: MlirOperation) -> bool;

    pub(crate) fn skndOptMain(
        argc: c_int,
        argv: *mut *mut c_char,
        name: MlirStringRef,
        registry: MlirDialectRegistry,
        import: *const c_void,
    ) -> c_int;
    pub(crate) fn skndLanguageServerMain(argc: c_int, argv: *mut *mut c_char, registry: MlirDialectRegistry) -> c_int;
    pub(crate) fn skndTranslateMain(
        argc: c_int,
        argv: *mut *mut c_char,
        name: MlirStringRef,
        translations: *const TranslationDefinition,
        count: usize,
    ) -> c_int;
    pub(crate) fn skndTargetHasProcessor(triple: MlirStringRef, processor: MlirStringRef) -> bool;
    pub(crate) fn skndTargetHasFeature(triple: MlirStringRef, feature: MlirStringRef) -> bool;
    pub(crate) fn skndTargetFeatures(
        triple: MlirStringRef,
        processor: MlirStringRef,
        features: MlirStringRef,
        tell: TextCallback,
        sink: *mut c_void,
    );
    pub(crate) fn skndIteratorType(context: MlirContext, reduced: bool) -> MlirAttribute;
    pub(crate) fn skndIsReductionIterator(attribute: MlirAttribute) -> bool;
    pub(crate) fn skndHashBodies(operation: MlirOperation) -> u64;
    pub(crate) fn skndEqualBodies(one: MlirOperation, other: MlirOperation) -> bool;
    pub(crate) fn skndSetCodeGeneratorOption(name: MlirStringRef, value: MlirStringRef) -> bool;
    pub(crate) fn skndPushText(sink: *mut c_void, text: MlirStringRef);
    pub(crate) fn skndApproximateMath(operation: MlirOperation) -> bool;
}

/// A string for a call; it must not be kept.
pub(crate) fn text(text: &str) -> MlirStringRef {
    StringRef::new(text).to_raw()
}

/// A string of a definition that is never freed.
pub(crate) fn keep(text: &str) -> MlirStringRef {
    self::text(Box::leak(text.to_string().into_boxed_str()))
}

/// A slice of a definition that is never freed.
pub(crate) fn keep_slice<T>(values: Vec<T>) -> (*const T, usize) {
    let values = Box::leak(values.into_boxed_slice());
    (values.as_ptr(), values.len())
}

/// Strings of a definition that are never freed.
pub(crate) fn keep_strings(texts: &[String]) -> Strings {
    let (data, size) = keep_slice(texts.iter().map(|text| keep(text)).collect());
    Strings { data, size }
}

/// A zero-terminated string that is never freed; it ends at a zero inside.
pub(crate) fn keep_c_string(text: impl AsRef<[u8]>) -> *const c_char {
    let text = text.as_ref().iter().copied();
    let bytes: Vec<u8> = text.take_while(|&byte| byte != 0).chain([0]).collect();
    keep_slice(bytes).0.cast()
}

/// The bytes of a string.
///
/// # Safety
///
/// The string must be valid for the chosen lifetime.
pub(crate) unsafe fn bytes_from<'a>(text: MlirStringRef) -> &'a [u8] {
    if text.length == 0 {
        return &[];
    }
    // SAFETY: a string that is not empty has that many bytes.
    unsafe { std::slice::from_raw_parts(text.data.cast(), text.length) }
}

/// A string that MLIR guarantees to be an identifier; empty should it not be UTF-8.
///
/// # Safety
///
/// The string must be valid for the chosen lifetime.
pub(crate) unsafe fn str_from<'a>(text: MlirStringRef) -> &'a str {
    // SAFETY: as the caller promises.
    std::str::from_utf8(unsafe { bytes_from(text) }).unwrap_or_default()
}

/// A copy of a string.
///
/// # Safety
///
/// The string must be valid.
pub(crate) unsafe fn string_from(text: MlirStringRef) -> String {
    // SAFETY: as the caller promises.
    String::from_utf8_lossy(unsafe { bytes_from(text) }).into_owned()
}

/// A slice from a pointer, which may be anything if there are no elements.
///
/// # Safety
///
/// The elements must be valid for the chosen lifetime.
pub(crate) unsafe fn slice_from<'a, T>(data: *const T, count: usize) -> &'a [T] {
    if count == 0 {
        return &[];
    }
    // SAFETY: as the caller promises.
    unsafe { std::slice::from_raw_parts(data, count) }
}

/// A callback that appends text to a `String`.
///
/// # Safety
///
/// The sink must be a `String`.
pub(crate) unsafe extern "C" fn append_text(text: MlirStringRef, sink: *mut c_void) {
    // SAFETY: as the caller promises.
    unsafe { (*sink.cast::<String>()).push_str(&string_from(text)) }
}

/// A callback that appends text to a `Vec<String>`.
///
/// # Safety
///
/// The sink must be a `Vec<String>`.
pub(crate) unsafe extern "C" fn push_text(text: MlirStringRef, sink: *mut c_void) {
    // SAFETY: as the caller promises.
    unsafe { (*sink.cast::<Vec<String>>()).push(string_from(text)) }
}
