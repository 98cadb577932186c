# SPDX-License-Identifier: GPL-3.0-or-later
"""accelerate.yaml, through accelerate's own launcher, up to the plugins."""
import os
import pathlib
import tempfile

import support

accelerate = support.need("accelerate", "accelerate")

CASES = {
    "zero 3": "llama-3-8b 8xH100 --plan zero=3",
    "zero 2": "llama-3-8b 8xH100 --plan zero=2",
    "hybrid, full recomputation":
        "llama-3-8b 16xH100 --plan zero=3,shard=8,recompute=full",
    "tensor": "llama-3-70b 64xH100 --plan tp=8,zero=3,nosp",
    "context": "llama-3-70b 64xH100 --plan cp=4,zero=3",
    "fp16": "llama-3-8b 8xA100 --plan zero=3 --dtype fp16",
}


def environment(text):
    """What the processes of a launch get: arguments, and environment."""
    from accelerate.commands import launch
    from accelerate.utils.launch import prepare_multi_gpu_env

    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "accelerate.yaml")
        path.write_text(text)
        args = launch.launch_command_parser().parse_args(
            ["--config_file", str(path), "--main_process_ip", "localhost",
             "train.py"])
        args, _, _ = launch._validate_launch_command(args)
        return args, prepare_multi_gpu_env(args)


def check(name, words):
    document = support.answer("estimate", *support.framework(words, "fsdp2"))
    plan = document["estimate"]["plan"]
    text = support.export("accelerate", words)["accelerate.yaml"]
    args, env = environment(text)
    saved = dict(os.environ)
    os.environ.update(env)
    try:
        fsdp = accelerate.FullyShardedDataParallelPlugin()
        mesh = accelerate.parallelism_config.ParallelismConfig()
    finally:
        os.environ.clear()
        os.environ.update(saved)
    shard = plan["shard"] or plan["dp"] * plan["cp"]
    support.equal(f"{name}: processes", args.num_processes,
                  document["cluster"]["n_gpus"])
    support.equal(f"{name}: mesh", (
        mesh.dp_replicate_size, mesh.dp_shard_size, mesh.tp_size, mesh.cp_size
    ), (plan["dp"] * plan["cp"] // shard, shard // plan["cp"], plan["tp"],
        plan["cp"]))
    support.equal(f"{name}: FSDP", (
        fsdp.fsdp_version, fsdp.reshard_after_forward,
        fsdp.activation_checkpointing, args.mixed_precision
    ), (2, plan["zero"] == 3, plan["recompute"] == "full",
        document["job"]["dtype"]))


if accelerate:
    for case, words in CASES.items():
        support.check(case, check, case, words)
support.end()
