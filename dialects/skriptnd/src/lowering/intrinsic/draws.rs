//! Where random numbers without a seed begin: a word that each run is given, mixed with the number of the operation and those of
//! the iterations around it. So they differ from operation to operation, iteration to iteration and run to run.

use super::random::Generator;
use crate::scalars::Scalars as _;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{BlockRef, Builder, Value, types};
use skriptnd_mlir::ops::arith;

/// What the numbers of a function are drawn from.
#[derive(Default)]
pub struct Draws<'c, 'a> {
    /// The function's body, which takes the word.
    entry: Option<BlockRef<'c, 'a>>,
    word: Option<Value<'c, 'a>>,
    /// How many operations have drawn.
    operations: i64,
    /// The numbers of the iterations that are being converted, `i64`, the outermost one first.
    rounds: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Draws<'c, 'a> {
    /// In a function with this body; it takes the word behind its other arguments, from the first operation on that draws.
    pub fn of(entry: BlockRef<'c, 'a>) -> Self {
        Draws { entry: Some(entry), ..Draws::default() }
    }

    /// The argument that is the word, if an operation has drawn.
    pub fn word(&self) -> Option<Value<'c, 'a>> {
        self.word
    }

    /// What follows stands in an iteration of this number.
    pub fn begin_round(&mut self, number: Value<'c, 'a>) {
        self.rounds.push(number);
    }

    /// The iteration is over.
    pub fn end_round(&mut self) {
        self.rounds.pop();
    }

    /// What one more operation draws its numbers from.
    pub fn seed(&mut self, builder: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let word = match (self.word, self.entry) {
            (Some(word), _) => word,
            (None, Some(entry)) => entry.add_argument(types::integer(builder.context(), 64), builder.location()),
            (None, None) => return Err("stands in no function that could be given a seed".into()),
        };
        self.word = Some(word);
        let number = builder.int(self.operations)?;
        self.operations += 1;
        // Words may follow one another: hashed first, they don't meet the numbers of operations.
        let mut generator = Generator { builder: *builder, state: word };
        for part in [number].iter().chain(&self.rounds) {
            let mixed = generator.bits()?;
            generator.state = arith::addi(builder, mixed, *part)?;
        }
        generator.bits()
    }
}
