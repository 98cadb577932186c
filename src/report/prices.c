/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prices.c - decisions with their prices, and two plans side by side. */
#include "report/prices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/terms.h"

/* Terms of one step less those of another. */
static p3d_time more_time_of(const p3d_time *a, const p3d_time *less)
{
    return (p3d_time){
#define P3D_AS_MORE(field, words) .field##_s = a->field##_s - less->field##_s,
            P3D_TIME_TERMS(P3D_AS_MORE)
#undef P3D_AS_MORE
    };
}

static p3d_memory more_memory_of(const p3d_memory *a, const p3d_memory *less)
{
    return (p3d_memory){
#define P3D_AS_MORE(field, words) \
    .field##_bytes = a->field##_bytes - less->field##_bytes,
            P3D_MEMORY_TERMS(P3D_AS_MORE)
#undef P3D_AS_MORE
    };
}

/* The term of memory that is the largest. */
static int largest_term(const p3d_memory *memory)
{
    int largest = 0;

    for (int i = 1; i < REPORT_N_MEMORY_TERMS; i++)
        if (report_memory_term_bytes(memory, i) >
                report_memory_term_bytes(memory, largest))
            largest = i;
    return largest;
}

static void put_missing(const p3d_estimate *estimate, report_choice *to)
{
    const int term = largest_term(&estimate->memory);

    if (estimate->fits)
        return;
    to->missing_bytes = report_missing_bytes(estimate);
    to->largest = report_memory_terms[term].words;
    to->largest_bytes = report_memory_term_bytes(&estimate->memory, term);
}

/* One choice; its strings and differences go to place k of the store. */
static void put_choice(const p3d_decisions *found, const p3d_decision *decision,
        struct report_choice_store *store, int k)
{
    const p3d_choice *from = &decision->choices[k];
    const p3d_estimate *estimate = &from->estimate;
    report_choice *to = &store->choices[k];

    to->chosen = from->chosen;
    to->legal = from->legal;
    to->slower_frac = nan("");
    p3d_decision_print(decision, from->value, to->value, sizeof(to->value));
    if (!from->legal) {
        to->rule = from->refusal.rule;
        to->reason = from->refusal.reason;
        return;
    }
    to->fits = estimate->fits;
    to->step_s = p3d_time_step_s(&estimate->time);
    to->peak_bytes = p3d_memory_device_bytes(&estimate->memory);
    to->words = p3d_plan_print(
            &estimate->plan, store->words[k], sizeof(store->words[k]));
    to->with = p3d_decisions_differ(&found->best.plan, &estimate->plan,
            decision->word, store->with[k], sizeof(store->with[k]));
    put_missing(estimate, to);
    if (!estimate->fits || !found->best.fits)
        return;
    store->more[k] = more_time_of(&estimate->time, &found->best.time);
    to->more = &store->more[k];
    to->slower_frac = to->step_s / p3d_time_step_s(&found->best.time) - 1;
}

report_prices *report_prices_create(const p3d_decisions *found)
{
    report_prices *prices = calloc(1, sizeof(*prices));

    if (prices == NULL)
        return NULL;
    prices->found = *found;
    for (int i = 0; i < found->n; i++) {
        const p3d_decision *decision = &prices->found.decisions[i];

        for (int k = 0; k < decision->n_choices; k++)
            put_choice(&prices->found, decision, &prices->stores[i], k);
        prices->decisions[i] = (report_decision){
                .word = decision->word,
                .doc = decision->doc,
                .choices = {prices->stores[i].choices, decision->n_choices},
        };
    }
    prices->list = (json_list){prices->decisions, found->n};
    return prices;
}

void report_compare(report_comparison *comparison, p3d_time *more_time,
        p3d_memory *more_memory)
{
    const report_answer *a = comparison->first.answer;
    const report_answer *b = comparison->second.answer;

    comparison->slower_frac = nan("");
    if (a == NULL || b == NULL)
        return;
    *more_time = more_time_of(&b->found.time, &a->found.time);
    *more_memory = more_memory_of(&b->found.memory, &a->found.memory);
    comparison->more_time = more_time;
    comparison->more_memory = more_memory;
    comparison->slower_frac = b->step_s / a->step_s - 1;
    if (a->found.fits && b->found.fits && a->step_s != b->step_s)
        comparison->faster = a->step_s < b->step_s ? "first" : "second";
}
