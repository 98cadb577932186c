/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_plan.c - the best plans, ranked, and why each is not the first. */
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "report/terms.h"
#include "report/text/table.h"
#include "report/text/text.h"
#include "report/text/wrap.h"

enum { CELL = P3D_PLAN_PART, IN_ALL = 14 /* column */ };

/* A column: its head, and how a cell of it is printed. A column that may be
 * left out goes where all plans have the same in it. */
typedef struct plan_column {
    const char *head;
    char align;
    bool may_go;
    bool for_experts; /* not there for a dense model */
    const char *(*print)(const report_answer *a, char *cell);
} plan_column;

static const char *print_int(char *cell, int value)
{
    snprintf(cell, CELL, "%d", value);
    return cell;
}

#define PLAN_CELL(field)                                                 \
    static const char *print_##field(const report_answer *a, char *cell) \
    {                                                                    \
        return print_int(cell, a->found.plan.field);                     \
    }
PLAN_CELL(tp)
PLAN_CELL(pp)
PLAN_CELL(vp)
PLAN_CELL(dp)
PLAN_CELL(cp)
PLAN_CELL(ep)
PLAN_CELL(etp)
PLAN_CELL(zero)
PLAN_CELL(micro_batch)
#undef PLAN_CELL

/* Modules of selective recomputation have no room in the table. */
static const char *print_recompute(const report_answer *a, char *cell)
{
    if (a->found.plan.recompute != P3D_RECOMPUTE_SELECTIVE)
        return p3d_print_recompute(&a->found.plan, cell);
    snprintf(cell, CELL, "%s", p3d_recompute_name(a->found.plan.recompute));
    return cell;
}

/* All that is offloaded, in the plan's own words. */
static const char *print_offload(const report_answer *a, char *cell)
{
    return p3d_print_offload(&a->found.plan, cell);
}

static const char *print_schedule(const report_answer *a, char *cell)
{
    snprintf(cell, CELL, "%s", p3d_schedule_name(a->found.plan.schedule));
    return cell;
}

static const char *print_margin(const report_answer *a, char *cell)
{
    snprintf(cell, CELL, "%.2f", report_gib(a->margin_bytes));
    return cell;
}

static const char *print_step(const report_answer *a, char *cell)
{
    snprintf(cell, CELL, "%.*f", a->step_s < 100 ? 3 : 2, a->step_s);
    return cell;
}

static const char *print_rate(const report_answer *a, char *cell)
{
    return report_rate_words(cell, CELL, a->tokens_per_s_per_gpu);
}

static const char *print_mfu(const report_answer *a, char *cell)
{
    snprintf(cell, CELL, "%.1f", 100 * a->found.mfu_frac);
    return cell;
}

/* The growth of a term in few words; communication goes by its axis. */
static const char *print_why(const report_answer *a, char *cell)
{
    static const char *const brief[REPORT_N_TIME_TERMS] = {
            [REPORT_TIME_tp_comm] = "TP",
            [REPORT_TIME_cp_comm] = "CP",
            [REPORT_TIME_ep_comm] = "EP",
            [REPORT_TIME_pp_comm] = "PP",
            [REPORT_TIME_dp_comm] = "DP",
            [REPORT_TIME_offload] = "offload",
            [REPORT_TIME_recompute] = "recompute",
            [REPORT_TIME_pp_bubble] = "bubble",
            [REPORT_TIME_memory_pass] = "passes",
            [REPORT_TIME_straggler] = "slowest"};
    const int term = a->growth.term;

    if (a->why_not_first == NULL)
        return "";
    return report_growth_words(&a->growth,
            brief[term] != NULL ? brief[term] : report_time_terms[term].words,
            cell, CELL);
}

/* clang-format off */
static const plan_column columns[] = {
    {"TP",            'r', false, false, print_tp},
    {"PP",            'r', false, false, print_pp},
    {"VP",            'r', true,  false, print_vp},
    {"DP",            'r', false, false, print_dp},
    {"CP",            'r', true,  false, print_cp},
    {"EP",            'r', true,  true,  print_ep},
    {"ETP",           'r', true,  true,  print_etp},
    {"Z",             'r', true,  false, print_zero},
    {"recompute",     'l', true,  false, print_recompute},
    {"offload",       'l', true,  false, print_offload},
    {"schedule",      'l', true,  false, print_schedule},
    {"mbs",           'r', true,  false, print_micro_batch},
    {"margin",        'r', false, false, print_margin},
    {"step s",        'r', false, false, print_step},
    {"/GPU",          'r', false, false, print_rate},
    {"MFU %",         'r', false, false, print_mfu},
    {"slower by",     'l', false, false, print_why},
};
/* clang-format on */

static bool is_constant(const report_document *d, const plan_column *column)
{
    const report_answer *plans = d->answers;
    char first[CELL];
    char other[CELL];

    column->print(&plans[0], first);
    for (int i = 1; i < d->plans.n; i++)
        if (strcmp(column->print(&plans[i], other), first) != 0)
            return false;
    return true;
}

/* True when VP tells all schedules: 1F1B, or its interleaved form. */
static bool has_usual_schedules(const report_document *d)
{
    for (int i = 0; i < d->plans.n; i++) {
        const p3d_plan *const plan = &d->answers[i].found.plan;

        if (plan->schedule != (plan->vp > 1 ? P3D_INTERLEAVED : P3D_1F1B))
            return false;
    }
    return true;
}

/* Which columns are shown; the others are named in a line of their own. */
static int choose_columns(
        const report_document *d, const plan_column **shown, p3d_text *same)
{
    int n = 0;

    for (int i = 0; i < P3D_COUNT_OF(columns); i++) {
        const plan_column *column = &columns[i];
        char cell[CELL];

        if ((column->for_experts && d->model->n_experts == 0) ||
                (column->print == print_schedule && has_usual_schedules(d)))
            continue;
        if (!column->may_go || !is_constant(d, column)) {
            shown[n++] = column;
        } else {
            p3d_text_add(same, "%s%s %s", same->length > 0 ? ", " : "",
                    column->head, column->print(&d->answers[0], cell));
        }
    }
    return n;
}

static void print_table(const report_document *d, p3d_text *out)
{
    const plan_column *shown[P3D_COUNT_OF(columns)];
    char align[P3D_COUNT_OF(columns) + 2] = "r";
    char cell[CELL];
    p3d_text same = {0};
    report_table table;
    const int n = choose_columns(d, shown, &same);

    for (int i = 0; i < n; i++)
        align[i + 1] = shown[i]->align;
    report_table_begin(&table, align);
    report_table_cell(&table, "#");
    for (int i = 0; i < n; i++)
        report_table_cell(&table, "%s", shown[i]->head);
    for (int row = 0; row < d->plans.n; row++) {
        report_table_cell(&table, "%d", row + 1);
        for (int i = 0; i < n; i++) {
            report_table_cell(
                    &table, "%s", shown[i]->print(&d->answers[row], cell));
        }
    }
    report_table_print(&table, out);
    if (same.length > 0) {
        p3d_text_add(out, "in all plans: ");
        report_wrap(p3d_text_get(&same), IN_ALL, REPORT_WIDTH, out);
    }
    out->failed = out->failed || same.failed;
    p3d_text_free(&same);
}

void report_plan(
        const report_document *document, report_format format, p3d_text *out)
{
    static const char *const next[] = {"plan3d fit ", "plan3d advise ", NULL};
    const report_document *d = document;

    const report_data data = {&report_plan_document_shape, d,
            &report_answer_shape, report_found(d)};

    if (report_print_data(&data, format, out))
        return;
    if (!d->fits) {
        report_text_no(d, out);
        return;
    }
    report_text_best(d, out);
    report_text_question(d, out);
    p3d_text_add(out, "\n");
    print_table(d, out);
    p3d_text_add(out,
            "(Z: ZeRO stage; mbs: sequences of a micro-batch; margin: what is "
            "left of the %.2f GiB\n usable on the tight GPU; /GPU: tokens/s of "
            "one GPU; TP, CP, EP, PP, DP in the last column:\n their "
            "communication)\n\n",
            report_gib(d->best->found.usable_bytes));
    report_text_search(d, out);
    p3d_text_add(out, "\nplan 1\n\n");
    report_text_memory(d, d->best, out);
    p3d_text_add(out, "\n");
    report_text_time(d, d->best, out);
    p3d_text_add(out, "\n");
    report_text_assumed(d, out);
    report_text_next(d, next, out);
}
