/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_words.c - random words for clusters, plans and pins: never a crash, and
 * a message exactly when they are refused. */
#include "test.h"

#include <string.h>

#include "plan3d/cluster.h"
#include "plan3d/plan.h"
#include "plan3d/search.h"

/* Pieces that come close to right words. */
static const char *const cluster_pieces[] = {"64", "8", "0", "-1", "1e9", "x",
        "X", "*", "\xc3\x97", "\xc3", " ", "A800", "H100", "-80G", "80GB",
        "GB200", "4090", "s", ".", ",", "999999999999999999999", "\xff", "%s",
        "\n", "\x1b[31m"};
static const char *const plan_pieces[] = {"tp", "pp", "dp", "cp", "ep", "etp",
        "vp", "vpp", "mbs", "micro_batch", "zero", "sp", "nosp", "recompute",
        "offload", "schedule", "=", "=", "=", ",", ",", ",", "1", "2", "8", "0",
        "-1", "999999999999999999999", "full", ":", "4", "none", "selective",
        "optimizer", "+parameters", "shard", "group", "first", "last",
        "uniform", "activations", "@nvme", "+", "0.5", "mlp", "moe_act", "op",
        "1f1b", "gpipe", "interleaved", " ", "%n", "\xff", "\t", "="};

enum { MAX_WORDS = 256 };

static unsigned random_below(uint64_t *state, unsigned n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33) % n;
}

/* Up to 12 pieces, now and then a byte of any value. */
static void random_words(uint64_t *state, const char *const *pieces,
        unsigned n_pieces, char words[MAX_WORDS])
{
    const unsigned n = random_below(state, 12);
    size_t used = 0;

    for (unsigned i = 0; i < n; i++) {
        const char *const piece = pieces[random_below(state, n_pieces)];
        const size_t length = strlen(piece);

        if (used + length + 2 > MAX_WORDS)
            break;
        memcpy(words + used, piece, length);
        used += length;
        if (random_below(state, 50) == 0)
            words[used++] = (char)(1 + random_below(state, 255));
    }
    words[used] = '\0';
}

static void check_error(bool ok, const p3d_error *err)
{
    assert_int_equal(ok, err->code == P3D_OK);
    assert_int_equal(ok, err->text[0] == '\0');
    for (const char *p = err->text; *p != '\0'; p++)
        assert_true((unsigned char)*p >= ' ');
}

static void random_clusters_are_read_or_refused(void **state)
{
    const unsigned n_pieces =
            sizeof(cluster_pieces) / sizeof(cluster_pieces[0]);
    uint64_t seed = 1;
    int n_ok = 0;

    (void)state;
    for (int i = 0; i < 2000; i++) {
        char words[MAX_WORDS];
        p3d_cluster cluster = {0};
        p3d_error err = {0};
        bool ok;

        random_words(&seed, cluster_pieces, n_pieces, words);
        ok = p3d_cluster_find(words, &cluster, &err);
        check_error(ok, &err);
        if (!ok)
            continue;
        n_ok++;
        assert_int_equal(
                cluster.n_gpus, cluster.n_nodes * cluster.node.gpus_per_node);
        assert_true(cluster.node.gpus_per_nvlink_domain >= 1);
        assert_true(cluster.node.gpus_per_nvlink_domain <= cluster.n_gpus);
    }
    assert_true(n_ok > 0);
}

static void random_plans_are_read_or_refused(void **state)
{
    const unsigned n_pieces = sizeof(plan_pieces) / sizeof(plan_pieces[0]);
    uint64_t seed = 2;
    int n_ok = 0;

    (void)state;
    for (int i = 0; i < 100000; i++) {
        char words[MAX_WORDS];
        p3d_plan plan = {0};
        p3d_error err = {0};
        bool ok;

        random_words(&seed, plan_pieces, n_pieces, words);
        ok = p3d_plan_parse(words, 64, NULL, &plan, &err);
        check_error(ok, &err);
        if (!ok)
            continue;
        n_ok++;
        assert_in_range(plan.tp * plan.pp * plan.dp * plan.cp, 1, 64);
    }
    assert_true(n_ok > 0);
}

static void random_pins_are_read_or_refused(void **state)
{
    const unsigned n_pieces = sizeof(plan_pieces) / sizeof(plan_pieces[0]);
    uint64_t seed = 3;

    (void)state;
    for (int i = 0; i < 100000; i++) {
        char words[MAX_WORDS];
        p3d_pins pins;
        p3d_error err = {0};
        bool ok;

        random_words(&seed, plan_pieces, n_pieces, words);
        ok = p3d_pins_parse(words, &pins, &err);
        check_error(ok, &err);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
            cmocka_unit_test(random_clusters_are_read_or_refused),
            cmocka_unit_test(random_plans_are_read_or_refused),
            cmocka_unit_test(random_pins_are_read_or_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
