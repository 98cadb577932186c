/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan.h - how a job is spread over a cluster. */
#ifndef PLAN3D_PLAN_H
#define PLAN3D_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "plan3d/api.h"
#include "plan3d/error.h"
#include "plan3d/job.h"

P3D_API_BEGIN

typedef enum p3d_recompute {
    P3D_RECOMPUTE_NONE,
    P3D_RECOMPUTE_SELECTIVE, /* some modules of each layer */
    P3D_RECOMPUTE_FULL,      /* whole layers: only their input is kept */
    P3D_N_RECOMPUTES
} p3d_recompute;

/* clang-format off */
/** Pipeline schedules: name, word, chunks of a rank (0 = vp says), the fewest
 *  micro-batches as a p + b, whether the gradients of weights run apart, if
 *  weights are updated a step late, without a flush, and whether a search tries
 *  it by itself. */
#define P3D_SCHEDULES(X) \
    X(P3D_1F1B,        "1f1b",        1, 0,  1, false, false, true) \
    X(P3D_GPIPE,       "gpipe",       1, 0,  1, false, false, true) \
    X(P3D_INTERLEAVED, "interleaved", 0, 0,  1, false, false, true) \
    /* zero bubble: memory of 1F1B's first rank on all, and twice that */ \
    X(P3D_ZB_H1,       "zb-h1",       1, 0,  1, true,  false, true) \
    X(P3D_ZB_H2,       "zb-h2",       1, 0,  1, true,  false, true) \
    /* chunks in a V, whose warm-up needs different micro-batches: \
     * AMD-AGI/Primus@fd1eeabb zbv_formatted.py; \
     * deepseek-ai/DualPipe@3da1bbea dualpipev.py */ \
    X(P3D_ZB_V,        "zb-v",        2, 2, -1, true,  false, true) \
    X(P3D_DUALPIPE_V,  "dualpipe-v",  2, 2,  0, true,  false, true) \
    /* PipeDream-2BW */ \
    X(P3D_2BW,         "2bw",         1, 1,  0, false, true, true) \
    /* one micro-batch at a time, without a pipeline */ \
    X(P3D_NAIVE,       "naive",       1, 0,  1, false, false, false) \
    /* PipeDream: an update after each micro-batch, stashed weights */ \
    X(P3D_PIPEDREAM,   "pipedream",   1, 1,  0, false, true, false)
/* clang-format on */

typedef enum p3d_schedule {
#define P3D_AS_SCHEDULE(name, word, chunks, a, b, splits, late, searched) name,
    P3D_SCHEDULES(P3D_AS_SCHEDULE)
#undef P3D_AS_SCHEDULE
            P3D_N_SCHEDULES
} p3d_schedule;

/** Which ranks are neighbours, the innermost first. */
typedef enum p3d_order {
    P3D_ORDER_DP_PP, /* tp-cp-ep-dp-pp */
    P3D_ORDER_PP_DP, /* tp-cp-ep-pp-dp */
    P3D_N_ORDERS
} p3d_order;

/** Chunks without layers at the end of a pipeline. Source:
 *  NVIDIA/Megatron-LM@d98e8a64 --pipeline-model-parallel-layout, "...|mL" and
 *  "...|m|L". */
typedef enum p3d_tail {
    P3D_TAIL_LAYERS,   /* none: the last chunk has layers, too */
    P3D_TAIL_HEAD,     /* the last, with multi-token prediction and the head */
    P3D_TAIL_MTP_HEAD, /* two: multi-token prediction, and the head */
    P3D_N_TAILS
} p3d_tail;

typedef enum p3d_offload {
    P3D_OFFLOAD_NONE,
    P3D_OFFLOAD_OPTIMIZER,            /* states and step on the CPU */
    P3D_OFFLOAD_OPTIMIZER_PARAMETERS, /* weights too; needs ZeRO-3 */
    P3D_N_OFFLOADS
} p3d_offload;

/** Most micro-batches that interleaving runs in a row. */
enum { P3D_MAX_GROUP = 4096 };

/* clang-format off */
/**
 * The values of a plan, in the order in which they are printed and compared:
 * X(type, pin, member, word, kind, least, most, free, doc).
 *
 * type   of the member; `pin` of the one in p3d_pins, where the value `free`
 *        leaves the choice to the search
 * word   that says it in a plan's text; NULL = said together with another
 * kind   COUNT  a number
 *        FLAG   on or off
 *        NAMED  an enumeration whose values have names
 *        what is said with another: PART a number, SHARE a part of 1,
 *        SWITCH on or off, MODULES bits
 * least  ... most, that it may be
 */
#define P3D_PLAN_FIELDS(X) \
    X(int, int, tp, "tp", COUNT, 1, P3D_MAX_GPUS, 0, \
        "tensor-parallel ranks") \
    X(int, int, pp, "pp", COUNT, 1, P3D_MAX_GPUS, 0, \
        "pipeline ranks") \
    X(int, int, dp, "dp", COUNT, 1, P3D_MAX_GPUS, 0, \
        "data-parallel replicas") \
    X(int, int, cp, "cp", COUNT, 1, P3D_MAX_GPUS, 0, \
        "context-parallel ranks") \
    X(int, int, ulysses, "ulysses", COUNT, 0, P3D_MAX_GPUS, -1, \
        "of these, ranks that exchange heads; 0 = as the job says") \
    X(int, int, ep, "ep", COUNT, 1, P3D_MAX_GPUS, 0, \
        "expert-parallel ranks") \
    X(int, int, etp, "etp", COUNT, 1, P3D_MAX_GPUS, 0, \
        "tensor-parallel ranks of an expert") \
    X(int, int, vp, "vp", COUNT, 1, P3D_MAX_GPUS, 0, \
        "virtual stages (chunks) of a pipeline rank") \
    X(int, int, micro_batch, "mbs", COUNT, 1, P3D_MAX_BATCH, 0, \
        "sequences of a micro-batch") \
    X(int, int, zero, "zero", COUNT, 0, 3, -1, \
        "ZeRO stage") \
    X(bool, int, sequence_parallel, "sp", FLAG, 0, 1, -1, \
        "with tensor parallelism") \
    X(int, int, shard, "shard", COUNT, 0, P3D_MAX_GPUS, -1, \
        "replicas that share the states; 0 = all") \
    X(int, int, first_layers, "first", COUNT, 0, P3D_MAX_LAYERS, -1, \
        "of the first stage or chunk; 0 = as the others") \
    X(int, int, last_layers, "last", COUNT, 0, P3D_MAX_LAYERS, -1, \
        "of the last stage or chunk; 0 = as the others") \
    X(int, int, short_chunk, "short", COUNT, 0, P3D_MAX_LAYERS, -1, \
        "chunk, counted from 0, with fewer layers than those beside it; " \
        "0 = none") \
    X(p3d_tail, int, tail, "tail", NAMED, 0, P3D_N_TAILS - 1, -1, \
        "chunks without layers at the end of the pipeline") \
    X(bool, int, uneven, "uneven", FLAG, 0, 1, -1, \
        "chunks may differ by a layer") \
    X(int, int, group, "group", COUNT, 0, P3D_MAX_GROUP, -1, \
        "micro-batches in a row, interleaved; 0 = as many as pp") \
    X(p3d_recompute, int, recompute, "recompute", NAMED, 0, \
        P3D_N_RECOMPUTES - 1, -1, \
        "activations that the backward pass computes again") \
    X(unsigned, unsigned, recompute_modules, NULL, MODULES, 0, \
        (1 << P3D_N_MODULES) - 1, 0, \
        "with selective recomputation; 0 = the framework's usual") \
    X(int, int, recompute_layers, NULL, PART, 0, P3D_MAX_LAYERS, 0, \
        "of a chunk, with full recomputation; 0 = all") \
    X(int, int, recompute_group, NULL, PART, 0, P3D_MAX_LAYERS, 0, \
        "layers recomputed together, with full recomputation; 0 = 1") \
    X(p3d_offload, int, offload, "offload", NAMED, 0, \
        P3D_N_OFFLOADS - 1, -1, \
        "states in host memory") \
    X(double, double, offload_frac, NULL, SHARE, 0, 1, 0, \
        "of the optimizer's states, where it is offloaded; 0 = all") \
    X(bool, int, offload_nvme, NULL, SWITCH, 0, 1, -1, \
        "states on NVMe instead of host memory") \
    X(double, double, activation_offload_frac, NULL, SHARE, 0, 1, -1, \
        "of the saved activations, in host memory") \
    X(p3d_schedule, int, schedule, "schedule", NAMED, 0, \
        P3D_N_SCHEDULES - 1, -1, \
        "pipeline schedule") \
    X(p3d_order, int, order, "order", NAMED, 0, P3D_N_ORDERS - 1, -1, \
        "which ranks are neighbours, the innermost first")

/**
 * Of these, what a search tries both on and off: X(member, off, title, needs,
 * usual).
 *
 * off    word that says that it is not on
 * title  of the decision, and of what a framework lacks (P3D_LACKS_member)
 * needs  where it can be on: a condition on one of tp, cp, pp and dp, which a
 *        search has set by then, as it is told: tp > 1
 * usual  true where it is on by itself wherever it can be
 */
#define P3D_PLAN_FLAGS(X) \
    X(sequence_parallel, "nosp", "sequence parallelism", tp > 1, true)
/* clang-format on */

/** Their numbers, and bits of a framework's `lacks`: it has no option for
 *  them. */
enum {
#define P3D_AS_FLAG(member, off, title, needs, usual) P3D_FLAG_##member,
    P3D_PLAN_FLAGS(P3D_AS_FLAG)
#undef P3D_AS_FLAG
            P3D_N_FLAGS,
#define P3D_AS_LACK(member, off, title, needs, usual) \
    P3D_LACKS_##member = P3D_LACKS_FLAG << P3D_FLAG_##member,
    P3D_PLAN_FLAGS(P3D_AS_LACK)
#undef P3D_AS_LACK
};

/** A plan. dp counts replicas without context parallelism. */
typedef struct p3d_plan {
#define P3D_AS_MEMBER(type, pin, member, word, kind, least, most, free, doc) \
    type member;
    P3D_PLAN_FIELDS(P3D_AS_MEMBER)
#undef P3D_AS_MEMBER
} p3d_plan;

/**
 * Read a plan in words: `tp=8,pp=2,dp=4,mbs=1,zero=1,sp,recompute=full:4`.
 *
 * The order is free; what is left out is derived (dp from the GPUs, sp from
 * tp, the schedule from vp, etp = tp for experts inside a tensor-parallel
 * group) or 1. `nosp` switches sequence parallelism off.
 *
 * @param n_gpus     of the job
 * @param framework  gives the ZeRO stage that is left out; NULL: 1
 * @return false with P3D_DATA: the word that is wrong and what to write
 */
P3D_CHECK bool p3d_plan_parse(const char *words, int n_gpus,
        const p3d_framework *framework, p3d_plan *out, p3d_error *err);

/** Bytes that the words of any plan fit in. */
enum { P3D_PLAN_WORDS = 512 };

/** Write a plan in the words that p3d_plan_parse() reads.
 *  @param n  P3D_PLAN_WORDS for all of them; with less they are cut */
const char *p3d_plan_print(const p3d_plan *plan, char *buffer, size_t n);

/**
 * Context-parallel ranks that exchange heads for tokens (Ulysses); as many
 * rings as these hand keys and values round the others of a group.
 *
 * Source: arXiv:2405.07719 section 3 (USP); Megatron-LM's --cp-comm-type
 * a2a+p2p.
 */
int p3d_plan_head_ranks(const p3d_job *job, const p3d_plan *plan);

/** Micro-batches per replica and step: batch / (dp * micro_batch). */
int64_t p3d_plan_n_micro_batches(const p3d_plan *plan, const p3d_job *job);

/** Write what a plan recomputes and offloads as its words do:
 *  "selective:mlp+moe_act", "optimizer:0.5@nvme". */
enum { P3D_PLAN_PART = 128 };
const char *p3d_print_recompute(const p3d_plan *plan, char out[P3D_PLAN_PART]);
const char *p3d_print_offload(const p3d_plan *plan, char out[P3D_PLAN_PART]);

/** Names as they are written in plans and JSON. */
const char *p3d_recompute_name(p3d_recompute recompute);
const char *p3d_schedule_name(p3d_schedule schedule);
const char *p3d_offload_name(p3d_offload offload);
const char *p3d_order_name(p3d_order order);
const char *p3d_tail_name(p3d_tail tail);

/** Chunks per rank that a schedule runs; 0 = two or more. */
int p3d_schedule_chunks(p3d_schedule schedule);

/** Fewest micro-batches with which a schedule exists on pp ranks. */
int64_t p3d_schedule_min_micro_batches(p3d_schedule schedule, int pp);

/** True where the gradients of weights are put off and fill the bubble. */
bool p3d_schedule_splits_backward(p3d_schedule schedule);

/** True when a step waits for all micro-batches of the one before; the others
 *  need job.asynchronous. */
bool p3d_schedule_flushes(p3d_schedule schedule);

/** True when a framework has the schedule. */
bool p3d_schedule_offered(
        p3d_schedule schedule, const p3d_framework *framework);

/** Why a plan is refused: the rule's id and the reason in words. */
typedef struct p3d_refusal {
    const char *rule; /* id, such as "B2"; NULL = legal */
    char reason[256];
} p3d_refusal;

/**
 * Check a plan against the rules of the job's framework.
 *
 * @param refusal  may be NULL
 * @return true when the framework can run it
 */
bool p3d_plan_legal(const p3d_model *model, const p3d_cluster *cluster,
        const p3d_job *job, const p3d_plan *plan, p3d_refusal *refusal);

/** True where a plan has numbers of layers of its own: of the first and the
 *  last stage or chunk, of a short one, or none at the end. */
bool p3d_plan_says_layers(const p3d_plan *plan);

/** True when the order of a plan's ranks makes a difference. */
bool p3d_plan_has_orders(const p3d_cluster *cluster, const p3d_plan *plan);

/**
 * Check what of a job no plan can change: that the GPU has the data type, the
 * attention kernel and the dispatcher. The same rules are among those of
 * p3d_plan_legal().
 *
 * @param refusal  may be NULL
 */
bool p3d_job_runs(const p3d_model *model, const p3d_cluster *cluster,
        const p3d_job *job, p3d_refusal *refusal);

/** What two plans differ in, and nothing else. */
typedef enum p3d_difference {
    P3D_DIFFERENCE_MICRO_BATCH,
    P3D_DIFFERENCE_SHARING,  /* `shard` and `order` */
    P3D_DIFFERENCE_PIPELINE, /* schedule, chunks, layers of the stages, and the
                                micro-batch; nothing is recomputed */
    P3D_N_DIFFERENCES
} p3d_difference;

/** The same of a plan that differs from a legal one by so much, with the rules
 *  alone that it may break. */
bool p3d_plan_stays_legal(const p3d_model *model, const p3d_cluster *cluster,
        const p3d_job *job, const p3d_plan *plan, p3d_difference difference);

/**
 * Decoder layers on each (virtual) pipeline stage, first to last: equal
 * shares, or with the embedding and the loss counted as layers where that
 * makes equal shares; else, with one chunk per rank and a framework that takes
 * a map of layers, as even as can be.
 *
 * @param layers  room for pp * vp numbers
 * @return false when the layers cannot be shared out
 */
bool p3d_plan_split_layers(const p3d_model *model, const p3d_job *job,
        const p3d_plan *plan, int *layers);

/**
 * The same plan without values that say nothing in it: a schedule without a
 * pipeline, an order of ranks that have no choice, sharing by all replicas,
 * chunks that may differ where they are equal, and a number of recomputed
 * layers that is all of them. Estimates and searches know plans in this form
 * alone.
 */
p3d_plan p3d_plan_plain(const p3d_model *model, const p3d_cluster *cluster,
        const p3d_job *job, const p3d_plan *plan);

P3D_API_END

#endif
