include "../ops.td"

def P : Pat<(NativeCodeCall<"f($_self)">), (BOp)>;
// expected-error@-1:13 {{pattern 'P': a native call cannot be the root: it is asked of what defines an operand}}
