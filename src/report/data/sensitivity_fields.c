/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sensitivity_fields.c - how sure the choice of a plan is, as data. */
#include "report/sensitivity.h"

#include "report/data/fields.h"

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
