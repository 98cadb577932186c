# SPDX-License-Identifier: GPL-3.0-or-later
"""The C library: one command line in, the exit status and two texts out."""

from __future__ import annotations

import ctypes
import os
import threading
from pathlib import Path
from typing import NoReturn, Sequence, Tuple

INTERRUPTED = 130


def _load() -> ctypes.CDLL:
    # A CDLL lets other threads run during a call.
    path = os.environ.get("PLAN3D_LIBRARY") or Path(__file__).with_name("libplan3d.so")
    library = ctypes.CDLL(str(path))
    text = ctypes.POINTER(ctypes.c_void_p)
    library.p3d_command.restype = ctypes.c_int
    library.p3d_command.argtypes = [ctypes.c_int, ctypes.POINTER(ctypes.c_char_p), text, text]
    library.p3d_command_free.restype = None
    library.p3d_command_free.argtypes = [ctypes.c_void_p]
    return library


_library = _load()


def _take(text: ctypes.c_void_p) -> str:
    if not text.value:
        return ""
    try:
        return ctypes.string_at(text.value).decode("utf-8", "replace")
    finally:
        _library.p3d_command_free(text)


def _interrupt() -> NoReturn:
    # The library takes the signal; Python's main thread would not hear of it
    # where another thread asked.
    if threading.current_thread() is not threading.main_thread():
        import _thread

        _thread.interrupt_main()
    raise KeyboardInterrupt


def run(words: Sequence[str]) -> Tuple[int, str, str]:
    """What ``plan3d WORDS`` prints: exit status, stdout, stderr.

    Raises KeyboardInterrupt when Ctrl-C ended it. Threads may call it at once.
    """
    encoded = [os.fsencode(word) for word in words]
    if any(b"\0" in word for word in encoded):
        raise ValueError("a word with a NUL")
    argv = (ctypes.c_char_p * (len(encoded) + 1))(*encoded, None)
    out, err = ctypes.c_void_p(), ctypes.c_void_p()
    status = _library.p3d_command(len(encoded), argv, ctypes.byref(out), ctypes.byref(err))
    texts = _take(out), _take(err)
    if status == INTERRUPTED:
        _interrupt()
    return (status, *texts)
