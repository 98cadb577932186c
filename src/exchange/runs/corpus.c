/* SPDX-License-Identifier: GPL-3.0-or-later */
/* corpus.c - from a measured run to a problem and a plan. */
#include "exchange/runs/corpus.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/util.h"
#include "exchange/runs/corpus_parts.h"
#include "spec/model_sizes.h"

enum { MAX_TOKENS = 1 << 27 }; /* of a micro-batch */

typedef struct size_column {
    const char *name;
    size_t offset;
    int64_t min;
    int64_t max;
} size_column;

/* What no prediction can do without. */
static const size_column needed[] = {
        {"hidden", offsetof(p3d_corpus_row, hidden), 1, P3D_MAX_HIDDEN},
        {"n_layers", offsetof(p3d_corpus_row, n_layers), 1, P3D_MAX_LAYERS},
        {"n_heads", offsetof(p3d_corpus_row, n_heads), 1, P3D_MAX_HEADS},
        {"ffn", offsetof(p3d_corpus_row, ffn), 1, P3D_MAX_FFN},
        {"gated_mlp", offsetof(p3d_corpus_row, gated_mlp), 0, 1},
        {"vocab", offsetof(p3d_corpus_row, vocab), 1, P3D_MAX_VOCAB},
        {"seq_len", offsetof(p3d_corpus_row, seq_len), 1, 1 << 24},
};

static bool check_sizes(const p3d_corpus_row *row, p3d_corpus_reason *reason)
{
    for (int i = 0; i < P3D_COUNT_OF(needed); i++) {
        int64_t value;

        memcpy(&value, (const char *)row + needed[i].offset, sizeof(value));
        if (value == P3D_NOT_STATED)
            return exchange_corpus_refuse(
                    reason, "%s is not stated", needed[i].name);
        if (value < needed[i].min || value > needed[i].max)
            return exchange_corpus_refuse(reason, "%s = %lld is not possible",
                    needed[i].name, (long long)value);
    }
    if (p3d_mul(row->seq_len, row->micro_batch > 0 ? row->micro_batch : 1) >
            MAX_TOKENS)
        return exchange_corpus_refuse(
                reason, "a micro-batch of more than %d tokens", MAX_TOKENS);
    return true;
}

/* The number after a word of the notes, or 0. */
static int number_after(const char *text, const char *word)
{
    const char *const at = strstr(text, word);
    int64_t value = 0;

    if (at != NULL)
        p3d_scan_whole(at + strlen(word), &value);
    return 0 < value && value <= P3D_MAX_HIDDEN ? (int)value : 0;
}

/* Latent attention has no columns; the notes say "MLA: q_lora 1536, ...". */
static void read_latent(const char *notes, p3d_model *m)
{
    const char *const mla = strstr(notes, "MLA:");

    if (mla == NULL)
        return;
    m->q_lora_rank = strncmp(mla, "MLA: no q_lora", 14) == 0
                             ? 0
                             : number_after(mla, "q_lora ");
    m->kv_lora_rank = number_after(mla, "kv_lora ");
    m->qk_nope_dim = number_after(mla, "qk_nope ");
    m->qk_rope_dim = number_after(mla, "qk_rope ");
    m->v_head_dim = number_after(mla, " v ");
}

static bool read_experts(
        const p3d_corpus_row *row, p3d_model *m, p3d_corpus_reason *reason)
{
    int64_t shared_ffn;

    m->n_experts = exchange_corpus_or(row->n_experts, 0);
    if (m->n_experts == 0)
        return true;
    m->top_k = exchange_corpus_or(row->top_k, 0);
    m->expert_ffn = exchange_corpus_or(row->moe_ffn, 0);
    if (m->top_k < 1 || m->top_k > m->n_experts || m->expert_ffn < 1)
        return exchange_corpus_refuse(
                reason, "top_k or moe_ffn of the experts is not stated");
    shared_ffn = p3d_mul(
            exchange_corpus_or(row->n_shared_experts, 0), m->expert_ffn);
    if (m->n_experts > P3D_MAX_EXPERTS || m->expert_ffn > P3D_MAX_EXPERT_FFN ||
            shared_ffn > P3D_MAX_FFN)
        return exchange_corpus_refuse(reason, "the experts are not possible");
    m->shared_ffn = (int)shared_ffn;
    for (int i = exchange_corpus_or(row->n_dense_layers, 0); i < m->n_layers;
            i++)
        m->layer_kind[i] = P3D_LAYER_MOE;
    return true;
}

/* Gated MLPs come with RMSNorm and without biases (LLaMA), the others with
 * LayerNorm, biases and a table of positions (GPT). */
static void read_family(const p3d_corpus_row *row, p3d_model *m)
{
    const bool is_gpt = row->gated_mlp == 0;

    m->norm_weights = is_gpt ? 2 : 1;
    m->n_norms = 2;
    m->final_norm = true;
    m->qkv_bias = is_gpt;
    m->o_bias = is_gpt;
    m->mlp_bias = is_gpt;
    m->max_positions = (int)row->seq_len;
    m->learned_positions = is_gpt ? (int)row->seq_len : 0;
}

static bool read_model(
        const p3d_corpus_row *row, p3d_model *out, p3d_corpus_reason *reason)
{
    p3d_model m = {0};

    if (!check_sizes(row, reason))
        return false;
    p3d_copy(m.name, sizeof(m.name), row->model);
    m.hidden = (int)row->hidden;
    m.n_layers = (int)row->n_layers;
    m.n_heads = (int)row->n_heads;
    m.n_kv_heads = exchange_corpus_or(row->n_kv_heads, m.n_heads);
    m.head_dim = exchange_corpus_or(row->head_dim, m.hidden / m.n_heads);
    m.ffn = (int)row->ffn;
    m.gated_mlp = row->gated_mlp != 0;
    m.vocab = (int)row->vocab;
    m.tied_embeddings = row->tied_embeddings == 1;
    if (m.n_kv_heads < 1 || m.n_kv_heads > m.n_heads || m.head_dim < 1 ||
            m.head_dim > P3D_MAX_HEAD_DIM)
        return exchange_corpus_refuse(
                reason, "n_kv_heads or head_dim is not possible");
    read_family(row, &m);
    if (strstr(row->notes, "qk-layernorm") != NULL)
        m.qk_norm = P3D_QK_NORM_HEAD;
    read_latent(row->notes, &m);
    if (!read_experts(row, &m, reason))
        return false;
    *out = m;
    return true;
}

enum { MAX_RANKS = 1 << 24 };

const char *exchange_assumed_words(int i)
{
    static const char *const words[] = {
#define P3D_AS_WORDS(name, text) text,
            P3D_CORPUS_ASSUMED(P3D_AS_WORDS)
#undef P3D_AS_WORDS
    };

    return i < P3D_N_ASSUMED ? words[i] : NULL;
}

bool exchange_corpus_refuse(p3d_corpus_reason *reason, const char *fmt, ...)
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

int exchange_corpus_or(int64_t stated, int otherwise)
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
        return exchange_corpus_refuse(reason, "tp or pp is not stated");
    *plan = (p3d_plan){.tp = exchange_corpus_or(row->tp, 1),
            .pp = exchange_corpus_or(row->pp, 1),
            .cp = exchange_corpus_or(row->cp, 1),
            .vp = exchange_corpus_or(row->vp, 1),
            .micro_batch = exchange_corpus_or(row->micro_batch, 1)};
    if (plan->cp < 1 || plan->vp < 1)
        return exchange_corpus_refuse(reason, "cp or vp is 0");
    per_replica = p3d_mul(p3d_mul(plan->tp, plan->pp), plan->cp);
    plan->dp = exchange_corpus_or(row->dp, (int)(row->n_gpus / per_replica));
    if (plan->dp < 1)
        return exchange_corpus_refuse(
                reason, "tp x pp x cp is more than n_gpus");
    plan->sequence_parallel = row->sequence_parallel == 1 && plan->tp > 1;
    return true;
}

/* Experts are not cut by default when they are spread (etp = 1), else as the
 * rest of the layer. */
static bool read_expert_ranks(
        const p3d_corpus_row *row, p3d_plan *plan, p3d_corpus_reason *reason)
{
    const bool has_experts = row->n_experts > 0;

    plan->ep = has_experts ? exchange_corpus_or(row->ep, 1) : 1;
    if (plan->ep < 1)
        return exchange_corpus_refuse(reason, "ep is 0");
    plan->etp = has_experts && plan->ep > 1 ? exchange_corpus_or(row->etp, 1)
                                            : plan->tp;
    if (plan->etp < 1)
        return exchange_corpus_refuse(reason, "etp is 0");
    return true;
}

bool exchange_corpus_convert(const p3d_corpus_row *row,
        p3d_corpus_hardware *hardware, p3d_corpus_case *out,
        p3d_corpus_reason *reason)
{
    p3d_corpus_case got = {0};
    p3d_problem *const problem = &got.problem;
    p3d_attention attention;
    p3d_dtype dtype;

    if (!read_model(row, &problem->model, reason) ||
            !exchange_corpus_cluster(
                    row, hardware, &problem->cluster, reason) ||
            !read_sizes(row, &got.plan, reason) ||
            !read_expert_ranks(row, &got.plan, reason) ||
            !exchange_corpus_words(row, &got, reason))
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
