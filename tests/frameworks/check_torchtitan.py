# SPDX-License-Identifier: GPL-3.0-or-later
"""plan3d_config.py, through torchtitan's own configuration manager."""
import importlib
import os
import pathlib
import sys
import tempfile

import support

registry = support.need("torchtitan.models.llama3.config_registry",
                        "torchtitan")

CASES = {
    "interleaved":
        "70B 64xH100 --plan tp=2,pp=4,vp=20,zero=2,recompute=selective",
    "zero 3, full recomputation":
        "70B 64xH100 --plan tp=8,zero=3,recompute=full",
    "hybrid": "llama-3-8b 16xH100 --plan zero=3,shard=8,mbs=2",
    "context": "70B 64xH100 --plan cp=4,tp=4,zero=3,recompute=full",
    "eager, overlap": "70B 64xH100 --plan tp=8,pp=2,mbs=2,zero=2 --eager",
    "zero bubble": "70B 64xH100 --plan tp=4,pp=4,vp=2,schedule=zb-v,zero=2",
}


def read(text):
    """The configuration of a file, as torchtitan.train would have it."""
    from torchtitan.config import ConfigManager

    os.environ["BASE_CONFIG"] = f"{registry.__name__}:llama3_70b"
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "plan3d_config.py").write_text(text)
        sys.path.insert(0, folder)
        sys.modules.pop("plan3d_config", None)
        importlib.invalidate_caches()
        try:
            return ConfigManager().parse_args(
                ["--module", "plan3d_config", "--config", "plan3d"])
        finally:
            sys.path.remove(folder)


def check(name, words):
    document = support.answer("estimate", *support.framework(words, "fsdp2"))
    plan, job = document["estimate"]["plan"], document["job"]
    config = read(support.export("torchtitan", words)["plan3d_config.py"])
    mesh, batch = config.parallelism, config.training
    shard = (plan["shard"] or plan["dp"] * plan["cp"]) // plan["cp"]
    support.equal(f"{name}: mesh", (
        mesh.tensor_parallel_degree, mesh.pipeline_parallel_degree,
        mesh.context_parallel_degree, mesh.data_parallel_shard_degree,
        mesh.data_parallel_replicate_degree
    ), (plan["tp"], plan["pp"], plan["cp"], shard, plan["dp"] // shard))
    local = plan["micro_batch"] if plan["pp"] == 1 \
        else job["global_batch"] // plan["dp"]
    support.equal(f"{name}: batch", (
        batch.seq_len, batch.local_batch_size, batch.global_batch_size
    ), (job["seq_len"], local, job["global_batch"]))
    support.equal(f"{name}: recomputation",
                  type(config.activation_checkpoint).__qualname__.split(".")[0],
                  {"none": "NoneType", "selective": "SelectiveAC",
                   "full": "FullAC"}[plan["recompute"]])


def check_schedules():
    """Names of schedules are those of PyTorch."""
    from torch.distributed.pipelining import schedules

    for name in ("1F1B", "GPipe", "Interleaved1F1B", "ZBVZeroBubble",
                 "DualPipeV"):
        schedules.get_schedule_class(name)
    support.passed("names of schedules")


if registry:
    for case, words in CASES.items():
        support.check(case, check, case, words)
    support.check("names of schedules", check_schedules)
support.end()
