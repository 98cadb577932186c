/* SPDX-License-Identifier: GPL-3.0-or-later */
/* serving.c - how many GPUs serve a model, and the command that does. */
#include "exchange/launch/serving.h"

#include <math.h>
#include <string.h>

#include "base/util.h"
#include "exchange/launch/target_rows.h"
#include "plan3d/units.h"
#include "spec/layer.h"
#include "spec/params.h"

static const char *const types[P3D_N_DTYPES] = {[P3D_FP32] = "float32",
        [P3D_FP16] = "float16",
        [P3D_BF16] = "bfloat16",
        [P3D_FP8] = "bfloat16"};

/* clang-format off */
TEST(has_experts, l->model.n_experts > 0 && l->plan.tp > 1)
TEST(is_shared_out, l->plan.tp > 1)
TEST(is_fp8, l->job.dtype == P3D_FP8)

static const exchange_option vllm[] = {
    VALUE("tensor-parallel-size", plan.tp),
    VALUE_SHY("pipeline-parallel-size", plan.pp),
    VALUE_SHY("data-parallel-size", plan.dp),
    FIXED_WHEN("enable-expert-parallel", NULL, has_experts),
    WORD("dtype", job.dtype, types),
    FIXED_WHEN("quantization", "fp8", is_fp8),
    FIXED("gpu-memory-utilization", "0.92"),
    VALUE("max-model-len", job.seq_len),
};

static const exchange_option tensorrt[] = {
    VALUE("tp_size", plan.tp),
    VALUE_SHY("pp_size", plan.pp),
    VALUE_WHEN("ep_size", plan.ep, has_experts),
    VALUE("max_seq_len", job.seq_len),
    FIXED("kv_cache_free_gpu_memory_fraction", "0.9"),
};

static const exchange_option tgi[] = {
    RAW("model-id", "\"$MODEL\""),
    FIXED_WHEN("sharded", "true", is_shared_out),
    VALUE_WHEN("num-shard", plan.tp, is_shared_out),
    WORD("dtype", job.dtype, types),
    FIXED_WHEN("quantize", "fp8", is_fp8),
    VALUE("max-total-tokens", job.seq_len),
    FIXED("cuda-memory-fraction", "1.0"),
};
/* clang-format on */

static const exchange_server servers[] = {
        {.name = "vllm",
                .title = "vLLM",
                .versions = "vllm-project/vllm@00193b82",
                .program = "vllm serve \"$MODEL\"",
                .pipeline = true,
                .replicas = true,
                .memory_frac = 0.92,
                .drops_tokens = true,
                OPTIONS(vllm)},
        {.name = "tensorrt-llm",
                .title = "TensorRT-LLM",
                .versions = "NVIDIA/TensorRT-LLM v0.18.2",
                .program = "trtllm-serve \"$MODEL\"",
                .pipeline = true,
                .memory_frac = 0.9,
                .frac_after_weights = true,
                OPTIONS(tensorrt)},
        {.name = "tgi",
                .title = "text-generation-inference",
                .versions = "huggingface/text-generation-inference@db931fcf",
                .program = "text-generation-launcher",
                .memory_frac = 1,
                OPTIONS(tgi)},
};

const exchange_server *exchange_server_at(int i)
{
    return P3D_HAS(servers, i) ? &servers[i] : NULL;
}

const exchange_server *exchange_server_find(const char *name)
{
    for (int i = 0; i < P3D_COUNT_OF(servers); i++) {
        if (p3d_same_word(servers[i].name, name))
            return &servers[i];
    }
    return NULL;
}

/* CUDA context, communicators and workspaces of a serving process:
 * docs/assumptions.md A7, its upper end. */
static const double process_bytes = 2 * P3D_GIB;

/* The same of one layer. */
static double layer_cache_bytes(const p3d_model *model, int kind, int tp)
{
    const spec_layer has = spec_layer_of(kind);
    p3d_model room;
    const p3d_model *const m = spec_layer_model(model, kind, &room);
    const double k = m->n_kv_heads > tp ? (double)m->n_kv_heads / tp : 1;

    if (!has.attention || has.shares_kv)
        return 0;
    return p3d_model_is_mla(m) ? 2 * (m->kv_lora_rank + m->qk_rope_dim)
                               : 2 * 2 * k * m->head_dim;
}

/* Families whose configurations keep states in fp32. Source: their keys
 * mamba_ssm_dtype and mamba_ssm_cache_dtype, which vllm-project/vllm takes:
 * vllm/model_executor/models/config.py. */
static bool is_state_wide(const p3d_model *m)
{
    static const char *const families[] = {"qwen3_5", "nemotron_h"};

    for (int i = 0; i < P3D_COUNT_OF(families); i++)
        if (strncmp(m->family, families[i], strlen(families[i])) == 0)
            return true;
    return m->mixer.kind == P3D_MIXER_KDA;
}

static double layer_state_bytes(const p3d_model *m, int kind, int tp)
{
    const p3d_mixer *const x = &m->mixer;
    const spec_mixer w = spec_mixer_widths(m, tp);

    if (!spec_layer_mixes(m, kind))
        return 0;
    return (is_state_wide(m) ? 4.0 : 2.0) * (double)w.out * x->key_dim +
           2.0 * (double)w.taps * (x->taps > 1 ? x->taps - 1 : 0);
}

/* Kinds of what layers keep. */
enum { WHOLE, WINDOW, STATE, N_KEPT };

/* Of a stage: layers of each kind, and their bytes, of a token or a state. */
typedef struct stage_kept {
    int n[N_KEPT];
    double bytes[N_KEPT];
} stage_kept;

static void keep(stage_kept *stage, int what, double bytes)
{
    stage->n[what] += bytes > 0;
    stage->bytes[what] += bytes;
}

static int stage_layers(const p3d_model *m, int pp)
{
    return (int)p3d_ceil_div(m->n_layers, pp);
}

static stage_kept kept_from(const p3d_model *m, int tp, int pp, int first)
{
    const int end = first + stage_layers(m, pp);
    stage_kept stage = {{0}, {0}};

    for (int i = first; i < end && i < m->n_layers; i++) {
        const int kind = m->layer_kind[i];

        keep(&stage,
                spec_layer_of(kind).windowed && m->window > 0 ? WINDOW : WHOLE,
                layer_cache_bytes(m, kind, tp));
        keep(&stage, STATE, layer_state_bytes(m, kind, tp));
    }
    return stage;
}

/* The most over the stages of what is kept, each kind so many times. */
static double most_bytes(
        const p3d_model *m, int tp, int pp, const double times[N_KEPT])
{
    double most = 0;

    for (int first = 0; first < m->n_layers; first += stage_layers(m, pp)) {
        const stage_kept stage = kept_from(m, tp, pp, first);
        double bytes = 0;

        for (int i = 0; i < N_KEPT; i++)
            bytes += times[i] * stage.bytes[i];
        most = fmax(most, bytes);
    }
    return most;
}

double exchange_cache_bytes(const p3d_model *m, int tp, int pp)
{
    return most_bytes(m, tp, pp, (const double[N_KEPT]){1, 1, 0});
}

double exchange_state_bytes(const p3d_model *m, int tp, int pp)
{
    return most_bytes(m, tp, pp, (const double[N_KEPT]){0, 0, 1});
}

/* Tokens of a sequence in layers with a window. */
static double window_tokens(
        const exchange_server *server, const p3d_problem *problem)
{
    static const double large_bytes = 70 * P3D_GIB;
    static const int at_once[] = {2048, 8192}, block = 16;
    const p3d_gpu *const gpu = &problem->cluster.gpu;
    const bool is_large = (double)gpu->visible_memory_bytes >= large_bytes &&
                          strncmp(gpu->name, "A100", 4) != 0;
    const int length = problem->job.seq_len;
    const int most = problem->model.window - 1 + at_once[is_large ? 1 : 0];

    return !server->drops_tokens || most + block >= length ? length
                                                           : most + block;
}

/* Layers of a kind with those that fill its last group, by one of its own. */
static double filled(const stage_kept *stage, int what)
{
    int least = 0, most = 0;
    int group;

    for (int i = 0; i < N_KEPT; i++) {
        if (stage->n[i] > 0 && (least == 0 || stage->n[i] < least))
            least = stage->n[i];
        most = stage->n[i] > most ? stage->n[i] : most;
    }
    group = 2 * most < 3 * least ? most : least;
    return stage->n[what] == 0
                   ? 0
                   : (double)(p3d_ceil_div(stage->n[what], group) * group) /
                             stage->n[what];
}

double exchange_sequence_bytes(const exchange_server *server,
        const p3d_problem *problem, int tp, int pp)
{
    const p3d_model *const m = &problem->model;
    const stage_kept all = kept_from(m, tp, 1, 0);
    double times[N_KEPT] = {
            problem->job.seq_len, window_tokens(server, problem), 1};

    for (int i = 0; i < N_KEPT && server->drops_tokens; i++)
        times[i] *= filled(&all, i);
    return most_bytes(m, tp, pp, times);
}

/* Tables and the output matrix stay in 16 bit. Source: vllm-project/vllm
 * vllm/model_executor/layers/quantization/fp8.py (linear layers and experts),
 * text-generation-inference@db931fcf server/text_generation_server/layers/
 * tensor_parallel.py (TensorParallelHead). */
static double weights_bytes_of(const p3d_problem *problem)
{
    static const int ends[] = {P3D_BLOCK_EMBEDDING, P3D_BLOCK_HEAD};
    const p3d_model *const m = &problem->model;
    const double all = (double)p3d_total_params(m);
    double wide = 0;

    if (problem->job.dtype != P3D_FP8)
        return (problem->job.dtype == P3D_FP32 ? 4 : 2) * all;
    for (int i = 0; i < P3D_COUNT_OF(ends); i++)
        wide += (double)p3d_block_params(m, NULL, p3d_shard_whole(), ends[i])
                        .dense;
    return all + wide;
}

static bool divides_heads(const p3d_model *m, int tp)
{
    return m->n_heads % tp == 0 &&
           (m->n_kv_heads % tp == 0 || tp % m->n_kv_heads == 0);
}

/* Fill *out for some GPUs. @return true when one sequence has room */
static bool fits(const exchange_server *server, const p3d_problem *problem,
        int tp, int pp, exchange_serving *out)
{
    const double memory_bytes =
            (double)problem->cluster.gpu.visible_memory_bytes;
    const p3d_model *const m = &problem->model;
    const double weights_bytes = weights_bytes_of(problem) / tp / pp;
    const double cache_bytes = exchange_cache_bytes(m, tp, pp);
    const double state_bytes = exchange_state_bytes(m, tp, pp);
    const double each = exchange_sequence_bytes(server, problem, tp, pp);
    const int length = problem->job.seq_len;
    const double left_bytes = memory_bytes - process_bytes - weights_bytes;
    const double room_bytes =
            server->frac_after_weights
                    ? server->memory_frac * left_bytes
                    : left_bytes - (1 - server->memory_frac) * memory_bytes;

    *out = (exchange_serving){.tp = tp,
            .pp = pp,
            .dp = problem->cluster.n_gpus / (tp * pp),
            .weights_bytes = (int64_t)weights_bytes,
            .cache_bytes = cache_bytes,
            .state_bytes = state_bytes};
    if (window_tokens(server, problem) < length)
        out->window_bytes =
                most_bytes(m, tp, pp, (const double[N_KEPT]){0, 1, 0});
    if (room_bytes > 0)
        out->n_sequences = (int64_t)(room_bytes / each);
    out->room_tokens = state_bytes > 0 || out->window_bytes > 0
                               ? out->n_sequences * length
                       : room_bytes > 0 ? (int64_t)(room_bytes / cache_bytes)
                                        : 0;
    return out->n_sequences > 0;
}

/* What makes one token after the other, of a text alone. */
static bool check_serves(const exchange_server *server,
        const p3d_problem *problem, p3d_error *err)
{
    const p3d_model *const m = &problem->model;

    if (problem->job.dtype == P3D_NVFP4)
        return p3d_fail(err, P3D_DATA,
                "%s makes no nvfp4 weights of others as it starts; write "
                "--dtype fp8 or bf16",
                server->name);
    if (m->sees_all)
        return p3d_fail(err, P3D_DATA,
                "%s serves what writes a text token by token, which %s does "
                "not: its tokens see those behind them",
                server->name, m->name);
    return m->cross_width == 0 ||
           p3d_fail(err, P3D_DATA,
                   "%s attends to the output of an encoder, which is not in "
                   "the model: no command serves it",
                   m->name);
}

bool exchange_serving_find(const exchange_server *server,
        const p3d_problem *problem, exchange_serving *out, p3d_error *err)
{
    const p3d_cluster *const c = &problem->cluster;
    const int per_node = c->node.gpus_per_node;
    const int most = server->pipeline ? c->n_nodes : 1;

    if (!check_serves(server, problem, err))
        return false;
    for (int pp = 1; pp <= most && pp <= problem->model.n_layers; pp++) {
        for (int tp = 1; tp <= per_node; tp++) {
            if (per_node % tp == 0 && divides_heads(&problem->model, tp) &&
                    (pp == 1 || tp == per_node) &&
                    fits(server, problem, tp, pp, out))
                return true;
        }
    }
    return p3d_fail(err, P3D_NO,
            "%s does not fit: its weights and the cache of one sequence of %d "
            "tokens need more than %d x %s%s",
            problem->model.name, problem->job.seq_len, most * per_node,
            c->gpu.name, server->pipeline ? "" : ", the GPUs of a node");
}

static void put_room(
        const exchange_serving *s, const p3d_problem *problem, p3d_text *out)
{
    const int seq_len = problem->job.seq_len;
    char room[32];

    p3d_print_integer(room, sizeof(room), s->room_tokens);
    p3d_text_add(out,
            "# on each GPU: %.2f GiB of weights, %.4g KiB of cache a token",
            (double)s->weights_bytes / P3D_GIB, s->cache_bytes / 1024);
    if (s->window_bytes > 0)
        p3d_text_add(out, ", %.4g KiB\n# of it of the last %d tokens alone",
                s->window_bytes / 1024, problem->model.window);
    if (s->state_bytes > 0)
        p3d_text_add(out, ", %.4g MiB of\n# states a sequence",
                1024 * s->state_bytes / P3D_GIB);
    p3d_text_add(out,
            "; a copy of the\n"
            "# model has room for %s tokens, %lld sequences of %d\n",
            room, (long long)s->n_sequences, seq_len);
}

static void put_head(const exchange_server *server, const p3d_problem *problem,
        const exchange_serving *s, const char *about, p3d_text *out)
{
    p3d_text_add(out, "#!/bin/bash\n");
    exchange_comment_write(about, out);
    p3d_text_add(out, "# names of the options: %s\n", server->versions);
    put_room(s, problem, out);
    if (s->dp > 1 && !server->replicas)
        p3d_text_add(out,
                "# the cluster has GPUs for %d copies: run it as "
                "often\n",
                s->dp);
    if (s->pp > 1)
        p3d_text_add(out,
                "# over %d nodes: start it under Ray or mpirun, as "
                "its documentation says\n",
                s->pp);
    p3d_text_add(out, "set -eu\n"
                      "MODEL=${MODEL:?is the name or folder of the model}\n\n");
}

void exchange_serving_export(const exchange_server *server,
        const p3d_problem *problem, const exchange_serving *serving,
        const char *about, exchange_files *out)
{
    const exchange_table table = {.form = EXCHANGE_ARGUMENTS,
            .options = server->options,
            .n_options = server->n_options};
    const exchange_launch defaults = {
            .plan = {.tp = 1, .pp = 1, .dp = 1, .ep = 1}};
    const exchange_launch launch = {.model = problem->model,
            .job = problem->job,
            .plan = {.tp = serving->tp,
                    .pp = serving->pp,
                    .dp = serving->dp,
                    .ep = problem->model.n_experts > 0 ? serving->tp : 1}};
    p3d_text *const text = &out->at[0].text;

    out->n = 1;
    out->at[0].name = "serve.sh";
    out->at[0].executable = true;
    put_head(server, problem, serving, about, text);
    p3d_text_add(text, "ARGS=(\n");
    exchange_form_write(&table, &launch, &defaults, text);
    p3d_text_add(text, ")\n\nexec %s \"${ARGS[@]}\" \"$@\"\n", server->program);
}
