# SPDX-License-Identifier: GPL-3.0-or-later
"""jax_plan.py: its mesh is made of as many devices, and its specs split."""
import os

import support

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=64"
os.environ["JAX_PLATFORMS"] = "cpu"
jax = support.need("jax", "JAX")

CASES = {
    "zero 3": "70B 64xH100 --plan zero=3,recompute=full",
    "tensor": "70B 64xH100 --plan tp=8,zero=3",
    "context, hybrid": "70B 64xH100 --plan tp=2,cp=4,zero=3,shard=16",
}

# Shapes of Llama-3-70B by the kinds of arrays, and how often each dimension
# is split.
SHAPES = {"tokens": (512, 8192), "stream": (512, 8192, 8192),
          "embedding": (128256, 8192), "column": (8192, 28672),
          "row": (28672, 8192), "norm": (8192,)}


def check(name, words):
    document = support.answer("estimate", *support.framework(words, "fsdp2"))
    plan = document["estimate"]["plan"]
    got = {}
    exec(support.export("jax", words)["jax_plan.py"], got)
    mesh = got["mesh"]()
    support.equal(f"{name}: devices", mesh.size,
                  document["cluster"]["n_gpus"])
    support.equal(f"{name}: tensor", mesh.shape["tensor"], plan["tp"])
    shard = plan["shard"] or plan["dp"] * plan["cp"]
    for kind in ("column", "row", "embedding"):
        rows, columns = got["sharding"](kind).shard_shape(SHAPES[kind])
        parts = SHAPES[kind][0] * SHAPES[kind][1] // (rows * columns)
        support.equal(f"{name}: {kind}", parts, plan["tp"] * shard)
    for kind in ("tokens", "stream", "norm"):
        got["sharding"](kind).shard_shape(SHAPES[kind])
    support.passed(f"{name}: activations")


if jax:
    for case, words in CASES.items():
        support.check(case, check, case, words)
support.end()
