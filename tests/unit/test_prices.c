/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_prices.c - the values that are tried, and how differences are told. */
#include "problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan3d/decisions.h"
#include "report/answer.h"
#include "report/document.h"
#include "report/text/text.h"
#include "search/advice/decisions.h"

static search_divisors list_of(int n, const int *values)
{
    search_divisors list = {.n = n};

    memcpy(list.at, values, (size_t)n * sizeof(values[0]));
    return list;
}

static void check_list(const search_divisors *got, int n, const int *want)
{
    assert_int_equal(got->n, n);
    for (int i = 0; i < n; i++)
        assert_int_equal(got->at[i], want[i]);
}

static void a_long_list_keeps_the_first_and_the_nearest(void **state)
{
    static const int all[] = {1, 2, 4, 8, 16, 32, 64, 128};
    static const int middle[] = {1, 8, 16, 32};
    static const int low[] = {1, 2, 4, 8};
    static const int high[] = {1, 32, 64, 128};
    search_divisors list = list_of(8, all);

    (void)state;
    decision_values_near(&list, 16, 4);
    check_list(&list, 4, middle);
    list = list_of(8, all);
    decision_values_near(&list, 1, 4);
    check_list(&list, 4, low);
    list = list_of(8, all);
    decision_values_near(&list, 128, 4);
    check_list(&list, 4, high);
}

static void the_chosen_value_is_always_in_the_list(void **state)
{
    static const int all[] = {1, 2, 4, 8};
    static const int with[] = {1, 2, 3, 4, 8};
    search_divisors list = list_of(4, all);
    search_divisors none = {.n = 0};

    (void)state;
    decision_values_near(&list, 3, 6);
    check_list(&list, 5, with);
    decision_values_near(&none, 3, 6);
    assert_int_equal(none.n, 0);
}

static void values_follow_from_the_problem(void **state)
{
    static const int tp[] = {1, 2, 4, 8, 16};
    static const int ep[] = {1, 2, 4, 8};
    static const int vp[] = {1, 2, 4, 5, 8, 10, 20, 40};
    const p3d_problem dense =
            problem_of("llama-3-70b", "64xA800", "megatron-core", 0, 0);
    const p3d_problem moe =
            problem_of("mixtral-8x7b", "64xH100", "megatron-core", 0, 0);
    search_divisors list;

    (void)state;
    decision_values(decision_row_of(P3D_KEY_tp), &dense, &list);
    check_list(&list, 5, tp);
    decision_values(decision_row_of(P3D_KEY_ep), &moe, &list);
    check_list(&list, 4, ep);
    decision_values(decision_row_of(P3D_KEY_ep), &dense, &list);
    assert_int_equal(list.n, 0);
    /* 80 layers: every number of chunks that shares them out is there. */
    decision_values(decision_row_of(P3D_KEY_vp), &dense, &list);
    for (size_t i = 0; i < sizeof(vp) / sizeof(vp[0]); i++) {
        int at = 0;

        while (at < list.n && list.at[at] != vp[i])
            at++;
        assert_true(at < list.n);
    }
}

static const char *differ(const char *first, const char *second,
        const char *but, char *buffer, size_t n)
{
    const p3d_problem p =
            problem_of("mixtral-8x7b", "64xH100", "megatron-core", 0, 0);
    const p3d_plan a = problem_plan(&p, first);
    const p3d_plan b = problem_plan(&p, second);

    return p3d_decisions_differ(&a, &b, but, buffer, n);
}

static void differences_are_words_of_the_second_plan(void **state)
{
    char words[160];

    (void)state;
    assert_string_equal(
            differ("tp=4,pp=2", "tp=4,pp=2", NULL, words, sizeof(words)), "");
    assert_string_equal(differ("tp=4,pp=2,vp=2", "tp=2,pp=4,zero=0", NULL,
                                words, sizeof(words)),
            "tp=2,pp=4,vp=1,zero=0");
    /* A last stage goes with its pipeline. */
    assert_string_equal(differ("tp=4,pp=4,first=10,last=6", "tp=4,pp=1", NULL,
                                words, sizeof(words)),
            "pp=1");
    assert_string_equal(differ("tp=4,pp=2,vp=2", "tp=2,pp=4,zero=0", "pp",
                                words, sizeof(words)),
            "tp=2,vp=1,zero=0");
    /* A number of layers is more than the value "full" says. */
    assert_string_equal(differ("tp=2", "tp=2,recompute=full:3", "recompute",
                                words, sizeof(words)),
            "recompute=full:3");
    assert_string_equal(differ("tp=2", "tp=2,recompute=full", "recompute",
                                words, sizeof(words)),
            "");
    assert_string_equal(differ("tp=4,pp=2,vp=2", "tp=4,pp=2,vp=2,schedule=zb-v",
                                NULL, words, sizeof(words)),
            "schedule=zb-v");
    assert_string_equal(differ("tp=4,pp=2,vp=2,schedule=zb-v", "tp=4,pp=2",
                                NULL, words, sizeof(words)),
            "vp=1,schedule=1f1b");
    /* The experts' tensor parallelism only where it is not the usual. */
    assert_string_equal(differ("tp=2", "tp=4", "tp", words, sizeof(words)), "");
    assert_string_equal(
            differ("tp=2,ep=4", "tp=2,ep=4,etp=2", NULL, words, sizeof(words)),
            "etp=2");
}

static void the_largest_terms_are_named_first(void **state)
{
    const p3d_time more = {.gemm_s = -1.25,
            .tp_comm_s = 3.5,
            .dp_comm_s = 0.5,
            .pp_bubble_s = 0.1, /* below a twentieth of 3.5 */
            .fixed_s = 0.001};
    const p3d_time tiny = {.gemm_s = 0.04};
    p3d_text text = {0};

    (void)state;
    report_top_terms(&more, 4, report_clock_for(150), &text);
    assert_string_equal(p3d_text_get(&text),
            "tensor-parallel +3.5, GEMMs -1.2, exposed data-parallel +0.5");
    p3d_text_free(&text);
    report_top_terms(&more, 1, report_clock_for(0.5), &text);
    assert_string_equal(p3d_text_get(&text), "tensor-parallel +3500.0");
    p3d_text_free(&text);
    report_top_terms(&tiny, 4, report_clock_for(150), &text);
    assert_string_equal(p3d_text_get(&text), "");
}

static double sum_of(const p3d_time *more)
{
    double sum_s = 0;

    for (int i = 0; i < REPORT_N_TIME_TERMS; i++)
        sum_s += report_time_term_s(more, i);
    return sum_s;
}

static void the_terms_of_a_price_add_up_to_it(void **state)
{
    const p3d_problem p =
            problem_of("llama-3-8b", "16xH100", "megatron-core", 0, 0);
    const p3d_pins pins = p3d_pins_free();
    p3d_decisions *found = malloc(sizeof(*found));
    p3d_alternative best = {0};
    p3d_error err = {0};
    report_prices *prices;
    int n_prices = 0;

    (void)state;
    assert_non_null(found);
    problem_check(p3d_alternative_search(&p, &pins, &best, &err), &err);
    problem_check(
            p3d_decisions_price(&p, &best.estimate, NULL, found, &err), &err);
    prices = report_prices_create(found);
    assert_non_null(prices);
    for (int i = 0; i < prices->list.n; i++) {
        const report_choice *choices = prices->decisions[i].choices.items;

        for (int k = 0; k < prices->decisions[i].choices.n; k++) {
            const double best_s = p3d_time_step_s(&best.estimate.time);

            const double step_s =
                    p3d_time_step_s(&choices[k].found.estimate.time);

            if (isnan(choices[k].slower_frac))
                continue;
            n_prices++;
            assert_true(choices[k].slower_frac >= 0);
            assert_true(fabs(sum_of(&choices[k].more) - (step_s - best_s)) <
                        1e-9 * best_s);
            CHECK_REL(step_s, (1 + choices[k].slower_frac) * best_s, 1e-12);
        }
    }
    assert_true(n_prices >= 20);
    free(prices);
    free(found);
}

static void two_plans_are_compared_term_by_term(void **state)
{
    const report_question question = {.command = "explain",
            .model_word = "llama-3-70b",
            .cluster_word = "64xA800",
            .options = "",
            .problem = problem_of(
                    "llama-3-70b", "64xA800", "megatron-core", 0, 0)};
    report_asked pair[2] = {{.words = "a"}, {.words = "b"}};
    const report_findings findings = {.pair = pair};
    report_document *d;
    const report_comparison *c;
    int64_t more_bytes = 0;
    p3d_error err = {0};

    (void)state;
    pair[0].found.legal = pair[1].found.legal = true;
    pair[0].found.estimate =
            problem_estimate(&question.problem, "tp=8,pp=4,mbs=1,zero=1");
    pair[1].found.estimate =
            problem_estimate(&question.problem, "tp=4,pp=8,mbs=1,zero=1");
    d = report_document_create(&question, &findings, &err);
    problem_check(d != NULL, &err);
    c = &d->comparison;
    CHECK_REL(sum_of(c->more_time),
            c->second.answer->step_s - c->first.answer->step_s, 1e-9);
    for (int i = 0; i < REPORT_N_MEMORY_TERMS; i++)
        more_bytes += report_memory_term_bytes(c->more_memory, i);
    assert_int_equal(more_bytes,
            c->second.answer->peak_bytes - c->first.answer->peak_bytes);
    assert_true(report_document_fits(d));
    assert_string_equal(c->faster, c->slower_frac < 0 ? "second" : "first");
    report_document_destroy(d);

    /* One that is not legal leaves nothing to compare. */
    pair[1].found.legal = false;
    pair[1].found.refusal.rule = "E1";
    d = report_document_create(&question, &findings, &err);
    problem_check(d != NULL, &err);
    assert_null(d->comparison.second.answer);
    assert_null(d->comparison.more_time);
    assert_null(d->comparison.faster);
    assert_true(isnan(d->comparison.slower_frac));
    assert_false(report_document_fits(d));
    report_document_destroy(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_long_list_keeps_the_first_and_the_nearest),
            cmocka_unit_test(the_chosen_value_is_always_in_the_list),
            cmocka_unit_test(values_follow_from_the_problem),
            cmocka_unit_test(differences_are_words_of_the_second_plan),
            cmocka_unit_test(the_largest_terms_are_named_first),
            cmocka_unit_test(the_terms_of_a_price_add_up_to_it),
            cmocka_unit_test(two_plans_are_compared_term_by_term),
    };

    return cmocka_run_group_tests_name("prices", tests, NULL, NULL);
}
