/* SPDX-License-Identifier: GPL-3.0-or-later */
/* backtest.c - scores the predictions of a table of measured runs. */
#include "cli/backtest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"

/* Whether a row is to be scored: as marked, or by having a number. */
static bool is_usable(int64_t mark, bool has_number)
{
    return mark == P3D_NOT_STATED ? has_number : mark == 1;
}

static bool is_time_scored(const p3d_corpus_row *row)
{
    return is_usable(row->usable_time, row->measured_step_s > 0);
}

static bool is_memory_scored(const p3d_corpus_row *row)
{
    return is_usable(
            row->usable_memory, row->measured_peak_bytes > 0 || row->oom == 1);
}

bool cli_trial_skip(cli_trial *b, const char *what, const char *reason,
        const char *id, p3d_error *err)
{
    report_skipped *skipped = b->skipped;

    for (int i = 0; i < b->n_skipped; i++) {
        if (strcmp(skipped[i].what, what) == 0 &&
                strcmp(skipped[i].reason, reason) == 0) {
            skipped[i].n_rows++;
            return true;
        }
    }
    if (b->n_skipped == b->skipped_capacity) {
        const int capacity = 2 * b->skipped_capacity + 16;

        skipped = realloc(skipped, (size_t)capacity * sizeof(*skipped));
        if (skipped == NULL)
            return p3d_fail(err, P3D_SYSTEM, "out of memory");
        b->skipped = skipped;
        b->skipped_capacity = capacity;
    }
    skipped[b->n_skipped] =
            (report_skipped){.what = what, .n_rows = 1, .first_id = id};
    p3d_copy(skipped[b->n_skipped].reason, sizeof(skipped->reason), reason);
    b->n_skipped++;
    return true;
}

/* A quantity that is scored: where its counts are. */
typedef struct quantity {
    const char *name;
    const char *unstated; /* why a row without a measured value is skipped */
    size_t extremes;      /* in report_source */
} quantity;

static const quantity time_quantity = {"time", "measured_step_s is not stated",
        offsetof(report_source, time_extremes)};
static const quantity memory_quantity = {"memory",
        "measured_peak_bytes is not stated",
        offsetof(report_source, memory_extremes)};

static report_extremes *extremes_of(report_source *source, const quantity *q)
{
    return (void *)((char *)source + q->extremes);
}

static void find_worst(report_extremes *extremes, const char *id, double error)
{
    if (extremes->worst_id == NULL ||
            fabs(error) > fabs(extremes->worst_error_frac)) {
        extremes->worst_id = id;
        extremes->worst_error_frac = error;
    }
}

/* Residuals of one quantity, of all rows. */
typedef struct residuals {
    p3d_residual *items;
    int n;
} residuals;

static double add(residuals *r, double predicted, double measured, int source)
{
    const double error_frac = predicted / measured - 1;

    r->items[r->n++] = (p3d_residual){error_frac, source};
    return error_frac;
}

/* Sums of time and memory: the summary, then each source. */
typedef struct columns {
    residuals time;
    residuals guess;
    residuals memory;
} columns;

/* Score one column for all sources and for each. */
static bool score_column(
        const cli_trial *b, const residuals *r, size_t offset, p3d_error *err)
{
    const int n_sources = b->report.sources.n;
    p3d_residual *const some = malloc(((size_t)r->n + 1) * sizeof(*some));
    bool ok = some != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");

    for (int source = 0; source < n_sources && ok; source++) {
        p3d_score score;
        int n = 0;

        for (int i = 0; i < r->n; i++) {
            if (r->items[i].source == source)
                some[n++] = r->items[i];
        }
        ok = p3d_score_residuals(some, n, &score, err);
        if (ok)
            memcpy((char *)&b->sources[source] + offset, &score, sizeof(score));
    }
    free(some);
    return ok;
}

static bool score_all(cli_trial *b, const columns *c, p3d_error *err)
{
    report_source *const all = &b->report.summary;

    return p3d_score_residuals(c->time.items, c->time.n, &all->time, err) &&
           p3d_score_residuals(
                   c->guess.items, c->guess.n, &all->guess_time, err) &&
           p3d_score_residuals(
                   c->memory.items, c->memory.n, &all->memory, err) &&
           score_column(b, &c->time, offsetof(report_source, time), err) &&
           score_column(
                   b, &c->guess, offsetof(report_source, guess_time), err) &&
           score_column(b, &c->memory, offsetof(report_source, memory), err);
}

/* One more row that cannot be scored. */
static bool skip_row(cli_trial *b, int i, const quantity *q, const char *words,
        const char *reason, p3d_error *err)
{
    b->runs[i].skipped = words;
    extremes_of(&b->sources[b->source_of[i]], q)->n_skipped++;
    extremes_of(&b->report.summary, q)->n_skipped++;
    return cli_trial_skip(b, q->name, reason, b->corpus.rows[i].id, err);
}

/* A row's error, in its column and among the worst. */
static double add_error(cli_trial *b, int i, const quantity *q, residuals *r,
        double predicted, double measured)
{
    const char *const id = b->corpus.rows[i].id;
    const int source = b->source_of[i];
    const double error_frac = add(r, predicted, measured, source);

    find_worst(extremes_of(&b->sources[source], q), id, error_frac);
    find_worst(extremes_of(&b->report.summary, q), id, error_frac);
    return error_frac;
}

static bool score_time(cli_trial *b, int i, columns *c, p3d_error *err)
{
    const quantity *const q = &time_quantity;
    const double measured_s = b->corpus.rows[i].measured_step_s;
    const cli_prediction *const p = &b->predictions[i];
    report_run *const run = &b->runs[i];

    if (!b->report.time || !is_time_scored(&b->corpus.rows[i]))
        return true;
    if (!p->known)
        return skip_row(b, i, q, p->reason.words, p->reason.kind, err);
    if (!(measured_s > 0))
        return skip_row(b, i, q, q->unstated, q->unstated, err);
    run->time_error_frac = add_error(b, i, q, &c->time, p->step_s, measured_s);
    run->error_frac = run->time_error_frac;
    (void)add(&c->guess, p->guess_s, measured_s, b->source_of[i]);
    return true;
}

static void count_fit(report_oom *oom, bool failed, bool fits)
{
    oom->n_failed += failed;
    oom->n_failed_predicted += failed && !fits;
    oom->n_ran += !failed;
    oom->n_ran_predicted += !failed && fits;
}

static bool score_memory(cli_trial *b, int i, columns *c, p3d_error *err)
{
    const quantity *const q = &memory_quantity;
    const p3d_corpus_row *const row = &b->corpus.rows[i];
    const cli_prediction *const p = &b->predictions[i];
    report_run *const run = &b->runs[i];

    if (!b->report.memory || !is_memory_scored(row))
        return true;
    if (!p->known)
        return skip_row(b, i, q, p->reason.words, p->reason.kind, err);
    count_fit(&b->report.oom, row->oom == 1, p->fits);
    if (row->oom == 1)
        return true;
    if (row->measured_peak_bytes <= 0)
        return skip_row(b, i, q, q->unstated, q->unstated, err);
    run->memory_error_frac = add_error(b, i, q, &c->memory,
            (double)p->peak_bytes, (double)row->measured_peak_bytes);
    if (isnan(run->error_frac))
        run->error_frac = run->memory_error_frac;
    return true;
}

/* What is listed of a row, whether it is scored or not. */
static void list_row(cli_trial *b, int i)
{
    const p3d_corpus_row *const row = &b->corpus.rows[i];
    const cli_prediction *const p = &b->predictions[i];
    report_run *const run = &b->runs[i];
    const bool is_scored = (b->report.time && is_time_scored(row)) ||
                           (b->report.memory && is_memory_scored(row));

    *run = (report_run){.id = row->id,
            .source = row->source,
            .measured_step_s = row->measured_step_s,
            .predicted_step_s = p->known ? p->step_s : 0,
            .measured_peak_bytes =
                    row->measured_peak_bytes > 0 ? row->measured_peak_bytes : 0,
            .predicted_peak_bytes = p->known ? p->peak_bytes : 0,
            .error_frac = (double)NAN,
            .skipped = is_scored ? NULL : "not scored",
            .time_error_frac = (double)NAN,
            .memory_error_frac = (double)NAN};
    if (!is_scored)
        return;
    for (int k = 0; k < P3D_N_ASSUMED; k++)
        b->assumed[k].n_rows += p->known && (p->assumed >> k & 1) != 0;
}

static bool score_rows(cli_trial *b, columns *c, p3d_error *err)
{
    for (int i = 0; i < b->corpus.n_rows; i++) {
        if (!b->is_asked[i])
            continue;
        b->report.n_file_rows++;
        list_row(b, i);
        if (!score_time(b, i, c, err) || !score_memory(b, i, c, err))
            return false;
    }
    return score_all(b, c, err);
}

static bool score(cli_trial *b, p3d_error *err)
{
    const size_t n = (size_t)b->corpus.n_rows + 1;
    p3d_residual *const items = malloc(3 * n * sizeof(*items));
    columns c = {0};
    bool ok = items != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");

    if (ok) {
        c.time.items = items;
        c.guess.items = items + n;
        c.memory.items = items + 2 * n;
        ok = score_rows(b, &c, err);
    }
    free(items);
    return ok;
}

/* Number the sources in the order of the table. */
static bool find_sources(cli_trial *b, const char *source, p3d_error *err)
{
    p3d_nearest nearest = {.word = source};
    int n = 0;

    for (int i = 0; i < b->corpus.n_rows; i++) {
        const char *const name = b->corpus.rows[i].source;
        int k = 0;

        b->is_asked[i] = source == NULL || strcmp(name, source) == 0;
        if (source != NULL)
            p3d_nearest_offer(&nearest, name);
        if (!b->is_asked[i])
            continue;
        while (k < n && strcmp(b->sources[k].source, name) != 0)
            k++;
        if (k == n)
            b->sources[n++].source = name;
        b->source_of[i] = k;
    }
    b->report.sources = (report_list){b->sources, n};
    if (source == NULL || n > 0)
        return true;
    if (nearest.best[0] != '\0')
        return p3d_fail(err, P3D_USAGE,
                "--source: no rows of '%.60s' in %.100s; did you mean '%s'?",
                source, b->corpus.csv.file, nearest.best);
    return p3d_fail(err, P3D_USAGE, "--source: no rows of '%.60s' in %.100s",
            source, b->corpus.csv.file);
}

static bool allocate(cli_trial *b, p3d_error *err)
{
    const size_t n = (size_t)b->corpus.n_rows + 1;

    b->predictions = calloc(n, sizeof(*b->predictions));
    b->is_asked = calloc(n, sizeof(*b->is_asked));
    b->source_of = calloc(n, sizeof(*b->source_of));
    b->sources = calloc(n, sizeof(*b->sources));
    b->runs = calloc(n, sizeof(*b->runs));
    if (b->predictions == NULL || b->is_asked == NULL || b->source_of == NULL ||
            b->sources == NULL || b->runs == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    return true;
}

static bool predict(cli_trial *b, p3d_error *err)
{
    p3d_corpus_hardware *const hardware = p3d_corpus_hardware_create(err);
    int n_calibrated = 0;

    if (hardware == NULL)
        return false;
    for (int i = 0; i < b->corpus.n_rows; i++) {
        if (b->is_asked[i])
            cli_predict(&b->corpus.rows[i], hardware, b->constants,
                    &b->predictions[i]);
        n_calibrated += b->predictions[i].calibrated;
    }
    p3d_corpus_hardware_destroy(hardware);
    return b->constants == NULL || n_calibrated > 0 ||
           p3d_fail(err, P3D_DATA,
                   "--calibration is of %s, and no row that can be predicted "
                   "ran on it; leave it out",
                   b->constants->basis.name);
}

/* The lists of the report, once they no longer grow. */
static void finish(cli_trial *b)
{
    report_backtest *const r = &b->report;
    int n_assumed = 0;
    int n_rows = 0;

    for (int i = 0; i < P3D_N_ASSUMED; i++) {
        b->assumed[i].words = p3d_assumed_words(i);
        if (b->assumed[i].n_rows > 0)
            b->assumed[n_assumed++] = b->assumed[i];
    }
    for (int i = 0; i < b->corpus.n_rows; i++) {
        if (b->is_asked[i])
            b->runs[n_rows++] = b->runs[i];
    }
    r->guess_mfu_frac = cli_guess_mfu_frac();
    r->assumed = (report_list){b->assumed, n_assumed};
    r->skipped = (report_list){b->skipped, b->n_skipped};
    r->rows = (report_list){b->runs, r->with_rows ? n_rows : 0};
}

bool cli_trial_run(const char *file, const char *sets, const char *source,
        cli_trial *out, p3d_error *err)
{
    out->report.file = file;
    out->report.summary.source = "all";
    if (!p3d_corpus_open(file, &out->corpus, err) || !allocate(out, err) ||
            !find_sources(out, source, err) || !predict(out, err) ||
            !score(out, err) || !cli_trial_rank(out, sets, err))
        return false;
    finish(out);
    return true;
}

void cli_trial_free(cli_trial *b)
{
    free(b->predictions);
    free(b->is_asked);
    free(b->source_of);
    free(b->sources);
    free(b->skipped);
    free(b->runs);
    p3d_corpus_close(&b->corpus);
    p3d_csv_close(&b->sets);
}
