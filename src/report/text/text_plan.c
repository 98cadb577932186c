/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_plan.c - does it fit: the verdict and what it rests on; one plan; the
 * best plans, ranked, and why each is not the first. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/units.h"
#include "report/answer.h"
#include "report/text/layout.h"
#include "report/text/text.h"

/* "FITS, 97 % sure: 7.7 GiB of 79.2 GiB stay free on the tight GPU". */
static void print_yes(
        const report_document *d, const report_answer *a, p3d_text *out)
{
    const bool barely = a->verdict == P3D_VERDICT_BARELY;

    report_paint_words(barely ? REPORT_CARE : REPORT_GOOD,
            p3d_verdict_words(a->verdict), out);
    p3d_text_add(out, ", %s: %.1f of %.1f GiB stay free on the tight GPU\n",
            report_sure_words(a->fit_probability_frac).text,
            report_gib(a->free_bytes),
            report_gib(d->cluster->gpu.visible_memory_bytes));
    report_text_plan(a, out);
}

/* What a plan asks of the framework that it does not do by itself. */
static const char *departures_of(const report_answer *a)
{
    return a->departures[0] != '\0'
                   ? a->departures
                   : "in nothing from what the framework does by itself";
}

/* One of the plans to choose from, against the recommended one. */
static void print_choice(const report_document *d, const char *label,
        const report_answer *a, p3d_text *out)
{
    const double slower_frac = a->step_s / d->recommended->step_s - 1;

    if (strcmp(a->words, d->best->words) == 0) {
        report_wrap_labelled(label, out, "the same plan");
        return;
    }
    report_wrap_labelled(label, out,
            "%.1f %% %s, %s, %.1f GiB free; departs: %s; %s",
            100 * fabs(slower_frac), slower_frac < 0 ? "faster" : "slower",
            report_sure_words(a->fit_probability_frac).text,
            report_gib(a->free_bytes), departures_of(a), a->words);
}

/* What else there is: of all that fit the fastest, and the roomiest. */
static void print_choices(const report_document *d, p3d_text *out)
{
    if (d->recommended == NULL)
        return;
    if (d->best != NULL && strcmp(d->best->words, d->recommended->words) != 0)
        report_wrap_labelled(
                "instead", out, "recommended: %s", d->recommended->words);
    report_wrap_labelled("departs", out, "%s", departures_of(d->best));
    print_choice(d, "fastest", d->fastest, out);
    print_choice(d, "roomiest", d->roomiest, out);
}

void report_text_lack(
        const report_document *d, const report_answer *answer, p3d_text *out)
{
    const p3d_node *node = &d->question.problem.cluster.node;

    if (answer->missing_bytes > 0) {
        p3d_text_add(out, "misses %.2f GiB per GPU on stage %d",
                report_gib(answer->missing_bytes), answer->found.tight_stage);
    } else if (answer->found.nvme_bytes_per_node > node->nvme_bytes) {
        p3d_text_add(out, "needs %.0f GiB of NVMe per node, which has %.0f GiB",
                report_gib(answer->found.nvme_bytes_per_node),
                report_gib(node->nvme_bytes));
    } else {
        p3d_text_add(out,
                "needs %.0f GiB of host memory per node, which has %.0f GiB",
                report_gib(answer->found.host_bytes_per_node),
                report_gib(node->host_memory_bytes));
    }
}

void report_text_missing(const report_document *d, const report_answer *answer,
        const char *which, p3d_text *out)
{
    report_paint_words(REPORT_BAD, "DOES NOT FIT", out);
    p3d_text_add(out, ": %s ", which);
    report_text_lack(d, answer, out);
    p3d_text_add(out, "\n");
    report_text_plan(answer, out);
}

/* "+3 %" against the closest plan, of a rate that is to be high. */
static double percent_more(double value, double than)
{
    return 100 * (value / than - 1);
}

void report_text_changes(const report_document *d, p3d_text *out)
{
    if (d->changes.n > 0)
        report_paint_line(REPORT_HEAD,
                d->fits ? "what makes it sure to fit, cheapest first"
                        : "\nwhat makes it fit, cheapest first",
                out);
    for (int i = 0; i < d->changes.n; i++) {
        const p3d_change *c = &d->change_items[i];
        const p3d_estimate *e = &c->estimate;
        const double per_gpu = report_change_rate(c);

        p3d_text_add(out, "%3d  %s\n     ", i + 1, c->words);
        report_wrap(report_short_plan(&e->plan).text, 5, REPORT_WIDTH, out);
        p3d_text_add(out,
                "     %.2f of %.2f GiB per GPU, step %s, %s tokens/s per "
                "GPU",
                report_gib(p3d_memory_device_bytes(&e->memory)),
                report_gib(e->usable_bytes),
                report_step_words(p3d_time_step_s(&e->time)).text,
                report_rate_words(per_gpu).text);
        if (d->closest != NULL) {
            p3d_text_add(out, " (%+.1f %%)",
                    percent_more(per_gpu, d->closest->tokens_per_s_per_gpu));
        }
        p3d_text_add(out, "\n");
    }
    if (d->changes.n > 0 && d->closest != NULL) {
        p3d_text_add(out, "     (%%: speed of a GPU against the closest plan)"
                          "\n");
    }
    if (d->smallest_cluster_gpus > 0) {
        p3d_text_add(out, "smallest cluster found on which it fits: %d GPUs\n",
                d->smallest_cluster_gpus);
    }
}

/* The closest plan, and what to change. */
static void print_no(const report_document *d, p3d_text *out)
{
    static const char *const next[] = {"plan3d advise ", NULL};

    if (d->closest != NULL)
        report_text_missing(d, d->closest, "the closest plan", out);
    else
        report_paint_line(REPORT_BAD, "DOES NOT FIT", out);
    report_text_question(d, out);
    if (d->closest != NULL) {
        p3d_text_add(out, "\n");
        report_text_memory(d, d->closest, out);
    }
    report_text_changes(d, out);
    p3d_text_add(out, "\n");
    report_text_search(d, out);
    report_text_evidence(d, out);
    report_text_assumed(d, out);
    report_text_next(d, next, out);
}

/* Everything about one plan, below the verdict. */
static void print_plan(
        const report_document *d, const report_answer *a, p3d_text *out)
{
    report_text_question(d, out);
    p3d_text_add(out, "\n");
    report_text_memory(d, a, out);
    p3d_text_add(out, "\n");
    report_text_time(d, a, out);
    p3d_text_add(out, "\n");
}

void report_fit(
        const report_document *document, report_format format, p3d_text *out)
{
    static const char *const next[] = {"plan3d plan ", "plan3d advise ", NULL};

    const report_data data = {&report_fit_shape, document, &report_answer_shape,
            report_found(document)};

    if (report_print_data(&data, format, out))
        return;
    if (!document->fits) {
        print_no(document, out);
        return;
    }
    print_yes(document, document->best, out);
    print_choices(document, out);
    print_plan(document, document->best, out);
    report_text_changes(document, out);
    report_text_search(document, out);
    report_text_evidence(document, out);
    report_text_assumed(document, out);
    report_text_next(document, next, out);
}

void report_text_estimate(const report_document *d, p3d_text *out)
{
    if (d->fits)
        print_yes(d, d->estimate, out);
    else
        report_text_missing(d, d->estimate, "this plan", out);
    print_plan(d, d->estimate, out);
}

void report_estimate(
        const report_document *document, report_format format, p3d_text *out)
{
    static const char *const next[] = {"plan3d plan ", NULL};

    const report_data data = {&report_estimate_shape, document,
            &report_answer_shape, {document->estimate, 1}};

    if (report_print_data(&data, format, out))
        return;
    report_text_estimate(document, out);
    report_text_evidence(document, out);
    report_text_assumed(document, out);
    report_text_next(document, next, out);
}

/* The best plans. */

/* How a cell is printed. */
#define CELL(name, ...)  REPORT_COLUMN(name, report_answer, __VA_ARGS__)
#define PLAN_CELL(field) CELL(print_##field, "%d", x->found.plan.field)
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
CELL(print_schedule, "%s", p3d_schedule_name(x->found.plan.schedule))
CELL(print_free, "%.2f", report_gib(x->free_bytes))
CELL(print_sure, "%.0f", fmin(99, 100 * x->fit_probability_frac))
CELL(print_step, "%.*f", x->step_s < 100 ? 3 : 2, x->step_s)
CELL(print_rate, "%s", report_rate_words(x->tokens_per_s_per_gpu).text)
CELL(print_mfu, "%.1f", 100 * x->found.mfu_frac)

/* Modules of selective recomputation have no room in the table. */
static void print_recompute(const void *row, char *cell)
{
    const p3d_plan *const plan = &((const report_answer *)row)->found.plan;

    if (plan->recompute == P3D_RECOMPUTE_SELECTIVE)
        p3d_copy(cell, REPORT_CELL, p3d_recompute_name(plan->recompute));
    else
        p3d_print_recompute(plan, cell);
}

/* All that is offloaded, in the plan's own words. */
static void print_offload(const void *row, char *cell)
{
    p3d_print_offload(&((const report_answer *)row)->found.plan, cell);
}

/* The growth of a term in few words; communication goes by its axis. */
static void print_why(const void *row, char *cell)
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
    const report_answer *const a = row;
    const int term = a->growth.term;

    cell[0] = '\0';
    if (a->why_not_first != NULL)
        report_growth_words(&a->growth,
                brief[term] != NULL ? brief[term]
                                    : report_time_terms[term].words,
                cell, REPORT_CELL);
}

/* clang-format off */
static const report_column columns[] = {
    {"TP",        'r', false, 0, 0, print_tp},
    {"PP",        'r', false, 0, 0, print_pp},
    {"VP",        'r', true,  0, 0, print_vp},
    {"DP",        'r', false, 0, 0, print_dp},
    {"CP",        'r', true,  0, 0, print_cp},
    {"EP",        'r', true,  0, 0, print_ep},
    {"ETP",       'r', true,  0, 0, print_etp},
    {"Z",         'r', true,  0, 0, print_zero},
    {"recompute", 'l', true,  0, 0, print_recompute},
    {"offload",   'l', true,  0, 0, print_offload},
    {"schedule",  'l', true,  0, 0, print_schedule},
    {"mbs",       'r', true,  0, 0, print_micro_batch},
    {"free",      'r', false, 0, 0, print_free},
    {"sure",      'r', false, 0, 0, print_sure},
    {"step s",    'r', false, 0, 0, print_step},
    {"/GPU",      'r', false, 0, 0, print_rate},
    {"MFU %",     'r', false, 0, 0, print_mfu},
    {"slower by", 'l', false, 0, 0, print_why},
};
/* clang-format on */

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

static bool is_column(const report_document *d, const report_column *column)
{
    if (column->print == print_ep || column->print == print_etp)
        return d->model->n_experts > 0;
    return column->print != print_schedule || !has_usual_schedules(d);
}

static void print_table(const report_document *d, p3d_text *out)
{
    report_columns shown = {.rows = d->plans,
            .size = sizeof(report_answer),
            .in_all = "in all plans: ",
            .numbered = true};

    for (int i = 0; i < P3D_COUNT_OF(columns); i++)
        if (is_column(d, &columns[i]))
            report_columns_add(&shown, &columns[i]);
    report_columns_print(&shown, out);
}

void report_plan(const report_document *d, report_format format, p3d_text *out)
{
    static const char *const next[] = {"plan3d fit ", "plan3d advise ", NULL};

    const report_data data = {&report_plan_document_shape, d,
            &report_answer_shape, report_found(d)};

    if (report_print_data(&data, format, out))
        return;
    if (!d->fits) {
        print_no(d, out);
        return;
    }
    print_yes(d, d->best, out);
    print_choices(d, out);
    report_text_question(d, out);
    p3d_text_add(out, "\n");
    print_table(d, out);
    p3d_text_add(out,
            "(Z: ZeRO stage; mbs: sequences of a micro-batch; free: of %.2f "
            "GiB "
            "on the tight GPU;\n sure: %% probability of fitting; /GPU: "
            "tokens/s of one GPU; TP, CP, EP, PP, DP in the last column:\n "
            "their communication)\n\n",
            report_gib(d->cluster->gpu.visible_memory_bytes));
    report_text_search(d, out);
    p3d_text_add(out, "\nplan 1\n\n");
    report_text_memory(d, d->best, out);
    p3d_text_add(out, "\n");
    report_text_time(d, d->best, out);
    p3d_text_add(out, "\n");
    report_text_evidence(d, out);
    report_text_assumed(d, out);
    report_text_next(d, next, out);
}
