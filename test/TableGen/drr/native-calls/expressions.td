include "../ops.td"

def P : Pat<(TwoAttrOp $a, $b), (COp (BOp (returnType "$_builder.getI1Type()")), (NativeCodeCall<"$_builder.getStringAttr(name($0))"> $a))>;
def Q : Pat<(AOp $_, $b), (OneAttrOp (NativeCodeCall<"$0 ? $0 : $1"> $b, (NativeCodeCall<"$0.getType()[1]"> $b)))>;
// expected-warning@-1:74 {{pattern 'Q': what '$0.getType()[1]' returns is not known here; it is taken for an attribute}}
// CHECK: fn p<'c, 'a>(&self, editor: &Editor<'c, 'a>, attribute: Attribute<'c>) -> Result<Attribute<'c>, Failure>;
// CHECK: fn q<'c, 'a>(&self, editor: &Editor<'c, 'a>, attribute: Attribute<'c>) -> Result<Attribute<'c>, Failure>;
// CHECK: fn q_of_attribute_attribute<'c, 'a>(&self, editor: &Editor<'c, 'a>, attribute_1: Attribute<'c>, attribute_2: Attribute<'c>) -> Result<Attribute<'c>, Failure>;
