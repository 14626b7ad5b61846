impl IfOpHooks for Permissive {
    fn infer_return_types<'c, 'a>(
        op: &IfOpAdaptor<'c, 'a>,
        input: &InferenceInput<'c, 'a>,
    ) -> Result<Vec<Type<'c>>, Failure> {
        crate::regions::yielded(input)
    }
}
