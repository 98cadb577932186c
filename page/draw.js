// SPDX-License-Identifier: GPL-3.0-or-later
// draw.js - elements. Text goes in as text alone: nothing of an answer or a file is markup.
"use strict";

const at = (id) => document.getElementById(id);

// make("p", { className: "quiet" }, "words", element)
function make(tag, members, ...children) {
  const element = Object.assign(document.createElement(tag), members);
  element.append(...children.filter((child) => child !== null));
  return element;
}

function fill(section, ...children) {
  section.replaceChildren(...children.filter((child) => child !== null));
  section.hidden = false;
}

function button(words, act, className) {
  return make("button", { type: "button", className: className || "", onclick: act }, words);
}

function copyButton(text) {
  const made = button(say("Copy"), () => {
    navigator.clipboard.writeText(text).then(() => {
      made.textContent = say("Copied");
    }, () => {});
  }, "small");
  return made;
}

function download(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

// Rows of cells; the first cell of a row is its heading.
function table(head, rows, className) {
  const headRow = make("tr", {}, ...head.map((words) => make("th", { scope: "col" }, words)));
  const body = rows.map((cells) => make("tr", {}, ...cells.map((cell, i) =>
    i === 0 ? make("th", { scope: "row" }, cell) : make("td", {}, cell))));
  return make("div", { className: "wide" }, make("table", { className: className || "" },
    make("thead", {}, headRow), make("tbody", {}, ...body)));
}

// Parts of a bar beside each other: [{kind, value, words}] of a whole. `kind` is a colour.
function bar(parts, whole, words) {
  const made = make("div", { className: "bar", role: "img", ariaLabel: words });
  for (const { kind, value, words: about } of parts) {
    const part = make("span", { className: kind, title: about });
    part.style.width = `${100 * value / whole}%`;
    made.append(part);
  }
  return made;
}

// What the colours of a bar mean, with the values: [{kind, words, value, share}].
function legend(rows) {
  return make("dl", { className: "legend" }, ...rows.map(({ kind, words, value, share }) =>
    make("div", {}, make("dt", {}, make("i", { className: kind }), words),
      make("dd", {}, value, share ? make("span", { className: "quiet" }, ` ${share}`) : null))));
}
