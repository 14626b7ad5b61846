//! Messages on standard input and output. What is no message is answered, not a reason to end.

use lsp_server::{Connection, ErrorCode, Message};
use std::io::{self, BufReader, ErrorKind, Write};
use std::thread;

/// After so many malformed messages in a row whatever is on the other side does not speak LSP.
const MAX_MALFORMED: usize = 100;

/// Runs a server on standard input and output; gives what it gives.
pub fn serve(server: impl FnOnce(&Connection) -> bool) -> bool {
    let (client, connection) = Connection::memory();
    let Connection { sender, receiver } = client;
    thread::spawn(move || {
        let mut input = BufReader::new(io::stdin());
        let mut malformed = 0;
        while malformed < MAX_MALFORMED {
            match Message::read(&mut input) {
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

/// Answers a message that can't be read: nobody knows which one it was, so the answer has no number.
fn refuse(error: &io::Error) -> io::Result<()> {
    let answer = serde_json::json!({
        "jsonrpc": "2.0",
        "id": null,
        "error": { "code": ErrorCode::ParseError as i32, "message": format!("not a message: {error}") },
    });
    let text = answer.to_string();
    let mut out = io::stdout().lock();
    write!(out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    out.flush()
}
