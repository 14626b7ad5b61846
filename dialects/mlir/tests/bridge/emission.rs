//! From MLIR to LLVM IR and objects.

use skriptnd_mlir::llvm::{Emission, LlvmModule, OptimizationOptions, TargetSpec};
use skriptnd_mlir::{ir, pass, transform};

use crate::toy::{context, parse};

const SQUARES: &str = "
func.func @sum_of_squares(%x: memref<64xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %sum = scf.for %i = %c0 to %c64 step %c1 iter_args(%acc = %zero) -> f32 {
    %v = memref.load %x[%i] : memref<64xf32>
    %square = arith.mulf %v, %v fastmath<fast> : f32
    %next = arith.addf %acc, %square fastmath<fast> : f32
    scf.yield %next : f32
  }
  return %sum : f32
}";

const TO_LLVM: &str = "builtin.module(convert-scf-to-cf,finalize-memref-to-llvm,convert-func-to-llvm,\
                       convert-arith-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)";

fn compiled(target: &TargetSpec) -> LlvmModule {
    let context = context();
    let mut module = parse(&context, SQUARES);
    pass::run(&mut module, TO_LLVM, &Default::default()).unwrap();
    let mut llvm = LlvmModule::translate(&module, "squares").unwrap();
    let options = OptimizationOptions {
        loop_vectorization: true,
        function_attributes: vec![("prefer-vector-width".into(), "512".into())],
    };
    llvm.optimize(target, &options).unwrap();
    llvm
}

fn target(triple: &str, cpu: &str, features: &str) -> TargetSpec {
    TargetSpec { triple: triple.into(), cpu: cpu.into(), features: features.into() }
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

#[test]
fn objects_are_for_their_machine() {
    // The machine's number in the ELF header.
    for (target, machine) in [
        (TargetSpec::host(), if cfg!(target_arch = "aarch64") { 183u16 } else { 62 }),
        (target("aarch64-unknown-linux-gnu", "", ""), 183),
        (target("riscv64-unknown-linux-gnu", "", "+m,+a,+f,+d"), 243),
        (target("hexagon-unknown-linux-musl", "hexagonv67", ""), 164),
    ] {
        let object = compiled(&target).emit(&target, Emission::Object).unwrap();
        assert_eq!(&object[..4], b"\x7fELF");
        assert_eq!(u16::from_le_bytes([object[18], object[19]]), machine, "{}", target.triple);
    }
}

#[test]
fn wide_vectors_are_used_when_asked_for() {
    let target = target("x86_64-unknown-linux-gnu", "x86-64-v4", "");
    let llvm = compiled(&target);
    let ir = text(llvm.emit(&target, Emission::Ir).unwrap());
    assert!(ir.contains("\"prefer-vector-width\"=\"512\"") && ir.contains("<16 x float>"), "{ir}");
    let assembly = text(llvm.emit(&target, Emission::Assembly).unwrap());
    assert!(assembly.contains("zmm") && assembly.contains("sum_of_squares:"), "{assembly}");
}

#[test]
fn bitcode_and_text_read_back_and_link() {
    let target = TargetSpec::host();
    let llvm = compiled(&target);
    assert_eq!(&llvm.emit(&target, Emission::Bitcode).unwrap()[..2], b"BC");
    let mut other = LlvmModule::parse("define i32 @seven() {\n ret i32 7\n}\n", "seven.ll").unwrap();
    other.link(llvm).unwrap();
    let ir = text(other.emit(&target, Emission::Ir).unwrap());
    assert!(ir.contains("@seven") && ir.contains("@sum_of_squares"), "{ir}");
}

#[test]
fn what_cannot_be_translated_is_refused() {
    let context = context();
    let module = parse(&context, "func.func @f() { return }");
    let Err(error) = LlvmModule::translate(&module, "f") else { panic!("accepted") };
    assert!(error.to_string().contains("func.func"), "{error}");
    assert!(LlvmModule::parse("define nonsense", "x.ll").is_err());
    for (target, reason) in [
        (target("vax-unknown-unknown", "", ""), "No available targets are compatible with triple"),
        (target("x86_64-unknown-linux-gnu", "z80", ""), "`x86_64-unknown-linux-gnu` has no processor `z80`"),
        (target("x86_64-unknown-linux-gnu", "", "+avx2,+wings"), "`x86_64-unknown-linux-gnu` has no feature `wings`"),
        (target("x86_64-unknown-linux-gnu", "i386", ""), "has no processor `i386`; the nearest are `"),
        (target("x86_64-unknown-linux-gnu", "yonah", ""), "has no processor `yonah`"),
        (target("x86_64-unknown-linux-gnu", "", "+32bit-mode"), "has no feature `32bit-mode`"),
        (target("x86_64-unknown-linux-gnu", "znver3", "+soft-float"), "has no feature `soft-float`"),
        (target("x86_64-unknown-linux-gnu", "", "-sse2"), "can't be without the feature `sse2`"),
        (target("riscv64-unknown-linux-gnu", "sifive-e31", ""), "has no processor `sifive-e31`"),
        (target("riscv64-unknown-linux-gnu", "", "+32bit"), "has no feature `32bit`"),
        (target("riscv64-unknown-linux-gnu", "", "+f,+zfinx"), "'f' and 'zfinx' extensions are incompatible"),
        (target("aarch64-unknown-linux-gnu", "", "+reserve-x3"), "has no feature `reserve-x3`"),
        (target("x86_64\0", "", ""), "the target's triple contains a zero"),
    ] {
        let error = target.data_layout().unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}

/// LLVM ends the process where it can't make code for a processor.
#[test]
fn code_is_made_for_every_processor_that_is_not_refused() {
    for triple in [
        "x86_64-unknown-linux-gnu",
        "aarch64-unknown-linux-gnu",
        "riscv64-unknown-linux-gnu",
        "hexagon-unknown-linux-musl",
    ] {
        let processors = target(triple, "", "").processors();
        assert!(processors.len() > 5, "{processors:?}");
        for cpu in processors {
            let target = target(triple, &cpu, "");
            let module = LlvmModule::parse("define void @f() {\n ret void\n}\n", "f.ll").unwrap();
            assert!(module.emit(&target, Emission::Object).is_ok(), "{triple} {cpu}");
        }
        for feature in target(triple, "", "").known_features() {
            let target = target(triple, "", &format!("+{feature}"));
            let module = LlvmModule::parse("define void @f() {\n ret void\n}\n", "f.ll").unwrap();
            if target.check_processor().is_ok() {
                assert!(module.emit(&target, Emission::Object).is_ok(), "{triple} {feature}");
            }
        }
    }
}

#[test]
fn targets_know_their_layout() {
    let hexagon = target("hexagon-unknown-linux-musl", "", "");
    assert_eq!(hexagon.pointer_width().unwrap(), 32);
    assert!(hexagon.data_layout().unwrap().contains("p:32:32"));
    assert_eq!(target("x86_64-unknown-linux-gnu", "", "").pointer_width().unwrap(), 64);
    assert!(!TargetSpec::host().cpu.is_empty());
}

const MATMUL: &str = "
func.func @matmul(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>, %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>) outs(%c : tensor<32x32xf32>)
    -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}";

#[test]
fn transform_sequences_tile_the_payload() {
    let sequence = "
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @tile(%root: !transform.any_op {transform.readonly}) {
        %matmul = transform.structured.match ops{[\"linalg.matmul\"]} in %root
          : (!transform.any_op) -> !transform.any_op
        %tiled, %loops:2 = transform.structured.tile_using_for %matmul tile_sizes [8, 16]
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
        transform.yield
      }
    }";
    let context = context();
    let mut module = parse(&context, MATMUL);
    transform::apply(&mut module.root(), sequence, "tile.mlir", "tile").unwrap();
    assert_eq!(ir::operations_named(module.as_operation(), "scf.for").len(), 2);
    for (sequence, entry, reason) in [
        (sequence, "nowhere", "no named sequence @nowhere"),
        ("module {}", "tile", "with_named_sequence"),
        (&sequence.replace("[8, 16]", "[8, 16, 4, 2]"), "tile", "tile.mlir:"),
    ] {
        let error = transform::apply(&mut parse(&context, MATMUL).root(), sequence, "tile.mlir", entry).unwrap_err();
        assert!(error.to_string().contains(reason), "{error}");
    }
}

#[test]
fn math_functions_become_polynomials() {
    let context = context();
    let mut module = parse(
        &context,
        "func.func @f(%x: vector<8xf32>) -> vector<8xf32> { %0 = math.exp %x : vector<8xf32> return %0 : vector<8xf32> }",
    );
    transform::approximate_math(&mut module.root()).unwrap();
    let text = module.as_operation().to_string();
    assert!(!text.contains("math.exp") && text.contains("math.fma"), "{text}");
}
