impl AddOpHooks for Permissive {
    fn infer_return_types<'c, 'a>(
        op: &AddOpAdaptor<'c, 'a>,
        input: &InferenceInput<'c, 'a>,
    ) -> Result<Vec<Type<'c>>, Failure> {
        crate::shapes::size_of(input, "!xshape.size")
    }

    fn are_compatible_return_types(inferred: &[Type<'_>], found: &[Type<'_>]) -> bool {
        crate::shapes::are_sizes(inferred) && crate::shapes::are_sizes(found)
    }

    fn verify(op: AddOp<'_, '_>) -> Result<(), Failure> {
        crate::shapes::propagates_errors(op.operation())
    }
}

impl MulOpHooks for Permissive {
    fn infer_return_types<'c, 'a>(
        op: &MulOpAdaptor<'c, 'a>,
        input: &InferenceInput<'c, 'a>,
    ) -> Result<Vec<Type<'c>>, Failure> {
        crate::shapes::size_of(input, "!xshape.size")
    }

    fn are_compatible_return_types(inferred: &[Type<'_>], found: &[Type<'_>]) -> bool {
        crate::shapes::are_sizes(inferred) && crate::shapes::are_sizes(found)
    }

    fn verify(op: MulOp<'_, '_>) -> Result<(), Failure> {
        crate::shapes::propagates_errors(op.operation())
    }
}

impl DivOpHooks for Permissive {
    fn infer_return_types<'c, 'a>(
        op: &DivOpAdaptor<'c, 'a>,
        input: &InferenceInput<'c, 'a>,
    ) -> Result<Vec<Type<'c>>, Failure> {
        crate::shapes::size_of(input, "!xshape.size")
    }

    fn are_compatible_return_types(inferred: &[Type<'_>], found: &[Type<'_>]) -> bool {
        crate::shapes::are_sizes(inferred) && crate::shapes::are_sizes(found)
    }

    fn verify(op: DivOp<'_, '_>) -> Result<(), Failure> {
        crate::shapes::propagates_errors(op.operation())
    }
}

impl RankOpHooks for Permissive {
    fn infer_return_types<'c, 'a>(
        op: &RankOpAdaptor<'c, 'a>,
        input: &InferenceInput<'c, 'a>,
    ) -> Result<Vec<Type<'c>>, Failure> {
        crate::shapes::size_of(input, "!xshape.shape")
    }

    fn are_compatible_return_types(inferred: &[Type<'_>], found: &[Type<'_>]) -> bool {
        crate::shapes::are_sizes(inferred) && crate::shapes::are_sizes(found)
    }

    fn verify(op: RankOp<'_, '_>) -> Result<(), Failure> {
        crate::shapes::propagates_errors(op.operation())
    }
}

impl NumElementsOpHooks for Permissive {
    fn infer_return_types<'c, 'a>(
        op: &NumElementsOpAdaptor<'c, 'a>,
        input: &InferenceInput<'c, 'a>,
    ) -> Result<Vec<Type<'c>>, Failure> {
        crate::shapes::size_of(input, "!xshape.shape")
    }

    fn are_compatible_return_types(inferred: &[Type<'_>], found: &[Type<'_>]) -> bool {
        crate::shapes::are_sizes(inferred) && crate::shapes::are_sizes(found)
    }

    fn verify(op: NumElementsOp<'_, '_>) -> Result<(), Failure> {
        crate::shapes::propagates_errors(op.operation())
    }
}

impl DimOpHooks for Permissive {
    fn infer_return_types<'c, 'a>(
        op: &DimOpAdaptor<'c, 'a>,
        input: &InferenceInput<'c, 'a>,
    ) -> Result<Vec<Type<'c>>, Failure> {
        Ok(input.operand_types().into_iter().skip(1).collect())
    }

    fn are_compatible_return_types(inferred: &[Type<'_>], found: &[Type<'_>]) -> bool {
        crate::shapes::are_sizes(inferred) && crate::shapes::are_sizes(found)
    }

}

impl GetExtentOpHooks for Permissive {
    fn infer_return_types<'c, 'a>(
        op: &GetExtentOpAdaptor<'c, 'a>,
        input: &InferenceInput<'c, 'a>,
    ) -> Result<Vec<Type<'c>>, Failure> {
        crate::support::parsed(input.context, "index").map(|index| vec![index])
    }

    fn are_compatible_return_types(inferred: &[Type<'_>], found: &[Type<'_>]) -> bool {
        crate::shapes::are_sizes(inferred) && crate::shapes::are_sizes(found)
    }

    fn verify(op: GetExtentOp<'_, '_>) -> Result<(), Failure> {
        crate::shapes::propagates_errors(op.operation())
    }
}

impl MaxOpHooks for Permissive {
    fn infer_return_types<'c, 'a>(
        op: &MaxOpAdaptor<'c, 'a>,
        input: &InferenceInput<'c, 'a>,
    ) -> Result<Vec<Type<'c>>, Failure> {
        crate::shapes::common(input)
    }

    fn are_compatible_return_types(inferred: &[Type<'_>], found: &[Type<'_>]) -> bool {
        crate::shapes::are_both(inferred, found, "!xshape.shape") || crate::shapes::are_both(inferred, found, "!xshape.size")
    }
}

impl MinOpHooks for Permissive {
    fn infer_return_types<'c, 'a>(
        op: &MinOpAdaptor<'c, 'a>,
        input: &InferenceInput<'c, 'a>,
    ) -> Result<Vec<Type<'c>>, Failure> {
        crate::shapes::common(input)
    }

    fn are_compatible_return_types(inferred: &[Type<'_>], found: &[Type<'_>]) -> bool {
        crate::shapes::are_both(inferred, found, "!xshape.shape") || crate::shapes::are_both(inferred, found, "!xshape.size")
    }
}

impl ConstShapeOpHooks for Permissive {
    fn infer_return_types<'c, 'a>(
        op: &ConstShapeOpAdaptor<'c, 'a>,
        input: &InferenceInput<'c, 'a>,
    ) -> Result<Vec<Type<'c>>, Failure> {
        crate::shapes::constant(input)
    }

    fn are_compatible_return_types(inferred: &[Type<'_>], found: &[Type<'_>]) -> bool {
        crate::shapes::are_shapes(inferred, found)
    }
}

impl ShapeOfOpHooks for Permissive {
    fn infer_return_types<'c, 'a>(
        op: &ShapeOfOpAdaptor<'c, 'a>,
        input: &InferenceInput<'c, 'a>,
    ) -> Result<Vec<Type<'c>>, Failure> {
        crate::shapes::shape_of(input)
    }

    fn are_compatible_return_types(inferred: &[Type<'_>], found: &[Type<'_>]) -> bool {
        crate::shapes::are_shapes(inferred, found)
    }

    fn verify(op: ShapeOfOp<'_, '_>) -> Result<(), Failure> {
        crate::shapes::propagates_errors(op.operation())
    }
}

impl FuncOpHooks for Permissive {
    fn default_dialect() -> &'static str {
        "xshape"
    }
}

impl FunctionLibraryOpHooks for Permissive {
    fn default_dialect() -> &'static str {
        "xshape"
    }
}
