//! Dialects of MLIR, generated under the name `x<dialect>` from MLIR's own declarations.
// Names are upstream's, and what admits everything uses none of what it is given.
#![allow(clippy::all, rustdoc::all, non_camel_case_types, unused_imports, unused_variables)]

pub mod lists;
pub mod patterns;
pub mod regions;
pub mod select;
pub mod shapes;
pub mod support;
pub mod tensors;
pub mod vectors;

macro_rules! dialects {
    ($($name:ident),*) => {
        $(
            #[allow(missing_docs)]
            pub mod $name {
                include!(concat!(env!("OUT_DIR"), "/", stringify!($name), ".rs"));
            }
        )*

        /// All of them.
        pub fn all() -> Vec<skriptnd_ods::mlir::dialect::DialectSpec> {
            vec![$($name::dialect($name::Permissive)),*]
        }
    };
}

dialects!(arith, func, scf, cf, tensor, linalg, memref, vector, tosa, shape, pdl, transform);
