// SPDX-License-Identifier: GPL-3.0-or-later
// line.js - command lines: as text, as words, and as the parts that controls change.
"use strict";

// The words of a text, as a shell would take them; quotes and backslashes alone are special.
function splitWords(text) {
  const words = [];
  let word = null, quote = "";
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quote !== "" && c === quote) {
      quote = "";
    } else if (quote !== "'" && c === "\\" && i + 1 < text.length) {
      word = (word || "") + text[++i];
    } else if (quote !== "") {
      word += c;
    } else if (c === '"' || (c === "'" && !/\w/.test(text[i - 1] || " "))) {
      quote = c;
      word = word || "";
    } else if (/\s/.test(c)) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      word = (word || "") + c;
    }
  }
  if (word !== null) words.push(word);
  return words;
}

function joinWords(words) {
  const quoted = (word) => /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;
  return words.map(quoted).join(" ");
}

// A text is one command line or two: "fit 70B 64xA800; plan3d fit 70B 64xH100".
function splitLines(text) {
  return text.split(/;\s*plan3d\s+/).map((part) => splitWords(part.replace(/^\s*plan3d\s+/, "")));
}

// The fragment of an address for a text, and back.
function toFragment(text) {
  return "#" + encodeURIComponent(text).replace(/%(2C|3D|3A|40|2F|3B|3F)/g, decodeURIComponent);
}

function fromFragment(fragment) {
  const text = fragment.replace(/^#/, "");
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// The options of a command, from its help: name -> does it take a value?
function readOptions(help) {
  const options = new Map();
  for (const [, letter, name, value] of
    help.matchAll(/^ {2}(?:-(\w), )?--([a-z0-9-]+)(?: ([A-Z]+)\b)?/gm)) {
    options.set(name, value !== undefined);
    if (letter) options.set(letter, value !== undefined);
  }
  return options;
}

// A line of `fit MODEL CLUSTER` in parts; null where it is another.
function readLine(words, known) {
  const line = { model: null, cluster: null, options: new Map() };
  if (words[0] !== "fit") return null;
  for (let i = 1; i < words.length; i++) {
    const found = words[i].match(/^--?([a-zA-Z0-9][\w-]*)(?:=(.*))?$/s);
    if (!found || /^-\d/.test(words[i])) {
      if (line.model === null) line.model = words[i];
      else if (line.cluster === null) line.cluster = words[i];
      else return null;
    } else if (!known.has(found[1])) {
      return null;
    } else if (!known.get(found[1])) {
      line.options.set(found[1], true);
    } else {
      line.options.set(found[1], found[2] !== undefined ? found[2] : words[++i]);
    }
  }
  const shows = ["help", "h", "json", "format", "long", "show"];
  const isWhole = line.cluster !== null && ![...line.options.values()].includes(undefined);
  return isWhole && !shows.some((name) => line.options.has(name)) ? line : null;
}

// The words of options, those of them that a command has.
function optionWords(options, known) {
  const words = [];
  for (const [name, value] of options) {
    if (known && !known.has(name)) continue;
    words.push((name.length === 1 ? "-" : "--") + name);
    if (value !== true) words.push(value);
  }
  return words;
}

function lineWords(line) {
  return ["fit", line.model, line.cluster, ...optionWords(line.options)];
}

// "64xA800", "8x8xH100": GPUs and their type; null for the path of a file.
function readCluster(words) {
  const found = words.match(/^(\d+)\s*x\s*(?:(\d+)\s*x\s*)?(.+)$/i);
  return found && { gpus: Number(found[1]) * Number(found[2] || 1), type: found[3] };
}
