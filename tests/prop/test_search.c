/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_search.c - the search finds what trying every plan finds. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

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

/* clang-format off */
static const small_problem problems[] = {
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16, 80, "megatron-core", P3D_FLASH, 0},
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16,  8, "megatron-core", P3D_FLASH, 0},
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16,  6, "megatron-core", P3D_FLASH, 0},
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16,  5, "megatron-core", P3D_FLASH, 0},
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16,  4, "megatron-core", P3D_FLASH, 0},
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16,  3, "megatron-core", P3D_FLASH, 0},
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16,  8, "megatron-core", P3D_EAGER, 0},
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16,  6, "megatron-core", P3D_EAGER, 0},
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16,  5, "deepspeed", P3D_FLASH, 0},
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16,  4, "deepspeed", P3D_FLASH, 0},
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16,  4, "deepspeed", P3D_FLASH, 4},
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16,  5, "fsdp2", P3D_FLASH, 0},
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16,  4, "fsdp2", P3D_FLASH, 0},
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16,  4, "any", P3D_FLASH, 0},
    {"8xA100", 2048, 8, 16, 16, 0, 2048, 16,  3, "any", P3D_EAGER, 0},
    {"16xA800", 2048, 12, 16, 4, 0, 4096, 24, 6, "megatron-core", P3D_FLASH, 0},
    {"16xA800", 2048, 12, 16, 4, 0, 4096, 24, 5, "megatron-core", P3D_FLASH, 0},
    {"16xA800", 2048, 12, 16, 4, 0, 4096, 24, 4, "megatron-core", P3D_FLASH, 0},
    {"16xA800", 2048, 12, 16, 4, 0, 4096, 24, 4, "any", P3D_FLASH, 0},
    {"16xA800", 2048, 12, 16, 4, 0, 4096, 24, 4, "fsdp2", P3D_FLASH, 0},
    {"12x4xH100", 1536, 9, 12, 12, 0, 2048, 48, 4, "any", P3D_FLASH, 0},
    {"3x8xH100", 1536, 9, 12, 12, 0, 2048, 48, 3, "any", P3D_FLASH, 0},
    {"3x8xH100", 1536, 10, 12, 6, 0, 2048, 48, 3, "any", P3D_FLASH, 0},
    {"3x8xH100", 1536, 10, 12, 6, 0, 2048, 48, 3, "deepspeed", P3D_FLASH, 0},
    {"8xH100", 1024, 6, 8, 8, 8, 2048, 16, 8, "megatron-core", P3D_FLASH, 0},
    {"8xH100", 1024, 6, 8, 8, 8, 2048, 16, 5, "megatron-core", P3D_FLASH, 0},
    {"8xH100", 1024, 6, 8, 8, 8, 2048, 16, 4, "megatron-core", P3D_FLASH, 0},
    {"8xH100", 1024, 6, 8, 8, 8, 2048, 16, 4, "any", P3D_FLASH, 0},
    {"8xH100", 1024, 6, 8, 8, 8, 2048, 16, 4, "fsdp2", P3D_FLASH, 0},
    {"16xH100", 1024, 8, 8, 2, 16, 2048, 16, 5, "megatron-core", P3D_FLASH, 0},
    {"16xH100", 1024, 8, 8, 2, 16, 2048, 16, 4, "megatron-core", P3D_FLASH, 0},
    {"4xL40S", 2048, 8, 16, 16, 0, 2048, 8, 12, "megatron-core", P3D_FLASH, 0},
    {"4xL40S", 2048, 8, 16, 16, 0, 2048, 8, 8, "any", P3D_FLASH, 0},
    {"1xA100", 1024, 4, 8, 8, 0, 1024, 4, 4, "megatron-core", P3D_FLASH, 0},
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
    p->job.reserve_bytes = 0;
}

/** What trying every plan gives. */
typedef struct brute_force {
    const p3d_problem *problem;
    int64_t n_plans;
    int64_t n_fitting;
    double best_s;
    p3d_estimate best;
    int64_t least_missing_bytes;
} brute_force;

static void try_plan(brute_force *b, const p3d_plan *plan)
{
    p3d_estimate e;
    double t;

    if (!p3d_estimate_plan(b->problem, plan, &e, NULL))
        return;
    b->n_plans++;
    if (!e.fits) {
        if (-p3d_estimate_margin_bytes(&e) < b->least_missing_bytes)
            b->least_missing_bytes = -p3d_estimate_margin_bytes(&e);
        return;
    }
    b->n_fitting++;
    t = p3d_time_step_s(&e.time);
    if (t < b->best_s) {
        b->best_s = t;
        b->best = e;
    }
}

static void try_recompute(brute_force *b, p3d_plan plan)
{
    const int chunks = plan.pp * plan.vp;
    const int most = (b->problem->model.n_layers + chunks - 1) / chunks;

    for (int o = 0; o < P3D_N_OFFLOADS; o++) {
        plan.offload = (p3d_offload)o;
        plan.recompute_layers = 0;
        plan.recompute = P3D_RECOMPUTE_NONE;
        try_plan(b, &plan);
        if (b->problem->job.attention == P3D_EAGER ||
                (b->problem->job.framework->usual_modules &
                        P3D_MODULE_PER_OP) != 0) {
            plan.recompute = P3D_RECOMPUTE_SELECTIVE;
            try_plan(b, &plan);
        }
        plan.recompute = P3D_RECOMPUTE_FULL;
        for (int k = 1; k <= most; k++) {
            plan.recompute_layers = k == most ? 0 : k;
            try_plan(b, &plan);
        }
    }
}

static void try_micro_batches(brute_force *b, p3d_plan plan, int batch)
{
    for (plan.micro_batch = 1; plan.micro_batch <= batch; plan.micro_batch++) {
        for (plan.zero = 0; plan.zero <= 3; plan.zero++)
            try_recompute(b, plan);
    }
}

static void try_batches(brute_force *b, p3d_plan plan)
{
    const int batch = (int)b->problem->job.global_batch;

    for (plan.vp = 1; plan.vp <= b->problem->model.n_layers + 2; plan.vp++) {
        for (int s = 0; s < P3D_N_SCHEDULES; s++) {
            plan.schedule = (p3d_schedule)s;
            if (plan.pp > 1 || plan.schedule == P3D_1F1B)
                try_micro_batches(b, plan, batch);
        }
    }
}

static void try_experts(brute_force *b, p3d_plan plan)
{
    const int experts = b->problem->model.n_experts;

    plan.ep = 1;
    plan.etp = plan.tp;
    if (experts == 0) {
        try_batches(b, plan);
        return;
    }
    for (plan.ep = 1; plan.ep <= experts; plan.ep++) {
        plan.etp = plan.tp;
        try_batches(b, plan);
        plan.etp = 1;
        if (plan.tp > 1)
            try_batches(b, plan);
    }
}

static void try_everything(brute_force *b)
{
    const int n = b->problem->cluster.n_gpus;
    p3d_plan plan = {.vp = 1};

    for (plan.tp = 1; plan.tp <= n; plan.tp++) {
        for (plan.cp = 1; plan.cp <= n / plan.tp; plan.cp++) {
            for (plan.pp = 1; plan.pp <= n / plan.tp / plan.cp; plan.pp++) {
                plan.dp = n / (plan.tp * plan.cp * plan.pp);
                plan.sequence_parallel = plan.tp > 1;
                if (plan.tp * plan.cp * plan.pp * plan.dp == n)
                    try_experts(b, plan);
            }
        }
    }
}

/** Compare the search of a problem with brute force.
 *  @return whether a plan fits */
static bool check_search(const p3d_problem *p, size_t i)
{
    p3d_search_result *r = malloc(sizeof(*r));
    const p3d_pins pins = p3d_pins_free();
    p3d_error err = {.code = P3D_OK};
    brute_force b = {
            .problem = p, .best_s = 1e300, .least_missing_bytes = INT64_MAX};

    assert_non_null(r);
    try_everything(&b);
    assert_true(p3d_search(p, &pins, 1, r, &err));
    if (r->n_plans != b.n_plans || (r->n_top > 0) != (b.n_fitting > 0))
        print_error("problem %zu: %lld plans, %lld by brute force; %lld fit\n",
                i, (long long)r->n_plans, (long long)b.n_plans,
                (long long)b.n_fitting);
    assert_int_equal(r->n_plans, b.n_plans);
    assert_int_equal(r->n_plans,
            r->n_cut + r->n_too_large + r->n_dominated + r->n_evaluated);
    assert_true(r->n_too_large <= b.n_plans - b.n_fitting);
    assert_true(r->n_feasible <= b.n_fitting);
    assert_int_equal(r->n_top > 0, b.n_fitting > 0);
    if (b.n_fitting == 0)
        assert_true(r->have_closest);
    else
        assert_true(p3d_time_step_s(&r->top[0].time) == b.best_s);
    free(r);
    return b.n_fitting > 0;
}

static void the_search_finds_the_best_of_all_plans(void **state)
{
    int n_with_answer = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(problems) / sizeof(problems[0]); i++) {
        p3d_problem p;

        build(&problems[i], &p);
        n_with_answer += check_search(&p, i);
    }
    assert_true(n_with_answer >= 30);
}

static void so_it_does_when_experts_overlap(void **state)
{
    int n_with_answer = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(problems) / sizeof(problems[0]); i++) {
        p3d_problem p;

        build(&problems[i], &p);
        if (p.model.n_experts == 0 || !p.job.framework->expert_overlap)
            continue;
        p.job.dispatcher = P3D_DISPATCH_DEEPEP;
        p.job.expert_overlap = true;
        n_with_answer += check_search(&p, i);
    }
    assert_true(n_with_answer >= 5);
}

static void so_it_does_when_weights_may_be_late(void **state)
{
    int n_late = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(problems) / sizeof(problems[0]); i++) {
        p3d_problem p;

        build(&problems[i], &p);
        if ((p.job.framework->schedules >> P3D_2BW & 1) == 0)
            continue;
        p.job.asynchronous = true;
        n_late += check_search(&p, i);
    }
    assert_true(n_late >= 5);
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
    assert_true(p3d_search(&p, &pins, 50, r, &err));
    assert_int_equal(r->n_top, 50);
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
        assert_memory_equal(&a->top[i].plan, &b->top[i].plan, sizeof(p3d_plan));
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
    p3d_change changes[P3D_MAX_CHANGES];
    p3d_problem p;
    p3d_error err = {.code = P3D_OK};
    int n;

    (void)state;
    assert_non_null(r);
    build(&problems[0], &p);
    p.cluster.gpu.visible_memory_bytes = (int64_t)(1.3 * P3D_GIB);
    assert_true(p3d_search(&p, &pins, 1, r, &err));
    assert_int_equal(r->n_top, 0);
    assert_true(r->have_closest);
    assert_true(p3d_estimate_margin_bytes(&r->closest) < 0);
    n = p3d_find_changes(&p, &pins, changes);
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
    p.job.framework = p3d_framework_find("fsdp2");
    p3d_job_default(&p.job, &p.model, &p.cluster);
    n = p3d_smallest_cluster(&p, 1024);
    assert_true(n > 8);
    smaller = p;
    assert_true(p3d_cluster_resize(&smaller.cluster, n - 8, &err));
    smaller.job.global_batch =
            p3d_job_default_batch(p.job.seq_len, smaller.cluster.n_gpus);
    assert_true(p3d_search(&smaller, &pins, 1, r, &err));
    assert_int_equal(r->n_top, 0);
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_search_finds_the_best_of_all_plans),
            cmocka_unit_test(so_it_does_when_experts_overlap),
            cmocka_unit_test(so_it_does_when_weights_may_be_late),
            cmocka_unit_test(the_list_is_sorted_and_every_plan_in_it_fits),
            cmocka_unit_test(a_longer_list_begins_like_a_shorter_one),
            cmocka_unit_test(pins_keep_their_values),
            cmocka_unit_test(an_empty_space_names_the_rule_that_emptied_it),
            cmocka_unit_test(a_job_that_fits_nowhere_names_the_closest_plan),
            cmocka_unit_test(the_smallest_cluster_is_the_first_that_fits),
    };

    return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
