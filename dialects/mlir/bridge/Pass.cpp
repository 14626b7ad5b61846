//===- Pass.cpp - Passes written in Rust, and pipelines -------------------===//

#include "Bridge.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/Timing.h"
#include "llvm/ADT/StringMap.h"

#include <mutex>

using namespace mlir;

namespace {

/// The kinds of option values of `dialects/mlir/src/pass.rs`, in order.
enum class OptionKind : uint32_t { Flag, Integer, Text, Integers, Texts };

} // namespace

extern "C" {

struct SkndOption {
  uint32_t kind;
  /// Zero-terminated, as LLVM's command line keeps pointers.
  const char *name;
  const char *description;
  int64_t integer;
  MlirStringRef text;
  const int64_t *integers;
  const MlirStringRef *texts;
  size_t count;
};

struct SkndPass {
  const void *spec;
  MlirStringRef argument;
  MlirStringRef description;
  MlirStringRef anchor;
  SkndStrings dependentDialects;
  const SkndOption *options;
  size_t numOptions;
};

} // extern "C"

namespace {

/// Dialects by name for the passes that depend on them. Passes name dialects by their namespace, while MLIR wants their
/// identifiers too, which are read off a context in which the dialects are loaded.
class KnownDialects {
public:
  static KnownDialects &get() {
    static auto *known = new KnownDialects();
    return *known;
  }

  void extend(const DialectRegistry &other) {
    std::lock_guard<std::mutex> lock(mutex);
    other.appendTo(registry);
  }

  void insertInto(DialectRegistry &target, StringRef name) {
    std::lock_guard<std::mutex> lock(mutex);
    DialectAllocatorFunctionRef allocator = registry.getDialectAllocator(name);
    if (!allocator)
      return;
    auto found = ids.find(name);
    if (found == ids.end()) {
      MLIRContext context(registry, MLIRContext::Threading::DISABLED);
      Dialect *dialect = context.getOrLoadDialect(name);
      if (!dialect)
        return;
      found = ids.try_emplace(name, dialect->getTypeID()).first;
    }
    target.insert(found->second, name, [allocator](MLIRContext *context) { return allocator(context); });
  }

private:
  std::mutex mutex;
  DialectRegistry registry;
  llvm::StringMap<TypeID> ids;
};

class RustPass final : public Pass {
public:
  RustPass(const SkndPass &definition, TypeID id) : Pass(id, getAnchor(definition)), definition(definition), id(id) {
    for (const SkndOption &option : ArrayRef(definition.options, definition.numOptions))
      addOption(option);
  }

  StringRef getName() const final { return unwrap(definition.argument); }
  StringRef getArgument() const final { return unwrap(definition.argument); }
  StringRef getDescription() const final { return unwrap(definition.description); }

  void getDependentDialects(DialectRegistry &registry) const final {
    for (MlirStringRef name : ArrayRef(definition.dependentDialects.data, definition.dependentDialects.size))
      KnownDialects::get().insertInto(registry, unwrap(name));
  }

  void runOnOperation() final {
    if (!skndRustRunPass(definition.spec, wrap(getOperation()), this))
      signalPassFailure();
  }

  bool canScheduleOn(RegisteredOperationName name) const final {
    std::optional<StringRef> anchor = getOpName();
    return !anchor || *anchor == name.getStringRef();
  }
  bool canScheduleOn(Operation *op) const final {
    std::optional<StringRef> anchor = getOpName();
    return !anchor || *anchor == op->getName().getStringRef();
  }

  std::unique_ptr<Pass> clonePass() const final { return std::make_unique<RustPass>(definition, id); }

  LogicalResult runNested(OpPassManager &pipeline, Operation *op) { return runPipeline(pipeline, op); }

  // Each option of the definition is at its index in one of these, the others being null there.
  std::vector<std::unique_ptr<Option<bool>>> flags;
  std::vector<std::unique_ptr<Option<int64_t>>> integers;
  std::vector<std::unique_ptr<Option<std::string>>> texts;
  std::vector<std::unique_ptr<ListOption<int64_t>>> integerLists;
  std::vector<std::unique_ptr<ListOption<std::string>>> textLists;

private:
  static std::optional<StringRef> getAnchor(const SkndPass &definition) {
    return definition.anchor.length ? std::optional(unwrap(definition.anchor)) : std::nullopt;
  }

  void addOption(const SkndOption &option) {
    flags.emplace_back();
    integers.emplace_back();
    texts.emplace_back();
    integerLists.emplace_back();
    textLists.emplace_back();
    StringRef name(option.name);
    llvm::cl::desc description(option.description);
    switch (static_cast<OptionKind>(option.kind)) {
    case OptionKind::Flag:
      flags.back() = std::make_unique<Option<bool>>(*this, name, description, llvm::cl::init(option.integer != 0));
      break;
    case OptionKind::Integer:
      integers.back() =
          std::make_unique<Option<int64_t>>(*this, name, description, llvm::cl::init(option.integer));
      break;
    case OptionKind::Text:
      texts.back() =
          std::make_unique<Option<std::string>>(*this, name, description, llvm::cl::init(unwrap(option.text).str()));
      break;
    case OptionKind::Integers:
      integerLists.back() = std::make_unique<ListOption<int64_t>>(
          *this, name, description, llvm::cl::list_init(ArrayRef(option.integers, option.count)));
      break;
    case OptionKind::Texts: {
      SmallVector<std::string> values;
      for (MlirStringRef text : ArrayRef(option.texts, option.count))
        values.push_back(unwrap(text).str());
      textLists.back() = std::make_unique<ListOption<std::string>>(
          *this, name, description, llvm::cl::list_init(ArrayRef<std::string>(values)));
      break;
    }
    }
  }

  const SkndPass &definition;
  TypeID id;
};

/// The options of a pipeline as the help shows them; Rust reads what is given.
struct PipelineHelp final : detail::PassOptions {
  explicit PipelineHelp(ArrayRef<SkndOption> options) {
    for (const SkndOption &option : options)
      shown.push_back(std::make_unique<Option<std::string>>(*this, option.name, llvm::cl::desc(option.description)));
  }

  std::vector<std::unique_ptr<Option<std::string>>> shown;
};

RustPass &asPass(void *pass) { return *static_cast<RustPass *>(static_cast<Pass *>(pass)); }

} // namespace

extern "C" {

void skndExtendKnownDialects(MlirDialectRegistry registry) {
  KnownDialects::get().extend(*static_cast<DialectRegistry *>(registry.ptr));
}

void skndRegisterPass(const SkndPass *definition) {
  static auto *passIDs = new TypeIDAllocator();
  TypeID id = passIDs->allocate();
  registerPass([definition, id]() -> std::unique_ptr<Pass> { return std::make_unique<RustPass>(*definition, id); });
}

/// Whether a pass or a pipeline of that argument is registered.
bool skndIsPassRegistered(MlirStringRef argument) {
  return PassInfo::lookup(unwrap(argument)) || PassPipelineInfo::lookup(unwrap(argument));
}

/// A pipeline whose text Rust makes of the options that it is given. All strings live as long as the process.
void skndRegisterPipeline(MlirStringRef argument, MlirStringRef description, const SkndOption *options,
                          size_t numOptions, const void *spec) {
  auto help = std::make_shared<PipelineHelp>(ArrayRef(options, numOptions));
  registerPassPipeline(
      unwrap(argument), unwrap(description),
      [spec](OpPassManager &manager, StringRef options, function_ref<LogicalResult(const Twine &)> error) {
        std::string text;
        auto append = [](MlirStringRef part, void *sink) { static_cast<std::string *>(sink)->append(part.data, part.length); };
        if (!skndRustExpandPipeline(spec, wrap(options), append, &text))
          return error(text);
        return parsePassPipeline(text, manager);
      },
      [help](function_ref<void(const detail::PassOptions &)> show) { show(*help); });
}

/// Whether a textual pipeline for a module parses; why not is passed to the callback.
bool skndCheckPipeline(MlirStringRef pipeline, MlirStringCallback callback, void *sink) {
  std::string message;
  llvm::raw_string_ostream stream(message);
  OpPassManager manager(ModuleOp::getOperationName(), OpPassManager::Nesting::Implicit);
  if (succeeded(parsePassPipeline(unwrap(pipeline), manager, stream)))
    return true;
  callback(wrap(StringRef(message)), sink);
  return false;
}

bool skndPassFlag(void *pass, size_t index) { return *asPass(pass).flags[index]; }
int64_t skndPassInteger(void *pass, size_t index) { return *asPass(pass).integers[index]; }
MlirStringRef skndPassText(void *pass, size_t index) {
  return wrap(StringRef(asPass(pass).texts[index]->getValue()));
}
const int64_t *skndPassIntegers(void *pass, size_t index, size_t *count) {
  ArrayRef<int64_t> values = **std::as_const(asPass(pass).integerLists[index]);
  *count = values.size();
  return values.data();
}
void skndPassTexts(void *pass, size_t index, MlirStringCallback callback, void *sink) {
  for (const std::string &text : **std::as_const(asPass(pass).textLists[index]))
    callback(wrap(StringRef(text)), sink);
}

/// Runs a pipeline inside a pass. The pipeline is written without its anchor, which is the operation.
bool skndPassRunPipeline(void *pass, MlirOperation op, MlirStringRef pipeline, MlirStringCallback callback,
                         void *sink) {
  std::string message;
  llvm::raw_string_ostream stream(message);
  OpPassManager manager(unwrap(op)->getName().getStringRef(), OpPassManager::Nesting::Implicit);
  if (failed(parsePassPipeline(unwrap(pipeline), manager, stream))) {
    callback(wrap(StringRef(message)), sink);
    return false;
  }
  return succeeded(asPass(pass).runNested(manager, unwrap(op)));
}

/// 0: the pipeline does not parse (why not is passed to the callback), 1: a pass failed, 2: done.
int skndRunPipeline(MlirModule module, MlirStringRef pipeline, bool verify, bool printAfterAll, bool timing,
                    MlirStringCallback callback, void *sink) {
  std::string message;
  llvm::raw_string_ostream stream(message);
  FailureOr<OpPassManager> parsed = parsePassPipeline(unwrap(pipeline), stream);
  if (failed(parsed)) {
    callback(wrap(StringRef(message)), sink);
    return 0;
  }
  MLIRContext *context = unwrap(module).getContext();
  PassManager manager(context, parsed->getOpAnchorName(), OpPassManager::Nesting::Implicit);
  static_cast<OpPassManager &>(manager) = std::move(*parsed);
  manager.enableVerifier(verify);
  if (printAfterAll) {
    context->disableMultithreading();
    manager.enableIRPrinting([](Pass *, Operation *) { return false; }, [](Pass *, Operation *) { return true; });
  }
  if (timing) {
    auto times = std::make_unique<DefaultTimingManager>();
    times->setEnabled(true);
    times->setDisplayMode(DefaultTimingManager::DisplayMode::List);
    manager.enableTiming(std::move(times));
  }
  return succeeded(manager.run(unwrap(module))) ? 2 : 1;
}

} // extern "C"
