/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_compare.c - measured operations of a plan against the predicted ones, on
 * devices of which everything is known. */
#include "test.h"

#include "device.h"
#include "plan3d/calibrate.h"
#include "plan3d/validate.h"
#include "problem.h"

/* A plan on a device that is so much slower. */
typedef struct world {
    p3d_problem problem;
    p3d_estimate estimate;
    p3d_request request;
    device device;
    p3d_compared compared;
} world;

static world *make_of(const char *model, const char *cluster, const char *plan,
        double product_factor, double collective_factor)
{
    world *const w = calloc(1, sizeof(*w));
    p3d_error err = {0};

    assert_non_null(w);
    w->problem = problem_of(model, cluster, "megatron-core", 8192, 512);
    w->estimate = problem_estimate(&w->problem, plan);
    assert_true(
            p3d_request_build(&w->problem, &w->estimate, &w->request, &err));
    device_measure(&w->problem, &w->estimate.plan, &w->request, product_factor,
            collective_factor, &w->device);
    return w;
}

static world *make(const char *cluster, const char *plan, double product_factor,
        double collective_factor)
{
    return make_of(
            "llama-3-8b", cluster, plan, product_factor, collective_factor);
}

static void compare(world *w)
{
    p3d_error err = {0};

    assert_true(p3d_compare(&(p3d_compare_options){&w->problem, &w->estimate,
                                    &w->request, &w->device.file, 1},
            &w->compared, &err));
}

static void destroy(world *w)
{
    p3d_request_free(&w->request);
    free(w);
}

static const p3d_comparison *kind(const world *w, p3d_compared_kind i)
{
    return &w->compared.kinds[i];
}

/* Whatever the plan consists of, a device that is as predicted is so in every
 * kind, and no operation of the plan is missed. */
static void a_device_as_predicted_is_so_in_every_kind(void **state)
{
    static const struct {
        const char *model;
        const char *cluster;
        const char *plan;
    } cases[] = {
            {"llama-3-8b", "8xH100", "tp=2,zero=1"},
            {"llama-3-8b", "8xH100", "tp=2,pp=2,cp=2,recompute=full"},
            {"llama-3-8b", "8xH100", "tp=1,zero=3"},
            {"llama-3-8b", "32xH100", "tp=4,pp=2,dp=4,zero=1"},
            {"llama-3-8b", "32xH100", "tp=2,cp=2,dp=8,zero=1"},
            {"mixtral-8x7b", "64xH100", "tp=2,pp=4,ep=4,zero=1"},
            {"deepseek-v3", "256xH100", "tp=1,pp=16,ep=16,zero=1"},
    };

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        world *const w =
                make_of(cases[i].model, cases[i].cluster, cases[i].plan, 1, 1);

        compare(w);
        for (int k = 0; k < P3D_N_COMPARED; k++) {
            const p3d_comparison *const c = &w->compared.kinds[k];

            assert_int_equal(c->n_found, c->n_wanted);
            if (c->n_points == 0)
                continue;
            CHECK_REL(c->median_ratio, 1, 1e-9);
            CHECK_REL(c->worst_ratio, 1, 1e-9);
            assert_false(p3d_is_off(&w->compared, k, 0.001));
        }
        assert_true(w->compared.all.missing_s <= 0);
        assert_true(w->compared.all.n_points > 30);
        assert_int_equal(w->compared.n_elsewhere, 0);
        destroy(w);
    }
}

/* Planned seconds are those of the estimate, where both count the same. */
static void planned_seconds_are_those_of_the_step(void **state)
{
    world *const w = make("8xH100", "tp=2,zero=1", 1, 1);

    (void)state;
    compare(w);
    CHECK_REL(kind(w, P3D_COMPARED_GEMM)->planned_s, w->estimate.time.gemm_s,
            0.01);
    CHECK_REL(kind(w, P3D_COMPARED_ATTENTION)->planned_s,
            w->estimate.time.attention_s, 1e-9);
    destroy(w);
}

static void slower_products_are_seen_in_products_alone(void **state)
{
    world *const w = make("8xH100", "tp=2,zero=1", 1.15, 1);

    (void)state;
    compare(w);
    CHECK_REL(kind(w, P3D_COMPARED_GEMM)->median_ratio, 1.15, 1e-6);
    CHECK_REL(kind(w, P3D_COMPARED_SUSTAINED)->median_ratio, 1.15, 1e-6);
    CHECK_REL(kind(w, P3D_COMPARED_ATTENTION)->median_ratio, 1, 1e-9);
    CHECK_REL(kind(w, P3D_COMPARED_ALL_GATHER)->median_ratio, 1, 1e-9);
    assert_true(p3d_is_off(&w->compared, P3D_COMPARED_GEMM, 0.10));
    assert_false(p3d_is_off(&w->compared, P3D_COMPARED_GEMM, 0.20));
    assert_false(p3d_is_off(&w->compared, P3D_COMPARED_ATTENTION, 0.01));
    destroy(w);
}

/* Gathers of a plan whose replicas hide them are few seconds: nothing hangs on
 * them, whatever they take. */
static void kinds_that_hardly_count_are_not_judged(void **state)
{
    world *const w = make("8xH100", "tp=1,zero=1", 1, 3);

    (void)state;
    compare(w);
    CHECK_REL(kind(w, P3D_COMPARED_ALL_GATHER)->median_ratio, 3, 0.05);
    assert_false(p3d_is_off(&w->compared, P3D_COMPARED_ALL_GATHER, 0.1));
    destroy(w);
}

/* The one that is farthest from what was predicted, on either side. */
static void the_worst_operation_is_named(void **state)
{
    world *const w = make("8xH100", "tp=2,zero=1", 1, 1);
    p3d_timing *const timing = &w->device.gemm[4].timing;

    (void)state;
    timing->median_s /= 3;
    w->device.gemm[6].timing.median_s *= 2;
    compare(w);
    CHECK_REL(kind(w, P3D_COMPARED_GEMM)->worst_ratio, 1.0 / 3, 1e-6);
    CHECK_REL(kind(w, P3D_COMPARED_GEMM)->worst_measured_s, timing->median_s,
            1e-9);
    assert_non_null(
            strstr(kind(w, P3D_COMPARED_GEMM)->worst, w->device.gemm[4].name));
    destroy(w);
}

static void what_was_not_measured_is_missing(void **state)
{
    world *const w = make("8xH100", "tp=2,zero=1", 1, 1);

    (void)state;
    w->device.file.collective.n = 0;
    w->device.file.attention.n = 0;
    compare(w);
    assert_int_equal(kind(w, P3D_COMPARED_ALL_GATHER)->n_found, 0);
    assert_true(kind(w, P3D_COMPARED_ALL_GATHER)->n_wanted > 0);
    CHECK_REL(w->compared.all.missing_s,
            kind(w, P3D_COMPARED_ALL_GATHER)->planned_s +
                    kind(w, P3D_COMPARED_REDUCE_SCATTER)->planned_s +
                    kind(w, P3D_COMPARED_ATTENTION)->planned_s,
            1e-9);
    destroy(w);
}

/* Copies and the host's optimizer are part of a plan that offloads, and of no
 * other. */
static void offload_hangs_on_the_host(void **state)
{
    world *const w = make("8xH100", "tp=2,zero=1,offload=optimizer", 1, 1);
    world *const other = make("8xH100", "tp=2,zero=1", 1, 1);

    (void)state;
    for (int i = 0; i < w->device.file.host.n; i++)
        w->device.host[i].timing.median_s *= 1.3;
    compare(w);
    CHECK_REL(kind(w, P3D_COMPARED_COPY)->planned_s +
                      kind(w, P3D_COMPARED_HOST)->planned_s,
            w->estimate.time.offload_s, 1e-9);
    CHECK_REL(kind(w, P3D_COMPARED_HOST)->median_ratio, 1.3, 1e-9);
    w->device.file.copy.n = w->device.file.host.n = 0;
    compare(w);
    CHECK_REL(w->compared.all.missing_s, w->estimate.time.offload_s, 1e-9);
    compare(other);
    assert_true(kind(other, P3D_COMPARED_COPY)->planned_s <= 0);
    destroy(w);
    destroy(other);
}

/* A group that lay in one node says nothing of one over two. */
static void groups_on_other_nodes_are_not_compared(void **state)
{
    world *const w = make("32xH100", "tp=4,pp=2,dp=4,zero=1", 1, 1);

    (void)state;
    for (int i = 0; i < w->device.file.collective.n; i++)
        w->device.collective[i].n_nodes = 1;
    compare(w);
    assert_true(w->compared.n_elsewhere > 0);
    assert_true(w->compared.all.missing_s > 0);
    assert_true(kind(w, P3D_COMPARED_ALL_GATHER)->n_found > 0);
    destroy(w);
}

/* All groups at once, as in training, and not the first alone. */
static void of_two_measurements_that_of_more_groups_counts(void **state)
{
    world *const w = make("8xH100", "tp=2,zero=1", 1, 1);
    p3d_collective_row *const rows = w->device.collective;
    const int n = w->device.file.collective.n;

    (void)state;
    for (int i = 0; i < n; i++) {
        rows[n + i] = rows[i];
        rows[n + i].n_groups = 4;
        rows[n + i].timing.median_s *= 2;
    }
    w->device.file.collective.n = 2 * n;
    compare(w);
    CHECK_REL(kind(w, P3D_COMPARED_ALL_GATHER)->median_ratio, 2, 1e-9);
    destroy(w);
}

/* Cores that were run as products and a softmax are none of a fused kernel. */
static void eager_cores_are_counted_and_left_out(void **state)
{
    world *const w = make("8xH100", "tp=2,zero=1", 1, 1);

    (void)state;
    for (int i = 0; i < w->device.file.attention.n; i++)
        w->device.attention[i].code = P3D_CODE_EAGER;
    compare(w);
    assert_int_equal(w->compared.n_eager, 2);
    assert_int_equal(kind(w, P3D_COMPARED_ATTENTION)->n_points, 0);
    destroy(w);
}

static void memory_is_had_or_not(void **state)
{
    world *const w = make("8xH100", "tp=2,zero=1", 1, 1);
    p3d_capacity_row *const row = w->device.capacity;

    (void)state;
    compare(w);
    assert_true(w->compared.memory.measured && w->compared.memory.fits);
    row->fits = false;
    compare(w);
    assert_false(w->compared.memory.fits);
    /* Of another plan: only how much there is counts. */
    row->wanted_bytes *= 2;
    compare(w);
    assert_true(w->compared.memory.fits);
    row->largest_bytes = w->request.allocated_bytes - 1;
    compare(w);
    assert_false(w->compared.memory.fits);
    w->device.file.capacity.n = 0;
    compare(w);
    assert_false(w->compared.memory.measured);
    destroy(w);
}

/* Constants that are fitted to a slower device give its own step. */
static void the_step_is_that_of_the_device(void **state)
{
    world *const w = make("8xH100", "tp=2,zero=1", 1.15, 1);
    p3d_calibrated *const made = calloc(1, sizeof(*made));
    p3d_problem truth = w->problem;
    p3d_estimate fitted;
    p3d_estimate true_one;
    p3d_error err = {0};

    (void)state;
    assert_non_null(made);
    assert_true(p3d_calibrate_some(
            &(p3d_calibrate_options){&w->problem.cluster.gpu,
                    &w->problem.cluster.calibration, &w->device.file, 1},
            made, &err));
    assert_true(made->n_fitted >= 7);
    truth.cluster = w->device.sustained;
    assert_true(p3d_estimate_plan(&truth, &w->estimate.plan, &true_one, NULL));
    w->problem.cluster.calibration = made->constants;
    assert_true(
            p3d_estimate_plan(&w->problem, &w->estimate.plan, &fitted, NULL));
    CHECK_REL(p3d_time_step_s(&fitted.time), p3d_time_step_s(&true_one.time),
            0.01);
    free(made);
    destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_device_as_predicted_is_so_in_every_kind),
            cmocka_unit_test(planned_seconds_are_those_of_the_step),
            cmocka_unit_test(slower_products_are_seen_in_products_alone),
            cmocka_unit_test(kinds_that_hardly_count_are_not_judged),
            cmocka_unit_test(the_worst_operation_is_named),
            cmocka_unit_test(what_was_not_measured_is_missing),
            cmocka_unit_test(offload_hangs_on_the_host),
            cmocka_unit_test(groups_on_other_nodes_are_not_compared),
            cmocka_unit_test(of_two_measurements_that_of_more_groups_counts),
            cmocka_unit_test(eager_cores_are_counted_and_left_out),
            cmocka_unit_test(memory_is_had_or_not),
            cmocka_unit_test(the_step_is_that_of_the_device),
    };

    return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
