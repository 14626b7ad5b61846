//===- Everything.cpp - All of MLIR ---------------------------------------===//
//
// What mlir-opt registers, for the tools that take its place. It stands apart, so that nothing else links it.
//
//===----------------------------------------------------------------------===//

#include "Bridge.h"

#include "mlir/CAPI/Registration.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"

using namespace mlir;

extern "C" {

void skndRegisterEverything(MlirDialectRegistry registry) {
  registerAllDialects(*unwrap(registry));
  registerAllExtensions(*unwrap(registry));
  registerAllPasses();
  skndRegisterVectorConversion();
}

} // extern "C"
