/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_hardware.c - every file of hardware/ is complete and plausible. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/cluster.h"
#include "spec/hardware.h"

enum { MAX_NAMES = 512 };

/* A word for one thing, and the file that it is in. */
typedef struct owned_name {
    char word[96];
    int file;
} owned_name;

static p3d_catalog folder(p3d_folder which)
{
    p3d_catalog catalog = {0};
    p3d_error err = {0};

    if (!p3d_catalog_open(which, &catalog, &err))
        fail_msg("%s", err.text);
    assert_true(catalog.n_names > 0);
    return catalog;
}

static json_doc open_file(const p3d_catalog *catalog, int i)
{
    char path[2048];
    json_doc doc = {0};
    p3d_error err = {0};

    p3d_catalog_path(catalog, i, path, sizeof(path));
    if (!spec_hardware_open_path(path, &doc, &err))
        fail_msg("%s:%d: %s: %s", err.file, err.line, err.pointer, err.text);
    return doc;
}

/* The file is called after the name inside, in lower case. */
static void check_file_name(const p3d_catalog *catalog, int i, const char *name)
{
    const char *const file = catalog->names[i];

    if (!p3d_same_word(file, name) ||
            file[strcspn(file, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")] != '\0')
        fail_msg("'%s' is in %s.json", name, file);
}

/* Each number and each part that holds numbers says where it is from. */
static void check_all_sourced(const p3d_catalog *catalog, int i)
{
    json_doc doc = open_file(catalog, i);
    const json_value *const sources = json_get(doc.root, "sources");

    for (const json_value *v = json_first(doc.root); v != NULL;
            v = json_next(v)) {
        char key[128];
        double number;

        if (v == sources || strcmp(json_key(v), "schema") == 0 ||
                (!json_number(v, &number) && !json_is_object(v)) ||
                strcmp(json_key(v), "nvswitch") == 0)
            continue;
        snprintf(key, sizeof(key), "/%s", json_key(v));
        if (json_get(sources, key) == NULL)
            fail_msg("%s.json: %s has no source", catalog->names[i], key);
    }
    json_close(&doc);
}

static p3d_gpu gpu_at(const p3d_catalog *catalog, int i)
{
    json_doc doc = open_file(catalog, i);
    p3d_gpu gpu = {0};
    p3d_error err = {0};

    if (!spec_gpu_read(&(json_place){&doc, doc.root, ""}, &gpu, &err))
        fail_msg("%s:%d: %s: %s", err.file, err.line, err.pointer, err.text);
    json_close(&doc);
    return gpu;
}

static void every_file_says_where_its_numbers_are_from(void **state)
{
    static const p3d_folder folders[] = {
            P3D_GPUS, P3D_NODES, P3D_FABRICS, P3D_CALIBRATIONS};

    (void)state;
    for (int f = 0; f < P3D_COUNT_OF(folders); f++) {
        p3d_catalog catalog = folder(folders[f]);

        for (int i = 0; i < catalog.n_names; i++)
            check_all_sourced(&catalog, i);
        p3d_catalog_free(&catalog);
    }
}

static void every_gpu_loads_with_its_node_fabric_and_calibration(void **state)
{
    p3d_catalog catalog = folder(P3D_GPUS);

    (void)state;
    for (int i = 0; i < catalog.n_names; i++) {
        const p3d_gpu gpu = gpu_at(&catalog, i);
        p3d_cluster cluster = {0};
        p3d_error err = {0};
        char words[64];

        check_file_name(&catalog, i, gpu.name);
        snprintf(words, sizeof(words), "1x%s", gpu.name);
        if (!p3d_cluster_find(words, &cluster, &err))
            fail_msg("%s: %s: %s", words, err.file, err.text);
        assert_string_equal(cluster.gpu.name, gpu.name);
        assert_true(gpu.vendor[0] != '\0');
    }
    p3d_catalog_free(&catalog);
}

/* One name is one thing: a machine is looked for where no GPU has the name. */
static void check_machine_name(const char *name, const char *node)
{
    p3d_gpu gpu;
    spec_machine machine;

    if (p3d_gpu_find(name, &gpu, NULL))
        fail_msg("%s: '%s' is a GPU, too", node, name);
    assert_true(spec_machine_find(name, &machine, NULL, NULL));
    assert_string_equal(machine.node.name, node);
    assert_true(machine.n_gpus >= machine.node.gpus_per_node);
    assert_true(p3d_gpu_find(machine.node.gpu, &gpu, NULL));
    assert_string_equal(gpu.name, machine.node.gpu);
}

static void every_machine_is_found_by_its_names(void **state)
{
    p3d_catalog nodes = folder(P3D_NODES);
    int n_machines = 0;

    (void)state;
    for (int i = 0; i < nodes.n_names; i++) {
        json_doc doc = open_file(&nodes, i);

        if (json_get(doc.root, "gpu") != NULL) {
            n_machines++;
            check_machine_name(nodes.names[i], nodes.names[i]);
            for (const json_value *a =
                            json_first(json_get(doc.root, "aliases"));
                    a != NULL; a = json_next(a))
                check_machine_name(json_string(a), nodes.names[i]);
        }
        json_close(&doc);
    }
    assert_true(n_machines > 30);
    p3d_catalog_free(&nodes);
}

static void every_node_and_fabric_loads(void **state)
{
    p3d_catalog nodes = folder(P3D_NODES);
    p3d_catalog fabrics = folder(P3D_FABRICS);
    p3d_error err = {0};

    (void)state;
    for (int i = 0; i < nodes.n_names; i++) {
        p3d_node node = {0};
        p3d_fabric fabric = {0};

        if (!spec_node_load(nodes.names[i], &node, &err) ||
                !spec_fabric_load(node.fabric, &fabric, &err))
            fail_msg("%s: %s: %s", err.file, err.pointer, err.text);
        check_file_name(&nodes, i, node.name);
    }
    for (int i = 0; i < fabrics.n_names; i++) {
        p3d_fabric fabric = {0};

        if (!spec_fabric_load(fabrics.names[i], &fabric, &err))
            fail_msg("%s: %s: %s", err.file, err.pointer, err.text);
        check_file_name(&fabrics, i, fabric.name);
    }
    p3d_catalog_free(&nodes);
    p3d_catalog_free(&fabrics);
}

static void every_calibration_loads_and_was_made_on_a_known_gpu(void **state)
{
    p3d_catalog catalog = folder(P3D_CALIBRATIONS);
    p3d_error err = {0};

    (void)state;
    for (int i = 0; i < catalog.n_names; i++) {
        p3d_calibration c = {0};
        p3d_gpu gpu;

        if (!spec_calibration_load(catalog.names[i], &c, &err) ||
                !p3d_gpu_find(c.basis, &gpu, &err))
            fail_msg("%s: %s: %s", err.file, err.pointer, err.text);
        check_file_name(&catalog, i, c.name);
        assert_true(c.nvls_factor >= 1);
        assert_true(c.gemm.peak_frac > 0);
        for (int h = 0; h < P3D_N_HEAD_SIZES; h++) {
            const p3d_attention_fit *const fit =
                    p3d_attention_fit_of(&c, P3D_FLASH);

            assert_true(h == 2 || fit->forward.peak_frac[h] > 0);
            assert_true(h == 2 || fit->backward.peak_frac[h] > 0);
        }
        for (int k = 0; k < P3D_N_COLLECTIVES; k++)
            assert_true(c.collective[k].link_frac > 0);
    }
    p3d_catalog_free(&catalog);
}

/* "A800-80G" and "a800 80g" are one word for p3d_gpu_find(). */
static void fold(char to[96], const char *from)
{
    size_t n = 0;

    for (; *from != '\0' && n < 95; from++) {
        if (strchr("-_ ", *from) != NULL)
            continue;
        to[n++] = *from;
    }
    to[n] = '\0';
}

static int add_name(owned_name *names, int n_names, const char *word, int file)
{
    owned_name *const added = &names[n_names];

    assert_true(n_names < MAX_NAMES);
    added->file = file;
    fold(added->word, word);
    for (int i = 0; i < n_names; i++) {
        if (names[i].file != file && p3d_same_word(names[i].word, added->word))
            fail_msg("'%s' is a name of two GPUs", word);
    }
    return n_names + 1;
}

static void every_name_finds_its_own_gpu_and_no_other(void **state)
{
    static owned_name names[MAX_NAMES];
    p3d_catalog catalog = folder(P3D_GPUS);
    int n_names = 0;

    (void)state;
    for (int i = 0; i < catalog.n_names; i++) {
        const p3d_gpu gpu = gpu_at(&catalog, i);
        json_doc doc = open_file(&catalog, i);

        n_names = add_name(names, n_names, gpu.name, i);
        for (const json_value *a = json_first(json_get(doc.root, "aliases"));
                a != NULL; a = json_next(a)) {
            p3d_gpu found = {0};

            n_names = add_name(names, n_names, json_string(a), i);
            assert_true(p3d_gpu_find(json_string(a), &found, NULL));
            assert_string_equal(found.name, gpu.name);
        }
        json_close(&doc);
    }
    p3d_catalog_free(&catalog);
}

/* Dense 16-bit operations per clock of one multiprocessor, with sums in fp32;
 * consumer parts have half of it. */
static const struct {
    const char *architecture;
    double flop_per_clock;
    bool halved; /* some parts have half */
} rates[] = {
        {"sm70", 1024, false},
        {"sm80", 2048, false},
        {"sm86", 1024, true},
        {"sm89", 1024, true},
        {"sm90", 4096, false},
        {"sm100", 8192, false},
        {"sm103", 8192, false},
        {"sm120", 1024, true},
        {"gfx90a", 1024, false},
        {"gfx942", 2048, false},
        {"gfx950", 4096, false},
        {"sm75", 1024, true},
        {"ascend910b", 8192, false}, /* 16 x 16 x 16 */
        {"ascend910c", 8192, false},
        {"gaudi2", 131072, false}, /* engines of 256 x 256 */
        {"gaudi3", 131072, false},
        {"tpu-v4", 32768, false}, /* engines of 128 x 128 */
        {"tpu-v5e", 32768, false},
        {"tpu-v5p", 32768, false},
};

static void check_peak(const p3d_gpu *gpu)
{
    const double per_clock = fmax(gpu->fp16_flop_per_s, gpu->bf16_flop_per_s) /
                             gpu->n_sms / gpu->boost_hz;

    for (int i = 0; i < P3D_COUNT_OF(rates); i++) {
        double want = rates[i].flop_per_clock;

        if (strcmp(rates[i].architecture, gpu->architecture) != 0)
            continue;
        if (rates[i].halved && per_clock < 0.75 * want)
            want /= 2;
        if (per_clock < 0.97 * want || per_clock > 1.03 * want)
            fail_msg("%s: %.0f flop per clock and SM, not %.0f", gpu->name,
                    per_clock, want);
        return;
    }
    fail_msg("%s: no rate known for %s", gpu->name, gpu->architecture);
}

static void peaks_are_multiprocessors_times_clock(void **state)
{
    p3d_catalog catalog = folder(P3D_GPUS);
    int n_checked = 0;

    (void)state;
    for (int i = 0; i < catalog.n_names; i++) {
        const p3d_gpu gpu = gpu_at(&catalog, i);

        if (gpu.boost_hz <= 0)
            continue;
        check_peak(&gpu);
        n_checked++;
    }
    assert_true(n_checked > catalog.n_names / 2);
    p3d_catalog_free(&catalog);
}

static void numbers_of_a_gpu_agree_with_each_other(void **state)
{
    p3d_catalog catalog = folder(P3D_GPUS);

    (void)state;
    for (int i = 0; i < catalog.n_names; i++) {
        const p3d_gpu g = gpu_at(&catalog, i);
        p3d_node node = {0};

        assert_true(g.visible_memory_bytes <= g.memory_bytes);
        assert_true(
                (double)g.visible_memory_bytes >= 0.9 * (double)g.memory_bytes);
        /* Of a TPU the matrix units take bf16 alone. */
        assert_true((g.fp16_flop_per_s > 0) !=
                    (strncmp(g.architecture, "tpu", 3) == 0));
        /* Gaudi 3 has its whole rate in bf16, and no more in fp8. */
        if (strcmp(g.architecture, "gaudi3") == 0)
            CHECK_REL(g.fp8_flop_per_s, g.bf16_flop_per_s, 0);
        else if (g.bf16_flop_per_s > 0 && g.fp16_flop_per_s > 0)
            CHECK_REL(g.bf16_flop_per_s, g.fp16_flop_per_s, 0.01);
        if (g.fp8_flop_per_s > 0)
            assert_true(g.fp8_flop_per_s > 1.9 * g.fp16_flop_per_s);
        assert_true(spec_node_load(g.node, &node, NULL));
        if (g.nvlink_bytes_per_s_one_way > 0)
            assert_true(node.gpus_per_nvlink_domain > 1);
        else
            assert_int_equal(node.gpus_per_nvlink_domain, 1);
    }
    p3d_catalog_free(&catalog);
}

static void what_people_type_finds_it(void **state)
{
    static const struct {
        const char *typed, *name;
    } rows[] = {
            {"4090 48G", "RTX-4090-48GB"},
            {"rtx 4090 48gb", "RTX-4090-48GB"},
            {"4090", "RTX-4090-24GB"},
            {"4090D", "RTX-4090D-24GB"},
            {"2080ti", "RTX-2080-Ti-11GB"},
            {"RTX 2080 Ti", "RTX-2080-Ti-11GB"},
            {"3080ti", "RTX-3080-Ti-12GB"},
            {"titan rtx", "Titan-RTX-24GB"},
            {"t4", "T4-16GB"},
            {"l20", "L20-48GB"},
            {"a10", "A10-24GB"},
            {"a10g", "A10G-24GB"},
            {"gaudi2", "Gaudi-2-96GB"},
            {"gaudi 3", "Gaudi-3-128GB"},
            {"910B", "Ascend-910B2-64GB"},
            {"910b3", "Ascend-910B3-64GB"},
            {"910C", "Ascend-910C-die-64GB"},
            {"v5e", "TPU-v5e"},
            {"tpu v5p", "TPU-v5p"},
            {"trillium", "TPU-v6e"},
            {"ironwood", "TPU-v7x"},
    };

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        p3d_gpu gpu = {0};

        assert_true(p3d_gpu_find(rows[i].typed, &gpu, NULL));
        assert_string_equal(gpu.name, rows[i].name);
    }
}

static void export_parts_have_fewer_nvlinks(void **state)
{
    static const char *const names[] = {"A800", "H800"};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(names); i++) {
        p3d_gpu gpu = {0};

        assert_true(p3d_gpu_find(names[i], &gpu, NULL));
        /* 400 GB/s both ways */
        CHECK_REL(gpu.nvlink_bytes_per_s_one_way, 200e9, 0);
    }
}

static void an_architecture_is_a_compute_capability_or_none(void **state)
{
    static const struct {
        p3d_gpu gpu;
        int sm;
    } rows[] = {
            {{.architecture = "sm80"}, 80},
            {{.architecture = "sm103"}, 103},
            {{.architecture = "gfx942"}, 0},
            {{.architecture = "sm"}, 0},
            {{.architecture = ""}, 0},
            {{.architecture = "sm9999999999999"}, 0},
    };

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++)
        assert_int_equal(p3d_gpu_sm(&rows[i].gpu), rows[i].sm);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
            cmocka_unit_test(an_architecture_is_a_compute_capability_or_none),
            cmocka_unit_test(every_file_says_where_its_numbers_are_from),
            cmocka_unit_test(
                    every_gpu_loads_with_its_node_fabric_and_calibration),
            cmocka_unit_test(every_node_and_fabric_loads),
            cmocka_unit_test(every_machine_is_found_by_its_names),
            cmocka_unit_test(
                    every_calibration_loads_and_was_made_on_a_known_gpu),
            cmocka_unit_test(every_name_finds_its_own_gpu_and_no_other),
            cmocka_unit_test(peaks_are_multiprocessors_times_clock),
            cmocka_unit_test(numbers_of_a_gpu_agree_with_each_other),
            cmocka_unit_test(what_people_type_finds_it),
            cmocka_unit_test(export_parts_have_fewer_nvlinks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
