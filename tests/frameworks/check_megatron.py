# SPDX-License-Identifier: GPL-3.0-or-later
"""launch.sh, through Megatron-LM's own parser and validation, says what the
plan says."""
import megatron_lm
import support

CASES = {
    "dense": "70B 64xH100 --plan tp=8,pp=2,mbs=1,zero=1",
    "layout, offload":
        "70B 64xH100 --plan tp=4,pp=4,vp=7,mbs=1,zero=1,uneven,"
        "recompute=selective:layernorm,offload=optimizer:0.7",
    "interleaved, layers": "70B 64xA100 --plan tp=4,pp=4,vp=5,recompute=full:2",
    "ends": "70B 64xA100 --plan tp=4,pp=4,first=18,last=20,recompute=full",
    "context": "llama-3-8b 64xH100 --plan tp=2,cp=4,mbs=1 --seq 32768",
    "context, all to all":
        "llama-3-8b 64xH100 --plan cp=4,mbs=1 --seq 32768 --cp-comm a2a",
    "GPT, no sequence parallelism, zero 0":
        "gpt3-175b 128xA100 --plan tp=8,pp=16,mbs=1,zero=0,nosp --dropout",
    "FSDP": "70B 64xH100 --plan tp=1,zero=3,recompute=full",
    "hybrid shards": "70B 64xH100 --plan tp=8,zero=1,shard=4,recompute=full",
    "fp8": "70B 64xH100 --plan tp=8,pp=2,mbs=1 --dtype fp8 --tp-overlap",
    "fp16": "7B 16xA100 --plan tp=2,mbs=1 --dtype fp16",
    "mixture": "mixtral-8x7b 64xH100 --plan tp=2,pp=4,ep=8,mbs=1",
    "DeepSeek": "deepseek-v3 1024xH100 --plan tp=1,pp=16,ep=64,mbs=1,"
                "recompute=full --dispatcher deepep --mtp 1",
    "overlapped experts": "qwen3-30b-a3b 32xH100 --plan tp=1,pp=2,vp=4,ep=8,"
                          "mbs=1 --moe-overlap",
    "graphs": "llama-3-8b 8xH100 --plan tp=2,mbs=1 --cuda-graphs layers",
    "muon": "7B 16xH100 --plan tp=2,mbs=1 --optimizer muon",
}


def chunks(args):
    return args.virtual_pipeline_model_parallel_size or 1


def check(name, words):
    document = support.answer("estimate", *words.split())
    plan, job = document["estimate"]["plan"], document["job"]
    files = support.export("megatron", words)
    args = megatron_lm.parse(files, words.split()[1])
    support.equal(f"{name}: mesh", (
        args.tensor_model_parallel_size, args.pipeline_model_parallel_size,
        args.context_parallel_size, args.data_parallel_size,
        args.expert_model_parallel_size, chunks(args)
    ), tuple(plan[key] for key in ("tp", "pp", "cp", "dp", "ep", "vp")))
    support.equal(f"{name}: batch", (
        args.micro_batch_size, args.global_batch_size, args.seq_length
    ), (plan["micro_batch"], job["global_batch"], job["seq_len"]))
    support.equal(f"{name}: recomputation", args.recompute_granularity or
                  "none", plan["recompute"])


if megatron_lm.load():
    for case, words in CASES.items():
        support.check(case, check, case, words)
support.end()
