//! Input shapes (section 2.6): what the arguments mean to the names in the declared shapes.

use super::dimensions::Distinct;
use super::{Inference, Place};
use crate::compose::diagnostics as say;
use crate::compose::evaluate::Evaluator;
use crate::compose::extent::SymExpr;
use crate::compose::failure::Eval;
use crate::compose::formula::TensorRef;
use crate::compose::tensors::FormalId;
use crate::compose::tensors::{Argument, TensorType};
use crate::compose::term::Term;
use say::Subject;
use skriptnd_syntax::ast::{PackSpec, Param};

impl<'a> Inference<'a> {
    pub(super) fn bind_inputs(&mut self) {
        let order = match &self.request.info.order {
            Ok(order) => order.clone(),
            Err(input) => {
                let param = &self.request.operator.inputs[*input];
                self.diagnostics.push(say::ambiguous_shape(self.request.path, param));
                return;
            }
        };
        self.declare_inputs();
        for at in order {
            if self.failed() {
                return;
            }
            self.bind_input(at);
            if self.failed() {
                self.prefer_assertions();
            }
        }
    }

    /// Names the given inputs, in order of declaration, for their members.
    fn declare_inputs(&mut self) {
        let request = self.request;
        let mut given = 0;
        for (param, operand) in request.operator.inputs.iter().zip(&request.operands) {
            if operand.argument == Argument::Null {
                continue;
            }
            let none = Argument::Pack(Vec::new());
            let argument = if operand.is_empty() { &none } else { &operand.argument };
            let tensors = self.declare(argument, (given..).map(TensorRef::Input));
            given += argument.items().len();
            // The same tensor is one, whatever the names of the inputs that it stands for (section 2.4, identity testing).
            let mut same = operand.same.iter();
            let tensors = tensors.map(|id| same.next().map_or(*id, |first| FormalId::given(*first)));
            let term = match Term::of_tensors(&tensors) {
                // Elements of no tensors have a type as well.
                Term::Pack(tensors) => {
                    Term::pack(tensors, Evaluator::new(&self.env, &self.types).resolve_type(&param.spec.base).ok())
                }
                term => term,
            };
            self.env.set(&param.name.text, term);
        }
    }

    fn bind_input(&mut self, at: usize) {
        let request = self.request;
        let param = &request.operator.inputs[at];
        let result = match request.operands.get(at) {
            Some(operand) if operand.argument != Argument::Null => {
                self.bind_argument(at, param, &operand.argument, operand.length.as_ref())
            }
            _ => self.absent_input(at, param),
        };
        self.try_report(result);
    }

    fn bind_argument(
        &mut self,
        at: usize,
        param: &'a Param,
        argument: &Argument<TensorType>,
        length: Option<&SymExpr>,
    ) -> Eval<()> {
        match (&param.spec.pack, argument) {
            (None, Argument::Single(ty)) => {
                self.bind_tensor(Place { at, number: None }, param, ty, &mut Distinct::new())
            }
            (Some(pack), Argument::Pack(items)) => {
                self.bind_length(at, param, pack, items.len(), length)?;
                if items.is_empty() {
                    return self.check_empty_pack(at, param);
                }
                let mut distinct = Distinct::new();
                for (number, ty) in items.iter().enumerate() {
                    self.bind_tensor(Place { at, number: Some(number) }, param, ty, &mut distinct)?;
                }
                let count = length.and_then(SymExpr::as_known).map_or(items.len(), |length| length.max(0) as usize);
                for (name, mut extents) in distinct {
                    extents.truncate(count);
                    self.env.set(&name, Term::Pack(extents));
                }
                Ok(())
            }
            (Some(_), _) => Err(say::pack_argument_expected(param, self.request.site.argument(at)).into()),
            (None, _) => Err(say::single_argument_expected(param, self.request.site.argument(at)).into()),
        }
    }

    /// A pack without tensors determines nothing.
    fn check_empty_pack(&self, at: usize, param: &Param) -> Eval<()> {
        let extents = param.spec.shape.iter().flatten().filter_map(|item| item.extent.as_ref());
        match extents.chain(&param.spec.rank).all(|extent| self.is_known(extent)) {
            true => Ok(()),
            false => Err(say::empty_pack(param, self.request.site.argument(at)).into()),
        }
    }

    fn bind_length(
        &mut self,
        at: usize,
        param: &Param,
        pack: &PackSpec,
        count: usize,
        length: Option<&SymExpr>,
    ) -> Eval<()> {
        let Some(expr) = &pack.length else { return Ok(()) };
        let count = length.cloned().unwrap_or(SymExpr::Const(count as i64));
        self.solve(expr, &count, Subject::Tensors(param), self.request.site.argument(at))
    }
}
