include "mlir/IR/OpBas.td"
// expected-error@-1:9 {{Unexpected token at top level}}
// expected-error@-2:9 {{could not find include file 'mlir/IR/OpBas.td'}}
