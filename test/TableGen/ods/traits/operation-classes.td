include "mlir/IR/OpBase.td"
def T_Dialect : Dialect { let name = "t"; let cppNamespace = "::t"; }
def GiveOp : Op<T_Dialect, "give.back", [Terminator, ParentOneOf<["T_LoopOp", "LoopOp", "::mlir::func::FuncOp", "::t::PartOp", "t.x"]>]>;
def T_LoopOp : Op<T_Dialect, "first", [SingleBlockImplicitTerminator<"GiveOp">]> { let regions = (region SizedRegion<1>:$r); }
def T_PartOp : Op<T_Dialect, "second", [HasParent<"::mlir::scf::ForOp">]>;
// expected-warning@-1:5 {{the trait HasParent names '::mlir::scf::ForOp', which nothing defines here: it is taken for 'scf.for'}}
// What stands in the same dialect comes first.
def ModuleOp : Op<T_Dialect, "unit">;
def InnerOp : Op<T_Dialect, "inner", [HasParent<"ModuleOp">]>;
def OuterOp : Op<T_Dialect, "outer", [HasParent<"::mlir::ModuleOp">]>;
// CHECK: parents: &["t.unit"]
// CHECK: parents: &["builtin.module"]
// CHECK: parents: &["t.first", "t.first", "func.func", "t.second", "t.x"]
// CHECK: implicit_terminator: Some("t.give.back")
// CHECK: parents: &["scf.for"]
