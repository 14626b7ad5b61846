//! Applications of operators, written as sentences: `t.call("nn.conv").ints("stride", [2, 2]).on(&x).gives(element, shape)`.

use super::{TEMPORARY, Translator};
use crate::element::ElementType;
use crate::extent::Extent;
use crate::value::Tensor;
use skriptnd_syntax::build::{Computation, Element, Expression, Invocation, Statement, Target};

/// An application that is being put together.
#[derive(Debug)]
pub struct Call<'t, 'm> {
    translator: &'t mut Translator<'m>,
    invocation: Invocation,
}

impl<'m> Translator<'m> {
    /// An application of an operator, to which attributes and operands are added.
    pub fn call(&mut self, operator: &str) -> Call<'_, 'm> {
        let invocation = Invocation {
            label: None,
            operator: operator.to_owned(),
            dtypes: Vec::new(),
            attributes: Vec::new(),
            operands: Vec::new(),
        };
        Call { translator: self, invocation }
    }

    /// What a statement gives, whose type is kept.
    fn computed(&mut self, name: String, element: ElementType, shape: Vec<Extent>) -> Tensor {
        self.types.insert(name.clone(), (element, shape.clone()));
        Tensor::computed(element, shape, Expression::Name(name))
    }

    /// A name that the node's result takes the place of, or that stays where nothing is called so.
    pub fn temporary(&mut self) -> String {
        self.names.fresh(TEMPORARY)
    }
}

impl Call<'_, '_> {
    /// A type that is given by name.
    pub fn dtype(mut self, element: Element) -> Self {
        self.invocation.dtypes.push(element);
        self
    }

    /// An attribute.
    pub fn attribute(mut self, name: &str, value: Expression) -> Self {
        self.invocation.attributes.push((name.to_owned(), value));
        self
    }

    /// An attribute that is a whole number.
    pub fn int(self, name: &str, value: i64) -> Self {
        self.attribute(name, Expression::Int(value))
    }

    /// An attribute that is a real number.
    pub fn real(self, name: &str, value: f64) -> Self {
        self.attribute(name, Expression::Real(value))
    }

    /// An attribute that is a truth value.
    pub fn flag(self, name: &str, value: bool) -> Self {
        self.attribute(name, Expression::Bool(value))
    }

    /// An attribute that is a word.
    pub fn word(self, name: &str, value: &str) -> Self {
        self.attribute(name, Expression::Text(value.to_owned()))
    }

    /// An attribute that is a list of whole numbers.
    pub fn ints(self, name: &str, values: impl IntoIterator<Item = i64>) -> Self {
        self.attribute(name, Expression::ints(values))
    }

    /// An attribute that is a list of extents.
    pub fn extents(self, name: &str, values: &[Extent]) -> Self {
        let values = values.iter().map(Extent::expression).collect();
        self.attribute(name, Expression::List(values))
    }

    /// An operand.
    pub fn on(mut self, tensor: &Tensor) -> Self {
        let operand = self.translator.operand(tensor);
        self.invocation.operands.push(operand);
        self
    }

    /// An operand where there is one.
    pub fn on_any(self, tensor: Option<&Tensor>) -> Self {
        match tensor {
            Some(tensor) => self.on(tensor),
            None => self,
        }
    }

    /// An operand, or the sign for one that is left out.
    pub fn on_or_absent(mut self, tensor: Option<&Tensor>) -> Self {
        match tensor {
            Some(tensor) => self.on(tensor),
            None => {
                self.invocation.operands.push(Expression::Absent);
                self
            }
        }
    }

    /// A pack of operands.
    pub fn on_pack(mut self, tensors: &[&Tensor]) -> Self {
        let items = tensors.iter().map(|tensor| self.translator.operand(tensor)).collect();
        self.invocation.operands.push(Expression::List(items));
        self
    }

    /// An operand that is an expression.
    pub fn on_expression(mut self, value: Expression) -> Self {
        self.invocation.operands.push(value);
        self
    }

    /// The only result.
    pub fn gives(self, element: ElementType, shape: Vec<Extent>) -> Tensor {
        let name = self.translator.temporary();
        let targets = vec![Target::Name(name.clone())];
        self.translator.push(Statement::new(targets, Computation::Invocation(self.invocation)));
        self.translator.computed(name, element, shape)
    }

    /// The only result, with a name that is taken already.
    pub fn gives_as(self, name: &str, element: ElementType, shape: Vec<Extent>) -> Tensor {
        let targets = vec![Target::Name(name.to_owned())];
        self.translator.push(Statement::new(targets, Computation::Invocation(self.invocation)));
        self.translator.computed(name.to_owned(), element, shape)
    }

    /// The results of an operator that has several.
    pub fn gives_all(self, results: Vec<(ElementType, Vec<Extent>)>) -> Vec<Tensor> {
        let named: Vec<String> = results.iter().map(|_| self.translator.temporary()).collect();
        let targets = named.iter().map(|name| Target::Name(name.clone())).collect();
        self.translator.push(Statement::new(targets, Computation::Invocation(self.invocation)));
        let tensor = |(name, (element, shape))| self.translator.computed(name, element, shape);
        named.into_iter().zip(results).map(tensor).collect()
    }

    /// A pack of so many items.
    pub fn gives_pack(self, items: Vec<(ElementType, Vec<Extent>)>) -> Vec<Tensor> {
        let named: Vec<String> = items.iter().map(|_| self.translator.temporary()).collect();
        let targets = vec![Target::Pack(named.clone())];
        self.translator.push(Statement::new(targets, Computation::Invocation(self.invocation)));
        let tensor = |(name, (element, shape))| self.translator.computed(name, element, shape);
        named.into_iter().zip(items).map(tensor).collect()
    }

    /// A result with an extent that only data tell: `shape` says what the others are when it is told that one.
    pub fn gives_found(
        self,
        element: ElementType,
        dimension: usize,
        bound: &Extent,
        shape: impl Fn(Extent) -> Vec<Extent>,
    ) -> Tensor {
        let bound = self.translator.greatest(bound);
        let name = self.translator.temporary();
        let targets = vec![Target::Name(name.clone())];
        self.translator.push(Statement::new(targets, Computation::Invocation(self.invocation)));
        let symbol = format!("{name}.shape[{dimension}]");
        if let Some(bound) = bound {
            self.translator.bounds.insert(symbol.clone(), bound);
        }
        self.translator.computed(name, element, shape(Extent::symbol(symbol)))
    }
}
