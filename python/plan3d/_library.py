# SPDX-License-Identifier: GPL-3.0-or-later
"""The C library: one command line in, the exit status and two texts out."""

from __future__ import annotations

import ctypes
import os
import threading
from pathlib import Path
from typing import Any, Callable, List, NoReturn, Optional, Sequence, Tuple

INTERRUPTED = 130

#: Hears the words of the program and the share that is done, None where nobody knows it,
#: up to ten times a second. False ends the command.
Progress = Callable[[str, Optional[float]], Any]

_Hear = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_double)


class _Listener(ctypes.Structure):
    _fields_ = [("hear", _Hear), ("context", ctypes.c_void_p)]


def _load() -> ctypes.CDLL:
    # A CDLL lets other threads run during a call.
    path = os.environ.get("PLAN3D_LIBRARY") or Path(__file__).with_name("libplan3d.so")
    library = ctypes.CDLL(str(path))
    text = ctypes.POINTER(ctypes.c_void_p)
    library.p3d_command.restype = ctypes.c_int
    library.p3d_command.argtypes = [ctypes.c_int, ctypes.POINTER(ctypes.c_char_p), text, text]
    library.p3d_command_listen.restype = ctypes.c_int
    library.p3d_command_listen.argtypes = [
        ctypes.c_int,
        ctypes.POINTER(ctypes.c_char_p),
        ctypes.POINTER(_Listener),
        text,
        text,
    ]
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


def _listener(progress: Progress, raised: List[BaseException]) -> _Listener:
    def hear(context: Any, words: bytes, done_frac: float) -> bool:
        try:
            return progress(words.decode("utf-8", "replace"), None if done_frac < 0 else done_frac) is not False
        except BaseException as error:  # of the caller's function: it goes on to the caller
            raised.append(error)
            return False

    return _Listener(_Hear(hear), None)


def run(words: Sequence[str], progress: Optional[Progress] = None) -> Tuple[int, str, str]:
    """What ``plan3d WORDS`` prints: exit status, stdout, stderr.

    Raises KeyboardInterrupt when Ctrl-C or ``progress`` ended it, and what ``progress``
    raised. Threads may call it at once.
    """
    encoded = [os.fsencode(word) for word in words]
    if any(b"\0" in word for word in encoded):
        raise ValueError("a word with a NUL")
    argv = (ctypes.c_char_p * (len(encoded) + 1))(*encoded, None)
    out, err = ctypes.c_void_p(), ctypes.c_void_p()
    texts_at = ctypes.byref(out), ctypes.byref(err)
    raised: List[BaseException] = []
    if progress is None:
        status = _library.p3d_command(len(encoded), argv, *texts_at)
    else:
        listener = _listener(progress, raised)
        status = _library.p3d_command_listen(len(encoded), argv, ctypes.byref(listener), *texts_at)
    texts = _take(out), _take(err)
    if raised:
        raise raised[0]
    if status == INTERRUPTED:
        _interrupt()
    return (status, *texts)
