/* SPDX-License-Identifier: GPL-3.0-or-later */
/* corpus_frameworks.c - which profile a published run is predicted by. */
#include <string.h>

#include "exchange/runs/corpus.h"

enum { NEVER = 9999, ALWAYS = 0 };

/* Words in the columns framework and framework_version, the first row that has
 * both, and what it is.
 *
 * Megatron-LM has had flash attention since 2023 and Transformer Engine uses it
 * by itself; Megatron-DeepSpeed only when asked to (--use-flash-attn-v2). The
 * fork of the zero-bubble paper did not then: the first script of
 * sail-sg/zero-bubble-pipeline-parallelism, examples/pretrain_zero_bubble.sh,
 * has no --use-flash-attn, and its published peaks hold the scores. */
/* clang-format off */
static const struct row {
    const char *framework;
    const char *version;
    const char *note; /* in the column notes */
    exchange_framework is;
    int before; /* runs of earlier years only; 0 = of all */
} frameworks[] = {
    {"Megatron-DeepSpeed (Sailor)", "", "", {"sailor", false, NEVER}, 0},
    {"Megatron-DeepSpeed",   "", "", {"deepspeed", false, NEVER}, 0},
    {"DeepSpeed+Megatron",   "", "", {"deepspeed", false, NEVER}, 0},
    {"DeepSpeed ZeRO-3 in Megatron", "", "", {"deepspeed", false, NEVER}, 0},
    {"Hugging Face Transformers", "", "", {"ddp-hf", false, ALWAYS}, 0},
    {"Hugging Face",         "", "", {"deepspeed-hf", false, ALWAYS}, 0},
    {"HF Transformers",      "", "", {"deepspeed-hf", false, ALWAYS}, 0},
    {"DeepSpeed",            "", "", {"deepspeed", false, ALWAYS}, 0},
    {"LLM-Foundry",          "", "", {"llm-foundry", false, ALWAYS}, 0},
    {"FSDP1 (fms-fsdp)",     "", "", {"fsdp1-compiled", false, ALWAYS}, 0},
    {"FSDP1",                "", "", {"fsdp1", false, ALWAYS}, 0},
    {"MaxText on TPU",       "", "", {"maxtext", false, ALWAYS}, 0},
    {"MaxText",              "", "", {"fsdp2", true, ALWAYS}, 0},
    {"torchtune",            "", "", {"torchtune", false, ALWAYS}, 0},
    /* torchtitan compiles its loss since torchtitan@bbb1b616 (2025-04). */
    {"torchtitan",           "torch 2.7", "", {"fsdp2-2024", false, ALWAYS}, 0},
    {"torchtitan",           "", "", {"fsdp2-2024", false, ALWAYS}, 2025},
    {"torchtitan",           "", "", {"fsdp2", false, ALWAYS}, 0},
    {"FSDP",                 "", "", {"fsdp2", true, ALWAYS}, 0},
    {"nanotron",             "", "", {"nanotron-2024", false, ALWAYS}, 2025},
    {"nanotron",             "", "", {"nanotron", false, ALWAYS}, 0},
    {"InternEvo",            "", "", {"internevo", false, ALWAYS}, 0},
    {"AA-Scaling", "", "RMS kernel", {"aleph-alpha-rms", false, NEVER}, 0},
    {"AA-Scaling", "", "kernel \"fused\"",
        {"aleph-alpha-fused", false, NEVER}, 0},
    {"AA-Scaling",           "", "", {"aleph-alpha", false, NEVER}, 0},
    {"PaddleNLP", "", "RMSNorm not fused",
        {"paddlenlp-plain", false, ALWAYS}, 0},
    {"PaddleNLP",            "", "", {"paddlenlp", false, ALWAYS}, 0},
    /* As litgpt is read by import. */
    {"LitGPT",               "", "", {"ddp", true, ALWAYS}, 0},
    {"llm.c",                "", "", {"megatron-core", true, ALWAYS}, 0},
    {"sail-sg",              "", "", {"megatron-zero-bubble", false, NEVER}, 0},
    {"Megatron-Kwai",        "", "", {"megatron-kwai", false, ALWAYS}, 0},
    {"Megatron", "", "transformer-impl=local",
        {"megatron-local", false, NEVER}, 0},
    /* NeMo calls Transformer Engine since 2023: mlcommons/training_results_v3.1
     * NVIDIA/benchmarks/gpt3/implementations/pytorch/conf/custom.yaml:100. */
    {"NeMo/Megatron-Core",   "", "", {"megatron-core", false, 2023}, 0},
    {"MindSpeed", "", "not fused", {"mindspeed-plain", false, 2023}, 0},
    {"MindSpeed",            "", "", {"mindspeed", false, 2023}, 0},
    /* Transformer Engine became Megatron-LM's default in 2024. */
    {"Megatron",             "", "", {"megatron-2021", false, 2023}, 2022},
    {"Megatron",             "", "", {"megatron-2023", false, 2023}, 2024},
    {"FlagScale",            "", "", {"megatron-2023", false, 2023}, 2025},
    {"Megatron",             "", "", {"megatron-core", false, 2023}, 0},
    {"",                     "", "", {"generic", true, 2023}, 0},
};

/* clang-format on */

const exchange_framework *exchange_framework_of(const exchange_run *row)
{
    const struct row *f = frameworks;

    while (strstr(row->framework, f->framework) == NULL ||
            strstr(row->framework_version, f->version) == NULL ||
            strstr(row->notes, f->note) == NULL ||
            (f->before > 0 && row->year >= f->before))
        f++;
    return &f->is;
}
