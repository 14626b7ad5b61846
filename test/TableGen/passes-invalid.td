// What is wrong with passes and their options is told where it stands, all in one run.
// RUN: not skriptnd-tblgen -gen-pass-decls %s 2>&1 | FileCheck %s --implicit-check-not=error:

include "mlir/Pass/PassBase.td"

def Options : Pass<"test-options"> {
  let options = [
    // CHECK-DAG: [[@LINE+1]]:5: error: option 'a' cannot be 'many' by default: it is an integer of 32 bits
    Option<"a", "a", "int", "many", "">,
    // CHECK-DAG: [[@LINE+1]]:5: error: option 'b' cannot be '300' by default: it is an unsigned integer of 8 bits
    Option<"b", "b", "uint8_t", "300", "">,
    // CHECK-DAG: [[@LINE+1]]:5: error: option 'c' cannot be 'maybe' by default: it is true or false
    Option<"c", "c", "bool", "maybe", "">,
    // CHECK-DAG: [[@LINE+1]]:5: error: option 'd' is of the C++ type 'Foo', whose values are not known
    Option<"d", "d", "Foo", "Foo::X", "">,
    // CHECK-DAG: [[@LINE+1]]:5: error: option 'e': expected llvm::cl::values(clEnumValN(case, text, description), ...)
    Option<"e", "e", "Foo", "", "", "llvm::cl::Hidden">,
    // CHECK-DAG: [[@LINE+1]]:5: error: option 'f' cannot be 'x' by default: it is a number
    Option<"f", "f", "double", "x", "">,
    // CHECK-DAG: [[@LINE+2]]:5: error: pass 'test-options' has two options 'g'
    Option<"g1", "g", "int", "1", "">,
    Option<"g2", "g", "int", "1", "">,
  ];
}

// CHECK-DAG: [[@LINE+1]]:5: error: ' ' cannot stand in the argument of a pass
def Spaced : Pass<"two words">;

// CHECK-DAG: [[@LINE+2]]:5: error: 'First' and 'Second' are both passes 'test-same'
def First : Pass<"test-same">;
def Second : Pass<"test-same">;

// CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: pass 'test-anchor' runs on 'foo::BarOp', of which no operation is known
def Anchor : Pass<"test-anchor", "foo::BarOp">;
