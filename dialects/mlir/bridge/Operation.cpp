//===- Operation.cpp - Operations defined from Rust -----------------------===//

#include "Operation.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace skriptnd;

namespace {

/// How upstream code asks for a trait, and how it is verified.
struct TraitModel {
  Trait trait;
  TypeID id;
  LogicalResult (*verify)(Operation *);
};

LogicalResult verifyOperandSegments(Operation *op) {
  return OpTrait::impl::verifyOperandSizeAttr(op, "operandSegmentSizes");
}

LogicalResult verifyResultSegments(Operation *op) {
  return OpTrait::impl::verifyResultSizeAttr(op, "resultSegmentSizes");
}

LogicalResult verifyConstant(Operation *op) {
  if (failed(OpTrait::impl::verifyZeroOperands(op)) || failed(OpTrait::impl::verifyOneResult(op)))
    return failure();
  return success();
}

ArrayRef<TraitModel> getTraitModels() {
#define TRAIT(name, upstream, verify) TraitModel{Trait::name, TypeID::get<OpTrait::upstream>(), verify}
  using namespace OpTrait::impl;
  static const TraitModel models[] = {
      TRAIT(Terminator, IsTerminator, verifyIsTerminator),
      TRAIT(Commutative, IsCommutative, nullptr),
      TRAIT(Idempotent, IsIdempotent, verifyIsIdempotent),
      TRAIT(Involution, IsInvolution, verifyIsInvolution),
      TRAIT(SameOperandsAndResultType, SameOperandsAndResultType, verifySameOperandsAndResultType),
      TRAIT(SameOperandsAndResultElementType, SameOperandsAndResultElementType,
            verifySameOperandsAndResultElementType),
      TRAIT(SameOperandsAndResultShape, SameOperandsAndResultShape, verifySameOperandsAndResultShape),
      TRAIT(SameTypeOperands, SameTypeOperands, verifySameTypeOperands),
      TRAIT(SameOperandsShape, SameOperandsShape, verifySameOperandsShape),
      TRAIT(SameOperandsElementType, SameOperandsElementType, verifySameOperandsElementType),
      TRAIT(SameOperandsAndResultRank, SameOperandsAndResultRank, verifySameOperandsAndResultRank),
      TRAIT(IsolatedFromAbove, IsIsolatedFromAbove, nullptr),
      TRAIT(SymbolTable, SymbolTable, nullptr),
      TRAIT(NoTerminator, NoTerminator, nullptr),
      TRAIT(SingleBlock, SingleBlock, nullptr),
      TRAIT(ConstantLike, ConstantLike, verifyConstant),
      TRAIT(RecursiveMemoryEffects, HasRecursiveMemoryEffects, nullptr),
      TRAIT(AttrSizedOperandSegments, AttrSizedOperandSegments, verifyOperandSegments),
      TRAIT(AttrSizedResultSegments, AttrSizedResultSegments, verifyResultSegments),
      TRAIT(ReturnLike, ReturnLike, nullptr),
      TRAIT(AffineScope, AffineScope, nullptr),
      TRAIT(AutomaticAllocationScope, AutomaticAllocationScope, nullptr),
      TRAIT(Elementwise, Elementwise, verifyElementwise),
      TRAIT(Scalarizable, Scalarizable, nullptr),
      TRAIT(Vectorizable, Vectorizable, nullptr),
      TRAIT(Tensorizable, Tensorizable, nullptr),
      TRAIT(AlwaysSpeculatable, AlwaysSpeculatableImplTrait, nullptr),
      TRAIT(RecursivelySpeculatable, RecursivelySpeculatableImplTrait, nullptr),
      TRAIT(NoRegionArguments, NoRegionArguments, verifyNoRegionArguments),
  };
#undef TRAIT
  return models;
}

LogicalResult verifyCount(Operation *op, StringRef what, const SkndArity &arity, size_t count) {
  if (arity.minimum <= count && count <= arity.maximum)
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError("requires ");
  if (arity.minimum == arity.maximum)
    diagnostic << arity.minimum;
  else if (arity.maximum == SIZE_MAX)
    diagnostic << "at least " << arity.minimum;
  else
    diagnostic << "between " << arity.minimum << " and " << arity.maximum;
  bool plural = arity.minimum != 1 || (arity.maximum != 1 && arity.maximum != SIZE_MAX);
  return diagnostic << ' ' << what << (plural ? "s" : "") << ", but found " << count;
}

} // namespace

RustOperation::RustOperation(const SkndOperation &definition, Dialect *dialect, TypeID typeID)
    : Impl(unwrap(definition.name), dialect, typeID, {}), definition(definition) {
  for (uint32_t trait : ArrayRef(definition.traits, definition.numTraits))
    traits |= uint64_t(1) << trait;
  for (const TraitModel &model : getTraitModels())
    if (has(model.trait))
      traitIDs.insert(model.id);
  const SkndArity &results = definition.results;
  // What PDL takes an operation without types for depends on these.
  if (results.maximum == 0)
    traitIDs.insert(TypeID::get<OpTrait::ZeroResults>());
  else if (results.minimum == 1 && results.maximum == 1)
    traitIDs.insert(TypeID::get<OpTrait::OneResult>());
  else if (results.minimum == 0)
    traitIDs.insert(TypeID::get<OpTrait::VariadicResults>());
  attachInterfaces(*this, getInterfaceMap());
}

//===--- Folding ----------------------------------------------------------===//

LogicalResult RustOperation::foldByTraits(Operation *op, ArrayRef<Attribute> operands,
                                          SmallVectorImpl<OpFoldResult> &results) const {
  bool unary = op->getNumOperands() == 1 && op->getNumResults() == 1 &&
               op->getOperand(0).getType() == op->getResult(0).getType();
  if (has(Trait::Idempotent) && unary)
    if (OpFoldResult result = OpTrait::impl::foldIdempotent(op)) {
      results.push_back(result);
      return success();
    }
  if (has(Trait::Involution) && unary)
    if (OpFoldResult result = OpTrait::impl::foldInvolution(op)) {
      results.push_back(result);
      return success();
    }
  if (has(Trait::Commutative))
    return OpTrait::impl::foldCommutative(op, operands, results);
  return failure();
}

LogicalResult RustOperation::foldHook(Operation *op, ArrayRef<Attribute> operands,
                                      SmallVectorImpl<OpFoldResult> &results) {
  enum { Unchanged, InPlace, Replaced };
  int outcome = Unchanged;
  SmallVector<OpFoldResult> folded;
  if (can(SkndFold)) {
    SmallVector<MlirAttribute> constants(
        llvm::map_range(operands, [](Attribute attribute) { return wrap(attribute); }));
    outcome = skndRustFold(getSpec(), wrap(op), constants.data(), constants.size(), &folded);
  }
  // Upstream code relies on constants folding to their attribute.
  if (has(Trait::ConstantLike)) {
    bool valid = outcome == Replaced && folded.size() == 1 && isa<Attribute>(folded.front());
    Attribute value = op->getAttr("value");
    results.push_back(valid ? folded.front() : OpFoldResult(value ? value : UnitAttr::get(op->getContext())));
    return success();
  }
  if (outcome == Replaced) {
    for (auto [result, replacement] : llvm::zip(op->getResults(), folded))
      if (auto value = dyn_cast<Value>(replacement))
        if (value.getType() != result.getType())
          return failure();
    if (folded.size() != op->getNumResults())
      return failure();
    results.append(folded);
    return success();
  }
  if (succeeded(foldByTraits(op, operands, results)) || succeeded(foldUses(*this, op, operands, results)))
    return success();
  return success(outcome == InPlace);
}

//===--- Assembly ---------------------------------------------------------===//

OperationName::ParseAssemblyFn RustOperation::getParseAssemblyFn() {
  if (!can(SkndAssembly))
    return [](OpAsmParser &parser, OperationState &) -> ParseResult {
      return parser.emitError(parser.getNameLoc()) << "has no custom assembly form";
    };
  return [this](OpAsmParser &parser, OperationState &state) -> ParseResult {
    return success(skndRustParse(getSpec(), static_cast<AsmParser *>(&parser), &state));
  };
}

void RustOperation::printAssembly(Operation *op, OpAsmPrinter &printer, StringRef defaultDialect) {
  if (!can(SkndAssembly)) {
    printer.printGenericOp(op);
    return;
  }
  StringRef name = op->getName().getStringRef();
  if (name.count('.') == 1 && name.starts_with((defaultDialect + ".").str()))
    name = name.drop_front(defaultDialect.size() + 1);
  printer.getStream() << name;
  skndRustPrint(getSpec(), wrap(op), static_cast<AsmPrinter *>(&printer));
}

//===--- Verification -----------------------------------------------------===//

LogicalResult RustOperation::verifyCounts(Operation *op) const {
  return success(succeeded(verifyCount(op, "operand", definition.operands, op->getNumOperands())) &&
                 succeeded(verifyCount(op, "result", definition.results, op->getNumResults())) &&
                 succeeded(verifyCount(op, "region", definition.regions, op->getNumRegions())) &&
                 succeeded(verifyCount(op, "successor", definition.successors, op->getNumSuccessors())));
}

LogicalResult RustOperation::verifyTraits(Operation *op) const {
  for (const TraitModel &model : getTraitModels())
    if (has(model.trait) && model.verify && failed(model.verify(op)))
      return failure();
  return success();
}

LogicalResult RustOperation::verifyParent(Operation *op) const {
  ArrayRef<MlirStringRef> parents(definition.parents.data, definition.parents.size);
  if (parents.empty())
    return success();
  Operation *parent = op->getParentOp();
  if (parent && llvm::any_of(parents, [&](MlirStringRef name) {
        return unwrap(name) == parent->getName().getStringRef();
      }))
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError("expects parent op ");
  if (parents.size() > 1)
    diagnostic << "to be one of ";
  llvm::interleaveComma(parents, diagnostic, [&](MlirStringRef name) { diagnostic << "'" << unwrap(name) << "'"; });
  return diagnostic;
}

LogicalResult RustOperation::verifyBlocks(Operation *op) const {
  if (!has(Trait::SingleBlock))
    return success();
  for (auto [index, region] : llvm::enumerate(op->getRegions())) {
    if (region.empty())
      continue;
    if (!region.hasOneBlock())
      return op->emitOpError("expects region #") << index << " to have 0 or 1 blocks";
    if (!has(Trait::NoTerminator) && region.front().empty())
      return op->emitOpError("expects a non-empty block");
  }
  return success();
}

LogicalResult RustOperation::verifyInvariants(Operation *op) {
  if (failed(verifyCounts(op)) || failed(verifyTraits(op)) || failed(verifyParent(op)) || failed(verifyBlocks(op)) ||
      failed(verifyInterfaces(*this, op)))
    return failure();
  return success(!can(SkndVerify) || skndRustVerify(getSpec(), wrap(op)));
}

LogicalResult RustOperation::verifyRegionInvariants(Operation *op) {
  if (has(Trait::IsolatedFromAbove) && failed(OpTrait::impl::verifyIsIsolatedFromAbove(op)))
    return failure();
  if (has(Trait::SymbolTable) && failed(detail::verifySymbolTable(op)))
    return failure();
  if (failed(verifyRegionInterfaces(*this, op)))
    return failure();
  return success(!can(SkndVerifyRegions) || skndRustVerifyRegions(getSpec(), wrap(op)));
}

extern "C" {

void skndPushFoldResults(void *sink, const SkndFoldResult *results, size_t numResults) {
  auto &folded = *static_cast<SmallVector<OpFoldResult> *>(sink);
  for (const SkndFoldResult &result : ArrayRef(results, numResults)) {
    if (result.value.ptr)
      folded.push_back(unwrap(result.value));
    else
      folded.push_back(unwrap(result.constant));
  }
}

} // extern "C"
