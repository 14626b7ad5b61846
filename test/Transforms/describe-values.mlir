// RUN: skriptnd-opt %s --codegen-describe-interface | FileCheck %s

// The interface says between which numbers an output lies, and nothing of new values of a variable, which may begin with others.
// CHECK: results = [{name = "y", role = "output", type = tensor<4xi64>, values = array<i64: -3, 9>}, {name = "s", role = "state", type = tensor<4xi64>}]
#id = affine_map<(a) -> (a)>
func.func @graph(%x: tensor<4xi64> {skriptnd.input = "x"}, %s: tensor<4xi64> {skriptnd.variable = "s"})
    -> (tensor<4xi64> {skriptnd.output = "y"}, tensor<4xi64> {skriptnd.state = "s"}) {
  %least = arith.constant -3 : i64
  %most = arith.constant 9 : i64
  %empty = tensor.empty() : tensor<4xi64>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xi64>) outs(%empty : tensor<4xi64>) {
  ^bb0(%a: i64, %o: i64):
    %1 = arith.minsi %a, %most : i64
    %2 = arith.maxsi %1, %least : i64
    linalg.yield %2 : i64
  } -> tensor<4xi64>
  return %y, %y : tensor<4xi64>, tensor<4xi64>
}
