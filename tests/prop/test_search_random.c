/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_search_random.c - on random problems of every framework the search finds
 * what trying every plan finds.
 *
 * usage: test_search_random [PROBLEMS [FIRST_SEED [MOST_PLANS]]]
 *
 * Without arguments a fixed sample; `make check-search` runs thousands. */
#include "random_problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "plan3d/recommend.h"

/** How much to try. */
static struct campaign {
    int n_problems;
    uint32_t first_seed;
    int64_t most_plans; /* of a problem: brute force takes 10 us for one */
} campaign;

/** What the problems were like. */
static struct tally {
    int n_empty; /* no plan is legal */
    int n_large; /* left out */
    int n_tried;
    int n_fit;
    int n_only_less; /* plans fit only with recomputation or offload */
    int n_usual;   /* plans without departures stand beside those that depart */
    int n_simpler; /* plans are recommended that are simpler than the fastest */
    int n_wrong;
    int n_framework[64];
    int64_t n_plans;
} tally;

static bool plain_fits(const random_case *c)
{
    p3d_pins plain = c->pins;
    p3d_error err = {.code = P3D_OK};
    p3d_verification b;

    if (plain.recompute > P3D_RECOMPUTE_NONE ||
            plain.offload > P3D_OFFLOAD_NONE ||
            plain.activation_offload_frac > 0)
        return false;
    plain.recompute = P3D_RECOMPUTE_NONE;
    plain.offload = P3D_OFFLOAD_NONE;
    plain.activation_offload_frac = 0;
    problem_check(p3d_verify(&c->problem, &plain, NULL, &b, &err), &err);
    return b.n_fitting > 0;
}

/** Say what the search got wrong of a problem, and go on. */
#define CHECK_CASE(condition)                       \
    do {                                            \
        if (!(condition)) {                         \
            print_error("WRONG: %s\n", #condition); \
            tally.n_wrong++;                        \
        }                                           \
    } while (0)

static void say_best(const p3d_search_result *r, const p3d_verification *b)
{
    char x[P3D_PLAN_WORDS] = "nothing", y[P3D_PLAN_WORDS] = "nothing";

    if (r->n_top > 0)
        p3d_plan_print(&r->top[0].plan, x, sizeof(x));
    if (b->have_best)
        p3d_plan_print(&b->best.plan, y, sizeof(y));
    print_error("found %s, %.17g s, of %lld plans; the best of %lld is %s, "
                "%.17g s; %lld fit\n",
            x, r->n_top > 0 ? p3d_time_step_s(&r->top[0].time) : 0,
            (long long)r->n_plans, (long long)b->n_plans, y,
            b->have_best ? p3d_time_step_s(&b->best.time) : 0,
            (long long)b->n_fitting);
}

static void check_result(const p3d_search_result *r, const p3d_verification *b)
{
    const double best_s =
            b->have_best ? p3d_time_step_s(&b->best.time) : HUGE_VAL;
    const bool agrees = p3d_verification_agrees(b, r);

    CHECK_CASE(agrees);
    if (!agrees)
        say_best(r, b);
    CHECK_CASE(r->n_plans ==
               r->n_cut + r->n_too_large + r->n_dominated + r->n_evaluated);
    CHECK_CASE(r->n_feasible <= b->n_fitting);
    CHECK_CASE(r->n_too_large <= b->n_plans - b->n_fitting);
    CHECK_CASE(r->floor_s <= best_s);
    CHECK_CASE(
            !b->have_best || r->cut_s == 0 || r->cut_s >= best_s * (1 - 1e-12));
}

/** When nothing fits, the plan that is called the closest does not fit, and
 *  none misses fewer bytes of a device. */
static void check_closest(const p3d_problem *p, const p3d_search_result *r,
        const p3d_verification *b)
{
    const int64_t missing =
            p3d_memory_device_bytes(&r->closest.memory) - p3d_sure_bytes(p);

    CHECK_CASE(r->have_closest);
    CHECK_CASE(!r->closest.sure);
    CHECK_CASE(missing <= 0 || missing >= b->least_missing_bytes);
}

static void check_case(const random_case *c)
{
    p3d_search_result *r = malloc(sizeof(*r));
    p3d_error err = {.code = P3D_OK};
    p3d_verification b;

    const int n_wrong = tally.n_wrong;

    assert_non_null(r);
    problem_check(p3d_search(&c->problem, &c->pins, 1, r, &err), &err);
    problem_check(p3d_verify(&c->problem, &c->pins, NULL, &b, &err), &err);
    check_result(r, &b);
    if (!b.have_best)
        check_closest(&c->problem, r, &b);
    if (tally.n_wrong > n_wrong)
        random_case_say(c);
    tally.n_plans += b.n_plans;
    tally.n_fit += b.have_best;
    tally.n_only_less += b.have_best && !plain_fits(c);
    free(r);
}

/** The same where no plan may depart from what its framework does by itself in
 *  some ways. */
static void check_without(random_case c)
{
    p3d_search_result *r = malloc(sizeof(*r));
    p3d_error err = {.code = P3D_OK};
    p3d_verification b;
    const int n_wrong = tally.n_wrong;

    assert_non_null(r);
    c.pins.without =
            (c.seed * 2654435761u >> 9) & ((1u << P3D_N_DEPARTURES) - 1);
    problem_check(p3d_search(&c.problem, &c.pins, 1, r, &err), &err);
    problem_check(p3d_verify(&c.problem, &c.pins, NULL, &b, &err), &err);
    check_result(r, &b);
    if (tally.n_wrong > n_wrong) {
        print_error("without %#x: ", c.pins.without);
        random_case_say(&c);
    }
    free(r);
}

static bool is_as_good(
        const p3d_problem *p, const p3d_estimate *a, const p3d_estimate *b)
{
    return p3d_plan_departures(p, &a->plan) ==
                   p3d_plan_departures(p, &b->plan) &&
           p3d_memory_device_bytes(&a->memory) ==
                   p3d_memory_device_bytes(&b->memory) &&
           fabs(p3d_time_step_s(&a->time) - p3d_time_step_s(&b->time)) <=
                   1e-12 * p3d_time_step_s(&b->time);
}

static void say_recommended(const p3d_problem *p, const p3d_estimate *e)
{
    char words[P3D_PLAN_WORDS];

    print_error("%s: departs %#x, takes %lld bytes, %.17g s\n",
            p3d_plan_print(&e->plan, words, sizeof(words)),
            p3d_plan_departures(p, &e->plan),
            (long long)p3d_memory_device_bytes(&e->memory),
            p3d_time_step_s(&e->time));
}

/** The usual plan takes as long as the fastest that looking at every plan
 *  without departures gives. */
static void check_usual(const random_case *c, const p3d_recommendation *found)
{
    p3d_pins pins = c->pins;
    p3d_verification b;
    p3d_error err = {.code = P3D_OK};

    if (found->departures == 0) {
        CHECK_CASE(!found->have_usual);
        return;
    }
    pins.without = (1u << P3D_N_DEPARTURES) - 1;
    problem_check(p3d_verify(&c->problem, &pins, NULL, &b, &err), &err);
    CHECK_CASE(found->have_usual == b.have_best);
    if (!found->have_usual || !b.have_best)
        return;
    tally.n_usual++;
    CHECK_CASE(found->usual.sure);
    CHECK_CASE(p3d_plan_departures(&c->problem, &found->usual.plan) == 0);
    CHECK_CASE(fabs(p3d_time_step_s(&found->usual.time) -
                       p3d_time_step_s(&b.best.time)) <=
               1e-12 * p3d_time_step_s(&b.best.time));
}

/** The recommended plan is the one that looking at every plan gives, and so are
 *  the roomiest and the fastest on paper. */
static void check_recommended(const random_case *c)
{
    const p3d_recommend_options options = {.pins = &c->pins,
            .search = {.n_top = 1},
            .within_frac = c->seed % 3 * 0.05,
            .objective = P3D_OBJECTIVE_CHEAPEST,
            .usual = true};
    p3d_search_result *r = malloc(sizeof(*r));
    p3d_recommendation found;
    p3d_verification b;
    p3d_error err = {.code = P3D_OK};
    const int n_wrong = tally.n_wrong;

    assert_non_null(r);
    problem_check(p3d_recommend(&c->problem, &options, r, &found, &err), &err);
    if (found.verdict == P3D_VERDICT_FITS) {
        problem_check(
                p3d_verify_recommended(&c->problem, &options, &found, &b, &err),
                &err);
        CHECK_CASE(is_as_good(&c->problem, &found.recommended, &b.best));
        CHECK_CASE(found.departures ==
                   p3d_plan_departures(&c->problem, &found.recommended.plan));
        CHECK_CASE(p3d_memory_device_bytes(&found.roomiest.memory) <=
                   p3d_memory_device_bytes(&found.recommended.memory));
        CHECK_CASE(p3d_time_step_s(&found.fastest.time) <=
                   p3d_time_step_s(&r->top[0].time));
        check_usual(c, &found);
        tally.n_simpler += p3d_plan_departures(&c->problem, &r->top[0].plan) !=
                           found.departures;
    }
    if (tally.n_wrong > n_wrong) {
        say_recommended(&c->problem, &found.recommended);
        say_recommended(&c->problem, &b.best);
        random_case_say(c);
    }
    free(r);
}

static int64_t count_plans(const random_case *c)
{
    p3d_search_result *r = malloc(sizeof(*r));
    p3d_error err = {.code = P3D_OK};
    int64_t n;

    assert_non_null(r);
    problem_check(p3d_search(&c->problem, &c->pins, 1, r, &err), &err);
    n = r->n_plans;
    free(r);
    return n;
}

static void one(uint32_t seed)
{
    random_case c;
    int n;
    const p3d_framework *frameworks = p3d_frameworks(&n);

    random_case_of(seed, &c);
    if (count_plans(&c) > campaign.most_plans) {
        tally.n_large++;
        return;
    }
    if (!random_case_tighten(&c)) {
        tally.n_empty++;
        return;
    }
    tally.n_tried++;
    tally.n_framework[c.problem.job.framework - frameworks]++;
    check_case(&c);
    check_recommended(&c);
    check_without(c);
}

static void the_search_agrees_with_brute_force(void **state)
{
    const double start_s = p3d_now_s();
    int n_frameworks, n_met = 0;

    (void)state;
    (void)p3d_frameworks(&n_frameworks);
    for (uint32_t seed = campaign.first_seed;
            tally.n_tried < campaign.n_problems; seed++)
        one(seed);
    for (int i = 0; i < n_frameworks; i++)
        n_met += tally.n_framework[i] > 0;
    print_message("%d problems, %lld plans in %.0f s; %d fit, %d of them only "
                  "with recomputation or offload; %d of %d frameworks; left "
                  "out: %d without a legal plan, %d with too many\n",
            tally.n_tried, (long long)tally.n_plans, p3d_now_s() - start_s,
            tally.n_fit, tally.n_only_less, n_met, n_frameworks, tally.n_empty,
            tally.n_large);
    assert_int_equal(tally.n_wrong, 0);
    if (campaign.n_problems < 100)
        return; /* one of them again */
    assert_int_equal(n_met, n_frameworks);
    assert_true(tally.n_fit >= tally.n_tried / 2);
    assert_true(tally.n_tried - tally.n_fit >= tally.n_tried / 20);
    assert_true(2 * tally.n_only_less >= tally.n_fit);
    assert_true(10 * tally.n_simpler >= tally.n_fit);
    assert_true(20 * tally.n_usual >= tally.n_fit);
}

/** A plan in words that may be legal, of words that go together or not. */
static bool random_words(random_source *r, const p3d_problem *p, p3d_plan *out)
{
    static const char *const words[] = {"zero=0", "zero=1", "zero=2", "zero=3",
            "mbs=2", "sp", "nosp", "vp=2", "uneven", "first=1", "last=1",
            "first=2", "first=1,last=2", "tail=head", "short=1", "short=2",
            "recompute=selective", "recompute=full", "recompute=full:1",
            "recompute=full:2", "recompute=full:3", "recompute=selective:mlp",
            "recompute=selective:layernorm", "offload=optimizer",
            "offload=optimizer:0.3", "offload=optimizer:0.55",
            "offload=optimizer+parameters", "offload=optimizer@nvme",
            "offload=activations:0.5", "offload=activations", "shard=1",
            "shard=2", "shard=4", "schedule=gpipe", "schedule=zb-h1",
            "order=tp-cp-ep-pp-dp", "ep=2", "ep=2,etp=1", "cp=2"};
    const int n = random_below(r, 5);
    char text[P3D_PLAN_WORDS];
    p3d_error err = {.code = P3D_OK};

    snprintf(text, sizeof(text), "tp=%d,pp=%d", random_power(r, 2),
            1 + random_below(r, 4));
    for (int i = 0; i < n; i++) {
        const size_t used = strlen(text);

        snprintf(text + used, sizeof(text) - used, ",%s",
                words[random_below(r, P3D_COUNT_OF(words))]);
    }
    return p3d_plan_parse(text, p->cluster.n_gpus, p->job.framework, out, &err);
}

/** A plan that an estimate takes is in the space of a search that has all of
 *  its values pinned; when it fits, something does that is as fast. */
static void check_plan(const random_case *c, const p3d_estimate *e)
{
    p3d_search_result *r = malloc(sizeof(*r));
    p3d_error err = {.code = P3D_OK};
    char words[P3D_PLAN_WORDS];
    p3d_pins pins;
    bool found;

    assert_non_null(r);
    p3d_plan_print(&e->plan, words, sizeof(words));
    problem_check(p3d_pins_parse(words, &pins, &err), &err);
    if (e->plan.recompute == P3D_RECOMPUTE_NONE)
        pins.recompute = P3D_RECOMPUTE_NONE;
    if (e->plan.offload == P3D_OFFLOAD_NONE)
        pins.offload = P3D_OFFLOAD_NONE;
    problem_check(p3d_search(&c->problem, &pins, 1, r, &err), &err);
    found = r->n_plans > 0 &&
            (!e->sure || (r->n_top > 0 && p3d_time_step_s(&r->top[0].time) <=
                                                  p3d_time_step_s(&e->time) *
                                                          (1 + 1e-12)));
    if (!found) {
        random_case_say(c);
        print_error("%s: sure %d; %lld plans, %lld feasible\n", words, e->sure,
                (long long)r->n_plans, (long long)r->n_feasible);
    }
    assert_true(found);
    free(r);
}

static void a_pinned_plan_fits_as_its_estimate_does(void **state)
{
    enum { N_PROBLEMS = 600, N_GUESSES = 40 };
    int n_legal = 0, n_fit = 0;

    (void)state;
    for (uint32_t seed = 1; seed <= N_PROBLEMS; seed++) {
        random_source r = {seed * 40503u + 7};
        random_case c;

        random_case_of(seed, &c);
        c.problem.job.sure_reserve_bytes = c.problem.job.reserve_bytes = 0;
        for (int i = 0; i < N_GUESSES; i++) {
            p3d_estimate e;
            p3d_plan plan;

            if (!random_words(&r, &c.problem, &plan) ||
                    !p3d_estimate_plan(&c.problem, &plan, &e, NULL))
                continue;
            c.problem.cluster.gpu.visible_memory_bytes =
                    p3d_memory_device_bytes(&e.memory) - random_below(&r, 2);
            assert_true(p3d_estimate_plan(&c.problem, &plan, &e, NULL));
            check_plan(&c, &e);
            n_fit += e.sure;
            n_legal++;
        }
    }
    print_message("%d legal plans, %d fit\n", n_legal, n_fit);
    assert_in_range(n_fit, n_legal / 3, n_legal * 2 / 3);
    assert_true(n_legal > 1000);
}

/** A number of the command line, or what stands for it. */
static int64_t number_of(int argc, char **argv, int i, int64_t usual)
{
    return argc > i ? strtoll(argv[i], NULL, 10) : usual;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_search_agrees_with_brute_force),
            cmocka_unit_test(a_pinned_plan_fits_as_its_estimate_does),
    };

    campaign =
            (struct campaign){(int)number_of(argc, argv, 1, 320 / TEST_SELDOM),
                    (uint32_t)number_of(argc, argv, 2, 301),
                    number_of(argc, argv, 3, 6000)};
    return cmocka_run_group_tests_name("search_random", tests, NULL, NULL);
}
