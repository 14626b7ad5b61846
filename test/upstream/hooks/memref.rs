impl AssemblyHooks for Permissive {
    fn parse_dynamic_index_list<'c, 'p>(
        parser: &mut Parser<'c, 'p>,
        parsed: &mut FormatParser<'c, 'p, '_>,
        arguments: &[Element],
    ) -> Result<(), Failure> {
        crate::lists::parse(parser, parsed, arguments)
    }

    fn print_dynamic_index_list(
        operation: OperationRef<'_, '_>,
        definition: &OperationDefinition,
        arguments: &[Element],
        printer: &mut Printer<'_>,
    ) {
        crate::lists::print(operation, definition, arguments, printer)
    }
}

impl LoadOpHooks for Permissive {
    fn verify(op: LoadOp<'_, '_>) -> Result<(), Failure> {
        crate::support::has_indices(op.operation(), 0, 1)
    }
}

impl StoreOpHooks for Permissive {
    fn verify(op: StoreOp<'_, '_>) -> Result<(), Failure> {
        crate::support::has_indices(op.operation(), 1, 2)
    }
}

impl AllocOpHooks for Permissive {
    fn verify(op: AllocOp<'_, '_>) -> Result<(), Failure> {
        crate::support::has_extents(op.operation(), op.dynamic_sizes().len())
    }
}

impl AllocaOpHooks for Permissive {
    fn verify(op: AllocaOp<'_, '_>) -> Result<(), Failure> {
        crate::support::has_extents(op.operation(), op.dynamic_sizes().len())
    }
}

impl DistinctObjectsOpHooks for Permissive {
    fn infer_return_types<'c, 'a>(
        op: &DistinctObjectsOpAdaptor<'c, 'a>,
        input: &InferenceInput<'c, 'a>,
    ) -> Result<Vec<Type<'c>>, Failure> {
        Ok(input.operand_types())
    }
}

impl GetGlobalOpHooks for Permissive {
    fn verify_symbol_uses(op: GetGlobalOp<'_, '_>, symbols: &mut SymbolTables<'_>) -> Result<(), Failure> {
        let name = op.name_attribute().ok_or_else(|| Failure::new("has no name"))?;
        let found = symbols.lookup(op.operation(), name).and_then(GlobalOp::new);
        let global = found.ok_or_else(|| Failure::new(format!("'{name}' does not reference a valid global memref")))?;
        let (result, expected) = (op.result()?.r#type(), global.r#type()?);
        match result == expected {
            true => Ok(()),
            false => Err(Failure::new(format!("result type {result} does not match type {expected} of the global"))),
        }
    }
}
