//===- Kept.cpp - What Rust keeps with a context --------------------------===//
//
// An interface of the builtin dialect, which every context has: it is there before threads share the context, and goes
// with it.
//
//===----------------------------------------------------------------------===//

#include "Bridge.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectInterface.h"

using namespace mlir;

namespace {

class Kept final : public DialectInterface::Base<Kept> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Kept)

  explicit Kept(Dialect *dialect) : Base(dialect), kept(skndRustNewKept()) {}
  ~Kept() final { skndRustDropKept(kept); }

  void *const kept;
};

} // namespace

extern "C" {

/// Lets contexts with this registry keep what Rust gives them.
void skndRegisterKept(MlirDialectRegistry registry) {
  unwrap(registry)->addExtension(+[](MLIRContext *, BuiltinDialect *dialect) {
    if (!dialect->getRegisteredInterface<Kept>())
      dialect->addInterfaces<Kept>();
  });
}

/// What `skndRustNewKept` made for the context; null if its registry does not say so.
void *skndKept(MlirContext context) {
  auto *kept = unwrap(context)->getLoadedDialect<BuiltinDialect>()->getRegisteredInterface<Kept>();
  return kept ? kept->kept : nullptr;
}

} // extern "C"
