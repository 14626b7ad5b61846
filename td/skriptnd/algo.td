//===- algo.td - Operators of the module `algo` -------------------------===//
//
// Sequential algorithms, which have no formula (specification, section 4.7).
// Their definitions in SkriptND are in stdlib/algo.sknd; a test holds both together.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_ALGO_TD
#define SKRIPTND_ALGO_TD

include "SkriptNDBase.td"

class Algo_Operator<string mnemonic, list<Trait> traits = []>
    : SkriptND_Operator<"algo", mnemonic, traits>;

def Algo_TopKOp : Algo_Operator<"top_k", [Pure]> {
  let summary = "The k largest (or smallest) elements along an axis with their indices; of equal elements the lower index comes first";
  let arguments = (ins
    SkriptND_Real:$input,
    I64Attr:$k,
    DefaultValuedAttr<I64Attr, "0">:$axis,
    DefaultValuedAttr<BoolAttr, "true">:$largest,
    DefaultValuedAttr<BoolAttr, "true">:$sorted
  );
  let results = (outs SkriptND_Real:$values, SkriptND_Int:$indices);
}

def Algo_NonmaxSuppressOp : Algo_Operator<"nonmax_suppress", [Pure]> {
  let summary = "Boxes of high score that overlap little, as rows of batch, class and box number";
  let arguments = (ins
    SkriptND_Real:$boxes,
    SkriptND_Real:$scores,
    DefaultValuedAttr<SkriptND_OneOf<["CORNERS", "CENTER"]>, "'CORNERS'">:$box_format,
    DefaultValuedAttr<I64Attr, "n">:$max_outputs_per_class,
    DefaultValuedAttr<F64Attr, "0.0">:$iou_threshold,
    OptionalAttr<F64Attr>:$score_threshold
  );
  let results = (outs SkriptND_Int:$indices);
}

#endif // SKRIPTND_ALGO_TD
