/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_goodput.c - expected time against a simulation, the best interval
 * against all others, and what makes a training longer. */
#include "random_plan.h"

#include <math.h>

#include "calibrate/training.h"
#include "plan3d/training.h"

enum { N_JOBS = 300, N_FAILURES = 200000 };

/** 0 < u < 1. */
static double uniform(random_source *r)
{
    return (random_below(r, 1 << 24) + 0.5) / (1 << 24);
}

/** Between low and high, evenly on a logarithm. */
static double spread(random_source *r, double low, double high)
{
    return low * pow(high / low, uniform(r));
}

/** From a failure every 100 years to one every few restarts. */
static cost_failures random_job(random_source *r)
{
    const double mtbf_s = spread(r, 1e3, 3e9);

    return (cost_failures){.mtbf_s = mtbf_s,
            .restart_s = spread(r, 1e-3, 3) * mtbf_s,
            .pause_s = spread(r, 1e-7, 3) * mtbf_s,
            .behind_s = random_below(r, 2) * spread(r, 1e-6, 1) * mtbf_s};
}

/* Clock of a job that fails at random, in steps, checkpoints and restarts. */
typedef struct job_clock {
    random_source random;
    double now_s;
    double next_s;
} job_clock;

/** Spend this time; false when a failure comes before its end. */
static bool spend(job_clock *c, double mtbf_s, double amount_s)
{
    if (c->now_s + amount_s < c->next_s) {
        c->now_s += amount_s;
        return true;
    }
    c->now_s = c->next_s;
    c->next_s += -mtbf_s * log(uniform(&c->random));
    return false;
}

/** Mean seconds per segment of a job that is run again and again. */
static double simulated_s(const cost_failures *f, double interval_s, int n)
{
    job_clock c = {.random = {7}};

    c.next_s = -f->mtbf_s * log(uniform(&c.random));
    for (int i = 0; i < n; i++)
        while (!spend(&c, f->mtbf_s, interval_s + f->pause_s))
            while (!spend(&c, f->mtbf_s, f->restart_s))
                continue;
    return c.now_s / n;
}

static void expected_time_is_that_of_a_simulated_job(void **state)
{
    static const double shares[][3] = {{0.01, 0.1, 0.1}, {0.1, 0.5, 0.2},
            {0.5, 1, 1}, {0.05, 0.01, 2}}; /* pause, restart, steps over M */

    (void)state;
    for (int i = 0; i < 4; i++) {
        const cost_failures f = {.mtbf_s = 1000,
                .pause_s = 1000 * shares[i][0],
                .restart_s = 1000 * shares[i][1]};
        const double t = 1000 * shares[i][2];

        CHECK_REL(simulated_s(&f, t, N_FAILURES),
                t * (1 + cost_overhead_frac(&f, t)), 0.01);
    }
}

static void no_interval_is_better_than_the_best(void **state)
{
    random_source r = {11};

    (void)state;
    for (int i = 0; i < N_JOBS; i++) {
        const cost_failures f = random_job(&r);
        p3d_error err = {0};
        double best_s;
        double least;

        problem_check(calibrate_interval(&f, &best_s, &err), &err);
        least = cost_overhead_frac(&f, best_s) * (1 - 1e-9);
        assert_true(least > 0);
        assert_true(cost_overhead_frac(&f, cost_young_interval_s(&f)) >= least);
        assert_true(cost_overhead_frac(&f, cost_daly_interval_s(&f)) >= least);
        for (double t = 1e-6; t < 4; t *= 1.3)
            assert_true(cost_overhead_frac(&f, t * f.mtbf_s) >= least);
    }
}

/* Daly's series leaves out terms of the order of C / M. */
static void the_best_is_dalys_where_checkpoints_are_short(void **state)
{
    random_source r = {13};

    (void)state;
    for (int i = 0; i < N_JOBS; i++) {
        cost_failures f = random_job(&r);
        p3d_error err = {0};
        double best_s;

        f.behind_s = 0;
        f.pause_s = spread(&r, 1e-7, 0.02) * f.mtbf_s;
        problem_check(calibrate_interval(&f, &best_s, &err), &err);
        CHECK_REL(best_s, cost_daly_interval_s(&f),
                1e-4 + f.pause_s / f.mtbf_s / 10);
    }
}

/** Whatever is said of a training holds together. */
static void check_training(const p3d_training *t)
{
    assert_true(t->progresses);
    assert_true(t->goodput_frac > 0 && t->goodput_frac <= 1);
    assert_true(t->real_s >= t->ideal_s);
    assert_true(t->save_s >= 0 && t->lost_s >= 0 && t->restart_s >= 0);
    CHECK_REL(t->ideal_s + t->save_s + t->lost_s + t->restart_s + t->waiting_s,
            t->real_s, 1e-12);
    CHECK_REL(t->ideal_s / t->real_s, t->goodput_frac, 1e-12);
    assert_true(t->checkpoint_interval_steps >= 1);
    assert_true(t->energy_kwh > 0 && isfinite(t->energy_kwh));
}

static void goodput_falls_with_failures_restarts_and_slow_storage(void **state)
{
    p3d_problem p = problem_of("llama-3-8b", "64xH100", "megatron-core", 0, 0);
    const char *const plan = "dp=64,zero=1,mbs=1";
    p3d_training easy, hard;

    (void)state;
    p.job.n_tokens = 2e12;
    easy = problem_training(&p, plan);
    check_training(&easy);
    for (double worse = 2; worse < 300; worse *= 2) {
        p.job.operations = (p3d_operations){
                .gpu_mtbf_s = easy.operations.gpu_mtbf_s / worse};
        hard = problem_training(&p, plan);
        check_training(&hard);
        assert_true(hard.goodput_frac < easy.goodput_frac);
        assert_true(hard.n_failures > easy.n_failures);
        p.job.operations = (p3d_operations){
                .storage_bytes_per_s =
                        easy.operations.storage_bytes_per_s / worse};
        hard = problem_training(&p, plan);
        check_training(&hard);
        assert_true(hard.goodput_frac < easy.goodput_frac);
        assert_true(hard.checkpoint_interval_s > easy.checkpoint_interval_s);
        p.job.operations = (p3d_operations){
                .restart_s = easy.operations.restart_s * worse};
        hard = problem_training(&p, plan);
        check_training(&hard);
        assert_true(hard.restart_s > easy.restart_s);
        assert_true(hard.goodput_frac < easy.goodput_frac);
    }
}

static void goodput_falls_with_the_number_of_gpus(void **state)
{
    static const struct {
        const char *cluster, *plan;
    } jobs[] = {{"64xH100", "dp=64,zero=1,mbs=1"},
            {"512xH100", "dp=512,zero=1,mbs=1"},
            {"4096xH100", "dp=4096,zero=1,mbs=1"},
            {"16384xH100", "dp=16384,zero=1,mbs=1"}};
    double above = 1;

    (void)state;
    for (int i = 0; i < 4; i++) {
        p3d_problem p = problem_of(
                "llama-3-8b", jobs[i].cluster, "megatron-core", 8192, 16384);
        p3d_training t;

        p.job.n_tokens = 15e12;
        p.job.operations.storage_bytes_per_s = 1e11;
        t = problem_training(&p, jobs[i].plan);
        check_training(&t);
        assert_true(t.goodput_frac < above);
        above = t.goodput_frac;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(expected_time_is_that_of_a_simulated_job),
            cmocka_unit_test(no_interval_is_better_than_the_best),
            cmocka_unit_test(the_best_is_dalys_where_checkpoints_are_short),
            cmocka_unit_test(
                    goodput_falls_with_failures_restarts_and_slow_storage),
            cmocka_unit_test(goodput_falls_with_the_number_of_gpus),
    };

    return cmocka_run_group_tests_name("goodput", tests, NULL, NULL);
}
