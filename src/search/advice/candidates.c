/* SPDX-License-Identifier: GPL-3.0-or-later */
/* candidates.c - which of many candidates are worth having: those that no other
 * makes pointless, and the fewest and the cheapest GPUs that train in time. */
#include <math.h>
#include <stdlib.h>

#include "base/util.h"
#include "plan3d/deadline.h"
#include "plan3d/pareto.h"

/* The front. In the order of their first objective (then the second, ...) a
 * candidate can only be dominated by an earlier one, and then by one that is on
 * the front itself, because dominance is transitive: each is compared with the
 * front found so far. */

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

/* In time. */

/* A limit is a little late, so that rounding never leaves out a training. */
static const double slack = 1 + 1e-9;

/* A scan under way, with what its best answers need. */
typedef struct scan {
    const p3d_deadline_question *question;
    p3d_deadline_answer *answer;
    double least_cost;
    double fastest_s;
} scan;

static double bound_s(const scan *s, int i)
{
    return s->question->bound_s(s->question->context, s->question->n_gpus[i]);
}

/* The longest training on a count that is of interest: in time, and not dearer
 * than the cheapest so far. */
static double limit_s(const scan *s, int i)
{
    const double cost_per_s =
            s->question->gpu_s_cost * (double)s->question->n_gpus[i];

    return slack * fmin(s->question->deadline_s, s->least_cost / cost_per_s);
}

static void offer(scan *s, int i, const p3d_training_point *point)
{
    p3d_deadline_answer *a = s->answer;

    if (!point->possible)
        return;
    if (point->training_s < s->fastest_s) {
        s->fastest_s = point->training_s;
        a->closest = i;
    }
    if (point->training_s > s->question->deadline_s)
        return;
    if (a->smallest < 0)
        a->smallest = i;
    if (!s->question->only_smallest &&
            (a->cheapest < 0 || point->cost < s->least_cost)) {
        s->least_cost = point->cost;
        a->cheapest = i;
    }
}

/* Look for a training on one count. @return false to stop */
static bool look(scan *s, int i, double limit)
{
    p3d_training_point point = {.possible = false};

    if (!s->question->train(
                s->question->context, s->question->n_gpus[i], limit, &point))
        return false;
    offer(s, i, &point);
    return true;
}

static bool look_in_time(scan *s)
{
    const bool only_smallest = s->question->only_smallest;

    for (int i = 0; i < s->question->n_counts &&
                    !(only_smallest && s->answer->smallest >= 0);
            i++) {
        const double limit = limit_s(s, i);

        if (bound_s(s, i) > limit) {
            s->answer->n_skipped++;
            continue;
        }
        if (!look(s, i, limit))
            return false;
        s->answer->n_searched++;
    }
    return true;
}

/* None is in time. The largest is likely to be the fastest, which leaves little
 * to look for on the others. */
static bool look_for_closest(scan *s)
{
    for (int i = s->question->n_counts - 1; i >= 0; i--) {
        const double least_s = bound_s(s, i);

        if (least_s >= s->fastest_s)
            continue;
        if (!look(s, i, slack * s->fastest_s))
            return false;
        if (least_s > limit_s(s, i)) { /* it had been skipped */
            s->answer->n_skipped--;
            s->answer->n_searched++;
        }
    }
    return true;
}

bool p3d_deadline_scan(
        const p3d_deadline_question *question, p3d_deadline_answer *out)
{
    scan s = {.question = question,
            .answer = out,
            .least_cost = (double)HUGE_VAL,
            .fastest_s = (double)HUGE_VAL};
    bool done;

    if (out == NULL)
        return false;
    *out = (p3d_deadline_answer){.smallest = -1, .cheapest = -1, .closest = -1};
    if (question == NULL || question->bound_s == NULL ||
            question->train == NULL || question->n_counts < 0 ||
            (question->n_gpus == NULL && question->n_counts != 0))
        return false;
    done = look_in_time(&s) && (out->smallest >= 0 || look_for_closest(&s));
    if (out->smallest >= 0)
        out->closest = -1;
    return done;
}
