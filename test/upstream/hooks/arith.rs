impl SelectOpHooks for Permissive {
    fn parse<'c, 'p>(parser: &mut Parser<'c, 'p>) -> Result<(), Failure> {
        crate::select::parse(parser)
    }

    fn print(op: SelectOp<'_, '_>, printer: &mut Printer<'_>) {
        crate::select::print(op.operation(), printer)
    }
}
