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

impl ConstraintHooks for Permissive {
    fn from_elements_elements_type(this: Type<'_>) -> Type<'_> {
        skriptnd_ods::predicate::element_type(this)
    }

    fn operand_types_match_result_element_type(this: OperationRef<'_, '_>) -> bool {
        crate::support::are_elements(this)
    }
}

impl CastOpHooks for Permissive {
    fn are_cast_compatible<'c>(inputs: &[Type<'c>], outputs: &[Type<'c>]) -> bool {
        crate::support::are_castable_tensors(inputs, outputs)
    }
}

impl EmptyOpHooks for Permissive {
    fn verify(op: EmptyOp<'_, '_>) -> Result<(), Failure> {
        crate::support::has_extents(op.operation(), op.operation().operand_count())
    }
}

impl ExtractOpHooks for Permissive {
    fn verify(op: ExtractOp<'_, '_>) -> Result<(), Failure> {
        crate::support::has_indices(op.operation(), 0, 1)
    }
}

impl InsertOpHooks for Permissive {
    fn verify(op: InsertOp<'_, '_>) -> Result<(), Failure> {
        crate::support::has_indices(op.operation(), 1, 2)
    }
}
