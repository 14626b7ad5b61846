include "../ops.td"

def P : Pat<(DOp (OneResultOp:$r $x), $r), (DOp $x, $r)>;
// UPSTREAM: refuses names of operations among operands
