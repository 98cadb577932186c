/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_sweep_rows.c - the rows of a sweep as a table. */
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/units.h"
#include "report/sweep.h"
#include "report/text/table.h"
#include "report/text/text.h"
#include "report/text/wrap.h"

enum { CELL = 384, GAP = 2, PLAN = 21, IN_ALL = 13 /* column */ };

/* A column: its head, and how a cell of it is printed; "" where there is
 * nothing to say. */
typedef struct sweep_column {
    const char *head;
    char align;
    bool may_go; /* said once where all rows have the same in it */
    int spare; /* the largest goes first where the table is too wide; 0 = no */
    const char *(*print)(const p3d_sweep_row *row, char *cell);
} sweep_column;

static const char *print_mark(const p3d_sweep_row *row, char *cell)
{
    snprintf(cell, CELL, "%s", row->on_front ? "*" : "");
    return cell;
}

static const char *print_role(const p3d_sweep_row *row, char *cell)
{
    const bool both = row->role != NULL && strchr(row->role, ' ') != NULL;

    snprintf(cell, CELL, "%s",
            both                ? "both"
            : row->role != NULL ? row->role
                                : "");
    return cell;
}

static const char *print_cluster(const p3d_sweep_row *row, char *cell)
{
    snprintf(cell, CELL, "%s", row->cluster);
    return cell;
}

static const char *print_seq(const p3d_sweep_row *row, char *cell)
{
    return row->seq_len > 0 ? p3d_print_integer(cell, CELL, row->seq_len) : "";
}

static const char *print_batch(const p3d_sweep_row *row, char *cell)
{
    return row->global_batch > 0
                   ? p3d_print_integer(cell, CELL, row->global_batch)
                   : "";
}

static const char *print_framework(const p3d_sweep_row *row, char *cell)
{
    const bool chosen = row->any_framework && row->legal;

    snprintf(cell, CELL, "%s%s", chosen ? "any: " : "",
            row->framework != NULL ? row->framework : "");
    return cell;
}

static const char *print_idle(const p3d_sweep_row *row, char *cell)
{
    return row->fits ? p3d_print_integer(cell, CELL, row->idle_gpus) : "-";
}

/* Add a word, and a number to it that is not 0; blanks stand between. */
static void add_word(char *cell, const char *word, int number)
{
    const size_t n = strlen(cell);
    char digits[16] = "";

    if (number > 0)
        snprintf(digits, sizeof(digits), "%d", number);
    snprintf(cell + n, CELL - n, "%s%s%s", n > 0 ? " " : "", word, digits);
}

static void add_sizes(char *cell, const p3d_plan *plan)
{
    const struct {
        const char *word;
        int size;
    } sizes[] = {{"TP", plan->tp}, {"PP", plan->pp}, {"VP", plan->vp},
            {"DP", plan->dp}, {"CP", plan->cp}, {"EP", plan->ep},
            {"ETP", plan->ep > 1 ? plan->etp : 1}, {"mb", plan->micro_batch}};

    for (int i = 0; i < P3D_COUNT_OF(sizes); i++)
        if (sizes[i].size > 1)
            add_word(cell, sizes[i].word, sizes[i].size);
    if (plan->zero > 0)
        add_word(cell, "Z", plan->zero);
}

/* "TP8 PP4 VP10 DP2 Z1 full:20 +optimizer": what is not 1, 0 or none. */
static const char *print_plan(const p3d_sweep_row *row, char *cell)
{
    const p3d_plan *plan = &row->best;
    char part[P3D_PLAN_PART];
    char word[P3D_PLAN_PART + 1];

    cell[0] = '\0';
    if (row->plan == NULL)
        return cell;
    add_sizes(cell, plan);
    if (plan->pp > 1 && plan->schedule != P3D_1F1B &&
            plan->schedule != P3D_INTERLEAVED)
        add_word(cell, p3d_schedule_name(plan->schedule), 0);
    if (plan->recompute != P3D_RECOMPUTE_NONE)
        add_word(cell, p3d_print_recompute(plan, part), 0);
    if (plan->offload != P3D_OFFLOAD_NONE ||
            plan->activation_offload_frac > 0) {
        snprintf(word, sizeof(word), "+%s", p3d_print_offload(plan, part));
        add_word(cell, word, 0);
    }
    return cell[0] != '\0' ? cell : "one GPU";
}

static const char *print_step(const p3d_sweep_row *row, char *cell)
{
    if (!row->fits)
        return row->legal ? "NO FIT" : "illegal";
    snprintf(cell, CELL, "%.*f", row->step_s < 100 ? 3 : 2, row->step_s);
    return cell;
}

static const char *print_rate(const p3d_sweep_row *row, char *cell)
{
    return row->fits ? report_rate_words(cell, CELL, row->tokens_per_s) : "-";
}

static const char *print_gpu_rate(const p3d_sweep_row *row, char *cell)
{
    return row->fits ? report_rate_words(cell, CELL, row->tokens_per_s_per_gpu)
                     : "-";
}

static const char *print_mfu(const p3d_sweep_row *row, char *cell)
{
    if (!row->fits)
        return "-";
    snprintf(cell, CELL, "%.1f", 100 * row->mfu_frac);
    return cell;
}

static const char *print_margin(const p3d_sweep_row *row, char *cell)
{
    if (row->plan == NULL)
        return "-";
    snprintf(cell, CELL, "%.2f", report_gib(row->margin_bytes));
    return cell;
}

static const char *print_days(const p3d_sweep_row *row, char *cell)
{
    const double days = report_days(row->training_s);

    if (row->never_ends)
        return "never";
    if (!row->fits)
        return "-";
    snprintf(cell, CELL, "%.*f", days < 10 ? 2 : 1, days);
    return cell;
}

static const char *print_energy(const p3d_sweep_row *row, char *cell)
{
    if (row->training_kwh <= 0)
        return "-";
    return report_rate_words(cell, CELL, row->training_kwh / 1000);
}

static const char *print_usd(const p3d_sweep_row *row, char *cell)
{
    const double usd =
            row->training_usd > 0 ? row->training_usd : row->billion_tokens_usd;

    if (!row->fits || row->never_ends)
        return "-";
    return row->training_usd > 0 ? report_usd_words(cell, CELL, usd)
                                 : report_rate_words(cell, CELL, usd);
}

/* clang-format off */
static const sweep_column mark = {"", 'l', false, 0, print_mark};
static const sweep_column role = {"", 'l', false, 0, print_role};
static const sweep_column always[] = {
    {"cluster",   'r', false, 0, print_cluster},
    {"seq",       'r', true,  0, print_seq},
    {"batch",     'r', true,  1, print_batch},
    {"framework", 'l', true,  0, print_framework},
    {"plan",      'l', false, 0, print_plan},
    {"step s",    'r', false, 0, print_step},
    {"tok/s",     'r', false, 5, print_rate},
    {"/GPU",      'r', false, 0, print_gpu_rate},
    {"MFU %",     'r', false, 3, print_mfu},
    {"margin",    'r', false, 2, print_margin},
};
static const sweep_column of_idle = {"idle", 'r', false, 0, print_idle};
static const sweep_column of_tokens = {"days", 'r', false, 0, print_days};
static const sweep_column of_energy = {"MWh", 'r', false, 4, print_energy};
static const sweep_column of_price = {"USD", 'r', false, 0, print_usd};
/* clang-format on */

enum { MAX_COLUMNS = P3D_COUNT_OF(always) + 5 };

/* Columns of a table, and what they leave out. */
typedef struct layout {
    const sweep_column *shown[MAX_COLUMNS];
    int n;
    p3d_text same;
    p3d_text dropped;
} layout;

static const p3d_sweep_row *row_at(const report_sweep *sweep, int i)
{
    return (const p3d_sweep_row *)sweep->rows.items + i;
}

static bool is_constant(const report_sweep *sweep, const sweep_column *column)
{
    char first[CELL];
    char other[CELL];

    (void)p3d_copy(first, CELL, column->print(row_at(sweep, 0), other));
    for (int i = 1; i < sweep->rows.n; i++)
        if (strcmp(column->print(row_at(sweep, i), other), first) != 0)
            return false;
    return true;
}

static void offer(
        const report_sweep *sweep, const sweep_column *column, layout *l)
{
    char cell[CELL];

    if (!column->may_go || !is_constant(sweep, column)) {
        l->shown[l->n++] = column;
    } else {
        p3d_text_add(&l->same, "%s%s %s", l->same.length > 0 ? ", " : "",
                column->head, column->print(row_at(sweep, 0), cell));
    }
}

static bool is_priced(const report_sweep *sweep)
{
    for (int i = 0; i < sweep->rows.n; i++)
        if (row_at(sweep, i)->usd_per_gpu_h > 0 ||
                row_at(sweep, i)->training_usd > 0)
            return true;
    return false;
}

static void choose_columns(const report_sweep *sweep, layout *l)
{
    offer(sweep, sweep->deadline_s > 0 ? &role : &mark, l);
    for (int i = 0; i < P3D_COUNT_OF(always); i++)
        offer(sweep, &always[i], l);
    if (report_sweep_has_idle(sweep))
        offer(sweep, &of_idle, l);
    if (sweep->n_tokens > 0)
        offer(sweep, &of_tokens, l);
    if (sweep->n_tokens > 0)
        offer(sweep, &of_energy, l);
    if (is_priced(sweep))
        offer(sweep, &of_price, l);
}

/* Columns of the page that a column of the table takes; the plan goes on in
 * the next line after this. */
static int width_of(const report_sweep *sweep, const sweep_column *column)
{
    int width = (int)strlen(column->head);
    char cell[CELL];

    if (column->print == print_plan)
        return PLAN;
    for (int i = 0; i < sweep->rows.n; i++) {
        const int n = (int)strlen(column->print(row_at(sweep, i), cell));

        width = n > width ? n : width;
    }
    return width;
}

static int page_width(const report_sweep *sweep, const layout *l)
{
    int width = GAP * (l->n - 1);

    for (int i = 0; i < l->n; i++)
        width += width_of(sweep, l->shown[i]);
    return width;
}

/* Leave out what other columns imply, until the rest fits on the page. */
static void drop_columns(const report_sweep *sweep, layout *l)
{
    while (page_width(sweep, l) > REPORT_WIDTH) {
        int last = 0;

        for (int i = 1; i < l->n; i++)
            if (l->shown[i]->spare > l->shown[last]->spare)
                last = i;
        if (l->shown[last]->spare == 0)
            return;
        p3d_text_add(&l->dropped, "%s%s", l->dropped.length > 0 ? ", " : "",
                l->shown[last]->head);
        l->n--;
        memmove(&l->shown[last], &l->shown[last + 1],
                (size_t)(l->n - last) * sizeof(l->shown[0]));
    }
}

void report_text_sweep_rows(const report_sweep *sweep, p3d_text *out)
{
    layout l = {.n = 0};
    char align[MAX_COLUMNS + 1] = "";
    char cell[CELL];
    report_table table;

    if (sweep->rows.n == 0)
        return;
    choose_columns(sweep, &l);
    if (!out->style.markdown)
        drop_columns(sweep, &l);
    for (int i = 0; i < l.n; i++)
        align[i] = l.shown[i]->align;
    report_table_begin(&table, align);
    for (int i = 0; i < l.n; i++)
        report_table_cell(&table, "%s", l.shown[i]->head);
    for (int row = 0; row < sweep->rows.n; row++)
        for (int i = 0; i < l.n; i++)
            report_table_cell(
                    &table, "%s", l.shown[i]->print(row_at(sweep, row), cell));
    report_table_print(&table, out);
    if (l.same.length > 0) {
        p3d_text_add(out, "in all rows: ");
        report_wrap(p3d_text_get(&l.same), IN_ALL, REPORT_WIDTH, out);
    }
    if (l.dropped.length > 0)
        p3d_text_add(out, "left out for want of room: %s (--format csv)\n",
                p3d_text_get(&l.dropped));
    out->failed = out->failed || l.same.failed || l.dropped.failed;
    p3d_text_free(&l.same);
    p3d_text_free(&l.dropped);
}
