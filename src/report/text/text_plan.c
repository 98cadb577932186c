/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_plan.c - does it fit: the verdict and what it rests on; one plan; the
 * best plans, ranked, and why each is not the first. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/departures.h"
#include "plan3d/units.h"
#include "report/answer.h"
#include "report/text/layout.h"
#include "report/text/text.h"

void report_text_verdict(
        const report_document *d, const report_answer *a, p3d_text *out)
{
    const bool barely = a->verdict == P3D_VERDICT_BARELY;

    report_paint_words(barely ? REPORT_CARE : REPORT_GOOD,
            p3d_verdict_words(a->verdict), out);
    report_add(out, ", %s",
            report_sure_words(a->fit_probability_frac, out->style).text);
    if (d->question.frameworks != NULL)
        report_add(out, ", with %s", d->job->framework->name);
    report_add(out, ": %.1f of %.1f GiB stay free on the tight GPU\n",
            report_gib(a->free_bytes),
            report_gib(d->cluster->gpu.visible_memory_bytes));
}

/* Yes or no, and the plan that it is about. */
static void print_verdict(
        const report_document *d, const report_answer *a, p3d_text *out)
{
    if (d->fits) {
        report_text_verdict(d, a, out);
        report_text_plan(a, out);
    } else if (a != NULL) {
        report_text_missing(
                d, a, a == d->estimate ? "this plan" : "the closest plan", out);
    } else {
        report_paint_line(REPORT_BAD, "DOES NOT FIT", out);
    }
}

report_sentence report_departures_words(
        const report_document *d, const report_answer *a, p3d_style style)
{
    const unsigned departures =
            p3d_plan_departures(&d->question.problem, &a->found.plan);
    report_sentence words = {""};
    size_t n = 0;

    for (int i = 0; i < P3D_N_DEPARTURES && n < sizeof(words.text); i++)
        if ((departures & p3d_departure_bit(i)) != 0)
            n += (size_t)snprintf(words.text + n, sizeof(words.text) - n,
                    "%s%s", n > 0 ? report_say(style, ", ") : "",
                    report_say(style, p3d_departure_words(i)));
    if (n == 0)
        p3d_copy(words.text, sizeof(words.text),
                report_say(style, "no setting"));
    return words;
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
            "%.1f %% %s, %s, %.1f GiB free; unusual: %s; %s",
            100 * fabs(slower_frac),
            report_say(out->style, slower_frac < 0 ? "faster" : "slower"),
            report_sure_words(a->fit_probability_frac, out->style).text,
            report_gib(a->free_bytes),
            report_departures_words(d, a, out->style).text, a->words);
}

/* What else there is: of all that fit the fastest, and the roomiest. */
static void print_choices(
        const report_document *d, const report_answer *a, p3d_text *out)
{
    (void)a;
    if (!d->fits || d->recommended == NULL)
        return;
    if (d->best != NULL && strcmp(d->best->words, d->recommended->words) != 0)
        report_wrap_labelled(
                "instead", out, "recommended: %s", d->recommended->words);
    report_wrap_labelled("unusual", out, "%s",
            report_departures_words(d, d->best, out->style).text);
    print_choice(d, "fastest", d->fastest, out);
    print_choice(d, "roomiest", d->roomiest, out);
    if (d->usual != NULL)
        print_choice(d, "usual", d->usual, out);
}

void report_text_lack(
        const report_document *d, const report_answer *answer, p3d_text *out)
{
    const p3d_node *node = &d->question.problem.cluster.node;

    if (answer->missing_bytes > 0) {
        report_add(out, "misses %s GiB per GPU on stage %d",
                report_three_words(report_gib(answer->missing_bytes)).text,
                answer->found.tight_stage);
    } else if (answer->found.nvme_bytes_per_node > node->nvme_bytes) {
        report_add(out, "needs %.0f GiB of NVMe per node, which has %.0f GiB",
                report_gib(answer->found.nvme_bytes_per_node),
                report_gib(node->nvme_bytes));
    } else {
        report_add(out,
                "needs %.0f GiB of host memory per node, which has %.0f GiB",
                report_gib(answer->found.host_bytes_per_node),
                report_gib(node->host_memory_bytes));
    }
}

void report_text_missing(const report_document *d, const report_answer *answer,
        const char *which, p3d_text *out)
{
    report_paint_words(REPORT_BAD, "DOES NOT FIT", out);
    report_add(out, ": %s ", report_say(out->style, which));
    report_text_lack(d, answer, out);
    p3d_text_add(out, "\n");
    report_text_plan(answer, out);
}

/* "+3 %" against the closest plan, of a rate that is to be high. */
static double percent_more(double value, double than)
{
    return 100 * (value / than - 1);
}

void report_text_remedies(const report_document *d, p3d_text *out)
{
    if (d->changes.n > 0)
        report_paint_line(REPORT_HEAD,
                d->fits ? "changes that make it sure to fit, settings first"
                        : "changes that make it fit, settings first",
                out);
    for (int i = 0; i < d->changes.n; i++) {
        const p3d_remedy *c = &d->remedy_items[i];
        const p3d_estimate *e = &c->estimate;
        const double per_gpu = report_remedy_rate(c);

        p3d_text_add(out, "%3d  %s\n     ", i + 1,
                report_say_made(out->style, c->words).text);
        report_wrap(report_short_plan(&e->plan, out->style).text, 5, out);
        report_add(out,
                "     %s of %s GiB per GPU, step %s, %s tokens/s per GPU",
                report_gib_words(p3d_memory_device_bytes(&e->memory)).text,
                report_gib_words(e->usable_bytes).text,
                report_step_words(p3d_time_step_s(&e->time)).text,
                report_three_words(per_gpu).text);
        if (d->closest != NULL) {
            report_add(out, " (%+.1f %%)",
                    percent_more(per_gpu, d->closest->tokens_per_s_per_gpu));
        }
        p3d_text_add(out, "\n");
    }
    if (d->changes.n > 0 && d->closest != NULL) {
        report_add(out, "     (%%: speed of each GPU against the closest plan)"
                        "\n");
    }
    if (d->smallest_cluster_gpus > 0) {
        report_add(out, "the smallest cluster found that it fits on: %d GPUs\n",
                d->smallest_cluster_gpus);
    }
}

/* The parts of the long answers. */

/** One of them: what it is, whether blank lines set it apart, and who prints
 *  it, of the plan that the answer is about (NULL = there is none). */
typedef struct part {
    report_part is;
    bool apart;
    void (*print)(
            const report_document *d, const report_answer *a, p3d_text *out);
} part;

/* Those of a command in their order. */
typedef struct part_list {
    const part *at;
    int n;
} part_list;

const char *report_part_word(int i)
{
    static const char *const words[REPORT_N_PARTS] = {
            [REPORT_NETWORK] = "network",
            [REPORT_VERDICT] = "verdict",
            [REPORT_OTHERS] = "others",
            [REPORT_JOB] = "job",
            [REPORT_PLANS] = "plans",
            [REPORT_MEMORY] = "memory",
            [REPORT_TIME] = "time",
            [REPORT_CHANGES] = "changes",
            [REPORT_PROOF] = "proof",
            [REPORT_EVIDENCE] = "evidence",
            [REPORT_ASSUMED] = "assumed",
            [REPORT_NEXT] = "next"};

    return P3D_HAS(words, i) ? words[i] : NULL;
}

/* Print those that are asked for. */
static void print_parts(const report_document *d, part_list parts,
        const report_answer *a, p3d_text *out)
{
    const unsigned asked = out->style.parts;
    bool apart = false;

    for (int i = 0; i < parts.n; i++) {
        const part *const p = &parts.at[i];
        const size_t before = out->length;
        size_t begin;

        if (asked != 0 && (asked >> p->is & 1) == 0)
            continue;
        if (before > 0 && (apart || p->apart))
            p3d_text_add(out, "\n");
        begin = out->length;
        p->print(d, a, out);
        if (out->length == begin)
            p3d_text_cut(out, before);
        else
            apart = p->apart;
    }
}

#define PART_OF_DOCUMENT(name, print)                                        \
    static void name(                                                        \
            const report_document *d, const report_answer *a, p3d_text *out) \
    {                                                                        \
        (void)a;                                                             \
        print(d, out);                                                       \
    }
PART_OF_DOCUMENT(print_question, report_text_question)
PART_OF_DOCUMENT(print_changes, report_text_remedies)
PART_OF_DOCUMENT(print_search, report_text_search)
PART_OF_DOCUMENT(print_evidence, report_text_evidence)
PART_OF_DOCUMENT(print_assumed, report_text_assumed)
#undef PART_OF_DOCUMENT

static void print_memory(
        const report_document *d, const report_answer *a, p3d_text *out)
{
    if (a != NULL)
        report_text_memory(d, a, out);
}

/* A plan that fits, or that was asked for. */
static void print_time(
        const report_document *d, const report_answer *a, p3d_text *out)
{
    if (d->fits || (a != NULL && a == d->estimate))
        report_text_time(d, a, out);
}

/* Only where it is asked for. */
static void print_network(
        const report_document *d, const report_answer *a, p3d_text *out)
{
    if (d->fits && (out->style.parts >> REPORT_NETWORK & 1) != 0)
        report_text_bottleneck(d, a, out);
}

static void print_next(
        const report_document *d, const report_answer *a, p3d_text *out)
{
    static const char *const yes[] = {"plan3d plan ", "plan3d advise ", NULL};

    (void)a;
    report_text_next(d, d->fits ? yes : yes + 1, out);
}

static const part fit_parts[] = {
        {REPORT_NETWORK, false, print_network},
        {REPORT_VERDICT, false, print_verdict},
        {REPORT_OTHERS, false, print_choices},
        {REPORT_JOB, false, print_question},
        {REPORT_MEMORY, true, print_memory},
        {REPORT_TIME, true, print_time},
        {REPORT_CHANGES, true, print_changes},
        {REPORT_PROOF, false, print_search},
        {REPORT_EVIDENCE, false, print_evidence},
        {REPORT_ASSUMED, false, print_assumed},
        {REPORT_NEXT, false, print_next},
};
static const part_list fit_list = {fit_parts, P3D_COUNT_OF(fit_parts)};

void report_fit_long(
        const report_document *document, report_format format, p3d_text *out)
{
    const report_data data = {&report_fit_shape, document, &report_answer_shape,
            report_found(document)};

    if (!report_print_data(&data, format, out))
        print_parts(document, fit_list,
                document->fits ? document->best : document->closest, out);
}

static void print_next_estimate(
        const report_document *d, const report_answer *a, p3d_text *out)
{
    static const char *const next[] = {"plan3d plan ", NULL};

    (void)a;
    report_text_next(d, next, out);
}

static const part estimate_parts[] = {
        {REPORT_VERDICT, false, print_verdict},
        {REPORT_JOB, false, print_question},
        {REPORT_MEMORY, true, print_memory},
        {REPORT_TIME, true, print_time},
        {REPORT_EVIDENCE, false, print_evidence},
        {REPORT_ASSUMED, false, print_assumed},
        {REPORT_NEXT, false, print_next_estimate},
};
static const part_list estimate_list = {
        estimate_parts, P3D_COUNT_OF(estimate_parts)};

void report_text_estimate(const report_document *d, p3d_text *out)
{
    enum { TO_TIME = 4 };

    print_parts(d, (part_list){estimate_parts, TO_TIME}, d->estimate, out);
    p3d_text_add(out, "\n");
}

void report_estimate(
        const report_document *document, report_format format, p3d_text *out)
{
    const report_data data = {&report_estimate_shape, document,
            &report_answer_shape, {document->estimate, 1}};

    if (!report_print_data(&data, format, out))
        print_parts(document, estimate_list, document->estimate, out);
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
CELL(print_free, "%s", report_gib_words(x->free_bytes).text)
CELL(print_sure, "%s", report_sure_percent(x->fit_probability_frac).text)
CELL(print_step, "%s", report_three_words(x->step_s).text)
CELL(print_rate, "%s", report_three_words(x->tokens_per_s_per_gpu).text)
CELL(print_mfu, "%.1f", 100 * x->found.mfu_frac)

/* Modules of selective recomputation have no room in the table. */
static void print_recompute(const void *row, char *cell, p3d_style style)
{
    const p3d_plan *const plan = &((const report_answer *)row)->found.plan;

    (void)style;
    if (plan->recompute == P3D_RECOMPUTE_SELECTIVE)
        p3d_copy(cell, REPORT_CELL, p3d_recompute_name(plan->recompute));
    else
        p3d_print_recompute(plan, cell);
}

/* All that is offloaded, in the plan's own words. */
static void print_offload(const void *row, char *cell, p3d_style style)
{
    (void)style;
    p3d_print_offload(&((const report_answer *)row)->found.plan, cell);
}

/* The growth of a term in few words; communication goes by its axis. */
static void print_why(const void *row, char *cell, p3d_style style)
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
            [REPORT_TIME_memory_pass] = "kernels",
            [REPORT_TIME_straggler] = "slowest"};
    const report_answer *const a = row;
    const int term = a->growth.term;

    cell[0] = '\0';
    if (a->why_not_first != NULL && a->growth.growth_s > 0)
        snprintf(cell, REPORT_CELL, "%s %+.3g",
                report_say(style, brief[term] != NULL
                                          ? brief[term]
                                          : report_time_terms[term].words),
                a->growth.growth_s);
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
    {"costs more s", 'l', false, 0, 0, print_why},
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
            .style = out->style,
            .in_all = "in all plans: ",
            .numbered = true};

    for (int i = 0; i < P3D_COUNT_OF(columns); i++)
        if (is_column(d, &columns[i]))
            report_columns_add(&shown, &columns[i]);
    report_columns_print(&shown, out);
}

static void print_plans(
        const report_document *d, const report_answer *a, p3d_text *out)
{
    (void)a;
    print_table(d, out);
    report_add(out,
            "(Z: ZeRO stage; mbs: sequences of a micro-batch; free: of %.1f "
            "GiB "
            "on the tight GPU;\n sure: %% probability of fitting; /GPU: "
            "tokens/s of one GPU; TP, CP, EP, PP, DP in the last column:\n "
            "their communication)\n",
            report_gib(d->cluster->gpu.visible_memory_bytes));
}

static void print_first_memory(
        const report_document *d, const report_answer *a, p3d_text *out)
{
    report_add(out, "plan 1\n\n");
    print_memory(d, a, out);
}

static void print_next_plan(
        const report_document *d, const report_answer *a, p3d_text *out)
{
    static const char *const next[] = {"plan3d fit ", "plan3d advise ", NULL};

    (void)a;
    report_text_next(d, next, out);
}

static const part plan_parts[] = {
        {REPORT_VERDICT, false, print_verdict},
        {REPORT_OTHERS, false, print_choices},
        {REPORT_JOB, false, print_question},
        {REPORT_PLANS, true, print_plans},
        {REPORT_PROOF, false, print_search},
        {REPORT_MEMORY, true, print_first_memory},
        {REPORT_TIME, true, print_time},
        {REPORT_EVIDENCE, false, print_evidence},
        {REPORT_ASSUMED, false, print_assumed},
        {REPORT_NEXT, false, print_next_plan},
};
static const part_list plan_list = {plan_parts, P3D_COUNT_OF(plan_parts)};

void report_plan(const report_document *d, report_format format, p3d_text *out)
{
    const report_data data = {&report_plan_document_shape, d,
            &report_answer_shape, report_found(d)};

    if (report_print_data(&data, format, out))
        return;
    if (d->fits)
        print_parts(d, plan_list, d->best, out);
    else
        print_parts(d, fit_list, d->closest, out);
}

static unsigned parts_of(part_list list)
{
    unsigned parts = 0;

    for (int i = 0; i < list.n; i++)
        parts |= 1U << list.at[i].is;
    return parts;
}

unsigned report_parts_of(const char *command)
{
    return strcmp(command, "fit") == 0    ? parts_of(fit_list)
           : strcmp(command, "plan") == 0 ? parts_of(plan_list)
                                          : parts_of(estimate_list);
}
