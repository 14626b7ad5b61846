//===- Structure.cpp - Structured operations, and what makes operations equal ===//

#include "Bridge.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"

using namespace mlir;

namespace {

/// Numbers values in the order in which they are met, so that equal bodies number them alike.
class Numbering {
public:
  unsigned of(Value value) { return numbers.try_emplace(value, numbers.size()).first->second; }

private:
  llvm::DenseMap<Value, unsigned> numbers;
};

} // namespace

extern "C" {

/// The context must have loaded the linalg dialect.
MlirAttribute skndIteratorType(MlirContext context, bool reduced) {
  auto kind = reduced ? utils::IteratorType::reduction : utils::IteratorType::parallel;
  return wrap(Attribute(linalg::IteratorTypeAttr::get(unwrap(context), kind)));
}

bool skndIsReductionIterator(MlirAttribute attribute) {
  auto kind = dyn_cast<linalg::IteratorTypeAttr>(unwrap(attribute));
  return kind && kind.getValue() == utils::IteratorType::reduction;
}

uint64_t skndHashBodies(MlirOperation operation) {
  Numbering numbering;
  llvm::hash_code hash{};
  auto number = [&](Value value) { return llvm::hash_value(numbering.of(value)); };
  for (Region &region : unwrap(operation)->getRegions()) {
    for (Block &block : region)
      for (BlockArgument argument : block.getArguments())
        hash = llvm::hash_combine(hash, argument.getType(), number(argument));
    region.walk<WalkOrder::PreOrder>([&](Operation *inside) {
      hash = llvm::hash_combine(hash, OperationEquivalence::computeHash(inside, number, number,
                                                                        OperationEquivalence::IgnoreLocations));
    });
  }
  return hash;
}

bool skndEqualBodies(MlirOperation one, MlirOperation other) {
  MutableArrayRef<Region> left = unwrap(one)->getRegions(), right = unwrap(other)->getRegions();
  if (left.size() != right.size())
    return false;
  for (auto [a, b] : llvm::zip(left, right))
    if (!OperationEquivalence::isRegionEquivalentTo(&a, &b, OperationEquivalence::IgnoreLocations))
      return false;
  return true;
}

} // extern "C"
