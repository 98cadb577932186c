/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decisions.c - the decisions of a plan, their plausible values, and the price
 * of each: a search for each other value, all else free. */
#include "search/advice/decisions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/tasks.h"
#include "base/util.h"
#include "plan3d/decisions.h"
#include "spec/companion.h"
#include "spec/given.h"
#include "spec/legality.h"
#include "spec/plan_split.h"
#include "spec/plan_words.h"

/* The table. */

/* Drop what is above a limit. */
static void keep_until(search_divisors *values, int limit)
{
    while (values->n > 0 && values->at[values->n - 1] > limit)
        values->n--;
}

/* Up to two NVLink domains or nodes. */
static void values_of_tp(const p3d_problem *problem, search_divisors *out)
{
    const p3d_node *node = &problem->cluster.node;
    const int domain = node->gpus_per_nvlink_domain > node->gpus_per_node
                               ? node->gpus_per_nvlink_domain
                               : node->gpus_per_node;

    search_divisors_of(problem->cluster.n_gpus, out);
    keep_until(out, 2 * domain);
}

static void values_of_pp(const p3d_problem *problem, search_divisors *out)
{
    search_divisors_of(problem->cluster.n_gpus, out);
    keep_until(out, problem->model.n_layers + 2);
}

/* True when some number of pipeline ranks can hold vp chunks each. */
static bool shares_layers(
        const p3d_problem *problem, const search_divisors *ranks, int vp)
{
    for (int i = 0; i < ranks->n; i++) {
        const p3d_plan plan = {.pp = ranks->at[i], .vp = vp};
        int layers[P3D_MAX_LAYERS];

        if (plan.pp > 1 && plan.pp * vp <= P3D_MAX_LAYERS &&
                p3d_plan_split_layers(
                        &problem->model, &problem->job, &plan, layers))
            return true;
    }
    return false;
}

/* That share out the layers. */
static void values_of_vp(const p3d_problem *problem, search_divisors *out)
{
    search_divisors ranks;

    values_of_pp(problem, &ranks);
    out->n = 0;
    for (int vp = 1; vp <= (problem->model.n_layers + 2) / 2; vp++) {
        if (out->n < SEARCH_MAX_DIVISORS && shares_layers(problem, &ranks, vp))
            out->at[out->n++] = vp;
    }
}

static void divisors_of_gpus(const p3d_problem *problem, search_divisors *out)
{
    search_divisors_of(problem->cluster.n_gpus, out);
}

static void values_of_ep(const p3d_problem *problem, search_divisors *out)
{
    out->n = 0;
    if (problem->model.n_experts > 0)
        search_divisors_of(problem->model.n_experts, out);
}

/* 1 and those of tp. */
static void values_of_etp(const p3d_problem *problem, search_divisors *out)
{
    if (problem->model.n_experts > 0)
        values_of_tp(problem, out);
}

/* Rings alone, and groups that a search tries by itself. */
static void values_of_ulysses(const p3d_problem *problem, search_divisors *out)
{
    search_divisors_of(problem->cluster.n_gpus, out);
    keep_until(out, space_most_heads(problem));
}

static void values_of_flag(const p3d_problem *problem, search_divisors *out)
{
    out->n = problem->cluster.n_gpus > 1 ? 2 : 0;
    out->at[0] = 0;
    out->at[1] = 1;
}

static void divisors_of_batch(const p3d_problem *problem, search_divisors *out)
{
    search_divisors_of(problem->job.global_batch, out);
}

/* That the framework has. */
static void offered_schedules(const p3d_problem *problem, search_divisors *out)
{
    const p3d_job *job = &problem->job;

    out->n = 0;
    for (int s = 0; s < P3D_N_SCHEDULES; s++) {
        if (p3d_schedule_offered((p3d_schedule)s, job->framework) &&
                spec_schedule_searched((p3d_schedule)s) &&
                (job->asynchronous || p3d_schedule_flushes((p3d_schedule)s)))
            out->at[out->n++] = s;
    }
}

static bool etp_follows(const p3d_plan *plan)
{
    return plan->etp == (plan->ep > 1 ? 1 : plan->tp);
}

#define AS_FOLLOWS(member, off, title, needs, usual)                     \
    static bool member##_follows(const p3d_plan *plan)                   \
    {                                                                    \
        return plan->member == spec_flag_usual(plan, P3D_FLAG_##member); \
    }
P3D_PLAN_FLAGS(AS_FOLLOWS)
#undef AS_FOLLOWS

/* Usual for the number of chunks, or for want of a pipeline. */
static bool schedule_follows(const p3d_plan *plan)
{
    return plan->schedule == (plan->vp > 1 ? P3D_INTERLEAVED : P3D_1F1B);
}

/* clang-format off */
static const decision_row rows[] = {
    {P3D_KEY_tp, "tensor-parallel ranks", 0, values_of_tp, NULL},
    {P3D_KEY_pp, "pipeline ranks", 0, values_of_pp, NULL},
    {P3D_KEY_vp, "chunks of a pipeline rank", 0, values_of_vp, NULL},
    {P3D_KEY_cp, "context-parallel ranks", 0, divisors_of_gpus, NULL},
    {P3D_KEY_ulysses, "context-parallel ranks that exchange heads", 0,
        values_of_ulysses, NULL},
    {P3D_KEY_ep, "expert-parallel ranks", 0, values_of_ep, NULL},
    {P3D_KEY_etp, "tensor-parallel ranks of an expert", 0, values_of_etp,
        etp_follows},
    {P3D_KEY_micro_batch, "sequences of a micro-batch", 0, divisors_of_batch,
        NULL},
    {P3D_KEY_zero, "ZeRO stage", 4, NULL, NULL},
    {P3D_KEY_recompute, "recomputation of activations", P3D_N_RECOMPUTES, NULL,
        NULL},
    {P3D_KEY_offload, "states in host memory", P3D_N_OFFLOADS, NULL, NULL},
    {P3D_KEY_schedule, "pipeline schedule", 0, offered_schedules,
        schedule_follows},
#define AS_DECISION(member, off, title, needs, usual) \
    {P3D_KEY_##member, title, 0, values_of_flag, member##_follows},
    P3D_PLAN_FLAGS(AS_DECISION)
#undef AS_DECISION
};
/* clang-format on */

const decision_row *decision_rows(int *n)
{
    *n = P3D_COUNT_OF(rows);
    return rows;
}

const decision_row *decision_row_of(spec_plan_key key)
{
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        if (rows[i].key == key)
            return &rows[i];
    }
    return NULL;
}

void decision_values(const decision_row *row, const p3d_problem *problem,
        search_divisors *out)
{
    out->n = 0;
    if (row->values != NULL)
        row->values(problem, out);
    for (int i = 0; i < row->n_values; i++)
        out->at[out->n++] = i;
}

/* Place of a value, which is put there where it is missing. */
static int place_of(search_divisors *values, int value)
{
    int at = 0;

    while (at < values->n && values->at[at] < value)
        at++;
    if (at < values->n && values->at[at] == value)
        return at;
    P3D_ASSERT(values->n < SEARCH_MAX_DIVISORS);
    memmove(&values->at[at + 1], &values->at[at],
            (size_t)(values->n - at) * sizeof(values->at[0]));
    values->at[at] = value;
    values->n++;
    return at;
}

void decision_values_near(search_divisors *values, int chosen, int most)
{
    int first, at;

    if (values->n == 0)
        return;
    at = place_of(values, chosen);
    if (values->n <= most)
        return;
    /* The first value and most - 1 around the chosen one. */
    first = at - (most - 1) / 2;
    if (first > values->n - (most - 1))
        first = values->n - (most - 1);
    if (first < 1)
        first = 1;
    memmove(&values->at[1], &values->at[first],
            (size_t)(most - 1) * sizeof(values->at[0]));
    values->n = most;
}

/* As many replicas as the plan's GPUs make; 0 where they do not divide. */
static int replicas(const p3d_plan *plan, const p3d_plan *next)
{
    const int n_gpus = plan->tp * plan->cp * plan->pp * plan->dp;
    const int64_t each = (int64_t)next->tp * next->cp * next->pp;

    return n_gpus % each == 0 ? (int)(n_gpus / each) : 0;
}

/* Chunks and their schedule, where one of them or the ranks were changed. */
static void follow_pipeline(const p3d_plan *plan, p3d_plan *next)
{
    const int chunks = p3d_schedule_chunks(next->schedule);

    if (next->pp == plan->pp && next->vp == plan->vp &&
            next->schedule == plan->schedule)
        return;
    if (next->pp == 1) {
        next->vp = 1;
        next->schedule = P3D_1F1B;
    } else if (next->schedule != plan->schedule && chunks > 0) {
        next->vp = chunks;
    } else if (schedule_follows(plan)) {
        next->schedule = next->vp > 1 ? P3D_INTERLEAVED : P3D_1F1B;
    }
    if (next->pp != plan->pp || next->vp != plan->vp)
        spec_split_usually(next);
}

p3d_plan decision_change(
        const p3d_plan *plan, const decision_row *row, int value)
{
    p3d_plan next = *plan;

    spec_plan_set(&next, row->key, value);
    next.dp = replicas(plan, &next);
    if (etp_follows(plan))
        next.etp = next.ep > 1 ? 1 : next.tp;
    else if (plan->etp == plan->tp)
        next.etp = next.tp;
    for (int i = 0; i < P3D_N_FLAGS; i++) {
        if (spec_plan_get(plan, spec_flags[i].key) == spec_flag_usual(plan, i))
            spec_flag_follow(&next, i);
    }
    follow_pipeline(plan, &next);
    spec_plan_set(&next, row->key, value);
    return next;
}

/* Prices. */

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
    plan.micro_batch = spec_least_micro_batch(&problem->job);
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

static void take_result(const p3d_search_result *found, p3d_alternative *out)
{
    out->legal = found->n_plans > 0;
    if (found->n_top > 0)
        out->estimate = found->top[0];
    else if (found->have_closest)
        out->estimate = found->closest;
    if (!out->legal)
        out->refusal = found->empty;
}

bool p3d_alternative_search(const p3d_problem *problem, const p3d_pins *pins,
        p3d_alternative *out, p3d_error *err)
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

static const char *word_of(const decision_row *row)
{
    return spec_plan_fields[row->key].word;
}

/* NULL = there is no such decision. */
static const decision_row *row_of(const char *word)
{
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        if (strcmp(word_of(&rows[i]), word) == 0)
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
static bool says_all(spec_plan_key key, const p3d_plan *plan)
{
    char part[P3D_PLAN_PART], value[P3D_PLAN_PART];

    return strcmp(spec_plan_value_words(plan, key, part),
                   spec_plan_number_words(
                           key, (int)spec_plan_get(plan, key), value)) == 0;
}

/* True when neither plan says a value by itself. */
static bool both_follow(
        spec_plan_key key, const p3d_plan *first, const p3d_plan *second)
{
    const decision_row *const row = decision_row_of(key);

    return row != NULL && row->follows != NULL && row->follows(first) &&
           row->follows(second);
}

/* Numbers of layers at the ends of a pipeline are gone with it. */
static bool goes_with_pipeline(spec_plan_key key, const p3d_plan *second)
{
    return second->pp == 1 &&
           (key == P3D_KEY_first_layers || key == P3D_KEY_last_layers ||
                   key == P3D_KEY_short_chunk);
}

/* A list of differences that grows. */
typedef struct differences {
    const p3d_plan *first, *second;
    const char *but;
    char *buffer;
    size_t n;
} differences;

static void tell(differences *d, spec_plan_key key)
{
    const char *const word = spec_plan_fields[key].word;
    const size_t used = strlen(d->buffer);
    char before[P3D_PLAN_PART], after[P3D_PLAN_PART];
    const char *const value = spec_plan_value_words(d->second, key, after);

    if (strcmp(spec_plan_value_words(d->first, key, before), value) == 0 ||
            both_follow(key, d->first, d->second) ||
            goes_with_pipeline(key, d->second) ||
            (d->but != NULL && strcmp(d->but, word) == 0 &&
                    says_all(key, d->second)))
        return;
    snprintf(d->buffer + used, d->n - used, "%s%s=%s", used > 0 ? "," : "",
            word, value);
}

/* Values that are no decision, but for the replicas, which the GPUs make. */
static bool is_told_last(spec_plan_key key)
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

    differences d = {first, second, but, buffer, n};

    buffer[0] = '\0';
    for (int i = 0; i < P3D_COUNT_OF(rows); i++)
        tell(&d, rows[i].key);
    for (int i = 0; i < P3D_N_PLAN_KEYS; i++) {
        if (is_told_last((spec_plan_key)i))
            tell(&d, (spec_plan_key)i);
    }
    return buffer;
}

/* The value that a plan has. What it leaves to the job is said. */
static int value_in(const p3d_problem *problem, const p3d_estimate *best,
        const decision_row *row)
{
    return row->key == P3D_KEY_ulysses
                   ? p3d_plan_head_ranks(&problem->job, &best->plan)
                   : (int)spec_plan_get(&best->plan, row->key);
}

/* Fill in the values of the decisions that have more than one. */
static void list_alternatives(const p3d_problem *problem, p3d_decisions *out)
{
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        const int chosen = value_in(problem, &out->best, &rows[i]);
        p3d_decision *decision = NULL;
        search_divisors values;

        decision_values(&rows[i], problem, &values);
        decision_values_near(&values, chosen, P3D_MAX_ALTERNATIVES);
        if (values.n < 2)
            continue;
        P3D_ASSERT(out->n < P3D_MAX_DECISIONS);
        decision = &out->decisions[out->n++];
        decision->word = word_of(&rows[i]);
        decision->doc = rows[i].doc;
        decision->n_alternatives = values.n;
        for (int k = 0; k < values.n; k++) {
            decision->alternatives[k].value = values.at[k];
            decision->alternatives[k].chosen = values.at[k] == chosen;
        }
    }
}

static bool search_alternative(const p3d_problem *problem, const char *word,
        p3d_alternative *other, p3d_error *err)
{
    const decision_row *const row = row_of(word);
    p3d_pins pins = p3d_pins_free();

    P3D_ASSERT(row != NULL);
    spec_pins_set(&pins, row->key, other->value);
    return p3d_alternative_search(problem, &pins, other, err);
}

/* The searches of all values but the chosen ones. */
typedef struct price_task {
    const char *word; /* of the decision */
    int decision;     /* index */
    p3d_alternative *other;
    bool is_whole; /* nobody asked to stop meanwhile */
    bool failed;
} price_task;

typedef struct price_tasks {
    const p3d_problem *problem;
    const p3d_progress *progress;
    p3d_decisions *out;
    int n;
    bool failed;
    price_task at[P3D_MAX_DECISIONS * P3D_MAX_ALTERNATIVES];
} price_tasks;

static bool begin_price(void *context, int64_t i)
{
    const price_tasks *const t = context;

    if (t->progress != NULL)
        t->progress->tell(t->progress->context, (int)i, t->n);
    return true;
}

static void find_price(void *context, int64_t i, int thread)
{
    price_tasks *const t = context;
    price_task *const task = &t->at[i];

    (void)thread;
    task->failed =
            !search_alternative(t->problem, task->word, task->other, NULL);
    task->is_whole = !p3d_stopped();
}

/* Without the decision that is not whole, and the next ones. */
static bool take_price(void *context, int64_t i)
{
    price_tasks *const t = context;
    const price_task *const task = &t->at[i];

    t->failed = task->failed;
    if (!task->is_whole)
        t->out->n = task->decision;
    return !task->failed && task->is_whole;
}

static void list_prices(price_tasks *t)
{
    for (int i = 0; i < t->out->n; i++) {
        p3d_decision *const decision = &t->out->decisions[i];

        for (int k = 0; k < decision->n_alternatives; k++) {
            p3d_alternative *const other = &decision->alternatives[k];

            if (other->chosen) {
                other->legal = true;
                other->estimate = t->out->best;
                continue;
            }
            t->at[t->n++] = (price_task){
                    .word = decision->word, .decision = i, .other = other};
        }
    }
}

bool p3d_decisions_price(const p3d_problem *problem, const p3d_estimate *best,
        const p3d_progress *progress, p3d_decisions *out, p3d_error *err)
{
    if (!spec_problem_given(problem) || !spec_estimate_given(best) ||
            out == NULL)
        return p3d_misuse(err, __func__);

    price_tasks t = {.problem = problem, .progress = progress, .out = out};

    memset(out, 0, sizeof(*out));
    out->best = *best;
    list_alternatives(problem, out);
    list_prices(&t);
    p3d_tasks_run(&(p3d_tasks){.n = t.n,
            .n_threads = p3d_threads_for(t.n),
            .context = &t,
            .begin = begin_price,
            .work = find_price,
            .take = take_price});
    return !t.failed || p3d_fail(err, P3D_SYSTEM, "out of memory");
}
