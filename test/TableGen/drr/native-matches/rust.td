include "../ops.td"

def P : Pat<(DOp (NativeCodeCall<"crate::told($_self, &$0)"> I32Attr:$n), $x), (COp $x, $n)>;
