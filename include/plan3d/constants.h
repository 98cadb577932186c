/* SPDX-License-Identifier: GPL-3.0-or-later */
/* constants.h - the constants that a step time rests on: how sure each is, and
 * the same problem with some of them changed. */
#ifndef PLAN3D_CONSTANTS_H
#define PLAN3D_CONSTANTS_H

#include "plan3d/api.h"
#include "plan3d/estimate.h"

P3D_API_BEGIN

/** Groups of constants of the calibration that one measurement tells. */
typedef enum p3d_constant {
    P3D_CONSTANT_GEMM,          /* GEMMs */
    P3D_CONSTANT_POWER,         /* what the power limit adds to them */
    P3D_CONSTANT_ATTENTION,     /* attention kernels */
    P3D_CONSTANT_PASS,          /* memory-bound kernels */
    P3D_CONSTANT_LINK,          /* bytes between the GPUs of a node */
    P3D_CONSTANT_LINK_START,    /* latency of collectives there */
    P3D_CONSTANT_NETWORK,       /* bytes between nodes */
    P3D_CONSTANT_NETWORK_START, /* latency of collectives there */
    P3D_CONSTANT_LEAK,    /* overlapped communication that stays exposed */
    P3D_CONSTANT_HOST,    /* launches */
    P3D_CONSTANT_OFFLOAD, /* copies to the host and work there */
    P3D_CONSTANT_SPREAD,  /* differences between GPUs */
    P3D_CONSTANT_FIXED,   /* fixed cost of a step */
    P3D_N_CONSTANTS
} p3d_constant;

/** One of them. */
typedef struct p3d_constant_info {
    const char *name;    /* "GEMMs" */
    const char *measure; /* what to run on the machine to know it */
    bool is_time;        /* in seconds; the others are shares */
} p3d_constant_info;

const p3d_constant_info *p3d_constant_of(p3d_constant constant);

/** Standard deviation of ln(true value / value): the error of the calibration
 *  on kernels that it had not seen where there is one, else a guess. */
double p3d_constant_sigma(const p3d_problem *problem, p3d_constant constant);

/** Factors on the constants, all of which are times or shares: 2 = takes twice
 *  as long, so half the rate. */
typedef struct p3d_factors {
    double of[P3D_N_CONSTANTS]; /* > 0 */
} p3d_factors;

/** 1 everywhere. */
p3d_factors p3d_factors_one(void);

/** The problem with the constants times their factors. Starts of copies and of
 *  dispatch kernels, in src/cost, are not constants of the calibration and stay
 *  what they are. */
p3d_problem p3d_problem_scaled(
        const p3d_problem *problem, const p3d_factors *factors);

P3D_API_END

#endif
