include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins AnyAttr:$a, BoolAttr:$b, IndexAttr:$c, I1Attr:$d, SI32Attr:$e, UI8Attr:$f, F64Attr:$g, StrAttr:$h, SymbolNameAttr:$i, TypeAttr:$j, UnitAttr:$k, DictionaryAttr:$l, ElementsAttr:$m, ArrayAttr:$n, StrArrayAttr:$o, SymbolRefAttr:$p, FlatSymbolRefAttr:$q, TypeArrayAttr:$r, TypeAttrOf<I32>:$s, AffineMapAttr:$t, DenseI32ArrayAttr:$u, DenseBoolArrayAttr:$v, TypedArrayAttrBase<I32Attr, "list">:$w, I64ElementsAttr:$x, APIntAttr:$y, SymbolRefArrayAttr:$z, AnyAttrOf<[I32Attr, StrAttr]>:$aa); }
