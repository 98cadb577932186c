/* SPDX-License-Identifier: GPL-3.0-or-later */
/* residuals.c - the tables of residuals, as C: how far measured runs were from
 * their predictions, by source.
 *
 *   residuals memory FILE    of peaks: src/spec/memory_residuals.h
 *   residuals time FILE      of steps: src/calibrate/time_residuals.h
 *   residuals anchored FILE  of steps after others of their own source:
 *                            src/calibrate/anchored_residuals.h
 *   residuals pairs FILE     of the ratios of two steps:
 *                            src/calibrate/pair_residuals.h
 *   residuals order FILE     how many of these pairs are in the predicted
 *                            order, as a table of Markdown
 *   residuals learning FILE  what these others help, as a table of Markdown */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan3d/backtest.h"
#include "plan3d/own_runs.h"
#include "spec/residuals.h"

/* One residual, ln(measured / predicted), and what its run is like. */
typedef struct item {
    const char *source, *framework;
    unsigned traits;
    double value;
} item;

/* All of one kind. */
typedef struct items {
    item *all;
    int n;
} items;

static unsigned when(bool is, unsigned trait)
{
    return is ? trait : 0;
}

static bool is_meter(const p3d_backtest_row *run, const char *meter)
{
    return strcmp(run->meter, meter) == 0;
}

static unsigned memory_traits(const p3d_backtest_row *run)
{
    return when(run->stands_in, SPEC_STANDS_IN) |
           when(run->experts, SPEC_EXPERTS) |
           when(is_meter(run, "allocated"), SPEC_ALLOCATED) |
           when(is_meter(run, "device"), SPEC_DEVICE);
}

static double memory_value(const p3d_backtest_row *run)
{
    return -log1p(run->memory_error_frac);
}

static double waste_value(const p3d_backtest_row *run)
{
    return run->waste_log;
}

static unsigned time_traits(const p3d_backtest_row *run)
{
    return when(run->stands_in, SPEC_STANDS_IN) |
           when(run->experts, SPEC_EXPERTS) |
           when(run->several_nodes, SPEC_SEVERAL_NODES) |
           when(run->host_bound, SPEC_HOST_BOUND) |
           when(run->many_gpus, SPEC_MANY_GPUS);
}

static double time_value(const p3d_backtest_row *run)
{
    return -log1p(run->time_error_frac);
}

static void *allocate(size_t n, size_t size)
{
    void *out = calloc(n + 1, size);

    if (out == NULL)
        exit(4);
    return out;
}

static int compare_kinds(const item *a, const item *b)
{
    const int source = strcmp(a->source, b->source);
    const int framework = strcmp(a->framework, b->framework);

    return source != 0             ? source
           : framework != 0        ? framework
           : a->traits < b->traits ? -1
                                   : a->traits > b->traits;
}

static int compare(const void *a, const void *b)
{
    const item *const x = a, *const y = b;
    const int kinds = compare_kinds(x, y);

    return kinds != 0 ? kinds : (x->value > y->value) - (x->value < y->value);
}

typedef double value_of(const p3d_backtest_row *run);
typedef unsigned traits_of(const p3d_backtest_row *run);

/* The residuals that are known, alike ones side by side, ascending.
 * @param traits  NULL = by source alone */
static items collect(const p3d_backtest *b, value_of *value, traits_of *traits)
{
    items out = {.all = allocate((size_t)b->n_rows, sizeof(item))};

    for (int i = 0; i < b->n_rows; i++) {
        const p3d_backtest_row *const run = &b->rows[i];

        if (run->framework == NULL || isnan(value(run)))
            continue;
        out.all[out.n++] =
                (item){run->source, traits != NULL ? run->framework : "",
                        traits != NULL ? traits(run) : 0, value(run)};
    }
    qsort(out.all, (size_t)out.n, sizeof(item), compare);
    return out;
}

/* Runs that were measured before. */
static const struct before {
    int n;
    const char *word; /* in the place of a framework */
} befores[] = {{1, "1 run"}, {2, "2 runs"}, {4, "4 runs"}};

static bool is_predicted(const p3d_backtest_row *run)
{
    return run->framework != NULL && !isnan(time_value(run));
}

static bool is_of_the_same(const p3d_backtest_row *a, const p3d_backtest_row *b)
{
    return is_predicted(a) && is_predicted(b) &&
           strcmp(a->source, b->source) == 0 &&
           strcmp(a->framework, b->framework) == 0 &&
           strcmp(a->gpu, b->gpu) == 0 && strcmp(a->model, b->model) == 0;
}

/* The runs of the same source, GPU, framework and model, the i-th among them.
 * @return how many */
static int find_alike(const p3d_backtest *b, int i, int *rows, int *place)
{
    int n = 0;

    for (int k = 0; k < b->n_rows; k++) {
        if (!is_of_the_same(&b->rows[i], &b->rows[k]))
            continue;
        if (k == i)
            *place = n;
        rows[n++] = k;
    }
    return n;
}

/* What is left of a residual after so many others, which lie evenly among those
 * alike; not-a-number where there are too few. */
static double anchored(
        const p3d_backtest *b, const int *rows, int n, int place, int n_before)
{
    p3d_own_runs runs = {.n = 0};
    p3d_own_run asked = {.n_params = 1};
    p3d_anchor anchor;

    if (n <= n_before)
        return (double)NAN;
    for (int j = 1; j <= n_before; j++) {
        const int at = rows[(place + j * n / (n_before + 1)) % n];

        runs.at[runs.n] = asked;
        runs.at[runs.n].measured_step_s = exp(time_value(&b->rows[at]));
        runs.at[runs.n++].predicted_step_s = 1;
    }
    anchor = p3d_anchor_of(&runs, &asked);
    return time_value(&b->rows[rows[place]]) -
           log(p3d_anchor_step_factor(&anchor));
}

/* @param kept  of the residuals, too, those of as many runs without others */
static items collect_anchored(const p3d_backtest *b, int k, items *kept)
{
    items out = {.all = allocate((size_t)b->n_rows, sizeof(item))};
    int *const rows = allocate((size_t)b->n_rows, sizeof(int));

    *kept = (items){.all = allocate((size_t)b->n_rows, sizeof(item))};
    for (int i = 0; i < b->n_rows; i++) {
        int place = 0;
        const int n = find_alike(b, i, rows, &place);
        const double left = anchored(b, rows, n, place, befores[k].n);

        if (n == 0 || isnan(left))
            continue;
        out.all[out.n++] = (item){b->rows[i].source, befores[k].word, 0, left};
        kept->all[kept->n++] = (item){
                b->rows[i].source, befores[k].word, 0, time_value(&b->rows[i])};
    }
    qsort(out.all, (size_t)out.n, sizeof(item), compare);
    free(rows);
    return out;
}

/* Linear between the two nearest of ascending ones. */
static double quantile(const item *sorted, int n, double frac)
{
    const double at = frac * (n - 1);
    const int below = (int)at;
    const int above = below + 1 < n ? below + 1 : below;

    return sorted[below].value +
           (at - below) * (sorted[above].value - sorted[below].value);
}

/* As many as are of one kind. */
static int n_alike(const items *of, int first)
{
    int n = 1;

    while (first + n < of->n &&
            compare_kinds(&of->all[first], &of->all[first + n]) == 0)
        n++;
    return n;
}

enum { N_WASTES = 10 };

/* What allocators waste on top: of each source as many. */
static items waste_of(const p3d_backtest *b)
{
    items known = collect(b, waste_value, NULL);
    items out = {.all = allocate(N_WASTES * (size_t)known.n, sizeof(item))};

    for (int first = 0, n; first < known.n; first += n) {
        n = n_alike(&known, first);
        for (int k = 0; k < N_WASTES; k++)
            out.all[out.n++].value =
                    quantile(&known.all[first], n, (k + 0.5) / N_WASTES);
    }
    free(known.all);
    return out;
}

/* Each residual with each of the wastes. */
static items with_waste(const item *some, int n, const items *wastes)
{
    items out = {.all = allocate((size_t)n * (size_t)wastes->n, sizeof(item))};

    for (int i = 0; i < n; i++) {
        for (int k = 0; k < wastes->n; k++) {
            out.all[out.n] = some[i];
            out.all[out.n++].value += wastes->all[k].value;
        }
    }
    qsort(out.all, (size_t)out.n, sizeof(item), compare);
    return out;
}

static const struct {
    unsigned trait;
    const char *word;
} words[] = {{SPEC_STANDS_IN, "SPEC_STANDS_IN"}, {SPEC_EXPERTS, "SPEC_EXPERTS"},
        {SPEC_ALLOCATED, "SPEC_ALLOCATED"}, {SPEC_DEVICE, "SPEC_DEVICE"},
        {SPEC_SEVERAL_NODES, "SPEC_SEVERAL_NODES"},
        {SPEC_HOST_BOUND, "SPEC_HOST_BOUND"},
        {SPEC_MANY_GPUS, "SPEC_MANY_GPUS"}};

static void print_traits(unsigned traits)
{
    const char *before = "";

    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
        if ((traits & words[i].trait) == 0)
            continue;
        printf("%s%s", before, words[i].word);
        before = " | ";
    }
    if (traits == 0)
        printf("0");
}

enum { PER_LINE = 7 };

static void print_row(const item *sorted, int n, int n_runs)
{
    printf("    {\"%s\", \"%s\",\n        ", sorted->source, sorted->framework);
    print_traits(sorted->traits);
    printf(", %d,\n        {", n_runs);
    for (int i = 0; i < SPEC_N_QUANTILES; i++) {
        const double x =
                quantile(sorted, n, (i + 0.5) / (double)SPEC_N_QUANTILES);

        printf("%s%.4f",
                i == 0              ? ""
                : i % PER_LINE == 0 ? ",\n         "
                                    : ", ",
                fabs(x) < 5e-5 ? 0.0 : x);
    }
    printf("}},\n");
}

static void print_rows(const items *of, const items *wastes)
{
    for (int first = 0, n; first < of->n; first += n) {
        n = n_alike(of, first);
        if (wastes->n > 0 && (of->all[first].traits & SPEC_ALLOCATED) != 0) {
            items all = with_waste(&of->all[first], n, wastes);

            print_row(all.all, all.n, n);
            free(all.all);
        } else {
            print_row(&of->all[first], n, n);
        }
    }
}

/* A table: what it is of. */
typedef struct table {
    const char *word; /* in the name of its file */
    const char *guard, *name;
    const char *says;
    value_of *value;
    traits_of *traits;
} table;

static const table tables[] = {
        {"memory", "SPEC_MEMORY", "spec_peak_residuals",
                "far what runs needed of their GPUs' memory was from\n"
                " * what was predicted: quantiles of ln(needed / predicted)",
                memory_value, memory_traits},
        {"time", "CALIBRATE_TIME", "calibrate_step_residuals",
                "far measured steps were from what was predicted:\n"
                " * quantiles of ln(measured / predicted)",
                time_value, time_traits}};

static void print_table(const table *t, const char *file, const p3d_backtest *b)
{
    items of = collect(b, t->value, t->traits);
    items wastes = waste_of(b);

    printf("/* SPDX-License-Identifier: GPL-3.0-or-later */\n"
           "/* %s_residuals.h - how %s, by source.\n *\n"
           " * Written by `make accuracy` from %s. Do not edit. */\n"
           "#ifndef PLAN3D_%s_RESIDUALS_H\n#define PLAN3D_%s_RESIDUALS_H\n\n"
           "#include \"spec/residuals.h\"\n\n/* clang-format off */\n"
           "static const spec_residuals %s[] = {\n",
            t->word, t->says, file, t->guard, t->guard, t->name);
    print_rows(&of, &wastes);
    printf("};\n/* clang-format on */\n\n#endif\n");
    free(of.all);
    free(wastes.all);
}

static int compare_sizes(const void *a, const void *b)
{
    const double x = fabs(((const item *)a)->value);
    const double y = fabs(((const item *)b)->value);

    return (x > y) - (x < y);
}

/* Median and 90 % of |predicted / measured - 1|, nearly, in %. */
static void print_errors(items *of)
{
    qsort(of->all, (size_t)of->n, sizeof(item), compare_sizes);
    printf(" %.1f | %.1f |", 100 * fabs(of->all[of->n / 2].value),
            100 * fabs(of->all[of->n * 9 / 10].value));
}

static void print_anchored(const char *file, const p3d_backtest *b)
{
    printf("/* SPDX-License-Identifier: GPL-3.0-or-later */\n"
           "/* anchored_residuals.h - how far measured steps were from what "
           "was "
           "predicted\n * after others of the same source, GPU, framework and "
           "model: quantiles of\n * ln(measured / predicted), by source.\n *\n"
           " * Written by `make accuracy` from %s. Do not edit. */\n"
           "#ifndef PLAN3D_CALIBRATE_ANCHORED_RESIDUALS_H\n"
           "#define PLAN3D_CALIBRATE_ANCHORED_RESIDUALS_H\n\n"
           "#include \"spec/residuals.h\"\n\n/* clang-format off */\n",
            file);
    for (size_t k = 0; k < sizeof(befores) / sizeof(*befores); k++) {
        const items none = {.n = 0};
        items kept;
        items of = collect_anchored(b, (int)k, &kept);

        printf("static const spec_residuals calibrate_after_%d_residuals[] = "
               "{\n",
                befores[k].n);
        print_rows(&of, &none);
        printf("};\n");
        free(of.all);
        free(kept.all);
    }
    printf("/* clang-format on */\n\n#endif\n");
}

/* What two runs of a source differ in. */
typedef enum apart { PLANS, JOBS, GPUS, FRAMEWORKS, N_APART, FAR } apart;

static const char *const apart_words[N_APART] = {[PLANS] = "other plans",
        [JOBS] = "other jobs",
        [GPUS] = "other GPUs",
        [FRAMEWORKS] = "other frameworks"};

static bool is_of_one_job(const p3d_backtest_row *a, const p3d_backtest_row *b)
{
    return strcmp(a->model, b->model) == 0 && a->n_gpus == b->n_gpus &&
           a->seq_len == b->seq_len && a->global_batch == b->global_batch &&
           strcmp(a->dtype, b->dtype) == 0;
}

static apart apart_of(const p3d_backtest_row *a, const p3d_backtest_row *b)
{
    if (strcmp(a->source, b->source) != 0)
        return FAR;
    if (strcmp(a->framework, b->framework) != 0)
        return FRAMEWORKS;
    if (strcmp(a->gpu, b->gpu) != 0)
        return GPUS;
    return is_of_one_job(a, b) ? PLANS : JOBS;
}

/* ln(measured / predicted) of the ratio of two steps, one way and the other. */
static void add_pair(apart kind, const p3d_backtest_row *a,
        const p3d_backtest_row *b, items *out)
{
    const double value = time_value(a) - time_value(b);

    for (int sign = -1; sign <= 1; sign += 2)
        out->all[out->n++] =
                (item){a->source, apart_words[kind], 0, sign * value};
}

static items collect_pairs(const p3d_backtest *b, apart kind)
{
    const size_t n = (size_t)b->n_rows;
    items out = {.all = allocate(n * n, sizeof(item))};

    for (int i = 0; i < b->n_rows; i++)
        for (int k = 0; k < i; k++)
            if (is_predicted(&b->rows[i]) && is_predicted(&b->rows[k]) &&
                    apart_of(&b->rows[i], &b->rows[k]) == kind)
                add_pair(kind, &b->rows[i], &b->rows[k], &out);
    qsort(out.all, (size_t)out.n, sizeof(item), compare);
    return out;
}

static void print_pairs(const char *file, const p3d_backtest *b)
{
    static const char *const names[N_APART] = {
            "plans", "jobs", "gpus", "frameworks"};

    printf("/* SPDX-License-Identifier: GPL-3.0-or-later */\n"
           "/* pair_residuals.h - how far the ratios of two measured steps of "
           "a source\n"
           " * were from the predicted ones: quantiles of ln(measured / "
           "predicted), by what\n"
           " * the two differ in. Each pair counts both ways.\n *\n"
           " * Written by `make accuracy` from %s. Do not edit. */\n"
           "#ifndef PLAN3D_CALIBRATE_PAIR_RESIDUALS_H\n"
           "#define PLAN3D_CALIBRATE_PAIR_RESIDUALS_H\n\n"
           "#include \"spec/residuals.h\"\n\n/* clang-format off */\n",
            file);
    for (int k = 0; k < N_APART; k++) {
        items of = collect_pairs(b, (apart)k);

        printf("static const spec_residuals calibrate_%s_residuals[] = {\n",
                names[k]);
        for (int first = 0, n; first < of.n; first += n) {
            n = n_alike(&of, first);
            print_row(&of.all[first], n, n / 2);
        }
        printf("};\n");
        free(of.all);
    }
    printf("/* clang-format on */\n\n#endif\n");
}

/* Predicted ratios of two steps, from these on. */
static const double ratios[] = {1, 1.02, 1.05, 1.1, 1.2, 1.5};

enum { N_RATIOS = sizeof(ratios) / sizeof(*ratios) };

/* Pairs of one source that are predicted about as far apart. */
typedef struct order {
    int n_pairs;
    int n_kept; /* measured in the order that is predicted */
} order;

static int ratio_band(double times)
{
    int k = N_RATIOS - 1;

    while (k > 0 && times < ratios[k])
        k--;
    return k;
}

static void count_order(const p3d_backtest_row *a, const p3d_backtest_row *b,
        order bands[N_APART][N_RATIOS])
{
    const double predicted = log(a->predicted_step_s / b->predicted_step_s);
    const double measured = log(a->measured_step_s / b->measured_step_s);
    const apart kind = apart_of(a, b);
    order *band;

    if (kind == FAR || predicted == 0)
        return;
    band = &bands[kind][ratio_band(exp(fabs(predicted)))];
    band->n_pairs++;
    band->n_kept += predicted * measured > 0;
}

/* The share that kept their order, a source one draw as in the ranges. */
typedef struct share {
    double weight, sum;
    int n_pairs;
} share;

static void add_source(share *to, const order *of)
{
    const double weight = of->n_pairs / (of->n_pairs + 4.0);

    if (of->n_pairs == 0)
        return;
    to->n_pairs += of->n_pairs;
    to->weight += weight;
    to->sum += weight * of->n_kept / of->n_pairs;
}

/* The pairs of the source of the first row, with any row of it. */
static void count_source(
        const p3d_backtest *b, int first, order bands[N_APART][N_RATIOS])
{
    for (int i = first; i < b->n_rows; i++)
        for (int k = first; k < i; k++)
            if (is_predicted(&b->rows[i]) && is_predicted(&b->rows[k]) &&
                    strcmp(b->rows[i].source, b->rows[first].source) == 0)
                count_order(&b->rows[i], &b->rows[k], bands);
}

static bool is_first_of_source(const p3d_backtest *b, int i)
{
    for (int k = 0; k < i; k++)
        if (strcmp(b->rows[k].source, b->rows[i].source) == 0)
            return false;
    return true;
}

static void print_share(const share *of)
{
    if (of->n_pairs == 0)
        printf(" - |");
    else
        printf(" %.0f %% of %d |", 100 * of->sum / of->weight, of->n_pairs);
}

static void print_order(const char *file, const p3d_backtest *b)
{
    share shares[N_APART][N_RATIOS] = {0};

    (void)file;
    for (int i = 0; i < b->n_rows; i++) {
        order bands[N_APART][N_RATIOS] = {0};

        if (!is_first_of_source(b, i))
            continue;
        count_source(b, i, bands);
        for (int k = 0; k < N_APART; k++)
            for (int j = 0; j < N_RATIOS; j++)
                add_source(&shares[k][j], &bands[k][j]);
    }
    printf("| predicted ratio of the steps |");
    for (int k = 0; k < N_APART; k++)
        printf(" %s |", apart_words[k]);
    printf("\n|---|---|---|---|---|\n");
    for (int j = 0; j < N_RATIOS; j++) {
        if (j + 1 < N_RATIOS)
            printf("| %g to %g |", ratios[j], ratios[j + 1]);
        else
            printf("| %g and more |", ratios[j]);
        for (int k = 0; k < N_APART; k++)
            print_share(&shares[k][j]);
        printf("\n");
    }
}

static void print_learning(const char *file, const p3d_backtest *b)
{
    (void)file;
    printf("| runs measured before | predicted | median without | p90 | median "
           "with | p90 |\n|---|---|---|---|---|---|\n");
    for (size_t k = 0; k < sizeof(befores) / sizeof(*befores); k++) {
        items kept;
        items of = collect_anchored(b, (int)k, &kept);

        printf("| %s | %d |", befores[k].word, of.n);
        print_errors(&kept);
        print_errors(&of);
        printf("\n");
        free(of.all);
        free(kept.all);
    }
}

static int usage(void)
{
    fprintf(stderr,
            "residuals memory|time|anchored|pairs|order|learning FILE\n");
    return 2;
}

typedef void printer(const char *file, const p3d_backtest *b);

static void print_memory(const char *file, const p3d_backtest *b)
{
    print_table(&tables[0], file, b);
}

static void print_time(const char *file, const p3d_backtest *b)
{
    print_table(&tables[1], file, b);
}

static const struct {
    const char *word;
    printer *print;
} kinds[] = {{"memory", print_memory}, {"time", print_time},
        {"anchored", print_anchored}, {"pairs", print_pairs},
        {"order", print_order}, {"learning", print_learning}};

int main(int argc, char **argv)
{
    p3d_backtest b = {.n_rows = 0};
    p3d_error err = {.code = P3D_OK};
    size_t kind = 0;

    if (argc != 3)
        return usage();
    while (kind < sizeof(kinds) / sizeof(*kinds) &&
            strcmp(argv[1], kinds[kind].word) != 0)
        kind++;
    if (kind == sizeof(kinds) / sizeof(*kinds))
        return usage();
    if (!p3d_backtest_run(&(p3d_backtest_options){.runs = argv[2],
                                  .time = kind != 0,
                                  .memory = kind == 0},
                &b, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    kinds[kind].print(argv[2], &b);
    p3d_backtest_free(&b);
    return 0;
}
