// SPDX-License-Identifier: GPL-3.0-or-later
// files.js - files that a person drops, chooses or pastes: a model, or a launch.
"use strict";

const LARGEST_FILE = 64 << 20;

// A JSON file that describes a model, as transformers or this program have it.
function isModel(text) {
  try {
    const found = JSON.parse(text);
    return ["hidden_size", "n_embd", "d_model", "text_config", "model_type", "architectures"]
      .some((name) => name in found) || (found.plan3d !== undefined && "hidden_size" in found);
  } catch {
    return false;
  }
}

// A name for pasted text, by what it looks like.
function nameOf(text) {
  if (/^\s*[{[]/.test(text)) return isModel(text) ? "config.json" : "launch.json";
  if (/^#!|torchrun|srun|deepspeed |--[a-z-]+[ =]|\\$/m.test(text)) return "launch.sh";
  return /^\s*[\w.-]+:\s/m.test(text) && !/iteration|step/i.test(text) ? "launch.yaml" : "train.log";
}

// Names of files in the engine's folder: what a shell would not have to quote.
const plainName = (name) => name.replace(/[^\w.-]+/g, "_").replace(/^-+/, "");

// {name: text} of chosen or dropped files.
async function readFiles(list) {
  const found = {};
  for (const file of list) {
    if (file.size <= LARGEST_FILE) found[plainName(file.name)] = await file.text();
  }
  return found;
}

function drawFiles(list, files, remove) {
  list.replaceChildren(...Object.keys(files).map((name) => make("li", {}, make("code", {}, name), " ",
    button(say("remove"), () => remove(name), "small"))));
}

// Files that a command wrote, to be looked at, copied and downloaded.
function fileDetails(files) {
  const entries = Object.entries(files);
  return entries.map(([path, text]) => {
    const name = path.replace(/.*\//, "");
    return make("details", { open: entries.length === 1 }, make("summary", {}, make("code", {}, name)),
      make("p", { className: "row" },
        button(`${name}: ${say("download")}`, () => download(name, text, "text/plain")),
        copyButton(text)), make("pre", { tabIndex: 0, className: "file" }, text));
  });
}
