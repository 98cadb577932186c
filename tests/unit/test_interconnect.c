/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_interconnect.c - networks in the words of their publications. */
#include "test.h"

#include "base/util.h"
#include "exchange/runs/corpus.h"

typedef struct words_row {
    const char *text;
    const char *kind;
    int n_nics;
    double nic_gbit_per_s;
    double node_gbit_per_s;
    double gpu_gbit_per_s;
} words_row;

static const words_row rows[] = {
        {"", NULL, 0, 0, 0, 0},
        {"unstated", NULL, 0, 0, 0, 0},
        {"PCIe", NULL, 0, 0, 0, 0},
        {"single node", NULL, 0, 0, 0, 0},
        {"NVLink 400 GB/s", NULL, 0, 0, 0, 0},
        {"NVLink/NVSwitch intra, IB inter", "ib", 0, 0, 0, 0},
        {"RoCE RDMA, 4 nodes", "roce", 0, 0, 0, 0},
        {"4x100 Gb RoCE per node", "roce", 4, 100, 0, 0},
        {"NVLink 400 GB/s + 8x100 Gb/s NIC per node", NULL, 8, 100, 0, 0},
        {"NVLink 400 GB/s + 800 Gb/s RoCE per node", "roce", 0, 0, 800, 0},
        {"1600 Gbps RoCE node-node", "roce", 0, 0, 1600, 0},
        {"config: intra 150 GB/s, inter 800 Gb/s", NULL, 0, 0, 800, 0},
        {"Azure NDm A100 v4 (8x200 Gb/s HDR per node)", "ib", 8, 200, 0, 0},
        {"NVLink/NVSwitch, 8x200Gbps HDR IB per node", "ib", 8, 200, 0, 0},
        {"100 Gb/s IB per node (IB:1)", "ib", 0, 0, 100, 0},
        {"NVLink4; 4x Omni-Path 100 per node", "opa", 4, 0, 0, 0},
        {"4 OmniPath links per node, NVLink intra-node", "opa", 4, 0, 0, 0},
        {"Jean Zay Omni-Path", "opa", 4, 0, 0, 0},
        {"50 GB/s intra-node, 400 Gb/s Omni-Path inter-node", "opa", 0, 0, 400,
                0},
        {"400 Gb/s RDMA per GPU (Grand Teton)", NULL, 0, 0, 0, 400},
        {"InfiniBand 200 Gb/s (NIC count unstated)", "ib", 0, 200, 0, 0},
        /* Not from a publication. */
        {"100 Gb/s", NULL, 0, 0, 0, 0},
        {"Gb/s", NULL, 0, 0, 0, 0},
        {"x100 Gb/s", NULL, 0, 0, 0, 0},
        {"99999999999999999999x1 Gb/s", NULL, 0, 1, 0, 0},
        {"4x99999999999999999999 Gb/s", NULL, 4, 0, 0, 0},
};

static void the_words_of_publications_are_read(void **state)
{
    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        const words_row *const r = &rows[i];
        const exchange_interconnect got = exchange_interconnect_read(r->text);

        if (r->kind == NULL)
            assert_null(got.kind);
        else
            assert_string_equal(got.kind, r->kind);
        assert_int_equal(got.n_nics, r->n_nics);
        CHECK_REL(got.nic_bit_per_s, r->nic_gbit_per_s * 1e9, 1e-12);
        CHECK_REL(got.node_bit_per_s, r->node_gbit_per_s * 1e9, 1e-12);
        CHECK_REL(got.gpu_bit_per_s, r->gpu_gbit_per_s * 1e9, 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_words_of_publications_are_read),
    };

    return cmocka_run_group_tests_name("interconnect", tests, NULL, NULL);
}
