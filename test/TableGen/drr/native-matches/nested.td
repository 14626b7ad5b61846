include "../ops.td"

def P : Pat<(DOp (NativeCodeCall<"f($_self, &$0)"> (OneResultOp $y)), $x), (replaceWithValue $x)>;
// expected-error@-1:52 {{pattern 'P': '(OneResultOp ?:$y)' is no constraint on what 'f($_self, &$0)' tells}}
