include "../ops.td"

def P : Pat<(DOp (NativeCodeCall<"success(f($0))"> $v), $x), (DOp $v, $x), [(HasNoUseOf:$x)]>;
// expected-error@-1:18 {{pattern 'P': 'success(f($0))' is not given '$_self', the operation that it is asked of}}
def Q : Pat<(AOp $x, (NativeCodeCall<"g(&$0)"> I32Attr:$n)), (COp $x, $n)>;
// expected-error@-1:22 {{pattern 'Q': 'g(&$0)' is not given '$_self', the operation that it is asked of}}
