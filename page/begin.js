// SPDX-License-Identifier: GPL-3.0-or-later
// begin.js - starts the engine, asks it what it knows, and connects the page to it.
"use strict";

const readNames = (answer) => answer.out.split("\n").filter((name) => name !== "");

// What can be chosen, from the program's own completion.
async function askLists() {
  const complete = async (...words) =>
    readNames(await askers.start.ask(["completion", "words", "--", ...words], {}));
  const names = async (what) => JSON.parse((await askers.start.ask(["list", what, "--json"], {})).out)
    .items.map((item) => item.name);
  page.lists = {
    targets: await complete("export", "8B", "8xH100", "--to", ""),
    frameworks: await complete("fit", "8B", "8xH100", "--framework", ""),
    dtypes: await complete("fit", "8B", "8xH100", "--dtype", ""),
    gpus: await names("gpus"),
    models: await names("models"),
  };
  fillChoices();
}

function connectPage() {
  at("ask").onsubmit = (event) => {
    event.preventDefault();
    submit(at("line").value, true);
  };
  at("stop").onclick = () => {
    page.n += 1;
    Object.values(askers).forEach((asker) => asker.drop());
    setState(say("Stopped. Ask again, or change something."), false);
  };
  at("language").onclick = () => {
    setLanguage(language === "zh" ? "en" : "zh");
    page.answers.clear();
    if (page.line !== null) submit(textOf(), false);
  };
  at("theme").onclick = () => {
    const root = document.documentElement;
    const isDark = root.dataset.theme === "dark" || (root.dataset.theme === undefined &&
      matchMedia("(prefers-color-scheme: dark)").matches);
    root.dataset.theme = isDark ? "light" : "dark";
  };
  addEventListener("hashchange", () => {
    const text = fromFragment(location.hash);
    if (text !== page.text) submit(text, false);
  });
  at("take-report").onclick = takeReport;
  at("take-launch").onclick = takeLaunch;
  at("take-json").onclick = () =>
    download("plan.json", `${JSON.stringify(page.found, null, 2)}\n`, "application/json");
}

function connectFiles() {
  const drop = at("drop");
  const hasFiles = (event) => [...event.dataTransfer.types].includes("Files");
  addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    drop.hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) drop.hidden = true;
  });
  addEventListener("drop", async (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    drop.hidden = true;
    takeFiles(await readFiles(event.dataTransfer.files));
  });
  at("chosen").onchange = async () => takeFiles(await readFiles(at("chosen").files));
  at("read").onclick = () => {
    const text = at("pasted").value;
    if (text.trim() !== "") takeFiles({ [nameOf(text)]: text });
  };
}

async function learnOptions(name) {
  page.known[name] = readOptions((await askers.start.ask(["help", name], {})).out);
}

async function begin() {
  const start = makeStarter(await compileEngine(at("engine").textContent), at("worker").textContent);
  for (const name of ["main", "preview", "second", "report", "text", "extra", "start"]) {
    askers[name] = new Asker(start);
  }
  askers.main.warm();
  page.commands = readNames(await askers.start.ask(["completion", "words", "--", ""], {}));
  await learnOptions("fit");
  page.line = readLine(splitWords(FIRST_TEXT), page.known.fit);
  connectPage();
  connectControls();
  connectFiles();
  showControls();
  submit(fromFragment(location.hash), false);
  for (const name of ["estimate", "report", "export"]) await learnOptions(name);
  at("version").textContent = (await askers.start.ask(["version"], {})).out.split("\n")[0].replace(/^plan3d /, "");
  await askLists();
}

setLanguage(/^zh/i.test(navigator.language) && location.hash === "" ? "zh" : "en");
document.body.dataset.state = "busy";
if (typeof DecompressionStream === "undefined") {
  setState(say("This browser is too old: it has no DecompressionStream."), false);
} else {
  begin().catch((error) => setState(say("The engine cannot start: {}", String(error)), false));
}
