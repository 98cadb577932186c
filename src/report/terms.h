/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terms.h - the terms of memory and time as lists to walk over. */
#ifndef PLAN3D_REPORT_TERMS_H
#define PLAN3D_REPORT_TERMS_H

#include "plan3d/estimate.h"

/** One term of p3d_memory or p3d_time. */
typedef struct report_term {
    const char *key;   /* in JSON, with its unit */
    const char *words; /* in text */
    size_t offset;     /* in the struct */
} report_term;

enum {
#define P3D_AS_ONE(field, words) +1
    REPORT_N_MEMORY_TERMS = 0 P3D_MEMORY_TERMS(P3D_AS_ONE)
#undef P3D_AS_ONE
};

/** Places in the list of terms of time: REPORT_TIME_pp_bubble. */
enum {
#define P3D_AS_PLACE(field, words) REPORT_TIME_##field,
    P3D_TIME_TERMS(P3D_AS_PLACE)
#undef P3D_AS_PLACE
            REPORT_N_TIME_TERMS
};

extern const report_term report_memory_terms[REPORT_N_MEMORY_TERMS];
extern const report_term report_time_terms[REPORT_N_TIME_TERMS];

/** Bytes of the i-th term of memory, seconds of the i-th term of time. */
int64_t report_memory_term_bytes(const p3d_memory *memory, int i);
double report_time_term_s(const p3d_time *time, int i);

#endif
