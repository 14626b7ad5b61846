include "../ops.td"

def P : Pat<(TwoAttrOp $a, $b), (COp (BOp (returnType "$_builder.getI1Type()")), (NativeCodeCall<"$_builder.getStringAttr(name($0))"> $a))>;
def Q : Pat<(AOp $_, $b), (OneAttrOp (NativeCodeCall<"$0 ? $0 : $1"> $b, (NativeCodeCall<"$0.getType()[1]"> $b)))>;
// expected-warning@-1:74 {{pattern 'Q': what '$0.getType()[1]' returns is not known here; it is taken for an attribute}}
// CHECK: fn p<'c, 'a>(&self, editor: &Editor<'c, 'a>, attribute: Attribute<'c>) -> Result<Attribute<'c>, Failure>;
// CHECK: fn q<'c, 'a>(&self, editor: &Editor<'c, 'a>, attribute: Attribute<'c>) -> Result<Attribute<'c>, Failure>;
// CHECK: fn q_of_attribute_attribute<'c, 'a>(&self, editor: &Editor<'c, 'a>, attribute_1: Attribute<'c>, attribute_2: Attribute<'c>) -> Result<Attribute<'c>, Failure>;

// What is called by a class, or in C++'s way to name functions, is no path of Rust.
def R : Pat<(PaintOp $x, Red), (COp (NativeCodeCall<"ns::makeOne($0)"> $x), (NativeCodeCall<"TypeAttr::get($0.getType())"> $x))>;
// CHECK: fn make_one<'c: 'a, 'a>(&self, editor: &Editor<'c, 'a>, value: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure>;
def S : Pat<(PaintOp $x, Blue), (COp $x, (NativeCodeCall<"IntegerAttr::get($0)"> $x))>;
// CHECK: fn integer_attr_get<'c, 'a>(&self, editor: &Editor<'c, 'a>, value: Value<'c, 'a>) -> Result<Attribute<'c>, Failure>;
