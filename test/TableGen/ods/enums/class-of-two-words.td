// GENERATE: enum-defs
include "mlir/IR/EnumAttr.td"
def One : I32EnumCase<"One", 1>;
def Words : I32Enum<"two words", "words", [One]>;
// expected-error@-1:21 {{'two words' is no name of an enumeration}}
// TOLD: in field 'className' of 'Words'
// UPSTREAM: takes, C++ refuses a class of two words
