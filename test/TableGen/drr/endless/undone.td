// Rules that undo each other never come to an end.

include "../ops.td"

def Pack : Pat<(DOp $x, $y), (TwoValueOp $y, $x)>;
// expected-warning@-1:30 {{patterns 'Pack' and 'Unpack' undo each other without end: each matches what the other makes}}
def Unpack : Pat<(TwoValueOp $x, $y), (DOp $x, $y)>;

// By way of a third one, and where it is made inside of something else.
def First : Pat<(OneResultOp $x), (PaintOp $x, Red)>;
// expected-warning@-1:35 {{patterns 'First', 'Second' and 'Third' undo each other without end: each matches what the one before it makes}}
def Second : Pat<(PaintOp $x, Red), (COp $x, ConstantAttr<I64Attr, "1">)>;
def Third : Pat<(COp $x, ConstantAttr<I64Attr, "1">), (PaintOp (OneResultOp $x), Blue)>;

// A constraint may end it, another constant does.
def More : Pat<(TwoAttrOp $a, ConstantAttr<I64Attr, "1">), (OneAttrOp (NativeCodeCall<"pair($0)"> $a)), [(Constraint<CPred<"holds($0)">, "holds"> $a)]>;
def Less : Pat<(OneAttrOp $a), (TwoAttrOp $a, ConstantAttr<I64Attr, "1">)>;
def There : Pat<(ThreeValueOp $x, Red), (FourValueOp $x, Red)>;
def Back : Pat<(FourValueOp $x, Blue), (ThreeValueOp $x, Red)>;

// So does another result.
def Swap : Pat<(AOp (TwoResultOp:$t__1 $x), $a), (AOp (TwoResultOp:$u__0 $x, (returnType $x, $x)), $a)>;
