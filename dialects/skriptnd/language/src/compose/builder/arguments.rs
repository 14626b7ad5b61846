//! From the values of expressions to tensors.

use super::{Builder, Context};
use crate::compose::binding::{Operand, first_of_same, note_identity};
use crate::compose::diagnostics as say;
use crate::compose::evaluate::checked_length;
use crate::compose::extent::SymExpr;
use crate::compose::failure::Eval;
use crate::compose::graph::Origin;
use crate::compose::tensors::{Argument, TensorId, TensorType};

use crate::compose::tensors::TermTensor;
use crate::compose::term::Term;
use skriptnd_source::Span;
use skriptnd_syntax::ast::Expr;

impl<'a> Builder<'_, 'a> {
    /// The tensors that an expression stands for; compile-time values become constants without dimensions.
    pub(super) fn argument(&mut self, cx: &Context<'a>, expr: &Expr) -> Option<Argument> {
        let term = self.eval(cx, expr);
        let term = self.check(cx, term)?;
        let argument = self.make_argument(&term, expr.span);
        self.check(cx, argument)
    }

    pub(super) fn make_argument(&mut self, term: &Term, span: Span) -> Eval<Argument> {
        match term {
            Term::Null => Ok(Argument::Null),
            Term::Empty(_) => Ok(Argument::Pack(Vec::new())),
            Term::Pack(items) => {
                Ok(Argument::Pack(items.iter().map(|item| self.make_tensor(item, span)).collect::<Eval<_>>()?))
            }
            Term::Repeat(item, count) => {
                let count = checked_length(*count, span)?;
                Ok(Argument::Pack(vec![self.make_tensor(item, span)?; count]))
            }
            open @ Term::Sequence(_) => Err(say::known_int_expected(open, span).into()),
            single => Ok(Argument::Single(self.make_tensor(single, span)?)),
        }
    }

    fn make_tensor(&mut self, term: &Term, span: Span) -> Eval<TensorId> {
        if let Term::Tensor(TermTensor::Graph(id)) = term {
            return Ok(*id);
        }
        match (term.dtype(), term.to_value()) {
            (Some(dtype), Some(value)) if !term.is_pack() => {
                Ok(self.add(TensorType { dtype, shape: Vec::new() }, Origin::Constant(value), span))
            }
            _ => Err(say::tensor_expected(term, span).into()),
        }
    }

    /// What checking needs to know of an argument.
    pub(super) fn operand(&self, argument: &Argument) -> Operand {
        let length = match argument {
            Argument::Pack(items) => self.tensors.lengths.of_tensors(items),
            _ => None,
        };
        Operand { length, ..Operand::of(argument.map(|id| self.ty(*id).clone())) }
    }

    /// The operands of an invocation.
    pub(super) fn operands(&self, arguments: &[Argument]) -> Vec<Operand> {
        let mut operands: Vec<Operand> = arguments.iter().map(|argument| self.operand(argument)).collect();
        let present = operands.iter().zip(arguments).filter(|(operand, _)| !operand.is_empty());
        let first = first_of_same(present.flat_map(|(_, argument)| argument.items()));
        note_identity(&mut operands, &first);
        operands
    }

    /// Remembers the length of a pack of as many tensors as there can be, if only the run knows it.
    pub(super) fn note_length(&mut self, argument: &Argument, length: Option<&SymExpr>) {
        let (Argument::Pack(items), Some(length)) = (argument, length) else { return };
        if let Some(first) = items.first() {
            self.tensors.lengths.note(*first, items.len(), length);
        }
    }
}
