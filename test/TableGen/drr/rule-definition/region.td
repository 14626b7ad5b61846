include "../ops.td"

def P : Pat<(OneResultOp $x), (BodyOp $x)>;
// expected-error@-1:31 {{pattern 'P': operation 't.body' has regions, which no pattern can make}}
// UPSTREAM: takes, the operation is invalid
