// SPDX-License-Identifier: GPL-3.0-or-later
// engine.js - one command line in, its status and texts out: the engine on its machine.
"use strict";

// tell(text) hears how far a long command is.
function makeEngine(module, tell) {
  const machine = makeMachine(["NO_COLOR=1", "LC_ALL=C.UTF-8"], tell);
  const engine = new WebAssembly.Instance(module, machine.imports).exports;
  machine.attach(engine.memory);
  engine._initialize();

  function writeWords(words) {
    const parts = words.map((word) => new TextEncoder().encode(word + "\0"));
    const list = engine.malloc(4 * (words.length + 1));
    parts.forEach((part, i) => {
      const at = engine.malloc(part.length);
      new Uint8Array(engine.memory.buffer, at, part.length).set(part);
      new DataView(engine.memory.buffer).setUint32(list + 4 * i, at, true);
    });
    return list;
  }

  function freeWords(list, n) {
    const pointers = new Uint32Array(engine.memory.buffer, list, n).slice();
    pointers.forEach((at) => engine.free(at));
    engine.free(list);
  }

  function take(to) {
    const at = new DataView(engine.memory.buffer).getUint32(to, true);
    const all = new Uint8Array(engine.memory.buffer);
    const text = at === 0 ? "" : new TextDecoder().decode(all.subarray(at, all.indexOf(0, at)));
    engine.p3d_command_free(at);
    return text;
  }

  // words: behind "plan3d"; files: {path: text}, "-" for standard input.
  // Gives status, out, err, and in files what the command wrote.
  return function command(words, files) {
    machine.clear();
    for (const [path, content] of Object.entries(files || {})) machine.put(path, content);
    const list = writeWords(words);
    const texts = engine.malloc(8);
    const status = engine.p3d_command(words.length, list, texts, texts + 4);
    const answer = { status, out: take(texts), err: take(texts + 4), files: machine.written() };
    engine.free(texts);
    freeWords(list, words.length);
    return answer;
  };
}
