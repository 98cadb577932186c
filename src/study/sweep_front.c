/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_front.c - which rows of a sweep no other row makes pointless, and what
 * else follows from all of them. */
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/pareto.h"
#include "study/sweep.h"

/* What a row is judged by; less is better. */
static double gpus_of(const p3d_sweep_row *row)
{
    return row->n_gpus;
}

/* Steps of different batches cannot be compared, tokens can. */
static double time_of(const p3d_sweep_row *row)
{
    return row->training_s > 0 ? row->training_s : 1 / row->tokens_per_s;
}

/* 0 where no price is given: then no row is cheaper. */
static double cost_of(const p3d_sweep_row *row)
{
    return row->training_usd > 0 ? row->training_usd : row->billion_tokens_usd;
}

/* 0 where it is not known. */
static double energy_of(const p3d_sweep_row *row)
{
    return row->training_kwh;
}

static double tightness_of(const p3d_sweep_row *row)
{
    return -(double)row->margin_bytes;
}

static double (*const objectives[])(const p3d_sweep_row *) = {
        gpus_of, time_of, cost_of, energy_of, tightness_of};

enum { N_OBJECTIVES = sizeof(objectives) / sizeof(objectives[0]) };

/* Room for the rows of one sequence length. */
typedef struct group {
    int n;
    int *rows; /* which they are */
    double *values;
    bool *on_front;
} group;

static void collect(const p3d_sweep *sweep, int seq_len, group *g)
{
    g->n = 0;
    for (int i = 0; i < sweep->n_rows; i++) {
        const p3d_sweep_row *row = &sweep->rows[i];

        if (!row->fits || row->never_ends || row->seq_len != seq_len)
            continue;
        for (int o = 0; o < N_OBJECTIVES; o++)
            g->values[g->n * N_OBJECTIVES + o] = objectives[o](row);
        g->rows[g->n++] = i;
    }
}

static bool mark_group(p3d_sweep *sweep, group *g, p3d_error *err)
{
    if (!p3d_pareto_front(g->n, N_OBJECTIVES, g->values, g->on_front, err))
        return false;
    for (int i = 0; i < g->n; i++)
        sweep->rows[g->rows[i]].on_front = g->on_front[i];
    return true;
}

/* Lengths repeat themselves in the order of the rows: none is done twice. */
static bool is_first_of_length(const p3d_sweep *sweep, int i)
{
    for (int earlier = 0; earlier < i; earlier++)
        if (sweep->rows[earlier].seq_len == sweep->rows[i].seq_len)
            return false;
    return true;
}

bool study_sweep_mark_front(p3d_sweep *sweep, p3d_error *err)
{
    const size_t n = (size_t)sweep->n_rows + 1;
    group g = {.rows = malloc(n * sizeof(*g.rows)),
            .values = malloc(n * N_OBJECTIVES * sizeof(*g.values)),
            .on_front = malloc(n * sizeof(*g.on_front))};
    bool ok = g.rows != NULL && g.values != NULL && g.on_front != NULL;

    if (!ok)
        (void)p3d_fail(err, P3D_SYSTEM, "out of memory");
    for (int i = 0; i < sweep->n_rows && ok; i++) {
        if (is_first_of_length(sweep, i)) {
            collect(sweep, sweep->rows[i].seq_len, &g);
            ok = mark_group(sweep, &g, err);
        }
    }
    free(g.rows);
    free(g.values);
    free(g.on_front);
    return ok;
}

static bool has_role(const p3d_sweep_row *row, const char *word)
{
    return row->role != NULL && strstr(row->role, word) != NULL;
}

double study_sweep_cost(const p3d_sweep_row *row)
{
    return row->training_usd > 0 ? row->training_usd : row->training_gpu_h;
}

/* Keep the better of two rows of a role; the first of equal ones. */
static void take_best(p3d_sweep *sweep, const p3d_sweep_row *row)
{
    if (has_role(row, "smallest") &&
            (sweep->smallest == NULL || row->n_gpus < sweep->smallest->n_gpus))
        sweep->smallest = row;
    if (has_role(row, "cheapest") &&
            (sweep->cheapest == NULL ||
                    study_sweep_cost(row) < study_sweep_cost(sweep->cheapest)))
        sweep->cheapest = row;
    if (has_role(row, "closest") &&
            (sweep->closest == NULL ||
                    row->training_s < sweep->closest->training_s))
        sweep->closest = row;
}

static void point_to_own_words(p3d_sweep_row *row)
{
    row->plan = row->plan_words[0] != '\0' ? row->plan_words : NULL;
    row->refusal = row->refusal_words[0] != '\0' ? row->refusal_words : NULL;
}

static void count(p3d_sweep *sweep, const p3d_sweep_row *row)
{
    sweep->n_found++;
    sweep->n_fit += row->fits;
    sweep->n_illegal += !row->legal;
    sweep->n_front += row->on_front;
}

void study_sweep_sum_up(const p3d_sweep_options *options, p3d_sweep *sweep)
{
    int n = 0;

    for (int i = 0; i < sweep->n_rows; i++) {
        count(sweep, &sweep->rows[i]);
        if (!options->only_front || sweep->rows[i].on_front)
            sweep->rows[n++] = sweep->rows[i];
    }
    sweep->n_rows = n;
    for (int i = 0; i < n; i++) {
        point_to_own_words(&sweep->rows[i]);
        take_best(sweep, &sweep->rows[i]);
    }
    if (sweep->smallest != NULL)
        sweep->closest = NULL;
    sweep->fits = options->deadline_s > 0 ? sweep->smallest != NULL
                                          : sweep->n_fit > 0;
}
