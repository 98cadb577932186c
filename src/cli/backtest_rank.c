/* SPDX-License-Identifier: GPL-3.0-or-later */
/* backtest_rank.c - how well the predictions choose among plans of one job. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "cli/backtest.h"

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
    int n;
} results;

/* The runs of one set that can be predicted. */
typedef struct run_set {
    p3d_ranked_run runs[MAX_RUNS];
    int rows[MAX_RUNS];
    int n;
    int n_missing;
    int source; /* of the first run; -1 = none is asked for */
} run_set;

static int find_row(const cli_trial *b, const char *id, size_t length)
{
    for (int i = 0; i < b->corpus.n_rows; i++) {
        const char *const name = b->corpus.rows[i].id;

        if (strncmp(name, id, length) == 0 && name[length] == '\0')
            return i;
    }
    return -1;
}

static void add_run(const cli_trial *b, int row, run_set *set)
{
    const cli_prediction *const p = &b->predictions[row];
    const double measured_s = b->corpus.rows[row].measured_step_s;
    int plan = set->n;

    if (!b->is_asked[row])
        return;
    set->source = b->source_of[row];
    if (!p->known || !(measured_s > 0)) {
        set->n_missing++;
        return;
    }
    for (int i = set->n - 1; i >= 0; i--) {
        if (p3d_corpus_same_plan(&b->corpus, set->rows[i], row))
            plan = i;
    }
    set->rows[set->n] = row;
    set->runs[set->n++] = (p3d_ranked_run){measured_s, p->step_s, plan};
}

static bool read_set(const cli_trial *b, set_table *table, int row,
        run_set *out, p3d_error *err)
{
    const char *at = p3d_csv_get(table->csv, row, table->ids);

    *out = (run_set){.source = -1};
    for (at += strspn(at, " "); *at != '\0'; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        const int run = find_row(b, at, length);

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

static bool score_set(cli_trial *b, const char *name, const run_set *set,
        results *out, p3d_error *err)
{
    p3d_set_score score = {0};
    p3d_set_score guess = {0};
    p3d_ranked_run alike[MAX_RUNS];

    if (set->n > 0 && !p3d_score_set(set->runs, set->n, &score, err))
        return false;
    if (score.n_plans < 2) {
        b->sources[set->source].n_sets_skipped++;
        b->report.summary.n_sets_skipped++;
        return cli_trial_skip(b, "rank",
                "fewer than two plans of the set can be predicted", name, err);
    }
    for (int i = 0; i < set->n; i++) {
        alike[i] = set->runs[i];
        alike[i].predicted_s = 1;
    }
    if (!p3d_score_set(alike, set->n, &guess, err))
        return false;
    b->report.n_runs_missing += set->n_missing;
    out->sets[out->n] = (p3d_set_result){score, set->source};
    out->guesses[out->n++] = (p3d_set_result){guess, set->source};
    return true;
}

static bool score_sets(
        cli_trial *b, set_table *table, results *out, p3d_error *err)
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
static bool score_some(const p3d_set_result *sets, int n, int source,
        p3d_set_result *scratch, p3d_rank_score *out, p3d_error *err)
{
    int n_some = 0;

    for (int i = 0; i < n; i++) {
        if (source < 0 || sets[i].source == source)
            scratch[n_some++] = sets[i];
    }
    return p3d_score_ranks(scratch, n_some, out, err);
}

static bool score_sources(
        cli_trial *b, const results *r, p3d_set_result *scratch, p3d_error *err)
{
    for (int i = -1; i < b->report.sources.n; i++) {
        report_source *const s = i < 0 ? &b->report.summary : &b->sources[i];

        if (!score_some(r->sets, r->n, i, scratch, &s->rank, err) ||
                !score_some(r->guesses, r->n, i, scratch, &s->guess_rank, err))
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

bool cli_trial_rank(cli_trial *b, const char *path, p3d_error *err)
{
    set_table table = {0};
    results r = {0};
    p3d_set_result *items;
    size_t n = 1;
    bool ok = true;

    if (path != NULL && b->report.rank) {
        if (!p3d_csv_open(path, &b->sets, err) ||
                !find_columns(&b->sets, &table, err))
            return false;
        n += (size_t)b->sets.n_rows;
    }
    items = calloc(3 * n, sizeof(*items));
    if (items == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    r.sets = items;
    r.guesses = items + n;
    if (table.csv != NULL)
        ok = score_sets(b, &table, &r, err);
    ok = ok && score_sources(b, &r, items + 2 * n, err);
    free(items);
    return ok;
}
