/* SPDX-License-Identifier: GPL-3.0-or-later */
/* legality_world.h - small models and clusters, and what the rules say about
 * plans for them; included by the tests of the rules. */
#ifndef PLAN3D_TESTS_LEGALITY_WORLD_H
#define PLAN3D_TESTS_LEGALITY_WORLD_H

#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/plan.h"
#include "spec/legality.h"

/* A problem of 64 GPUs that each test changes a little. */
typedef struct world {
    p3d_model model;
    p3d_cluster cluster;
    p3d_framework framework;
    p3d_job job;
} world;

static inline world dense(void)
{
    return (world){
            .model = {.hidden = 8192,
                    .n_layers = 80,
                    .n_heads = 64,
                    .n_kv_heads = 8,
                    .head_dim = 128,
                    .ffn = 28672,
                    .vocab = 32000,
                    .max_positions = 4096},
            .cluster = {.n_gpus = 64,
                    .n_nodes = 8,
                    .node = {.gpus_per_node = 8,
                            .gpus_per_nvlink_domain = 8,
                            .nics_per_node = 8,
                            .host_memory_bytes = INT64_C(1) << 40,
                            .host_memory_bytes_per_s = 4e11},
                    .fabric = {.nic_bytes_per_s_one_way = 25e9,
                            .latency_s = 1e-5,
                            .all_reduce_frac = 1,
                            .all_gather_frac = 1,
                            .p2p_frac = 1},
                    .gpu = {.name = "G",
                            .memory_bytes = INT64_C(80) << 30,
                            .visible_memory_bytes = INT64_C(79) << 30,
                            .hbm_bytes_per_s = 2e12,
                            .bf16_flop_per_s = 3e14,
                            .n_sms = 108,
                            .pcie_bytes_per_s_one_way = 25e9}},
            .framework = {.name = "all",
                    .zero_stages = 15,
                    .zero_stages_pipeline = 15,
                    .tensor_parallel = true,
                    .pipeline = true,
                    .schedules = (1u << P3D_N_SCHEDULES) - 1,
                    .context_parallel = true,
                    .expert_parallel = true,
                    .kv_replication = true,
                    .offload_zero_stages = 14,
                    .parameter_offload = true,
                    .uneven_stages = true,
                    .kernels = (1u << P3D_N_ATTENTIONS) - 1},
            .job = {.seq_len = 4096, .global_batch = 1024, .dtype = P3D_BF16},
    };
}

static inline world experts(void)
{
    world w = dense();

    w.model.n_experts = 64;
    w.model.top_k = 2;
    w.model.expert_ffn = 1408;
    w.model.shared_ffn = 2816;
    memset(w.model.layer_kind, P3D_LAYER_MOE, 80);
    return w;
}

/* True when legal; the plan must parse, legal or not. */
static inline bool ask(
        const world *w, const p3d_plan *plan, p3d_refusal *refusal)
{
    p3d_job job = w->job;

    job.framework = &w->framework;
    return p3d_plan_legal(&w->model, &w->cluster, &job, plan, refusal);
}

/* Rules that some test has seen broken. */
static bool seen[64];

static inline void see(const char *id)
{
    for (int i = 0; spec_rule_id(i) != NULL; i++) {
        if (strcmp(spec_rule_id(i), id) == 0)
            seen[i] = true;
    }
}

/* Rules on what is trained, and on how inputs and weights are shared out, whose
 * tests are a program of their own. */
static inline bool is_on_training(const char *id)
{
    static const char *const ids[] = {
            "S14", "E5", "B9", "B10", "B11", "S16", "S17", "S18", "S19", "F3"};

    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
        if (strcmp(ids[i], id) == 0)
            return true;
    }
    return false;
}

static inline void check_all_broken(bool on_training)
{
    for (int i = 0; spec_rule_id(i) != NULL; i++) {
        assert_true(spec_rule_words(i)[0] != '\0');
        if (!seen[i] && is_on_training(spec_rule_id(i)) == on_training)
            fail_msg("no test breaks rule %s", spec_rule_id(i));
    }
}

static inline void check_refused(const world *w, const p3d_plan *plan,
        const char *rule, const char *reason)
{
    p3d_refusal refusal = {0};

    assert_false(ask(w, plan, NULL));
    assert_false(ask(w, plan, &refusal));
    assert_string_equal(refusal.rule, rule);
    if (strcmp(refusal.reason, reason) != 0)
        print_error("got: %s\n", refusal.reason);
    assert_string_equal(refusal.reason, reason);
    see(rule);
}

static inline p3d_plan parse(const world *w, const char *words)
{
    p3d_plan plan = {0};
    p3d_error err = {0};

    if (!p3d_plan_parse(words, w->cluster.n_gpus, NULL, &plan, &err)) {
        print_error("'%s': %s\n", words, err.text);
        fail();
    }
    return plan;
}

static inline void refused(
        const world *w, const char *words, const char *rule, const char *reason)
{
    const p3d_plan plan = parse(w, words);

    check_refused(w, &plan, rule, reason);
}

static inline void legal(const world *w, const char *words)
{
    const p3d_plan plan = parse(w, words);
    p3d_refusal refusal = {.rule = "old", .reason = "old"};

    if (!ask(w, &plan, &refusal))
        fail_msg("%s: %s: %s", words, refusal.rule, refusal.reason);
    assert_null(refusal.rule);
    assert_string_equal(refusal.reason, "");
    assert_true(ask(w, &plan, NULL));
}

/* What B9 says of a model without a tower. */
#define NO_TOWER                                                          \
    " has no tower that plan3d knows, so that a sequence has no images; " \
    "leave out --images and --image-tokens"
#define NO_PARTS \
    " has none of the tower's parts that --freeze says; leave them out"

#endif
