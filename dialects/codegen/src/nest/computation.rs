//! Scalar computations as data: the body of a structured operation, instruction by instruction.

use skriptnd_mlir::ir::{Type, types};
use skriptnd_mlir::ops::arith::{FloatPredicate, IntegerPredicate};
use skriptnd_mlir::ops::vector::CombiningKind;
use skriptnd_mlir::ops::{arith, linalg, math, memref};
use std::fmt;

/// The type of a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Element {
    /// A floating-point number of IEEE 754 with so many bits.
    Real(u32),
    /// The upper half of an f32.
    BFloat,
    /// An integer with so many bits.
    Integer(u32),
    /// An index.
    Index,
}

impl Element {
    /// The scalar type of the IR as data; none for types that kernels don't have.
    pub fn of(r#type: Type<'_>) -> Option<Element> {
        if r#type.is_index() {
            return Some(Element::Index);
        }
        let width = types::width(r#type)?;
        let element = match () {
            () if r#type.is_integer() => Element::Integer(width),
            () if r#type.is_float() && width == 16 && r#type.to_string() == "bf16" => Element::BFloat,
            () => Element::Real(width),
        };
        // Signed integers, and floating-point numbers of other formats, print in another way.
        (element.to_string() == r#type.to_string()).then_some(element)
    }

    /// Whether it is a floating-point number.
    pub fn is_real(self) -> bool {
        matches!(self, Element::Real(_) | Element::BFloat)
    }

    /// Bytes in memory.
    pub fn bytes(self) -> i64 {
        match self {
            Element::Real(bits) | Element::Integer(bits) => i64::from(bits.div_ceil(8)),
            Element::BFloat => 2,
            Element::Index => 8,
        }
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Element::Real(bits) => write!(f, "f{bits}"),
            Element::BFloat => write!(f, "bf16"),
            Element::Integer(bits) => write!(f, "i{bits}"),
            Element::Index => write!(f, "index"),
        }
    }
}

/// What a factor of a product is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Number {
    /// An integer with a sign and so many bits.
    Signed(u32),
    /// An integer without a sign and so many bits.
    Unsigned(u32),
    /// A floating-point number of IEEE 754 with so many bits.
    Real(u32),
    /// The upper half of an f32.
    BFloat,
}

impl Number {
    /// What elements of a type are; none for indices.
    pub fn of(element: Element, is_unsigned: bool) -> Option<Number> {
        match element {
            Element::Integer(bits) if is_unsigned => Some(Number::Unsigned(bits)),
            Element::Integer(bits) => Some(Number::Signed(bits)),
            Element::Real(bits) => Some(Number::Real(bits)),
            Element::BFloat => Some(Number::BFloat),
            Element::Index => None,
        }
    }

    /// Whether the other has all its values as integers.
    pub fn widens_to(self, other: Number) -> bool {
        match (self, other) {
            (Number::Signed(bits), Number::Signed(wide)) | (Number::Unsigned(bits), Number::Unsigned(wide)) => {
                bits <= wide
            }
            (Number::Unsigned(bits), Number::Signed(wide)) => bits < wide,
            _ => self == other,
        }
    }

    /// Its type.
    pub fn element(self) -> Element {
        match self {
            Number::Signed(bits) | Number::Unsigned(bits) => Element::Integer(bits),
            Number::Real(bits) => Element::Real(bits),
            Number::BFloat => Element::BFloat,
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Signed(bits) => write!(f, "s{bits}"),
            Number::Unsigned(bits) => write!(f, "u{bits}"),
            Number::Real(_) | Number::BFloat => write!(f, "{}", self.element()),
        }
    }
}

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

/// An operation on scalars.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// The name of the operation.
    pub name: String,
    /// What it uses.
    pub operands: Vec<Ref>,
    /// Its attributes, as MLIR writes them.
    pub attributes: Vec<(String, String)>,
    /// The types of its results.
    pub results: Vec<Element>,
}

impl Instruction {
    /// An attribute that is an integer.
    pub fn integer(&self, name: &str) -> Option<i64> {
        let (_, value) = self.attributes.iter().find(|(own, _)| own == name)?;
        value.split_whitespace().next()?.parse().ok()
    }

    /// Whether it compares two numbers, and equal ones do not hold.
    fn is_strict(&self) -> bool {
        let predicates = match self.name.as_str() {
            arith::CMPF => [FloatPredicate::Ogt as i64, FloatPredicate::Olt as i64],
            arith::CMPI => [IntegerPredicate::Sgt as i64, IntegerPredicate::Slt as i64],
            _ => return false,
        };
        self.integer("predicate").is_some_and(|predicate| predicates.contains(&predicate))
    }
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

/// An associative operation with its neutral element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Combiner {
    /// The name of the operation that combines two values.
    pub operation: &'static str,
    /// How it combines the lanes of a vector.
    pub kind: CombiningKind,
    /// What changes nothing.
    pub neutral: Neutral,
}

/// How vectors of partial results become one.
#[derive(Clone, Copy)]
pub enum Combined<'k> {
    /// By an operation.
    By(Combiner),
    /// Each lane has searched; the comparison that it made.
    Search(&'k Instruction),
}

/// A neutral element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Neutral {
    /// Of floating-point numbers.
    Real(f64),
    /// Of integers: of those with fewer bits, the low ones.
    Integer(i64),
}

const COMBINERS: &[Combiner] = &[
    Combiner { operation: arith::ADDF, kind: CombiningKind::Add, neutral: Neutral::Real(0.0) },
    Combiner { operation: arith::MULF, kind: CombiningKind::Mul, neutral: Neutral::Real(1.0) },
    Combiner { operation: arith::MAXIMUMF, kind: CombiningKind::Maximumf, neutral: Neutral::Real(f64::NEG_INFINITY) },
    Combiner { operation: arith::MINIMUMF, kind: CombiningKind::Minimumf, neutral: Neutral::Real(f64::INFINITY) },
    Combiner { operation: arith::MAXNUMF, kind: CombiningKind::Maxnumf, neutral: Neutral::Real(f64::NEG_INFINITY) },
    Combiner { operation: arith::MINNUMF, kind: CombiningKind::Minnumf, neutral: Neutral::Real(f64::INFINITY) },
    Combiner { operation: arith::ADDI, kind: CombiningKind::Add, neutral: Neutral::Integer(0) },
    Combiner { operation: arith::MULI, kind: CombiningKind::Mul, neutral: Neutral::Integer(1) },
    Combiner { operation: arith::MAXSI, kind: CombiningKind::Maxsi, neutral: Neutral::Integer(i64::MIN) },
    Combiner { operation: arith::MINSI, kind: CombiningKind::Minsi, neutral: Neutral::Integer(i64::MAX) },
    Combiner { operation: arith::ANDI, kind: CombiningKind::And, neutral: Neutral::Integer(-1) },
    Combiner { operation: arith::ORI, kind: CombiningKind::Or, neutral: Neutral::Integer(0) },
    Combiner { operation: arith::XORI, kind: CombiningKind::Xor, neutral: Neutral::Integer(0) },
];

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

    /// How the last argument, an accumulator, is combined with what is computed from the others, if it is used for that
    /// only.
    pub fn combiner(&self) -> Option<Combiner> {
        let Ref::Result(number, 0) = self.result else { return None };
        if !self.further.is_empty() {
            return None;
        }
        let last = &self.instructions[number];
        let accumulator = Ref::Argument(self.arguments.len().checked_sub(1)?);
        let combined = last.operands.iter().filter(|operand| **operand == accumulator).count() == 1;
        let alone = combined && self.uses(accumulator) == 1;
        let element = *last.results.first()?;
        // Neutral elements of the largest and the smallest are those of 64 bits.
        let is_bound = matches!(last.name.as_str(), arith::MAXSI | arith::MINSI);
        let fits = !is_bound || element == Element::Integer(64);
        COMBINERS.iter().find(|known| alone && fits && known.operation == last.name).copied()
    }

    /// The product of two arguments that is added to the last one, an accumulator, if nothing else is computed.
    pub fn product_sum(&self) -> Option<ProductSum> {
        let accumulator = self.arguments.len().checked_sub(1).filter(|_| self.further.is_empty())?;
        let added = self.operands_of(self.result, &[arith::ADDF, arith::ADDI])?;
        let place = added.iter().position(|value| *value == Ref::Argument(accumulator))?;
        let factors = self.operands_of(added[1 - place], &[arith::MULF, arith::MULI])?;
        let factors = [self.factor(factors[0])?, self.factor(factors[1])?];
        let apart = factors.iter().all(|(argument, _)| *argument != accumulator) && factors[0].0 != factors[1].0;
        apart.then_some(ProductSum { factors, sum: self.type_of(self.result)? })
    }

    /// The two operands of what gives a value, if that is one of these operations.
    fn operands_of(&self, value: Ref, names: &[&str]) -> Option<[Ref; 2]> {
        let instruction = self.instruction_of(value)?;
        let known = names.contains(&instruction.name.as_str());
        known.then(|| instruction.operands.as_slice().try_into().ok()).flatten()
    }

    fn instruction_of(&self, value: Ref) -> Option<&Instruction> {
        match value {
            Ref::Result(number, 0) => self.instructions.get(number),
            _ => None,
        }
    }

    /// The argument that a factor is, or is the extension of.
    fn factor(&self, value: Ref) -> Option<(usize, Number)> {
        let extension =
            self.instruction_of(value).map(|instruction| (instruction.name.as_str(), instruction.operands.as_slice()));
        let (argument, is_unsigned) = match (value, extension) {
            (Ref::Argument(number), _) => (number, false),
            (_, Some((arith::EXTSI | arith::EXTF, [Ref::Argument(number)]))) => (*number, false),
            (_, Some((arith::EXTUI, [Ref::Argument(number)]))) => (*number, true),
            _ => return None,
        };
        let number = Number::of(*self.arguments.get(argument)?, is_unsigned)?;
        Some((argument, number))
    }

    /// For a search of the first element that is better than all before it, the comparison of an element with the best one so
    /// far: of two accumulators, the element and its index.
    pub fn search(&self) -> Option<&Instruction> {
        let result = |value: Ref, name: &str| match value {
            Ref::Result(number, 0) => self.instructions.get(number).filter(|instruction| instruction.name == name),
            _ => None,
        };
        let ([found], count) = (self.further.as_slice(), self.arguments.len()) else { return None };
        let (best, place) = (Ref::Argument(count.checked_sub(2)?), Ref::Argument(count - 1));
        let (element, index) = (result(self.result, arith::SELECT)?, result(*found, arith::SELECT)?);
        let ([better, new, old], [too, at, before]) = (element.operands.as_slice(), index.operands.as_slice()) else {
            return None;
        };
        let compared = result(*better, arith::CMPF).or_else(|| result(*better, arith::CMPI))?;
        let counts = result(result(*at, arith::INDEX_CAST)?.operands[0], linalg::INDEX).is_some();
        let fits = better == too && (*old, *before) == (best, place) && compared.operands == [*new, best];
        (fits && counts && compared.is_strict()).then_some(compared)
    }

    /// Whether it asks for the indices of the point.
    pub fn is_indexed(&self) -> bool {
        self.instructions.iter().any(|instruction| instruction.name == linalg::INDEX)
    }

    /// Operands of the kernel of which instructions fetch elements.
    pub fn fetched(&self) -> impl Iterator<Item = usize> {
        self.instructions.iter().filter(|instruction| instruction.name == memref::LOAD).filter_map(|fetch| match fetch
            .operands
            .first()
        {
            Some(Ref::Operand(operand)) => Some(*operand),
            _ => None,
        })
    }

    /// Whether every instruction works on vectors lane by lane.
    pub fn is_vectorizable(&self) -> bool {
        self.instructions.iter().all(|instruction| {
            let name = instruction.name.as_str();
            name.starts_with("arith.") || name.starts_with("math.") || name == linalg::INDEX || name == memref::LOAD
        })
    }

    /// Whether it may be computed for lanes that stand for no point: quotients of integers may not.
    pub fn is_total(&self) -> bool {
        let traps = |name: &str| name.starts_with("arith.") && ["div", "rem"].iter().any(|part| name.contains(part));
        let real = |results: &[Element]| results.iter().all(|result| result.is_real());
        self.instructions.iter().all(|instruction| !traps(&instruction.name) || real(&instruction.results))
    }

    /// Whether it makes real numbers whole or whole ones real, as quantization does, or the choice of an element.
    fn is_between_integers(&self) -> bool {
        let conversions = [arith::FPTOSI, arith::SITOFP, arith::UITOFP, math::ROUND, math::FLOOR, math::CEIL];
        self.instructions.iter().any(|instruction| conversions.contains(&instruction.name.as_str()))
    }

    /// The type of a product of floating-point numbers whose only use is a sum, with which it may be rounded once.
    ///
    /// Not next to integers: steps such as 0.02 and 0.015 make sums that lie in the middle between two numbers, often, and then
    /// the last digit decides which of them is next.
    pub fn added_product(&self, number: usize) -> Option<Element> {
        if self.is_between_integers() {
            return None;
        }
        let product = Ref::Result(number, 0);
        let uses_it = |instruction: &&Instruction| instruction.operands.contains(&product);
        let is_added = self.instructions[number].name == arith::MULF
            && self.uses(product) == 1
            && self.instructions.iter().find(uses_it).is_some_and(|sum| sum.name == arith::ADDF);
        self.type_of(product).filter(|_| is_added)
    }
}
