//! The functions of the interface in front of several versions: which one the processor takes is found out once, in the first call.

use super::version_prefix;
use crate::Error;
use crate::interface::{Planned, permission};
use skriptnd_runtime::metadata::Metadata;
use skriptnd_runtime::processor::x86::{PERMISSION, Question, question};
use skriptnd_runtime::status::Status;
use std::fmt::Write;

/// The instructions that tell what a processor has; leaf 0 tells the highest leaf, and behind it is nothing.
const ASKING: &str = r#"
%answer = type { i32, i32, i32, i32 }

define internal %answer @cpuid(i32 %leaf, i32 %part) noinline {
  %kind = and i32 %leaf, -2147483648
  %known = call %answer asm "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx}"(i32 %kind, i32 0)
  %most = extractvalue %answer %known, 0
  %is.known = icmp uge i32 %most, %leaf
  br i1 %is.known, label %ask, label %nothing
ask:
  %told = call %answer asm "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx}"(i32 %leaf, i32 %part)
  ret %answer %told
nothing:
  ret %answer zeroinitializer
}

define internal i64 @saved() noinline {
  %told = call %answer @cpuid(i32 1, i32 0)
  %word = extractvalue %answer %told, 2
  %bit = and i32 %word, 134217728
  %may.ask = icmp ne i32 %bit, 0
  br i1 %may.ask, label %ask, label %nothing
ask:
  %words = call { i32, i32 } asm sideeffect "xgetbv", "={ax},={dx},{cx}"(i32 0)
  %low = extractvalue { i32, i32 } %words, 0
  %wide = zext i32 %low to i64
  ret i64 %wide
nothing:
  ret i64 0
}
"#;

/// LLVM IR of the functions, the metadata and the constants of the interface.
///
/// # Errors
/// Where nobody knows how a processor tells a feature.
pub fn module(metadata: &Metadata, planned: &Planned, prefix: &str) -> Result<String, Error> {
    let mut text = data(metadata, planned, prefix);
    text += ASKING;
    text += &permitted(&metadata.target);
    text += &choose(metadata)?;
    let versions = (prefix, metadata.versions.len());
    for (name, arguments) in [("prepare", 3), ("run", 9)] {
        text += &calling(&format!("i32 @{prefix}_{name}"), name, arguments, versions);
    }
    text += &calling("internal i32 @shapes", "shapes", 2, versions);
    text += &shapes(planned, prefix);
    text += &place(prefix);
    Ok(text)
}

/// The function that tells whether the system saves a part of the registers' state for this process: what has to be asked for is asked for.
fn permitted(triple: &str) -> String {
    if !permission::is_asked(triple) {
        return "define internal i1 @permitted(i64 %part) {\n  ret i1 true\n}\n".to_string();
    }
    let ((instruction, places), [call, request]) = (permission::CALL, PERMISSION);
    format!(
        "
define internal i1 @permitted(i64 %part) noinline {{
  %answer = call i64 asm sideeffect \"{instruction}\", \"{places}\"(i64 {call}, i64 {request}, i64 %part)
  %is.permitted = icmp eq i64 %answer, 0
  ret i1 %is.permitted
}}
"
    )
}

/// The metadata and the constants.
fn data(metadata: &Metadata, planned: &Planned, prefix: &str) -> String {
    let json = metadata.to_json();
    let bytes: String = json.bytes().chain([0]).map(|byte| format!("\\{byte:02X}")).collect();
    let mut text = format!("@{prefix}_metadata = constant [{} x i8] c\"{bytes}\"\n", json.len() + 1);
    for (name, value, bits) in planned.constants() {
        let _ = writeln!(text, "@{prefix}_{name} = constant i{bits} {value}");
    }
    text
}

/// The function that finds out which version the processor takes, counted from 1; what is no version says that there is none.
/// Threads that find it out at the same time find the same.
fn choose(metadata: &Metadata) -> Result<String, Error> {
    let mut leaves = Vec::new();
    let mut tests = String::new();
    let mut chosen = Status::PROCESSOR.0.to_string();
    for (number, version) in metadata.versions.iter().enumerate() {
        let mut has = "true".to_string();
        for (at, feature) in version.features.iter().enumerate() {
            let asked = question(feature).ok_or_else(|| Error::malformed(format!("no way to ask for `{feature}`")))?;
            let leaf = (asked.leaf, asked.subleaf);
            let answer = leaves.iter().position(|known| *known == leaf).unwrap_or_else(|| {
                leaves.push(leaf);
                leaves.len() - 1
            });
            has = test(&mut tests, &format!("{number}.{at}"), answer, &asked, &has);
        }
        let _ = writeln!(tests, "  %version{number} = select i1 {has}, i32 {}, i32 {chosen}", number + 1);
        chosen = format!("%version{number}");
    }
    let answers: String = leaves
        .iter()
        .enumerate()
        .map(|(at, (leaf, part))| format!("  %answer{at} = call %answer @cpuid(i32 {}, i32 {part})\n", *leaf as i32))
        .collect();
    Ok(format!(
        "
@chosen = internal global i32 0

define internal i32 @choose() {{
  %known = load atomic i32, ptr @chosen monotonic, align 4
  %is.known = icmp ne i32 %known, 0
  br i1 %is.known, label %end, label %ask
end:
  ret i32 %known
ask:
  %saved = call i64 @saved()
{answers}{tests}  store atomic i32 {chosen}, ptr @chosen monotonic, align 4
  ret i32 {chosen}
}}
"
    ))
}

/// Adds what asks for one feature; the name of the value that says whether it is there and all before it.
fn test(text: &mut String, name: &str, answer: usize, asked: &Question, before: &str) -> String {
    let Question { register, shift, mask, least, saved, .. } = asked;
    let _ = write!(
        text,
        "  %word.{name} = extractvalue %answer %answer{answer}, {register}
  %moved.{name} = lshr i32 %word.{name}, {shift}
  %number.{name} = and i32 %moved.{name}, {mask}
  %is.there.{name} = icmp uge i32 %number.{name}, {least}
  %bits.{name} = and i64 %saved, {saved}
  %is.saved.{name} = icmp eq i64 %bits.{name}, {saved}
  %both.{name} = and i1 %is.there.{name}, %is.saved.{name}
  %has.{name} = and i1 %both.{name}, {before}
"
    );
    let Some(part) = asked.permission() else { return format!("%has.{name}") };
    let _ = write!(
        text,
        "  %permitted.{name} = call i1 @permitted(i64 {part})
  %may.{name} = and i1 %permitted.{name}, %has.{name}
"
    );
    format!("%may.{name}")
}

/// A function of pointers, by its name here, which calls that of the chosen version by its name there.
fn calling(here: &str, there: &str, arguments: usize, (prefix, versions): (&str, usize)) -> String {
    let types = vec!["ptr"; arguments].join(", ");
    let given = (0..arguments).map(|at| format!("ptr %{at}")).collect::<Vec<_>>().join(", ");
    let (mut declared, mut cases, mut blocks) = (String::new(), String::new(), String::new());
    for number in 0..versions {
        let callee = format!("i32 @{}_{there}", version_prefix(prefix, number));
        let _ = writeln!(declared, "declare hidden {callee}({types})");
        let _ = write!(cases, " i32 {}, label %version{number}", number + 1);
        let _ = write!(
            blocks,
            "version{number}:
  %status{number} = tail call {callee}({given})
  ret i32 %status{number}
"
        );
    }
    let none = Status::PROCESSOR.0;
    format!(
        "
{declared}
define {here}({given}) {{
  %chosen = call i32 @choose()
  switch i32 %chosen, label %none [{cases} ]
none:
  ret i32 {none}
{blocks}}}
"
    )
}

/// The bytes of workspace that a version says are no less than the constant, which is enough for all versions.
fn shapes(planned: &Planned, prefix: &str) -> String {
    let (words, least) = (planned.interface.shape_words(), planned.memory.workspace_bytes());
    format!(
        "
define i32 @{prefix}_shapes(ptr %extents, ptr %shapes) {{
  %status = call i32 @shapes(ptr %extents, ptr %shapes)
  %is.done = icmp eq i32 %status, 0
  br i1 %is.done, label %raise, label %end
raise:
  %place = getelementptr i64, ptr %shapes, i64 {words}
  %bytes = load i64, ptr %place
  %is.more = icmp sgt i64 %bytes, {least}
  %enough = select i1 %is.more, i64 %bytes, i64 {least}
  store i64 %enough, ptr %place
  br label %end
end:
  ret i32 %status
}}
"
    )
}

/// The function that tells the place of the version.
fn place(prefix: &str) -> String {
    format!(
        "
define i32 @{prefix}_version() {{
  %chosen = call i32 @choose()
  %place = sub i32 %chosen, 1
  %is.one = icmp sgt i32 %chosen, 0
  %told = select i1 %is.one, i32 %place, i32 %chosen
  ret i32 %told
}}
"
    )
}
