/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_answer.c - the first line of a sweep: which row, or which end of a
 * range, by how much, and how sure that is. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/faster.h"
#include "report/study.h"
#include "report/text/layout.h"
#include "report/text/spans.h"
#include "report/text/text.h"

/* A number that rows are compared by, more is better, and its range. */
typedef struct measure {
    double value, low, high;
} measure;

static measure speed_of(const p3d_sweep_row *row)
{
    return (measure){
            row->tokens_per_s, row->low.tokens_per_s, row->high.tokens_per_s};
}

/* USD of the training, or of a billion tokens; without a price GPU-hours of
 * them. The low end of a cost is that of the fast runs. */
static measure cost_of(const p3d_sweep_row *row)
{
    static const double s_per_h = 3600;
    const double gpu_h = 1e9 * row->n_gpus / s_per_h;

    if (row->training_usd > 0)
        return (measure){row->training_usd, row->low.training_usd,
                row->high.training_usd};
    if (row->billion_tokens_usd > 0)
        return (measure){row->billion_tokens_usd, row->low.billion_tokens_usd,
                row->high.billion_tokens_usd};
    return (measure){gpu_h / row->tokens_per_s, gpu_h / row->high.tokens_per_s,
            gpu_h / row->low.tokens_per_s};
}

static const char *cost_unit(const p3d_sweep_row *row)
{
    return row->training_usd > 0         ? ""
           : row->billion_tokens_usd > 0 ? " for a billion tokens"
                                         : " GPU-hours for a billion tokens";
}

static bool is_better(
        report_answer_kind kind, const p3d_sweep_row *a, const p3d_sweep_row *b)
{
    return kind == REPORT_CHEAPEST ? cost_of(a).value < cost_of(b).value
                                   : speed_of(a).value > speed_of(b).value;
}

/* The best row that fits, but for one. @return NULL = there is none */
static const p3d_sweep_row *best_but(
        const report_sweep *s, const p3d_sweep_row *left_out)
{
    const p3d_sweep_row *const rows = s->rows.items;
    const p3d_sweep_row *best = NULL;

    for (int i = 0; i < s->rows.n; i++)
        if (rows[i].fits && !rows[i].never_ends && &rows[i] != left_out &&
                (best == NULL || is_better(s->end.kind, &rows[i], best)))
            best = &rows[i];
    return best;
}

static const p3d_sweep_row *first_unfit(const report_sweep *s)
{
    const p3d_sweep_row *const rows = s->rows.items;

    for (int i = 0; i < s->rows.n; i++)
        if (!rows[i].fits)
            return &rows[i];
    return NULL;
}

/* The names of rows: what sets them apart. */

static bool differ(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a != b : strcmp(a, b) != 0;
}

static bool any_differs(const report_sweep *s,
        bool differs(const p3d_sweep_row *, const p3d_sweep_row *))
{
    const p3d_sweep_row *const rows = s->rows.items;

    for (int i = 1; i < s->rows.n; i++)
        if (differs(&rows[0], &rows[i]))
            return true;
    return false;
}

#define DIFFERS(name, test)                                          \
    static bool name(const p3d_sweep_row *a, const p3d_sweep_row *b) \
    {                                                                \
        return test;                                                 \
    }
DIFFERS(beside_differs, differ(a->beside, b->beside))
DIFFERS(seq_differs, a->seq_len != b->seq_len)
DIFFERS(batch_differs, a->global_batch != b->global_batch)
DIFFERS(framework_differs, differ(a->framework, b->framework))
#undef DIFFERS

/* Room for a name, and for why a row is no answer. */
enum { NAME = 256 };

typedef struct words {
    char text[NAME];
} words;

/* What --beside adds to a row, "tp=8" of "pin=tp=8". */
static const char *added_words(const char *beside)
{
    return beside + (strncmp(beside, "pin=", 4) == 0 ? 4 : 0);
}

/* True of a row that differs from the plain one in its plan at most. */
static bool is_pinned(const p3d_sweep_row *row)
{
    return row->beside == NULL || strncmp(row->beside, "pin=", 4) == 0;
}

/* The row that --beside leaves as it is: without what the first of the others
 * adds. */
static void add_unchanged(const report_sweep *s, p3d_text *name)
{
    const p3d_sweep_row *other = s->rows.items;

    while (other->beside == NULL)
        other++;
    report_add(name, " without %s", added_words(other->beside));
}

static words name_of(
        const report_sweep *s, const p3d_sweep_row *row, p3d_style style)
{
    p3d_text name = {.style = style};
    words out = {""};

    p3d_text_add(&name, "%s", row->cluster);
    if (row->beside != NULL)
        report_add(&name, " with %s", added_words(row->beside));
    else if (any_differs(s, beside_differs))
        add_unchanged(s, &name);
    if (any_differs(s, seq_differs))
        report_add(&name, ", sequence %s",
                report_integer_words(row->seq_len).text);
    else if (any_differs(s, batch_differs) && !any_differs(s, beside_differs))
        report_add(&name, ", batch %s",
                report_integer_words(row->global_batch).text);
    if (any_differs(s, framework_differs) && row->framework != NULL)
        p3d_text_add(&name, ", %s", row->framework);
    snprintf(out.text, sizeof(out.text), "%s", p3d_text_get(&name));
    p3d_text_free(&name);
    return out;
}

/* Why a row is no answer. */
static words lack_of(const p3d_sweep_row *row, p3d_style style)
{
    words out = {""};

    if (!row->legal)
        snprintf(out.text, NAME, "%s", report_say(style, "has no legal plan"));
    else if (row->missing_bytes > 0)
        snprintf(out.text, NAME, report_say(style, "misses %s GiB"),
                report_gib_words(row->missing_bytes).text);
    else
        snprintf(out.text, NAME, report_say(style, "is only %s to fit"),
                report_sure_words(row->fit_probability_frac, style).text);
    return out;
}

static void add_lack(const p3d_sweep_row *row, const char *name, p3d_text *out)
{
    report_add(out, "; %s %s", name, lack_of(row, out->style).text);
}

/* Two rows. */

static words range_of(measure m, p3d_style style)
{
    words out = {""};

    snprintf(out.text, NAME, report_say(style, "%s (%s to %s)"),
            report_three_words(m.value).text, report_three_words(m.low).text,
            report_three_words(m.high).text);
    return out;
}

static words cost_words(const p3d_sweep_row *row, p3d_style style)
{
    const measure m = cost_of(row);
    words out = {""};

    if (row->training_usd > 0 || row->billion_tokens_usd > 0)
        snprintf(out.text, NAME, "%s",
                report_usd_words(m.value, m.low, m.high, style).text);
    else
        out = range_of(m, style);
    return out;
}

/* What sets two rows apart: the plan alone, or more. */
static p3d_apart apart_of(const p3d_sweep_row *a, const p3d_sweep_row *b)
{
    if (framework_differs(a, b))
        return P3D_APART_FRAMEWORKS;
    if (differ(a->gpu, b->gpu))
        return P3D_APART_GPUS;
    return a->n_gpus == b->n_gpus && a->n_nodes == b->n_nodes &&
                           !seq_differs(a, b) && !batch_differs(a, b) &&
                           is_pinned(a) && is_pinned(b)
                   ? P3D_APART_PLANS
                   : P3D_APART_JOBS;
}

/* @param times  the worse number over the better one, or the other way */
static void add_sureness(
        bool is_money, p3d_apart apart, double times, p3d_text *out)
{
    report_add(out,
            is_money ? "; which is cheaper is %s %% sure, by %s pairs of "
                       "measured runs"
                     : "; which is faster is %s %% sure, by %s pairs of "
                       "measured runs",
            report_sure_percent(
                    p3d_faster_probability_frac(apart, fmax(times, 1 / times)))
                    .text,
            report_integer_words(p3d_faster_pairs(apart)).text);
}

static const double SAME = 1.005;

static void add_faster(const report_sweep *s, const p3d_sweep_row *a,
        const p3d_sweep_row *b, p3d_text *out)
{
    const measure fast = speed_of(a), slow = speed_of(b);
    const words first = name_of(s, a, out->style);
    const words second = name_of(s, b, out->style);
    const double times = fast.value / slow.value;

    if (times < SAME)
        report_add(out, "%s is as fast as %s", first.text, second.text);
    else
        report_add(out, "%s is %s times as fast as %s", first.text,
                report_three_words(times).text, second.text);
    report_add(out, ": %s against %s tokens/s in 80 %% of runs",
            range_of(fast, out->style).text, range_of(slow, out->style).text);
    if (a->usd_per_gpu_h > 0 && b->usd_per_gpu_h > 0)
        report_add(out, ", at %s times the cost",
                report_three_words(cost_of(a).value / cost_of(b).value).text);
    if (times >= SAME)
        add_sureness(false, apart_of(a, b), times, out);
}

static void add_cheaper(const report_sweep *s, const p3d_sweep_row *a,
        const p3d_sweep_row *b, p3d_text *out)
{
    const measure cheap = cost_of(a), dear = cost_of(b);

    report_add(out,
            "%s costs %s times as much as %s: %s against %s%s in 80 %% of "
            "runs",
            name_of(s, a, out->style).text,
            report_three_words(cheap.value / dear.value).text,
            name_of(s, b, out->style).text, cost_words(a, out->style).text,
            cost_words(b, out->style).text,
            report_say(out->style, cost_unit(a)));
    add_sureness(true, apart_of(a, b), dear.value / cheap.value, out);
}

static void add_unsure(
        const report_sweep *s, const p3d_sweep_row *row, p3d_text *out)
{
    if (row->verdict != P3D_VERDICT_FITS)
        add_lack(row, name_of(s, row, out->style).text, out);
}

/* "full" in a question may be one layer of a plan. */
static void add_recomputed(
        const p3d_sweep_row *a, const p3d_sweep_row *b, p3d_text *out)
{
    char first[P3D_PLAN_PART], second[P3D_PLAN_PART];

    if ((a->beside == NULL || strstr(a->beside, "recompute") == NULL) &&
            (b->beside == NULL || strstr(b->beside, "recompute") == NULL))
        return;
    report_add(out, "; recomputed: %s against %s",
            p3d_print_recompute(&a->best, first),
            p3d_print_recompute(&b->best, second));
}

static void add_comparison(const report_sweep *s, p3d_text *out)
{
    const p3d_sweep_row *const best = best_but(s, NULL);
    const p3d_sweep_row *const next = best_but(s, best);
    const p3d_sweep_row *const unfit = first_unfit(s);

    if (best == NULL) {
        report_add(out, "none of them fits");
        return;
    }
    if (next == NULL) {
        report_add(out,
                s->found.n_illegal > 0 ? "%s is the only one that runs"
                                       : "%s is the only one that fits",
                name_of(s, best, out->style).text);
    } else {
        (s->end.kind == REPORT_CHEAPEST ? add_cheaper : add_faster)(
                s, best, next, out);
        add_recomputed(best, next, out);
        add_unsure(s, next, out);
    }
    add_unsure(s, best, out);
    if (unfit != NULL)
        add_unsure(s, unfit, out);
}

/* Ends of ranges. */

static void add_beyond(const report_end *end, const char *name, p3d_text *out)
{
    if (end->beyond != NULL)
        add_lack(end->beyond, name, out);
}

static void add_fit(const p3d_sweep_row *row, p3d_text *out)
{
    report_add(out, " (%s, %.1f GiB free)",
            report_sure_words(row->fit_probability_frac, out->style).text,
            report_gib(row->margin_bytes));
}

static void add_gpus(const report_sweep *s, p3d_text *out)
{
    const report_end *const end = &s->end;

    if (end->row == NULL) {
        report_add(out, "no number of GPUs up to %s is enough",
                report_integer_words(end->beyond->n_gpus).text);
        add_beyond(end, end->beyond->cluster, out);
        return;
    }
    report_add(out, "%s is enough", end->row->cluster);
    add_fit(end->row, out);
    report_add(out, ", %s s a step", report_three_words(end->row->step_s).text);
    add_beyond(end, end->beyond != NULL ? end->beyond->cluster : "", out);
}

/* "111 days (104 to 139)": the whole training, with its range. */
static report_words training_words(const p3d_sweep_row *row, p3d_style style)
{
    const report_clock unit = report_long_clock_for(row->training_s);
    const report_span span = {report_three_words(row->training_s / unit.unit_s),
            report_three_words(row->low.training_s / unit.unit_s), {""},
            report_three_words(row->high.training_s / unit.unit_s),
            !(row->high.training_s > 0)};

    return report_span_words(&span,
            REPORT_WORDS(" %s", report_say(style, unit.word)).text, style);
}

/* GPUs with which nine of ten runs end in time, if twice as many take half as
 * long: whole groups of eight. */
static int64_t surer_gpus(const p3d_sweep_row *row, double deadline_s)
{
    const double gpus = row->n_gpus * row->high.training_s / deadline_s;

    return 8 * (int64_t)ceil(gpus / 8);
}

static void add_reference(const report_sweep *s, p3d_text *out)
{
    if (s->deadline_of != NULL)
        report_add(out, ", the time of %s", s->deadline_of);
}

/* Of a time that is an estimate itself, half of the runs are slower, too. */
static bool may_be_late(const report_sweep *s, double training_s)
{
    return s->deadline_of == NULL && training_s > s->deadline_s;
}

/* The high end of a range is that of the slow runs. */
static void add_in_time(const report_sweep *s, p3d_text *out)
{
    const p3d_sweep_row *few = s->found.smallest, *cheap = s->found.cheapest;

    report_add(out, "%s is the smallest, %s of %s", few->cluster,
            training_words(few, out->style).text,
            report_seconds_words(s->deadline_s, out->style).text);
    add_reference(s, out);
    if (cheap == few)
        report_add(out, ", and the cheapest");
    else if (cheap != NULL)
        report_add(out, "; %s is the cheapest, %s", cheap->cluster,
                training_words(cheap, out->style).text);
    if (may_be_late(s, few->high.training_s))
        report_add(out,
                few->median.training_s > s->deadline_s
                        ? "; on the smallest more than half of the runs are "
                          "later than that; with about %s GPUs nine of ten are "
                          "in time"
                        : "; the smallest is late at the slow end of its "
                          "range; with about %s GPUs nine runs of ten are in "
                          "time",
                report_integer_words(surer_gpus(few, s->deadline_s)).text);
}

static void add_late(const report_sweep *s, p3d_text *out)
{
    const p3d_sweep_row *const closest = s->found.closest;
    double late_s;

    if (closest == NULL) {
        report_add(out, "on none of the clusters that were looked at");
        return;
    }
    late_s = closest->training_s - s->deadline_s;
    report_add(out, "%s comes closest, %s instead of %s", closest->cluster,
            training_words(closest, out->style).text,
            report_seconds_words(s->deadline_s, out->style).text);
    add_reference(s, out);
    if (late_s > s->deadline_s)
        report_add(out, ": %.3g times as long",
                closest->training_s / s->deadline_s);
    else
        report_add(out, ": %s (%.3g %%) too long",
                report_seconds_words(late_s, out->style).text,
                100 * late_s / s->deadline_s);
}

static void add_seq(const report_sweep *s, p3d_text *out)
{
    const report_end *const end = &s->end;

    if (end->row == NULL) {
        report_add(out, "no sequence surely fits");
    } else {
        report_add(out, "%s tokens are the longest sequence that surely fits",
                report_integer_words(end->row->seq_len).text);
        add_fit(end->row, out);
    }
    if (end->beyond != NULL)
        add_beyond(end, report_integer_words(end->beyond->seq_len).text, out);
}

static void add_micro_batch(const report_sweep *s, p3d_text *out)
{
    const report_end *const end = &s->end;

    if (end->row == NULL)
        report_add(out, "no micro-batch surely fits");
    else {
        report_add(out,
                "%s sequences are the largest micro-batch that surely fits",
                report_integer_words(end->row->best.micro_batch).text);
        add_fit(end->row, out);
    }
    if (end->beyond != NULL && end->row != NULL)
        add_beyond(end,
                report_integer_words(2 * (int64_t)end->row->best.micro_batch)
                        .text,
                out);
    report_add(out, "; the global batch has no such limit, as gradients "
                    "accumulate over micro-batches");
}

static void add_model(const report_sweep *s, p3d_text *out)
{
    const report_end *const end = &s->end;

    if (end->row == NULL)
        report_add(out, "no model of 'plan3d list models' surely fits");
    else {
        report_add(out,
                "%s (%s parameters) is the largest known model that surely "
                "fits",
                end->model->name,
                report_count_words((double)p3d_total_params(end->model)).text);
        add_fit(end->row, out);
    }
    if (end->beyond_model != NULL)
        add_beyond(end, end->beyond_model->name, out);
}

/* Tokens in the time of a row's training, where it takes so long. */
static report_words tokens_words(const p3d_sweep_row *row, double training_s)
{
    const double n =
            training_s > 0 ? row->n_tokens * row->training_s / training_s : 0;
    double unit = 1;

    while (n / unit >= 1000)
        unit *= 10;
    return report_count_words(round(n / unit) * unit);
}

/* The tokens that a training has time and money for: as many more or less as
 * its runs are faster or slower. */
static void add_tokens(const report_sweep *s, p3d_text *out)
{
    const p3d_sweep_row *const row = s->end.row;

    if (row == NULL) {
        report_add(out, "no number of tokens is trained within that");
        if (s->end.beyond != NULL && !s->end.beyond->fits)
            add_beyond(&s->end, s->end.beyond->cluster, out);
        return;
    }
    report_add(out, "%s trains %s tokens (%s to %s in 80 %% of runs)",
            row->cluster, tokens_words(row, row->training_s).text,
            tokens_words(row, row->high.training_s).text,
            tokens_words(row, row->low.training_s).text);
    if (s->deadline_s > 0)
        report_add(out, " in %s",
                report_seconds_words(s->deadline_s, out->style).text);
    if (s->budget_usd > 0)
        report_add(out, " for USD %s",
                report_large_words(s->budget_usd, out->style).text);
    add_fit(row, out);
}

/* Money. */

/* The cheapest row that fits, the whole training priced; NULL = there is none.
 */
static const p3d_sweep_row *cheapest_training(const report_sweep *s)
{
    const p3d_sweep_row *const rows = s->rows.items;
    const p3d_sweep_row *best = NULL;

    for (int i = 0; i < s->rows.n; i++)
        if (rows[i].fits && rows[i].training_usd > 0 &&
                (best == NULL || rows[i].training_usd < best->training_usd))
            best = &rows[i];
    return best;
}

bool report_sweep_over_budget(const report_sweep *s)
{
    const p3d_sweep_row *const row = cheapest_training(s);

    return s->budget_usd > 0 &&
           (row == NULL || row->training_usd > s->budget_usd);
}

static void print_budget(const report_sweep *s, p3d_text *out)
{
    const p3d_sweep_row *const row = cheapest_training(s);
    const bool over = report_sweep_over_budget(s);
    p3d_text line = {.style = out->style};

    if (s->budget_usd == 0 || row == NULL || s->end.kind == REPORT_MOST_TOKENS)
        return;
    report_paint_words(over ? REPORT_BAD : REPORT_GOOD,
            over ? "OVER BUDGET" : "WITHIN BUDGET", &line);
    report_add(&line, ": %s costs %s of USD %s, in %s", row->cluster,
            report_usd_words(row->training_usd, row->low.training_usd,
                    row->high.training_usd, out->style)
                    .text,
            report_large_words(s->budget_usd, out->style).text,
            training_words(row, out->style).text);
    if (!over && row->high.training_usd > s->budget_usd)
        report_add(&line, "; at the slow end of its range it is over");
    report_wrap_text(&line, 0, out);
}

typedef void add_answer(const report_sweep *s, p3d_text *out);

/* Of what was stopped, only a cluster that is in time is an answer. */
static bool has_answer(const report_sweep *s)
{
    return (s->found.complete || s->found.smallest != NULL) &&
           (s->deadline_s > 0 || s->end.kind != REPORT_NO_ANSWER);
}

void report_add_sweep_answer(const report_sweep *s, p3d_text *out)
{
    static add_answer *const answers[] = {[REPORT_FASTEST] = add_comparison,
            [REPORT_CHEAPEST] = add_comparison,
            [REPORT_FEWEST_GPUS] = add_gpus,
            [REPORT_LONGEST_SEQ] = add_seq,
            [REPORT_LARGEST_MICRO_BATCH] = add_micro_batch,
            [REPORT_LARGEST_MODEL] = add_model,
            [REPORT_MOST_TOKENS] = add_tokens};

    if (!has_answer(s))
        return;
    if (s->deadline_s > 0 && s->end.kind != REPORT_MOST_TOKENS)
        (s->found.smallest != NULL ? add_in_time : add_late)(s, out);
    else
        answers[s->end.kind](s, out);
}

/* What the answer begins with, and its colour. */
static void add_label(const report_sweep *s, p3d_text *out)
{
    if (s->deadline_s <= 0 || s->end.kind == REPORT_MOST_TOKENS)
        report_paint_words(REPORT_HEAD, "ANSWER", out);
    else if (s->found.smallest != NULL &&
             may_be_late(s, s->found.smallest->median.training_s))
        report_paint_words(REPORT_GOOD, "IN TIME, BARELY", out);
    else if (s->found.smallest != NULL)
        report_paint_words(REPORT_GOOD,
                s->deadline_of != NULL ? "AS FAST" : "IN TIME", out);
    else
        report_paint_words(REPORT_BAD,
                s->found.closest != NULL ? "NOT IN TIME" : "DOES NOT FIT", out);
}

void report_text_answer(const report_sweep *s, p3d_text *out)
{
    p3d_text line = {.style = out->style};

    if (has_answer(s)) {
        add_label(s, &line);
        report_add(&line, ": ");
        report_add_sweep_answer(s, &line);
        report_wrap_text(&line, 0, out);
    }
    print_budget(s, out);
}
