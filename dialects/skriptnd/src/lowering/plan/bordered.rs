//! Tensors with a border: `inside ? tensor[i - low] : fill`, where what fills it is a constant or the element of a tensor without dimensions, where the condition says no more and no less than that the
//! indices are inside of the tensor.

use super::{AnalysedAccess, Operand, Planner};
use crate::lowering::form::IndexForm;
use crate::lowering::inequalities::Inequalities;
use crate::lowering::view::{AccessDimension, Fill, Loops, View};
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::formula::{Guard, ScalarExpr, ScalarKind, TensorRef};
use skriptnd_language::compose::value::Value;

const ONE: SymExpr = SymExpr::Const(1);

impl<'a> Planner<'a, '_> {
    /// The whole value as one access of the padded tensor, if it is read with the indices of the target.
    pub(super) fn bordered(&self, target: &View) -> Option<Operand<'a>> {
        let [value] = self.assignment.values.as_slice() else { return None };
        let ScalarKind::Select(condition, inside, outside) = &value.kind else { return None };
        let (read, access) = self.reads.iter().find(|(read, _)| **read == **inside)?;
        let fill = match &outside.kind {
            ScalarKind::Const(fill @ (Value::Int(_) | Value::Real(_) | Value::Bool(_))) => Fill::Constant(fill.clone()),
            ScalarKind::Access { tensor, indices } if indices.is_empty() => Fill::Element(*tensor),
            _ => return None,
        };
        let is_known = |(other, _): &(&ScalarExpr, AnalysedAccess<'a>)| other == read || **other == **outside;
        let is_target = |tensor: TensorRef| self.targets.iter().any(|target| target.tensor == tensor);
        if !self.reads.iter().all(is_known) || matches!(fill, Fill::Element(tensor) if is_target(tensor)) {
            return None;
        }
        let alike = inside.dtype == value.dtype && outside.dtype == value.dtype;
        let plain =
            self.assignment.condition.is_none() && access.indices.iter().all(|index| index.guard == Guard::None);
        if **inside != **read || !alike || !plain || is_target(access.tensor) {
            return None;
        }
        let said = Inequalities::of(condition, &self.assignment.locals, &self.locals);
        if said.says_more || !self.is_just(&said.forms, access)? {
            return None;
        }
        let dimension = |number: usize| AccessDimension {
            form: access.forms[number].as_ref().map(|form| form.without(&self.fixed)),
            guard: &Guard::Skip,
            remapped: None,
            extent: access.shape[number].clone(),
        };
        let dimensions: Vec<_> = (0..access.indices.len()).map(dimension).collect();
        let loops = Loops { extents: &self.extents, limits: self.limits };
        let view = View::new(&dimensions, loops, Some(fill)).filter(|view| view.loops() == target.loops())?;
        Some(Operand { access: value, tensor: access.tensor, view })
    }

    /// Whether some forms are not negative just where all indices of an access are inside.
    fn is_just(&self, said: &[IndexForm], access: &AnalysedAccess<'_>) -> Option<bool> {
        let mut needed = Vec::new();
        for (form, extent) in access.forms.iter().zip(&access.shape) {
            let form = form.as_ref()?;
            let above = IndexForm::constant(extent.minus(&ONE)?).plus(&form.scaled(&SymExpr::Const(-1))?)?;
            needed.extend([form.clone(), above]);
        }
        let holds = |form: &IndexForm| {
            form.range(&self.extents, self.limits).is_some_and(|(low, _)| self.limits.is_never_negative(&low))
        };
        let all = needed.iter().all(|form| said.contains(form) || holds(form));
        Some(all && said.iter().all(|form| needed.contains(form) || holds(form)))
    }
}
