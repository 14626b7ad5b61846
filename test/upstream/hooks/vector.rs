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
    fn interleave_result_type(this: Type<'_>) -> Type<'_> {
        crate::vectors::with_last(this, |extent| extent * 2)
    }

    fn deinterleave_res1_type(this: Type<'_>) -> Type<'_> {
        crate::vectors::with_last(this, |extent| extent / 2)
    }
}

impl ExtractOpHooks for Permissive {
    fn infer_return_types<'c, 'a>(
        op: &ExtractOpAdaptor<'c, 'a>,
        input: &InferenceInput<'c, 'a>,
    ) -> Result<Vec<Type<'c>>, Failure> {
        crate::vectors::inside(input)
    }

    fn are_compatible_return_types(inferred: &[Type<'_>], found: &[Type<'_>]) -> bool {
        inferred == found || crate::vectors::is_single(inferred, found) || crate::vectors::is_single(found, inferred)
    }
}

impl ToElementsOpHooks for Permissive {
    fn infer_return_types<'c, 'a>(
        op: &ToElementsOpAdaptor<'c, 'a>,
        input: &InferenceInput<'c, 'a>,
    ) -> Result<Vec<Type<'c>>, Failure> {
        Ok(crate::vectors::elements(input))
    }
}

impl ShuffleOpHooks for Permissive {
    fn infer_return_types<'c, 'a>(
        op: &ShuffleOpAdaptor<'c, 'a>,
        input: &InferenceInput<'c, 'a>,
    ) -> Result<Vec<Type<'c>>, Failure> {
        crate::vectors::shuffled(input)
    }
}
