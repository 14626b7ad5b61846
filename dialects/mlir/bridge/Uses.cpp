//===- Uses.cpp - Branches, casts and uses of symbols defined from Rust ----===//

#include "Operation.h"
#include "Slots.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace skriptnd;

namespace {

//===--- Branches between blocks ------------------------------------------===//

struct BranchModel : BranchOpInterface::FallbackModel<BranchModel> {
  SuccessorOperands getSuccessorOperands(Operation *op, unsigned index) const {
    SkndSuccessorOperands found = skndRustSuccessorOperands(RustOperation::get(op).getSpec(), wrap(op), index);
    size_t first = std::min<size_t>(found.firstOperand, op->getNumOperands());
    size_t count = std::min<size_t>(found.numOperands, op->getNumOperands() - first);
    return SuccessorOperands(found.numProduced, getOperands(op, first, count));
  }
  std::optional<BlockArgument> getSuccessorBlockArgument(Operation *op, unsigned operand) const {
    for (auto [index, block] : llvm::enumerate(op->getSuccessors()))
      if (auto argument = detail::getBranchSuccessorArgument(getSuccessorOperands(op, index), operand, block))
        return argument;
    return std::nullopt;
  }
  Block *getSuccessorForOperands(Operation *op, ArrayRef<Attribute> operands) const {
    SmallVector<MlirAttribute> constants(
        llvm::map_range(operands, [](Attribute attribute) { return wrap(attribute); }));
    intptr_t chosen =
        skndRustChosenSuccessor(RustOperation::get(op).getSpec(), wrap(op), constants.data(), constants.size());
    return chosen >= 0 && static_cast<size_t>(chosen) < op->getNumSuccessors() ? op->getSuccessor(chosen) : nullptr;
  }
  bool areTypesCompatible(Operation *, Type left, Type right) const { return left == right; }

private:
  /// Operands whose number may change, with that of the group that they are.
  static MutableOperandRange getOperands(Operation *op, size_t first, size_t count) {
    StringRef name = OpTrait::AttrSizedOperandSegments<void>::getOperandSegmentSizeAttr();
    auto sizes = RustOperation::get(op).has(Trait::AttrSizedOperandSegments)
                     ? op->getAttrOfType<DenseI32ArrayAttr>(name)
                     : DenseI32ArrayAttr();
    if (!sizes)
      return MutableOperandRange(op, first, count);
    size_t begin = 0;
    for (auto [index, size] : llvm::enumerate(sizes.asArrayRef())) {
      if (begin == first && static_cast<size_t>(size) == count) {
        MutableOperandRange::OperandSegment segment(index, NamedAttribute(StringAttr::get(op->getContext(), name), sizes));
        return MutableOperandRange(op, first, count, segment);
      }
      begin += size;
    }
    return MutableOperandRange(op, first, count);
  }
};

LogicalResult verifyBranch(Operation *op) {
  BranchModel model;
  for (unsigned index = 0, count = op->getNumSuccessors(); index != count; ++index)
    if (failed(detail::verifyBranchSuccessorOperands(op, index, model.getSuccessorOperands(op, index))))
      return failure();
  return success();
}

//===--- Casts ------------------------------------------------------------===//

constexpr size_t maxCasts = 1024;

Slots<maxCasts> &getCasts() {
  static auto *slots = new Slots<maxCasts>();
  return *slots;
}

bool areCompatible(const RustOperation &operation, TypeRange inputs, TypeRange outputs) {
  auto wrapped = [](TypeRange types) {
    return SmallVector<MlirType>(llvm::map_range(types, [](Type type) { return wrap(type); }));
  };
  SmallVector<MlirType> from = wrapped(inputs), to = wrapped(outputs);
  return skndRustAreCastCompatible(operation.getSpec(), from.data(), from.size(), to.data(), to.size());
}

template <size_t slot> bool areCompatibleInSlot(TypeRange inputs, TypeRange outputs) {
  if (inputs.empty() && outputs.empty())
    return false;
  MLIRContext *context = (inputs.empty() ? outputs : inputs).front().getContext();
  auto name = RegisteredOperationName::lookup(getCasts()[slot], context);
  return name && areCompatible(RustOperation::get(*name), inputs, outputs);
}

using CastFunction = decltype(CastOpInterface::Concept::areCastCompatible);

template <size_t... slots>
constexpr std::array<CastFunction, sizeof...(slots)> makeCastFunctions(std::index_sequence<slots...>) {
  return {areCompatibleInSlot<slots>...};
}

struct CastModel : CastOpInterface::FallbackModel<CastModel> {
  static bool areCastCompatible(TypeRange, TypeRange) { return false; }
};

void attachCast(const RustOperation &operation, detail::InterfaceMap &interfaces) {
  static constexpr auto functions = makeCastFunctions(std::make_index_sequence<maxCasts>());
  // Registration has refused the operation if there is none.
  std::optional<size_t> slot = getCasts().reserve(unwrap(operation.getDefinition().name));
  if (!slot)
    return;
  interfaces.insertModels<CastModel>();
  interfaces.lookup<CastOpInterface>()->areCastCompatible = functions[*slot];
}

//===--- Uses of symbols --------------------------------------------------===//

struct SymbolUserModel : SymbolUserOpInterface::FallbackModel<SymbolUserModel> {
  LogicalResult verifySymbolUses(Operation *op, SymbolTableCollection &symbols) const {
    return success(skndRustVerifySymbolUses(RustOperation::get(op).getSpec(), wrap(op), &symbols));
  }
};

} // namespace

void skriptnd::attachUses(const RustOperation &operation, detail::InterfaceMap &interfaces) {
  if (operation.can(SkndBranch))
    interfaces.insertModels<BranchModel>();
  if (operation.can(SkndCast))
    attachCast(operation, interfaces);
  if (operation.can(SkndSymbolUser))
    interfaces.insertModels<SymbolUserModel>();
}

LogicalResult skriptnd::verifyUses(const RustOperation &operation, Operation *op) {
  if (operation.can(SkndCast) && failed(impl::verifyCastInterfaceOp(op)))
    return failure();
  return operation.can(SkndBranch) ? verifyBranch(op) : success();
}

LogicalResult skriptnd::foldUses(const RustOperation &operation, Operation *op, ArrayRef<Attribute> operands,
                                 SmallVectorImpl<OpFoldResult> &results) {
  return operation.can(SkndCast) ? impl::foldCastInterfaceOp(op, operands, results) : failure();
}

extern "C" {

/// Whether one more operation, by its name, can be a cast.
bool skndReserveCast(MlirStringRef name) { return getCasts().reserve(unwrap(name)).has_value(); }

/// The nearest symbol of this name, seen from the operation; null if there is none.
MlirOperation skndLookupSymbol(void *symbols, MlirOperation from, MlirAttribute name) {
  auto symbol = dyn_cast_or_null<SymbolRefAttr>(unwrap(name));
  if (!symbol)
    return MlirOperation{nullptr};
  return wrap(static_cast<SymbolTableCollection *>(symbols)->lookupNearestSymbolFrom(unwrap(from), symbol));
}

} // extern "C"
