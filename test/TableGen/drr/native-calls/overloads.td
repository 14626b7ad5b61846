include "../ops.td"

def F : NativeCodeCall<"f($0)">;
def P : Pat<(AOp $x, $attr), (COp (F $x), (F $attr))>;
def Q : Pat<(AOp (OneResultOp $x), $attr), (COp (F (F $x)), (F (F $attr)))>;
// CHECK: fn f<'c: 'a, 'a>(&self, editor: &Editor<'c, 'a>, value: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure>;
// CHECK: fn f_of_attribute<'c, 'a>(&self, editor: &Editor<'c, 'a>, attribute: Attribute<'c>) -> Result<Attribute<'c>, Failure>;
