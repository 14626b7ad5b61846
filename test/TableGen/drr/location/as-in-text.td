include "../ops.td"

def P : Pat<(OneResultOp:$src1 (OneResultOp:$src2 $x)), (OneResultOp (COp $x, ConstUnitAttr, (location $src2)), (location "outer"))>;
def Q : Pat<(DOp:$a (BOp:$b), $y), (DOp $y, $b, (location $a, $b))>;
def R : Pat<(DOp:$a (OneResultOp:$b $x), $y), (DOp $y, $x, (location "fused", $a, $b))>;
