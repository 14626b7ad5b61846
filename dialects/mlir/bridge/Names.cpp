//===- Names.cpp - How operations defined from Rust name what is printed ---===//

#include "Operation.h"
#include "Slots.h"

#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace skriptnd;

namespace {

constexpr size_t maxDefaultDialects = 256;

Slots<maxDefaultDialects> &getSlots() {
  static auto *slots = new Slots<maxDefaultDialects>();
  return *slots;
}

/// Hands names on, of what MLIR would take one for and once each.
struct ValueNames {
  OpAsmSetValueNameFn set;
  function_ref<bool(Value)> admits;
  SmallPtrSet<void *, 8> named;
};

struct BlockNames {
  OpAsmSetBlockNameFn set;
  Operation *op;
};

struct NamesModel : OpAsmOpInterface::FallbackModel<NamesModel> {
  void getAsmResultNames(Operation *op, OpAsmSetValueNameFn set) const {
    auto isResult = [&](Value value) { return value.getDefiningOp() == op; };
    ValueNames names{set, isResult, {}};
    skndRustNameResults(RustOperation::get(op).getSpec(), wrap(op), &names);
  }
  void getAsmBlockArgumentNames(Operation *op, Region &region, OpAsmSetValueNameFn set) const {
    auto isInside = [&](Value value) {
      auto argument = dyn_cast<BlockArgument>(value);
      return argument && argument.getParentRegion() == &region;
    };
    ValueNames names{set, isInside, {}};
    skndRustNameArguments(RustOperation::get(op).getSpec(), wrap(op), wrap(&region), &names);
  }
  void getAsmBlockNames(Operation *op, OpAsmSetBlockNameFn set) const {
    BlockNames names{set, op};
    skndRustNameBlocks(RustOperation::get(op).getSpec(), wrap(op), &names);
  }
  static StringRef getDefaultDialect() { return ""; }
};

template <size_t slot> StringRef dialectInSlot() { return getSlots()[slot]; }

using DialectFunction = decltype(OpAsmOpInterface::Concept::getDefaultDialect);

template <size_t... slots>
constexpr std::array<DialectFunction, sizeof...(slots)> makeDialectFunctions(std::index_sequence<slots...>) {
  return {dialectInSlot<slots>...};
}

} // namespace

void skriptnd::attachNames(const RustOperation &operation, detail::InterfaceMap &interfaces) {
  static constexpr auto functions = makeDialectFunctions(std::make_index_sequence<maxDefaultDialects>());
  interfaces.insertModels<NamesModel>();
  // Registration has refused the operation if there is no slot.
  if (std::optional<size_t> slot = getSlots().reserve(unwrap(operation.getDefinition().defaultDialect)))
    interfaces.lookup<OpAsmOpInterface>()->getDefaultDialect = functions[*slot];
}

extern "C" {

/// Whether one more dialect can be the one whose name is left out inside of an operation.
bool skndReserveDefaultDialect(MlirStringRef name) { return getSlots().reserve(unwrap(name)).has_value(); }

void skndPushValueName(void *sink, MlirValue value, MlirStringRef name) {
  auto &names = *static_cast<ValueNames *>(sink);
  Value named = unwrap(value);
  if (names.admits(named) && names.named.insert(named.getAsOpaquePointer()).second)
    names.set(named, unwrap(name));
}

void skndPushBlockName(void *sink, MlirBlock block, MlirStringRef name) {
  auto &names = *static_cast<BlockNames *>(sink);
  if (unwrap(block)->getParentOp() == names.op)
    names.set(unwrap(block), unwrap(name));
}

} // extern "C"
