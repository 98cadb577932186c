#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole loop on this machine's processor, with times that are real.

check.py PLAN3D BENCH FOLDER

BENCH is plan3d-bench with a device whose products (BLAS), passes and
collectives (shared memory) are computed by one core a rank. It measures one set
of shapes, to which plan3d calibrate fits its constants, and another set, which
these constants have to predict; then plan3d validate holds a small model
against what was measured of it. Its times are those of the processor, not of
the clock: others may use the machine too.
"""

import json
import os
import random
import shutil
import statistics
import subprocess
import sys

MOST_ERROR_FRAC = 0.15
MIB = 1 << 20
# What the device claims to be, and the rates that its constants are shares of.
SETTINGS = {"FAKE_CPU_TIME": "1", "FAKE_L2_MIB": "32", "FAKE_SMS": "1",
            "FAKE_MIB": "1000", "OPENBLAS_NUM_THREADS": "1"}
RATES = {"memory_bytes": 1000 * MIB, "visible_memory_bytes": 1000 * MIB,
         "hbm_bytes_per_s": 1e11, "fp32_flop_per_s": 2e11,
         "tf32_flop_per_s": 2e11, "fp16_flop_per_s": 2e11,
         "bf16_flop_per_s": 2e11, "n_sms": 1, "l2_bytes": 32 * MIB,
         "boost_hz": 3e9, "pcie_bytes_per_s_one_way": 1e10, "power_w": 100}
MODEL = {"model_type": "llama", "architectures": ["LlamaForCausalLM"],
         "hidden_size": 512, "intermediate_size": 1408, "num_hidden_layers": 4,
         "num_attention_heads": 8, "num_key_value_heads": 8,
         "vocab_size": 4096, "max_position_embeddings": 1024,
         "rms_norm_eps": 1e-5, "hidden_act": "silu",
         "tie_word_embeddings": False}
# What is measured, so many times, and with which options.
N_ROUNDS = 5
COMMANDS = {"gemm": (), "memory": ("--threads", "1"), "nccl": ("--gpus", "2")}
QUESTION = "tiny.json 2xFake-GPU --plan dp=2,zero=1 --seq 256 --batch 4"


def save(path, content):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(content, file, indent=1)
        file.write("\n")


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def add_device(source, data, rates, constants):
    """Lay out a folder of hardware that has a device with these rates too, and
    with these of its constants."""
    for name in ("hardware", "models"):
        shutil.copytree(os.path.join(source, name), os.path.join(data, name))
    hardware = os.path.join(data, "hardware")
    source = {"kind": "assumed", "ref": "a core of this machine"}
    save(os.path.join(hardware, "gpu/fake-gpu.json"), {
        "schema": 1, "name": "Fake-GPU", "vendor": "nvidia",
        "architecture": "sm90", "calibration": "loop", "node": "loop",
        **rates, "sources": {"/" + key: source for key in rates}})
    for name, like in (("node/loop.json", "node/dgx-a100.json"),
                       ("calibration/loop.json", "calibration/sm90.json")):
        content = load(os.path.join(hardware, like))
        content["name"] = "loop"
        if "basis" in content:
            content.update(constants, basis="Fake-GPU")
        else:
            content.update(gpus_per_node=2, gpus_per_nvlink_domain=2,
                           nics_per_node=1)
        save(os.path.join(hardware, name), content)


def products(draw, n):
    """Products of sides of 64 to 1024, each layout in turn."""
    def side():
        return 16 * round(4 * 16 ** draw.random())

    return [{"dtype": "bf16", "layout": ("forward", "dgrad", "wgrad")[i % 3],
             "how": "single", "m": side(), "n": side(), "k": side(),
             "count": 1} for i in range(n)]


def collectives(draw, n):
    """Sizes of 24 to 96 MiB, of which no cache holds much."""
    return [{"op": op, "axis": "all", "n_ranks": 2, "stride": 1,
             "bytes": int(24 * MIB * 4 ** draw.random())}
            for op in ("all_reduce", "all_gather", "reduce_scatter",
                       "all_to_all") for _ in range(n)]


def passes(draw, n):
    return [{"bytes": int(MIB * 16 ** draw.random()), "n_kernels": 1}
            for _ in range(n)]


class Loop:
    """The two programs, and where their files are."""

    def __init__(self, plan3d, bench, folder):
        self.plan3d, self.bench, self.folder = plan3d, bench, folder
        self.env = {**os.environ, **SETTINGS,
                    "PLAN3D_DATA": os.path.join(folder, "data")}

    def run(self, program, words, statuses=(0,)):
        done = subprocess.run([program, *words], cwd=self.folder, env=self.env,
                              capture_output=True, text=True, check=False)
        if done.returncode not in statuses:
            sys.exit(f"{' '.join([program, *words])}: status "
                     f"{done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def measure(self, names):
        """Files of each kind of operations of the requests NAME-shapes.json, by
        name. A core is slower for seconds or minutes while another one that
        shares its units works: each round measures all operations, and the
        fastest counts."""
        for i in range(N_ROUNDS):
            for name in names:
                for command, options in COMMANDS.items():
                    self.run(self.bench, [
                        command, "--request", f"{name}-shapes.json",
                        "--samples", "3", "--warmup", "1", "--force", "-o",
                        f"{name}-{command}-{i}.json", *options])
        return {name: [self.merge(f"{name}-{command}.json", [
                           f"{name}-{command}-{i}.json"
                           for i in range(N_ROUNDS)])
                       for command in COMMANDS] for name in names}

    def merge(self, name, rounds):
        """@return the name of a file with the fastest of each row of these"""
        files = [load(os.path.join(self.folder, one)) for one in rounds]
        for kind, rows in files[0].items():
            if not isinstance(rows, list):
                continue
            for i, row in enumerate(rows):
                if "median_s" in row:
                    rows[i] = min((one[kind][i] for one in files),
                                  key=lambda row: row["median_s"])
        save(os.path.join(self.folder, name), files[0])
        return name

    def calibrate(self, files, *options):
        return json.loads(self.run(self.plan3d, [
            "calibrate", *files, "--gpu", "Fake-GPU", "--json", *options]))

    def noise_frac(self, files):
        """Half of what lies between the 10th and the 90th percentile of the
        samples of an operation, over their median; the median of all."""
        rows = [row for name in files
                for kind in load(os.path.join(self.folder, name)).values()
                if isinstance(kind, list)
                for row in kind if "p90_s" in row]
        return statistics.median((row["p90_s"] - row["p10_s"]) / 2 /
                                 row["median_s"] for row in rows)


def split(loop, name, keys):
    """Every second operation into another file: both are measured in turn, so
    that what else the machine does is the same for both. @return their names"""
    parts = []
    for which, word in enumerate(("seen", "unseen")):
        content = load(os.path.join(loop.folder, name))
        for key, n_rows in keys:
            content[key] = [row for i, row in enumerate(content.get(key, []))
                            if i // n_rows % 2 == which]
        parts.append(f"{word}-{name}")
        save(os.path.join(loop.folder, parts[-1]), content)
    return parts


def judge(seen, unseen):
    """Print the errors of each form on what it was fitted to and on what it was
    not, of two answers of calibrate. @return the number of forms that miss"""
    n_missed = 0
    others = {form["name"]: form for form in unseen["forms"]}
    print("form                      fitted to  error %  unseen  error %")
    for form in seen["forms"]:
        if form["fitted"]:
            other = others[form["name"]]
            error_frac = other["old_error_frac"]
            is_missed = error_frac > MOST_ERROR_FRAC
            n_missed += is_missed
            print(f"{form['name']:26}{form['n_points']:9}"
                  f"{100 * form['new_error_frac']:9.1f}{other['n_points']:8}"
                  f"{100 * error_frac:9.1f}" +
                  ("  MISSED" if is_missed else ""))
    return n_missed


def measure(loop):
    """All shapes, and the operations of a small model's step.
    @return their files, by name"""
    draw = random.Random(1)
    save(os.path.join(loop.folder, "all-shapes.json"), {
        "schema": "plan3d/1", "command": "shapes", "gemm": products(draw, 72),
        "pass": passes(draw, 12), "collective": collectives(draw, 18)})
    save(os.path.join(loop.folder, "tiny.json"), MODEL)
    shapes = loop.run(loop.plan3d, ["shapes", *QUESTION.split(), "--json"])
    save(os.path.join(loop.folder, "step-shapes.json"), json.loads(shapes))
    return loop.measure(("all", "step"))


def check_unseen(loop, names):
    """@return the number of forms that miss."""
    # A pass is measured by two kernels.
    files = [split(loop, name, (("gemm", 1), ("pass", 2), ("collective", 1)))
             for name in names]
    seen, unseen = zip(*files)
    was = loop.calibrate(seen, "-o", "fitted.json", "--force")
    shutil.copy(os.path.join(loop.folder, "fitted.json"), os.path.join(
        loop.folder, "data/hardware/calibration/loop.json"))
    judged = loop.calibrate(unseen)
    print(f"samples of one operation: {100 * loop.noise_frac(seen):.1f} % "
          "around their median\n")
    return judge(was, judged)


def check_step(loop, files):
    """The operations of a small model's step as they are measured, against what
    the constants say. @return 1 when its seconds miss"""
    answer = json.loads(loop.run(loop.plan3d, [
        "validate", *QUESTION.split(), "--measurements", ",".join(files), "--json"],
        statuses=(0, 1)))
    print("\nplan3d validate    operations  measured / predicted")
    for kind in answer["kinds"]:
        if kind["median_ratio"] is not None:
            print(f"{kind['name']:22}{kind['n_found']:7}"
                  f"{kind['median_ratio']:22.2f}")
    step = answer["step"]
    is_missed = abs(step["change_frac"]) > MOST_ERROR_FRAC
    print(f"step: {step['predicted_s']:.3f} s predicted, "
          f"{step['calibrated_s']:.3f} s with constants of its own operations "
          f"({100 * step['change_frac']:+.1f} %)" +
          ("  MISSED" if is_missed else ""))
    return int(is_missed)


def main():
    plan3d, bench, folder = (os.path.abspath(path) for path in sys.argv[1:4])
    source = os.path.join(os.path.dirname(__file__), "../../..")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    add_device(source, os.path.join(folder, "data"), RATES, {})
    loop = Loop(plan3d, bench, folder)
    files = measure(loop)
    n_missed = check_unseen(loop, files["all"]) + check_step(loop,
                                                             files["step"])
    print(f"\n{n_missed} of what is judged misses by more than "
          f"{100 * MOST_ERROR_FRAC:.0f} %")
    return 1 if n_missed else 0


if __name__ == "__main__":
    sys.exit(main())
