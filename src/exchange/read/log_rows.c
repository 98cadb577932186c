/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log_rows.c - the words by which logs of frameworks say how fast a run was and
 * what memory it took. */
#include "exchange/read/log_numbers.h"

#include <stddef.h>

#include "base/util.h"

/* Megatron-LM prints a step as
 *   iteration  3/  100 | ... | elapsed time per iteration (ms): 801.2 | ...
 * Source: NVIDIA/Megatron-LM@d98e8a64:megatron/training/training.py (3567-3641)
 * and megatron/training/utils/common_utils.py (report_memory); the gigabytes
 * are Megatron-Bridge's, of 1e9 bytes:
 * NVIDIA-NeMo/Megatron-Bridge@031e7de6:
 * src/megatron/bridge/training/utils/train_utils.py (report_memory). */
static const exchange_log_family megatron = {
        "Megatron-LM", "megatron-core", NULL};

/* NeMo's printer writes "name: value" between bars, Lightning's bar
 * "name=value" between commas. A bar's own rate is of micro-batches, where
 * gradients are accumulated, so it is not read.
 * Source: NVIDIA/NeMo@8cfedd72:nemo/utils/exp_manager.py (TimingCallback),
 * nemo/lightning/pytorch/callbacks/progress_printer.py (format_string),
 * nemo/lightning/pytorch/strategies/megatron_strategy.py (max_memory_reserved,
 * bytes). */
static const exchange_log_family nemo = {"NeMo", "megatron-core", NULL};

/* step:  3  loss: .. grad_norm: .. memory: 41.5GiB(52.4%)  tps: 7,512  ..
 * of one GPU: tokens of the rank over the ranks that share them. Validation
 * prints tps, too, without mfu. In 2024 tps was called wps.
 * Source: pytorch/torchtitan@b5bcd76c:torchtitan/components/metrics.py
 * (MetricsProcessor.log, log_validation). */
static const exchange_log_family torchtitan = {"torchtitan", "fsdp2", NULL};

/* Numbers have three digits and a letter for thousands.
 * Source: huggingface/nanotron@2411b022:src/nanotron/trainer.py (772-785,
 * 925-931), src/nanotron/logging/base.py (human_format, log_memory); before
 * 2025 the time was called elapsed_time_per_iteration_ms. */
static const exchange_log_family nanotron = {"nanotron", "nanotron", NULL};

/* Its gigabytes are of 1024^3 bytes; samples are of the whole batch.
 * Source: deepspeedai/DeepSpeed@edaa7221:deepspeed/utils/timer.py
 * (ThroughputTimer.stop, SynchronizedWallClockTimer.memory_usage),
 * deepspeed/runtime/engine.py (3534: the timers of a whole step),
 * deepspeed/runtime/pipe/engine.py (404-408), deepspeed/runtime/utils.py
 * (see_memory_usage). */
static const exchange_log_family deepspeed = {"DeepSpeed", "deepspeed", NULL};

/* Bars of tqdm, and a summary at the end, which is of the whole run and rounded
 * to three decimals. A log does not say which of its backends ran.
 * Source: huggingface/transformers@007360d6:src/transformers/trainer_utils.py
 * (speed_metrics); tqdm/tqdm: tqdm/std.py (format_meter: "s/it" where one takes
 * longer than a second, else "it/s"). */
static const exchange_log_family trainer = {
        "Hugging Face Trainer", NULL, "deepspeed-hf, fsdp2-hf or ddp-hf"};

/* Its bar counts micro-batches: log_lightning.c. */
static const exchange_log_family lightning = {
        "Lightning", NULL, "fsdp1, fsdp2, ddp or deepspeed"};

#define MIB 1048576.0
#define GIB 1073741824.0
/* 0.0005, half of the last of three decimals, is 5 % of it. */
#define THREE_DECIMALS 0.01

#define ROW(family, word, mark, quantity, shape, unit)        \
    {                                                         \
        &(family), word, NULL, mark, EXCHANGE_LOG_##quantity, \
                EXCHANGE_LOG_##shape, unit, 0                 \
    }
/* clang-format off */
const exchange_log_row exchange_log_rows[] = {
    /* Speeds, the one that says most of a step first. */
    ROW(megatron, "elapsed time per iteration (ms)", "", STEP, BEHIND, 1e-3),
    ROW(nemo, "train_step_timing in s", "", STEP, BEHIND, 1),
    ROW(nanotron, "time_per_iteration_ms", "", STEP, HUMAN, 1e-3),
    ROW(nanotron, "elapsed_time_per_iteration_ms", "", STEP, HUMAN, 1e-3),
    ROW(nanotron, "tokens_per_sec", "iteration", TOKENS_PER_S, HUMAN, 1),
    ROW(torchtitan, "tps", "mfu:", TOKENS_PER_S_GPU, BEHIND, 1),
    ROW(torchtitan, "wps", "mfu:", TOKENS_PER_S_GPU, BEHIND, 1),
    ROW(deepspeed, "iter time (s)", "", STEP, BEHIND, 1),
    ROW(deepspeed, "samples/sec", "iter time (s)", SAMPLES_PER_S, BEHIND, 1),
    ROW(deepspeed, "CurrSamplesPerSec", "", SAMPLES_PER_S, BEHIND, 1),
    ROW(deepspeed, "SamplesPerSec", "", SAMPLES_PER_S, BEHIND, 1),
    {&deepspeed, "fwd", "bwd+step", "time (ms) |", EXCHANGE_LOG_STEP,
        EXCHANGE_LOG_SUM, 1e-3, 0},
    ROW(trainer, "s/it", "", STEP, BAR, 1),
    ROW(trainer, "it/s", "", STEPS_PER_S, BAR, 1),
    {&trainer, "train_samples_per_second", NULL, "",
        EXCHANGE_LOG_SAMPLES_PER_S, EXCHANGE_LOG_WHOLE, 1, THREE_DECIMALS},
    {&trainer, "train_steps_per_second", NULL, "",
        EXCHANGE_LOG_STEPS_PER_S, EXCHANGE_LOG_WHOLE, 1, THREE_DECIMALS},
    ROW(lightning, "train/time", "", MICRO_BATCH, ROWS, 1),
    ROW(lightning, "Epoch", "", MICRO_BATCH, COUNTED, 1),

    ROW(megatron, "iteration", "", NUMBER, BEHIND, 1),
    ROW(nemo, "global_step", "", NUMBER, BEHIND, 1),
    ROW(nanotron, "iteration", "", NUMBER, BEHIND, 1),
    ROW(torchtitan, "step", "mfu:", NUMBER, BEHIND, 1),
    ROW(deepspeed, "global_step", "", NUMBER, BEHIND, 1),
    ROW(deepspeed, "steps", "iter time (s)", NUMBER, BEHIND, 1),

    ROW(megatron, "global batch size", "", BATCH, BEHIND, 1),
    ROW(nemo, "global_batch_size", "", BATCH, BEHIND, 1),
    ROW(nanotron, "global_batch_size", "", BATCH_TOKENS, HUMAN, 1),
    ROW(lightning, "accumulate_grad_batches", "", MICRO_BATCHES, BEHIND, 1),

    ROW(megatron, "max allocated", "(MB)", ALLOCATED, BEHIND, MIB),
    ROW(megatron, "max reserved", "(MB)", RESERVED, BEHIND, MIB),
    ROW(megatron, "mem-max-allocated-bytes", "", ALLOCATED, BEHIND, 1),
    ROW(megatron, "mem-max-reserved-bytes", "", RESERVED, BEHIND, 1),
    ROW(megatron, "mem-reserved-bytes", "", RESERVED, BEHIND, 1),
    ROW(megatron, "mem-max-allocated-gigabytes", "", ALLOCATED, BEHIND, 1e9),
    ROW(megatron, "mem-max-reserved-gigabytes", "", RESERVED, BEHIND, 1e9),
    ROW(nemo, "max_memory_allocated", "", ALLOCATED, BEHIND, 1),
    ROW(nemo, "max_memory_reserved", "", RESERVED, BEHIND, 1),
    ROW(nanotron, "Peak allocated", "MiB", ALLOCATED, BEHIND, MIB),
    ROW(nanotron, "Peak reserved", "MiB", RESERVED, BEHIND, MIB),
    ROW(nanotron, "cuda_max_memory_reserved", "", RESERVED, HUMAN, 1),
    ROW(torchtitan, "memory", "mfu:", RESERVED, BEHIND, GIB),
    ROW(deepspeed, "MaxMemAllocated", "", ALLOCATED, BEHIND, GIB),
    ROW(deepspeed, "max_mem_allocated", "", ALLOCATED, BEHIND, GIB),
    ROW(deepspeed, "max_cache_allocated", "", RESERVED, BEHIND, GIB),
    ROW(deepspeed, "Max_MA", "", ALLOCATED, BEHIND, GIB),
    ROW(deepspeed, "Max_CA", "", RESERVED, BEHIND, GIB),
};
/* clang-format on */
_Static_assert(P3D_COUNT_OF(exchange_log_rows) <= EXCHANGE_MOST_LOG_ROWS,
        "more rows than a reader has room for");

const int exchange_n_log_rows = P3D_COUNT_OF(exchange_log_rows);
