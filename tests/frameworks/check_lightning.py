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


# Hooks of DDP: their names, and the rank of PowerSGD.
HOOKS = {
    "usual": ("llama-3.2-1b 8xH100", None, None),
    "16 bit": ("llama-3.2-1b 8xH100 --reduce-dtype 16bit",
               "bf16_compress_hook", None),
    "PowerSGD": ("llama-3.2-1b 8xH100 --compress powersgd=2",
                 "powerSGD_hook", 2),
}


def check_hook(name, words, hook, rank):
    got = {}
    exec(support.export("lightning-ddp", words)["lightning_ddp_plan.py"], got)
    strategy = got["strategy"]()
    support.equal(f"{name}: hook", getattr(
        strategy._ddp_comm_hook, "__name__", None), hook)
    support.equal(f"{name}: rank", getattr(
        strategy._ddp_comm_state, "matrix_approximation_rank", None), rank)
    inspect.signature(lightning.Trainer).bind(strategy=strategy,
                                              **got["trainer"])


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
    for case, words in HOOKS.items():
        support.check(case, check_hook, case, *words)
support.end()
