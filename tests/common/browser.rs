//! A headless Chromium, driven by the DevTools protocol over its pipe.
//!
//! The browser reads JSON messages that end with a zero byte from descriptor 3 and writes them to descriptor 4, so that
//! the standard library and serde_json are all that it takes. (The crates for this protocol and for WebDriver bring
//! about a hundred others.)

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;
use std::{env, thread};

use serde_json::{Value, json};

use super::files;

/// Longer than any answer takes, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// The browser with one page.
pub struct Browser {
    process: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    session: Option<String>,
    commands: u64,
    complaints: Vec<String>,
    is_loaded: bool,
}

/// Chromium: what the environment variable `CHROMIUM` names, or the first on the path.
fn program() -> PathBuf {
    if let Some(named) = env::var_os("CHROMIUM") {
        return named.into();
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let places = env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name)));
    places.into_iter().find(|file| file.is_file()).expect(
        "no Chromium on the path: install the package 'chromium' (apt-get install chromium), \
         or set CHROMIUM to the program",
    )
}

impl Browser {
    /// Starts the browser with an empty page; `name` is that of the test.
    pub fn start(name: &str) -> Browser {
        let profile = files::folder(&format!("browser-{name}"));
        let mut process = Command::new("sh")
            .args(["-c", "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", "sh"])
            .arg(program())
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--remote-debugging-pipe",
            ])
            // Containers often have too little of it.
            .arg("--disable-dev-shm-usage")
            .arg(format!("--user-data-dir={}", profile.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let input = process.stdin.take().expect("a pipe");
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        let (sender, messages) = mpsc::channel();
        thread::spawn(move || {
            for message in output.split(0).map_while(Result::ok) {
                let message = serde_json::from_slice(&message).expect("JSON from the browser");
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut browser = Browser {
            process,
            input,
            messages,
            session: None,
            commands: 0,
            complaints: Vec::new(),
            is_loaded: false,
        };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attached =
            browser.call("Target.attachToTarget", json!({"targetId": target["targetId"], "flatten": true}));
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Sends a command and waits for its result.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.commands += 1;
        let id = self.commands;
        let mut message = json!({"id": id, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.input.write_all(format!("{message}\0").as_bytes()).expect("the browser listens");
        loop {
            let mut answer = self.receive(method);
            if answer["id"] == id {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].take();
            }
        }
    }

    /// Waits for the next message, and notes what it says where it is an event.
    fn receive(&mut self, what: &str) -> Value {
        let message = self.messages.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("{what}: {error}"));
        let params = &message["params"];
        match message["method"].as_str() {
            Some("Page.loadEventFired") => self.is_loaded = true,
            Some("Runtime.exceptionThrown" | "Runtime.consoleAPICalled" | "Log.entryAdded") => {
                self.complaints.push(params.to_string());
            }
            Some("Network.requestWillBeSent") => {
                let url = params["request"]["url"].as_str().unwrap_or_default();
                if !url.starts_with("file:") && !url.starts_with("about:") {
                    self.complaints.push(format!("request of {url}"));
                }
            }
            _ => {}
        }
        message
    }

    /// Opens a file and waits until it is loaded.
    pub fn open(&mut self, file: &Path) {
        self.is_loaded = false;
        self.call("Page.navigate", json!({"url": format!("file://{}", file.display())}));
        while !self.is_loaded {
            self.receive("Page.loadEventFired");
        }
    }

    /// The width of the window in CSS pixels, and whether the reader prefers dark colours.
    pub fn surroundings(&mut self, width: u32, is_dark: bool) {
        let metrics = json!({"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500});
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        let scheme = if is_dark { "dark" } else { "light" };
        let media = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.call("Emulation.setEmulatedMedia", media);
    }

    /// The value of an expression in the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true});
        let mut result = self.call("Runtime.evaluate", params);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {}", result["exceptionDetails"]);
        result["result"]["value"].take()
    }

    /// The text of an element, as it is seen.
    pub fn text(&mut self, selector: &str) -> String {
        let value = self.value(&format!("document.querySelector({selector:?}).innerText"));
        value.as_str().unwrap_or_else(|| panic!("no {selector}")).to_owned()
    }

    /// Presses a key, such as `ArrowRight`.
    pub fn press(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", json!({"type": kind, "key": key, "code": key}));
        }
    }

    /// Clicks the middle of an element with the mouse.
    pub fn click(&mut self, selector: &str) {
        let place = self.value(&format!(
            "(() => {{ const it = document.querySelector({selector:?}); it.scrollIntoView({{block: 'center'}}); \
             const box = it.getBoundingClientRect(); \
             return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ));
        for kind in ["mousePressed", "mouseReleased"] {
            let params =
                json!({"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1});
            self.call("Input.dispatchMouseEvent", params);
        }
    }

    /// What the page wrote to the console, what failed in it, and what it wanted from the network.
    pub fn complaints(&self) -> &[String] {
        &self.complaints
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
