//! Where programs begin: what start files of C libraries would do, so that none has to be installed.

use skriptnd_mlir::llvm::TargetSpec;

/// Code that has the C library call `main`, with what the kernel and the loader leave on the stack and in registers.
const X86_64: &str = "
  xorl %ebp, %ebp
  movq %rdx, %r9
  popq %rsi
  movq %rsp, %rdx
  andq $-16, %rsp
  pushq %rax
  pushq %rsp
  xorl %r8d, %r8d
  xorl %ecx, %ecx
  movq main@GOTPCREL(%rip), %rdi
  callq *__libc_start_main@GOTPCREL(%rip)
  hlt";
const AARCH64: &str = "
  mov x29, #0
  mov x30, #0
  mov x5, x0
  ldr x1, [sp]
  add x2, sp, #8
  mov x6, sp
  adrp x0, :got:main
  ldr x0, [x0, :got_lo12:main]
  mov x3, #0
  mov x4, #0
  bl __libc_start_main
  brk #1";
const RISCV64: &str = "
  mv a5, a0
  lla a0, main
  ld a1, 0(sp)
  addi a2, sp, 8
  andi sp, sp, -16
  li a3, 0
  li a4, 0
  mv a6, sp
  call __libc_start_main
  ebreak";

/// The main function of a program of one model; a text that says where its variables are goes in between.
const MAIN: [&str; 2] = [
    "@skriptnd_metadata = external constant i8
declare void @skriptnd_prepare()
declare void @skriptnd_shapes()
declare void @skriptnd_run()
@skriptnd_weights = external constant ptr
@skriptnd_group = external global ptr
declare i32 @skriptnd_main(i32, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr)
@note = private constant ",
    "
define i32 @main(i32 %argc, ptr %argv) {
  %code = call i32 @skriptnd_main(i32 %argc, ptr %argv, ptr @skriptnd_metadata, ptr @skriptnd_prepare,
                                  ptr @skriptnd_shapes, ptr @skriptnd_run, ptr @note, ptr WEIGHTS, ptr GROUP)
  ret i32 %code
}
",
];

/// What an object of a model has besides its functions.
#[derive(Debug, Clone, Copy)]
pub struct Contents {
    /// The values of its variables.
    pub weights: bool,
    /// The word by which code that processes share finds its group.
    pub group: bool,
}

/// A module with the begin of a program and its main function, which is told what the model has in it; none for processors whose begin is not known.
pub fn module(spec: &TargetSpec, note: &str, has: Contents) -> Option<String> {
    let begin = match spec.triple.split('-').next() {
        Some("x86_64") => X86_64,
        Some("aarch64") => AARCH64,
        Some("riscv64") => RISCV64,
        _ => return None,
    };
    let assembly = format!(".globl _start\n.type _start, %function\n_start:{begin}");
    let assembly: String = assembly.lines().map(|line| format!("module asm \"{line}\"\n")).collect();
    // As numbers, so that no byte means anything to LLVM.
    let bytes: String = note.bytes().chain([0]).map(|byte| format!("\\{byte:02X}")).collect();
    let note = format!("[{} x i8] c\"{bytes}\"", note.len() + 1);
    let main = MAIN.join(&note).replace("WEIGHTS", if has.weights { "@skriptnd_weights" } else { "null" });
    let main = main.replace("GROUP", if has.group { "@skriptnd_group" } else { "null" });
    Some(format!("{assembly}{main}"))
}
