include "../ops.td"

def StoreOp : TOp<"store"> { let arguments = (ins AnyType:$memory, AnyType:$value); }
def LoadOp : TOp<"load"> { let arguments = (ins AnyType:$memory); let results = (outs AnyType:$value); }
def P : Pattern<(DOp $lhs, $rhs), [(StoreOp (OneResultOp:$mem (OneResultOp $lhs)), $rhs), (LoadOp $mem)]>;
