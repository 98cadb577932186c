/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sensitivity.h - how sure the choice of a plan is, when the constants that
 * its time rests on may be wrong. */
#ifndef PLAN3D_SENSITIVITY_H
#define PLAN3D_SENSITIVITY_H

#include "plan3d/api.h"
#include "plan3d/constants.h"
#include "plan3d/search.h"

P3D_API_BEGIN

enum {
    P3D_MAX_RIVALS = 160, /* plans that are compared */
    P3D_LEAST_DRAWS = 100,
    P3D_MOST_DRAWS = 20000
};

/** Constants are changed by factors from 1/4 to 4. */
#define P3D_WIDEST_FACTOR 4.0

/** Where the choice stops being the fastest plan; or, where it is not the
 *  fastest to begin with, where it becomes that. */
typedef struct p3d_switch {
    bool found;    /* within P3D_WIDEST_FACTOR */
    double factor; /* on the constant, to 4 digits; 0 = not found */
    int rival;     /* the fastest plan beyond (or before); 0 = not found */
} p3d_switch;

/** What hangs on one constant. */
typedef struct p3d_constant_effect {
    double sigma;      /* standard error of its logarithm */
    double elasticity; /* d ln(step time of the choice) / d ln(constant) */
    p3d_switch down;   /* factors below 1 */
    p3d_switch up;
    double worth_frac; /* of the step: expected regret that knowing the constant
                          saves; noise of the draws may take it below 0 */
    double worth_error_frac; /* standard error of that, of the draws */
} p3d_constant_effect;

/** A plan that is compared; the first is the choice. */
typedef struct p3d_rival {
    p3d_plan plan;
    double step_s;      /* with the constants as they are */
    double win_frac;    /* of the draws in which it is the fastest */
    double regret_frac; /* mean over the draws: its time over the fastest's,
                           less 1 */
} p3d_rival;

typedef struct p3d_sensitivity {
    int n_rivals;
    p3d_rival rivals[P3D_MAX_RIVALS];
    int fastest; /* rival, with the constants as they are; 0 = the choice */
    p3d_constant_effect effects[P3D_N_CONSTANTS];
    double elasticity_sum; /* of the constants that are times: 1 less the share
                              of starts that are fixed */
    int n_draws;
    uint64_t seed;
    double near_limit_frac; /* what may be longer than the fastest, and near */
    double near_frac;       /* of the draws in which the choice is near */
    double regret_p95_frac; /* of the choice */
    double step_p10_s, step_p50_s, step_p90_s; /* of the choice */
    int safest;           /* rival with the least mean regret */
    int most_worth;       /* constant whose knowledge saves the most regret */
    int n_searches;       /* exact searches with changed constants */
    int n_found;          /* plans that only these found */
    int n_searched_draws; /* of the searches: at drawn constants */
    int n_known_draws;    /* of these: whose best plan was compared already */
    double seconds;
} p3d_sensitivity;

typedef struct p3d_sensitivity_options {
    const p3d_estimate *others; /* what the choice is compared with; they may
                                   hold it too */
    int n_others;               /* at most P3D_MAX_TOP */
    int n_draws;                /* P3D_LEAST_DRAWS .. P3D_MOST_DRAWS */
    uint64_t seed;
    /** Told now and then what part of the work is done; may be NULL. */
    void (*progress)(void *context, double done_frac);
    void *context;
    double within_frac; /* a plan is near the fastest when it takes at most this
                           much longer; 0 = P3D_WITHIN_FRAC (recommend.h) */
} p3d_sensitivity_options;

/**
 * Compare a plan with others while the constants change.
 *
 * The others are those of the options (the best of an exact search), those that
 * exact searches find at the ends of each constant's span, where the choice is
 * overtaken, and at the first draws. Step times are estimated anew each time,
 * nothing is interpolated. Draws are log-normal and independent, the same on
 * every run.
 *
 * @param choice  the plan whose choice is judged; it fits
 * @param out     large (allocate it)
 * @return false with P3D_SYSTEM when memory runs out
 */
P3D_CHECK bool p3d_judge(const p3d_problem *problem, const p3d_plan *choice,
        const p3d_sensitivity_options *options, p3d_sensitivity *out,
        p3d_error *err);

P3D_API_END

#endif
