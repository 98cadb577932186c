#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Train whole models of Hugging Face on one GPU, and write what it took.

Models of models/ as transformers builds them, random weights and tokens, bf16
by autocast with fp32 weights, states and gradients, AdamW fused, gradients
clipped, nothing compiled: what a fine-tuning script without a framework does.
Written are step time and peak memory in the columns of tests/accuracy/runs.csv
and memory.csv, which `plan3d backtest` reads.

Needs PyTorch, transformers and one CUDA device; --list needs neither.
"""
import json
import os
import statistics
import time

import train_layers as layers

MODELS = os.path.join(os.path.dirname(__file__), "..", "..", "models")
N_WARM_UP, N_STEPS = 3, 10

# Model, tokens, sequences of a micro-batch and of a step, recomputation.
CASES = [
    ("llama-3.2-1b", 2048, 4, 4, "none"), ("llama-3.2-1b", 4096, 4, 4, "full"),
    ("qwen2.5-0.5b", 2048, 8, 8, "none"), ("qwen2.5-1.5b", 4096, 2, 4, "full"),
    ("llama-3.2-3b", 4096, 1, 1, "full"), ("qwen3-1.7b", 8192, 1, 1, "full"),
]


def config_of(name):
    with open(os.path.join(MODELS, name + ".json"), encoding="utf-8") as file:
        config = json.load(file)
    del config["plan3d"]
    return config


def row_of(case, gpu, version):
    """A row of the corpus without its measurements."""
    name, seq_len, micro_batch, global_batch, recompute = case
    config = config_of(name)
    n_heads = config["num_attention_heads"]
    return dict(
        source="train-models", year=layers.this_year(),
        id=layers.name_of(case), framework="Hugging Face Transformers",
        framework_version=version, gpu=gpu, n_gpus=1, gpus_per_node=1,
        model=name, hidden=config["hidden_size"],
        n_layers=config["num_hidden_layers"], n_heads=n_heads,
        n_kv_heads=config["num_key_value_heads"],
        head_dim=config.get("head_dim", config["hidden_size"] // n_heads),
        ffn=config["intermediate_size"], gated_mlp=1,
        vocab=config["vocab_size"],
        tied_embeddings=int(config["tie_word_embeddings"]), seq_len=seq_len,
        micro_batch=micro_batch, global_batch=global_batch, tp=1, pp=1, vp=1,
        cp=1, ep=1, dp=1, sequence_parallel=0, sharding="ddp",
        recompute=recompute, schedule="1f1b", dtype="bf16", attention="flash",
        compile=0, stage="one_rank", reliability="A", usable_time=1,
        usable_memory=1, kind="pretrain",
        ref="tests/hardware/train_models.py")


def make_model(torch, case):
    from transformers import AutoConfig, AutoModelForCausalLM
    config = config_of(case[0])
    kind = config.pop("model_type")
    config = AutoConfig.for_model(kind, **config, use_cache=False)
    with torch.device("cuda"):
        model = AutoModelForCausalLM.from_config(
            config, dtype=torch.float32, attn_implementation="sdpa")
    model.train()
    if case[4] == "full":
        model.gradient_checkpointing_enable(
            gradient_checkpointing_kwargs={"use_reentrant": False})
    return model


def train(torch, case, args):
    """Median seconds of a step, bytes allocated and reserved."""
    _, seq_len, micro_batch, global_batch, _ = case
    layers.forget_last(torch)
    torch.manual_seed(0)
    model = make_model(torch, case)
    adam = torch.optim.AdamW(model.parameters(), lr=1e-5, fused=True)
    tokens = torch.randint(32000, (global_batch, seq_len), device="cuda")

    def step():
        for part in tokens.split(micro_batch):
            with torch.autocast("cuda", dtype=torch.bfloat16):
                loss = model(input_ids=part, labels=part).loss
            (loss * len(part) / global_batch).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
        adam.zero_grad()
        torch.cuda.synchronize()

    times = []
    for i in range(N_WARM_UP + N_STEPS):
        if i == N_WARM_UP:
            torch.cuda.reset_peak_memory_stats()
        begin = time.perf_counter()
        step()
        times.append(time.perf_counter() - begin)
    measured = (statistics.median(times[N_WARM_UP:]),
                torch.cuda.max_memory_allocated(),
                torch.cuda.max_memory_reserved())
    if args.traces:
        layers.trace(torch, step, layers.trace_of(case, args.traces))
    return measured


def main():
    args, cases = layers.arguments(__doc__, CASES)
    if args.list:
        return layers.print_rows(row_of, cases, args)
    import torch
    layers.find_gpu(torch, args)
    layers.measure(torch, cases, args, row_of, train)
    return None


if __name__ == "__main__":
    main()
