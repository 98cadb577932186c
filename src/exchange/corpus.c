/* SPDX-License-Identifier: GPL-3.0-or-later */
/* corpus.c - from a measured run to a problem and a plan. */
#include "exchange/corpus.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/util.h"
#include "exchange/corpus_parts.h"

enum { MAX_RANKS = 1 << 24 };

const char *p3d_assumed_words(int i)
{
    static const char *const words[] = {
#define P3D_AS_WORDS(name, text) text,
            P3D_CORPUS_ASSUMED(P3D_AS_WORDS)
#undef P3D_AS_WORDS
    };

    return i < P3D_N_ASSUMED ? words[i] : NULL;
}

bool p3d_corpus_refuse(p3d_corpus_reason *reason, const char *fmt, ...)
{
    char words[sizeof(reason->words)];
    va_list args;

    va_start(args, fmt);
    vsnprintf(words, sizeof(words), fmt, args);
    va_end(args);
    p3d_copy(reason->words, sizeof(reason->words), words);
    p3d_copy(reason->kind, sizeof(reason->kind), words);
    return false;
}

int p3d_corpus_or(int64_t stated, int otherwise)
{
    return stated < 0           ? otherwise
           : stated > MAX_RANKS ? MAX_RANKS
                                : (int)stated;
}

/* Sizes of the plan; what is not stated is 1, dp is derived from the GPUs. */
static bool read_sizes(
        const p3d_corpus_row *row, p3d_plan *plan, p3d_corpus_reason *reason)
{
    int64_t per_replica;

    if (row->tp < 1 || row->pp < 1)
        return p3d_corpus_refuse(reason, "tp or pp is not stated");
    *plan = (p3d_plan){.tp = p3d_corpus_or(row->tp, 1),
            .pp = p3d_corpus_or(row->pp, 1),
            .cp = p3d_corpus_or(row->cp, 1),
            .vp = p3d_corpus_or(row->vp, 1),
            .micro_batch = p3d_corpus_or(row->micro_batch, 1)};
    if (plan->cp < 1 || plan->vp < 1)
        return p3d_corpus_refuse(reason, "cp or vp is 0");
    per_replica = p3d_mul(p3d_mul(plan->tp, plan->pp), plan->cp);
    plan->dp = p3d_corpus_or(row->dp, (int)(row->n_gpus / per_replica));
    if (plan->dp < 1)
        return p3d_corpus_refuse(reason, "tp x pp x cp is more than n_gpus");
    plan->sequence_parallel = row->sequence_parallel == 1 && plan->tp > 1;
    return true;
}

/* Experts are not cut by default when they are spread (etp = 1), else as the
 * rest of the layer. */
static bool read_experts(
        const p3d_corpus_row *row, p3d_plan *plan, p3d_corpus_reason *reason)
{
    const bool has_experts = row->n_experts > 0;

    plan->ep = has_experts ? p3d_corpus_or(row->ep, 1) : 1;
    if (plan->ep < 1)
        return p3d_corpus_refuse(reason, "ep is 0");
    plan->etp =
            has_experts && plan->ep > 1 ? p3d_corpus_or(row->etp, 1) : plan->tp;
    if (plan->etp < 1)
        return p3d_corpus_refuse(reason, "etp is 0");
    return true;
}

bool p3d_corpus_convert(const p3d_corpus_row *row,
        p3d_corpus_hardware *hardware, p3d_corpus_case *out,
        p3d_corpus_reason *reason)
{
    p3d_corpus_case got = {0};
    p3d_problem *const problem = &got.problem;
    p3d_attention attention;
    p3d_dtype dtype;

    if (!p3d_corpus_model(row, &problem->model, reason) ||
            !p3d_corpus_cluster(row, hardware, &problem->cluster, reason) ||
            !read_sizes(row, &got.plan, reason) ||
            !read_experts(row, &got.plan, reason) ||
            !p3d_corpus_words(row, &got, reason))
        return false;
    dtype = problem->job.dtype;
    attention = problem->job.attention;
    p3d_job_default(&problem->job, &problem->model, &problem->cluster);
    problem->job.dtype = dtype; /* always stated; fp32 is kept by this alone */
    problem->job.attention = attention;
    p3d_job_default_attention(
            &problem->job, &problem->model, &problem->cluster.gpu);
    *out = got;
    return true;
}
