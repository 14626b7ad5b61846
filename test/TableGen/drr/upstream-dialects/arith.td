// Rules on MLIR's own operations: constants that calls tell, types of attributes, constraints without names.
include "mlir/IR/PatternBase.td"
include "mlir/Dialect/Arith/IR/ArithOps.td"

defvar Wrapping = ConstantEnumCase<Arith_IntegerOverflowAttr, "none">;
def Sum : NativeCodeCall<"sumOf($_builder, $0, $1, $2)">;
def Either : NativeCodeCall<"eitherOf($0, $1)">;
class As<string type> : NativeCodeCall<"::mlir::cast<" # type # ">($0)">;
def AllOnes : Constraint<And<[CPred<"succeeded(numberOf($0))">, CPred<"numberOf($0)->isAllOnes()">]>>;

def AddTwice : Pat<
  (Arith_AddIOp:$all (Arith_AddIOp $x, (ConstantLikeMatcher APIntAttr:$inner), $flags), (ConstantLikeMatcher APIntAttr:$outer), $others),
  (Arith_AddIOp $x, (Arith_ConstantOp (Sum $all, $inner, $outer)), (Either $flags, $others)),
  [(Constraint<CPred<"$0.getType() == cast<IntegerAttr>($1).getType()">> $all, $inner)]>;
def AddNegated : Pat<
  (Arith_AddIOp $x, (Arith_MulIOp $y, (ConstantLikeMatcher AnyAttr:$number), $_), $_), (Arith_SubIOp $x, $y, Wrapping), [(AllOnes $number)],
  [], (addBenefit 1)>;
def Extended : Pattern<(Arith_AddUIExtendedOp:$sum $x, $y), [(Arith_AddIOp $x, $y, Wrapping), (replaceWithValue $x)],
  [(Constraint<CPred<"$0.getUses().empty()">> $sum__1)]>;
def Opposite : NativeCodeCall<"oppositeOf($0)">;
def NotCompared : Pat<(Arith_XOrIOp (Arith_CmpIOp $how, $a, $b), (ConstantLikeMatcher ConstantAttr<I1Attr, "1">)),
                      (Arith_CmpIOp (Opposite $how), $a, $b)>;
def Compared : Pat<(Arith_CmpIOp $how, (Arith_ExtSIOp $a), (Arith_ExtSIOp $b)), (Arith_CmpIOp $how, $a, $b),
  [(Constraint<CPred<"$0.getType() == $1.getType()">> $a, $b),
   (Constraint<CPred<"$0.getValue() == arith::CmpIPredicate::eq">> $how)]>;
// CHECK: fn compared_holds<'c>(&self, attribute: Attribute<'c>) -> bool;
def High : Pattern<(Arith_MulSIExtendedOp $x, (ConstantLikeMatcher AnyAttr:$one)),
  [(replaceWithValue $x),
   (Arith_ExtSIOp (Arith_CmpIOp ConstantEnumCase<Arith_CmpIPredicateAttr, "slt">, $x, (Arith_ConstantOp (As<"TypedAttr"> $one))))],
  [(AllOnes $one)]>;
def Rounded : Pat<(Arith_TruncFOp (Arith_SIToFPOp $x), $rounding, $_), (Arith_SIToFPOp $x),
  [(Constraint<CPred<"$0 == nullptr">, "default rounding"> $rounding)]>;
def SwappedSelect : Pat<(SelectOp $c, (ConstantLikeMatcher ConstantAttr<I1Attr, "0">), (ConstantLikeMatcher ConstantAttr<I1Attr, "1">)),
                        (Arith_XOrIOp $c, (Arith_ConstantOp ConstantAttr<I1Attr, "1">))>;
