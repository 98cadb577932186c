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
    p3d_rival found;
} report_rival;

typedef struct report_switch {
    double factor; /* 0 = none in the span */
    int number;    /* of the plan that takes over; 0 = none */
} report_switch;

typedef struct report_effect {
    const char *name;
    const char *measure;
    p3d_constant_effect found;
    report_switch less;
    report_switch more;
} report_effect;

/** Here plans have numbers from 1 in the order of the list. */
typedef struct report_sensitivity {
    p3d_sensitivity found;
    json_list constants;       /* of report_effect */
    json_list plans;           /* of report_rival, the choice first, then those
                                  that are the fastest most often */
    int fastest;               /* number, with the constants as they are */
    int safest;                /* number of the plan with the least regret */
    const char *measure_first; /* name of a constant; NULL = nothing pays */
    /* Storage of what is pointed to above. */
    report_effect effects[P3D_N_CONSTANTS];
    report_rival rivals[P3D_MAX_RIVALS];
} report_sensitivity;

extern const json_shape report_sensitivity_shape;
extern const json_shape report_effect_shape;

/** Everything that is said about it. */
void report_sensitivity_build(
        const p3d_sensitivity *from, report_sensitivity *out);

/** True when knowing a constant saves more than the noise of the draws. */
bool report_pays(const report_effect *effect);

/** A constant that the step does not feel, to 3 digits, and that changes no
 *  choice within its span. */
bool report_is_idle(const report_effect *effect);

#endif
