/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_cluster_file.c - clusters in files, and the files of hardware/. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/util.h"
#include "plan3d/cluster.h"
#include "spec/hardware.h"
#include "spec/network.h"

static void write_text(int descriptor, const char *text)
{
    FILE *const file = fdopen(descriptor, "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Read a text as a cluster file. */
static bool load_text(const char *text, p3d_cluster *out, p3d_error *err)
{
    char path[] = "/tmp/plan3d-test-XXXXXX";
    const int descriptor = mkstemp(path);
    bool ok;

    assert_true(descriptor >= 0);
    write_text(descriptor, text);
    ok = p3d_cluster_find(path, out, err);
    unlink(path);
    return ok;
}

static void a_file_names_its_parts(void **state)
{
    p3d_cluster c = {0};
    p3d_cluster words = {0};
    p3d_error err = {0};

    (void)state;
    assert_true(p3d_cluster_find("64xA800", &words, &err));
    assert_true(load_text(
            "{\"schema\": 1, \"n_nodes\": 8, \"gpu\": \"A800\"}", &c, &err));
    assert_memory_equal(&c, &words, sizeof(c));
    assert_true(
            load_text("{\"schema\": 1, \"n_nodes\": 2, \"gpus_per_node\": 4,"
                      "\"gpu\": \"A800\", \"node\": \"dgx-a100\","
                      "\"fabric\": \"roce-100\", \"name\": \"ours\"}",
                    &c, &err));
    assert_string_equal(c.name, "ours");
    assert_int_equal(c.n_gpus, 8);
    assert_int_equal(c.node.gpus_per_nvlink_domain, 4);
    assert_string_equal(c.node.name, "dgx-a100");
    assert_string_equal(c.fabric.name, "roce-100");
}

#define OWN_GPU                                                              \
    "{\"name\": \"X1\", \"architecture\": \"sm80\", \"calibration\": "       \
    "\"sm80\", \"memory_bytes\": 64000000000, \"hbm_bytes_per_s\": 2e12, "   \
    "\"fp32_flop_per_s\": 2e13, \"bf16_flop_per_s\": 3e14, \"n_sms\": 100, " \
    "\"pcie_bytes_per_s_one_way\": 3e10}"
#define OWN_NODE                                                             \
    "{\"name\": \"box\", \"gpus_per_node\": 4, \"gpus_per_nvlink_domain\": " \
    "4, \"nics_per_node\": 1, \"host_memory_bytes\": 256000000000, "         \
    "\"host_memory_bytes_per_s\": 2e11}"
#define OWN_FABRIC                                             \
    "{\"name\": \"lan\", \"kind\": \"ethernet\", "             \
    "\"nic_bytes_per_s_one_way\": 1e10, \"latency_s\": 1e-5, " \
    "\"all_reduce_frac\": 0.9, \"all_gather_frac\": 0.8, \"p2p_frac\": 0.7}"

static void a_file_describes_parts_that_nobody_knows(void **state)
{
    p3d_cluster c = {0};
    p3d_error err = {0};

    (void)state;
    assert_true(
            load_text("{\"schema\": 1, \"n_nodes\": 3, \"gpu\": " OWN_GPU
                      ", \"node\": " OWN_NODE ", \"fabric\": " OWN_FABRIC "}",
                    &c, &err));
    assert_string_equal(c.name, "12 x X1");
    assert_int_equal(c.gpu.visible_memory_bytes, 64000000000);
    CHECK_REL(c.fabric.p2p_frac, 0.7, 0);
    assert_string_equal(c.calibration.name, "sm80");
    assert_true(p3d_cluster_resize(&c, 2, NULL));
    assert_true(p3d_cluster_resize(&c, 2, NULL));
    assert_int_equal(c.node.gpus_per_node, 2);
}

/* As --fabric takes them, of the node's own network. */
static void a_fabric_may_be_words(void **state)
{
    static const char *const words[] = {"tcp", "roce", "8x100GbE RDMA",
            "8x100GbE RDMA without GPUDirect", "no GPUDirect",
            "400 Gb/s per GPU", "roce-100"};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(words); i++) {
        p3d_cluster c = {0}, said = {0};
        p3d_error err = {0};
        char text[160];

        assert_true(p3d_cluster_find("64xA800", &said, NULL));
        assert_true(spec_network_set(words[i], &said, NULL));
        snprintf(text, sizeof(text),
                "{\"schema\": 1, \"n_nodes\": 8, \"gpu\": \"A800\", "
                "\"fabric\": \"%s\"}",
                words[i]);
        if (!load_text(text, &c, &err))
            fail_msg("%s: %s", words[i], err.text);
        assert_memory_equal(&c, &said, sizeof(c));
    }
}

/* A node without a network of its own takes one that is whole. */
static void a_fabric_in_words_may_be_a_nodes_first(void **state)
{
    p3d_cluster c = {0};
    p3d_error err = {0};

    (void)state;
    assert_true(load_text("{\"schema\": 1, \"n_nodes\": 2, \"gpu\": \"A800\","
                          "\"node\": " OWN_NODE ", \"fabric\": "
                          "\"2x100 Gb/s RoCE\"}",
            &c, &err));
    assert_string_equal(c.fabric.name, "roce-100");
    assert_int_equal(c.node.nics_per_node, 2);
}

static void a_name_of_ones_own_survives_resizing(void **state)
{
    p3d_cluster c = {0};
    p3d_error err = {0};

    (void)state;
    assert_true(load_text("{\"schema\": 1, \"n_nodes\": 8, \"gpu\": \"A800\","
                          "\"name\": \"ours\"}",
            &c, &err));
    assert_true(p3d_cluster_resize(&c, 16, &err));
    assert_string_equal(c.name, "ours");
}

#define WITH_ALIASES(aliases)                                    \
    "{\"aliases\": " aliases                                     \
    ", \"name\": \"X1\", \"architecture\": \"sm80\", "           \
    "\"calibration\": \"sm80\", \"memory_bytes\": 64000000000, " \
    "\"hbm_bytes_per_s\": 2e12, \"n_sms\": 100, "                \
    "\"pcie_bytes_per_s_one_way\": 3e10}"

#define HEAD "{\"schema\": 1, \"n_nodes\": 8, "

static const struct {
    const char *json;
    const char *text;
} wrong_files[] = {
        {"[]", "a cluster is an object"},
        {"{}", "'schema' is missing"},
        {"{\"schema\": 2, \"n_nodes\": 8, \"gpu\": \"A800\"}", "'2'"},
        {"{\"schema\": 1, \"n_nodes\": 8}", "'gpu' is missing"},
        {"{\"schema\": 1, \"n_nodes\": 0, \"gpu\": \"A800\"}", "'0'"},
        {"{\"schema\": 1, \"n_nodes\": 1.5, \"gpu\": \"A800\"}", "'1.5'"},
        {HEAD "\"gpu\": 7}", "neither a name nor an object; write \"gpu\""},
        {HEAD "\"gpu\": \"A801\"}", "unknown GPU 'A801'; did you mean"},
        {HEAD "\"gpus\": \"A800\"}", "unknown key 'gpus'; did you mean 'gpu'?"},
        {HEAD "\"gpu\": \"A800\", \"node\": 1}", "write \"node\""},
        {HEAD "\"gpu\": \"A800\", \"node\": \"dgx-a108\"}",
                "unknown node 'dgx-a108'; did you mean 'dgx-a100'?"},
        {HEAD "\"gpu\": \"A800\", \"node\": \"mainframe\"}",
                "unknown node 'mainframe'; see 'plan3d list nodes'"},
        {HEAD "\"gpu\": \"A800\", \"fabric\": 1}", "write \"fabric\""},
        {HEAD "\"gpu\": \"A800\", \"fabric\": \"rose\"}", "unknown fabric"},
        {HEAD "\"gpu\": \"A800\", \"fabric\": \"tcp quick\"}",
                "fabric 'tcp quick': not understood from 'quick' on"},
        {HEAD "\"gpu\": \"A800\", \"node\": " OWN_NODE
              ", \"fabric\": \"RoCE\"}",
                "the node has no network of its own; say the kind and the "
                "rate"},
        {HEAD "\"gpu\": " OWN_GPU "}", "says the node; add \"node\""},
        {HEAD "\"gpu\": \"A800\", \"node\": " OWN_NODE "}",
                "says the fabric; add \"fabric\""},
        {"{\"schema\": 1, \"n_nodes\": 16777216, \"gpu\": \"A800\"}",
                "16777216 nodes of 8 are more than 16777216 GPUs"},
        {HEAD "\"gpu\": {\"name\": \"X\", \"aliases\": 7}}", "is missing"},
        {HEAD "\"gpu\": " WITH_ALIASES("7") "}", "\"aliases\" is not an array"},
        {HEAD "\"gpu\": " WITH_ALIASES("[7]") "}", "an alias is not a word"},
        {HEAD "\"gpu\": {\"nam\": \"X\"}}",
                "unknown key 'nam'; did you mean 'name'?"},
};

static void wrong_files_get_one_clear_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(wrong_files) / sizeof(wrong_files[0]); i++) {
        p3d_cluster c = {.n_gpus = -7};
        p3d_error err = {0};

        assert_false(load_text(wrong_files[i].json, &c, &err));
        test_check_error(&err, P3D_DATA, wrong_files[i].text);
        assert_int_equal(c.n_gpus, -7);
    }
}

#define WITH_SOURCES(s)                                                        \
    HEAD "\"gpu\": \"A800\", \"fabric\": {\"name\": \"lan\", \"kind\": \"e\"," \
         "\"nic_bytes_per_s_one_way\": 1e10, \"latency_s\": 1e-5, "            \
         "\"all_reduce_frac\": 0.9, \"all_gather_frac\": 0.8, "                \
         "\"p2p_frac\": 0.7, \"sources\": " s "}}"

static const struct {
    const char *json;
    const char *text; /* NULL = right */
    const char *pointer;
} sources[] = {
        {WITH_SOURCES("{}"), NULL, ""},
        {WITH_SOURCES("{\"/p2p_frac\": {\"kind\": \"assumed\", \"ref\": "
                      "\"me\", \"page\": 2, \"read\": \"2026-01-01\"}}"),
                NULL, ""},
        {WITH_SOURCES("7"), "\"sources\" is not an object", "/fabric"},
        {WITH_SOURCES("{\"/p3p\": {}}"), "'/p3p' is for no key here",
                "/fabric/sources"},
        {WITH_SOURCES("{\"p2p_frac\": {}}"), "is for no key here",
                "/fabric/sources"},
        {WITH_SOURCES("{\"/p2p_frac\": 1}"), "a source is an object",
                "/fabric/sources/~1p2p_frac"},
        {WITH_SOURCES("{\"/p2p_frac\": {\"kind\": \"assumed\"}}"),
                "'ref' is missing", "/fabric/sources/~1p2p_frac"},
        {WITH_SOURCES("{\"/p2p_frac\": {\"kind\": \"assumed\", \"ref\": "
                      "\"\"}}"),
                "an empty \"ref\"", "/fabric/sources/~1p2p_frac"},
        {WITH_SOURCES("{\"/p2p_frac\": {\"kind\": \"guess\", \"ref\": "
                      "\"me\"}}"),
                "unknown kind 'guess'; write datasheet, published",
                "/fabric/sources/~1p2p_frac"},
};

static void sources_say_their_kind_and_where_they_are_from(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
        p3d_cluster c = {0};
        p3d_error err = {0};
        const bool ok = load_text(sources[i].json, &c, &err);

        assert_int_equal(ok, sources[i].text == NULL);
        if (sources[i].text == NULL)
            continue;
        test_check_error(&err, P3D_DATA, sources[i].text);
        assert_string_equal(err.pointer, sources[i].pointer);
    }
}

#define TIERS(text) \
    "{\"schema\": 1, \"n_nodes\": 64, \"gpu\": \"H100\", " text "}"

static void a_file_has_tiers_of_switches(void **state)
{
    p3d_cluster c = {0};
    p3d_error err = {0};

    (void)state;
    assert_true(load_text(
            TIERS("\"tiers\": [{\"nodes_below\": 16, \"oversubscription\": 2, "
                  "\"routing\": \"ecmp\", \"flows_per_nic\": 4},"
                  "{\"nodes_below\": 32, \"uplink_bytes_per_s\": 1e12}], "
                  "\"placement\": \"random\", \"rails\": true"),
            &c, &err));
    assert_int_equal(c.tiers.n, 2);
    assert_int_equal(c.tiers.at[0].nodes_below, 16);
    assert_int_equal(c.tiers.at[0].routing, P3D_LINKS_ECMP);
    assert_int_equal(c.tiers.at[0].flows_per_nic, 4);
    CHECK_REL(c.tiers.at[0].oversubscription, 2, 0);
    CHECK_REL(c.tiers.at[1].uplink_bytes_per_s, 1e12, 0);
    assert_int_equal(c.tiers.placement, P3D_PLACEMENT_RANDOM);
    assert_true(c.tiers.rails);
    /* Fewer GPUs have the same switches. */
    assert_true(p3d_cluster_resize(&c, 256, &err));
    assert_int_equal(c.tiers.n, 2);
}

static const struct {
    const char *text;
    const char *said;
} wrong_tiers[] = {
        {TIERS("\"tiers\": [{\"oversubscription\": 2}]"), "nodes_below"},
        {TIERS("\"tiers\": [{\"nodes_below\": 16, \"oversubscription\": 0.5}]"),
                "1"},
        {TIERS("\"tiers\": [{\"nodes_below\": 16, \"oversubscription\": 2, "
               "\"uplink_bytes_per_s\": 1e12}]"),
                "leave one of them out"},
        {TIERS("\"tiers\": [{\"nodes_below\": 16}, {\"nodes_below\": 24}]"),
                "not a multiple"},
        {TIERS("\"tiers\": [{\"nodes_below\": 1}, {\"nodes_below\": 2}, "
               "{\"nodes_below\": 4}, {\"nodes_below\": 8}, "
               "{\"nodes_below\": 16}]"),
                "more than 4 tiers"},
        {TIERS("\"tiers\": [{\"nodes_below\": 16, \"routing\": \"luck\"}]"),
                "luck"},
        {"{\"schema\": 1, \"n_nodes\": 4, \"gpu\": \"L40S\", \"rails\": true}",
                "rails need NVLink"},
};

static void wrong_tiers_get_one_clear_line(void **state)
{
    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(wrong_tiers); i++) {
        p3d_cluster c = {0};
        p3d_error err = {0};

        if (load_text(wrong_tiers[i].text, &c, &err))
            fail_msg("taken: %s", wrong_tiers[i].text);
        assert_int_equal(err.code, P3D_DATA);
        if (strstr(err.text, wrong_tiers[i].said) == NULL)
            fail_msg("'%s' does not have '%s'", err.text, wrong_tiers[i].said);
    }
}

static void a_file_that_is_not_there_is_wrong_input(void **state)
{
    p3d_cluster c;
    p3d_error err = {0};

    (void)state;
    assert_false(p3d_cluster_find("/no/such/cluster.json", &c, &err));
    assert_int_equal(err.code, P3D_DATA);
}

/* Files of hardware/. */

static const struct {
    const char *json;
    const char *text;
} wrong_heads[] = {
        {"[]", "the file is not an object"},
        {"{}", "no schema; write \"schema\": 1"},
        {"{\"schema\": 1}", "no sources; say where each number is from"},
        {"{\"schema\": 1, \"sources\": 1}", "\"sources\" is not an object"},
};

static void files_of_hardware_have_a_schema_and_sources(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(wrong_heads) / sizeof(wrong_heads[0]); i++) {
        char path[] = "/tmp/plan3d-test-XXXXXX";
        const int descriptor = mkstemp(path);
        json_doc doc = {0};
        p3d_error err = {0};

        assert_true(descriptor >= 0);
        write_text(descriptor, wrong_heads[i].json);
        assert_false(spec_hardware_open_path(path, &doc, &err));
        unlink(path);
        test_check_error(&err, P3D_DATA, wrong_heads[i].text);
    }
}

/* Parts of a calibration; %s in the whole is one of them, wrong. */
#define GEMM_IN                                                 \
    "\"launch_s\": 1e-6, \"peak_frac\": 0.9, \"k_ramp\": 100, " \
    "\"memory_frac\": 0.9, \"error_frac\": 0.1"
#define GEMM    "{\"form\": \"roofline\", " GEMM_IN "}"
#define FRACS_2 "{\"64\": 0.4, \"128\": 0.55, \"256\": 0.6}"
#define FRACS   "{\"64\": 0.5, \"128\": 0.6, \"256\": 0.7}"
#define CORE(fracs)                              \
    "{\"launch_s\": 1e-5, \"peak_frac\": " fracs \
    ", \"seq_ramp\": 1, \"wave_ramp\": 0}"
#define KERNEL(fracs)                                     \
    "{\"forward\": " CORE(fracs) ", \"backward\": " CORE( \
            FRACS_2) ", \"sustained\": true, \"error_frac\": 0.1}"
#define FLASH(fracs) "{\"cudnn\": " KERNEL(fracs) "}"
#define PASS         "{\"hbm_frac\": 0.8, \"launch_s\": 0, \"error_frac\": 0}"
#define PASSES(kinds)                                          \
    "{\"hbm_frac\": 0.8, \"launch_s\": 0, \"error_frac\": 0, " \
    "\"kinds\": " kinds "}"
#define ROWS_KIND "{\"rows\": {\"hbm_frac\": 0.6, \"launch_s\": 7e-06}}"
#define ONE                                                 \
    "{\"launch_s\": 0, \"step_s\": 0, \"link_frac\": 0.8, " \
    "\"ramp_s_per_sqrt_byte\": 0}"
#define ALL(last)                                          \
    "{\"all_reduce\": " ONE ", \"all_gather\": " ONE       \
    ", \"reduce_scatter\": " ONE ", \"all_to_all\": " last \
    ", \"multinode_ramp_s_per_sqrt_byte\": 0, \"error_frac\": 0}"
#define WHOLE(gemm, flash, pass, all)                                          \
    "{\"schema\": 1, \"name\": \"mine\", \"basis\": \"A100\", \"gemm\": " gemm \
    ", \"sustained_frac\": 0.9, \"attention\": " flash                         \
    ", \"memory_pass\": " pass ", \"collective\": " all ", \"sources\": {}}"

static const struct {
    const char *json;
    const char *text; /* NULL = right */
    const char *pointer;
} calibrations[] = {
        {WHOLE(GEMM, FLASH(FRACS), PASS, ALL(ONE)), NULL, ""},
        {WHOLE("7", FLASH(FRACS), PASS, ALL(ONE)), "\"gemm\" is not an object",
                "/gemm"},
        {WHOLE("{\"form\": \"magic\", " GEMM_IN "}", FLASH(FRACS), PASS,
                 ALL(ONE)),
                "unknown form 'magic'; write tile_wave or roofline", "/gemm"},
        {WHOLE("{\"form\": \"tile_wave\", " GEMM_IN "}", FLASH(FRACS), PASS,
                 ALL(ONE)),
                "tile_wave needs tile_128_frac, tile_64_frac and p_norm",
                "/gemm"},
        {WHOLE(GEMM, FLASH("{\"64\": 0.5, \"128\": 0.6}"), PASS, ALL(ONE)),
                "'256' is missing", "/attention/cudnn/forward/peak_frac"},
        {WHOLE(GEMM, FLASH("{\"96\": 0.5}"), PASS, ALL(ONE)),
                "unknown key '96'", "/attention/cudnn/forward/peak_frac/96"},
        {WHOLE(GEMM, FLASH(FRACS), "[]", ALL(ONE)),
                "\"memory_pass\" is not an object", "/memory_pass"},
        {WHOLE(GEMM, FLASH(FRACS), PASSES("[]"), ALL(ONE)),
                "\"kinds\" is not an object", "/memory_pass/kinds"},
        {WHOLE(GEMM, FLASH(FRACS), PASSES("{\"norm\": {}}"), ALL(ONE)),
                "unknown key 'norm'", "/memory_pass/kinds/norm"},
        {WHOLE(GEMM, FLASH(FRACS), PASSES("{\"rows\": {}}"), ALL(ONE)),
                "'hbm_frac' is missing", "/memory_pass/kinds/rows"},
        {WHOLE(GEMM, FLASH(FRACS), PASS, ALL("{}")), "is missing",
                "/collective/all_to_all"},
        {WHOLE(GEMM, "{}", PASS, ALL(ONE)),
                "no kernel; write efficient, flash1, flash2, flash3, cudnn or "
                "flash4",
                "/attention"},
        {WHOLE(GEMM, "{\"flash9\": {}}", PASS, ALL(ONE)),
                "unknown key 'flash9'", "/attention/flash9"},
        {WHOLE(GEMM, "{\"flash2\": 7}", PASS, ALL(ONE)),
                "\"flash2\" is not an object", "/attention/flash2"},
};

/* A data folder of our own in front of the project's. */
static void with_calibration(
        const char *json, p3d_calibration *out, bool *ok, p3d_error *err)
{
    char root[] = "/tmp/plan3d-test-XXXXXX";
    char hardware[64];
    char folder[80];
    char path[96];
    FILE *file;

    assert_non_null(mkdtemp(root));
    snprintf(hardware, sizeof(hardware), "%s/hardware", root);
    snprintf(folder, sizeof(folder), "%s/calibration", hardware);
    snprintf(path, sizeof(path), "%s/mine.json", folder);
    assert_int_equal(mkdir(hardware, 0700), 0);
    assert_int_equal(mkdir(folder, 0700), 0);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(json, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(setenv("PLAN3D_DATA", root, 1), 0);
    *ok = spec_calibration_load("mine", out, err);
    assert_int_equal(unsetenv("PLAN3D_DATA"), 0);
    unlink(path);
    rmdir(folder);
    rmdir(hardware);
    rmdir(root);
}

static void wrong_calibrations_say_where_they_are_wrong(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(calibrations) / sizeof(calibrations[0]);
            i++) {
        p3d_calibration got = {0};
        p3d_error err = {0};
        bool ok = false;

        with_calibration(calibrations[i].json, &got, &ok, &err);
        assert_int_equal(ok, calibrations[i].text == NULL);
        if (calibrations[i].text == NULL)
            continue;
        test_check_error(&err, P3D_DATA, calibrations[i].text);
        assert_string_equal(err.pointer, calibrations[i].pointer);
        assert_string_equal(got.name, "");
    }
}

static void a_calibration_has_the_numbers_of_its_file(void **state)
{
    p3d_calibration c = {0};
    p3d_error err = {0};
    bool ok = false;

    (void)state;
    with_calibration(WHOLE(GEMM, FLASH(FRACS), PASS, ALL(ONE)), &c, &ok, &err);
    assert_true(ok);
    assert_false(c.gemm.tile_wave);
    CHECK_REL(c.gemm.peak_frac, 0.9, 0);
    CHECK_REL(c.gemm_fp8.peak_frac, 0, 0);
    CHECK_REL(c.attention[P3D_CUDNN].forward.peak_frac[0], 0.5, 0);
    CHECK_REL(c.attention[P3D_CUDNN].forward.peak_frac[3], 0.7, 0);
    CHECK_REL(c.attention[P3D_CUDNN].backward.peak_frac[1], 0.55, 0);
    assert_true(c.attention[P3D_CUDNN].sustained);
    assert_true(c.attention[P3D_FLASH_2].error_frac == 0);
    CHECK_REL(c.nvls_factor, 1, 0);
    CHECK_REL(c.collective[P3D_ALL_TO_ALL].link_frac, 0.8, 0);
    CHECK_REL(c.assumed.fixed_step_s, 3e-3, 0);
    CHECK_REL(c.assumed.overlap_leak_frac, 0.5, 0);
    CHECK_REL(c.assumed.gpu_spread_frac, 0.08 / 5.4, 1e-15);
}

static void kinds_of_passes_are_read_as_they_are_written(void **state)
{
    p3d_calibration c = {0};
    p3d_text text = {0};
    p3d_error err = {0};
    bool ok = false;

    (void)state;
    with_calibration(WHOLE(GEMM, FLASH(FRACS), PASSES(ROWS_KIND), ALL(ONE)), &c,
            &ok, &err);
    assert_true(ok);
    CHECK_REL(c.pass.kind[P3D_PASS_ROWS].hbm_frac, 0.6, 0);
    CHECK_REL(c.pass.kind[P3D_PASS_ROWS].launch_s, 7e-6, 0);
    assert_true(c.pass.kind[P3D_PASS_VECTOR].hbm_frac <= 0);
    spec_calibration_write(&c, NULL, 0, &text);
    assert_non_null(strstr(text.data, "\"rows\""));
    assert_null(strstr(text.data, "\"vector\""));
    p3d_text_free(&text);
    with_calibration(WHOLE(GEMM, FLASH(FRACS), PASS, ALL(ONE)), &c, &ok, &err);
    assert_true(ok);
    assert_true(c.pass.kind[P3D_PASS_ROWS].hbm_frac <= 0);
    spec_calibration_write(&c, NULL, 0, &text);
    assert_null(strstr(text.data, "kinds"));
    p3d_text_free(&text);
}

static void what_is_assumed_may_be_measured(void **state)
{
    static const char assumed[] = "\"assumed\": {\"overlap_leak_frac\": 0.3}, "
                                  "\"sources\"";
    static const char whole[] = WHOLE(GEMM, FLASH(FRACS), PASS, ALL(ONE));
    const char *const rest = strstr(whole, "\"sources\"");
    char json[4096];
    p3d_calibration c = {0};
    p3d_error err = {0};
    bool ok = false;

    (void)state;
    assert_non_null(rest);
    snprintf(json, sizeof(json), "%.*s%s%s", (int)(rest - whole), whole,
            assumed, rest + strlen("\"sources\""));
    with_calibration(json, &c, &ok, &err);
    assert_true(ok);
    CHECK_REL(c.assumed.overlap_leak_frac, 0.3, 0);
    CHECK_REL(c.assumed.fixed_step_s, 3e-3, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_file_names_its_parts),
            cmocka_unit_test(a_file_describes_parts_that_nobody_knows),
            cmocka_unit_test(a_fabric_may_be_words),
            cmocka_unit_test(a_fabric_in_words_may_be_a_nodes_first),
            cmocka_unit_test(a_name_of_ones_own_survives_resizing),
            cmocka_unit_test(wrong_files_get_one_clear_line),
            cmocka_unit_test(sources_say_their_kind_and_where_they_are_from),
            cmocka_unit_test(a_file_has_tiers_of_switches),
            cmocka_unit_test(wrong_tiers_get_one_clear_line),
            cmocka_unit_test(a_file_that_is_not_there_is_wrong_input),
            cmocka_unit_test(files_of_hardware_have_a_schema_and_sources),
            cmocka_unit_test(wrong_calibrations_say_where_they_are_wrong),
            cmocka_unit_test(a_calibration_has_the_numbers_of_its_file),
            cmocka_unit_test(kinds_of_passes_are_read_as_they_are_written),
            cmocka_unit_test(what_is_assumed_may_be_measured),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
