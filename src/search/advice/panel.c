/* SPDX-License-Identifier: GPL-3.0-or-later */
/* panel.c - a list of plans that are timed together, again and again, while
 * the constants change.
 *
 * What does not depend on the constants is kept: which plans share a shard,
 * whose blocks are costed once for all of them, the layouts, and what searches
 * find out about memory. */
#include "search/advice/panel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "cost/cost.h"
#include "search/exact/engine.h"
#include "spec/plan_words.h"

typedef struct member {
    p3d_plan plan;
    cost_layout layout;
    int shard; /* index */
} member;

struct panel {
    const p3d_problem *problem;
    int n;
    int capacity;
    int n_searches;
    member *members;
    int n_shards;
    p3d_shard *shards;
    search_memo *memo; /* NULL where memory ran out: it is not needed */
};

/** What a thread times the plans with. */
struct panel_timer {
    const panel *panel;
    p3d_problem scaled; /* by the last factors */
    p3d_blocks *blocks; /* of the shards, with these, */
    bool *is_costed;    /* where they are */
    double *times_s;    /* of the members */
    int rival;          /* that was faster than the first the last time */
};

/* Plans whose times differ by less than this, relative, are equally fast. */
static const double ROUNDING = 1e-9;

panel *panel_create(const p3d_problem *problem, int capacity)
{
    panel *p = calloc(1, sizeof(*p));

    if (p == NULL)
        return NULL;
    *p = (panel){.problem = problem,
            .capacity = capacity,
            .members = calloc((size_t)capacity, sizeof(member)),
            .shards = calloc((size_t)capacity, sizeof(p3d_shard)),
            .memo = search_memo_create()};
    if (p->members == NULL || p->shards == NULL) {
        panel_destroy(p);
        return NULL;
    }
    return p;
}

void panel_destroy(panel *p)
{
    if (p == NULL)
        return;
    free(p->members);
    free(p->shards);
    search_memo_destroy(p->memo);
    free(p);
}

int panel_size(const panel *p)
{
    return p->n;
}

int panel_searches(const panel *p)
{
    return p == NULL ? 0 : p->n_searches;
}

const p3d_plan *panel_plan(const panel *p, int i)
{
    return &p->members[i].plan;
}

static int shard_of(panel *p, const p3d_plan *plan)
{
    const p3d_shard shard = p3d_plan_shard(plan);
    int i = 0;

    while (i < p->n_shards && !search_same_shard(p->shards[i], shard))
        i++;
    if (i == p->n_shards)
        p->shards[p->n_shards++] = shard;
    return i;
}

int panel_add(panel *p, const p3d_plan *plan)
{
    member *m = &p->members[p->n];

    for (int i = 0; i < p->n; i++)
        if (spec_plan_compare(&p->members[i].plan, plan) == 0)
            return i;
    if (p->n == p->capacity)
        return -1;
    m->plan = *plan;
    P3D_ASSERT(cost_layout_build(p->problem, plan, &m->layout));
    m->shard = shard_of(p, plan);
    return p->n++;
}

panel_timer *panel_timer_create(const panel *p)
{
    const size_t n = (size_t)p->capacity;
    panel_timer *t = calloc(1, sizeof(*t));

    if (t == NULL)
        return NULL;
    t->panel = p;
    t->blocks = calloc(n, sizeof(*t->blocks));
    t->is_costed = calloc(n, sizeof(*t->is_costed));
    t->times_s = calloc(n, sizeof(*t->times_s));
    if (t->blocks == NULL || t->is_costed == NULL || t->times_s == NULL) {
        panel_timer_destroy(t);
        return NULL;
    }
    return t;
}

void panel_timer_destroy(panel_timer *t)
{
    if (t == NULL)
        return;
    free(t->blocks);
    free(t->is_costed);
    free(t->times_s);
    free(t);
}

static void begin(panel_timer *t, const p3d_factors *factors)
{
    t->scaled = p3d_problem_scaled(t->panel->problem, factors);
    memset(t->is_costed, 0, (size_t)t->panel->n_shards * sizeof(bool));
}

static double time_one(panel_timer *t, int i)
{
    const panel *const p = t->panel;
    const member *const m = &p->members[i];
    p3d_blocks *const blocks = &t->blocks[m->shard];
    const cost_case of = {&t->scaled, &m->plan, blocks, &m->layout};
    p3d_time time;

    if (!t->is_costed[m->shard])
        p3d_blocks_build(&t->scaled, p->shards[m->shard], blocks);
    t->is_costed[m->shard] = true;
    cost_step_time(&of, &time);
    return p3d_time_step_s(&time);
}

void panel_time(panel_timer *t, const p3d_factors *factors, double *times_s)
{
    begin(t, factors);
    for (int i = 0; i < t->panel->n; i++)
        times_s[i] = time_one(t, i);
}

static bool is_faster(double a_s, double b_s)
{
    return a_s < b_s * (1 - ROUNDING);
}

int panel_fastest(const double *times_s, int n)
{
    int best = 0;

    for (int i = 1; i < n; i++)
        if (is_faster(times_s[i], times_s[best]))
            best = i;
    return best;
}

/* Once a plan is faster than the first, the first is not the fastest: those
 * that follow are held against faster ones still. */
bool panel_leads(panel_timer *t, const p3d_factors *factors)
{
    double first_s;

    begin(t, factors);
    first_s = time_one(t, 0);
    if (t->rival < t->panel->n && is_faster(time_one(t, t->rival), first_s))
        return false;
    for (int i = 1; i < t->panel->n; i++) {
        if (is_faster(time_one(t, i), first_s)) {
            t->rival = i;
            return false;
        }
    }
    return true;
}

panel_query panel_ask(panel_timer *t, const p3d_factors *factors)
{
    const int n = t->panel->n;
    panel_query query = {.factors = *factors};

    panel_time(t, factors, t->times_s);
    if (n > 0)
        query.limit_s = t->times_s[panel_fastest(t->times_s, n)];
    return query;
}

void panel_search(
        const panel *p, panel_query *query, p3d_search_result *scratch)
{
    const p3d_problem scaled = p3d_problem_scaled(p->problem, &query->factors);
    const p3d_pins pins = p3d_pins_free();
    const search_order order = {.problem = &scaled,
            .pins = &pins,
            .n_top = 1,
            .limit_s = query->limit_s,
            .usable_bytes = p3d_sure_bytes(&scaled),
            .memo = p->memo};

    query->out_of_memory = !search_run(&order, scratch, NULL);
    query->interrupted = !query->out_of_memory && scratch->interrupted;
    query->is_found = !query->out_of_memory && scratch->n_top > 0;
    if (query->is_found)
        query->plan = scratch->top[0].plan;
}

bool panel_take(panel *p, const panel_query *query, int *at, p3d_error *err)
{
    if (query->out_of_memory)
        return p3d_fail(err, P3D_SYSTEM, "out of memory during the search");
    if (query->interrupted)
        return p3d_fail(
                err, P3D_INTERRUPTED, "interrupted while plans were compared");
    p->n_searches++;
    if (query->is_found)
        *at = panel_add(p, &query->plan);
    return true;
}
