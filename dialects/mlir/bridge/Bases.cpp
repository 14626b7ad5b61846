//===- Bases.cpp - Addresses that loops start from ------------------------===//

#include "Bridge.h"

#include "llvm-c/Core.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <iterator>

using namespace llvm;

namespace {

/// Loads and stores in a loop from which on it takes long to find how to reach them from others.
constexpr unsigned many = 12;

bool hasMany(const Loop &loop) {
  unsigned count = 0;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block)
      count += instruction.mayReadOrWriteMemory();
  return count >= many;
}

/// The address that an operand of an instruction in an innermost loop is, where a loop around computes it anew in each iteration.
Instruction *getBase(const Use &operand, const Loop &loop, const LoopInfo &loops) {
  auto *base = dyn_cast<Instruction>(operand.get());
  bool isBase = base && base->getType()->isPointerTy() && !loop.contains(base) && loops.getLoopFor(base->getParent());
  return isBase && !isa<PHINode>(operand.getUser()) ? base : nullptr;
}

void hideBases(Function &function) {
  DominatorTree tree(function);
  LoopInfo loops(tree);
  MapVector<Instruction *, SmallVector<Use *>> bases;
  for (const Loop *loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost() || loop->isOutermost() || !hasMany(*loop))
      continue;
    for (BasicBlock *block : loop->blocks())
      for (Instruction &instruction : *block)
        for (Use &operand : instruction.operands())
          if (Instruction *base = getBase(operand, *loop, loops))
            bases[base].push_back(&operand);
  }
  for (auto &[base, uses] : bases) {
    BasicBlock *block = base->getParent();
    IRBuilder<> builder(block, isa<PHINode>(base) ? block->getFirstInsertionPt() : std::next(base->getIterator()));
    Value *hidden = builder.CreateStripInvariantGroup(base);
    for (Use *use : uses)
      use->set(hidden);
  }
}

} // namespace

extern "C" {

/// Hides from loops around innermost ones of many accesses how the addresses that these start from follow from each other. Else LLVM tries
/// for each loop around how best to reach all addresses inside from iteration to iteration, which takes half of the time in which it
/// generates code.
void skndHideBases(void *module) {
  for (Function &function : *unwrap(static_cast<LLVMModuleRef>(module)))
    if (!function.isDeclaration())
      hideBases(function);
}

} // extern "C"
