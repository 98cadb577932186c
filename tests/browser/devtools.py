# SPDX-License-Identifier: GPL-3.0-or-later
"""devtools.py - drives a headless browser over the DevTools protocol, with
the standard library alone."""
import base64
import json
import os
import secrets
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request

# Addresses of what is on this machine, or in the page itself.
LOCAL = ("file:", "blob:", "data:")
NAMES = ("chromium", "chromium-browser", "google-chrome")


def find_browser():
    """Path of a browser, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Socket:
    """A WebSocket to this machine (RFC 6455), whole text messages only."""

    def __init__(self, port, path):
        self.socket = socket.create_connection(("127.0.0.1", port), 30)
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
            .encode())
        self.file = self.socket.makefile("rb")
        while self.file.readline().strip():
            pass

    def send(self, text):
        data = text.encode()
        mask = secrets.token_bytes(4)
        n = len(data)
        if n < 126:
            head = struct.pack("!BB", 0x81, 0x80 | n)
        elif n < 65536:
            head = struct.pack("!BBH", 0x81, 0x80 | 126, n)
        else:
            head = struct.pack("!BBQ", 0x81, 0x80 | 127, n)
        masked = bytes(b ^ mask[i % 4] for i, b in enumerate(data))
        self.socket.sendall(head + mask + masked)

    def receive(self):
        data = b""
        while True:
            first, second = self.file.read(2)
            n = second & 0x7F
            if n == 126:
                n = struct.unpack("!H", self.file.read(2))[0]
            elif n == 127:
                n = struct.unpack("!Q", self.file.read(8))[0]
            data += self.file.read(n)
            if first & 0x80:
                return data.decode()


class Remote:
    """A browser that is a process with a folder, and hears calls on a socket. Use it in
    a `with` statement."""

    folder = process = socket = None

    def __init__(self):
        self.last = 0
        self.events = []

    def call(self, method, **parameters):
        self.last += 1
        self.socket.send(json.dumps(
            {"id": self.last, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.receive())
            if message.get("id") == self.last:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message.get('message', message['error'])}")
                return message["result"]
            self.events.append(message)

    def open(self, path):
        self.go("file://" + os.path.abspath(path))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Browser(Remote):
    """A browser with one tab."""

    def __init__(self):
        super().__init__()
        self.folder = tempfile.mkdtemp()
        self.process = subprocess.Popen(
            [find_browser(), "--headless=new", "--no-sandbox", "--disable-gpu",
             "--hide-scrollbars", "--remote-debugging-port=0",
             f"--user-data-dir={self.folder}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port = self.wait_for_port()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json") as tabs:
            tab = next(t for t in json.load(tabs) if t["type"] == "page")
        path = tab["webSocketDebuggerUrl"].split(str(port), 1)[1]
        self.socket = Socket(port, path)
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def wait_for_port(self):
        path = os.path.join(self.folder, "DevToolsActivePort")
        for _ in range(300):
            if os.path.exists(path) and os.path.getsize(path) > 0:
                with open(path, encoding="ascii") as file:
                    return int(file.readline())
            time.sleep(0.1)
        raise RuntimeError("the browser did not start")

    def go(self, url):
        self.events = []
        self.call("Page.navigate", url=url)
        while self.run("document.readyState") != "complete":
            time.sleep(0.05)

    def run(self, script):
        """The value of an expression in the page."""
        result = self.call("Runtime.evaluate", expression=script,
                           returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"])[:2000])
        return result["result"].get("value")

    def size(self, width, height=1000):
        self.call("Emulation.setDeviceMetricsOverride", width=width,
                  height=height, deviceScaleFactor=1, mobile=False)

    def media(self, scheme):
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}])

    def press(self, key):
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                      windowsVirtualKeyCode={"Tab": 9, "Enter": 13}[key])

    def picture(self, path, selector=None):
        """A PNG of the whole page, or of one element."""
        box = self.run(
            "(function () { var r = document.querySelector("
            f"{json.dumps(selector or 'html')}).getBoundingClientRect();"
            "return {x: r.x + scrollX, y: r.y + scrollY, width: r.width,"
            "height: r.height, scale: 1}; })()")
        data = self.call("Page.captureScreenshot", format="png", clip=box,
                         captureBeyondViewport=True)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def print(self, path):
        data = self.call("Page.printToPDF", printBackground=True,
                         preferCSSPageSize=True)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def messages(self, local=LOCAL):
        """What the page said, or fetched from elsewhere, since it was opened."""
        for event in self.events:
            method, details = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                yield "exception: " + str(details)[:300]
            elif method == "Runtime.consoleAPICalled":
                yield "console: " + str(details["args"])[:300]
            elif method == "Log.entryAdded":
                yield "log: " + details["entry"]["text"]
            elif method == "Network.requestWillBeSent":
                url = details["request"]["url"]
                if not url.startswith(local):
                    yield "fetched: " + url
