include "../ops.td"

def P : Pat<(OptionsOp (BOp), $bias, (variadic $x), $count, $_, $_), (OneResultOp $x),
  [(Constraint<CPred<"$0 == nullptr">> $count), (Constraint<CPred<"!$0">> $bias)]>;
def Q : Pat<(OptionsOp $x, $bias, (variadic), $count, $_, $_), (DOp $x, $x),
  [(Constraint<CPred<"cast<IntegerAttr>($0).getInt() == 1">> $count), (Constraint<CPred<"$0 && $0.getType() == $1.getType()">> $bias, $x)]>;
def R : Pat<(OptionsOp $x, $bias, (variadic $_, $_), IsNullAttr, $_, $_), (AOp $x, ConstantAttr<I32Attr, "0">),
  [(Constraint<CPred<"$0.getType() == $1.getType()">> $bias, $x)]>;
