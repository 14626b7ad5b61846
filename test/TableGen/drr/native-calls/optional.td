include "../ops.td"

def F : NativeCodeCall<"f($0, $1, $2, $3)">;
def P : Pat<(OptionsOp $x, $bias, $rest, $count, $times, $exact), (F $bias, $rest, $count, $times),
  [(Constraint<CPred<"odd($0, $1)">> $bias, $exact)]>;
// CHECK: fn p_holds<'c, 'a>(&self, value: Option<Value<'c, 'a>>, attribute: Option<Attribute<'c>>) -> bool;
// CHECK: fn f<'c: 'a, 'a>(&self, editor: &Editor<'c, 'a>, value: Option<Value<'c, 'a>>, values: &[Value<'c, 'a>], attribute_1: Option<Attribute<'c>>, attribute_2: Attribute<'c>) -> Result<Value<'c, 'a>, Failure>;
