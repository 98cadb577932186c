/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_shares.c - the shares of a plan's ranks make up the model. */
#include "random_plan.h"

#include "plan3d/catalog.h"

/* Of what mixes tokens without attention: the norm of a head's outputs of the
 * delta rule and of KDA (that of Mamba-2 and of lightning attention is over all
 * heads), KDA's low-rank down-projections, Mamba's norms of step sizes, B and
 * C. */
static int64_t copied_of_mixer(const p3d_model *m)
{
    const p3d_mixer *const x = &m->mixer;

    if (x->kind == P3D_MIXER_MAMBA)
        return x->norm ? x->rank + 2 * (int64_t)x->key_dim : 0;
    if (x->kind != P3D_MIXER_DELTA && x->kind != P3D_MIXER_KDA)
        return 0;
    return x->value_dim +
           (x->kind == P3D_MIXER_KDA ? 2 * (int64_t)m->hidden * x->rank : 0);
}

/* Biases behind the output, norms of queries and keys, the latent
 * down-projections of MLA, the indexer. */
static int64_t copied_of_attention(const p3d_model *m, int kind)
{
    const bool all = m->full_head_dim > 0 && (kind & P3D_LAYER_WINDOWED) == 0;
    const int64_t h = m->hidden, n = m->norm_weights;
    const int64_t d = all ? m->full_head_dim : m->head_dim;
    const int64_t a = m->index_heads, i = m->index_dim;
    int64_t sum = m->o_bias ? h : 0;

    if (m->qk_norm == P3D_QK_NORM_HEAD)
        sum += ((kind & P3D_LAYER_SHARES_KV) != 0 ? 1 : 2) * d * n;
    if (m->qk_norm == P3D_QK_NORM_FULL)
        sum += (m->n_heads + m->n_kv_heads) * d * n;
    if (!p3d_model_is_mla(m))
        return sum + ((kind & P3D_LAYER_WINDOWED) != 0
                                     ? (a > 0 ? h * (a + 1) * i + 2 * i : 0)
                                     : 0);
    sum += (h + 1) * m->q_lora_rank + (h + 1) * m->kv_lora_rank +
           h * m->qk_rope_dim;
    if (a > 0)
        sum += m->q_lora_rank * a * i + h * i + 2 * i + h * a;
    if (m->qkv_bias)
        sum += m->q_lora_rank + m->kv_lora_rank + m->qk_rope_dim;
    return sum;
}

/* Parameters of a layer that every tensor-parallel rank holds a copy of:
 * norms, what of its mixer or attention is whole, biases behind row-parallel
 * products, the router. */
static int64_t copied_params(const p3d_model *m, int kind)
{
    const int64_t h = m->hidden, E = m->n_experts;
    int64_t sum = m->n_norms * h * m->norm_weights + m->layer_scales +
                  2 * h * (m->layer_embedding + m->bypass_rank);

    if (m->side_streams > 0) {
        const int64_t S = m->side_streams + 1;

        sum += S * (h + S + S * S);
    }

    if ((kind & P3D_LAYER_NO_MIXING) == P3D_LAYER_MIXER)
        sum += copied_of_mixer(m);
    else if ((kind & P3D_LAYER_NO_MIXING) != P3D_LAYER_NO_MIXING)
        sum += copied_of_attention(m, kind);
    if ((kind & P3D_LAYER_NO_MLP) != 0)
        return sum;
    if ((kind & P3D_LAYER_MOE) == 0)
        return sum + (m->mlp_bias ? h : 0);
    sum += h * E + (m->router_bias ? E : 0) + (m->router_correction ? E : 0);
    sum += m->shared_gate ? h : 0;
    sum += 2 * h * m->expert_latent;
    return sum + (m->shared_ffn > 0 && m->mlp_bias ? h : 0);
}

static bool divisible(const p3d_model *m, int tp)
{
    return m->n_heads % tp == 0 &&
           (p3d_model_is_mla(m) || m->n_kv_heads % tp == 0) &&
           m->full_kv_heads % tp == 0 && m->mixer.key_heads % tp == 0 &&
           m->ffn % tp == 0 && m->shared_ffn % tp == 0 &&
           m->expert_ffn % tp == 0;
}

static int check_layer(const p3d_model *m, int kind, int tp, int ep, int etp)
{
    const p3d_shard shard = {
            .tp = tp, .cp = 1, .ep = ep, .etp = etp, .micro_batch = 1};
    const p3d_params share = p3d_block_params(m, NULL, shard, kind);
    const p3d_params whole = p3d_block_params(m, NULL, p3d_shard_whole(), kind);
    /* Biases behind the down-projection are whole on each of the etp ranks. */
    const int64_t copies =
            m->expert_bias && (kind & P3D_LAYER_MOE) != 0
                    ? (etp - 1) * (int64_t)m->n_experts * m->hidden
                    : 0;

    assert_int_equal(
            tp * share.dense, whole.dense + (tp - 1) * copied_params(m, kind));
    assert_int_equal((int64_t)ep * etp * share.experts, whole.experts + copies);
    return 1;
}

static int check_layers(const p3d_model *m)
{
    int n = 0;

    for (int kind = 0; kind < P3D_N_LAYER_KINDS; kind++) {
        if (p3d_model_count_layers(m, kind) == 0)
            continue;
        for (int tp = 1; tp <= 8; tp *= 2) {
            if (!divisible(m, tp))
                continue;
            for (int ep = 1; ep <= 8; ep *= 2) {
                if (m->n_experts % ep != 0 || (m->n_experts == 0 && ep > 1))
                    continue;
                n += check_layer(m, kind, tp, ep, tp);
                n += check_layer(m, kind, tp, ep, 1);
            }
        }
    }
    return n;
}

static void each_model(void (*check)(const char *path))
{
    p3d_catalog catalog;
    p3d_error err = {0};

    problem_check(p3d_catalog_open(P3D_MODELS, &catalog, &err), &err);
    for (int i = 0; i < catalog.n_names; i++) {
        char path[1200];

        p3d_catalog_path(&catalog, i, path, sizeof(path));
        check(path);
    }
    p3d_catalog_free(&catalog);
}

static void check_layers_of(const char *path)
{
    p3d_model model;
    p3d_error err = {0};

    problem_check(p3d_model_load(path, &model, &err), &err);
    assert_true(check_layers(&model) > 0);
}

static void the_shards_of_a_layer_sum_to_it(void **state)
{
    (void)state;
    each_model(check_layers_of);
}

/* The sum over pipeline ranks with tp = ep = 1: the model's parameters, the
 * padded rows of embedding and head, and a copy of a tied matrix. */
static int check_stages(p3d_problem *problem, int pp)
{
    const p3d_model *m = &problem->model;
    const p3d_plan plan = {.tp = 1,
            .pp = pp,
            .dp = 1,
            .cp = 1,
            .ep = 1,
            .etp = 1,
            .vp = 1,
            .micro_batch = 1};
    const int64_t vocab = p3d_padded_vocab(m, problem->job.framework, 1);
    const int64_t width =
            m->embedding_width > 0 ? m->embedding_width : m->hidden;
    const int64_t padding = vocab - m->vocab;
    int64_t want = p3d_total_params(m) + padding * width;
    int64_t sum = 0;

    problem->cluster.n_gpus = pp;
    if (!p3d_plan_legal(m, &problem->cluster, &problem->job, &plan, NULL))
        return 0;
    for (int rank = 0; rank < pp; rank++) {
        const p3d_params share = problem_stage(problem, &plan, rank).params;

        sum += share.dense + share.experts;
    }
    want += m->tied_embeddings ? 0 : padding * width;
    want += m->head_bias ? padding : 0;
    want += m->tied_embeddings && pp > 1 ? vocab * width : 0;
    assert_int_equal(sum, want);
    return 1;
}

static void check_stages_of(const char *path)
{
    p3d_problem problem = problem_of(path, "8xH100", "megatron-core", 512, 64);
    int n_checked = 0;

    problem.job.no_images = true; /* they do not fit in so short a sequence */
    for (int pp = 1; pp <= 32; pp++)
        n_checked += check_stages(&problem, pp);
    /* What its layers take of the token no pipeline hands on. */
    assert_true(n_checked >= (problem.model.layer_embedding > 0 ? 1 : 2));
}

static void the_stages_sum_to_the_model(void **state)
{
    (void)state;
    each_model(check_stages_of);
}

static void every_layer_lies_on_one_stage(void **state)
{
    random_source r = {11};

    (void)state;
    for (int i = 0; i < N_RANDOM_PROBLEMS; i++) {
        const p3d_problem problem = random_problem(i, "generic");

        for (int j = 0; j < 50; j++) {
            const p3d_plan plan = random_plan(&r, &problem);
            int n = 0;

            for (int rank = 0; rank < plan.pp; rank++)
                n += problem_stage(&problem, &plan, rank).n_layers;
            CHECK_PLAN(&problem, &plan, n == problem.model.n_layers);
        }
    }
}

/* A replica's micro-batch on one rank, times the ranks that share it. */
static void operations_are_shared_out_without_loss(void **state)
{
    static const int sizes[][4] = {{2, 1, 1, 2}, {8, 1, 1, 8}, {1, 4, 1, 1},
            {2, 2, 2, 2}, {2, 1, 4, 1}, {4, 2, 8, 4}};
    int n_checked = 0;

    (void)state;
    for (int i = 0; i < N_RANDOM_PROBLEMS; i++) {
        const p3d_problem problem = random_problem(i, "generic");
        const p3d_model *m = &problem.model;

        for (int j = 0; j < 6; j++) {
            const int *s = sizes[j];
            p3d_shard shard = {s[0], s[1], s[2], s[3], 1, s[0] > 1, 0, 0};
            p3d_blocks part, whole;
            const int kind = m->layer_kind[m->n_layers - 1];

            if (!divisible(m, s[0]) || m->n_kv_heads % s[0] != 0 ||
                    (m->n_experts == 0 && s[2] > 1) ||
                    (m->n_experts > 0 && s[2] == 1 && s[3] != s[0]) ||
                    p3d_model_is_mla(m))
                continue;
            p3d_blocks_build(&problem, shard, &part);
            p3d_blocks_build(&problem, p3d_shard_whole(), &whole);
            CHECK_REL(s[0] * s[1] *
                              part.block[kind].replay_flop[P3D_RECOMPUTE_FULL],
                    whole.block[kind].replay_flop[P3D_RECOMPUTE_FULL], 1e-9);
            n_checked++;
        }
    }
    assert_true(n_checked >= 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_shards_of_a_layer_sum_to_it),
            cmocka_unit_test(the_stages_sum_to_the_model),
            cmocka_unit_test(every_layer_lies_on_one_stage),
            cmocka_unit_test(operations_are_shared_out_without_loss),
    };

    return cmocka_run_group_tests_name("shares", tests, NULL, NULL);
}
