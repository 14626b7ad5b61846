include "../ops.td"

def PackAttrs : NativeCodeCall<"packAttrs($0, $1)", 2>;
def P : Pattern<(TwoResultOp $x), [(OneResultOp (PackAttrs:$res__0 $x, $x)), (OneResultOp $res__1)]>;
// CHECK: fn pack_attrs<'c: 'a, 'a>(&self, editor: &Editor<'c, 'a>, value_1: Value<'c, 'a>, value_2: Value<'c, 'a>) -> Result<(Value<'c, 'a>, Value<'c, 'a>), Failure>;
def Note : NativeCodeCallVoid<"note($0)">;
def Q : Pattern<(AOp $x, $attr), [(Note $attr), (replaceWithValue $x)]>;
// CHECK: fn note<'c, 'a>(&self, editor: &Editor<'c, 'a>, attribute: Attribute<'c>) -> Result<(), Failure>;
def R : Pat<(ZeroResultOp:$op $x), (NativeCodeCallVoid<"handle($_builder, $0)"> $op)>;
// CHECK: fn handle<'c, 'a>(&self, editor: &Editor<'c, 'a>, operation: OperationRef<'c, 'a>) -> Result<(), Failure>;
