/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_pools_find.c - pools of GPUs in words and in files. */
#include "problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/util.h"
#include "plan3d/pools.h"

static void check_find(const char *words, p3d_code code, const char *what)
{
    p3d_pools pools;
    p3d_error err = {0};

    assert_false(p3d_pools_find(words, &pools, &err));
    test_check_error(&err, code, what);
}

static void check_parse(const char *text, const char *pointer, const char *what)
{
    p3d_pools pools;
    p3d_error err = {0};

    assert_false(p3d_pools_parse("fleet.json", text, &pools, &err));
    test_check_error(&err, P3D_DATA, what);
    assert_string_equal(err.pointer, pointer);
    assert_true(err.line > 0);
}

static void pools_are_read_in_words(void **state)
{
    p3d_pools pools;
    p3d_error err = {0};

    (void)state;
    assert_true(p3d_are_pools("32xA800+16xH100"));
    assert_false(p3d_are_pools("64xA800"));
    assert_false(p3d_are_pools(NULL));
    problem_check(p3d_pools_find("32xA800 + 2x8xH100+8xRTX-4090", &pools, &err),
            &err);
    assert_int_equal(pools.n_pools, 3);
    assert_int_equal(pools.n_links, 3);
    assert_int_equal(pools.clusters[1].n_gpus, 16);
    assert_string_equal(pools.names[0], "A800-SXM4-80GB");
    /* The slower fabric of two: 25 Gb/s of the RTX node. */
    CHECK_REL(
            p3d_pools_link(&pools, 2, 0)->bytes_per_s_one_way, 25e9 / 8, 1e-9);
    assert_true(p3d_pools_link(&pools, 0, 1)->assumed);
    assert_null(p3d_pools_link(&pools, 1, 1));
}

static void wrong_words_are_named(void **state)
{
    (void)state;
    check_find("8xA800+8xFOO", P3D_DATA, "unknown GPU 'FOO'");
    check_find("8xA800+0xH100", P3D_DATA, "a cluster of 0 GPUs");
    check_find("8xA800+8xA800", P3D_DATA, "two pools are named A800-SXM4-80GB");
    check_find("8xA800+", P3D_DATA, "a pool is missing beside a plus sign");
    check_find("8xA800+8xH100+8xL40S+8xRTX-4090+8xRTX-3090", P3D_DATA,
            "more than 4 pools");
}

static void wrong_files_are_named_with_the_place(void **state)
{
    (void)state;
    check_parse("{\"schema\": 1, \"pools\": [\"8xA800\", \"8xFOO\"]}",
            "/pools/1", "unknown GPU 'FOO'");
    check_parse("{\"schema\": 1, \"pools\": []}", "/pools",
            "a list of pools is expected");
    check_parse("{\"schema\": 1, \"pools\": [\"8xA800\", \"8xA800\"]}",
            "/pools/1", "two pools are named");
    check_parse("{\"schema\": 1, \"pools\": [\"8xA800\", \"8xH100\"], "
                "\"links\": [{\"from\": \"A800-SXM4-80GB\", \"to\": \"H10\", "
                "\"node_bytes_per_s_one_way\": 1e9}]}",
            "/links/0/to", "no pool is named 'H10'");
    check_parse("{\"schema\": 1, \"pools\": [\"8xA800\", \"8xH100\"], "
                "\"links\": [{\"from\": \"A800-SXM4-80GB\", \"to\": "
                "\"H100-SXM5-80GB\"}]}",
            "/links/0/from", "a link needs a rate");
}

static void a_link_of_a_file_is_shared_by_the_smaller_pools_nodes(void **state)
{
    static const char text[] =
            "{\"schema\": 1, \"name\": \"ours\", \"pools\": [\"32xA800\", "
            "\"16xH100\"], \"links\": [{\"from\": \"A800-SXM4-80GB\", \"to\": "
            "\"H100-SXM5-80GB\", \"total_bytes_per_s_one_way\": 10e9, "
            "\"latency_s\": 0.001}]}";
    p3d_pools pools;
    p3d_error err = {0};

    (void)state;
    problem_check(p3d_pools_parse("f", text, &pools, &err), &err);
    assert_string_equal(pools.name, "ours");
    CHECK_REL(pools.links[0].bytes_per_s_one_way, 5e9, 1e-12);
    CHECK_REL(pools.links[0].latency_s, 0.001, 1e-12);
    assert_false(pools.links[0].assumed);
}

static void a_file_of_one_pool_is_a_cluster_like_others(void **state)
{
    p3d_cluster cluster, flat;
    p3d_error err = {0};

    (void)state;
    problem_check(
            p3d_cluster_parse("f", "{\"schema\": 1, \"pools\": [\"64xA800\"]}",
                    &cluster, &err),
            &err);
    problem_check(p3d_cluster_find("64xA800", &flat, &err), &err);
    assert_memory_equal(&cluster, &flat, sizeof(flat));
    assert_false(p3d_cluster_find("8xA800+8xH100", &cluster, &err));
    test_check_error(&err, P3D_DATA,
            "'plan3d fit', 'plan', 'explain .. network', 'sweep', 'assign' "
            "and");
}

/* What a file of several pools may not say, one of one pool may not, either. */
static void a_file_of_one_pool_is_checked_like_one_of_several(void **state)
{
    static const struct {
        const char *rest, *pointer, *what;
    } rows[] = {
            {"\"tiers\": [{\"nodes_below\": 1, \"oversubscription\": 40}]",
                    "/tiers", "unknown key"},
            {"\"bogus\": 1", "/bogus", "unknown key"},
            {"\"links\": [{\"from\": \"H100\", \"to\": \"A800-SXM4-80GB\", "
             "\"node_bytes_per_s_one_way\": 1e9}]",
                    "/links/0/from", "no pool is named 'H100'"},
            {"\"links\": [{\"from\": \"A800-SXM4-80GB\", \"to\": "
             "\"A800-SXM4-80GB\", \"node_bytes_per_s_one_way\": 1e9}]",
                    "/links/0/to", "with itself"},
    };
    char text[512];

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        p3d_cluster cluster;
        p3d_error err = {0};

        snprintf(text, sizeof(text),
                "{\"schema\": 1, \"pools\": [\"4x8xA800\"], %s}", rows[i].rest);
        assert_false(p3d_cluster_parse("f", text, &cluster, &err));
        test_check_error(&err, P3D_DATA, rows[i].what);
        assert_string_equal(err.pointer, rows[i].pointer);
    }
}

/* fleet.json:new is the pool new of fleet.json. */
static void a_pool_of_a_file_is_a_cluster_by_its_name(void **state)
{
    static const char text[] =
            "{\"schema\": 1, \"pools\": [\"32xA800\", {\"name\": \"new\", "
            "\"n_nodes\": 2, \"gpu\": \"H100\", \"usd_per_gpu_h\": 3}]}";
    char path[] = "/tmp/plan3d-pools-XXXXXX", words[64];
    const int fd = mkstemp(path);
    p3d_cluster cluster;
    p3d_error err = {0};

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, sizeof(text) - 1), sizeof(text) - 1);
    assert_int_equal(close(fd), 0);
    snprintf(words, sizeof(words), "%s:new", path);
    assert_false(p3d_are_pools(words));
    problem_check(p3d_cluster_find(words, &cluster, &err), &err);
    assert_int_equal(cluster.n_gpus, 16);
    CHECK_REL(cluster.terms.usd_per_gpu_h, 3, 1e-15);
    snprintf(words, sizeof(words), "%s:A800-SXM4-80GB", path);
    problem_check(p3d_cluster_find(words, &cluster, &err), &err);
    assert_int_equal(cluster.n_gpus, 32);
    snprintf(words, sizeof(words), "%s:nev", path);
    assert_false(p3d_cluster_find(words, &cluster, &err));
    test_check_error(&err, P3D_DATA, "has no pool 'nev'");
    test_check_error(&err, P3D_DATA, "its pools are A800-SXM4-80GB, new");
    assert_int_equal(unlink(path), 0);
}

/* Of a file or one of its pools some GPUs, of a pool by its type of GPU. */
static void a_part_of_a_file_is_a_cluster(void **state)
{
    static const char pools[] =
            "{\"schema\": 1, \"pools\": [\"32xA800\", {\"name\": \"a:8\", "
            "\"n_nodes\": 2, \"gpu\": \"H100\"}]}";
    static const char one[] =
            "{\"schema\": 1, \"n_nodes\": 2, \"gpu\": \"H100\"}";
    static const struct {
        const char *text, *part;
        int n_gpus;
        const char *wrong;
    } rows[] = {{pools, "A800", 32, NULL}, {pools, "A800:16", 16, NULL},
            {pools, "a:8", 16, NULL}, {pools, "a:8:8", 8, NULL},
            {pools, "H100", 16, NULL}, {one, "8", 8, NULL},
            {pools, "A800:64", 0, "has 32 GPUs, not 64"},
            {pools, "8", 0, "has no pool '8'; its pools are"},
            {one, "x", 0, "has no pools to take 'x' of"}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        char path[] = "/tmp/plan3d-pools-XXXXXX", words[64];
        const int fd = mkstemp(path);
        const size_t n = strlen(rows[i].text);
        p3d_cluster cluster;
        p3d_error err = {0};

        assert_true(fd >= 0);
        assert_int_equal(write(fd, rows[i].text, n), n);
        assert_int_equal(close(fd), 0);
        snprintf(words, sizeof(words), "%s:%s", path, rows[i].part);
        assert_int_equal(
                p3d_cluster_find(words, &cluster, &err), rows[i].wrong == NULL);
        if (rows[i].wrong != NULL)
            test_check_error(&err, P3D_DATA, rows[i].wrong);
        else
            assert_int_equal(cluster.n_gpus, rows[i].n_gpus);
        assert_int_equal(unlink(path), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(pools_are_read_in_words),
            cmocka_unit_test(wrong_words_are_named),
            cmocka_unit_test(wrong_files_are_named_with_the_place),
            cmocka_unit_test(
                    a_link_of_a_file_is_shared_by_the_smaller_pools_nodes),
            cmocka_unit_test(a_file_of_one_pool_is_a_cluster_like_others),
            cmocka_unit_test(a_file_of_one_pool_is_checked_like_one_of_several),
            cmocka_unit_test(a_pool_of_a_file_is_a_cluster_by_its_name),
            cmocka_unit_test(a_part_of_a_file_is_a_cluster),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
