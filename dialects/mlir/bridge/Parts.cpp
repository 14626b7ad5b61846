//===- Parts.cpp - LLVM modules divided into parts ------------------------===//

#include "Bridge.h"

#include "mlir/CAPI/Support.h"
#include "llvm-c/Core.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <memory>
#include <vector>

using namespace llvm;

namespace {

/// Gives each function with a body to the part that has the fewest instructions so far, the largest first.
DenseMap<const GlobalValue *, unsigned> divide(Module &module, unsigned parts) {
  std::vector<std::pair<unsigned, Function *>> functions;
  for (Function &function : module)
    if (!function.isDeclaration())
      functions.emplace_back(function.getInstructionCount(), &function);
  stable_sort(functions, [](const auto &a, const auto &b) { return a.first > b.first; });
  std::vector<uint64_t> sizes(parts);
  DenseMap<const GlobalValue *, unsigned> homes;
  for (auto [size, function] : functions) {
    unsigned part = min_element(sizes) - sizes.begin();
    sizes[part] += size;
    homes[function] = part;
  }
  return homes;
}

/// What the parts share has a name that the linker sees, and nobody behind it.
void share(GlobalValue &value) {
  if (!value.hasLocalLinkage())
    return;
  if (!value.hasName())
    value.setName("part");
  value.setLinkage(GlobalValue::ExternalLinkage);
  value.setVisibility(GlobalValue::HiddenVisibility);
  value.setDSOLocal(true);
}

} // namespace

extern "C" {

/// The number of instructions of a module.
uint64_t skndModuleInstructions(void *module) { return unwrap(static_cast<LLVMModuleRef>(module))->getInstructionCount(); }

/// Tells the sink the bitcode of each of so many modules that together define what the module defines. The division
/// depends on the module alone.
void skndDivideModule(void *raw, unsigned parts, void (*tell)(MlirStringRef, void *), void *sink) {
  Module &module = *unwrap(static_cast<LLVMModuleRef>(raw));
  for (GlobalValue &value : module.global_values())
    share(value);
  DenseMap<const GlobalValue *, unsigned> homes = divide(module, parts);
  for (unsigned part = 0; part < parts; ++part) {
    ValueToValueMapTy map;
    auto belongs = [&](const GlobalValue *value) { return homes.lookup(value) == part; };
    std::unique_ptr<Module> own = CloneModule(module, map, belongs);
    SmallVector<char, 0> bitcode;
    raw_svector_ostream stream(bitcode);
    WriteBitcodeToFile(*own, stream);
    tell(wrap(StringRef(bitcode.data(), bitcode.size())), sink);
  }
}

} // extern "C"
