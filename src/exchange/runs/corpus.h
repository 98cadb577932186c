/* SPDX-License-Identifier: GPL-3.0-or-later */
/* corpus.h - tables of measured training runs: a row becomes a problem and a
 * plan, or the reason why it cannot be predicted; the published ones that come
 * with plan3d. */
#ifndef PLAN3D_EXCHANGE_RUNS_CORPUS_H
#define PLAN3D_EXCHANGE_RUNS_CORPUS_H

#include "base/csv.h"
#include "plan3d/estimate.h"
#include "plan3d/evidence.h"
#include "json/field.h"

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

/* clang-format off */
/**
 * The columns of a table of runs: X(type, column, need, part).
 *
 * need  MUST be there, or MAY
 * part  PLAN = of the configuration, NOTE = what is said of it
 */
#define EXCHANGE_RUN_COLUMNS(X) \
    X(const char *, id, MUST, NOTE) \
    X(const char *, source, MAY, NOTE) \
    X(const char *, framework, MAY, PLAN) \
    X(const char *, framework_version, MAY, NOTE) \
    X(const char *, gpu, MUST, PLAN) \
    X(const char *, interconnect, MAY, PLAN) \
    X(const char *, model, MAY, PLAN) \
    X(const char *, sharding, MAY, PLAN) \
    X(const char *, recompute, MAY, PLAN) \
    X(const char *, schedule, MAY, PLAN) \
    X(const char *, dtype, MAY, PLAN) \
    X(const char *, attention, MAY, PLAN) \
    X(const char *, dispatcher, MAY, PLAN) \
    X(int64_t, expert_overlap, MAY, PLAN) \
    X(const char *, cuda_graphs, MAY, PLAN) \
    X(const char *, offload, MAY, PLAN) \
    X(const char *, stage, MAY, NOTE) \
    X(const char *, memory_meter, MAY, NOTE) \
    X(const char *, notes, MAY, NOTE) \
    X(const char *, kind, MAY, NOTE) \
    X(const char *, ref, MAY, NOTE) \
    X(int64_t, year, MAY, NOTE) \
    X(int64_t, n_gpus, MUST, PLAN) \
    X(int64_t, gpus_per_node, MAY, PLAN) \
    X(int64_t, hidden, MUST, PLAN) \
    X(int64_t, n_layers, MUST, PLAN) \
    X(int64_t, n_heads, MUST, PLAN) \
    X(int64_t, n_kv_heads, MAY, PLAN) \
    X(int64_t, head_dim, MAY, PLAN) \
    X(int64_t, ffn, MUST, PLAN) \
    X(int64_t, gated_mlp, MUST, PLAN) \
    X(int64_t, vocab, MUST, PLAN) \
    X(int64_t, tied_embeddings, MAY, PLAN) \
    X(int64_t, n_experts, MAY, PLAN) \
    X(int64_t, top_k, MAY, PLAN) \
    X(int64_t, moe_ffn, MAY, PLAN) \
    X(int64_t, n_shared_experts, MAY, PLAN) \
    X(int64_t, n_dense_layers, MAY, PLAN) \
    X(int64_t, seq_len, MUST, PLAN) \
    X(int64_t, micro_batch, MUST, PLAN) \
    X(int64_t, global_batch, MUST, PLAN) \
    X(int64_t, tp, MUST, PLAN) \
    X(int64_t, pp, MUST, PLAN) \
    X(int64_t, vp, MAY, PLAN) \
    X(int64_t, cp, MAY, PLAN) \
    X(int64_t, ulysses, MAY, PLAN) \
    X(int64_t, ep, MAY, PLAN) \
    X(int64_t, etp, MAY, PLAN) \
    X(int64_t, dp, MAY, PLAN) \
    X(int64_t, sequence_parallel, MAY, PLAN) \
    X(int64_t, compile, MAY, PLAN) \
    X(int64_t, dp_overlap, MAY, PLAN) \
    X(int64_t, tp_overlap, MAY, PLAN) \
    X(const char *, reduce_dtype, MAY, PLAN) \
    X(int64_t, measured_peak_bytes, MAY, NOTE) \
    X(int64_t, oom, MAY, NOTE) \
    X(int64_t, usable_time, MAY, NOTE) \
    X(int64_t, usable_memory, MAY, NOTE) \
    X(int64_t, measured_reserved_bytes, MAY, NOTE) \
    X(double, measured_step_s, MAY, NOTE) /* 0 = not stated */ \
    X(const char *, allocator, MAY, PLAN) \
    X(const char *, loss, MAY, PLAN) \
    X(const char *, lora, MAY, PLAN) \
    X(const char *, lengths, MAY, PLAN) \
    X(const char *, layer_map, MAY, PLAN) /* "4|7|7|6" */ \
    X(double, host_time_factor, MAY, PLAN) /* 0 = usual */ \
    X(int64_t, launch_blocking, MAY, PLAN) \
    X(int64_t, gc_interval, MAY, PLAN)
/* clang-format on */

/** One row as it is written; texts point into the table. */
typedef struct exchange_run {
#define EXCHANGE_AS_MEMBER(type, column, need, part) type column;
    EXCHANGE_RUN_COLUMNS(EXCHANGE_AS_MEMBER)
#undef EXCHANGE_AS_MEMBER
} exchange_run;

/** What a run's framework is taken for. */
typedef struct exchange_framework {
    const char *profile;
    bool stands_in; /* it has no profile: the nearest one */
    int flash_from; /* year from which runs that do not say it used a fused
                       attention kernel */
} exchange_framework;

/** By the words of a run and its year; never NULL. */
const exchange_framework *exchange_framework_of(const exchange_run *row);

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

/** What the words of a row say: job, plan, meter and stage. */
bool exchange_corpus_words(
        const exchange_run *row, exchange_case *out, exchange_reason *reason);

/** Its columns: of p3d_measured_run. Reads the table and writes it. */
extern const json_shape exchange_evidence_shape;

#endif
