// SPDX-License-Identifier: GPL-3.0-or-later
// worker.js - runs command lines beside the page. Its first message is the compiled
// engine, each further one a question with a number.
"use strict";

let command = null;
let number = 0;

// A line that is written again and again: "\rcomparing plans: 12 %\x1b[K".
function tell(text) {
  const line = text.replace(/[\r\n]|\x1b\[K/g, "");
  if (line !== "") postMessage({ number, progress: line });
}

onmessage = (event) => {
  if (command === null) {
    command = makeEngine(event.data, tell);
    return;
  }
  number = event.data.number;
  const begin = performance.now();
  try {
    const answer = command(event.data.words, event.data.files);
    answer.ms = performance.now() - begin;
    postMessage({ number, answer });
  } catch (error) {
    postMessage({ number, failed: String(error) });
  }
};
