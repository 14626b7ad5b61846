include "../ops.td"

def P : Pat<(DOp (NativeCodeCall<"f($_self)">:$n), $x), (replaceWithValue $x)>;
// expected-error@-1:18 {{pattern 'P': the native call cannot be named '$n': it names what it tells in its arguments}}
