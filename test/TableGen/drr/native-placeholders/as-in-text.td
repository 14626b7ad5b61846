include "../ops.td"

def TernaryOp : TOp<"ternary"> { let arguments = (ins AnyType:$a, AnyType:$b, AnyAttr:$c); let results = (outs AnyType:$r); }
def SomeCall : NativeCodeCall<"someFn($1, $2, $0)">;
def P : Pat<(TernaryOp $in0, $in1, $in2), (SomeCall $in0, $in1, $in2)>;
// CHECK: fn some_fn<'c: 'a, 'a>(&self, editor: &Editor<'c, 'a>, value_1: Value<'c, 'a>, attribute: Attribute<'c>, value_2: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure>;
def Rest : NativeCodeCall<"rest($_loc, $1...)">;
def Q : Pat<(TernaryOp (OneResultOp:$o $in0), $in1, $in2), (Rest $in0, $in1, $in2, (location $o))>;
// CHECK: fn rest<'c: 'a, 'a>(&self, editor: &Editor<'c, 'a>, location: Location<'c>, value: Value<'c, 'a>, attribute: Attribute<'c>) -> Result<Value<'c, 'a>, Failure>;
