//===- Operation.h - Operations defined from Rust ---------------*- C++ -*-===//

#ifndef SKRIPTND_OPERATION_H
#define SKRIPTND_OPERATION_H

#include "Bridge.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

namespace skriptnd {

/// The traits of `dialects/mlir/src/dialect/traits.rs`, in order.
enum class Trait : uint32_t {
  Terminator,
  Commutative,
  Idempotent,
  Involution,
  SameOperandsAndResultType,
  SameOperandsAndResultElementType,
  SameOperandsAndResultShape,
  SameTypeOperands,
  SameOperandsShape,
  SameOperandsElementType,
  SameOperandsAndResultRank,
  IsolatedFromAbove,
  Symbol,
  SymbolTable,
  NoTerminator,
  SingleBlock,
  ConstantLike,
  RecursiveMemoryEffects,
  AttrSizedOperandSegments,
  AttrSizedResultSegments,
  ReturnLike,
  AffineScope,
  AutomaticAllocationScope,
  Elementwise,
  Scalarizable,
  Vectorizable,
  Tensorizable,
  AlwaysSpeculatable,
  RecursivelySpeculatable,
  NoRegionArguments,
};

/// An operation name whose behaviour is defined in Rust. Its inherent attributes are its properties.
class RustOperation final : public mlir::OperationName::Impl {
public:
  RustOperation(const SkndOperation &definition, mlir::Dialect *dialect, mlir::TypeID typeID);

  const SkndOperation &getDefinition() const { return definition; }
  const void *getSpec() const { return definition.spec; }
  bool can(SkndCapability capability) const { return definition.capabilities & capability; }
  bool has(Trait trait) const { return traits & (uint64_t(1) << static_cast<uint32_t>(trait)); }

  /// The definition behind a registered operation of a Rust dialect.
  static const RustOperation &get(mlir::OperationName name) {
    return *static_cast<const RustOperation *>(static_cast<const Impl *>(name.getAsOpaquePointer()));
  }
  static const RustOperation &get(mlir::Operation *op) { return get(op->getName()); }

  mlir::LogicalResult foldHook(mlir::Operation *op, mlir::ArrayRef<mlir::Attribute> operands,
                               mlir::SmallVectorImpl<mlir::OpFoldResult> &results) final;
  void getCanonicalizationPatterns(mlir::RewritePatternSet &, mlir::MLIRContext *) final {}
  bool hasTrait(mlir::TypeID id) final { return traitIDs.contains(id); }
  mlir::OperationName::ParseAssemblyFn getParseAssemblyFn() final;
  void populateDefaultAttrs(const mlir::OperationName &, mlir::NamedAttrList &) final {}
  void printAssembly(mlir::Operation *op, mlir::OpAsmPrinter &printer, mlir::StringRef defaultDialect) final;
  mlir::LogicalResult verifyInvariants(mlir::Operation *op) final;
  mlir::LogicalResult verifyRegionInvariants(mlir::Operation *op) final;

  std::optional<mlir::Attribute> getInherentAttr(mlir::Operation *op, mlir::StringRef name) final;
  void setInherentAttr(mlir::Operation *op, mlir::StringAttr name, mlir::Attribute value) final;
  void populateInherentAttrs(mlir::Operation *op, mlir::NamedAttrList &attributes) final;
  mlir::LogicalResult verifyInherentAttrs(mlir::OperationName, mlir::NamedAttrList &,
                                          mlir::function_ref<mlir::InFlightDiagnostic()>) final {
    return mlir::success();
  }
  int getOpPropertyByteSize() final;
  void initProperties(mlir::OperationName, mlir::OpaqueProperties storage, mlir::OpaqueProperties init) final;
  void deleteProperties(mlir::OpaqueProperties) final {}
  void populateDefaultProperties(mlir::OperationName, mlir::OpaqueProperties) final {}
  mlir::LogicalResult setPropertiesFromAttr(mlir::OperationName, mlir::OpaqueProperties properties,
                                            mlir::Attribute attribute,
                                            mlir::function_ref<mlir::InFlightDiagnostic()> emitError) final;
  mlir::Attribute getPropertiesAsAttr(mlir::Operation *op) final;
  void copyProperties(mlir::OpaqueProperties to, mlir::OpaqueProperties from) final;
  bool compareProperties(mlir::OpaqueProperties left, mlir::OpaqueProperties right) final;
  llvm::hash_code hashProperties(mlir::OpaqueProperties properties) final;

  /// Adds the inherent attributes that are there.
  void addInherent(mlir::OpaqueProperties properties, mlir::NamedAttrList &attributes) const;

private:
  mlir::LogicalResult verifyCounts(mlir::Operation *op) const;
  mlir::LogicalResult verifyTraits(mlir::Operation *op) const;
  mlir::LogicalResult verifyParent(mlir::Operation *op) const;
  mlir::LogicalResult verifyBlocks(mlir::Operation *op) const;
  mlir::LogicalResult foldByTraits(mlir::Operation *op, mlir::ArrayRef<mlir::Attribute> operands,
                                   mlir::SmallVectorImpl<mlir::OpFoldResult> &results) const;

  size_t numInherent() const;
  mlir::MutableArrayRef<mlir::Attribute> getInherent(mlir::OpaqueProperties properties) const;
  /// Where the inherent attribute of a name stands; null if there is none of that name.
  mlir::Attribute *findInherent(mlir::OpaqueProperties properties, mlir::StringRef name) const;

  const SkndOperation &definition;
  uint64_t traits = 0;
  llvm::SmallDenseSet<mlir::TypeID, 8> traitIDs;
};

/// Attaches the interfaces that the definition asks for.
void attachInterfaces(const RustOperation &operation, mlir::detail::InterfaceMap &interfaces);

/// Attaches how the properties are written to bytecode.
void attachBytecode(mlir::detail::InterfaceMap &interfaces);

/// Attaches what infers the types of the results, and what names values and blocks in text.
void attachTypeInference(const RustOperation &operation, mlir::detail::InterfaceMap &interfaces);
void attachNames(const RustOperation &operation, mlir::detail::InterfaceMap &interfaces);

/// Attaches branches between blocks, casts and uses of symbols, checks what they require, and folds them.
void attachUses(const RustOperation &operation, mlir::detail::InterfaceMap &interfaces);
mlir::LogicalResult verifyUses(const RustOperation &operation, mlir::Operation *op);
mlir::LogicalResult foldUses(const RustOperation &operation, mlir::Operation *op,
                             mlir::ArrayRef<mlir::Attribute> operands,
                             mlir::SmallVectorImpl<mlir::OpFoldResult> &results);

/// Checks what the interfaces of an operation require of it.
mlir::LogicalResult verifyInterfaces(const RustOperation &operation, mlir::Operation *op);
mlir::LogicalResult verifyRegionInterfaces(const RustOperation &operation, mlir::Operation *op);

/// The memory effect model of operations that have none, for operations that no dialect defines.
void *getPureModel();

} // namespace skriptnd

#endif // SKRIPTND_OPERATION_H
