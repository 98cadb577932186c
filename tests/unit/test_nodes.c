/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_nodes.c - the network's constants, fitted to published collectives of
 * some numbers of nodes, predict those of others: bench/published/nodes.csv (of
 * other clusters), node_shares.csv (of the same). */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/fit.h"
#include "spec/hardware.h"

enum { MOST = 200, LINE = 400 };

static const double MIB = 1048576;

/* A published row. */
typedef struct point {
    char gpu[32], fabric[32];
    p3d_measured_kernel kernel;
} point;

static point points[MOST];
static int n_points;

static int collective_of(const char *word)
{
    return strcmp(word, "all_to_all") == 0 ? P3D_ALL_TO_ALL : P3D_ALL_REDUCE;
}

static int read_points(void **state)
{
    FILE *const file = fopen("bench/published/nodes.csv", "r");
    char line[LINE];

    (void)state;
    assert_non_null(file);
    while (fgets(line, sizeof(line), file) != NULL && n_points < MOST) {
        point *const p = &points[n_points];
        char word[32];
        double us;

        *p = (point){.gpu = ""};
        if (sscanf(line, "%31[^,],%31[^,],%d,%d,%31[^,],%lf,%lf", p->gpu,
                    p->fabric, &p->kernel.n_nodes, &p->kernel.n_ranks, word,
                    &p->kernel.op.bytes, &us) != 7)
            continue;
        p->kernel.op.collective = (p3d_collective)collective_of(word);
        p->kernel.time_s = 1e-6 * us;
        n_points++;
    }
    return fclose(file);
}

/* Fitted to one cluster, held against another one. */
typedef struct held {
    const char *cluster, *gpu;
    p3d_collective collective;
    const char *from;
    int from_nodes;
    const char *against;
    int nodes;
    double median_frac; /* from 1 MiB on */
    double scaled_frac; /* the same, with the latency of the other network */
} held;

/* Usual latency of the kind of network that a name of the rows ends in. */
static double usual_latency_s(const char *fabric)
{
    static const char *const names[][2] = {
            {"-ib", "ib-ndr-400"}, {"-roce", "roce-400"}, {"-efa", "efa-400"}};
    p3d_fabric found = {.latency_s = 0};
    p3d_error err = {0};

    for (int i = 0; i < P3D_COUNT_OF(names); i++)
        if (strstr(fabric, names[i][0]) != NULL)
            assert_true(spec_fabric_load(names[i][1], &found, &err));
    assert_true(found.latency_s > 0);
    return found.latency_s;
}

static int select_points(const held *h, const char *fabric, int n_nodes,
        p3d_measured_kernel *out)
{
    int n = 0;

    for (int i = 0; i < n_points; i++)
        if (strcmp(points[i].gpu, h->gpu) == 0 &&
                strcmp(points[i].fabric, fabric) == 0 &&
                points[i].kernel.n_nodes == n_nodes &&
                points[i].kernel.op.collective == h->collective)
            out[n++] = points[i].kernel;
    return n;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* As on a user's cluster: no network is faster than its cards. */
static double median_frac(
        const p3d_cluster *c, const p3d_measured_kernel *k, int n)
{
    double errors[MOST];
    int n_errors = 0;

    for (int i = 0; i < n; i++)
        if (k[i].op.bytes >= MIB)
            errors[n_errors++] =
                    fabs(p3d_network_point_s(c, &k[i]) / k[i].time_s - 1);
    assert_true(n_errors > 1);
    qsort(errors, (size_t)n_errors, sizeof(*errors), compare);
    return (errors[n_errors / 2] + errors[(n_errors - 1) / 2]) / 2;
}

/* The error on other nodes, with the fitted latency times a factor. */
static double held_frac(
        const held *h, const p3d_cluster *fitted, double latency_times)
{
    p3d_measured_kernel kernels[MOST];
    p3d_cluster cluster = *fitted;
    p3d_calibration constants = fitted->calibration;

    constants.network.latency_s *= latency_times;
    spec_cluster_calibrate(&cluster, &constants);
    cluster.calibration.network = (p3d_network_fit){0};
    return median_frac(
            &cluster, kernels, select_points(h, h->against, h->nodes, kernels));
}

static void check_frac(const held *h, const char *what, double got, double want)
{
    if (fabs(got - want) > 0.005)
        fail_msg("%s, %s to %s%s: %.1f %%, not %.1f %%", h->gpu, h->from,
                h->against, what, 100 * got, 100 * want);
}

static void other_numbers_of_nodes_are_predicted(void **state)
{
    static const held cases[] = {
            {"16xH100", "H100-SXM5-80GB", P3D_ALL_REDUCE, "nebius-ib", 2,
                    "coreweave-ib", 8, 0.053, 0.053},
            {"16xB200", "B200-SXM6-180GB", P3D_ALL_REDUCE, "vultr-ib", 2,
                    "aws-efa", 4, 0.203, 0.082},
            {"16xB200", "B200-SXM6-180GB", P3D_ALL_REDUCE, "gcp-roce", 2,
                    "aws-efa", 4, 0.166, 0.119},
            {"16xB200", "B200-SXM6-180GB", P3D_ALL_REDUCE, "aws-efa", 4,
                    "vultr-ib", 2, 0.169, 0.073},
            {"16xB200", "B200-SXM6-180GB", P3D_ALL_REDUCE, "aws-efa", 4,
                    "gcp-roce", 2, 0.105, 0.063},
            {"16xMI355X", "MI355X-288GB", P3D_ALL_REDUCE, "vultr-roce", 2,
                    "oci-roce", 4, 0.046, 0.046},
            {"16xMI355X", "MI355X-288GB", P3D_ALL_TO_ALL, "vultr-roce", 2,
                    "oci-roce", 4, 0.178, 0.178},
    };

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        const held *const h = &cases[i];
        p3d_measured_kernel kernels[MOST];
        p3d_cluster cluster;
        p3d_fit_quality quality;
        p3d_error err = {0};
        const double other =
                usual_latency_s(h->against) / usual_latency_s(h->from);
        int n;

        assert_true(p3d_cluster_find(h->cluster, &cluster, &err));
        n = select_points(h, h->from, h->from_nodes, kernels);
        assert_true(p3d_fit_network(
                &(p3d_measured_kernels){&cluster.gpu, kernels, n}, &cluster,
                &quality, &err));
        check_frac(h, "", held_frac(h, &cluster, 1), h->median_frac);
        check_frac(h, ", its latency", held_frac(h, &cluster, other),
                h->scaled_frac);
    }
}

/* Time of a collective that reaches a share of 8 cards. Any rate of these tells
 * the same, where the links of the node are not slower. */
static double share_s(const p3d_measured_kernel *k, double share)
{
    static const double CARD = 25e9;
    const double n = k->n_ranks;
    const double nodes = k->n_nodes;
    const double S = k->op.bytes;

    return k->op.collective == P3D_ALL_TO_ALL
                   ? S * (nodes - 1) / nodes / (share * CARD)
                   : S * (n - 1) / n / (share * 8 * CARD);
}

/* The rows of a collective from one number of nodes to another. */
static int select_shares(
        const char *collective, int least, int most, p3d_measured_kernel *out)
{
    FILE *const file = fopen("bench/published/node_shares.csv", "r");
    char line[LINE], word[32];
    double share;
    int n = 0;

    assert_non_null(file);
    while (fgets(line, sizeof(line), file) != NULL && n < MOST) {
        p3d_measured_kernel *const k = &out[n];

        *k = (p3d_measured_kernel){.n_nodes = 0};
        if (sscanf(line, "%31[^,],%d,%lf,%lf", word, &k->n_nodes, &k->op.bytes,
                    &share) != 4 ||
                strcmp(word, collective) != 0 || k->n_nodes < least ||
                k->n_nodes > most)
            continue;
        k->n_ranks = 8 * k->n_nodes;
        k->op.collective =
                strcmp(word, "ring") == 0 ? P3D_ALL_GATHER : P3D_ALL_TO_ALL;
        k->time_s = share_s(k, share);
        n++;
    }
    assert_int_equal(fclose(file), 0);
    return n;
}

/* Fitted to up to so many nodes, held against more, of 16 MiB to 16 GiB. */
static void more_nodes_of_a_cluster_are_predicted(void **state)
{
    static const struct {
        const char *collective;
        int fitted_to, from, to;
        double median_frac;
    } cases[] = {
            {"ring", 4, 8, 16, 0.03},
            {"ring", 8, 16, 32, 0.05},
            {"ring", 8, 64, 128, 0.045},
            {"all_to_all", 4, 8, 16, 0.111},
            {"all_to_all", 8, 16, 16, 0.068},
    };

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        p3d_measured_kernel kernels[MOST];
        p3d_cluster cluster;
        p3d_fit_quality quality;
        p3d_error err = {0};
        double got;
        int n = select_shares(
                cases[i].collective, 2, cases[i].fitted_to, kernels);

        assert_true(p3d_cluster_find("16xH100", &cluster, &err));
        assert_true(p3d_fit_network(
                &(p3d_measured_kernels){&cluster.gpu, kernels, n}, &cluster,
                &quality, &err));
        n = select_shares(
                cases[i].collective, cases[i].from, cases[i].to, kernels);
        got = median_frac(&cluster, kernels, n);
        if (fabs(got - cases[i].median_frac) > 0.005)
            fail_msg("%s, up to %d nodes to %d: %.1f %%, not %.1f %%",
                    cases[i].collective, cases[i].fitted_to, cases[i].to,
                    100 * got, 100 * cases[i].median_frac);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(other_numbers_of_nodes_are_predicted),
            cmocka_unit_test(more_nodes_of_a_cluster_are_predicted),
    };

    return cmocka_run_group_tests_name("nodes", tests, read_points, NULL);
}
