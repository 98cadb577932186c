/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sensitivity.c - what a report says about how sure the choice of a plan is. */
#include "report/sensitivity.h"

#include <math.h>
#include <stdlib.h>

#include "report/data/fields.h"

/* A constant is worth a measurement when what it saves is this many times the
 * noise of the draws. */
static const double SURE_SIGMAS = 2;

/* An elasticity below this is printed as 0. */
static const double NO_ELASTICITY = 5e-4;

static void widest_of(const void *at, json_got *out)
{
    (void)at;
    out->number = P3D_WIDEST_FACTOR;
}

/* clang-format off */
static const json_field switch_fields[] = {
    MAYBE_ROW(report_switch, factor,
            "on the constant; null = the choice keeps its place"),
    MAYBE_ROW(report_switch, number, "of the plan that is faster there"),
};
static const json_shape switch_shape = REPORT_SHAPE(
        report_switch, switch_fields,
        "where another plan becomes the faster one (or, when the choice is not "
        "the fastest, where it becomes that)");

static const json_field effect_fields[] = {
    ROW(report_effect, name, "of the constant"),
    ROW(report_effect, measure, "what to run on the machine"),
    IN(report_effect, found, sigma, "standard error of its logarithm"),
    SIGNED_IN(report_effect, found, elasticity,
            "relative change of the step per relative change of the constant"),
    OBJECT_ROW(report_effect, less, report_switch, switch_shape,
            "where it is smaller"),
    OBJECT_ROW(report_effect, more, report_switch, switch_shape,
            "where it is larger"),
    SIGNED_IN(report_effect, found, worth_frac,
            "expected regret that knowing it saves, of the step"),
    IN(report_effect, found, worth_error_frac, "standard error of that"),
};
const json_shape report_effect_shape = REPORT_SHAPE(
        report_effect, effect_fields, "a constant that times rest on");

static const json_field rival_fields[] = {
    ROW(report_rival, number, "from 1, the choice"),
    ROW(report_rival, words, "the plan as --plan reads it"),
    PLAN_IN(report_rival, found, "the plan"),
    IN(report_rival, found, step_s, "with the constants as they are"),
    IN(report_rival, found, win_frac,
            "of the draws in which it is the fastest"),
    IN(report_rival, found, regret_frac,
            "time over that of the fastest, less 1, mean over the draws"),
};
static const json_shape rival_shape = REPORT_SHAPE(
        report_rival, rival_fields, "a plan that was compared");

#define S report_sensitivity
static const json_field sensitivity_fields[] = {
    LIST_ROW(S, constants, report_effect_shape, "that step times rest on"),
    LIST_ROW(S, plans, rival_shape,
            "the choice, then those that are the fastest most often"),
    ROW(S, fastest, "number, with the constants as they are"),
    ROW(S, safest, "number of the plan with the least mean regret"),
    ROW(S, measure_first,
            "constant whose knowledge saves the most; null = none pays"),
    SIGNED_IN(S, found, elasticity_sum,
            "of the constants that are times: 1 less the share of fixed "
            "starts"),
    IN(S, found, near_limit_frac, "longer than the fastest is near it"),
    IN(S, found, near_frac, "of the draws in which the choice is near"),
    IN(S, found.rivals[0], win_frac,
            "of the draws in which the choice is the fastest"),
    IN(S, found.rivals[0], regret_frac, "of the choice, mean over the draws"),
    IN(S, found, regret_p95_frac, "95 % of the draws have less"),
    IN(S, found, step_p10_s, "10 % of the draws have shorter steps"),
    IN(S, found, step_p50_s, "half of the draws have shorter steps"),
    IN(S, found, step_p90_s, "90 % of the draws have shorter steps"),
    {GOT_OF_ALL("widest_factor", DOUBLE, widest_of,
            "constants are changed up to this and 1/this")},
    IN(S, found, n_draws, "of all constants within their errors"),
    {TYPED("seed", S, found.seed, JSON_INT64, uint64_t, "of the draws")},
    IN(S, found, n_searches, "exact searches with changed constants"),
    IN(S, found, n_found, "plans that only these found"),
    IN(S, found, n_searched_draws, "of the searches, at draws"),
    IN(S, found, n_known_draws,
            "of these, whose best plan was compared already"),
    IN(S, found, seconds, "time that it took"),
};
/* clang-format on */

const json_shape report_sensitivity_shape =
        REPORT_SHAPE(S, sensitivity_fields, "how sure the choice of a plan is");

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
