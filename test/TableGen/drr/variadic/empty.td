include "../ops.td"

def P : Pat<(ConcatenateOp (variadic), $axis), (BOp)>;
