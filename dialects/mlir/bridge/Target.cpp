//===- Target.cpp - What LLVM's targets know ------------------------------===//

#include "Bridge.h"

#include "mlir/CAPI/Support.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/TargetParser/RISCVISAInfo.h"
#include "llvm/TargetParser/Triple.h"

#include <memory>
#include <string>
#include <vector>

using namespace llvm;

namespace {

std::unique_ptr<MCSubtargetInfo> getSubtarget(StringRef name, StringRef processor = "", StringRef features = "") {
  Triple triple(name);
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  return std::unique_ptr<MCSubtargetInfo>(target->createMCSubtargetInfo(triple, processor, features));
}

} // namespace

extern "C" {

/// Whether a target, which must be initialized, has such a processor. LLVM itself would only print a warning.
bool skndTargetHasProcessor(MlirStringRef triple, MlirStringRef processor) {
  std::unique_ptr<MCSubtargetInfo> subtarget = getSubtarget(unwrap(triple));
  return subtarget && subtarget->isCPUStringValid(unwrap(processor));
}

/// Tells the sink the name of each processor of a target, which must be initialized.
void skndTargetProcessors(MlirStringRef triple, void (*tell)(MlirStringRef, void *), void *sink) {
  if (std::unique_ptr<MCSubtargetInfo> subtarget = getSubtarget(unwrap(triple)))
    for (const SubtargetSubTypeKV &known : subtarget->getAllProcessorDescriptions())
      tell(mlirStringRefCreateFromCString(known.Key), sink);
}

/// Tells the sink each feature, named without sign, that processors of a target, which must be initialized, may have.
void skndTargetKnownFeatures(MlirStringRef triple, void (*tell)(MlirStringRef, void *), void *sink) {
  if (std::unique_ptr<MCSubtargetInfo> subtarget = getSubtarget(unwrap(triple)))
    for (const SubtargetFeatureKV &known : subtarget->getAllProcessorFeatures())
      tell(mlirStringRefCreateFromCString(known.Key), sink);
}

/// Tells the sink each feature that a processor, which must be one of the target's, has with these features on top.
void skndTargetFeatures(MlirStringRef triple, MlirStringRef processor, MlirStringRef features,
                        void (*tell)(MlirStringRef, void *), void *sink) {
  std::unique_ptr<MCSubtargetInfo> subtarget = getSubtarget(unwrap(triple), unwrap(processor), unwrap(features));
  if (!subtarget)
    return;
  for (const SubtargetFeatureKV &known : subtarget->getAllProcessorFeatures())
    if (subtarget->getFeatureBits().test(known.Value))
      tell(mlirStringRefCreateFromCString(known.Key), sink);
}

/// Tells the sink what is wrong where features of a processor, which must be one of the target's, exclude each other. Of RISC-V
/// LLVM would end the process.
void skndTargetConflict(MlirStringRef triple, MlirStringRef processor, MlirStringRef features,
                        void (*tell)(MlirStringRef, void *), void *sink) {
  Triple parsed(unwrap(triple));
  if (!parsed.isRISCV())
    return;
  std::unique_ptr<MCSubtargetInfo> subtarget = getSubtarget(unwrap(triple), unwrap(processor), unwrap(features));
  if (!subtarget)
    return;
  std::vector<std::string> enabled;
  for (const SubtargetFeatureKV &known : subtarget->getAllProcessorFeatures())
    if (subtarget->getFeatureBits().test(known.Value) && RISCVISAInfo::isSupportedExtensionFeature(known.Key))
      enabled.push_back(std::string("+") + known.Key);
  if (auto info = RISCVISAInfo::parseFeatures(parsed.isArch64Bit() ? 64 : 32, enabled); !info) {
    std::string message = toString(info.takeError());
    tell(mlirStringRefCreate(message.data(), message.size()), sink);
  }
}

/// Sets an option of LLVM's code generators for the whole process, unless the command line has set it. False if LLVM has
/// no such option or value.
bool skndSetCodeGeneratorOption(MlirStringRef name, MlirStringRef value) {
  auto &options = cl::getRegisteredOptions();
  auto found = options.find(unwrap(name));
  if (found == options.end())
    return false;
  cl::Option &option = *found->second;
  return option.getNumOccurrences() > 0 || !option.addOccurrence(1, unwrap(name), unwrap(value));
}

} // extern "C"
