// SPDX-License-Identifier: GPL-3.0-or-later
// grid.js - tensor-parallel against pipeline ranks. The report has it in the reader's
// language: its table is read from there, as text.
"use strict";

// {head: ["PP 1", ...], rows: [{name, cells: [{shade, words, note, about}]}]} or null.
function readGrid(report) {
  // The table alone: the style of the whole is against this page's policy.
  const [markup] = report.match(/<table class="heat" id="grid-figure">.*?<\/table>/s) || [null];
  if (markup === null) return null;
  const found = new DOMParser().parseFromString(markup, "text/html").querySelector("table");
  const text = (element) => (element ? element.textContent.trim() : "");
  const cell = (td) => ({
    shade: (td.className.match(/\b(q\d|none)\b/) || ["none"])[0],
    own: td.classList.contains("own"),
    words: td.firstChild && td.firstChild.nodeType === Node.TEXT_NODE ? text(td.firstChild) : "",
    note: text(td.querySelector("small")),
    about: text(td.querySelector(".bubble")),
  });
  return {
    caption: text(found.caption),
    head: [...found.tHead.rows[0].cells].slice(1).map(text),
    rows: [...found.tBodies[0].rows].map((tr) => ({
      name: text(tr.cells[0]), cells: [...tr.cells].slice(1).map(cell),
    })),
  };
}

function gridCell(cell, show) {
  const inside = make("button", { type: "button", title: cell.about, ariaLabel: cell.about,
    onfocus: () => show(cell), onmouseenter: () => show(cell), onclick: () => show(cell) },
  cell.words, cell.note ? make("small", {}, cell.note) : null);
  return make("td", { className: `${cell.shade}${cell.own ? " own" : ""}` }, inside);
}

// pin(words) takes "tp=8,pp=2".
function drawGrid(section, grid, pin) {
  const about = make("p", { className: "about", ariaLive: "polite" },
    say("Point at a cell, or move to it with Tab, to read its plan."));
  const show = (cell) => {
    const pair = cell.about.match(/TP (\d+)\D+PP (\d+)/);
    about.replaceChildren(cell.about, " ");
    if (cell.shade !== "none" && pair) {
      about.append(button(say("only such plans"), () => pin(`tp=${pair[1]},pp=${pair[2]}`), "small"));
    }
  };
  const head = make("tr", {}, make("td"), ...grid.head.map((words) =>
    make("th", { scope: "col" }, words)));
  const rows = grid.rows.map(({ name, cells }) => make("tr", {},
    make("th", { scope: "row" }, name), ...cells.map((cell) => gridCell(cell, show))));
  fill(section, make("h2", {}, say("TP x PP")),
    make("p", { className: "quiet" }, grid.caption || say("The step of the best plan with each pair, or why there is none.")),
    make("div", { className: "wide" }, make("table", { className: "heat" },
      make("thead", {}, head), make("tbody", {}, ...rows))), about);
}
