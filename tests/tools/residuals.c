/* SPDX-License-Identifier: GPL-3.0-or-later */
/* residuals.c - the tables of residuals, as C: how far measured runs were from
 * their predictions, by source.
 *
 *   residuals memory FILE    of peaks: src/spec/memory_residuals.h
 *   residuals time FILE      of steps: src/calibrate/time_residuals.h */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan3d/backtest.h"
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
    const char *word;
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

static int usage(void)
{
    fprintf(stderr, "residuals memory|time FILE\n");
    return 2;
}

int main(int argc, char **argv)
{
    const table *t = argc == 3 ? tables : NULL;
    p3d_backtest b = {.n_rows = 0};
    p3d_error err = {.code = P3D_OK};

    if (t == NULL)
        return usage();
    t += strcmp(argv[1], tables[1].word) == 0;
    if (strcmp(argv[1], t->word) != 0)
        return usage();
    if (!p3d_backtest_run(&(p3d_backtest_options){.runs = argv[2],
                                  .time = t->value == time_value,
                                  .memory = t->value == memory_value},
                &b, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    print_table(t, argv[2], &b);
    p3d_backtest_free(&b);
    return 0;
}
