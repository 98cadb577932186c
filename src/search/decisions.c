/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decisions.c - the price of each decision: a search for each other value. */
#include "plan3d/decisions.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "search/decision_values.h"

/* A decision: where its pin is, what a plan has, what may be tried. */
typedef struct decision_row {
    const char *word;
    const char *doc;
    size_t pin; /* offset in p3d_pins; not used without values */
    int (*of)(const p3d_plan *plan);
    decision_values *values; /* NULL = told where it differs, not priced */
    const char *(*name)(int value); /* NULL = a number */
    const char *(*print)(const p3d_plan *plan, char out[P3D_PLAN_PART]);
    bool (*follows)(const p3d_plan *plan); /* from the plan's other values */
} decision_row;

#define VALUE_OF(field)                         \
    static int field##_of(const p3d_plan *plan) \
    {                                           \
        return (int)plan->field;                \
    }
VALUE_OF(tp)
VALUE_OF(pp)
VALUE_OF(vp)
VALUE_OF(cp)
VALUE_OF(ep)
VALUE_OF(etp)
VALUE_OF(micro_batch)
VALUE_OF(zero)
VALUE_OF(recompute)
VALUE_OF(offload)
VALUE_OF(schedule)
VALUE_OF(sequence_parallel)
VALUE_OF(shard)
VALUE_OF(order)
VALUE_OF(first_layers)
VALUE_OF(last_layers)
VALUE_OF(uneven)
#undef VALUE_OF

static bool etp_follows(const p3d_plan *plan)
{
    return plan->etp == (plan->ep > 1 ? 1 : plan->tp);
}

static const char *recompute_name(int value)
{
    return p3d_recompute_name((p3d_recompute)value);
}

static const char *schedule_name(int value)
{
    return p3d_schedule_name((p3d_schedule)value);
}

static const char *order_name(int value)
{
    return p3d_order_name((p3d_order)value);
}

static const char *switch_name(int value)
{
    return value != 0 ? "on" : "off";
}

/* Without tensor parallelism there is nothing to split. */
static bool sp_follows(const p3d_plan *plan)
{
    return plan->sequence_parallel == (plan->tp > 1);
}

/* Usual for the number of chunks, or for want of a pipeline. */
static bool schedule_follows(const p3d_plan *plan)
{
    return plan->schedule == (plan->vp > 1 ? P3D_INTERLEAVED : P3D_1F1B);
}

static const char *offload_name(int value)
{
    return p3d_offload_name((p3d_offload)value);
}

/* clang-format off */
/* In a plan as a number. */
#define NUMBER_ROW(field, word, doc, values, follows)                         \
    {word, doc, offsetof(p3d_pins, field), field##_of,                        \
     decision_values_##values, NULL, NULL, follows}
/* In a plan as a word, which may say more than the value does. */
#define WORD_ROW(field, doc)                                                  \
    {#field, doc, offsetof(p3d_pins, field), field##_of,                      \
     decision_values_##field, field##_name, p3d_print_##field, NULL}
/* Told where plans differ, not priced: a search does not pin it. */
#define TOLD_ROW(field, word, name, follows)                                  \
    {word, "", 0, field##_of, NULL, name, NULL, follows}

static const decision_row rows[] = {
    NUMBER_ROW(tp,   "tp",   "tensor-parallel ranks",       tp,   NULL),
    NUMBER_ROW(pp,   "pp",   "pipeline ranks",              pp,   NULL),
    NUMBER_ROW(vp,   "vp",   "chunks of a pipeline rank",   vp,   NULL),
    NUMBER_ROW(cp,   "cp",   "context-parallel ranks",      cp,   NULL),
    NUMBER_ROW(ep,   "ep",   "expert-parallel ranks",       ep,   NULL),
    NUMBER_ROW(etp,  "etp",  "tensor-parallel ranks of an expert",
                                                            etp,  etp_follows),
    NUMBER_ROW(micro_batch,
                     "mbs",  "sequences of a micro-batch",  mbs,  NULL),
    NUMBER_ROW(zero, "zero", "ZeRO stage",                  zero, NULL),
    WORD_ROW(recompute,      "recomputation of activations"),
    WORD_ROW(offload,        "states in host memory"),
    {"schedule", "pipeline schedule", offsetof(p3d_pins, schedule),
     schedule_of, decision_values_schedule, schedule_name, NULL,
     schedule_follows},
    {"sp", "sequence parallelism", offsetof(p3d_pins, sequence_parallel),
     sequence_parallel_of, decision_values_sp, switch_name, NULL, sp_follows},
    TOLD_ROW(shard,        "shard",  NULL,        NULL),
    TOLD_ROW(order,        "order",  order_name,  NULL),
    TOLD_ROW(first_layers, "first",  NULL,        NULL),
    TOLD_ROW(last_layers,  "last",   NULL,        NULL),
    TOLD_ROW(uneven,       "uneven", switch_name, NULL),
};
/* clang-format on */

static const decision_row *row_of(const char *word)
{
    int i = 0;

    while (strcmp(rows[i].word, word) != 0) {
        i++;
        P3D_ASSERT(i < P3D_COUNT_OF(rows));
    }
    return &rows[i];
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
    return print_value(row_of(decision->word), value, buffer, n);
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
    buffer[0] = '\0';
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
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
    int n_searches = 0;

    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
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
    p3d_pins pins = p3d_pins_free();

    memcpy((char *)&pins + row_of(word)->pin, &choice->value,
            sizeof(choice->value));
    return p3d_choice_search(problem, &pins, choice, err);
}

bool p3d_decisions_price(const p3d_problem *problem, const p3d_estimate *best,
        p3d_progress *progress, void *context, p3d_decisions *out,
        p3d_error *err)
{
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
        }
    }
    return true;
}
