// SPDX-License-Identifier: GPL-3.0-or-later
// answer.js - what is shown of one answer: verdict, amounts, plan, memory, time, ways out.
"use strict";

// Of memory and of time: name in the document, colour, words.
const MEMORY_TERMS = [
  ["weights", "weights", "weights"],
  ["gradients", "gradients", "gradients"],
  ["optimizer", "optimizer", "optimizer states"],
  ["activations", "activations", "saved activations"],
  ["working", "working", "temporary tensors at the peak"],
  ["buffers", "buffers", "communication buffers"],
  ["workspace", "buffers", "library workspaces"],
  ["fragmentation", "waiting", "allocator fragmentation"],
  ["context", "waiting", "context and communicators"],
];
const TIME_TERMS = [
  ["gemm", "computing", "GEMMs"],
  ["attention", "backward", "attention core"],
  ["memory_pass", "weights-back", "memory-bound kernels"],
  ["recompute", "working", "recomputation"],
  ["host", "buffers", "kernel launch overhead"],
  ["tp_comm", "communication", "tensor-parallel communication"],
  ["cp_comm", "communication", "context-parallel communication"],
  ["ep_comm", "communication", "expert-parallel communication"],
  ["pp_bubble", "waiting", "pipeline bubble"],
  ["pp_comm", "communication", "pipeline P2P"],
  ["dp_comm", "communication", "exposed data-parallel communication"],
  ["optimizer", "optimizer", "optimizer step"],
  ["offload", "gradients", "exposed CPU offload"],
  ["straggler", "waiting", "straggler wait"],
  ["fixed", "buffers", "fixed cost of a step"],
];
const MOST_STAGES = 16;

// The answer that a document is about: of fit, or of estimate; null: no plan at all.
const shownOf = (found) => found.estimate || found.best || found.closest || null;

const rangeWords = (value, low, high) => `${value(low)}–${value(high)}`;

function stepRange(time) {
  const unit = stepUnit(time.step_s);
  return {
    value: `${three(time.step_s / unit.s)} ${unit.word}`,
    range: say("{} to {} in 80 % of runs", three(time.low_s / unit.s), three(time.high_s / unit.s)),
  };
}

const usd = (value) => (language === "zh" ? `${large(value)} 美元` : `$${large(value)}`);

// The amounts of an answer: [{name, value, range, note}].
function amountsOf(answer, job) {
  const training = answer.training;
  const step = stepRange(answer.time);
  const amounts = [
    { name: "Step", value: step.value, range: step.range },
    { name: "Speed", value: `${three(answer.tokens_per_s)} ${say("tokens/s")}`,
      range: say("{} to {}", three(answer.low_tokens_per_s), three(answer.high_tokens_per_s)),
      note: say("{} per GPU", three(answer.tokens_per_s_per_gpu)) },
    { name: "MFU", value: percent(answer.mfu_frac), range: say("of the peak") },
  ];
  if (!training || !training.progresses) {
    return amounts.concat({ name: "Training", value: "–", range: say("write the tokens of the training") });
  }
  const unit = longUnit(training.real_s);
  amounts.push({ name: "Training", value: `${three(training.real_s / unit.s)} ${unit.word}`,
    range: say("{} to {}", three(training.low_real_s / unit.s), three(training.high_real_s / unit.s)),
    note: say("of {} tokens", large(job.n_tokens)) });
  amounts.push(training.total_usd === null
    ? { name: "Cost", value: "–", range: say("write a price"),
      note: say("{} GPU-hours", large(training.gpu_h)) }
    : { name: "Cost", value: usd(training.total_usd),
      range: say("{} to {}", usd(training.low_total_usd), usd(training.high_total_usd)),
      note: say("{} GPU-hours", large(training.gpu_h)) });
  amounts.push({ name: "Energy", value: `${three(training.energy_kwh / 1000)} MWh`,
    range: say("{} to {}", three(training.low_energy_kwh / 1000), three(training.high_energy_kwh / 1000)) });
  return amounts;
}

function amountTile({ name, value, range, note }) {
  return make("div", { className: "amount" }, make("dt", {}, say(name)),
    make("dd", {}, make("b", {}, value), make("span", { className: "quiet" }, range),
      note ? make("span", { className: "quiet" }, note) : null));
}

const VERDICT_CLASS = { fits: "yes", fits_barely: "barely", does_not_fit: "no" };

function jobWords({ model, cluster, job }) {
  return say("{} on {}, sequence {}, batch {}, {}, {}", model.name, cluster.name,
    grouped(job.seq_len), grouped(job.global_batch), job.dtype, job.framework);
}

// "TP 4, PP 2, ...": the sizes that are not one, and what else the words say.
function planChips(words) {
  const names = { mbs: "micro-batch", zero: "ZeRO", sp: "sequence parallel" };
  return make("ul", { className: "chips" }, ...words.split(",").map((part) => {
    const [name, value] = part.split("=");
    const label = names[name] || (name.length === 2 ? name.toUpperCase() : name);
    return make("li", {}, label, value === undefined ? "" : " ", value === undefined ? null :
      make("b", {}, value));
  }));
}

function planLine(answer) {
  return [make("h3", {}, say("Plan")), planChips(answer.words),
    make("p", { className: "string" }, make("code", {}, answer.words), " ", copyButton(answer.words))];
}

// The other plans beside the one that is shown.
function otherPlans(found, use) {
  const shown = shownOf(found);
  const rows = [["the fastest that may fit", found.fastest, "fastest"],
    ["the roomiest", found.roomiest, "roomiest"],
    ["the fastest without unusual settings", found.usual, null]]
    .filter(([, other]) => other && shown && other.words !== shown.words);
  if (rows.length === 0) return null;
  return make("ul", { className: "others" }, ...rows.map(([words, other, objective]) =>
    make("li", {}, make("b", {}, say(words)), ` ${stepRange(other.time).value}, ` +
      `${say("{} GiB free", oneDigit(gib(other.memory.margin_bytes)))}, ` +
      `${sureWords(other.fit_probability_frac)} `,
    objective === null ? "" : button(say("use"), () => use(objective), "small"), make("br"), make("code", {}, other.words))));
}

function drawVerdict(section, found, isPreview, use) {
  const answer = shownOf(found);
  const verdict = answer === null ? "does_not_fit" : answer.verdict;
  section.className = `card verdict ${VERDICT_CLASS[verdict]}${isPreview ? " preview" : ""}`;
  const [, first, rest] = verdictWords(answer, found.cluster).match(/^([^:：]*[:：]?)(.*)$/s);
  const children = [make("h1", {}, first, make("span", {}, rest)),
    make("p", { className: "quiet" }, jobWords(found))];
  if (isPreview) children.push(make("p", { className: "note" },
    say("Preview: this plan with the change. The best plan is being searched.")));
  if (answer !== null) {
    const sure = make("meter", { min: 0, max: 1, low: 0.5, high: 0.95, optimum: 1,
      value: answer.fit_probability_frac, ariaLabel: say("Probability of fitting") });
    children.push(make("p", { className: "sure" }, sure, ` ${sureWords(answer.fit_probability_frac)}`));
    children.push(make("dl", { className: "amounts" }, ...amountsOf(answer, found.job).map(amountTile)));
    children.push(...planLine(answer));
    if (!isPreview) children.push(otherPlans(found, use));
  }
  fill(section, ...children);
}

function stageBar(stage, memory, whole, words) {
  const parts = MEMORY_TERMS.map(([name, kind, about]) => {
    const value = stage.terms[`${name}_bytes`];
    return { kind, value, words: `${say(about)}: ${three(gib(value))} GiB` };
  }).filter(({ value }) => value > 0);
  const said = say("{} of {} GiB", oneDigit(gib(stage.peak_bytes)), oneDigit(gib(memory.usable_bytes)));
  const made = bar(parts, whole, `${words}: ${said}`);
  const limit = make("u", { title: say("usable {} GiB", oneDigit(gib(memory.usable_bytes))) });
  limit.style.left = `${100 * memory.usable_bytes / whole}%`;
  made.append(limit);
  return make("div", { className: stage.peak_bytes > memory.usable_bytes ? "stage over" : "stage" },
    make("span", { className: "of" }, words), made,
    make("span", { className: "sum" }, oneDigit(gib(stage.peak_bytes))));
}

function drawMemory(section, found) {
  const answer = shownOf(found);
  if (answer === null) {
    section.hidden = true;
    return;
  }
  const memory = answer.memory, stages = memory.stages;
  const whole = Math.max(memory.usable_bytes, ...stages.map((stage) => stage.peak_bytes)) * 1.02;
  const bars = stages.slice(0, MOST_STAGES).map((stage) => stageBar(stage, memory, whole,
    stages.length === 1 ? say("all GPUs") : say("stage {}", stage.stage)));
  const tight = stages.find((stage) => stage.stage === memory.tight_stage) || stages[0];
  const rows = MEMORY_TERMS.map(([name, kind, words]) => ({ kind, words: say(words),
    bytes: tight.terms[`${name}_bytes`] })).filter(({ bytes }) => bytes > 0)
    .map((row) => ({ ...row, value: `${three(gib(row.bytes))} GiB` }));
  fill(section, make("h2", {}, say("Memory by stage"), " ",
    make("small", {}, say("usable {} GiB", oneDigit(gib(memory.usable_bytes))))),
  make("div", { className: "stages" }, ...bars,
    stages.length > MOST_STAGES ? make("p", { className: "quiet" }, `… ${stages.length}`) : null),
  stages.length > 1 ? make("p", { className: "quiet" },
    `${say("tightest stage")}: ${say("stage {}", memory.tight_stage)}`) : null,
  legend(rows));
}

function drawTime(section, found) {
  const answer = shownOf(found);
  if (answer === null) {
    section.hidden = true;
    return;
  }
  const time = answer.time, unit = stepUnit(time.step_s);
  const rows = TIME_TERMS.map(([name, kind, words]) => ({ kind, words: say(words),
    s: time.terms[`${name}_s`] })).filter(({ s }) => s / time.step_s >= 0.0005)
    .sort((a, b) => b.s - a.s).map((row) => ({ ...row,
      value: `${three(row.s / unit.s)} ${unit.word}`, share: percent(row.s / time.step_s) }));
  const parts = rows.map(({ kind, s, words, value }) => ({ kind, value: s, words: `${words}: ${value}` }));
  fill(section, make("h2", {}, say("Time of a step"), " ", make("small", {}, stepRange(time).value)),
    bar(parts, time.step_s, say("Time of a step")), legend(rows));
}

// Changes that make it fit; one that is an option can be tried.
function drawChanges(section, found, tryWords) {
  section.hidden = found.fits || !found.changes || found.changes.length === 0;
  if (section.hidden) return;
  fill(section, make("h2", {}, say("What makes it fit")),
    make("ol", { className: "changes" }, ...found.changes.map((change) => {
      const option = change.words.match(/\((--[^)]+)\)/);
      const words = option ? option[1].split(" ") : null;
      const act = words ? () => tryWords(words.slice(0, 1).concat(words.slice(1).join(" "))) :
        change.n_gpus !== found.cluster.n_gpus ? () => tryWords(null, change.n_gpus) : null;
      return make("li", {}, change.words, make("br"), make("span", { className: "quiet" },
        `${oneDigit(gib(change.peak_bytes))} GiB, ${sureWords(change.fit_probability_frac)}, ` +
        `${three(change.tokens_per_s_per_gpu)} ${say("tokens/s")} ${say("per GPU")} `),
      act ? button(say("try it"), act, "small") : null);
    })));
}

// One value of two answers, and by how much the second differs: [words, a, b, difference].
function sideRow(name, a, b, show) {
  const difference = a > 0 && b !== null && b !== undefined
    ? `${b >= a ? "+" : "−"}${three(Math.abs(100 * (b / a - 1)))} %` : "";
  const value = (x) => (x === null || x === undefined ? "–" : show(x));
  return [say(name), value(a), value(b), difference];
}

function drawSide(section, first, second) {
  const a = shownOf(first), b = shownOf(second);
  const get = (answer, path) => path.reduce((value, name) => (value ? value[name] : null), answer);
  const row = (name, path, show) => sideRow(name, get(a, path), get(b, path), show);
  const days = (s) => `${three(s / longUnit(s).s)} ${longUnit(s).word}`;
  // Of a whole training, with the ends of its range.
  const ranged = (name, key, show) => {
    const [title, left, right, difference] = row(name, ["training", key], show);
    const range = (answer, value) => {
      const low = get(answer, ["training", `low_${key}`]), high = get(answer, ["training", `high_${key}`]);
      return typeof low !== "number" || typeof high !== "number" ? value
        : `${value} (${say("{} to {}", show(low), show(high))})`;
    };
    return [title, range(a, left), range(b, right), difference];
  };
  const head = (found) => make("span", {}, found.cluster.name);
  const verdict = (found, answer) => make("b", {
    className: VERDICT_CLASS[answer ? answer.verdict : "does_not_fit"] },
  verdictWords(answer, found.cluster).split(/[:：]/)[0]);
  fill(section, make("h2", {}, say("Side by side")),
    table(["", head(first), head(second), say("Difference")], [
      [say("verdict"), verdict(first, a), verdict(second, b), ""],
      row("free memory", ["memory", "margin_bytes"], (bytes) => `${oneDigit(gib(bytes))} GiB`),
      row("step", ["time", "step_s"], (s) => `${three(s / stepUnit(s).s)} ${stepUnit(s).word}`),
      row("tokens/s", ["tokens_per_s"], three),
      row("per GPU", ["tokens_per_s_per_gpu"], three),
      row("MFU", ["mfu_frac"], percent),
      ranged("training", "real_s", days),
      ranged("cost", "total_usd", usd),
      ranged("energy", "energy_kwh", (kwh) => `${three(kwh / 1000)} MWh`),
      [say("plan"), make("code", {}, a ? a.words : "–"), make("code", {}, b ? b.words : "–"), ""],
    ], "side"));
}
