//===- Linker.cpp - lld, linked in ----------------------------------------===//

#include "Bridge.h"

#include "mlir/CAPI/Support.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/raw_ostream.h"

#include <link.h>
#include <string>

LLD_HAS_DRIVER(elf)

namespace {

using Tell = void (*)(MlirStringRef, void *);

struct Listener {
  Tell tell;
  void *sink;
};

int tellName(dl_phdr_info *info, size_t, void *data) {
  auto *listener = static_cast<Listener *>(data);
  if (info->dlpi_name && *info->dlpi_name)
    listener->tell(mlirStringRefCreateFromCString(info->dlpi_name), listener->sink);
  return 0;
}

} // namespace

extern "C" {

/// What lld calls in place of `llvm::cl::ResetAllOptionOccurrences` (see CMakeLists.txt).
void skndKeepOptions() {}

/// Links as `ld.lld` does, whose name is the first argument; tells the sink what it says. Only one thread may be in it. Returns
/// 0 if there is a result, 1 if not, and 2 where lld must not be called again in this process.
int skndLink(const char *const *arguments, size_t count, Tell tell, void *sink) {
  std::string said;
  llvm::raw_string_ostream stream(said);
  // Without it, lld would end the process where it gives up.
  llvm::CrashRecoveryContext::Enable();
  lld::Result result =
      lld::lldMain(llvm::ArrayRef(arguments, count), stream, stream, {{lld::Gnu, &lld::elf::link}});
  llvm::CrashRecoveryContext::Disable();
  tell(wrap(llvm::StringRef(said)), sink);
  if (!result.canRunAgain)
    return 2;
  return result.retCode == 0 ? 0 : 1;
}

/// Tells the sink the name of each shared object that this process has loaded, its dynamic linker included.
void skndLoadedObjects(Tell tell, void *sink) {
  Listener listener{tell, sink};
  dl_iterate_phdr(tellName, &listener);
}

} // extern "C"
