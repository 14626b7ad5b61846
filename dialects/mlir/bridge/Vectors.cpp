//===- Vectors.cpp - Vectors to the LLVM dialect, by the width of indices --===//
//
// Upstream's `convert-vector-to-llvm` takes every index for 64 bits: addresses of vectors are then computed in pairs of
// registers where addresses have 32. This is the same conversion, told the width.
//
//===----------------------------------------------------------------------===//

#include "Bridge.h"

#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace {

struct ConvertVectors : public PassWrapper<ConvertVectors, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ConvertVectors)

  ConvertVectors() = default;
  ConvertVectors(const ConvertVectors &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "convert-vectors-to-llvm"; }
  StringRef getDescription() const final {
    return "Converts vectors of one dimension to the LLVM dialect, with indices of a given width";
  }

  void getDependentDialects(DialectRegistry &registry) const final {
    registry.insert<arith::ArithDialect, LLVM::LLVMDialect, memref::MemRefDialect, ub::UBDialect>();
  }

  void runOnOperation() final {
    lowerStepByStep();
    LowerToLLVMOptions options(&getContext());
    options.overrideIndexBitwidth(indexWidth);
    LLVMTypeConverter converter(&getContext(), options);
    RewritePatternSet patterns(&getContext());
    vector::populateVectorTransferLoweringPatterns(patterns);
    populateVectorToLLVMConversionPatterns(converter, patterns, /*reassociateFPReductions=*/false,
                                           /*force32BitVectorIndices=*/true, /*useVectorAlignment=*/false);
    LLVMConversionTarget target(getContext());
    target.addLegalDialect<arith::ArithDialect, memref::MemRefDialect, ub::UBDialect>();
    target.addLegalOp<UnrealizedConversionCastOp>();
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }

private:
  /// What the conversion has no pattern for becomes what it has one for.
  void lowerStepByStep() {
    RewritePatternSet patterns(&getContext());
    vector::populateVectorBitCastLoweringPatterns(patterns);
    vector::populateVectorBroadcastLoweringPatterns(patterns);
    vector::populateVectorMaskOpLoweringPatterns(patterns);
    vector::populateVectorShapeCastLoweringPatterns(patterns);
    vector::populateVectorInterleaveLoweringPatterns(patterns);
    vector::populateVectorTransferLoweringPatterns(patterns, /*maxTransferRank=*/1);
    vector::populateVectorMaskMaterializationPatterns(patterns, /*force32BitVectorIndices=*/true);
    vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
    vector::populateVectorStepLoweringPatterns(patterns);
    vector::populateVectorRankReducingFMAPattern(patterns);
    vector::populateVectorGatherLoweringPatterns(patterns);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }

  Option<unsigned> indexWidth{*this, "index-bitwidth", llvm::cl::desc("Bits of an index"), llvm::cl::init(64)};
};

} // namespace

void skndRegisterVectorConversion() { PassRegistration<ConvertVectors>(); }
