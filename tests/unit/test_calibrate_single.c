/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_calibrate_single.c - constants that each measurement tells by itself:
 * what a collective takes of the products beside it, and the host's rates. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "calibrate/forms.h"
#include "cost/cost.h"
#include "plan3d/constants.h"
#include "spec/hardware.h"

enum { N_OVERLAPS = 7, N_COPIES = 6, N_HOST = 4 };

typedef struct machine {
    p3d_gpu gpu;
    p3d_calibration base;
    p3d_overlap_row overlap[N_OVERLAPS];
    p3d_copy_row copy[N_COPIES];
    p3d_host_row host[N_HOST];
    p3d_measurements file;
} machine;

/* A product of a millisecond, which a collective slows down by so much, beside
 * a collective whose bytes the link alone could send in share of its time, and
 * which the product slows down by other. */
static p3d_overlap_row beside(
        const machine *m, int op, double slower, double share, double other)
{
    const p3d_cluster c = {.gpu = m->gpu,
            .node = {.gpus_per_nvlink_domain = 8},
            .calibration = m->base};
    const cost_group group = {.n_ranks = 8, .n_nodes = 1, .ranks_per_node = 8};
    p3d_overlap_row row = {.op = op,
            .bytes = 256 << 20,
            .n_ranks = 8,
            .gemm_alone_s = 1e-3,
            .gemm_beside_s = 1e-3 * slower};

    row.other_alone_s =
            cost_link_s(&c, (p3d_collective)(op - P3D_OP_ALL_REDUCE), &group,
                    (double)row.bytes) /
            share;
    row.other_beside_s = row.other_alone_s * other;
    return row;
}

static void make(machine *m)
{
    p3d_error err = {0};

    memset(m, 0, sizeof(*m));
    assert_true(p3d_gpu_find("H100-SXM5-80GB", &m->gpu, &err));
    assert_true(spec_calibration_load("sm90", &m->base, &err));
    m->file.machine = (p3d_machine){.name = "NVIDIA H100 80GB HBM3"};
}

static p3d_calibrated fit(const machine *m)
{
    p3d_calibrated got;
    p3d_error err = {0};

    if (!p3d_calibrate_some(
                &(p3d_calibrate_options){&m->gpu, &m->base, &m->file, 1}, &got,
                &err))
        fail_msg("%s", err.text);
    return got;
}

/* By hand, in a second beside the collective: products at 47 instead of 80 % of
 * the peak lose 33/80 of it, and a collective at full rate costs that (0.4125);
 * at a quarter of the link's rate a loss of 1/11 is 4/11 of the link's time
 * (0.3636); a collective that runs half as fast beside the product did half the
 * work for a loss of 1/5, of which the link needs half (0.4). */
static void a_collective_takes_what_products_lose(void **state)
{
    machine *const m = calloc(1, sizeof(*m));
    p3d_problem problem;
    p3d_calibrated got;

    (void)state;
    assert_non_null(m);
    make(m);
    m->overlap[0] = beside(m, P3D_OP_ALL_GATHER, 80.0 / 47, 1, 1);
    m->overlap[1] = beside(m, P3D_OP_REDUCE_SCATTER, 1.1, 0.25, 1);
    m->overlap[2] = beside(m, P3D_OP_ALL_REDUCE, 1.25, 1, 2);
    m->overlap[3] = beside(m, P3D_OP_ALL_GATHER, 1.5, 1, 1);
    m->overlap[3].op = P3D_OP_SEND_RECV;
    m->overlap[4] = m->overlap[3];
    m->overlap[4].op = P3D_OP_COPY_H2D;
    m->overlap[4].n_ranks = 1;
    m->file.overlap = (p3d_rows){m->overlap, 5};
    got = fit(m);
    CHECK_REL(got.constants.assumed.overlap_leak_frac, 0.4, 1e-12);
    assert_int_equal(got.forms[P3D_FORM_OVERLAP].n_points, 3);
    assert_true(got.forms[P3D_FORM_OVERLAP].fitted);
    assert_int_equal(got.n_left, 1);
    assert_int_equal(got.left[0].n_rows, 2);
    CHECK_REL(got.constants.assumed.overlap_error_frac,
            (0.4125 / 0.4 - 1 + 1 - 4 / 11.0 / 0.4) / 3, 1e-9);

    /* What was measured is surer than what is assumed. */
    problem.cluster.calibration = m->base;
    CHECK_REL(p3d_constant_sigma(&problem, P3D_CONSTANT_LEAK), 0.28, 0);
    problem.cluster.calibration = got.constants;
    CHECK_REL(p3d_constant_sigma(&problem, P3D_CONSTANT_LEAK),
            1.2533141 * got.constants.assumed.overlap_error_frac, 1e-6);
    free(m);
}

/* Where products are faster beside it than alone, nothing is lost, and nobody
 * loses more than all. */
static void a_leak_is_a_share(void **state)
{
    machine *const m = calloc(1, sizeof(*m));

    (void)state;
    assert_non_null(m);
    make(m);
    m->overlap[0] = beside(m, P3D_OP_ALL_GATHER, 0.9, 1, 1);
    m->overlap[1] = beside(m, P3D_OP_ALL_REDUCE, 0.95, 1, 1);
    m->file.overlap = (p3d_rows){m->overlap, 2};
    CHECK_REL(fit(m).constants.assumed.overlap_leak_frac, 0, 0);
    m->overlap[0] = beside(m, P3D_OP_ALL_GATHER, 2, 0.01, 1);
    m->overlap[1] = beside(m, P3D_OP_ALL_REDUCE, 2, 0.01, 1);
    CHECK_REL(fit(m).constants.assumed.overlap_leak_frac, 1, 0);
    m->file.overlap.n = 1; /* nothing that could contradict it */
    assert_false(fit(m).forms[P3D_FORM_OVERLAP].fitted);
    m->base.assumed.overlap_leak_frac = 0.3;
    CHECK_REL(fit(m).constants.assumed.overlap_leak_frac, 0.3, 0);
    free(m);
}

/* Offloading over a link and by a host that were measured. */
static void the_host_is_as_it_was_measured(void **state)
{
    machine *const m = calloc(1, sizeof(*m));
    p3d_cluster c = {.gpu = {.pcie_bytes_per_s_one_way = 64e9},
            .node = {.gpus_per_node = 8, .host_memory_bytes_per_s = 400e9}};
    p3d_calibrated got;

    (void)state;
    assert_non_null(m);
    make(m);
    for (int i = 0; i < N_COPIES; i++) {
        m->copy[i] = (p3d_copy_row){.direction = i % 3, .bytes = 64 << 20};
        m->copy[i].timing.median_s = (64 << 20) / 50e9;
    }
    m->copy[1].timing.median_s *= 50 / 52.0;
    m->copy[4].bytes = 1 << 19;
    for (int i = 0; i < N_HOST; i++) {
        m->host[i] = (p3d_host_row){.kernel = P3D_HOST_ADAM,
                .n_threads = 96,
                .n_gpus = 4,
                .bytes = 1 << 30};
        m->host[i].timing.median_s = (1 << 30) / 120e9;
    }
    m->host[1].kernel = P3D_HOST_COPY;
    m->host[3].n_gpus = 0;
    m->file.copy = (p3d_rows){m->copy, N_COPIES};
    m->file.host = (p3d_rows){m->host, N_HOST};
    CHECK_REL(cost_host_copy_bytes_per_s(&c), 0.88 * 64e9, 1e-12);
    CHECK_REL(cost_host_optimizer_bytes_per_s(&c), 200e9, 1e-12);
    got = fit(m);
    assert_int_equal(got.forms[P3D_FORM_COPY].n_points, 3);
    assert_int_equal(got.forms[P3D_FORM_CPU_ADAM].n_points, 2);
    assert_int_equal(got.n_left, 3);
    assert_int_equal(got.left[0].n_rows, 3);
    assert_int_equal(got.left[1].n_rows, 1);
    assert_int_equal(got.left[2].n_rows, 1);
    c.calibration = got.constants;
    CHECK_REL(cost_host_copy_bytes_per_s(&c), 50e9, 1e-12);
    CHECK_REL(cost_host_optimizer_bytes_per_s(&c), 240e9, 1e-12);
    /* Held out, the copy at 52 GB/s is 4 % faster than the others say. */
    CHECK_REL(got.forms[P3D_FORM_COPY].held_error_frac,
            (0.04 + 2 * (1 - 50 / 51.0)) / 3, 1e-9);
    free(m);
}

static const spec_calibration_source sources[] = {
        {"/assumed", "products beside collectives: 3 points"},
        {"/host", "copies: 3 points"}};

/** The words of a file with these constants; the caller frees them. */
static p3d_text written(const p3d_calibration *c)
{
    p3d_text text = {0};

    spec_calibration_write(c, sources, P3D_COUNT_OF(sources), &text);
    assert_false(text.failed);
    return text;
}

/* A file keeps them, and only what was measured has a source. */
static void a_file_keeps_what_was_measured(void **state)
{
    machine *const m = calloc(1, sizeof(*m));
    p3d_calibration back;
    p3d_error err = {0};
    p3d_text text;

    (void)state;
    assert_non_null(m);
    make(m);
    text = written(&m->base);
    assert_null(strstr(p3d_text_get(&text), "\"host\""));
    assert_null(strstr(p3d_text_get(&text), "beside collectives"));
    p3d_text_free(&text);
    m->base.host = (p3d_host_fit){50e9, 60e9};
    m->base.assumed.overlap_leak_frac = 0.37;
    m->base.assumed.overlap_error_frac = 0.02;
    text = written(&m->base);
    assert_non_null(strstr(p3d_text_get(&text), "copies: 3 points"));
    assert_non_null(strstr(p3d_text_get(&text), "beside collectives"));
    if (!spec_calibration_parse("mine.json", p3d_text_get(&text), &back, &err))
        fail_msg("%s", err.text);
    CHECK_REL(back.host.copy_bytes_per_s, 50e9, 0);
    CHECK_REL(back.host.adam_bytes_per_s, 60e9, 0);
    CHECK_REL(back.assumed.overlap_leak_frac, 0.37, 0);
    CHECK_REL(back.assumed.overlap_error_frac, 0.02, 0);
    p3d_text_free(&text);
    free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_collective_takes_what_products_lose),
            cmocka_unit_test(a_leak_is_a_share),
            cmocka_unit_test(the_host_is_as_it_was_measured),
            cmocka_unit_test(a_file_keeps_what_was_measured),
    };

    return cmocka_run_group_tests_name("calibrate_single", tests, NULL, NULL);
}
