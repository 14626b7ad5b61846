include "../ops.td"

def P : Pat<(OneAttrOp (NativeCodeCall<"Foo($_self, &$0)"> I32Attr:$val)), (TwoAttrOp $val, $val)>;
// CHECK: fn foo<'c, 'a>(&self, operation: OperationRef<'c, 'a>) -> Option<Attribute<'c>>;
def Q : Pat<(DOp (NativeCodeCall<"::mlir::success(bar($_self, &$0, &$1))"> $v, AnyAttr:$a), $y), (COp $v, $a)>;
// CHECK: fn q<'c: 'a, 'a>(&self, operation: OperationRef<'c, 'a>) -> Option<(Value<'c, 'a>, Attribute<'c>)>;
