include "../ops.td"

def GetOwner : NativeCodeCall<"$0.getOwner()">;
def CopyAttrFoo : NativeCodeCallVoid<"$1->setAttr($_builder.getStringAttr(\"foo\"), $0->getInherentAttr(\"foo\"))">;
def CopyAttrBar : NativeCodeCallVoid<"$1->setAttr($_builder.getStringAttr(\"bar\"), $0->getInherentAttr(\"bar\"))">;
def P : Pattern<(TwoResultOp:$src $x), [(ZeroResultOp:$dest1 $x), (ThreeResultOp:$dest2__0 $x, (returnType $x, $x, $x)), (replaceWithValue $dest2__1)], [],
  [(CopyAttrFoo (GetOwner $src), $dest1), (CopyAttrBar (GetOwner $src), (GetOwner $dest2__0))]>;
// CHECK: fn copy_attr_foo<'c, 'a>(&self, editor: &Editor<'c, 'a>, operation_1: OperationRef<'c, 'a>, operation_2: OperationRef<'c, 'a>) -> Result<(), Failure>;
// UPSTREAM: refuses names with an index
