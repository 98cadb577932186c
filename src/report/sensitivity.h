/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sensitivity.h - what a report says about how sure the choice of a plan is. */
#ifndef PLAN3D_REPORT_SENSITIVITY_H
#define PLAN3D_REPORT_SENSITIVITY_H

#include "plan3d/sensitivity.h"
#include "report/answer.h"

/** A plan that was compared. */
typedef struct report_rival {
    int number; /* from 1, the choice */
    char words[REPORT_PLAN];
    p3d_plan plan;
    double step_s;
    double win_frac;
    double regret_frac;
} report_rival;

typedef struct report_switch {
    double factor; /* 0 = none in the span */
    int number;    /* of the plan that takes over; 0 = none */
} report_switch;

typedef struct report_effect {
    const char *name;
    const char *measure;
    double sigma;
    double elasticity;
    report_switch less;
    report_switch more;
    double worth_frac;
    double worth_error_frac;
} report_effect;

typedef struct report_sensitivity {
    report_list constants;     /* of report_effect */
    report_list plans;         /* of report_rival, the choice first, then those
                                  that are the fastest most often */
    int fastest;               /* number, with the constants as they are */
    int safest;                /* number of the plan with the least regret */
    const char *measure_first; /* name of a constant; NULL = nothing pays */
    double elasticity_sum;
    double near_limit_frac, near_frac;
    double win_frac, regret_frac, regret_p95_frac; /* of the choice */
    double step_p10_s, step_p50_s, step_p90_s;
    double widest_factor;
    int n_draws;
    int64_t seed;
    int n_searches, n_found, n_searched_draws, n_known_draws;
    double seconds;
    /* Storage of what is pointed to above. */
    report_effect effects[P3D_N_CONSTANTS];
    report_rival rivals[P3D_MAX_RIVALS];
} report_sensitivity;

extern const report_shape report_sensitivity_shape;
extern const report_shape report_effect_shape;

/** Everything that is said about it. */
void report_sensitivity_build(
        const p3d_sensitivity *from, report_sensitivity *out);

/** True when knowing a constant saves more than the noise of the draws. */
bool report_pays(const report_effect *effect);

/** A constant that the step does not feel, to 3 digits, and that changes no
 *  choice within its span. */
bool report_is_idle(const report_effect *effect);

#endif
