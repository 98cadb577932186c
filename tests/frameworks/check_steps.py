# SPDX-License-Identifier: GPL-3.0-or-later
"""One real step of a tiny model on two processes of a CPU (Gloo; of JAX two
devices of one process), from the files as they are exported."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import support

HERE = pathlib.Path(__file__).resolve().parent
TINY = {"architectures": ["LlamaForCausalLM"], "model_type": "llama",
        "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2,
        "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 256,
        "max_position_embeddings": 128, "rms_norm_eps": 1e-5,
        "tie_word_embeddings": False, "hidden_act": "silu"}
TRAINER = ("--use_cpu --max_steps 1 --report_to none --save_strategy no "
           "--disable_tqdm true --output_dir out")
# Target, what it is imported as, script, arguments, its last line.
CASES = [
    ("accelerate", "accelerate", "step_trainer.py", TRAINER,
     "step 1 FSDPLlamaForCausalLM"),
    ("hf-fsdp", "accelerate", "step_trainer.py", TRAINER,
     "step 1 FSDPLlamaForCausalLM"),
    ("hf-deepspeed", "deepspeed", "step_trainer.py", TRAINER,
     "step 1 DeepSpeedEngine"),
    ("lightning", "lightning.pytorch", "step_lightning.py", "",
     "step 1 ModelParallelStrategy"),
    ("lightning-ddp", "lightning.pytorch", "step_lightning.py", "",
     "step 1 DDPStrategy"),
    ("jax", "jax", "step_jax.py", "", "step 1 2 devices"),
]
# DeepSpeed builds its kernels the first time.
LONGEST_S = 400


def run(folder, script, arguments):
    """What the launch script of a folder prints."""
    done = subprocess.run(
        ["bash", str(folder / "launch.sh"), *arguments.split()],
        capture_output=True, text=True, check=False, cwd=folder,
        timeout=LONGEST_S, env={
            **os.environ, "TRAIN": str(HERE / script), "DATA_PATH": "none",
            "HF_MODEL": str(folder / "model"), "OMP_NUM_THREADS": "1",
            "JAX_PLATFORMS": "cpu", "CUDA_VISIBLE_DEVICES": "",
            "XLA_FLAGS": "--xla_force_host_platform_device_count=2",
            "PATH": f"{pathlib.Path(sys.executable).parent}:"
                    f"{os.environ['PATH']}"})
    if done.returncode != 0:
        raise RuntimeError(cause(done.stderr))
    return done.stdout.splitlines()


def cause(text):
    """The line of an output that names its error."""
    named = [line for line in text.splitlines()
             if "Error" in line and "ChildFailed" not in line]
    return (named or text.splitlines() or ["no word"])[-1].strip()


def check(target, script, arguments, last):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "model").mkdir()
        config = folder / "model" / "config.json"
        config.write_text(json.dumps(TINY))
        files = support.export(
            target, f"{config} 2xH100 --seq 32 --batch 4 --plan mbs=1")
        for file, text in files.items():
            (folder / file).write_text(text)
        lines = run(folder, script, arguments)
        support.equal(f"a step of {target}", next(
            (line for line in lines if line.startswith("step")), ""), last)


for target, module, script, arguments, last in CASES:
    if support.need(module, f"a step of {target}"):
        support.check(f"a step of {target}", check, target, script, arguments,
                      last)
support.skipped("a step of torchtitan", "its trainer asks the NVIDIA driver "
                "for a device where there is no GPU, and has no CPU")
support.end()
