//! Atoms: the instructions that multiply and accumulate, as data. The sums that they add to are as wide as one word of a
//! vector; where a word of the factors has several elements, a group, their products are added to one sum.

use super::element::{Element, Number};
use crate::target::Target;

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

const fn vectors(intrinsics: &'static [(i64, &'static str)]) -> Vectors {
    Vectors { intrinsics, products: &[], factors: Factors::Elements }
}

const fn accumulate(intrinsics: &'static [(i64, &'static str)]) -> Form {
    Form::Accumulate(vectors(intrinsics))
}

const fn words(intrinsics: &'static [(i64, &'static str)], products: &'static [(i64, &'static str)]) -> Form {
    Form::Accumulate(Vectors { intrinsics, products, factors: Factors::Words })
}

const fn by_word(intrinsics: &'static [(i64, &'static str)]) -> Form {
    Form::Accumulate(Vectors { intrinsics, products: &[], factors: Factors::VectorAndWord })
}

const S8: Number = Number::Signed(8);
const U8: Number = Number::Unsigned(8);
const S16: Number = Number::Signed(16);
const I32: Element = Element::Integer(32);
const F32: Element = Element::Real(32);
/// The longest vectors are of elements that AVX-512 has with `bw`, shorter ones with `vl`.
const VNNI: &[&str] = &["avx512vnni", "avx512vl", "avx512bw"];
const HVX: &[&str] = &["hvxv60", "hvx-length128b"];

/// A product and a sum of reals.
const fn of_reals(name: &'static str, needs: Needs, bits: u32, form: Form) -> Atom {
    Atom { name, needs, factors: [Number::Real(bits), Number::Real(bits)], sum: Element::Real(bits), group: 1, form }
}

const EVERYWHERE: Needs = &[("x86_64", &[]), ("aarch64", &[]), ("riscv64", &[]), ("hexagon", &[])];

/// Of several that fit equally well, the best comes first: those that need nothing around them, then wide groups.
pub const ATOMS: &[Atom] = &[
    of_reals(
        "fma",
        &[("x86_64", &["fma"]), ("x86_64", &["avx512f"]), ("aarch64", &[]), ("riscv64", &["f"]), ("hexagon", &[])],
        32,
        Form::Fused,
    ),
    of_reals(
        "fma.f64",
        &[("x86_64", &["fma"]), ("x86_64", &["avx512f"]), ("aarch64", &[]), ("riscv64", &["d"])],
        64,
        Form::Fused,
    ),
    of_reals(
        "fma.f16",
        &[("x86_64", &["avx512fp16"]), ("aarch64", &["fullfp16"]), ("riscv64", &["zvfh", "zfh"])],
        16,
        Form::Fused,
    ),
    of_reals("mul-add", EVERYWHERE, 32, Form::Elementwise),
    of_reals("mul-add.f64", EVERYWHERE, 64, Form::Elementwise),
    of_reals("mul-add.f16", EVERYWHERE, 16, Form::Elementwise),
    Atom {
        name: "vpdpbssd",
        needs: &[("x86_64", &["avxvnniint8"])],
        factors: [S8, S8],
        sum: I32,
        group: 4,
        form: accumulate(&[(4, "llvm.x86.avx2.vpdpbssd.128"), (8, "llvm.x86.avx2.vpdpbssd.256")]),
    },
    Atom {
        name: "vpdpbuud",
        needs: &[("x86_64", &["avxvnniint8"])],
        factors: [U8, U8],
        sum: I32,
        group: 4,
        form: accumulate(&[(4, "llvm.x86.avx2.vpdpbuud.128"), (8, "llvm.x86.avx2.vpdpbuud.256")]),
    },
    Atom {
        name: "vpdpbusd-512",
        needs: &[("x86_64", VNNI)],
        factors: [U8, S8],
        sum: I32,
        group: 4,
        form: accumulate(&[
            (4, "llvm.x86.avx512.vpdpbusd.128"),
            (8, "llvm.x86.avx512.vpdpbusd.256"),
            (16, "llvm.x86.avx512.vpdpbusd.512"),
        ]),
    },
    Atom {
        name: "vpdpbusd",
        needs: &[("x86_64", &["avxvnni"]), ("x86_64", VNNI)],
        factors: [U8, S8],
        sum: I32,
        group: 4,
        form: accumulate(&[(4, "llvm.x86.avx512.vpdpbusd.128"), (8, "llvm.x86.avx512.vpdpbusd.256")]),
    },
    Atom {
        name: "vpdpwssd-512",
        needs: &[("x86_64", VNNI)],
        factors: [S16, S16],
        sum: I32,
        group: 2,
        form: accumulate(&[
            (4, "llvm.x86.avx512.vpdpwssd.128"),
            (8, "llvm.x86.avx512.vpdpwssd.256"),
            (16, "llvm.x86.avx512.vpdpwssd.512"),
        ]),
    },
    Atom {
        name: "vpdpwssd",
        needs: &[("x86_64", &["avxvnni"]), ("x86_64", VNNI)],
        factors: [S16, S16],
        sum: I32,
        group: 2,
        form: accumulate(&[(4, "llvm.x86.avx512.vpdpwssd.128"), (8, "llvm.x86.avx512.vpdpwssd.256")]),
    },
    Atom {
        name: "vpmaddwd-512",
        needs: &[("x86_64", &["avx512bw"])],
        factors: [S16, S16],
        sum: I32,
        group: 2,
        form: Form::Products(vectors(&[
            (4, "llvm.x86.sse2.pmadd.wd"),
            (8, "llvm.x86.avx2.pmadd.wd"),
            (16, "llvm.x86.avx512.pmaddw.d.512"),
        ])),
    },
    Atom {
        name: "vpmaddwd",
        needs: &[("x86_64", &["avx2"])],
        factors: [S16, S16],
        sum: I32,
        group: 2,
        form: Form::Products(vectors(&[(4, "llvm.x86.sse2.pmadd.wd"), (8, "llvm.x86.avx2.pmadd.wd")])),
    },
    Atom {
        name: "pmaddwd",
        needs: &[("x86_64", &[])],
        factors: [S16, S16],
        sum: I32,
        group: 2,
        form: Form::Products(vectors(&[(4, "llvm.x86.sse2.pmadd.wd")])),
    },
    Atom {
        name: "vdpbf16ps",
        needs: &[("x86_64", &["avx512bf16", "avx512vl"])],
        factors: [Number::BFloat, Number::BFloat],
        sum: F32,
        group: 2,
        form: accumulate(&[
            (4, "llvm.x86.avx512bf16.dpbf16ps.128"),
            (8, "llvm.x86.avx512bf16.dpbf16ps.256"),
            (16, "llvm.x86.avx512bf16.dpbf16ps.512"),
        ]),
    },
    Atom {
        name: "sdot",
        needs: &[("aarch64", &["dotprod"])],
        factors: [S8, S8],
        sum: I32,
        group: 4,
        form: accumulate(&[(2, "llvm.aarch64.neon.sdot.v2i32.v8i8"), (4, "llvm.aarch64.neon.sdot.v4i32.v16i8")]),
    },
    Atom {
        name: "udot",
        needs: &[("aarch64", &["dotprod"])],
        factors: [U8, U8],
        sum: I32,
        group: 4,
        form: accumulate(&[(2, "llvm.aarch64.neon.udot.v2i32.v8i8"), (4, "llvm.aarch64.neon.udot.v4i32.v16i8")]),
    },
    Atom {
        name: "usdot",
        needs: &[("aarch64", &["i8mm"])],
        factors: [U8, S8],
        sum: I32,
        group: 4,
        form: accumulate(&[(2, "llvm.aarch64.neon.usdot.v2i32.v8i8"), (4, "llvm.aarch64.neon.usdot.v4i32.v16i8")]),
    },
    Atom {
        name: "bfdot",
        needs: &[("aarch64", &["bf16"])],
        factors: [Number::BFloat, Number::BFloat],
        sum: F32,
        group: 2,
        form: accumulate(&[(2, "llvm.aarch64.neon.bfdot.v2f32.v4bf16"), (4, "llvm.aarch64.neon.bfdot.v4f32.v8bf16")]),
    },
    Atom {
        name: "vwmacc",
        needs: &[("riscv64", &["v"])],
        factors: [S16, S16],
        sum: I32,
        group: 1,
        form: Form::Elementwise,
    },
    Atom {
        name: "vrmpy.ub.rub",
        needs: &[("hexagon", HVX)],
        factors: [U8, U8],
        sum: I32,
        group: 4,
        form: by_word(&[(32, "llvm.hexagon.V6.vrmpyub.acc.128B")]),
    },
    Atom {
        name: "vrmpy.ub.rb",
        needs: &[("hexagon", HVX)],
        factors: [U8, S8],
        sum: I32,
        group: 4,
        form: by_word(&[(32, "llvm.hexagon.V6.vrmpybus.acc.128B")]),
    },
    Atom {
        name: "vrmpy.b",
        needs: &[("hexagon", HVX)],
        factors: [S8, S8],
        sum: I32,
        group: 4,
        form: words(&[(32, "llvm.hexagon.V6.vrmpybv.acc.128B")], &[(32, "llvm.hexagon.V6.vrmpybv.128B")]),
    },
    Atom {
        name: "vrmpy.ub.b",
        needs: &[("hexagon", HVX)],
        factors: [U8, S8],
        sum: I32,
        group: 4,
        form: words(&[(32, "llvm.hexagon.V6.vrmpybusv.acc.128B")], &[(32, "llvm.hexagon.V6.vrmpybusv.128B")]),
    },
    Atom {
        name: "vrmpy.ub",
        needs: &[("hexagon", HVX)],
        factors: [U8, U8],
        sum: I32,
        group: 4,
        form: words(&[(32, "llvm.hexagon.V6.vrmpyubv.acc.128B")], &[(32, "llvm.hexagon.V6.vrmpyubv.128B")]),
    },
];

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

    /// Those of a target with products in groups.
    pub fn grouped_of(target: &Target) -> impl Iterator<Item = &'static Atom> {
        ATOMS.iter().filter(|atom| atom.group > 1 && atom.is_of(target))
    }

    /// The best one of a target for products of an input and a filter, if there is one with groups.
    pub fn best(target: &Target, numbers: [Number; 2], sum: Element) -> Option<&'static Atom> {
        let work = |atom: &&Atom| (std::cmp::Reverse(atom.group), std::cmp::Reverse(atom.widest()));
        Atom::grouped_of(target).filter(|atom| atom.fit(numbers, sum).is_some()).min_by_key(work)
    }

    /// The same, where each lane may have groups of its own: of those that take two vectors of words then.
    pub fn best_for(
        target: &Target,
        numbers: [Number; 2],
        sum: Element,
        has_own_groups: bool,
    ) -> Option<&'static Atom> {
        if !has_own_groups {
            return Atom::best(target, numbers, sum);
        }
        let takes_words = |atom: &&Atom| atom.vectors().is_some_and(|vectors| vectors.factors == Factors::Words);
        Atom::grouped_of(target).filter(takes_words).find(|atom| atom.fit(numbers, sum).is_some())
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

    /// The functions that it is; none where products and sums are written one by one.
    pub fn vectors(&self) -> Option<&Vectors> {
        match &self.form {
            Form::Fused | Form::Elementwise => None,
            Form::Accumulate(vectors) | Form::Products(vectors) => Some(vectors),
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
        assert_eq!(arm("+dotprod,+i8mm,+bf16"), ["sdot", "usdot", "none", "bfdot"]);
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
            assert_eq!(atom.group > 1, atom.vectors().is_some(), "{}", atom.name);
        }
    }
}
