include "../ops.td"

def P : Pattern<(ThreeResultOp:$results $x), [(OneResultOp $x), (OneResultOp $x), (OneResultOp $x)], [(HasNoUseOf:$results__0)]>;
def Q : Pattern<(ThreeResultOp (OneResultOp $x)), [(TwoResultOp $x), (OneResultOp $x)]>;
def R : Pat<(ThreeResultOp (BOp:$b)), (ThreeResultOp (OneResultOp $b))>;
def S : Pattern<(TwoResultOp $x), [(ThreeResultOp:$results__2 $x, (returnType $x, $x, $x)), (replaceWithValue $results__0)]>;
def U : Pat<(AOp (TwoResultOp:$two__1 $x), $attr), (DOp $two__0, $two__1)>;
// UPSTREAM: refuses names with an index, although the text has them
