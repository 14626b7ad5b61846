include "../ops.td"

def P : Pat<(DOp (either $firstArg, (AOp $secondArg, $_))), (DOp $firstArg, $secondArg)>;
