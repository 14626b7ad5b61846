include "../ops.td"

def P : Pat<(OneResultOp:$r $x), (replaceWithValue $r)>;
// expected-error@-1:52 {{pattern 'P': the result of the root 't.one_result' is replaced by itself; such a rule would apply to what it leaves again and again}}
// UPSTREAM: takes, the rule applies again and again
