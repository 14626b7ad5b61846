include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyAttr : Attr<CPred<"$_self.isa<IntegerAttr>()">, "my attribute"> {
  let storageType = [{ ::mlir::IntegerAttr }];
  let returnType = [{ int64_t }];
  let convertFromStorage = "$_self.getInt()";
  let constBuilderCall = "$_builder.getI64IntegerAttr($0)";
}
def A : Op<T, "a"> { let arguments = (ins MyAttr:$n, OptionalAttr<MyAttr>:$o, DefaultValuedAttr<MyAttr, "4">:$d); }
// CHECK: pub fn n(self) -> Result<Attribute<'c>, Failure>
