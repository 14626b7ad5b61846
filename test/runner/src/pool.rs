//! Processes that run cases on a backend. A kernel that crashes or hangs takes its process with it, and the case that was
//! running is known.

use crate::backend::{Backend, Emulated, Native};
use crate::suite::{Cases, Subject, compare_with_oracle, subjects};
use crate::verdict::{Class, Problem};
use serde_json::{Value as Json, json};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::process::{Child, ChildStdin, Command, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The environment variable that makes a test executable a process of a pool, with the backend's name.
const VARIABLE: &str = "SKRIPTND_BACKEND";

/// The environment variable that has the number by which random schedules are taken.
const SEED: &str = "SKRIPTND_SEED";

/// A case that takes longer hangs. The longest one, a network on the emulator, takes most of a minute where nothing else runs.
const TIME_LIMIT: Duration = Duration::from_secs(600);

/// Stands in a request for the bits of the oracle.
const BITS: &str = "bits";

/// How much of a process's last words is shown.
const LAST_WORDS: u64 = 400;

/// A backend in processes of its own, as many as are asked at a time.
pub struct Pool {
    backend: &'static str,
    idle: Mutex<Vec<Process>>,
}

impl Pool {
    /// Of the backend `native`, `hexagon`, `schedules`, which is native code whose loops stand at random, `exact`, which is native
    /// code that rounds where the formulas do, `htp`,
    /// which is native code of what came through the dialect of the tensor processor, or one of the other emulated ones.
    pub fn new(backend: &'static str) -> Pool {
        Pool { backend, idle: Mutex::new(Vec::new()) }
    }

    /// Runs one case of a subject; what is wrong with the outcome, if anything.
    ///
    /// # Errors
    /// Where a process can't be started.
    pub fn run(&self, subject: &str, case: usize) -> Result<Option<Problem>, String> {
        self.ask(&json!([subject, case]))
    }

    /// The same where every bit of what the oracle computes is expected.
    ///
    /// # Errors
    /// As above.
    pub fn compare_bits(&self, subject: &str, case: usize) -> Result<Option<Problem>, String> {
        self.ask(&json!([subject, case, BITS]))
    }

    /// Runs a text of a case; what is wrong with the outcome where the oracle's is expected, if anything.
    ///
    /// # Errors
    /// Where a process can't be started.
    pub fn compare_with_oracle(&self, text: &str) -> Result<Option<Problem>, String> {
        self.ask(&json!(text))
    }

    fn ask(&self, request: &Json) -> Result<Option<Problem>, String> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut process = match idle {
            Some(process) => process,
            None => Process::start(self.backend).map_err(|error| format!("no process for a backend: {error}"))?,
        };
        match process.ask(request) {
            Ok(answer) => {
                self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(process);
                Ok(answer)
            }
            Err(problem) => Ok(Some(problem)),
        }
    }
}

struct Process {
    child: Child,
    requests: Option<ChildStdin>,
    answers: Receiver<String>,
    complaints: File,
}

impl Process {
    fn start(backend: &str) -> std::io::Result<Process> {
        let complaints = tempfile::tempfile()?;
        let mut child = Command::new(std::env::current_exe()?)
            .env(VARIABLE, backend)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(complaints.try_clone()?)
            .spawn()?;
        let (sender, answers) = channel();
        if let Some(output) = child.stdout.take() {
            std::thread::spawn(move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        break;
                    }
                }
            });
        }
        Ok(Process { requests: child.stdin.take(), child, answers, complaints })
    }

    /// The answer, or what became of the process.
    fn ask(&mut self, request: &Json) -> Result<Option<Problem>, Problem> {
        let request = format!("{request}\n");
        // Where the process has ended, there is no answer either.
        let _ = self.requests.as_mut().map(|requests| requests.write_all(request.as_bytes()));
        match self.answers.recv_timeout(TIME_LIMIT) {
            Ok(answer) => read_answer(&answer).map_err(|reason| Problem::new(Class::Crash, reason)),
            Err(RecvTimeoutError::Timeout) => {
                Err(Problem::new(Class::Hang, format!("it did not end within {} s", TIME_LIMIT.as_secs())))
            }
            Err(RecvTimeoutError::Disconnected) => Err(Problem::new(Class::Crash, self.last_words())),
        }
    }

    fn last_words(&mut self) -> String {
        let status = self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        let mut text = Vec::new();
        let length = self.complaints.metadata().map_or(0, |file| file.len());
        let read = self.complaints.seek(SeekFrom::Start(length.saturating_sub(LAST_WORDS)));
        let _ = read.and_then(|_| self.complaints.read_to_end(&mut text));
        format!("{status}\n{}", String::from_utf8_lossy(&text))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.requests = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read_answer(line: &str) -> Result<Option<Problem>, String> {
    let json: Json = serde_json::from_str(line).map_err(|_| format!("it answered `{line}`"))?;
    match (json["class"].as_str(), json["text"].as_str()) {
        (Some(class), Some(text)) => Ok(Some(Problem::new(class.parse()?, text))),
        _ => Ok(None),
    }
}

/// In a process of a pool, answers its requests; none elsewhere.
pub fn serve() -> Option<ExitCode> {
    let backend = std::env::var(VARIABLE).ok()?;
    Some(match answer_all(&backend) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    })
}

fn answer_all(backend: &str) -> Result<(), String> {
    let backend: Box<dyn Backend> = match backend {
        "native" => Box::new(Native::new()?),
        "hexagon" => Box::new(Emulated::hexagon()?),
        "htp" => Box::new(Native::through_htp()?),
        "exact" => Box::new(Native::exact()?),
        "schedules" => Box::new(Native::with_random_schedules(seed())?),
        other => Box::new(Emulated::named(other)?),
    };
    let subjects = subjects();
    let mut loaded: Option<(String, Cases)> = None;
    for line in std::io::stdin().lines() {
        let line = line.map_err(|error| error.to_string())?;
        let request: Json = serde_json::from_str(&line).map_err(|error| error.to_string())?;
        let problem = match request.as_str() {
            Some(text) => compare_with_oracle(text, &*backend)?,
            None => {
                let name = request[0].as_str().unwrap_or_default();
                if loaded.as_ref().is_none_or(|(known, _)| known != name) {
                    loaded = Some((name.to_owned(), find(&subjects, name)?.load()?));
                }
                let case = request[1].as_u64().and_then(|case| usize::try_from(case).ok()).unwrap_or_default();
                let wants_bits = request[2].as_str() == Some(BITS);
                loaded.as_ref().and_then(|(_, cases)| match cases.entries.get(case)? {
                    entry if wants_bits => cases.compare_bits(entry, &*backend),
                    entry => cases.run(entry, &*backend),
                })
            }
        };
        let answer = problem.map(|problem| json!({ "class": problem.class.to_string(), "text": problem.text }));
        println!("{}", Json::from(answer));
    }
    Ok(())
}

/// By which random schedules are taken.
fn seed() -> u64 {
    std::env::var(SEED).ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

fn find<'a>(subjects: &'a [Subject], name: &str) -> Result<&'a Subject, String> {
    subjects.iter().find(|subject| subject.name == name).ok_or_else(|| format!("there are no cases `{name}`"))
}
