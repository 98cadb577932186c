/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_sweep.c - a sweep as text: the answer, the table, what it means. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/units.h"
#include "report/study.h"
#include "report/text/layout.h"
#include "report/text/spans.h"
#include "report/text/text.h"
#include "spec/plan_words.h"

/* The rows. */

/* How a cell is printed; "" where there is nothing to say. */
#define CELL(name, ...) REPORT_COLUMN(name, p3d_sweep_row, __VA_ARGS__)
CELL(print_mark, "%s", x->on_front ? "*" : "")
CELL(print_role, "%s",
        x->role == NULL
                ? ""
                : report_say(style,
                          strchr(x->role, ' ') != NULL ? "both" : x->role))
CELL(print_cluster, "%s", x->cluster)
CELL(print_beside, "%s", x->beside != NULL ? x->beside : "-")
CELL(print_seq, "%s",
        x->seq_len > 0 ? report_integer_words(x->seq_len).text : "")
CELL(print_batch, "%s",
        x->global_batch > 0 ? report_integer_words(x->global_batch).text : "")
CELL(print_framework, "%s%s", x->any_framework && x->legal ? "any: " : "",
        x->framework != NULL ? x->framework : "")
CELL(print_idle, "%s", x->fits ? report_integer_words(x->idle_gpus).text : "-")
CELL(print_rate, "%s", x->fits ? report_three_words(x->tokens_per_s).text : "-")
CELL(print_gpu_rate, "%s",
        x->fits ? report_three_words(x->tokens_per_s_per_gpu).text : "-")
CELL(print_energy, "%s",
        x->training_kwh > 0 ? report_three_words(x->training_kwh / 1000).text
                            : "-")

/* What --plan reads, too; what is not 1 or none. */
static void put_plan(const p3d_plan *plan, char *cell, p3d_style style)
{
    if (spec_plan_print_short(plan, cell, REPORT_CELL)[0] == '\0')
        snprintf(cell, REPORT_CELL, "%s", report_say(style, "one GPU"));
}

static void print_plan(const void *at, char *cell, p3d_style style)
{
    const p3d_sweep_row *const row = at;

    cell[0] = '\0';
    if (row->plan != NULL)
        put_plan(&row->best, cell, style);
}

static void print_step(const void *at, char *cell, p3d_style style)
{
    const p3d_sweep_row *const row = at;

    if (row->fits)
        snprintf(cell, REPORT_CELL, "%s", report_three_words(row->step_s).text);
    else
        snprintf(cell, REPORT_CELL, "%s",
                report_say(style, row->legal ? "NO FIT" : "illegal"));
}

CELL(print_mfu, "%s",
        report_known_words(x->fits, "%.1f", 100 * x->mfu_frac).text)
CELL(print_sure, "%s",
        x->plan != NULL ? report_sure_percent(x->fit_probability_frac).text
                        : "-")
CELL(print_margin, "%s",
        report_known_words(
                x->plan != NULL, "%s", report_gib_words(x->margin_bytes).text)
                .text)
CELL(print_days, "%s",
        x->never_ends ? report_say(style, "never")
        : x->fits     ? report_brief_words(report_days(x->training_s),
                                report_days(x->low.training_s),
                                report_days(x->high.training_s), style)
                            .text
                  : "-")

/* Of the whole training, or of a billion tokens. */
static void print_usd(const void *at, char *cell, p3d_style style)
{
    const p3d_sweep_row *const row = at;
    report_words usd = {"-"};

    if (row->fits && !row->never_ends && row->training_usd > 0)
        usd = report_brief_words(row->training_usd, row->low.training_usd,
                row->high.training_usd, style);
    else if (row->fits && !row->never_ends)
        usd = report_brief_words(row->billion_tokens_usd,
                row->low.billion_tokens_usd, row->high.billion_tokens_usd,
                style);
    snprintf(cell, REPORT_CELL, "%s", usd.text);
}

/* clang-format off */
static const report_column mark = {"", 'l', false, 0, 0, print_mark};
static const report_column role = {"", 'l', false, 0, 0, print_role};
static const report_column always[] = {
    {"cluster",   'r', false, 0, 0,  print_cluster},
    {"seq",       'r', true,  0, 0,  print_seq},
    {"batch",     'r', true,  1, 0,  print_batch},
    {"framework", 'l', true,  0, 0,  print_framework},
    {"plan",      'l', false, 0, 21, print_plan},
    {"step s",    'r', false, 0, 0,  print_step},
    {"tok/s",     'r', false, 5, 0,  print_rate},
    {"/GPU",      'r', false, 0, 0,  print_gpu_rate},
    {"MFU %",     'r', false, 3, 0,  print_mfu},
    {"sure %",    'r', false, 0, 0,  print_sure},
    {"free",      'r', false, 2, 0,  print_margin},
};
static const report_column of_beside = {"with", 'l', false, 0, 0, print_beside};
static const report_column of_idle = {"idle", 'r', false, 0, 0, print_idle};
static const report_column of_tokens = {"days", 'r', false, 0, 0, print_days};
static const report_column of_energy = {"MWh", 'r', false, 4, 0, print_energy};
static const report_column of_price = {"USD", 'r', false, 0, 0, print_usd};
/* clang-format on */

/* True when a plan of some row leaves GPUs out. */
static bool has_idle(const report_sweep *sweep)
{
    const p3d_sweep_row *rows = sweep->rows.items;

    for (int i = 0; i < sweep->rows.n; i++)
        if (rows[i].idle_gpus > 0)
            return true;
    return false;
}

static bool has_beside(const report_sweep *sweep)
{
    const p3d_sweep_row *rows = sweep->rows.items;

    for (int i = 0; i < sweep->rows.n; i++)
        if (rows[i].beside != NULL)
            return true;
    return false;
}

static bool has_trainings(const report_sweep *sweep)
{
    const p3d_sweep_row *rows = sweep->rows.items;

    for (int i = 0; i < sweep->rows.n; i++)
        if (rows[i].training_s > 0)
            return true;
    return false;
}

static bool is_priced(const report_sweep *sweep)
{
    const p3d_sweep_row *rows = sweep->rows.items;

    for (int i = 0; i < sweep->rows.n; i++)
        if (rows[i].usd_per_gpu_h > 0 || rows[i].training_usd > 0)
            return true;
    return false;
}

static void choose_columns(const report_sweep *sweep, report_columns *columns)
{
    report_columns_add(columns, sweep->deadline_s > 0 ? &role : &mark);
    report_columns_add(columns, &always[0]);
    if (has_beside(sweep))
        report_columns_add(columns, &of_beside);
    for (int i = 1; i < P3D_COUNT_OF(always); i++)
        report_columns_add(columns, &always[i]);
    if (has_idle(sweep))
        report_columns_add(columns, &of_idle);
    if (sweep->n_tokens > 0) {
        report_columns_add(columns, &of_tokens);
        report_columns_add(columns, &of_energy);
    }
    if (is_priced(sweep))
        report_columns_add(columns, &of_price);
}

static bool has_both(const report_sweep *s)
{
    return s->found.smallest != NULL &&
           strchr(s->found.smallest->role, ' ') != NULL;
}

/* What a column has, by its head; columns that need no word are not here. */
static const struct {
    const char *head;
    const char *words;
} meanings[] = {{"seq", "seq: tokens of a sequence"},
        {"batch", "batch: sequences of a step"},
        {"plan", "plan: as --plan reads it: ranks, mb: sequences of a "
                 "micro-batch, Z: ZeRO stage, then what is recomputed and, "
                 "behind +, offloaded"},
        {"step s", "step s: seconds of a step"},
        {"tok/s", "tok/s: tokens/s of all GPUs"},
        {"/GPU", "/GPU: tokens/s of one GPU"},
        {"MFU %", "MFU %: FLOPs of the model against the peak"},
        {"sure %", "sure: probability of fitting, in percent"},
        {"free", "free: GiB left on the tight GPU, below 0: missing"},
        {"idle", "idle: GPUs without work"},
        {"days", "days: of the whole training with failures, restarts and "
                 "checkpoints, its range in brackets"},
        {"MWh", "MWh: its energy"}};

/* True for a column that is shown, or said once for all rows. */
static bool is_said(const report_columns *columns, const char *head)
{
    for (int i = 0; i < columns->n; i++)
        if (strcmp(columns->shown[i]->head, head) == 0)
            return true;
    return strstr(p3d_text_get(&columns->same),
                   report_say(columns->style, head)) != NULL;
}

/* "*: Pareto-optimal: ...": the mark before a row. */
static void add_mark(const report_sweep *s, p3d_text *legend)
{
    if (s->end.kind == REPORT_MOST_TOKENS) /* each row is in time */
        return;
    if (s->deadline_s <= 0)
        report_add(legend,
                "*: Pareto-optimal: no row with such sequences is as good in "
                "GPUs, time, money, energy and free memory, and better in "
                "one");
    else if (s->found.smallest == NULL)
        report_add(legend, "none is in time; closest: the shortest training");
    else if (s->found.cheapest == NULL)
        report_add(legend, "smallest: the fewest GPUs that finish in time");
    else if (has_both(s))
        report_add(legend, "both: the fewest GPUs that finish in time, and the "
                           "least money or GPU-hours");
    else
        report_add(legend, "smallest: the fewest GPUs that finish in time; "
                           "cheapest: the least money or GPU-hours");
}

/* The marks and the columns that are shown. */
static void add_legend(
        const report_sweep *s, const report_columns *columns, p3d_text *legend)
{
    const size_t begin = legend->length;

    add_mark(s, legend);
    for (int i = 0; i < P3D_COUNT_OF(meanings); i++)
        if (is_said(columns, meanings[i].head))
            p3d_text_add(legend, "%s%s",
                    legend->length > begin ? report_say(legend->style, "; ")
                                           : "",
                    report_say(legend->style, meanings[i].words));
    if (is_priced(s) && has_trainings(s))
        report_add(legend, "; USD: its cost");
    else if (is_priced(s))
        report_add(legend, "; USD: of a billion tokens");
    report_add(legend, ")");
}

static void print_table(
        const report_sweep *sweep, p3d_text *legend, p3d_text *out)
{
    report_columns columns = {.rows = sweep->rows,
            .size = sizeof(p3d_sweep_row),
            .style = out->style,
            .in_all = "in all rows: "};
    p3d_text dropped = {.style = out->style};

    choose_columns(sweep, &columns);
    if (!out->style.markdown)
        report_columns_narrow(&columns, &dropped);
    add_legend(sweep, &columns, legend);
    report_columns_print(&columns, out);
    if (dropped.length > 0) {
        p3d_text line = {.style = out->style};

        report_add(&line,
                "not shown, as the screen is narrow: %s (--format csv shows "
                "all)",
                p3d_text_get(&dropped));
        report_wrap_text(&line, 0, out);
    }
    report_text_free(&dropped, out);
}

/* The other plans of the rows. */

typedef struct other {
    const p3d_sweep_row *row;
    const p3d_sweep_choice *choice;
    const char *name;
} other;

#define OTHER(name, ...) REPORT_COLUMN(name, other, __VA_ARGS__)
OTHER(print_other_name, "%s", report_say(style, x->name))
OTHER(print_longer, "%+.1f", 100 * (x->choice->step_s / x->row->step_s - 1))
OTHER(print_other_sure, "%s",
        report_sure_percent(x->choice->fit_probability_frac).text)
OTHER(print_free, "%s", report_gib_words(x->choice->margin_bytes).text)

static void print_other_cluster(const void *at, char *cell, p3d_style style)
{
    print_cluster(((const other *)at)->row, cell, style);
}

static void print_other_beside(const void *at, char *cell, p3d_style style)
{
    print_beside(((const other *)at)->row, cell, style);
}

static void print_other_seq(const void *at, char *cell, p3d_style style)
{
    print_seq(((const other *)at)->row, cell, style);
}

static void print_other_batch(const void *at, char *cell, p3d_style style)
{
    print_batch(((const other *)at)->row, cell, style);
}

static void print_other_framework(const void *at, char *cell, p3d_style style)
{
    print_framework(((const other *)at)->row, cell, style);
}

static void print_other_plan(const void *at, char *cell, p3d_style style)
{
    put_plan(&((const other *)at)->choice->found, cell, style);
}

enum { OTHER_BESIDE = 1 }; /* its place */

/* clang-format off */
static const report_column of_others[] = {
    {"cluster",   'r', false, 0, 0,  print_other_cluster},
    {"with",      'l', false, 0, 0,  print_other_beside},
    {"seq",       'r', true,  0, 0,  print_other_seq},
    {"batch",     'r', true,  1, 0,  print_other_batch},
    {"framework", 'l', true,  0, 0,  print_other_framework},
    {"instead",   'l', false, 0, 0,  print_other_name},
    {"plan",      'l', false, 0, 21, print_other_plan},
    {"time %",    'r', false, 0, 0,  print_longer},
    {"sure %",    'r', false, 0, 0,  print_other_sure},
    {"free",      'r', false, 0, 0,  print_free},
};
/* clang-format on */

/* Those that are not the row's own plan. */
static int list_others(const report_sweep *sweep, other *out)
{
    const p3d_sweep_row *const rows = sweep->rows.items;
    int n = 0;

    for (int i = 0; i < sweep->rows.n; i++) {
        const other both[] = {{&rows[i], &rows[i].fastest, "fastest"},
                {&rows[i], &rows[i].roomiest, "roomiest"}};

        for (int k = 0; k < P3D_COUNT_OF(both); k++)
            if (both[k].choice->plan != NULL &&
                    strcmp(both[k].choice->plan, rows[i].plan) != 0)
                out[n++] = both[k];
    }
    return n;
}

/* A legend that ends in a bracket, and that which begins it. */
static void print_in_brackets(p3d_text *legend, p3d_text *out)
{
    const char *const bracket = report_say(out->style, "(");

    p3d_text_add(out, "%s", bracket);
    report_wrap_text(legend, report_paint_columns(bracket), out);
}

static void print_others(const report_sweep *sweep, p3d_text *out)
{
    other *const others = malloc(2 * (size_t)sweep->rows.n * sizeof(*others));
    report_columns columns = {
            .size = sizeof(*others), .style = out->style, .in_all = ""};
    p3d_text legend = {.style = out->style};

    out->failed |= others == NULL;
    if (others == NULL)
        return;
    columns.rows = (json_list){others, list_others(sweep, others)};
    for (int i = 0; i < P3D_COUNT_OF(of_others) && columns.rows.n > 0; i++)
        if (i != OTHER_BESIDE || has_beside(sweep))
            report_columns_add(&columns, &of_others[i]);
    report_text_free(&columns.same, out); /* the table above has said it */
    if (columns.rows.n > 0) {
        p3d_text_add(out, "\n");
        report_columns_print(&columns, out);
        report_add(&legend,
                "fastest: the fastest of all plans that fit by the "
                "estimate; roomiest: of the sure plans that are about "
                "as fast as any, the one with the most memory free; "
                "time %%: of the step, against the plan above; sure "
                "%%: probability of fitting; free: GiB)");
        print_in_brackets(&legend, out);
    }
    free(others);
}

/* What stands around them. */

static void print_counts(const report_sweep *s, p3d_text *out)
{
    report_paint_words(REPORT_HEAD, "SWEEP", out);
    report_add(out, ": %d of %d combination%s fit", s->found.n_fit,
            s->found.n_found, s->found.n_found == 1 ? "" : "s");
    if (s->found.n_illegal > 0)
        report_add(out, ", %d without a legal plan", s->found.n_illegal);
    report_add(out, "; %d Pareto-optimal\n", s->found.n_front);
}

static void print_headline(const report_sweep *s, p3d_text *out)
{
    if (!s->found.complete && s->deadline_s > 0)
        report_add(out, "INTERRUPTED: what follows is the best so far\n");
    else if (!s->found.complete)
        report_add(out, "INTERRUPTED: %d of %lld combinations\n",
                s->found.n_found, (long long)s->found.n_asked);
    if (s->end.kind == REPORT_NO_ANSWER && s->deadline_s <= 0 &&
            s->budget_usd <= 0)
        print_counts(s, out);
    else if (s->found.complete || s->found.smallest != NULL)
        report_text_answer(s, out);
}

static void print_question(const report_sweep *s, p3d_text *out)
{
    const p3d_model *const model = &s->question.problem.model;

    report_wrap_labelled("model", out, "%s: %s parameters, %d layers",
            model->name, report_integer_words(p3d_total_params(model)).text,
            model->n_layers);
    if (s->n_tokens > 0 && s->deadline_s > 0)
        report_wrap_labelled("training", out, "%s tokens in at most %s",
                report_count_words(s->n_tokens).text,
                report_seconds_words(s->deadline_s, out->style).text);
    else if (s->n_tokens > 0)
        report_wrap_labelled("training", out, "%s tokens",
                report_count_words(s->n_tokens).text);
}

static void print_refusals(const report_sweep *s, p3d_text *out)
{
    const p3d_sweep_row *rows = s->rows.items;
    bool first = true;

    for (int i = 0; i < s->rows.n; i++) {
        if (rows[i].refusal == NULL)
            continue;
        report_wrap_labelled(first ? "illegal" : "", out, "%s: %s",
                rows[i].cluster,
                report_say_made(out->style, rows[i].refusal).text);
        first = false;
    }
}

static void print_scan(
        const p3d_sweep_scan *scan, const char *label, p3d_text *out)
{
    char job[128] = "";
    int n = 0;

    if (scan->seq_len > 0)
        n += snprintf(job + n, sizeof(job) - (size_t)n,
                report_say(out->style, ", sequence %d"), scan->seq_len);
    if (scan->global_batch > 0)
        n += snprintf(job + n, sizeof(job) - (size_t)n,
                report_say(out->style, ", batch %lld"),
                (long long)scan->global_batch);
    if (scan->framework != NULL)
        snprintf(job + n, sizeof(job) - (size_t)n, ", %.40s", scan->framework);
    report_wrap_labelled(label, out,
            "%s%s, from %s to %s GPUs: %s looked at, %s searched exactly, %s "
            "skipped (too slow or too dear even at peak)%s",
            scan->type, job, report_integer_words(scan->least_gpus).text,
            report_integer_words(scan->most_gpus).text,
            report_integer_words(scan->n_counts).text,
            report_integer_words(scan->n_searched).text,
            report_integer_words(scan->n_skipped).text,
            scan->complete ? "" : report_say(out->style, "; interrupted"));
}

static void print_scans(const report_sweep *s, p3d_text *out)
{
    const p3d_sweep_scan *scans = s->scans.items;
    bool any_batch = false;

    for (int i = 0; i < s->scans.n; i++) {
        print_scan(&scans[i], i == 0 ? "scanned" : "", out);
        any_batch = any_batch || scans[i].global_batch == 0;
    }
    if (any_batch)
        report_wrap_labelled("", out,
                "batch: the default of each count, about 4 Mi tokens or 1,024 "
                "per GPU (--batch)");
    if (s->scans.n > 0 && s->found.complete)
        report_wrap_labelled("", out,
                s->found.smallest != NULL
                        ? "exact: every larger cluster is in time too, as it "
                          "can leave nodes idle"
                        : "exact: none of them is in time");
}

/* "H100" of "512xH100" and "64x8xH100". */
static const char *without_number(const char *type)
{
    size_t n = strspn(type, "0123456789");

    while (n > 0 && type[n] == 'x') {
        type += n + 1;
        n = strspn(type, "0123456789");
    }
    return type;
}

/* A number of GPUs that was given, and is not enough to be in time. */
static bool may_take_more(const report_sweep *s)
{
    const p3d_sweep_scan *const scans = s->scans.items;

    return s->scans.n == 1 && s->found.smallest == NULL &&
           scans[0].least_gpus == scans[0].most_gpus;
}

/* The same question for the row that answers, or for more GPUs of the kind.
 * Clusters of a file have the number of GPUs that it says. */
static void print_next(const report_sweep *s, p3d_text *out)
{
    const p3d_sweep_row *row =
            s->found.smallest != NULL ? s->found.smallest : s->found.closest;
    const bool more = may_take_more(s);
    p3d_text command = {.style = out->style};

    if (row == NULL || strchr(row->type, '/') != NULL ||
            strstr(row->type, ".json") != NULL)
        return;
    p3d_text_add(&command, "%s", more ? "plan3d sweep " : "plan3d plan ");
    report_shell_word(s->model_word, &command);
    p3d_text_add(&command, " %s --seq %d --batch %" PRId64 " --framework %s",
            more ? without_number(row->type) : row->cluster, row->seq_len,
            row->global_batch, row->framework);
    if (row->usd_per_gpu_h > 0)
        p3d_text_add(&command, " --price %g", row->usd_per_gpu_h);
    p3d_text_add(&command, "%s", s->options);
    if (more)
        p3d_text_add(&command, " --deadline %gd --find gpus",
                report_days(s->deadline_s));
    if (out->style.lang_option != NULL)
        p3d_text_add(&command, "%s", out->style.lang_option);
    report_next(&command, out);
}

static void print_left_out(const report_sweep *s, p3d_text *out)
{
    const int n = s->found.n_found - s->rows.n;

    if (n > 0)
        report_add(out,
                "%d other row%s: not Pareto-optimal, %d of them "
                "without a plan that fits\n",
                n, n == 1 ? "" : "s", s->found.n_found - s->found.n_fit);
}

void report_print_sweep(
        const report_sweep *sweep, report_format format, p3d_text *out)
{
    p3d_text answer = {.length = 0}; /* documents are English */
    report_sweep with_answer = *sweep;
    const report_data data = {&report_sweep_shape, &with_answer,
            &report_sweep_row_shape, sweep->rows};
    bool printed;

    report_add_sweep_answer(sweep, &answer);
    with_answer.answer = answer.length > 0 ? p3d_text_get(&answer) : NULL;
    printed = report_print_data(&data, format, out);
    report_text_free(&answer, out);
    if (printed)
        return;
    print_headline(sweep, out);
    print_question(sweep, out);
    if (sweep->rows.n > 0) {
        p3d_text legend = {.style = out->style};

        p3d_text_add(out, "\n");
        print_table(sweep, &legend, out);
        print_left_out(sweep, out);
        print_in_brackets(&legend, out);
        print_others(sweep, out);
    }
    print_refusals(sweep, out);
    if (sweep->scans.n > 0)
        p3d_text_add(out, "\n");
    print_scans(sweep, out);
    print_next(sweep, out);
}
