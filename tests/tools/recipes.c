/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recipes.c - published plans against the plan that is recommended for the same
 * job: docs/recipes.md.
 *
 *   recipes FILE   the table of recipes; paths of models begin at its folder */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/document.h"

enum { MAX_RECIPES = 1024 };

/* Columns of the file. */
enum { TIER, SOURCE, MODEL, CLUSTER, PLAN, OPTIONS, LACKED, N_COLUMNS };

/* More than so much faster is worth a reason. */
static const double much_faster = 1.2;

typedef struct recipe {
    char line[DOCUMENT_MAX_LINE];
    char *column[N_COLUMNS];
    cJSON *published;   /* document of `estimate`; NULL = not legal */
    cJSON *recommended; /* document of `fit` */
    const char *pins;   /* what its framework lacked; NULL = nothing */
    double gain_frac;   /* not-a-number where there is no such plan */
    int reason;         /* into reasons; -1 = none is needed */
} recipe;

static bool recomputes_all(const cJSON *plan)
{
    return strcmp(document_text(plan, "recompute"), "full") == 0 &&
           document_number(plan, "recompute_layers") == 0;
}

static bool recomputes_modules(const cJSON *plan)
{
    return strcmp(document_text(plan, "recompute"), "selective") == 0;
}

static bool is_on_host(const cJSON *plan)
{
    return strcmp(document_text(plan, "offload"), "none") != 0 ||
           document_number(plan, "activation_offload_frac") > 0;
}

static bool has_plain_tensors(const cJSON *plan)
{
    return document_number(plan, "tp") > 1 &&
           document_number(plan, "sequence_parallel") == 0;
}

static double n_parts(const cJSON *plan)
{
    return document_number(plan, "tp") * document_number(plan, "pp") *
           document_number(plan, "cp");
}

static bool recomputes_more(const cJSON *p, const cJSON *r)
{
    return recomputes_all(p) && !recomputes_all(r);
}

static bool offloads_more(const cJSON *p, const cJSON *r)
{
    return is_on_host(p) && !is_on_host(r);
}

static bool splits_plainly(const cJSON *p, const cJSON *r)
{
    return has_plain_tensors(p) && !has_plain_tensors(r);
}

static bool spreads_experts(const cJSON *p, const cJSON *r)
{
    return document_number(p, "ep") > document_number(r, "ep");
}

static bool splits_more(const cJSON *p, const cJSON *r)
{
    return n_parts(p) > n_parts(r);
}

static bool shares_more(const cJSON *p, const cJSON *r)
{
    return document_number(p, "zero") > document_number(r, "zero");
}

static bool is_smaller(const cJSON *p, const cJSON *r)
{
    return document_number(p, "micro_batch") <
           document_number(r, "micro_batch");
}

static bool recomputes_other(const cJSON *p, const cJSON *r)
{
    return recomputes_modules(p) && strcmp(document_text(p, "recompute"),
                                            document_text(r, "recompute")) != 0;
}

static bool is_any(const cJSON *p, const cJSON *r)
{
    (void)p;
    (void)r;
    return true;
}

/* What the published plan does that the recommended one does not; the first
 * that holds is counted. */
static const struct reason {
    bool (*holds)(const cJSON *published, const cJSON *recommended);
    const char *words;
} reasons[] = {
        {recomputes_more, "recomputes all layers"},
        {offloads_more, "offloads to the host"},
        {splits_plainly, "tensor parallelism without sequence parallelism"},
        {spreads_experts, "experts over more ranks"},
        {splits_more, "splits the model over more GPUs"},
        {shares_more, "shares more among the replicas"},
        {is_smaller, "smaller micro-batches"},
        {recomputes_other, "recomputes modules"},
        {is_any, "another shape of the same parts"},
};

/* Ask for a plan, or for the best one with pins; NULL = none.
 * @param command, option  that take it */
static cJSON *ask(const char *command, const char *option, const char *plan,
        const recipe *of)
{
    const char *const words[] = {command, of->column[MODEL],
            of->column[CLUSTER], plan != NULL ? option : NULL, plan, NULL};

    return document_ask(words, of->column[OPTIONS]);
}

static int reason_of(const cJSON *published, const cJSON *recommended)
{
    int i = 0;

    while (!reasons[i].holds(published, recommended))
        i++;
    return i;
}

static void judge(recipe *r)
{
    const cJSON *published;
    const cJSON *best;

    r->pins = document_cut(&r->column[LACKED], ':');
    r->published = ask("estimate", "--plan", r->column[PLAN], r);
    r->recommended = ask("fit", "--pin", r->pins, r);
    published = document_part(r->published, "estimate");
    best = document_part(r->recommended, "best");
    r->gain_frac =
            document_number(document_part(published, "time"), "step_s") /
                    document_number(document_part(best, "time"), "step_s") -
            1;
    r->reason = -1;
    if (r->gain_frac > much_faster - 1)
        r->reason = reason_of(
                document_part(published, "plan"), document_part(best, "plan"));
}

/* The columns of a line, all but the last of which have to be there. */
static bool split(recipe *r)
{
    (void)document_split(r->line, r->column, N_COLUMNS);
    return r->column[OPTIONS] != NULL;
}

/* Production runs and tuned recipes; a library's defaults are no choice. */
static bool is_chosen(const recipe *r)
{
    return r->column[TIER][0] != 'C';
}

static int read_recipes(const char *path, recipe *out)
{
    FILE *const file = fopen(path, "r");
    int n = 0;

    if (file == NULL)
        exit(4);
    while (n < MAX_RECIPES &&
            fgets(out[n].line, sizeof(out[n].line), file) != NULL) {
        if (out[n].line[0] == '#')
            continue;
        if (!split(&out[n]))
            exit(3);
        n += is_chosen(&out[n]);
    }
    (void)fclose(file);
    return n;
}

static int compare_gains(const void *a, const void *b)
{
    const double left = *(const double *)a;
    const double right = *(const double *)b;

    return (left > right) - (left < right);
}

static double median_gain_frac(const recipe *recipes, int n)
{
    double *const gains = calloc((size_t)n + 1, sizeof(*gains));
    double median;
    int n_gains = 0;

    if (gains == NULL)
        exit(4);
    for (int i = 0; i < n; i++)
        if (!isnan(recipes[i].gain_frac))
            gains[n_gains++] = recipes[i].gain_frac;
    qsort(gains, (size_t)n_gains, sizeof(*gains), compare_gains);
    median = gains[n_gains / 2];
    free(gains);
    return median;
}

typedef bool question(const recipe *r);

static bool is_legal(const recipe *r)
{
    return r->published != NULL;
}

static bool fits(const recipe *r)
{
    return document_number(document_part(r->published, "estimate"), "fits") > 0;
}

static bool is_sure(const recipe *r)
{
    return strcmp(document_text(
                          document_part(r->published, "estimate"), "verdict"),
                   "fits") == 0;
}

static bool is_much_slower(const recipe *r)
{
    return r->gain_frac > much_faster - 1;
}

static int count(const recipe *recipes, int n, question *holds)
{
    int n_held = 0;

    for (int i = 0; i < n; i++)
        n_held += holds(&recipes[i]);
    return n_held;
}

static void print_share(const char *what, int some, int all)
{
    printf("| %s | %d of %d | %.1f %% |\n", what, some, all,
            100.0 * some / all);
}

static void print_summary(const recipe *recipes, int n)
{
    printf("\n| published plans | number | share |\n|---|---|---|\n");
    print_share("are legal", count(recipes, n, is_legal), n);
    print_share("fit by the estimate", count(recipes, n, fits), n);
    print_share("are 95 % sure to fit", count(recipes, n, is_sure), n);
    print_share("take more than 20 % longer than the recommended one",
            count(recipes, n, is_much_slower), n);
    for (int k = 0; k < P3D_COUNT_OF(reasons); k++) {
        int n_held = 0;

        for (int i = 0; i < n; i++)
            n_held += recipes[i].reason == k;
        if (n_held > 0)
            printf("| ... of them: %s | %d | %.1f %% |\n", reasons[k].words,
                    n_held, 100.0 * n_held / n);
    }
    printf("\nIn the median the recommended plan is %.1f %% faster.\n",
            100 * median_gain_frac(recipes, n));
}

/* Where the source is, as people write it; paths and commits are in the file.
 */
static void print_source(const char *source)
{
    printf("%.*s", (int)strcspn(source, "@"), source);
}

static void print_row(const recipe *r)
{
    const cJSON *const published = document_part(r->published, "estimate");
    const cJSON *const best = document_part(r->recommended, "best");
    const cJSON *const job = document_part(r->published, "job");

    printf("| %s on %s, ",
            document_text(document_part(r->published, "model"), "name"),
            r->column[CLUSTER]);
    print_source(r->column[SOURCE]);
    printf(" | %s, %s | `%s` ", document_text(job, "framework"),
            document_text(job, "dtype"), r->column[PLAN]);
    if (published == NULL) {
        printf("| not legal | | | |\n");
        return;
    }
    printf("| %.0f %% | %.3g s | ",
            fmin(99, 100 * document_number(published, "fit_probability_frac")),
            document_number(document_part(published, "time"), "step_s"));
    if (isnan(r->gain_frac))
        printf("nothing fits | |\n");
    else
        printf("`%s` %+.1f %%%s%s%s | %s |\n", document_text(best, "words"),
                100 * (1 / (1 + r->gain_frac) - 1),
                r->pins != NULL ? " (`" : "", r->pins != NULL ? r->pins : "",
                r->pins != NULL ? "`)" : "",
                r->reason < 0 ? "" : reasons[r->reason].words);
}

static void print_table(const recipe *recipes, int n)
{
    printf("\n| job | framework | published plan | sure | step | recommended, "
           "its step | the published plan |\n"
           "|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < n; i++)
        print_row(&recipes[i]);
}

/* Models of the table lie beside it. */
static void enter_folder_of(const char *path)
{
    const char *const slash = strrchr(path, '/');
    char folder[DOCUMENT_MAX_LINE];

    if (slash == NULL)
        return;
    p3d_copy(folder, sizeof(folder), path);
    folder[slash - path] = '\0';
    if (chdir(folder) != 0)
        exit(4);
}

int main(int argc, char **argv)
{
    recipe *const recipes = calloc(MAX_RECIPES + 1, sizeof(*recipes));
    int n;

    if (argc != 2 || recipes == NULL)
        return 2;
    n = read_recipes(argv[1], recipes);
    enter_folder_of(argv[1]);
    for (int i = 0; i < n; i++)
        judge(&recipes[i]);
    print_summary(recipes, n);
    print_table(recipes, n);
    for (int i = 0; i < n; i++) {
        cJSON_Delete(recipes[i].published);
        cJSON_Delete(recipes[i].recommended);
    }
    free(recipes);
    return 0;
}
