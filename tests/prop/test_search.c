/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_search.c - the search finds what trying every plan finds. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/plan3d.h"

/** A small problem; memory is cut so that some plans do not fit. */
typedef struct small_problem {
    const char *cluster;
    int hidden, n_layers, n_heads, n_kv_heads, n_experts;
    int seq_len, global_batch;
    double visible_gib;
    const char *framework;
    p3d_attention attention;
    double host_gib; /* 0 = that of the node */
} small_problem;

#define CORE "megatron-core"
#define ZB   "megatron-zero-bubble"
/* clang-format off */
static const small_problem problems[] = {
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16, 80, CORE, P3D_FLASH, 0},
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16, 8, CORE, P3D_FLASH, 0},
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16, 6, CORE, P3D_FLASH, 0},
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16, 5, CORE, P3D_FLASH, 0},
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16, 4, CORE, P3D_FLASH, 0},
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16, 3, CORE, P3D_FLASH, 0},
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16, 8, CORE, P3D_EAGER, 0},
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16, 6, CORE, P3D_EAGER, 0},
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16, 5, "deepspeed", P3D_FLASH, 0},
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16, 4, "deepspeed", P3D_FLASH, 0},
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16, 4, "deepspeed", P3D_FLASH, 4},
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16, 5, "fsdp2", P3D_FLASH, 0},
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16, 4, "fsdp2", P3D_FLASH, 0},
    {"2xA100", 1024, 5, 8, 8, 0, 2048, 4, 1.7, "generic", P3D_FLASH, 0},
    {"2xA100", 1024, 5, 8, 8, 0, 2048, 4, 2, "generic", P3D_EAGER, 0},
    {"2x2xA100", 1024, 3, 8, 8, 0, 2048, 4, 1.5, "generic", P3D_FLASH, 0},
    {"16xA800", 2048, 6, 16, 4, 0, 4096, 8, 4, CORE, P3D_FLASH, 0},
    {"16xA800", 2048, 6, 16, 4, 0, 4096, 24, 5, "fsdp2", P3D_FLASH, 0},
    {"16xA800", 2048, 6, 16, 4, 0, 4096, 24, 4, "fsdp2", P3D_FLASH, 0},
    {"3x2xH100", 1536, 5, 12, 12, 0, 2048, 12, 2.5, CORE, P3D_FLASH, 0},
    {"3x2xH100", 1536, 9, 12, 12, 0, 2048, 12, 3, CORE, P3D_FLASH, 0},
    {"3x2xH100", 1536, 10, 12, 6, 0, 2048, 12, 3, "deepspeed", P3D_FLASH, 0},
    {"2x2xH100", 1024, 6, 8, 8, 0, 2048, 8, 2, CORE, P3D_FLASH, 0},
    {"4xH100", 1024, 4, 8, 8, 4, 2048, 8, 2, CORE, P3D_FLASH, 0},
    {"4xH100", 1024, 4, 8, 8, 4, 2048, 8, 3, CORE, P3D_FLASH, 0},
    {"2x2xH100", 1024, 4, 8, 8, 8, 2048, 8, 2, CORE, P3D_FLASH, 0},
    {"2x2xH100", 1024, 4, 8, 2, 8, 2048, 8, 3, CORE, P3D_FLASH, 0},
    {"4xH100", 1024, 3, 8, 8, 4, 2048, 8, 2, "fsdp2", P3D_FLASH, 0},
    {"4xH100", 1024, 2, 8, 8, 2, 2048, 2, 1.7, "generic", P3D_FLASH, 0},
    {"4xA100", 1024, 4, 8, 8, 0, 2048, 8, 2, "megatron-kwai", P3D_FLASH, 0},
    {"4xA100", 1024, 6, 8, 8, 0, 2048, 8, 1.7, "torchtune", P3D_FLASH, 0},
    {"4xL40S", 2048, 8, 16, 16, 0, 2048, 8, 12, CORE, P3D_FLASH, 0},
    {"8xA100", 1024, 8, 8, 8, 0, 2048, 8, 4, "nanotron", P3D_FLASH, 0},
    {"1xA100", 1024, 4, 8, 8, 0, 1024, 4, 4, CORE, P3D_FLASH, 0},
    {"8xA100", 1024, 6, 8, 8, 0, 2048, 8, 2, ZB, P3D_FLASH, 0},
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16, 2, CORE, P3D_FLASH, 0},
};

/** Long sequences on few GPUs, which NVLink joins: rings of groups that trade
 *  heads are tried with every number of context-parallel ranks. */
static const small_problem mixed[] = {
    {"4xH100", 1024, 2, 8, 2, 0, 32768, 1, 80, CORE, P3D_FLASH, 0},
    {"4xA100", 768, 3, 6, 6, 0, 65536, 1, 12, CORE, P3D_FLASH, 0},
    {"8xH100", 2048, 2, 16, 4, 0, 131072, 1, 20, CORE, P3D_FLASH, 0},
    {"8xA800", 1024, 2, 16, 16, 0, 65536, 1, 12, "generic", P3D_FLASH, 0},
};
/* clang-format on */

static void build(const small_problem *s, p3d_problem *p)
{
    p3d_error err = {.code = P3D_OK};
    p3d_model *m = &p->model;

    memset(p, 0, sizeof(*p));
    assert_true(p3d_cluster_find(s->cluster, &p->cluster, &err));
    p->cluster.gpu.visible_memory_bytes = (int64_t)(s->visible_gib * P3D_GIB);
    if (s->host_gib > 0)
        p->cluster.node.host_memory_bytes = (int64_t)(s->host_gib * P3D_GIB);
    m->hidden = s->hidden;
    m->n_layers = s->n_layers;
    m->n_heads = s->n_heads;
    m->n_kv_heads = s->n_kv_heads;
    m->head_dim = s->hidden / s->n_heads;
    m->ffn = 4 * s->hidden;
    m->gated_mlp = true;
    m->vocab = 32000;
    m->max_positions = 1 << 20;
    m->norm_weights = 1;
    m->n_norms = 2;
    m->final_norm = true;
    if (s->n_experts > 0) {
        m->n_experts = s->n_experts;
        m->top_k = 2;
        m->expert_ffn = s->hidden;
        memset(m->layer_kind, P3D_LAYER_MOE, (size_t)s->n_layers);
        m->layer_kind[0] = 0;
    }
    p->job.seq_len = s->seq_len;
    p->job.global_batch = s->global_batch;
    p->job.framework = p3d_framework_find(s->framework);
    p->job.attention = s->attention;
    p3d_job_default(&p->job, &p->model, &p->cluster);
    p->job.sure_reserve_bytes = 0;
}

/** Compare the search of a problem with looking at every plan.
 *  @return whether a plan fits */
static bool check_search(const p3d_problem *p, size_t i)
{
    p3d_search_result *r = malloc(sizeof(*r));
    const p3d_pins pins = p3d_pins_free();
    p3d_error err = {.code = P3D_OK};
    p3d_verification b;

    assert_non_null(r);
    assert_true(p3d_verify(p, &pins, NULL, &b, &err));
    assert_true(p3d_search(p, &pins, 1, r, &err));
    if (r->n_plans != b.n_plans || (r->n_top > 0) != b.have_best)
        print_error("problem %zu: %lld plans, %lld by brute force; %lld fit\n",
                i, (long long)r->n_plans, (long long)b.n_plans,
                (long long)b.n_fitting);
    assert_int_equal(r->n_plans, b.n_plans);
    assert_int_equal(r->n_plans,
            r->n_cut + r->n_too_large + r->n_dominated + r->n_evaluated);
    assert_true(r->n_too_large <= b.n_plans - b.n_fitting);
    assert_true(r->n_feasible <= b.n_fitting);
    assert_int_equal(r->n_top > 0, b.have_best);
    if (b.have_best) {
        if (p3d_time_step_s(&r->top[0].time) != p3d_time_step_s(&b.best.time)) {
            char x[256], y[256];
            print_error("problem %zu: %s %.9g, but %s %.9g\n", i,
                    p3d_plan_print(&r->top[0].plan, x, sizeof(x)),
                    p3d_time_step_s(&r->top[0].time),
                    p3d_plan_print(&b.best.plan, y, sizeof(y)),
                    p3d_time_step_s(&b.best.time));
        }
        assert_true(p3d_time_step_s(&r->top[0].time) ==
                    p3d_time_step_s(&b.best.time));
        assert_true(r->floor_s <= p3d_time_step_s(&b.best.time));
        assert_true(r->cut_s == 0 || r->cut_s >= p3d_time_step_s(&b.best.time));
    } else {
        assert_true(r->have_closest);
    }
    free(r);
    return b.have_best;
}

static void the_search_finds_the_best_of_all_plans(void **state)
{
    int n_with_answer = 0;

    (void)state;
    for (size_t i = 0; i < P3D_COUNT_OF(problems); i += TEST_SELDOM) {
        p3d_problem p;

        build(&problems[i], &p);
        n_with_answer += check_search(&p, i);
    }
    assert_in_range(
            n_with_answer, 30 / TEST_SELDOM, P3D_COUNT_OF(problems) - 1);
}

static void so_it_does_when_experts_overlap(void **state)
{
    int n_with_answer = 0;

    (void)state;
    for (size_t i = 0; i < P3D_COUNT_OF(problems); i += TEST_SELDOM) {
        p3d_problem p;

        build(&problems[i], &p);
        if (p.model.n_experts == 0 || !p.job.framework->expert_overlap)
            continue;
        p.job.dispatcher = P3D_DISPATCH_DEEPEP;
        p.job.expert_overlap = true;
        n_with_answer += check_search(&p, i);
    }
    assert_true(n_with_answer >= 4 / TEST_SELDOM);
}

/** Plans by brute force with some values fixed. */
static int64_t n_plans_with(const p3d_problem *p, const char *words)
{
    p3d_error err = {.code = P3D_OK};
    p3d_verification b;
    p3d_pins pins;

    assert_true(p3d_pins_parse(words, &pins, &err));
    assert_true(p3d_verify(p, &pins, NULL, &b, &err));
    return b.n_plans;
}

/** No exchange is left out of a search: where it is free there are as many
 *  plans as with each of them. */
static void check_exchanges(const p3d_problem *p, int64_t n_plans)
{
    for (int ranks = 1; ranks <= p->cluster.n_gpus; ranks++) {
        char words[24];

        snprintf(words, sizeof(words), "ulysses=%d", ranks);
        n_plans -= n_plans_with(p, words);
    }
    assert_int_equal(n_plans, 0);
    assert_true(n_plans_with(p, "cp=4,ulysses=2") > 0);
}

static bool is_mixed(const p3d_plan *plan)
{
    return plan->ulysses > 1 && plan->ulysses < plan->cp;
}

static void so_it_does_when_rings_trade_heads(void **state)
{
    int n_mixed = 0;

    (void)state;
    for (size_t i = 0; i < P3D_COUNT_OF(mixed); i++) {
        p3d_search_result *r = malloc(sizeof(*r));
        const p3d_pins pins = p3d_pins_free();
        p3d_error err = {.code = P3D_OK};
        p3d_problem p;

        assert_non_null(r);
        build(&mixed[i], &p);
        (void)check_search(&p, i);
        assert_true(p3d_search(&p, &pins, 1, r, &err));
        check_exchanges(&p, r->n_plans);
        n_mixed += r->n_top > 0 && is_mixed(&r->top[0].plan);
        free(r);
    }
    assert_true(n_mixed >= 3); /* the best where heads are few or odd */
}

static void so_it_does_when_weights_may_be_late(void **state)
{
    int n_late = 0;

    (void)state;
    for (size_t i = 0; i < P3D_COUNT_OF(problems); i += TEST_SELDOM) {
        p3d_problem p;

        build(&problems[i], &p);
        if ((p.job.framework->schedules >> P3D_2BW & 1) == 0)
            continue;
        p.job.asynchronous = true;
        n_late += check_search(&p, i);
    }
    assert_true(n_late >= 3 / TEST_SELDOM);
}

static void so_it_does_when_nodes_may_be_idle(void **state)
{
    p3d_problem p;

    (void)state;
    build(&problems[20], &p);
    assert_int_equal(p.cluster.n_nodes, 3);
    p.job.max_idle_nodes = 2;
    assert_true(check_search(&p, 20));
}

/* A search with pins counts the plans and finds the time that trying every
 * plan does. @return whether any fits */
static bool check_pinned(const p3d_problem *p, const char *words,
        p3d_search_result *r, p3d_verification *all)
{
    p3d_error err = {.code = P3D_OK};
    p3d_pins pins;

    assert_true(p3d_pins_parse(words, &pins, &err));
    assert_true(p3d_search(p, &pins, 1, r, &err));
    assert_true(p3d_verify(p, &pins, NULL, all, &err));
    assert_int_equal(r->n_plans, all->n_plans);
    assert_true(all->n_plans > 0);
    assert_int_equal(r->n_top > 0, all->have_best);
    if (all->have_best)
        assert_true(p3d_time_step_s(&r->top[0].time) ==
                    p3d_time_step_s(&all->best.time));
    return all->have_best;
}

static void so_it_does_with_values_that_are_fixed(void **state)
{
    static const char *const pins[] = {"schedule=1f1b", "nosp", "first=2",
            "last=1,pp=2", "first=3", "uneven", "vp=2,last=3",
            "vp=2,first=1,last=2", "vp=2,tail=head", "vp=2,first=1,short=1",
            "vp=2,first=1,tail=head", "vp=2,last=1,short=2", "shard=2",
            "order=tp-cp-ep-pp-dp", "recompute=full:2",
            "recompute=selective:mlp", "offload=optimizer:0.3", "offload=none",
            "recompute=selective"};

    (void)state;
    for (size_t i = 0; i < P3D_COUNT_OF(pins); i += TEST_SELDOM) {
        p3d_search_result *r = malloc(sizeof(*r));
        p3d_verification b;
        p3d_problem p;

        assert_non_null(r);
        build(&problems[20], &p);
        (void)check_pinned(&p, pins[i], r, &b);
        free(r);
    }
}

/* Modules that a framework recomputes for those who say so: no search has them
 * by itself, and one with a pin finds what trying every plan does. */
static void modules_that_are_not_searched_are_pinned(void **state)
{
    p3d_search_result *r = malloc(sizeof(*r));
    p3d_error err = {.code = P3D_OK};
    p3d_verification b;
    const p3d_pins free_pins = p3d_pins_free();
    p3d_problem p;

    (void)state;
    assert_non_null(r);
    build(&problems[12], &p);
    assert_true((p.job.framework->unsearched_modules & P3D_MODULE_MLP) != 0);
    assert_true(p3d_search(&p, &free_pins, P3D_MAX_TOP, r, &err));
    assert_true(r->n_top > 0);
    for (int i = 0; i < r->n_top; i++)
        assert_int_equal(r->top[i].plan.recompute_modules & P3D_MODULE_MLP, 0);
    assert_true(check_pinned(&p, "recompute=selective:mlp", r, &b));
    assert_int_equal(r->top[0].plan.recompute_modules, P3D_MODULE_MLP);
    free(r);
}

/* The same of schedules; layers of the ends are searched with them. */
static void schedules_that_are_not_searched_are_pinned(void **state)
{
    p3d_search_result *r = malloc(sizeof(*r));
    p3d_error err = {.code = P3D_OK};
    p3d_verification b;
    const p3d_pins free_pins = p3d_pins_free();
    p3d_problem p;

    (void)state;
    assert_non_null(r);
    for (int i = 13; i < 16; i++) {
        build(&problems[i], &p);
        assert_true(p3d_schedule_offered(P3D_NAIVE, p.job.framework));
        if (check_pinned(&p, "schedule=naive", r, &b))
            assert_int_equal(r->top[0].plan.schedule, P3D_NAIVE);
        p.job.asynchronous = true;
        if (check_pinned(&p, "schedule=pipedream", r, &b))
            assert_int_equal(r->top[0].plan.schedule, P3D_PIPEDREAM);
        assert_true(p3d_search(&p, &free_pins, P3D_MAX_TOP, r, &err));
        for (int k = 0; k < r->n_top; k++)
            assert_int_not_equal(r->top[k].plan.schedule, P3D_NAIVE);
    }
    free(r);
}

/** The stages between the ends are the largest: a byte less, and the plan does
 *  not fit. */
static void so_it_does_when_nothing_is_to_spare(void **state)
{
    static const char words[] =
            "tp=8,pp=8,dp=1,mbs=1,sp,first=9,last=9,recompute=uniform:1,"
            "offload=none";
    p3d_search_result *r = malloc(sizeof(*r));
    p3d_problem p = {.job = {.seq_len = 2048, .global_batch = 64}};
    p3d_error err = {.code = P3D_OK};
    p3d_estimate e;
    p3d_plan plan;
    p3d_pins pins;

    (void)state;
    assert_non_null(r);
    assert_true(p3d_model_find("gpt3-175b", &p.model, &err));
    assert_true(p3d_cluster_find("64xH100", &p.cluster, &err));
    p3d_job_default(&p.job, &p.model, &p.cluster);
    p.job.sure_reserve_bytes = 0;
    assert_true(p3d_pins_parse(words, &pins, &err));
    assert_true(p3d_plan_parse(words, 64, p.job.framework, &plan, &err));
    for (int i = 0; i < P3D_N_OPTIMIZERS; i++) {
        p.job.optimizer = (p3d_optimizer)i;
        for (plan.zero = 0; plan.zero < 2; plan.zero++) {
            assert_true(p3d_estimate_plan(&p, &plan, &e, NULL));
            pins.zero = plan.zero;
            p.cluster.gpu.visible_memory_bytes =
                    p3d_memory_device_bytes(&e.memory);
            assert_true(p3d_search(&p, &pins, 1, r, &err));
            assert_int_equal(r->n_top, 1);
            p.cluster.gpu.visible_memory_bytes--;
            assert_true(p3d_search(&p, &pins, 1, r, &err));
            assert_int_equal(r->n_top, 0);
        }
    }
    free(r);
}

static void the_list_is_sorted_and_every_plan_in_it_fits(void **state)
{
    p3d_search_result *r = malloc(sizeof(*r));
    const p3d_pins pins = p3d_pins_free();
    p3d_problem p;
    p3d_error err = {.code = P3D_OK};

    (void)state;
    assert_non_null(r);
    build(&problems[16], &p);
    assert_true(p3d_search(&p, &pins, 20, r, &err));
    assert_int_equal(r->n_top, 20);
    for (int i = 0; i < r->n_top; i++) {
        p3d_estimate again;

        assert_true(p3d_estimate_plan(&p, &r->top[i].plan, &again, NULL));
        assert_true(again.fits);
        assert_true(p3d_time_step_s(&again.time) ==
                    p3d_time_step_s(&r->top[i].time));
        if (i > 0)
            assert_true(p3d_time_step_s(&r->top[i].time) >=
                        p3d_time_step_s(&r->top[i - 1].time));
    }
    free(r);
}

static void check_same_words(const p3d_plan *a, const p3d_plan *b)
{
    char x[512], y[512];

    assert_string_equal(
            p3d_plan_print(a, x, sizeof(x)), p3d_plan_print(b, y, sizeof(y)));
}

static void a_longer_list_begins_like_a_shorter_one(void **state)
{
    p3d_search_result *a = malloc(sizeof(*a)), *b = malloc(sizeof(*b));
    const p3d_pins pins = p3d_pins_free();
    p3d_problem p;
    p3d_error err = {.code = P3D_OK};

    (void)state;
    assert_true(a != NULL && b != NULL);
    build(&problems[25], &p);
    assert_true(p3d_search(&p, &pins, 5, a, &err));
    assert_true(p3d_search(&p, &pins, 40, b, &err));
    for (int i = 0; i < a->n_top; i++)
        check_same_words(&a->top[i].plan, &b->top[i].plan);
    free(a);
    free(b);
}

static void pins_keep_their_values(void **state)
{
    p3d_search_result *r = malloc(sizeof(*r));
    p3d_pins pins;
    p3d_problem p;
    p3d_error err = {.code = P3D_OK};

    (void)state;
    assert_non_null(r);
    build(&problems[1], &p);
    assert_true(p3d_pins_parse("tp=4,zero=0,mbs=2", &pins, &err));
    assert_true(p3d_search(&p, &pins, 10, r, &err));
    assert_true(r->n_top > 0);
    for (int i = 0; i < r->n_top; i++) {
        assert_int_equal(r->top[i].plan.tp, 4);
        assert_int_equal(r->top[i].plan.zero, 0);
        assert_int_equal(r->top[i].plan.micro_batch, 2);
    }
    free(r);
}

static void an_empty_space_names_the_rule_that_emptied_it(void **state)
{
    p3d_search_result *r = malloc(sizeof(*r));
    p3d_pins pins;
    p3d_problem p;
    p3d_error err = {.code = P3D_OK};

    (void)state;
    assert_non_null(r);
    build(&problems[8], &p); /* deepspeed: no ZeRO-3 with a pipeline */
    assert_true(p3d_pins_parse("pp=2,zero=3", &pins, &err));
    assert_true(p3d_search(&p, &pins, 1, r, &err));
    assert_int_equal(r->n_plans, 0);
    assert_int_equal(r->n_top, 0);
    assert_non_null(r->empty.rule);
    assert_string_equal(r->empty.rule, "E1");
    free(r);
}

static void a_job_that_fits_nowhere_names_the_closest_plan(void **state)
{
    p3d_search_result *r = malloc(sizeof(*r));
    const p3d_pins pins = p3d_pins_free();
    p3d_remedy changes[P3D_MAX_REMEDIES];
    p3d_problem p;
    p3d_error err = {.code = P3D_OK};
    int n;

    (void)state;
    assert_non_null(r);
    build(&problems[0], &p);
    p.cluster.gpu.visible_memory_bytes = 2 * (int64_t)P3D_GIB;
    assert_true(p3d_search(&p, &pins, 1, r, &err));
    assert_int_equal(r->n_top, 0);
    assert_true(r->have_closest);
    assert_true(p3d_estimate_margin_bytes(&r->closest) < 0);
    n = p3d_remedies_find(&p, &pins, changes);
    assert_true(n >= 2);
    for (int i = 0; i < n; i++)
        assert_true(changes[i].estimate.fits);
    free(r);
}

static void the_smallest_cluster_is_the_first_that_fits(void **state)
{
    p3d_search_result *r = malloc(sizeof(*r));
    const p3d_pins pins = p3d_pins_free();
    p3d_problem p, smaller;
    p3d_error err = {.code = P3D_OK};
    int n;

    (void)state;
    assert_non_null(r);
    memset(&p, 0, sizeof(p));
    assert_true(p3d_model_find("llama-3-70b", &p.model, &err));
    assert_true(p3d_cluster_find("8xH100", &p.cluster, &err));
    p.cluster.node.host_memory_bytes = P3D_GIB; /* nothing is offloaded to it */
    p.job.framework = p3d_framework_find("fsdp2");
    p3d_job_default(&p.job, &p.model, &p.cluster);
    n = p3d_smallest_cluster(&p, 1024);
    assert_true(n > 8);
    smaller = p;
    assert_true(p3d_cluster_resize(&smaller.cluster, n - 8, &err));
    smaller.job.global_batch = p3d_job_default_batch(
            &p.model, p.job.seq_len, smaller.cluster.n_gpus);
    assert_true(p3d_search(&smaller, &pins, 1, r, &err));
    assert_int_equal(r->n_top, 0);
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_search_finds_the_best_of_all_plans),
            cmocka_unit_test(so_it_does_when_experts_overlap),
            cmocka_unit_test(so_it_does_when_rings_trade_heads),
            cmocka_unit_test(so_it_does_when_weights_may_be_late),
            cmocka_unit_test(so_it_does_when_nodes_may_be_idle),
            cmocka_unit_test(so_it_does_with_values_that_are_fixed),
            cmocka_unit_test(modules_that_are_not_searched_are_pinned),
            cmocka_unit_test(schedules_that_are_not_searched_are_pinned),
            cmocka_unit_test(so_it_does_when_nothing_is_to_spare),
            cmocka_unit_test(the_list_is_sorted_and_every_plan_in_it_fits),
            cmocka_unit_test(a_longer_list_begins_like_a_shorter_one),
            cmocka_unit_test(pins_keep_their_values),
            cmocka_unit_test(an_empty_space_names_the_rule_that_emptied_it),
            cmocka_unit_test(a_job_that_fits_nowhere_names_the_closest_plan),
            cmocka_unit_test(the_smallest_cluster_is_the_first_that_fits),
    };

    return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
