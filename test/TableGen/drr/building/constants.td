include "../ops.td"

def P : Pat<(TwoAttrOp ConstantAttr<I32Attr, "-1">, ConstBoolAttrTrue), (TwoAttrOp ConstantStrAttr<StrAttr, "a b">, ConstantAttr<I64ArrayAttr, "{1, 2}">)>;
def Q : Pat<(PaintOp $x, Red), (PaintOp $x, Blue)>;
def R : Pat<(PaintOp (OneResultOp $x), ConstantEnumCase<Color, "Blue">), (PaintOp $x, ConstantEnumCase<Color, "Red">)>;
def S : Pat<(NumberOp $x, ConstantProp<I64Prop, "3">), (NumberOp $x, 4)>;
// UPSTREAM: refuses, properties are not made of numbers
