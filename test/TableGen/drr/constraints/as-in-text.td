include "../ops.td"

def HasNoUse : Constraint<CPred<"$_self.use_empty()">, "has no use">;
def HasSameElementType : Constraint<CPred<"$0.getType().cast<ShapedType>().getElementType() == $1.getType().cast<ShapedType>().getElementType()">, "has same element type">;
def P : Pattern<(TwoResultOp:$results $input), [(OneResultOp $input), (OneResultOp $input)],
  [(F32Tensor:$results__0), (HasNoUse:$results__1), (HasSameElementType $results__0, $input)]>;
// UPSTREAM: refuses, although the text has it
