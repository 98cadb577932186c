// SPDX-License-Identifier: GPL-3.0-or-later
// main.js - the page: one text, a command line, is its state; controls change the text, the
// engine answers it.
"use strict";

const FIRST_TEXT = "fit 8B 8xH100 --tokens 1T --price 2";
const EXAMPLES = {
  en: ["will llama-3-8b fit on 8 H100s?", "how long does 70B take on 512 H100 for 2T tokens?",
    "fit 70B 64xA800; plan3d fit 70B 64xH100", "how many A800 for 70B in 60 days, 2T tokens?"],
  zh: ["8B 能在 8 张 H100 上训练吗？", "70B 用 512 张 H100 训练 2T token 要多久？",
    "fit 70B 64xA800 --lang zh; plan3d fit 70B 64xH100 --lang zh",
    "70B 在 60 天内训练 2T token 要多少张 A800？"],
};
const OBJECTIVES = ["recommended", "fastest", "roomiest", "cheapest"];
const PREVIEW_MS = 120, SETTLE_MS = 30, GRID_MS = 700;

const page = {
  text: "",
  line: null, // the parts of `fit MODEL CLUSTER`; null: another command
  second: null, // the cluster beside it
  files: {},
  known: {}, // the options of commands
  commands: [],
  found: null, // the answer's document
  foundSecond: null,
  report: null, // {key, text} of the last one that was made
  answers: new Map(),
  n: 0, // of the question under way
};
const askers = {};

// ---- the text -------------------------------------------------------------------------------

const langWords = () => (language === "zh" ? ["--lang", "zh"] : []);

function secondLine() {
  return { ...page.line, cluster: page.second };
}

function textOf() {
  const one = (line) => joinWords([...lineWords(line), ...langWords()]);
  return one(page.line) + (page.second === null ? "" : `; plan3d ${one(secondLine())}`);
}

function setText(text, isNew) {
  page.text = text;
  at("line").value = text;
  const fragment = toFragment(text);
  if (location.hash === fragment) return;
  if (isNew) history.pushState(null, "", fragment);
  else history.replaceState(null, "", fragment);
}

function setLanguage(to) {
  language = to;
  at("language").textContent = to === "zh" ? "English" : "中文";
  sayAll(document);
  fill(at("examples"), make("span", {}, `${say("for example")}: `), ...EXAMPLES[to].map((text) =>
    button(text, () => submit(text, true), "example")));
  fillChoices();
  showFiles();
}

// The language that a line asks for is the page's.
function takeLanguage(line) {
  const word = line.options.get("lang");
  line.options.delete("lang");
  if (word && word !== language) setLanguage(word === "zh" ? "zh" : "en");
}

function submit(text, isNew) {
  const lines = splitLines(text.trim() === "" ? FIRST_TEXT : text);
  const line = readLine(lines[0], page.known.fit);
  sayTrouble(null);
  if (line === null && page.commands.includes(lines[0][0])) {
    askPrinted(lines[0], text, isNew);
  } else if (line === null) {
    askQuestion(lines[0], text, isNew);
  } else {
    takeLanguage(line);
    const second = lines[1] ? readLine(lines[1], page.known.fit) : null;
    page.line = line;
    page.second = second ? second.cluster : null;
    setText(textOf(), isNew);
    ask();
  }
}

// ---- asking ---------------------------------------------------------------------------------

function setState(words, isBusy) {
  at("state-words").textContent = words;
  at("stop").hidden = !isBusy;
  document.body.dataset.state = isBusy ? "busy" : "ready"; // for who waits for an answer
}

const progress = (words) => setState(words, true);

function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// A word that was not understood, and the nearest one, as a button.
function sayTrouble(answer) {
  const trouble = at("trouble");
  trouble.hidden = answer === null;
  if (answer === null) return;
  const found = (readJson(answer.out) || {}).error;
  const said = found ? `${found.message}; ${found.hint || ""}` : answer.err;
  const [, word, near] = said.match(/'([^']+)'.*did you mean '([^']+)'/s) || [];
  trouble.replaceChildren(answer.err.replace(/^plan3d: /, "").trim());
  if (near && page.text.includes(word)) {
    const text = page.text.replace(word, near);
    trouble.append(" ", button(text, () => submit(text, true), "small"));
  }
}

// The answer to words as JSON: {status, found, err}; null where it was dropped.
async function askJson(asker, words) {
  const key = JSON.stringify([words, page.files]);
  if (page.answers.has(key)) {
    asker.drop();
    return page.answers.get(key);
  }
  const answer = await asker.ask([...words, "--json", ...langWords()], page.files, progress);
  if (answer === null) return null;
  const whole = { ...answer, found: readJson(answer.out) };
  if (page.answers.size > 300) page.answers.clear();
  page.answers.set(key, whole);
  return whole;
}

const isFound = (answer) => answer.found !== null && answer.found.model !== undefined;

function fail(answer) {
  sayTrouble(answer);
  setState("", false);
}

// The whole dashboard for page.line.
async function ask() {
  const n = ++page.n;
  const begin = performance.now();
  showControls();
  askers.report.drop();
  askers.text.drop();
  setState(say("searching"), true);
  at("answer").classList.add("stale");
  const timer = setTimeout(() => preview(n), PREVIEW_MS);
  const second = page.second === null ? null : askJson(askers.second, lineWords(secondLine()));
  const answer = await askJson(askers.main, lineWords(page.line));
  clearTimeout(timer);
  if (answer === null || n !== page.n) return;
  page.found = isFound(answer) ? answer.found : page.found;
  if (!isFound(answer)) return fail(answer);
  sayTrouble(null);
  const words = say("answered in {} ms", (performance.now() - begin).toFixed(0));
  setState(words, second !== null);
  showAnswer(page.found, false);
  await showSecond(n, second, words);
}

async function showSecond(n, second, words) {
  at("side").hidden = true;
  page.foundSecond = null;
  if (second === null) return;
  const answer = await second;
  if (answer === null || n !== page.n) return;
  if (!isFound(answer)) return fail(answer);
  page.foundSecond = answer.found;
  setState(words, false);
  drawSide(at("side"), page.found, page.foundSecond);
  showControls();
}

// While a long search goes on: the plan that is shown, with the change.
async function preview(n) {
  const shown = page.found && shownOf(page.found);
  if (!shown || askers.preview.isBusy) return;
  const plan = shown.words.replace(/(^|,)dp=\d+/, "").replace(/^,/, "");
  const answer = await askers.preview.ask(["estimate", page.line.model, page.line.cluster,
    ...optionWords(page.line.options, page.known.estimate), "--plan", plan, "--json"], page.files);
  const found = answer && readJson(answer.out);
  if (n === page.n && askers.main.isBusy && found && found.estimate) showAnswer(found, true);
}

// A question in words: the engine says which command line it is.
async function askQuestion(words, text, isNew) {
  const n = ++page.n;
  setText(text, isNew);
  setState(say("searching"), true);
  const answer = await askers.main.ask([...words, "--json", ...langWords()], page.files, progress);
  if (answer === null || n !== page.n) return;
  const [, meant] = answer.err.match(/^= plan3d (.*)$/m) || [];
  if (meant === undefined) return fail(answer);
  if (/[\u4e00-\u9fff]/.test(text) && language !== "zh") setLanguage("zh");
  const line = readLine(splitWords(meant.replace(/ --json| --lang \w+/g, "")), page.known.fit);
  if (line !== null && isFound({ found: readJson(answer.out) })) {
    page.answers.set(JSON.stringify([lineWords(line), page.files]),
      { ...answer, found: readJson(answer.out) });
  }
  submit(meant.replace(/ --json/g, ""), false);
}

// The controls go on from the model and the cluster that another command is about.
function takePlace(words) {
  const line = readLine(["fit", ...words.slice(1, 3)], page.known.fit);
  if (line !== null && readCluster(line.cluster) !== null) {
    page.line = { ...page.line, model: line.model, cluster: line.cluster };
  }
  showControls();
}

// Any other command: what it prints.
async function askPrinted(words, text, isNew) {
  const n = ++page.n;
  takePlace(words);
  setText(text, isNew);
  setState(say("searching"), true);
  const lang = words.includes("--lang") ? [] : langWords();
  const answer = await askers.main.ask([...words, ...lang], page.files, progress);
  if (answer === null || n !== page.n) return null;
  setState("", false);
  if (answer.out === "" || answer.status > 1) sayTrouble(answer);
  for (const id of ["verdict", "side", "changes", "memory", "time", "grid"]) at(id).hidden = true;
  at("answer").classList.remove("stale");
  const isPage = answer.out.startsWith("<!DOCTYPE html>");
  const files = isPage ? { "plan.html": answer.out } : answer.files;
  fill(at("printed"), make("h2", {}, `plan3d ${text}`), ...fileDetails(files),
    isPage ? null : make("pre", { tabIndex: 0 }, answer.out));
  return answer;
}

// ---- showing --------------------------------------------------------------------------------

function showAnswer(found, isPreview) {
  at("answer").classList.toggle("stale", false);
  drawVerdict(at("verdict"), found, isPreview, (objective) => setOption("objective", objective));
  drawMemory(at("memory"), found);
  drawTime(at("time"), found);
  if (isPreview) return;
  drawChanges(at("changes"), found, tryChange);
  showControls();
  showGridOffer();
  showPrintedOffer();
  at("take").hidden = shownOf(found) === null;
  at("take-state").textContent = "";
  at("launch").replaceChildren();
  translateChanges();
}

// The document is in English; the text has the changes in the reader's language.
async function translateChanges() {
  if (language === "en" || at("changes").hidden) return;
  const n = page.n;
  const answer = await askers.text.ask([...lineWords(page.line), ...langWords()], page.files);
  if (answer === null || n !== page.n) return;
  const rows = [...answer.out.matchAll(/^ {1,3}\d+ {2}(.+(?:\n {4,}.+)*)/gm)]
    .map(([, row]) => row.replace(/\n */g, "").replace(/[:：][\d.,]+ GiB.*/s, ""));
  const items = at("changes").querySelectorAll("li");
  if (rows.length === items.length) items.forEach((item, i) => { item.firstChild.data = rows[i]; });
}

function showPrintedOffer() {
  const pre = make("pre", { tabIndex: 0 });
  const words = [...lineWords(page.line), ...langWords()];
  const details = make("details", {}, make("summary", {}, say("What the program prints")),
    make("p", { className: "string" }, make("code", {}, `plan3d ${page.text}`), " ",
      copyButton(`plan3d ${page.text}`)), pre);
  details.ontoggle = async () => {
    if (!details.open || pre.textContent !== "") return;
    const answer = await askers.text.ask(words, page.files, progress);
    if (answer === null) return;
    pre.textContent = answer.out;
    setState("", false);
  };
  fill(at("printed"), details);
}

// The report of the plan that is shown, made once; null where it was dropped or refused.
async function makeReport() {
  const shown = page.found && shownOf(page.found);
  if (!shown) return null;
  const words = ["report", page.line.model, page.line.cluster,
    ...optionWords(page.line.options, page.known.report), "--plan", shown.words, ...langWords()];
  const key = JSON.stringify([words, page.files]);
  if (page.report !== null && page.report.key === key) return page.report.text;
  const answer = await askers.report.ask(words, page.files, progress);
  if (answer === null) return null;
  if (answer.out === "") {
    fail(answer);
    return null;
  }
  page.report = { key, text: answer.out };
  return answer.out;
}

async function showGrid() {
  const n = page.n;
  at("grid-begin").textContent = say("Each pair is searched; this takes some seconds.");
  const report = await makeReport();
  if (report === null || n !== page.n) return;
  setState("", false);
  const grid = readGrid(report);
  if (grid === null) at("grid").hidden = true;
  else drawGrid(at("grid"), grid, (words) => setOption("pin", words));
}

// The heat map is drawn once somebody looks at where it goes, and nothing changes.
function showGridOffer() {
  const section = at("grid");
  section.hidden = shownOf(page.found) === null;
  if (section.hidden) return;
  const begin = make("p", { id: "grid-begin" }, button(say("Draw the heat map"), showGrid));
  fill(section, make("h2", {}, say("TP x PP")), make("p", { className: "quiet" },
    say("The step of the best plan with each pair, or why there is none.")), begin);
  const n = page.n;
  const eye = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    eye.disconnect();
    setTimeout(() => {
      if (n === page.n && begin.isConnected && begin.querySelector("button")) showGrid();
    }, GRID_MS);
  });
  eye.observe(section);
}

// ---- changes --------------------------------------------------------------------------------

let settling = 0;

// After a control changed page.line: the text at once, the question when it rests.
function changed() {
  setText(textOf(), false);
  page.n += 1;
  askers.main.drop();
  setState(say("searching"), true);
  clearTimeout(settling);
  settling = setTimeout(ask, SETTLE_MS);
  showControls();
}

function setOption(name, value) {
  if (value === null || value === "") page.line.options.delete(name);
  else page.line.options.set(name, value);
  changed();
}

function setCluster(gpus, type) {
  page.line.cluster = `${gpus}x${type}`;
  changed();
}

function setSecond(gpus, type) {
  page.second = `${gpus}x${type}`;
  changed();
}

// A change that the engine offers: an option and its value, or more GPUs.
function tryChange(words, gpus) {
  if (words === null) setCluster(gpus, clusterNow().type);
  else setOption(words[0].replace(/^--/, ""), words[1] === "" ? true : words[1]);
}

function clusterNow() {
  return readCluster(page.line.cluster) ||
    (page.found ? { gpus: page.found.cluster.n_gpus, type: page.found.cluster.gpu } :
      { gpus: 8, type: "H100-SXM5-80GB" });
}

// ---- files ----------------------------------------------------------------------------------

function takeFiles(files) {
  const names = Object.keys(files);
  if (names.length === 0) return;
  Object.assign(page.files, files);
  showFiles();
  const model = names.find((name) => isModel(files[name]));
  if (model !== undefined && names.length === 1) {
    page.line.model = model;
    setText(textOf(), true);
    ask();
  } else {
    askImport(names);
  }
}

async function askImport(names) {
  const words = ["import", ...names.slice(0, 3), "--cluster", page.line.cluster];
  const answer = await askPrinted(words, joinWords(words), true);
  if (answer && answer.status > 1 && answer.err.includes("--model")) {
    const whole = [...words, "--model", page.line.model];
    await askPrinted(whole, joinWords(whole), false);
  }
}

function showFiles() {
  drawFiles(at("file-list"), page.files, (name) => {
    delete page.files[name];
    showFiles();
  });
}

async function takeReport() {
  at("take-state").textContent = say("searching");
  const report = await makeReport();
  at("take-state").textContent = "";
  if (report === null) return;
  setState("", false);
  download("plan.html", report, "text/html");
}

// Launch files of the plan that is shown.
async function takeLaunch() {
  const to = at("target").value;
  const words = ["export", page.line.model, page.line.cluster,
    ...optionWords(page.line.options, page.known.export), "--to", to, "-o", "out"];
  const shown = shownOf(page.found);
  let answer = await askers.extra.ask([...words, "--plan", shown.words, ...langWords()], page.files);
  if (answer && answer.status > 1) { // a plan that the target can run
    answer = await askers.extra.ask([...words, ...langWords()], page.files, progress);
  }
  if (answer === null) return;
  setState("", false);
  at("take-state").textContent = (answer.err || answer.out).replace(/^plan3d: /, "")
    .replace(/\bout\//g, "");
  at("launch").replaceChildren(...fileDetails(answer.files));
}
