// SPDX-License-Identifier: GPL-3.0-or-later
// machine.js - what the engine needs of a machine: files in memory, a clock, variables,
// and a terminal that hears how far long work is (WASI preview 1, what of it is called).
"use strict";

// Numbers of WASI: errors, types of files, ways to open one.
const OK = 0, BADF = 8, EXIST = 20, NOENT = 44, NOSYS = 52, NOTEMPTY = 55;
const DEVICE = 2, FOLDER = 3, FILE = 4;
const CREATE = 1, MUST_BE_FOLDER = 2, MUST_BE_NEW = 4, EMPTY = 8;
const TERMINAL = 2, ROOT = 3, FIRST_FREE = 4; // descriptors
const ALL_RIGHTS = 0x1fffffffn, MAY_WRITE = 0x40n;

// variables: {NAME: "value"}; tell(text) hears what is written to the terminal.
function makeMachine(variables, tell) {
  const files = new Map(); // bytes by path, without a / in front
  const given = new Set(); // paths that were there before the command
  const folders = new Set();
  const open = new Map();
  let memory = null;

  // Memory that grew has another buffer: it is looked at anew each time.
  const view = () => new DataView(memory.buffer);
  const bytes = (at, n) => new Uint8Array(memory.buffer, at, n);
  const text = (at, n) => new TextDecoder().decode(bytes(at, n));
  const encode = (words) => new TextEncoder().encode(words);
  const has = (path) => files.has(path) || folders.has(path);

  function clear() {
    files.clear();
    folders.clear();
    folders.add("");
    open.clear();
    given.clear();
    given.add("-");
    files.set("-", new Uint8Array(0));
    open.set(0, { path: "-", at: 0 });
    open.set(1, { isTerminal: true });
    open.set(TERMINAL, { isTerminal: true });
    open.set(ROOT, { path: "", isFolder: true });
  }

  // The path that a name means in an open folder.
  function find(fd, at, n) {
    const parts = [];
    for (const part of (open.get(fd).path + "/" + text(at, n)).split("/")) {
      if (part === "..") parts.pop();
      else if (part !== "" && part !== ".") parts.push(part);
    }
    return parts.join("/");
  }

  function writeStat(path, isTerminal, to) {
    const now = view();
    const isFolder = folders.has(path);
    bytes(to, 64).fill(0);
    now.setUint8(to + 16, isTerminal ? DEVICE : isFolder ? FOLDER : FILE);
    now.setBigUint64(to + 24, 1n, true);
    if (!isTerminal && !isFolder) now.setBigUint64(to + 32, BigInt(files.get(path).length), true);
    return OK;
  }

  function writeSizes(to, toBytes) {
    const all = encode(variables.map((words) => words + "\0").join(""));
    view().setUint32(to, variables.length, true);
    view().setUint32(toBytes, all.length, true);
    return OK;
  }

  function writeVariables(pointers, to) {
    for (const words of variables) {
      const part = encode(words + "\0");
      view().setUint32(pointers, to, true);
      bytes(to, part.length).set(part);
      pointers += 4;
      to += part.length;
    }
    return OK;
  }

  // Hands the pieces of memory of a list to one(at, length) -> bytes done.
  function eachPiece(list, n, toDone, one) {
    let done = 0;
    for (let i = 0; i < n; i++) {
      done += one(view().getUint32(list + 8 * i, true), view().getUint32(list + 8 * i + 4, true));
    }
    view().setUint32(toDone, done, true);
    return OK;
  }

  function readPiece(file, at, n) {
    const part = files.get(file.path).subarray(file.at, file.at + n);
    bytes(at, part.length).set(part);
    file.at += part.length;
    return part.length;
  }

  function writePiece(file, at, n) {
    if (file.isTerminal) {
      tell(text(at, n));
      return n;
    }
    const before = files.get(file.path);
    const after = new Uint8Array(Math.max(before.length, file.at + n));
    after.set(before);
    after.set(bytes(at, n), file.at);
    files.set(file.path, after);
    file.at += n;
    return n;
  }

  function openPath(path, how, to) {
    const isFolder = folders.has(path);
    if (has(path) && how & MUST_BE_NEW) return EXIST;
    if (!has(path) && !(how & CREATE)) return NOENT;
    if (how & MUST_BE_FOLDER && !isFolder) return NOENT;
    if (!has(path) || how & EMPTY) files.set(path, new Uint8Array(0));
    let fd = FIRST_FREE;
    while (open.has(fd)) fd++;
    open.set(fd, { path, isFolder, at: 0 });
    view().setUint32(to, fd, true);
    return OK;
  }

  function move(from, path) {
    if (!files.has(from)) return NOENT;
    files.set(path, files.get(from));
    files.delete(from);
    return OK;
  }

  function namesIn(folder) {
    const isIn = (path) => path !== folder && path !== "-" &&
      path.slice(0, Math.max(path.lastIndexOf("/"), 0)) === folder;
    return [...folders, ...files.keys()].filter(isIn);
  }

  function removeFolder(path) {
    if (!folders.has(path)) return NOENT;
    if (namesIn(path).length > 0) return NOTEMPTY;
    folders.delete(path);
    return OK;
  }

  // As much of a folder's entries from number `first` on as there is room for.
  function writeEntries(folder, to, room, first, toDone) {
    const all = namesIn(folder);
    let used = 0;
    for (let i = Number(first); i < all.length && used < room; i++) {
      const name = encode(all[i].slice(all[i].lastIndexOf("/") + 1));
      const entry = new DataView(new ArrayBuffer(24 + name.length));
      entry.setBigUint64(0, BigInt(i + 1), true);
      entry.setUint32(16, name.length, true);
      entry.setUint8(20, folders.has(all[i]) ? FOLDER : FILE);
      new Uint8Array(entry.buffer).set(name, 24);
      const part = new Uint8Array(entry.buffer).subarray(0, room - used);
      bytes(to + used, part.length).set(part);
      used += part.length;
    }
    view().setUint32(toDone, used, true);
    return OK;
  }

  const calls = {
    environ_sizes_get: writeSizes,
    environ_get: writeVariables,
    clock_time_get(id, precision, to) {
      const ms = id === 0 ? Date.now() : performance.now();
      view().setBigUint64(to, BigInt(Math.round(ms * 1e6)), true);
      return OK;
    },
    fd_prestat_get(fd, to) {
      if (fd !== ROOT) return BADF;
      view().setUint32(to, 0, true);
      view().setUint32(to + 4, 1, true);
      return OK;
    },
    fd_prestat_dir_name(fd, to) {
      bytes(to, 1).set(encode("/"));
      return OK;
    },
    fd_fdstat_get(fd, to) {
      const file = open.get(fd);
      if (!file) return BADF;
      bytes(to, 24).fill(0);
      view().setUint8(to, file.isTerminal ? DEVICE : file.isFolder ? FOLDER : FILE);
      view().setBigUint64(to + 8, file.isTerminal ? MAY_WRITE : ALL_RIGHTS, true);
      view().setBigUint64(to + 16, ALL_RIGHTS, true);
      return OK;
    },
    fd_filestat_get(fd, to) {
      const file = open.get(fd);
      return file ? writeStat(file.path, file.isTerminal, to) : BADF;
    },
    fd_read(fd, list, n, toDone) {
      const file = open.get(fd);
      if (!file || !files.has(file.path)) return BADF;
      return eachPiece(list, n, toDone, (at, length) => readPiece(file, at, length));
    },
    // Zig from 0.17 on reads files so.
    fd_pread(fd, list, n, offset, toDone) {
      const file = open.get(fd);
      if (!file || !files.has(file.path)) return BADF;
      const there = { ...file, at: Number(offset) };
      return eachPiece(list, n, toDone, (at, length) => readPiece(there, at, length));
    },
    fd_write(fd, list, n, toDone) {
      const file = open.get(fd);
      if (!file || file.isFolder) return BADF;
      return eachPiece(list, n, toDone, (at, length) => writePiece(file, at, length));
    },
    fd_seek(fd, offset, whence, to) {
      const file = open.get(fd);
      if (!file || !files.has(file.path)) return BADF;
      file.at = Number(offset) + [0, file.at, files.get(file.path).length][whence];
      view().setBigUint64(to, BigInt(file.at), true);
      return OK;
    },
    fd_readdir(fd, to, room, first, toDone) {
      const file = open.get(fd);
      return file && file.isFolder ? writeEntries(file.path, to, room, first, toDone) : BADF;
    },
    fd_sync: () => OK,
    fd_close: (fd) => (open.delete(fd) ? OK : BADF),
    path_open: (fd, flags, at, n, how, base, inherited, more, to) =>
      openPath(find(fd, at, n), how, to),
    path_filestat_get(fd, flags, at, n, to) {
      const path = find(fd, at, n);
      return has(path) ? writeStat(path, false, to) : NOENT;
    },
    path_create_directory(fd, at, n) {
      const path = find(fd, at, n);
      if (has(path)) return EXIST;
      folders.add(path);
      return OK;
    },
    path_remove_directory: (fd, at, n) => removeFolder(find(fd, at, n)),
    path_unlink_file: (fd, at, n) => (files.delete(find(fd, at, n)) ? OK : NOENT),
    path_rename: (fd, at, n, fdTo, atTo, nTo) => move(find(fd, at, n), find(fdTo, atTo, nTo)),
    path_link(fd, flags, at, n, fdTo, atTo, nTo) {
      const from = find(fd, at, n), path = find(fdTo, atTo, nTo);
      if (!files.has(from)) return NOENT;
      if (has(path)) return EXIST;
      files.set(path, files.get(from));
      return OK;
    },
    path_readlink: () => NOSYS,
    poll_oneoff: () => NOSYS,
    proc_exit(status) {
      throw new Error(`the engine ended with status ${status}`);
    },
  };

  clear();
  return {
    imports: { wasi_snapshot_preview1: calls },
    attach(to) {
      memory = to;
    },
    clear,
    // A file for the next command; "-" is what it reads from standard input.
    put(path, content) {
      files.set(path, encode(content));
      given.add(path);
    },
    // The files that the command wrote: {path: text}.
    written() {
      const found = {};
      for (const [path, content] of files) {
        if (!given.has(path)) found[path] = new TextDecoder().decode(content);
      }
      return found;
    },
  };
}
