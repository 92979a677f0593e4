//! A model behind a port of the loopback interface. It does what its script says and remembers what it was asked.

use std::io::{self, BufReader};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use serde_json::{Value, json};

use super::behaviour::{Content, Message, Mind, Turn};
use super::http::{self, Request, Sent};
use super::{Api, text, tokens};

/// A running model server; it lives as long as the suite.
pub(crate) struct Server {
    pub(crate) port: u16,
    state: Arc<State>,
}

struct State {
    api: &'static dyn Api,
    mind: Box<dyn Mind>,
    /// Where requests are kept for people to look at.
    kept: PathBuf,
    asked: Mutex<Vec<Asked>>,
}

/// What a model was asked.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// The texts in the user's name.
    pub(crate) user_texts: Vec<String>,
    /// The tools that were offered.
    pub(crate) tools: Vec<String>,
    /// All of it, as it came.
    pub(crate) body: String,
}

impl Server {
    /// Starts a server on a free port, which keeps requests in a folder.
    pub(crate) fn start(api: &'static dyn Api, mind: Box<dyn Mind>, kept: PathBuf) -> Self {
        std::fs::create_dir_all(&kept).expect("a folder for requests");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let state = Arc::new(State { api, mind, kept, asked: Mutex::default() });
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = Arc::clone(&shared);
                // A CLI that hangs up is ordinary.
                thread::spawn(move || state.serve(&stream));
            }
        });
        Self { port, state }
    }

    /// Gives what the model was asked so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.state.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl State {
    fn serve(&self, stream: &TcpStream) -> io::Result<()> {
        let mut reader = BufReader::new(stream);
        let mut writer = stream;
        while let Some(request) = http::read(&mut reader, &mut writer)? {
            if !self.answer(&request, &mut writer)? {
                break;
            }
        }
        stream.shutdown(std::net::Shutdown::Both)
    }

    /// Answers a request; says whether the connection goes on.
    fn answer(&self, request: &Request, stream: &mut &TcpStream) -> io::Result<bool> {
        let mut send = |status, value: &Value| {
            let body = value.to_string();
            http::respond(stream, status, "application/json", body.as_bytes(), Sent::All)
        };
        let path = request.path.as_str();
        if request.method == "POST" && self.api.asks(path) {
            return self.ask(request, stream);
        }
        if path.ends_with("count_tokens") || path.ends_with(":countTokens") {
            let count = tokens::FRESH;
            send(200, &json!({ "input_tokens": count, "totalTokens": count }))?;
        } else if path.ends_with("/models") {
            send(200, &json!({ "object": "list", "data": [], "models": [] }))?;
        } else {
            send(404, &self.api.error(404))?;
        }
        Ok(true)
    }

    fn ask(&self, request: &Request, stream: &mut &TcpStream) -> io::Result<bool> {
        let body: Value = serde_json::from_slice(&request.body)?;
        let api = self.api;
        let asked = Asked {
            user_texts: api.user_texts(&body),
            tools: api.tools(&body),
            body: String::from_utf8_lossy(&request.body).into_owned(),
        };
        let number = {
            let mut all = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
            all.push(asked.clone());
            all.len()
        };
        std::fs::write(self.kept.join(format!("{number:03}.json")), &request.body)?;
        let streams = api.streams(&request.path, &body);
        let kind = if streams { "text/event-stream" } else { "application/json" };
        let turn = self.mind.turn(&asked, api.results(&body));
        let content = match &turn {
            Turn::Say(text) => Content::Text(text),
            Turn::Use(tool) => Content::Tool(tool),
            Turn::Cut => Content::Text("This answer is cut in the middle."),
            Turn::Status(status) => {
                let error = api.error(*status).to_string();
                http::respond(stream, *status, "application/json", error.as_bytes(), Sent::All)?;
                return Ok(true);
            }
            Turn::Malformed => {
                let junk: &[u8] =
                    if streams { b"data: {this is no JSON\n\n" } else { b"{this is no JSON" };
                http::respond(stream, 200, kind, junk, Sent::All)?;
                return Ok(true);
            }
            Turn::Hang => loop {
                thread::park();
            },
        };
        let message = Message { number, model: model(&request.path, &body), content };
        let answer =
            if streams { events(&api.events(&message)) } else { api.whole(&message).to_string() };
        let sent = if matches!(turn, Turn::Cut) { Sent::Half } else { Sent::All };
        http::respond(stream, 200, kind, answer.as_bytes(), sent)?;
        Ok(sent == Sent::All)
    }
}

/// Finds the model that is asked for: Gemini's API has it in the path.
fn model<'a>(path: &'a str, body: &'a Value) -> &'a str {
    match path.split_once("/models/") {
        Some((_, rest)) => rest.split(':').next().unwrap_or_default(),
        None => text(body, "/model"),
    }
}

fn events(events: &[(Option<String>, String)]) -> String {
    events
        .iter()
        .map(|(name, data)| match name {
            Some(name) => format!("event: {name}\ndata: {data}\n\n"),
            None => format!("data: {data}\n\n"),
        })
        .collect()
}
