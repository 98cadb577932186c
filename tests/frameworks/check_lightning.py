# SPDX-License-Identifier: GPL-3.0-or-later
"""lightning_plan.py: it runs, and its arguments are those of Lightning."""
import inspect

import support

lightning = support.need("lightning.pytorch", "Lightning")

CASES = {
    "zero 2": "llama-3-8b 8xH100 --plan zero=2",
    "tensor, zero 3": "llama-3-70b 64xH100 --plan tp=8,zero=3,recompute=full",
    "fp32": "llama-3-8b 16xH100 --plan zero=3 --dtype fp32",
}


def check(name, words):
    document = support.answer("estimate", *support.framework(words, "fsdp2"))
    plan = document["estimate"]["plan"]
    got = {}
    exec(support.export("lightning", words)["lightning_plan.py"], got)
    strategy = got["strategy"]
    support.equal(f"{name}: mesh", (
        strategy._data_parallel_size, strategy._tensor_parallel_size
    ), (plan["dp"], plan["tp"]))
    inspect.signature(lightning.Trainer).bind(strategy=strategy,
                                              **got["trainer"])
    support.passed(f"{name}: arguments of the trainer")
    support.equal(f"{name}: processes", got["trainer"]["num_nodes"]
                  * got["trainer"]["devices"], document["cluster"]["n_gpus"])


if lightning:
    for case, words in CASES.items():
        support.check(case, check, case, words)
support.end()
