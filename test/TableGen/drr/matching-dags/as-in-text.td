include "../ops.td"

def P : Pat<(COp (BOp), $attr), (BOp)>;
def Q : Pat<(AOp (BOp:$b_result), $attr), (COp $b_result, $attr)>;
