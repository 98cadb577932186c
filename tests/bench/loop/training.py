#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole training steps of PyTorch on this machine's processor, predicted.

training.py PLAN3D FOLDER

Two processes of one thread each (training_rank.py) measure operations of
PyTorch alone: products, attention, passes over memory and Gloo's all-reduce.
plan3d calibrate fits its constants to every second one of them. These constants
have to predict the others, and steps of small models under
DistributedDataParallel, of which nothing was fitted. Times are those of the
processor: in them nothing hides anything, as a collective takes its time from
the core that computes. Needs the Python of requirements.txt; 77 without.
"""
import glob
import importlib.util
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import time

import check

MIB = check.MIB
N_RANKS, N_ROUNDS = 2, 8
# Above what a core does in fp32, reads and writes, and sends to another
# process: the constants are shares of these. What is measured is measured
# between steps, so no rate is one of a rested core.
RATES = {**check.RATES, "memory_bytes": 8000 * MIB,
         "visible_memory_bytes": 8000 * MIB, "hbm_bytes_per_s": 4e10,
         "pcie_bytes_per_s_one_way": 4e9}
CONSTANTS = {"sustained_frac": 1}
HEAD_DIM = 64
# Operations take their tensors from so much memory in turn, so that none is in
# a cache: twice the largest one, which ranks may share.
LEAST_POOL, CACHE_FACTOR = 256 * MIB, 2
# Hidden size, layers, tokens, sequences of a rank, vocabulary.
CASES = [(512, 4, 512, 2, 8192), (512, 6, 256, 4, 2048),
         (768, 4, 256, 2, 4096), (1024, 4, 512, 1, 2048)]
# The heap keeps what tensors leave, as PyTorch's own does on a GPU; else each
# large tensor would be new pages of the kernel.
SETTINGS = {"OMP_NUM_THREADS": "1", "MALLOC_MMAP_MAX_": "0",
            "MALLOC_TRIM_THRESHOLD_": str(1 << 34)}
# The names that rows have for passes of about as many arrays.
KERNELS = {"scale": "scale", "add": "add", "relu": "scale",
           "relu_backward": "add", "norm": "norm",
           "norm_backward": "norm_backward", "adam": "adam"}
# Kernels of one kind, and how many of each are measured: constants of a kind
# are fitted to six or more, and every second one is left to be predicted.
VECTORS = ("scale", "add", "relu", "relu_backward")
N_VECTORS, N_OTHERS = 4, 12
# Exponentials decide their time, not memory: measured, and left to the steps.
LOSSES = ("loss", "loss_backward")


def products(draw, n):
    """256 to 2,048 tokens, sides of 256 to 8,192, at most 4 Gflop."""
    rows = []
    while len(rows) < n:
        tokens, out, into = (64 * round(4 * most ** draw.random())
                             for most in (8, 32, 16))
        layout = ("forward", "dgrad", "wgrad")[len(rows) // 2 % 3]
        m, n_, k = ((out, into, tokens) if layout == "wgrad"
                    else (tokens, out, into))
        if 2 * m * n_ * k <= 4e9:
            rows.append({"layout": layout, "m": m, "n": n_, "k": k})
    return rows


def cores(draw, n):
    return [{"batch": draw.randint(1, 4), "heads": draw.randint(4, 16),
             "seq_q": 64 * draw.randint(2, 12), "qk_dim": HEAD_DIM,
             "backward": bool(i // 2 % 2)} for i in range(n)]


def passes(draw):
    """Of 6 to 48 MiB, in rows as wide as a model or as its logits; of each kind
    enough for a rate of its own."""
    return [{"what": what, "bytes": int(6 * MIB * 8 ** draw.random()),
             "width": 4096 if what in LOSSES else 512}
            for what in (*KERNELS, *LOSSES)
            for _ in range(N_VECTORS if what in VECTORS else N_OTHERS)]


def collectives(draw, n):
    """Around a bucket of gradients, which has 25 MiB."""
    return [{"bytes": 4 * int(MIB * 8 ** draw.random())} for _ in range(n)]


def cache_bytes():
    """The last-level cache that this processor says to have; 0: it does not."""
    sizes = []
    for path in glob.glob("/sys/devices/system/cpu/cpu0/cache/index*/size"):
        with open(path, encoding="utf-8") as file:
            sizes.append(int(file.read().strip().rstrip("K")) << 10)
    return max(sizes, default=0)


def make_work():
    draw = random.Random(2)
    keys = ("hidden", "layers", "seq", "micro_batch", "vocab")
    return {"n_ranks": N_RANKS, "n_rounds": N_ROUNDS,
            "pool_bytes": max(LEAST_POOL, CACHE_FACTOR * cache_bytes()),
            "products": products(draw, 48), "cores": cores(draw, 40),
            "passes": passes(draw), "collectives": collectives(draw, 16),
            "cases": [dict(zip(keys, sizes), heads=sizes[0] // HEAD_DIM)
                      for sizes in CASES]}


def measure(folder, work):
    """@return by kind a list of the times of each item, as timing_of() makes
    them of the slowest rank's"""
    check.save(os.path.join(folder, "work.json"), work)
    script = os.path.join(os.path.dirname(__file__), "training_rank.py")
    ranks = [subprocess.Popen([sys.executable, script, folder, str(rank)],
                              env={**os.environ, **SETTINGS})
             for rank in range(N_RANKS)]
    if any([rank.wait() for rank in ranks]):
        sys.exit("a process of PyTorch failed")
    files = [check.load(os.path.join(folder, f"rank-{rank}.json"))
             for rank in range(N_RANKS)]
    return {kind: [timing_of([[max(f["rounds"][i][kind][at][meter]
                                   for f in files) for i in range(N_ROUNDS)]
                              for meter in range(2)])
                   for at in range(len(work[kind]))]
            for kind in work if isinstance(work[kind], list)}


def timing_of(meters):
    """Of the processor, as rows have it; and the median by the clock."""
    processor, clock = meters
    tenths = statistics.quantiles(processor, n=10, method="inclusive")
    return {"n_samples": N_ROUNDS, "median_s": statistics.median(processor),
            "p10_s": tenths[0], "p90_s": tenths[-1]}, statistics.median(clock)


def row_of(kind, item, times):
    """As plan3d-bench writes it, in whose rows a device's numbers of 16 bits
    and its fused attention are those that are fitted."""
    checked = {"n_checked": 1, "error_frac": 0}
    if kind == "products":
        return "gemm", {**item, **times, **checked, "dtype": "bf16",
                        "how": "single", "count": 1, "accumulate": False,
                        "sustained": False}
    if kind == "cores":
        return "attention", {**item, **times, **checked, "dtype": "bf16",
                             "code": "cudnn", "causal": True,
                             "kv_heads": item["heads"],
                             "seq_kv": item["seq_q"], "v_dim": item["qk_dim"]}
    if kind == "passes":
        return "pass", {**times, "kernel": KERNELS[item["what"]],
                        "bytes": item["bytes"]}
    rate = item["bytes"] / times["median_s"]
    return "collective", {**item, **times, "op": "all_reduce", "axis": "all",
                          "n_ranks": N_RANKS, "n_nodes": 1, "n_groups": 1,
                          "in_place": True, "n_checked": 1,
                          "algbw_bytes_per_s": rate, "busbw_bytes_per_s": rate}


def write_rows(path, work, seconds, first):
    """Every second item, so that both files have all sizes and rounds."""
    content = {"schema": 1, "program": "training_rank.py", "command": "",
               "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
               "device": {"name": "Fake GPU", "uuid_hash": "0",
                          "compute_capability": 90, "n_sms": 1,
                          "memory_bytes": RATES["memory_bytes"],
                          "cuda": "none", "n_ranks": N_RANKS, "n_nodes": 1}}
    for kind in ("products", "cores", "passes", "collectives"):
        both = [(item, times) for item, (times, _) in
                zip(work[kind], seconds[kind])
                if item.get("what") not in LOSSES]
        for item, times in both[first::2]:
            key, row = row_of(kind, item, times)
            content.setdefault(key, []).append(row)
    check.save(path, content)


def fit(loop, work, seconds):
    """Constants of the seen half. @return the number of forms that miss"""
    for first, name in enumerate(("seen.json", "unseen.json")):
        write_rows(os.path.join(loop.folder, name), work, seconds, first)
    was = loop.calibrate(["seen.json"], "-o", "fitted.json", "--force")
    fitted = check.load(os.path.join(loop.folder, "fitted.json"))
    # A core has one fused kernel, whatever the number's type.
    core = fitted["attention"]["cudnn"]
    fitted["attention"] = {"flash1": core, "cudnn": core}
    path = os.path.join(loop.folder, "data/hardware/calibration/loop.json")
    check.save(path, {**fitted, "name": "loop"})
    return check.judge(was, loop.calibrate(["unseen.json"]))


def predict(loop, case):
    """@return the seconds of a step, and their terms"""
    check.save(os.path.join(loop.folder, "small.json"), {
        "model_type": "opt", "architectures": ["OPTForCausalLM"],
        "hidden_size": case["hidden"], "ffn_dim": 4 * case["hidden"],
        "word_embed_proj_dim": case["hidden"],
        "num_hidden_layers": case["layers"],
        "num_attention_heads": case["heads"],
        "max_position_embeddings": case["seq"], "vocab_size": case["vocab"],
        "activation_function": "relu", "do_layer_norm_before": True})
    answer = json.loads(loop.run(loop.plan3d, [
        "estimate", "small.json", f"{N_RANKS}xFake-GPU", "--plan",
        f"dp={N_RANKS},mbs={case['micro_batch']}", "--seq", str(case["seq"]),
        "--batch", str(N_RANKS * case["micro_batch"]), "--framework", "ddp",
        "--dtype", "fp32", "--dp-overlap", "off", "--json"]))
    time_s = answer["estimate"]["time"]
    return time_s["step_s"], time_s["terms"]


def spread_frac(times):
    return (times["p90_s"] - times["p10_s"]) / 2 / times["median_s"]


def judge_steps(loop, work, seconds):
    """@return the number of steps that miss"""
    n_missed = 0
    print("\nstep: hidden, layers, tokens     measured  by the clock"
          "  predicted  error %")
    for case, (times, clock_s) in zip(work["cases"], seconds["cases"]):
        step_s, terms = predict(loop, case)
        error_frac = step_s / times["median_s"] - 1
        n_missed += abs(error_frac) > check.MOST_ERROR_FRAC
        print(f"{case['hidden']:5}, {case['layers']}, {case['micro_batch']} x "
              f"{case['seq']:<16}{times['median_s']:9.3f} s{clock_s:12.2f} s"
              f"{step_s:9.3f} s{100 * error_frac:+9.1f}")
        print("      " + ", ".join(
            f"{key[:-2].replace('_', ' ')} {100 * part_s / step_s:.1f} %"
            for key, part_s in terms.items() if part_s / step_s > 0.005))
    return n_missed


def print_noise(work, seconds):
    for name, kinds in (("an operation", ("products", "cores", "passes",
                                          "collectives")),
                        ("a step", ("cases",))):
        spread = statistics.median(spread_frac(times) for kind in kinds
                                   for times, _ in seconds[kind])
        print(f"noise: the {N_ROUNDS} samples of {name} lie "
              f"{100 * spread:.1f} % around their median")
    for what in LOSSES:
        rates = [item["bytes"] / times["median_s"] / 1e9 for item, (times, _)
                 in zip(work["passes"], seconds["passes"])
                 if item["what"] == what]
        print(f"{what}: {statistics.median(rates):.1f} GB/s, not fitted")


def main():
    if importlib.util.find_spec("torch") is None:
        print("needs PyTorch: python3 -m pip install -r "
              "tests/bench/loop/requirements.txt; and its Python as TORCH=...",
              file=sys.stderr)
        return 77
    plan3d, folder = (os.path.abspath(path) for path in sys.argv[1:3])
    source = os.path.join(os.path.dirname(__file__), "../../..")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    check.add_device(source, os.path.join(folder, "data"), RATES, CONSTANTS)
    loop = check.Loop(plan3d, None, folder)
    work = make_work()
    seconds = measure(folder, work)
    n_missed = fit(loop, work, seconds) + judge_steps(loop, work, seconds)
    print()
    print_noise(work, seconds)
    print(f"\n{n_missed} of what is judged misses by more than "
          f"{100 * check.MOST_ERROR_FRAC:.0f} %")
    return 1 if n_missed else 0


if __name__ == "__main__":
    sys.exit(main())
