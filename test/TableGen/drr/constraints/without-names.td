include "../ops.td"

def P : Pat<(DOp:$r $x, $y), (OneResultOp $x), [(Constraint<CPred<"$0.getType() == $1.getType()">> $x, $y),
  (Constraint<CPred<"isFancy($0, $1)">> $r, $x), (Constraint<CPred<"isOther($0, $1)">> $r, $x)]>;
// CHECK: fn p_holds<'c, 'a>(&self, value_1: Value<'c, 'a>, value_2: Value<'c, 'a>) -> bool;
// CHECK: fn p_holds_2<'c, 'a>(&self, value_1: Value<'c, 'a>, value_2: Value<'c, 'a>) -> bool;
