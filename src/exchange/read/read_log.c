/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read_log.c - a log of a framework: the arguments that Megatron-LM prints when
 * it starts, the time of the steps and the memory of the ranks. Of the steps
 * those of one run and one rank count; memory is the largest of all ranks.
 *
 * Source of the arguments: Megatron-LM@d98e8a64
 * megatron/training/arguments.py:1990-2001 ("  name ...... value"). */
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/grow.h"
#include "base/number.h"
#include "base/text.h"
#include "base/util.h"
#include "exchange/read/log.h"
#include "exchange/read/log_lightning.h"
#include "exchange/read/log_lines.h"
#include "exchange/read/log_numbers.h"

enum { N_WARM_UP = 2, MAX_STEPS = 1000000, MAX_NAME = 128, N_FAMILIES = 8 };

/* Length of "name ..." at a place, or 0; *n_name is that of the name. */
static size_t dots_after_name(const char *at, size_t n, size_t *n_name)
{
    size_t i = 0;
    size_t dots = 0;

    while (i < n && p3d_is_word(at[i]))
        i++;
    *n_name = i;
    if (i == 0 || i >= MAX_NAME || i >= n || at[i] != ' ')
        return 0;
    while (i + 1 + dots < n && at[i + 1 + dots] == '.')
        dots++;
    if (dots < 3 || i + 1 + dots >= n || at[i + 1 + dots] != ' ')
        return 0;
    return i + 2 + dots;
}

/* "  name .......... value", behind whatever a launcher writes before it. */
static bool read_argument(const char *line, size_t n, int number,
        exchange_settings *out, p3d_error *err)
{
    if (strstr(line, " ...") == NULL)
        return true;
    for (size_t i = 0; i + 4 < n; i++) {
        char name[MAX_NAME];
        size_t n_name = 0;
        size_t used;
        p3d_text value = {0};
        bool ok;

        if (i > 0 && p3d_is_word(line[i - 1]))
            continue;
        used = dots_after_name(line + i, n - i, &n_name);
        if (used == 0)
            continue;
        memcpy(name, line + i, n_name);
        name[n_name] = '\0';
        while (n > i + used && p3d_is_space(line[n - 1]))
            n--;
        p3d_text_append(&value, line + i + used, n - i - used);
        ok = exchange_settings_add(
                out, name, p3d_text_get(&value), number, err);
        p3d_text_free(&value);
        return ok;
    }
    return true;
}

/* " > padded vocab (size: 50257) with 47 dummy tokens": dumps of arguments have
 * no size where the tokenizer has it (megatron/training/tokenizer). */
static bool read_vocab(
        const char *line, int number, exchange_settings *out, p3d_error *err)
{
    static const char word[] = "padded vocab (size: ";
    const char *const at = strstr(line, word);
    p3d_text value = {0};
    int64_t size = 0;
    bool ok;

    if (at == NULL || p3d_scan_whole(at + strlen(word), &size) == 0 ||
            size <= 0 || size > 100000000)
        return true;
    p3d_text_add(&value, "%lld", (long long)size);
    ok = exchange_settings_add(
            out, "vocab_size", p3d_text_get(&value), number, err);
    p3d_text_free(&value);
    return ok;
}

/* Reports of one speed, in the order of the log. */
typedef struct series {
    double *at;
    int n;
} series;

/* How far the steps of a family have come. */
typedef struct run {
    const exchange_log_family *family; /* NULL = not used yet */
    int rank;                          /* the first that spoke; -1 = unknown */
    int n;                             /* reports of it */
    double last, stride; /* number of its last step, and how far it went on */
    bool numbered;
    bool over; /* another run has begun */
} run;

struct exchange_log {
    exchange_log_cutter cutter;
    exchange_log_index index;
    exchange_settings *out;
    series speeds[EXCHANGE_MOST_LOG_ROWS];
    run runs[N_FAMILIES];
    exchange_measured found;
    exchange_log_config config;
    double bar_total; /* of the Trainer's bar; 0 = none was seen */
    exchange_lightning lightning;
};

/* A line's numbers, of one family. */
typedef struct report {
    const exchange_log_family *family;
    int rank;
    bool numbered;
    double number; /* of the step */
    double batch;  /* 0 = not said */
    bool bar;      /* the Trainer's bar of the training is in it */
} report;

static run *run_of(exchange_log *log, const exchange_log_family *family)
{
    int i = 0;

    while (i < N_FAMILIES - 1 && log->runs[i].family != NULL &&
            log->runs[i].family != family)
        i++;
    if (log->runs[i].family == NULL)
        log->runs[i] = (run){.family = family, .rank = -1};
    return &log->runs[i];
}

/* Forget what a family has reported. @return of how many steps */
static int drop(exchange_log *log, run *r)
{
    int most = 0;

    for (int i = 0; i < exchange_n_log_rows; i++) {
        if (exchange_log_rows[i].family != r->family)
            continue;
        if (log->speeds[i].n > most)
            most = log->speeds[i].n;
        log->speeds[i].n = 0;
    }
    r->n = 0;
    return most;
}

/* A step that comes again: a bar that was drawn anew, or another rank. One that
 * is further back is of another run: it counts where the first did not leave
 * its warm-up. */
static bool is_new_step(exchange_log *log, run *r, const report *line)
{
    const double back = r->last - line->number;

    if (!r->numbered || !line->numbered || back < 0)
        return true;
    if (back == 0 || (r->n > N_WARM_UP && back <= r->stride)) {
        log->found.n_repeated++;
        return false;
    }
    if (r->n > N_WARM_UP) {
        r->over = true;
        log->found.n_other_runs++;
        return false;
    }
    log->found.n_other_runs += drop(log, r);
    return true;
}

/* Lines without the rank are of the one that says it beside them. */
static bool is_other_rank(const run *r, const report *line)
{
    return r->n > 0 && r->rank >= 0 && line->rank >= 0 && line->rank != r->rank;
}

/* The line is the next report of a run. A family may say a step in two lines,
 * of which one has its number. */
static void go_on(run *r, const report *line)
{
    if (r->n == 0 || r->rank < 0)
        r->rank = line->rank;
    if (line->numbered) {
        r->stride = r->numbered && r->n > 0 ? line->number - r->last : 0;
        r->last = line->number;
    }
    if (line->numbered || !r->numbered)
        r->n++;
    r->numbered = r->numbered || line->numbered;
}

static bool counts(exchange_log *log, run *r, const report *line)
{
    if (is_other_rank(r, line)) {
        log->found.n_repeated++;
        return false;
    }
    if (r->over) {
        log->found.n_other_runs += line->numbered;
        return false;
    }
    if (!is_new_step(log, r, line))
        return false;
    if (line->batch > 0 && log->found.batch > 0 &&
            line->batch != log->found.batch)
        log->found.n_other_batches += drop(log, r);
    if (line->batch > 0)
        log->found.batch = line->batch;
    go_on(r, line);
    return true;
}

static bool add_speed(
        series *to, const exchange_log_row *row, double value, p3d_error *err)
{
    double *at;

    if (row->form == EXCHANGE_LOG_WHOLE)
        to->n = 0; /* the last summary is that of the whole */
    if (to->n == MAX_STEPS)
        return true;
    at = p3d_grow(to->at, to->n, sizeof(*at));
    if (at == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    to->at = at;
    to->at[to->n++] = value;
    return true;
}

/* The first bar without words is that of the training; others are of
 * evaluations within it. */
static bool is_training_bar(exchange_log *log, exchange_log_bar bar)
{
    if (bar.total > 0 && log->bar_total <= 0)
        log->bar_total = bar.total;
    return bar.total > 0 && bar.total == log->bar_total;
}

static void add_memory(
        exchange_measured *m, exchange_log_quantity quantity, double bytes)
{
    int64_t *const to = quantity == EXCHANGE_LOG_ALLOCATED
                                ? &m->max_allocated_bytes
                                : &m->max_reserved_bytes;

    if (bytes < 1e15 && (int64_t)bytes > *to)
        *to = (int64_t)bytes;
}

/* What the numbers of a line say beside speeds. */
static void note(exchange_log *log, const exchange_log_number *at, report *line)
{
    const exchange_log_row *const row = &exchange_log_rows[at->row];

    if (row->quantity == EXCHANGE_LOG_ALLOCATED ||
            row->quantity == EXCHANGE_LOG_RESERVED)
        add_memory(&log->found, row->quantity, at->value);
    if (row->quantity == EXCHANGE_LOG_MICRO_BATCHES)
        log->found.micro_batches = at->value;
    if (row->family != line->family)
        return;
    if (row->quantity == EXCHANGE_LOG_BATCH)
        line->batch = at->value;
    if (row->quantity == EXCHANGE_LOG_BATCH_TOKENS)
        log->found.batch_tokens = at->value;
    if (row->quantity == EXCHANGE_LOG_NUMBER && !line->numbered) {
        line->numbered = true;
        line->number = at->value;
    }
}

static bool is_speed(const exchange_log_row *row)
{
    return row->quantity < EXCHANGE_LOG_N_SPEEDS;
}

/* The family of a line: that of the speed that stands first in the table. */
static const exchange_log_family *family_of(
        const exchange_log_number *numbers, int n)
{
    int first = exchange_n_log_rows;

    for (int i = 0; i < n; i++)
        if (numbers[i].row < first)
            first = numbers[i].row;
    return first < exchange_n_log_rows && is_speed(&exchange_log_rows[first])
                   ? exchange_log_rows[first].family
                   : NULL;
}

static bool is_of_a_step(const exchange_log_row *row, const report *line)
{
    return is_speed(row) && row->family == line->family &&
           row->form != EXCHANGE_LOG_WHOLE &&
           (row->form != EXCHANGE_LOG_BAR || line->bar);
}

static bool has_step(
        const report *line, const exchange_log_number *numbers, int n)
{
    for (int i = 0; i < n; i++)
        if (is_of_a_step(&exchange_log_rows[numbers[i].row], line))
            return true;
    return false;
}

/* Keep the speeds of a line: those of the whole run, and those of a step that
 * counts. */
static bool add_speeds(exchange_log *log, const report *line,
        const exchange_log_number *numbers, int n, p3d_error *err)
{
    const bool counted = has_step(line, numbers, n) &&
                         counts(log, run_of(log, line->family), line);

    for (int i = 0; i < n; i++) {
        const exchange_log_row *const row = &exchange_log_rows[numbers[i].row];
        const bool whole =
                row->form == EXCHANGE_LOG_WHOLE && row->family == line->family;

        if ((whole || (counted && is_of_a_step(row, line))) &&
                !add_speed(&log->speeds[numbers[i].row], row, numbers[i].value,
                        err))
            return false;
    }
    return true;
}

/* The numbers of a step stand in the Trainer's bar. */
static void note_bar(exchange_log *log, const exchange_log_line *line,
        const exchange_log_number *numbers, int n, report *said)
{
    exchange_log_bar bar;

    for (int i = 0; i < n; i++)
        if (exchange_log_rows[numbers[i].row].form == EXCHANGE_LOG_BAR)
            said->bar = true;
    if (!said->bar)
        return;
    bar = exchange_log_bar_of(line->text);
    said->bar = is_training_bar(log, bar);
    if (said->bar && !said->numbered) {
        said->numbered = true;
        said->number = bar.at;
    }
}

/* Seconds of a micro-batch, of the row that is written so. */
static bool add_micro_batch(exchange_log *log, exchange_log_form form,
        double time_s, p3d_error *err)
{
    int row = 0;

    while (exchange_log_rows[row].form != form)
        row++;
    return time_s <= 0 ||
           add_speed(&log->speeds[row], &exchange_log_rows[row], time_s, err);
}

static bool take_line(void *to, const exchange_log_line *line, p3d_error *err)
{
    exchange_log *const log = to;
    exchange_log_number numbers[EXCHANGE_MOST_LOG_ROWS];
    report said = {.rank = -1};
    int n;

    if (!read_argument(line->text, line->n, line->number, log->out, err) ||
            !read_vocab(line->text, line->number, log->out, err) ||
            !exchange_log_config_take(&log->config, line, log->out, err) ||
            !add_micro_batch(log, EXCHANGE_LOG_ROWS,
                    exchange_lightning_take(&log->lightning, line, &log->found),
                    err))
        return false;
    n = exchange_log_find(&log->index, line, numbers);
    if (n == 0)
        return true;
    said.family = family_of(numbers, n);
    for (int i = 0; i < n; i++)
        note(log, &numbers[i], &said);
    if (said.family == NULL)
        return true;
    note_bar(log, line, numbers, n, &said);
    said.rank = exchange_log_rank(line->text);
    return add_speeds(log, &said, numbers, n, err);
}

enum { MOST_LOOKED_AT = 1 << 20 };

static bool look(void *to, const exchange_log_line *line, p3d_error *err)
{
    exchange_log_number numbers[EXCHANGE_MOST_LOG_ROWS];
    const exchange_log *const log = to;
    const int n = exchange_log_find(&log->index, line, numbers);

    return family_of(numbers, n) == NULL ||
           p3d_fail(err, P3D_DATA, "a line with a speed");
}

bool exchange_is_log(const char *text)
{
    p3d_error err = {0};
    exchange_log *const log = exchange_log_open(NULL, &err);
    bool none = true;

    if (log != NULL) {
        log->cutter.take = look;
        none = exchange_log_take(
                log, text, strnlen(text, MOST_LOOKED_AT), &err);
    }
    exchange_log_free(log);
    return !none;
}

exchange_log *exchange_log_open(exchange_settings *out, p3d_error *err)
{
    exchange_log *const log = calloc(1, sizeof(*log));

    if (log == NULL) {
        p3d_fail(err, P3D_SYSTEM, "out of memory");
        return NULL;
    }
    log->cutter.take = take_line;
    log->cutter.to = log;
    log->out = out;
    exchange_log_index_rows(&log->index);
    return log;
}

bool exchange_log_take(
        exchange_log *log, const char *part, size_t n, p3d_error *err)
{
    return exchange_log_cut(&log->cutter, part, n, err);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The median after the first steps. */
static exchange_rate rate_of(const exchange_log_row *row, series *of)
{
    const int skip = of->n > N_WARM_UP ? N_WARM_UP : 0;
    const int n = of->n - skip;
    double *const at = of->at + skip;

    qsort(at, (size_t)n, sizeof(*at), compare);
    return (exchange_rate){row, (at[n / 2] + at[(n - 1) / 2]) / 2, n};
}

static void finish_rates(exchange_log *log, exchange_measured *out)
{
    for (int i = 0; i < exchange_n_log_rows; i++) {
        series *const of = &log->speeds[i];

        if (of->n == 0 || out->n_rates == EXCHANGE_MOST_RATES)
            continue;
        if (out->n_rates == 0) {
            out->n_warm_up = of->n > N_WARM_UP ? N_WARM_UP : 0;
            out->n_steps = of->n - out->n_warm_up;
        }
        out->rates[out->n_rates++] = rate_of(&exchange_log_rows[i], of);
    }
    if (out->n_rates > 0 && out->rates[0].row->quantity == EXCHANGE_LOG_STEP)
        out->step_s = out->rates[0].median;
}

/* Other speeds say more than counts of a bar. */
static bool finish_bar(exchange_log *log, p3d_error *err)
{
    for (int i = 0; i < exchange_n_log_rows; i++)
        if (log->speeds[i].n > 0)
            return true;
    return add_micro_batch(log, EXCHANGE_LOG_COUNTED,
            exchange_lightning_finish(&log->lightning, &log->found), err);
}

bool exchange_log_finish(
        exchange_log *log, exchange_measured *measured, p3d_error *err)
{
    exchange_measured *const found = &log->found;

    if (!exchange_log_cut_end(&log->cutter, err) || !finish_bar(log, err))
        return false;
    finish_rates(log, found);
    if (found->n_counted > 0)
        found->n_warm_up = log->lightning.best.n_warm_up;
    add_memory(found, EXCHANGE_LOG_ALLOCATED,
            (double)measured->max_allocated_bytes);
    add_memory(
            found, EXCHANGE_LOG_RESERVED, (double)measured->max_reserved_bytes);
    if (measured->n_rates == 0) {
        *measured = *found;
    } else {
        measured->max_allocated_bytes = found->max_allocated_bytes;
        measured->max_reserved_bytes = found->max_reserved_bytes;
    }
    return true;
}

void exchange_log_free(exchange_log *log)
{
    for (int i = 0; log != NULL && i < EXCHANGE_MOST_LOG_ROWS; i++)
        free(log->speeds[i].at);
    if (log != NULL)
        p3d_text_free(&log->config.text);
    free(log);
}

bool exchange_read_log(const char *text, exchange_settings *out,
        exchange_measured *measured, p3d_error *err)
{
    exchange_log *const log = exchange_log_open(out, err);
    const bool ok = log != NULL &&
                    exchange_log_take(log, text, strlen(text), err) &&
                    exchange_log_finish(log, measured, err);

    exchange_log_free(log);
    return ok;
}
