# SPDX-License-Identifier: GPL-3.0-or-later
"""nanotron.yaml, through nanotron's own dataclasses.

The release on PyPI is of March 2024 and older than what plan3d writes: NANOTRON
names a checkout of its repository.
"""
import importlib.machinery
import pathlib
import sys
import tempfile
import unittest.mock

import support

CASES = {
    "dense": "70B 64xH100 --plan tp=8,pp=2,mbs=1,zero=1",
    "recomputation": "llama-3-8b 16xA100 --plan tp=2,zero=0,recompute=full",
}


class Stand(importlib.machinery.SourceFileLoader):
    """Kernels that no configuration needs, and that need a GPU to install."""

    NAMES = ("flash_attn", "grouped_gemm", "functorch", "apex", "triton",
             "datatrove")

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name.split(".")[0] not in cls.NAMES:
            return None
        return importlib.machinery.ModuleSpec(name, cls(name, ""),
                                              is_package=True)

    def create_module(self, spec):
        module = unittest.mock.MagicMock()
        module.__spec__, module.__path__ = spec, []
        module.__version__ = "99.0"
        return module

    def exec_module(self, module):
        pass


def load():
    """nanotron of the checkout, or None with a line that says why."""
    folder = support.checkout("NANOTRON", "nanotron",
                              "PyPI has only that of March 2024")
    if not folder:
        return None
    sys.path.insert(0, str(pathlib.Path(folder, "src")))
    sys.meta_path.append(Stand)
    return support.need("nanotron.config", "nanotron")


def check(name, words):
    document = support.answer("estimate",
                              *support.framework(words, "nanotron"))
    plan, job = document["estimate"]["plan"], document["job"]
    text = support.export("nanotron", words)["nanotron.yaml"]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "nanotron.yaml")
        path.write_text(text)
        got = config.get_config_from_file(str(path))
    p, tokens = got.parallelism, got.tokens
    support.equal(f"{name}: mesh", (p.tp, p.pp, p.dp, p.expert_parallel_size,
                                    p.context_parallel_size),
                  (plan["tp"], plan["pp"],
                   plan["dp"] // plan["ep"], plan["ep"], plan["cp"]))
    support.equal(f"{name}: batch", (
        tokens.micro_batch_size * tokens.batch_accumulation_per_replica
        * plan["dp"], tokens.sequence_length
    ), (job["global_batch"], job["seq_len"]))
    support.equal(f"{name}: rest", (
        got.optimizer.zero_stage, p.recompute_layer,
        got.model.model_config.num_hidden_layers
    ), (plan["zero"], plan["recompute"] == "full",
        document["model"]["n_layers"]))


config = load()
if config:
    for case, words in CASES.items():
        support.check(case, check, case, words)
support.end()
