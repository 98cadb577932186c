/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pareto.c - which of many candidates no other candidate makes pointless.
 *
 * In the order of their first objective (then the second, ...) a candidate can
 * only be dominated by an earlier one, and then by one that is on the front
 * itself, because dominance is transitive: each is compared with the front
 * found so far. */
#include "plan3d/pareto.h"

#include <math.h>
#include <stdlib.h>

#include "base/util.h"

/* A candidate, for qsort(): it hands nothing on but the elements. */
typedef struct candidate {
    const double *values;
    int n_objectives;
    int index;
} candidate;

static int compare(const void *a, const void *b)
{
    const candidate *x = a, *y = b;

    for (int i = 0; i < x->n_objectives; i++)
        if (x->values[i] != y->values[i])
            return x->values[i] < y->values[i] ? -1 : 1;
    return x->index - y->index;
}

static bool dominates(const candidate *a, const candidate *b)
{
    bool better = false;

    for (int i = 0; i < a->n_objectives; i++) {
        if (a->values[i] > b->values[i])
            return false;
        better = better || a->values[i] < b->values[i];
    }
    return better;
}

static bool all_finite(const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(values[i]))
            return false;
    }
    return true;
}

bool p3d_pareto_front(int n, int n_objectives, const double *values,
        bool *on_front, p3d_error *err)
{
    if (n < 0 || n_objectives < 1 || values == NULL || on_front == NULL ||
            !all_finite(values, (size_t)n * (size_t)n_objectives))
        return p3d_misuse(err, __func__);

    candidate *candidates =
            malloc((size_t)(n > 0 ? n : 1) * sizeof(*candidates));
    int n_front = 0;

    if (candidates == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    for (int i = 0; i < n; i++)
        candidates[i] = (candidate){
                values + (size_t)i * (size_t)n_objectives, n_objectives, i};
    qsort(candidates, (size_t)n, sizeof(*candidates), compare);
    for (int i = 0; i < n; i++) {
        bool dominated = false;

        for (int f = 0; f < n_front && !dominated; f++)
            dominated = dominates(&candidates[f], &candidates[i]);
        on_front[candidates[i].index] = !dominated;
        if (!dominated)
            candidates[n_front++] = candidates[i];
    }
    free(candidates);
    return true;
}
