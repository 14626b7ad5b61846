impl BranchOpHooks for Permissive {
    fn successor_operands(op: BranchOp<'_, '_>, _: usize) -> SuccessorOperands {
        crate::support::handed_on(BranchOp::SIGNATURE.operand_range(op.operation(), 0))
    }
}

impl CondBranchOpHooks for Permissive {
    fn successor_operands(op: CondBranchOp<'_, '_>, successor: usize) -> SuccessorOperands {
        crate::support::handed_on(CondBranchOp::SIGNATURE.operand_range(op.operation(), 1 + successor))
    }

    fn successor_for_operands<'c, 'a>(
        _: CondBranchOp<'c, 'a>,
        constants: &CondBranchOpAdaptor<'c, 'a, Option<Attribute<'c>>>,
    ) -> Option<usize> {
        let condition = constants.condition().ok().flatten().and_then(attributes::as_integer);
        condition.map(|condition| usize::from(condition == 0))
    }
}

impl SwitchOpHooks for Permissive {
    fn successor_operands(op: SwitchOp<'_, '_>, successor: usize) -> SuccessorOperands {
        let Some(case) = successor.checked_sub(1) else {
            return crate::support::handed_on(SwitchOp::SIGNATURE.operand_range(op.operation(), 1));
        };
        let groups = op.case_operands();
        let first = SwitchOp::SIGNATURE.operand_range(op.operation(), 2).start;
        let begin = first + groups.iter().take(case).map(Vec::len).sum::<usize>();
        crate::support::handed_on(begin..begin + groups.get(case).map_or(0, Vec::len))
    }
}
