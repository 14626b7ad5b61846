// Each rule that is applied is printed with its file and line, and what it did is counted.
// RUN: skriptnd-opt %s --skriptnd-trace-rewrites -skriptnd-rewrite -o /dev/null 2>&1 | FileCheck %s --check-prefix=TRACE
// RUN: skriptnd-opt %s -skriptnd-rewrite=statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNT

// TRACE: Rewrites.td:{{[0-9]+}}:5: rule 'RemoveIdentity' rewrites 'skriptnd.math.iden' at {{.*}}trace-rewrites.mlir:[[# @LINE + 4]]:
// COUNT-DAG: remark: RemoveIdentity (Rewrites.td:{{[0-9]+}}:5): tried 1, matched 1, applied 1, {{[0-9]+}} us
// COUNT-DAG: remark: AddNegated (Rewrites.td:{{[0-9]+}}:5): tried {{[1-9]}}, matched 0, applied 0, 0 us
skriptnd.graph @G (%x: tensor<4xf32>) -> (tensor<4xf32>) {
  %0 = skriptnd.math.iden(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = skriptnd.math.add(%0, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  skriptnd.return %1 : tensor<4xf32>
}
