// SPDX-License-Identifier: GPL-3.0-or-later
// asker.js - asks the engine in a Worker. A new question drops the one before it: a Worker
// cannot be interrupted, so that it is ended and another takes its place.
"use strict";

class Asker {
  // start() makes a Worker that has the engine.
  constructor(start) {
    this.start = start;
    this.worker = null;
    this.number = 0;
    this.now = null; // the question under way
  }

  #renew() {
    if (this.worker !== null) this.worker.terminate();
    this.worker = this.start();
    this.worker.onmessage = (event) => this.#hear(event.data);
    this.worker.onerror = (event) => this.#end({ status: 4, out: "", err: event.message });
  }

  #hear(message) {
    if (this.now === null || message.number !== this.number) return;
    if (message.progress !== undefined) {
      this.now.progress(message.progress);
    } else if (message.failed !== undefined) {
      this.#end({ status: 4, out: "", err: message.failed, files: {} });
    } else {
      const now = this.now;
      this.now = null;
      now.resolve(message.answer);
    }
  }

  #end(answer) {
    const now = this.now;
    this.now = null;
    this.worker.terminate();
    this.worker = null;
    if (now !== null) now.resolve(answer);
  }

  // A Worker before there is a question.
  warm() {
    if (this.worker === null) this.#renew();
  }

  get isBusy() {
    return this.now !== null;
  }

  // Ends the question under way, whose answer is null.
  drop() {
    if (this.now !== null) this.#end(null);
  }

  // {status, out, err, files, ms}, or null where another question came first.
  ask(words, files, progress) {
    this.drop();
    this.warm();
    this.number += 1;
    return new Promise((resolve) => {
      this.now = { resolve, progress: progress || (() => {}) };
      this.worker.postMessage({ number: this.number, words, files });
    });
  }
}

// The engine of this page, compiled: base64 of gzip in the page itself.
async function compileEngine(text) {
  const bytes = Uint8Array.from(atob(text.replace(/\s/g, "")), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

// What makes Workers of a compiled engine.
function makeStarter(module, source) {
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  return () => {
    const worker = new Worker(url);
    worker.postMessage(module);
    return worker;
  };
}
