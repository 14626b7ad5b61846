//! A scripted client: it opens, types, asks and closes as an editor does.

use super::server;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::{Value as Json, json};
use std::path::Path;
use std::thread::{self, JoinHandle};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);

struct Client {
    connection: Connection,
    server: Option<JoinHandle<bool>>,
    requests: i32,
    version: i32,
}

impl Client {
    /// A client whose server is initialized.
    fn start() -> Client {
        let (connection, other) = Connection::memory();
        let server = thread::Builder::new().stack_size(64 << 20).spawn(move || server::run(&other)).unwrap();
        let mut client = Client { connection, server: Some(server), requests: 0, version: 0 };
        let capabilities = json!({"textDocument": {"completion": {"completionItem": {"snippetSupport": true}}}});
        let answer =
            client.ask("initialize", json!({"processId": null, "rootUri": null, "capabilities": capabilities}));
        assert_eq!(answer["serverInfo"]["name"], "skriptnd-lsp-server");
        assert_eq!(answer["capabilities"]["hoverProvider"], true);
        client.tell("initialized", json!({}));
        client
    }

    fn tell(&self, method: &str, params: Json) {
        self.connection.sender.send(Notification { method: method.to_owned(), params }.into()).unwrap();
    }

    fn request(&mut self, method: &str, params: Json) -> Response {
        self.requests += 1;
        let id = RequestId::from(self.requests);
        let request = Request { id: id.clone(), method: method.to_owned(), params };
        self.connection.sender.send(request.into()).unwrap();
        loop {
            match self.connection.receiver.recv_timeout(PATIENCE).unwrap() {
                Message::Response(response) => {
                    assert_eq!(response.id, id);
                    return response;
                }
                Message::Notification(_) => {}
                Message::Request(request) => panic!("{request:?}"),
            }
        }
    }

    fn ask(&mut self, method: &str, params: Json) -> Json {
        result(self.request(method, params)).unwrap_or_else(|(code, message)| panic!("{method}: {code} {message}"))
    }

    /// The diagnostics that are published next for a file.
    fn diagnostics(&self, uri: &str) -> Vec<Json> {
        loop {
            if let Message::Notification(notification) = self.connection.receiver.recv_timeout(PATIENCE).unwrap()
                && notification.method == "textDocument/publishDiagnostics"
                && notification.params["uri"] == uri
            {
                return notification.params["diagnostics"].as_array().unwrap().clone();
            }
        }
    }

    fn open(&self, uri: &str, text: &str) {
        let document = json!({"uri": uri, "languageId": "skriptnd", "version": 0, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": document}));
    }

    /// Replaces what is between two positions.
    fn edit(&mut self, uri: &str, from: (usize, usize), to: (usize, usize), text: &str) {
        self.version += 1;
        let range = json!({"start": place(from), "end": place(to)});
        let document = json!({"uri": uri, "version": self.version});
        let changes = json!([{"range": range, "text": text}]);
        self.tell("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
    }

    fn stop(mut self) {
        assert_eq!(self.ask("shutdown", Json::Null), Json::Null);
        let late = result(self.request("textDocument/hover", json!({}))).unwrap_err();
        assert_eq!(late.0, ErrorCode::InvalidRequest as i32);
        self.tell("exit", Json::Null);
        assert!(self.server.take().unwrap().join().unwrap(), "the server ends in order");
    }
}

fn result(response: Response) -> Result<Json, (i32, String)> {
    let text = serde_json::to_value(&response).unwrap();
    match text.get("error") {
        Some(error) if !error.is_null() => {
            Err((error["code"].as_i64().unwrap() as i32, error["message"].as_str().unwrap().to_owned()))
        }
        _ => Ok(text["result"].clone()),
    }
}

fn place((line, character): (usize, usize)) -> Json {
    json!({"line": line, "character": character})
}

fn at(uri: &str, position: (usize, usize)) -> Json {
    json!({"textDocument": {"uri": uri}, "position": place(position)})
}

/// The position of a part of a text, counted as editors do.
fn find(text: &str, part: &str) -> (usize, usize) {
    let offset = text.find(part).unwrap_or_else(|| panic!("{part}"));
    let line = text[..offset].matches('\n').count();
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    (line, text[start..offset].encode_utf16().count())
}

const MAIN: &str = "import nn;\nimport lib;\n\n# \u{1F642}\ngraph Net {\n    @input {\n        x: real[1, 16];\n    }\n    \
    @output {\n        y: real[1, 4];\n    }\n    @variable {\n        weight: real[4, 16];\n    }\n    @compose {\n        \
    linear = nn.linear(x, weight);\n        /* \u{1F642} */ y = lib.swish{beta=1.5}(linear);\n    }\n}\n";

const LIB: &str = "# A steep swish.\noperator swish {\n    @attrib {\n        beta: real = 1.0; # how steep\n    }\n    \
    @input {\n        x: real[s..];\n    }\n    @output {\n        y: real[s..];\n    }\n    @lower {\n        \
    y[i..] = x[i..] / (1.0 + `exp`(-beta * x[i..])),\n            i < s;\n    }\n}\n";

struct Model {
    _folder: tempfile::TempDir,
    main: String,
    lib: String,
    text: String,
}

/// A model on disk, whose main file is not saved as it is open.
fn model() -> Model {
    let folder = tempfile::Builder::new().prefix("a model ").tempdir().unwrap();
    std::fs::write(folder.path().join("main.sknd"), "graph").unwrap();
    std::fs::write(folder.path().join("lib.sknd"), LIB).unwrap();
    let uri = |path: &Path| super::documents::uri_of(path).unwrap().as_str().to_owned();
    let (main, lib) = (uri(&folder.path().join("main.sknd")), uri(&folder.path().join("lib.sknd")));
    Model { _folder: folder, main, lib, text: MAIN.replace("/* \u{1F642} */ ", "") }
}

#[test]
fn diagnostics_follow_what_is_typed() {
    let model = model();
    let mut client = Client::start();
    client.open(&model.main, &model.text);
    assert_eq!(client.diagnostics(&model.main), Vec::<Json>::new());
    let (line, character) = find(&model.text, "weight);");
    client.edit(&model.main, (line, character), (line, character + 6), "wieght");
    let found = client.diagnostics(&model.main);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["range"]["start"], place((line, character)));
    assert_eq!(found[0]["range"]["end"], place((line, character + 6)));
    assert_eq!(found[0]["code"], "undeclared-identifier");
    assert!(found[0]["message"].as_str().unwrap().contains("help: did you mean `weight`?"), "{found:?}");
    client.edit(&model.main, (line, character), (line, character + 6), "weight");
    assert_eq!(client.diagnostics(&model.main), Vec::<Json>::new());
    // An error in a file beside it, which is not open, then in its unsaved text.
    client.open(&model.lib, &LIB.replace("beta: real", "beta: unreal"));
    assert_eq!(client.diagnostics(&model.lib).len(), 1);
    client.tell("textDocument/didClose", json!({"textDocument": {"uri": model.lib}}));
    assert_eq!(client.diagnostics(&model.lib), Vec::<Json>::new());
    client.stop();
}

#[test]
fn errors_in_the_standard_library_are_shown_where_it_is_invoked() {
    let model = model();
    let client = Client::start();
    let text = model.text.replace("weight: real[4, 16]", "weight: real[4, 15]");
    client.open(&model.main, &text);
    let found = client.diagnostics(&model.main);
    let (line, _) = find(&text, "linear = nn.linear");
    assert_eq!(found[0]["range"]["start"]["line"], line, "{found:?}");
    client.stop();
}

#[test]
fn the_first_hover_knows_values() {
    let model = model();
    let mut client = Client::start();
    client.open(&model.main, &model.text);
    let answer = client.ask("textDocument/hover", at(&model.main, find(&model.text, "linear = ")));
    let text = answer["contents"]["value"].as_str().unwrap_or_default();
    assert!(text.contains("in the graph: `real[1, 4]`"), "{text}");
    client.stop();
}

#[test]
fn hover_tells_types_values_and_documentation() {
    let model = model();
    let mut client = Client::start();
    client.open(&model.main, &model.text);
    client.diagnostics(&model.main);
    let mut hover = |part: &str| -> String {
        let answer = client.ask("textDocument/hover", at(&model.main, find(&model.text, part)));
        answer["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    let operator = hover("swish{");
    assert!(operator.contains("A steep swish.") && operator.contains("beta: real = 1.0; # how steep"), "{operator}");
    assert!(operator.contains("here: `beta=1.5`"), "{operator}");
    let attribute = hover("beta=");
    assert!(attribute.contains("how steep") && attribute.contains("here: `1.5`"), "{attribute}");
    let tensor = hover("linear = ");
    assert!(tensor.contains("in the graph: `real[1, 4]`"), "{tensor}");
    let standard = hover("linear(x");
    assert!(standard.contains("operator nn.linear {"), "{standard}");
    let module = hover("nn;");
    assert!(module.contains("standard library"), "{module}");
    client.stop();
}

#[test]
fn definitions_are_found_in_other_files_and_in_the_standard_library() {
    let model = model();
    let mut client = Client::start();
    client.open(&model.main, &model.text);
    let mut definition = |part: &str| client.ask("textDocument/definition", at(&model.main, find(&model.text, part)));
    let found = definition("weight)");
    assert_eq!(found["uri"], model.main);
    assert_eq!(found["range"]["start"], place(find(&model.text, "weight:")));
    let found = definition("swish{");
    assert_eq!(found["uri"], model.lib);
    assert_eq!(found["range"]["start"], place(find(LIB, "swish {")));
    let found = definition("beta=");
    assert_eq!(found["range"]["start"], place(find(LIB, "beta:")));
    let found = definition("linear(x");
    let uri = found["uri"].as_str().unwrap();
    assert!(uri.ends_with("stdlib/nn.sknd"), "{uri}");
    let text = std::fs::read_to_string(uri.strip_prefix("file://").unwrap()).unwrap();
    let line = found["range"]["start"]["line"].as_u64().unwrap() as usize;
    assert_eq!(text.lines().nth(line).unwrap(), "operator linear {");
    let places = client.ask("textDocument/references", {
        let mut params = at(&model.main, find(&model.text, "weight)"));
        params["context"] = json!({"includeDeclaration": true});
        params
    });
    assert_eq!(places.as_array().unwrap().len(), 2);
    client.stop();
}

#[test]
fn completion_knows_modules_operators_attributes_and_names() {
    let model = model();
    let mut client = Client::start();
    client.open(&model.main, &model.text);
    let mut labels = |text: &str, before: &str| -> Vec<Json> {
        let whole = json!([{"text": text}]);
        let document = json!({"uri": model.main, "version": 1});
        client.tell("textDocument/didChange", json!({"textDocument": document, "contentChanges": whole}));
        let (line, character) = find(text, before);
        let position = (line, character + before.encode_utf16().count());
        let answer = client.ask("textDocument/completion", at(&model.main, position));
        answer["items"].as_array().unwrap().clone()
    };
    let has = |items: &[Json], label: &str| items.iter().any(|item| item["label"] == label);
    let items = labels(&model.text.replace("import lib;", "import l"), "import l");
    assert!(has(&items, "lib") && has(&items, "layout"), "{items:?}");
    let items = labels(&model.text.replace("lib.swish{beta=1.5}(linear);", "lib."), "lib.");
    assert_eq!(items.len(), 1, "{items:?}");
    assert_eq!(items[0]["textEdit"]["newText"], "swish($0)");
    let items = labels(&model.text.replace("{beta=1.5}(linear);", "{b"), "swish{b");
    assert_eq!(items.len(), 1, "{items:?}");
    assert_eq!(items[0]["detail"], "real = 1.0");
    assert_eq!(items[0]["documentation"]["value"], "how steep");
    let items = labels(&model.text.replace("(linear);", "(lin"), "(lin");
    assert!(has(&items, "linear") && has(&items, "weight") && !has(&items, "if"), "{items:?}");
    let items = labels(&model.text.replace("@compose", "@assert {\n    }\n    @"), "\n    @");
    assert!(items.iter().all(|item| item["label"] != "@input"));
    client.stop();
}

#[test]
fn signatures_outlines_formatting_and_renaming() {
    let model = model();
    let mut client = Client::start();
    client.open(&model.main, &model.text.replace("nn.linear(x, weight)", "nn.linear( x,weight )"));
    let text = model.text.replace("nn.linear(x, weight)", "nn.linear( x,weight )");
    let (line, character) = find(&text, "weight )");
    let help = client.ask("textDocument/signatureHelp", at(&model.main, (line, character)));
    assert_eq!(help["activeParameter"], 1);
    assert!(help["signatures"][0]["label"].as_str().unwrap().starts_with("nn.linear(input: T[b, c], "), "{help}");
    let outline = client.ask("textDocument/documentSymbol", json!({"textDocument": {"uri": model.main}}));
    assert_eq!(outline[0]["name"], "Net");
    assert_eq!(outline[0]["children"].as_array().unwrap().len(), 3);
    let options = json!({"tabSize": 4, "insertSpaces": true});
    let edits = client.ask("textDocument/formatting", json!({"textDocument": {"uri": model.main}, "options": options}));
    assert_eq!(edits.as_array().unwrap().len(), 1);
    assert_eq!(edits[0]["newText"], "        linear = nn.linear(x, weight);\n");
    let mut params = at(&model.main, find(&text, "weight )"));
    params["newName"] = json!("filter");
    let edit = client.ask("textDocument/rename", params.clone());
    assert_eq!(edit["changes"][&model.main].as_array().unwrap().len(), 2);
    params["newName"] = json!("x");
    let refused = result(client.request("textDocument/rename", params)).unwrap_err();
    assert_eq!(refused.1, "the definition has this name already");
    client.stop();
}

#[test]
fn garbage_is_answered_with_errors() {
    let model = model();
    let mut client = Client::start();
    let unknown = result(client.request("textDocument/frobnicate", json!({}))).unwrap_err();
    assert_eq!(unknown.0, ErrorCode::MethodNotFound as i32);
    let malformed = result(client.request("textDocument/hover", json!({"position": "here"}))).unwrap_err();
    assert_eq!(malformed.0, ErrorCode::InvalidParams as i32);
    client.tell("textDocument/didChange", json!({"nothing": true}));
    client.tell("textDocument/didOpen", json!([1, 2]));
    assert_eq!(client.ask("textDocument/hover", at("file:///nowhere.sknd", (0, 0))), Json::Null);
    client.open(&model.main, "graph G { @compose { y = \u{1F642}{{{ ");
    for character in 0..40 {
        client.ask("textDocument/completion", at(&model.main, (0, character)));
        client.ask("textDocument/hover", at(&model.main, (7, character)));
    }
    let options = json!({"tabSize": 4, "insertSpaces": true});
    let params = json!({"textDocument": {"uri": model.main}, "options": options});
    let refused = result(client.request("textDocument/formatting", params)).unwrap_err();
    assert!(refused.1.starts_with("not formatted: "), "{refused:?}");
    client.stop();
}

/// Every state of a text that is being typed and deleted has answers.
#[test]
fn half_typed_texts_are_no_trouble() {
    let model = model();
    let mut client = Client::start();
    client.open(&model.main, "");
    let mut typed = String::new();
    for c in model.text.chars() {
        let line = typed.matches('\n').count();
        let start = typed.rfind('\n').map_or(0, |at| at + 1);
        let character = typed[start..].encode_utf16().count();
        client.edit(&model.main, (line, character), (line, character), &c.to_string());
        typed.push(c);
        let here = at(&model.main, (line, character + c.len_utf16()));
        client.ask("textDocument/completion", here.clone());
        client.ask("textDocument/signatureHelp", here.clone());
        client.ask("textDocument/hover", here);
    }
    assert_eq!(client.diagnostics(&model.main), Vec::<Json>::new());
    client.stop();
}
