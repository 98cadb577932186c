/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_topology.c - what files of other programs say of a network, and how
 * they are refused. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/util.h"
#include "exchange/topology/topology.h"

static exchange_topology open_file(const char *name)
{
    exchange_topology out = {0};
    p3d_error err = {0};
    char path[512];

    (void)snprintf(path, sizeof(path), "%s/tests/data/topology/%s",
            P3D_SOURCE_DIR, name);
    if (!exchange_topology_open(path, NULL, &out, &err))
        fail_msg("%s", err.text);
    return out;
}

static p3d_cluster cluster_of(const char *words)
{
    p3d_cluster out = {0};
    p3d_error err = {0};

    if (!p3d_cluster_find(words, &out, &err))
        fail_msg("%s", err.text);
    return out;
}

/* Nodes below, and GB/s up; 0 = not known. */
static void check_tier(const exchange_topology *t, int i, int nodes, double gb)
{
    assert_true(i < t->tiers.n);
    assert_int_equal(t->tiers.at[i].nodes_below, nodes);
    CHECK_REL(1 + t->tiers.at[i].uplink_bytes_per_s, 1 + gb * 1e9, 1e-12);
}

static void slurm_says_which_nodes_are_below(void **state)
{
    exchange_topology t = open_file("leaves.conf");

    (void)state;
    assert_string_equal(t.format, "Slurm topology.conf");
    assert_true(t.lacks_rates);
    assert_int_equal(t.n_nodes, 32);
    assert_int_equal(t.tiers.n, 1);
    check_tier(&t, 0, 16, 0);

    t = open_file("pods.conf");
    assert_int_equal(t.n_nodes, 16);
    assert_int_equal(t.tiers.n, 2);
    check_tier(&t, 0, 4, 0);
    check_tier(&t, 1, 8, 0);

    t = open_file("blocks.conf");
    assert_int_equal(t.tiers.n, 1);
    check_tier(&t, 0, 18, 0);
}

/* Leaves of two hosts with 25 GB/s each have a link of 25 GB/s up; the host
 * that is a part of a switch is none. */
static void ibnetdiscover_says_the_links_up(void **state)
{
    const exchange_topology t = open_file("fat-tree.txt");

    (void)state;
    assert_false(t.lacks_rates);
    assert_int_equal(t.n_nodes, 4);
    assert_int_equal(t.tiers.n, 1);
    check_tier(&t, 0, 2, 25);
}

/* Hosts on two rails tie their switches together: 4 below two switches with
 * two links of 50 GB/s up each. */
static void rails_are_one_switch_to_their_hosts(void **state)
{
    const exchange_topology t = open_file("rails.txt");

    (void)state;
    assert_int_equal(t.n_nodes, 8);
    assert_int_equal(t.n_nics, 2);
    CHECK_REL(t.nic_bytes_per_s, 50e9, 1e-12);
    assert_int_equal(t.tiers.n, 1);
    check_tier(&t, 0, 4, 200);
}

/* The card of 100 Gb/s is not for training. */
static void nccl_says_what_a_node_has(void **state)
{
    const exchange_topology t = open_file("node.xml");
    p3d_cluster c = cluster_of("4x2xH100");
    p3d_error err = {0};

    (void)state;
    assert_int_equal(t.n_gpus, 2);
    assert_int_equal(t.sm, 90);
    assert_int_equal(t.n_nvlinks, 18);
    assert_int_equal(t.n_nics, 2);
    CHECK_REL(t.nic_bytes_per_s, 50e9, 1e-12);
    c.node.nics_per_node = 8;
    assert_true(exchange_topology_use("node.xml", &t, &c, &err));
    assert_int_equal(c.node.nics_per_node, 2);
    CHECK_REL(c.fabric.nic_bytes_per_s_one_way, 50e9, 1e-12);
    assert_int_equal(c.tiers.n, 0);
}

static exchange_topology open_hosts(const char *name, const char *list)
{
    exchange_topology out = {0};
    p3d_error err = {0};
    char path[512];
    topology_hosts *const hosts = topology_hosts_parse("hosts", list, &err);

    (void)snprintf(path, sizeof(path), "%s/tests/data/topology/%s",
            P3D_SOURCE_DIR, name);
    if (hosts == NULL || !exchange_topology_open(path, hosts, &out, &err))
        fail_msg("%s", err.text);
    topology_hosts_free(hosts);
    return out;
}

static void check_stretch(
        const exchange_topology *t, int i, int nodes, int leaf, int pod)
{
    assert_true(i < t->tiers.n_stretches);
    assert_int_equal(t->tiers.stretches[i].n_nodes, nodes);
    assert_int_equal(t->tiers.stretches[i].switch_of[0], leaf);
    assert_int_equal(t->tiers.stretches[i].switch_of[1], pod);
}

/* Nodes in the order of the list, switches in the order in which they come. */
static void listed_hosts_lie_below_their_switches(void **state)
{
    exchange_topology t = open_hosts("leaves.conf",
            "# ranks\n gpu018 slots=8\ngpu019.cluster:8\n\ngpu001\n"
            "gpu001\ngpu[002-003,030] slots=8 # the last\n");
    p3d_cluster c = cluster_of("48xH100");
    p3d_error err = {0};

    (void)state;
    assert_int_equal(t.n_hosts, 6);
    assert_int_equal(t.tiers.placement, P3D_PLACEMENT_HOSTS);
    assert_int_equal(t.tiers.n_stretches, 3);
    check_stretch(&t, 0, 2, 0, 0);
    check_stretch(&t, 1, 3, 1, 0);
    check_stretch(&t, 2, 1, 0, 0);
    assert_true(exchange_topology_use("leaves.conf", &t, &c, &err));
    assert_int_equal(c.tiers.placement, P3D_PLACEMENT_HOSTS);
    assert_int_equal(c.tiers.n_stretches, 3);
    /* Fewer nodes are the first ones; more are not placed. */
    assert_true(p3d_cluster_resize(&c, 32, &err));
    assert_int_equal(c.tiers.placement, P3D_PLACEMENT_HOSTS);
    assert_true(p3d_cluster_resize(&c, 64, &err));
    assert_int_equal(c.tiers.placement, P3D_PLACEMENT_CONTIGUOUS);
    assert_int_equal(c.tiers.n_stretches, 0);

    /* Leaves a2, a1, b1, a1: of two pods. */
    t = open_hosts("pods.conf", "n[5-6]-ib,n1-ib\nr[1-2]n1\nn2-ib\n");
    assert_int_equal(t.tiers.n_stretches, 4);
    check_stretch(&t, 0, 2, 0, 0);
    check_stretch(&t, 1, 1, 1, 0);
    check_stretch(&t, 2, 2, 2, 1);
    check_stretch(&t, 3, 1, 1, 0);

    t = open_hosts("fat-tree.txt", "node04\nnode03\nnode01\n");
    assert_int_equal(t.tiers.n_stretches, 2);
    check_stretch(&t, 0, 2, 0, 0);
    check_stretch(&t, 1, 1, 1, 0);
}

/* What is wrong with a list, before its topology is read and after. */
static const struct {
    const char *list;
    int line; /* of the list */
    const char *said;
} wrong_hosts[] = {
        {"", 1, "no host; write one in each line"},
        {"# none\n", 1, "no host"},
        {"gpu001\ngpu002\ngpu001\n", 3, "a second time the host 'gpu001'"},
        {"gpu001 slots=8\ngpu002 8\r\ngpu003 gpu004\n", 3,
                "a second name in the line, 'gpu004'"},
        {"gpu[001-\n", 1, "a '[' without its ']' in 'gpu[001-'"},
        {"gpu[1-x]\n", 1, "no range of numbers: '1-x'"},
        {"gpu001\n\ngpu099\n", 3,
                "no node of the topology has the "
                "name 'gpu099'"},
};

static void a_list_that_does_not_fit_is_refused(void **state)
{
    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(wrong_hosts); i++) {
        exchange_topology t = {0};
        p3d_error err = {0};
        topology_hosts *const hosts =
                topology_hosts_parse("hosts", wrong_hosts[i].list, &err);

        assert_false(
                hosts != NULL && exchange_topology_parse("a",
                                         "SwitchName=l1 Nodes=gpu[001-002]\n"
                                         "SwitchName=l2 Nodes=gpu[003-004]\n",
                                         hosts, &t, &err));
        topology_hosts_free(hosts);
        assert_int_equal(err.code, P3D_DATA);
        assert_int_equal(t.tiers.n, 0);
        assert_string_equal(err.file, "hosts");
        assert_int_equal(err.line, wrong_hosts[i].line);
        if (strstr(err.text, wrong_hosts[i].said) == NULL)
            fail_msg("'%s' does not have '%s'", err.text, wrong_hosts[i].said);
    }
}

static void check_no_text(const char *bytes, size_t n, const char *said)
{
    p3d_error err = {0};
    char path[] = "/tmp/plan3d-hosts-XXXXXX";
    const int fd = mkstemp(path);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, n), (ssize_t)n);
    close(fd);
    assert_null(topology_hosts_open(path, &err));
    unlink(path);
    assert_int_equal(err.code, P3D_DATA);
    assert_non_null(strstr(err.text, said));
}

/* What stands behind a zero byte would be lost; a mark would be of a name. */
static void a_list_that_is_no_text_is_refused(void **state)
{
    p3d_error err = {0};

    (void)state;
    check_no_text("gpu001\0gpu002\n", 14, "no text: it has a zero byte");
    check_no_text("\xef\xbb\xbfgpu001\n", 10, "a byte order mark");
    assert_null(topology_hosts_open("gpu001", &err));
    assert_non_null(strstr(err.text, "a list has brackets or commas"));
}

static void check_too_few(const char *words, const char *list, const char *said)
{
    const exchange_topology t = open_hosts("leaves.conf", list);
    p3d_cluster c = cluster_of(words);
    const p3d_cluster before = c;
    p3d_error err = {0};

    assert_false(exchange_topology_use("leaves.conf", &t, &c, &err));
    assert_memory_equal(&c, &before, sizeof(c));
    if (strstr(err.text, said) == NULL)
        fail_msg("'%s' does not have '%s'", err.text, said);
}

/* An NVL72 rack of 18 nodes of four GPUs has one switch. */
static void hosts_of_another_cluster_are_refused(void **state)
{
    (void)state;
    check_too_few("32xH100", "gpu[001-003]\n", "3 for 4 nodes");
    check_too_few("72xGB200", "gpu[008-025]\n",
            "the 18 nodes that NVLink joins are not below the same switch");
}

static void check_use(const char *name, const char *words, const char *said)
{
    const exchange_topology t = open_file(name);
    p3d_cluster c = cluster_of(words);
    p3d_error err = {0};

    assert_false(exchange_topology_use(name, &t, &c, &err));
    assert_int_equal(err.code, P3D_DATA);
    if (strstr(err.text, said) == NULL)
        fail_msg("'%s' does not have '%s'", err.text, said);
}

static void a_cluster_that_is_another_is_refused(void **state)
{
    (void)state;
    check_use("node.xml", "16xH100", "a node has 2 GPUs");
    check_use("node.xml", "4x2xA100", "compute capability 9.0");
    check_use("node.xml", "4x2xL40S", "compute capability");
    check_use("leaves.conf", "512xH100", "has 32 nodes, the cluster 64");
    check_use("fat-tree.txt", "64xH100", "has 4 nodes, the cluster 8");
}

static void one_switch_has_no_links_up(void **state)
{
    exchange_topology t = {0};
    p3d_cluster c = cluster_of("64xH100");
    p3d_error err = {0};

    (void)state;
    assert_true(exchange_topology_parse(
            "a", "SwitchName=s Nodes=n[1-8]\n", NULL, &t, &err));
    assert_int_equal(t.tiers.n, 0);
    assert_true(exchange_topology_use("a", &t, &c, &err));
    assert_int_equal(c.tiers.n, 1);
    assert_int_equal(c.tiers.at[0].nodes_below, 8);
}

static const char *const wrong[][2] = {
        {"hello\n", "a: no topology that is known"},
        {"SwitchName=s Nodes=n[1-3\n", "a:1:1: a '[' without its ']'"},
        {"\nSwitchName=s Nodes=n[x]\n", "a:2:1: no range of numbers: 'x'"},
        {"SwitchName=s Nodes=n[3-1]\n", "a:1:1: no range of numbers: '3-1'"},
        {"SwitchName=s Nodes=n[1-9999999]\n", "a:1:1: too many names"},
        {"SwitchName=s Nodes=a,,b\n", "a:1:1: an empty name"},
        {"SwitchName=s Nodes=\n", "a:1:1: no value after 'Nodes'"},
        {"SwitchName=s\n", "a:1:1: neither Nodes nor Switches below 's'"},
        {"SwitchName=s Nodes=a Colour=red\n", "not 'Colour'"},
        {"SwitchName=s Nodes=a\nSwitchName=s Nodes=b\n", "a second switch 's'"},
        {"SwitchName=s Switches=t\n", "no SwitchName line has the switch 't'"},
        {"SwitchName=s Nodes=a\nSwitchName=t Switches=s\n"
         "SwitchName=u Switches=s\n",
                "below two switches: 's'"},
        {"SwitchName=a Switches=b\nSwitchName=b Switches=a\n",
                "a switch that is below itself"},
        {"switchguid=0x1\nSwitch 8 # \"x\"\n", "a:2:1: no \"S-GUID\""},
        {"switchguid=0x1\nSwitch 8 \"S-1\"\n[1] \"H-2\"[1] # \"n a\" lid 1\n",
                "a:3:1: no rate such as 4xHDR"},
        {"switchguid=0x1\nSwitch 8 \"S-1\"\n[1] \"S-2\"[1] # \"t\" 4xHDR\n",
                "a:3:1: no Switch line has 'S-2'"},
        {"switchguid=0x1\nSwitch 8 \"S-1\"\n", "a: no host at any switch"},
        {"switchguid=0x1\nSwitch 8 \"S-1\"\nrubbish\n",
                "a:3:1: no line of ibnetdiscover: 'rubbish'"},
        {"<system>\n<gpu dev=0/></system>", "a:2:1: no NAME=\"VALUE\""},
        {"<system>\n<gpu sm=\"x\"/></system>", "a:2:1: no number: 'x'"},
        {"<system>\n<cpu>\n</system>", "a:3:1: closes what is not open"},
        {"<system>\n<cpu>\n", "not closed at the end: 'cpu'"},
        {"<system>\n</system>\n", "a: no <gpu> in it"},
        {"<system>text</system>\n", "a:1:1: not a tag of XML: 'text"},
        {"<system><gpu sm=\"80\"/><gpu sm=\"90\"/></system>",
                "GPUs of several kinds"},
        {"<system><!-- ", "a:1:1: does not end"},
};

static void what_is_wrong_is_said_with_its_line(void **state)
{
    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(wrong); i++) {
        exchange_topology t = {0};
        p3d_error err = {0};
        char said[1024];

        if (exchange_topology_parse("a", wrong[i][0], NULL, &t, &err))
            fail_msg("taken: %s", wrong[i][0]);
        assert_int_equal(err.code, P3D_DATA);
        (void)p3d_print_error(said, sizeof(said), &err);
        if (strstr(said, wrong[i][1]) == NULL)
            fail_msg("'%s' does not have '%s'", said, wrong[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(slurm_says_which_nodes_are_below),
            cmocka_unit_test(ibnetdiscover_says_the_links_up),
            cmocka_unit_test(rails_are_one_switch_to_their_hosts),
            cmocka_unit_test(nccl_says_what_a_node_has),
            cmocka_unit_test(listed_hosts_lie_below_their_switches),
            cmocka_unit_test(a_list_that_does_not_fit_is_refused),
            cmocka_unit_test(a_list_that_is_no_text_is_refused),
            cmocka_unit_test(hosts_of_another_cluster_are_refused),
            cmocka_unit_test(a_cluster_that_is_another_is_refused),
            cmocka_unit_test(one_switch_has_no_links_up),
            cmocka_unit_test(what_is_wrong_is_said_with_its_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
