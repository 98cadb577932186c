/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate_trace.c - plan3d validate --trace: reads a trace and compares its
 * steps with the estimate. */
#include "cli/validate_trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/util.h"
#include "cli/file_list.h"
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

enum { MOST_TRACES = 1024, PATH = 4096 };

/* What the answer points into. */
typedef struct work {
    p3d_trace *traces;
    int n_traces;
    p3d_traced_step step;
    p3d_traced_ranks ranks;
    p3d_notes reasons;
    p3d_notes notes;
} work;

static bool open_trace(const char *path, work *w, p3d_error *err)
{
    p3d_trace *const more =
            realloc(w->traces, ((size_t)w->n_traces + 1) * sizeof(*w->traces));

    if (more == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    w->traces = more;
    if (!p3d_trace_open(path, &w->traces[w->n_traces], err))
        return false;
    w->n_traces++;
    return true;
}

/* One file, also with a comma in its name; else those of a list. */
static bool open_traces(const char *list, work *w, p3d_error *err)
{
    cli_file_list files = {
            "--trace", "rank0.json.gz,rank1.json.gz", MOST_TRACES, list, 0};
    char path[PATH];

    if (strchr(list, ',') == NULL || access(list, F_OK) == 0)
        return open_trace(list, w, err);
    while (files.at != NULL)
        if (!cli_next_file(&files, path, sizeof(path), err) ||
                !open_trace(path, w, err))
            return false;
    return true;
}

/* Lines of both parts. */
static void add_notes(const p3d_notes *from, p3d_notes *to)
{
    for (int i = 0; i < from->n && to->n < P3D_MAX_NOTES; i++)
        (void)p3d_copy(to->at[to->n++], P3D_NOTE_TEXT, from->at[i]);
}

static void fill_ranks(const work *w, report_validated *r)
{
    const p3d_traced_ranks *const ranks = &w->ranks;

    if (w->n_traces < 2)
        return;
    r->ranks = ranks;
    r->rank_kinds = (json_list){ranks->kinds, ranks->n_kinds};
    r->rank_collectives = (json_list){ranks->collectives, ranks->n_collectives};
    r->rank_stages = (json_list){ranks->stages.items, ranks->stages.n};
}

static void fill_report(work *w, report_validated *r)
{
    p3d_traced_step *const step = &w->step;
    const char *const device =
            w->traces[w->ranks.slowest].measured.machine.name;

    r->verdict = step->holds ? REPORT_HOLDS : REPORT_DOES_NOT_HOLD;
    r->device = device[0] != '\0' ? device : NULL;
    r->driver = "";
    r->date = "";
    r->trace = step;
    r->terms = (json_list){step->terms, P3D_N_TRACE_TERMS};
    fill_ranks(w, r);
    if (!step->holds)
        snprintf(w->reasons.at[w->reasons.n++], P3D_NOTE_TEXT,
                "a step takes %.1f %% %s than predicted",
                100 * fabs(step->change_frac),
                step->change_frac > 0 ? "longer" : "less");
    add_notes(&step->notes, &w->notes);
    if (w->n_traces > 1)
        add_notes(&w->ranks.notes, &w->notes);
    r->reasons = (json_list){w->reasons.at, w->reasons.n};
    r->notes = (json_list){w->notes.at, w->notes.n};
}

static bool compare(const cli_traced *t, work *w, p3d_error *err)
{
    const int n_steps = (int)t->args->n_trace_steps;

    return open_traces(t->args->trace, w, err) &&
           p3d_traces_compare(&(p3d_ranks_options){&t->estimate->plan,
                                      w->traces, w->n_traces, n_steps},
                   &w->ranks, err) &&
           p3d_trace_compare(&(p3d_trace_options){t->problem, t->estimate,
                                     t->request, &w->traces[w->ranks.slowest],
                                     t->report->tolerance_frac, n_steps},
                   &w->step, err);
}

static void release(work *w)
{
    if (w == NULL)
        return;
    for (int i = 0; i < w->n_traces; i++)
        p3d_trace_free(&w->traces[i]);
    p3d_traced_ranks_free(&w->ranks);
    free(w->traces);
    free(w);
}

bool cli_trace_compare(
        const cli_traced *traced, cli_reply *reply, p3d_error *err)
{
    work *const w = calloc(1, sizeof(*w));
    bool ok = w != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");

    ok = ok && compare(traced, w, err);
    if (ok) {
        fill_report(w, traced->report);
        report_print_validated(
                traced->report, cli_format(traced->args), reply->out);
        reply->code = w->step.holds ? P3D_OK : P3D_NO;
    }
    release(w);
    return ok;
}
