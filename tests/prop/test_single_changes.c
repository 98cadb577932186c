/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_single_changes.c - single changes change one decision, gain what they
 * say, and no other value of it gains more. */
#include "random_plan.h"

#include <math.h>
#include <string.h>

#include "plan3d/plan3d.h"

enum { PLANS_PER_PROBLEM = 12 };

/** What may change beside a decision, because it follows from it. */
static const struct {
    const char *word;
    const char *others;
} followers[] = {
        {"tp", "etp,sp"},
        /* As many recomputed layers may be all of a smaller stage. */
        {"pp", "vp,schedule,first,last,recompute"},
        {"vp", "schedule,first,last,recompute"},
        {"cp", ""},
        {"ep", "etp"},
        {"etp", ""},
        {"mbs", ""},
        {"zero", ""},
        {"recompute", ""},
        {"offload", ""},
        {"schedule", "vp,first,last"},
        {"sp", ""},
};

static const char *followers_of(const char *word)
{
    for (size_t i = 0; i < sizeof(followers) / sizeof(followers[0]); i++) {
        if (strcmp(followers[i].word, word) == 0)
            return followers[i].others;
    }
    fail_msg("decision '%s' is not tested", word);
    return "";
}

static bool has_word(const char *list, const char *word, size_t n)
{
    for (const char *at = list; *at != '\0'; at += strcspn(at, ",")) {
        at += *at == ',';
        if (strcspn(at, ",") == n && strncmp(at, word, n) == 0)
            return true;
    }
    return false;
}

/** The decisions in which two plans differ are the changed one and those that
 *  follow from it. */
static void check_difference(
        const p3d_plan *from, const p3d_single_change *change)
{
    const char *const others = followers_of(change->word);
    char differ[256];
    bool changed = false;

    p3d_decisions_differ(
            from, &change->estimate.plan, NULL, differ, sizeof(differ));
    for (const char *at = differ; *at != '\0'; at += strcspn(at, ",")) {
        const char *const word = at + (*at == ',');
        const size_t n = strcspn(word, "=");

        if (n == strlen(change->word) && strncmp(word, change->word, n) == 0)
            changed = true;
        else if (!has_word(others, word, n))
            fail_msg("%s changes '%s'", change->word, differ);
        at = word;
    }
    assert_true(changed);
}

static double step_of(const p3d_estimate *e)
{
    return p3d_time_step_s(&e->time);
}

static void check_change(const p3d_problem *problem, const p3d_estimate *from,
        const p3d_single_change *change)
{
    const p3d_plan *const plan = &change->estimate.plan;
    p3d_estimate again;

    assert_true(change->estimate.sure);
    assert_int_equal(plan->tp * plan->pp * plan->cp * plan->dp,
            from->plan.tp * from->plan.pp * from->plan.cp * from->plan.dp);
    if (from->sure)
        assert_true(step_of(&change->estimate) < step_of(from));
    if (change->is_option)
        return;
    check_difference(&from->plan, change);
    assert_true(p3d_estimate_plan(problem, plan, &again, NULL));
    assert_true(step_of(&again) == step_of(&change->estimate));
}

/** The best step with another micro batch, tried here one by one. */
static double best_micro_batch_s(
        const p3d_problem *problem, const p3d_estimate *from)
{
    double best_s = HUGE_VAL;

    for (int n = 1; n <= problem->job.global_batch; n++) {
        p3d_plan plan = from->plan;
        p3d_estimate e;

        plan.micro_batch = n;
        if (n != from->plan.micro_batch &&
                p3d_estimate_plan(problem, &plan, &e, NULL) && e.sure)
            best_s = fmin(best_s, step_of(&e));
    }
    return best_s;
}

/** The same with another number of layers that are recomputed, or none. */
static double best_full_s(const p3d_problem *problem, const p3d_estimate *from)
{
    double best_s = HUGE_VAL;

    for (int n = -1; n <= problem->model.n_layers; n++) {
        p3d_plan plan = from->plan;
        p3d_estimate e;

        plan.recompute = n < 0 ? P3D_RECOMPUTE_NONE : P3D_RECOMPUTE_FULL;
        plan.recompute_layers = n < 0 ? 0 : n;
        plan.recompute_modules = 0;
        if (p3d_estimate_plan(problem, &plan, &e, NULL) && e.sure)
            best_s = fmin(best_s, step_of(&e));
    }
    return best_s;
}

static double found_s(const p3d_single_change *found, int n, const char *word)
{
    for (int i = 0; i < n; i++) {
        if (strcmp(found[i].word, word) == 0)
            return step_of(&found[i].estimate);
    }
    return HUGE_VAL;
}

/** No plan is proposed twice, as the change of two decisions. */
static void check_distinct(const p3d_single_change *found, int n)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) {
            char a[P3D_PLAN_WORDS], b[P3D_PLAN_WORDS];

            if (found[i].is_option || found[k].is_option)
                continue;
            assert_string_not_equal(
                    p3d_plan_print(&found[i].estimate.plan, a, sizeof(a)),
                    p3d_plan_print(&found[k].estimate.plan, b, sizeof(b)));
        }
    }
}

static void check_plan(const p3d_problem *problem, const p3d_plan *plan,
        int *n_changes, int *n_rescued)
{
    static p3d_single_change found[P3D_MAX_SINGLE_CHANGES];
    p3d_estimate from;
    double limit_s = HUGE_VAL;
    int n;

    assert_true(p3d_estimate_plan(problem, plan, &from, NULL));
    n = p3d_single_changes_find(problem, &from, found);
    for (int i = 0; i < n; i++) {
        check_change(problem, &from, &found[i]);
        if (i > 0)
            assert_true(step_of(&found[i - 1].estimate) <=
                        step_of(&found[i].estimate));
    }
    check_distinct(found, n);
    if (from.sure)
        limit_s = 0.999 * step_of(&from);
    if (best_micro_batch_s(problem, &from) < limit_s)
        assert_true(
                found_s(found, n, "mbs") == best_micro_batch_s(problem, &from));
    if (best_full_s(problem, &from) < limit_s)
        assert_true(
                found_s(found, n, "recompute") <= best_full_s(problem, &from));
    *n_changes += n;
    *n_rescued += !from.sure && n > 0;
}

static void changes_of_random_plans_are_what_they_say(void **state)
{
    static const char *const frameworks[] = {
            "megatron-core", "deepspeed", "fsdp2", "generic"};
    random_source r = {20261122};
    int n_changes = 0;
    int n_rescued = 0;

    (void)state;
    for (int i = 0; i < N_RANDOM_PROBLEMS; i++) {
        const p3d_problem p = random_problem(i, frameworks[i % 4]);

        for (int k = 0; k < PLANS_PER_PROBLEM; k++) {
            p3d_plan plan;

            if (random_find(&r, &p, &plan))
                check_plan(&p, &plan, &n_changes, &n_rescued);
        }
    }
    assert_true(n_changes > 300);
    assert_true(n_rescued > 10);
}

static void the_best_plan_has_no_better_neighbour(void **state)
{
    static p3d_single_change found[P3D_MAX_SINGLE_CHANGES];
    const p3d_problem p =
            problem_of("llama-3-70b", "64xA800", "megatron-core", 0, 0);
    const p3d_pins pins = p3d_pins_free();
    p3d_alternative best;
    p3d_error err = {0};
    int n;

    (void)state;
    problem_check(p3d_alternative_search(&p, &pins, &best, &err), &err);
    n = p3d_single_changes_find(&p, &best.estimate, found);
    for (int i = 0; i < n; i++)
        assert_true(found[i].is_option);
}

static void options_of_the_job_are_changes_too(void **state)
{
    static p3d_single_change found[P3D_MAX_SINGLE_CHANGES];
    p3d_problem p = problem_of("gpt3-175b", "128xA100", "megatron-core", 0, 0);
    p3d_estimate from;

    (void)state;
    p.job.attention = P3D_EAGER;
    from = problem_estimate(&p, "tp=8,pp=16,mbs=1,sp,recompute=full");
    assert_true(found_s(found, p3d_single_changes_find(&p, &from, found),
                        "--attention flash") < step_of(&from));
    assert_true(found_s(found, p3d_single_changes_find(&p, &from, found),
                        "--tp-overlap") < step_of(&from));
    p.job.framework = p3d_framework_find("deepspeed");
    assert_true(found_s(found, p3d_single_changes_find(&p, &from, found),
                        "--tp-overlap") == HUGE_VAL);
}

/* torch.compile fuses passes over memory; what is compiled gains nothing. */
static void layers_that_are_eager_may_be_compiled(void **state)
{
    static p3d_single_change found[P3D_MAX_SINGLE_CHANGES];
    p3d_problem p = problem_of("llama-3.1-8b", "8xH100", "fsdp2", 4096, 16);
    p3d_estimate from;

    (void)state;
    p.job.eager = true;
    from = problem_estimate(&p, "mbs=1,zero=3");
    assert_true(found_s(found, p3d_single_changes_find(&p, &from, found),
                        "compile") < step_of(&from));
    p.job.eager = false;
    from = problem_estimate(&p, "mbs=1,zero=3");
    assert_true(found_s(found, p3d_single_changes_find(&p, &from, found),
                        "compile") == HUGE_VAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(layers_that_are_eager_may_be_compiled),
            cmocka_unit_test(changes_of_random_plans_are_what_they_say),
            cmocka_unit_test(the_best_plan_has_no_better_neighbour),
            cmocka_unit_test(options_of_the_job_are_changes_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
