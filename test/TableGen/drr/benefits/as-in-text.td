include "../ops.td"

def P : Pat<(AOp $x, $attr), (COp $x, $attr), [], [], (addBenefit 10)>;
def Q : Pat<(AOp (OneResultOp $x), $attr), (replaceWithValue $x), [], [], (addBenefit 20)>;
