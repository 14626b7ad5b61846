//===- Dialect.cpp - Dialects defined from Rust ---------------------------===//

#include "Definitions.h"
#include "Operation.h"

#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Rewrite.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/StringMap.h"

#include <atomic>
#include <mutex>

using namespace mlir;
using namespace skriptnd;

namespace {

/// Operations may be inlined anywhere; whether calls are is up to the call and function interfaces.
struct InlineAnything : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Operation *, bool) const final { return true; }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
  void handleTerminator(Operation *op, ValueRange replaced) const final {
    for (auto [value, operand] : llvm::zip(replaced, op->getOperands()))
      value.replaceAllUsesWith(operand);
  }
  /// What returned from one of several blocks branches to the block after the call.
  void handleTerminator(Operation *op, Block *after) const final {
    if (!op->hasTrait<OpTrait::ReturnLike>())
      return;
    OperationState branch(op->getLoc(), "cf.br", op->getOperands(), TypeRange(), {}, after);
    OpBuilder(op).create(branch);
    op->erase();
  }
};

class RustDialect final : public DefinedDialect {
public:
  RustDialect(const SkndDialect &definition, MLIRContext *context, TypeID typeID)
      : DefinedDialect(unwrap(definition.name), context, typeID), number(nextNumber()), definition(definition) {
    loadDependentDialects(context);
    // Inlining may need branches.
    context->getOrLoadDialect("cf");
    for (const SkndOperation &operation : ArrayRef(definition.operations, definition.numOperations))
      addOperation(operation);
    for (const SkndDefinition &type : ArrayRef(definition.types, definition.numTypes))
      addType(type);
    for (const SkndDefinition &attribute : ArrayRef(definition.attributes, definition.numAttributes))
      addAttribute(attribute);
    allowUnknownOperations(definition.allowUnknown);
    addInterfaces<InlineAnything>();
  }

  /// Patterns of two dialects may make operations of each other: MLIR does not take asking for one that is being loaded.
  void loadDependentDialects(MLIRContext *context) const {
    static thread_local SmallVector<StringRef> loading;
    loading.push_back(getNamespace());
    for (MlirStringRef name : ArrayRef(definition.dependentDialects.data, definition.dependentDialects.size))
      if (!llvm::is_contained(loading, unwrap(name)))
        context->getOrLoadDialect(unwrap(name));
    loading.pop_back();
  }

  void getCanonicalizationPatterns(RewritePatternSet &results) const final {
    if (definition.hasPatterns)
      skndRustAddPatterns(definition.spec, wrap(&results));
  }

  Operation *materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) final {
    if (!definition.materializesConstants)
      return nullptr;
    Operation *op = unwrap(skndRustMaterializeConstant(definition.spec, wrap(value), wrap(type), wrap(loc)));
    if (!op)
      return nullptr;
    if (op->getNumResults() != 1 || op->getResult(0).getType() != type || !op->hasTrait<OpTrait::ConstantLike>()) {
      op->destroy();
      return nullptr;
    }
    return builder.insert(op);
  }

  LogicalResult verifyOperationAttribute(Operation *op, NamedAttribute attribute) final {
    return success(!definition.verifiesOperationAttributes ||
                   skndRustVerifyAttribute(definition.spec, wrap(op), wrap(attribute.getName().strref()),
                                           wrap(attribute.getValue())));
  }

  LogicalResult verifyRegionArgAttribute(Operation *op, unsigned region, unsigned index,
                                         NamedAttribute attribute) final {
    return success(!definition.verifiesArgumentAttributes || verifyRegion(op, false, region, index, attribute));
  }

  LogicalResult verifyRegionResultAttribute(Operation *op, unsigned region, unsigned index,
                                            NamedAttribute attribute) final {
    return success(!definition.verifiesResultAttributes || verifyRegion(op, true, region, index, attribute));
  }

  std::optional<ParseOpHook> getParseOperationHook(StringRef name) const final {
    if (std::optional<ParseOpHook> hook = Dialect::getParseOperationHook(name))
      return hook;
    if (!definition.unknownAssembly)
      return std::nullopt;
    return ParseOpHook(parseUnknown);
  }

  llvm::unique_function<void(Operation *, OpAsmPrinter &)> getOperationPrinter(Operation *op) const final {
    if (!definition.unknownAssembly || op->isRegistered())
      return nullptr;
    return [spec = definition.spec](Operation *op, OpAsmPrinter &printer) {
      skndRustPrintUnknown(spec, wrap(op), static_cast<AsmPrinter *>(&printer));
    };
  }

  void *getRegisteredInterfaceForOp(TypeID interfaceID, OperationName name) final {
    bool effects = interfaceID == MemoryEffectOpInterface::getInterfaceID();
    return effects && definition.unknownPure && !name.isRegistered() ? getPureModel() : nullptr;
  }

  /// No other dialect of the process has or had it.
  const uint64_t number;

private:
  static uint64_t nextNumber() {
    static std::atomic<uint64_t> last{0};
    return ++last;
  }

  bool verifyRegion(Operation *op, bool ofResult, unsigned region, unsigned index, NamedAttribute attribute) {
    return skndRustVerifyRegionAttribute(definition.spec, wrap(op), ofResult, region, index,
                                         wrap(attribute.getName().strref()), wrap(attribute.getValue()));
  }

  struct ParseUnknown {
    const void *spec;
    ParseResult operator()(OpAsmParser &parser, OperationState &state) const {
      return success(skndRustParseUnknown(spec, static_cast<AsmParser *>(&parser), &state));
    }
  };

  void addOperation(const SkndOperation &operation) {
    SmallVector<StringRef> attributes;
    for (MlirStringRef name : ArrayRef(operation.attributeNames.data, operation.attributeNames.size))
      attributes.push_back(unwrap(name));
    TypeID id = operationIDs.allocate();
    RegisteredOperationName::insert(std::make_unique<RustOperation>(operation, this, id), attributes);
  }

  const SkndDialect &definition;
  ParseUnknown parseUnknown{definition.spec};
  TypeIDAllocator operationIDs;
};

/// Identifies a dialect by its namespace, across contexts, so that registries can be merged.
TypeID getDialectID(StringRef name) {
  static std::mutex mutex;
  static auto *allocator = new TypeIDAllocator();
  static auto *ids = new llvm::StringMap<TypeID>();
  std::lock_guard<std::mutex> lock(mutex);
  auto found = ids->find(name);
  return found != ids->end() ? found->second : ids->try_emplace(name, allocator->allocate()).first->second;
}

} // namespace

DefinedDialect *skriptnd::getDefinedDialect(Dialect *dialect) {
  bool isDefined = dialect && dialect->getTypeID() == getDialectID(dialect->getNamespace());
  return isDefined ? static_cast<DefinedDialect *>(dialect) : nullptr;
}

extern "C" {

void skndRegisterDialect(MlirDialectRegistry registry, const SkndDialect *definition) {
  TypeID id = getDialectID(unwrap(definition->name));
  unwrap(registry)->insert(id, unwrap(definition->name), [definition, id](MLIRContext *context) -> Dialect * {
    return context->getOrLoadDialect(unwrap(definition->name), id, [=]() {
      return std::make_unique<RustDialect>(*definition, context, id);
    });
  });
}

/// The number of the dialect that a context has for a namespace; 0 if it has none that was defined from Rust.
uint64_t skndDialectNumber(MlirContext context, MlirStringRef name) {
  DefinedDialect *dialect = getDefinedDialect(unwrap(context)->getLoadedDialect(unwrap(name)));
  return dialect ? static_cast<RustDialect *>(dialect)->number : 0;
}

/// The specification behind an operation that was defined from Rust; null for others.
const void *skndOperationSpec(MlirOperation op) {
  std::optional<RegisteredOperationName> name = unwrap(op)->getRegisteredInfo();
  if (!name || name->getDialect().getTypeID() != getDialectID(name->getDialect().getNamespace()))
    return nullptr;
  return RustOperation::get(*name).getSpec();
}

bool skndIsValidNamespace(MlirStringRef name) { return Dialect::isValidNamespace(unwrap(name)); }

bool skndRegistryHasDialect(MlirDialectRegistry registry, MlirStringRef name) {
  return static_cast<bool>(unwrap(registry)->getDialectAllocator(unwrap(name)));
}

} // extern "C"
