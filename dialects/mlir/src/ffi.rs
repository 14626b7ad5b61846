//! The C interface of the bridge in `bridge/` (see `bridge/Bridge.h`), and the conversions around it.

mod conversions;
mod structures;

pub(crate) use conversions::*;
pub(crate) use structures::*;

use std::ffi::{c_char, c_int, c_uint, c_void};

use mlir_sys::*;

/// A callback for text, with user data.
pub(crate) type TextCallback = unsafe extern "C" fn(MlirStringRef, *mut c_void);

unsafe extern "C" {
    // LLVM's own, which no binding declares.
    pub(crate) fn LLVMInitializeHexagonAsmParser();
    pub(crate) fn skndConfigureContext(context: MlirContext);
    pub(crate) fn skndDialectNumber(context: MlirContext, name: MlirStringRef) -> u64;
    pub(crate) fn skndOperationSpec(operation: MlirOperation) -> *const c_void;
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
    pub(crate) fn skndOperationAttributes(operation: MlirOperation) -> MlirAttribute;
    pub(crate) fn skndOperationGetPrevious(operation: MlirOperation) -> MlirOperation;
    pub(crate) fn skndIntegerAttributeValue(attribute: MlirAttribute) -> i64;
    pub(crate) fn skndTypeName(r#type: MlirType) -> MlirStringRef;
    pub(crate) fn skndAttributeName(attribute: MlirAttribute) -> MlirStringRef;

    pub(crate) fn skndRegisterUpstreamDialects(registry: MlirDialectRegistry);
    pub(crate) fn skndRegisterUpstreamPasses();
    pub(crate) fn skndRegisterEverything(registry: MlirDialectRegistry);
    pub(crate) fn skndRegisterDialect(registry: MlirDialectRegistry, definition: *const DialectDefinition);
    pub(crate) fn skndIsValidNamespace(name: MlirStringRef) -> bool;
    pub(crate) fn skndRegistryHasDialect(registry: MlirDialectRegistry, name: MlirStringRef) -> bool;
    pub(crate) fn skndReserveInference(name: MlirStringRef) -> bool;
    pub(crate) fn skndReserveCast(name: MlirStringRef) -> bool;
    pub(crate) fn skndLookupSymbol(symbols: *mut c_void, from: MlirOperation, name: MlirAttribute) -> MlirOperation;
    pub(crate) fn skndReserveDefaultDialect(name: MlirStringRef) -> bool;
    pub(crate) fn skndExtendKnownDialects(registry: MlirDialectRegistry);

    pub(crate) fn skndGetType(
        context: MlirContext,
        dialect: MlirStringRef,
        name: MlirStringRef,
        parameters: *const MlirAttribute,
        count: usize,
        callback: TextCallback,
        sink: *mut c_void,
    ) -> MlirType;
    pub(crate) fn skndGetDefinedAttribute(
        context: MlirContext,
        dialect: MlirStringRef,
        name: MlirStringRef,
        parameters: *const MlirAttribute,
        count: usize,
        callback: TextCallback,
        sink: *mut c_void,
    ) -> MlirAttribute;
    pub(crate) fn skndTypeSpec(r#type: MlirType) -> *const c_void;
    pub(crate) fn skndAttributeSpec(attribute: MlirAttribute) -> *const c_void;
    pub(crate) fn skndTypeParameter(r#type: MlirType, index: usize) -> MlirAttribute;
    pub(crate) fn skndAttributeParameter(attribute: MlirAttribute, index: usize) -> MlirAttribute;
    pub(crate) fn skndPushAttribute(sink: *mut c_void, attribute: MlirAttribute);
    pub(crate) fn skndParseStrippedType(
        parser: *mut c_void,
        dialect: MlirStringRef,
        name: MlirStringRef,
        result: *mut MlirType,
    ) -> bool;
    pub(crate) fn skndParseStrippedAttribute(
        parser: *mut c_void,
        dialect: MlirStringRef,
        name: MlirStringRef,
        result: *mut MlirAttribute,
    ) -> bool;
    pub(crate) fn skndPrintStrippedType(printer: *mut c_void, r#type: MlirType);
    pub(crate) fn skndPrintStrippedAttribute(printer: *mut c_void, attribute: MlirAttribute);

    pub(crate) fn skndPushFoldResults(sink: *mut c_void, results: *const FoldResult, count: usize);
    pub(crate) fn skndPushEffect(sink: *mut c_void, effect: *const Effect);
    pub(crate) fn skndPushType(sink: *mut c_void, r#type: MlirType);
    pub(crate) fn skndPushValueName(sink: *mut c_void, value: MlirValue, name: MlirStringRef);
    pub(crate) fn skndPushBlockName(sink: *mut c_void, block: MlirBlock, name: MlirStringRef);
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
    pub(crate) fn skndParseOptionalSuccessor(parser: *mut c_void, state: *mut c_void) -> c_int;
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
    pub(crate) fn skndIsPassInterface(name: MlirStringRef) -> bool;
    pub(crate) fn skndPassFlag(pass: *mut c_void, index: usize) -> bool;
    pub(crate) fn skndPassInteger(pass: *mut c_void, index: usize) -> i64;
    pub(crate) fn skndPassUnsigned(pass: *mut c_void, index: usize) -> u64;
    pub(crate) fn skndPassReal(pass: *mut c_void, index: usize) -> f64;
    pub(crate) fn skndPassText(pass: *mut c_void, index: usize) -> MlirStringRef;
    pub(crate) fn skndPassIntegers(pass: *mut c_void, index: usize, count: *mut usize) -> *const i64;
    pub(crate) fn skndPassUnsigneds(pass: *mut c_void, index: usize, count: *mut usize) -> *const u64;
    pub(crate) fn skndPassReals(pass: *mut c_void, index: usize, count: *mut usize) -> *const f64;
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
        invariant: *const c_void,
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
        modules: *const MlirModule,
        module_count: usize,
        constraints: *const Native,
        constraint_count: usize,
        rewrites: *const Native,
        rewrite_count: usize,
        others: *const OtherPattern,
        other_count: usize,
        counted: bool,
    );
    pub(crate) fn skndPatternSetContext(set: MlirRewritePatternSet) -> MlirContext;
    pub(crate) fn skndRegisterKept(registry: MlirDialectRegistry);
    pub(crate) fn skndKept(context: MlirContext) -> *mut c_void;
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
    pub(crate) fn skndInfersTypes(context: MlirContext, name: MlirStringRef) -> bool;
    pub(crate) fn skndInferTypes(
        location: MlirLocation,
        name: MlirStringRef,
        operands: *const MlirValue,
        operand_count: usize,
        attributes: *const MlirNamedAttribute,
        attribute_count: usize,
        push_type: unsafe extern "C" fn(MlirType, *mut c_void),
        types: *mut c_void,
        callback: TextCallback,
        sink: *mut c_void,
    ) -> bool;
    pub(crate) fn skndCheckTaken(
        operation: MlirOperation,
        attributes: *const MlirNamedAttribute,
        attribute_count: usize,
        callback: TextCallback,
        sink: *mut c_void,
    ) -> bool;
    pub(crate) fn skndInsert(
        rewriter: MlirRewriterBase,
        block: MlirBlock,
        before: MlirOperation,
        operation: MlirOperation,
    ) -> MlirOperation;
    pub(crate) fn skndVerify(operation: MlirOperation, whole: bool) -> bool;
    pub(crate) fn skndNeutralize(rewriter: MlirRewriterBase, operation: MlirOperation);
    pub(crate) fn skndIsUsedOutside(operation: MlirOperation) -> bool;
    pub(crate) fn skndPrecedesUses(value: MlirValue, operation: MlirOperation) -> bool;
    pub(crate) fn skndPlacesCompared() -> u64;
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
    pub(crate) fn skndLink(
        arguments: *const *const c_char,
        count: usize,
        tell: TextCallback,
        sink: *mut c_void,
    ) -> c_int;
    pub(crate) fn skndLoadedObjects(tell: TextCallback, sink: *mut c_void);
    pub(crate) fn skndTargetHasProcessor(triple: MlirStringRef, processor: MlirStringRef) -> bool;
    pub(crate) fn skndTargetProcessors(triple: MlirStringRef, tell: TextCallback, sink: *mut c_void);
    pub(crate) fn skndTargetKnownFeatures(triple: MlirStringRef, tell: TextCallback, sink: *mut c_void);
    pub(crate) fn skndTargetFeatures(
        triple: MlirStringRef,
        processor: MlirStringRef,
        features: MlirStringRef,
        tell: TextCallback,
        sink: *mut c_void,
    );
    pub(crate) fn skndTargetConflict(
        triple: MlirStringRef,
        processor: MlirStringRef,
        features: MlirStringRef,
        tell: TextCallback,
        sink: *mut c_void,
    );
    pub(crate) fn skndHideBases(module: *mut c_void);
    pub(crate) fn skndModuleInstructions(module: *mut c_void) -> u64;
    pub(crate) fn skndDivideModule(module: *mut c_void, parts: c_uint, tell: TextCallback, sink: *mut c_void);
    pub(crate) fn skndIteratorType(context: MlirContext, reduced: bool) -> MlirAttribute;
    pub(crate) fn skndIsReductionIterator(attribute: MlirAttribute) -> bool;
    pub(crate) fn skndHashBodies(operation: MlirOperation) -> u64;
    pub(crate) fn skndEqualBodies(one: MlirOperation, other: MlirOperation) -> bool;
    pub(crate) fn skndSetCodeGeneratorOption(name: MlirStringRef, value: MlirStringRef) -> bool;
    pub(crate) fn skndPushText(sink: *mut c_void, text: MlirStringRef);
    pub(crate) fn skndApproximateMath(operation: MlirOperation) -> bool;
}
