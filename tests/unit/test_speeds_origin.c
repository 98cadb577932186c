/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_speeds_origin.c - answers call assumed what no source has measured, of
 * each calibration and each fabric that there is. */
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/catalog.h"
#include "report/document.h"
#include "spec/hardware.h"
#include "test.h"
#include "json/json.h"

static p3d_catalog folder(p3d_folder which)
{
    p3d_catalog catalog = {0};
    p3d_error err = {0};

    assert_true(p3d_catalog_open(which, &catalog, &err));
    return catalog;
}

static bool is_kind(const json_doc *doc, const char *key, const char *kind)
{
    const json_value *const sources = json_get(doc->root, "sources");

    return strcmp(json_string(json_get(json_get(sources, key), "kind")),
                   kind) == 0;
}

/* What a job in this precision has of a calibration. */
static void origin_of(
        const p3d_calibration *c, p3d_dtype dtype, char line[JSON_LINE])
{
    const p3d_cluster cluster = {.calibration = *c};
    const p3d_job job = {.dtype = dtype};
    const report_document document = {.cluster = &cluster, .job = &job};

    report_speeds_origin(&document, (p3d_style){0}, c->basis, line);
}

static void check_calibration(const json_doc *doc, const p3d_calibration *c)
{
    static const struct {
        const char *key, *word;
    } parts[] = {{"/gemm", "GEMMs"}, {"/sustained_frac", "rates under load"},
            {"/attention", "attention"},
            {"/memory_pass", "memory-bound kernels"},
            {"/collective", "collectives"}};
    char line[JSON_LINE];
    int n_assumed = 0;

    origin_of(c, P3D_BF16, line);
    for (int i = 0; i < P3D_COUNT_OF(parts); i++)
        n_assumed += is_kind(doc, parts[i].key, "assumed");
    for (int i = 0; i < P3D_COUNT_OF(parts); i++) {
        const bool named = strstr(line, parts[i].word) != NULL;

        if (named != (n_assumed > 0 && !is_kind(doc, parts[i].key, "assumed")))
            fail_msg("%s: '%s' of: %s", c->name, parts[i].word, line);
    }
    assert_int_equal(strstr(line, "all assumed for") != NULL,
            n_assumed == P3D_COUNT_OF(parts));
    assert_int_equal(strstr(line, "the others assumed") != NULL,
            n_assumed > 0 && n_assumed < P3D_COUNT_OF(parts));
    assert_int_equal(strstr(line, "microbenchmarks") != NULL,
            n_assumed < P3D_COUNT_OF(parts));
}

static void every_calibration_says_what_is_assumed(void **state)
{
    p3d_catalog catalog = folder(P3D_CALIBRATIONS);

    (void)state;
    for (int i = 0; i < catalog.n_names; i++) {
        p3d_calibration c = {0};
        json_doc doc = {0};
        p3d_error err = {0};

        assert_true(spec_calibration_load(catalog.names[i], &c, &err));
        assert_true(spec_hardware_open(
                P3D_CALIBRATIONS, catalog.names[i], &doc, &err));
        check_calibration(&doc, &c);
        json_close(&doc);
    }
    p3d_catalog_free(&catalog);
}

/* The products of GB300 are measured in bf16, not in fp8; without any
 * assumption the sentence is short. */
static void products_are_those_of_the_job(void **state)
{
    p3d_calibration c = {0};
    p3d_error err = {0};
    char line[JSON_LINE];

    (void)state;
    assert_true(spec_calibration_load("sm103-gb300", &c, &err));
    origin_of(&c, P3D_BF16, line);
    assert_string_equal(line, "GEMMs, attention from microbenchmarks on "
                              "GB300-288GB, the others assumed");
    origin_of(&c, P3D_FP8, line);
    assert_string_equal(line, "attention from microbenchmarks on GB300-288GB, "
                              "the others assumed");
    c.assumed_parts = 0;
    origin_of(&c, P3D_FP8, line);
    assert_string_equal(line, "from microbenchmarks on GB300-288GB");
}

/* The rate of each network is that of its adapters; what is reached of it and
 * how late may be assumed. */
static void every_fabric_says_what_is_assumed(void **state)
{
    p3d_catalog catalog = folder(P3D_FABRICS);

    (void)state;
    for (int i = 0; i < catalog.n_names; i++) {
        p3d_fabric f = {0};
        json_doc doc = {0};
        p3d_error err = {0};

        assert_true(spec_fabric_load(catalog.names[i], &f, &err));
        assert_true(
                spec_hardware_open(P3D_FABRICS, catalog.names[i], &doc, &err));
        assert_false(is_kind(&doc, "/nic_bytes_per_s_one_way", "assumed"));
        assert_int_equal(
                f.assumed_latency, is_kind(&doc, "/latency_s", "assumed"));
        assert_int_equal(f.assumed_fracs,
                is_kind(&doc, "/all_reduce_frac", "assumed") ||
                        is_kind(&doc, "/all_gather_frac", "assumed") ||
                        is_kind(&doc, "/p2p_frac", "assumed"));
        json_close(&doc);
    }
    p3d_catalog_free(&catalog);
}

/* A network that was measured on the cluster is assumed no more. */
static void what_is_measured_is_not_assumed(void **state)
{
    p3d_cluster c = {0};
    p3d_calibration measured = {0};
    p3d_error err = {0};

    (void)state;
    assert_true(p3d_cluster_find("16xRTX-4090", &c, &err));
    assert_true(c.fabric.assumed_latency && c.fabric.assumed_fracs);
    measured = c.calibration;
    measured.network.latency_s = 1e-5;
    spec_cluster_calibrate(&c, &measured);
    assert_true(!c.fabric.assumed_latency && c.fabric.assumed_fracs);
    measured.network.all_reduce_bytes_per_s = 1e9;
    measured.network.all_gather_bytes_per_s = 1e9;
    measured.network.all_to_all_bytes_per_s = 1e9;
    spec_cluster_calibrate(&c, &measured);
    assert_false(c.fabric.assumed_fracs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(every_calibration_says_what_is_assumed),
            cmocka_unit_test(products_are_those_of_the_job),
            cmocka_unit_test(every_fabric_says_what_is_assumed),
            cmocka_unit_test(what_is_measured_is_not_assumed),
    };

    return cmocka_run_group_tests_name("speeds origin", tests, NULL, NULL);
}
