/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_cluster.c - clusters in words. */
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "plan3d/cluster.h"

static p3d_cluster find(const char *words)
{
    p3d_cluster cluster = {0};
    p3d_error err = {0};

    if (!p3d_cluster_find(words, &cluster, &err)) {
        print_error("'%s': %s: %s\n", words, err.file, err.text);
        fail();
    }
    return cluster;
}

static void check_shape(const char *words, int n_nodes, int gpus_per_node,
        int gpus_per_nvlink_domain)
{
    const p3d_cluster c = find(words);

    assert_int_equal(c.n_gpus, n_nodes * gpus_per_node);
    assert_int_equal(c.n_nodes, n_nodes);
    assert_int_equal(c.node.gpus_per_node, gpus_per_node);
    assert_int_equal(c.node.gpus_per_nvlink_domain, gpus_per_nvlink_domain);
}

static void a_count_and_a_type_fill_default_nodes(void **state)
{
    const p3d_cluster c = find("64xA800");

    (void)state;
    assert_string_equal(c.name, "64 x A800-SXM4-80GB");
    assert_string_equal(c.gpu.name, "A800-SXM4-80GB");
    assert_string_equal(c.node.name, c.gpu.node);
    assert_string_equal(c.fabric.name, c.node.fabric);
    assert_string_equal(c.calibration.name, c.gpu.calibration);
    check_shape("64xA800", 8, 8, 8);
    check_shape("8xA800", 1, 8, 8);
}

static void spaces_case_plurals_and_separators_do_not_matter(void **state)
{
    static const char *const words[] = {"64 x A800", "64xa800", "64 X A800s",
            " 64x A800-80GB ", "64xA800_80g", "64*A800 80GB",
            "64xa800-sxm4-80gb", "64 \xc3\x97 A800", "8x8xA800", "8 x 8 x A800",
            "064xA800"};

    (void)state;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        assert_string_equal(find(words[i]).name, "64 x A800-SXM4-80GB");
}

static void a_type_may_begin_with_digits_or_contain_an_x(void **state)
{
    (void)state;
    assert_string_equal(find("8x4090").gpu.name, "RTX-4090-24GB");
    assert_string_equal(find("8xRTX4090").gpu.name, "RTX-4090-24GB");
    assert_string_equal(find("2x8xMI300X").gpu.name, "MI300X-192GB");
}

static void a_plural_does_not_hide_a_type_that_ends_in_s(void **state)
{
    (void)state;
    assert_string_equal(find("8xL40S").gpu.name, "L40S-48GB");
    assert_string_equal(find("8xL40s").gpu.name, "L40S-48GB");
    assert_string_equal(find("8xL40").gpu.name, "L40-48GB");
}

static void fewer_gpus_than_a_node_are_one_node(void **state)
{
    (void)state;
    check_shape("1xA800", 1, 1, 1);
    check_shape("3xA800", 1, 3, 3);
    check_shape("2x4xA800", 2, 4, 4);
    check_shape("9x7xA800", 9, 7, 7);
}

static void nodes_larger_than_usual_keep_the_nvlink_domain(void **state)
{
    (void)state;
    check_shape("2x16xA800", 2, 16, 8);
}

static void gpus_without_nvlink_have_a_domain_of_one(void **state)
{
    (void)state;
    check_shape("16x4090", 2, 8, 1);
}

static void a_machine_has_its_own_gpus_and_network(void **state)
{
    const p3d_cluster p4d = find("8xp4d.24xlarge");
    const p3d_cluster mega = find("2xA3-Mega");
    const p3d_cluster oci = find("4xbm.gpu.h100.8");

    (void)state;
    assert_string_equal(p4d.gpu.name, "A100-SXM4-40GB");
    assert_string_equal(p4d.node.name, "aws-p4d-24xlarge");
    assert_string_equal(p4d.fabric.name, "efa-100");
    assert_int_equal(p4d.node.nics_per_node, 4);
    assert_int_equal(p4d.n_nodes, 8);
    assert_int_equal(p4d.n_gpus, 64);
    assert_string_equal(p4d.name, "64 x A100-SXM4-40GB");
    assert_string_equal(mega.gpu.name, "H100-SXM5-80GB");
    assert_string_equal(mega.fabric.name, "tcpxo-200");
    assert_int_equal(mega.n_gpus, 16);
    assert_int_equal(oci.n_gpus, 32);
}

static void a_machine_is_counted_and_may_be_used_in_part(void **state)
{
    (void)state;
    check_shape("1xp5.48xlarge", 1, 8, 8);
    check_shape("4xDGX-H100", 4, 8, 8);
    check_shape("4xdgx h100s", 4, 8, 8);
    check_shape("2x4xp5", 2, 4, 4);
    /* A rack is counted, and not its trays. */
    check_shape("1xGB200-NVL72", 18, 4, 72);
    check_shape("2xGB200-NVL72", 36, 4, 72);
}

static void a_machine_that_is_grown_keeps_its_network(void **state)
{
    p3d_cluster c = find("1xp4d");

    (void)state;
    assert_true(p3d_cluster_resize(&c, 32, NULL));
    assert_int_equal(c.n_nodes, 4);
    assert_string_equal(c.fabric.name, "efa-100");
    assert_int_equal(c.node.nics_per_node, 4);
}

static void a_rack_joins_its_trays(void **state)
{
    (void)state;
    check_shape("144xGB200", 36, 4, 72);
    check_shape("8xGB200", 2, 4, 8);
    check_shape("2xGB200", 1, 2, 2);
    check_shape("36x2xGB200", 36, 2, 36);
    check_shape("1x72xGB200", 18, 4, 72);
}

static void a_node_keeps_its_network_when_fewer_gpus_are_used(void **state)
{
    (void)state;
    assert_int_equal(find("2x4xA800").node.nics_per_node,
            find("64xA800").node.nics_per_node);
}

static const struct {
    const char *words;
    const char *text;
} wrong_words[] = {
        {"63xA800", "63 GPUs do not fill nodes of 8; write 56xA800 or 64xA800, "
                    "or 9x7xA800 for 9 nodes of 7"},
        {"61xA800", "61 GPUs do not fill nodes of 8; write 56xA800 or 64xA800"},
        {"0xA800", "a cluster of 0 GPUs; write at least 1"},
        {"0x8xA800", "a cluster of 0 GPUs; write at least 1"},
        {"-8xA800", "'-8' is not a whole number of GPUs; write 64xA800"},
        {"64.5xA800", "'64.5' is not a whole number"},
        {"1e3 x A800", "'1e3' is not a whole number"},
        {"1,024xA800", "'1,024' is not a whole number"},
        {"1000000000xA800", "more than 16777216 GPUs, the most"},
        {"99999999999999999999xA800", "more than 16777216 GPUs"},
        {"4294967297x8xA800", "more than 16777216 GPUs"},
        {"80GBxA800", "'80GB' is a memory size, not a GPU"},
        {"64x80GBxA800", "'80GB' is a memory size, not a GPU; it is part of "
                         "the GPU's name: write 64xA800-80G"},
        {"64x80GB", "'80GB' is a memory size"},
        {"80GB", "'80GB' is a memory size"},
        {"64x80 GiB", "'80 GiB' is a memory size"},
        {"64xA900", "unknown GPU 'A900'; did you mean 'A100'?"},
        {"64xA80", "unknown GPU 'A80'; did you mean 'A800'?"},
        {"64xA800x80GB", "unknown GPU 'A800x80GB'; did you mean"},
        {"2x9xp5", "a machine 'p5' has 8 GPUs, not 9"},
        {"2xp5.48xlarg", "unknown GPU or node 'p5.48xlarg'; did you mean "
                         "'p5.48xlarge'?"},
        {"64xquantum", "unknown GPU 'quantum'; see 'plan3d list gpus'"},
        {"8x8x8xA800", "too many counts; write nodes x GPUs per node x type"},
        {"A800", "'A800' does not say how many; write 8xA800"},
        {"A800x64", "'A800x64' has the type first; write 64xA800"},
        {"64A800", "'64A800' has no x between count and type; write 64xA800"},
        {"64", "'64' names no GPU"},
        {"64x", "'64x' names no GPU"},
        {"64x ", "names no GPU"},
        {"", "no cluster given"},
        {"  ", "no cluster given"},
        {"64xabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl"
         "mnopqrstuvwxyz",
                "is too long for the name of a GPU"},
};

static void wrong_words_get_one_clear_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(wrong_words) / sizeof(wrong_words[0]); i++) {
        p3d_cluster c = {.n_gpus = -7};
        p3d_error err = {0};

        assert_false(p3d_cluster_find(wrong_words[i].words, &c, &err));
        test_check_error(&err, P3D_DATA, wrong_words[i].text);
        assert_null(strchr(err.text, '\n'));
        assert_int_equal(c.n_gpus, -7);
    }
}

static void an_error_may_be_of_no_interest(void **state)
{
    p3d_cluster c;

    (void)state;
    assert_false(p3d_cluster_find("63xA800", &c, NULL));
}

static void finding_a_cluster_takes_a_few_milliseconds(void **state)
{
    struct timespec begin;
    struct timespec end;
    double best_s = 1;

    (void)state;
    for (int i = 0; i < 5; i++) {
        double duration_s;

        clock_gettime(CLOCK_MONOTONIC, &begin);
        find("64xV100");
        clock_gettime(CLOCK_MONOTONIC, &end);
        duration_s = (double)(end.tv_sec - begin.tv_sec) +
                     (double)(end.tv_nsec - begin.tv_nsec) * 1e-9;
        if (duration_s < best_s)
            best_s = duration_s;
    }
    /* 1.5 ms where it was written; sanitizers and busy machines are slow. */
    assert_true(best_s < 0.1);
}

static void resizing_a_whole_cluster_keeps_its_nodes(void **state)
{
    p3d_cluster c = find("64xA800");
    p3d_error err = {0};

    (void)state;
    for (int n = 8; n <= 1024; n += 8) {
        char words[32];
        p3d_cluster direct;

        assert_true(p3d_cluster_resize(&c, n, &err));
        snprintf(words, sizeof(words), "%dxA800", n);
        direct = find(words);
        assert_memory_equal(&c, &direct, sizeof(c));
    }
}

static void resizing_is_like_finding_anew(void **state)
{
    static const char *const types[] = {"A800", "GB200", "4090", "V100-SXM3"};
    static const int sizes[] = {1, 2, 4, 8, 16, 32, 64, 144, 4, 1};

    (void)state;
    for (size_t t = 0; t < sizeof(types) / sizeof(types[0]); t++) {
        char words[32];
        p3d_cluster c;

        snprintf(words, sizeof(words), "1x%s", types[t]);
        c = find(words);
        for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
            p3d_cluster direct;

            snprintf(words, sizeof(words), "%dx%s", sizes[i], types[t]);
            direct = find(words);
            if (!p3d_cluster_resize(&c, sizes[i], NULL))
                fail_msg("%s", words);
            assert_memory_equal(&c, &direct, sizeof(c));
        }
    }
}

static void resizing_refuses_parts_of_nodes(void **state)
{
    p3d_cluster c = find("64xA800");
    const p3d_cluster before = c;
    p3d_error err = {0};

    (void)state;
    assert_false(p3d_cluster_resize(&c, 63, &err));
    test_check_error(&err, P3D_DATA, "63 GPUs do not fill nodes of 8");
    assert_memory_equal(&c, &before, sizeof(c));
    assert_false(p3d_cluster_resize(&c, 0, NULL));
    assert_false(p3d_cluster_resize(&c, -8, NULL));
    assert_false(p3d_cluster_resize(&c, P3D_MAX_GPUS + 8, NULL));
}

static void resizing_keeps_nodes_that_a_person_asked_for(void **state)
{
    p3d_cluster c = find("9x7xA800");

    (void)state;
    assert_true(p3d_cluster_resize(&c, 14, NULL));
    assert_int_equal(c.n_nodes, 2);
    assert_int_equal(c.node.gpus_per_node, 7);
    assert_false(p3d_cluster_resize(&c, 16, NULL));
}

/* GPUs. */

static void a_data_type_has_a_name_and_a_size(void **state)
{
    (void)state;
    assert_string_equal(p3d_dtype_name(P3D_BF16), "bf16");
    assert_string_equal(p3d_dtype_name(P3D_FP16), "fp16");
    assert_string_equal(p3d_dtype_name(P3D_FP32), "fp32");
    assert_int_equal(p3d_dtype_bytes(P3D_BF16), 2);
    assert_int_equal(p3d_dtype_bytes(P3D_FP16), 2);
    assert_int_equal(p3d_dtype_bytes(P3D_FP32), 4);
}

static void fp32_uses_tf32_where_there_is_one(void **state)
{
    p3d_gpu a100 = {0};
    p3d_gpu v100 = {0};

    (void)state;
    assert_true(p3d_gpu_find("A100", &a100, NULL));
    assert_true(p3d_gpu_find("V100", &v100, NULL));
    CHECK_REL(p3d_gpu_peak_flop_per_s(&a100, P3D_FP32), 156e12, 0);
    CHECK_REL(p3d_gpu_peak_flop_per_s(&a100, P3D_BF16), 312e12, 0);
    CHECK_REL(p3d_gpu_peak_flop_per_s(&v100, P3D_FP32), 15.7e12, 0);
    CHECK_REL(p3d_gpu_peak_flop_per_s(&v100, P3D_FP16), 125e12, 0);
    CHECK_REL(p3d_gpu_peak_flop_per_s(&v100, P3D_BF16), 0, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_count_and_a_type_fill_default_nodes),
            cmocka_unit_test(spaces_case_plurals_and_separators_do_not_matter),
            cmocka_unit_test(a_type_may_begin_with_digits_or_contain_an_x),
            cmocka_unit_test(a_plural_does_not_hide_a_type_that_ends_in_s),
            cmocka_unit_test(fewer_gpus_than_a_node_are_one_node),
            cmocka_unit_test(nodes_larger_than_usual_keep_the_nvlink_domain),
            cmocka_unit_test(gpus_without_nvlink_have_a_domain_of_one),
            cmocka_unit_test(a_rack_joins_its_trays),
            cmocka_unit_test(a_machine_has_its_own_gpus_and_network),
            cmocka_unit_test(a_machine_is_counted_and_may_be_used_in_part),
            cmocka_unit_test(a_machine_that_is_grown_keeps_its_network),
            cmocka_unit_test(a_node_keeps_its_network_when_fewer_gpus_are_used),
            cmocka_unit_test(wrong_words_get_one_clear_line),
            cmocka_unit_test(an_error_may_be_of_no_interest),
            cmocka_unit_test(finding_a_cluster_takes_a_few_milliseconds),
            cmocka_unit_test(resizing_a_whole_cluster_keeps_its_nodes),
            cmocka_unit_test(resizing_is_like_finding_anew),
            cmocka_unit_test(resizing_refuses_parts_of_nodes),
            cmocka_unit_test(resizing_keeps_nodes_that_a_person_asked_for),
            cmocka_unit_test(a_data_type_has_a_name_and_a_size),
            cmocka_unit_test(fp32_uses_tf32_where_there_is_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
