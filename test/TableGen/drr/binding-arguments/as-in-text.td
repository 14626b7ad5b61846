include "../ops.td"

def P : Pat<(AOp $input, F32Attr:$attr), (COp $input, $attr)>;
def Q : Pat<(COp $_, $b), (ConstantOp $b)>;
def R : Pat<(AOp (BOp:$a), F32Attr), (replaceWithValue $a)>;
def S : Pat<(DOp $x, $x), (OneResultOp $x)>;
def U : Pat<(COp I32:$x, ConfinedAttr<I64Attr, [IntPositive]>:$n), (COp (OneResultOp $x), $n), [], [], (addBenefit 1)>;
