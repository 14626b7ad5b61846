// An attribute on which the types of what is made depend has its default value where what is matched has none.

include "../ops.td"

def InferOp : TOp<"infer", [DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let arguments = (ins AnyType:$x, DefaultValuedAttr<I64Attr, "3">:$times); let results = (outs AnyType:$y);
}
def P : Pat<(OptionsOp $x, $_, $_, $_, $times, $_), (OneResultOp (InferOp $x, $times))>;
// CHECK: %times = pdl.apply_native_rewrite "drr.default"(%options, %times_name, %constant : !pdl.operation, !pdl.attribute, !pdl.attribute) : !pdl.attribute
// CHECK: %infer = pdl.operation "t.infer"(%x : !pdl.value) {"times" = %times}
