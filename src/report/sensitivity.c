/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sensitivity.c - what a report says about how sure the choice of a plan is. */
#include "report/sensitivity.h"

#include <math.h>
#include <stdlib.h>

/* A constant is worth a measurement when what it saves is this many times the
 * noise of the draws. */
static const double SURE_SIGMAS = 2;

/* An elasticity below this is printed as 0. */
static const double NO_ELASTICITY = 5e-4;

static int compare(const void *a, const void *b)
{
    const report_rival *x = a, *y = b;

    if (x->found.win_frac != y->found.win_frac)
        return x->found.win_frac > y->found.win_frac ? -1 : 1;
    if (x->found.step_s != y->found.step_s)
        return x->found.step_s < y->found.step_s ? -1 : 1;
    return x->number - y->number;
}

/** The rivals in their order. @param numbers  of each, in the new order */
static void order_rivals(const p3d_sensitivity *from, report_sensitivity *out,
        int numbers[P3D_MAX_RIVALS])
{
    const int n = from->n_rivals;

    for (int i = 0; i < n; i++) {
        const p3d_rival *r = &from->rivals[i];

        out->rivals[i] = (report_rival){.number = i + 1, .found = *r};
        p3d_plan_print(&r->plan, out->rivals[i].words, REPORT_PLAN);
    }
    qsort(&out->rivals[1], (size_t)(n - 1), sizeof(out->rivals[0]), compare);
    for (int i = 0; i < n; i++) {
        numbers[out->rivals[i].number - 1] = i + 1;
        out->rivals[i].number = i + 1;
    }
    out->plans = (json_list){out->rivals, n};
}

static report_switch switch_of(const p3d_switch *from, const int *numbers)
{
    if (!from->found)
        return (report_switch){.factor = 0};
    return (report_switch){from->factor, numbers[from->rival]};
}

static void set_effects(const p3d_sensitivity *from, report_sensitivity *out,
        const int *numbers)
{
    for (int i = 0; i < P3D_N_CONSTANTS; i++) {
        const p3d_constant_info *info = p3d_constant_of((p3d_constant)i);
        const p3d_constant_effect *e = &from->effects[i];

        out->effects[i] = (report_effect){.name = info->name,
                .measure = info->measure,
                .found = *e,
                .less = switch_of(&e->down, numbers),
                .more = switch_of(&e->up, numbers)};
    }
    out->constants = (json_list){out->effects, P3D_N_CONSTANTS};
}

void report_sensitivity_build(
        const p3d_sensitivity *from, report_sensitivity *out)
{
    const report_effect *most = &out->effects[from->most_worth];
    int numbers[P3D_MAX_RIVALS] = {0};

    *out = (report_sensitivity){.found = *from};
    order_rivals(from, out, numbers);
    set_effects(from, out, numbers);
    out->fastest = numbers[from->fastest];
    out->safest = numbers[from->safest];
    if (report_pays(most))
        out->measure_first = most->name;
}

bool report_pays(const report_effect *effect)
{
    return effect->found.worth_frac >
           SURE_SIGMAS * effect->found.worth_error_frac;
}

bool report_is_idle(const report_effect *effect)
{
    return fabs(effect->found.elasticity) < NO_ELASTICITY &&
           effect->less.number == 0 && effect->more.number == 0;
}
