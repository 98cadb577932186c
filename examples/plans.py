# SPDX-License-Identifier: GPL-3.0-or-later
# plans.py [LIBRARY] - the best plans of a model on a cluster, from Python:
# a command line in, a JSON document out. Needs nothing beside Python 3.
import ctypes
import json
import sys

lib = ctypes.CDLL(sys.argv[1] if len(sys.argv) > 1 else "libplan3d.so")
lib.p3d_command_free.argtypes = [ctypes.c_void_p]
lib.p3d_command_free.restype = None


def plan3d(*words):
    """The JSON document of a command; ValueError says what was wrong."""
    argv = (ctypes.c_char_p * len(words))(*(w.encode() for w in words))
    out, err = ctypes.c_void_p(), ctypes.c_void_p()
    status = lib.p3d_command(len(words), argv, ctypes.byref(out),
                             ctypes.byref(err))
    try:
        answer = ctypes.string_at(out) if out else b""
        message = ctypes.string_at(err) if err else b"out of memory"
    finally:
        lib.p3d_command_free(out)
        lib.p3d_command_free(err)
    if status > 1:
        raise ValueError(message.decode().strip())
    return json.loads(answer)


answer = plan3d("plan", "llama-3-8b", "8xH100", "--seq", "8192",
                "--batch", "512", "--top", "3", "--json")
for plan in answer["plans"]:
    print("%7.3f s %6.2f GiB  %s" % (
        plan["time"]["step_s"], plan["memory"]["peak_bytes"] / 2**30,
        plan["words"]))

try:
    plan3d("fit", "llama-3-8c", "8xH100", "--json")
except ValueError as error:
    print(error)
