//! Chromium over the DevTools protocol: just enough to click, to look and to wait.
#![allow(clippy::unwrap_used)] // Helpers of tests may fail like tests.

use base64::Engine as _;
use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// How long something may take before it is taken for never. Nothing is measured with it.
const PATIENCE: Duration = Duration::from_secs(90);

/// A browser with one page.
pub(super) struct Browser {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    session: String,
    next: u64,
    /// What went wrong inside the page.
    pub(super) errors: Vec<String>,
    child: Child,
    _profile: tempfile::TempDir,
}

fn program() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let found = || {
        let folders = std::env::var_os("PATH")?;
        let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
        std::env::split_paths(&folders)
            .flat_map(|folder| names.map(|name| folder.join(name)))
            .find(|path| path.is_file())
    };
    named.or_else(found)
}

impl Browser {
    /// Starts chromium with an empty page.
    pub(super) fn start() -> Self {
        let program = program().expect(
            "the tests of the board need chromium: ./test installs it, or set CHROMIUM to its path",
        );
        let profile = tempfile::tempdir().unwrap();
        let mut child = Command::new(program)
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-extensions",
                "--disable-background-networking",
                "--disable-background-timer-throttling",
                "--disable-renderer-backgrounding",
                "--no-first-run",
                "--hide-scrollbars",
                "--remote-debugging-port=0",
                "--remote-allow-origins=*",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("chromium starts");
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let address = loop {
            let mut line = String::new();
            let read = said.read_line(&mut line).unwrap();
            assert!(read > 0, "chromium ended before it listened");
            if let Some((_, address)) = line.split_once("DevTools listening on ") {
                break address.trim().to_owned();
            }
        };
        // The rest of its output is read and thrown away, so that it never blocks.
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
        let (socket, _) = tungstenite::connect(&address).unwrap();
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
        }
        let mut browser = Self {
            socket,
            session: String::new(),
            next: 0,
            errors: Vec::new(),
            child,
            _profile: profile,
        };
        browser.attach();
        browser
    }

    /// Opens a page and sends later commands to it.
    pub(super) fn attach(&mut self) {
        self.attach_in(None);
    }

    /// One command to the browser itself, not to a page.
    pub(super) fn ask_browser(&mut self, method: &str, parameters: Json) -> Json {
        let session = std::mem::take(&mut self.session);
        let answer = self.ask(method, parameters);
        self.session = session;
        answer
    }

    /// Opens a page in a context of its own, as another device would be, or in the usual one.
    pub(super) fn attach_in(&mut self, context: Option<&Json>) {
        self.session.clear();
        let mut parameters = json!({ "url": "about:blank" });
        if let Some(context) = context {
            parameters["browserContextId"] = context.clone();
        }
        let target = self.ask("Target.createTarget", parameters);
        let attached = self.ask(
            "Target.attachToTarget",
            json!({ "targetId": target["targetId"], "flatten": true }),
        );
        self.session = attached["sessionId"].as_str().unwrap().to_owned();
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            self.ask(domain, json!({}));
        }
    }

    /// The page that commands go to.
    pub(super) fn session(&self) -> String {
        self.session.clone()
    }

    /// Sends later commands to another page.
    pub(super) fn turn_to(&mut self, session: &str) {
        session.clone_into(&mut self.session);
    }

    /// One command and its answer.
    pub(super) fn ask(&mut self, method: &str, parameters: Json) -> Json {
        let answer = self.send(method, parameters);
        assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
        answer["result"].clone()
    }

    /// One command, and what came back: a result or an error.
    fn send(&mut self, method: &str, parameters: Json) -> Json {
        self.next += 1;
        let mut command = json!({ "id": self.next, "method": method, "params": parameters });
        if !self.session.is_empty() {
            command["sessionId"] = self.session.clone().into();
        }
        self.socket
            .send(Message::text(command.to_string()))
            .unwrap();
        loop {
            let message = self.socket.read().expect("chromium answers");
            let Message::Text(text) = message else {
                continue;
            };
            let answer: Json = serde_json::from_str(&text).unwrap();
            self.note(&answer);
            if answer["id"] == self.next {
                return answer;
            }
        }
    }

    /// Keeps what went wrong in the page.
    fn note(&mut self, event: &Json) {
        match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => {
                self.errors
                    .push(event["params"]["exceptionDetails"].to_string());
            }
            Some("Log.entryAdded") if event["params"]["entry"]["level"] == "error" => {
                self.errors
                    .push(event["params"]["entry"]["text"].to_string());
            }
            _ => {}
        }
    }

    /// Sets the size of the window, as on a desktop or on a phone.
    pub(super) fn size(&mut self, width: u32, height: u32, is_phone: bool) {
        let scale = if is_phone { 2 } else { 1 };
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": width, "height": height, "deviceScaleFactor": scale, "mobile": is_phone }),
        );
    }

    /// The languages that the browser asks for.
    pub(super) fn prefer(&mut self, languages: &str) {
        self.ask(
            "Emulation.setUserAgentOverride",
            json!({ "userAgent": "Mozilla/5.0 (X11; Linux x86_64) Chrome", "acceptLanguage": languages }),
        );
    }

    /// Whether the system is said to be dark.
    pub(super) fn dark(&mut self, is_dark: bool) {
        let value = if is_dark { "dark" } else { "light" };
        self.ask(
            "Emulation.setEmulatedMedia",
            json!({ "features": [{ "name": "prefers-color-scheme", "value": value }] }),
        );
    }

    /// Opens an address and waits until the board is there.
    pub(super) fn open(&mut self, url: &str) {
        self.ask("Page.navigate", json!({ "url": url }));
        self.ready();
    }

    /// Loads the page again.
    pub(super) fn reload(&mut self) {
        self.run("document.body.dataset.ready = ''");
        self.ask("Page.reload", json!({}));
        self.ready();
    }

    fn ready(&mut self) {
        self.wait("document.body?.dataset.ready === 'yes'");
    }

    /// What an expression is worth in the page.
    pub(super) fn run(&mut self, expression: &str) -> Json {
        let answer = self.ask(
            "Runtime.evaluate",
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true }),
        );
        let details = &answer["exceptionDetails"];
        assert!(details.is_null(), "{expression}: {details}");
        answer["result"]["value"].clone()
    }

    /// Waits until something is true in the page.
    pub(super) fn wait(&mut self, condition: &str) {
        let started = Instant::now();
        loop {
            // While a page is being loaded nothing can be asked: that is an error or no value.
            let answer = self.send(
                "Runtime.evaluate",
                json!({ "expression": format!("Boolean({condition})"), "returnByValue": true }),
            );
            if answer["result"]["result"]["value"] == true {
                return;
            }
            if started.elapsed() > PATIENCE {
                let name = std::thread::current()
                    .name()
                    .unwrap_or("test")
                    .replace("::", "-");
                self.picture(&format!("never-{name}"));
                panic!("never true: {condition}\n{:?}", self.errors);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Presses and releases the mouse at a place.
    pub(super) fn click_at(&mut self, x: f64, y: f64) {
        for kind in ["mousePressed", "mouseReleased"] {
            self.mouse(kind, x, y);
        }
    }

    /// One event of the mouse.
    pub(super) fn mouse(&mut self, kind: &str, x: f64, y: f64) {
        let button = if kind == "mouseMoved" { "none" } else { "left" };
        let held = u8::from(kind != "mouseReleased");
        self.ask(
            "Input.dispatchMouseEvent",
            json!({ "type": kind, "x": x, "y": y, "button": button, "buttons": held, "clickCount": 1 }),
        );
    }

    /// Where the middle of an element is, scrolled into view.
    pub(super) fn middle(&mut self, selector: &str) -> (f64, f64) {
        let found = self.run(&format!(
            "(() => {{ const e = document.querySelector({}); if (!e) return null; \
             e.scrollIntoView({{ block: 'nearest', inline: 'nearest', behavior: 'instant' }}); \
             const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }})()",
            json!(selector)
        ));
        let place = |n: usize| found[n].as_f64();
        match (place(0), place(1)) {
            (Some(x), Some(y)) => (x, y),
            _ => panic!("there is no {selector}"),
        }
    }

    /// Clicks an element.
    pub(super) fn click(&mut self, selector: &str) {
        let (x, y) = self.middle(selector);
        self.click_at(x, y);
    }

    /// Has the browser speak of fingers instead of a mouse.
    pub(super) fn use_touch(&mut self) {
        self.ask(
            "Emulation.setTouchEmulationEnabled",
            json!({ "enabled": true, "maxTouchPoints": 1 }),
        );
    }

    /// Touches a place and lets go.
    pub(super) fn tap(&mut self, x: f64, y: f64) {
        let points = json!([{ "x": x, "y": y }]);
        for (kind, points) in [("touchStart", points), ("touchEnd", json!([]))] {
            self.ask(
                "Input.dispatchTouchEvent",
                json!({ "type": kind, "touchPoints": points }),
            );
        }
    }

    /// Writes letters with the keyboard, into whatever has the focus.
    pub(super) fn type_text(&mut self, text: &str) {
        self.ask("Input.insertText", json!({ "text": text }));
    }

    /// Presses a key.
    pub(super) fn key(&mut self, key: &str) {
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            "Escape" => 27,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => 0,
        };
        let text = match key {
            "Enter" => "\r",
            key if key.len() == 1 => key,
            _ => "",
        };
        for kind in ["keyDown", "keyUp"] {
            let text = if kind == "keyDown" { text } else { "" };
            self.ask(
                "Input.dispatchKeyEvent",
                json!({ "type": kind, "key": key, "text": text, "windowsVirtualKeyCode": code }),
            );
        }
    }

    /// Writes into a field and says that it changed.
    pub(super) fn write(&mut self, selector: &str, text: &str) {
        self.run(&format!(
            "(() => {{ const e = document.querySelector({}); e.focus(); e.value = {}; \
             e.dispatchEvent(new Event('input', {{ bubbles: true }})); \
             e.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()",
            json!(selector),
            json!(text)
        ));
    }

    /// Keeps a picture of the page under `target/tmp/board`.
    pub(super) fn picture(&mut self, name: &str) {
        self.capture(&format!("{name}.png"), json!({ "format": "png" }));
    }

    /// Keeps a small picture.
    pub(super) fn photo(&mut self, name: &str) {
        self.capture(
            &format!("{name}.jpg"),
            json!({ "format": "jpeg", "quality": 82 }),
        );
    }

    fn capture(&mut self, name: &str, how: Json) {
        let answer = self.ask("Page.captureScreenshot", how);
        let bytes = base64::engine::general_purpose::STANDARD
            .decode(answer["data"].as_str().unwrap())
            .unwrap();
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("board");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(name), bytes).unwrap();
    }

    /// Nothing went wrong in the page.
    pub(super) fn finish(mut self) {
        self.run("0");
        assert!(self.errors.is_empty(), "{:#?}", self.errors);
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let command = json!({ "id": 0, "method": "Browser.close" });
        let _ = self.socket.send(Message::text(command.to_string()));
        let _ = self.socket.flush();
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(5) {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
