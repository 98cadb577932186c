/* SPDX-License-Identifier: GPL-3.0-or-later */
/* corpus_row.h - a measured run and its conversion, for the tests. */
#ifndef PLAN3D_TEST_CORPUS_ROW_H
#define PLAN3D_TEST_CORPUS_ROW_H

#include "test.h"

#include <string.h>

#include "exchange/runs/corpus.h"

/** A LLaMA-like run that can be predicted; tests change it. */
static inline exchange_run a_row(void)
{
    return (exchange_run){.id = "r1",
            .source = "s",
            .framework = "Megatron-LM",
            .framework_version = "core r0.8.0",
            .gpu = "A800-SXM4-80GB",
            .interconnect = "",
            .model = "LLaMA",
            .sharding = "dist_opt",
            .recompute = "none",
            .schedule = "1f1b",
            .dtype = "bf16",
            .attention = "",
            .dispatcher = "",
            .cuda_graphs = "",
            .allocator = "",
            .reduce_dtype = "",
            .loss = "",
            .lora = "",
            .lengths = "",
            .layer_map = "",
            .offload = "",
            .stage = "",
            .memory_meter = "",
            .notes = "",
            .kind = "pretrain",
            .ref = "",
            .year = 2024,
            .n_gpus = 64,
            .gpus_per_node = 8,
            .hidden = 4096,
            .n_layers = 32,
            .n_heads = 32,
            .n_kv_heads = 8,
            .head_dim = EXCHANGE_NOT_STATED,
            .ffn = 11008,
            .gated_mlp = 1,
            .vocab = 32000,
            .tied_embeddings = 0,
            .n_experts = EXCHANGE_NOT_STATED,
            .top_k = EXCHANGE_NOT_STATED,
            .moe_ffn = EXCHANGE_NOT_STATED,
            .n_shared_experts = EXCHANGE_NOT_STATED,
            .n_dense_layers = EXCHANGE_NOT_STATED,
            .seq_len = 4096,
            .micro_batch = 2,
            .global_batch = 512,
            .tp = 4,
            .pp = 2,
            .vp = EXCHANGE_NOT_STATED,
            .cp = EXCHANGE_NOT_STATED,
            .ep = EXCHANGE_NOT_STATED,
            .etp = EXCHANGE_NOT_STATED,
            .dp = EXCHANGE_NOT_STATED,
            .sequence_parallel = 1,
            .compile = EXCHANGE_NOT_STATED,
            .measured_peak_bytes = EXCHANGE_NOT_STATED,
            .oom = 0,
            .usable_time = 1,
            .usable_memory = 0};
}

/** The case of a row, which must have one. */
static inline exchange_case convert(const exchange_run *row)
{
    exchange_hardware *const hardware = exchange_hardware_create(NULL);
    exchange_reason reason = {"", ""};
    exchange_case out;

    assert_non_null(hardware);
    if (!exchange_corpus_convert(row, hardware, &out, &reason))
        fail_msg("%s", reason.words);
    exchange_hardware_destroy(hardware);
    return out;
}

/** The row has none, and the reason says these words. */
static inline void check_refused(const exchange_run *row, const char *words)
{
    exchange_hardware *const hardware = exchange_hardware_create(NULL);
    exchange_reason reason = {"", ""};
    exchange_case out;

    assert_non_null(hardware);
    assert_false(exchange_corpus_convert(row, hardware, &out, &reason));
    if (strstr(reason.words, words) == NULL)
        fail_msg("'%s' does not say '%s'", reason.words, words);
    exchange_hardware_destroy(hardware);
}

#endif
