/* SPDX-License-Identifier: GPL-3.0-or-later */
/* splits.c - numbers of layers of the first and the last stage. */
#include "search/exact/splits.h"

#include <stdlib.h>
#include <string.h>

#include "base/rows.h"
#include "base/util.h"
#include "search/exact/space.h"

bool search_may_split(const p3d_problem *problem, const p3d_plan *plan)
{
    return problem->job.framework->typed_layers && plan->pp > 1 &&
           plan->vp == 1 && plan->pp <= problem->model.n_layers;
}

/** A list that grows. */
typedef struct builder {
    const p3d_problem *problem;
    const p3d_pins *pins;
    p3d_plan plan;
    int usual[P3D_MAX_LAYERS]; /* layers without such numbers; usual[0] = 0
                                  when that is not legal */
    search_splits *list;
    bool failed;
} builder;

static int largest(const int *layers, int n)
{
    int most = 0;

    for (int i = 0; i < n; i++)
        most = layers[i] > most ? layers[i] : most;
    return most;
}

static bool reserve(builder *b)
{
    search_splits *const list = b->list;
    search_split *more;

    more = p3d_grow(list->at, list->n, sizeof(*more));
    if (more == NULL)
        return false;
    list->at = more;
    return true;
}

/** Add a split, unless it is the usual one. */
static void add(builder *b, int first, int last)
{
    const int n = b->plan.pp;
    int layers[P3D_MAX_LAYERS];

    b->plan.first_layers = first;
    b->plan.last_layers = last;
    if (b->failed || !space_allows(b->pins->first_layers, first) ||
            !space_allows(b->pins->last_layers, last) ||
            !p3d_plan_split_layers(
                    &b->problem->model, &b->problem->job, &b->plan, layers))
        return;
    if (b->pins->first_layers == 0 && b->pins->last_layers == 0 &&
            memcmp(layers, b->usual, (size_t)n * sizeof(layers[0])) == 0)
        return;
    b->failed = !reserve(b);
    if (!b->failed)
        b->list->at[b->list->n++] = (search_split){.first = (short)first,
                .last = (short)last,
                .most = (short)largest(layers, n),
                .ends = {(short)layers[0], (short)layers[n - 1]},
                .share = (short)(n > 2 ? layers[1] : 0)};
}

/** True where a number is worth saying: it is not that of the stages between
 *  the ends, or somebody has said it. */
static bool is_said(int pin, int n, int share)
{
    return n != share || pin > 0;
}

/** Both ends; of two stages one number says all, unless both have been said. */
static void add_both(builder *b, int share)
{
    const p3d_pins *pins = b->pins;
    const int pp = b->plan.pp;
    const int both = b->problem->model.n_layers - share * (pp - 2);

    if (pp == 2 &&
            (share > 1 || pins->first_layers == 0 || pins->last_layers == 0))
        return;
    for (int first = 1; first < both; first++) {
        if (is_said(pins->first_layers, first, share) &&
                is_said(pins->last_layers, both - first, share))
            add(b, first, both - first);
    }
}

/** All splits whose middle stages have `share` layers. */
static void add_share(builder *b, int share)
{
    const p3d_pins *pins = b->pins;
    const int pp = b->plan.pp;
    const int one = b->problem->model.n_layers - share * (pp - 1);

    if (one >= 1 && is_said(pins->first_layers, one, share))
        add(b, one, 0);
    if (one >= 1 && is_said(pins->last_layers, one, share) &&
            (pp > 2 || pins->last_layers > 0))
        add(b, 0, one);
    add_both(b, share);
}

static int compare(const void *a, const void *b)
{
    const search_split *x = a, *y = b;

    if (x->most != y->most)
        return x->most < y->most ? -1 : 1;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x->last > y->last) - (x->last < y->last);
}

static bool build(builder *b)
{
    search_splits *list = b->list;
    int64_t sum = 0;

    for (int share = 1; share < b->problem->model.n_layers; share++)
        add_share(b, share);
    list->most_behind = malloc(((size_t)list->n + 1) * sizeof(int64_t));
    if (b->failed || list->most_behind == NULL)
        return false;
    if (list->n > 0)
        qsort(list->at, (size_t)list->n, sizeof(list->at[0]), compare);
    list->most_behind[list->n] = 0;
    for (int i = list->n - 1; i >= 0; i--) {
        sum += list->at[i].most;
        list->most_behind[i] = sum;
    }
    return true;
}

static search_splits *new_list(search_split_table *table)
{
    search_splits *const more = p3d_grow(table->lists, table->n, sizeof(*more));

    if (more == NULL)
        return NULL;
    table->lists = more;
    table->lists[table->n] = (search_splits){.pp = 0};
    return &table->lists[table->n++];
}

/** The list of a plan's number of stages, if it is there. */
static const search_splits *known(search_split_table *table, int pp)
{
    if (table->n > table->last && table->lists[table->last].pp == pp)
        return &table->lists[table->last];
    for (int i = 0; i < table->n; i++) {
        if (table->lists[i].pp == pp)
            return &table->lists[table->last = i];
    }
    return NULL;
}

static const search_splits *new_splits(search_split_table *table,
        const p3d_problem *problem, const p3d_pins *pins, const p3d_plan *plan)
{
    builder b = {.problem = problem, .pins = pins, .plan = *plan};

    b.list = new_list(table);
    if (b.list == NULL)
        return NULL;
    b.plan.first_layers = b.plan.last_layers = 0;
    if (!p3d_plan_split_layers(
                &problem->model, &problem->job, &b.plan, b.usual))
        b.usual[0] = 0;
    if (!build(&b))
        return NULL;
    b.list->pp = plan->pp;
    return b.list;
}

const search_splits *search_splits_of(search_split_table *table,
        const p3d_problem *problem, const p3d_pins *pins, const p3d_plan *plan)
{
    const search_splits *list = known(table, plan->pp);

    return list != NULL ? list : new_splits(table, problem, pins, plan);
}

void search_splits_free(search_split_table *table)
{
    for (int i = 0; i < table->n; i++) {
        free(table->lists[i].at);
        free(table->lists[i].most_behind);
    }
    free(table->lists);
    *table = (search_split_table){.n = 0};
}
