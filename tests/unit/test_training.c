/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_training.c - a whole training: its parts, energy and money. */
#include "problem.h"

#include <math.h>

#include "calibrate/training.h"
#include "plan3d/training.h"

static p3d_problem a_job(void)
{
    p3d_problem p = problem_of("llama-3-8b", "64xH100", "megatron-core", 0, 0);

    p.job.n_tokens = 2e12;
    return p;
}

static p3d_training training_of(const p3d_problem *p)
{
    const p3d_estimate e = problem_estimate(p, "dp=64,zero=1,mbs=1");
    p3d_training t;
    p3d_error err = {0};

    problem_check(p3d_training_find(p, &e, &t, &err), &err);
    return t;
}

/* 54 days x 24 h x 16,384 GPUs / 419 = 50,677 GPU hours; 2 TB/s / 16,384. */
static void what_is_not_said_is_assumed(void **state)
{
    p3d_problem p = a_job();
    p3d_operations o = p3d_operations_of(&p);

    (void)state;
    CHECK_REL(o.gpu_mtbf_s / 3600, 50676.6, 1e-5);
    CHECK_REL(o.restart_s, 600, 0);
    CHECK_REL(o.storage_bytes_per_s, 64 * 122.07e6, 1e-4);
    CHECK_REL(o.pue, 1.2, 0);
    p.job.operations = (p3d_operations){.gpu_mtbf_s = 1e9,
            .restart_s = 60,
            .storage_bytes_per_s = 1e9,
            .pue = 1.05};
    o = p3d_operations_of(&p);
    CHECK_REL(o.gpu_mtbf_s, 1e9, 0);
    CHECK_REL(o.restart_s, 60, 0);
    CHECK_REL(o.storage_bytes_per_s, 1e9, 0);
    CHECK_REL(o.pue, 1.05, 0);
}

/* Twice the step is twice the work, and the same steps. */
static void longer_steps_take_longer(void **state)
{
    const p3d_problem p = a_job();
    const p3d_estimate e = problem_estimate(&p, "dp=64,zero=1,mbs=1");
    const double step_s = p3d_time_step_s(&e.time);
    const p3d_training usual = training_of(&p);
    p3d_training same, twice;
    p3d_error err = {0};

    (void)state;
    problem_check(p3d_training_at(&p, &e, step_s, &same, &err), &err);
    problem_check(p3d_training_at(&p, &e, 2 * step_s, &twice, &err), &err);
    assert_true(same.real_s == usual.real_s);
    CHECK_REL(twice.ideal_s, 2 * usual.ideal_s, 1e-12);
    CHECK_REL(twice.checkpoint_interval_s / (2 * step_s),
            (double)twice.checkpoint_interval_steps, 1e-12);
    assert_true(twice.real_s > 1.99 * usual.real_s);
    assert_true(twice.energy_kwh > 1.99 * usual.energy_kwh);
}

/* However long a step takes, and next to that where there are many of them
 * between two checkpoints, and many of these. */
static void no_step_trains_in_less_than_the_least_stretch(void **state)
{
    const p3d_problem p = a_job();
    const p3d_estimate e = problem_estimate(&p, "dp=64,zero=1,mbs=1");
    const double least = calibrate_least_stretch(&p);
    p3d_error err = {0};

    (void)state;
    assert_true(least > 1);
    for (double step_s = 1e-3; step_s < 1e5; step_s *= 3) {
        p3d_training t;

        problem_check(p3d_training_at(&p, &e, step_s, &t, &err), &err);
        assert_true(t.real_s >= least * t.ideal_s);
        if (t.checkpoint_interval_steps > 100 &&
                t.ideal_s > 100 * t.checkpoint_interval_s)
            CHECK_REL(t.real_s / t.ideal_s, least, 1e-4);
    }
}

/* Rarely failing: C / t + t / 2M + (R + read) / M over the steps. */
static void parts_are_those_of_the_first_order(void **state)
{
    p3d_problem p = a_job();
    p3d_training t;
    double write_s;
    double pause_s;

    (void)state;
    p.job.operations.gpu_mtbf_s = 64 * 1e7;
    t = training_of(&p);
    write_s = (double)t.checkpoint_bytes / (64 * 2e12 / 16384);
    CHECK_REL(t.mtbf_s, 1e7, 1e-12);
    CHECK_REL(t.write_s, write_s, 1e-9);
    pause_s = write_s + 6;
    CHECK_REL(t.pause_s, pause_s, 1e-9);
    CHECK_REL(t.checkpoint_interval_s, sqrt(2 * pause_s * 1e7), 0.01);
    CHECK_REL(t.save_s, t.ideal_s * pause_s / t.checkpoint_interval_s, 1e-9);
    CHECK_REL(t.lost_s, t.ideal_s * t.checkpoint_interval_s / 2 / 1e7, 0.01);
    CHECK_REL(t.restart_s, t.ideal_s * (600 + write_s) / 1e7, 0.01);
    CHECK_REL(t.n_failures, t.real_s / 1e7, 1e-9);
}

/* 6 s and 0.88 of 64 GB/s for each GPU; the next waits for the storage. */
static void asynchronous_saves_stop_steps_for_a_copy(void **state)
{
    p3d_problem p = a_job();
    const p3d_training stopping = training_of(&p);
    p3d_training t;

    (void)state;
    p.job.operations.async_save = true;
    t = training_of(&p);
    CHECK_REL(t.pause_s, 6 + (double)t.checkpoint_bytes / (64 * 0.88 * 64e9),
            1e-6);
    assert_true(t.goodput_frac > stopping.goodput_frac);
    p.job.operations.storage_bytes_per_s = 1e6;
    t = training_of(&p);
    assert_true(t.checkpoint_interval_s >= t.write_s);
}

/* A short training with few failures is saved once. */
static void the_interval_does_not_leave_the_training(void **state)
{
    p3d_problem p = a_job();
    p3d_training t;

    (void)state;
    p.job.n_tokens = 3.0 * (double)p.job.global_batch * p.job.seq_len;
    t = training_of(&p);
    assert_int_equal(t.checkpoint_interval_steps, 3);
    CHECK_REL(t.save_s, t.pause_s, 1e-9);
}

/* 8 nodes, M = R: without a spare half of the time is waiting, with one 1/5. */
static void waiting_is_for_repairs_beyond_the_spares(void **state)
{
    p3d_problem p = a_job();
    p3d_training t;

    (void)state;
    p.job.operations.gpu_mtbf_s = 64 * 1e7;
    p.job.operations.repair_s = 1e7;
    p.job.operations.fixed_spares = true;
    t = training_of(&p);
    CHECK_REL(t.availability_frac, 0.5, 1e-12);
    CHECK_REL(t.waiting_s, t.real_s / 2, 1e-12);
    p.job.operations.n_spare_nodes = 1;
    t = training_of(&p);
    CHECK_REL(t.availability_frac, 0.8, 1e-12);
    CHECK_REL(t.waiting_s, t.real_s / 5, 1e-12);
    p.job.operations.fixed_spares = false;
    assert_true(training_of(&p).n_spare_nodes > 1);
}

/* 64 GPUs of 64e7 s fail once in 1e7 s; taken away once in 1e6 s for 2e5 s. */
static void preemptions_are_failures_or_saved_work(void **state)
{
    p3d_problem p = a_job();
    p3d_training t, steady, failing;
    double again_s;

    (void)state;
    p.job.operations.gpu_mtbf_s = 64 * 1e7;
    steady = training_of(&p);
    p.job.usd_per_gpu_h = 2;
    p.job.operations.preempted_every_s = 1e6;
    p.job.operations.away_s = 2e5;
    t = training_of(&p);
    assert_false(t.saves_at_notice);
    CHECK_REL(t.mtbf_s, 1e7 / 11, 1e-12);
    CHECK_REL(t.away_s, t.real_s / 6, 1e-12);
    CHECK_REL(t.n_preemptions, t.away_s / 2e5, 1e-12);
    CHECK_REL(t.gpu_h, 64 * (t.real_s - t.away_s) / 3600, 1e-12);
    CHECK_REL(t.rent_usd, 2 * t.gpu_h, 1e-12);

    /* But for being away it is a cluster that fails as often. */
    p.job.operations = (p3d_operations){.gpu_mtbf_s = 64 * 1e7 / 11};
    failing = training_of(&p);
    CHECK_REL(t.real_s - t.away_s, failing.real_s, 1e-12);

    /* A notice in which it saves: no work is lost, each costs a checkpoint,
     * the restart and reading it. */
    p.job.operations = (p3d_operations){.gpu_mtbf_s = 64 * 1e7,
            .preempted_every_s = 1e6,
            .away_s = 2e5,
            .notice_s = steady.write_s + 6};
    t = training_of(&p);
    again_s = 6 + 2 * steady.write_s + 600;
    assert_true(t.saves_at_notice);
    CHECK_REL(t.mtbf_s, 1e7, 1e-12);
    CHECK_REL(t.lost_s, steady.lost_s, 1e-12);
    CHECK_REL(t.real_s, steady.real_s / (1 - again_s / 1e6) * 1.2, 1e-12);
    CHECK_REL(t.real_s,
            t.ideal_s + t.save_s + t.lost_s + t.restart_s + t.away_s, 1e-12);

    /* It starts again and again, and gets nowhere. */
    p.job.operations.preempted_every_s = again_s;
    assert_false(training_of(&p).progresses);
}

/* What a cluster's file says of it holds unless the job says otherwise. */
static void a_cluster_has_terms_of_its_own(void **state)
{
    static const char file[] =
            "{\"schema\": 1, \"n_nodes\": 2, \"gpu\": \"H100\", "
            "\"usd_per_gpu_h\": 1.5, \"gpu_mtbf_s\": 1e8, "
            "\"preempted_every_s\": 3e5, \"away_s\": 600, "
            "\"notice_s\": 120}";
    p3d_problem p = a_job();
    p3d_job job = {.usd_per_gpu_h = 2, .operations.preempted_every_s = 1e6};
    p3d_error err = {0};

    (void)state;
    problem_check(p3d_cluster_parse("own.json", file, &p.cluster, &err), &err);
    p.job = (p3d_job){.n_tokens = 1e12};
    p3d_job_default(&p.job, &p.model, &p.cluster);
    CHECK_REL(p.job.usd_per_gpu_h, 1.5, 0);
    CHECK_REL(p.job.operations.gpu_mtbf_s, 1e8, 0);
    CHECK_REL(p.job.operations.preempted_every_s, 3e5, 0);
    CHECK_REL(p.job.operations.away_s, 600, 0);
    CHECK_REL(p.job.operations.notice_s, 120, 0);
    p3d_job_default(&job, &p.model, &p.cluster);
    CHECK_REL(job.usd_per_gpu_h, 2, 0);
    CHECK_REL(job.operations.preempted_every_s, 1e6, 0);
    CHECK_REL(job.operations.away_s, 0, 0);
}

/* 969 and 369.75 W for a GPU of a DGX H100 with its share. */
static void energy_is_power_times_time_and_the_sites_share(void **state)
{
    p3d_problem p = a_job();
    p3d_training t;
    double busy_h;
    double real_h;

    (void)state;
    p.job.operations.fixed_spares = true;
    p.job.operations.n_spare_nodes = 2;
    p.job.operations.pue = 1.1;
    t = training_of(&p);
    busy_h = (t.ideal_s + t.lost_s) / 3600;
    real_h = t.real_s / 3600;
    CHECK_REL(t.power_w, 64 * 969, 1e-12);
    CHECK_REL(t.energy_kwh,
            1.1 * (64 * 0.969 * busy_h +
                          0.36975 * (64 * (real_h - busy_h) + 16 * real_h)),
            1e-9);
    CHECK_REL(t.billion_tokens_kwh, t.energy_kwh / 2000, 1e-12);
}

/* Money is only of prices that were said; spares are paid for. */
static void money_is_hours_times_prices(void **state)
{
    p3d_problem p = a_job();
    p3d_training t = training_of(&p);

    (void)state;
    CHECK_REL(t.rent_usd + t.energy_usd + t.purchase_usd, 0, 0);
    p.job.usd_per_gpu_h = 2.5;
    p.job.operations = (p3d_operations){.fixed_spares = true,
            .n_spare_nodes = 1,
            .usd_per_kwh = 0.1,
            .usd_per_gpu = 40000,
            .amortize_s = 4 * 365 * 86400.0};
    t = training_of(&p);
    CHECK_REL(t.rent_usd, 72 * 2.5 * t.real_s / 3600, 1e-12);
    CHECK_REL(t.energy_usd, 0.1 * t.energy_kwh, 1e-12);
    CHECK_REL(
            t.purchase_usd, 72 * 40000 * t.real_s / (4 * 365 * 86400.0), 1e-12);
}

/* A restart that takes far longer than the job runs. */
static void a_job_that_fails_too_often_never_ends(void **state)
{
    p3d_problem p = a_job();

    (void)state;
    p.job.usd_per_gpu_h = 2.5;
    for (double mtbf_s = 3600; mtbf_s < 64 * 60; mtbf_s += 60) {
        p3d_training t;

        p.job.operations.gpu_mtbf_s = mtbf_s;
        t = training_of(&p);
        assert_false(t.progresses);
        assert_true(t.ideal_s > 0);
        CHECK_REL(t.real_s + t.energy_kwh + t.rent_usd, 0, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(what_is_not_said_is_assumed),
            cmocka_unit_test(longer_steps_take_longer),
            cmocka_unit_test(no_step_trains_in_less_than_the_least_stretch),
            cmocka_unit_test(parts_are_those_of_the_first_order),
            cmocka_unit_test(asynchronous_saves_stop_steps_for_a_copy),
            cmocka_unit_test(the_interval_does_not_leave_the_training),
            cmocka_unit_test(waiting_is_for_repairs_beyond_the_spares),
            cmocka_unit_test(preemptions_are_failures_or_saved_work),
            cmocka_unit_test(a_cluster_has_terms_of_its_own),
            cmocka_unit_test(energy_is_power_times_time_and_the_sites_share),
            cmocka_unit_test(money_is_hours_times_prices),
            cmocka_unit_test(a_job_that_fails_too_often_never_ends),
    };

    return cmocka_run_group_tests_name("training", tests, NULL, NULL);
}
