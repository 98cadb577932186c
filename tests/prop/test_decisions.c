/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_decisions.c - the price of a decision is what trying every plan with
 * that value gives. */
#include "problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/plan3d.h"
#include "spec/plan_words.h"

/** A model cut to a few layers, on GPUs cut to a little memory, so that every
 *  plan can be tried and some do not fit. */
typedef struct small_problem {
    const char *model, *cluster, *framework;
    int n_layers, global_batch;
    double visible_gib;
} small_problem;

/* clang-format off */
static const small_problem problems[] = {
    {"llama-2-7b",   "4xA100", "megatron-core", 6,  8, 40},
    {"llama-2-7b",   "4xA100", "megatron-core", 6,  8, 14},
    {"llama-2-7b",   "4xA100", "deepspeed",     6,  8, 12},
    {"llama-2-7b",   "2xH100", "generic",           4,  4, 12},
    {"llama-2-7b",   "8xA100", "fsdp2",         4, 16, 10},
    {"llama-2-7b",   "4xA100", "megatron-core", 6,  8, 2},
    {"mixtral-8x7b", "4xH100", "megatron-core", 2,  8, 45},
};
/* clang-format on */

static p3d_problem build(const small_problem *s)
{
    p3d_problem p = problem_of(
            s->model, s->cluster, s->framework, 2048, s->global_batch);

    p.model.n_layers = s->n_layers;
    p.cluster.gpu.visible_memory_bytes = (int64_t)(s->visible_gib * P3D_GIB);
    p.job.sure_reserve_bytes = 0;
    return p;
}

/** What a plan has of a decision; written apart from the table that is
 *  tested. */
static int value_of(const char *word, const p3d_plan *plan)
{
    const struct {
        const char *word;
        int value;
    } values[] = {
#define AS_VALUE(type, pin, member, word, kind, least, most, free, doc) \
    {word, (int)plan->member},
            P3D_PLAN_FIELDS(AS_VALUE)
#undef AS_VALUE
    };

    if (strcmp(word, "ulysses") == 0 && plan->ulysses == 0)
        return 1; /* rings */
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        if (values[i].word != NULL && strcmp(values[i].word, word) == 0)
            return values[i].value;
    }
    fail_msg("decision '%s' is not tested", word);
    return -1;
}

static p3d_estimate best_of(const p3d_problem *problem)
{
    const p3d_pins pins = p3d_pins_free();
    p3d_alternative best = {0};
    p3d_error err = {0};

    problem_check(p3d_alternative_search(problem, &pins, &best, &err), &err);
    assert_true(best.legal);
    return best.estimate;
}

/** The table of a problem; free() it. */
static p3d_decisions *price(const p3d_problem *problem)
{
    p3d_decisions *table = malloc(sizeof(*table));
    const p3d_estimate best = best_of(problem);
    p3d_error err = {0};

    assert_non_null(table);
    problem_check(p3d_decisions_price(problem, &best, NULL, table, &err), &err);
    return table;
}

/** Values that are priced; 0 = it is no decision. */
static int n_alternatives_of(const p3d_decisions *table, const char *word)
{
    for (int i = 0; i < table->n; i++) {
        if (strcmp(table->decisions[i].word, word) == 0)
            return table->decisions[i].n_alternatives;
    }
    return 0;
}

/** Every plan with one value, looked at one by one. */
static p3d_verification verify(const p3d_problem *problem,
        const p3d_decision *decision, const p3d_alternative *other)
{
    p3d_verification all = {0};
    p3d_error err = {0};
    char value[32], words[64];
    p3d_pins pins;

    p3d_decision_print(decision, other->value, value, sizeof(value));
    if (strcmp(value, "on") == 0 || strcmp(value, "off") == 0)
        snprintf(words, sizeof(words), "%s%s", other->value != 0 ? "" : "no",
                decision->word);
    else
        snprintf(words, sizeof(words), "%s=%s", decision->word, value);
    problem_check(p3d_pins_parse(words, &pins, &err), &err);
    pins.lenient = false; /* plans that really have the value */
    problem_check(p3d_verify(problem, &pins, NULL, &all, &err), &err);
    return all;
}

static void check_alternative(const p3d_problem *problem,
        const p3d_decisions *table, const p3d_decision *decision,
        const p3d_alternative *other)
{
    const p3d_verification all = verify(problem, decision, other);
    const p3d_estimate *e = &other->estimate;

    if (other->legal != (all.n_plans > 0) ||
            (other->legal && e->sure != all.have_best))
        fail_msg("%s=%d: legal %d, but %lld plans are", decision->word,
                other->value, other->legal, (long long)all.n_plans);
    if (!other->legal) {
        assert_true(other->refusal.reason[0] != '\0');
        return;
    }
    assert_int_equal(value_of(decision->word, &e->plan), other->value);
    if (e->sure) {
        assert_true(
                p3d_time_step_s(&e->time) == p3d_time_step_s(&all.best.time));
        assert_true(p3d_time_step_s(&e->time) >=
                    p3d_time_step_s(&table->best.time));
    } else {
        assert_true(p3d_estimate_margin_bytes(e) <=
                    p3d_estimate_margin_bytes(&table->best));
    }
}

/** What a table holds, to be sure that the cases are there. */
typedef struct counts {
    int n_dearer, n_misfits, n_refused;
} counts;

static void check_table(const p3d_problem *problem, counts *seen)
{
    p3d_decisions *table = price(problem);

    for (int i = 0; i < table->n; i++) {
        const p3d_decision *decision = &table->decisions[i];
        int n_chosen = 0;

        for (int k = 0; k < decision->n_alternatives; k++) {
            const p3d_alternative *other = &decision->alternatives[k];

            n_chosen += other->chosen;
            check_alternative(problem, table, decision, other);
            seen->n_refused += !other->legal;
            seen->n_misfits += other->legal && !other->estimate.fits;
            seen->n_dearer +=
                    other->legal && other->estimate.fits && !other->chosen;
        }
        assert_int_equal(n_chosen, 1);
    }
    free(table);
}

static void prices_are_what_trying_every_plan_gives(void **state)
{
    counts seen = {0};

    (void)state;
    for (size_t i = 0; i < P3D_COUNT_OF(problems); i += TEST_EVERY) {
        const p3d_problem p = build(&problems[i]);

        check_table(&p, &seen);
    }
    assert_true(seen.n_dearer >= 60 / TEST_EVERY);
    assert_true(seen.n_misfits >= 10 / TEST_EVERY);
    assert_true(seen.n_refused >= 10 / TEST_EVERY);
}

/* Of 65,536 tokens, groups of up to 8 trade heads; with four GPUs no more than
 * those. A job that says its exchange leaves nothing to decide, and shorter
 * sequences neither. */
static void groups_that_trade_heads_have_a_price(void **state)
{
    p3d_problem p =
            problem_of("llama-2-7b", "4xH100", "megatron-core", 65536, 4);
    p3d_decisions *table;
    counts seen = {0};

    (void)state;
    p.model.n_layers = 2;
    p.job.sure_reserve_bytes = 0;
    table = price(&p);
    assert_int_equal(n_alternatives_of(table, "ulysses"), 3);
    free(table);
    check_table(&p, &seen);
    p.job.fixed_cp_comm = true;
    table = price(&p);
    assert_int_equal(n_alternatives_of(table, "ulysses"), 0);
    free(table);
    p.job.fixed_cp_comm = false;
    p.job.seq_len = 8192;
    table = price(&p);
    assert_int_equal(n_alternatives_of(table, "ulysses"), 0);
    free(table);
}

/* Plans that recompute or offload more than they need are not in the list, and
 * of one kind it has the fastest alone: with a flag that is not on by itself,
 * or without. */
static bool list_has_all(const char *word)
{
    static const char *const partly[] = {
            "recompute", "offload", "vp", "mbs", "schedule"};
    const p3d_plan split = {.tp = 2, .cp = 2, .pp = 2, .dp = 2};

    for (int i = 0; i < (int)(sizeof(partly) / sizeof(partly[0])); i++) {
        if (strcmp(word, partly[i]) == 0)
            return false;
    }
    for (int i = 0; i < P3D_N_FLAGS; i++) {
        if (strcmp(word, spec_plan_fields[spec_flags[i].key].word) == 0)
            return spec_flag_usual(&split, i);
    }
    return true;
}

/* The list of the best plans is found by one search without pins. */
static void prices_agree_with_the_ranked_list(void **state)
{
    const p3d_problem p =
            problem_of("mixtral-8x7b", "64xH100", "megatron-core", 0, 0);
    p3d_search_result *list = malloc(sizeof(*list));
    const p3d_pins pins = p3d_pins_free();
    p3d_decisions *table = price(&p);
    p3d_error err = {0};
    int n_found = 0;

    (void)state;
    assert_non_null(list);
    problem_check(p3d_search(&p, &pins, P3D_MAX_TOP, list, &err), &err);
    for (int i = 0; i < table->n; i++) {
        const p3d_decision *decision = &table->decisions[i];

        for (int k = 0; k < decision->n_alternatives; k++) {
            const p3d_alternative *other = &decision->alternatives[k];
            int at = 0;

            while (at < list->n_top &&
                    value_of(decision->word, &list->top[at].plan) !=
                            other->value)
                at++;
            if (at == list->n_top)
                continue;
            n_found++;
            assert_true(other->legal && other->estimate.fits);
            assert_true(p3d_time_step_s(&other->estimate.time) <=
                        p3d_time_step_s(&list->top[at].time));
            if (list_has_all(decision->word))
                assert_true(p3d_time_step_s(&other->estimate.time) ==
                            p3d_time_step_s(&list->top[at].time));
        }
    }
    assert_true(n_found >= 15);
    free(table);
    free(list);
}

typedef struct calls {
    int n, last, n_all;
} calls;

static void note(void *context, int n_done, int n_all)
{
    calls *c = context;

    assert_int_equal(n_done, c->n);
    c->n++;
    c->last = n_done;
    c->n_all = n_all;
}

static void progress_counts_every_search(void **state)
{
    const p3d_problem p = build(&problems[0]);
    const p3d_estimate best = best_of(&p);
    p3d_decisions *table = malloc(sizeof(*table));
    p3d_error err = {0};
    calls c = {0};
    const p3d_progress progress = {note, &c};

    (void)state;
    assert_non_null(table);
    problem_check(p3d_decisions_price(&p, &best, &progress, table, &err), &err);
    assert_true(c.n > 10);
    assert_int_equal(c.last + 1, c.n_all);
    free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(prices_are_what_trying_every_plan_gives),
            cmocka_unit_test(groups_that_trade_heads_have_a_price),
            cmocka_unit_test(prices_agree_with_the_ranked_list),
            cmocka_unit_test(progress_counts_every_search),
    };

    return cmocka_run_group_tests_name("decisions", tests, NULL, NULL);
}
