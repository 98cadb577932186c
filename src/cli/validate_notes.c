/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate_notes.c - why a plan does not hold, and what is not known of it. */
#include "cli/validate_notes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "plan3d/units.h"

/* Of less than this share nothing is said of the whole; of less than that one
 * it is said with care. */
static const double LEAST_COVERED_FRAC = 0.5;
static const double MOST_COVERED_FRAC = 0.95;

static void note(cli_notes *notes, const char *fmt, ...) P3D_PRINTF(2, 3);

static void note(cli_notes *notes, const char *fmt, ...)
{
    va_list args;

    if (notes->n == CLI_MAX_NOTES)
        return;
    va_start(args, fmt);
    vsnprintf(notes->at[notes->n++], REPORT_LINE, fmt, args);
    va_end(args);
}

void cli_notes_reasons(const cli_judged *j, cli_notes *out)
{
    const p3d_had_memory *const memory = &j->compared->memory;
    const double limit = j->tolerance_frac;
    const double covered = p3d_covered_frac(j->compared);
    char bytes[32];

    if (covered < LEAST_COVERED_FRAC)
        note(out, "only %.1f %% of the planned seconds was measured",
                100 * covered);
    for (int kind = 0; kind < P3D_N_COMPARED; kind++) {
        const p3d_comparison *const c = &j->compared->kinds[kind];

        if (p3d_is_off(j->compared, kind, limit))
            note(out, "%s: %.1f %% %s than predicted", c->name,
                    100 * fabs(c->median_ratio - 1),
                    c->median_ratio > 1 ? "slower" : "faster");
    }
    if (j->step->calibrated_s > 0 && fabs(j->step->change_frac) > limit)
        note(out, "a step takes %.1f %% %s than predicted",
                100 * fabs(j->step->change_frac),
                j->step->change_frac > 0 ? "longer" : "less");
    if (j->searched && j->step->regret_frac > limit)
        note(out,
                "another plan is the fastest, and this one takes %.1f %% "
                "longer",
                100 * j->step->regret_frac);
    if (memory->measured && !memory->fits)
        note(out, "the tensors of the peak could not be had");
    if (!j->estimate->fits)
        note(out, "the plan is not predicted to fit: %s are missing",
                p3d_print_bytes(bytes, sizeof(bytes),
                        -(double)p3d_estimate_margin_bytes(j->estimate)));
}

/* Forms that the plan's operations use, and that kept their constants. */
static void note_kept(const cli_judged *j, cli_notes *out)
{
    static const int kinds[P3D_N_FORMS] = {[P3D_FORM_GEMM] = P3D_COMPARED_GEMM,
            [P3D_FORM_GEMM_FP8] = -1,
            [P3D_FORM_ATTENTION] = P3D_COMPARED_ATTENTION,
            [P3D_FORM_ATTENTION_BACKWARD] = P3D_COMPARED_ATTENTION,
            [P3D_FORM_PASS] = P3D_COMPARED_PASS,
            [P3D_FORM_ALL_REDUCE] = P3D_COMPARED_ALL_REDUCE,
            [P3D_FORM_ALL_GATHER] = P3D_COMPARED_ALL_GATHER,
            [P3D_FORM_REDUCE_SCATTER] = P3D_COMPARED_REDUCE_SCATTER,
            [P3D_FORM_ALL_TO_ALL] = P3D_COMPARED_ALL_TO_ALL};

    for (int form = 0; form < P3D_N_FORMS; form++) {
        const p3d_form_result *const f = &j->calibrated->forms[form];
        const bool used =
                form == P3D_FORM_GEMM_FP8
                        ? j->problem->job.dtype == P3D_FP8
                        : j->compared->kinds[kinds[form]].n_wanted > 0;

        if (used && !f->fitted)
            note(out, "%s: %d points, a fit needs %d; constants of %s stay",
                    f->name, f->n_points, f->n_least, j->calibrated->base);
    }
}

void cli_notes_limits(const cli_judged *j, cli_notes *out)
{
    const p3d_compared *const c = j->compared;

    if (p3d_covered_frac(c) < MOST_COVERED_FRAC)
        note(out,
                "what was not measured is taken as predicted: %.1f %% of the "
                "planned seconds",
                100 * (1 - p3d_covered_frac(c)));
    note_kept(j, out);
    if (c->n_eager > 0)
        note(out,
                "%d attention cores were measured as products and a softmax, "
                "and are not compared",
                c->n_eager);
    if (c->kinds[P3D_COMPARED_ATTENTION].n_points > 0 &&
            j->problem->job.attention != P3D_CUDNN)
        note(out, "attention was measured with cuDNN's kernel, which the job "
                  "does not use: its time in the step stays");
    if (c->n_elsewhere > 0)
        note(out,
                "%d collectives were measured on other numbers of nodes than "
                "the plan's groups have; --launcher starts all of them",
                c->n_elsewhere);
    if (j->problem->cluster.n_nodes > 1)
        note(out, "collectives between nodes are compared, their constants "
                  "stay");
    if (j->missing[0] != '\0')
        note(out, "failed and left out: %.200s", j->missing);
}
