/* SPDX-License-Identifier: GPL-3.0-or-later */
/* corpus.h - tables of measured training runs: a row becomes a problem and a
 * plan, or the reason why it cannot be predicted. */
#ifndef PLAN3D_EXCHANGE_RUNS_CORPUS_H
#define PLAN3D_EXCHANGE_RUNS_CORPUS_H

#include "base/csv.h"
#include "plan3d/estimate.h"

/** An integer that the row does not state. */
enum { P3D_NOT_STATED = -1 };

/** What p3d_memory_*_bytes() a measured peak is held against. */
typedef enum p3d_meter {
    P3D_METER_ALLOCATED,
    P3D_METER_RESERVED,
    P3D_METER_DEVICE
} p3d_meter;

/** Pipeline ranks that a measured peak may be of; ranks are >= 0. */
enum {
    P3D_STAGE_HIGHEST = -1, /* of all of them */
    P3D_STAGE_LAST = -2,
    P3D_STAGE_FIRST_OR_LAST = -3 /* the higher of the two */
};

/** One row as it is written; texts point into the table. */
typedef struct p3d_corpus_row {
    const char *id, *source, *framework, *framework_version, *gpu;
    const char *interconnect, *model, *sharding, *recompute, *schedule, *dtype;
    const char *attention, *dispatcher, *offload, *stage, *memory_meter;
    const char *cuda_graphs, *notes, *kind, *ref;
    int64_t year, n_gpus, gpus_per_node;
    int64_t hidden, n_layers, n_heads, n_kv_heads, head_dim, ffn, gated_mlp;
    int64_t vocab, tied_embeddings, n_experts, top_k, moe_ffn;
    int64_t n_shared_experts, n_dense_layers, seq_len, micro_batch;
    int64_t global_batch, tp, pp, vp, cp, ep, etp, dp, sequence_parallel;
    int64_t expert_overlap, compile, measured_peak_bytes, oom, usable_time;
    int64_t usable_memory;
    double measured_step_s; /* 0 = not stated */
} p3d_corpus_row;

/** A table of runs. */
typedef struct p3d_corpus {
    p3d_csv csv;
    p3d_corpus_row *rows;
    int n_rows;
} p3d_corpus;

/**
 * Read a table of runs. Columns may be in any order; those that plan3d does
 * not know are ignored; `id`, `gpu`, `n_gpus` and the shape of model, batch and
 * plan must be there, as must measured_step_s or measured_peak_bytes.
 *
 * @param out  free with exchange_corpus_close(); untouched on failure
 */
P3D_CHECK bool exchange_corpus_open(
        const char *path, p3d_corpus *out, p3d_error *err);

/** Accepts a zero corpus. */
void exchange_corpus_close(p3d_corpus *corpus);

/** True when two rows state the same configuration (all but what was
 *  measured and what was written about it). */
bool exchange_corpus_same_plan(const p3d_corpus *corpus, int a, int b);

/* clang-format off */
/** What a row does not state, or plan3d does not model, and what is put in
 *  its place. */
#define P3D_CORPUS_ASSUMED(X) \
    X(EAGER, "attention not stated: eager, as usual for the framework then") \
    X(FLASH, "attention not stated: flash, as usual for the framework then") \
    X(STAND_IN, "framework without a profile: the nearest one stands in") \
    X(SHARD_GROUP, "states shared by a part of the replicas: by all of them") \
    X(RECOMPUTE, "recomputation not stated: none") \
    X(PACKED, "fine-tuning on packed sequences: attention over the whole one")
/* clang-format on */

enum {
#define P3D_AS_BIT_NUMBER(name, words) P3D_ASSUMED_##name,
    P3D_CORPUS_ASSUMED(P3D_AS_BIT_NUMBER)
#undef P3D_AS_BIT_NUMBER
            P3D_N_ASSUMED
};

/** Words of an assumption; NULL past the last. */
const char *exchange_assumed_words(int i);

/** A row that can be predicted. */
typedef struct p3d_corpus_case {
    p3d_problem problem;
    p3d_plan plan;
    p3d_meter meter;
    int stage;        /* pipeline rank, or P3D_STAGE_ */
    unsigned assumed; /* bit i: P3D_ASSUMED_ */
} p3d_corpus_case;

/** Why a row cannot be predicted. */
typedef struct p3d_corpus_reason {
    char kind[128];  /* for counting */
    char words[256]; /* with the row's own values */
} p3d_corpus_reason;

/** Hardware that was looked up, so that no file is read twice. */
typedef struct p3d_corpus_hardware p3d_corpus_hardware;

/** @return NULL with P3D_SYSTEM when memory runs out */
p3d_corpus_hardware *exchange_hardware_create(p3d_error *err);
void exchange_hardware_destroy(p3d_corpus_hardware *hardware);

/**
 * Make the problem and the plan of a row.
 *
 * @param reason  set on failure
 * @return false when plan3d has no model of something that the row states, or
 *         the row leaves out what a prediction needs
 */
P3D_CHECK bool exchange_corpus_convert(const p3d_corpus_row *row,
        p3d_corpus_hardware *hardware, p3d_corpus_case *out,
        p3d_corpus_reason *reason);

#endif
