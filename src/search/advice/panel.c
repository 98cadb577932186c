/* SPDX-License-Identifier: GPL-3.0-or-later */
/* panel.c - a list of plans that are timed together, again and again, while
 * the constants change.
 *
 * What does not depend on the constants is kept: which plans share a shard,
 * whose blocks are costed once for all of them, and the layouts. */
#include "search/advice/panel.h"

#include <stdlib.h>

#include "base/util.h"
#include "cost/cost.h"
#include "spec/plan_fields.h"

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
    p3d_blocks *blocks;       /* of the shards, with the last factors */
    double *times_s;          /* of the members */
    p3d_search_result *found; /* of the last search */
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
            .blocks = calloc((size_t)capacity, sizeof(p3d_blocks)),
            .times_s = calloc((size_t)capacity, sizeof(double)),
            .found = malloc(sizeof(p3d_search_result))};
    if (p->members == NULL || p->shards == NULL || p->blocks == NULL ||
            p->times_s == NULL || p->found == NULL) {
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
    free(p->blocks);
    free(p->times_s);
    free(p->found);
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

static bool same_shard(const p3d_shard *a, const p3d_shard *b)
{
    return a->tp == b->tp && a->cp == b->cp && a->ep == b->ep &&
           a->etp == b->etp && a->micro_batch == b->micro_batch &&
           a->sequence_parallel == b->sequence_parallel &&
           a->modules == b->modules;
}

static int shard_of(panel *p, const p3d_plan *plan)
{
    const p3d_shard shard = p3d_plan_shard(plan);
    int i = 0;

    while (i < p->n_shards && !same_shard(&p->shards[i], &shard))
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

void panel_time(panel *p, const p3d_factors *factors, double *times_s)
{
    const p3d_problem scaled = p3d_problem_scaled(p->problem, factors);

    for (int i = 0; i < p->n_shards; i++)
        p3d_blocks_build(&scaled, p->shards[i], &p->blocks[i]);
    for (int i = 0; i < p->n; i++) {
        const member *m = &p->members[i];
        const cost_case of = {
                &scaled, &m->plan, &p->blocks[m->shard], &m->layout};
        p3d_time time;

        cost_step_time(&of, &time);
        times_s[i] = p3d_time_step_s(&time);
    }
}

int panel_fastest(const double *times_s, int n)
{
    int best = 0;

    for (int i = 1; i < n; i++)
        if (times_s[i] < times_s[best] * (1 - ROUNDING))
            best = i;
    return best;
}

/* The plans of the panel all fit, so the fastest of them is a limit: the search
 * only looks for what beats it. */
bool panel_search(panel *p, const p3d_factors *factors, int *at, p3d_error *err)
{
    const p3d_problem scaled = p3d_problem_scaled(p->problem, factors);
    const p3d_pins pins = p3d_pins_free();
    p3d_search_options options = {.n_top = 1};
    int best = -1;

    if (p->n > 0) {
        panel_time(p, factors, p->times_s);
        best = panel_fastest(p->times_s, p->n);
        options.limit_s = p->times_s[best];
    }
    if (!p3d_search_with(&scaled, &pins, &options, p->found, err))
        return false;
    if (p->found->interrupted)
        return p3d_fail(
                err, P3D_INTERRUPTED, "interrupted while plans were compared");
    p->n_searches++;
    *at = p->found->n_top > 0 ? panel_add(p, &p->found->top[0].plan) : best;
    return true;
}
