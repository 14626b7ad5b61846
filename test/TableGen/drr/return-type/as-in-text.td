include "../ops.td"

def P : Pat<(PaintOp $arg, $_), (OneResultOp (AOp $arg, ConstantAttr<I32Attr, "1">, (returnType $arg)))>;
def Q : Pat<(DOp $arg0, $arg1), (AOp (TwoResultOp:$res__1 $arg1, (returnType $arg1, "$_builder.getI64Type()")), ConstUnitAttr)>;
// expected-warning@-1:33 {{patterns 'Q' and 'R' undo each other without end: each matches what the other makes}}
def R : Pat<(AOp $x, $attr), (OneResultOp (DOp $x, $x, (returnType (NativeCodeCall<"myFunc($0)"> $x))))>;
// CHECK: fn my_func<'c, 'a>(&self, editor: &Editor<'c, 'a>, value: Value<'c, 'a>) -> Result<Type<'c>, Failure>;
