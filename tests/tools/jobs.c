/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jobs.c - well-known jobs: the plan to recommend, the others that `fit` shows,
 * and the one that was published: docs/recommendation.md.
 *
 *   jobs FILE   the table of the jobs of tests/data/jobs.tsv */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "plan3d/units.h"
#include "tools/document.h"

/* Columns of the file. */
enum { MODEL, CLUSTER, OPTIONS, WORDS, PLAN, PLAN_OPTIONS, N_COLUMNS };

static double step_s(const cJSON *answer)
{
    return document_number(document_part(answer, "time"), "step_s");
}

/* Departures stand in a text, with commas between them. */
static int n_departures(const cJSON *answer)
{
    const char *words = document_text(answer, "departures");
    int n = words[0] != '\0';

    while ((words = strchr(words, ',')) != NULL) {
        words++;
        n++;
    }
    return n;
}

/* What it leaves free, how sure it is to fit, its unusual settings. */
static void print_room(const cJSON *answer)
{
    printf("%.1f GiB, %.0f %%, %d",
            document_number(document_part(answer, "memory"), "margin_bytes") /
                    P3D_GIB,
            fmin(99, floor(100 *
                             document_number(answer, "fit_probability_frac"))),
            n_departures(answer));
}

/* A plan against the recommended one. */
static void print_other(const cJSON *answer, const cJSON *recommended)
{
    const double slower_frac = step_s(answer) / step_s(recommended) - 1;

    if (strcmp(document_text(answer, "words"),
                document_text(recommended, "words")) == 0) {
        printf("the same plan");
        return;
    }
    printf(fabs(slower_frac) < 0.1 ? "%.3g s (%+.1f %%), "
                                   : "%.3g s (%+.0f %%), ",
            step_s(answer), 100 * slower_frac);
    print_room(answer);
}

static void print_published(char **column, const cJSON *recommended)
{
    const char *const words[] = {"estimate", column[MODEL], column[CLUSTER],
            "--plan", column[PLAN], NULL};
    char options[DOCUMENT_MAX_LINE];
    cJSON *document;

    printf("%s", column[WORDS]);
    if (column[PLAN][0] == '\0')
        return;
    snprintf(options, sizeof(options), "%s %s", column[OPTIONS],
            column[PLAN_OPTIONS]);
    document = document_ask(words, options);
    if (document == NULL)
        exit(3);
    printf(": ");
    print_other(document_part(document, "estimate"), recommended);
    cJSON_Delete(document);
}

static void print_usual(const cJSON *usual, const cJSON *recommended)
{
    if (n_departures(recommended) == 0)
        printf("the same plan");
    else if (!cJSON_IsObject(usual))
        printf("none fits");
    else {
        printf("`%s` ", document_text(usual, "words"));
        print_other(usual, recommended);
    }
}

static void print_job(char **column)
{
    const char *const words[] = {"fit", column[MODEL], column[CLUSTER], NULL};
    cJSON *const document = document_ask(words, column[OPTIONS]);
    const cJSON *const best = document_part(document, "recommended");

    if (!cJSON_IsObject(best))
        exit(3);
    printf("| %s %s", column[MODEL], column[CLUSTER]);
    if (column[OPTIONS][0] != '\0')
        printf(" `%s`", column[OPTIONS]);
    printf(" | `%s` | %.3g s | ", document_text(best, "words"), step_s(best));
    print_room(best);
    printf(" | ");
    print_other(document_part(document, "fastest"), best);
    printf(" | ");
    print_usual(document_part(document, "usual"), best);
    printf(" | ");
    print_published(column, best);
    printf(" |\n");
    cJSON_Delete(document);
}

int main(int argc, char **argv)
{
    char line[DOCUMENT_MAX_LINE];
    char *column[N_COLUMNS];
    FILE *file;

    if (argc != 2)
        return 2;
    file = fopen(argv[1], "r");
    if (file == NULL)
        return 4;
    printf("| job | recommended | step | free, sure, unusual | fastest by the "
           "estimate | usual | published |\n|---|---|---|---|---|---|---|\n");
    while (fgets(line, sizeof(line), file) != NULL) {
        if (line[0] == '#')
            continue;
        if (!document_split(line, column, N_COLUMNS)) {
            (void)fclose(file);
            return 3;
        }
        for (int i = 0; i < N_COLUMNS; i++)
            if (strcmp(column[i], "-") == 0)
                column[i][0] = '\0';
        print_job(column);
    }
    (void)fclose(file);
    return 0;
}
