// A builder that deduces types is asked in one way, whether or not what is optional is there.

include "../ops.td"

def P : Pat<(AOp $input, $attr), (COp (BuiltOp $input, $attr, ?), $attr)>;
def Q : Pat<(TwoValueOp $x, $y), (COp (BuiltOp $x, ConstantAttr<I64Attr, "1">, ConstantAttr<I64Attr, "2">), ConstantAttr<I64Attr, "1">)>;
def R : Pat<(OptionsOp $x, $_, $_, $count, $_, $_), (COp (BuiltOp $x, ConstantAttr<I64Attr, "1">, $count), ConstantAttr<I64Attr, "1">)>;
// CHECK: fn built_types<'c, 'a>(&self, editor: &Editor<'c, 'a>, value: Value<'c, 'a>, attribute_1: Attribute<'c>, attribute_2: Option<Attribute<'c>>) -> Result<Type<'c>, Failure>;
// CHECK: let p2: Option<Attribute<'_>> = None;
// UPSTREAM: refuses, it has no '?'
