//! The linker that is linked in.

use skriptnd_mlir::link::{Word, elf, loaded_objects};
use skriptnd_mlir::llvm::{Emission, LlvmModule, TargetSpec};

fn object(triple: &str, text: &str) -> Vec<u8> {
    let target = TargetSpec { triple: triple.into(), cpu: String::new(), features: String::new() };
    LlvmModule::parse(text, "link.ll").unwrap().emit(&target, Emission::Object).unwrap()
}

const CALLER: &str = "declare i32 @seven()\ndefine i32 @eight() {\n %x = call i32 @seven()\n ret i32 %x\n}\n";
const SEVEN: &str = "define i32 @seven() {\n ret i32 7\n}\n";

/// The kind and the machine in the header of an ELF file.
fn header(file: &[u8]) -> [u16; 2] {
    [16, 18].map(|at| u16::from_le_bytes([file[at], file[at + 1]]))
}

#[test]
fn objects_of_any_machine_become_libraries_in_any_thread() {
    let link = |triple: &str, machine| {
        let (caller, seven) = (object(triple, CALLER), object(triple, SEVEN));
        for (option, kind) in [("-shared", 3), ("-r", 1)] {
            let words = [Word::Option(option), Word::Bytes("caller.o", &caller), Word::Bytes("seven.o", &seven)];
            let linked = elf(&words).unwrap();
            assert_eq!((&linked[..4], header(&linked)), (&b"\x7fELF"[..], [kind, machine]), "{triple} {option}");
        }
    };
    std::thread::scope(|scope| {
        for (triple, machine) in [("x86_64", 62), ("aarch64", 183), ("riscv64", 243)] {
            scope.spawn(move || link(&format!("{triple}-unknown-linux-gnu"), machine));
        }
    });
}

#[test]
fn what_lld_refuses_is_told_without_temporary_names_and_lld_goes_on() {
    let caller = object("x86_64-unknown-linux-gnu", CALLER);
    let arm = object("aarch64-unknown-linux-gnu", SEVEN);
    let wanting = [Word::Option("-shared"), Word::Option("-zdefs"), Word::Bytes("caller.o", &caller)];
    let other = [wanting[2], Word::Bytes("arm.o", &arm)];
    for (words, reason) in [
        (&wanting[..], "undefined symbol: seven\n>>> referenced by link.ll"),
        (&other, "arm.o is incompatible with caller.o"),
        (&[Word::Option("--no-such-option"), wanting[2]], "unknown argument '--no-such-option'"),
        (&[Word::Bytes("text.o", b"no object")], "text.o"),
        (&[Word::Bytes("empty.o", b"")], "target emulation unknown"),
    ] {
        let error = elf(words).unwrap_err().to_string();
        assert!(error.starts_with("the linker failed:\nld.lld: error: ") && error.contains(reason), "{error}");
        assert!(!error.contains(&std::env::temp_dir().display().to_string()), "{error}");
    }
    assert!(elf(&[wanting[0], wanting[2]]).is_ok());
}

#[test]
fn code_generators_keep_their_options() {
    // Small data, which the linker does not know, is off for Hexagon.
    let text = "@x = internal global i32 5\ndefine ptr @f() {\n store i32 6, ptr @x\n ret ptr @x\n}\n";
    for _ in 0..3 {
        let object = object("hexagon-unknown-linux-musl", text);
        elf(&[Word::Option("-static"), Word::Option("--entry=f"), Word::Bytes("x.o", &object)]).unwrap();
    }
}

#[test]
fn this_process_has_a_c_library() {
    let loaded = loaded_objects();
    assert!(loaded.iter().any(|path| path.to_string_lossy().contains("libc")), "{loaded:?}");
}
