/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decisions.c - the price of each decision: a search for each other value. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "base/util.h"
#include "plan3d/decisions.h"
#include "search/advice/decision_rows.h"
#include "spec/given.h"
#include "spec/plan_words.h"

static bool is_legal(
        const p3d_problem *problem, const p3d_plan *plan, p3d_refusal *refusal)
{
    return p3d_plan_legal(
            &problem->model, &problem->cluster, &problem->job, plan, refusal);
}

/* The rule that refuses the pinned ZeRO stage and offload by themselves, where
 * replicas alone would be legal: a search only says which rule refused a plan
 * first. */
static void refuse_states(
        const p3d_problem *problem, const p3d_pins *pins, p3d_refusal *out)
{
    p3d_plan plan = {.tp = 1, .pp = 1, .cp = 1, .ep = 1, .etp = 1, .vp = 1};
    p3d_refusal refusal;

    plan.dp = problem->cluster.n_gpus;
    plan.micro_batch = 1;
    plan.zero = problem->job.framework->usual_zero[0];
    if (!is_legal(problem, &plan, NULL))
        return;
    if (pins->offload >= 0)
        plan.offload = (p3d_offload)pins->offload;
    if (pins->zero >= 0)
        plan.zero = pins->zero;
    else if (plan.offload == P3D_OFFLOAD_OPTIMIZER_PARAMETERS)
        plan.zero = 3; /* what it needs */
    if (!is_legal(problem, &plan, &refusal))
        *out = refusal;
}

static void take_result(const p3d_search_result *found, p3d_choice *out)
{
    out->legal = found->n_plans > 0;
    if (found->n_top > 0)
        out->estimate = found->top[0];
    else if (found->have_closest)
        out->estimate = found->closest;
    if (out->legal)
        return;
    out->refusal = found->empty;
}

bool p3d_choice_search(const p3d_problem *problem, const p3d_pins *pins,
        p3d_choice *out, p3d_error *err)
{
    if (!spec_problem_given(problem) || !spec_pins_given(pins) || out == NULL)
        return p3d_misuse(err, __func__);

    p3d_search_result *found = malloc(sizeof(*found));
    bool ok;

    if (found == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    ok = p3d_search(problem, pins, 1, found, err);
    if (ok)
        take_result(found, out);
    if (ok && !out->legal)
        refuse_states(problem, pins, &out->refusal);
    free(found);
    return ok;
}

/* NULL = there is no such decision. */
static const decision_row *row_of(const char *word)
{
    int n;
    const decision_row *rows = decision_rows(&n);

    for (int i = 0; i < n; i++) {
        if (strcmp(decision_word(&rows[i]), word) == 0)
            return &rows[i];
    }
    return NULL;
}

const char *p3d_decision_print(
        const p3d_decision *decision, int value, char *buffer, size_t n)
{
    const decision_row *const row = decision != NULL && decision->word != NULL
                                            ? row_of(decision->word)
                                            : NULL;
    char words[P3D_PLAN_PART];

    if (row == NULL || buffer == NULL || n == 0)
        return "";
    snprintf(buffer, n, "%s", spec_plan_number_words(row->key, value, words));
    return buffer;
}

/* True when a plan's words say no more of a decision than its value. */
static bool says_all(p3d_plan_key key, const p3d_plan *plan)
{
    char part[P3D_PLAN_PART], value[P3D_PLAN_PART];

    return strcmp(spec_plan_value_words(plan, key, part),
                   spec_plan_number_words(
                           key, (int)spec_plan_get(plan, key), value)) == 0;
}

/* True when neither plan says a value by itself. */
static bool both_follow(
        p3d_plan_key key, const p3d_plan *first, const p3d_plan *second)
{
    const decision_row *const row = decision_row_of(key);

    return row != NULL && row->follows != NULL && row->follows(first) &&
           row->follows(second);
}

/* A list of differences that grows. */
typedef struct differences {
    const p3d_plan *first, *second;
    const char *but;
    char *buffer;
    size_t n;
} differences;

static void tell(differences *d, p3d_plan_key key)
{
    const char *const word = spec_plan_fields[key].word;
    const size_t used = strlen(d->buffer);
    char before[P3D_PLAN_PART], after[P3D_PLAN_PART];
    const char *const value = spec_plan_value_words(d->second, key, after);

    if (strcmp(spec_plan_value_words(d->first, key, before), value) == 0 ||
            both_follow(key, d->first, d->second) ||
            (d->but != NULL && strcmp(d->but, word) == 0 &&
                    says_all(key, d->second)))
        return;
    snprintf(d->buffer + used, d->n - used, "%s%s=%s", used > 0 ? "," : "",
            word, value);
}

/* Values that are no decision, but for the replicas, which the GPUs make. */
static bool is_told_last(p3d_plan_key key)
{
    return spec_plan_fields[key].word != NULL && key != P3D_KEY_dp &&
           decision_row_of(key) == NULL;
}

const char *p3d_decisions_differ(const p3d_plan *first, const p3d_plan *second,
        const char *but, char *buffer, size_t n)
{
    if (!spec_plan_words_given(first) || !spec_plan_words_given(second) ||
            buffer == NULL || n == 0)
        return "";

    int n_rows;
    const decision_row *rows = decision_rows(&n_rows);
    differences d = {first, second, but, buffer, n};

    buffer[0] = '\0';
    for (int i = 0; i < n_rows; i++)
        tell(&d, rows[i].key);
    for (int i = 0; i < P3D_N_PLAN_KEYS; i++) {
        if (is_told_last((p3d_plan_key)i))
            tell(&d, (p3d_plan_key)i);
    }
    return buffer;
}

/* Fill in the values of the decisions that have more than one. */
static int list_choices(const p3d_problem *problem, p3d_decisions *out)
{
    int n_rows, n_searches = 0;
    const decision_row *rows = decision_rows(&n_rows);

    for (int i = 0; i < n_rows; i++) {
        const int chosen = decision_value(&rows[i], &out->best.plan);
        p3d_decision *decision = NULL;
        search_divisors values = {.n = 0};

        rows[i].values(problem, &values);
        decision_values_near(&values, chosen, P3D_MAX_CHOICES);
        if (values.n < 2)
            continue;
        P3D_ASSERT(out->n < P3D_MAX_DECISIONS);
        decision = &out->decisions[out->n++];
        decision->word = decision_word(&rows[i]);
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
    spec_pins_set(&pins, row->key, choice->value);
    return p3d_choice_search(problem, &pins, choice, err);
}

bool p3d_decisions_price(const p3d_problem *problem, const p3d_estimate *best,
        p3d_progress *progress, void *context, p3d_decisions *out,
        p3d_error *err)
{
    if (!spec_problem_given(problem) || !spec_estimate_given(best) ||
            out == NULL)
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
