//===- kinds.td - Types, attributes and enumerations of every kind --------===//

include "mlir/IR/OpBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Kinds_Dialect : Dialect {
  let name = "kinds";
  let cppNamespace = "::kinds";
}

class Kinds_Type<string name, string word> : TypeDef<Kinds_Dialect, name> { let mnemonic = word; }
class Kinds_Attr<string name, string word> : AttrDef<Kinds_Dialect, name> { let mnemonic = word; }

def Kinds_Color : I32EnumAttr<"Color", "a color", [
    I32EnumAttrCase<"Red", 0, "red">, I32EnumAttrCase<"Green", 5, "green">]> {
  let cppNamespace = "::kinds";
  let genSpecializedAttr = 0;
}
def Kinds_ColorAttr : EnumAttr<Kinds_Dialect, Kinds_Color, "color"> {
  let assemblyFormat = "`<` $value `>`";
}

def Kinds_Plain : I64Enum<"Plain", "without attribute", [I64EnumCase<"One", 1, "one">, I64EnumCase<"Two", 2, "two">]> {
  let cppNamespace = "::kinds";
}

def Kinds_None : I32BitEnumCaseNone<"None", "none">;
def Kinds_Fast : I32BitEnumCaseBit<"Fast", 0, "fast">;
def Kinds_Wide : I32BitEnumCaseBit<"Wide", 1, "wide">;
def Kinds_Deep : I32BitEnumCaseBit<"Deep", 2, "deep">;
def Kinds_All : BitEnumCaseGroup<"All", [Kinds_Fast, Kinds_Wide, Kinds_Deep], "all">;
def Kinds_Flags : I32BitEnum<"Flags", "flags", [Kinds_None, Kinds_Fast, Kinds_Wide, Kinds_Deep, Kinds_All]> {
  let cppNamespace = "::kinds";
  let separator = ",";
  let printBitEnumPrimaryGroups = 1;
}
def Kinds_FlagsAttr : EnumAttr<Kinds_Dialect, Kinds_Flags, "flags"> {
  let assemblyFormat = "`<` $value `>`";
}

def Kinds_Bits : I32BitEnumAttr<"Bits", "bits", [
    I32BitEnumAttrCaseNone<"Zero", "zero">, I32BitEnumAttrCaseBit<"A", 0, "a">, I32BitEnumAttrCaseBit<"B", 1, "b">]> {
  let cppNamespace = "::kinds";
}

// Texts that are no words, several names of one value, symbols that are no names in Rust.
def Kinds_Odd : I32EnumAttr<"Odd", "odd cases", [
    I32EnumAttrCase<"a-b", 0, "two words">, I32EnumAttrCase<"self", 1>, I32EnumAttrCase<"a_b", 2, "3">,
    I32EnumAttrCase<"Again", 2, "\"again\"">, I32EnumAttrCase<"Last", 7, "">]> {
  let cppNamespace = "::kinds";
  let genSpecializedAttr = 0;
}

def Kinds_EmptyType : Kinds_Type<"Empty", "empty"> { let summary = "a type without parameters"; }

def Kinds_VecType : Kinds_Type<"Vec", "vec"> {
  let summary = "so many of a type";
  let parameters = (ins "unsigned":$count, "::mlir::Type":$element);
  let assemblyFormat = "`<` $count `x` $element `>`";
  let genVerifyDecl = 1;
}

def Kinds_RecordType : Kinds_Type<"Record", "record"> {
  let parameters = (ins StringRefParameter<"the name">:$name, ArrayRefParameter<"::mlir::Type", "the fields">:$fields,
                        OptionalParameter<"::mlir::IntegerAttr", "the alignment">:$alignment,
                        DefaultValuedParameter<"int", "42">:$order, EnumParameter<Kinds_Plain>:$plain,
                        "bool":$packed, DefaultValuedParameter<"Flags", "Flags::None">:$flags);
  let assemblyFormat = "`<` struct($name, $alignment, $order, $plain, $packed, $flags) `:` $fields `>`";
}

def Kinds_ChoiceType : Kinds_Type<"Choice", "choice"> {
  let parameters = (ins OptionalParameter<"::mlir::Type">:$first, OptionalArrayRefParameter<"int64_t">:$sizes,
                        DefaultValuedParameter<"double", "1.5">:$ratio);
  let assemblyFormat = "(`<` $first^ `>`)? (`[` $sizes^ `]`) : (`none`)? (`ratio` $ratio^)?";
}

def Kinds_ParamsType : Kinds_Type<"Params", "params"> {
  let parameters = (ins "int":$a, OptionalParameter<"int">:$b, OptionalParameter<"::mlir::Type">:$c);
  let assemblyFormat = "`<` params `>`";
}

def Kinds_NestType : Kinds_Type<"Nest", "nest"> {
  let parameters = (ins "::kinds::VecType":$inner, "::kinds::ColorAttr":$color, TypeParameter<"::kinds::VecType", "">:$outer);
  let assemblyFormat = "`<` $inner `,` $color `,` qualified($outer) `>`";
}

def Kinds_WrittenType : Kinds_Type<"Written", "written"> {
  let parameters = (ins "int":$width);
  let hasCustomAssemblyFormat = 1;
  let skipDefaultBuilders = 1;
  let builders = [TypeBuilder<(ins "bool":$wide)>];
}

def Kinds_OpaqueType : Kinds_Type<"Opaque", "opaque"> {
  let parameters = (ins SelfAllocationParameter<"::kinds::Shape", "a class of one's own">:$shape, "int":$rank);
  let assemblyFormat = "`<` $shape `,` custom<Rank>($rank, ref($shape), \"r\") `>`";
}

def Kinds_PairAttr : Kinds_Attr<"Pair", "pair"> {
  let parameters = (ins "int64_t":$left, "int64_t":$right);
  let assemblyFormat = "`<` $left `,` $right `>`";
}

def Kinds_PairsAttr : Kinds_Attr<"Pairs", "pairs"> {
  let parameters = (ins ArrayRefParameter<"::kinds::PairAttr">:$pairs);
  let assemblyFormat = "`<` $pairs `>`";
}

def Kinds_TypedAttr : Kinds_Attr<"Typed", "typed"> {
  let parameters = (ins "int64_t":$value, AttributeSelfTypeParameter<"">:$type);
  let assemblyFormat = "`<` $value `>`";
}

def Kinds_ConfinedAttr : Kinds_Attr<"Confined", "confined"> {
  let parameters = (ins AnySignlessInteger:$type, "::mlir::StringAttr":$text);
  let assemblyFormat = "`<` $type `,` $text `>`";
}

class Kinds_Op<string word, list<Trait> traits = []> : Op<Kinds_Dialect, word, traits>;

def Kinds_MakeOp : Kinds_Op<"make", [Pure]> {
  let arguments = (ins Kinds_PairAttr:$pair, Kinds_ColorAttr:$color, OptionalAttr<Kinds_FlagsAttr>:$flags);
  let results = (outs Kinds_VecType:$out);
  let assemblyFormat = "$pair $color (`flags` $flags^)? attr-dict `:` type($out)";
}

def Kinds_TagOp : Kinds_Op<"tag"> {
  let arguments = (ins Kinds_Color:$color, OptionalAttr<Kinds_Bits>:$bits);
  let assemblyFormat = "$color ($bits^)? attr-dict";
}

// Stored as a string, as earlier versions of ODS had it.
def Kinds_Padding : StrEnumAttr<"Padding", "how borders are padded", [
    StrEnumAttrCase<"Same">, StrEnumAttrCase<"Valid", 7, "valid-only">]> {
  let cppNamespace = "::kinds";
}

def Kinds_PadOp : Kinds_Op<"pad"> {
  let arguments = (ins Kinds_Padding:$padding, OptionalAttr<Kinds_Padding>:$other);
  let assemblyFormat = "$padding attr-dict";
}

def Kinds_OddOp : Kinds_Op<"odd"> {
  let arguments = (ins Kinds_Odd:$one, OptionalAttr<Kinds_Odd>:$other);
  let assemblyFormat = "$one ($other^)? attr-dict-with-keyword";
}

def Kinds_EatOp : Kinds_Op<"eat"> {
  let arguments = (ins Kinds_EmptyType:$empty);
  let assemblyFormat = "$empty attr-dict";
}

def Kinds_EmptyOp : Kinds_Op<"empty", [Pure]> {
  let results = (outs Kinds_EmptyType:$out);
  let assemblyFormat = "attr-dict";
}
