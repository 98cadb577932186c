/* SPDX-License-Identifier: GPL-3.0-or-later */
/* members.h - the numbers and enumerations of the structs that a caller of the
 * library fills, and the values that each may have. */
#ifndef PLAN3D_SPEC_MEMBERS_H
#define PLAN3D_SPEC_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum p3d_member_kind {
    P3D_MEMBER_INT, /* enumerations too */
    P3D_MEMBER_INT64,
    P3D_MEMBER_DOUBLE
} p3d_member_kind;

/** One member of a struct. No finite range holds what is no number. */
typedef struct p3d_member {
    const char *name; /* as the header has it */
    size_t offset;
    p3d_member_kind kind;
    double least;
    double most;
    bool or_zero;      /* 0 too: not said */
    const char *words; /* for messages, where there are any */
} p3d_member;

typedef struct p3d_members {
    const p3d_member *rows;
    int n;
} p3d_members;

extern const p3d_members spec_job_members;
extern const p3d_members spec_model_members;
extern const p3d_members spec_cluster_members; /* its node and fabric too */
extern const p3d_members spec_gpu_members;
extern const p3d_members spec_plan_members; /* what no rule looks at, */
extern const p3d_members spec_plan_sizes;   /* and what rules refuse in words */
extern const p3d_members spec_pins_members;

/** A member's value, exact up to 2^53. */
double spec_member_value(const p3d_member *member, const void *of);

/** True when every member of a struct has a value that it may have. */
bool spec_members_hold(const p3d_members *members, const void *of);

#endif
