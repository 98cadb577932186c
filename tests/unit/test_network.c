/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_network.c - networks in words: of publications, of --fabric. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "plan3d/catalog.h"
#include "spec/hardware.h"
#include "spec/network.h"

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
        {"Jean Zay: 4x Omni-Path 100 per node", "opa", 4, 0, 0, 0},
        {"NVLink 400 GB/s + 1.6 Tb/s RDMA per node", NULL, 0, 0, 1600, 0},
        {"50 GB/s intra-node, 400 Gb/s Omni-Path inter-node", "opa", 0, 0, 400,
                0},
        {"400 Gb/s RDMA per GPU (Grand Teton)", NULL, 0, 0, 0, 400},
        {"InfiniBand 200 Gb/s (NIC count unstated)", "ib", 0, 200, 0, 0},
        /* Not from a publication. */
        {"100 Gb/s", NULL, 0, 0, 0, 0},
        {"Gb/s", NULL, 0, 0, 0, 0},
        {"x100 Gb/s", NULL, 0, 0, 0, 0},
        {"99999999999999999999x1 Gb/s", NULL, 0, 0, 0, 0},
        {"4x99999999999999999999 Gb/s", NULL, 0, 0, 0, 0},
};

static void the_words_of_publications_are_read(void **state)
{
    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows); i++) {
        const words_row *const r = &rows[i];
        const spec_network got = spec_network_read(r->text);

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

/* 64 A800 with what the words say, which has this name. */
static p3d_cluster with_network(const char *words, const char *name)
{
    p3d_cluster cluster;
    p3d_error err = {0};

    assert_true(p3d_cluster_find("64xA800", &cluster, NULL));
    if (!spec_network_set(words, &cluster, &err))
        fail_msg("%s: %s", words, err.text);
    assert_string_equal(cluster.fabric.name, name);
    return cluster;
}

typedef struct set_row {
    const char *words;
    const char *name; /* of the fabric; NULL = as it was */
    int n_nics;
    double nic_gbyte_per_s;
} set_row;

/* A DGX A800 has eight adapters of 25 GB/s. */
static void a_network_in_words_is_that_of_a_node(void **state)
{
    static const set_row rows_set[] = {{"roce-400", "roce-400", 8, 50},
            {"8x400 Gb/s RoCE", "roce-400", 8, 50},
            {"4x100Gbps ib", "ib-edr-100", 4, 12.5},
            {"400 Gb/s per GPU", "ib-ndr-400", 8, 50},
            {"3200Gbps/node", "ib-ndr-400", 8, 50},
            {"1.6 Tb/s InfiniBand per node", "ib-hdr-200", 8, 25},
            {"50 GB/s per GPU", "ib-ndr-400", 8, 50},
            {"2x25GbE", "ethernet-25", 2, 3.125},
            {"8x50GbE", "ethernet-50", 8, 6.25},
            {"NDR InfiniBand", "ib-ndr-400", 8, 50},
            {"NDR", "ib-ndr-400", 8, 50}, {"hdr 200", "ib-hdr-200", 8, 25},
            {"4x OPA per node", "opa-100", 4, 12.5},
            {"800 Gb/s slingshot per node", "slingshot-200", 4, 25},
            /* No file has this rate. */
            {"8x300 Gb/s RoCE", "roce-300", 8, 37.5}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows_set); i++) {
        const set_row *const r = &rows_set[i];
        const p3d_cluster cluster = with_network(r->words, r->name);

        assert_int_equal(cluster.node.nics_per_node, r->n_nics);
        CHECK_REL(cluster.fabric.nic_bytes_per_s_one_way,
                1e9 * r->nic_gbyte_per_s, 1e-12);
    }
}

/* A rate that no file has takes the rest from the nearest file of its kind. */
static void a_rate_without_a_file_has_the_shares_of_the_nearest(void **state)
{
    p3d_cluster cluster, near;

    (void)state;
    assert_true(p3d_cluster_find("64xA800", &cluster, NULL));
    near = cluster;
    assert_true(spec_network_set("8x80 Gb/s ethernet", &cluster, NULL));
    assert_true(spec_network_set("ethernet-100", &near, NULL));
    assert_true(cluster.fabric.all_reduce_frac == near.fabric.all_reduce_frac);
    assert_true(cluster.fabric.latency_s == near.fabric.latency_s);
    CHECK_REL(cluster.fabric.nic_bytes_per_s_one_way, 1e10, 1e-12);
}

/* Of every file: its name, its rate and kind, and the kind on a node of that
 * rate are the same network. */
static void words_of_a_file_are_the_file(void **state)
{
    p3d_catalog catalog;

    (void)state;
    assert_true(p3d_catalog_open(P3D_FABRICS, &catalog, NULL));
    for (int i = 0; i < catalog.n_names; i++) {
        const char *const name = catalog.names[i];
        char kind[48], words[4][96];
        p3d_fabric file;

        assert_true(spec_fabric_load(name, &file, NULL));
        p3d_copy(kind, sizeof(kind), name);
        *strrchr(kind, '-') = '\0';
        if (strcmp(kind, "ethernet") == 0)
            p3d_copy(kind, sizeof(kind), "TCP");
        snprintf(words[0], sizeof(words[0]), "4x%.6g Gb/s %s",
                8e-9 * file.nic_bytes_per_s_one_way, kind);
        snprintf(words[1], sizeof(words[1]), "4x%.6g GB/s, %s",
                1e-9 * file.nic_bytes_per_s_one_way, kind);
        snprintf(words[2], sizeof(words[2]), "4 %s adapters", name);
        snprintf(words[3], sizeof(words[3]), "%s, 4x%.6g Gb/s", name,
                8e-9 * file.nic_bytes_per_s_one_way);
        for (int j = 0; j < 4; j++) {
            p3d_cluster cluster;
            p3d_error err = {0};

            assert_true(p3d_cluster_find("64xA800", &cluster, NULL));
            if (!spec_network_set(words[j], &cluster, &err))
                fail_msg("%s: %s", words[j], err.text);
            if (memcmp(&cluster.fabric, &file, sizeof(file)) != 0)
                fail_msg("%s is %s", words[j], cluster.fabric.name);
            assert_int_equal(cluster.node.nics_per_node, 4);
            /* Who says the rate alone has the kind of network as it was. */
            snprintf(words[j], sizeof(words[j]), "8x%.6g Gb/s",
                    8e-9 * file.nic_bytes_per_s_one_way);
            assert_true(spec_network_set(words[j], &cluster, NULL));
            assert_memory_equal(&cluster.fabric, &file, sizeof(file));
        }
    }
    p3d_catalog_free(&catalog);
}

typedef struct rdma_row {
    const char *words;
    const char *name;
    double all_reduce_gbyte_per_s; /* of a card */
} rdma_row;

/* A DGX A800: PCIe of 32 GB/s one way, of which NCCL counts three quarters. */
static void rdma_and_gpudirect_are_words(void **state)
{
    static const double staged = 0.75 * 32 / 2;
    const rdma_row rows_of[] = {{"8x100GbE RDMA", "roce-100", 11.875},
            {"8x100 Gb/s ethernet with RDMA", "roce-100", 11.875},
            {"8x100GbE GPUDirect", "roce-100", 11.875},
            {"8x100GbE, GPU Direct RDMA", "roce-100", 11.875},
            {"8x100 Gb/s RDMA", "ib-edr-100", 11.875},
            {"RDMA", "ib-hdr-200", 23.75}, {"8x100GbE", "ethernet-100", 6.25},
            {"8x100GbE no RDMA", "ethernet-100", 6.25},
            {"8x100 Gb/s without RDMA", "ethernet-100", 6.25},
            {"8x100 Gb/s InfiniBand without RDMA", "ethernet-100", 6.25},
            {"8x100GbE no GDR", "ethernet-100", 6.25},
            {"TCP, no RDMA, no GDR, 8x100 Gb/s", "ethernet-100", 6.25},
            {"8x100GbE RDMA without GPUDirect", "roce-100 without GPUDirect",
                    11.875},
            {"8x200 Gb/s RoCE no GDR", "roce-200 without GPUDirect", staged},
            {"roce-200 without GPUDirect", "roce-200 without GPUDirect",
                    staged},
            {"without GPUDirect", "ib-hdr-200 without GPUDirect", staged},
            {"2x200 Gb/s IB without GDR", "ib-hdr-200 without GPUDirect", 12},
            {"8x25 Gb/s RoCE no GDR", "roce-25 without GPUDirect",
                    0.95 * 25 / 8}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(rows_of); i++) {
        const rdma_row *const r = &rows_of[i];
        const p3d_cluster cluster = with_network(r->words, r->name);

        CHECK_REL(cluster.fabric.nic_bytes_per_s_one_way *
                          cluster.fabric.all_reduce_frac,
                1e9 * r->all_reduce_gbyte_per_s, 1e-12);
        assert_true(spec_fabric_is_direct(&cluster.fabric) ==
                    (strncmp(r->name, "ethernet", 8) != 0 &&
                            strstr(r->name, "without") == NULL));
    }
}

/* Eight cards of a DGX H100 outrun the memory of its host, which each byte
 * crosses four times; a Grace reaches its GPU by NVLink. */
static void without_gpudirect_host_memory_is_a_bound(void **state)
{
    p3d_cluster cluster, before;
    p3d_fabric *const f = &cluster.fabric;

    (void)state;
    assert_true(p3d_cluster_find("64xH100", &cluster, NULL));
    assert_true(spec_network_set("no GPUDirect", &cluster, NULL));
    CHECK_REL(f->all_gather_frac * f->nic_bytes_per_s_one_way,
            cluster.node.host_memory_bytes_per_s / 32, 1e-12);
    assert_true(p3d_cluster_find("8xV100", &cluster, NULL));
    assert_true(spec_network_set("4x100 Gb/s IB no GPUDirect", &cluster, NULL));
    CHECK_REL(f->all_reduce_frac * f->nic_bytes_per_s_one_way, 6e9, 1e-12);
    assert_true(p3d_cluster_find("8xGH200", &cluster, NULL));
    before = cluster;
    assert_true(spec_network_set("no GPUDirect", &cluster, NULL));
    CHECK_REL(f->p2p_frac, before.fabric.p2p_frac, 1e-12);
}

#define WHAT_IS                                                           \
    "; name a file of 'plan3d list fabrics', or say what a node has, as " \
    "'8x400 Gb/s RoCE' or '400 Gb/s per GPU'"
#define RANGE "; a node has 1 to 64 adapters of 0.1 to 10000 Gb/s each"
#define WHICH                                                                \
    ": with RDMA and GPUDirect, or without? TCP has neither, and GPUDirect " \
    "needs RDMA"

static const char *const refused[][2] = {
        {"foo", "unknown fabric 'foo'; see 'plan3d list fabrics'"},
        {"roce-40", "unknown fabric 'roce-40'; did you mean 'roce-400'?"},
        {"NVLink 400 GB/s",
                "unknown fabric 'NVLink 400 GB/s'; see 'plan3d list "
                "fabrics'"},
        {"400Gbps", "fabric '400Gbps': the rate of an adapter, of a GPU or "
                    "of a node? name a file of 'plan3d list fabrics', or say "
                    "what a node has, as '8x400 Gb/s RoCE' or '400 Gb/s per "
                    "GPU'"},
        {"8x400 Gb/s quick per node",
                "fabric '8x400 Gb/s quick per node': not understood from "
                "'quick per node' on; name a file of 'plan3d list "
                "fabrics', or say what a node has, as '8x400 Gb/s RoCE' or "
                "'400 Gb/s per GPU'"},
        {"-1x100 Gb/s",
                "fabric '-1x100 Gb/s': not understood from '-1x100 Gb/s' "
                "on" WHAT_IS},
        {"8x-100 Gb/s RoCE",
                "fabric '8x-100 Gb/s RoCE': not understood from '-100 Gb/s "
                "RoCE' on" WHAT_IS},
        {"RoCE no IB", "fabric 'RoCE no IB': not understood from 'no IB' "
                       "on" WHAT_IS},
        {"RoCE without", "fabric 'RoCE without': not understood from 'without' "
                         "on" WHAT_IS},
        {"1x1e30 Gb/s RoCE",
                "fabric '1x1e30 Gb/s RoCE': out of range from '1e30 Gb/s "
                "RoCE' on" RANGE},
        {"1e-9 Gb/s per GPU",
                "fabric '1e-9 Gb/s per GPU': out of range from '1e-9 Gb/s "
                "per GPU' on" RANGE},
        {"1e999 Gb/s per node",
                "fabric '1e999 Gb/s per node': out of range from '1e999 "
                "Gb/s per node' on" RANGE},
        {"0x100GbE",
                "fabric '0x100GbE': out of range from '0x100GbE' on" RANGE},
        {"2.5x100GbE", "fabric '2.5x100GbE': out of range from '2.5x100GbE' "
                       "on" RANGE},
        {"65x100GbE", "fabric '65x100GbE': out of range from '65x100GbE' "
                      "on" RANGE},
        {"0.1 Gb/s per node",
                "fabric '0.1 Gb/s per node': 0.0125 Gb/s an adapter are "
                "out of range" RANGE},
        {"8x20000 Gb/s RoCE",
                "fabric '8x20000 Gb/s RoCE': 2e+04 Gb/s an adapter are out "
                "of range" RANGE},
        {"TCP RDMA", "fabric 'TCP RDMA'" WHICH},
        {"RoCE GDR no RDMA", "fabric 'RoCE GDR no RDMA'" WHICH},
        {"RoCE GDR, no GDR", "fabric 'RoCE GDR, no GDR'" WHICH},
        {"8 400 Gb/s per node",
                "fabric '8 400 Gb/s per node': not understood from '8 "
                "400 Gb/s per node' on; name a file of 'plan3d list "
                "fabrics', or say what a node has, as '8x400 Gb/s RoCE' or "
                "'400 Gb/s per GPU'"}};

static void what_is_not_understood_is_named(void **state)
{
    p3d_cluster cluster, before;

    (void)state;
    assert_true(p3d_cluster_find("64xA800", &cluster, NULL));
    before = cluster;
    for (int i = 0; i < P3D_COUNT_OF(refused); i++) {
        p3d_error err = {0};

        assert_false(spec_network_set(refused[i][0], &cluster, &err));
        test_check_error(&err, P3D_DATA, refused[i][1]);
        assert_memory_equal(&cluster, &before, sizeof(cluster));
    }
}

/* A rate in GbE is of one port a node; others must say what theirs is of. */
static void a_rate_of_ports_is_of_one(void **state)
{
    static const struct {
        const char *words, *name;
        int n_nics;
        double gbit_per_s;
    } ports[] = {{"25GbE", "ethernet-25", 1, 25},
            {"100 GbE with RDMA", "roce-100", 1, 100},
            {"100 GbE RDMA without GPUDirect", "roce-100 without GPUDirect", 1,
                    100},
            {"2x25GbE", "ethernet-25", 2, 25},
            {"25 Gb/s per node", "ib-25/node", 8, 3.125}};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(ports); i++) {
        p3d_cluster c;
        p3d_error err = {0};

        assert_true(p3d_cluster_find("16xA800", &c, &err));
        assert_true(spec_network_set(ports[i].words, &c, &err));
        assert_string_equal(c.fabric.name, ports[i].name);
        assert_int_equal(c.node.nics_per_node, ports[i].n_nics);
        CHECK_REL(c.fabric.nic_bytes_per_s_one_way * 8e-9, ports[i].gbit_per_s,
                1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(the_words_of_publications_are_read),
            cmocka_unit_test(a_network_in_words_is_that_of_a_node),
            cmocka_unit_test(
                    a_rate_without_a_file_has_the_shares_of_the_nearest),
            cmocka_unit_test(words_of_a_file_are_the_file),
            cmocka_unit_test(rdma_and_gpudirect_are_words),
            cmocka_unit_test(without_gpudirect_host_memory_is_a_bound),
            cmocka_unit_test(what_is_not_understood_is_named),
            cmocka_unit_test(a_rate_of_ports_is_of_one),
    };

    return cmocka_run_group_tests_name("network", tests, NULL, NULL);
}
