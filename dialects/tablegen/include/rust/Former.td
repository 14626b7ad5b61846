//===- Former.td - What MLIR's OpBase.td once had --------------*- tablegen -*-===//
//
// Files in the spellings of the text on early operation definitions are read with it.
//
//===----------------------------------------------------------------------===//

#ifndef RUST_FORMER
#define RUST_FORMER

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

// Traits of an operation by the names of their C++ classes, beside those in the list of `Op`.
class Traits<list<string> names> {
  list<Trait> namedTraits = !foreach(name, names, NativeOpTrait<name>);
}

// A case of an enumeration that is stored as a string.
class StrEnumAttrCase<string sym, int val = -1, string str = sym> :
    EnumCase<sym, val, str, 64>,
    StringBasedAttr<CPred<"::llvm::cast<::mlir::StringAttr>($_self).getValue() == \"" # str # "\"">, "case " # str>;

// An enumeration that is stored as a string, which is the text of a case.
class StrEnumAttr<string name, string about, list<StrEnumAttrCase> cases> :
    EnumInfo<name, about, cases, 64>,
    StringBasedAttr<And<[StrAttrPred, Or<!foreach(case, cases, case.predicate)>]>,
                    !if(!empty(about), "allowed string cases: " # !interleave(!foreach(case, cases, case.str), ", "), about)>;

#endif // RUST_FORMER
