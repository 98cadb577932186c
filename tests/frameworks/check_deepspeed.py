# SPDX-License-Identifier: GPL-3.0-or-later
"""deepspeed.json, through DeepSpeed's own configuration."""
import json
import logging
import unittest.mock

import support

deepspeed = support.need("deepspeed", "deepspeed")

CASES = {
    "zero 1, pipeline": "70B 64xA100 --plan tp=8,pp=4,zero=1,recompute=full",
    "zero 2": "7B 16xA100 --plan zero=2,mbs=2",
    "zero 3": "7B 16xA100 --plan zero=3",
    "zero 0, fp16": "7B 16xA100 --plan zero=0 --dtype fp16",
    "fp32": "7B 16xA100 --plan zero=1 --dtype fp32",
    "part of the optimizer on the host":
        "7B 16xA100 --plan zero=3,offload=optimizer:0.5",
    "weights on the host":
        "7B 16xA100 --plan zero=3,offload=optimizer+parameters",
    "optimizer on NVMe": "7B 16xA100 --plan zero=3,offload=optimizer@nvme",
}


def read(text, replicas):
    """DeepSpeed's reading of a configuration, on so many replicas."""
    import deepspeed.runtime.config as config

    mesh = unittest.mock.Mock()
    mesh.get_data_parallel_world_size.return_value = replicas
    with unittest.mock.patch.object(config.dist, "get_rank", return_value=0):
        return config.DeepSpeedConfig(json.loads(text), mpu=mesh)


def device(offload):
    if not offload:
        return "none"
    return str(getattr(offload.device, "value", offload.device))


def wanted_devices(plan):
    where = "nvme" if plan["offload_nvme"] else "cpu"
    return (where if plan["offload"] != "none" else "none",
            where if "parameters" in plan["offload"] else "none")


def check(name, words):
    document = support.answer("estimate",
                              *support.framework(words, "deepspeed"))
    plan, job = document["estimate"]["plan"], document["job"]
    got = read(support.export("deepspeed", words)["deepspeed.json"],
               plan["dp"])
    support.equal(f"{name}: batch", (
        got.train_batch_size, got.train_micro_batch_size_per_gpu
    ), (job["global_batch"], plan["micro_batch"]))
    support.equal(f"{name}: stage and dtype", (
        got.zero_config.stage, got.bfloat16_config.enabled,
        got.float16_config.enabled
    ), (plan["zero"], job["dtype"] == "bf16", job["dtype"] == "fp16"))
    support.equal(f"{name}: offload", (
        device(got.zero_config.offload_optimizer),
        device(got.zero_config.offload_param)
    ), wanted_devices(plan))


if deepspeed:
    logging.disable(logging.WARNING)
    for case, words in CASES.items():
        support.check(case, check, case, words)
support.end()
