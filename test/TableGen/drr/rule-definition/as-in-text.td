include "../ops.td"

def P : Pat<(AOp $input, $attr), (COp $input, $attr)>;
def Q : Pattern<(OneResultOp $x), [(DOp $x, $x)]>;
