// SPDX-License-Identifier: GPL-3.0-or-later
// controls.js - sliders and lists: what they show of the line, and what they change in it.
"use strict";

// Sliders go through these, as on a logarithmic scale.
const powers = (from, to) => Array.from({ length: Math.log2(to / from) + 1 }, (_, i) => from * 2 ** i);
const GPU_STEPS = [1, 2, 4, 8, ...powers(16, 32768).flatMap((n) => [n, 1.5 * n])];
const SEQ_STEPS = powers(512, 2 ** 20);
const BATCH_STEPS = powers(1, 16384);
const MIDDLE = { seq: 8192, batch: 512 }; // before an answer says what is usual

function nearest(steps, value) {
  const far = (step) => Math.abs(Math.log(step / value));
  return steps.reduce((best, step, i) => (far(step) < far(steps[best]) ? i : best), 0);
}

// "32K" is 32768; what is not a number is null.
function readAmount(words) {
  const found = String(words).match(/^(\d+(?:\.\d+)?)(Ki|K|Mi|M)?$/i);
  if (!found) return null;
  const unit = found[2] ? { k: 1024, m: 1024 ** 2 }[found[2][0].toLowerCase()] : 1;
  return Number(found[1]) * unit;
}

function fillSelect(id, choices, chosen) {
  const select = at(id);
  select.replaceChildren(...choices.map(([value, words]) => make("option", { value }, words)));
  select.value = chosen;
}

// page.lists has what the engine knows, once it has said so.
function fillChoices() {
  const lists = page.lists;
  if (!lists) return;
  const plain = (names) => names.map((name) => [name, name]);
  at("models").replaceChildren(...lists.models.map((value) => make("option", { value })));
  fillSelect("gpu", plain(lists.gpus), at("gpu").value);
  fillSelect("gpu2", plain(lists.gpus), at("gpu2").value);
  fillSelect("framework", [["", say("usual")], ...plain(lists.frameworks)], at("framework").value);
  fillSelect("dtype", [["", say("usual")], ...plain(lists.dtypes)], at("dtype").value);
  fillSelect("objective", OBJECTIVES.map((name, i) => [i === 0 ? "" : name, say(name)]),
    at("objective").value);
  fillSelect("target", plain(lists.targets), at("target").value || lists.targets[0]);
  showControls();
}

// A name of the list; one that only the engine knows, such as H100, is added as it is.
function choose(id, name) {
  const select = at(id);
  if (![...select.options].some((option) => option.value === name)) {
    select.append(make("option", { value: name }, name));
  }
  select.value = name;
}

function showAmount(id, steps, given, usual) {
  const value = given === undefined ? usual : readAmount(given);
  at(`${id}-usual`).hidden = given === undefined;
  at(`${id}-value`).textContent = value === null ? (given || "") : grouped(value);
  at(id).value = nearest(steps, value || MIDDLE[id]);
}

function showGpus(suffix, cluster, found) {
  at(`gpus${suffix}`).value = nearest(GPU_STEPS, cluster.gpus);
  if (document.activeElement !== at(`gpus${suffix}-number`)) {
    at(`gpus${suffix}-number`).value = cluster.gpus;
  }
  choose(`gpu${suffix}`, found || cluster.type);
}

const SHOWN_OPTIONS = ["seq", "batch", "framework", "dtype", "objective", "tokens", "price"];

// Everything that the line says; what it leaves to the engine comes with the answer.
function showControls() {
  if (page.line === null) return;
  const { options } = page.line, job = page.found ? page.found.job : null;
  const set = (id, value) => {
    if (document.activeElement !== at(id)) at(id).value = value;
  };
  set("model", page.line.model);
  const isAnswered = page.found !== null && page.found.cluster.asked === page.line.cluster;
  showGpus("", clusterNow(), isAnswered ? page.found.cluster.gpu : null);
  showAmount("seq", SEQ_STEPS, options.get("seq"), job && job.seq_len);
  showAmount("batch", BATCH_STEPS, options.get("batch"), job && job.global_batch);
  for (const id of ["framework", "dtype", "objective"]) at(id).value = options.get(id) || "";
  set("tokens", options.get("tokens") || "");
  set("price", options.get("price") || "");
  at("compare").checked = page.second !== null;
  at("second").hidden = page.second === null;
  const second = page.foundSecond && page.foundSecond.cluster;
  if (page.second !== null) {
    showGpus("2", readCluster(page.second) || clusterNow(),
      second && second.asked === page.second ? second.gpu : null);
  }
  const others = new Map([...options].filter(([name]) => !SHOWN_OPTIONS.includes(name)));
  at("others").replaceChildren(others.size === 0 ? "" : `${say("Not in this list:")} `,
    make("code", {}, joinWords(optionWords(others))));
}

function onGpus(suffix, set, now) {
  const range = at(`gpus${suffix}`), number = at(`gpus${suffix}-number`);
  range.max = GPU_STEPS.length - 1;
  range.oninput = () => {
    number.value = GPU_STEPS[range.value];
    set(GPU_STEPS[range.value], now().type);
  };
  number.oninput = () => {
    if (number.value >= 1) set(Math.round(number.value), now().type);
  };
  at(`gpu${suffix}`).onchange = () => set(now().gpus, at(`gpu${suffix}`).value);
}

function onAmount(id, steps) {
  at(id).max = steps.length - 1;
  at(id).oninput = () => setOption(id, String(steps[at(id).value]));
  at(`${id}-usual`).onclick = () => setOption(id, null);
}

function connectControls() {
  onGpus("", setCluster, clusterNow);
  onGpus("2", setSecond, () => readCluster(page.second) || clusterNow());
  onAmount("seq", SEQ_STEPS);
  onAmount("batch", BATCH_STEPS);
  for (const id of ["framework", "dtype", "objective"]) at(id).onchange = () => setOption(id, at(id).value);
  for (const id of ["tokens", "price"]) at(id).onchange = () => setOption(id, at(id).value.trim());
  at("model").onchange = () => {
    page.line.model = at("model").value.trim() || page.line.model;
    changed();
  };
  at("compare").onchange = () => {
    const { gpus, type } = clusterNow();
    page.second = at("compare").checked
      ? `${gpus}x${/H100/.test(type) ? "A100-SXM4-80GB" : "H100-SXM5-80GB"}` : null;
    changed();
  };
}
