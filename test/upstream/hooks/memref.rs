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
