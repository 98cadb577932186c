# SPDX-License-Identifier: GPL-3.0-or-later
"""check_pages.py PROGRAM [FOLDER] - opens pages of `plan3d report` in a
browser and looks for what a reader would stumble over.

Every page at four widths in both themes: no message in the console, nothing
fetched, every figure there, text with enough contrast, no labels over each
other, nothing wider than the window; by keyboard everything in order, with a
focus to be seen; buttons that do what they say. With FOLDER pictures are left
there. Skipped (exit status 77) where no browser is."""
import json
import os
import subprocess
import sys
import tempfile

import colours
import devtools

PAGES = {
    "dense": ["70B", "64xA800", "--tokens", "2T", "--price", "1.5"],
    "experts": ["deepseek-v3", "512xH100"],
    "own": ["70B", "64xA800", "--plan", "tp=8,pp=8,mbs=1"],
    "one": ["7B", "1xH100"],
    "no": ["70B", "8xA100"],
    "barely": ["8B", "4xRTX-4090"],
}
LEAST_DISTANCE = 12  # in a figure; some 2 can just be seen side by side
LEAST_ANYWHERE = 8
# The colours of each figure: classes of HTML_COLOURS in html.h.
COLOURS = (
    ("weights", "gradients", "optimizer", "activations", "working", "buffers"),
    ("computing", "optimizer", "communication", "waiting"),
    ("computing", "backward", "weights-back", "communication", "optimizer",
     "waiting"),
)
WIDTHS = (360, 390, 1280, 2560)
MOST_SCREENS = 6  # of a phone, 390 x 844, as the page is opened
THEMES = ("light", "dark")
EVERYWHERE = {"verdict", "memory", "step", "pipeline", "scaling", "swings",
              "proof", "basis", "launches"}
FIGURES = {
    "dense": EVERYWHERE | {"plans", "ranks", "grid", "front"},
    "experts": EVERYWHERE | {"plans", "ranks", "grid", "front"},
    "own": EVERYWHERE | {"plans", "ranks", "grid", "front"},
    "one": EVERYWHERE | {"plans", "front"},
    "no": EVERYWHERE | {"ranks", "grid", "changes"},
    "barely": EVERYWHERE | {"plans", "ranks", "grid", "front"},
}
FOCUSABLE = "a[href], button:not([hidden]), summary, [tabindex='0']"

with open(os.path.join(os.path.dirname(__file__), "audit.js"),
          encoding="utf-8") as audit:
    AUDIT = audit.read()


def check_figures(browser, name):
    there = set(browser.run(
        "Array.from(document.querySelectorAll('header, section'), "
        "function (n) { return n.id; })"))
    for missing in FIGURES[name] - there:
        yield "no section " + missing
    for extra in there - FIGURES[name]:
        yield "a section too many: " + extra
    yield from browser.run(
        "Array.from(document.querySelectorAll('svg[role]')).filter("
        "function (n) { return !n.getAttribute('aria-label') && "
        "!n.getAttribute('aria-labelledby'); }).map(function (n) { "
        "return 'a figure without a name'; })")


def check_keyboard(browser):
    """Tab goes through everything in the order of the page, with an outline;
    points have a thick stroke."""
    browser.run("document.activeElement.blur(), scrollTo(0, 0)")
    n = browser.run(
        f'window.order = Array.from(document.querySelectorAll("{FOCUSABLE}"))'
        ".filter(function (x) { return x.checkVisibility(); }), order.length")
    for i in range(n):
        browser.press("Tab")
        got = browser.run(
            "(function (x) { var shape = x.querySelector('circle'); return ["
            "order.indexOf(x), shape ? getComputedStyle(shape).strokeWidth === "
            "'3px' && 'solid' || 'none' : getComputedStyle(x).outlineStyle, "
            "x.outerHTML.slice(0, 60)]; })(document.activeElement)")
        if got[0] != i:
            yield f"focus {i} is on {got[0]}: {got[2]}"
            return
        if got[1] == "none":
            yield "no outline: " + got[2]


def check_buttons(browser):
    first = browser.run("getComputedStyle(document.body).backgroundColor")
    browser.run("document.getElementById('theme').click()")
    if browser.run("getComputedStyle(document.body).backgroundColor") == first:
        yield "the theme stays"
    browser.run("document.getElementById('theme').click()")
    browser.run("document.querySelector('#pipeline .fold').open = true")
    before = browser.run("document.querySelector('.pan').scrollWidth")
    browser.run("document.querySelector('[data-zoom=\"2\"]').click()")
    if browser.run("document.querySelector('.pan').scrollWidth") < 1.9 * before:
        yield "no zoom"
    browser.run("document.querySelector('[data-zoom=\"0\"]').click()")
    if browser.run("document.querySelectorAll('.copy').length") > 0:
        browser.run("document.querySelector('.copy').click()")
        word = browser.run("new Promise(function (done) { setTimeout(function "
                           "() { done(document.querySelector('.copy')"
                           ".firstChild.nodeValue); }, 300); })")
        if word not in ("Copied", "Selected"):
            yield "copy says " + word


def check_colours(browser):
    """The colours of the figures, for all kinds of colour blindness."""
    everything = sorted({name for names in COLOURS for name in names})
    got = dict(zip(everything, browser.run(
        json.dumps(everything) + ".map(function (name) { var n = document."
        "createElement('span'); n.className = name; document.body.appendChild("
        "n); var c = getComputedStyle(n).backgroundColor; n.remove(); return c;"
        " })")))
    for names in COLOURS + (everything,):
        least = LEAST_ANYWHERE if names is everything else LEAST_DISTANCE
        distance, seen, first, second = colours.nearest(
            [got[name] for name in names])
        if distance < least:
            yield f"{first} and {second} are alike ({distance:.0f}) with {seen}"


def check_contents(browser):
    """Each line of the contents leads to a section, which is then open."""
    yield from browser.run(
        "Array.from(document.querySelectorAll('#contents a')).map(function (a) "
        "{ a.click(); var to = document.querySelector(a.getAttribute('href')),"
        " fold = to && to.querySelector('.fold'); return !to ? 'no ' + a.href :"
        " fold && !fold.open ? a.href + ' stays closed' : ''; })"
        ".filter(Boolean)")


def check_touch(browser):
    """What is touched has the focus, and says below the figure what it is."""
    browser.call("Emulation.setFocusEmulationEnabled", enabled=True)
    yield from browser.run(
        "(function () { var bad = []; document.querySelectorAll('.fold')."
        "forEach(function (d) { d.open = true; });"
        "['#memory .tip', '#front .tip', '#grid .tip'].forEach(function (s) {"
        "  var tip = document.querySelector(s); if (!tip) return;"
        "  var words = tip.querySelector('.bubble');"
        "  if (words.checkVisibility()) bad.push(s + ' speaks unasked');"
        "  tip.focus(); if (!words.checkVisibility()) bad.push(s + ' is mute');"
        "  var box = words.getBoundingClientRect(), text = (words"
        "  .firstElementChild || words).getBoundingClientRect(), card ="
        "  words.closest('.card').getBoundingClientRect();"
        "  if (text.bottom > box.bottom + 1 || box.right > card.right)"
        "    bad.push(s + ' is cut: ' + words.textContent);"
        "  tip.blur(); }); return bad; })()")


def check_length(browser):
    screens = browser.run("document.documentElement.scrollHeight") / 844
    if screens > MOST_SCREENS:
        yield f"{screens:.1f} screens of a phone"


def check_policy(browser, path, changed):
    """A script, style or picture that got into the file does nothing."""
    with open(path, encoding="utf-8") as page:
        text = page.read()
    with open(changed, "w", encoding="utf-8") as page:
        page.write(text.replace("<main>", (
            "<main><style>body { opacity: 0.5 }</style>"
            "<script>window.ran = 1</script>"
            "<p id='injected' style='opacity: 0.5' onclick='ran = 1'>x</p>"
            "<img src='http://127.0.0.1:9/x'>")))
    browser.open(changed)
    browser.run("document.getElementById('injected').click()")
    if browser.run("typeof window.ran") != "undefined":
        yield "a script that got into the page runs"
    for place in ("document.body", "document.getElementById('injected')"):
        if browser.run(f"getComputedStyle({place}).opacity") != "1":
            yield "a style that got into the page counts"
    refused = [m for m in browser.messages("file:") if "Content Security Policy" in m]
    if len(refused) < 5:
        yield f"the policy refuses {len(refused)} of 5"


def check_page(browser, name, path, folder):
    browser.size(1280)
    browser.open(path)
    yield from check_figures(browser, name)
    yield from check_contents(browser)
    browser.size(390, 844)
    browser.open(path)
    yield from check_length(browser)
    yield from check_touch(browser)
    browser.size(1280)
    browser.open(path)
    yield from check_buttons(browser)
    yield from check_keyboard(browser)
    yield from browser.messages("file:")
    browser.open(path)
    for opened in ("false", "true"):
        browser.run("document.querySelectorAll('details').forEach(function "
                    f"(d) {{ d.open = {opened}; }})")
        for theme in THEMES:
            browser.media(theme)
            yield from check_colours(browser)
            for width in WIDTHS:
                browser.size(width)
                for problem in browser.run(AUDIT):
                    yield f"{theme}, {width} px: {problem}"
                if folder and opened == "false":
                    browser.picture(f"{folder}/{name}-{theme}-{width}.png")
    yield from browser.messages("file:")
    if folder:
        browser.media("light")
        browser.print(f"{folder}/{name}.pdf")


def main():
    program = sys.argv[1]
    folder = sys.argv[2] if len(sys.argv) > 2 else None
    if folder:
        os.makedirs(folder, exist_ok=True)
    n_bad = 0
    if devtools.find_browser() is None:
        print("skipped: no browser; apt-get install chromium")
        return 77
    with tempfile.TemporaryDirectory() as pages, devtools.Browser() as browser:
        for name, words in PAGES.items():
            path = f"{pages}/{name}.html"
            status = subprocess.run(
                [program, "report", *words, "-o", path], check=False,
                stdout=subprocess.DEVNULL).returncode
            problems = [] if status == (name == "no") else [
                f"exit status {status}"]
            problems += check_page(browser, name, path, folder)
            if name == "one":
                problems += check_policy(browser, path, f"{pages}/changed.html")
            print(f"{name}: {len(problems)} problems")
            for problem in dict.fromkeys(problems):
                print("  " + problem)
            n_bad += len(problems)
    return 1 if n_bad else 0


if __name__ == "__main__":
    sys.exit(main())
