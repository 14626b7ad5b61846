include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins
  ConfinedAttr<I32Attr, [IntMinValue<10>]>:$min,
  ConfinedAttr<I32Attr, [IntMaxValue<10>]>:$max,
  ConfinedAttr<I64Attr, [IntMinValue<-5>, IntMaxValue<5>]>:$both,
  ConfinedAttr<I64ArrayAttr, [ArrayMinCount<4>]>:$count,
  ConfinedAttr<I64ArrayAttr, [IntArrayNthElemEq<1, 7>]>:$eq,
  ConfinedAttr<I64ArrayAttr, [IntArrayNthElemMinValue<0, 3>]>:$nth,
  ConfinedAttr<I64ArrayAttr, [IntArrayNthElemMaxValue<0, 3>]>:$nmax,
  ConfinedAttr<I64ArrayAttr, [IntArrayNthElemInRange<0, 3, 9>]>:$range,
  ConfinedAttr<I64ArrayAttr, [ArrayCount<2>, ArrayMaxCount<3>]>:$exact,
  ConfinedAttr<I32Attr, [IntPositive]>:$pos, ConfinedAttr<I32Attr, [IntNonNegative]>:$nn,
  ConfinedAttr<I64Attr, [IntPowerOf2]>:$pow, ConfinedAttr<I32Attr, [IntNEQValue<0>]>:$ne,
  ConfinedAttr<DenseI64ArrayAttr, [DenseArrayCount<2>]>:$dense,
  ConfinedAttr<DenseI64ArrayAttr, [DenseArrayStrictlySorted<DenseI64ArrayAttr>]>:$sorted); }
// CHECK: predicate::integer(this) >= 10
// CHECK: predicate::integer(this) >= -5 && predicate::integer(this) <= 5
// CHECK: (predicate::size(this) as u64) >= 4
// CHECK: (predicate::size(this) as u64) > 1 && predicate::integer(predicate::element(this, 1)) == 7
// CHECK: predicate::integer(predicate::element(this, 0)) >= 3
