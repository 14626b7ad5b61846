//! The instructions that targets have.

use super::{Atom, Factors, Form, Needs, Vectors};
use crate::nest::element::{Element, Number};

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

pub(super) const S8: Number = Number::Signed(8);
pub(super) const U8: Number = Number::Unsigned(8);
pub(super) const S16: Number = Number::Signed(16);
pub(super) const I32: Element = Element::Integer(32);
pub(super) const F32: Element = Element::Real(32);
/// The longest vectors are of elements that AVX-512 has with `bw`, shorter ones with `vl`.
const VNNI: &[&str] = &["avx512vnni", "avx512vl", "avx512bw"];
const HVX: &[&str] = &["hvxv60", "hvx-length128b"];

/// A product and a sum of reals.
const fn of_reals(name: &'static str, needs: Needs, bits: u32, form: Form) -> Atom {
    Atom { name, needs, factors: [Number::Real(bits), Number::Real(bits)], sum: Element::Real(bits), group: 1, form }
}

/// Products of matrices of bytes, or of words of 16 bits.
const fn of_matrices(name: &'static str, needs: Needs, factors: [Number; 2], function: &'static str) -> Atom {
    let (sum, group) = match factors {
        [Number::BFloat, _] => (F32, 2),
        _ => (I32, 4),
    };
    Atom { name, needs, factors, sum, group, form: Form::Matrices(function) }
}

/// Products of two rows and two columns of bytes.
const fn of_row_pairs(name: &'static str, factors: [Number; 2], function: &'static str) -> Atom {
    Atom { name, needs: &[("aarch64", &["i8mm"])], factors, sum: I32, group: 8, form: Form::RowPairs(function) }
}

const AMX_INT8: Needs = &[("x86_64", &["amx-int8"])];
const AMX_BF16: Needs = &[("x86_64", &["amx-bf16"])];
const EVERYWHERE: Needs = &[("x86_64", &[]), ("aarch64", &[]), ("riscv64", &[]), ("hexagon", &[])];

/// Of several that fit equally well, the best comes first: those that need nothing around them, then wide groups.
pub const ATOMS: &[Atom] = &[
    of_matrices("tdpbssd", AMX_INT8, [S8, S8], "llvm.x86.tdpbssd"),
    of_matrices("tdpbsud", AMX_INT8, [S8, U8], "llvm.x86.tdpbsud"),
    of_matrices("tdpbusd", AMX_INT8, [U8, S8], "llvm.x86.tdpbusd"),
    of_matrices("tdpbuud", AMX_INT8, [U8, U8], "llvm.x86.tdpbuud"),
    of_matrices("tdpbf16ps", AMX_BF16, [Number::BFloat, Number::BFloat], "llvm.x86.tdpbf16ps"),
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
    of_row_pairs("smmla", [S8, S8], "llvm.aarch64.neon.smmla.v4i32.v16i8"),
    of_row_pairs("ummla", [U8, U8], "llvm.aarch64.neon.ummla.v4i32.v16i8"),
    of_row_pairs("usmmla", [U8, S8], "llvm.aarch64.neon.usmmla.v4i32.v16i8"),
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
