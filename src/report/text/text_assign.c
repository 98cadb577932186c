/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_assign.c - which job on which pool, in text. */
#include "report/amounts.h"
#include "report/assign.h"
#include "report/report.h"
#include "report/text/layout.h"
#include "report/text/text_pools.h"
#include "spec/plan_words.h"

static report_words days(double duration_s, p3d_style style)
{
    return report_seconds_words(duration_s, style);
}

/* The verdict: how many have a place, and when the last ends. */
static void print_verdict(const report_assign *a, p3d_text *out)
{
    const p3d_assignment *const f = &a->found;
    const bool all = f->n_assigned == f->n_jobs;

    report_paint_words(all ? REPORT_GOOD : REPORT_BAD,
            report_say(out->style, all ? "ALL FIT" : "NOT ALL FIT"), out);
    if (f->n_assigned == 0) {
        report_add(out, ": none of %d jobs has a place\n", f->n_jobs);
        return;
    }
    report_add(out,
            ": %d of %d jobs at the same time; the last ends after %s\n",
            f->n_assigned, f->n_jobs, days(f->end_s, out->style).text);
    if (f->by_price)
        report_wrap_labelled("total", out,
                "%s GPU-hours, %s USD; the mean end is after %s",
                report_three_words(f->gpu_h).text,
                report_three_words(f->usd).text,
                days(f->mean_s, out->style).text);
    else
        report_wrap_labelled("total", out,
                "%s GPU-hours; the mean end is after %s",
                report_three_words(f->gpu_h).text,
                days(f->mean_s, out->style).text);
}

static void print_pools(const report_assign *a, p3d_text *out)
{
    const report_assign_pool *const rows = a->pool_list.items;

    for (int k = 0; k < a->pool_list.n; k++) {
        report_wrap_labelled(k == 0 ? "pools" : "", out,
                "%s: %d of %d nodes have a job (%s)", rows[k].name,
                rows[k].n_used_nodes, rows[k].n_nodes, rows[k].cluster);
        if (rows[k].unit_nodes > 1 && rows[k].unit_nodes < rows[k].n_nodes)
            report_wrap_labelled("units", out,
                    "jobs take the nodes of %s by %d", rows[k].name,
                    rows[k].unit_nodes);
    }
}

static void print_places(const report_assign *a, p3d_text *out)
{
    const report_assign_row *const rows = a->rows.items;
    report_table table;

    report_table_begin(
            &table, out->style, a->found.by_price ? "llrrlrrrr" : "llrrlrrr");
    report_table_row(&table, "job\tpool\tnodes\tGPUs\tplan\tstep s\t"
                             "ends after\tGPU-hours");
    if (a->found.by_price)
        report_table_row(&table, "USD");
    for (int j = 0; j < a->rows.n; j++) {
        const p3d_assign_point *const at = &rows[j].place.at;
        char plan[P3D_PLAN_WORDS];

        if (rows[j].verdict != P3D_ASSIGNED)
            continue;
        (void)spec_plan_print_short(&at->plan, plan, sizeof(plan));
        report_table_row(&table, "%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s", rows[j].name,
                rows[j].place.pool, at->n_nodes, at->n_gpus, plan,
                report_three_words(at->step_s).text,
                days(at->end_s, out->style).text,
                report_three_words(at->gpu_h).text);
        if (a->found.by_price)
            report_table_row(&table, "%s", report_three_words(at->usd).text);
    }
    report_table_print(&table, out);
}

/* "4 nodes of A800 or 2 of H100" */
static void add_needs(const report_assign *a, int j, p3d_text *out)
{
    const report_assign_need *const needs =
            (const report_assign_need *)a->needs.items + j * a->pool_list.n;
    bool first = true;

    for (int k = 0; k < a->pool_list.n; k++) {
        if (needs[k].least_nodes == 0)
            continue;
        report_add(out, first ? "%d nodes of %s" : ", or %d of %s",
                needs[k].least_nodes, needs[k].pool);
        first = false;
    }
}

static void print_refusals(const report_assign *a, int j, p3d_text *out)
{
    const report_assign_need *const needs =
            (const report_assign_need *)a->needs.items + j * a->pool_list.n;

    for (int k = 0; k < a->pool_list.n; k++)
        if (needs[k].refusal != NULL)
            report_wrap_labelled("", out, "%s: %s", needs[k].pool,
                    report_say_made(out->style, needs[k].refusal).text);
}

static void print_left_out(const report_assign *a, int j, p3d_text *out)
{
    const report_assign_row *const row =
            (const report_assign_row *)a->rows.items + j;
    p3d_text needs = {.style = out->style};

    switch ((p3d_assign_verdict)row->verdict) {
    case P3D_ASSIGN_NO_ROOM:
        add_needs(a, j, &needs);
        report_wrap_labelled("left out", out,
                "%s: too few nodes are left; it needs %s; run it after "
                "another, or give it a larger weight",
                row->name, p3d_text_get(&needs));
        break;
    case P3D_ASSIGN_LATE:
        report_wrap_labelled("left out", out,
                "%s: at its soonest it ends after %s (nodes: %d, of %s), its "
                "deadline is %s",
                row->name, days(row->alone.at.end_s, out->style).text,
                row->alone.at.n_nodes, row->alone.pool,
                days(row->deadline_s, out->style).text);
        break;
    case P3D_ASSIGN_NO_PLAN:
        report_wrap_labelled("left out", out,
                "%s: no plan is sure to fit on any pool, alone with all of "
                "its nodes",
                row->name);
        break;
    case P3D_ASSIGN_REFUSED:
        report_wrap_labelled("left out", out, "%s: no pool runs it", row->name);
        break;
    case P3D_ASSIGNED:
    case P3D_N_ASSIGN_VERDICTS: break;
    }
    report_text_free(&needs, out);
    if (row->verdict != P3D_ASSIGNED)
        print_refusals(a, j, out);
}

static void print_proof(const report_assign *a, p3d_text *out)
{
    const p3d_assignment *const f = &a->found;

    report_wrap_labelled("proof", out,
            f->complete
                    ? "no other places are better; numbers of nodes looked "
                      "up: %s, ruled out by the peak of the GPUs: %s, places: "
                      "%s, states of the pools: %s"
                    : "interrupted: other places may be better; numbers of "
                      "nodes looked up: %s, ruled out by the peak of the GPUs: "
                      "%s, places: %s, states of the pools: %s",
            report_integer_words(f->n_look_ups).text,
            report_integer_words(f->n_skipped).text,
            report_integer_words(f->n_choices).text,
            report_integer_words(f->n_states).text);
    if (f->n_assigned > 0)
        report_wrap_labelled("bound", out,
                "these jobs cannot all end before %s, each alone where it is "
                "fastest",
                days(f->floor_s, out->style).text);
    report_wrap_labelled("limits", out,
            "all jobs at the same time, each on nodes of one pool; 'plan3d "
            "fit' plans one job over several pools");
}

/* What fits nowhere is looked at first: what to change. */
static int next_row(const report_assign *a)
{
    const report_assign_row *const rows = a->rows.items;

    for (int j = 0; j < a->rows.n; j++)
        if (rows[j].verdict == P3D_ASSIGN_NO_PLAN)
            return j;
    for (int j = 0; j < a->rows.n; j++)
        if (rows[j].verdict == P3D_ASSIGNED)
            return j;
    return -1;
}

/* The largest pool that may run a job. */
static int largest_pool(const report_assign *a, int j)
{
    int best = 0;

    for (int k = 1; k < a->pools->n_pools; k++)
        if (!a->jobs[j].refused[k] &&
                (a->jobs[j].refused[best] ||
                        a->pools->clusters[k].n_gpus >
                                a->pools->clusters[best].n_gpus))
            best = k;
    return best;
}

static void print_next(const report_assign *a, p3d_text *out)
{
    const int j = next_row(a);
    const report_assign_row *row;
    p3d_text command = {.style = out->style};
    int pool;

    if (j < 0)
        return;
    row = (const report_assign_row *)a->rows.items + j;
    pool = row->verdict == P3D_ASSIGNED ? row->place.at.pool
                                        : largest_pool(a, j);
    p3d_text_add(&command, "plan3d fit ");
    report_shell_word(a->words[j].model_word, &command);
    p3d_text_add(&command, " ");
    report_pool_word(a->pools, pool,
            row->verdict == P3D_ASSIGNED ? row->place.at.n_gpus : 0,
            a->fleet_word, &command);
    p3d_text_add(&command, "%s", p3d_text_get(&a->words[j].options));
    if (!a->words[j].says_batch)
        p3d_text_add(&command, " --batch %lld", (long long)row->global_batch);
    if (row->verdict == P3D_ASSIGNED)
        p3d_text_add(&command, " --objective cheapest");
    if (out->style.lang_option != NULL)
        p3d_text_add(&command, "%s", out->style.lang_option);
    p3d_text_add(out, "\n");
    report_next(&command, out);
}

void report_assign_print(
        const report_assign *a, report_format format, p3d_text *out)
{
    const report_data data = {
            &report_assign_shape, a, &report_assign_row_shape, a->rows};

    if (report_print_data(&data, format, out))
        return;
    print_verdict(a, out);
    print_pools(a, out);
    if (a->found.n_assigned > 0) {
        p3d_text_add(out, "\n");
        print_places(a, out);
        p3d_text_add(out, "\n");
    }
    for (int j = 0; j < a->rows.n; j++)
        print_left_out(a, j, out);
    print_proof(a, out);
    print_next(a, out);
}
