//===- Pass.cpp - Passes written in Rust, and pipelines -------------------===//

#include "Bridge.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/Timing.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

#include <mutex>
#include <variant>

using namespace mlir;

namespace {

/// The kinds of option values of `dialects/mlir/src/pass/options.rs`, in order.
enum class OptionKind : uint32_t { Flag, Integer, Unsigned, Real, Text, Integers, Unsigneds, Reals, Texts };

} // namespace

extern "C" {

struct SkndOption {
  uint32_t kind;
  /// Zero-terminated, as LLVM's command line keeps pointers.
  const char *name;
  const char *description;
  /// Unsigned ones have the same bits.
  int64_t integer;
  double real;
  MlirStringRef text;
  const int64_t *integers;
  const double *reals;
  const MlirStringRef *texts;
  size_t count;
};

struct SkndPass {
  const void *spec;
  MlirStringRef argument;
  MlirStringRef description;
  MlirStringRef anchor;
  MlirStringRef interface;
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

using HasInterface = bool (*)(const RegisteredOperationName &);

template <typename Interface>
bool hasInterface(const RegisteredOperationName &name) {
  return name.hasInterface<Interface>();
}

/// The interfaces whose operations passes may run on; null for others.
HasInterface lookupInterface(StringRef name) {
  return llvm::StringSwitch<HasInterface>(name)
      .Case("FunctionOpInterface", hasInterface<FunctionOpInterface>)
      .Case("CallableOpInterface", hasInterface<CallableOpInterface>)
      .Case("SymbolOpInterface", hasInterface<SymbolOpInterface>)
      .Case("LoopLikeOpInterface", hasInterface<LoopLikeOpInterface>)
      .Case("RegionBranchOpInterface", hasInterface<RegionBranchOpInterface>)
      .Default(nullptr);
}

class RustPass final : public Pass {
public:
  RustPass(const SkndPass &definition, TypeID id)
      : Pass(id, getAnchor(definition)), interface(lookupInterface(unwrap(definition.interface))),
        definition(definition), id(id) {
    for (const SkndOption &option : ArrayRef(definition.options, definition.numOptions))
      options.push_back(makeOption(option));
  }

  StringRef getName() const final { return unwrap(definition.argument); }
  StringRef getArgument() const final { return unwrap(definition.argument); }
  StringRef getDescription() const final { return unwrap(definition.description); }

  void getDependentDialects(DialectRegistry &registry) const final {
    for (MlirStringRef name : ArrayRef(definition.dependentDialects.data, definition.dependentDialects.size))
      KnownDialects::get().insertInto(registry, unwrap(name));
    auto insert = [](MlirStringRef name, void *sink) {
      KnownDialects::get().insertInto(*static_cast<DialectRegistry *>(sink), unwrap(name));
    };
    skndRustDependentDialects(definition.spec, const_cast<RustPass *>(this), insert, &registry);
  }

  void runOnOperation() final {
    if (!skndRustRunPass(definition.spec, wrap(getOperation()), this))
      signalPassFailure();
  }

  bool canScheduleOn(RegisteredOperationName name) const final {
    std::optional<StringRef> anchor = getOpName();
    return (!anchor || *anchor == name.getStringRef()) && (!interface || interface(name));
  }
  bool canScheduleOn(Operation *op) const final {
    if (std::optional<RegisteredOperationName> name = op->getRegisteredInfo())
      return canScheduleOn(*name);
    std::optional<StringRef> anchor = getOpName();
    return !interface && (!anchor || *anchor == op->getName().getStringRef());
  }

  /// What options may be is known to Rust.
  LogicalResult initializeOptions(StringRef text, function_ref<LogicalResult(const Twine &)> error) final {
    if (failed(Pass::initializeOptions(text, error)))
      return failure();
    std::string message;
    auto append = [](MlirStringRef part, void *sink) { static_cast<std::string *>(sink)->append(part.data, part.length); };
    if (!skndRustCheckOptions(definition.spec, this, append, &message))
      return error(message);
    return success();
  }

  std::unique_ptr<Pass> clonePass() const final { return std::make_unique<RustPass>(definition, id); }

  LogicalResult runNested(OpPassManager &pipeline, Operation *op) { return runPipeline(pipeline, op); }

  template <typename T>
  const T &getOption(size_t index) const {
    return *std::get<std::unique_ptr<T>>(options[index]);
  }

  using Flag = Option<bool>;
  using Integer = Option<int64_t>;
  using Unsigned = Option<uint64_t>;
  using Real = Option<double>;
  using Text = Option<std::string>;
  using Integers = ListOption<int64_t>;
  using Unsigneds = ListOption<uint64_t>;
  using Reals = ListOption<double>;
  using Texts = ListOption<std::string>;

private:
  static std::optional<StringRef> getAnchor(const SkndPass &definition) {
    return definition.anchor.length ? std::optional(unwrap(definition.anchor)) : std::nullopt;
  }

  using AnyOption = std::variant<std::unique_ptr<Flag>, std::unique_ptr<Integer>, std::unique_ptr<Unsigned>,
                                 std::unique_ptr<Real>, std::unique_ptr<Text>, std::unique_ptr<Integers>,
                                 std::unique_ptr<Unsigneds>, std::unique_ptr<Reals>, std::unique_ptr<Texts>>;

  template <typename T, typename Default>
  AnyOption makeOption(const SkndOption &option, const Default &value) {
    return std::make_unique<T>(*this, StringRef(option.name), llvm::cl::desc(option.description), value);
  }

  AnyOption makeOption(const SkndOption &option) {
    switch (static_cast<OptionKind>(option.kind)) {
    case OptionKind::Flag:
      return makeOption<Flag>(option, llvm::cl::init(option.integer != 0));
    case OptionKind::Integer:
      return makeOption<Integer>(option, llvm::cl::init(option.integer));
    case OptionKind::Unsigned:
      return makeOption<Unsigned>(option, llvm::cl::init(static_cast<uint64_t>(option.integer)));
    case OptionKind::Real:
      return makeOption<Real>(option, llvm::cl::init(option.real));
    case OptionKind::Text:
      return makeOption<Text>(option, llvm::cl::init(unwrap(option.text).str()));
    case OptionKind::Integers:
      return makeOption<Integers>(option, llvm::cl::list_init(ArrayRef(option.integers, option.count)));
    case OptionKind::Unsigneds: {
      auto values = reinterpret_cast<const uint64_t *>(option.integers);
      return makeOption<Unsigneds>(option, llvm::cl::list_init(ArrayRef(values, option.count)));
    }
    case OptionKind::Reals:
      return makeOption<Reals>(option, llvm::cl::list_init(ArrayRef(option.reals, option.count)));
    case OptionKind::Texts: {
      SmallVector<std::string> values;
      for (MlirStringRef text : ArrayRef(option.texts, option.count))
        values.push_back(unwrap(text).str());
      return makeOption<Texts>(option, llvm::cl::list_init(ArrayRef<std::string>(values)));
    }
    }
    llvm_unreachable("an option of no kind");
  }

  /// Each option of the definition is at its index.
  std::vector<AnyOption> options;
  HasInterface interface;
  const SkndPass &definition;
  TypeID id;
};

/// Asks Rust behind each pass whether an invariant holds; Rust reports where it does not.
class InvariantCheck final : public PassInstrumentation {
public:
  explicit InvariantCheck(const void *invariant) : invariant(invariant) {}

  void runAfterPass(Pass *pass, Operation *op) final {
    // Adaptors, which run pipelines of their own, have no argument.
    if (!pass->getArgument().empty())
      skndRustCheckInvariant(invariant, wrap(pass->getArgument()), wrap(op));
  }

private:
  const void *invariant;
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

/// Whether passes may be asked to run on the operations of an interface.
bool skndIsPassInterface(MlirStringRef name) { return lookupInterface(unwrap(name)) != nullptr; }

bool skndPassFlag(void *pass, size_t index) { return asPass(pass).getOption<RustPass::Flag>(index); }
int64_t skndPassInteger(void *pass, size_t index) { return asPass(pass).getOption<RustPass::Integer>(index); }
uint64_t skndPassUnsigned(void *pass, size_t index) { return asPass(pass).getOption<RustPass::Unsigned>(index); }
double skndPassReal(void *pass, size_t index) { return asPass(pass).getOption<RustPass::Real>(index); }
MlirStringRef skndPassText(void *pass, size_t index) {
  return wrap(StringRef(asPass(pass).getOption<RustPass::Text>(index).getValue()));
}
const int64_t *skndPassIntegers(void *pass, size_t index, size_t *count) {
  ArrayRef<int64_t> values = asPass(pass).getOption<RustPass::Integers>(index);
  *count = values.size();
  return values.data();
}
const uint64_t *skndPassUnsigneds(void *pass, size_t index, size_t *count) {
  ArrayRef<uint64_t> values = asPass(pass).getOption<RustPass::Unsigneds>(index);
  *count = values.size();
  return values.data();
}
const double *skndPassReals(void *pass, size_t index, size_t *count) {
  ArrayRef<double> values = asPass(pass).getOption<RustPass::Reals>(index);
  *count = values.size();
  return values.data();
}
void skndPassTexts(void *pass, size_t index, MlirStringCallback callback, void *sink) {
  for (const std::string &text : ArrayRef<std::string>(asPass(pass).getOption<RustPass::Texts>(index)))
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
                    const void *invariant, MlirStringCallback callback, void *sink) {
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
  if (invariant)
    manager.addInstrumentation(std::make_unique<InvariantCheck>(invariant));
  if (timing) {
    auto times = std::make_unique<DefaultTimingManager>();
    times->setEnabled(true);
    times->setDisplayMode(DefaultTimingManager::DisplayMode::List);
    manager.enableTiming(std::move(times));
  }
  return succeeded(manager.run(unwrap(module))) ? 2 : 1;
}

} // extern "C"
