# SPDX-License-Identifier: GPL-3.0-or-later
"""bidi.py - drives a headless Firefox over WebDriver BiDi, with the standard library
alone: what check_page.py asks of a browser, as devtools.Browser has it for Chromium."""
import base64
import json
import shutil
import socket
import subprocess
import tempfile
import time

from devtools import LOCAL, Remote, Socket

NAMES = ("firefox-esr", "firefox")
PREFERENCES = {
    "ui.systemUsesDarkTheme": 0,
    "browser.shell.checkDefaultBrowser": "false",
    "datareporting.policy.dataSubmissionEnabled": "false",
    "intl.accept_languages": '"en-US"',
}


def find_browser():
    """Path of a browser, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Browser(Remote):
    """A browser with one tab."""

    def __init__(self):
        super().__init__()
        self.folder = tempfile.mkdtemp()
        with open(f"{self.folder}/user.js", "w", encoding="ascii") as file:
            for name, value in PREFERENCES.items():
                file.write(f'user_pref("{name}", {value});\n')
        port = free_port()
        self.process = subprocess.Popen(
            [find_browser(), "--headless", f"--remote-debugging-port={port}",
             "--profile", self.folder, "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.socket = self.connect(port)
        self.call("session.new", capabilities={})
        tree = self.call("browsingContext.getTree")
        self.tab = tree["contexts"][0]["context"]
        self.call("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])

    @staticmethod
    def connect(port):
        for _ in range(300):
            try:
                return Socket(port, "/session")
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("the browser did not start")

    def go(self, url):
        self.events = []
        self.call("browsingContext.navigate", context=self.tab, url=url, wait="complete")

    def run(self, script):
        """The value of an expression in the page."""
        result = self.call("script.evaluate", target={"context": self.tab}, awaitPromise=True,
                           expression=f"Promise.resolve({script}).then(JSON.stringify)")
        if result["type"] == "exception":
            raise RuntimeError(str(result["exceptionDetails"])[:2000])
        value = result["result"].get("value")
        return None if value is None else json.loads(value)

    def size(self, width, height=1000):
        self.call("browsingContext.setViewport", context=self.tab,
                  viewport={"width": width, "height": height})

    def picture(self, path):
        data = self.call("browsingContext.captureScreenshot", context=self.tab,
                         origin="document")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def messages(self):
        """What the page said or fetched since it was opened."""
        for event in self.events:
            details = event.get("params", {})
            if event.get("method") == "log.entryAdded":
                yield f"{details['level']}: {details['text']}"
            elif event.get("method") == "network.beforeRequestSent":
                url = details["request"]["url"]
                if not url.startswith(LOCAL):
                    yield "fetched: " + url
