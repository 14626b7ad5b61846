//===- Rewrite.cpp - Patterns and drivers ---------------------------------===//

#include "Bridge.h"
#include "PatternGroups.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Rewrite.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/PDL/IR/PDLOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace {

/// A pattern whose rewrite is written in Rust.
class RustPattern final : public RewritePattern {
public:
  RustPattern(const void *pattern, StringRef name, StringRef root, PatternBenefit benefit, MLIRContext *context)
      : RewritePattern(root, benefit, context), pattern(pattern) {
    setDebugName(name);
  }

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const final {
    return success(skndRustRewriteOperation(pattern, wrap(op), wrap(static_cast<RewriterBase *>(&rewriter))));
  }

private:
  const void *pattern;
};

/// Tells Rust of each operation that a driver visits and of each pattern in PDL whose structure is there, and never
/// matches.
class Visitor final : public RewritePattern {
public:
  Visitor(MLIRContext *context, ModuleOp patterns, sknd::AddNatives addNatives)
      : RewritePattern(MatchAnyOpTypeTag(), PatternBenefit(std::numeric_limits<uint16_t>::max() - 1), context),
        structures(patterns, addNatives) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const final {
    skndRustVisited(wrap(op));
    structures.match(op, rewriter, [](unsigned benefit) { skndRustMatched(benefit); });
    return failure();
  }

private:
  sknd::Structures structures;
};

/// Tells Rust which patterns were applied, and where.
struct Recorder final : RewriterBase::Listener {
  explicit Recorder(void *sink) : sink(sink) {}

  void notifyPatternBegin(const Pattern &pattern, Operation *op) final {
    if (!sknd::isGroup(pattern))
      skndRustPatternBegin(sink, wrap(op));
  }
  void notifyPatternEnd(const Pattern &pattern, LogicalResult status) final {
    if (sknd::isGroup(pattern))
      return;
    skndRustPatternEnd(sink, wrap(pattern.getDebugName()), succeeded(status));
    applications += succeeded(status);
  }

  void *sink;
  int64_t applications = 0;
};

SmallVector<MlirPDLValue> wrapValues(ArrayRef<PDLValue> values) {
  return SmallVector<MlirPDLValue>(llvm::map_range(values, [](const PDLValue &value) { return wrap(&value); }));
}

/// The native functions that patterns may call, by name.
struct NativeFunctions {
  llvm::StringMap<const void *> constraints, rewrites;

  /// Registers those that the patterns of a module call.
  void addTo(PDLPatternModule &patterns, ModuleOp module) const {
    llvm::StringSet<> asked, called;
    module.walk([&](pdl::ApplyNativeConstraintOp call) {
      if (asked.insert(call.getName()).second)
        addConstraint(patterns, call.getName());
    });
    module.walk([&](pdl::ApplyNativeRewriteOp call) {
      if (called.insert(call.getName()).second)
        addRewrite(patterns, call.getName());
    });
  }

private:
  void addConstraint(PDLPatternModule &patterns, StringRef name) const {
    patterns.registerConstraintFunction(name, [function = constraints.lookup(name)](
                                                  PatternRewriter &rewriter, PDLResultList &results,
                                                  ArrayRef<PDLValue> values) -> LogicalResult {
      SmallVector<MlirPDLValue> wrapped = wrapValues(values);
      return success(skndRustConstraint(function, wrap(static_cast<RewriterBase *>(&rewriter)), wrapped.data(),
                                        wrapped.size(), wrap(&results)));
    });
  }

  void addRewrite(PDLPatternModule &patterns, StringRef name) const {
    patterns.registerRewriteFunction(name, [function = rewrites.lookup(name)](
                                               PatternRewriter &rewriter, PDLResultList &results,
                                               ArrayRef<PDLValue> values) -> LogicalResult {
      SmallVector<MlirPDLValue> wrapped = wrapValues(values);
      skndRustRewrite(function, wrap(static_cast<RewriterBase *>(&rewriter)), wrapped.data(), wrapped.size(),
                      wrap(&results));
      return success();
    });
  }
};

} // namespace

extern "C" {

//===--- Pattern sets -----------------------------------------------------===//

struct SkndNative {
  MlirStringRef name;
  const void *function;
};

static llvm::StringMap<const void *> tableOf(const SkndNative *natives, size_t count) {
  llvm::StringMap<const void *> table;
  for (const SkndNative &native : ArrayRef(natives, count))
    table[unwrap(native.name)] = native.function;
  return table;
}

void skndAddOperationPattern(MlirRewritePatternSet set, const void *pattern, MlirStringRef name, MlirStringRef root,
                             uint16_t benefit) {
  RewritePatternSet &patterns = *unwrap(set);
  patterns.add(std::make_unique<RustPattern>(pattern, unwrap(name), unwrap(root), PatternBenefit(benefit),
                                             patterns.getContext()));
}

struct SkndOther {
  MlirStringRef root;
  uint16_t benefit;
};

/// Takes the modules, whose patterns become one set; `others` are the patterns of the set that are not in PDL.
/// If they are to be `counted`, Rust is told what is visited and matched.
void skndAddPdlPatterns(MlirRewritePatternSet set, const MlirModule *modules, size_t numModules,
                        const SkndNative *constraints, size_t numConstraints, const SkndNative *rewrites,
                        size_t numRewrites, const SkndOther *others, size_t numOthers, bool counted) {
  NativeFunctions natives{tableOf(constraints, numConstraints), tableOf(rewrites, numRewrites)};
  OwningOpRef<ModuleOp> owned;
  for (MlirModule module : ArrayRef(modules, numModules)) {
    OwningOpRef<ModuleOp> joined(unwrap(module));
    if (!owned) {
      owned = std::move(joined);
      continue;
    }
    for (Operation &pattern : llvm::make_early_inc_range(*joined->getBody()))
      pattern.moveBefore(owned->getBody(), owned->getBody()->end());
  }
  auto addNatives = [&](PDLPatternModule &patterns, ModuleOp module) { natives.addTo(patterns, module); };
  if (counted)
    unwrap(set)->add(
        std::make_unique<Visitor>(unwrap(set)->getContext(), owned ? *owned : ModuleOp(), addNatives));
  if (!owned)
    return;
  SmallVector<sknd::Other> rest;
  for (const SkndOther &other : ArrayRef(others, numOthers))
    rest.emplace_back(unwrap(other.root), other.benefit);
  if (sknd::addGroups(*unwrap(set), *owned, rest, addNatives))
    return;
  ModuleOp whole = *owned;
  PDLPatternModule patterns(std::move(owned));
  natives.addTo(patterns, whole);
  unwrap(set)->getPDLPatterns().mergeIn(std::move(patterns));
}

MlirContext skndPatternSetContext(MlirRewritePatternSet set) { return wrap(unwrap(set)->getContext()); }

MlirFrozenRewritePatternSet skndFreeze(MlirRewritePatternSet set) {
  auto *patterns = unwrap(set);
  auto *frozen = new FrozenRewritePatternSet(std::move(*patterns));
  delete patterns;
  return wrap(frozen);
}

//===--- Values of native functions ---------------------------------------===//

/// The kinds are those of `PDLValue::Kind`, or 6 for a value that is absent.
uint32_t skndPdlValueKind(MlirPDLValue value) {
  const PDLValue &pdl = *unwrap(value);
  return pdl ? static_cast<uint32_t>(pdl.getKind()) : 6;
}
MlirAttribute skndPdlAttribute(MlirPDLValue value) { return wrap(unwrap(value)->cast<Attribute>()); }
MlirOperation skndPdlOperation(MlirPDLValue value) { return wrap(unwrap(value)->cast<Operation *>()); }
MlirType skndPdlType(MlirPDLValue value) { return wrap(unwrap(value)->cast<Type>()); }
MlirValue skndPdlValue(MlirPDLValue value) { return wrap(unwrap(value)->cast<Value>()); }
size_t skndPdlTypeCount(MlirPDLValue value) { return unwrap(value)->cast<TypeRange>().size(); }
MlirType skndPdlTypeAt(MlirPDLValue value, size_t index) { return wrap(unwrap(value)->cast<TypeRange>()[index]); }
size_t skndPdlValueCount(MlirPDLValue value) { return unwrap(value)->cast<ValueRange>().size(); }
MlirValue skndPdlValueAt(MlirPDLValue value, size_t index) { return wrap(unwrap(value)->cast<ValueRange>()[index]); }

void skndPushPdlTypes(MlirPDLResultList results, const MlirType *types, size_t numTypes) {
  SmallVector<Type> unwrapped;
  for (MlirType type : ArrayRef(types, numTypes))
    unwrapped.push_back(unwrap(type));
  unwrap(results)->push_back(TypeRange(unwrapped));
}
void skndPushPdlValues(MlirPDLResultList results, const MlirValue *values, size_t numValues) {
  SmallVector<Value> unwrapped;
  for (MlirValue value : ArrayRef(values, numValues))
    unwrapped.push_back(unwrap(value));
  unwrap(results)->push_back(ValueRange(unwrapped));
}

//===--- Drivers ----------------------------------------------------------===//

struct SkndGreedyOptions {
  int64_t maxRewrites;
  /// Negative: no limit.
  int64_t maxIterations;
  bool fold, mergeConstants, topDown;
  uint32_t regionSimplification;
};

/// Applies patterns to the regions of an operation that is isolated from above. One iteration is run at a time, since MLIR's
/// limit for rewrites counts anew in each. Returns whether it converged.
bool skndApplyGreedily(MlirOperation operation, MlirFrozenRewritePatternSet set, const SkndGreedyOptions *options,
                       bool (*stopped)(void *), void *sink, bool *changed) {
  Recorder recorder(sink);
  sknd::Listening listening(&recorder);
  GreedyRewriteConfig config;
  config.setUseTopDownTraversal(options->topDown)
      .setRegionSimplificationLevel(static_cast<GreedySimplifyRegionLevel>(options->regionSimplification))
      .setMaxIterations(1)
      .setListener(&recorder)
      .enableFolding(options->fold)
      .enableConstantCSE(options->mergeConstants);
  *changed = false;
  for (int64_t iteration = 0; options->maxIterations < 0 || iteration < options->maxIterations; ++iteration) {
    int64_t remaining = options->maxRewrites - recorder.applications;
    if (remaining <= 0)
      return false;
    config.setMaxNumRewrites(remaining);
    bool changedNow = false;
    bool converged = succeeded(applyPatternsGreedily(unwrap(operation), *unwrap(set), config, &changedNow));
    *changed |= changedNow;
    if (converged || stopped(sink))
      return converged;
  }
  return false;
}

void skndWalkAndApply(MlirOperation operation, MlirFrozenRewritePatternSet set, void *sink) {
  Recorder recorder(sink);
  // This driver tells nobody of patterns in PDL, whichever way they are compiled.
  sknd::Listening listening(nullptr);
  walkAndApplyPatterns(unwrap(operation), *unwrap(set), &recorder);
}

// Whether something outside of an operation uses what it, or an operation inside of it, defines.
static bool isUsedOutside(Operation *operation) {
  auto outside = [&](OpOperand &use) { return !operation->isAncestor(use.getOwner()); };
  auto used = [&](Value value) { return llvm::any_of(value.getUses(), outside); };
  return operation
      ->walk([&](Operation *inner) {
        if (llvm::any_of(inner->getResults(), used))
          return WalkResult::interrupt();
        for (Region &region : inner->getRegions())
          for (Block &block : region)
            if (llvm::any_of(block.getArguments(), used))
              return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

bool skndIsUsedOutside(MlirOperation operation) { return isUsedOutside(unwrap(operation)); }

// How often a new operation was compared with others by its place in the block: MLIR numbers all operations of a block anew
// for that.
static thread_local uint64_t placesCompared = 0;

uint64_t skndPlacesCompared() { return placesCompared; }

// Operations that are looked at before MLIR numbers a block.
static constexpr unsigned nearby = 32;

// Whether an operation stands shortly before another one of the block; `between` are those behind it.
static bool isShortlyBefore(Operation *first, Operation *second, SmallVectorImpl<Operation *> &between) {
  Operation *at = second->getPrevNode();
  for (unsigned step = 0; at && step < nearby; ++step, at = at->getPrevNode()) {
    if (at == first)
      return true;
    between.push_back(at);
  }
  between.clear();
  return false;
}

// Whether an operation computes something of which another one is made, as far as that is seen at a glance.
static bool isNeededBy(Operation *first, Operation *second) {
  SmallVector<Operation *, nearby> pending{second};
  for (unsigned index = 0; index < pending.size() && index < nearby; ++index)
    for (Value operand : pending[index]->getOperands()) {
      Operation *definition = operand.getDefiningOp();
      if (definition == first)
        return true;
      if (definition && definition->getBlock() == first->getBlock())
        pending.push_back(definition);
    }
  return false;
}

bool skndPrecedesUses(MlirValue value, MlirOperation operation) {
  Operation *definition = unwrap(value).getDefiningOp(), *replaced = unwrap(operation);
  if (!definition)
    return true;
  if (definition == replaced)
    return false;
  Block *block = definition->getBlock();
  // What stands before the operation precedes what uses it, unless that is new and stands there, too.
  SmallVector<Operation *, nearby> between;
  bool isBefore = block == replaced->getBlock() && mayHaveSSADominance(*block->getParent()) &&
                  (isShortlyBefore(definition, replaced, between) || isNeededBy(definition, replaced));
  return llvm::all_of(replaced->getUsers(), [&](Operation *user) {
    Operation *ancestor = block->findAncestorOpInBlock(*user);
    // Other blocks are for the verifier.
    if (!ancestor || llvm::is_contained(between, ancestor))
      return true;
    if (definition == ancestor)
      return false;
    if (isBefore && replaced->isBeforeInBlock(ancestor))
      return true;
    ++placesCompared;
    return definition->isBeforeInBlock(ancestor);
  });
}

bool skndSetAside(MlirOperation operation) {
  Operation *op = unwrap(operation);
  if (!op->getBlock() || isUsedOutside(op))
    return false;
  op->dropAllReferences();
  op->remove();
  return true;
}

bool skndIsIsolatedFromAbove(MlirOperation operation) {
  return unwrap(operation)->hasTrait<OpTrait::IsIsolatedFromAbove>();
}

} // extern "C"
