/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_nodes.c - the network's constants, fitted to published collectives of
 * some numbers of nodes, predict those of others: bench/published/nodes.csv. */
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
} held;

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

static void other_numbers_of_nodes_are_predicted(void **state)
{
    static const held cases[] = {
            {"16xH100", "H100-SXM5-80GB", P3D_ALL_REDUCE, "nebius-ib", 2,
                    "coreweave-ib", 8, 0.053},
            {"16xB200", "B200-SXM6-180GB", P3D_ALL_REDUCE, "vultr-ib", 2,
                    "aws-efa", 4, 0.203},
            {"16xB200", "B200-SXM6-180GB", P3D_ALL_REDUCE, "gcp-roce", 2,
                    "aws-efa", 4, 0.166},
            {"16xB200", "B200-SXM6-180GB", P3D_ALL_REDUCE, "aws-efa", 4,
                    "vultr-ib", 2, 0.169},
            {"16xB200", "B200-SXM6-180GB", P3D_ALL_REDUCE, "aws-efa", 4,
                    "gcp-roce", 2, 0.105},
            {"16xMI355X", "MI355X-288GB", P3D_ALL_REDUCE, "vultr-roce", 2,
                    "oci-roce", 4, 0.046},
            {"16xMI355X", "MI355X-288GB", P3D_ALL_TO_ALL, "vultr-roce", 2,
                    "oci-roce", 4, 0.178},
    };

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(cases); i++) {
        const held *const h = &cases[i];
        p3d_measured_kernel kernels[MOST];
        p3d_cluster cluster;
        p3d_fit_quality quality;
        p3d_calibration fitted;
        p3d_error err = {0};
        double got;
        int n;

        assert_true(p3d_cluster_find(h->cluster, &cluster, &err));
        n = select_points(h, h->from, h->from_nodes, kernels);
        assert_true(p3d_fit_network(
                &(p3d_measured_kernels){&cluster.gpu, kernels, n}, &cluster,
                &quality, &err));
        fitted = cluster.calibration;
        spec_cluster_calibrate(&cluster, &fitted);
        cluster.calibration.network = (p3d_network_fit){0};
        n = select_points(h, h->against, h->nodes, kernels);
        got = median_frac(&cluster, kernels, n);
        if (fabs(got - h->median_frac) > 0.01)
            fail_msg("%s, %s to %s: %.1f %%, not %.1f %%", h->gpu, h->from,
                    h->against, 100 * got, 100 * h->median_frac);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(other_numbers_of_nodes_are_predicted),
    };

    return cmocka_run_group_tests_name("nodes", tests, read_points, NULL);
}
