/* SPDX-License-Identifier: GPL-3.0-or-later */
/* single_changes.c - what one change of a plan gains, all else as it is. */
#include "plan3d/single_changes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "base/util.h"
#include "search/advice/decision_rows.h"
#include "search/exact/savings.h"
#include "search/exact/space.h"
#include "spec/given.h"

/* Of the step; less is not worth a change. */
static const double least_gain_frac = 0.001;

/* One decision at work. */
typedef struct trial {
    const p3d_problem *problem;
    const p3d_estimate *from;
    const decision_row *row;
    double best_s; /* to be beaten */
    bool found;
    p3d_estimate *best;
} trial;

static void try_plan(trial *t, const p3d_plan *plan)
{
    p3d_estimate e;

    if (plan->dp < 1 || p3d_stopped() ||
            !p3d_estimate_plan(t->problem, plan, &e, NULL) || !e.fits ||
            p3d_time_step_s(&e.time) >= t->best_s)
        return;
    *t->best = e;
    t->best_s = p3d_time_step_s(&e.time);
    t->found = true;
}

/* Some or all layers of a chunk, or all in groups. */
static void try_layers(trial *t, p3d_plan plan, const search_savings *savings)
{
    const int most = space_chunk_layers(t->problem, &plan);
    const int n_groups = search_n_groups(t->problem, savings, &plan, most);

    for (int layers = search_least_layers(t->problem, savings, &plan, most);
            layers <= most; layers++) {
        plan.recompute_layers = layers < most ? layers : 0;
        try_plan(t, &plan);
    }
    plan.recompute_layers = 0;
    for (int i = 0; i < n_groups; i++) {
        plan.recompute_group = search_least_group(savings) + i;
        try_plan(t, &plan);
    }
}

static void try_recompute(trial *t, int value)
{
    const p3d_pins pins = p3d_pins_free();
    p3d_plan plan = decision_change(&t->from->plan, t->row, value);
    search_savings savings;
    int n_sets;

    plan.recompute_layers = plan.recompute_group = 0;
    plan.recompute_modules = 0;
    search_savings_build(t->problem, &pins, &savings);
    n_sets = search_n_sets(t->problem, &savings, &plan);
    if (plan.recompute == P3D_RECOMPUTE_FULL)
        try_layers(t, plan, &savings);
    else if (plan.recompute == P3D_RECOMPUTE_NONE)
        try_plan(t, &plan);
    else
        for (int i = 0; i < n_sets; i++) {
            plan.recompute_modules = savings.sets[i];
            try_plan(t, &plan);
        }
}

/* Shares of the states, each with shares of the activations. */
static void try_offload(trial *t, int value)
{
    p3d_pins pins = p3d_pins_free();
    p3d_plan plan = decision_change(&t->from->plan, t->row, value);
    search_savings savings;
    search_offloads ways;

    pins.offload = value;
    search_savings_build(t->problem, &pins, &savings);
    search_offloads_of(t->problem, &pins, &plan, &ways);
    for (int i = 0; i < ways.n; i++) {
        search_set_offload(&plan, &ways.at[i], ways.at[i].nvme);
        for (int k = 0; k < savings.n_activations; k++) {
            plan.activation_offload_frac = savings.activations[k];
            try_plan(t, &plan);
        }
    }
}

static void try_value(trial *t, int value)
{
    const p3d_plan plan = decision_change(&t->from->plan, t->row, value);

    try_plan(t, &plan);
}

/* Decisions whose words say more than a value. */
static const struct {
    p3d_plan_key key;
    void (*try)(trial *t, int value);
} worded[] = {
        {P3D_KEY_recompute, try_recompute}, {P3D_KEY_offload, try_offload}};

static void try_values(trial *t)
{
    void (*try)(trial *, int) = try_value;
    search_divisors values;

    for (int i = 0; i < P3D_COUNT_OF(worded); i++) {
        if (worded[i].key == t->row->key)
            try = worded[i].try;
    }
    t->row->values(t->problem, &values);
    for (int i = 0; i < values.n; i++)
        try(t, values.at[i]);
}

static void overlap_tensors(p3d_problem *p)
{
    p->job.tp_overlap = p->job.framework->transformer_engine;
}

static void overlap_experts(p3d_problem *p)
{
    p->job.expert_overlap = true;
}

static void fuse_attention(p3d_problem *p)
{
    if (p->job.attention != P3D_EAGER)
        return;
    p->job.attention = P3D_FLASH;
    p3d_job_default_attention(&p->job, &p->model, &p->cluster.gpu);
}

/* Options of the job that change how its numbers are computed, not which. */
static const struct {
    const char *word;
    const char *doc;
    void (*set)(p3d_problem *problem);
} options[] = {
        {"--tp-overlap", "tensor-parallel communication beside products",
                overlap_tensors},
        {"--moe-overlap", "tokens travel beside another micro-batch",
                overlap_experts},
        {"--attention flash", "fused attention", fuse_attention},
};

/* What a change must be faster than. */
static double to_beat_s(const p3d_estimate *from)
{
    return from->fits ? p3d_time_step_s(&from->time) * (1 - least_gain_frac)
                      : HUGE_VAL;
}

static int compare_steps(const void *a, const void *b)
{
    const p3d_single_change *x = a, *y = b;
    const double x_s = p3d_time_step_s(&x->estimate.time);
    const double y_s = p3d_time_step_s(&y->estimate.time);

    if (x_s != y_s)
        return x_s < y_s ? -1 : 1;
    return strcmp(x->word, y->word);
}

static bool try_decision(const p3d_problem *problem, const p3d_estimate *from,
        const decision_row *row, p3d_single_change *out)
{
    trial t = {.problem = problem,
            .from = from,
            .row = row,
            .best_s = to_beat_s(from),
            .best = &out->estimate};

    try_values(&t);
    out->word = decision_word(row);
    out->doc = row->doc;
    out->is_option = false;
    return t.found;
}

static bool try_option(const p3d_problem *problem, const p3d_estimate *from,
        int i, p3d_single_change *out)
{
    p3d_problem changed = *problem;
    trial t = {.problem = &changed,
            .from = from,
            .best_s = to_beat_s(from),
            .best = &out->estimate};

    options[i].set(&changed);
    try_plan(&t, &from->plan);
    out->word = options[i].word;
    out->doc = options[i].doc;
    out->is_option = true;
    return t.found;
}

int p3d_single_changes_find(const p3d_problem *problem,
        const p3d_estimate *from, p3d_single_change out[P3D_MAX_SINGLE_CHANGES])
{
    if (!spec_problem_given(problem) || !spec_estimate_given(from) ||
            out == NULL)
        return 0;

    int n_rows, n = 0;
    const decision_row *rows = decision_rows(&n_rows);

    for (int i = 0; i < n_rows; i++) {
        P3D_ASSERT(n < P3D_MAX_SINGLE_CHANGES);
        n += try_decision(problem, from, &rows[i], &out[n]);
    }
    for (int i = 0; i < P3D_COUNT_OF(options); i++) {
        P3D_ASSERT(n < P3D_MAX_SINGLE_CHANGES);
        n += try_option(problem, from, i, &out[n]);
    }
    qsort(out, (size_t)n, sizeof(*out), compare_steps);
    return n;
}
