include "../ops.td"

def P : Pat<(OneResultOp $input), (replaceWithValue $input)>;
