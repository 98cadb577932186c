/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_calibrate.c - constants of a machine from its own measurements. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/util.h"
#include "cost/cost.h"
#include "plan3d/calibrate.h"
#include "plan3d/fit.h"
#include "spec/hardware.h"

enum { N_PRODUCTS = 120, N_PASSES = 24, N_COLLECTIVES = 48 };

/* The truth that the measurements below are made from. */
static const double PEAK_FRAC = 0.66;
static const double HBM_FRAC = 0.86;
static const double PASS_LAUNCH_S = 2.5e-6;
static const double LINK_FRAC = 0.7;

typedef struct machine {
    p3d_gpu gpu;
    p3d_calibration base;
    p3d_gemm_row gemm[N_PRODUCTS];
    p3d_pass_row pass[N_PASSES];
    p3d_collective_row collective[N_COLLECTIVES];
    p3d_measurements file;
} machine;

/* Numbers from 0 to 1, the same ones in every run (Knuth's MMIX generator). */
static double next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* Off by up to noise_frac, and one in twenty three times as long. */
static double spoil(double time_s, double noise_frac, uint64_t *state)
{
    const double off = noise_frac * (2 * next(state) - 1);
    const bool far_off = noise_frac > 0 && next(state) < 0.05;

    return time_s * (1 + off) * (far_off ? 3 : 1);
}

static void make(machine *m, double noise_frac)
{
    p3d_cluster c = {.node = {.gpus_per_nvlink_domain = 8}};
    uint64_t state = 1;
    p3d_error err = {0};

    memset(m, 0, sizeof(*m));
    assert_true(p3d_gpu_find("H100-SXM5-80GB", &m->gpu, &err));
    assert_true(spec_calibration_load("sm90", &m->base, &err));
    c.gpu = m->gpu;
    c.calibration = m->base;
    c.calibration.sustained_frac = 1;
    c.calibration.nvls_factor = 1;
    c.calibration.gemm.peak_frac = PEAK_FRAC;
    c.calibration.pass =
            (p3d_pass_fit){.hbm_frac = HBM_FRAC, .launch_s = PASS_LAUNCH_S};
    c.calibration.collective[P3D_ALL_REDUCE].link_frac = LINK_FRAC;
    for (int i = 0; i < N_PRODUCTS; i++) {
        p3d_gemm_row *const r = &m->gemm[i];

        r->m = 64 * (8 + (int64_t)(120 * next(&state)));
        r->n = 64 * (8 + (int64_t)(120 * next(&state)));
        r->k = 64 * (8 + (int64_t)(120 * next(&state)));
        r->count = 1;
        r->timing.median_s = spoil(
                cost_gemm_s(&c, P3D_BF16, (cost_product){r->m, r->n, r->k, 1}),
                noise_frac, &state);
    }
    for (int i = 0; i < N_PASSES; i++) {
        m->pass[i].kernel = P3D_KERNEL_ADD;
        m->pass[i].bytes = (int64_t)(1e6 * pow(1.35, i));
        m->pass[i].timing.median_s = spoil(
                cost_pass_s(&c, P3D_PASS_VECTOR, (double)m->pass[i].bytes, 1),
                noise_frac, &state);
    }
    for (int i = 0; i < N_COLLECTIVES; i++) {
        p3d_collective_row *const r = &m->collective[i];
        const int n = 2 << i % 3;
        const cost_group group = {
                .n_ranks = n, .n_nodes = 1, .ranks_per_node = n};

        r->op = P3D_OP_ALL_REDUCE;
        r->n_ranks = n;
        r->n_nodes = 1;
        r->bytes = (int64_t)65536 << i / 3;
        r->timing.median_s = spoil(
                cost_collective_s(&c, P3D_ALL_REDUCE, group, (double)r->bytes),
                noise_frac, &state);
    }
    m->file = (p3d_measurements){.date = "2026-11-21T04:00:00Z",
            .machine = {.name = "NVIDIA H100 80GB HBM3",
                    .driver = "550.54.15",
                    .n_sms = 132},
            .gemm = {m->gemm, N_PRODUCTS},
            .pass = {m->pass, N_PASSES},
            .collective = {m->collective, N_COLLECTIVES}};
}

static void check_constants(const p3d_calibration *c, double rel)
{
    CHECK_REL(c->gemm.peak_frac, PEAK_FRAC, rel);
    CHECK_REL(c->pass.hbm_frac, HBM_FRAC, rel);
    CHECK_REL(c->collective[P3D_ALL_REDUCE].link_frac, LINK_FRAC, rel);
}

static void exact_measurements_give_their_constants(void **state)
{
    machine *const m = malloc(sizeof(*m));
    p3d_calibrated got;
    p3d_error err = {0};

    (void)state;
    assert_non_null(m);
    make(m, 0);
    assert_true(p3d_calibrate(
            &(p3d_calibrate_options){&m->gpu, &m->base, &m->file, 1}, &got,
            &err));
    check_constants(&got.constants, 0.005);
    CHECK_REL(got.constants.pass.launch_s, PASS_LAUNCH_S, 0.01);
    for (int i = 0; i < P3D_N_FORMS; i++) {
        const p3d_form_result *const f = &got.forms[i];

        if (!f->fitted)
            continue;
        assert_true(f->held_error_frac < 0.01);
        assert_true(f->new_error_frac < f->old_error_frac);
    }
    assert_string_equal(got.constants.device, "NVIDIA H100 80GB HBM3");
    assert_string_equal(got.constants.basis, "H100-SXM5-80GB");
    assert_string_equal(got.base, "sm90");
    free(m);
}

/* 5 % of noise, and a point in twenty three times as long: the constants move
 * by less than the noise. */
static void points_far_off_do_not_move_the_constants(void **state)
{
    machine *const m = malloc(sizeof(*m));
    p3d_calibrated got;
    p3d_error err = {0};

    (void)state;
    assert_non_null(m);
    make(m, 0.05);
    assert_true(p3d_calibrate(
            &(p3d_calibrate_options){&m->gpu, &m->base, &m->file, 1}, &got,
            &err));
    check_constants(&got.constants, 0.04);
    free(m);
}

/* Every second kernel a norm, which reaches half of the rate. */
static void make_norms(machine *m)
{
    for (int i = 0; i < N_PASSES; i += 2) {
        m->pass[i].kernel = P3D_KERNEL_NORM;
        m->pass[i].timing.median_s =
                2 * (m->pass[i].timing.median_s - PASS_LAUNCH_S) +
                3 * PASS_LAUNCH_S;
    }
}

static void kinds_of_passes_have_the_rates_that_their_rows_show(void **state)
{
    machine *const m = malloc(sizeof(*m));
    p3d_calibrated got;
    p3d_error err = {0};
    const p3d_pass_fit *const pass = &got.constants.pass;

    (void)state;
    assert_non_null(m);
    make(m, 0);
    assert_true(p3d_calibrate(
            &(p3d_calibrate_options){&m->gpu, &m->base, &m->file, 1}, &got,
            &err));
    for (int i = 0; i < P3D_N_PASS_KINDS; i++)
        assert_true(pass->kind[i].hbm_frac <= 0);
    make_norms(m);
    assert_true(p3d_calibrate(
            &(p3d_calibrate_options){&m->gpu, &m->base, &m->file, 1}, &got,
            &err));
    CHECK_REL(pass->kind[P3D_PASS_ROWS].hbm_frac, HBM_FRAC / 2, 0.01);
    CHECK_REL(pass->kind[P3D_PASS_ROWS].launch_s, 3 * PASS_LAUNCH_S, 0.02);
    CHECK_REL(pass->kind[P3D_PASS_VECTOR].hbm_frac, HBM_FRAC, 0.01);
    assert_true(pass->kind[P3D_PASS_OPTIMIZER].hbm_frac <= 0);
    assert_true(got.forms[P3D_FORM_PASS].held_error_frac < 0.01);
    free(m);
}

/* Rows that no form is fitted to are counted. */
static void what_is_left_out_is_said(void **state)
{
    machine *const m = malloc(sizeof(*m));
    p3d_overlap_row beside = {.op = P3D_OP_ALL_GATHER};
    p3d_calibrated got;
    p3d_error err = {0};

    (void)state;
    assert_non_null(m);
    make(m, 0);
    m->collective[0].n_nodes = 2;
    m->collective[0].n_groups = 4;
    m->collective[9].op = P3D_OP_SEND_RECV;
    m->file.overlap = (p3d_rows){&beside, 1};
    assert_true(p3d_calibrate(
            &(p3d_calibrate_options){&m->gpu, &m->base, &m->file, 1}, &got,
            &err));
    assert_int_equal(
            got.forms[P3D_FORM_ALL_REDUCE].n_points, N_COLLECTIVES - 2);
    assert_int_equal(got.n_left, 3);
    assert_string_equal(got.left[0].what, "other collectives between nodes");
    assert_int_equal(got.left[0].n_rows, 1);
    assert_int_equal(got.left[1].n_rows, 1);
    assert_int_equal(got.left[2].n_rows, 1);
    m->file.gemm.n = m->file.pass.n = 0;
    m->file.collective.n = 1;
    assert_false(p3d_calibrate(
            &(p3d_calibrate_options){&m->gpu, &m->base, &m->file, 1}, &got,
            &err));
    test_check_error(&err, P3D_DATA,
            "1 other collectives between nodes are left out: several groups");
    free(m);
}

/* A cluster of 2 to 8 nodes with this truth, of each GPU, in bytes/s. */
static const double NET_LATENCY_S = 9e-5;
static const double NET_REDUCE = 3.1e10;
static const double NET_GATHER = 2.4e10;
static const double NET_EXCHANGE = 1.7e10;

enum { N_NETWORK = 72 };

static void make_network(
        const machine *m, p3d_collective_row *rows, double noise_frac)
{
    static const int ops[] = {P3D_OP_ALL_REDUCE, P3D_OP_ALL_GATHER,
            P3D_OP_REDUCE_SCATTER, P3D_OP_ALL_TO_ALL};
    p3d_cluster c = {.gpu = m->gpu, .calibration = m->base};
    uint64_t state = 3;
    p3d_error err = {0};

    assert_true(p3d_cluster_find("16xH100", &c, &err));
    c.calibration.network = (p3d_network_fit){
            NET_LATENCY_S, NET_REDUCE, NET_GATHER, NET_EXCHANGE};
    for (int i = 0; i < N_NETWORK; i++) {
        p3d_collective_row *const r = &rows[i];

        *r = (p3d_collective_row){.op = ops[i % 4],
                .n_nodes = 2 << i / 4 % 3,
                .n_groups = 1,
                .bytes = (int64_t)65536 << 2 * (i / 12)};
        r->n_ranks = 8 * r->n_nodes;
        r->timing.median_s = spoil(
                p3d_network_point_s(&c,
                        &(p3d_measured_kernel){
                                .op = {.bytes = (double)r->bytes,
                                        .collective = (p3d_collective)r->op},
                                .n_ranks = (int)r->n_ranks,
                                .n_nodes = (int)r->n_nodes}),
                noise_frac, &state);
    }
}

static void what_leaves_the_node_is_fitted(void **state)
{
    machine *const m = malloc(sizeof(*m));

    (void)state;
    assert_non_null(m);
    for (int noisy = 0; noisy < 2; noisy++) {
        const double rel = noisy ? 0.06 : 0.01;
        p3d_collective_row rows[N_NETWORK];
        p3d_calibrated got;
        p3d_error err = {0};

        make(m, 0);
        make_network(m, rows, noisy ? 0.05 : 0);
        m->file = (p3d_measurements){
                .machine = m->file.machine, .collective = {rows, N_NETWORK}};
        if (!p3d_calibrate(
                    &(p3d_calibrate_options){&m->gpu, &m->base, &m->file, 1},
                    &got, &err))
            fail_msg("%s", err.text);
        assert_int_equal(got.n_fitted, 2);
        assert_int_equal(got.n_left, 0);
        assert_int_equal(got.forms[P3D_FORM_NETWORK].n_points, 54);
        CHECK_REL(got.constants.network.latency_s, NET_LATENCY_S, rel);
        CHECK_REL(
                got.constants.network.all_reduce_bytes_per_s, NET_REDUCE, rel);
        CHECK_REL(
                got.constants.network.all_gather_bytes_per_s, NET_GATHER, rel);
        CHECK_REL(got.constants.network.all_to_all_bytes_per_s, NET_EXCHANGE,
                rel);
    }
    free(m);
}

/* Racks whose NVLink joins nodes have a network of another kind. */
static void nvlink_between_nodes_is_left_out(void **state)
{
    machine *const m = malloc(sizeof(*m));
    p3d_collective_row rows[N_NETWORK];
    p3d_calibrated got;
    p3d_error err = {0};

    (void)state;
    assert_non_null(m);
    make(m, 0);
    make_network(m, rows, 0);
    assert_true(p3d_gpu_find("GB200", &m->gpu, &err));
    m->file.collective = (p3d_rows){rows, N_NETWORK};
    assert_true(p3d_calibrate_some(
            &(p3d_calibrate_options){&m->gpu, &m->base, &m->file, 1}, &got,
            &err));
    assert_false(got.forms[P3D_FORM_NETWORK].fitted);
    assert_int_equal(got.n_left, 1);
    assert_int_equal(got.left[0].n_rows, N_NETWORK);
    assert_string_equal(got.left[0].why, "their NVLink goes from node to node");
    free(m);
}

/* On another cluster of that GPU: shares of its own cards, all at most. */
static void a_measured_network_is_a_share_of_the_cards(void **state)
{
    p3d_calibration constants = {.network = {1e-4, 2.5e10, 2e10, 9e10}};
    p3d_cluster c = {.node = {.nics_per_node = 4, .gpus_per_node = 8},
            .fabric = {.nic_bytes_per_s_one_way = 1e11, .latency_s = 5e-5}};

    (void)state;
    spec_cluster_calibrate(&c, &constants);
    CHECK_REL(c.fabric.latency_s, 1e-4, 1e-12);
    CHECK_REL(c.fabric.all_reduce_frac, 0.5, 1e-12);
    CHECK_REL(c.fabric.all_gather_frac, 0.4, 1e-12);
    CHECK_REL(c.fabric.p2p_frac, 1, 1e-12);
    constants.network = (p3d_network_fit){0};
    c.fabric.all_reduce_frac = 0.9;
    spec_cluster_calibrate(&c, &constants);
    CHECK_REL(c.fabric.all_reduce_frac, 0.9, 1e-12);
}

static void forms_without_points_keep_their_constants(void **state)
{
    machine *const m = malloc(sizeof(*m));
    p3d_calibrated got;
    p3d_error err = {0};

    (void)state;
    assert_non_null(m);
    make(m, 0);
    m->file.gemm.n = 5; /* one fewer than a fit needs */
    m->file.collective.n = 0;
    assert_true(p3d_calibrate(
            &(p3d_calibrate_options){&m->gpu, &m->base, &m->file, 1}, &got,
            &err));
    assert_false(got.forms[P3D_FORM_GEMM].fitted);
    assert_int_equal(got.forms[P3D_FORM_GEMM].n_points, 5);
    assert_int_equal(got.forms[P3D_FORM_GEMM].n_least, 6);
    assert_true(got.constants.gemm.peak_frac == m->base.gemm.peak_frac);
    assert_true(got.constants.nvls_factor == m->base.nvls_factor);
    assert_true(got.forms[P3D_FORM_PASS].fitted);
    m->file.pass.n = 0;
    assert_false(p3d_calibrate(
            &(p3d_calibrate_options){&m->gpu, &m->base, &m->file, 1}, &got,
            &err));
    test_check_error(&err, P3D_DATA, "too few points");
    free(m);
}

/* What the forms do not describe is left out of their points. */
static void sustained_and_added_products_are_no_points(void **state)
{
    machine *const m = malloc(sizeof(*m));
    p3d_calibrated got;
    p3d_error err = {0};

    (void)state;
    assert_non_null(m);
    make(m, 0);
    m->gemm[0].sustained = true;
    m->gemm[1].accumulate = true;
    m->gemm[2].how = P3D_GEMM_LOOP;
    m->gemm[3].dtype = P3D_NUMBER_TF32;
    m->pass[0].kernel = P3D_KERNEL_COPY;
    m->collective[0].n_nodes = 2;
    assert_true(p3d_calibrate(
            &(p3d_calibrate_options){&m->gpu, &m->base, &m->file, 1}, &got,
            &err));
    assert_int_equal(got.forms[P3D_FORM_GEMM].n_points, N_PRODUCTS - 4);
    assert_int_equal(got.forms[P3D_FORM_PASS].n_points, N_PASSES - 1);
    assert_int_equal(
            got.forms[P3D_FORM_ALL_REDUCE].n_points, N_COLLECTIVES - 1);
    free(m);
}

/* A log that says nothing of the power limit agrees with each of two files, and
 * they do not with each other. */
static void two_devices_are_refused(void **state)
{
    machine *const m = malloc(sizeof(*m));
    p3d_calibrated got;
    p3d_measurements files[3];
    p3d_error err = {0};

    (void)state;
    assert_non_null(m);
    make(m, 0);
    files[0] = files[1] = files[2] = m->file;
    files[1].machine.power_limit_w = 500;
    files[2].machine.power_limit_w = 700;
    assert_true(p3d_calibrate(
            &(p3d_calibrate_options){&m->gpu, &m->base, files, 2}, &got, &err));
    assert_false(p3d_calibrate(
            &(p3d_calibrate_options){&m->gpu, &m->base, files, 3}, &got, &err));
    test_check_error(&err, P3D_DATA, "calibrate each by itself");
    free(m);
}

/* Every calibration comes back from its own file as it was. */
static void a_calibration_is_read_as_it_was_written(void **state)
{
    static const char *const names[] = {"sm80", "sm90", "sm70", "sm100"};
    static const spec_calibration_source sources[] = {
#define AS_SOURCE(name, key) {"/" #key, "a test"},
            P3D_CALIBRATION_PARTS(AS_SOURCE)
#undef AS_SOURCE
    };

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(names); i++) {
        char path[] = "/tmp/plan3d-calibration-XXXXXX";
        const int fd = mkstemp(path);
        FILE *const file = fdopen(fd, "w");
        p3d_calibration c = {.name = ""};
        p3d_calibration again = {.name = ""};
        p3d_text text = {0};
        p3d_error err = {0};

        assert_non_null(file);
        assert_true(spec_calibration_load(names[i], &c, &err));
        p3d_copy(c.device, sizeof(c.device), "a \"device\"");
        spec_calibration_write(&c, sources, P3D_COUNT_OF(sources), &text);
        assert_true(fputs(p3d_text_get(&text), file) >= 0);
        assert_int_equal(fclose(file), 0);
        assert_true(spec_calibration_open(path, &again, &err));
        assert_memory_equal(&again, &c, sizeof(c));
        p3d_text_free(&text);
        unlink(path);
    }
}

/* A GPU without fp8 or nvfp4 has no source of them. */
static void sources_are_of_what_a_gpu_has(void **state)
{
    static const struct {
        const char *name;
        bool fp8, nvfp4;
    } rows[] = {{"sm80", false, false}, {"sm90", true, false},
            {"sm100", true, true}};
    static const spec_calibration_source sources[] = {{"/gemm", "a test"},
            {"/gemm_fp8", "a test"}, {"/gemm_nvfp4", "a test"}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        p3d_calibration c = {.name = ""};
        p3d_text text = {0};
        p3d_error err = {0};

        assert_true(spec_calibration_load(rows[i].name, &c, &err));
        spec_calibration_write(&c, sources, P3D_COUNT_OF(sources), &text);
        assert_non_null(strstr(p3d_text_get(&text), "\"/gemm\": {"));
        assert_int_equal(
                strstr(p3d_text_get(&text), "\"/gemm_fp8\": {") != NULL,
                rows[i].fp8);
        assert_int_equal(
                strstr(p3d_text_get(&text), "\"/gemm_nvfp4\": {") != NULL,
                rows[i].nvfp4);
        p3d_text_free(&text);
    }
}

static p3d_machine device_of(
        const char *name, int64_t memory_bytes, int64_t n_sms)
{
    p3d_machine device = {.memory_bytes = memory_bytes, .n_sms = n_sms};

    p3d_copy(device.name, sizeof(device.name), name);
    return device;
}

static bool find_device(const char *name, int64_t memory_bytes, int64_t n_sms,
        p3d_gpu *out, p3d_error *err)
{
    const p3d_machine device = device_of(name, memory_bytes, n_sms);

    return p3d_gpu_of_device(&device, out, err);
}

static void devices_are_found_by_the_name_of_their_driver(void **state)
{
    static const struct {
        const char *device;
        double gib;
        int64_t n_sms;
        const char *gpu;
    } rows[] = {{"NVIDIA H100 80GB HBM3", 79.11, 132, "H100-SXM5-80GB"},
            {"NVIDIA H200", 139.8, 132, "H200-SXM-141GB"},
            {"NVIDIA A100-SXM4-80GB", 79.15, 108, "A100-SXM4-80GB"},
            {"NVIDIA A100-SXM4-40GB", 39.4, 108, "A100-SXM4-40GB"},
            {"NVIDIA GeForce RTX 4090", 23.6, 128, "RTX-4090-24GB"}};
    p3d_gpu gpu = {.name = ""};
    p3d_error err = {0};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        assert_true(
                find_device(rows[i].device, (int64_t)(rows[i].gib * 1073741824),
                        rows[i].n_sms, &gpu, &err));
        assert_string_equal(gpu.name, rows[i].gpu);
    }
    assert_false(find_device("NVIDIA H100", 1000000000, 132, &gpu, &err));
    test_check_error(&err, P3D_DATA, "--gpu");
}

/* A name alone stands for the GPUs that it is most like, and for no others. */
static void a_name_alone_may_be_of_several_gpus(void **state)
{
    static const struct {
        const char *gpu;
        const char *device;
        int64_t memory_bytes;
        bool may_be;
    } cases[] = {
            {"H100-SXM5-80GB", "NVIDIA H100 80GB HBM3", 0, true},
            {"H100-PCIe-80GB", "NVIDIA H100 80GB HBM3", 0, true},
            {"H100-SXM5-80GB", "NVIDIA H100 80GB HBM3", 85017493504, true},
            {"H100-SXM5-80GB", "NVIDIA H100 80GB HBM3", 100000000000, false},
            {"H100-SXM5-80GB", "NVIDIA H200", 0, false},
            {"A800-SXM4-80GB", "NVIDIA A100-SXM4-80GB", 0, false},
            {"A100-SXM4-80GB", "NVIDIA A100-SXM4-80GB", 0, true},
            {"H100-SXM5-80GB", "Fake GPU", 0, false},
    };
    p3d_error err = {0};
    p3d_gpu gpu;

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        bool got = !cases[i].may_be;
        p3d_machine device;

        assert_true(p3d_gpu_find(cases[i].gpu, &gpu, &err));
        device = device_of(cases[i].device, cases[i].memory_bytes, 0);
        assert_true(p3d_gpu_may_be(&gpu, &device, &got, &err));
        assert_int_equal(got, cases[i].may_be);
    }
    assert_true(find_device("NVIDIA A100-SXM4-80GB", 0, 0, &gpu, &err));
    assert_string_equal(gpu.name, "A100-SXM4-80GB");
    assert_false(find_device("NVIDIA H100 80GB HBM3", 0, 0, &gpu, &err));
    test_check_error(&err, P3D_DATA, "write which with --gpu");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_name_alone_may_be_of_several_gpus),
            cmocka_unit_test(exact_measurements_give_their_constants),
            cmocka_unit_test(points_far_off_do_not_move_the_constants),
            cmocka_unit_test(
                    kinds_of_passes_have_the_rates_that_their_rows_show),
            cmocka_unit_test(what_is_left_out_is_said),
            cmocka_unit_test(what_leaves_the_node_is_fitted),
            cmocka_unit_test(nvlink_between_nodes_is_left_out),
            cmocka_unit_test(a_measured_network_is_a_share_of_the_cards),
            cmocka_unit_test(forms_without_points_keep_their_constants),
            cmocka_unit_test(sustained_and_added_products_are_no_points),
            cmocka_unit_test(two_devices_are_refused),
            cmocka_unit_test(a_calibration_is_read_as_it_was_written),
            cmocka_unit_test(sources_are_of_what_a_gpu_has),
            cmocka_unit_test(devices_are_found_by_the_name_of_their_driver),
    };

    return cmocka_run_group_tests_name("calibrate", tests, NULL, NULL);
}
