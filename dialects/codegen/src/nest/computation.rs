//! Scalar computations as data: the body of a structured operation, instruction by instruction.

use super::element::{Element, Literal, Number};
use super::op::Op;

/// A sum to which a product is added, of factors that are extended to its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProductSum {
    /// The numbers of the arguments that are multiplied, and what they are before they are extended.
    pub factors: [(usize, Number); 2],
    /// The type of the sum.
    pub sum: Element,
}

/// A value that an instruction uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ref {
    /// An argument of the computation.
    Argument(usize),
    /// A result of an instruction.
    Result(usize, usize),
    /// An operand of the kernel, taken as it is.
    Operand(usize),
}

/// An operation on scalars with what it is done on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// The operation.
    pub op: Op,
    /// What it uses.
    pub operands: Vec<Ref>,
    /// The types of its results.
    pub results: Vec<Element>,
}

/// What is computed from arguments at one point.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Computation {
    /// The types of the arguments.
    pub arguments: Vec<Element>,
    /// In order.
    pub instructions: Vec<Instruction>,
    /// What is given.
    pub result: Ref,
    /// What is given beside that: the further accumulators.
    pub further: Vec<Ref>,
}

/// How partial results become one.
#[derive(Clone, Copy)]
pub enum Combined {
    /// By an operation.
    By(Combiner),
    /// Each has searched; the comparison that it made.
    Search(Op),
}

/// An associative operation with its neutral element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Combiner {
    /// The operation that combines two values.
    pub op: Op,
    /// What changes nothing.
    pub neutral: Literal,
}

impl Computation {
    /// How often a value is used.
    pub fn uses(&self, value: Ref) -> usize {
        let operands = self.instructions.iter().flat_map(|instruction| &instruction.operands);
        operands.chain([&self.result]).chain(&self.further).filter(|used| **used == value).count()
    }

    /// How many arguments and results are needed at the same time at most.
    pub fn most_alive(&self) -> usize {
        let mut alive = std::collections::HashSet::from([self.result]);
        let mut most = 1;
        for (number, instruction) in self.instructions.iter().enumerate().rev() {
            alive.retain(|value| !matches!(value, Ref::Result(by, _) if *by == number));
            alive.extend(instruction.operands.iter().filter(|operand| !matches!(operand, Ref::Operand(_))));
            most = most.max(alive.len());
        }
        most
    }

    /// The type of a value; none for operands of the kernel.
    pub fn type_of(&self, value: Ref) -> Option<Element> {
        match value {
            Ref::Argument(number) => self.arguments.get(number).copied(),
            Ref::Result(instruction, number) => self.instructions.get(instruction)?.results.get(number).copied(),
            Ref::Operand(_) => None,
        }
    }

    /// How the last argument, an accumulator, is combined with what is computed from the others, with one after the other, if
    /// it is used for that only.
    pub fn combiner(&self) -> Option<Combiner> {
        let last = self.made(self.result).filter(|_| self.further.is_empty())?;
        let alone = self.combined().is_some();
        let element = *last.results.first()?;
        let neutral = match (last.op, element, last.op.facts().neutral.filter(|_| alone)?) {
            // That of 64 bits in those that there are.
            (Op::MaxSI | Op::MinSI, Element::Integer(bits @ 1..=64), Literal::Integer(bound)) => {
                Literal::Integer(bound >> (64 - bits))
            }
            (Op::MaxSI | Op::MinSI, ..) => return None,
            (_, _, neutral) => neutral,
        };
        Some(Combiner { op: last.op, neutral })
    }

    /// What is combined with the last argument, an accumulator, by one operation, in order; none where that is used for more.
    fn combined(&self) -> Option<Vec<Ref>> {
        let accumulator = Ref::Argument(self.arguments.len().checked_sub(1)?);
        let op = self.made(self.result)?.op;
        let (mut value, mut terms) = (self.result, Vec::new());
        while value != accumulator {
            let pair = self.operands_of(value, &[op])?;
            let place = pair.iter().position(|operand| self.reaches(*operand, accumulator, op))?;
            terms.push(pair[1 - place]);
            value = pair[place];
        }
        terms.reverse();
        Some(terms)
    }

    /// Whether a value that is used once is another one, or that combined with others by an operation.
    fn reaches(&self, value: Ref, wanted: Ref, op: Op) -> bool {
        let goes_on =
            || self.operands_of(value, &[op]).is_some_and(|pair| pair.iter().any(|it| self.reaches(*it, wanted, op)));
        self.uses(value) == 1 && (value == wanted || goes_on())
    }

    /// How many terms are combined with an accumulator at a point.
    pub fn terms(&self) -> usize {
        self.combined().map_or(1, |terms| terms.len())
    }

    /// The product of two arguments that is added to the last one, an accumulator, if nothing else is computed.
    pub fn product_sum(&self) -> Option<ProductSum> {
        let accumulator = self.arguments.len().checked_sub(1).filter(|_| self.further.is_empty())?;
        let added = self.operands_of(self.result, &[Op::AddF, Op::AddI])?;
        let place = added.iter().position(|value| *value == Ref::Argument(accumulator))?;
        let factors = self.operands_of(added[1 - place], &[Op::MulF, Op::MulI])?;
        let factors = [self.factor(factors[0])?, self.factor(factors[1])?];
        let apart = factors.iter().all(|(argument, _)| *argument != accumulator) && factors[0].0 != factors[1].0;
        apart.then_some(ProductSum { factors, sum: self.type_of(self.result)? })
    }

    /// A sum of products that is multiplied by an argument and added to the last one, an accumulator, and that argument, if
    /// nothing else is computed.
    pub fn scaled_sum(&self) -> Option<(Ref, usize)> {
        let scaled = *self.combined().filter(|terms| terms.len() == 1 && self.further.is_empty())?.first()?;
        self.operands_of(self.result, &[Op::AddF])?;
        let factors = self.operands_of(scaled, &[Op::MulF]).filter(|_| self.uses(scaled) == 1)?;
        let place = factors.into_iter().position(|factor| self.products(factor).is_some())?;
        match factors[1 - place] {
            Ref::Argument(scale) if self.uses(factors[1 - place]) == 1 => Some((factors[place], scale)),
            _ => None,
        }
    }

    /// The products of which a value is the sum.
    fn products(&self, value: Ref) -> Option<Vec<Ref>> {
        if self.uses(value) != 1 {
            return None;
        }
        match self.operands_of(value, &[Op::AddF]) {
            Some([left, right]) => Some([self.products(left)?, self.products(right)?].concat()),
            None => self.operands_of(value, &[Op::MulF]).map(|_| vec![value]),
        }
    }

    /// The computation that adds the products of which a value is the sum to the last argument, one after the other.
    pub fn adding(&self, sum: Ref) -> Option<Computation> {
        let mut instructions = self.instructions.clone();
        let mut result = Ref::Argument(self.arguments.len().checked_sub(1)?);
        let element = self.type_of(sum)?;
        for product in self.products(sum)? {
            instructions.push(Instruction { op: Op::AddF, operands: vec![result, product], results: vec![element] });
            result = Ref::Result(instructions.len() - 1, 0);
        }
        let mut adding = Computation { instructions, result, ..self.clone() };
        adding.drop_unused();
        Some(adding)
    }

    /// Lets another value stand for one wherever that is used.
    pub fn replace(&mut self, value: Ref, other: Ref) {
        let used = self.instructions.iter_mut().flat_map(|instruction| &mut instruction.operands);
        let all = used.chain([&mut self.result]).chain(&mut self.further);
        all.filter(|used| **used == value).for_each(|used| *used = other);
    }

    /// Drops instructions whose results nothing uses.
    pub fn drop_unused(&mut self) {
        for number in (0..self.instructions.len()).rev() {
            let results = self.instructions[number].results.len();
            if (0..results).any(|result| self.uses(Ref::Result(number, result)) > 0) {
                continue;
            }
            self.instructions.remove(number);
            let used = self.instructions.iter_mut().flat_map(|instruction| &mut instruction.operands);
            for value in used.chain([&mut self.result]).chain(&mut self.further) {
                if let Ref::Result(by, _) = value {
                    *by -= usize::from(*by > number);
                }
            }
        }
    }

    /// Whether nothing but the bits of a value are used.
    pub fn is_cast_only(&self, value: Ref) -> bool {
        let reads = |it: &&Instruction| it.operands.contains(&value);
        let is_given = [self.result].iter().chain(&self.further).any(|given| *given == value);
        let mut readers = self.instructions.iter().filter(reads).peekable();
        !is_given && readers.peek().is_some() && readers.all(|it| it.op == Op::Bitcast)
    }

    /// The two operands of what gives a value, if that is one of these operations.
    fn operands_of(&self, value: Ref, ops: &[Op]) -> Option<[Ref; 2]> {
        let instruction = self.made(value)?;
        let known = ops.contains(&instruction.op);
        known.then(|| instruction.operands.as_slice().try_into().ok()).flatten()
    }

    /// The instruction that gives a value as its first result.
    pub fn made(&self, value: Ref) -> Option<&Instruction> {
        match value {
            Ref::Result(number, 0) => self.instructions.get(number),
            _ => None,
        }
    }

    /// The argument that a factor is, or is the extension of.
    fn factor(&self, value: Ref) -> Option<(usize, Number)> {
        let extension = self.made(value).map(|instruction| (instruction.op, instruction.operands.as_slice()));
        let (argument, is_unsigned) = match (value, extension) {
            (Ref::Argument(number), _) => (number, false),
            (_, Some((Op::ExtSI | Op::ExtF, [Ref::Argument(number)]))) => (*number, false),
            (_, Some((Op::ExtUI, [Ref::Argument(number)]))) => (*number, true),
            _ => return None,
        };
        let number = Number::of(*self.arguments.get(argument)?, is_unsigned)?;
        Some((argument, number))
    }

    /// For a search of the first element that is better than all before it, the comparison of an element with the best one so
    /// far: of two accumulators, the element and its index.
    pub fn search(&self) -> Option<Op> {
        let result = |value: Ref, op: Op| self.made(value).filter(|instruction| instruction.op == op);
        let ([found], count) = (self.further.as_slice(), self.arguments.len()) else { return None };
        let (best, place) = (Ref::Argument(count.checked_sub(2)?), Ref::Argument(count - 1));
        let (element, index) = (result(self.result, Op::Select)?, result(*found, Op::Select)?);
        let ([better, new, old], [too, at, before]) = (element.operands.as_slice(), index.operands.as_slice()) else {
            return None;
        };
        let compared = self.made(*better)?;
        let counted = self.made(*result(*at, Op::IndexCast)?.operands.first()?)?;
        let fits = better == too && (*old, *before) == (best, place) && compared.operands == [*new, best];
        (fits && matches!(counted.op, Op::Index(_)) && compared.op.is_strict_comparison()).then_some(compared.op)
    }

    /// Whether it asks for the indices of the point.
    pub fn is_indexed(&self) -> bool {
        self.instructions.iter().any(|instruction| matches!(instruction.op, Op::Index(_)))
    }

    /// Whether it asks for the index along a dimension.
    pub fn asks(&self, dim: usize) -> bool {
        self.instructions.iter().any(|instruction| instruction.op == Op::Index(dim))
    }

    /// Lets the dimensions whose indices it asks for have other numbers.
    pub fn renumber_dims(&mut self, number: impl Fn(usize) -> usize) {
        for instruction in &mut self.instructions {
            if let Op::Index(dim) = &mut instruction.op {
                *dim = number(*dim);
            }
        }
    }

    /// Operands of the kernel that instructions use, or that it gives.
    pub fn operands(&self) -> impl Iterator<Item = usize> {
        let used = self.instructions.iter().flat_map(|instruction| &instruction.operands);
        used.chain([&self.result]).chain(&self.further).filter_map(|used| match used {
            Ref::Operand(operand) => Some(*operand),
            _ => None,
        })
    }

    /// The same, to be changed.
    pub fn operands_mut(&mut self) -> impl Iterator<Item = &mut usize> {
        let used = self.instructions.iter_mut().flat_map(|instruction| &mut instruction.operands);
        used.chain([&mut self.result]).chain(&mut self.further).filter_map(|used| match used {
            Ref::Operand(operand) => Some(operand),
            _ => None,
        })
    }

    /// Operands of the kernel of which instructions fetch elements.
    pub fn fetched(&self) -> impl Iterator<Item = usize> {
        self.instructions.iter().filter(|instruction| instruction.op == Op::Fetch).filter_map(|fetch| {
            match fetch.operands.first() {
                Some(Ref::Operand(operand)) => Some(*operand),
                _ => None,
            }
        })
    }

    /// What it divides by where there may be no quotient, if something.
    pub fn divisors(&self) -> impl Iterator<Item = Ref> {
        let faults = self.instructions.iter().filter(|instruction| instruction.op.facts().faults);
        faults.filter_map(|instruction| instruction.operands.get(1).copied())
    }

    /// The type of a product of floating-point numbers whose only use is a sum, with which it may be rounded once.
    ///
    /// Not next to integers: steps such as 0.02 and 0.015 make sums that lie in the middle between two numbers, often, and then
    /// the last digit decides which of them is next. Weights of few bits whose products are added up are no such steps.
    pub fn added_product(&self, number: usize) -> Option<Element> {
        let product = Ref::Result(number, 0);
        if self.instructions[number].op != Op::MulF || self.uses(product) != 1 {
            return None;
        }
        let uses_it = |instruction: &&Instruction| instruction.operands.contains(&product);
        let is_added = self.instructions.iter().find(uses_it).is_some_and(|sum| sum.op == Op::AddF);
        let is_sum = || self.combiner().is_some_and(|combiner| combiner.op == Op::AddF);
        let reads = |op: Op| matches!(op, Op::SIToFP | Op::UIToFP) && is_sum();
        let rounds = || self.instructions.iter().any(|it| it.op.facts().is_between_integers && !reads(it.op));
        self.type_of(product).filter(|_| is_added && !rounds())
    }
}
