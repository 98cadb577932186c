# SPDX-License-Identifier: GPL-3.0-or-later
"""What the checks against real frameworks share: export, verdicts, a sum."""
import importlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

PLAN3D = os.environ.get("PLAN3D", "build/release/plan3d")
counts = {"passed": 0, "failed": 0, "skipped": 0}


def answer(*words):
    """The JSON document of a command."""
    done = subprocess.run([PLAN3D, *words, "--json"], capture_output=True,
                          text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(words)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def export(target, words):
    """The files that an export writes, by name; --force: a plan is checked
    for what it says, not for whether it fits."""
    model, cluster, *options = words.split()
    document = answer("export", model, cluster, "--to", target, "--dry-run",
                      "--force", *options)
    return {f["name"]: f["text"] for f in document["written"]["files"]}


def launched(files, program):
    """The arguments that a launch script gives to a program: it is run with
    launchers that print theirs. Everything it needs of its user is set."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            pathlib.Path(folder, name).write_text(text)
        for name in ("srun", "torchrun", "scontrol", "mpirun", "deepspeed"):
            stub = pathlib.Path(folder, name)
            stub.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
            stub.chmod(0o755)
        done = subprocess.run(
            ["bash", str(pathlib.Path(folder, "launch.sh"))],
            capture_output=True, text=True, check=True,
            env={"PATH": f"{folder}:{os.environ['PATH']}", "HF_MODEL": "model",
                 "SLURM_JOB_NODELIST": "node-1", "SLURM_CPUS_ON_NODE": "64",
                 "DATA_PATH": "data",
                 "MEGATRON": folder, "TOKENIZER": "tokenizer"})
    words = done.stdout.splitlines()
    at = next(i for i, word in enumerate(words) if word.endswith(program))
    return words[at + 1:]


def framework(words, name):
    """The words of an export, for another command: a framework for a target."""
    return [*words.split(), "--framework", name]


def passed(name):
    counts["passed"] += 1
    print(f"ok       {name}", flush=True)


def failed(name, why):
    counts["failed"] += 1
    print(f"FAILED   {name}: {why}", flush=True)


def skipped(name, why):
    counts["skipped"] += 1
    print(f"skipped  {name} ({why})", flush=True)


def checkout(variable, name, why):
    """Folder of a framework that a variable names, or None with a line."""
    folder = os.environ.get(variable)
    if not folder:
        skipped(name, f"{why}; set {variable} to a checkout")
    return folder


def equal(name, got, want):
    if got == want:
        passed(name)
    else:
        failed(name, f"it reads {got!r}, the plan says {want!r}")


def short(error):
    """An exception in one line."""
    lines = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {lines[0][:200]}"


def check(name, function, *args):
    """Run one check; an exception is its failure."""
    try:
        function(*args)
    except Exception as error:  # whatever the framework raises
        failed(name, short(error))


def need(module, name):
    """Import a module; None, with a line that says so, where it is not."""
    try:
        return importlib.import_module(module)
    except Exception as error:  # a broken install is no failure of plan3d
        skipped(name, short(error))
        return None


def end():
    """The sum, as the last line; exit status 1 when something failed."""
    print("{passed} passed, {failed} failed, {skipped} skipped"
          .format(**counts))
    sys.exit(counts["failed"] > 0)
