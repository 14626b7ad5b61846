include "mlir/IR/OpBas.td"
// expected-error@-1:9 {{could not find include file 'mlir/IR/OpBas.td'}}
