//! The part of the Chrome DevTools Protocol that is needed for pictures.

use super::ShotError;
use serde_json::{Value, json};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Message, WebSocket};

/// Longest answer, bytes: a picture as text.
const MAX_ANSWER: usize = 256 << 20;

/// A tab of a browser, remote-controlled.
pub struct DevTools {
    socket: WebSocket<TcpStream>,
    session: Option<String>,
    last: u64,
    deadline: Instant,
}

impl DevTools {
    /// Connect to a browser and open an empty tab. Nothing is waited for after `deadline`.
    pub fn open_tab(address: &str, deadline: Instant) -> Result<Self, ShotError> {
        let host = address
            .strip_prefix("ws://")
            .and_then(|a| a.split('/').next());
        let host = host.ok_or_else(|| ShotError::Browser(format!("'{address}' is no address")))?;
        let stream = TcpStream::connect(host).map_err(|e| ShotError::Browser(e.to_string()))?;
        stream
            .set_read_timeout(Some(remaining(deadline)))
            .map_err(|e| ShotError::Browser(e.to_string()))?;
        let config = WebSocketConfig::default()
            .max_message_size(Some(MAX_ANSWER))
            .max_frame_size(Some(MAX_ANSWER));
        let (socket, _) = tungstenite::client::client_with_config(address, stream, Some(config))
            .map_err(|e| ShotError::Browser(format!("its DevTools do not answer: {e}")))?;
        let mut tools = Self {
            socket,
            session: None,
            last: 0,
            deadline,
        };
        let target = tools.call("Target.createTarget", json!({"url": "about:blank"}))?;
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let attached = tools.call("Target.attachToTarget", attach)?;
        tools.session = attached["sessionId"].as_str().map(str::to_owned);
        Ok(tools)
    }

    /// From now on, all waits end at this time.
    pub fn wait_until(&mut self, deadline: Instant) {
        self.deadline = deadline;
    }

    /// Call a method and wait for its result.
    pub fn call(&mut self, method: &str, parameters: Value) -> Result<Value, ShotError> {
        self.last += 1;
        let id = self.last;
        let mut message = json!({"id": id, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let broken = |e: tungstenite::Error| ShotError::Browser(format!("{method}: {e}"));
        let text = Message::text(message.to_string());
        self.socket.send(text).map_err(broken)?;
        loop {
            let left = remaining(self.deadline);
            let limited = self.socket.get_ref().set_read_timeout(Some(left));
            limited.map_err(|e| broken(e.into()))?;
            let answer = match self.socket.read() {
                Ok(Message::Text(text)) => text,
                Ok(_) => continue,
                Err(tungstenite::Error::Io(e)) if crate::server::timed_out(&e) => {
                    return Err(ShotError::TooSlow(format!("Chromium is still at {method}")));
                }
                Err(error) => return Err(broken(error)),
            };
            let mut answer: Value = serde_json::from_str(&answer).unwrap_or_default();
            // Events come in between.
            if answer["id"] != id {
                continue;
            }
            if let Some(error) = answer["error"]["message"].as_str() {
                return Err(ShotError::Browser(format!("{method}: {error}")));
            }
            return Ok(answer["result"].take());
        }
    }

    /// The value of an expression in the page, after awaiting a promise.
    pub fn evaluate(&mut self, expression: &str) -> Result<Value, ShotError> {
        let parameters =
            json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let mut result = self.call("Runtime.evaluate", parameters)?;
        let details = &result["exceptionDetails"];
        let described = details["exception"]["description"].as_str();
        if let Some(exception) = described.or(details["text"].as_str()) {
            return Err(ShotError::Page(exception.to_owned()));
        }
        Ok(result["result"]["value"].take())
    }
}

/// Remaining time, never zero, which would mean to wait forever.
fn remaining(deadline: Instant) -> Duration {
    let left = deadline.saturating_duration_since(Instant::now());
    left.max(Duration::from_millis(1))
}
