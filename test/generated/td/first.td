include "Interfaces.td"

def First : Dialect {
  let name = "first";
  let cppNamespace = "::first";
}

// It overrides one default method.
def First_BoxOp : Op<First, "box", [DeclareOpInterfaceMethods<Sized, ["getTwice"]>, DeclareOpInterfaceMethods<Described>]> {
  let arguments = (ins Variadic<AnyType>:$items);
}

def First_PlainOp : Op<First, "plain">;

def Glorious : NativeOpTrait<"Glorious">;
class AtMost<int count> : ParamNativeOpTrait<"AtMost", !cast<string>(count)>;
def FewOperands : PredOpTrait<"there are few operands", CPred<"$_op.getNumOperands() < 3">>;
def Traits : TraitList<[Glorious, AtMost<1>, FewOperands]>;

def First_TraitOp : Op<First, "traits", [Traits]> {
  let arguments = (ins Variadic<AnyType>:$items);
}
