//! The web server: serves the page and has a WebSocket to every viewer. One thread per connection, at most
//! [`MAX_CONNECTIONS`].

mod guard;
mod http;
mod hub;
mod outbox;
mod rate;
mod routes;
mod token;
mod websocket;

pub(crate) use http::timed_out;
pub use hub::Hub;
pub use outbox::Outbox;
pub use token::Token;

use http::Answer;
use rate::Rate;
use std::borrow::Cow;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Connections at a time; more are turned away.
pub const MAX_CONNECTIONS: usize = 32;

/// New connections per second, and how many at once. Others wait in the system's queue.
const CONNECTIONS_A_SECOND: u32 = 100;
const CONNECTIONS_AT_ONCE: u32 = 200;

/// How long [`Server::stop`] waits for connections to end.
const FAREWELL: Duration = Duration::from_secs(2);

/// The data source of the page: a simulation or a recording. Called from the viewers' threads.
pub trait Backend: Send + Sync + 'static {
    /// The first message to a viewer.
    fn hello(&self, control: bool) -> String;
    /// A viewer came.
    fn entered(&self, viewer: &Viewer);
    /// A viewer's page sent a message.
    fn message(&self, viewer: &Viewer, text: &str);
    /// A viewer left.
    fn left(&self, viewer: &Viewer);
}

/// A page that is connected.
#[derive(Clone, Debug)]
pub struct Viewer {
    /// Whether it presented the token and may control the simulation.
    pub control: bool,
    /// What it is sent.
    pub outbox: Arc<Outbox>,
}

/// Where to listen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listen {
    /// Name or address; anyone who can reach it can watch the simulation.
    pub bind: String,
    /// Port; 0 for a free one.
    pub port: u16,
}

impl Default for Listen {
    /// This machine only, any free port.
    fn default() -> Self {
        Self {
            bind: Ipv4Addr::LOCALHOST.to_string(),
            port: 0,
        }
    }
}

/// Why the server did not start.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address cannot be listened on.
    #[error(
        "cannot listen on {bind} port {port}: {source}; choose another --port (0: any free one) or --bind"
    )]
    Listen {
        /// Requested address.
        bind: String,
        /// Requested port.
        port: u16,
        /// Message of the system.
        source: io::Error,
    },
    /// There is no randomness for the token.
    #[error("the system provides no random numbers for the token: {0}")]
    Random(getrandom::Error),
}

/// A running server; stops when dropped.
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
}

struct Shared {
    page: Cow<'static, str>,
    bind: String,
    token: Token,
    hub: Arc<Hub>,
    backend: Box<dyn Backend>,
    connections: AtomicUsize,
    stopping: AtomicBool,
}

impl Server {
    /// Listen and serve `page` to viewers of `backend`, who are in `hub` while they are connected.
    pub fn start(
        listen: &Listen,
        page: impl Into<Cow<'static, str>>,
        hub: Arc<Hub>,
        backend: impl Backend,
    ) -> Result<Self, ServeError> {
        let refused = |source| ServeError::Listen {
            bind: listen.bind.clone(),
            port: listen.port,
            source,
        };
        // An IPv6 address may come in brackets, as in a URL.
        let bind = listen.bind.trim_start_matches('[').trim_end_matches(']');
        let listener = TcpListener::bind((bind, listen.port)).map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let shared = Arc::new(Shared {
            page: page.into(),
            bind: bind.to_owned(),
            token: Token::random().map_err(ServeError::Random)?,
            hub,
            backend: Box::new(backend),
            connections: AtomicUsize::new(0),
            stopping: AtomicBool::new(false),
        });
        let accepted = shared.clone();
        let accepting = std::thread::Builder::new()
            .name("viewer-accept".to_owned())
            .spawn(move || accept(&listener, &accepted))
            .map_err(refused)?;
        Ok(Self {
            address,
            shared,
            accepting: Some(accepting),
        })
    }

    /// Address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The page's address with the token, for whoever may control the simulation.
    pub fn url(&self) -> String {
        format!("http://{}/?token={}", self.reachable(), self.shared.token)
    }

    /// The token.
    pub fn token(&self) -> &Token {
        &self.shared.token
    }

    /// Stop listening and end all connections.
    pub fn stop(&mut self) {
        let Some(accepting) = self.accepting.take() else {
            return;
        };
        self.shared.stopping.store(true, Ordering::SeqCst);
        self.shared.hub.close();
        // A connection of our own wakes the listener.
        if TcpStream::connect_timeout(&self.reachable(), FAREWELL).is_ok() {
            let _ = accepting.join();
        }
        let deadline = Instant::now() + FAREWELL;
        while self.shared.connections.load(Ordering::SeqCst) > 0 && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// An address to connect to; "all addresses" is not one.
    fn reachable(&self) -> SocketAddr {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(match address {
                SocketAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
                SocketAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
            });
        }
        address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Give every connection a thread.
fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    let mut rate = Rate::new(CONNECTIONS_A_SECOND, CONNECTIONS_AT_ONCE);
    for stream in listener.incoming() {
        std::thread::sleep(rate.count(Instant::now()));
        if shared.stopping.load(Ordering::SeqCst) {
            return;
        }
        let Ok(mut stream) = stream else {
            // Out of file handles, for example: others may be closed soon.
            std::thread::sleep(Duration::from_millis(50));
            continue;
        };
        let place = Place::take(shared);
        if shared.connections.load(Ordering::SeqCst) > MAX_CONNECTIONS {
            // Fits the empty buffer of a new connection; never waited for.
            if stream.set_nonblocking(true).is_ok() {
                let body = "There are too many viewers already.\n";
                Answer::text("503 Service Unavailable", body).send(&mut stream);
            }
            continue;
        }
        let connection = std::thread::Builder::new().name("viewer-in".to_owned());
        // Without a thread the connection is closed.
        let _ = connection.spawn(move || routes::serve(stream, &place.0));
    }
}

/// Counts a connection while it lives.
struct Place(Arc<Shared>);

impl Place {
    fn take(shared: &Arc<Shared>) -> Self {
        shared.connections.fetch_add(1, Ordering::SeqCst);
        Self(shared.clone())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::SeqCst);
    }
}
