/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_limit.c - the largest value that surely fits, value by value: each is
 * one row of a sweep, which is searched exactly. */
#include "plan3d/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/tasks.h"
#include "base/util.h"
#include "plan3d/catalog.h"
#include "spec/sizes.h"

/* Where nothing is said, no search goes on for longer than a minute or so. */
enum {
    MOST_GPUS = 2048,
    SHORTEST_SEQ = 128,
    STEPS = 8,
    AT_ONCE = 4,
    TRIES = 16
};

/* One search after the other. */
typedef struct finder {
    const p3d_sweep_options *options;
    p3d_limit_kind what;
    p3d_sweep_row rows[AT_ONCE]; /* that were looked at last */
    int n;
    p3d_error refusal; /* the first: why no plan is legal */
    bool any_legal;
    p3d_sweep_limit *out;
} finder;

static bool is_sure(const p3d_sweep_row *row)
{
    return row->fits && row->verdict == P3D_VERDICT_FITS;
}

/* What a row points to is in itself. */
static void keep(finder *f, int at, const p3d_sweep_row *row)
{
    p3d_sweep_row *const to = &f->out->row[at];

    *to = *row;
    to->type = f->options->clusters[0].word;
    to->plan = row->plan != NULL ? to->plan_words : NULL;
    to->refusal = row->refusal != NULL ? to->refusal_words : NULL;
    to->fastest.plan =
            row->fastest.plan != NULL ? to->fastest.plan_words : NULL;
    to->roomiest.plan =
            row->roomiest.plan != NULL ? to->roomiest.plan_words : NULL;
    f->out->has[at] = true;
}

/* Rows of one sweep; that none is legal is an answer as well. */
static bool run(finder *f, const p3d_sweep_options *options, p3d_error *err)
{
    p3d_sweep found = {.rows = NULL};
    p3d_error cause = {.code = P3D_OK};

    f->n = 0;
    if (!p3d_sweep_run(options, &found, &cause)) {
        if (cause.code != P3D_DATA)
            return p3d_fail(err, cause.code, "%s", cause.text);
        if (f->refusal.code == P3D_OK)
            f->refusal = cause;
        return true;
    }
    f->any_legal = true;
    f->out->complete = f->out->complete && found.complete;
    f->out->n_asked += found.n_rows;
    for (int i = 0; i < found.n_rows && i < AT_ONCE; i++)
        f->rows[f->n++] = found.rows[i];
    p3d_sweep_free(&found);
    return true;
}

/* As many GPUs as nodes have, and below a node what divides it. */
static int64_t next_count(int64_t n, int64_t node)
{
    return n >= node ? n + node : 2 * n < node ? 2 * n : node;
}

/* Upwards: the first number that surely fits is the fewest, as no smaller one
 * is left out. */
static bool find_gpus(finder *f, p3d_error *err)
{
    p3d_sweep_cluster cluster = f->options->clusters[0];
    p3d_sweep_options options = *f->options;
    const int64_t node = cluster.cluster.node.gpus_per_node;
    const int64_t most = options.max_gpus > 0 ? options.max_gpus : MOST_GPUS;
    int64_t n = 1;

    options.clusters = &cluster;
    while (n <= most && f->out->complete) {
        int64_t counts[AT_ONCE];

        cluster.counts = counts;
        for (cluster.n_counts = 0; cluster.n_counts < AT_ONCE && n <= most;
                n = next_count(n, node))
            counts[cluster.n_counts++] = n;
        if (!run(f, &options, err))
            return false;
        for (int i = 0; i < f->n; i++) {
            keep(f, is_sure(&f->rows[i]) ? P3D_LIMIT_LAST : P3D_LIMIT_BEYOND,
                    &f->rows[i]);
            if (is_sure(&f->rows[i]))
                return true;
        }
    }
    return true;
}

/* Ask about one value. @param sure  that it surely fits */
static bool probe(finder *f, int64_t value, bool *sure, p3d_error *err)
{
    p3d_sweep_options options = *f->options;
    p3d_pins pins = options.pins != NULL ? *options.pins : p3d_pins_free();

    if (f->what == P3D_LONGEST_SEQ) {
        options.seq_lens = &value;
        options.n_seq_lens = 1;
    } else {
        pins.micro_batch = (int)value;
        options.pins = &pins;
    }
    if (!run(f, &options, err))
        return false;
    *sure = f->n > 0 && is_sure(&f->rows[0]);
    if (f->n > 0)
        keep(f, *sure ? P3D_LIMIT_LAST : P3D_LIMIT_BEYOND, &f->rows[0]);
    return true;
}

/* Between a value that surely fits and one that does not, by halves: what needs
 * more memory than a value that is too much is too much as well. */
static bool narrow(finder *f, int64_t low, int64_t step, p3d_error *err)
{
    int64_t end = STEPS, begin = 0;

    while (end - begin > 1 && f->out->complete) {
        const int64_t middle = (begin + end) / 2;
        bool sure = false;

        if (!probe(f, low + middle * step, &sure, err))
            return false;
        if (sure)
            begin = middle;
        else
            end = middle;
    }
    return true;
}

/* Doubled from the least on; sequences then in eighths of the last. */
static bool find_upwards(finder *f, p3d_error *err)
{
    const bool seq = f->what == P3D_LONGEST_SEQ;
    const int64_t most = seq ? P3D_MAX_SEQ_LEN : P3D_MAX_BATCH;
    int64_t value = seq ? SHORTEST_SEQ : 1;
    bool sure = true;

    for (; value <= most && f->out->complete; value *= 2) {
        if (!probe(f, value, &sure, err))
            return false;
        if (!sure)
            break;
    }
    return !seq || sure || !f->out->has[P3D_LIMIT_LAST] ||
           narrow(f, value / 2, value / 2 / STEPS, err);
}

/* Models. */

static int compare_sizes(const void *a, const void *b)
{
    const int64_t x = p3d_total_params(a);
    const int64_t y = p3d_total_params(b);

    return x < y   ? 1
           : x > y ? -1
                   : strcmp(((const p3d_model *)a)->name,
                             ((const p3d_model *)b)->name);
}

/* All models of the list, the largest first. @param out  owned */
static bool list_models(p3d_model **out, int *n, p3d_error *err)
{
    p3d_catalog catalog = {0};
    bool ok = p3d_catalog_open(P3D_MODELS, &catalog, err);

    *n = 0;
    *out = ok ? calloc((size_t)catalog.n_names + 1, sizeof(**out)) : NULL;
    if (ok && *out == NULL)
        ok = p3d_fail(err, P3D_SYSTEM, "out of memory");
    for (int i = 0; ok && i < catalog.n_names; i++)
        ok = p3d_model_find(catalog.names[i], &(*out)[(*n)++], err);
    p3d_catalog_free(&catalog);
    if (ok)
        qsort(*out, (size_t)*n, sizeof(**out), compare_sizes);
    return ok;
}

/* Downwards: the first that surely fits is the largest. */
static bool find_model(finder *f, p3d_error *err)
{
    p3d_model *models = NULL;
    int n = 0;
    bool ok = list_models(&models, &n, err);

    for (int i = 0; ok && i < n && f->out->complete; i++) {
        p3d_sweep_options options = *f->options;
        int at;

        options.model = &models[i];
        ok = run(f, &options, err);
        if (!ok || f->n == 0)
            continue;
        at = is_sure(&f->rows[0]) ? P3D_LIMIT_LAST : P3D_LIMIT_BEYOND;
        keep(f, at, &f->rows[0]);
        f->out->model[at] = models[i];
        if (at == P3D_LIMIT_LAST)
            break;
    }
    free(models);
    return ok;
}

/* Tokens. */

/* The job of a sweep, with other tokens. */
typedef struct token_job {
    const p3d_sweep_options *of;
    double n_tokens;
} token_job;

static bool complete_tokens(void *context, const p3d_sweep_point *point,
        p3d_problem *problem, p3d_error *err)
{
    const token_job *const job = context;

    if (job->of->complete == NULL)
        problem->job = job->of->job;
    else if (!job->of->complete(job->of->context, point, problem, err))
        return false;
    problem->job.n_tokens = job->n_tokens;
    return true;
}

static bool next_tokens(
        void *context, int64_t i, int64_t n, const char *cluster)
{
    const token_job *const job = context;

    return job->of->next == NULL ||
           job->of->next(job->of->context, i, n, cluster);
}

/* How many times as many tokens a training has time and money for. */
static double share_left(const p3d_sweep_options *o, const p3d_sweep_row *row)
{
    double share = (double)HUGE_VAL;

    if (o->deadline_s > 0)
        share = fmin(share, o->deadline_s / row->training_s);
    if (o->budget_usd > 0 && row->training_usd > 0)
        share = fmin(share, o->budget_usd / row->training_usd);
    return share;
}

/* Down to three digits: "65.7B". */
static double round_down(double n)
{
    double unit = 1;

    while (n / unit >= 1000)
        unit *= 10;
    return floor(n / unit) * unit;
}

/* The time of a training is all but proportional to its tokens: a few steps
 * lead to the most that are in time. */
static bool find_tokens(finder *f, p3d_error *err)
{
    token_job job = {.of = f->options, .n_tokens = 1e9};
    p3d_sweep_options options = *f->options;
    double too_many = P3D_MAX_TOKENS;

    options.complete = complete_tokens;
    options.next = next_tokens;
    options.context = &job;
    options.deadline_s = 0;
    for (int i = 0; i < TRIES && f->out->complete && job.n_tokens >= 1; i++) {
        double share, next;

        if (!run(f, &options, err))
            return false;
        if (f->n == 0 || !f->rows[0].fits || f->rows[0].never_ends) {
            if (f->n > 0)
                keep(f, P3D_LIMIT_BEYOND, &f->rows[0]);
            return true;
        }
        share = share_left(f->options, &f->rows[0]);
        keep(f, share >= 1 ? P3D_LIMIT_LAST : P3D_LIMIT_BEYOND, &f->rows[0]);
        next = round_down(job.n_tokens * share);
        if (share < 1)
            too_many = job.n_tokens;
        if (share >= 1 && (next == job.n_tokens || next >= too_many))
            return true;
        job.n_tokens = next;
    }
    return true;
}

typedef bool find_function(finder *f, p3d_error *err);

bool p3d_sweep_find_limit(const p3d_sweep_options *options, p3d_limit_kind what,
        p3d_sweep_limit *out, p3d_error *err)
{
    static find_function *const finds[P3D_N_LIMIT_KINDS] = {
            [P3D_FEWEST_GPUS] = find_gpus,
            [P3D_LONGEST_SEQ] = find_upwards,
            [P3D_LARGEST_MICRO_BATCH] = find_upwards,
            [P3D_LARGEST_MODEL] = find_model,
            [P3D_MOST_TOKENS] = find_tokens};
    finder f = {.options = options, .what = what, .out = out};

    if (options == NULL || options->n_clusters < 1 ||
            options->clusters == NULL || out == NULL || (int)what < 0 ||
            what >= P3D_N_LIMIT_KINDS)
        return p3d_fail(err, P3D_USAGE,
                "p3d_sweep_find_limit() was called without a cluster, without "
                "room for its answer or for no limit that there is");
    if (what == P3D_MOST_TOKENS && !(options->deadline_s > 0) &&
            !(options->budget_usd > 0))
        return p3d_fail(err, P3D_USAGE,
                "the most tokens of what? set a deadline or a budget");
    *out = (p3d_sweep_limit){.complete = true};
    return finds[what](&f, err) &&
           (f.any_legal || p3d_fail(err, f.refusal.code, "%s", f.refusal.text));
}
