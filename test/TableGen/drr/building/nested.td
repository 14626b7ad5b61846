include "../ops.td"

def P : Pat<(OneResultOp $x), (DOp (OneResultOp:$y (OneResultOp $x)), $y), [(HasNoUseOf:$x)]>;
