/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_torus.c - the shape of slices of TPUs, and what groups reach of their
 * links. */
#include "problem.h"

#include "base/util.h"
#include "cost/cost.h"

static p3d_cluster cluster_of(const char *words)
{
    p3d_cluster cluster = {0};
    p3d_error err = {.code = P3D_OK};

    problem_check(p3d_cluster_find(words, &cluster, &err), &err);
    return cluster;
}

/* Google's own shapes of slices; docs.cloud.google.com/tpu/docs v5e, v5p. */
static void slices_have_the_shapes_that_can_be_asked_for(void **state)
{
    static const struct {
        const char *words;
        int domain, shape[3];
    } rows[] = {
            {"16xTPU-v5e", 16, {4, 4, 0}},
            {"32xTPU-v5e", 32, {4, 8, 0}},
            {"128xTPU-v5e", 128, {8, 16, 0}},
            {"256xTPU-v5e", 256, {16, 16, 0}},
            {"1024xTPU-v5e", 256, {16, 16, 0}},
            {"4xTPU-v5p", 4, {1, 2, 2}},
            {"16xTPU-v5p", 16, {2, 2, 4}},
            {"64xTPU-v5p", 64, {4, 4, 4}},
            {"2x64xTPU-v5p", 64, {4, 4, 4}},
            {"128xTPU-v5p", 128, {4, 4, 8}},
            {"192xTPU-v4", 192, {4, 4, 12}},
            {"512xTPU-v5p", 512, {8, 8, 8}},
            {"2048xTPU-v5p", 2048, {8, 16, 16}},
            {"4096xTPU-v4", 4096, {16, 16, 16}},
            {"8960xTPU-v5p", 8960, {16, 20, 28}},
            {"v5p-128", 64, {4, 4, 4}},
            {"v4-16", 8, {2, 2, 2}},
            {"v5e-64", 64, {8, 8, 0}},
            {"v5litepod-256", 256, {16, 16, 0}},
            {"V6E-256", 256, {16, 16, 0}},
            {"4xv5p-256", 128, {4, 4, 8}},
            {"64xA100", 8, {0, 0, 0}},
            {"144xGB200", 72, {0, 0, 0}},
    };

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        const p3d_cluster c = cluster_of(rows[i].words);

        assert_int_equal(c.node.gpus_per_nvlink_domain, rows[i].domain);
        for (int k = 0; k < 3; k++)
            assert_int_equal(c.torus.size[k], rows[i].shape[k]);
    }
}

static cost_torus torus_of(const char *words, int tp, int n, int stride)
{
    const p3d_cluster c = cluster_of(words);
    const cost_axis axis = {.n_ranks = n, .stride = stride};

    return cost_torus_of(&c, tp, &axis, n);
}

static void check_torus(cost_torus t, double ring, double all, double hops)
{
    CHECK_REL(t.ring_narrowing, ring, 1e-12);
    CHECK_REL(t.all_to_all_narrowing, all, 1e-12);
    CHECK_REL(t.hops, hops, 1e-12);
}

/* By hand. Of all links of a chip (1) a ring along one of D axes has 1 / D, a
 * line half of that; an all-to-all of n ranks along an axis takes n / 4 of
 * the payload over both links of the axis. */
static void groups_reach_the_links_of_their_axes(void **state)
{
    (void)state;
    /* All of a pod: both axes, each a ring of 16. */
    check_torus(torus_of("256xTPU-v5e", 1, 256, 1), 1, 2 * 4 * 256 / 255.0, 16);
    /* TP 16 has one axis, what is left the other. */
    check_torus(torus_of("256xTPU-v5e", 16, 16, 1), 2, 2 * 4 * 16 / 15.0, 8);
    check_torus(torus_of("256xTPU-v5e", 16, 16, 16), 2, 2 * 4 * 16 / 15.0, 8);
    /* 4 x 4 of them are lines. */
    check_torus(torus_of("16xTPU-v5e", 1, 16, 1), 2, 2 * 2 * 16 / 15.0, 6);
    check_torus(torus_of("16xTPU-v5e", 4, 4, 1), 4, 2 * 2 * 4 / 3.0, 3);
    /* 8 x 16: the long one closes. */
    check_torus(torus_of("128xTPU-v5e", 8, 16, 8), 2, 2 * 4 * 16 / 15.0, 8);
    check_torus(torus_of("128xTPU-v5e", 8, 8, 1), 4, 2 * 4 * 8 / 7.0, 7);
    /* Cubes of 4 close; TP 8 finds the axis of 8. */
    check_torus(torus_of("64xTPU-v5p", 4, 16, 4), 1.5, 3 * 1 * 16 / 15.0, 4);
    check_torus(torus_of("128xTPU-v5p", 8, 8, 1), 3, 3 * 2 * 8 / 7.0, 4);
    check_torus(torus_of("128xTPU-v5p", 8, 16, 8), 1.5, 3 * 1 * 16 / 15.0, 4);
    /* 2 x 2 x 4 is no cube. */
    check_torus(torus_of("16xTPU-v5p", 4, 4, 1), 3, 3 * 1 * 4 / 3.0, 2);
    /* TP 2 splits an axis: lines of 2; the rest shares it with its twin. */
    check_torus(torus_of("64xTPU-v5p", 2, 2, 1), 6, 3 * 1 * 2 / 1.0, 1);
    check_torus(torus_of("64xTPU-v5p", 2, 32, 2), 3 / 2.5, 3 * 1 * 32 / 31.0,
            2 * 1 + 2 + 2);
    CHECK_REL(torus_of("64xTPU-v5p", 1, 64, 1).send_narrowing, 6, 1e-12);
}

/* All chips together send what crosses the middle of the torus: S / 2 of each
 * of N / 2 chips over 2 N / d links, d the longest axis. 1.6 TB/s for 16 x 16
 * with links of 50 GB/s: docs.cloud.google.com/tpu/docs/v5e. */
static void all_to_all_is_what_the_bisection_lets_through(void **state)
{
    static const struct {
        const char *words;
        int n, longest;
    } rows[] = {{"256xTPU-v5e", 256, 16}, {"512xTPU-v5p", 512, 8},
            {"128xTPU-v5p", 128, 8}, {"4096xTPU-v4", 4096, 16}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        const p3d_cluster c = cluster_of(rows[i].words);
        const cost_torus t = torus_of(rows[i].words, 1, rows[i].n, 1);
        const double n = rows[i].n;
        const double axes = c.node.torus_axes;
        const double link = c.gpu.nvlink_bytes_per_s_one_way / axes / 2;
        const double S = 1e9;

        CHECK_REL(S * (n - 1) / n * t.all_to_all_narrowing /
                          c.gpu.nvlink_bytes_per_s_one_way,
                S / 2 * n / 2 / (2 * n / rows[i].longest * link), 1e-12);
    }
    CHECK_REL(2 * 256 / 16 * 50e9, 1.6e12, 1e-12);
}

/* jax-ml/scaling-book@0819a7d8 sharding.md, question 2: bf16[1024, 4096] over
 * an axis of 4 of a v4 4x4x4 gathers in about 92 us, over two axes in 46. */
static void gathers_take_what_the_book_says(void **state)
{
    p3d_cluster c = cluster_of("64xTPU-v4");
    p3d_plan one = {.tp = 4, .pp = 1, .cp = 1, .dp = 16, .ep = 1, .vp = 1};
    p3d_plan two = {.tp = 16, .pp = 1, .cp = 1, .dp = 4, .ep = 1, .vp = 1};
    const double bytes = 2.0 * 1024 * 4096;

    (void)state;
    c.calibration.collective[P3D_ALL_GATHER] =
            (p3d_collective_fit){.link_frac = 1};
    /* The book counts the n-th that a chip has, too. */
    CHECK_REL(cost_collective_s(&c, P3D_ALL_GATHER,
                      cost_place(&c, &one, P3D_AXIS_TP), bytes) *
                      4 / 3,
            92e-6, 0.02);
    CHECK_REL(cost_collective_s(&c, P3D_ALL_GATHER,
                      cost_place(&c, &two, P3D_AXIS_TP), bytes) *
                      16 / 15,
            46e-6, 0.02);
}

/* Sizes that there are no slices of say which there are. */
static void what_is_no_slice_is_refused(void **state)
{
    static const char *const rows[][2] = {
            {"72xTPU-v5p", "write 64xTPU-v5p or 128xTPU-v5p"},
            {"384xTPU-v5e", "write 256xTPU-v5e or 512xTPU-v5e"},
            {"24xTPU-v6e", "these have 4, 8, 16, 32, 64, 128 or 256"},
            {"v5p-144", "72 chips are no slice"},
            {"v4-33", "counts TensorCores"}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        p3d_cluster c;
        p3d_error err = {0};

        assert_false(p3d_cluster_find(rows[i][0], &c, &err));
        test_check_error(&err, P3D_DATA, rows[i][1]);
    }
}

/* So are those of a file, and of another number of chips. */
static void files_and_other_sizes_are_slices_too(void **state)
{
    static const char text[] =
            "{\"schema\": 1, \"n_nodes\": 6, \"gpu\": \"TPU-v5p\"}";
    p3d_cluster c = cluster_of("64xTPU-v5e");
    p3d_error err = {0};

    (void)state;
    assert_false(p3d_cluster_resize(&c, 48, &err));
    test_check_error(&err, P3D_DATA, "48 chips are no slice of TPU-v5e");
    assert_int_equal(c.n_gpus, 64);
    err = (p3d_error){0};
    assert_true(p3d_cluster_resize(&c, 128, &err));
    assert_false(p3d_cluster_parse("c.json", text, &c, &err));
    test_check_error(&err, P3D_DATA,
            "24 chips are no slice of TPU-v5p; the nearest have 16 and 32");
    assert_int_equal(err.line, 1);
    assert_string_equal(err.pointer, "/n_nodes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(slices_have_the_shapes_that_can_be_asked_for),
            cmocka_unit_test(groups_reach_the_links_of_their_axes),
            cmocka_unit_test(all_to_all_is_what_the_bisection_lets_through),
            cmocka_unit_test(gathers_take_what_the_book_says),
            cmocka_unit_test(what_is_no_slice_is_refused),
            cmocka_unit_test(files_and_other_sizes_are_slices_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
