/* SPDX-License-Identifier: GPL-3.0-or-later */
/* backtest.c - predicts the measured runs of a table, and scores that: of each
 * run, and of the choice among plans of one job. */
#include "plan3d/backtest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/util.h"
#include "exchange/runs/corpus.h"
#include "study/predict.h"

/* A backtest under way, and then what its words point to. */
typedef struct p3d_backtest_storage {
    const p3d_backtest_options *options;
    study_constants constants;
    exchange_corpus corpus;
    p3d_csv sets;
    study_prediction *predictions; /* of each row */
    bool *is_asked;                /* rows of the sources asked for */
    int *source_of;                /* index into sources, of each row */
    p3d_name *ids;                 /* of the rows, in order */
    int *plan_of;                  /* equal for equal plans, of each row */
    p3d_backtest out;
} trial;

/* Whether a row is to be scored: as marked, or by having a number. */
static bool is_usable(int64_t mark, bool has_number)
{
    return mark == EXCHANGE_NOT_STATED ? has_number : mark == 1;
}

static bool is_time_scored(const exchange_run *row)
{
    return is_usable(row->usable_time, row->measured_step_s > 0);
}

static bool is_memory_scored(const exchange_run *row)
{
    return is_usable(
            row->usable_memory, row->measured_peak_bytes > 0 || row->oom == 1);
}

/* Count a row (or a set) that is not scored. */
static bool skip(trial *b, const char *what, const char *reason, const char *id,
        p3d_error *err)
{
    p3d_backtest_skipped *skipped = b->out.skipped;
    const int n = b->out.n_skipped;

    for (int i = 0; i < n; i++) {
        if (strcmp(skipped[i].what, what) == 0 &&
                strcmp(skipped[i].reason, reason) == 0) {
            skipped[i].n_rows++;
            return true;
        }
    }
    skipped = p3d_grow(skipped, n, sizeof(*skipped));
    if (skipped == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    b->out.skipped = skipped;
    b->out.n_skipped++;
    skipped[n] =
            (p3d_backtest_skipped){.what = what, .n_rows = 1, .first_id = id};
    p3d_copy(skipped[n].reason, sizeof(skipped->reason), reason);
    return true;
}

/* A quantity that is scored: where its counts are. */
typedef struct quantity {
    const char *name;
    const char *unstated; /* why a row without a measured value is skipped */
    size_t extremes;      /* in p3d_backtest_source */
} quantity;

static const quantity time_quantity = {"time", "measured_step_s is not stated",
        offsetof(p3d_backtest_source, time_extremes)};
static const quantity memory_quantity = {"memory",
        "measured_peak_bytes is not stated",
        offsetof(p3d_backtest_source, memory_extremes)};

static p3d_backtest_extremes *extremes_of(
        p3d_backtest_source *source, const quantity *q)
{
    return (void *)((char *)source + q->extremes);
}

static void find_worst(
        p3d_backtest_extremes *extremes, const char *id, double error)
{
    if (extremes->worst_id == NULL ||
            fabs(error) > fabs(extremes->worst_error_frac)) {
        extremes->worst_id = id;
        extremes->worst_error_frac = error;
    }
}

/* Residuals of one quantity, of all rows. */
typedef struct residuals {
    const quantity *quantity;
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
    residuals median;
    residuals guess;
    residuals memory;
} columns;

/* The same residuals source by source; those of source i from firsts[i]. */
static void sort_by_source(
        const residuals *r, int n_sources, int *firsts, p3d_residual *sorted)
{
    memset(firsts, 0, ((size_t)n_sources + 1) * sizeof(*firsts));
    for (int i = 0; i < r->n; i++)
        firsts[r->items[i].source + 1]++;
    for (int i = 0; i < n_sources; i++)
        firsts[i + 1] += firsts[i];
    for (int i = 0; i < r->n; i++)
        sorted[firsts[r->items[i].source]++] = r->items[i];
    for (int i = n_sources; i > 0; i--)
        firsts[i] = firsts[i - 1];
    firsts[0] = 0;
}

/* Score one column for each source. */
static bool score_column(
        const trial *b, const residuals *r, size_t offset, p3d_error *err)
{
    const int n_sources = b->out.n_sources;
    p3d_residual *const sorted = malloc(((size_t)r->n + 1) * sizeof(*sorted));
    int *const firsts = malloc(((size_t)n_sources + 1) * sizeof(*firsts));
    bool ok = (sorted != NULL && firsts != NULL) ||
              p3d_fail(err, P3D_SYSTEM, "out of memory");

    if (ok)
        sort_by_source(r, n_sources, firsts, sorted);
    for (int i = 0; i < n_sources && ok; i++) {
        p3d_score score;

        ok = p3d_score_residuals(
                sorted + firsts[i], firsts[i + 1] - firsts[i], &score, err);
        if (ok)
            memcpy((char *)&b->out.sources[i] + offset, &score, sizeof(score));
    }
    free(sorted);
    free(firsts);
    return ok;
}

static bool score_all(trial *b, const columns *c, p3d_error *err)
{
    p3d_backtest_source *const all = &b->out.summary;

    return p3d_score_residuals(c->time.items, c->time.n, &all->time, err) &&
           p3d_score_residuals(
                   c->median.items, c->median.n, &all->median_time, err) &&
           p3d_score_residuals(
                   c->guess.items, c->guess.n, &all->guess_time, err) &&
           p3d_score_residuals(
                   c->memory.items, c->memory.n, &all->memory, err) &&
           score_column(
                   b, &c->time, offsetof(p3d_backtest_source, time), err) &&
           score_column(b, &c->guess, offsetof(p3d_backtest_source, guess_time),
                   err) &&
           score_column(
                   b, &c->memory, offsetof(p3d_backtest_source, memory), err);
}

/* Why a row is not scored: in its own words, and as it is counted. */
typedef struct why_not {
    const char *words;
    const char *kind;
} why_not;

/* One more row that cannot be scored. */
static bool skip_row(
        trial *b, int i, const quantity *q, why_not why, p3d_error *err)
{
    b->out.rows[i].skipped = why.words;
    extremes_of(&b->out.sources[b->source_of[i]], q)->n_skipped++;
    extremes_of(&b->out.summary, q)->n_skipped++;
    return skip(b, q->name, why.kind, b->corpus.rows[i].id, err);
}

/* The same for one that has no prediction, or no measured number. */
static bool skip_unknown(trial *b, int i, const quantity *q, p3d_error *err)
{
    const study_prediction *const p = &b->predictions[i];
    const why_not why = {p->reason.words, p->reason.kind};
    const why_not unstated = {q->unstated, q->unstated};

    return skip_row(b, i, q, p->known ? unstated : why, err);
}

/* A row's error, in its column and among the worst. */
static double add_error(
        trial *b, int i, residuals *r, double predicted, double measured)
{
    const char *const id = b->corpus.rows[i].id;
    const int source = b->source_of[i];
    const double error_frac = add(r, predicted, measured, source);

    find_worst(
            extremes_of(&b->out.sources[source], r->quantity), id, error_frac);
    find_worst(extremes_of(&b->out.summary, r->quantity), id, error_frac);
    return error_frac;
}

static bool score_time(trial *b, int i, columns *c, p3d_error *err)
{
    const double measured_s = b->corpus.rows[i].measured_step_s;
    const study_prediction *const p = &b->predictions[i];
    p3d_backtest_row *const run = &b->out.rows[i];

    if (!b->options->time || !is_time_scored(&b->corpus.rows[i]))
        return true;
    if (!p->known || !(measured_s > 0))
        return skip_unknown(b, i, c->time.quantity, err);
    run->time_error_frac = add_error(b, i, &c->time, p->step_s, measured_s);
    run->error_frac = run->time_error_frac;
    (void)add(&c->median, run->median_step_s, measured_s, b->source_of[i]);
    (void)add(&c->guess, p->guess_s, measured_s, b->source_of[i]);
    if (study_is_inside(run)) {
        b->out.summary.n_inside++;
        b->out.sources[b->source_of[i]].n_inside++;
    }
    return true;
}

static void count(p3d_backtest_oom *oom, bool failed, bool fits)
{
    oom->n_failed += failed;
    oom->n_failed_predicted += failed && !fits;
    oom->n_ran += !failed;
    oom->n_ran_predicted += !failed && fits;
}

/* A run that has a step time fitted, whether its peak is known or not. */
static void count_fit(trial *b, int i)
{
    const exchange_run *const row = &b->corpus.rows[i];
    const study_prediction *const p = &b->predictions[i];
    const bool failed = row->oom == 1;

    if (!p->known ||
            !(is_memory_scored(row) || (!failed && is_time_scored(row))))
        return;
    b->out.rows[i].fit = failed ? "lacked memory" : "ran";
    b->out.rows[i].predicted_fit = p->fits ? "fits" : "lacks memory";
    count(&b->out.oom, failed, p->fits);
    count(&b->out.sources[b->source_of[i]].oom, failed, p->fits);
    study_count_fit(&b->out.rows[i], !failed, &b->out.summary.fits);
    study_count_fit(
            &b->out.rows[i], !failed, &b->out.sources[b->source_of[i]].fits);
}

static bool score_memory(trial *b, int i, columns *c, p3d_error *err)
{
    const exchange_run *const row = &b->corpus.rows[i];
    const study_prediction *const p = &b->predictions[i];
    p3d_backtest_row *const run = &b->out.rows[i];

    if (!b->options->memory)
        return true;
    count_fit(b, i);
    if (!is_memory_scored(row))
        return true;
    if (!p->known)
        return skip_unknown(b, i, c->memory.quantity, err);
    if (row->oom == 1)
        return true;
    if (row->measured_peak_bytes <= 0)
        return skip_unknown(b, i, c->memory.quantity, err);
    run->memory_error_frac = add_error(b, i, &c->memory, (double)p->peak_bytes,
            (double)row->measured_peak_bytes);
    if (isnan(run->error_frac))
        run->error_frac = run->memory_error_frac;
    return true;
}

/* What is listed of a row, whether it is scored or not. */
static void list_row(trial *b, int i)
{
    const exchange_run *const row = &b->corpus.rows[i];
    const study_prediction *const p = &b->predictions[i];
    p3d_backtest_row *const run = &b->out.rows[i];
    const bool is_scored = (b->options->time && is_time_scored(row)) ||
                           (b->options->memory && is_memory_scored(row));

    *run = p->run;
    run->id = row->id;
    run->source = row->source;
    run->gpu = row->gpu;
    run->model = row->model;
    run->measured_step_s = row->measured_step_s;
    run->predicted_step_s = p->known ? p->step_s : 0;
    run->measured_peak_bytes =
            row->measured_peak_bytes > 0 ? row->measured_peak_bytes : 0;
    run->predicted_peak_bytes = p->known ? p->peak_bytes : 0;
    run->error_frac = (double)NAN;
    run->skipped = is_scored ? NULL : "not scored";
    run->time_error_frac = (double)NAN;
    run->memory_error_frac = (double)NAN;
    if (!is_scored)
        return;
    for (int k = 0; k < EXCHANGE_N_ASSUMED; k++)
        b->out.assumed[k].n_rows += p->known && (p->assumed >> k & 1) != 0;
}

static bool score_rows(trial *b, columns *c, p3d_error *err)
{
    for (int i = 0; i < b->corpus.n_rows; i++) {
        if (!b->is_asked[i])
            continue;
        b->out.n_file_rows++;
        list_row(b, i);
        if (!score_time(b, i, c, err) || !score_memory(b, i, c, err))
            return false;
    }
    return score_all(b, c, err);
}

static bool score(trial *b, p3d_error *err)
{
    const size_t n = (size_t)b->corpus.n_rows + 1;
    p3d_residual *const items = malloc(4 * n * sizeof(*items));
    columns c = {.time.quantity = &time_quantity,
            .memory.quantity = &memory_quantity};
    bool ok = items != NULL || p3d_fail(err, P3D_SYSTEM, "out of memory");

    if (ok) {
        c.time.items = items;
        c.guess.items = items + n;
        c.memory.items = items + 2 * n;
        c.median.items = items + 3 * n;
        ok = score_rows(b, &c, err);
    }
    free(items);
    return ok;
}

/* What the rows are called, in order. */
static void sort_names(const trial *b,
        const char *(*name_of)(const exchange_run *), p3d_name *out)
{
    for (int i = 0; i < b->corpus.n_rows; i++)
        out[i] = (p3d_name){name_of(&b->corpus.rows[i]), i};
    p3d_names_sort(out, b->corpus.n_rows);
}

static const char *id_of(const exchange_run *row)
{
    return row->id;
}

static const char *source_of(const exchange_run *row)
{
    return row->source;
}

/* Number the sources in the order of the table. */
static void number_sources(trial *b, const char *only, const p3d_name *names)
{
    int n = 0;

    for (int i = 0; i < b->corpus.n_rows; i++) {
        const char *const name = b->corpus.rows[i].source;
        const int first =
                p3d_names_find(names, b->corpus.n_rows, name, strlen(name));

        b->is_asked[i] = only == NULL || strcmp(name, only) == 0;
        if (!b->is_asked[i])
            continue;
        if (first == i) {
            b->source_of[i] = n;
            b->out.sources[n++].source = name;
        }
        b->source_of[i] = b->source_of[first];
    }
    b->out.n_sources = n;
}

static bool fail_source(const trial *b, const char *source, p3d_error *err)
{
    p3d_nearest nearest = {.word = source};

    for (int i = 0; i < b->corpus.n_rows; i++)
        p3d_nearest_offer(&nearest, b->corpus.rows[i].source);
    return p3d_fail(err, P3D_USAGE, "--source: no rows of '%.60s' in %.100s%s",
            source, b->corpus.csv.file, p3d_did_you_mean(&nearest, ""));
}

static bool find_sources(trial *b, const char *only, p3d_error *err)
{
    p3d_name *const names =
            malloc(((size_t)b->corpus.n_rows + 1) * sizeof(*names));

    if (names == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    sort_names(b, source_of, names);
    number_sources(b, only, names);
    free(names);
    return only == NULL || b->out.n_sources > 0 || fail_source(b, only, err);
}

static bool allocate(trial *b, p3d_error *err)
{
    const size_t n = (size_t)b->corpus.n_rows + 1;

    b->predictions = calloc(n, sizeof(*b->predictions));
    b->is_asked = calloc(n, sizeof(*b->is_asked));
    b->source_of = calloc(n, sizeof(*b->source_of));
    b->ids = calloc(n, sizeof(*b->ids));
    b->plan_of = calloc(n, sizeof(*b->plan_of));
    b->out.sources = calloc(n, sizeof(*b->out.sources));
    b->out.rows = calloc(n, sizeof(*b->out.rows));
    b->out.assumed = calloc(EXCHANGE_N_ASSUMED, sizeof(*b->out.assumed));
    if (b->predictions == NULL || b->is_asked == NULL || b->source_of == NULL ||
            b->ids == NULL || b->plan_of == NULL || b->out.sources == NULL ||
            b->out.rows == NULL || b->out.assumed == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    return true;
}

/* Of a set, and of all sets: pairs of runs are compared. */
enum { MAX_RUNS = 1024, MAX_ALL_RUNS = 16384 };

/* A table of sets: where its columns are. */
typedef struct set_table {
    const p3d_csv *csv;
    int name;
    int ids;
    int n_runs; /* that were looked up so far */
} set_table;

/* Scored sets; the guess takes any plan of a set. */
typedef struct results {
    p3d_set_result *sets;
    p3d_set_result *guesses;
    p3d_set_result *some; /* room for those of one source */
    int n;
} results;

/* The runs of one set that can be predicted. */
typedef struct run_set {
    p3d_ranked_run runs[MAX_RUNS];
    int n;
    int n_missing;
    int source; /* of the first run; -1 = none is asked for */
} run_set;

static void add_run(const trial *b, int row, run_set *set)
{
    const study_prediction *const p = &b->predictions[row];
    const double measured_s = b->corpus.rows[row].measured_step_s;

    if (!b->is_asked[row])
        return;
    set->source = b->source_of[row];
    if (!p->known || !(measured_s > 0)) {
        set->n_missing++;
        return;
    }
    set->runs[set->n++] =
            (p3d_ranked_run){measured_s, p->step_s, b->plan_of[row]};
}

static bool read_set(
        const trial *b, set_table *table, int row, run_set *out, p3d_error *err)
{
    const char *at = p3d_csv_get(table->csv, row, table->ids);

    *out = (run_set){.source = -1};
    for (at += strspn(at, " "); *at != '\0'; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        const int run = p3d_names_find(b->ids, b->corpus.n_rows, at, length);

        if (run < 0)
            return p3d_csv_fail(table->csv, row, table->ids, err,
                    "no row '%.*s' in the table of runs",
                    length < 60 ? (int)length : 60, at);
        if (out->n == MAX_RUNS)
            return p3d_csv_fail(table->csv, row, table->ids, err,
                    "more than %d runs in a set", (int)MAX_RUNS);
        if (table->n_runs++ == MAX_ALL_RUNS)
            return p3d_csv_fail(table->csv, row, table->ids, err,
                    "more than %d runs in all sets", (int)MAX_ALL_RUNS);
        add_run(b, run, out);
        at += length;
    }
    return true;
}

static bool score_set(trial *b, const char *name, const run_set *set,
        results *out, p3d_error *err)
{
    p3d_set_score score = {0};
    p3d_set_score guess = {0};
    p3d_ranked_run alike[MAX_RUNS];

    if (set->n > 0 && !p3d_score_set(set->runs, set->n, &score, err))
        return false;
    if (score.n_plans < 2) {
        b->out.sources[set->source].n_sets_skipped++;
        b->out.summary.n_sets_skipped++;
        return skip(b, "rank",
                "fewer than two plans of the set can be predicted", name, err);
    }
    for (int i = 0; i < set->n; i++) {
        alike[i] = set->runs[i];
        alike[i].predicted_s = 1;
    }
    if (!p3d_score_set(alike, set->n, &guess, err))
        return false;
    b->out.n_runs_missing += set->n_missing;
    out->sets[out->n] = (p3d_set_result){score, set->source};
    out->guesses[out->n++] = (p3d_set_result){guess, set->source};
    return true;
}

static bool score_sets(trial *b, set_table *table, results *out, p3d_error *err)
{
    run_set *const set = malloc(sizeof(*set));
    bool ok = true;

    if (set == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    for (int i = 0; i < table->csv->n_rows && ok; i++) {
        ok = read_set(b, table, i, set, err);
        if (ok && set->source >= 0)
            ok = score_set(
                    b, p3d_csv_get(table->csv, i, table->name), set, out, err);
    }
    free(set);
    return ok;
}

/* Score the sets of one source, or of all (-1). */
static bool score_some(const p3d_set_result *sets, const results *r, int source,
        p3d_rank_score *out, p3d_error *err)
{
    int n_some = 0;

    for (int i = 0; i < r->n; i++) {
        if (source < 0 || sets[i].source == source)
            r->some[n_some++] = sets[i];
    }
    return p3d_score_ranks(r->some, n_some, out, err);
}

static bool score_sources(trial *b, const results *r, p3d_error *err)
{
    for (int i = -1; i < b->out.n_sources; i++) {
        p3d_backtest_source *const s =
                i < 0 ? &b->out.summary : &b->out.sources[i];

        if (!score_some(r->sets, r, i, &s->rank, err) ||
                !score_some(r->guesses, r, i, &s->guess_rank, err))
            return false;
    }
    return true;
}

static bool find_columns(const p3d_csv *csv, set_table *out, p3d_error *err)
{
    *out = (set_table){.csv = csv,
            .name = p3d_csv_find(csv, "set"),
            .ids = p3d_csv_find(csv, "ids")};
    if (out->name >= 0 && out->ids >= 0)
        return true;
    return p3d_csv_fail_header(
            csv, err, "no column '%s'", out->name < 0 ? "set" : "ids");
}

/* Read the sets and score the order of their plans. */
static bool rank(trial *b, const char *path, p3d_error *err)
{
    set_table table = {0};
    results r = {0};
    p3d_set_result *items;
    size_t n = 1;
    bool ok = true;

    if (path != NULL && b->options->rank) {
        sort_names(b, id_of, b->ids);
        if (!p3d_csv_open(path, &b->sets, err) ||
                !find_columns(&b->sets, &table, err) ||
                !exchange_corpus_number_plans(&b->corpus, b->plan_of, err))
            return false;
        n += (size_t)b->sets.n_rows;
    }
    items = calloc(3 * n, sizeof(*items));
    if (items == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    r.sets = items;
    r.guesses = items + n;
    r.some = items + 2 * n;
    if (table.csv != NULL)
        ok = score_sets(b, &table, &r, err);
    ok = ok && score_sources(b, &r, err);
    free(items);
    return ok;
}

static bool predict(trial *b, p3d_error *err)
{
    exchange_hardware *const hardware = exchange_hardware_create(err);
    const study_constants *const given =
            b->options->calibration != NULL ? &b->constants : NULL;
    int n_calibrated = 0;

    if (hardware == NULL)
        return false;
    for (int i = 0; i < b->corpus.n_rows; i++) {
        if (b->is_asked[i])
            study_predict_run(
                    &b->corpus.rows[i], hardware, given, &b->predictions[i]);
        n_calibrated += b->predictions[i].calibrated;
    }
    exchange_hardware_destroy(hardware);
    return given == NULL || n_calibrated > 0 ||
           p3d_fail(err, P3D_DATA,
                   "--calibration is of %s, and no row that can be predicted "
                   "ran on it; leave it out",
                   given->basis.name);
}

/* Only what was found is left in the lists. */
static void finish(trial *b)
{
    p3d_backtest *const out = &b->out;

    for (int i = 0; i < EXCHANGE_N_ASSUMED; i++) {
        out->assumed[i].words = exchange_assumed_words(i);
        if (out->assumed[i].n_rows > 0)
            out->assumed[out->n_assumed++] = out->assumed[i];
    }
    for (int i = 0; i < b->corpus.n_rows; i++) {
        if (b->is_asked[i])
            out->rows[out->n_rows++] = out->rows[i];
    }
    study_set_shares(out);
    out->guess_mfu_frac = study_guess_mfu_frac;
    out->storage = b;
}

static bool make(trial *b, p3d_error *err)
{
    const p3d_backtest_options *const o = b->options;

    b->out.summary.source = "all";
    b->constants.calibration = o->calibration;
    return (o->calibration == NULL || p3d_gpu_find(o->calibration->basis,
                                              &b->constants.basis, err)) &&
           exchange_corpus_open(o->runs, &b->corpus, err) && allocate(b, err) &&
           find_sources(b, o->source, err) && predict(b, err) &&
           score(b, err) && rank(b, o->sets, err);
}

static void destroy(trial *b)
{
    free(b->predictions);
    free(b->is_asked);
    free(b->source_of);
    free(b->ids);
    free(b->plan_of);
    free(b->out.sources);
    free(b->out.skipped);
    free(b->out.assumed);
    free(b->out.rows);
    exchange_corpus_close(&b->corpus);
    p3d_csv_close(&b->sets);
    free(b);
}

bool p3d_backtest_run(
        const p3d_backtest_options *options, p3d_backtest *out, p3d_error *err)
{
    trial *b;

    if (options == NULL || options->runs == NULL || out == NULL)
        return p3d_misuse(err, __func__);
    b = calloc(1, sizeof(*b));
    if (b == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    b->options = options;
    if (!make(b, err)) {
        destroy(b);
        return false;
    }
    finish(b);
    *out = b->out;
    return true;
}

void p3d_backtest_free(p3d_backtest *backtest)
{
    if (backtest == NULL)
        return;
    if (backtest->storage != NULL)
        destroy(backtest->storage);
    *backtest = (p3d_backtest){.storage = NULL};
}
