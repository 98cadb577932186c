/* SPDX-License-Identifier: GPL-3.0-or-later */
/* speeds_origin.c - where the constants of an answer are from. */
#include <stdio.h>

#include "base/util.h"
#include "cost/cost.h"
#include "report/document.h"
#include "report/words/words.h"

static const char *const part_words[P3D_N_CALIBRATION_PARTS] = {
        [P3D_SPEEDS_GEMM] = "GEMMs",
        [P3D_SPEEDS_GEMM_FP8] = "GEMMs",
        [P3D_SPEEDS_GEMM_NVFP4] = "GEMMs",
        [P3D_SPEEDS_SUSTAINED] = "rates under load",
        [P3D_SPEEDS_ATTENTION] = "attention",
        [P3D_SPEEDS_PASS] = "memory-bound kernels",
        [P3D_SPEEDS_COLLECTIVE] = "collectives",
};

/* Bits of the parts that a job's kernels take: one of the three of GEMMs. */
static unsigned parts_of(const p3d_calibration *c, const p3d_job *job)
{
    const p3d_gemm_fit *const fit = cost_gemm_fit(c, job->dtype);
    const p3d_gemm_fit *const fits[] = {[P3D_SPEEDS_GEMM] = &c->gemm,
            [P3D_SPEEDS_GEMM_FP8] = &c->gemm_fp8,
            [P3D_SPEEDS_GEMM_NVFP4] = &c->gemm_nvfp4};
    unsigned parts = (1u << P3D_N_CALIBRATION_PARTS) - 1;

    for (int i = 0; i < P3D_COUNT_OF(fits); i++)
        if (fits[i] != fit)
            parts &= ~(1u << i);
    return parts;
}

static void list_parts(unsigned parts, p3d_style style, char line[JSON_LINE])
{
    char before[JSON_LINE];

    line[0] = '\0';
    for (int i = 0; i < P3D_N_CALIBRATION_PARTS; i++) {
        const char *const word = report_say(style, part_words[i]);

        if ((parts >> i & 1) == 0)
            continue;
        p3d_copy(before, sizeof(before), line);
        if (before[0] == '\0')
            p3d_copy(line, JSON_LINE, word);
        else
            snprintf(
                    line, JSON_LINE, report_say(style, "%s, %s"), before, word);
    }
}

void report_speeds_origin(const report_document *document, p3d_style style,
        const char *on, char line[JSON_LINE])
{
    const p3d_calibration *const c = &document->cluster->calibration;
    const unsigned parts = parts_of(c, document->job);
    const unsigned measured = parts & ~c->assumed_parts;
    char list[JSON_LINE];

    list_parts(measured, style, list);
    if (measured == parts)
        snprintf(line, JSON_LINE,
                report_say(style, "from microbenchmarks on %s"), on);
    else if (measured == 0)
        snprintf(line, JSON_LINE, report_say(style, "all assumed for %s"), on);
    else
        snprintf(line, JSON_LINE,
                report_say(style,
                        "%s from microbenchmarks on %s, the others assumed"),
                list, on);
}
