/* SPDX-License-Identifier: GPL-3.0-or-later */
/* budget.c - the table of the errors of a step's terms, as C, from measured
 * runs: src/calibrate/time_budget.h.
 *
 *   budget FILE */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/budget.h"
#include "plan3d/backtest.h"

/* The runs that count. */
typedef struct runs {
    const p3d_backtest_row **of;
    calibrate_run *fitted;
    calibrate_run *some; /* room for the same */
    int n;
} runs;

static const char *const fields[P3D_N_ERRORS] = {
#define P3D_AS_FIELD(field, words) #field,
        P3D_TIME_TERMS(P3D_AS_FIELD)
#undef P3D_AS_FIELD
                "unexplained"};

static void *allocate(size_t n, size_t size)
{
    void *out = calloc(n + 1, size);

    if (out == NULL)
        exit(4);
    return out;
}

static bool is_same_source(const p3d_backtest_row *a, const p3d_backtest_row *b)
{
    return strcmp(a->source, b->source) == 0;
}

static int n_of_source(const runs *all, int i)
{
    int n = 0;

    for (int j = 0; j < all->n; j++)
        n += is_same_source(all->of[i], all->of[j]);
    return n;
}

/* Those of frameworks that have a profile of their own. */
static runs collect(const p3d_backtest *b)
{
    const size_t n = (size_t)b->n_rows;
    runs out = {.of = allocate(n, sizeof(void *)),
            .fitted = allocate(n, sizeof(calibrate_run)),
            .some = allocate(n, sizeof(calibrate_run))};

    for (int i = 0; i < b->n_rows; i++) {
        const p3d_backtest_row *const run = &b->rows[i];

        if (run->framework != NULL && !isnan(run->time_error_frac) &&
                !run->stands_in)
            out.of[out.n++] = run;
    }
    for (int i = 0; i < out.n; i++)
        out.fitted[i] = calibrate_run_of(&out.of[i]->time,
                -log1p(out.of[i]->time_error_frac),
                calibrate_run_weight(n_of_source(&out, i)));
    return out;
}

/* The first run of a source. */
static bool is_first(const runs *all, int i)
{
    for (int j = 0; j < i; j++)
        if (is_same_source(all->of[i], all->of[j]))
            return false;
    return true;
}

/* Fit without the source of a run. */
static void fit_without(const runs *all, int out_of, calibrate_errors *out)
{
    for (int i = 0; i < all->n; i++) {
        all->some[i] = all->fitted[i];
        if (is_same_source(all->of[i], all->of[out_of]))
            all->some[i].weight = 0;
    }
    calibrate_errors_fit(all->some, all->n, out);
}

/* Whether the runs of a source are likelier by the terms than all alike. */
static bool is_better(const runs *all, int of, const calibrate_errors *errors)
{
    double gain = 0;

    for (int i = 0; i < all->n; i++) {
        const calibrate_run *const run = &all->fitted[i];

        if (!is_same_source(all->of[i], all->of[of]))
            continue;
        gain += calibrate_run_likelihood(
                        run, calibrate_run_squared(run, errors)) -
                calibrate_run_likelihood(run, errors->flat);
    }
    return gain > 0;
}

/* How many runs show a term, and of how many sources they are. */
static void count(const runs *all, int term, calibrate_scale *out)
{
    for (int i = 0; i < all->n; i++) {
        bool first = true;

        if (all->fitted[i].squared_share[term] <
                P3D_SHOWN_FRAC * P3D_SHOWN_FRAC)
            continue;
        for (int j = 0; j < i && first; j++)
            first = all->fitted[j].squared_share[term] <
                            P3D_SHOWN_FRAC * P3D_SHOWN_FRAC ||
                    !is_same_source(all->of[i], all->of[j]);
        out->n_runs++;
        out->n_sources += first;
    }
}

static void leave_one_out(const runs *all, calibrate_shown *out)
{
    for (int i = 0; i < all->n; i++) {
        calibrate_errors errors;

        if (!is_first(all, i))
            continue;
        fit_without(all, i, &errors);
        out->n_sources++;
        out->n_better += is_better(all, i, &errors);
        for (int k = 0; k < P3D_N_ERRORS; k++) {
            calibrate_scale *const s = &out->terms[k];
            const double scale = sqrt(errors.squared[k]);

            s->least = fmin(s->least, scale);
            s->most = fmax(s->most, scale);
        }
    }
}

static bool is_own(const p3d_backtest_row *a, const p3d_backtest_row *b)
{
    return a != b && is_same_source(a, b) &&
           strcmp(a->framework, b->framework) == 0 &&
           strcmp(a->gpu, b->gpu) == 0 && strcmp(a->model, b->model) == 0;
}

static int n_own(const runs *all, int i)
{
    int n = 0;

    for (int j = 0; j < all->n; j++)
        n += is_own(all->of[i], all->of[j]);
    return n;
}

/* Add a run corrected by each other run of its own; all together weigh as much
 * as the run. */
static int add_pairs(const runs *all, int i, calibrate_run *to)
{
    const int n = n_own(all, i);

    for (int j = 0; j < all->n; j++)
        if (is_own(all->of[i], all->of[j]))
            *to++ = (calibrate_run){
                    all->fitted[i].residual - all->fitted[j].residual,
                    all->fitted[i].weight / n, {1}};
    return n;
}

/* The first of its source that has another run. */
static bool is_first_with_own(const runs *all, int i)
{
    for (int j = 0; j < i; j++)
        if (is_same_source(all->of[i], all->of[j]) && n_own(all, j) > 0)
            return false;
    return true;
}

/* The scale of runs that are corrected by another of the same job. */
static calibrate_scale own_scale(const runs *all)
{
    calibrate_scale out = {.n_runs = 0};
    calibrate_run *pairs;
    size_t most = 0;
    int n = 0;

    for (int i = 0; i < all->n; i++)
        most += (size_t)n_own(all, i);
    pairs = allocate(most, sizeof(*pairs));
    for (int i = 0; i < all->n; i++) {
        const int added = add_pairs(all, i, pairs + n);

        n += added;
        out.n_runs += added > 0;
        out.n_sources += added > 0 && is_first_with_own(all, i);
    }
    out.scale = sqrt(calibrate_flat_fit(pairs, n));
    out.least = out.most = out.scale;
    free(pairs);
    return out;
}

static calibrate_shown show(const runs *all)
{
    calibrate_shown out = {.n_runs = all->n, .own = own_scale(all)};
    calibrate_errors errors;

    calibrate_errors_fit(all->fitted, all->n, &errors);
    out.flat_scale = sqrt(errors.flat);
    for (int k = 0; k < P3D_N_ERRORS; k++) {
        out.terms[k].scale = sqrt(errors.squared[k]);
        out.terms[k].least = out.terms[k].most = out.terms[k].scale;
        count(all, k, &out.terms[k]);
    }
    leave_one_out(all, &out);
    return out;
}

static void print_scale(const char *name, const calibrate_scale *s)
{
    printf("%s{%.4f, %.4f, %.4f, %d, %d}", name, s->scale, s->least, s->most,
            s->n_runs, s->n_sources);
}

static void print_table(const char *file, const calibrate_shown *s)
{
    printf("/* SPDX-License-Identifier: GPL-3.0-or-later */\n"
           "/* time_budget.h - how wrong each term of a step is, by measured "
           "runs.\n *\n"
           " * Written by `make accuracy` from %s. Do not edit. */\n"
           "#ifndef PLAN3D_CALIBRATE_TIME_BUDGET_H\n"
           "#define PLAN3D_CALIBRATE_TIME_BUDGET_H\n\n"
           "#include \"calibrate/budget.h\"\n\n/* clang-format off */\n"
           "static const calibrate_shown calibrate_step_errors = {\n"
           "    .n_runs = %d, .n_sources = %d, .n_better = %d,\n"
           "    .flat_scale = %.4f,\n",
            file, s->n_runs, s->n_sources, s->n_better, s->flat_scale);
    print_scale("    .own = ", &s->own);
    printf(",\n    .terms = {\n");
    for (int k = 0; k < P3D_N_ERRORS; k++) {
        printf("        [P3D_ERROR_%s] = ",
                k == P3D_ERROR_UNEXPLAINED ? "UNEXPLAINED" : fields[k]);
        print_scale("", &s->terms[k]);
        printf(",\n");
    }
    printf("    },\n};\n/* clang-format on */\n\n#endif\n");
}

int main(int argc, char **argv)
{
    p3d_backtest b = {.n_rows = 0};
    p3d_error err = {.code = P3D_OK};
    calibrate_shown shown;
    runs all;

    if (argc != 2) {
        fprintf(stderr, "budget FILE\n");
        return 2;
    }
    if (!p3d_backtest_run(
                &(p3d_backtest_options){.runs = argv[1], .time = true}, &b,
                &err)) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    all = collect(&b);
    shown = show(&all);
    print_table(argv[1], &shown);
    free(all.of);
    free(all.fitted);
    free(all.some);
    p3d_backtest_free(&b);
    return 0;
}
