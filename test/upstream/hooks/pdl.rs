impl PatternOpHooks for Permissive {
    fn default_dialect() -> &'static str {
        "xpdl"
    }
}

impl RewriteOpHooks for Permissive {
    fn default_dialect() -> &'static str {
        "xpdl"
    }
}

impl ConstraintHooks for Permissive {
    fn operands_value_type(context: &Context) -> Type<'_> {
        crate::support::known(context, "!xpdl.range<value>")
    }

    fn operands_value_type_type(context: &Context) -> Type<'_> {
        crate::support::known(context, "!xpdl.range<type>")
    }

    fn types_result_type(context: &Context) -> Type<'_> {
        crate::support::known(context, "!xpdl.range<type>")
    }
}

impl AssemblyHooks for Permissive {
    fn parse_operation_op_attributes<'c, 'p>(
        parser: &mut Parser<'c, 'p>,
        parsed: &mut FormatParser<'c, 'p, '_>,
        arguments: &[Element],
    ) -> Result<(), Failure> {
        crate::patterns::parse_attributes(parser, parsed)
    }

    fn print_operation_op_attributes(
        operation: OperationRef<'_, '_>,
        definition: &OperationDefinition,
        arguments: &[Element],
        printer: &mut Printer<'_>,
    ) {
        crate::patterns::print_attributes(operation, definition, printer)
    }
}
