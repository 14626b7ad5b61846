impl MaximumOpHooks for Permissive {
    fn parse<'c, 'p>(parser: &mut Parser<'c, 'p>) -> Result<(), Failure> {
        crate::tensors::parse(parser)
    }

    fn print(op: MaximumOp<'_, '_>, printer: &mut Printer<'_>) {
        crate::tensors::print(op.operation(), printer)
    }
}

impl MinimumOpHooks for Permissive {
    fn parse<'c, 'p>(parser: &mut Parser<'c, 'p>) -> Result<(), Failure> {
        crate::tensors::parse(parser)
    }

    fn print(op: MinimumOp<'_, '_>, printer: &mut Printer<'_>) {
        crate::tensors::print(op.operation(), printer)
    }
}

impl ClampOpHooks for Permissive {
    fn parse<'c, 'p>(parser: &mut Parser<'c, 'p>) -> Result<(), Failure> {
        crate::tensors::parse(parser)
    }

    fn print(op: ClampOp<'_, '_>, printer: &mut Printer<'_>) {
        crate::tensors::print(op.operation(), printer)
    }
}

impl ArgMaxOpHooks for Permissive {
    fn parse<'c, 'p>(parser: &mut Parser<'c, 'p>) -> Result<(), Failure> {
        crate::tensors::parse(parser)
    }

    fn print(op: ArgMaxOp<'_, '_>, printer: &mut Printer<'_>) {
        crate::tensors::print(op.operation(), printer)
    }
}

impl MaxPool2dOpHooks for Permissive {
    fn parse<'c, 'p>(parser: &mut Parser<'c, 'p>) -> Result<(), Failure> {
        crate::tensors::parse(parser)
    }

    fn print(op: MaxPool2dOp<'_, '_>, printer: &mut Printer<'_>) {
        crate::tensors::print(op.operation(), printer)
    }
}

impl ReduceMaxOpHooks for Permissive {
    fn parse<'c, 'p>(parser: &mut Parser<'c, 'p>) -> Result<(), Failure> {
        crate::tensors::parse(parser)
    }

    fn print(op: ReduceMaxOp<'_, '_>, printer: &mut Printer<'_>) {
        crate::tensors::print(op.operation(), printer)
    }

    fn infer_return_types<'c, 'a>(
        op: &ReduceMaxOpAdaptor<'c, 'a>,
        input: &InferenceInput<'c, 'a>,
    ) -> Result<Vec<Type<'c>>, Failure> {
        crate::tensors::reduced(input)
    }

    fn are_compatible_return_types(inferred: &[Type<'_>], found: &[Type<'_>]) -> bool {
        crate::tensors::are_compatible(inferred, found)
    }
}

impl ReduceMinOpHooks for Permissive {
    fn parse<'c, 'p>(parser: &mut Parser<'c, 'p>) -> Result<(), Failure> {
        crate::tensors::parse(parser)
    }

    fn print(op: ReduceMinOp<'_, '_>, printer: &mut Printer<'_>) {
        crate::tensors::print(op.operation(), printer)
    }

    fn infer_return_types<'c, 'a>(
        op: &ReduceMinOpAdaptor<'c, 'a>,
        input: &InferenceInput<'c, 'a>,
    ) -> Result<Vec<Type<'c>>, Failure> {
        crate::tensors::reduced(input)
    }

    fn are_compatible_return_types(inferred: &[Type<'_>], found: &[Type<'_>]) -> bool {
        crate::tensors::are_compatible(inferred, found)
    }
}

impl ReduceAllOpHooks for Permissive {
    fn infer_return_types<'c, 'a>(
        op: &ReduceAllOpAdaptor<'c, 'a>,
        input: &InferenceInput<'c, 'a>,
    ) -> Result<Vec<Type<'c>>, Failure> {
        crate::tensors::reduced(input)
    }

    fn are_compatible_return_types(inferred: &[Type<'_>], found: &[Type<'_>]) -> bool {
        crate::tensors::are_compatible(inferred, found)
    }
}

impl ReduceAnyOpHooks for Permissive {
    fn infer_return_types<'c, 'a>(
        op: &ReduceAnyOpAdaptor<'c, 'a>,
        input: &InferenceInput<'c, 'a>,
    ) -> Result<Vec<Type<'c>>, Failure> {
        crate::tensors::reduced(input)
    }

    fn are_compatible_return_types(inferred: &[Type<'_>], found: &[Type<'_>]) -> bool {
        crate::tensors::are_compatible(inferred, found)
    }
}

impl ReduceProductOpHooks for Permissive {
    fn infer_return_types<'c, 'a>(
        op: &ReduceProductOpAdaptor<'c, 'a>,
        input: &InferenceInput<'c, 'a>,
    ) -> Result<Vec<Type<'c>>, Failure> {
        crate::tensors::reduced(input)
    }

    fn are_compatible_return_types(inferred: &[Type<'_>], found: &[Type<'_>]) -> bool {
        crate::tensors::are_compatible(inferred, found)
    }
}

impl ReduceSumOpHooks for Permissive {
    fn infer_return_types<'c, 'a>(
        op: &ReduceSumOpAdaptor<'c, 'a>,
        input: &InferenceInput<'c, 'a>,
    ) -> Result<Vec<Type<'c>>, Failure> {
        crate::tensors::reduced(input)
    }

    fn are_compatible_return_types(inferred: &[Type<'_>], found: &[Type<'_>]) -> bool {
        crate::tensors::are_compatible(inferred, found)
    }
}

impl EqualOpHooks for Permissive {
    fn infer_return_types<'c, 'a>(
        op: &EqualOpAdaptor<'c, 'a>,
        input: &InferenceInput<'c, 'a>,
    ) -> Result<Vec<Type<'c>>, Failure> {
        crate::tensors::compared(input)
    }

    fn are_compatible_return_types(inferred: &[Type<'_>], found: &[Type<'_>]) -> bool {
        crate::tensors::are_compatible(inferred, found)
    }
}

impl ConcatOpHooks for Permissive {
    fn infer_return_types<'c, 'a>(
        op: &ConcatOpAdaptor<'c, 'a>,
        input: &InferenceInput<'c, 'a>,
    ) -> Result<Vec<Type<'c>>, Failure> {
        crate::tensors::joined(input)
    }

    fn are_compatible_return_types(inferred: &[Type<'_>], found: &[Type<'_>]) -> bool {
        crate::tensors::are_compatible(inferred, found)
    }
}
