impl CallIndirectOpHooks for Permissive {
    fn call() -> CallInterface {
        CallInterface { callee_attribute: String::new() }
    }
}

impl FuncOpHooks for Permissive {
    fn default_dialect() -> &'static str {
        "xfunc"
    }
}

impl CallOpHooks for Permissive {
    fn call() -> CallInterface {
        CallInterface { callee_attribute: "callee".into() }
    }

    fn verify_symbol_uses(op: CallOp<'_, '_>, symbols: &mut SymbolTables<'_>) -> Result<(), Failure> {
        let callee = op.callee_attribute().ok_or_else(|| Failure::new("requires a 'callee' symbol reference"))?;
        let found = symbols.lookup(op.operation(), callee).and_then(FuncOp::new);
        let function = found.ok_or_else(|| Failure::new(format!("'{callee}' does not reference a valid function")))?;
        let (inputs, results) = skriptnd_ods::mlir::ir::types::function_parts(function.function_type()?).unwrap_or_default();
        match op.operation().operand_types() == inputs && op.operation().result_types() == results {
            true => Ok(()),
            false => Err(Failure::new("operands and results must have the types of the callee")),
        }
    }
}

impl ConstantOpHooks for Permissive {
    fn verify_symbol_uses(op: ConstantOp<'_, '_>, symbols: &mut SymbolTables<'_>) -> Result<(), Failure> {
        let value = op.value_attribute().ok_or_else(|| Failure::new("has no value"))?;
        let found = symbols.lookup(op.operation(), value).and_then(FuncOp::new);
        let function = found.ok_or_else(|| Failure::new(format!("reference to undefined function {value}")))?;
        match op.operation().result_types() == [function.function_type()?] {
            true => Ok(()),
            false => Err(Failure::new("reference to function with mismatched type")),
        }
    }
}
