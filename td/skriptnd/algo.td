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
    SkriptND_Num:$input,
    I64Attr:$k,
    DefaultValuedAttr<I64Attr, "0">:$axis,
    DefaultValuedAttr<BoolAttr, "true">:$largest,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "else in the order of the input">:$sorted
  );
  let results = (outs SkriptND_Num:$values, SkriptND_Int:$indices);
}

def Algo_NonmaxSuppressOp : Algo_Operator<"nonmax_suppress", [Pure]> {
  let summary = "Selects boxes of high score that overlap little, as rows of batch, class and box number";
  let description = [{
    In each batch item and class it goes through the boxes whose score exceeds `score_threshold`, from the highest
    score down, and leaves out those whose intersection with a selected box is more than `iou_threshold` of their
    union. Corners may be any two that are opposite.
  }];
  let arguments = (ins
    SkriptND_Real:$boxes,
    SkriptND_Real:$scores,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["CORNERS", "CENTER"]>, "'CORNERS'">, "two corners; 'CENTER': center and extents">:$box_format,
    DefaultValuedAttr<I64Attr, "n">:$max_outputs_per_class,
    DefaultValuedAttr<F64Attr, "0.0">:$iou_threshold,
    OptionalAttr<F64Attr>:$score_threshold
  );
  let results = (outs SkriptND_Int:$indices);
}

#endif // SKRIPTND_ALGO_TD
