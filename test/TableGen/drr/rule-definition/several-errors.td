include "../ops.td"

def P : Pat<(AOp $input, I32:$attr), (COp $inptu, $atr)>;
// expected-error@-1:26 {{pattern 'P': 'I32' is not an attribute constraint, which an attribute needs}}
def Q : Pat<(DOp $x, (OneResultOp $x, $y)), (OneResultOp $z)>;
// expected-error@-1:39 {{pattern 'Q': operation 't.one_result' has 1 arguments, the pattern gives 2}}
