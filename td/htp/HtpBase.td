//===- HtpBase.td - The htp dialect: base classes ---------------------------===//

#ifndef HTP_BASE_TD
#define HTP_BASE_TD

include "mlir/IR/OpBase.td"
include "rust/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Htp_Dialect : Dialect {
  let name = "htp";
  let summary = "Graphs as the Hexagon tensor processor's framework has them";
  let description = [{
    An op of package `q` named `Relu` is `htp.q.Relu`; ops of the framework itself begin with `$`. Ops have no
    attributes but the elements of constants: what parameterizes an op is an operand, so that optimization rules can
    see it. Images have their channels last. Element types are `f32`, `f16`, `i32`, `i64` and `!quant.uniform` with
    storage `u4`, `i4`, `u8`, `i8`, `u16`, `i16` or `i32`, those with sign also with a range from the negative of the largest
    value on (`i8<-127:127>`), with one step and zero or with those of each index along a dimension. What an op computes from
    quantized numbers or from halves is defined by the numbers that they stand for: it is rounded once, to the type of its
    result.

    Rules see the tags that the framework has: values of 4 bits are stored in 8, so theirs are `QInt8` and `QUInt8`.
    `STEPSIZE_OF` and `ZERO_OFFSET_OF` are undefined, and what they stand in is not applied, where channels have several steps
    or zeros. `SAME_ENCODING` compares all that a type says.

    Rule files may name ops of any package. Ops that are not declared here are accepted as well, and are free of side
    effects as all ops are.
  }];
  let cppNamespace = "::skriptnd::htp";

  // What packages register of an op, and what `place-htp-tensors` has taken of it.
  let discardableAttrs = (ins
    Arg<ArrayAttr, "the functions that compute an op, and how its tensors lie for each: `#htp.variant`">:$variants,
    Arg<AnyAttr, "the one of these that was taken">:$taken
  );
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

def Htp_Layout : I32Enum<"Layout", "how elements lie in memory", [
    I32EnumCase<"Any", 0, "any">, I32EnumCase<"Flat", 1, "flat">, I32EnumCase<"Crouton", 2, "crouton">]> {
  let cppNamespace = "::skriptnd::htp";
}

def Htp_Place : I32Enum<"Place", "the memory of a tensor", [
    I32EnumCase<"Any", 0, "any">, I32EnumCase<"Main", 1, "main">, I32EnumCase<"Tcm", 2, "tcm">]> {
  let cppNamespace = "::skriptnd::htp";
}

def Htp_FormatAttr : AttrDef<Htp_Dialect, "Format"> {
  let mnemonic = "format";
  let summary = "how a tensor lies, and where";
  let description = [{
    Flat tensors lie element by element, croutons are tiles of 2048 bytes. Main memory is outside of the processor, VTCM (`tcm`) beside it.

    ```mlir
    #htp.format<crouton in tcm>
    ```
  }];
  let parameters = (ins EnumParameter<Htp_Layout>:$layout, EnumParameter<Htp_Place>:$place);
  let assemblyFormat = "`<` $layout `in` $place `>`";
}

def Htp_VariantAttr : AttrDef<Htp_Dialect, "Variant"> {
  let mnemonic = "variant";
  let summary = "a function that computes an op";
  let description = [{
    What it costs in the word of its registration, what it uses, and the format of the result and of each operand.

    ```mlir
    #htp.variant<"relu<QUint8CroutonTensor_TCM>", "FAST" uses["RESOURCE_HVX"], [<crouton in tcm>, <crouton in tcm>]>
    ```
  }];
  let parameters = (ins StringRefParameter<"the function; empty where none is registered">:$function,
                        StringRefParameter<"the word for its costs">:$cost,
                        OptionalArrayRefParameter<"::mlir::StringAttr", "what it uses">:$flags,
                        ArrayRefParameter<"::skriptnd::htp::FormatAttr", "how tensors lie">:$tensors);
  let assemblyFormat = "`<` $function `,` $cost (`uses` `[` $flags^ `]`)? `,` `[` $tensors `]` `>`";
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

def Htp_Tensor : RankedTensorOf<[AnyType], [], "tensor">;
def Htp_Ints : RankedTensorOf<[I32], [], "parameter">;

def Htp_AllChannels : PredOpTrait<
  "tensors have a quantization for each of their channels, where some have",
  RustPred<"crate::dialect::encoding::have_their_channels($_op)">>;

class Htp_Op<string mnemonic, list<Trait> traits = []>
    : Op<Htp_Dialect, mnemonic, !listconcat([Pure, Htp_AllChannels], traits)> {
  let results = (outs Htp_Tensor:$output);
  let assemblyFormat = "`(` operands `)` attr-dict `:` functional-type(operands, results)";
}

#endif // HTP_BASE_TD
