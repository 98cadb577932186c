// SPDX-License-Identifier: GPL-3.0-or-later
// amounts.js - numbers as the program prints them.
"use strict";

const GIB = 2 ** 30, DAY_S = 86400;

function grouped(n) {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ",");
}

// Three digits that count.
function three(value) {
  if (value === 0) return "0";
  if (!(value >= 0.9995)) return String(Number(value.toPrecision(3)));
  if (value < 999.5) return value.toFixed((value < 99.95) + (value < 9.995));
  const unit = 10 ** (Math.floor(Math.log10(value)) - 2);
  return grouped(Math.round(value / unit) * unit);
}

// Of a step: seconds, or milliseconds where it is short.
function stepUnit(seconds) {
  return seconds < 0.9995 ? { s: 1e-3, word: "ms" } : { s: 1, word: "s" };
}

// Of a whole training.
function longUnit(seconds) {
  if (seconds >= DAY_S) return { s: DAY_S, word: say("days") };
  return seconds >= 3600 ? { s: 3600, word: say("hours") } : { s: 60, word: say("minutes") };
}

const gib = (bytes) => bytes / GIB;
const oneDigit = (value) => value.toFixed(1);
const percent = (frac) => `${oneDigit(100 * frac)} %`;

function large(value) {
  const units = language === "zh" ? [[1e8, " 亿"], [1e4, " 万"]] :
    [[1e12, " T"], [1e9, " B"], [1e6, " M"]];
  const [unit, word] = units.find(([from]) => value >= from) || [1, ""];
  return three(value / unit) + word;
}

function sureWords(frac) {
  if (frac >= 0.995) return say("more than 99 % sure");
  if (frac < 0.01) return say("less than 1 % sure");
  // Rounded down, as the program does.
  return say("{} % sure", Math.floor(100 * frac + 1e-9).toFixed(0));
}

// The program's first line about an answer.
function verdictWords(answer, cluster) {
  if (answer === null) return say("DOES NOT FIT");
  if (answer.verdict === "does_not_fit") {
    return answer.missing_bytes > 0
      ? say("DOES NOT FIT: the closest plan misses {} GiB per GPU on stage {}",
        three(gib(answer.missing_bytes)), answer.memory.tight_stage)
      : say("DOES NOT FIT: the closest plan needs {} GiB of host memory per node",
        gib(answer.memory.host_bytes_per_node).toFixed(0));
  }
  const free = cluster.visible_memory_bytes - answer.memory.peak_bytes;
  return say(answer.verdict === "fits" ? "FITS" : "FITS, BARELY") +
    say(", {}: {} of {} GiB stay free on the tight GPU", sureWords(answer.fit_probability_frac),
      oneDigit(gib(free)), oneDigit(gib(cluster.visible_memory_bytes)));
}
