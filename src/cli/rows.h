/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rows.h - the rows of option tables that several commands share. */
#ifndef PLAN3D_CLI_ROWS_H
#define PLAN3D_CLI_ROWS_H

#include "base/util.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/question.h"
#include "spec/job_sizes.h"

#define CLI_TABLE(rows)            \
    {                              \
        (rows), P3D_COUNT_OF(rows) \
    }

/* clang-format off */
#define CLI_MODEL                                                              \
    {"MODEL", "name of 'plan3d list models', path of a Hugging Face "          \
     "config.json (- is standard input), or a size such as 70B", CLI_ONCE}
#define CLI_CLUSTER                                                            \
    {"CLUSTER", "GPUs x type (64xA800), nodes x GPUs x type (8x8xH100), or "   \
     "path of a cluster JSON", CLI_ONCE}

/* Every command has these. */
#define CLI_HELP_ROW                                                           \
    {.name = "color", .kind = CLI_WORD, .offset = CLI_AT(color, int),          \
     .value = "WHEN", .word = cli_color_word,                                  \
     .fallback = "auto: on a terminal, without NO_COLOR",                      \
     .doc = "colours in text: auto, always or never"},                         \
    {.name = "help", .letter = 'h', .kind = CLI_FLAG,                          \
     .offset = CLI_AT(help, _Bool), .doc = "print this help"}
#define CLI_JSON_ROW                                                           \
    {.name = "json", .kind = CLI_FLAG, .offset = CLI_AT(json, _Bool),          \
     .doc = "print one JSON document"}
#define CLI_FORMAT_ROW                                                         \
    {.name = "format", .kind = CLI_WORD, .offset = CLI_AT(format, int),        \
     .value = "WORD", .word = report_format_word, .fallback = "text",          \
     .doc = "text, json, csv, jsonl (the rows of csv, one JSON object a "      \
            "line) or md (Markdown)"}

/* The same where there are fewer: words from the first of report_format on. */
#define CLI_FORMATS_ROW(words, first, text)                                    \
    {.name = "format", .kind = CLI_WORD, .offset = CLI_AT(format, int),        \
     .value = "WORD", .word = words, .fallback = first, .doc = text}

#define CLI_PLAN_OR_BEST_ROW                                                   \
    {.name = "plan", .kind = CLI_TEXT, .offset = CLI_AT(plan, const char *),   \
     .value = "WORDS", .fallback = "the fastest that fits",                    \
     .doc = "the plan, such as tp=8,pp=2,recompute=full:4"}

#define CLI_PIN_ROW                                                            \
    {.name = "pin", .kind = CLI_TEXT, .offset = CLI_AT(pins, const char *),    \
     .value = "WORDS",                                                         \
     .doc = "only plans with these values, such as tp=8,zero=1"}

#define CLI_IDLE_ROW                                                           \
    {.name = "idle", .kind = CLI_COUNT, .is_job = true,                        \
     .offset = CLI_AT(max_idle_nodes, int64_t), .value = "N",                  \
     .fallback = "0", .min = 0, .max = P3D_MAX_GPUS,                           \
     .doc = "nodes that a plan may leave without work"}

/* How the training of --tokens is run; see p3d_operations. */
#define CLI_TRAINING_ROWS                                                      \
    {.name = "gpu-mtbf", .kind = CLI_SECONDS, .is_job = true,                  \
     .offset = CLI_AT(operations.gpu_mtbf_s, double), .value = "TIME",         \
     .fallback = "5.8y (50,700 h)", .min = P3D_MIN_GPU_MTBF_S,                 \
     .max = P3D_MAX_GPU_MTBF_S,                                                \
     .doc = "of one GPU and its share of all else, between failures that "     \
            "stop the training"},                                              \
    {.name = "restart", .kind = CLI_SECONDS, .is_job = true,                   \
     .offset = CLI_AT(operations.restart_s, double), .value = "TIME",          \
     .fallback = "10min", .min = P3D_MIN_RESTART_S, .max = P3D_MAX_RESTART_S,  \
     .doc = "from a failure until the checkpoint can be read"},                \
    {.name = "storage", .kind = CLI_RATE, .is_job = true,                      \
     .offset = CLI_AT(operations.storage_bytes_per_s, double),                 \
     .value = "RATE", .fallback = "122MB/s per GPU",                           \
     .min = P3D_MIN_STORAGE_BYTES_PER_S, .max = P3D_MAX_STORAGE_BYTES_PER_S,   \
     .doc = "of checkpoints, written or read by the whole job (2TB/s)"},       \
    {.name = "async-save", .kind = CLI_FLAG, .is_job = true,                   \
     .offset = CLI_AT(operations.async_save, _Bool),                           \
     .doc = "checkpoints go to host memory, and from there to the storage "    \
            "beside the steps"},                                               \
    {.name = "repair", .kind = CLI_SECONDS, .is_job = true,                    \
     .offset = CLI_AT(operations.repair_s, double), .value = "TIME",           \
     .fallback = "another node is always there", .min = P3D_MIN_REPAIR_S,      \
     .max = P3D_MAX_REPAIR_S,                                                  \
     .doc = "until a node that failed is back: print spare nodes (3d)"},       \
    {.name = "spares", .kind = CLI_COUNT, .is_job = true,                      \
     .offset = CLI_AT(n_spare_nodes, int64_t), .value = "N",                   \
     .fallback = "with --repair, those with the fewest node hours", .min = 0,  \
     .max = P3D_MAX_SPARE_NODES,                                               \
     .doc = "nodes beside those of the job, paid for and waiting"},            \
    {.name = "pue", .kind = CLI_NUMBER, .is_job = true,                        \
     .offset = CLI_AT(operations.pue, double), .value = "F",                   \
     .fallback = "1.2", .min = P3D_MIN_PUE, .max = P3D_MAX_PUE,                \
     .doc = "energy of the site over that of its computers"},                  \
    {.name = "purchase-price", .kind = CLI_NUMBER, .is_job = true,             \
     .offset = CLI_AT(operations.usd_per_gpu, double), .value = "USD",         \
     .min = P3D_MIN_USD, .max = P3D_MAX_USD_PER_GPU,                           \
     .doc = "price of a GPU bought, with its share of all else; with "         \
            "--amortize"},                                                     \
    {.name = "amortize", .kind = CLI_SECONDS, .is_job = true,                  \
     .offset = CLI_AT(operations.amortize_s, double), .value = "TIME",         \
     .min = P3D_MIN_AMORTIZE_S, .max = P3D_MAX_AMORTIZE_S,                     \
     .doc = "in which a purchase is paid back (4y)"},                          \
    {.name = "energy-price", .kind = CLI_NUMBER, .is_job = true,               \
     .offset = CLI_AT(operations.usd_per_kwh, double), .value = "USD",         \
     .min = P3D_MIN_USD, .max = P3D_MAX_USD_PER_KWH,                           \
     .doc = "price of a kWh: print cost"}

#define CLI_SIZE_ROWS                                                          \
    {.name = "seq", .kind = CLI_COUNT, .offset = CLI_AT(seq_len, int64_t),     \
     .value = "N", .fallback = "the model's, at most 8192", .is_job = true,    \
     .min = 1, .max = P3D_MAX_SEQ_LEN, .doc = "tokens per sequence"},          \
    {.name = "batch", .kind = CLI_COUNT,                                       \
     .offset = CLI_AT(global_batch, int64_t), .value = "N", .is_job = true,    \
     .fallback = "about 4 Mi tokens", .min = 1, .max = P3D_MAX_BATCH,          \
     .doc = "sequences per step, of the whole cluster"}

/* Of a job, whatever its size, framework and price. */
#define CLI_KIND_ROWS                                                          \
    {.name = "tokens", .kind = CLI_COUNT,                                      \
     .offset = CLI_AT(n_tokens, int64_t), .value = "N", .is_job = true,        \
     .min = 1, .max = P3D_MAX_TOKENS,                                          \
     .doc = "tokens of the whole training (2T): print days, energy and cost"}, \
    {.name = "dtype", .kind = CLI_WORD, .offset = CLI_AT(dtype, int),          \
     .value = "TYPE", .word = cli_dtype_word, .is_job = true,                  \
     .fallback = "bf16, or fp16 where the GPU has no bf16",                    \
     .doc = "data type of the products with weights: bf16, fp16, fp32, fp8"},  \
    {.name = "optimizer", .kind = CLI_WORD,                                    \
     .offset = CLI_AT(optimizer, int), .value = "NAME", .is_job = true,        \
     .word = report_optimizer_word, .fallback = "adam",                        \
     .doc = "adam (also AdamW), sgd (with momentum), adam-8bit, adafactor, "   \
            "lion or muon"},                                                   \
    {.name = "gradient-dtype", .kind = CLI_WORD, .is_job = true,               \
     .offset = CLI_AT(gradient_dtype, int), .value = "TYPE",                   \
     .word = cli_state_dtype_word, .fallback = "the framework's",              \
     .doc = "that gradients are added up in: fp32 or 16bit"},                  \
    {.name = "master-dtype", .kind = CLI_WORD, .is_job = true,                 \
     .offset = CLI_AT(master_dtype, int), .value = "TYPE",                     \
     .word = cli_state_dtype_word, .fallback = "the framework's",              \
     .doc = "of the weights that the optimizer updates: fp32, 16bit, or none " \
            "(16-bit weights and moments alone)"},                             \
    {.name = "moment-dtype", .kind = CLI_WORD, .is_job = true,                 \
     .offset = CLI_AT(moment_dtype, int), .value = "TYPE",                     \
     .word = cli_state_dtype_word, .fallback = "the optimizer's",              \
     .doc = "of the optimizer's moments: fp32, 16bit or 8bit"},                \
    {.name = "optimizer-in-backward", .kind = CLI_FLAG, .is_job = true,        \
     .offset = CLI_AT(optimizer_in_backward, _Bool),                           \
     .doc = "each gradient is used and freed as soon as it is there"},         \
    {.name = "attention", .kind = CLI_WORD,                                    \
     .offset = CLI_AT(attention, int), .value = "KIND", .is_job = true,        \
     .word = report_attention_word, .fallback = "flash",                       \
     .doc = "flash (the framework's kernel on the GPU), one by name "          \
            "(efficient, flash1, flash2, flash3, cudnn), or eager"},           \
    {.name = "cp-comm", .kind = CLI_WORD, .offset = CLI_AT(cp_comm, int),      \
     .value = "KIND", .is_job = true, .word = cli_cp_comm_word,                \
     .fallback = "p2p",                                                        \
     .doc = "context parallelism: p2p (a ring of keys and values) or a2a "     \
            "(heads against tokens)"},                                         \
    {.name = "tp-overlap", .kind = CLI_FLAG, .is_job = true,                   \
     .offset = CLI_AT(tp_overlap, _Bool),                                      \
     .doc = "tensor-parallel communication in pieces beside the products "     \
            "(user buffers)"},                                                 \
    {.name = "dispatcher", .kind = CLI_WORD, .is_job = true,                   \
     .offset = CLI_AT(dispatcher, int), .value = "KIND",                       \
     .word = cli_dispatcher_word, .fallback = "alltoall",                      \
     .doc = "tokens to experts: alltoall or allgather (NCCL), deepep or "      \
            "hybridep (each token over a link once)"},                         \
    {.name = "moe-overlap", .kind = CLI_FLAG, .is_job = true,                  \
     .offset = CLI_AT(expert_overlap, _Bool),                                  \
     .doc = "tokens travel beside the computation of another micro-batch"},    \
    {.name = "async", .kind = CLI_FLAG, .is_job = true,                        \
     .offset = CLI_AT(asynchronous, _Bool),                                    \
     .doc = "pipelines may update the weights one step late (schedule=2bw, "   \
            "framework generic)"},                                             \
    {.name = "cuda-graphs", .kind = CLI_WORD, .is_job = true,                  \
     .offset = CLI_AT(graphs, int), .value = "SET",                            \
     .word = p3d_graphs_word, .fallback = "none",                              \
     .doc = "launched without the host: none, layers (but routed experts) or " \
            "step"},                                                           \
    {.name = "loss", .kind = CLI_WORD, .offset = CLI_AT(loss, int),            \
     .value = "KIND", .is_job = true, .word = cli_loss_word,                   \
     .fallback = "the framework's",                                            \
     .doc = "cross entropy: vocab-parallel, native-fused, te-fused, eager, "   \
            "eager-kept, compiled, sharded-eager, sharded-in-place, "          \
            "vocab-parallel-copy, chunked, liger"},                            \
    {.name = "eager", .kind = CLI_FLAG, .is_job = true,                        \
     .offset = CLI_AT(eager, _Bool),                                           \
     .doc = "layers are not compiled, where the framework would"},             \
    {.name = "mtp", .kind = CLI_COUNT, .is_job = true,                         \
     .offset = CLI_AT(n_mtp_layers, int64_t), .value = "N", .fallback = "0",   \
     .min = 0, .max = P3D_MAX_MTP_LAYERS,                                      \
     .doc = "blocks of multi-token prediction that are trained"},              \
    {.name = "expert-load", .kind = CLI_NUMBER, .is_job = true,                \
     .offset = CLI_AT(expert_load, double), .value = "F", .fallback = "1",     \
     .min = 1, .max = P3D_MAX_EXPERT_LOAD,                                     \
     .doc = "tokens of the busiest rank's experts over the mean, or the "      \
            "capacity factor"},                                                \
    {.name = "dropout", .kind = CLI_FLAG, .is_job = true,                      \
     .offset = CLI_AT(dropout, _Bool), .doc = "dropout masks are kept"}

#define CLI_FRAMEWORK_ROW                                                      \
    {.name = "framework", .kind = CLI_TEXT, .is_job = true,                    \
     .offset = CLI_AT(framework, const char *), .value = "NAME",               \
     .fallback = "megatron-core",                                              \
     .doc = "training framework, see 'plan3d list frameworks'; any: the one "  \
            "whose best plan is the fastest"}

#define CLI_PLACE_ROWS                                                         \
    {.name = "fabric", .kind = CLI_TEXT, .is_job = true,                       \
     .offset = CLI_AT(fabric, const char *), .value = "NAME",                  \
     .fallback = "that of the node",                                           \
     .doc = "network between nodes, see 'plan3d list fabrics'"},               \
    {.name = "calibration", .kind = CLI_TEXT, .is_job = true,                  \
     .offset = CLI_AT(calibration, const char *), .value = "FILE",             \
     .fallback = "that of the GPU",                                            \
     .doc = "constants of the GPU: a file of 'plan3d calibrate', or a name "   \
            "of 'plan3d list calibrations'"},                                  \
    {.name = "reserve", .kind = CLI_BYTES, .is_job = true,                     \
     .offset = CLI_AT(reserve_bytes, int64_t), .value = "SIZE",                \
     .fallback = "the error of the memory estimate",                           \
     .max = P3D_MAX_RESERVE_BYTES,                                             \
     .doc = "memory to keep free on each GPU (2GiB, 0GiB)"}

#define CLI_PRICE_ROW                                                          \
    {.name = "price", .kind = CLI_NUMBER, .is_job = true,                      \
     .offset = CLI_AT(usd_per_gpu_h, double), .value = "USD",                  \
     .min = P3D_MIN_USD, .max = P3D_MAX_USD_PER_GPU_H,               \
     .doc = "price of one GPU and hour: print cost"}

#define CLI_JOB_ROWS                                                           \
    CLI_SIZE_ROWS,                                                             \
    CLI_KIND_ROWS,                                                             \
    CLI_FRAMEWORK_ROW,                                                         \
    CLI_PLACE_ROWS,                                                            \
    CLI_PRICE_ROW,                                                             \
    CLI_TRAINING_ROWS,                                                         \
    CLI_JSON_ROW,                                                              \
    CLI_HELP_ROW
/* clang-format on */

#endif
