/* SPDX-License-Identifier: GPL-3.0-or-later */
/* panel.c - a list of plans that are timed together, again and again, while
 * the constants change; where one of them overtakes another.
 *
 * What does not depend on the constants is kept: which plans share a shard,
 * whose blocks are costed once for all of them, and the layouts. */
#include "search/advice/panel.h"

#include <math.h>
#include <stdlib.h>

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

/* Switches: factors of a constant at which another plan leads. */

enum {
    N_GRID = 60,     /* factors that are looked at first, 2.3 % apart */
    N_HALVINGS = 10, /* to 2e-5 of the factor */
    MOST_ROUNDS = 6  /* of bisection and search */
};

/** The plan that is the fastest with one constant changed. */
static int leader(panel *p, p3d_constant constant, double factor,
        double times_s[P3D_MAX_RIVALS])
{
    p3d_factors factors = p3d_factors_one();

    factors.of[constant] = factor;
    panel_time(p, &factors, times_s);
    return panel_fastest(times_s, panel_size(p));
}

double switch_elasticity(panel *p, p3d_constant constant)
{
    const double f = 1.001;
    double more_s[P3D_MAX_RIVALS], less_s[P3D_MAX_RIVALS];

    (void)leader(p, constant, f, more_s);
    (void)leader(p, constant, 1 / f, less_s);
    return log(more_s[0] / less_s[0]) / (2 * log(f));
}

/** Factors between which the choice changes its place. */
typedef struct span {
    double near; /* as with factor 1 */
    double far;
} span;

static bool leads(panel *p, p3d_constant constant, double factor)
{
    double times_s[P3D_MAX_RIVALS];

    return leader(p, constant, factor, times_s) == 0;
}

/** The first step of the grid over which the choice changes its place. */
static bool find_span(
        panel *p, p3d_constant constant, double widest, bool first, span *out)
{
    out->near = 1;
    for (int i = 1; i <= N_GRID; i++) {
        out->far = pow(widest, (double)i / N_GRID);
        if (leads(p, constant, out->far) != first)
            return true;
        out->near = out->far;
    }
    return false;
}

static void narrow(panel *p, p3d_constant constant, bool first, span *s)
{
    for (int i = 0; i < N_HALVINGS; i++) {
        const double middle = sqrt(s->near * s->far);

        if (leads(p, constant, middle) == first)
            s->near = middle;
        else
            s->far = middle;
    }
}

/** Search at a factor at which the choice leads the panel.
 *  @param sure  nothing else leads there, or the panel is full */
static bool confirm(panel *p, p3d_constant constant, double factor, bool *sure,
        p3d_error *err)
{
    p3d_factors factors = p3d_factors_one();
    int at = 0;

    factors.of[constant] = factor;
    if (!panel_search(p, &factors, &at, err))
        return false;
    *sure = at < 0 || leads(p, constant, factor);
    return true;
}

bool switch_find(panel *p, p3d_constant constant, double widest,
        p3d_switch *out, p3d_error *err)
{
    double times_s[P3D_MAX_RIVALS];
    const bool first = leads(p, constant, 1);
    bool sure = false;
    span s = {1, 1};

    *out = (p3d_switch){.found = false};
    for (int round = 0; round < MOST_ROUNDS && !sure; round++) {
        if (!find_span(p, constant, widest, first, &s))
            return true;
        narrow(p, constant, first, &s);
        if (!confirm(p, constant, first ? s.near : s.far, &sure, err))
            return false;
    }
    *out = (p3d_switch){.found = true,
            .factor = s.far,
            .rival = leader(p, constant, first ? s.far : s.near, times_s)};
    return true;
}
