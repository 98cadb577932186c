/* SPDX-License-Identifier: GPL-3.0-or-later */
/* document.c - gathers everything that a command prints. */
#include "report/document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/util.h"
#include "report/answer.h"

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

int report_largest_term(const p3d_memory *memory)
{
    int largest = 0;

    for (int i = 1; i < REPORT_N_MEMORY_TERMS; i++)
        if (report_memory_term_bytes(memory, i) >
                report_memory_term_bytes(memory, largest))
            largest = i;
    return largest;
}

static report_choice choice_of(const p3d_estimate *best,
        const p3d_decision *decision, const p3d_alternative *found)
{
    const p3d_estimate *const estimate = &found->estimate;
    report_choice to = {.found = *found, .slower_frac = nan("")};

    p3d_decision_print(decision, found->value, to.value, sizeof(to.value));
    if (!found->legal)
        return to;
    p3d_plan_print(&estimate->plan, to.words, sizeof(to.words));
    p3d_decisions_differ(&best->plan, &estimate->plan, decision->word, to.with,
            sizeof(to.with));
    to.more = more_time_of(&estimate->time, &best->time);
    if (estimate->fits && best->fits)
        to.slower_frac = p3d_time_step_s(&estimate->time) /
                                 p3d_time_step_s(&best->time) -
                         1;
    return to;
}

report_prices *report_prices_create(const p3d_decisions *found)
{
    report_prices *prices = calloc(1, sizeof(*prices));

    if (prices == NULL)
        return NULL;
    for (int i = 0; i < found->n; i++) {
        const p3d_decision *const of = &found->decisions[i];

        for (int k = 0; k < of->n_alternatives; k++)
            prices->choices[i][k] =
                    choice_of(&found->best, of, &of->alternatives[k]);
        prices->decisions[i] = (report_decision){
                of->word, of->doc, {prices->choices[i], of->n_alternatives}};
    }
    prices->list = (json_list){prices->decisions, found->n};
    return prices;
}

/* What follows from the two answers. @param more_time, more_memory  storage of
 * what *comparison points to */
static void compare(report_comparison *comparison, p3d_time *more_time,
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

/* Add an answer to the document's storage; NULL when memory ran out. */
static const report_answer *add_answer(
        report_document *d, const p3d_estimate *estimate, p3d_error *err)
{
    report_answer *answer = &d->answers[d->n_answers];

    P3D_ASSERT(d->n_answers < P3D_COUNT_OF(d->answers));
    if (!report_answer_build(&d->question.problem, estimate, answer, err))
        return NULL;
    d->n_answers++;
    return answer;
}

static bool add_search(
        report_document *d, const p3d_search_result *found, p3d_error *err)
{
    d->search = *found;
    d->fits = found->n_top > 0;
    for (int i = 0; i < found->n_top; i++) {
        report_answer *answer = &d->answers[d->n_answers];

        if (add_answer(d, &found->top[i], err) == NULL)
            return false;
        if (i > 0) {
            answer->growth =
                    report_growth_of(&found->top[i].time, &found->top[0].time);
            answer->why_not_first = report_growth_words(&answer->growth,
                    report_time_terms[answer->growth.term].words, answer->why,
                    sizeof(answer->why));
        }
    }
    d->plans = (json_list){d->answers, d->n_answers};
    d->best = d->fits ? &d->answers[0] : NULL;
    d->verdict = d->fits ? d->best->verdict : P3D_VERDICT_DOES_NOT_FIT;
    if (!d->fits && found->have_closest) {
        d->closest = add_answer(d, &found->closest, err);
        if (d->closest == NULL)
            return false;
    }
    d->fit_probability_frac = d->fits ? d->best->fit_probability_frac
                              : d->closest != NULL
                                      ? d->closest->fit_probability_frac
                                      : 0;
    return true;
}

/** The plans to choose from. */
static bool add_recommendation(
        report_document *d, const p3d_recommendation *found, p3d_error *err)
{
    if (found->verdict == P3D_VERDICT_DOES_NOT_FIT)
        return true;
    d->recommended = add_answer(d, &found->recommended, err);
    d->fastest =
            d->recommended != NULL ? add_answer(d, &found->fastest, err) : NULL;
    d->roomiest =
            d->fastest != NULL ? add_answer(d, &found->roomiest, err) : NULL;
    if (d->roomiest != NULL && found->have_usual)
        d->usual = add_answer(d, &found->usual, err);
    return d->roomiest != NULL && (!found->have_usual || d->usual != NULL);
}

static void add_verified(report_document *d, const report_findings *found)
{
    const report_check *const check = found->verified;

    d->check = (report_verified){.found = check->fastest,
            .interrupted = check->fastest.interrupted ||
                           check->recommended.interrupted,
            .seconds = check->fastest.seconds + check->recommended.seconds,
            .agrees = p3d_recommendation_agrees(&d->question.problem,
                    found->recommendation, found->search->n_plans,
                    &check->fastest, &check->recommended)};
    d->verified = &d->check;
}

static void add_changes(report_document *d, const report_findings *found)
{
    for (int i = 0; i < found->n_changes; i++)
        d->remedy_items[i] = found->changes[i];
    d->changes = (json_list){d->remedy_items, found->n_changes};
    d->smallest_cluster_gpus = found->smallest_cluster_gpus;
}

static bool add_walk(report_document *d, const p3d_advice *walk, p3d_error *err)
{
    for (int i = 0; i < walk->n_steps; i++)
        d->step_items[i] =
                (report_step){i + 1, d->cluster->n_gpus, walk->steps[i]};
    d->steps = (json_list){d->step_items, walk->n_steps};
    d->exact_best = d->best;
    d->gap_frac = nan("");
    if (walk->best < 0)
        return true;
    d->fits = true;
    d->answer = add_answer(d, &walk->steps[walk->best].estimate, err);
    if (d->answer != NULL && d->exact_best != NULL)
        d->gap_frac = d->answer->step_s / d->exact_best->step_s - 1;
    return d->answer != NULL;
}

/* A line and its place in the estimate: qsort() alone keeps no order. */
typedef struct placed_item {
    p3d_memory_item item;
    int place;
} placed_item;

/* Lines of one term next to each other, the largest first; of equal ones the
 * one that was listed first. */
static int compare_items(const void *a, const void *b)
{
    const placed_item *x = a, *y = b;

    if (x->item.term != y->item.term)
        return x->item.term - y->item.term;
    if (x->item.bytes != y->item.bytes)
        return x->item.bytes < y->item.bytes ? 1 : -1;
    return x->place - y->place;
}

static bool sort_items(p3d_memory_item *items, int n)
{
    placed_item *const placed = malloc(((size_t)n + 1) * sizeof(*placed));

    if (placed == NULL)
        return false;
    for (int i = 0; i < n; i++)
        placed[i] = (placed_item){items[i], i};
    qsort(placed, (size_t)n, sizeof(*placed), compare_items);
    for (int i = 0; i < n; i++)
        items[i] = placed[i].item;
    free(placed);
    return true;
}

static bool add_items(
        report_document *d, const p3d_estimate *estimate, p3d_error *err)
{
    const int n = p3d_estimate_items(&d->question.problem, &estimate->plan,
            estimate->tight_stage, d->item_lines);

    d->items = (json_list){d->item_lines, n};
    return sort_items(d->item_lines, n) ||
           p3d_fail(err, P3D_SYSTEM, "out of memory");
}

static bool add_sensitivity(
        report_document *d, const p3d_sensitivity *found, p3d_error *err)
{
    d->judged = malloc(sizeof(*d->judged));
    if (d->judged == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    report_sensitivity_build(found, d->judged);
    d->sensitivity = d->judged;
    return true;
}

static bool add_decisions(
        report_document *d, const p3d_decisions *decisions, p3d_error *err)
{
    d->prices = report_prices_create(decisions);
    if (d->prices == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    d->decisions = d->prices->list;
    return true;
}

static bool add_side(report_document *d, const report_asked *asked,
        report_side *side, p3d_error *err)
{
    side->asked = asked->words;
    side->is_search = asked->is_search;
    if (asked->found.legal) {
        side->answer = add_answer(d, &asked->found.estimate, err);
        return side->answer != NULL;
    }
    side->rule = asked->found.refusal.rule;
    side->reason = asked->found.refusal.reason;
    return true;
}

static bool add_pair(
        report_document *d, const report_asked *pair, p3d_error *err)
{
    report_comparison *c = &d->comparison;

    if (!add_side(d, &pair[0], &c->first, err) ||
            !add_side(d, &pair[1], &c->second, err))
        return false;
    compare(c, &d->more_time, &d->more_memory);
    d->fits = c->first.answer != NULL && c->first.answer->found.fits &&
              c->second.answer != NULL && c->second.answer->found.fits;
    return true;
}

/* The measured runs that are nearest to the plan that the answer is about. */
static bool add_evidence(report_document *d, p3d_error *err)
{
    const report_answer *const of = d->estimate != NULL ? d->estimate
                                    : d->best != NULL   ? d->best
                                                        : d->closest;
    p3d_evidence *const found = &d->measured;

    if (of == NULL)
        return true;
    if (!p3d_evidence_find(
                NULL, &d->question.problem, &of->found.plan, found, err))
        return false;
    d->nearest = (json_list){found->nearest, found->n};
    d->evidence = (json_list){found->nearest, found->n_near < P3D_SHOWN_EVIDENCE
                                                      ? found->n_near
                                                      : P3D_SHOWN_EVIDENCE};
    return true;
}

static int count_lines(const char *text)
{
    int n = 0;

    for (; *text != '\0'; text++)
        n += *text == '\n';
    return n;
}

/* Lines of a text into a list. @return the place behind its last one */
static char (*fill(
        const char *text, char (*lines)[JSON_LINE], json_list *list))[JSON_LINE]
{
    list->items = lines;
    list->n = 0;
    while (*text != '\0') {
        const size_t n = strcspn(text, "\n");
        char line[JSON_LINE];

        line[0] = '\0';
        strncat(line, text, n < sizeof(line) - 1 ? n : sizeof(line) - 1);
        (void)p3d_show(lines[list->n++], JSON_LINE, line);
        text += n + (text[n] == '\n');
    }
    return lines + list->n;
}

static bool add_lines(
        report_read *to, const report_launch *launch, p3d_error *err)
{
    const int n =
            count_lines(launch->scope) + count_lines(launch->defaults) +
            count_lines(launch->unknown) + count_lines(launch->unmodelled) +
            count_lines(launch->unresolved) + count_lines(launch->doubtful) +
            count_lines(launch->contradicted);
    char(*at)[JSON_LINE];

    to->lines = calloc((size_t)n + 1, sizeof(*to->lines));
    if (to->lines == NULL)
        return p3d_fail(err, P3D_SYSTEM, "out of memory");
    at = fill(launch->scope, to->lines, &to->scope);
    at = fill(launch->defaults, at, &to->defaults);
    at = fill(launch->unknown, at, &to->unknown);
    at = fill(launch->unmodelled, at, &to->unmodelled);
    at = fill(launch->unresolved, at, &to->unresolved);
    at = fill(launch->doubtful, at, &to->doubtful);
    (void)fill(launch->contradicted, at, &to->contradicted);
    return true;
}

/* What was read of a launch, and how far its plan is from the best. */
static bool add_launch(
        report_document *d, const report_launch *launch, p3d_error *err)
{
    report_read *const to = &d->launch;
    report_growth growth;

    to->files = *launch;
    to->error_frac = launch->measured_step_s > 0
                             ? d->estimate->step_s / launch->measured_step_s - 1
                             : nan("");
    d->exact_best = d->best;
    d->gap_frac = nan("");
    if (d->best != NULL) {
        d->gap_frac = d->estimate->step_s / d->best->step_s - 1;
        growth = report_growth_of(
                &d->estimate->found.time, &d->best->found.time);
        to->slower_by = report_growth_words(&growth,
                report_time_terms[growth.term].words, to->slower_words,
                sizeof(to->slower_words));
    }
    return add_lines(to, launch, err);
}

/* What single changes of the estimate gain. */
static void add_single(
        report_document *d, const p3d_single_change *changes, int n_changes)
{
    const p3d_plan *const plan = &d->estimate->found.plan;

    for (int i = 0; i < n_changes; i++) {
        report_single *const to = &d->single_items[i];

        to->made = changes[i];
        to->from_step_s = d->estimate->step_s;
        to->fit_probability_frac = report_fit_probability_frac(
                &d->question.problem, &to->made.estimate);
        if (changes[i].is_option)
            p3d_copy(to->change, sizeof(to->change), changes[i].word);
        else
            p3d_decisions_differ(plan, &changes[i].estimate.plan, NULL,
                    to->change, sizeof(to->change));
    }
    d->single_changes = (json_list){d->single_items, n_changes};
}

static bool add_findings(
        report_document *d, const report_findings *found, p3d_error *err)
{
    if (found->search != NULL && !add_search(d, found->search, err))
        return false;
    if (found->recommendation != NULL &&
            !add_recommendation(d, found->recommendation, err))
        return false;
    if (found->walk != NULL && !add_walk(d, found->walk, err))
        return false;
    if (found->estimate != NULL) {
        d->estimate = add_answer(d, found->estimate, err);
        if (d->estimate == NULL)
            return false;
        d->fits = d->estimate->found.fits;
        d->verdict = d->estimate->verdict;
        d->fit_probability_frac = d->estimate->fit_probability_frac;
        if (found->explain && !add_items(d, found->estimate, err))
            return false;
        if (found->budget != NULL)
            d->budget = *found->budget;
        if (found->network != NULL)
            d->network = *found->network;
        d->errors = (json_list){d->budget.terms, P3D_N_ERRORS};
    }
    if (found->decisions != NULL && !add_decisions(d, found->decisions, err))
        return false;
    if (found->pair != NULL && !add_pair(d, found->pair, err))
        return false;
    add_changes(d, found);
    if (found->verified != NULL)
        add_verified(d, found);
    if (found->n_single > 0)
        add_single(d, found->single, found->n_single);
    if (found->launch != NULL && !add_launch(d, found->launch, err))
        return false;
    return found->sensitivity == NULL ||
           add_sensitivity(d, found->sensitivity, err);
}

report_document *report_document_create(const report_question *question,
        const report_findings *findings, p3d_error *err)
{
    report_document *d = calloc(1, sizeof(*d));

    if (d == NULL) {
        p3d_fail(err, P3D_SYSTEM, "out of memory");
        return NULL;
    }
    d->question = *question;
    d->model = &d->question.problem.model;
    d->cluster = &d->question.problem.cluster;
    d->job = &d->question.problem.job;
    if (!add_findings(d, findings, err) || !add_evidence(d, err)) {
        report_document_destroy(d);
        return NULL;
    }
    d->assumed = (json_list){
            d->assumed_lines, report_assume(d, (p3d_style){.lang = P3D_ENGLISH},
                                      d->assumed_lines)};
    return d;
}

void report_document_destroy(report_document *document)
{
    if (document == NULL)
        return;
    for (int i = 0; i < document->n_answers; i++)
        report_answer_free(&document->answers[i]);
    p3d_evidence_free(&document->measured);
    free(document->judged);
    free(document->prices);
    free(document->launch.lines);
    free(document);
}

bool report_document_fits(const report_document *document)
{
    return document->fits;
}
