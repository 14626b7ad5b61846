include "../ops.td"

def createArrayAttr : NativeCodeCall<"createArrayAttr($_builder, $0, $1)">;
def P : Pat<(TwoAttrOp $attr1, $attr2), (OneAttrOp (createArrayAttr $attr1, $attr2))>;
// CHECK: fn create_array_attr<'c, 'a>(&self, editor: &Editor<'c, 'a>, attribute_1: Attribute<'c>, attribute_2: Attribute<'c>) -> Result<Attribute<'c>, Failure>;
def createMyOp : NativeCodeCall<"createMyOp($_builder, $0, $1)">;
def Q : Pat<(AOp $input, $attr), (createMyOp $input, $attr)>;
// CHECK: fn create_my_op<'c: 'a, 'a>(&self, editor: &Editor<'c, 'a>, value: Value<'c, 'a>, attribute: Attribute<'c>) -> Result<Value<'c, 'a>, Failure>;
