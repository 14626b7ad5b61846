//! The language server as editors start it: by its name, on standard input and output.
#![cfg(unix)]

use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::symlink;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

struct Session {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    _folder: tempfile::TempDir,
}

impl Session {
    fn start(arguments: &[&str]) -> Session {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("skriptnd-lsp-server");
        symlink(env!("CARGO_BIN_EXE_skriptnd"), &program).unwrap();
        let mut command = Command::new(program);
        command.args(arguments).env("XDG_CACHE_HOME", folder.path().join("cache"));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Session { child, input, output, _folder: folder }
    }

    fn send(&mut self, text: &str) {
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.input.flush().unwrap();
    }

    fn receive(&mut self) -> Json {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the server has ended");
            match line.trim().strip_prefix("Content-Length: ") {
                Some(number) => length = number.parse().unwrap(),
                None if line.trim().is_empty() => break,
                None => {}
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    fn ask(&mut self, id: i32, method: &str, params: Json) -> Json {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string());
        loop {
            let message = self.receive();
            if message["id"] == id {
                return message;
            }
        }
    }
}

#[test]
fn a_session_from_beginning_to_end() {
    let mut session = Session::start(&["--stdio"]);
    let early = session.ask(1, "textDocument/hover", json!({}));
    assert_eq!(early["error"]["code"], -32002);
    let answer = session.ask(2, "initialize", json!({"processId": null, "rootUri": null, "capabilities": {}}));
    assert_eq!(answer["result"]["serverInfo"]["name"], "skriptnd-lsp-server");
    session.send("this is no message");
    let refused = session.receive();
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&Json::Null, &json!(-32700)));
    session.input.write_all(b"Content-Length: 99999999999999\r\n").unwrap();
    assert_eq!(session.receive()["error"]["code"], -32700);
    let text = "import nn;\ngraph G { @input { x: real[1]; } @output { y: real[1]; } @compose { y = nn.relu(x); } }\n";
    let document = json!({"uri": "untitled:Untitled-1", "languageId": "skriptnd", "version": 1, "text": text});
    let open = json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}});
    session.send(&open.to_string());
    let published = session.receive();
    assert_eq!(published["params"]["uri"], "untitled:Untitled-1");
    assert_eq!(published["params"]["diagnostics"], json!([]));
    let position = json!({"line": 1, "character": text.lines().nth(1).unwrap().find("relu").unwrap()});
    let params = json!({"textDocument": {"uri": "untitled:Untitled-1"}, "position": position});
    let definition = session.ask(3, "textDocument/definition", params);
    let uri = definition["result"]["uri"].as_str().unwrap();
    assert!(uri.ends_with("/stdlib/nn.sknd"), "{uri}");
    assert!(std::path::Path::new(uri.strip_prefix("file://").unwrap()).exists());
    assert_eq!(session.ask(4, "shutdown", Json::Null)["result"], Json::Null);
    session.send(r#"{"jsonrpc": "2.0", "method": "exit"}"#);
    assert!(session.child.wait().unwrap().success());
}

#[test]
fn a_client_that_goes_away_ends_the_server() {
    let mut session = Session::start(&[]);
    drop(session.input);
    assert_eq!(session.child.wait().unwrap().code(), Some(1));
}
