/* SPDX-License-Identifier: GPL-3.0-or-later */
/* corpus_case.c - a measured run as a problem and a plan: model, cluster (GPU
 * by name, network by its text) and sizes. */
#include "exchange/runs/corpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "base/util.h"
#include "spec/hardware.h"
#include "spec/network.h"
#include "spec/sizes.h"
#include "json/field.h"

enum { MAX_RANKS = 1 << 24 };

/* The number that a row states, or what stands for it. */
static int stated_or(int64_t stated, int otherwise)
{
    return stated < 0           ? otherwise
           : stated > MAX_RANKS ? MAX_RANKS
                                : (int)stated;
}

enum { MAX_KNOWN = 64 };

struct exchange_hardware {
    int n_clusters;
    int n_fabrics;
    struct {
        char word[64];
        bool known;
        p3d_cluster cluster; /* of one GPU in its default node */
        p3d_node node;       /* the whole node */
    } clusters[MAX_KNOWN];
    struct {
        char name[48];
        bool known;
        p3d_fabric fabric;
    } fabrics[MAX_KNOWN];
};

exchange_hardware *exchange_hardware_create(p3d_error *err)
{
    exchange_hardware *const hardware = calloc(1, sizeof(*hardware));

    if (hardware == NULL)
        p3d_fail(err, P3D_SYSTEM, "out of memory");
    return hardware;
}

void exchange_hardware_destroy(exchange_hardware *hardware)
{
    free(hardware);
}

/* Index of a GPU's entry, made when it is new; -1 when there is no room. */
static int find_gpu(exchange_hardware *h, const char *gpu)
{
    const int n = h->n_clusters;
    p3d_cluster *cluster;
    char words[80];

    for (int i = 0; i < n; i++) {
        if (strcmp(h->clusters[i].word, gpu) == 0)
            return i;
    }
    if (n == MAX_KNOWN || strlen(gpu) >= sizeof(h->clusters[0].word))
        return -1;
    cluster = &h->clusters[n].cluster;
    snprintf(words, sizeof(words), "1x%s", gpu);
    p3d_copy(h->clusters[n].word, sizeof(h->clusters[n].word), gpu);
    h->clusters[n].known =
            gpu[0] != '\0' && p3d_cluster_find(words, cluster, NULL) &&
            spec_node_load(cluster->node.name, &h->clusters[n].node, NULL);
    return h->n_clusters++;
}

static const p3d_fabric *find_fabric(exchange_hardware *h, const char *name)
{
    int i = 0;

    while (i < h->n_fabrics && strcmp(h->fabrics[i].name, name) != 0)
        i++;
    if (i == MAX_KNOWN)
        return NULL;
    if (i == h->n_fabrics) {
        p3d_copy(h->fabrics[i].name, sizeof(h->fabrics[i].name), name);
        h->fabrics[i].known =
                spec_fabric_load(name, &h->fabrics[i].fabric, NULL);
        h->n_fabrics++;
    }
    return h->fabrics[i].known ? &h->fabrics[i].fabric : NULL;
}

/* The node's own network, changed by what the text says. */
static void set_network(const char *text, exchange_hardware *h, p3d_cluster *c)
{
    const spec_network network = spec_network_read(text);
    const p3d_fabric *fabric = NULL;
    const char *file;

    spec_network_share(&network, c);
    file = spec_network_file(network.kind, c->fabric.nic_bytes_per_s_one_way);
    if (file != NULL)
        fabric = find_fabric(h, file);
    if (fabric != NULL)
        c->fabric = *fabric;
}

/* GPU, nodes and network. */
static bool read_cluster(const exchange_run *row, exchange_hardware *hardware,
        p3d_cluster *out, exchange_reason *reason)
{
    const int i = find_gpu(hardware, row->gpu);
    int n_gpus;
    int per_node;

    if (i < 0 || !hardware->clusters[i].known)
        return exchange_corpus_refuse(
                reason, "GPU '%.40s' is not known", row->gpu);
    if (row->n_gpus < 1 || row->n_gpus > P3D_MAX_GPUS)
        return exchange_corpus_refuse(reason, "n_gpus is not stated");
    n_gpus = (int)row->n_gpus;
    per_node = stated_or(
            row->gpus_per_node, hardware->clusters[i].node.gpus_per_node);
    if (per_node < 1 || per_node > n_gpus)
        per_node = n_gpus;
    if (n_gpus % per_node != 0)
        return exchange_corpus_refuse(
                reason, "%d GPUs do not fill nodes of %d", n_gpus, per_node);
    *out = hardware->clusters[i].cluster;
    spec_cluster_shape(
            out, &hardware->clusters[i].node, n_gpus / per_node, per_node);
    set_network(row->interconnect, hardware, out);
    if (row->host_time_factor > 0)
        out->node.host_time_factor = row->host_time_factor;
    return true;
}

enum { MAX_TOKENS = 1 << 27 }; /* of a micro-batch */

/* What no prediction can do without. */
#define NEEDED(f, low, high)                                                \
    {                                                                       \
        .key = #f, .offset = JSON_AT(exchange_run, f, int64_t), .min = low, \
        .max = high                                                         \
    }
static const json_field needed[] = {NEEDED(hidden, 1, P3D_MAX_HIDDEN),
        NEEDED(n_layers, 1, P3D_MAX_LAYERS), NEEDED(n_heads, 1, P3D_MAX_HEADS),
        NEEDED(ffn, 1, P3D_MAX_FFN), NEEDED(gated_mlp, 0, 1),
        NEEDED(vocab, 1, P3D_MAX_VOCAB), NEEDED(seq_len, 1, 1 << 24)};

static bool check_sizes(const exchange_run *row, exchange_reason *reason)
{
    for (int i = 0; i < P3D_COUNT_OF(needed); i++) {
        int64_t value;

        memcpy(&value, (const char *)row + needed[i].offset, sizeof(value));
        if (value == EXCHANGE_NOT_STATED)
            return exchange_corpus_refuse(
                    reason, "%s is not stated", needed[i].key);
        if ((double)value < needed[i].min || (double)value > needed[i].max)
            return exchange_corpus_refuse(reason, "%s = %lld is not possible",
                    needed[i].key, (long long)value);
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
    m->rotary.kind =
            strstr(mla, "YaRN") != NULL ? P3D_ROTARY_YARN : P3D_ROTARY_PLAIN;
    if (strstr(mla, "sigmoid") != NULL) {
        m->router.score = P3D_SCORE_SIGMOID;
        m->router_correction = true;
    }
}

static bool read_experts(
        const exchange_run *row, p3d_model *m, exchange_reason *reason)
{
    int64_t shared_ffn;

    m->n_experts = stated_or(row->n_experts, 0);
    if (m->n_experts == 0)
        return true;
    m->top_k = stated_or(row->top_k, 0);
    m->expert_ffn = stated_or(row->moe_ffn, 0);
    if (m->top_k < 1 || m->top_k > m->n_experts || m->expert_ffn < 1)
        return exchange_corpus_refuse(
                reason, "top_k or moe_ffn of the experts is not stated");
    shared_ffn = p3d_mul(stated_or(row->n_shared_experts, 0), m->expert_ffn);
    if (m->n_experts > P3D_MAX_EXPERTS || m->expert_ffn > P3D_MAX_EXPERT_FFN ||
            shared_ffn > P3D_MAX_FFN)
        return exchange_corpus_refuse(reason, "the experts are not possible");
    m->shared_ffn = (int)shared_ffn;
    for (int i = stated_or(row->n_dense_layers, 0); i < m->n_layers; i++)
        m->layer_kind[i] = P3D_LAYER_MOE;
    return true;
}

/* Gated MLPs come with RMSNorm and without biases (LLaMA), the others with
 * LayerNorm, biases and a table of positions (GPT). */
static void read_family(const exchange_run *row, p3d_model *m)
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

/* Qwen3 has norms of queries and keys: arXiv:2505.09388 section 2. */
static bool has_qk_norm(const exchange_run *row)
{
    return strstr(row->notes, "qk-layernorm") != NULL ||
           strncasecmp(row->model, "qwen3", 5) == 0;
}

/* What no column says of GPT-OSS: models/gpt-oss-120b.json. */
static void read_gpt_oss(p3d_model *m)
{
    m->qkv_bias = m->o_bias = m->router_bias = m->expert_bias = true;
    m->clamped_experts = m->attention_sinks = true;
    m->window = 128;
    for (int i = 0; i < m->n_layers; i += 2)
        m->layer_kind[i] |= P3D_LAYER_WINDOWED;
}

static bool read_model(
        const exchange_run *row, p3d_model *out, exchange_reason *reason)
{
    p3d_model m = {0};

    if (!check_sizes(row, reason))
        return false;
    p3d_copy(m.name, sizeof(m.name), row->model);
    m.hidden = (int)row->hidden;
    m.n_layers = (int)row->n_layers;
    m.n_heads = (int)row->n_heads;
    m.n_kv_heads = stated_or(row->n_kv_heads, m.n_heads);
    m.head_dim = stated_or(row->head_dim, m.hidden / m.n_heads);
    m.ffn = (int)row->ffn;
    m.gated_mlp = row->gated_mlp != 0;
    m.vocab = (int)row->vocab;
    m.tied_embeddings = row->tied_embeddings == 1;
    if (m.n_kv_heads < 1 || m.n_kv_heads > m.n_heads || m.head_dim < 1 ||
            m.head_dim > P3D_MAX_HEAD_DIM)
        return exchange_corpus_refuse(
                reason, "n_kv_heads or head_dim is not possible");
    read_family(row, &m);
    if (has_qk_norm(row))
        m.qk_norm = P3D_QK_NORM_HEAD;
    if (strstr(row->notes, "activation=relu") != NULL)
        m.activation = P3D_ACTIVATION_RELU;
    read_latent(row->notes, &m);
    if (!read_experts(row, &m, reason))
        return false;
    if (strncasecmp(row->model, "GPT OSS", 7) == 0)
        read_gpt_oss(&m);
    *out = m;
    return true;
}

const char *exchange_assumed_words(int i)
{
    static const char *const words[] = {
#define P3D_AS_WORDS(name, text) text,
            EXCHANGE_CORPUS_ASSUMED(P3D_AS_WORDS)
#undef P3D_AS_WORDS
    };

    return i < EXCHANGE_N_ASSUMED ? words[i] : NULL;
}

/* Sizes of the plan; what is not stated is 1, dp is derived from the GPUs. */
static bool read_sizes(
        const exchange_run *row, p3d_plan *plan, exchange_reason *reason)
{
    int64_t per_replica;

    if (row->tp < 1 || row->pp < 1)
        return exchange_corpus_refuse(reason, "tp or pp is not stated");
    *plan = (p3d_plan){.tp = stated_or(row->tp, 1),
            .pp = stated_or(row->pp, 1),
            .cp = stated_or(row->cp, 1),
            .ulysses = stated_or(row->ulysses, 0),
            .vp = stated_or(row->vp, 1),
            .micro_batch = stated_or(row->micro_batch, 1)};
    if (plan->cp < 1 || plan->vp < 1)
        return exchange_corpus_refuse(reason, "cp or vp is 0");
    per_replica = p3d_mul(p3d_mul(plan->tp, plan->pp), plan->cp);
    plan->dp = stated_or(row->dp, (int)(row->n_gpus / per_replica));
    if (plan->dp < 1)
        return exchange_corpus_refuse(
                reason, "tp x pp x cp is more than n_gpus");
    plan->sequence_parallel = row->sequence_parallel == 1 && plan->tp > 1;
    return true;
}

/* Layers of each stage, "4|7|7|6": those between the ends are equal. */
static bool read_layer_map(
        const exchange_run *row, p3d_plan *plan, exchange_reason *reason)
{
    const char *at = row->layer_map;
    int64_t middle = 0;

    for (int i = 0; i < plan->pp && at != NULL && *at != '\0'; i++) {
        const int64_t n = strtoll(at, NULL, 10);

        if (i == 0)
            plan->first_layers = stated_or(n, 0);
        else if (i == plan->pp - 1)
            plan->last_layers = stated_or(n, 0);
        else if (i > 1 && n != middle)
            return exchange_corpus_refuse(
                    reason, "layer_map %.40s is not modelled", row->layer_map);
        middle = n;
        at = strchr(at, '|');
        if (at != NULL)
            at++;
    }
    return row->layer_map[0] == '\0' || (plan->last_layers > 0 && at == NULL) ||
           exchange_corpus_refuse(reason,
                   "layer_map %.40s is not one of %d stages", row->layer_map,
                   plan->pp);
}

/* Experts are not cut by default when they are spread (etp = 1), else as the
 * rest of the layer. */
static bool read_expert_ranks(
        const exchange_run *row, p3d_plan *plan, exchange_reason *reason)
{
    const bool has_experts = row->n_experts > 0;

    plan->ep = has_experts ? stated_or(row->ep, 1) : 1;
    if (plan->ep < 1)
        return exchange_corpus_refuse(reason, "ep is 0");
    plan->etp = has_experts && plan->ep > 1 ? stated_or(row->etp, 1) : plan->tp;
    if (plan->etp < 1)
        return exchange_corpus_refuse(reason, "etp is 0");
    return true;
}

bool exchange_corpus_convert(const exchange_run *row,
        exchange_hardware *hardware, exchange_case *out,
        exchange_reason *reason)
{
    exchange_case got = {0};
    p3d_problem *const problem = &got.problem;
    p3d_attention attention;
    p3d_dtype dtype;

    if (!read_model(row, &problem->model, reason) ||
            !read_cluster(row, hardware, &problem->cluster, reason) ||
            !read_sizes(row, &got.plan, reason) ||
            !read_expert_ranks(row, &got.plan, reason) ||
            !exchange_corpus_words(row, &got, reason) ||
            !read_layer_map(row, &got.plan, reason))
        return false;
    dtype = problem->job.dtype;
    attention = problem->job.attention;
    problem->job.fixed_dispatcher = true; /* that of the row, or all-to-all */
    p3d_job_default(&problem->job, &problem->model, &problem->cluster);
    problem->job.dtype = dtype; /* always stated; fp32 is kept by this alone */
    problem->job.attention = attention;
    p3d_job_default_attention(
            &problem->job, &problem->model, &problem->cluster.gpu);
    *out = got;
    return true;
}
