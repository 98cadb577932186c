/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_search_bounds.c - what the search takes for granted: each bound is one,
 * and memory and time grow as it says, on random plans of every framework. */
#include "random_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cost/memory/memory.h"
#include "search/exact/engine.h"
#include "search/exact/space.h"

/** A random branch of a random problem, with all that a search knows of it. */
typedef struct branch {
    random_case c;
    search s;
    search_cache cache;
    p3d_search_result *result;
    search_leaf leaf;
} branch;

/** One plan of a leaf. */
typedef struct member {
    p3d_plan plan;
    const p3d_blocks *blocks;
} member;

static cost_case member_case(branch *b, const member *m)
{
    return (cost_case){
            &b->c.problem, &m->plan, m->blocks, search_layout(&b->s, &m->plan)};
}

static int64_t peak_bytes(branch *b, const member *m)
{
    const cost_case of = member_case(b, m);
    p3d_memory memory = {0};

    cost_peak_memory(&of, &memory);
    return p3d_memory_device_bytes(&memory);
}

static double step_s(branch *b, const member *m)
{
    p3d_estimate e;

    p3d_estimate_blocks(&b->c.problem, &m->plan, m->blocks, &e);
    return p3d_time_step_s(&e.time);
}

/** A split of the layers with numbers for the ends, if there is one. */
static void split_at_random(random_source *r, branch *b, p3d_plan *plan)
{
    const search_splits *splits;
    int i;

    if (!space_may_split(&b->c.problem, plan) || random_below(r, 2) == 0)
        return;
    splits = search_splits_of(&b->s.splits, &b->c.problem, &b->c.pins, plan);
    assert_non_null(splits);
    if (splits->n == 0)
        return;
    i = random_below(r, splits->n);
    plan->first_layers = splits->at[i].first;
    plan->last_layers = splits->at[i].last;
}

/** A legal plan without recomputation and offload. */
static bool find_plan(random_source *r, branch *b)
{
    p3d_plan plan;
    const int pp = random_below(r, 4); /* or more, if it can be */
    int n_guesses = 20;

    do {
        if (!random_find(r, &b->c.problem, &plan))
            return false;
    } while (--n_guesses > 0 && plan.pp < pp);
    plan.recompute = P3D_RECOMPUTE_NONE;
    plan.recompute_layers = plan.recompute_group = 0;
    plan.offload = P3D_OFFLOAD_NONE;
    split_at_random(r, b, &plan);
    if (!p3d_plan_legal(&b->c.problem.model, &b->c.problem.cluster,
                &b->c.problem.job, &plan, NULL))
        return false;
    b->leaf.plan = plan;
    return true;
}

static bool build(uint32_t seed, branch *b)
{
    random_source r = {seed * 7919u + 1};

    memset(b, 0, sizeof(*b));
    random_case_of(seed, &b->c);
    b->c.pins = p3d_pins_free();
    if (seed % 3 == 0)
        assert_true(p3d_pins_parse("offload=none", &b->c.pins, NULL));
    if (seed % 6 == 1)
        assert_true(p3d_pins_parse("offload=optimizer", &b->c.pins, NULL));
    b->result = calloc(1, sizeof(*b->result));
    assert_non_null(b->result);
    b->s = (search){.problem = &b->c.problem,
            .pins = &b->c.pins,
            .result = b->result,
            .limit_s = HUGE_VAL,
            .worst_s = HUGE_VAL,
            .usable_bytes = INT64_MAX,
            .cache = &b->cache,
            .n_top = 1};
    search_cache_begin(&b->cache, &b->c.problem);
    search_savings_build(&b->c.problem, &b->c.pins, &b->s.savings);
    if (!find_plan(&r, b))
        return false;
    b->leaf.orders = search_orders_of(&b->s, &b->leaf.plan);
    b->leaf.offloads = &search_stages_of(&b->s, &b->leaf.plan)
                                ->offloads[b->leaf.plan.zero];
    b->leaf.n_ways = b->leaf.offloads->n;
    b->leaf.costs = search_cache_get(
            &b->cache, &b->c.problem, p3d_plan_shard(&b->leaf.plan));
    assert_non_null(b->leaf.costs);
    b->leaf.most = space_chunk_layers(&b->c.problem, &b->leaf.plan);
    return b->leaf.offloads->n > 0;
}

static void discard(branch *b)
{
    search_splits_free(&b->s.splits);
    search_cache_free(&b->cache);
    free(b->result);
}

static void say(branch *b, const member *m)
{
    char words[P3D_PLAN_WORDS];

    random_case_say(&b->c);
    print_error("%s: %lld bytes, %.9g s\n",
            p3d_plan_print(&m->plan, words, sizeof(words)),
            (long long)peak_bytes(b, m), step_s(b, m));
}

/** No less, but for the rounding of sums. */
static bool no_less(double a_s, double b_s)
{
    return a_s >= b_s * (1 - 1e-12);
}

/** Assert with the plan that broke it. */
#define CHECK_MEMBER(b, m, condition) \
    do {                              \
        if (!(condition))             \
            say((b), (m));            \
        assert_true(condition);       \
    } while (0)

typedef void on_member(branch *b, const member *m, void *context);

/** One choice of recomputation with some ways to offload. */
static void each_offload(
        branch *b, const member *base, on_member *on, void *context)
{
    const search_savings *savings = &b->s.savings;
    const search_offloads *ways = b->leaf.offloads;

    for (int way = 0; way < ways->n; way += way == 0 ? 1 : 3) {
        for (int i = 0; i < savings->n_activations; i++) {
            member m = *base;

            search_set_offload(&m.plan, &ways->at[way], ways->at[way].nvme);
            m.plan.activation_offload_frac = savings->activations[i];
            on(b, &m, context);
        }
    }
}

static void each_set(branch *b, on_member *on, void *context)
{
    const int n = search_n_sets(&b->s.savings, &b->leaf.plan);

    for (int i = 0; i < n; i++) {
        member m = {.plan = b->leaf.plan};

        m.plan.recompute = P3D_RECOMPUTE_SELECTIVE;
        m.plan.recompute_modules = b->s.savings.sets[i];
        m.blocks = &search_recompute(
                &b->s, b->leaf.costs, m.plan.recompute_modules)
                            ->blocks;
        each_offload(b, &m, on, context);
    }
}

static void each_count(branch *b, on_member *on, void *context)
{
    const int n = search_n_layers(&b->s.savings, &b->leaf.plan, b->leaf.most);
    const int low =
            search_least_layers(&b->s.savings, &b->leaf.plan, b->leaf.most);

    for (int layers = low; layers < low + n; layers++) {
        member m = {.plan = b->leaf.plan, .blocks = &b->leaf.costs->blocks};

        m.plan.recompute = P3D_RECOMPUTE_FULL;
        m.plan.recompute_layers = layers == b->leaf.most ? 0 : layers;
        each_offload(b, &m, on, context);
    }
}

static void each_group(branch *b, on_member *on, void *context)
{
    const int n = search_n_groups(&b->s.savings, &b->leaf.plan, b->leaf.most);

    for (int i = 0; i < n; i++) {
        member m = {.plan = b->leaf.plan, .blocks = &b->leaf.costs->blocks};

        m.plan.recompute = P3D_RECOMPUTE_FULL;
        m.plan.recompute_group = search_least_group(&b->s.savings) + i;
        each_offload(b, &m, on, context);
    }
}

/** Every plan of a leaf; of the ways to offload some. */
static void each_member(branch *b, on_member *on, void *context)
{
    const member none = {
            .plan = b->leaf.plan, .blocks = &b->leaf.costs->blocks};

    each_offload(b, &none, on, context);
    each_set(b, on, context);
    each_count(b, on, context);
    each_group(b, on, context);
}

/** Run a check on a branch of many problems. */
static void each_branch(void (*check)(branch *))
{
    /* Half of the seeds have a legal plan, the fewer the more plans say. */
    enum { N_SEEDS = 1500 / TEST_EVERY, LEAST_BRANCHES = 540 / TEST_EVERY };
    int n_frameworks, n_branches = 0, n_met = 0;
    const p3d_framework *frameworks = p3d_frameworks(&n_frameworks);
    bool met[64] = {false};

    for (uint32_t seed = 1; seed <= N_SEEDS; seed++) {
        branch b;

        if (build(seed, &b)) {
            const ptrdiff_t i = b.c.problem.job.framework - frameworks;

            check(&b);
            n_branches++;
            n_met += !met[i];
            met[i] = true;
        }
        discard(&b);
    }
    assert_in_range(n_met, n_frameworks - TEST_EVERY + 1, n_frameworks);
    assert_true(n_branches > LEAST_BRANCHES);
}

static void take_least(branch *b, const member *m, void *context)
{
    int64_t *const least = context;
    const int64_t bytes = peak_bytes(b, m);

    if (*least == 0 || bytes < *least)
        *least = bytes;
}

/* Memory. */

/** What is quickly found too large, or not, is so. */
static void compare_exceeds(branch *b, const member *m, void *context)
{
    const cost_case of = member_case(b, m);
    const int64_t bytes = peak_bytes(b, m);
    int *const rank = context;

    CHECK_MEMBER(b, m, !cost_exceeds(&of, bytes, rank));
    CHECK_MEMBER(b, m, cost_exceeds(&of, bytes - 1, rank));
}

static void check_exceeds(branch *b)
{
    int rank = 0;

    each_member(b, compare_exceeds, &rank);
}

static void a_plan_takes_more_than_a_byte_less_than_its_peak(void **state)
{
    (void)state;
    each_branch(check_exceeds);
}

/** A device of so many bytes, nothing of which is kept free. */
static void set_memory(branch *b, int64_t bytes)
{
    b->c.problem.cluster.gpu.visible_memory_bytes = bytes;
    b->s.usable_bytes = bytes;
}

static void check_never_fits(branch *b)
{
    int64_t least = 0;

    each_member(b, take_least, &least);
    set_memory(b, least);
    b->result->n_feasible = 1; /* no closest plan is looked for */
    for (int rank = 0; rank < b->leaf.plan.pp; rank++) {
        b->s.tight_rank = rank;
        if (search_never_fits(&b->s, &b->leaf))
            random_case_say(&b->c);
        assert_false(search_never_fits(&b->s, &b->leaf));
    }
}

static void a_leaf_that_never_fits_has_no_plan_that_does(void **state)
{
    (void)state;
    each_branch(check_never_fits);
}

static int n_sets_met;

/** The ways to offload up to that of a plan. */
static search_leaf leaf_upto(const branch *b, const p3d_plan *plan)
{
    const search_offloads *ways = b->leaf.offloads;
    int way = 0;

    while (ways->at[way].kind != plan->offload ||
            ways->at[way].frac != plan->offload_frac)
        way++;
    return search_leaf_with(&b->leaf, way + 1);
}

/** A device as large as a plan with modules recomputed has room for some set
 *  with as much offload. */
static void compare_no_set(branch *b, const member *m, void *context)
{
    const int64_t all = b->c.problem.cluster.gpu.visible_memory_bytes;
    const search_leaf leaf = leaf_upto(b, &m->plan);
    const unsigned modules =
            m->plan.recompute_modules != 0
                    ? m->plan.recompute_modules
                    : b->c.problem.job.framework->usual_modules;

    (void)context;
    if ((modules & P3D_MODULE_PER_OP) != 0)
        return;
    set_memory(b, peak_bytes(b, m));
    CHECK_MEMBER(b, m, !search_no_set_fits(&b->s, &leaf));
    set_memory(b, all);
    n_sets_met++;
}

static void check_no_set(branch *b)
{
    each_set(b, compare_no_set, NULL);
}

static void no_set_of_modules_takes_less_than_its_bound(void **state)
{
    (void)state;
    n_sets_met = 0;
    each_branch(check_no_set);
    assert_true(n_sets_met > 1000 / TEST_EVERY);
}

static int n_with_room, n_on_host;

/** One of all plans, any with the same chance. */
typedef struct drawn_member {
    random_source random;
    int n;
    member at;
    cost_host_sum host;
} drawn_member;

static void draw_member(branch *b, const member *m, void *context)
{
    drawn_member *drawn = context;
    const cost_case of = member_case(b, m);

    if (random_below(&drawn->random, ++drawn->n) != 0)
        return;
    drawn->at = *m;
    drawn->host = cost_node_host(&of);
}

/** Devices and nodes hold just this plan. */
static void hold_no_more_than(branch *b, const drawn_member *drawn)
{
    p3d_node *node = &b->c.problem.cluster.node;

    set_memory(b, peak_bytes(b, &drawn->at));
    node->nvme_bytes = (int64_t)drawn->host.nvme_bytes + 1;
    node->host_memory_bytes = (int64_t)drawn->host.host_bytes;
    while (!cost_node_holds(node, &drawn->host))
        node->host_memory_bytes += node->host_memory_bytes / 64 + 1;
}

/** A leaf has room for one of its plans. */
static void check_room_of(branch *b, const search_split *split, uint32_t seed)
{
    drawn_member drawn = {.random = {seed}};
    search_room room;

    each_member(b, draw_member, &drawn);
    hold_no_more_than(b, &drawn);
    room = search_find_room(&b->s, &b->leaf);
    if (!search_has_room(split, &room))
        say(b, &drawn.at);
    assert_true(search_has_room(split, &room));
    assert_false(search_is_full(&b->s, &b->leaf, &room));
    n_with_room++;
    n_on_host += drawn.host.host_bytes > 0;
}

static void check_room(branch *b)
{
    enum { N_DRAWS = 8 };
    const p3d_plan *plan = &b->leaf.plan;
    int layers[P3D_MAX_LAYERS];
    search_split split;

    if (plan->first_layers == 0 && plan->last_layers == 0)
        return;
    assert_true(p3d_plan_split_layers(
            &b->c.problem.model, &b->c.problem.job, plan, layers));
    split = (search_split){
            .ends = {(short)layers[0], (short)layers[plan->pp - 1]},
            .share = (short)(plan->pp > 2 ? layers[1] : 0)};
    for (uint32_t i = 0; i < N_DRAWS; i++)
        check_room_of(b, &split, b->c.seed * N_DRAWS + i);
}

static void stages_have_room_for_what_fits(void **state)
{
    (void)state;
    each_branch(check_room);
    if (TEST_EVERY > 1)
        return; /* a share of the branches may have few of both */
    assert_true(n_with_room > 160);
    assert_true(n_on_host > 20);
}

/** The least of all plans, with all ways to share the states. */
static void check_parts(branch *b)
{
    const search_divisors parts =
            *search_parts_of(&b->s, &b->leaf.plan, b->leaf.plan.zero);
    int64_t more = 0;

    for (int i = parts.n; i >= 0; i--) {
        int64_t least = 0;

        b->leaf.plan.shard = i == parts.n ? 0 : parts.at[i];
        each_member(b, take_least, &least);
        if (least < more)
            random_case_say(&b->c);
        assert_true(least >= more);
        more = least;
        if (i == 0)
            break;
    }
}

static void the_more_ranks_share_the_states_the_less_a_rank_holds(void **state)
{
    (void)state;
    each_branch(check_parts);
}

/** The member before, of one choice of recomputation. */
typedef struct before {
    bool have;
    member m;
    int64_t bytes;
    double step_s;
} before;

static void go_on(before *last, const member *m, int64_t bytes, double s)
{
    *last = (before){true, *m, bytes, s};
}

static bool same_recompute(const p3d_plan *p, const p3d_plan *q)
{
    return p->recompute == q->recompute &&
           p->recompute_modules == q->recompute_modules &&
           p->recompute_layers == q->recompute_layers &&
           p->recompute_group == q->recompute_group;
}

static bool sends_more(const p3d_plan *p, const p3d_plan *than)
{
    const double part = p->offload_frac > 0 ? p->offload_frac : 1;
    const double other = than->offload_frac > 0 ? than->offload_frac : 1;

    return p->activation_offload_frac >= than->activation_offload_frac &&
           (p->offload > than->offload ||
                   (p->offload == than->offload &&
                           (p->offload == P3D_OFFLOAD_NONE || part >= other)));
}

/** More on the host: no more on the device, and no faster. */
static void compare_offload(branch *b, const member *m, void *context)
{
    before *const last = context;
    const int64_t bytes = peak_bytes(b, m);
    const double s = step_s(b, m);

    if (last->have && same_recompute(&m->plan, &last->m.plan) &&
            sends_more(&m->plan, &last->m.plan)) {
        if (bytes > last->bytes || !no_less(s, last->step_s))
            say(b, &last->m);
        CHECK_MEMBER(b, m, bytes <= last->bytes);
        CHECK_MEMBER(b, m, no_less(s, last->step_s));
    }
    go_on(last, m, bytes, s);
}

static void check_offload(branch *b)
{
    before last = {.have = false};

    each_member(b, compare_offload, &last);
}

static void what_offloads_more_takes_no_more_and_is_no_faster(void **state)
{
    (void)state;
    each_branch(check_offload);
}

/** With as much on the host, each further layer that is recomputed takes no
 *  more memory, unless it is the first of its kind. */
static void compare_counts(branch *b, const member *m, void *context)
{
    before *const last = context;
    const bool *starts = search_kind_starts(&b->s, &m->plan);
    const int layers = m->plan.recompute_layers > 0 ? m->plan.recompute_layers
                                                    : b->leaf.most;

    int64_t bytes;
    double s;

    if (m->plan.offload != P3D_OFFLOAD_NONE ||
            m->plan.activation_offload_frac > 0)
        return;
    bytes = peak_bytes(b, m);
    s = step_s(b, m);
    if (last->have) {
        CHECK_MEMBER(b, m, no_less(s, last->step_s));
        CHECK_MEMBER(b, m, starts[layers - 1] || bytes <= last->bytes);
    }
    go_on(last, m, bytes, s);
}

static void check_counts(branch *b)
{
    before last = {.have = false};

    each_count(b, compare_counts, &last);
}

static void what_recomputes_more_layers_takes_no_more(void **state)
{
    (void)state;
    each_branch(check_counts);
}

/* Time. */

/** No plan is faster than the leaf's without recomputation and offload. */
static void compare_with_none(branch *b, const member *m, void *context)
{
    const double *const none_s = context;

    CHECK_MEMBER(b, m, no_less(step_s(b, m), *none_s));
}

static void check_none(branch *b)
{
    const member none = {
            .plan = b->leaf.plan, .blocks = &b->leaf.costs->blocks};
    double none_s = step_s(b, &none);

    each_member(b, compare_with_none, &none_s);
}

static void recomputation_and_offload_only_add_seconds(void **state)
{
    (void)state;
    each_branch(check_none);
}

/** Largest of the bounds on a branch's time. */
static double branch_floor_s(branch *b)
{
    const p3d_plan *plan = &b->leaf.plan;
    const bool typed = plan->first_layers > 0 || plan->last_layers > 0;
    const search_shard *alike = search_cache_get_alike(
            &b->cache, &b->c.problem, p3d_plan_shard(plan));
    double floor_s =
            search_quick_floor_s(&b->s, plan, b->leaf.costs, b->leaf.most);

    if (alike != NULL)
        floor_s = fmax(floor_s, search_common_floor_s(&b->s, plan, alike));
    for (int n = 1; typed && n <= b->leaf.most; n++)
        floor_s = fmax(
                floor_s, search_stage_floor_s(&b->s, plan, b->leaf.costs, n));
    if (typed)
        return floor_s;
    return fmax(
            floor_s, fmax(search_uneven_floor_s(&b->s, plan, b->leaf.costs),
                             search_uneven_path_s(&b->s, plan, b->leaf.costs)));
}

/** A bound on a plan by all replicas sharing the states, and what those of the
 *  plan exchange. */
static double exchanging_floor_s(branch *b, const member *m)
{
    p3d_plan plan = b->leaf.plan;
    const cost_case of = search_case(&b->s, &plan, &b->leaf.costs->blocks);
    cost_lone_replicas lone;

    plan.order = m->plan.order;
    plan.shard = 0;
    lone = cost_lone_replicas_of(&of);
    plan.shard = m->plan.shard;
    return cost_exchanging_floor_s(&of, &lone);
}

/** The time of a plan, and bounds by what it says alone. */
static void compare_floors(branch *b, const member *m, void *context)
{
    const double *const floor_s = context;
    const cost_case of = member_case(b, m);
    const double s = step_s(b, m);

    CHECK_MEMBER(b, m, *floor_s <= s);
    CHECK_MEMBER(b, m, no_less(s, cost_step_floor_s(&of)));
    CHECK_MEMBER(b, m, no_less(s, exchanging_floor_s(b, m)));
}

static void check_floors(branch *b)
{
    double floor_s = branch_floor_s(b);

    each_member(b, compare_floors, &floor_s);
}

static void no_plan_is_faster_than_the_bounds_on_its_branch(void **state)
{
    (void)state;
    each_branch(check_floors);
}

/** A set of modules is no faster than its passes with what it runs again. */
static void compare_set_floor(branch *b, const member *m, void *context)
{
    const search_shard *costs =
            search_recompute(&b->s, b->leaf.costs, m->plan.recompute_modules);

    (void)context;
    CHECK_MEMBER(b, m,
            search_quick_floor_s(&b->s, &m->plan, costs, b->leaf.most) <=
                    step_s(b, m));
}

static void check_set_floors(branch *b)
{
    each_set(b, compare_set_floor, NULL);
}

static void no_set_of_modules_is_faster_than_its_bound(void **state)
{
    (void)state;
    each_branch(check_set_floors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_plan_takes_more_than_a_byte_less_than_its_peak),
            cmocka_unit_test(a_leaf_that_never_fits_has_no_plan_that_does),
            cmocka_unit_test(no_set_of_modules_takes_less_than_its_bound),
            cmocka_unit_test(stages_have_room_for_what_fits),
            cmocka_unit_test(
                    the_more_ranks_share_the_states_the_less_a_rank_holds),
            cmocka_unit_test(what_offloads_more_takes_no_more_and_is_no_faster),
            cmocka_unit_test(what_recomputes_more_layers_takes_no_more),
            cmocka_unit_test(recomputation_and_offload_only_add_seconds),
            cmocka_unit_test(no_plan_is_faster_than_the_bounds_on_its_branch),
            cmocka_unit_test(no_set_of_modules_is_faster_than_its_bound),
    };

    return cmocka_run_group_tests_name("search_bounds", tests, NULL, NULL);
}
