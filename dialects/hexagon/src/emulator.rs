//! Running an executable under QEMU; `runtime/bare/runner.c` is the other side of the conversation.

use crate::Error;
use crate::machine::Machine;
use crate::processor::{self, unknown_instruction};
use std::ffi::OsStr;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

const MAGIC: u32 = u32::from_le_bytes(*b"SKND");
/// Words before the contents of the outputs.
const ANSWER_WORDS: usize = 6;
/// Words of what is counted of an operation.
const COUNT_WORDS: usize = 4;
/// Bytes of the record of a fault (`SKRIPTND_FAULT_WORDS`).
const RECORD_BYTES: usize = 16 * 8;

/// What one run needs; all tensors as the bytes of their elements in row-major order.
#[derive(Debug, Clone, Default)]
pub struct Request<'a> {
    /// In order of declaration.
    pub inputs: Vec<&'a [u8]>,
    /// In the order of the compiled model.
    pub variables: Vec<&'a [u8]>,
    /// Sizes of the outputs in bytes.
    pub outputs: Vec<usize>,
    /// Size of the prepared memory in bytes.
    pub prepared: usize,
    /// Size of the workspace in bytes, where no extents make it larger.
    pub workspace: usize,
    /// The extents that the run has.
    pub extents: Vec<i64>,
    /// How many extents the outputs have together.
    pub shape_words: usize,
    /// How many operations are counted; none where the model was compiled without marks.
    pub operations: usize,
}

/// What was executed. Counters are modulo 2^32.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Packets.
    pub packets: u32,
    /// Instructions.
    pub instructions: u32,
    /// HVX instructions.
    pub vector_instructions: u32,
}

/// What was executed of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counted {
    /// How often it began.
    pub calls: u32,
    /// In all calls.
    pub counts: Counts,
}

/// What one run gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The extents of the outputs, one behind the other; none if the run failed.
    pub shapes: Vec<i64>,
    /// Contents of the outputs; none if the run failed.
    pub outputs: Vec<Vec<u8>>,
    /// The record of the fault, if the run failed.
    pub fault: Option<Vec<i64>>,
    /// What was executed.
    pub counts: Counts,
    /// What was executed of each operation; none if the run failed.
    pub operations: Vec<Counted>,
    /// Size of the workspace in bytes, for the extents of the run.
    pub workspace: u32,
}

impl Request<'_> {
    /// Everything before the contents of the tensors.
    fn header(&self) -> Result<Vec<u8>, Error> {
        let lengths = self.inputs.iter().chain(&self.variables).map(|bytes| bytes.len()).chain(self.outputs.clone());
        let (inputs, variables, outputs) = (self.inputs.len(), self.variables.len(), self.outputs.len());
        let memory = [self.prepared, self.workspace];
        let words = [self.extents.len(), self.shape_words, self.operations];
        let counts = [inputs, variables, outputs].into_iter().chain(memory).chain(words);
        let mut header = MAGIC.to_le_bytes().to_vec();
        for number in counts.chain(lengths) {
            let word = u32::try_from(number)
                .map_err(|_| Error::Run(format!("{number} bytes are more than the address space holds")))?;
            header.extend(word.to_le_bytes());
        }
        Ok(header)
    }
}

/// Runs an executable made by [`link::executable`](crate::link::executable).
///
/// # Errors
/// Where the emulator is missing, the program stops early, or its answer is not of the expected form.
pub fn run(executable: &Path, request: &Request<'_>) -> Result<Answer, Error> {
    run_on(executable, &processor::arguments(Machine::of_executable(executable)?, executable)?, request)
}

/// The same where the emulator is told otherwise of the processor.
///
/// # Errors
/// As above.
pub fn run_on<S: AsRef<OsStr>>(executable: &Path, processor: &[S], request: &Request<'_>) -> Result<Answer, Error> {
    let header = request.header()?;
    let machine = Machine::of_executable(executable)?;
    let mut child = Command::new(machine.emulator)
        .args(processor)
        .arg(executable)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|source| Error::Tool { tool: machine.emulator, source })?;
    let answer = converse(&mut child, &header, request)?;
    let mut complaint = String::new();
    if let Some(mut stderr) = child.stderr.take() {
        stderr.read_to_string(&mut complaint)?;
    }
    let status = child.wait()?;
    if let Some(error) = of_hexagon(machine).and_then(|()| unknown_instruction(executable, status.signal())) {
        return Err(error);
    }
    if !status.success() {
        return Err(Error::Run(format!("{status} {}", complaint.trim())));
    }
    parse(&answer, request)
}

fn of_hexagon(machine: &Machine) -> Option<()> {
    (machine.architecture == "hexagon").then_some(())
}

/// Sends the request from a thread of its own while the answer is read. A program that stops early breaks the pipe;
/// its exit status says why, so that is no error here.
fn converse(child: &mut Child, header: &[u8], request: &Request<'_>) -> Result<Vec<u8>, Error> {
    let mut answer = Vec::new();
    let (input, output) = (child.stdin.take(), child.stdout.take());
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let Some(mut input) = input else { return };
            let extents: Vec<u8> = request.extents.iter().flat_map(|extent| extent.to_le_bytes()).collect();
            let parts = std::iter::once(&header).chain(&request.inputs).chain(&request.variables);
            for part in parts.copied().chain([extents.as_slice()]) {
                if input.write_all(part).is_err() {
                    break;
                }
            }
        });
        output.map_or(Ok(0), |mut output| output.read_to_end(&mut answer))
    })?;
    Ok(answer)
}

fn parse(answer: &[u8], request: &Request<'_>) -> Result<Answer, Error> {
    let (shape_words, sizes) = (request.shape_words, &request.outputs);
    let word = |index: usize| -> Option<u32> {
        let bytes = answer.get(4 * index..4 * index + 4)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    };
    let counter = |index| word(index).unwrap_or_default();
    let failed = counter(4) != 0;
    let contents = if failed {
        RECORD_BYTES
    } else {
        8 * shape_words + sizes.iter().sum::<usize>() + 4 * COUNT_WORDS * request.operations
    };
    let expected = 4 * ANSWER_WORDS + contents;
    if answer.len() != expected || word(0) != Some(MAGIC) {
        return Err(Error::Run(format!("it answered {} bytes, expected {expected}", answer.len())));
    }
    let (mut outputs, mut shapes, mut fault) = (Vec::new(), Vec::new(), None);
    let mut rest = &answer[4 * ANSWER_WORDS..];
    if failed {
        fault = Some(long_words(rest));
    } else {
        let (words, behind) = rest.split_at(8 * shape_words);
        (shapes, rest) = (long_words(words), behind);
        for size in sizes {
            let (output, behind) = rest.split_at(*size);
            outputs.push(output.to_vec());
            rest = behind;
        }
    }
    let operations = if failed { Vec::new() } else { counted(rest) };
    let counts = Counts { packets: counter(1), instructions: counter(2), vector_instructions: counter(3) };
    Ok(Answer { shapes, outputs, fault, counts, operations, workspace: counter(5) })
}

/// What was executed of each operation.
fn counted(bytes: &[u8]) -> Vec<Counted> {
    let words: Vec<u32> =
        bytes.chunks_exact(4).filter_map(|word| Some(u32::from_le_bytes(word.try_into().ok()?))).collect();
    let of = |words: &[u32]| {
        let &[calls, packets, instructions, vector_instructions] = words else { return None };
        Some(Counted { calls, counts: Counts { packets, instructions, vector_instructions } })
    };
    words.chunks_exact(COUNT_WORDS).filter_map(of).collect()
}

fn long_words(bytes: &[u8]) -> Vec<i64> {
    bytes.chunks_exact(8).filter_map(|word| Some(i64::from_le_bytes(word.try_into().ok()?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_taken_apart() {
        let mut bytes = Vec::new();
        for word in [MAGIC, 10, 20, 0, 0, 640] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend([1i64, 2].into_iter().flat_map(i64::to_le_bytes));
        bytes.extend([1, 2, 3]);
        bytes.extend([7u32, 8, 9, 4].into_iter().flat_map(u32::to_le_bytes));
        let request = Request { shape_words: 2, outputs: vec![1, 2], operations: 1, ..Request::default() };
        let answer = parse(&bytes, &request).unwrap();
        let counts = Counts { packets: 8, instructions: 9, vector_instructions: 4 };
        assert_eq!(answer.operations, [Counted { calls: 7, counts }]);
        assert_eq!(answer.outputs, [vec![1], vec![2, 3]]);
        assert_eq!(answer.shapes, [1, 2]);
        assert_eq!((answer.counts.packets, answer.counts.instructions, answer.workspace), (10, 20, 640));
    }

    #[test]
    fn a_failed_run_gives_its_record_in_place_of_outputs() {
        let mut bytes: Vec<u8> = [MAGIC, 10, 20, 0, 2, 0].into_iter().flat_map(u32::to_le_bytes).collect();
        let record: Vec<i64> = [2, -7].into_iter().chain([0; RECORD_BYTES / 8 - 2]).collect();
        bytes.extend(record.iter().copied().flat_map(i64::to_le_bytes));
        let request = Request { shape_words: 2, outputs: vec![1, 2], operations: 3, ..Request::default() };
        let answer = parse(&bytes, &request).unwrap();
        assert_eq!((answer.outputs.len(), answer.fault), (0, Some(record)));
    }

    #[test]
    fn a_short_answer_is_an_error() {
        let error = parse(&MAGIC.to_le_bytes(), &Request { outputs: vec![4], ..Request::default() }).unwrap_err();
        assert!(error.to_string().contains("4 bytes, expected 28"), "{error}");
    }
}
