//===- Properties.cpp - Inherent attributes of operations defined from Rust ===//
//
// The properties of an operation are the values of its inherent attributes, in the order of their names; null where one is
// absent.
//
//===----------------------------------------------------------------------===//

#include "Operation.h"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/Hashing.h"

using namespace mlir;
using namespace skriptnd;

MutableArrayRef<Attribute> RustOperation::getInherent(OpaqueProperties properties) const {
  return {properties.as<Attribute *>(), properties ? numInherent() : 0};
}

Attribute *RustOperation::findInherent(OpaqueProperties properties, StringRef name) const {
  for (auto [known, value] : llvm::zip(getAttributeNames(), getInherent(properties)))
    if (known.getValue() == name)
      return &value;
  return nullptr;
}

size_t RustOperation::numInherent() const {
  // What MLIR has no room for stands in the dictionary with the others.
  constexpr size_t capacity = 255 * 8 / sizeof(Attribute);
  size_t count = getAttributeNames().size();
  return count <= capacity ? count : 0;
}

void RustOperation::addInherent(OpaqueProperties properties, NamedAttrList &attributes) const {
  for (auto [name, value] : llvm::zip(getAttributeNames(), getInherent(properties)))
    if (value)
      attributes.set(name, value);
}

std::optional<Attribute> RustOperation::getInherentAttr(Operation *op, StringRef name) {
  Attribute *value = findInherent(op->getPropertiesStorage(), name);
  return value ? std::optional(*value) : std::nullopt;
}

void RustOperation::setInherentAttr(Operation *op, StringAttr name, Attribute value) {
  if (Attribute *place = findInherent(op->getPropertiesStorage(), name))
    *place = value;
}

void RustOperation::populateInherentAttrs(Operation *op, NamedAttrList &attributes) {
  addInherent(op->getPropertiesStorage(), attributes);
}

int RustOperation::getOpPropertyByteSize() { return numInherent() * sizeof(Attribute); }

void RustOperation::initProperties(OperationName, OpaqueProperties storage, OpaqueProperties init) {
  MutableArrayRef<Attribute> values = getInherent(storage);
  std::uninitialized_fill(values.begin(), values.end(), Attribute());
  if (init)
    copyProperties(storage, init);
}

LogicalResult RustOperation::setPropertiesFromAttr(OperationName name, OpaqueProperties properties, Attribute attribute,
                                                   function_ref<InFlightDiagnostic()> emitError) {
  auto fail = [&](StringRef message) {
    if (emitError)
      emitError() << message;
    return failure();
  };
  if (numInherent() == 0)
    return fail("this operation does not support properties");
  auto dictionary = dyn_cast_or_null<DictionaryAttr>(attribute);
  if (!dictionary)
    return fail("expected DictionaryAttr to set properties");
  for (auto [known, value] : llvm::zip(getAttributeNames(), getInherent(properties)))
    if (Attribute given = dictionary.get(known))
      value = given;
  return success();
}

Attribute RustOperation::getPropertiesAsAttr(Operation *op) {
  NamedAttrList attributes;
  populateInherentAttrs(op, attributes);
  return attributes.empty() ? Attribute() : attributes.getDictionary(op->getContext());
}

void RustOperation::copyProperties(OpaqueProperties to, OpaqueProperties from) {
  llvm::copy(getInherent(from), getInherent(to).begin());
}

bool RustOperation::compareProperties(OpaqueProperties left, OpaqueProperties right) {
  return getInherent(left) == getInherent(right);
}

llvm::hash_code RustOperation::hashProperties(OpaqueProperties properties) {
  MutableArrayRef<Attribute> values = getInherent(properties);
  return llvm::hash_combine_range(values.begin(), values.end());
}

namespace {

/// MLIR writes no properties to bytecode by itself.
struct BytecodeModel : BytecodeOpInterface::FallbackModel<BytecodeModel> {
  static LogicalResult readProperties(DialectBytecodeReader &reader, OperationState &state) {
    DictionaryAttr attributes;
    if (failed(reader.readOptionalAttribute(attributes)))
      return failure();
    if (attributes)
      state.addAttributes(attributes.getValue());
    return success();
  }
  void writeProperties(Operation *op, DialectBytecodeWriter &writer) const {
    writer.writeOptionalAttribute(op->getPropertiesAsAttribute());
  }
};

} // namespace

void skriptnd::attachBytecode(detail::InterfaceMap &interfaces) { interfaces.insertModels<BytecodeModel>(); }

extern "C" {

/// All attributes, as a dictionary.
MlirAttribute skndOperationAttributes(MlirOperation op) { return wrap(Attribute(unwrap(op)->getAttrDictionary())); }

} // extern "C"
