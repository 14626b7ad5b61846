//===- algo.td - Operators of the module `algo` -------------------------===//
//
// Sequential algorithms, which have no formula (specification, section 4.7).
//
// Written by `cargo xtask docs` from stdlib/algo.sknd: changes belong there, traits into Traits.td.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_ALGO_TD
#define SKRIPTND_ALGO_TD

include "Traits.td"

def Algo_TopKOp : SkriptND_Operator<"algo", "top_k"> {
  let summary = "The k largest (or smallest) elements along an axis with their indices; of equal elements the lower index comes first";
  let arguments = (ins
    SkriptND_Num:$input,
    Arg<SkriptND_PositiveInt, "how many">:$k,
    Arg<DefaultValuedAttr<I64Attr, "0">, "searched dimension">:$axis,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "whether the largest elements are taken; else the smallest">:$largest,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "else in the order of the input">:$sorted
  );
  let results = (outs
    SkriptND_Num:$values,
    SkriptND_Int:$indices
  );
}

def Algo_NonmaxSuppressOp : SkriptND_Operator<"algo", "nonmax_suppress"> {
  let summary = "Selects boxes of high score that overlap little, as rows of batch, class and box number";
  let description = [{
    In each batch item and class it goes through the boxes whose score exceeds `score_threshold`, from the highest score
    down, and leaves out those whose intersection with a selected box is more than `iou_threshold` of their union.
    Corners may be any two that are opposite.
  }];
  let arguments = (ins
    Arg<SkriptND_Real, "the corners y, x, y, x; or the center's x, y and the extents along x, y">:$boxes,
    Arg<SkriptND_Real, "by batch item, class and box">:$scores,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["CORNERS", "CENTER"]>, "\"CORNERS\"">, "two corners; 'CENTER': center and extents">:$box_format,
    Arg<DefaultValuedAttr<SkriptND_NonNegativeInt, "n">, "at most so many boxes of a batch item and class">:$max_outputs_per_class,
    Arg<DefaultValuedAttr<F64Attr, "0.0">, "how much of their union two selected boxes may share">:$iou_threshold,
    Arg<OptionalAttr<F64Attr>, "selected boxes score more; without it, all may be selected">:$score_threshold
  );
  let results = (outs Res<SkriptND_Int, "batch item, class, box">:$indices);
}

#endif // SKRIPTND_ALGO_TD
