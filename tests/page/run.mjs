// SPDX-License-Identifier: GPL-3.0-or-later
// run.mjs ENGINE ARGUMENT... - the program as WebAssembly, as a program of this machine:
// node has what WASI names of files, clocks and variables.
import { readFileSync, writeSync } from "node:fs";
import { WASI } from "node:wasi";

const [engine, ...words] = process.argv.slice(2);
const env = { LC_ALL: "C.UTF-8", ...process.env };
// It knows no folder to be in but /.
const preopens = { "/": ".", "/tmp": "/tmp", "/dev": "/dev" };
const wasi = new WASI({ version: "preview1", env, preopens });
const module = await WebAssembly.compile(readFileSync(engine));
const { exports } = await WebAssembly.instantiate(module, wasi.getImportObject());
wasi.initialize({ exports });

const memory = () => Buffer.from(exports.memory.buffer);

function put(text) {
  const bytes = Buffer.from(text + "\0");
  const at = exports.malloc(bytes.length);
  bytes.copy(memory(), at);
  return at;
}

// Writes all, also to a pipe that somebody reads slowly.
function print(fd, at) {
  const bytes = Buffer.from(memory().subarray(at, memory().indexOf(0, at)));
  for (let n = 0; n < bytes.length;) {
    try {
      n += writeSync(fd, bytes, n);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

const places = words.map(put);
const argv = exports.malloc(4 * (places.length + 1));
places.forEach((at, i) => memory().writeUInt32LE(at, argv + 4 * i));
const texts = exports.malloc(8);
const status = exports.p3d_command(words.length, argv, texts, texts + 4);
print(1, memory().readUInt32LE(texts));
print(2, memory().readUInt32LE(texts + 4));
process.exit(status);
