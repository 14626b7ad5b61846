//===- HtpBase.td - The htp dialect: base classes ---------------------------===//

#ifndef HTP_BASE_TD
#define HTP_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Htp_Dialect : Dialect {
  let name = "htp";
  let summary = "Graphs as the Hexagon tensor processor's framework has them";
  let description = [{
    An op of package `q` named `Relu` is `htp.q.Relu`; ops of the framework itself begin with `$`. Ops have no
    attributes but the elements of constants: what parameterizes an op is an operand, so that optimization rules can
    see it. Images have their channels last. Element types are `f32`, `f16`, `i32`, `i64` and `!quant.uniform` with
    storage `u8`, `i8`, `u16`, `i16` or `i32`. What an op computes from quantized numbers or from halves is defined by the
    numbers that they stand for: it is rounded once, to the type of its result.

    Rule files may name ops of any package. Ops that are not declared here are accepted as well, and are free of side
    effects as all ops are.
  }];
  let cppNamespace = "::skriptnd::htp";
}

def Htp_Tensor : RankedTensorOf<[AnyType], [], "tensor">;
def Htp_Ints : RankedTensorOf<[I32], [], "parameter">;

class Htp_Op<string mnemonic, list<Trait> traits = []>
    : Op<Htp_Dialect, mnemonic, !listconcat([Pure], traits)> {
  let results = (outs Htp_Tensor:$output);
  let assemblyFormat = "`(` operands `)` attr-dict `:` functional-type(operands, results)";
}

#endif // HTP_BASE_TD
