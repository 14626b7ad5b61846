//! Messages on standard input and output. What is no message is answered, not a reason to end.

use lsp_server::{Connection, ErrorCode, Message};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::thread;

/// After so many malformed messages in a row whatever is on the other side does not speak LSP.
const MAX_MALFORMED: usize = 100;

/// The longest message that is read, in bytes: texts of modules are smaller.
const MAX_LENGTH: usize = 512 << 20;

/// Runs a server on standard input and output; gives what it gives.
pub fn serve(server: impl FnOnce(&Connection) -> bool) -> bool {
    let (client, connection) = Connection::memory();
    let Connection { sender, receiver } = client;
    thread::spawn(move || {
        let mut input = BufReader::new(io::stdin());
        let mut malformed = 0;
        while malformed < MAX_MALFORMED {
            match read(&mut input) {
                Ok(Some(message)) => {
                    malformed = 0;
                    let exit = matches!(&message, Message::Notification(n) if n.method == "exit");
                    if sender.send(message).is_err() || exit {
                        return;
                    }
                }
                Ok(None) => return,
                Err(error) if error.kind() == ErrorKind::InvalidData => {
                    malformed += 1;
                    if refuse(&error).is_err() {
                        return;
                    }
                }
                Err(_) => return,
            }
        }
    });
    let writer = thread::spawn(move || {
        for message in receiver {
            if message.write(&mut io::stdout().lock()).is_err() {
                return;
            }
        }
    });
    let result = server(&connection);
    // All that was sent is written before the process ends.
    drop(connection);
    let _ = writer.join();
    result
}

/// The next message; none at the end of the input.
fn read(input: &mut impl BufRead) -> io::Result<Option<Message>> {
    let Some(length) = read_head(input)? else { return Ok(None) };
    let mut body = Vec::new();
    input.take(length as u64).read_to_end(&mut body)?;
    if body.len() < length {
        return Ok(None);
    }
    serde_json::from_slice(&body).map(Some).map_err(|error| malformed(&error.to_string()))
}

/// The length of the body that follows.
fn read_head(input: &mut impl BufRead) -> io::Result<Option<usize>> {
    const LONGEST_LINE: u64 = 1 << 12;
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            return length.map(Some).ok_or_else(|| malformed("there is no `Content-Length` before it"));
        }
        let Some((name, value)) = line.split_once(':') else {
            return Err(malformed("a line of its head has no colon"));
        };
        if name.eq_ignore_ascii_case("content-length") {
            let value = value.trim().parse().ok().filter(|length| *length <= MAX_LENGTH);
            length = Some(value.ok_or_else(|| malformed("its length is no number, or too large"))?);
        }
    }
}

fn malformed(why: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, why)
}

/// Answers a message that can't be read: nobody knows which one it was, so the answer has no number.
fn refuse(error: &io::Error) -> io::Result<()> {
    let answer = serde_json::json!({
        "jsonrpc": "2.0",
        "id": null,
        "error": { "code": ErrorCode::ParseError as i32, "message": format!("this is no message: {error}") },
    });
    let text = answer.to_string();
    let mut out = io::stdout().lock();
    write!(out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    out.flush()
}
