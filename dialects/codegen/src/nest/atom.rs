//! Atoms: the instructions that multiply and accumulate, as data. The sums that they add to are as wide as one word of a
//! vector; where a word of the factors has several elements, a group, their products are added to one sum.

mod table;

use super::element::{Element, Number};
use crate::target::Target;
use std::cmp::Reverse;
pub use table::ATOMS;

/// Architectures and features, in LLVM's tables, of targets that have something; all of them of one list are needed.
type Needs = &'static [(&'static str, &'static [&'static str])];

/// How a target multiplies and accumulates.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Atom {
    /// The name by which schedules know it.
    pub name: &'static str,
    /// The targets that have it.
    pub needs: Needs,
    /// What is multiplied.
    pub factors: [Number; 2],
    /// What it adds to.
    pub sum: Element,
    /// How many products are added to one sum.
    pub group: i64,
    /// How it is written.
    pub form: Form,
}

/// How an atom is written in LLVM's terms.
#[derive(Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// A product and a sum that are rounded once, for single elements as for vectors: without groups.
    Fused,
    /// A product and a sum one after the other, for which LLVM finds the instructions: without groups.
    Elementwise,
    /// A function of sums and factors.
    Accumulate(Vectors),
    /// A function of factors, whose results are added.
    Products(Vectors),
    /// A function of registers that hold matrices ([`super::matrices`]): rows of groups of the input, which is its first factor, groups of
    /// the filter by columns, and sums.
    Matrices(&'static str),
    /// A function of vectors of sums that have two columns of two rows, of groups of these rows of the input, and of groups of these columns of
    /// the filter.
    RowPairs(&'static str),
}

/// The functions for vectors of several lengths, and how they take their factors.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Vectors {
    /// By the number of sums, short ones first.
    pub intrinsics: &'static [(i64, &'static str)],
    /// The same without sums, where there are such functions.
    pub products: &'static [(i64, &'static str)],
    /// As what they take factors.
    pub factors: Factors,
}

/// As what a function for vectors takes the groups of its factors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Factors {
    /// Two vectors of elements.
    Elements,
    /// Two vectors of words.
    Words,
    /// A vector of words and a word that all its lanes are multiplied with: the group of the input is the second factor.
    VectorAndWord,
}

/// How an atom serves a product of an element of an input, the same for all lanes, and one of a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fit {
    /// Whether the filter is its first factor.
    pub is_swapped: bool,
}

impl Atom {
    /// The one of a name.
    pub fn named(name: &str) -> Option<&'static Atom> {
        ATOMS.iter().find(|atom| atom.name == name)
    }

    /// Those of a target with products in groups, of vectors and of matrices.
    pub fn grouped_of(target: &Target) -> impl Iterator<Item = &'static Atom> {
        ATOMS.iter().filter(|atom| atom.group > 1 && atom.is_of(target))
    }

    /// Those among them that vectors hold.
    fn of_vectors(target: &Target) -> impl Iterator<Item = &'static Atom> {
        Atom::grouped_of(target).filter(|atom| atom.function_of_matrices().is_none())
    }

    /// The best one of vectors for products of an input and a filter, if a target has one with groups. What takes matrices takes them of some
    /// extents only, and these take the same groups.
    pub fn best(target: &Target, numbers: [Number; 2], sum: Element) -> Option<&'static Atom> {
        Atom::of_vectors(target).filter(|atom| atom.fit(numbers, sum).is_some()).min_by_key(Atom::work)
    }

    /// What tells good ones: those of long groups and long vectors have the least.
    fn work(this: &&'static Atom) -> (Reverse<i64>, Reverse<i64>) {
        (Reverse(this.group), Reverse(this.widest()))
    }

    /// The same, where each lane may have groups of its own: of those that take two vectors then.
    pub fn best_for(
        target: &Target,
        numbers: [Number; 2],
        sum: Element,
        has_own_groups: bool,
    ) -> Option<&'static Atom> {
        if !has_own_groups {
            return Atom::best(target, numbers, sum);
        }
        let fits = |atom: &&Atom| atom.takes_own_groups() && atom.fit(numbers, sum).is_some();
        Atom::of_vectors(target).filter(fits).min_by_key(Atom::work)
    }

    /// How a target adds one product of reals to a sum; the first of its rows.
    fn single(target: &Target, element: Element) -> Option<&'static Atom> {
        ATOMS.iter().find(|atom| atom.group == 1 && atom.sum == element && element.is_real() && atom.is_of(target))
    }

    /// Whether a target has it.
    pub fn is_of(&self, target: &Target) -> bool {
        self.needs.iter().any(|(architecture, features)| {
            target.architecture() == *architecture && features.iter().all(|feature| target.has(feature))
        })
    }

    /// How it multiplies an element of an input with one of a filter; none where it would not compute their product.
    pub fn fit(&self, [input, filter]: [Number; 2], sum: Element) -> Option<Fit> {
        let [first, second] = self.factors;
        let takes = |a: Number, b: Number| input.widens_to(a) && filter.widens_to(b);
        if self.function_of_matrices().or(self.function_of_row_pairs()).is_some() {
            return ([input, filter] == self.factors && sum == self.sum).then_some(Fit { is_swapped: false });
        }
        let is_by_word = self.vectors().is_some_and(|vectors| vectors.factors == Factors::VectorAndWord);
        let is_swapped = match (takes(first, second), takes(second, first)) {
            (_, true) if is_by_word => true,
            (true, _) if !is_by_word => false,
            (_, true) => true,
            _ => return None,
        };
        (sum == self.sum).then_some(Fit { is_swapped })
    }

    /// Whether it extends one of the numbers, of input and filter, that it multiplies.
    pub fn extends(&self, numbers: [Number; 2], place: usize) -> bool {
        let taken = |fit: Fit| self.factors[if fit.is_swapped { 1 - place } else { place }];
        let bytes = |number: Number| number.element().bytes();
        self.fit(numbers, self.sum).is_some_and(|fit| bytes(taken(fit)) > bytes(numbers[place]))
    }

    /// Whether each lane of a vector may have a group of its own in both factors.
    pub fn takes_own_groups(&self) -> bool {
        self.vectors().is_some_and(|vectors| vectors.factors != Factors::VectorAndWord)
    }

    /// Whether it takes whole vectors of words.
    pub fn takes_words(&self) -> bool {
        self.vectors().is_some_and(|vectors| vectors.factors == Factors::Words)
    }

    /// The functions that it is; none where products and sums are written one by one.
    pub fn vectors(&self) -> Option<&Vectors> {
        match &self.form {
            Form::Fused | Form::Elementwise | Form::Matrices(_) | Form::RowPairs(_) => None,
            Form::Accumulate(vectors) | Form::Products(vectors) => Some(vectors),
        }
    }

    /// The function that it is, where it takes pairs of rows.
    pub fn function_of_row_pairs(&self) -> Option<&'static str> {
        match self.form {
            Form::RowPairs(function) => Some(function),
            _ => None,
        }
    }

    /// The function that it is, where it takes matrices.
    pub fn function_of_matrices(&self) -> Option<&'static str> {
        match self.form {
            Form::Matrices(function) => Some(function),
            _ => None,
        }
    }

    /// Lanes of its longest vectors.
    pub fn widest(&self) -> i64 {
        self.vectors().and_then(|vectors| vectors.intrinsics.last()).map_or(1, |(lanes, _)| *lanes)
    }

    /// Instructions for a vector of sums. One that takes two vectors of words takes the place of two that take one.
    pub fn operations(&self) -> f64 {
        match &self.form {
            Form::Accumulate(vectors) if vectors.factors != Factors::Words => 1.0,
            Form::RowPairs(_) => 1.0,
            _ => 2.0,
        }
    }
}

/// The reals whose products and sums a target computes by one instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fused([Option<Element>; 3]);

impl Fused {
    /// None of them.
    pub const NONE: Fused = Fused([None; 3]);

    /// Those of a target.
    pub fn of(target: &Target) -> Fused {
        let is_fused = |element: &Element| Atom::single(target, *element).is_some_and(|atom| atom.form == Form::Fused);
        Fused([16, 32, 64].map(|bits| Some(Element::Real(bits)).filter(is_fused)))
    }

    /// Whether they are of this type.
    pub fn has(self, element: Element) -> bool {
        self.0.contains(&Some(element))
    }
}

#[cfg(test)]
mod tests {
    use super::table::{F32, I32, S8, S16, U8};
    use super::*;
    use skriptnd_mlir::llvm::TargetSpec;

    fn target(triple: &str, features: &str) -> Target {
        Target::of(TargetSpec { triple: triple.into(), cpu: String::new(), features: features.into() })
    }

    fn best(target: &Target, numbers: [Number; 2], sum: Element) -> &'static str {
        Atom::best(target, numbers, sum).map_or("none", |atom| atom.name)
    }

    /// The atoms for products of signed bytes, of bytes without sign and with it, of words and of reals of 16 bits.
    fn row(triple: &str, features: &str) -> [&'static str; 4] {
        let target = target(triple, features);
        let pairs = [([S8, S8], I32), ([U8, S8], I32), ([S16, S16], I32), ([Number::BFloat; 2], F32)];
        pairs.map(|(numbers, sum)| best(&target, numbers, sum))
    }

    #[test]
    fn the_best_atom_follows_the_features() {
        let x86 = |features| row("x86_64-unknown-linux-gnu", features);
        let bytes = |name: &'static str, words: &'static str| [words, name, words, "none"];
        assert_eq!(x86(""), bytes("pmaddwd", "pmaddwd"));
        assert_eq!(x86("+avx2"), bytes("vpmaddwd", "vpmaddwd"));
        assert_eq!(x86("+avx512bw"), bytes("vpmaddwd-512", "vpmaddwd-512"));
        assert_eq!(x86("+avxvnni"), bytes("vpdpbusd", "vpdpwssd"));
        assert_eq!(x86("+avx512vnni,+avx512vl,+avx512bw"), bytes("vpdpbusd-512", "vpdpwssd-512"));
        assert_eq!(x86("+avxvnni,+avxvnniint8"), ["vpdpbssd", "vpdpbusd", "vpdpwssd", "none"]);
        assert_eq!(x86("+avx512bf16,+avx512vl")[3], "vdpbf16ps");
        let arm = |features| row("aarch64-unknown-linux-gnu", features);
        assert_eq!(arm(""), ["none"; 4]);
        assert_eq!(arm("+dotprod"), ["sdot", "none", "none", "none"]);
        assert_eq!(arm("+dotprod,+i8mm,+bf16"), ["smmla", "usmmla", "none", "bfdot"]);
        assert_eq!(
            row("hexagon-unknown-linux-musl", "+hvxv68,+hvx-length128b"),
            ["vrmpy.b", "vrmpy.ub.b", "none", "none"]
        );
        assert_eq!(row("riscv64-unknown-linux-gnu", "+v"), ["none"; 4]);
    }

    #[test]
    fn products_and_sums_are_fused_where_an_instruction_does_both() {
        let fused = |triple: &str, features: &str| {
            let fused = Fused::of(&target(triple, features));
            [16, 32, 64].map(|bits| fused.has(Element::Real(bits)))
        };
        let x86 = |features| fused("x86_64-unknown-linux-gnu", features);
        assert_eq!([x86(""), x86("+fma"), x86("+avx512fp16")], [[false; 3], [false, true, true], [true; 3]]);
        let arm = |features| fused("aarch64-unknown-linux-gnu", features);
        assert_eq!([arm(""), arm("+fullfp16")], [[false, true, true], [true; 3]]);
        let riscv = |features| fused("riscv64-unknown-linux-gnu", features);
        assert_eq!([riscv("+f"), riscv("+f,+d")], [[false, true, false], [false, true, true]]);
        assert_eq!(fused("hexagon-unknown-linux-musl", ""), [false, true, false]);
        assert!(!Fused::of(&target("x86_64-unknown-linux-gnu", "+fma")).has(Element::BFloat));
    }

    #[test]
    fn factors_may_be_swapped_or_widened() {
        let fit = |name, numbers| Atom::named(name).unwrap().fit(numbers, I32);
        let (plain, swapped) = (Fit { is_swapped: false }, Fit { is_swapped: true });
        assert_eq!(fit("vpdpbusd", [U8, S8]), Some(plain));
        assert_eq!(fit("vpdpbusd", [S8, U8]), Some(swapped));
        assert_eq!(fit("vpdpbusd", [S8, S8]), None);
        assert_eq!(fit("vrmpy.ub.rb", [S8, U8]), Some(swapped));
        assert_eq!(fit("vrmpy.ub.rub", [U8, U8]), Some(swapped));
        assert_eq!(fit("vrmpy.ub.rb", [U8, S8]), None);
        assert_eq!(fit("vpdpbusd", [U8, U8]), None);
        assert_eq!(fit("vpmaddwd", [S8, U8]), Some(plain));
        assert_eq!(fit("vpmaddwd", [Number::Unsigned(16), S8]), None);
    }

    #[test]
    fn names_tell_atoms_apart() {
        for atom in ATOMS {
            assert_eq!(Atom::named(atom.name), Some(atom));
            let of_several = atom.function_of_matrices().or(atom.function_of_row_pairs());
            let has_function = atom.vectors().is_some() || of_several.is_some();
            assert_eq!(atom.group > 1, has_function, "{}", atom.name);
        }
    }
}
