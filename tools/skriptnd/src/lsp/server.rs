//! The server's life: it is initialized, follows what is typed, answers, and publishes diagnostics when nobody types.

use super::documents::path_of;
use super::publish;
use super::requests;
use super::workspace::Workspace;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidChangeWatchedFiles, DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument,
    Notification as _, PublishDiagnostics,
};
use lsp_types::{
    CompletionOptions, HoverProviderCapability, InitializeParams, OneOf, PublishDiagnosticsParams, RenameOptions,
    SaveOptions, ServerCapabilities, SignatureHelpOptions, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextDocumentSyncSaveOptions, Uri, WorkDoneProgressOptions,
};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Diagnostics wait until nothing has come for so long.
const IDLE: Duration = Duration::from_millis(150);

/// Serves until the client ends it; says whether it did so in order.
pub fn run(connection: &Connection) -> bool {
    let Some(parameters) = initialize(connection) else { return false };
    let mut server = Server::new(connection, &parameters);
    let mut shut_down = false;
    loop {
        let received = match server.changed {
            true => connection.receiver.recv_timeout(IDLE),
            false => connection.receiver.recv().map_err(Into::into),
        };
        match received {
            Ok(Message::Notification(notification)) if notification.method == "exit" => return shut_down,
            Ok(Message::Request(request)) if shut_down => {
                let message = "the server has been shut down".to_owned();
                server.send(Response::new_err(request.id, ErrorCode::InvalidRequest as i32, message));
            }
            Ok(Message::Request(request)) if request.method == "shutdown" => {
                shut_down = true;
                server.send(Response::new_ok(request.id, ()));
            }
            Ok(Message::Request(request)) => server.answer(request),
            Ok(Message::Notification(notification)) => server.follow(notification),
            Ok(Message::Response(_)) => {}
            Err(error) if error.is_timeout() => server.publish(),
            Err(_) => return shut_down,
        }
    }
}

/// Waits for `initialize` and answers it; what comes before is refused, as the protocol wants it.
fn initialize(connection: &Connection) -> Option<InitializeParams> {
    loop {
        match connection.receiver.recv().ok()? {
            Message::Request(request) if request.method == "initialize" => {
                let parameters = serde_json::from_value(request.params).unwrap_or_default();
                let result = serde_json::json!({
                    "capabilities": capabilities(),
                    "serverInfo": { "name": "skriptnd-lsp-server", "version": env!("CARGO_PKG_VERSION") },
                });
                connection.sender.send(Response::new_ok(request.id, result).into()).ok()?;
                return Some(parameters);
            }
            Message::Request(request) => {
                let message = "`initialize` comes first".to_owned();
                let refusal = Response::new_err(request.id, ErrorCode::ServerNotInitialized as i32, message);
                connection.sender.send(refusal.into()).ok()?;
            }
            Message::Notification(notification) if notification.method == "exit" => return None,
            Message::Notification(_) | Message::Response(_) => {}
        }
    }
}

fn capabilities() -> ServerCapabilities {
    let triggers = |characters: &[&str]| Some(characters.iter().map(ToString::to_string).collect());
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) })),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: triggers(&[".", "@", "{", "`"]),
            ..CompletionOptions::default()
        }),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: triggers(&["(", "{", ","]),
            ..SignatureHelpOptions::default()
        }),
        document_formatting_provider: Some(OneOf::Left(true)),
        document_range_formatting_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        ..ServerCapabilities::default()
    }
}

/// A server and its client.
struct Server<'c> {
    connection: &'c Connection,
    workspace: Workspace,
    /// Something has changed since diagnostics were published.
    changed: bool,
    /// Files with diagnostics, by name.
    published: BTreeMap<String, Uri>,
}

impl<'c> Server<'c> {
    fn new(connection: &'c Connection, parameters: &InitializeParams) -> Self {
        let text_document = parameters.capabilities.text_document.as_ref();
        let item = text_document.and_then(|it| it.completion.as_ref()?.completion_item.as_ref());
        Server {
            connection,
            workspace: Workspace::new(item.and_then(|item| item.snippet_support).unwrap_or(false)),
            changed: false,
            published: BTreeMap::new(),
        }
    }

    /// Sends; where nobody listens any more the next receive ends the server.
    fn send(&self, message: impl Into<Message>) {
        let _ = self.connection.sender.send(message.into());
    }

    /// Answers a request, whatever happens: a fault of ours must not take the editor's session with it.
    fn answer(&mut self, request: Request) {
        let id = request.id.clone();
        let answer = catch_unwind(AssertUnwindSafe(|| requests::answer(&mut self.workspace, request)));
        self.send(answer.unwrap_or_else(|_| {
            Response::new_err(id, ErrorCode::InternalError as i32, "a fault of the server".to_owned())
        }));
    }

    fn follow(&mut self, notification: Notification) {
        match notification.method.as_str() {
            DidOpenTextDocument::METHOD => {
                if let Some(given) = parameters::<DidOpenTextDocument>(notification) {
                    let document = given.text_document;
                    self.workspace.documents.open(document.uri, document.text, document.version);
                }
            }
            DidChangeTextDocument::METHOD => {
                if let Some(given) = parameters::<DidChangeTextDocument>(notification) {
                    self.workspace.documents.change(
                        &given.text_document.uri,
                        given.text_document.version,
                        given.content_changes,
                    );
                }
            }
            DidCloseTextDocument::METHOD => {
                if let Some(given) = parameters::<DidCloseTextDocument>(notification) {
                    self.workspace.documents.close(&given.text_document.uri);
                }
            }
            DidSaveTextDocument::METHOD | DidChangeWatchedFiles::METHOD => {}
            _ => return,
        }
        self.workspace.models.outdate();
        self.changed = true;
    }

    /// Checks the models of all open texts and publishes what is wrong with them.
    fn publish(&mut self) {
        self.changed = false;
        let paths: Vec<PathBuf> = self.workspace.documents.paths().map(Path::to_owned).collect();
        let mut mains: Vec<PathBuf> =
            paths.iter().map(|path| self.workspace.models.main_of(&self.workspace.documents, path)).collect();
        mains.sort();
        mains.dedup();
        self.workspace.models.retain(&mains);
        let mut lists = BTreeMap::new();
        for main in &mains {
            let found = catch_unwind(AssertUnwindSafe(|| {
                let snapshot = self.workspace.models.check(&self.workspace.documents, main);
                publish::by_file(&self.workspace.documents, snapshot, publish::expects_graph(main))
            }));
            for (name, (uri, list)) in found.unwrap_or_default() {
                let all: &mut (Uri, Vec<_>) = lists.entry(name).or_insert_with(|| (uri, Vec::new()));
                list.into_iter().for_each(|diagnostic| {
                    if !all.1.contains(&diagnostic) {
                        all.1.push(diagnostic);
                    }
                });
            }
        }
        for (name, uri) in std::mem::take(&mut self.published) {
            lists.entry(name).or_insert_with(|| (uri, Vec::new()));
        }
        for (name, (uri, diagnostics)) in lists {
            if !diagnostics.is_empty() {
                self.published.insert(name, uri.clone());
            }
            let version = self.workspace.documents.get(&path_of(&uri)).map(|document| document.version);
            let given = PublishDiagnosticsParams { uri, diagnostics, version };
            self.send(Notification::new(PublishDiagnostics::METHOD.to_owned(), given));
        }
    }
}

/// The parameters of a notification; one that is malformed is passed over, for nobody waits for an answer.
fn parameters<N>(notification: Notification) -> Option<N::Params>
where
    N: lsp_types::notification::Notification,
    N::Params: DeserializeOwned,
{
    serde_json::from_value(notification.params).ok()
}
