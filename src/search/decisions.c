/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decisions.c - the price of each decision: a search for each other value. */
#include "plan3d/decisions.h"

#include <stdio.h>
#include <string.h>

#include "base/stop.h"
#include "base/util.h"
#include "search/decision_rows.h"
#include "spec/given.h"

/* NULL = there is no such decision. */
static const decision_row *row_of(const char *word)
{
    int n;
    const decision_row *rows = decision_rows(&n);

    for (int i = 0; i < n; i++) {
        if (strcmp(rows[i].word, word) == 0)
            return &rows[i];
    }
    return NULL;
}

static const char *print_value(
        const decision_row *row, int value, char *buffer, size_t n)
{
    if (row->name != NULL)
        snprintf(buffer, n, "%s", row->name(value));
    else
        snprintf(buffer, n, "%d", value);
    return buffer;
}

const char *p3d_decision_print(
        const p3d_decision *decision, int value, char *buffer, size_t n)
{
    const decision_row *const row = decision != NULL && decision->word != NULL
                                            ? row_of(decision->word)
                                            : NULL;

    if (row == NULL || buffer == NULL || n == 0)
        return "";
    return print_value(row, value, buffer, n);
}

/* What a plan has, as its words say it: "full:4". */
static const char *print_part(
        const decision_row *row, const p3d_plan *plan, char out[P3D_PLAN_PART])
{
    if (row->print != NULL)
        return row->print(plan, out);
    return print_value(row, row->of(plan), out, P3D_PLAN_PART);
}

/* True when a plan's words say no more of a decision than its value. */
static bool says_all(const decision_row *row, const p3d_plan *plan)
{
    char part[P3D_PLAN_PART], value[P3D_PLAN_PART];

    return strcmp(print_part(row, plan, part),
                   print_value(row, row->of(plan), value, sizeof(value))) == 0;
}

const char *p3d_decisions_differ(const p3d_plan *first, const p3d_plan *second,
        const char *but, char *buffer, size_t n)
{
    if (!p3d_plan_words_given(first) || !p3d_plan_words_given(second) ||
            buffer == NULL || n == 0)
        return "";

    int n_rows;
    const decision_row *rows = decision_rows(&n_rows);

    buffer[0] = '\0';
    for (int i = 0; i < n_rows; i++) {
        const decision_row *row = &rows[i];
        const size_t used = strlen(buffer);
        char before[P3D_PLAN_PART], after[P3D_PLAN_PART];

        if (strcmp(print_part(row, first, before),
                    print_part(row, second, after)) == 0 ||
                (row->follows != NULL && row->follows(first) &&
                        row->follows(second)) ||
                (but != NULL && strcmp(but, row->word) == 0 &&
                        says_all(row, second)))
            continue;
        snprintf(buffer + used, n - used, "%s%s=%s", used > 0 ? "," : "",
                row->word, after);
    }
    return buffer;
}

/* Fill in the values of the decisions that have more than one. */
static int list_choices(const p3d_problem *problem, p3d_decisions *out)
{
    int n_rows, n_searches = 0;
    const decision_row *rows = decision_rows(&n_rows);

    for (int i = 0; i < n_rows; i++) {
        const int chosen = rows[i].of(&out->best.plan);
        p3d_decision *decision = NULL;
        search_divisors values = {.n = 0};

        if (rows[i].values == NULL)
            continue;
        rows[i].values(problem, &values);
        decision_values_near(&values, chosen, P3D_MAX_CHOICES);
        if (values.n < 2)
            continue;
        P3D_ASSERT(out->n < P3D_MAX_DECISIONS);
        decision = &out->decisions[out->n++];
        decision->word = rows[i].word;
        decision->doc = rows[i].doc;
        decision->n_choices = values.n;
        for (int k = 0; k < values.n; k++) {
            decision->choices[k].value = values.at[k];
            decision->choices[k].chosen = values.at[k] == chosen;
        }
        n_searches += values.n - 1;
    }
    return n_searches;
}

static bool search_choice(const p3d_problem *problem, const char *word,
        p3d_choice *choice, p3d_error *err)
{
    const decision_row *const row = row_of(word);
    p3d_pins pins = p3d_pins_free();

    P3D_ASSERT(row != NULL);
    memcpy((char *)&pins + row->pin, &choice->value, sizeof(choice->value));
    return p3d_choice_search(problem, &pins, choice, err);
}

bool p3d_decisions_price(const p3d_problem *problem, const p3d_estimate *best,
        p3d_progress *progress, void *context, p3d_decisions *out,
        p3d_error *err)
{
    if (!p3d_problem_given(problem) || !p3d_estimate_given(best) || out == NULL)
        return p3d_misuse(err, __func__);

    int n_all, n_done = 0;

    memset(out, 0, sizeof(*out));
    out->best = *best;
    n_all = list_choices(problem, out);
    for (int i = 0; i < out->n; i++) {
        p3d_decision *decision = &out->decisions[i];

        for (int k = 0; k < decision->n_choices; k++) {
            p3d_choice *choice = &decision->choices[k];

            if (choice->chosen) {
                choice->legal = true;
                choice->estimate = *best;
                continue;
            }
            if (progress != NULL)
                progress(context, n_done++, n_all);
            if (!search_choice(problem, decision->word, choice, err))
                return false;
            if (p3d_stopped()) { /* without this decision and the next ones */
                out->n = i;
                return true;
            }
        }
    }
    return true;
}
