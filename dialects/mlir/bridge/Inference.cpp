//===- Inference.cpp - Type inference of operations defined from Rust ------===//

#include "Operation.h"
#include "Slots.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

using namespace mlir;
using namespace skriptnd;

namespace {

constexpr size_t maxInferringOperations = 4096;

Slots<maxInferringOperations> &getSlots() {
  static auto *slots = new Slots<maxInferringOperations>();
  return *slots;
}

LogicalResult inferFor(size_t slot, MLIRContext *context, std::optional<Location> location, ValueRange operands,
                       DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
                       SmallVectorImpl<Type> &types) {
  std::optional<RegisteredOperationName> name =
      RegisteredOperationName::lookup(getSlots()[slot], context);
  if (!name)
    return failure();
  SmallVector<MlirValue> values(llvm::map_range(operands, [](Value value) { return wrap(value); }));
  SmallVector<MlirRegion> bodies(llvm::map_range(regions, [](Region *region) { return wrap(region); }));
  MlirLocation place = location ? wrap(*location) : MlirLocation{nullptr};
  NamedAttrList all(attributes);
  RustOperation::get(*name).addInherent(properties, all);
  MlirAttribute dictionary = wrap(Attribute(all.getDictionary(context)));
  return success(skndRustInferTypes(RustOperation::get(*name).getSpec(), wrap(context), place, values.data(),
                                    values.size(), dictionary, bodies.data(), bodies.size(), &types));
}

using InferFunction = decltype(InferTypeOpInterface::Concept::inferReturnTypes);

template <size_t slot>
LogicalResult inferInSlot(MLIRContext *context, std::optional<Location> location, ValueRange operands,
                          DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
                          SmallVectorImpl<Type> &types) {
  return inferFor(slot, context, location, operands, attributes, properties, regions, types);
}

template <size_t... slots>
constexpr std::array<InferFunction, sizeof...(slots)> makeInferFunctions(std::index_sequence<slots...>) {
  return {inferInSlot<slots>...};
}

struct InferTypesModel : InferTypeOpInterface::FallbackModel<InferTypesModel> {
  static LogicalResult inferReturnTypes(MLIRContext *, std::optional<Location>, ValueRange, DictionaryAttr,
                                        OpaqueProperties, RegionRange, SmallVectorImpl<Type> &) {
    return failure();
  }
  static LogicalResult refineReturnTypes(MLIRContext *, std::optional<Location>, ValueRange, DictionaryAttr,
                                         OpaqueProperties, RegionRange, SmallVectorImpl<Type> &) {
    return success();
  }
  static bool isCompatibleReturnTypes(TypeRange left, TypeRange right) { return left == right; }
};

} // namespace

void skriptnd::attachTypeInference(const RustOperation &operation, detail::InterfaceMap &interfaces) {
  static constexpr auto functions = makeInferFunctions(std::make_index_sequence<maxInferringOperations>());
  // Registration has refused the operation if there is none.
  std::optional<size_t> slot = getSlots().reserve(unwrap(operation.getDefinition().name));
  if (!slot)
    return;
  interfaces.insertModels<InferTypesModel>();
  interfaces.lookup<InferTypeOpInterface>()->inferReturnTypes = functions[*slot];
}

extern "C" {

/// Whether one more operation, by its name, can infer types.
bool skndReserveInference(MlirStringRef name) { return getSlots().reserve(unwrap(name)).has_value(); }

void skndPushType(void *sink, MlirType type) { static_cast<SmallVectorImpl<Type> *>(sink)->push_back(unwrap(type)); }

} // extern "C"
