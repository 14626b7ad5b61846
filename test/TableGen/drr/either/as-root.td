include "../ops.td"

def P : Pat<(either (BOp), (BOp)), (BOp)>;
// expected-error@-1:13 {{pattern 'P': 'either' cannot be matched: it is not an operation}}
