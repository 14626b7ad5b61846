include "../ops.td"

def P : Pat<(AOp $input, $attr), (COp (BuiltOp $input, $attr, ConstantAttr<I64Attr, "1">), $attr)>;
def Q : Pat<(AOp (OneResultOp $input), $attr), (COp (BuiltOp $input, $attr, ConstantAttr<I64Attr, "2">), $attr)>;
def R : Pat<(OptionsOp $x, $_, $_, $count, $times, $_), (BuiltOp (BuiltOp $x, $times, $count), $times, $count)>;
def S : Pat<(VStackOp $xs), (OneResultOp (BuiltPairOp:$r__1 $xs))>;
// CHECK: fn built_types<'c, 'a>(&self, editor: &Editor<'c, 'a>, value: Value<'c, 'a>, attribute_1: Attribute<'c>, attribute_2: Option<Attribute<'c>>) -> Result<Type<'c>, Failure>;
// CHECK: fn built_pair_types<'c, 'a>(&self, editor: &Editor<'c, 'a>, values: &[Value<'c, 'a>]) -> Result<Vec<Type<'c>>, Failure>;
