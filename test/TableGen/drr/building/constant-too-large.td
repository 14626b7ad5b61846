include "../ops.td"

def P : Pat<(ConcatenateOp $xs, $axis), (ConcatenateOp $xs, ConstantAttr<I32Attr, "5000000000">)>;
// expected-error@-1:61 {{pattern 'P': 5000000000 is not a value of 'I32Attr'}}
// UPSTREAM: takes, the C++ cuts the number
