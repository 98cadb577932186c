/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate_trace.c - plan3d validate --trace: reads a trace and compares its
 * steps with the estimate. */
#include "cli/validate_trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/util.h"
#include "cli/output.h"

bool cli_trace_check(const cli_args *args, p3d_error *err)
{
    static const char *const of_measuring[] = {
            "measurements", "launcher", "dry-run", "out"};

    if (cli_is_given(args, "trace-steps") && args->trace == NULL)
        return p3d_fail(err, P3D_USAGE,
                "--trace-steps says how many steps a trace is of; add --trace "
                "FILE");
    for (int i = 0; i < P3D_COUNT_OF(of_measuring) && args->trace != NULL; i++)
        if (cli_is_given(args, of_measuring[i]))
            return p3d_fail(err, P3D_USAGE,
                    "--%s is of measured operations, and --trace compares "
                    "steps; leave one out, or fit constants to the trace with "
                    "'plan3d calibrate FILE'",
                    of_measuring[i]);
    return true;
}

/* What the answer points into. */
typedef struct work {
    p3d_trace trace;
    p3d_traced_step step;
    p3d_notes reasons;
} work;

static void fill_report(work *w, report_validated *r)
{
    p3d_traced_step *const step = &w->step;
    const char *const device = w->trace.measured.machine.name;

    r->verdict = step->holds ? REPORT_HOLDS : REPORT_DOES_NOT_HOLD;
    r->device = device[0] != '\0' ? device : NULL;
    r->driver = "";
    r->date = "";
    r->trace = step;
    r->terms = (json_list){step->terms, P3D_N_TRACE_TERMS};
    if (!step->holds)
        snprintf(w->reasons.at[w->reasons.n++], P3D_NOTE_TEXT,
                "a step takes %.1f %% %s than predicted",
                100 * fabs(step->change_frac),
                step->change_frac > 0 ? "longer" : "less");
    r->reasons = (json_list){w->reasons.at, w->reasons.n};
    r->notes = (json_list){step->notes.at, step->notes.n};
}

bool cli_trace_compare(
        const cli_traced *traced, cli_reply *reply, p3d_error *err)
{
    work *const w = calloc(1, sizeof(*w));
    bool ok = w != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");

    ok = ok && p3d_trace_open(traced->args->trace, &w->trace, err) &&
         p3d_trace_compare(&(p3d_trace_options){traced->problem,
                                   traced->estimate, traced->request, &w->trace,
                                   traced->report->tolerance_frac,
                                   (int)traced->args->n_trace_steps},
                 &w->step, err);
    if (ok) {
        fill_report(w, traced->report);
        report_print_validated(
                traced->report, cli_format(traced->args), reply->out);
        reply->code = w->step.holds ? P3D_OK : P3D_NO;
    }
    if (w != NULL)
        p3d_trace_free(&w->trace);
    free(w);
    return ok;
}
