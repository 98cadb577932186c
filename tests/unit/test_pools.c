/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_pools.c - plans on pools of several types: worked out by hand, searched,
 * and found by trying all. */
#include "problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "cost/time/step_time.h"
#include "plan3d/pools.h"
#include "search/pools/seek.h"

/* A problem of pools in words; n_layers 0 = the model's. */
static p3d_pools_problem *pools_problem(
        const char *model, const char *words, int n_layers, int64_t batch)
{
    p3d_pools_problem *const p = calloc(1, sizeof(*p));
    p3d_error err = {0};

    assert_non_null(p);
    problem_check(p3d_pools_find(words, &p->pools, &err), &err);
    for (int k = 0; k < p->pools.n_pools; k++) {
        p3d_problem *const on = &p->on[k];

        problem_check(p3d_model_find(model, &on->model, &err), &err);
        if (n_layers > 0)
            on->model.n_layers = n_layers;
        on->cluster = p->pools.clusters[k];
        on->job.global_batch = batch;
        p3d_job_default(&on->job, &on->model, &on->cluster);
    }
    return p;
}

/* All plans, one after the other. */

enum { MOST_CLASSES = 20000, MOST_REPLICAS = 16 };

/* A class of replicas with its layers split. */
typedef struct brute_class {
    search_pool_shape shape;
    search_pool_split split; /* of the pools at hand */
    int takes[P3D_MAX_POOLS];
    unsigned pools;
    double once_s; /* of the setting at hand */
    bool fits;
} brute_class;

typedef struct brute {
    search_pool_world *world;
    brute_class *classes;
    int n_classes;
    int n_replicas;
    int chosen[MOST_REPLICAS];
    int left[P3D_MAX_POOLS];
    double best_s;
    int64_t n_plans;
} brute;

static void add_class(brute *b, const search_pool_shape *shape,
        const search_pool_split *split)
{
    brute_class *const c = &b->classes[b->n_classes++];

    assert_true(b->n_classes < MOST_CLASSES);
    *c = (brute_class){.shape = *shape, .split = *split};
    for (int i = 0; i < shape->n_segments; i++) {
        const search_pool_shard *const s = shape->shards[i];

        c->takes[s->pool] = s->tp * shape->n_stages[i];
        c->pools |= 1u << s->pool;
    }
}

static void add_splits(brute *b, const search_pool_shape *shape,
        search_pool_split *split, int stage, int left)
{
    const int vp = shape->shards[0]->vp;

    if (stage == split->n_stages - 1) {
        split->layers[stage] = left;
        add_class(b, shape, split);
        return;
    }
    for (int n = vp; n <= left - vp * (split->n_stages - 1 - stage); n += vp) {
        split->layers[stage] = n;
        add_splits(b, shape, split, stage + 1, left - n);
    }
}

/* All shapes whose next segment is in some pool that has none.
 * @param like  a shard that all of a replica are like */
static void add_shapes(brute *b, search_pool_shape *shape, unsigned used,
        const search_pool_shard *like)
{
    const search_pool_world *const w = b->world;
    search_pool_split split = {.n_stages = search_pool_n_stages(shape)};

    if (split.n_stages * like->vp > w->n_layers)
        return;
    if (shape->n_segments > 0 && (like->vp == 1 || split.n_stages > 1))
        add_splits(b, shape, &split, 0, w->n_layers);
    for (int i = 0; i < w->n_shards; i++) {
        const search_pool_shard *const s = &w->shards[i];
        search_pool_shape next = *shape;

        if ((used >> s->pool & 1) != 0 || s->micro_batch != like->micro_batch ||
                s->recompute != like->recompute || s->vp != like->vp)
            continue;
        next.n_segments++;
        next.shards[shape->n_segments] = s;
        for (int n = 1; n * s->tp <= w->problem->pools.clusters[s->pool].n_gpus;
                n++) {
            next.n_stages[shape->n_segments] = n;
            add_shapes(b, &next, used | 1u << s->pool, like);
        }
    }
}

/* Seconds and memory of a class in the world's setting. */
static void cost_class(brute *b, brute_class *c)
{
    search_pool_stage stages[P3D_MAX_POOL_STAGES];
    const int n = search_pool_stages_of(&c->shape, stages);

    c->split.sum_s = c->split.bottleneck_s = c->once_s = 0;
    c->fits = true;
    for (int i = 0; i < n; i++) {
        double pass_s;

        stages[i].n_layers = c->split.layers[i];
        pass_s = search_pool_pass_s(b->world, &stages[i]);
        c->split.sum_s += pass_s;
        c->split.bottleneck_s = fmax(c->split.bottleneck_s, pass_s);
        c->once_s = fmax(c->once_s, search_pool_once_s(b->world, &stages[i]));
        c->fits = c->fits &&
                  search_pool_peak_bytes(b->world, &stages[i]) <=
                          p3d_sure_bytes(&b->world->on[stages[i].shard->pool]);
    }
}

static const brute_class *chosen_of(const brute *b, int i)
{
    return &b->classes[b->chosen[i]];
}

/* Sequences of a class that come at a time. */
static int64_t round_samples(const brute_class *c)
{
    return (int64_t)search_pool_round(&c->shape) *
           c->shape.shards[0]->micro_batch;
}

/* The least time in which the chosen replicas do the batch: the next round of
 * micro-batches goes to the one that has it done first. */
static double time_of(const brute *b)
{
    int64_t m[MOST_REPLICAS];
    int64_t done = 0;
    double last_s = 0, once_s = 0;

    for (int i = 0; i < b->n_replicas; i++) {
        const brute_class *const c = chosen_of(b, i);

        m[i] = search_pool_round(&c->shape);
        done += round_samples(c);
        last_s = fmax(
                last_s, search_pool_pipeline_s(&c->shape, &c->split, m[i]));
        once_s = fmax(once_s, c->once_s);
    }
    while (done < b->world->global_batch) {
        double first_s = HUGE_VAL;
        int first = 0;

        for (int i = 0; i < b->n_replicas; i++) {
            const brute_class *const c = chosen_of(b, i);
            const double s = search_pool_pipeline_s(
                    &c->shape, &c->split, m[i] + search_pool_round(&c->shape));

            if (s < first_s) {
                first_s = s;
                first = i;
            }
        }
        m[first] += search_pool_round(&chosen_of(b, first)->shape);
        done += round_samples(chosen_of(b, first));
        last_s = fmax(last_s, first_s);
    }
    return last_s + once_s;
}

/* All multisets of replicas from the i-th class on. */
static void try_replicas(brute *b, int n, int from, unsigned pools)
{
    if (n == b->n_replicas) {
        if (pools == b->world->setting.pools) {
            b->best_s = fmin(b->best_s, time_of(b));
            b->n_plans++;
        }
        return;
    }
    for (int i = from; i < b->n_classes; i++) {
        const brute_class *const c = &b->classes[i];
        bool room = c->fits;

        for (int k = 0; k < P3D_MAX_POOLS; k++)
            room = room && c->takes[k] <= b->left[k];
        if (!room)
            continue;
        for (int k = 0; k < P3D_MAX_POOLS; k++)
            b->left[k] -= c->takes[k];
        b->chosen[n] = i;
        try_replicas(b, n + 1, i, pools | c->pools);
        for (int k = 0; k < P3D_MAX_POOLS; k++)
            b->left[k] += c->takes[k];
    }
}

static void try_setting(brute *b, unsigned pools, int zero, int n_replicas)
{
    const search_pool_setting setting = {zero, pools, n_replicas, n_replicas};

    search_pool_set(b->world, &setting);
    b->n_replicas = n_replicas;
    for (int k = 0; k < b->world->problem->pools.n_pools; k++)
        b->left[k] = (pools >> k & 1) != 0
                             ? b->world->problem->pools.clusters[k].n_gpus
                             : 0;
    for (int i = 0; i < b->n_classes; i++)
        cost_class(b, &b->classes[i]);
    try_replicas(b, 0, 0, 0);
}

/* The least time of a step over all plans; HUGE_VAL = none fits. */
static double try_all(const p3d_pools_problem *problem, int64_t *n_plans)
{
    search_pool_world *const world = malloc(sizeof(*world));
    brute b = {.world = world, .best_s = HUGE_VAL};
    p3d_error err = {0};
    int n_gpus = 0;

    b.classes = malloc(MOST_CLASSES * sizeof(*b.classes));
    assert_true(world != NULL && b.classes != NULL);
    problem_check(search_pool_open(problem, world, &err), &err);
    for (int mbs = 1; mbs <= 8; mbs *= 2)
        for (int r = 0; r < P3D_N_RECOMPUTES; r++)
            for (int vp = 1; vp <= 4; vp *= 2) {
                const search_pool_shard like = {.micro_batch = mbs,
                        .recompute = (p3d_recompute)r,
                        .vp = vp};
                search_pool_shape none = {.n_segments = 0};

                add_shapes(&b, &none, 0, &like);
            }
    for (int k = 0; k < problem->pools.n_pools; k++)
        n_gpus += problem->pools.clusters[k].n_gpus;
    for (unsigned pools = 1; pools < 1u << problem->pools.n_pools; pools++)
        for (int zero = 0; zero <= 1; zero++)
            for (int r = 1; r <= n_gpus; r++)
                try_setting(&b, pools, zero, r);
    *n_plans = b.n_plans;
    search_pool_close(world);
    free(b.classes);
    free(world);
    return b.best_s;
}

/* The search finds what trying all finds.
 * @param n_mixed    counts what unlike replicas do fastest, or unlike stages
 * @param n_chunked  counts what interleaved stages do fastest */
static bool agrees(
        const p3d_pools_problem *problem, int *n_mixed, int *n_chunked)
{
    p3d_pools_result *const found = malloc(sizeof(*found));
    p3d_error err = {0};
    int64_t n_plans;
    double best_s;
    bool ok;

    assert_non_null(found);
    problem_check(p3d_pools_search(problem, NULL, found, &err), &err);
    best_s = try_all(problem, &n_plans);
    ok = found->fits ? fabs(found->plan.step_s - best_s) <= 1e-9 * best_s
                     : best_s >= HUGE_VAL;
    if (!ok)
        print_error("%s, %s of %d layers, batch %lld: %.12g s found, %.12g s "
                    "of %lld plans\n",
                problem->pools.name, problem->on[0].model.name,
                problem->on[0].model.n_layers,
                (long long)problem->on[0].job.global_batch,
                found->fits ? found->plan.step_s : 0, best_s,
                (long long)n_plans);
    *n_mixed += found->fits && (found->plan.n_classes > 1 ||
                                       found->plan.classes[0].n_segments > 1);
    for (int i = 0; i < found->plan.n_classes; i++)
        if (found->fits && found->plan.classes[i].vp > 1) {
            (*n_chunked)++;
            break;
        }
    free(found);
    return ok;
}

static unsigned next_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u; /* Numerical Recipes */
    return *state >> 8;
}

/* Switches above the nodes of a pool, whose links up are tight. */
static p3d_tiers random_tiers(unsigned *seed)
{
    const unsigned drawn = next_random(seed);
    p3d_tiers tiers = {.n = 1};

    tiers.at[0] = (p3d_tier){.nodes_below = 1 + (int)(drawn % 3),
            .oversubscription = 1 << drawn / 3 % 7,
            .routing =
                    drawn / 21 % 2 == 0 ? P3D_LINKS_ADAPTIVE : P3D_LINKS_ECMP};
    tiers.placement = drawn / 42 % 3 == 0 ? P3D_PLACEMENT_RANDOM
                                          : P3D_PLACEMENT_CONTIGUOUS;
    return tiers;
}

/* The i-th of random problems.
 * @param node  "1x": each GPU is a node of its own */
static p3d_pools_problem *random_pools(int i, const char *node, unsigned *seed)
{
    static const char *const gpus[] = {
            "A800", "H100", "RTX-4090", "A100-40G", "RTX-3090", "L40S"};
    static const char *const models[] = {
            "llama-2-7b", "llama-2-13b", "llama-3-70b", "llama-3-8b"};
    const int n_pools = 2 + (i % 4 == 3);
    const unsigned first = next_random(seed);
    char words[128] = "";

    for (int k = 0; k < n_pools; k++)
        snprintf(words + strlen(words), sizeof(words) - strlen(words),
                "%s%dx%s%s", k > 0 ? "+" : "",
                1 + (int)(next_random(seed) % (n_pools == 2 ? 3 : 2)), node,
                gpus[(first + (unsigned)k) % P3D_COUNT_OF(gpus)]);
    return pools_problem(models[next_random(seed) % 4], words,
            2 + (int)(next_random(seed) % 3), 2 + next_random(seed) % 6);
}

static void the_search_finds_what_trying_all_plans_finds(void **state)
{
    unsigned seed = 20261126;
    int n_wrong = 0, n_mixed = 0, n_chunked = 0, n = 0;

    (void)state;
    for (int i = 0; i < 40; i += TEST_EVERY) {
        p3d_pools_problem *const problem = random_pools(i, "", &seed);

        n_wrong += !agrees(problem, &n_mixed, &n_chunked);
        n++;
        free(problem);
    }
    assert_int_equal(n_wrong, 0);
    assert_true(2 * n_mixed > n);
    assert_true(n_chunked > 0 || n < 40);
}

/* Below switches as well, where each GPU is a node. */
static void it_does_so_below_switches(void **state)
{
    unsigned seed = 20261127;
    int n_wrong = 0, n_mixed = 0, n_chunked = 0, n = 0;

    (void)state;
    for (int i = 0; i < 24; i += TEST_EVERY) {
        p3d_pools_problem *const problem = random_pools(i, "1x", &seed);

        for (int k = 0; k < problem->pools.n_pools; k++)
            problem->pools.clusters[k].tiers = random_tiers(&seed);
        n_wrong += !agrees(problem, &n_mixed, &n_chunked);
        n++;
        free(problem);
    }
    assert_int_equal(n_wrong, 0);
    assert_true(n_mixed > 1 || n < 24);
}

/* Two replicas by hand: one on an A800, one on two H100. */
static void a_plan_of_two_classes_is_what_its_formulas_say(void **state)
{
    p3d_pools_problem *const problem =
            pools_problem("llama-2-7b", "8xA800+8xH100", 8, 16);
    p3d_pools_plan plan = {.zero = 0,
            .n_classes = 2,
            .classes = {{.n_replicas = 1,
                                .n_segments = 1,
                                .segments = {{0, 1, 1}},
                                .layers = {8},
                                .micro_batch = 1,
                                .n_micro_batches = 4},
                    {.n_replicas = 1,
                            .n_segments = 1,
                            .segments = {{1, 1, 2}},
                            .layers = {5, 3},
                            .micro_batch = 2,
                            .n_micro_batches = 6}}};
    const p3d_plan one = {.tp = 1,
            .pp = 1,
            .dp = 1,
            .cp = 1,
            .ep = 1,
            .etp = 1,
            .vp = 1,
            .micro_batch = 1};
    p3d_plan two = one;
    p3d_blocks a, h;
    double spread[2], t, first, last, c;

    (void)state;
    two.micro_batch = two.pp = 2;
    for (int k = 0; k < 2; k++)
        spread[k] = problem->on[k].cluster.calibration.assumed.gpu_spread_frac *
                    cost_largest_of(16);
    p3d_blocks_build(&problem->on[0], p3d_plan_shard(&one), &a);
    p3d_blocks_build(&problem->on[1], p3d_plan_shard(&two), &h);
    assert_true(p3d_pools_estimate(problem, &plan));
    assert_int_equal(plan.n_gpus[0], 1);
    assert_int_equal(plan.n_gpus[1], 2);
#define PASS(b)    ((b).forward_s + (b).backward_s)
#define SLOW(b, k) (PASS(b) + spread[k] * (b).compute_s)
    /* One stage: four micro-batches, one after the other. */
    t = 8 * SLOW(a.block[0], 0) + SLOW(a.block[P3D_BLOCK_EMBEDDING], 0) +
        SLOW(a.block[P3D_BLOCK_HEAD], 0);
    CHECK_REL(plan.classes[0].pipeline_s, 4 * t, 1e-9);

    /* Two stages: t1 + t2 + 5 max + 2 c (6 + 2 - 3 - floor(4 / 2)). */
    first = 5 * SLOW(h.block[0], 1) + SLOW(h.block[P3D_BLOCK_EMBEDDING], 1);
    last = 3 * SLOW(h.block[0], 1) + SLOW(h.block[P3D_BLOCK_HEAD], 1);
    c = cost_crossing_s(&problem->on[1], &two);
    CHECK_REL(plan.classes[1].pipeline_s,
            first + last + 5 * fmax(first, last) + 6 * c, 1e-9);

    CHECK_REL(plan.step_s,
            fmax(plan.classes[0].pipeline_s, plan.classes[1].pipeline_s) +
                    plan.once_s,
            1e-12);
    free(problem);
}

/* Replicas on unlike pools exchange gradients at the slower one's rate, over a
 * link that may be slower than both. */
static void an_exchange_is_as_slow_as_the_slowest_rank_or_link(void **state)
{
    p3d_pools_problem *const problem =
            pools_problem("llama-2-7b", "8xA800+8xH100", 8, 16);
    p3d_pools_plan plan = {.zero = 0,
            .n_classes = 2,
            .classes = {{.n_replicas = 1,
                                .n_segments = 1,
                                .segments = {{0, 2, 2}},
                                .layers = {4, 4},
                                .micro_batch = 1,
                                .n_micro_batches = 8},
                    {.n_replicas = 1,
                            .n_segments = 1,
                            .segments = {{1, 1, 2}},
                            .layers = {4, 4},
                            .micro_batch = 1,
                            .n_micro_batches = 8}}};
    /* 4 layers and an end on one rank, by ring: 2 S (R-1)/R, R = 2. */
    const double params =
            4.0 * (4 * 4096.0 * 4096 + 3 * 4096.0 * 11008 + 2 * 4096) +
            32000.0 * 4096;
    double usual_s, slow_s, nic;

    (void)state;
    assert_true(p3d_pools_estimate(problem, &plan));
    usual_s = plan.once_s;
    problem->pools.links[0].bytes_per_s_one_way /= 10;
    assert_true(p3d_pools_estimate(problem, &plan));
    slow_s = plan.once_s;
    nic = problem->pools.links[0].bytes_per_s_one_way / 8 *
          problem->on[1].cluster.fabric.all_reduce_frac;
    /* Gradients are summed in 4 bytes; nine tenths of the time are new. */
    CHECK_REL(slow_s - usual_s, 0.9 * 2 * 4 * params * 0.5 / nic, 0.05);
    free(problem);
}

/* Pools of one type cost what one cluster of that type costs, but for what the
 * formulas of unlike stages leave out. */
static void check_alike(int vp, const char *flat_plan)
{
    static const char file[] =
            "{\"schema\": 1, \"pools\": [{\"name\": \"a\", \"n_nodes\": 4, "
            "\"gpu\": \"A800\"}, {\"name\": \"b\", \"n_nodes\": 4, \"gpu\": "
            "\"A800\"}]}";
    p3d_pools_problem *const problem =
            pools_problem("llama-3-70b", "8xA800+8xH100", 0, 128);
    const p3d_problem flat =
            problem_of("llama-3-70b", "64xA800", "megatron-core", 0, 128);
    const p3d_estimate e = problem_estimate(&flat, flat_plan);
    p3d_error err = {0};
    p3d_pools_plan plan = {.zero = 1, .n_classes = 2};

    problem_check(p3d_pools_parse("f", file, &problem->pools, &err), &err);
    for (int k = 0; k < 2; k++) {
        problem->on[k] = flat;
        problem->on[k].cluster = problem->pools.clusters[k];
        plan.classes[k] = (p3d_replica_class){.n_replicas = 1,
                .n_segments = 1,
                .segments = {{k, 8, 4}},
                .layers = {20, 20, 20, 20},
                .vp = vp,
                .micro_batch = 1,
                .n_micro_batches = 64,
                .recompute = P3D_RECOMPUTE_FULL};
    }
    assert_true(p3d_pools_estimate(problem, &plan));
    CHECK_REL(plan.step_s, p3d_time_step_s(&e.time), 0.02);
    assert_int_equal(
            plan.classes[0].peak_bytes, p3d_memory_device_bytes(&e.memory));
    /* Chunks run in whole rounds of a micro-batch for each stage. */
    plan.classes[0].n_micro_batches = 63;
    assert_int_equal(p3d_pools_estimate(problem, &plan), vp == 1);
    free(problem);
}

static void alike_pools_cost_about_what_one_cluster_costs(void **state)
{
    (void)state;
    check_alike(1, "tp=8,pp=4,dp=2,mbs=1,zero=1,recompute=full");
    check_alike(2, "tp=8,pp=4,vp=2,dp=2,mbs=1,zero=1,recompute=full");
}

static search_pool_world *open_world(const p3d_pools_problem *problem)
{
    const search_pool_setting setting = {1, 7, 4, 4};
    search_pool_world *const w = malloc(sizeof(*w));
    p3d_error err = {0};

    assert_non_null(w);
    problem_check(search_pool_open(problem, w, &err), &err);
    search_pool_set(w, &setting);
    return w;
}

/* What the rooms of long pipelines rest on: a middle stage costs what one of
 * the shortest pipeline does that keeps as many chunks of micro-batches. */
static void stages_that_keep_as_much_take_as_much(void **state)
{
    static const struct {
        int vp, n_stages, stage, of, same; /* `same` of `of` stages */
    } alike[] = {{1, 16, 12, 5, 1}, {1, 9, 3, 7, 1}, {2, 7, 4, 5, 1},
            {2, 12, 9, 8, 3}, {2, 16, 14, 8, 2}};
    p3d_pools_problem *const problem =
            pools_problem("llama-3-70b", "8xA800+8xH100+8xRTX-4090", 0, 64);
    search_pool_world *const w = open_world(problem);
    int n = 0;

    (void)state;
    for (int i = 0; i < w->n_shards; i++)
        for (int j = 0; j < P3D_COUNT_OF(alike); j++)
            for (int layers = 2; layers <= 8; layers += 2) {
                const search_pool_shard *const s = &w->shards[i];
                const search_pool_stage a = {
                        s, alike[j].n_stages, alike[j].stage, layers};
                const search_pool_stage b = {
                        s, alike[j].of, alike[j].same, layers};

                if (s->vp != alike[j].vp)
                    continue;
                assert_true(search_pool_peak_bytes(w, &a) ==
                            search_pool_peak_bytes(w, &b));
                n++;
            }
    assert_true(n > 1000);
    search_pool_close(w);
    free(w);
    free(problem);
}

/* What the bounds on stages of several chunks rest on. */
static void chunks_leave_no_more_room_and_no_faster_layers(void **state)
{
    p3d_pools_problem *const problem =
            pools_problem("llama-3-70b", "8xA800+8xH100+8xRTX-4090", 0, 64);
    search_pool_world *const w = open_world(problem);

    (void)state;
    assert_int_equal(w->most_chunks, SEARCH_POOL_CHUNKS - 1);
    for (int i = 0; i < w->n_shards; i++) {
        const search_pool_shard *const plain = &w->shards[i];

        for (int v = 1; v <= w->most_chunks && plain->vp == 1; v++) {
            const search_pool_shard *const s = search_pool_chunked(w, plain, v);

            assert_int_equal(s->vp, 1 << v);
            assert_true(s->layer_s >= plain->layer_s * (1 - 1e-9));
            for (int p = 2; p <= 20; p += 3)
                for (int stage = 0; stage < p; stage++) {
                    const search_pool_stage one = {plain, p, stage, 0};
                    const search_pool_stage more = {s, p, stage, 0};

                    assert_true(search_pool_room(w, &more) <=
                                search_pool_room(w, &one));
                }
        }
    }
    search_pool_close(w);
    free(w);
    free(problem);
}

/* What the bounds on a number of replicas rest on. */
static void more_replicas_leave_more_room_for_layers(void **state)
{
    p3d_pools_problem *const problem =
            pools_problem("llama-3-70b", "8xA800+8xH100+8xRTX-4090", 0, 64);
    search_pool_world *const w = malloc(sizeof(*w));
    p3d_error err = {0};
    short before[SEARCH_POOL_SHARDS][3] = {{0}};

    (void)state;
    assert_non_null(w);
    problem_check(search_pool_open(problem, w, &err), &err);
    for (int r = 2; r <= 24; r++) {
        const search_pool_setting setting = {1, 7, r, r};

        search_pool_set(w, &setting);
        for (int i = 0; i < w->n_shards; i++)
            for (int s = 0; s < 3; s++) {
                const search_pool_stage stage = {&w->shards[i], 3, s, 0};
                const int room = search_pool_room(w, &stage);

                assert_true(room >= before[i][s]);
                before[i][s] = (short)room;
            }
    }
    search_pool_close(w);
    free(w);
    free(problem);
}

static void layers_of_several_kinds_are_refused(void **state)
{
    p3d_pools_problem *const problem =
            pools_problem("deepseek-v3", "8xA800+8xH100", 0, 64);
    p3d_pools_result *const found = malloc(sizeof(*found));
    p3d_error err = {0};

    (void)state;
    assert_false(p3d_pools_search(problem, NULL, found, &err));
    test_check_error(&err, P3D_DATA, "layers of several kinds");
    free(found);
    free(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_search_finds_what_trying_all_plans_finds),
            cmocka_unit_test(it_does_so_below_switches),
            cmocka_unit_test(a_plan_of_two_classes_is_what_its_formulas_say),
            cmocka_unit_test(
                    an_exchange_is_as_slow_as_the_slowest_rank_or_link),
            cmocka_unit_test(alike_pools_cost_about_what_one_cluster_costs),
            cmocka_unit_test(stages_that_keep_as_much_take_as_much),
            cmocka_unit_test(chunks_leave_no_more_room_and_no_faster_layers),
            cmocka_unit_test(more_replicas_leave_more_room_for_layers),
            cmocka_unit_test(layers_of_several_kinds_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
