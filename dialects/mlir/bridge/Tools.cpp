//===- Tools.cpp - Main functions of the tools ----------------------------===//

#include "Bridge.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllTranslations.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

extern "C" {

int skndOptMain(int argc, char **argv, MlirStringRef name, MlirDialectRegistry registry, const void *import) {
  auto [input, output] = registerAndParseCLIOptions(argc, argv, unwrap(name), *unwrap(registry));
  std::string text;
  int imported = skndRustImport(import, wrap(StringRef(input)), &text);
  if (imported == 0)
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, *unwrap(registry)));
  if (imported == 2) {
    llvm::errs() << text;
    return EXIT_FAILURE;
  }
  llvm::InitLLVM init(argc, argv);
  std::string message;
  auto file = openOutputFile(output, &message);
  if (!file) {
    llvm::errs() << message << '\n';
    return EXIT_FAILURE;
  }
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(text, input);
  if (failed(MlirOptMain(file->os(), std::move(buffer), *unwrap(registry), MlirOptMainConfig::createFromCLOptions())))
    return EXIT_FAILURE;
  file->keep();
  return EXIT_SUCCESS;
}

int skndLanguageServerMain(int argc, char **argv, MlirDialectRegistry registry) {
  return asMainReturnCode(MlirLspServerMain(argc, argv, *unwrap(registry)));
}

struct SkndTranslation {
  const void *spec;
  MlirStringRef name;
  MlirStringRef description;
};

int skndTranslateMain(int argc, char **argv, MlirStringRef name, const SkndTranslation *translations,
                      size_t numTranslations) {
  registerAllTranslations();
  for (const SkndTranslation &translation : ArrayRef(translations, numTranslations))
    TranslateRegistration(unwrap(translation.name), unwrap(translation.description),
                          [spec = translation.spec](const std::shared_ptr<llvm::SourceMgr> &source,
                                                    raw_ostream &output, MLIRContext *) -> LogicalResult {
                            const auto *buffer = source->getMemoryBuffer(source->getMainFileID());
                            std::string text;
                            bool done = skndRustTranslate(spec, wrap(buffer->getBufferIdentifier()),
                                                          wrap(buffer->getBuffer()), &text);
                            (done ? output : llvm::errs()) << text;
                            return success(done);
                          });
  return asMainReturnCode(mlirTranslateMain(argc, argv, unwrap(name)));
}

void skndPushText(void *sink, MlirStringRef text) { static_cast<std::string *>(sink)->append(unwrap(text).str()); }

/// Replaces math functions inside an operation by polynomials.
bool skndApproximateMath(MlirOperation operation) {
  RewritePatternSet patterns(unwrap(operation)->getContext());
  populateMathPolynomialApproximationPatterns(patterns);
  bool changed = false;
  GreedyRewriteConfig config;
  return succeeded(applyPatternsGreedily(unwrap(operation), std::move(patterns), config, &changed));
}

} // extern "C"
