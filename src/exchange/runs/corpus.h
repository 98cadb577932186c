/* SPDX-License-Identifier: GPL-3.0-or-later */
/* corpus.h - tables of measured training runs: a row becomes a problem and a
 * plan, or the reason why it cannot be predicted. */
#ifndef PLAN3D_EXCHANGE_RUNS_CORPUS_H
#define PLAN3D_EXCHANGE_RUNS_CORPUS_H

#include "base/csv.h"
#include "plan3d/estimate.h"

/** An integer that the row does not state. */
enum { EXCHANGE_NOT_STATED = -1 };

/** What p3d_memory_*_bytes() a measured peak is held against. */
typedef enum exchange_meter {
    EXCHANGE_METER_ALLOCATED,
    EXCHANGE_METER_RESERVED,
    EXCHANGE_METER_DEVICE
} exchange_meter;

/** Pipeline ranks that a measured peak may be of; ranks are >= 0. */
enum {
    EXCHANGE_STAGE_HIGHEST = -1, /* of all of them */
    EXCHANGE_STAGE_LAST = -2,
    EXCHANGE_STAGE_FIRST_OR_LAST = -3 /* the higher of the two */
};

/** One row as it is written; texts point into the table. */
typedef struct exchange_run {
    const char *id, *source, *framework, *framework_version, *gpu;
    const char *interconnect, *model, *sharding, *recompute, *schedule, *dtype;
    const char *attention, *dispatcher, *offload, *stage, *memory_meter;
    const char *cuda_graphs, *notes, *kind, *ref, *reduce_dtype;
    const char *allocator, *loss;
    int64_t year, n_gpus, gpus_per_node;
    int64_t hidden, n_layers, n_heads, n_kv_heads, head_dim, ffn, gated_mlp;
    int64_t vocab, tied_embeddings, n_experts, top_k, moe_ffn;
    int64_t n_shared_experts, n_dense_layers, seq_len, micro_batch;
    int64_t global_batch, tp, pp, vp, cp, ulysses, ep, etp, dp,
            sequence_parallel;
    int64_t expert_overlap, compile, measured_peak_bytes, oom, usable_time;
    int64_t usable_memory, measured_reserved_bytes, dp_overlap, tp_overlap;
    int64_t launch_blocking;
    double measured_step_s;  /* 0 = not stated */
    double host_time_factor; /* 0 = usual */
} exchange_run;

/** A table of runs. */
typedef struct exchange_corpus {
    p3d_csv csv;
    exchange_run *rows;
    int n_rows;
} exchange_corpus;

/**
 * Read a table of runs. Columns may be in any order; those that plan3d does
 * not know are ignored; `id`, `gpu`, `n_gpus` and the shape of model, batch and
 * plan must be there, as must measured_step_s or measured_peak_bytes.
 *
 * @param out  free with exchange_corpus_close(); untouched on failure
 */
P3D_CHECK bool exchange_corpus_open(
        const char *path, exchange_corpus *out, p3d_error *err);

/** Accepts a zero corpus. */
void exchange_corpus_close(exchange_corpus *corpus);

/**
 * Number the configurations that the rows state: all but what was measured and
 * what was written about it. Rows that state the same get the same number.
 *
 * @param out  one number for each row
 */
P3D_CHECK bool exchange_corpus_number_plans(
        const exchange_corpus *corpus, int *out, p3d_error *err);

/* clang-format off */
/** What a row does not state, or plan3d does not model, and what is put in
 *  its place. */
#define EXCHANGE_CORPUS_ASSUMED(X) \
    X(EAGER, "attention not stated: eager, as usual for the framework then") \
    X(FLASH, "attention not stated: flash, as usual for the framework then") \
    X(STAND_IN, "framework without a profile: the nearest one stands in") \
    X(SHARD_GROUP, "states shared by a part of the replicas: by all of them") \
    X(RECOMPUTE, "recomputation not stated: none") \
    X(PACKED, "fine-tuning on packed sequences: attention over the whole one")
/* clang-format on */

enum {
#define P3D_AS_BIT_NUMBER(name, words) EXCHANGE_ASSUMED_##name,
    EXCHANGE_CORPUS_ASSUMED(P3D_AS_BIT_NUMBER)
#undef P3D_AS_BIT_NUMBER
            EXCHANGE_N_ASSUMED
};

/** Words of an assumption; NULL past the last. */
const char *exchange_assumed_words(int i);

/** A row that can be predicted. */
typedef struct exchange_case {
    p3d_problem problem;
    p3d_plan plan;
    exchange_meter meter;
    int stage;        /* pipeline rank, or EXCHANGE_STAGE_ */
    unsigned assumed; /* bit i: EXCHANGE_ASSUMED_ */
} exchange_case;

/** Why a row cannot be predicted. */
typedef struct exchange_reason {
    char kind[128];  /* for counting */
    char words[256]; /* with the row's own values */
} exchange_reason;

/** Hardware that was looked up, so that no file is read twice. */
typedef struct exchange_hardware exchange_hardware;

/** @return NULL with P3D_SYSTEM when memory runs out */
exchange_hardware *exchange_hardware_create(p3d_error *err);
void exchange_hardware_destroy(exchange_hardware *hardware);

/**
 * Make the problem and the plan of a row.
 *
 * @param reason  set on failure
 * @return false when plan3d has no model of something that the row states, or
 *         the row leaves out what a prediction needs
 */
P3D_CHECK bool exchange_corpus_convert(const exchange_run *row,
        exchange_hardware *hardware, exchange_case *out,
        exchange_reason *reason);

/** Set the reason; kind and words are the same. @return false */
bool exchange_corpus_refuse(exchange_reason *reason, const char *fmt, ...)
        P3D_PRINTF(2, 3);

/** Network of a node as far as a free text states it. */
typedef struct exchange_interconnect {
    const char *kind;      /* of hardware/fabric file names; NULL */
    double nic_bit_per_s;  /* of one adapter; 0 = not stated */
    double node_bit_per_s; /* of a node; 0 = not stated */
    double gpu_bit_per_s;  /* of a GPU; 0 = not stated */
    int n_nics;            /* of a node; 0 = not stated */
} exchange_interconnect;

/** Words of the column interconnect. */
exchange_interconnect exchange_interconnect_read(const char *text);

/** What the words of a row say: job, plan, meter and stage. */
bool exchange_corpus_words(
        const exchange_run *row, exchange_case *out, exchange_reason *reason);

#endif
