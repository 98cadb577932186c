/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terms.c - the terms of memory and time as lists to walk over. */
#include "report/terms.h"

#include <stddef.h>
#include <string.h>

const report_term report_memory_terms[REPORT_N_MEMORY_TERMS] = {
#define P3D_AS_TERM(field, words) \
    {#field "_bytes", words, offsetof(p3d_memory, field##_bytes)},
        P3D_MEMORY_TERMS(P3D_AS_TERM)
#undef P3D_AS_TERM
};

const report_term report_time_terms[REPORT_N_TIME_TERMS] = {
#define P3D_AS_TERM(field, words) \
    {#field "_s", words, offsetof(p3d_time, field##_s)},
        P3D_TIME_TERMS(P3D_AS_TERM)
#undef P3D_AS_TERM
};

int64_t report_memory_term_bytes(const p3d_memory *memory, int i)
{
    int64_t value;

    memcpy(&value, (const char *)memory + report_memory_terms[i].offset,
            sizeof(value));
    return value;
}

double report_time_term_s(const p3d_time *time, int i)
{
    double value;

    memcpy(&value, (const char *)time + report_time_terms[i].offset,
            sizeof(value));
    return value;
}
