/* SPDX-License-Identifier: GPL-3.0-or-later */
/* seek.c - the fastest plan on pools: which pools, how many replicas and how
 * long they may take once a step, by bounds; the rest by the knapsack. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/tasks.h"
#include "base/util.h"
#include "search/pools/seek.h"
#include "spec/given.h"

/* What a plan must be faster by to count as faster. */
static const double SAME = 1e-10;

/* Of a bound that is near enough to be asked about directly. */
static const double NEAR = 1e-3;

/** Plans with these in common. */
typedef struct node {
    search_pool_setting setting;
    double low_s; /* none of them takes less */
    double least_once_s, most_once_s;
} node;

typedef struct seeker {
    search_pool_world *world, *judge;
    search_pool_sack sack;
    const p3d_watch *watch;
    p3d_pools_result *out;
    double start_s;
    double best_s; /* of the best plan; HUGE_VAL = none yet */
    p3d_pools_plan *trial;
    int *chosen; /* items of the plan at hand */
    int n_chosen;
    double once_s; /* of that plan, in the setting at hand */
} seeker;

static bool stopped(seeker *s)
{
    p3d_pools_result *const out = s->out;

    out->interrupted =
            out->interrupted || p3d_stopped() || s->sack.out_of_memory;
    if (s->watch != NULL && !out->interrupted)
        out->interrupted = !s->watch->tick(s->watch->context,
                p3d_now_s() - s->start_s, s->sack.n_classes + s->sack.n_cut);
    return out->interrupted;
}

/* A plan of chosen items. */

/* Add a replica to the class that is like it, or to a new one.
 * @return false when there are too many classes */
static bool add_replica(p3d_pools_plan *plan, const p3d_replica_class *one)
{
    for (int i = 0; i < plan->n_classes; i++) {
        p3d_replica_class *const class = &plan->classes[i];
        p3d_replica_class other = *one;

        other.n_replicas = class->n_replicas;
        if (memcmp(class, &other, sizeof(other)) == 0) {
            class->n_replicas++;
            return true;
        }
    }
    if (plan->n_classes == P3D_MAX_REPLICA_CLASSES)
        return false;
    plan->classes[plan->n_classes++] = *one;
    return true;
}

/* One replica of an item, its layers split for the budget.
 * @param once_s  the largest of its stages so far */
static void make_class(seeker *s, const search_pool_item *item, double budget_s,
        p3d_replica_class *out)
{
    search_pool_stage stages[P3D_MAX_POOL_STAGES];
    search_pool_split split;

    memset(out, 0, sizeof(*out)); /* alike in every byte */
    search_pool_most(
            s->world, &item->shape, budget_s, item->n_micro_batches, &split);
    out->n_replicas = 1;
    out->n_segments = item->shape.n_segments;
    out->n_stages = search_pool_stages_of(&item->shape, stages);
    for (int i = 0; i < out->n_segments; i++) {
        const search_pool_shard *const shard = item->shape.shards[i];

        out->segments[i] =
                (p3d_segment){shard->pool, shard->tp, item->shape.n_stages[i]};
        out->micro_batch = shard->micro_batch;
        out->recompute = shard->recompute;
        out->vp = shard->vp;
    }
    for (int i = 0; i < out->n_stages; i++) {
        stages[i].n_layers = out->layers[i] = split.layers[i];
        s->once_s = fmax(s->once_s, search_pool_once_s(s->world, &stages[i]));
    }
    out->n_micro_batches = item->n_micro_batches;
    out->pipeline_s = split.sum_s;
    out->bottleneck_s = split.bottleneck_s;
}

/* About when a replica is done. */
static double done_s(const p3d_replica_class *r)
{
    return r->pipeline_s + (double)r->n_micro_batches * r->bottleneck_s;
}

/* Micro-batches that a replica does one after the other before its chunks
 * take turns. */
static int round_of(const p3d_replica_class *r)
{
    return r->vp > 1 ? r->n_stages : 1;
}

/* Leave out micro-batches that are too many, of the replica that would be done
 * last. The last micro-batches of a replica may be smaller than the others. */
static void trim(const seeker *s, p3d_replica_class *replicas, int n)
{
    int64_t extra = -s->world->global_batch;

    for (int i = 0; i < n; i++)
        extra += replicas[i].n_micro_batches * replicas[i].micro_batch;
    for (;;) {
        int last = -1;

        for (int i = 0; i < n; i++) {
            const p3d_replica_class *const r = &replicas[i];
            const int round = round_of(r);

            if ((int64_t)r->micro_batch * round > extra ||
                    r->n_micro_batches <= round)
                continue;
            if (last < 0 || done_s(r) > done_s(&replicas[last]))
                last = i;
        }
        if (last < 0)
            return;
        replicas[last].n_micro_batches -= round_of(&replicas[last]);
        extra -=
                (int64_t)replicas[last].micro_batch * round_of(&replicas[last]);
    }
}

/* Make a plan of the chosen items, and keep it if it is the best so far. */
static void take_chosen(seeker *s, double budget_s)
{
    p3d_replica_class *const replicas =
            malloc((size_t)s->n_chosen * sizeof(*replicas));
    bool ok = true;

    s->once_s = 0;
    if (replicas == NULL) {
        s->sack.out_of_memory = true;
        return;
    }
    for (int i = 0; i < s->n_chosen; i++) {
        if (i > 0 && s->chosen[i] == s->chosen[i - 1])
            replicas[i] = replicas[i - 1];
        else
            make_class(s, &s->sack.items[s->chosen[i]], budget_s, &replicas[i]);
    }
    trim(s, replicas, s->n_chosen);
    memset(s->trial, 0, sizeof(*s->trial));
    s->trial->zero = s->world->setting.zero;
    for (int i = 0; i < s->n_chosen && ok; i++)
        ok = add_replica(s->trial, &replicas[i]);
    free(replicas);
    if (!ok || !search_pool_judge(s->judge, s->trial) ||
            s->trial->step_s >= s->best_s)
        return;
    s->best_s = s->trial->step_s;
    s->out->plan = *s->trial;
    s->out->fits = true;
}

/* What is asked of the knapsack; the limit is set. */
static search_pool_ask ask_of(
        seeker *s, const node *n, double step_s, int64_t bonus)
{
    search_pool_limit(s->world, n->most_once_s);
    return (search_pool_ask){
            step_s - n->least_once_s, s->world->global_batch, bonus};
}

static bool is_between(const seeker *s, const node *n)
{
    return s->n_chosen >= n->setting.least_replicas &&
           s->n_chosen <= n->setting.most_replicas;
}

/* Bonuses that are tried before all numbers of replicas are gone through. */
enum { TURNS = 8 };

/**
 * Whether the node's number of replicas may do what others do: a plan is at
 * hand whose number is another. A bonus for each replica, or one taken away,
 * leads to plans with a number of the node's, or proves that there are none.
 */
static bool may_have_count(seeker *s, const node *n, double step_s)
{
    const search_pool_setting *const set = &n->setting;
    const bool few = s->n_chosen < set->least_replicas;
    const int target = few ? set->least_replicas : set->most_replicas;
    const int64_t wanted = s->world->global_batch;
    int64_t near = 0, far = 0; /* too little, too much of it; 0 = not known */
    int64_t size = wanted / (8 * (int64_t)target) + 1;

    for (int turn = 0; turn < TURNS && !stopped(s); turn++) {
        const search_pool_ask ask = ask_of(s, n, step_s, few ? size : -size);
        int state = 0;
        const int64_t most = search_pool_sack_fill(&s->sack, &ask, &state);

        if (most - ask.bonus * target < wanted)
            return false;
        s->n_chosen = search_pool_sack_chosen(&s->sack, state, s->chosen);
        if (is_between(s, n) && most - ask.bonus * s->n_chosen >= wanted) {
            take_chosen(s, ask.budget_s);
            return true;
        }
        if (few ? s->n_chosen < target : s->n_chosen > target)
            near = size;
        else
            far = size;
        if (far > 0 && far - near <= 1)
            break;
        size = far > 0 ? (near + far) / 2 : 3 * size;
    }
    s->n_chosen = 0; /* not known */
    return true;
}

/* Whether some plans of a node, or what bounds them, take no longer. The best
 * of what is found on the way is kept. */
static bool holds(seeker *s, const node *n, double step_s)
{
    const search_pool_ask ask = ask_of(s, n, step_s, 0);
    int state = 0;

    if (search_pool_sack_fill(&s->sack, &ask, &state) < ask.wanted ||
            stopped(s))
        return false;
    s->n_chosen = search_pool_sack_chosen(&s->sack, state, s->chosen);
    take_chosen(s, ask.budget_s);
    return is_between(s, n) || may_have_count(s, n, step_s);
}

/* The same of plans with exactly the node's number of replicas. */
static bool holds_count(seeker *s, const node *n, double step_s)
{
    const int n_replicas = n->setting.most_replicas;
    const search_pool_ask ask = ask_of(s, n, step_s, 0);

    if (search_pool_sack_fill_count(&s->sack, &ask, n_replicas, s->chosen) <
                    ask.wanted ||
            stopped(s))
        return false;
    s->n_chosen = n_replicas;
    take_chosen(s, ask.budget_s);
    return true;
}

/* Part of the way to the bound that is asked about. */
static const double PART = 0.3;

/* While better plans come of asking for a part of the way to the bound. */
static void improve(seeker *s, node *n)
{
    while (s->best_s - n->low_s > NEAR * s->best_s && !stopped(s)) {
        const double ask_s = s->best_s - PART * (s->best_s - n->low_s);

        if (!holds(s, n, ask_s))
            n->low_s = ask_s;
        else if (s->best_s > ask_s)
            return;
    }
}

/* Cut the seconds once a step in two: at those of the plan at hand, or in the
 * middle where they are above and it is not near. */
static void cut(const seeker *s, const node *n, node *less, node *more)
{
    const double middle_s = (n->least_once_s + n->most_once_s) / 2;
    const bool near = n->most_once_s - n->least_once_s < NEAR * s->best_s;
    const double at_s =
            s->once_s > n->least_once_s && (near || s->once_s < middle_s)
                    ? s->once_s
                    : middle_s;

    *less = *more = *n;
    more->least_once_s = at_s;
    less->most_once_s = at_s * (1 - 1e-14);
    more->low_s = fmax(n->low_s, n->low_s - n->least_once_s + at_s);
}

/**
 * The plans with one number of replicas: is any faster than the best so far?
 *
 * Least and most time once a step bound them: no stage may take more than the
 * most, and all pipelines have what the least leaves. Where that holds and no
 * better plan comes of it, the two are brought together.
 */
static void explore_replicas(seeker *s, node n)
{
    const double floor_s = n.low_s - n.least_once_s;
    node less, more;

    while (!stopped(s)) {
        const double before_s = s->best_s;
        const double ask_s = before_s * (1 - SAME);

        n.most_once_s = fmin(n.most_once_s, before_s - floor_s);
        if (n.low_s >= ask_s || n.least_once_s > n.most_once_s ||
                !holds(s, &n, ask_s))
            return;
        if (s->best_s >= before_s && s->n_chosen != n.setting.most_replicas &&
                !holds_count(s, &n, ask_s))
            return;
        if (s->best_s >= before_s)
            break;
        improve(s, &n);
    }
    if (s->best_s >= HUGE_VAL ||
            n.most_once_s - n.least_once_s < 1e-13 * s->best_s)
        return;
    cut(s, &n, &less, &more);
    explore_replicas(s, more);
    explore_replicas(s, less);
}

/* Plans with a number of replicas between two: few before many, of which there
 * are more kinds. */
static void explore(seeker *s, node n)
{
    search_pool_setting *const set = &n.setting;
    const int middle = (set->least_replicas + set->most_replicas) / 2;
    node less, more;

    if (stopped(s))
        return;
    search_pool_set(s->world, set);
    n.least_once_s = search_pool_least_once_s(s->world);
    n.low_s = search_pool_floor_s(s->world, set->pools) + n.least_once_s;
    if (n.low_s >= s->best_s || n.low_s >= HUGE_VAL)
        return;
    if (set->least_replicas == set->most_replicas) {
        explore_replicas(s, n);
        return;
    }
    if (s->best_s < HUGE_VAL && !holds(s, &n, s->best_s * (1 - SAME)))
        return;
    less = more = n;
    less.setting.most_replicas = middle;
    more.setting.least_replicas = middle + 1;
    explore(s, less);
    explore(s, more);
}

static int n_bits(unsigned bits)
{
    int n = 0;

    for (; bits != 0; bits &= bits - 1)
        n++;
    return n;
}

/* All plans on these pools with a stage of ZeRO. With one replica nothing is
 * exchanged or shared; with several, the more share the states the more find
 * room. */
static void explore_pools(seeker *s, unsigned pools, int zero)
{
    const int units = search_pool_sack_units(&s->sack);
    node n = {.setting = {zero, pools, 2, units}, .most_once_s = HUGE_VAL};
    int most;

    search_pool_set(s->world, &n.setting);
    for (;;) {
        most = search_pool_most_replicas(s->world);
        if (most >= n.setting.most_replicas)
            break;
        n.setting.most_replicas = most > 2 ? most : 2;
        search_pool_set(s->world, &n.setting);
        if (most < 2)
            break;
    }
    if (most >= 2)
        explore(s, n);
    n.setting.least_replicas = n.setting.most_replicas = 1;
    if (zero > 0)
        explore(s, n);
}

/* All sets of pools. Those of few are cheap, and what they find saves most of
 * the work on those of many; one that is left out may have the slowest link. */
static void explore_all(seeker *s)
{
    const int n_pools = s->world->problem->pools.n_pools;

    for (int n = 1; n <= n_pools; n++)
        for (unsigned pools = 1; pools < 1u << n_pools; pools++)
            for (int zero = 1; zero >= 0 && n_bits(pools) == n; zero--)
                explore_pools(s, pools, zero);
}

static bool seek(seeker *s, p3d_error *err)
{
    const search_pool_setting all = {
            0, (1u << s->world->problem->pools.n_pools) - 1, 1, 1};

    s->chosen = malloc(
            (size_t)search_pool_sack_units(&s->sack) * sizeof(*s->chosen));
    s->trial = malloc(sizeof(*s->trial));
    if (s->chosen == NULL || s->trial == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    search_pool_set(s->world, &all);
    s->out->floor_s = search_pool_floor_s(s->world, all.pools);
    explore_all(s);
    if (s->sack.out_of_memory)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    s->out->bound_s = s->out->interrupted || !s->out->fits
                              ? s->out->floor_s
                              : s->best_s * (1 - SAME);
    s->out->n_classes = s->sack.n_classes;
    s->out->n_cut = s->sack.n_cut;
    s->out->n_knapsacks = s->sack.n_runs;
    memcpy(s->out->unit, s->sack.unit, sizeof(s->out->unit));
    return true;
}

static bool search_mixed(const p3d_pools_problem *problem,
        const p3d_watch *watch, p3d_pools_result *out, p3d_error *err)
{
    search_pool_world *const worlds = malloc(2 * sizeof(*worlds));
    seeker s = {.watch = watch, .out = out, .best_s = HUGE_VAL};
    bool ok;

    if (worlds == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    s.start_s = p3d_now_s();
    s.world = &worlds[0];
    s.judge = &worlds[1];
    ok = search_pool_open(problem, s.world, err) &&
         search_pool_sack_open(s.world, &s.sack, err);
    if (ok) {
        search_pool_twin(s.world, s.judge);
        ok = seek(&s, err);
    }
    out->seconds = p3d_now_s() - s.start_s;
    search_pool_sack_close(&s.sack);
    search_pool_close(s.world);
    free(s.chosen);
    free(s.trial);
    free(worlds);
    return ok;
}

/* Today's whole search on each pool. */
static bool search_alone(const p3d_pools_problem *problem,
        const p3d_watch *watch, p3d_pools_result *out, p3d_error *err)
{
    const p3d_search_options options = {.n_top = 1, .watch = watch};
    const p3d_pins pins = p3d_pins_free();
    p3d_search_result *const found = malloc(sizeof(*found));
    bool ok = found != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");

    out->best_alone = -1;
    for (int k = 0; k < problem->pools.n_pools && ok && !out->interrupted;
            k++) {
        p3d_pool_alone *const alone = &out->alone[k];

        ok = p3d_search_with(&problem->on[k], &pins, &options, found, err);
        if (!ok)
            break;
        out->interrupted = found->interrupted;
        alone->seconds = found->seconds;
        alone->fits = found->n_top > 0 && found->top[0].sure;
        if (!alone->fits)
            continue;
        alone->plan = found->top[0].plan;
        alone->step_s = p3d_time_step_s(&found->top[0].time);
        if (out->best_alone < 0 ||
                alone->step_s < out->alone[out->best_alone].step_s)
            out->best_alone = k;
    }
    free(found);
    return ok;
}

/* Whether a caller gave pools, and a problem on each. */
static bool is_given(const p3d_pools_problem *problem)
{
    if (problem == NULL || problem->pools.n_pools < 1 ||
            problem->pools.n_pools > P3D_MAX_POOLS)
        return false;
    for (int k = 0; k < problem->pools.n_pools; k++)
        if (!spec_problem_given(&problem->on[k]) ||
                !spec_cluster_given(&problem->pools.clusters[k]))
            return false;
    return true;
}

bool p3d_pools_search(const p3d_pools_problem *problem, const p3d_watch *watch,
        p3d_pools_result *out, p3d_error *err)
{
    if (!is_given(problem) || out == NULL)
        return p3d_misuse(err, __func__);
    memset(out, 0, sizeof(*out));
    if (!search_mixed(problem, watch, out, err) ||
            !search_alone(problem, watch, out, err))
        return false;
    out->prefer_alone = out->best_alone >= 0 &&
                        (!out->fits || out->alone[out->best_alone].step_s <=
                                               out->plan.step_s);
    return true;
}

bool p3d_pools_search_alike(const p3d_pools_problem *problem,
        const p3d_watch *watch, p3d_pools_result *out, p3d_error *err)
{
    if (!is_given(problem) || out == NULL)
        return p3d_misuse(err, __func__);
    memset(out, 0, sizeof(*out));
    out->best_alone = -1;
    return search_pools_alike(problem, watch, out, err);
}

/* Whether its numbers are of plans: sizes, and layers that are all there. */
static bool is_plan(
        const p3d_pools_problem *problem, const p3d_pools_plan *plan)
{
    if (plan->n_classes < 1 || plan->n_classes > P3D_MAX_REPLICA_CLASSES ||
            plan->zero < 0 || plan->zero > 1)
        return false;
    for (int i = 0; i < plan->n_classes; i++) {
        const p3d_replica_class *const c = &plan->classes[i];
        int n_stages = 0, n_layers = 0;

        if (c->n_replicas < 1 || c->n_segments < 1 ||
                c->n_segments > P3D_MAX_POOLS || c->micro_batch < 1 ||
                c->vp < 0 || c->n_micro_batches < 1 ||
                (unsigned)c->recompute >= P3D_N_RECOMPUTES)
            return false;
        for (int j = 0; j < c->n_segments; j++) {
            const p3d_segment *const g = &c->segments[j];

            if (g->pool < 0 || g->pool >= problem->pools.n_pools || g->tp < 1 ||
                    g->n_stages < 1 || g->n_stages > P3D_MAX_POOL_STAGES)
                return false;
            n_stages += g->n_stages;
        }
        for (int j = 0; j < n_stages && j < P3D_MAX_POOL_STAGES; j++)
            n_layers += c->layers[j] > 0 ? c->layers[j] : P3D_MAX_LAYERS;
        if (n_stages > P3D_MAX_POOL_STAGES ||
                n_layers != problem->on[0].model.n_layers)
            return false;
    }
    return true;
}

bool p3d_pools_estimate(const p3d_pools_problem *problem, p3d_pools_plan *plan)
{
    search_pool_world *world;
    bool fits = false;

    if (!is_given(problem) || plan == NULL || !is_plan(problem, plan))
        return false;
    world = malloc(sizeof(*world));
    if (world == NULL)
        return false;
    if (search_pool_open(problem, world, NULL))
        fits = search_pool_judge(world, plan);
    search_pool_close(world);
    free(world);
    return fits;
}
