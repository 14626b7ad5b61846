//===- Made.cpp - What rules make -----------------------------------------===//

#include "Bridge.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Rewrite.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/Support/Threading.h"

using namespace mlir;

extern "C" const void *skndOperationSpec(MlirOperation op);

namespace {

/// What is reported where something fails; nothing where it does not.
std::string refusal(MLIRContext *context, function_ref<LogicalResult()> action) {
  std::string message;
  uint64_t thread = llvm::get_threadid();
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    // What other threads report is theirs.
    if (llvm::get_threadid() != thread)
      return failure();
    if (message.empty())
      message = diagnostic.str();
    return success();
  });
  if (succeeded(action()))
    return "";
  return message.empty() ? "its result types cannot be inferred" : message;
}

/// The kind of attribute that an operation expects under a name, which is inherent, as far as that is found by trying. The
/// operation has none there afterwards.
std::string expectedKind(Operation *op, StringAttr name) {
  Builder builder(op->getContext());
  std::pair<Attribute, StringRef> kinds[] = {
      {builder.getStringAttr(""), "a string"},
      {builder.getI64IntegerAttr(0), "an integer, of type i64"},
      {builder.getI32IntegerAttr(0), "an integer, of type i32"},
      {builder.getBoolAttr(true), "true or false"},
      {builder.getF64FloatAttr(0), "a number with a point"},
      {builder.getUnitAttr(), "unit"},
      {TypeAttr::get(builder.getNoneType()), "a type"},
      {FlatSymbolRefAttr::get(builder.getStringAttr("symbol")), "the name of a symbol"},
      {builder.getArrayAttr({}), "an array"},
      {builder.getDictionaryAttr({}), "a dictionary"},
      {builder.getDenseI64ArrayAttr({}), "a dense array of i64"},
      {builder.getDenseI32ArrayAttr({}), "a dense array of i32"},
      {builder.getDenseBoolArrayAttr({}), "a dense array of i1"},
      {AffineMapAttr::get(builder.getEmptyAffineMap()), "an affine map"},
  };
  std::string expected;
  for (auto &[kind, text] : kinds) {
    op->setInherentAttr(name, kind);
    if (op->getInherentAttr(name) != std::optional(kind))
      continue;
    expected = text;
    break;
  }
  op->setInherentAttr(name, Attribute());
  return expected;
}

std::string shown(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream(text) << '`' << attribute << '`';
  return text;
}

/// Gives an operation the defaults of the inherent attributes that it lacks.
void setDefaults(Operation *op) {
  if (op->getPropertiesStorageSize())
    op->getName().populateDefaultProperties(op->getPropertiesStorage());
}

/// What is wrong with an attribute that an operation was made with: it drops one that is inherent and not of the kind that
/// it expects. Empty if it has taken it.
std::string mistake(Operation *op, NamedAttribute given) {
  if (!op->isRegistered() || !op->getPropertiesStorageSize())
    return "";
  StringAttr name = given.getName();
  std::optional<Attribute> taken = op->getInherentAttr(name);
  if (!taken || *taken == given.getValue())
    return "";
  std::string expected = *taken ? "" : expectedKind(op, name);
  setDefaults(op);
  Attribute usual = op->getInherentAttr(name).value_or(Attribute());
  if (expected.empty() && usual)
    expected = "one such as " + shown(usual);
  std::string message = ("attribute `" + name.getValue() + "` has the wrong kind: ").str();
  return message + (expected.empty() ? "" : "expected " + expected + ", ") + "found " + shown(given.getValue());
}

/// What is wrong with the first attribute that an operation has not taken. What it lacks gets its default.
std::string firstMistake(Operation *op, ArrayRef<NamedAttribute> given) {
  std::string first;
  for (NamedAttribute attribute : given)
    if (std::string message = mistake(op, attribute); first.empty())
      first = message;
  setDefaults(op);
  return first;
}

/// What a verifier says behind the name of the operation.
StringRef reasonOf(StringRef message) { return message.contains(" op ") ? message.split(" op ").second : message; }

/// Whether a verifier misses other results: it looks at their number before the operands.
bool isAboutResults(StringRef reason) {
  return reason == "requires zero results" || reason == "requires one result" ||
         (reason.starts_with("expected ") && reason.ends_with(" results"));
}

/// Whether a verifier refuses what types are inferred from: it looks at this before the types of results, and functions
/// that infer types take it for granted.
bool isAboutParts(StringRef reason) {
  auto begins = [&](StringRef words) { return reason.starts_with(words); };
  auto names = [&](StringRef word) { return reason.contains(word); };
  if (begins("requires all ") || begins("requires the same "))
    return false;
  bool parts = names("operand") || names("attribute") || names("region") || names("successor");
  return parts && (begins("expected ") || begins("requires ") || begins("operand ") || begins("attribute ") || begins("'"));
}

/// An operation that stands nowhere, with results of some type.
using Trial = std::unique_ptr<Operation, void (*)(Operation *)>;

Trial makeTrial(OperationState &state, size_t numResults) {
  Type guess = state.operands.empty() ? Type(NoneType::get(state.getContext())) : state.operands.front().getType();
  state.types.assign(numResults, guess);
  return Trial(Operation::create(state), [](Operation *op) { op->destroy(); });
}

} // namespace

extern "C" {

/// Whether an operation of this name infers the types of its results.
bool skndInfersTypes(MlirContext context, MlirStringRef name) {
  std::optional<RegisteredOperationName> known = RegisteredOperationName::lookup(unwrap(name), unwrap(context));
  return known && known->hasInterface<InferTypeOpInterface>();
}

/// Infers the types of the results of an operation of a name that does; it tells what is wrong where its operands and
/// attributes are not those of one.
bool skndInferTypes(MlirLocation location, MlirStringRef name, const MlirValue *operands, size_t numOperands,
                    const MlirNamedAttribute *attributes, size_t numAttributes,
                    void (*pushType)(MlirType, void *), void *types, MlirStringCallback callback, void *sink) {
  constexpr size_t maxResults = 8;
  OperationState state(unwrap(location), unwrap(name));
  for (MlirValue operand : ArrayRef(operands, numOperands))
    state.operands.push_back(unwrap(operand));
  for (MlirNamedAttribute attribute : ArrayRef(attributes, numAttributes))
    state.addAttribute(unwrap(attribute.name), unwrap(attribute.attribute));
  auto fail = [&](StringRef reason) { return callback(wrap(reason), sink), false; };
  for (size_t count = 1; count <= maxResults + 1; ++count) {
    Trial trial = makeTrial(state, count % (maxResults + 1));
    if (std::string mistaken = firstMistake(trial.get(), state.attributes.getAttrs()); !mistaken.empty())
      return fail(mistaken);
    // Functions in Rust look before they take anything.
    MLIRContext *context = trial->getContext();
    bool isRust = skndOperationSpec(wrap(trial.get()));
    auto verify = [&] { return trial->getName().verifyInvariants(trial.get()); };
    std::string message = isRust ? "" : refusal(context, verify);
    StringRef reason = reasonOf(message);
    if (count <= maxResults && isAboutResults(reason))
      continue;
    if (isAboutParts(reason))
      return fail(reason);
    SmallVector<Type> inferred;
    auto infer = [&] {
      return cast<InferTypeOpInterface>(trial.get())
          .inferReturnTypes(context, trial->getLoc(), trial->getOperands(), trial->getRawDictionaryAttrs(),
                            trial->getPropertiesStorage(), trial->getRegions(), inferred);
    };
    message = refusal(context, infer);
    if (!message.empty())
      return fail(reasonOf(message));
    for (Type type : inferred)
      pushType(wrap(type), types);
    return true;
  }
  return fail("its result types cannot be inferred");
}

/// Whether an operation has taken the attributes that it was made with; what is wrong goes to the callback. What it lacks
/// gets its default.
bool skndCheckTaken(MlirOperation operation, const MlirNamedAttribute *attributes, size_t numAttributes,
                    MlirStringCallback callback, void *sink) {
  SmallVector<NamedAttribute> given;
  for (MlirNamedAttribute attribute : ArrayRef(attributes, numAttributes))
    given.emplace_back(unwrap(attribute.name), unwrap(attribute.attribute));
  std::string mistaken = firstMistake(unwrap(operation), given);
  if (!mistaken.empty())
    callback(wrap(mistaken), sink);
  return mistaken.empty();
}

/// Inserts an operation before another one, or at the end of a block. The rewriter goes on where it was.
MlirOperation skndInsert(MlirRewriterBase rewriter, MlirBlock block, MlirOperation before, MlirOperation operation) {
  RewriterBase &rewriting = *unwrap(rewriter);
  OpBuilder::InsertionGuard guard(rewriting);
  if (before.ptr)
    rewriting.setInsertionPoint(unwrap(before));
  else
    rewriting.setInsertionPointToEnd(unwrap(block));
  return wrap(rewriting.insert(unwrap(operation)));
}

/// Verifies an operation, and with `whole` what it contains.
bool skndVerify(MlirOperation operation, bool whole) {
  Operation *op = unwrap(operation);
  return succeeded(whole ? verify(op) : op->getName().verifyInvariants(op));
}

/// Puts an operation that nothing knows, and so nothing folds or matches, in the place of one that is not valid.
void skndNeutralize(MlirRewriterBase rewriter, MlirOperation operation) {
  Operation *op = unwrap(operation);
  RewriterBase &rewriting = *unwrap(rewriter);
  OpBuilder::InsertionGuard guard(rewriting);
  OperationState state(op->getLoc(), "builtin.invalid");
  state.addOperands(op->getOperands());
  state.addTypes(op->getResultTypes());
  state.addSuccessors(op->getSuccessors());
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  rewriting.setInsertionPoint(op);
  rewriting.replaceOp(op, rewriting.create(state));
}

} // extern "C"
