/* SPDX-License-Identifier: GPL-3.0-or-later */
/* option_rows.h - the rows of option tables that several commands share. */
#ifndef PLAN3D_CLI_OPTION_ROWS_H
#define PLAN3D_CLI_OPTION_ROWS_H

#include "base/tasks.h"
#include "base/util.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/question.h"
#include "spec/sizes.h"
#include "spec/tiers.h"
#include "spec/words.h"

#define CLI_TABLE(rows)            \
    {                              \
        (rows), P3D_COUNT_OF(rows) \
    }

/* clang-format off */
#define CLI_MODEL                                                              \
    {"MODEL", "name of 'plan3d list models' or of Hugging Face "               \
     "(Qwen/Qwen2.5-7B), path of a config.json (- is standard input), or a "   \
     "size such as 70B", CLI_ONCE}
#define CLI_CLUSTER                                                            \
    {"CLUSTER", "GPUs x type (64xA800), nodes x GPUs x type (8x8xH100), "      \
     "machines x name (8xp5.48xlarge), or path of a cluster JSON (FILE:POOL: " \
     "one pool of it)", CLI_ONCE}

/* Every command has these. */
#define CLI_HELP_ROW                                                           \
    {JSON_OPTION("color", "colours in text: auto, always or never"),           \
     CLI_WORD_AT(color, "WHEN", cli_color_word),                               \
     .fallback = "auto: on a terminal, without NO_COLOR"},                     \
    {JSON_OPTION("lang", "language of text, Markdown and pages: en or zh"),    \
     CLI_WORD_AT(lang, "WORD", cli_lang_word),                                 \
     .fallback = "that of PLAN3D_LANG, or of a question in words, or en"},     \
    {JSON_OPTION("help", "print this help"), .letter = 'h', CLI_FLAG_AT(help)}
#define CLI_JSON_ROW                                                           \
    {JSON_OPTION("json", "print one JSON document"), CLI_FLAG_AT(json)}
/* What takes long shares its work among threads. */
#define CLI_JOBS_ROW                                                           \
    {JSON_OPTION("jobs",                                                       \
         "threads that search beside each other; the answer is the same for "  \
         "any number"), .letter = 'j',                                         \
     CLI_COUNT_AT(n_jobs, "N", 1, P3D_MAX_THREADS),                            \
     .fallback = "one for each processor"}
#define CLI_FORMAT_ROW                                                         \
    {JSON_OPTION("format",                                                     \
         "text, json, csv, jsonl (the rows of csv, one JSON object a line) "   \
         "or md (Markdown)"), CLI_WORD_AT(format, "WORD", report_format_word), \
     .fallback = "text"}

/* The same where there are fewer: words from the first of report_format on. */
#define CLI_FORMATS_ROW(words, first, text)                                    \
    {JSON_OPTION("format", text), CLI_WORD_AT(format, "WORD", words),          \
     .fallback = first}

#define CLI_PLAN_OR_BEST_ROW                                                   \
    {JSON_OPTION("plan", "the plan, such as tp=8,pp=2,recompute=full:4"),      \
     CLI_TEXT_AT(plan, "WORDS"), .fallback = "the recommended plan"}

/* A file that a command writes. */
#define CLI_FILE_ROWS(usual, text, forced)                                     \
    {JSON_OPTION("out", text), .letter = 'o', CLI_TEXT_AT(out, "FILE"),        \
     .fallback = usual},                                                       \
    {JSON_OPTION("force", forced), CLI_FLAG_AT(force)}

#define CLI_PIN_ROW                                                            \
    {JSON_OPTION("pin", "only plans with these values, such as tp=8,zero=1"),  \
     CLI_TEXT_AT(pins, "WORDS"), .is_choice = true}

#define CLI_IDLE_ROW                                                           \
    {JSON_OPTION("idle", "nodes that a plan may leave unused"),                \
     CLI_COUNT_AT(max_idle_nodes, "N", 0, P3D_MAX_GPUS), .is_job = true,       \
     .is_choice = true, .fallback = "0"}

/* How the training of --tokens is run; see p3d_operations. */
#define CLI_TRAINING_ROWS                                                      \
    {JSON_OPTION("gpu-mtbf",                                                   \
         "of one GPU and its share of all else, between failures that stop "   \
         "the training"),                                                      \
     CLI_SECONDS_AT(job.operations.gpu_mtbf_s, "TIME", P3D_MIN_GPU_MTBF_S,     \
         P3D_MAX_GPU_MTBF_S), .is_job = true, .fallback = "5.8y (50,700 h)"},  \
    {JSON_OPTION("restart",                                                    \
         "from a failure until the checkpoint can be read"),                   \
     CLI_SECONDS_AT(job.operations.restart_s, "TIME", P3D_MIN_RESTART_S,       \
         P3D_MAX_RESTART_S), .is_job = true, .fallback = "10min"},             \
    {JSON_OPTION("storage",                                                    \
         "of checkpoints, written or read by the whole job (2TB/s)"),          \
     CLI_RATE_AT(job.operations.storage_bytes_per_s, "RATE",                   \
         P3D_MIN_STORAGE_BYTES_PER_S, P3D_MAX_STORAGE_BYTES_PER_S),            \
     .is_job = true, .fallback = "122MB/s per GPU"},                           \
    {JSON_OPTION("async-save",                                                 \
         "checkpoints go to host memory, and from there to the storage "       \
         "beside the steps"), CLI_FLAG_AT(job.operations.async_save),          \
     .is_job = true},                                                          \
    {JSON_OPTION("repair",                                                     \
         "until a node that failed is back: print spare nodes (3d)"),          \
     CLI_SECONDS_AT(job.operations.repair_s, "TIME", P3D_MIN_REPAIR_S,         \
         P3D_MAX_REPAIR_S), .is_job = true,                                    \
     .fallback = "another node is always there"},                              \
    {JSON_OPTION("spares",                                                     \
         "nodes beside those of the job, paid for and waiting"),               \
     CLI_COUNT_AT(n_spare_nodes, "N", 0, P3D_MAX_SPARE_NODES), .is_job = true, \
     .fallback = "with --repair, those with the fewest node hours"},           \
    {JSON_OPTION("preempted",                                                  \
         "mean time between the times that the whole cluster is taken away "   \
         "(spot)"),                                                            \
     CLI_SECONDS_AT(job.operations.preempted_every_s, "TIME",                  \
         P3D_MIN_PREEMPTED_EVERY_S, P3D_MAX_PREEMPTED_EVERY_S),                \
     .is_job = true, .fallback = "never"},                                     \
    {JSON_OPTION("away", "with --preempted: until it is back"),                \
     CLI_SECONDS_AT(job.operations.away_s, "TIME", P3D_MIN_AWAY_S,             \
         P3D_MAX_AWAY_S), .is_job = true, .fallback = "it is back at once"},   \
    {JSON_OPTION("notice",                                                     \
         "with --preempted: of that, before; saves all work where it is long " \
         "enough (2min)"),                                                     \
     CLI_SECONDS_AT(job.operations.notice_s, "TIME", P3D_MIN_NOTICE_S,         \
         P3D_MAX_NOTICE_S), .is_job = true, .fallback = "none"},               \
    {JSON_OPTION("pue", "energy of the site over that of its computers"),      \
     CLI_NUMBER_AT(job.operations.pue, "F", P3D_MIN_PUE, P3D_MAX_PUE),         \
     .is_job = true, .fallback = "1.2"},                                       \
    {JSON_OPTION("purchase-price",                                             \
         "price of a GPU bought, with its share of all else; with "            \
         "--amortize"),                                                        \
     CLI_NUMBER_AT(job.operations.usd_per_gpu, "USD", P3D_MIN_USD,             \
         P3D_MAX_USD_PER_GPU), .is_job = true},                                \
    {JSON_OPTION("amortize", "in which a purchase is paid back (4y)"),         \
     CLI_SECONDS_AT(job.operations.amortize_s, "TIME", P3D_MIN_AMORTIZE_S,     \
         P3D_MAX_AMORTIZE_S), .is_job = true},                                 \
    {JSON_OPTION("energy-price", "price of a kWh: print cost"),                \
     CLI_NUMBER_AT(job.operations.usd_per_kwh, "USD", P3D_MIN_USD,             \
         P3D_MAX_USD_PER_KWH), .is_job = true}

#define CLI_SIZE_ROWS                                                          \
    {JSON_OPTION("seq", "tokens per sequence; 32K is 32768"),                  \
     CLI_LENGTH_AT(seq_len, "N", 1, P3D_MAX_SEQ_LEN), .is_job = true,          \
     .fallback = "as it was trained, or 8192"},                                \
    {JSON_OPTION("batch", "global batch size: sequences per step"),            \
     CLI_COUNT_AT(job.global_batch, "N", 1, P3D_MAX_BATCH), .is_job = true,    \
     .fallback = "as it was trained, or 4 Mi tokens"}

/* Of a job, whatever its size, framework and price. */
#define CLI_KIND_ROWS                                                          \
    {JSON_OPTION("tokens",                                                     \
         "tokens of the whole training (2T): print days, energy and cost"),    \
     CLI_COUNT_AT(n_tokens, "N", 1, P3D_MAX_TOKENS), .is_job = true},          \
    {JSON_OPTION("dtype",                                                      \
         "data type of the products with weights: bf16, fp16, fp32, fp8 or "   \
         "nvfp4"), CLI_WORD_AT(dtype, "TYPE", spec_dtype_word),                \
     .is_job = true, .fallback = "bf16, or fp16 where the GPU has no bf16"},   \
    {JSON_OPTION("fp8-copies",                                                 \
         "fp8 beside weights in 16 bit, where a framework could keep them in " \
         "fp8 alone"), CLI_FLAG_AT(job.fp8_copies), .is_job = true},           \
    {JSON_OPTION("fp8-recipe",                                                 \
         "scales of fp8: delayed, current (one a tensor), blockwise, rowwise " \
         "or mxfp8"),                                                          \
     CLI_NAME_AT(job.fp8_recipe, "NAME", spec_fp8_recipe_word),                \
     .is_job = true, .fallback = "the framework's"},                           \
    {JSON_OPTION("fp8-blocks",                                                 \
         "the recipe with scales for blocks that the GPU has: mxfp8, or "      \
         "blockwise"), CLI_FLAG_AT(fp8_blocks), .is_job = true},               \
    {JSON_OPTION("optimizer",                                                  \
         "adam (also AdamW), sgd (with momentum), adam-8bit, adafactor, lion " \
         "or muon"), CLI_WORD_AT(optimizer, "NAME", spec_optimizer_word),      \
     .is_job = true, .fallback = "adam"},                                      \
    {JSON_OPTION("lora",                                                       \
         "train adapters of this rank beside frozen weights: r=16, with "      \
         "targets=q+v (all-linear), base=nf4 (QLoRA, also 8bit), dora, "       \
         "dropout=0.05, train=head (parts that are trained in full)"),         \
     CLI_READ_AT(job.adapters, "WORDS", cli_read_adapters), .is_job = true},   \
    {JSON_OPTION("freeze",                                                     \
         "parts that are not trained: some of embeddings, attention, mlp, "    \
         "experts, router, norms, head, vision, audio, projector"),            \
     CLI_READ_AT(job.frozen, "PARTS", cli_read_parts), .is_job = true},        \
    {JSON_OPTION("reference",                                                  \
         "preference training: of pairs of sequences, self (DPO: the model "   \
         "as it was runs forward in each step), precomputed or pairs (no "     \
         "reference); of single ones, kto"),                                   \
     CLI_NAME_AT(job.companion.reference, "WORD", spec_reference_word),        \
     .is_job = true, .fallback = "none"},                                      \
    {JSON_OPTION("teacher",                                                    \
         "distillation: a frozen model whose logits are learned from, said "   \
         "as MODEL is"),                                                       \
     CLI_READ_AT(job.companion.teacher, "MODEL", cli_read_teacher),            \
     .is_job = true},                                                          \
    {JSON_OPTION("lengths",                                                    \
         "tokens of the texts in sequences: mean and standard deviation "      \
         "(700,450), or a file with a length on each line"),                   \
     CLI_TEXT_AT(lengths, "WORDS"), .is_job = true,                            \
     .fallback = "each sequence is one text"},                                 \
    {JSON_OPTION("filling",                                                    \
         "with --lengths: packed (several texts in a sequence) or padded "     \
         "(one in each)"),                                                     \
     CLI_NAME_AT(job.lengths.filling, "WORD", spec_filling_word),              \
     .is_job = true, .fallback = "packed"},                                    \
    {JSON_OPTION("images", "images, or clips of sound, in each sequence"),     \
     CLI_COUNT_AT(n_images, "N", 0, P3D_MAX_SEQ_LEN), .is_job = true,          \
     .fallback = "1 where the model has a tower"},                             \
    {JSON_OPTION("image-tokens", "tokens that one image becomes"),             \
     CLI_COUNT_AT(image_tokens, "N", 1, P3D_MAX_SEQ_LEN), .is_job = true,      \
     .fallback = "those of the model's file; 1,024 where an image may have "   \
         "any size"},                                                          \
    {JSON_OPTION("tower-recompute",                                            \
         "layers of the tower run again in their backward pass: on or off"),   \
     CLI_NAME_AT(job.tower_recompute, "WORD", spec_overlap_word),              \
     .is_job = true, .fallback = "off with Megatron, else on"},                \
    {JSON_OPTION("compress",                                                   \
         "send less between data-parallel ranks: qwz, qgz and hpz=8 "          \
         "(ZeRO++), onebit (1-bit Adam), powersgd=4 or int8 (DDP)"),           \
     CLI_READ_AT(job.compression, "WORDS", cli_read_compression),              \
     .is_job = true},                                                          \
    {JSON_OPTION("sparse-attention",                                           \
         "attention to some blocks, with DeepSpeed's kernels: fixed, "         \
         "variable, local, bigbird or bslongformer, and sizes"),               \
     CLI_READ_AT(job.sparse, "LAYOUT", cli_read_sparse), .is_job = true},      \
    {JSON_OPTION("gradient-dtype",                                             \
         "that gradients are accumulated in: fp32 or 16bit"),                  \
     CLI_NAME_AT(job.gradient_dtype, "TYPE", spec_state_dtype_word),           \
     .is_job = true, .fallback = "the framework's"},                           \
    {JSON_OPTION("reduce-dtype",                                               \
         "of the gradients that data-parallel ranks exchange: fp32 or 16bit"), \
     CLI_NAME_AT(job.reduce_dtype, "TYPE", spec_state_dtype_word),             \
     .is_job = true, .fallback = "the framework's"},                           \
    {JSON_OPTION("master-dtype",                                               \
         "of the weights that the optimizer updates: fp32, 16bit, or none "    \
         "(16-bit weights and moments alone)"),                                \
     CLI_NAME_AT(job.master_dtype, "TYPE", spec_state_dtype_word),             \
     .is_job = true, .fallback = "the framework's"},                           \
    {JSON_OPTION("moment-dtype",                                               \
         "of the optimizer's moments: fp32, 16bit or 8bit"),                   \
     CLI_NAME_AT(job.moment_dtype, "TYPE", spec_state_dtype_word),             \
     .is_job = true, .fallback = "the optimizer's"},                           \
    {JSON_OPTION("allocator",                                                  \
         "segments of PyTorch's memory: fixed or expandable "                  \
         "(PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True)"),                \
     CLI_NAME_AT(job.allocator, "KIND", spec_allocator_word), .is_job = true,  \
     .fallback = "the framework's"},                                           \
    {JSON_OPTION("optimizer-in-backward",                                      \
         "each gradient is used and freed as soon as it is there"),            \
     CLI_FLAG_AT(job.optimizer_in_backward), .is_job = true},                  \
    {JSON_OPTION("attention",                                                  \
         "flash (the framework's kernel on the GPU), one by name (efficient, " \
         "flash1, flash2, flash3, flash4, cudnn), or eager"),                  \
     CLI_WORD_AT(attention, "KIND", spec_attention_word), .is_job = true,      \
     .fallback = "flash"},                                                     \
    {JSON_OPTION("cp-comm",                                                    \
         "context parallelism: p2p (a ring of keys and values) or a2a (heads " \
         "against tokens)"), CLI_WORD_AT(cp_comm, "KIND", spec_cp_comm_word),  \
     .is_job = true, .fallback = "p2p"},                                       \
    {JSON_OPTION("tp-overlap",                                                 \
         "tensor-parallel communication in pieces beside the products (user "  \
         "buffers)"), CLI_FLAG_AT(job.tp_overlap), .is_job = true},            \
    {JSON_OPTION("partition-activations",                                      \
         "tensor-parallel ranks share out the inputs that recompute=full " \
         "keeps, and gather them again (without sp)"), \
     CLI_FLAG_AT(job.partition_activations), .is_job = true}, \
    {JSON_OPTION("fsdp-unit", \
         "the fewest parameters that FSDP1 gathers at once (min_num_params), " \
         "such as 100M, or whole: all of the model (no auto_wrap)"), \
     CLI_READ_AT(job.unit_params, "PARAMS", cli_read_unit), .is_job = true, \
     .fallback = "layer"}, \
    {JSON_OPTION("dp-overlap", \
         "data-parallel communication beside the passes: on or off"), \
     CLI_NAME_AT(job.dp_overlap, "WORD", spec_overlap_word), .is_job = true, \
     .fallback = "the framework's"}, \
    {JSON_OPTION("dispatcher",                                                 \
         "token dispatcher of the experts: alltoall or allgather (NCCL), "     \
         "2dh (in two steps, framework generic), deepep or hybridep (each "    \
         "token over a link once)"),                                           \
     CLI_WORD_AT(dispatcher, "KIND", spec_dispatcher_word), .is_job = true,    \
     .fallback = "that of recipes"},                                           \
    {JSON_OPTION("moe-overlap",                                                \
         "tokens travel beside the computation of another micro-batch"),       \
     CLI_FLAG_AT(job.expert_overlap), .is_job = true},                         \
    {JSON_OPTION("async",                                                      \
         "pipelines may update the weights late (schedule=2bw or pipedream; "  \
         "framework generic)"), CLI_FLAG_AT(job.asynchronous), .is_job = true},\
    {JSON_OPTION("cuda-graphs",                                                \
         "launched without the host: none, layers (but routed experts) or "    \
         "step"), CLI_WORD_AT(graphs, "SET", p3d_graphs_word), .is_job = true, \
     .fallback = "none"},                                                      \
    {JSON_OPTION("launch-blocking",                                            \
         "kernels are launched one at a time (CUDA_LAUNCH_BLOCKING=1): host "  \
         "and device times add up, and nothing overlaps"),                     \
     CLI_FLAG_AT(job.launch_blocking), .is_job = true},                        \
    {JSON_OPTION("host-share",                                                 \
         "share of the shorter of launches and device time that adds to the "  \
         "longer (0 = nothing does)"),                                         \
     CLI_NUMBER_AT(job.added_host_frac, "F", 0, 1), .is_job = true,            \
     .fallback = "the framework's"},                                           \
    {JSON_OPTION("gc-interval",                                                \
         "steps from one collection of Python's garbage to the next "          \
         "(manual_gc_interval of Megatron)"),                                  \
     CLI_COUNT_AT(job.gc_interval, "N", 0, P3D_MAX_GC_INTERVAL),               \
     .is_job = true, .fallback = "0: none"},                                   \
    {JSON_OPTION("loss",                                                       \
         "cross entropy: vocab-parallel, native-fused, te-fused, eager, "      \
         "eager-kept, compiled, sharded-eager, sharded-in-place, "             \
         "vocab-parallel-copy, chunked, liger"),                               \
     CLI_WORD_AT(loss, "KIND", spec_loss_word), .is_job = true,                \
     .fallback = "the framework's"},                                           \
    {JSON_OPTION("eager",                                                      \
         "layers are not compiled, where the framework would"),                \
     CLI_FLAG_AT(job.eager), .is_job = true},                                  \
    {JSON_OPTION("mtp", "blocks of multi-token prediction that are trained"),  \
     CLI_COUNT_AT(n_mtp_layers, "N", 0, P3D_MAX_MTP_LAYERS), .is_job = true,   \
     .fallback = "0"},                                                         \
    {JSON_OPTION("expert-load",                                                \
         "tokens of the busiest rank's experts over the mean, or the "         \
         "capacity factor"),                                                   \
     CLI_NUMBER_AT(job.expert_load, "F", 1, P3D_MAX_EXPERT_LOAD),              \
     .is_job = true, .fallback = "1"},                                         \
    {JSON_OPTION("dropout", "dropout masks are kept"),                         \
     CLI_FLAG_AT(job.dropout), .is_job = true}

#define CLI_FRAMEWORK_ROW                                                      \
    {JSON_OPTION("framework",                                                  \
         "training framework, see 'plan3d list frameworks'; any: the one "     \
         "whose best plan is the fastest"), CLI_TEXT_AT(framework, "NAME"),    \
     .is_job = true, .fallback = "megatron-core"}

/* Switches above the nodes. */
#define CLI_OVERSUBSCRIPTION_ROW                                               \
    {JSON_OPTION("oversubscription",                                           \
         "of a leaf switch: rate of the links to its nodes over that of its "  \
         "links up"),                                                          \
     CLI_NUMBER_AT(oversubscription, "R", 1, SPEC_MAX_OVERSUBSCRIPTION),       \
     .is_job = true, .fallback = "1"}
#define CLI_TIER_ROWS                                                          \
    {JSON_OPTION("leaf-nodes", "nodes below a leaf switch"),                   \
     CLI_COUNT_AT(leaf_nodes, "N", 1, P3D_MAX_GPUS), .is_job = true,           \
     .fallback = "16; of a cluster file, its own"},                            \
    {JSON_OPTION("topology",                                                   \
         "switches above the nodes: Slurm's topology.conf (with "              \
         "--oversubscription) or the output of ibnetdiscover; or the cards "   \
         "of a node: NCCL_TOPO_DUMP_FILE; of several pools "                   \
         "POOL=FILE,POOL=FILE"), CLI_TEXT_AT(topology, "FILE"),                \
     .is_job = true},                                                          \
    {JSON_OPTION("hosts",                                                      \
         "hosts of the job in the order of ranks, with --topology FILE that "  \
         "has them: a hostfile, or words such as node[01-16]"),                \
     CLI_TEXT_AT(hosts, "FILE"), .is_job = true},                              \
    {JSON_OPTION("routing",                                                    \
         "of switches: adaptive, or ecmp (a hash of each flow chooses its "    \
         "link up)"), CLI_WORD_AT(routing, "WORD", p3d_link_choice_word),      \
     .is_job = true, .fallback = "adaptive"},                                  \
    {JSON_OPTION("placement",                                                  \
         "nodes of a job: contiguous (neighbours below the same switch) or "   \
         "random"), CLI_WORD_AT(placement, "WORD", spec_placement_word),\
     .is_job = true, .fallback = "contiguous"}

#define CLI_RAILS_ROW                                                          \
    {JSON_OPTION("rails",                                                      \
         "yes: the leaf switches have one card of each node, and so more "     \
         "nodes below; the links of a node forward to others; or no"),         \
     CLI_WORD_AT(rails, "WORD", spec_rails_word),                              \
     .is_job = true, .fallback = "no; of a cluster file, its own"}

/* All but those that sweep has lists of. */
#define CLI_FABRIC_ROW                                                         \
    {JSON_OPTION("fabric",                                                     \
         "network between nodes, see 'plan3d list fabrics', or what a node "   \
         "has: '8x400 Gb/s RoCE', '400 Gb/s per GPU'"),                        \
     CLI_TEXT_AT(fabric, "NAME"), .is_job = true,                              \
     .fallback = "that of the node"}

#define CLI_PLACE_ROWS_BUT                                                     \
    CLI_FABRIC_ROW,                                                            \
    CLI_TIER_ROWS,                                                             \
    {JSON_OPTION("host-time",                                                  \
         "time of the host to launch a kernel, over that of a usual x86 "      \
         "server"), CLI_NUMBER_AT(host_time_factor, "F", 0.1, 10),             \
     .is_job = true, .fallback = "that of the node"},                          \
    {JSON_OPTION("calibration",                                                \
         "constants of the GPU: a file of 'plan3d calibrate', or a name of "   \
         "'plan3d list calibrations'"), CLI_TEXT_AT(calibration, "FILE"),      \
     .is_job = true, .fallback = "that of the GPU"},                           \
    CLI_ROOM_ROWS

#define CLI_PLACE_ROWS                                                         \
    CLI_OVERSUBSCRIPTION_ROW, CLI_RAILS_ROW, CLI_PLACE_ROWS_BUT

/* What stays free on a GPU. */
#define CLI_ROOM_ROWS                                                          \
    {JSON_OPTION("reserve",                                                    \
         "memory to keep free on each GPU (2GiB, 0GiB), instead of --sure"),   \
     CLI_BYTES_AT(reserve_bytes, "SIZE", P3D_MAX_RESERVE_BYTES),               \
     .is_job = true, .fallback = "what --sure takes"},                         \
    {JSON_OPTION("sure",                                                       \
         "probability of fitting that a plan must have; 0 = by the estimate "  \
         "alone"), CLI_NUMBER_AT(sure_frac, "P", 0, 0.999), .is_job = true,    \
     .fallback = "0.95"}

/* Which plan is asked for. */
#define CLI_CHOICE_ROWS                                                        \
    {JSON_OPTION("objective",                                                  \
         "recommended (sure to fit, within --within of the fastest, the "      \
         "simplest), fastest (by the estimate), roomiest or cheapest"),        \
     CLI_WORD_AT(objective, "WORD", spec_objective_word), .is_job = true,      \
     .is_choice = true, .fallback = "recommended"},                            \
    {JSON_OPTION("within",                                                     \
         "step time that a simpler or roomier plan may cost over the fastest " \
         "sure one"), CLI_NUMBER_AT(within_frac, "F", 0, 10), .is_job = true,  \
     .is_choice = true, .fallback = "0.02"}

#define CLI_PRICE_ROW                                                          \
    {JSON_OPTION("price", "price of a GPU-hour: print cost"),                  \
     CLI_NUMBER_AT(job.usd_per_gpu_h, "USD", P3D_MIN_USD,                      \
         P3D_MAX_USD_PER_GPU_H), .is_job = true}

#define CLI_JOB_ROWS                                                           \
    CLI_SIZE_ROWS,                                                             \
    CLI_KIND_ROWS,                                                             \
    CLI_FRAMEWORK_ROW,                                                         \
    CLI_PLACE_ROWS,                                                            \
    CLI_PRICE_ROW,                                                             \
    CLI_TRAINING_ROWS,                                                         \
    CLI_JOBS_ROW,                                                              \
    CLI_JSON_ROW,                                                              \
    CLI_HELP_ROW
/* clang-format on */

#endif
