# SPDX-License-Identifier: GPL-3.0-or-later
"""check_page.py PROGRAM PAGE [FOLDER] - plan3d.html in Chromium and in Firefox, from a
file: its numbers against the program's for each line of questions.txt, what sliders,
files and downloads do, the console, and how it looks. With FOLDER pictures are left
there. A browser that is not here is skipped; exit status 77 where none is."""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time
import urllib.parse

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "browser"))

import bidi  # noqa: E402
import devtools  # noqa: E402

WIDTHS = (360, 390, 1280, 2560)
PATIENCE_S = 120
AUDIT = (HERE.parent / "browser/audit.js").read_text(encoding="utf-8")
CONFIG = {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 4096,
    "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32,
    "num_key_value_heads": 8, "vocab_size": 128256, "max_position_embeddings": 8192,
    "tie_word_embeddings": False, "hidden_act": "silu",
}


class Native:
    """The program of this machine."""

    def __init__(self, program):
        self.program = os.path.abspath(program)

    def run(self, words):
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
        return subprocess.run([self.program, *words], check=False, capture_output=True,
                              encoding="utf-8", env=environment)

    def answer(self, question):
        """The text, the document of a fit, and the message for a line."""
        known = self.run(["completion", "words", "--", ""]).stdout.split()
        words = shlex.split(question)
        text = self.run(words)
        found = re.match(r"= plan3d (.*)\n", text.stdout)
        if words[0] not in known and found:
            words = shlex.split(found[1])
            text = self.run(words)
        if re.search("[\u4e00-\u9fff]", question):
            text = self.run([*words, "--lang", "zh"])
        document = self.run([*words, "--json"]).stdout if words[0] == "fit" else ""
        return text, json.loads(document) if document.strip() else None


def wait(browser, expression):
    begin = time.monotonic()
    while not browser.run(expression):
        if time.monotonic() - begin > PATIENCE_S:
            raise RuntimeError("waited for " + expression)
        time.sleep(0.02)
    return time.monotonic() - begin


READY = "document.body.dataset.state === 'ready'"


def ask(browser, text):
    """The seconds from a question in the page's line to its answer."""
    browser.run(f"(page.found = null, submit({json.dumps(text)}, false), 0)")
    return wait(browser, READY)


def alike(a, b, path=""):
    """Differences of two documents: digits that no reader is shown may differ."""
    if isinstance(a, dict) and isinstance(b, dict):
        for name in a.keys() | b.keys():
            yield from alike(a.get(name), b.get(name), f"{path}.{name}")
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, (x, y) in enumerate(zip(a, b)):
            yield from alike(x, y, f"{path}[{i}]")
    elif isinstance(a, float) or isinstance(b, float):
        if a is None or b is None or abs(a - b) > 1e-9 * max(abs(a), abs(b)):
            yield f"{path}: {a} and {b}"
    elif a != b:
        yield f"{path}: {a} and {b}"


def check_question(browser, native, question):
    ask(browser, question)
    text, document = native.answer(question)
    trouble = browser.run("at('trouble').hidden ? '' : at('trouble').firstChild.textContent")
    if text.returncode > 1:
        if trouble != re.sub("^plan3d: ", "", text.stderr).strip():
            yield f"says '{trouble}', the program '{text.stderr.strip()}'"
        return
    if trouble:
        yield f"says '{trouble}'"
        return
    if document is None:
        printed = browser.run("at('printed').querySelector('pre').textContent")
        if printed != text.stdout:
            yield "prints another text"
        return
    got = browser.run("page.found")
    for each in (got, document):
        del each["search"]["seconds"]
    yield from list(alike(got, document))[:3]
    shown = browser.run("at('verdict').querySelector('h1').textContent")
    if shown != text.stdout.split("\n", 1)[0]:
        yield f"shows '{shown}'"


def check_questions(browser, native):
    lines = (HERE / "questions.txt").read_text(encoding="utf-8").splitlines()
    begin = time.monotonic()
    for question in lines:
        for problem in check_question(browser, native, question):
            yield f"{question}: {problem}"
        browser.run("(language === 'en' || at('language').click(), 0)")
        wait(browser, READY)
    print(f"  {len(lines)} questions in {time.monotonic() - begin:.0f} s")


def check_address(browser, page):
    """A link and a shell say the same."""
    text = "fit 13B 16xA100 --seq 4096; plan3d fit 13B 16xH100 --seq 4096"
    browser.go(f"file://{os.path.abspath(page)}#{urllib.parse.quote(text)}")
    wait(browser, READY)
    wait(browser, "page.foundSecond !== null")
    if browser.run("page.text") != text:
        yield "the address became " + browser.run("page.text")
    if browser.run("at('side').querySelectorAll('tbody tr').length") < 8:
        yield "two clusters have no table"
    if browser.run("Number(at('gpus-number').value)") != 16:
        yield "the controls do not show the line"


SLIDE = """(function (id, value) { const control = at(id); control.value = value;
  control.dispatchEvent(new Event('input', {bubbles: true})); return 0; })"""


def check_sliders(browser):
    ask(browser, "fit 8B 8xH100")
    times = []
    for step in (2, 4, 5, 6, 7, 3):
        browser.run("(page.found = null, 0)")
        browser.run(f"{SLIDE}('gpus', {step})")
        times.append(wait(browser, READY + " && page.found !== null"))
    expected = browser.run("`fit 8B ${GPU_STEPS[3]}xH100`")
    if browser.run("page.text") != expected:
        yield f"the slider wrote '{browser.run('page.text')}', not '{expected}'"
    print("  a change is answered in ms: " + ", ".join(f"{1000 * t:.0f}" for t in times))
    for value in ("2", "5", "1"):
        browser.run(f"{SLIDE}('seq', {value})")
    wait(browser, READY)
    if browser.run("page.found.job.seq_len") != 1024:
        yield "the last of many changes does not count"
    browser.run("(at('seq-usual').click(), 0)")
    wait(browser, READY)
    if browser.run("page.text") != expected:
        yield "the sequence is not as usual again"


def check_preview(browser):
    """While a long search goes on, the plan that is shown is estimated with the change."""
    ask(browser, "fit 70B 64xA800")
    browser.run(f"{SLIDE}('gpus', 10)")
    first = wait(browser, "at('verdict').classList.contains('preview') || " + READY)
    seen = browser.run("at('verdict').textContent.includes('128 x A800')")
    whole = first + wait(browser, READY)
    if not seen:
        yield "no preview of a long search"
    print(f"  70B on 128 GPUs: {1000 * first:.0f} ms to a preview, {1000 * whole:.0f} to the answer")


def check_second(browser):
    """The page is busy until the second of two clusters has its answer, which is late here."""
    browser.run("""(askers.second.ask = async function (words, files, tell) {
        const answer = await Asker.prototype.ask.call(this, words, files, tell);
        while (askers.main.isBusy) await new Promise((resolve) => setTimeout(resolve, 10));
        await new Promise((resolve) => setTimeout(resolve, 300));
        tell("late");
        return answer;
      }, 0)""")
    ask(browser, "fit 8B 8xH100; plan3d fit 8B 8xA100")
    if browser.run("page.foundSecond === null"):
        yield "the page is ready before the second of two clusters has an answer"
    browser.run("(delete askers.second.ask, 0)")


def check_stale(browser):
    """A long question is dropped for a short one, whose answer is shown."""
    browser.run("(submit('fit 405B 1024xH100', false), 0)")
    time.sleep(0.2)
    took = ask(browser, "fit 7B 1xH100")
    if browser.run("page.found.cluster.n_gpus") != 1:
        yield "an old answer is shown"
    print(f"  after a question that was dropped: {1000 * took:.0f} ms")


def check_files(browser):
    ask(browser, "fit 8B 8xH100")
    config = json.dumps(json.dumps(CONFIG))
    browser.run(f"(at('pasted').value = {config}, at('read').click(), 0)")
    wait(browser, READY + " && page.found && page.found.model.asked === 'config.json'")
    if browser.run("page.text") != "fit config.json 8xH100":
        yield "a pasted model became " + browser.run("page.text")
    if browser.run("page.found.model.parameters") != 8030261248:
        yield "the pasted model is read as another"
    browser.run("(at('target').value = 'megatron', at('take-launch').click(), 0)")
    wait(browser, "at('launch').querySelector('pre') !== null")
    script = browser.run("at('launch').querySelector('pre').textContent")
    if "--tensor-model-parallel-size" not in script:
        yield "no launch script"
    browser.run(f"takeFiles({{'launch.sh': {json.dumps(script)}}})")
    wait(browser, READY + " && page.text.startsWith('import')")
    browser.run("(takeReport(), 0)")
    wait(browser, "page.report !== null && " + READY)
    if "you run" not in browser.run("at('printed').textContent"):
        yield "a launch script is not read: " + browser.run("at('trouble').textContent")


def check_grid(browser):
    ask(browser, "fit 8B 8xH100")
    browser.run("(showGrid(), 0)")
    wait(browser, "at('grid').querySelector('.heat') !== null")
    cells = browser.run("[...document.querySelectorAll('.heat td button')].map("
                        "(cell) => cell.ariaLabel)")
    if len(cells) < 12 or not all(cells):
        yield f"a heat map of {len(cells)} cells"
    report = browser.run("page.report.text.length")
    if report < 100000:
        yield f"a report of {report} characters"


def check_keyboard(browser):
    if not isinstance(browser, devtools.Browser):
        return
    browser.run("(document.activeElement.blur(), scrollTo(0, 0))")
    names = []
    for _ in range(12):
        browser.press("Tab")
        outline = browser.run("getComputedStyle(document.activeElement.closest('.ask') || "
                              "document.activeElement).outlineStyle")
        names.append(browser.run("document.activeElement.id || document.activeElement.className"))
        if outline == "none":
            yield "no outline: " + names[-1]
    for name in ("line", "language", "theme"):
        if name not in names:
            yield f"Tab does not come to {name}: {names}"


def check_looks(browser, name, folder):
    texts = {"en": "fit 70B 64xA800 --tokens 2T --price 1.2; "
                   "plan3d fit 70B 64xH100 --tokens 2T --price 1.2",
             "zh": "fit 70B 8xA800 --lang zh"}
    for language, text in texts.items():
        ask(browser, text)
        browser.run("(showGrid(), 0)")
        wait(browser, "at('grid').querySelector('.heat') !== null")
        wait(browser, READY)
        for theme in ("light", "dark"):
            browser.run(f"(document.documentElement.dataset.theme = '{theme}', 0)")
            for width in WIDTHS:
                browser.size(width)
                time.sleep(0.3)
                for problem in browser.run(AUDIT):
                    yield f"{language}, {theme}, {width} px: {problem}"
                if folder:
                    browser.picture(f"{folder}/{name}-{language}-{theme}-{width}.png")
    browser.size(1280)


def check(browser, native, page, name, folder):
    browser.size(1280)
    begin = time.monotonic()
    browser.open(page)
    wait(browser, "typeof page !== 'undefined' && page.found !== null && " + READY)
    print(f"  first answer {1000 * (time.monotonic() - begin):.0f} ms after it is opened")
    wait(browser, "page.lists !== undefined")
    yield from check_questions(browser, native)
    yield from check_address(browser, page)
    yield from check_sliders(browser)
    yield from check_preview(browser)
    yield from check_second(browser)
    yield from check_stale(browser)
    yield from check_files(browser)
    yield from check_grid(browser)
    yield from check_keyboard(browser)
    yield from check_looks(browser, name, folder)
    yield from browser.messages()


def main():
    program, page = sys.argv[1:3]
    folder = sys.argv[3] if len(sys.argv) > 3 else None
    if folder:
        os.makedirs(folder, exist_ok=True)
    native = Native(program)
    browsers = [(name, kind) for name, kind, found in (
        ("chromium", devtools.Browser, devtools.find_browser()),
        ("firefox", bidi.Browser, bidi.find_browser())) if found]
    n_bad = 0
    for name, kind in browsers:
        print(f"{name}:")
        with kind() as browser:
            problems = list(dict.fromkeys(check(browser, native, page, name, folder)))
        for problem in problems:
            print("  " + problem)
        print(f"{name}: {len(problems)} problems")
        n_bad += len(problems)
    if not browsers:
        print("skipped: no browser; apt-get install chromium firefox-esr")
        return 77
    return 1 if n_bad else 0


if __name__ == "__main__":
    sys.exit(main())
