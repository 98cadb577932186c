# SPDX-License-Identifier: GPL-3.0-or-later
"""A few hundred launch.sh, through what Megatron-LM holds its arguments to.

Models x clusters x options, each the plan that plan3d recommends: Megatron-LM's
parser, its validation, and the configuration that its layers are built from
(TransformerConfig.__post_init__), which has the rest of its rules. A question
that plan3d refuses is no script; the sums say how many.
"""
import collections
import itertools
import os
import subprocess

import megatron_lm
import support

MODELS = ("8B", "70B", "7B", "qwen3-8b", "gpt3-175b", "mixtral-8x7b",
          "qwen3-30b-a3b", "deepseek-v3", "deepseek-v2-lite")
CLUSTERS = ("16xH100", "64xH200", "256xB200", "128xA100")
OPTIONS = (
    "", "--dtype fp8", "--dtype fp8 --fp8-recipe current",
    "--dtype fp8 --fp8-recipe blockwise", "--dtype fp8 --fp8-recipe mxfp8",
    "--dtype nvfp4", "--dtype fp16", "--optimizer muon", "--optimizer sgd",
    "--tp-overlap", "--moe-overlap", "--cuda-graphs layers",
    "--cuda-graphs step", "--mtp 1", "--loss te-fused", "--loss native-fused",
    "--dropout", "--cp-comm a2a --seq 32768", "--dispatcher deepep",
    "--attention eager",
    "--pin recompute=selective", "--pin recompute=selective:layernorm",
    "--dtype fp8 --pin recompute=selective:layernorm",
    "--dtype fp8 --pin recompute=selective:moe_act",
    "--pin offload=optimizer", "--dtype fp8 --pin offload=optimizer",
    "--dtype fp8 --fp8-recipe current --pin offload=optimizer",
    "--pin tp=1 --tp-overlap", "--pin zero=3", "--pin zero=2,vp=1,pp=1",
    "--optimizer muon --pin zero=2", "--pin pp=4,vp=2",
    "--cuda-graphs layers --pin recompute=selective:core_attn --dropout",
    "--cuda-graphs layers --allocator expandable",
)
EVERY = 5  # of all combinations one in so many is asked


def questions():
    """Every model, cluster and option meets the others in turn."""
    combinations = itertools.product(MODELS, CLUSTERS, OPTIONS)
    return [words for i, words in enumerate(combinations) if i % EVERY == 0]


def script(words):
    """The files and the document of a plan; None where plan3d refuses."""
    done = subprocess.run(
        [support.PLAN3D, "fit", *" ".join(words).split(), "--json"],
        capture_output=True, text=True, check=False, timeout=120)
    if done.returncode != 0:
        return None
    return support.export("megatron", " ".join(words))


def main():
    if not megatron_lm.load():
        return
    counts = collections.Counter()
    for words in questions():
        name = " ".join(words)
        try:
            files = script(words)
            if files is None:
                counts["refused by plan3d"] += 1
                continue
        except RuntimeError as error:
            counts["refused by plan3d"] += 1
            continue
        counts["scripts"] += 1
        support.check(name, check, name, words[1], files)
    print(", ".join(f"{n} {what}" for what, n in counts.items()))


def check(name, cluster, files):
    args = megatron_lm.parse(files, cluster)
    megatron_lm.configure(args)
    support.passed(name)


main()
support.end()
