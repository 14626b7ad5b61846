//===- Interfaces.cpp - Interfaces of operations defined from Rust --------===//

#include "Operation.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace skriptnd;

using EffectInstance = SideEffects::EffectInstance<MemoryEffects::Effect>;

namespace {

//===--- Memory effects and speculation -----------------------------------===//

struct EffectsModel : MemoryEffectOpInterface::FallbackModel<EffectsModel> {
  void getEffects(Operation *op, SmallVectorImpl<EffectInstance> &effects) const {
    SmallVector<SkndEffect> found;
    skndRustEffects(RustOperation::get(op).getSpec(), wrap(op), &found);
    for (const SkndEffect &effect : found)
      addEffect(op, effect, effects);
  }

private:
  static MemoryEffects::Effect *getKind(uint32_t kind) {
    switch (kind) {
    case 0:
      return MemoryEffects::Read::get();
    case 1:
      return MemoryEffects::Write::get();
    case 2:
      return MemoryEffects::Allocate::get();
    default:
      return MemoryEffects::Free::get();
    }
  }

  static void addEffect(Operation *op, const SkndEffect &effect, SmallVectorImpl<EffectInstance> &effects) {
    MemoryEffects::Effect *kind = getKind(effect.kind);
    if (effect.target == 1 && effect.index < op->getNumOperands())
      effects.emplace_back(kind, &op->getOpOperand(effect.index));
    else if (effect.target == 2 && effect.index < op->getNumResults())
      effects.emplace_back(kind, op->getOpResult(effect.index));
    else
      effects.emplace_back(kind);
  }
};

struct PureModel : MemoryEffectOpInterface::FallbackModel<PureModel> {
  void getEffects(Operation *, SmallVectorImpl<EffectInstance> &) const {}
};

struct SpeculatabilityModel : ConditionallySpeculatable::FallbackModel<SpeculatabilityModel> {
  Speculation::Speculatability getSpeculatability(Operation *op) const {
    bool recursive = RustOperation::get(op).has(Trait::RecursivelySpeculatable);
    return recursive ? Speculation::RecursivelySpeculatable : Speculation::Speculatable;
  }
};

//===--- Symbols and functions --------------------------------------------===//

struct SymbolModel : SymbolOpInterface::FallbackModel<SymbolModel> {
  using Visibility = SymbolTable::Visibility;

  StringAttr getNameAttr(Operation *op) const {
    auto name = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    // An operation that is not verified yet may have none.
    return name ? name : StringAttr::get(op->getContext());
  }
  void setName(Operation *op, StringAttr name) const { op->setAttr(SymbolTable::getSymbolAttrName(), name); }
  Visibility getVisibility(Operation *op) const { return SymbolTable::getSymbolVisibility(op); }
  bool isNested(Operation *op) const { return getVisibility(op) == Visibility::Nested; }
  bool isPrivate(Operation *op) const { return getVisibility(op) == Visibility::Private; }
  bool isPublic(Operation *op) const { return getVisibility(op) == Visibility::Public; }
  void setVisibility(Operation *op, Visibility visibility) const {
    SymbolTable::setSymbolVisibility(op, visibility);
  }
  void setNested(Operation *op) const { setVisibility(op, Visibility::Nested); }
  void setPrivate(Operation *op) const { setVisibility(op, Visibility::Private); }
  void setPublic(Operation *op) const { setVisibility(op, Visibility::Public); }
  std::optional<SymbolTable::UseRange> getSymbolUses(Operation *op, Operation *from) const {
    return SymbolTable::getSymbolUses(op, from);
  }
  bool symbolKnownUseEmpty(Operation *op, Operation *from) const { return SymbolTable::symbolKnownUseEmpty(op, from); }
  LogicalResult replaceAllSymbolUses(Operation *op, StringAttr symbol, Operation *from) const {
    return SymbolTable::replaceAllSymbolUses(op, symbol, from);
  }
  bool isOptionalSymbol(Operation *) const { return false; }
  bool canDiscardOnUseEmpty(Operation *op) const { return !isPublic(op); }
  bool isDeclaration(Operation *op) const {
    return RustOperation::get(op).can(SkndFunction) && (op->getNumRegions() == 0 || op->getRegion(0).empty());
  }
};

constexpr StringLiteral functionTypeName = "function_type";
constexpr StringLiteral argumentAttributesName = "arg_attrs";
constexpr StringLiteral resultAttributesName = "res_attrs";

FunctionType getFunctionTypeOf(Operation *op) {
  auto attribute = op->getAttrOfType<TypeAttr>(functionTypeName);
  auto type = attribute ? dyn_cast<FunctionType>(attribute.getValue()) : FunctionType();
  return type ? type : FunctionType::get(op->getContext(), {}, {});
}

struct ArgumentAttributesModel : ArgAndResultAttrsOpInterface::FallbackModel<ArgumentAttributesModel> {
  ArrayAttr getArgAttrsAttr(Operation *op) const { return op->getAttrOfType<ArrayAttr>(argumentAttributesName); }
  ArrayAttr getResAttrsAttr(Operation *op) const { return op->getAttrOfType<ArrayAttr>(resultAttributesName); }
  void setArgAttrsAttr(Operation *op, ArrayAttr attributes) const { op->setAttr(argumentAttributesName, attributes); }
  void setResAttrsAttr(Operation *op, ArrayAttr attributes) const { op->setAttr(resultAttributesName, attributes); }
  Attribute removeArgAttrsAttr(Operation *op) const { return op->removeAttr(argumentAttributesName); }
  Attribute removeResAttrsAttr(Operation *op) const { return op->removeAttr(resultAttributesName); }
};

struct CallableModel : CallableOpInterface::FallbackModel<CallableModel> {
  Region *getCallableRegion(Operation *op) const {
    return op->getNumRegions() == 0 || op->getRegion(0).empty() ? nullptr : &op->getRegion(0);
  }
  ArrayRef<Type> getArgumentTypes(Operation *op) const { return getFunctionTypeOf(op).getInputs(); }
  ArrayRef<Type> getResultTypes(Operation *op) const { return getFunctionTypeOf(op).getResults(); }
};

struct FunctionModel : FunctionOpInterface::FallbackModel<FunctionModel> {
  Type getFunctionType(Operation *op) const { return getFunctionTypeOf(op); }
  void setFunctionTypeAttr(Operation *op, TypeAttr type) const { op->setAttr(functionTypeName, type); }
  Type cloneTypeWith(Operation *op, TypeRange inputs, TypeRange results) const {
    return getFunctionTypeOf(op).clone(inputs, results);
  }
  LogicalResult verifyType(Operation *op) const {
    auto attribute = op->getAttrOfType<TypeAttr>(functionTypeName);
    if (!attribute || !isa<FunctionType>(attribute.getValue()))
      return op->emitOpError("requires a function type in attribute '") << functionTypeName << "'";
    return success();
  }
  LogicalResult verifyBody(Operation *op) const {
    if (op->getNumRegions() == 0 || op->getRegion(0).empty())
      return success();
    ArrayRef<Type> inputs = getFunctionTypeOf(op).getInputs();
    Block &entry = op->getRegion(0).front();
    if (!llvm::equal(entry.getArgumentTypes(), inputs))
      return op->emitOpError("entry block must have the arguments of the function type: ") << inputs;
    return success();
  }
};

LogicalResult verifyEntryAttributes(Operation *op, StringRef name, size_t count) {
  Attribute attribute = op->getAttr(name);
  if (!attribute)
    return success();
  auto array = dyn_cast<ArrayAttr>(attribute);
  if (!array || array.size() != count || !llvm::all_of(array, [](Attribute entry) { return isa<DictionaryAttr>(entry); }))
    return op->emitOpError("expects attribute '") << name << "' to hold " << count << " dictionaries";
  return success();
}

//===--- Calls ------------------------------------------------------------===//

struct CallModel : CallOpInterface::FallbackModel<CallModel> {
  static StringRef getCalleeName(Operation *op) {
    return unwrap(RustOperation::get(op).getDefinition().calleeAttribute);
  }
  static bool isIndirect(Operation *op) { return getCalleeName(op).empty() && op->getNumOperands() > 0; }
  CallInterfaceCallable getCallableForCallee(Operation *op) const {
    if (isIndirect(op))
      return op->getOperand(0);
    return op->getAttrOfType<SymbolRefAttr>(getCalleeName(op));
  }
  void setCalleeFromCallable(Operation *op, CallInterfaceCallable callee) const {
    auto symbol = dyn_cast<SymbolRefAttr>(callee);
    auto value = dyn_cast<Value>(callee);
    if (isIndirect(op) && value)
      op->setOperand(0, value);
    else if (!isIndirect(op) && symbol)
      op->setAttr(getCalleeName(op), symbol);
  }
  Operation::operand_range getArgOperands(Operation *op) const { return op->getOperands().drop_front(isIndirect(op)); }
  MutableOperandRange getArgOperandsMutable(Operation *op) const {
    return MutableOperandRange(op, isIndirect(op), op->getNumOperands() - isIndirect(op));
  }
  Operation *resolveCallableInTable(Operation *op, SymbolTableCollection *symbols) const {
    return call_interface_impl::resolveCallable(cast<CallOpInterface>(op), symbols);
  }
  Operation *resolveCallable(Operation *op) const {
    return call_interface_impl::resolveCallable(cast<CallOpInterface>(op));
  }
};

//===--- Control flow between regions -------------------------------------===//

struct RegionBranchModel : RegionBranchOpInterface::FallbackModel<RegionBranchModel> {
  OperandRange getEntrySuccessorOperands(Operation *op, RegionSuccessor successor) const {
    Region *target = successor.getSuccessor();
    for (const SkndRegionSuccessor &candidate : getSuccessors(op, -1))
      if (candidate.point == (target ? static_cast<SkndRegionPoint>(target->getRegionNumber()) : -1) &&
          candidate.firstOperand + candidate.numOperands <= op->getNumOperands())
        return op->getOperands().slice(candidate.firstOperand, candidate.numOperands);
    return op->getOperands().take_front(0);
  }
  void getEntrySuccessorRegions(Operation *op, ArrayRef<Attribute>, SmallVectorImpl<RegionSuccessor> &regions) const {
    addSuccessors(op, -1, regions);
  }
  void getSuccessorRegions(Operation *op, RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &regions) const {
    SkndRegionPoint from = -1;
    if (!point.isParent())
      from = point.getTerminatorPredecessorOrNull()->getParentRegion()->getRegionNumber();
    addSuccessors(op, from, regions);
  }
  /// The overload for a region, under the name that the interface's model has for it.
  void getSuccessorRegions_3(Operation *op, Region &region, SmallVectorImpl<RegionSuccessor> &regions) const {
    addSuccessors(op, region.getRegionNumber(), regions);
  }
  void getPredecessors(Operation *op, RegionSuccessor successor, SmallVectorImpl<RegionBranchPoint> &points) const {
    for (RegionBranchPoint point : cast<RegionBranchOpInterface>(op).getAllRegionBranchPoints()) {
      SmallVector<RegionSuccessor> successors;
      getSuccessorRegions(op, point, successors);
      if (llvm::any_of(successors, [&](const RegionSuccessor &candidate) {
            return candidate.getSuccessor() == successor.getSuccessor();
          }))
        points.push_back(point);
    }
  }
  void getPredecessorValues(Operation *op, RegionSuccessor successor, int index, SmallVectorImpl<Value> &values) const {
    SmallVector<RegionBranchPoint> points;
    getPredecessors(op, successor, points);
    for (RegionBranchPoint point : points) {
      if (point.isParent())
        values.push_back(getEntrySuccessorOperands(op, successor)[index]);
      else
        values.push_back(cast<RegionBranchTerminatorOpInterface>(point.getTerminatorPredecessorOrNull())
                             .getSuccessorOperands(successor)[index]);
    }
  }
  void getRegionInvocationBounds(Operation *op, ArrayRef<Attribute>, SmallVectorImpl<InvocationBounds> &bounds) const {
    bounds.append(op->getNumRegions(), InvocationBounds::getUnknown());
  }
  bool areTypesCompatible(Operation *, Type left, Type right) const { return left == right; }

private:
  static SmallVector<SkndRegionSuccessor> getSuccessors(Operation *op, SkndRegionPoint from) {
    SmallVector<SkndRegionSuccessor> successors;
    skndRustRegionSuccessors(RustOperation::get(op).getSpec(), wrap(op), from, &successors);
    return successors;
  }

  static void addSuccessors(Operation *op, SkndRegionPoint from, SmallVectorImpl<RegionSuccessor> &regions) {
    for (const SkndRegionSuccessor &successor : getSuccessors(op, from)) {
      if (successor.point < 0)
        regions.emplace_back(op, op->getResults());
      else if (static_cast<size_t>(successor.point) < op->getNumRegions())
        regions.emplace_back(&op->getRegion(successor.point), op->getRegion(successor.point).getArguments());
    }
  }
};

struct ReturnModel : RegionBranchTerminatorOpInterface::FallbackModel<ReturnModel> {
  MutableOperandRange getMutableSuccessorOperands(Operation *op, RegionSuccessor) const {
    return MutableOperandRange(op);
  }
  void getSuccessorRegions(Operation *op, ArrayRef<Attribute>, SmallVectorImpl<RegionSuccessor> &regions) const {
    if (auto branch = dyn_cast_or_null<RegionBranchOpInterface>(op->getParentOp()))
      branch.getSuccessorRegions(*op->getParentRegion(), regions);
  }
};

} // namespace

//===--- What operations ask for ------------------------------------------===//

void *skriptnd::getPureModel() {
  static PureModel model;
  return static_cast<MemoryEffectOpInterface::Concept *>(&model);
}

void skriptnd::attachInterfaces(const RustOperation &operation, detail::InterfaceMap &interfaces) {
  attachBytecode(interfaces);
  if (operation.can(SkndEffects))
    interfaces.insertModels<EffectsModel>();
  if (operation.has(Trait::AlwaysSpeculatable) || operation.has(Trait::RecursivelySpeculatable))
    interfaces.insertModels<SpeculatabilityModel>();
  if (operation.has(Trait::Symbol))
    interfaces.insertModels<SymbolModel>();
  if (operation.can(SkndFunction)) {
    interfaces.insertModels<ArgumentAttributesModel>();
    interfaces.insertModels<CallableModel>();
    interfaces.insertModels<FunctionModel>();
  }
  if (operation.can(SkndCall)) {
    if (!operation.can(SkndFunction))
      interfaces.insertModels<ArgumentAttributesModel>();
    interfaces.insertModels<CallModel>();
  }
  if (operation.can(SkndRegionBranch))
    interfaces.insertModels<RegionBranchModel>();
  if (operation.has(Trait::ReturnLike))
    interfaces.insertModels<ReturnModel>();
  if (operation.can(SkndInferTypes))
    attachTypeInference(operation, interfaces);
  if (operation.can(SkndNames))
    attachNames(operation, interfaces);
  attachUses(operation, interfaces);
}

LogicalResult skriptnd::verifyInterfaces(const RustOperation &operation, Operation *op) {
  if (operation.has(Trait::Symbol) && failed(detail::verifySymbol(op)))
    return failure();
  if (operation.can(SkndFunction)) {
    FunctionModel model;
    FunctionType type = getFunctionTypeOf(op);
    if (failed(model.verifyType(op)) || failed(model.verifyBody(op)) ||
        failed(verifyEntryAttributes(op, argumentAttributesName, type.getNumInputs())) ||
        failed(verifyEntryAttributes(op, resultAttributesName, type.getNumResults())))
      return failure();
  }
  bool isIndirect = operation.can(SkndCall) && CallModel::isIndirect(op);
  if (operation.can(SkndCall) && !isIndirect && !op->getAttrOfType<SymbolRefAttr>(CallModel::getCalleeName(op)))
    return op->emitOpError("requires a symbol reference in attribute '") << CallModel::getCalleeName(op) << "'";
  if (operation.can(SkndInferTypes) && failed(detail::verifyInferredResultTypes(op)))
    return failure();
  return verifyUses(operation, op);
}

LogicalResult skriptnd::verifyRegionInterfaces(const RustOperation &operation, Operation *op) {
  if (operation.can(SkndRegionBranch))
    return detail::verifyRegionBranchOpInterface(op);
  return success();
}

extern "C" {

void skndPushEffect(void *sink, const SkndEffect *effect) {
  static_cast<SmallVector<SkndEffect> *>(sink)->push_back(*effect);
}

void skndPushRegionSuccessor(void *sink, const SkndRegionSuccessor *successor) {
  static_cast<SmallVector<SkndRegionSuccessor> *>(sink)->push_back(*successor);
}

} // extern "C"
