//===- Bridge.h - The interface between the Rust crate and MLIR -*- C++ -*-===//
//
// Functions that start with `sknd` are implemented here and called from Rust; those that start with `skndRust` are
// implemented in Rust (dialects/mlir/src) and called from here. Specifications that are passed as `const void *` are owned
// by Rust and live as long as the process.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_BRIDGE_H
#define SKRIPTND_BRIDGE_H

#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"
#include "mlir-c/Rewrite.h"
#include "mlir-c/Support.h"

#include <cstddef>
#include <cstdint>

extern "C" {

//===--- Definitions ------------------------------------------------------===//

/// A number of operands, results, regions or successors; `maximum` is SIZE_MAX when there is none.
struct SkndArity {
  size_t minimum;
  size_t maximum;
};

struct SkndStrings {
  const MlirStringRef *data;
  size_t size;
};

/// What an operation implements by callbacks into Rust.
enum SkndCapability : uint32_t {
  SkndVerify = 1u << 0,
  SkndVerifyRegions = 1u << 1,
  SkndAssembly = 1u << 2,
  SkndFold = 1u << 3,
  SkndInferTypes = 1u << 4,
  SkndEffects = 1u << 5,
  SkndCall = 1u << 6,
  SkndFunction = 1u << 7,
  SkndRegionBranch = 1u << 8,
  SkndNames = 1u << 9,
  SkndBranch = 1u << 10,
  SkndCast = 1u << 11,
  SkndSymbolUser = 1u << 12,
};

struct SkndOperation {
  const void *spec;
  MlirStringRef name;
  const uint32_t *traits;
  size_t numTraits;
  SkndArity operands, results, regions, successors;
  SkndStrings attributeNames;
  SkndStrings parents;
  MlirStringRef calleeAttribute;
  /// The dialect whose name operations inside are printed without; empty if there is none.
  MlirStringRef defaultDialect;
  uint32_t capabilities;
};

/// A type or an attribute: its name without the dialect.
struct SkndDefinition {
  const void *spec;
  MlirStringRef name;
  /// Whether the name may stand as an alias in text.
  bool alias;
};

struct SkndDialect {
  const void *spec;
  MlirStringRef name;
  const SkndOperation *operations;
  size_t numOperations;
  const SkndDefinition *types;
  size_t numTypes;
  const SkndDefinition *attributes;
  size_t numAttributes;
  SkndStrings dependentDialects;
  bool allowUnknown;
  bool unknownPure;
  bool unknownAssembly;
  bool verifiesOperationAttributes;
  bool verifiesArgumentAttributes;
  bool verifiesResultAttributes;
  bool materializesConstants;
  bool hasPatterns;
};

/// Mirrors `OpAsmParser::UnresolvedOperand`.
struct SkndOperand {
  const char *location;
  MlirStringRef name;
  unsigned number;
};

struct SkndArgument {
  SkndOperand operand;
  MlirType type;
  MlirAttribute attributes;
  MlirLocation location;
};

/// What a result folds to: one of the two is not null.
struct SkndFoldResult {
  MlirValue value;
  MlirAttribute constant;
};

struct SkndEffect {
  uint32_t kind;
  /// 0: any memory, 1: an operand's, 2: a result's.
  uint32_t target;
  size_t index;
};

/// A point of control flow: -1 is the parent operation, others are regions.
typedef intptr_t SkndRegionPoint;

struct SkndRegionSuccessor {
  SkndRegionPoint point;
  /// The operands of the parent operation that are handed on, when it is the parent that branches.
  size_t firstOperand, numOperands;
};

/// What a successor's block takes as arguments: values that the operation produces, then some of its operands.
struct SkndSuccessorOperands {
  size_t numProduced;
  size_t firstOperand, numOperands;
};

//===--- Callbacks into Rust ----------------------------------------------===//

bool skndRustVerify(const void *spec, MlirOperation op);
bool skndRustVerifyRegions(const void *spec, MlirOperation op);
/// 0: unchanged, 1: in place, 2: results were pushed.
int skndRustFold(const void *spec, MlirOperation op, const MlirAttribute *operands, size_t numOperands, void *results);
bool skndRustParse(const void *spec, void *parser, void *state);
void skndRustPrint(const void *spec, MlirOperation op, void *printer);
bool skndRustParseUnknown(const void *dialect, void *parser, void *state);
void skndRustPrintUnknown(const void *dialect, MlirOperation op, void *printer);
bool skndRustInferTypes(const void *spec, MlirContext context, MlirLocation location, const MlirValue *operands,
                        size_t numOperands, MlirAttribute attributes, const MlirRegion *regions, size_t numRegions,
                        void *types);
void skndRustEffects(const void *spec, MlirOperation op, void *effects);
void skndRustRegionSuccessors(const void *spec, MlirOperation op, SkndRegionPoint from, void *successors);
SkndSuccessorOperands skndRustSuccessorOperands(const void *spec, MlirOperation op, size_t successor);
/// The successor that is taken for these constant operands, null where one is none; -1 if that is not known.
intptr_t skndRustChosenSuccessor(const void *spec, MlirOperation op, const MlirAttribute *operands, size_t numOperands);
bool skndRustAreCastCompatible(const void *spec, const MlirType *inputs, size_t numInputs, const MlirType *outputs,
                               size_t numOutputs);
/// Looks symbols up with `skndLookupSymbol`.
bool skndRustVerifySymbolUses(const void *spec, MlirOperation op, void *symbols);
/// Names are pushed with `skndPushValueName` and `skndPushBlockName`.
void skndRustNameResults(const void *spec, MlirOperation op, void *names);
void skndRustNameArguments(const void *spec, MlirOperation op, MlirRegion region, void *names);
void skndRustNameBlocks(const void *spec, MlirOperation op, void *names);
/// Null if the dialect has no operation for the constant.
MlirOperation skndRustMaterializeConstant(const void *dialect, MlirAttribute value, MlirType type,
                                          MlirLocation location);
/// Whether attributes of the dialect's namespace are right; why not is reported.
bool skndRustVerifyAttribute(const void *dialect, MlirOperation op, MlirStringRef name, MlirAttribute attribute);
bool skndRustVerifyRegionAttribute(const void *dialect, MlirOperation op, bool ofResult, size_t region, size_t index,
                                   MlirStringRef name, MlirAttribute attribute);
void skndRustAddPatterns(const void *dialect, MlirRewritePatternSet patterns);

/// Whether the parameters of a type or an attribute are right; why not is pushed with `skndPushText`.
bool skndRustVerifyParameters(const void *spec, MlirContext context, const MlirAttribute *parameters, size_t count,
                              void *message);
/// Parses what stands behind the mnemonic; the parameters are pushed with `skndPushAttribute`.
bool skndRustParseParameters(const void *spec, void *parser, MlirType selfType, void *parameters);
void skndRustPrintParameters(const void *spec, void *printer, const MlirAttribute *parameters, size_t count);

bool skndRustRunPass(const void *spec, MlirOperation op, void *pass);
void skndRustCheckInvariant(const void *invariant, MlirStringRef pass, MlirOperation op);

/// Whether the options that a pass was given are admitted; otherwise what is wrong goes to the callback.
bool skndRustCheckOptions(const void *spec, void *pass, MlirStringCallback callback, void *sink);

/// Passes the names of the dialects to the callback that the pass depends on with the options that it was given.
void skndRustDependentDialects(const void *spec, void *pass, MlirStringCallback callback, void *sink);

/// Passes the text of a pipeline for these options to the callback, or, where it returns false, why there is none.
bool skndRustExpandPipeline(const void *spec, MlirStringRef options, MlirStringCallback callback, void *sink);

/// Whether it matched and was rewritten.
bool skndRustRewriteOperation(const void *pattern, MlirOperation op, MlirRewriterBase rewriter);
bool skndRustConstraint(const void *function, MlirRewriterBase rewriter, const MlirPDLValue *values, size_t numValues,
                        MlirPDLResultList results);
void skndRustRewrite(const void *function, MlirRewriterBase rewriter, const MlirPDLValue *values, size_t numValues,
                     MlirPDLResultList results);
/// What is kept with a context, for as long as it lives.
void *skndRustNewKept();
void skndRustDropKept(void *kept);
void skndRustVisited(MlirOperation op);
void skndRustMatched(uint32_t benefit);
void skndRustPatternBegin(void *sink, MlirOperation op);
void skndRustPatternEnd(void *sink, MlirStringRef name, bool applied);

/// The text of the module that stands for an input of another form, as a model's folder: pushed with `skndPushText` if
/// there is one. Returns 0 where the input is a file for MLIR, 1 where it has been taken over, 2 where that failed, and
/// the message is pushed in place of the text.
int skndRustImport(const void *import, MlirStringRef path, void *output);

/// Translates; the output or the message is pushed with `skndPushText`.
bool skndRustTranslate(const void *translation, MlirStringRef name, MlirStringRef text, void *output);

} // extern "C"

/// Registers `convert-vectors-to-llvm` (Vectors.cpp). To be called once.
void skndRegisterVectorConversion();

#endif // SKRIPTND_BRIDGE_H
