/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_cuts.c - what groups send through the links above the nodes, against a
 * count of every edge, and what that does to a plan. */
#include "problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "cost/cost.h"
#include "spec/given.h"
#include "spec/tiers.h"

enum { MOST_GPUS = 4096 };

static int n_loads;

static void check_same(double got, double want)
{
    assert_true(got == want);
}

/* Numbers that follow from a seed. */
static unsigned below(unsigned *state, unsigned n)
{
    *state = *state * 1664525u + 1013904223u;
    return (unsigned)((uint64_t)(*state >> 8) * n >> 24);
}

/* The ranks of all groups, one group after the other, and what each GPU lies
 * below: the simulator's view of an axis on a machine. */
typedef struct world {
    cost_axis axis;
    int n_gpus;
    int rank[MOST_GPUS];      /* [group][member] */
    int switch_of[MOST_GPUS]; /* of each GPU */
} world;

/* Where the i-th rank of a group lies, from its first. */
static int place_of(const cost_axis *a, int i)
{
    return a->n_inner == 0
                   ? i * a->stride
                   : i % a->n_inner * a->stride + i / a->n_inner * a->block;
}

/* Every GPU is of one group; the first that is of none begins the next. */
static void fill(world *w, cost_axis axis, int n_gpus)
{
    static bool taken[MOST_GPUS];
    int n = 0;

    assert_true(n_gpus <= MOST_GPUS);
    memset(taken, 0, sizeof(taken));
    w->axis = axis;
    w->n_gpus = n_gpus;
    for (int first = 0; first < n_gpus; first++) {
        if (taken[first])
            continue;
        for (int i = 0; i < axis.n_ranks; i++) {
            const int rank = first + place_of(&axis, i);

            assert_true(rank < n_gpus && !taken[rank]);
            taken[rank] = true;
            w->rank[n++] = rank;
        }
    }
    assert_int_equal(n, n_gpus);
}

static void below_in_order(world *w, int n_below)
{
    for (int i = 0; i < w->n_gpus; i++)
        w->switch_of[i] = i / n_below;
}

/* Nodes lie below the switches in any order. */
static void below_at_random(world *w, int n_below, int node, unsigned *seed)
{
    const int n_nodes = w->n_gpus / node;
    int slot[MOST_GPUS];

    for (int i = 0; i < n_nodes; i++)
        slot[i] = i;
    for (int i = n_nodes - 1; i > 0; i--) {
        const int j = (int)below(seed, (unsigned)i + 1);
        const int other = slot[j];

        slot[j] = slot[i];
        slot[i] = other;
    }
    for (int i = 0; i < w->n_gpus; i++)
        w->switch_of[i] = slot[i / node] * node / n_below;
}

/* Bytes that each switch sends up, an edge of a ring 1 byte, each pair of an
 * all-to-all 1/n. */
static void route_all(const world *w, cost_pattern pattern, double *up)
{
    const int n = w->axis.n_ranks;

    memset(up, 0, MOST_GPUS * sizeof(*up));
    for (int i = 0; i < w->n_gpus; i++) {
        const int group = i / n * n;
        const int from = w->switch_of[w->rank[i]];
        const int first = pattern == COST_RING ? 1 : 0;
        const int last = pattern == COST_RING ? 1 : n - 1;

        for (int k = first; k <= last; k++) {
            const int to = w->switch_of[w->rank[group + (i - group + k) % n]];

            if (to != from)
                up[from] += pattern == COST_RING ? 1 : 1.0 / n;
        }
    }
}

static double sent_by(const world *w, cost_pattern pattern, int of)
{
    static double up[MOST_GPUS];

    route_all(w, pattern, up);
    return up[of];
}

/* What the switch that sends most sends up, and the mean. */
static double route(const world *w, cost_pattern pattern, double *mean)
{
    static double up[MOST_GPUS];
    double most = 0, sum = 0;
    int n_switches = 0;

    route_all(w, pattern, up);
    for (int i = 0; i < w->n_gpus; i++) {
        most = fmax(most, up[i]);
        sum += up[i];
        n_switches = w->switch_of[i] >= n_switches ? w->switch_of[i] + 1
                                                   : n_switches;
    }
    *mean = sum / n_switches;
    return most;
}

static int common_divisor(int a, int b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* To the byte, also where sizes do not divide each other. */
static void check_loads(cost_axis axis, int n_below)
{
    static world w;
    const int span = axis.stride * axis.n_ranks;
    const int step = common_divisor(n_below, span);
    const int n_gpus = 2 * span / step * n_below;
    double mean;

    if (n_gpus > MOST_GPUS)
        return;
    fill(&w, axis, n_gpus);
    below_in_order(&w, n_below);
    CHECK_REL(1 + cost_load_below(&axis, COST_RING, n_below),
            1 + route(&w, COST_RING, &mean), 1e-12);
    CHECK_REL(1 + cost_load_below(&axis, COST_ALL_TO_ALL, n_below),
            1 + route(&w, COST_ALL_TO_ALL, &mean), 1e-12);
    n_loads++;
}

static void loads_are_those_of_every_edge(void **state)
{
    static const int strides[] = {1, 2, 3, 4, 8, 16};
    static const int ranks[] = {2, 3, 4, 6, 8, 16};
    static const int cuts[] = {1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128};

    (void)state;
    n_loads = 0;
    for (int i = 0; i < P3D_COUNT_OF(strides); i++)
        for (int j = 0; j < P3D_COUNT_OF(ranks); j++)
            for (int k = 0; k < P3D_COUNT_OF(cuts); k++)
                check_loads(
                        (cost_axis){.n_ranks = ranks[j], .stride = strides[i]},
                        cuts[k]);
    assert_true(n_loads > 400);
}

/* The law by hand: 2 of 4 ranks, 8 apart, below 16 GPUs: each of the 8 groups
 * crosses once, and each GPU sends half of its bytes up. */
static void loads_by_hand(void **state)
{
    const cost_axis axis = {.n_ranks = 4, .stride = 8};

    (void)state;
    CHECK_REL(cost_load_below(&axis, COST_RING, 16), 8, 1e-15);
    CHECK_REL(cost_load_below(&axis, COST_RING, 4), 4, 1e-15);
    CHECK_REL(cost_load_below(&axis, COST_ALL_TO_ALL, 16), 8, 1e-15);
    CHECK_REL(cost_load_below(&axis, COST_ALL_TO_ALL, 8), 6, 1e-15);
    check_same(cost_load_below(&axis, COST_RING, 32), 0);
    check_same(cost_load_below(&axis, COST_ALL_TO_ALL, 64), 0);
}

/* Context-parallel ranks lie together, a pipeline between the replicas. */
static void replicas_around_a_pipeline_too(void **state)
{
    static const char *const plans[] = {"tp=2,cp=2,pp=4", "tp=2,cp=4,pp=2",
            "tp=4,cp=2,pp=2", "tp=1,cp=4,pp=8", "tp=8,cp=2,pp=2"};
    const p3d_problem problem =
            problem_of("llama-2-70b", "128xA100", "generic", 4096, 128);
    static world w;
    double mean;

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(plans); i++) {
        const p3d_plan plan = problem_plan(&problem, plans[i]);
        const cost_axis axis = cost_axis_of(&plan, P3D_AXIS_DP);

        fill(&w, axis, 128);
        for (int n_below = 8; n_below <= 64; n_below *= 2) {
            below_in_order(&w, n_below);
            CHECK_REL(cost_load_below(&axis, COST_RING, n_below),
                    route(&w, COST_RING, &mean), 1e-12);
        }
    }
}

/* The rank above another one in the first of NCCL's two trees over n; -1 = it
 * is the root. Source: NVIDIA/nccl@5067397c src/graph/trees.cc (ncclGetBtree).
 */
static int above_in_tree(int n, int rank)
{
    const int bit = rank & -rank;
    const int up = (rank ^ bit) | (bit << 1);

    if (rank == 0)
        return -1;
    return up < n ? up : rank ^ bit;
}

/* Most that a switch with so many of n ranks sends up in an all-reduce of one
 * byte: half of it goes up and down each edge of both trees, of which the
 * second is the first one backwards. */
static double tree_load(int n, int below)
{
    double up[MOST_GPUS] = {0}, most = 0;

    for (int rank = 0; rank < n; rank++)
        for (int tree = 0; tree < 2; tree++) {
            const int to = above_in_tree(n, rank);
            const int a = (tree == 0 ? rank : n - 1 - rank) / below;
            const int b = (tree == 0 ? to : n - 1 - to) / below;

            if (to < 0 || a == b)
                continue;
            up[a] += 0.5;
            up[b] += 0.5;
        }
    for (int i = 0; i * below < n; i++)
        most = fmax(most, up[i]);
    return most;
}

/* A ring sends 2 (n - 1) / n bytes up from a switch for each byte of an
 * all-reduce; trees send 1.0 to 1.7 times as much where sizes are powers of
 * two, as docs/networks.md says. */
static void trees_load_somewhat_more_than_rings(void **state)
{
    (void)state;
    CHECK_REL(tree_load(2, 1), 1, 1e-15);
    CHECK_REL(tree_load(4, 2), 2, 1e-15);
    CHECK_REL(tree_load(16, 4), 3, 1e-15);
    for (int n = 2; n <= 256; n *= 2)
        for (int below = 1; below < n; below *= 2) {
            const cost_axis axis = {.n_ranks = n, .stride = 1};
            const double ring =
                    cost_load_below(&axis, COST_RING, below) * 2 * (n - 1) / n;

            assert_true(tree_load(n, below) >= ring * (1 - 1e-12));
            assert_true(tree_load(n, below) <= 1.75 * ring);
        }
}

/* A cluster of nodes of 8 with tiers. */
static p3d_cluster cluster_of(const char *words, p3d_tier leaf)
{
    p3d_cluster cluster =
            problem_of("llama-2-70b", words, "generic", 4096, 128).cluster;

    cluster.tiers = (p3d_tiers){.n = 1, .at = {leaf}};
    return cluster;
}

/* The mean over many ways to lay the nodes. */
static void check_random(cost_axis axis, int n_nodes, int leaf_nodes)
{
    static world w;
    char words[32];
    p3d_cluster c;
    unsigned seed = 7;
    double sum[COST_N_PATTERNS] = {0};
    const int n_draws = 400000 / (n_nodes * 8 * axis.n_ranks) + 20;

    (void)snprintf(words, sizeof(words), "%dxA100", n_nodes * 8);
    c = cluster_of(words,
            (p3d_tier){.nodes_below = leaf_nodes, .oversubscription = 2});
    c.tiers.placement = P3D_PLACEMENT_RANDOM;
    fill(&w, axis, c.n_gpus);
    for (int draw = 0; draw < n_draws; draw++) {
        below_at_random(&w, leaf_nodes * 8, 8, &seed);
        for (int p = 0; p < COST_N_PATTERNS; p++) {
            double mean;

            (void)route(&w, (cost_pattern)p, &mean);
            sum[p] += mean;
        }
    }
    for (int p = 0; p < COST_N_PATTERNS; p++)
        CHECK_REL(cost_cut_above(&c, &axis, (cost_pattern)p, 0).load,
                sum[p] / n_draws, 0.02);
}

/* Neighbours of one to three nodes below one of six switches. */
static void lay_hosts(p3d_cluster *c, world *w, unsigned *seed)
{
    p3d_tiers *const tiers = &c->tiers;
    const int g = c->node.gpus_per_node;

    tiers->placement = P3D_PLACEMENT_HOSTS;
    tiers->n_stretches = 0;
    for (int node = 0; node < c->n_nodes;) {
        p3d_stretch *const to = &tiers->stretches[tiers->n_stretches++];

        to->n_nodes = 1 + (int)below(seed, 3);
        to->switch_of[0] = (uint16_t)below(seed, 6);
        for (int i = 0; i < to->n_nodes * g && node * g + i < c->n_gpus; i++)
            w->switch_of[node * g + i] = to->switch_of[0];
        node += to->n_nodes;
    }
}

static void check_hosts(cost_axis axis, p3d_cluster *c, unsigned *seed)
{
    static world w;

    fill(&w, axis, c->n_gpus);
    for (int draw = 0; draw < 5; draw++) {
        lay_hosts(c, &w, seed);
        for (int p = 0; p < COST_N_PATTERNS; p++) {
            double mean;
            int n_below = 0;
            const double want = route(&w, (cost_pattern)p, &mean);

            CHECK_REL(1 + cost_load_of_hosts(
                                  c, &axis, (cost_pattern)p, 0, &n_below),
                    1 + want, 1e-12);
            assert_true(n_below <= c->n_gpus);
            assert_true(want == 0 || n_below > 0);
        }
    }
}

/* Groups of all sizes and distances, replicas on both sides of a pipeline too:
 * to the byte. */
static void listed_hosts_load_switches_as_every_edge_does(void **state)
{
    static const char *const plans[] = {"tp=2,cp=2,pp=4", "tp=2,cp=4,pp=2",
            "tp=1,cp=4,pp=8", "tp=8,cp=2,pp=2",
            "tp=2,cp=2,pp=4,order=tp-cp-ep-pp-dp",
            "tp=1,cp=4,pp=8,order=tp-cp-ep-pp-dp"};
    const p3d_problem problem =
            problem_of("llama-2-70b", "128xA100", "generic", 4096, 128);
    p3d_cluster c = cluster_of(
            "128xA100", (p3d_tier){.nodes_below = 4, .oversubscription = 2});
    unsigned seed = 11;

    (void)state;
    for (int stride = 1; stride <= 64; stride *= 2)
        for (int n = 2; n * stride <= 128; n *= 2)
            check_hosts((cost_axis){.n_ranks = n, .stride = stride}, &c, &seed);
    for (int i = 0; i < P3D_COUNT_OF(plans); i++) {
        const p3d_plan plan = problem_plan(&problem, plans[i]);

        for (int axis = 0; axis < P3D_N_AXES; axis++)
            check_hosts(cost_axis_of(&plan, (p3d_axis)axis), &c, &seed);
    }
}

/* 4 nodes of 8 below switches 0, 1, 0, 1: each of 8 rings of one GPU a node
 * crosses at every step, and a switch has 16 GPUs that all send. Sorted, one of
 * the two nodes of a switch sends. Three nodes of one switch and a node of
 * another: each sends 8 bytes up. */
static void listed_hosts_by_hand(void **state)
{
    p3d_cluster c = cluster_of(
            "32xA100", (p3d_tier){.nodes_below = 4, .oversubscription = 2});
    const cost_axis axis = {.n_ranks = 4, .stride = 8};
    cost_cut cut;

    (void)state;
    c.tiers.placement = P3D_PLACEMENT_HOSTS;
    c.tiers.n_stretches = 4;
    for (int i = 0; i < 4; i++)
        c.tiers.stretches[i] =
                (p3d_stretch){.n_nodes = 1, .switch_of = {(uint16_t)(i % 2)}};
    cut = cost_cut_above(&c, &axis, COST_RING, 0);
    CHECK_REL(cut.load, 16, 1e-15);
    assert_int_equal(cut.n_below, 16);
    /* 8 cards of 25 GB/s a node, 4 nodes a switch, half of it up. */
    CHECK_REL(cut.bytes_per_s, 8 * 25e9 * 4 / 2, 1e-12);
    CHECK_REL(cost_cut_above(&c, &axis, COST_ALL_TO_ALL, 0).load, 8, 1e-15);
    c.tiers.n_stretches = 2;
    c.tiers.stretches[0].n_nodes = c.tiers.stretches[1].n_nodes = 2;
    CHECK_REL(cost_cut_above(&c, &axis, COST_RING, 0).load, 8, 1e-15);
    c.tiers.stretches[0].n_nodes = 3; /* the fourth node is the job's last */
    CHECK_REL(cost_cut_above(&c, &axis, COST_RING, 0).load, 8, 1e-15);
    CHECK_REL(cost_cut_above(&c, &axis, COST_ALL_TO_ALL, 0).load, 6, 1e-15);
    c.tiers.stretches[0].n_nodes = 4; /* all below one */
    check_same(cost_cut_above(&c, &axis, COST_RING, 0).load, 0);
    assert_int_equal(cost_cut_above(&c, &axis, COST_RING, 0).n_below, 0);
}

/* Places that cannot be are not given to a formula. */
static void places_that_cannot_be_are_refused(void **state)
{
    p3d_cluster c = cluster_of(
            "32xA100", (p3d_tier){.nodes_below = 4, .oversubscription = 2});
    p3d_stretch *const first = &c.tiers.stretches[0];

    (void)state;
    c.tiers.placement = P3D_PLACEMENT_HOSTS;
    assert_false(spec_cluster_given(&c)); /* no host */
    c.tiers.n_stretches = 1;
    *first = (p3d_stretch){.n_nodes = 4};
    assert_true(spec_cluster_given(&c));
    first->n_nodes = 3; /* of four */
    assert_false(spec_cluster_given(&c));
    first->n_nodes = -4;
    assert_false(spec_cluster_given(&c));
    *first = (p3d_stretch){.n_nodes = 4, .switch_of = {P3D_MAX_STRETCHES}};
    assert_false(spec_cluster_given(&c));
    *first = (p3d_stretch){.n_nodes = 4};
    c.tiers.n_stretches = P3D_MAX_STRETCHES + 1;
    assert_false(spec_cluster_given(&c));
}

/* Hosts in the order of full switches cost what neighbours do, to the bit. */
static void hosts_of_full_switches_are_neighbours(void **state)
{
    static const char *const plans[] = {"tp=8", "tp=4,pp=4", "tp=2,cp=2,pp=4",
            "tp=1,zero=3", "tp=4,pp=8,vp=2,order=tp-cp-ep-pp-dp"};
    p3d_problem problem =
            problem_of("llama-2-70b", "256xH100", "generic", 4096, 512);
    p3d_problem listed;
    p3d_tiers *const tiers = &problem.cluster.tiers;

    (void)state;
    tiers->n = 2;
    tiers->at[0] = (p3d_tier){.nodes_below = 4, .oversubscription = 16};
    tiers->at[1] = (p3d_tier){.nodes_below = 16, .oversubscription = 2};
    listed = problem;
    listed.cluster.tiers.placement = P3D_PLACEMENT_HOSTS;
    listed.cluster.tiers.n_stretches = 8;
    for (int i = 0; i < 8; i++)
        listed.cluster.tiers.stretches[i] = (p3d_stretch){
                .n_nodes = 4, .switch_of = {(uint16_t)i, (uint16_t)(i / 4)}};
    for (int i = 0; i < P3D_COUNT_OF(plans); i++) {
        const p3d_estimate a = problem_estimate(&problem, plans[i]);
        const p3d_estimate b = problem_estimate(&listed, plans[i]);

        check_same(p3d_time_step_s(&a.time), p3d_time_step_s(&b.time));
    }
}

static void random_nodes_load_leaves_as_a_draw_does(void **state)
{
    (void)state;
    check_random((cost_axis){.n_ranks = 8, .stride = 8}, 32, 4);
    check_random((cost_axis){.n_ranks = 16, .stride = 8}, 64, 16);
    check_random((cost_axis){.n_ranks = 32, .stride = 4}, 64, 16);
    check_random((cost_axis){.n_ranks = 4, .stride = 64}, 32, 8);
    check_random((cost_axis){.n_ranks = 64, .stride = 2}, 32, 16);
}

/* A job of n nodes anywhere in a network of f: what the switch of a node of it
 * sends up, on the mean over many ways to lay them. */
static void check_part(cost_axis axis, int n_nodes, int n_all, int leaf_nodes)
{
    static world w;
    char words[32];
    p3d_cluster c;
    unsigned seed = 5;
    double sum[COST_N_PATTERNS] = {0};
    enum { DRAWS = 4000 };

    (void)snprintf(words, sizeof(words), "%dxA100", n_nodes * 8);
    c = cluster_of(words,
            (p3d_tier){.nodes_below = leaf_nodes, .oversubscription = 2});
    c.tiers.placement = P3D_PLACEMENT_RANDOM;
    c.tiers.n_nodes = n_all;
    fill(&w, axis, c.n_gpus);
    for (int draw = 0; draw < DRAWS; draw++) {
        int taken[MOST_GPUS] = {0};

        for (int i = 0; i < n_nodes; i++) {
            int at = (int)below(&seed, (unsigned)n_all);

            while (taken[at])
                at = (int)below(&seed, (unsigned)n_all);
            taken[at] = 1;
            for (int g = 0; g < 8; g++)
                w.switch_of[i * 8 + g] = at / leaf_nodes;
        }
        for (int p = 0; p < COST_N_PATTERNS; p++)
            sum[p] += sent_by(&w, (cost_pattern)p, w.switch_of[0]);
    }
    for (int p = 0; p < COST_N_PATTERNS; p++)
        CHECK_REL(cost_cut_above(&c, &axis, (cost_pattern)p, 0).load,
                sum[p] / DRAWS, 0.03);
}

static void a_job_anywhere_loads_its_switches_as_draws_do(void **state)
{
    (void)state;
    check_part((cost_axis){.n_ranks = 8, .stride = 8}, 8, 64, 16);
    check_part((cost_axis){.n_ranks = 4, .stride = 8}, 4, 32, 16);
    check_part((cost_axis){.n_ranks = 2, .stride = 64}, 16, 48, 8);
    check_part((cost_axis){.n_ranks = 32, .stride = 4}, 16, 64, 4);
}

/* Rails below as many switches carry as much as before, also back again. */
static void rails_have_the_switches_of_before(void **state)
{
    p3d_cluster c = cluster_of("512xH100",
            (p3d_tier){.nodes_below = 2, .uplink_bytes_per_s = 1e11});
    spec_tiers_said said = {.rails = 2};

    (void)state;
    assert_true(spec_tiers_set(&said, &c, NULL));
    assert_true(c.tiers.rails);
    assert_int_equal(c.tiers.at[0].nodes_below, 16);
    CHECK_REL(c.tiers.at[0].uplink_bytes_per_s, 8e11, 1e-12);
    assert_true(spec_tiers_set(&said, &c, NULL)); /* they are there */
    assert_int_equal(c.tiers.at[0].nodes_below, 16);
    said.rails = 1;
    assert_true(spec_tiers_set(&said, &c, NULL));
    assert_false(c.tiers.rails);
    assert_int_equal(c.tiers.at[0].nodes_below, 2);
    CHECK_REL(c.tiers.at[0].uplink_bytes_per_s, 1e11, 1e-12);
    /* A switch of fewer nodes than cards: a node each, with its share. */
    c.tiers.rails = true;
    assert_true(spec_tiers_set(&said, &c, NULL));
    assert_int_equal(c.tiers.at[0].nodes_below, 1);
    CHECK_REL(c.tiers.at[0].uplink_bytes_per_s, 0.5e11, 1e-12);
}

/* The largest of P bins that F balls fall into, over the mean. */
static void check_hash(int n_flows, int n_links, double tolerance)
{
    unsigned seed = 3;
    double sum = 0;
    enum { DRAWS = 2000 };

    for (int draw = 0; draw < DRAWS; draw++) {
        int bins[128] = {0}, most = 0;

        for (int i = 0; i < n_flows; i++) {
            const int at = (int)below(&seed, (unsigned)n_links);

            bins[at]++;
            most = bins[at] > most ? bins[at] : most;
        }
        sum += most;
    }
    CHECK_REL(cost_hashed_frac(n_flows, n_links),
            (double)n_flows / n_links / (sum / DRAWS), tolerance);
}

static void hashed_flows_collide_as_balls_in_bins(void **state)
{
    static const int links[] = {8, 16, 32, 64, 128};
    static const double flows[] = {0.25, 1, 2, 4, 8, 16, 32};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(links); i++)
        for (int j = 0; j < P3D_COUNT_OF(flows); j++)
            check_hash((int)(flows[j] * links[i]), links[i],
                    flows[j] < 1 ? 0.08 : 0.03);
    /* One link has all of them; one flow has a link. */
    CHECK_REL(cost_hashed_frac(7, 1), 1, 1e-12);
    CHECK_REL(cost_hashed_frac(1, 64), 1.0 / 64, 1e-12);
}

/* 512 H100 in nodes of 8 with 8 x 50 GB/s, leaves of 16 nodes: 6.4 TB/s from
 * below. A second tier of 32 nodes at 3:1 has 12.8 TB/s / 2 / 3 up. */
static void uplinks_follow_from_what_is_below(void **state)
{
    p3d_cluster c = cluster_of(
            "512xH100", (p3d_tier){.nodes_below = 16, .oversubscription = 2});

    (void)state;
    c.tiers.n = 2;
    c.tiers.at[1] = (p3d_tier){.nodes_below = 32, .oversubscription = 3};
    CHECK_REL(cost_uplink_bytes_per_s(&c, 0), 3.2e12, 1e-12);
    CHECK_REL(cost_uplink_bytes_per_s(&c, 1), 12.8e12 / 6, 1e-12);
    c.tiers.at[0].uplink_bytes_per_s = 1e12;
    CHECK_REL(cost_uplink_bytes_per_s(&c, 0), 1e12, 1e-12);
    CHECK_REL(cost_uplink_bytes_per_s(&c, 1), 2e12 / 3, 1e-12);
}

/* dp of 64 ranks, 8 apart, in 512 GPUs: a node's cards have 8 bytes to send at
 * 400 GB/s, a leaf of 128 GPUs 8 at 6.4 TB/s / o. It is tight from o = 16 on;
 * with nodes anywhere 16 x 8 x (512 - 128) / (512 - 8), at o = 2 1.52 times as
 * long. */
static void a_leaf_is_tight_where_its_load_is(void **state)
{
    p3d_cluster c = cluster_of(
            "512xH100", (p3d_tier){.nodes_below = 16, .oversubscription = 16});
    const cost_axis axis = {.n_ranks = 64, .stride = 8};

    (void)state;
    CHECK_REL(cost_narrowing(&c, &axis, COST_RING), 1, 1e-12);
    c.tiers.at[0].oversubscription = 64;
    CHECK_REL(cost_narrowing(&c, &axis, COST_RING), 4, 1e-12);
    c.tiers.placement = P3D_PLACEMENT_RANDOM;
    c.tiers.at[0].oversubscription = 2;
    CHECK_REL(cost_narrowing(&c, &axis, COST_RING), 2 * 384.0 / 504, 1e-12);
    /* All of a leaf in one group: all-to-all has 3/4 of its bytes to send up,
     * 63/64 of them to send out of a node. */
    c.tiers.placement = P3D_PLACEMENT_CONTIGUOUS;
    CHECK_REL(cost_narrowing(&c, &axis, COST_ALL_TO_ALL),
            2 * (48.0 / 64) / (63.0 / 64), 1e-12);
    /* One leaf for all. */
    c.tiers.at[0].nodes_below = 64;
    check_same(cost_narrowing(&c, &axis, COST_RING), 0);
}

static double step_s(const p3d_problem *problem, const char *plan)
{
    const p3d_estimate e = problem_estimate(problem, plan);

    return p3d_time_step_s(&e.time);
}

/* Equal links up change nothing, to the bit; less of them never gains. */
static void steps_take_longer_with_less_above(void **state)
{
    static const char *const plans[] = {"tp=8", "tp=4,pp=4", "tp=2,cp=2,pp=4",
            "tp=1,zero=3", "tp=8,pp=8", "tp=4,pp=8,vp=2,order=tp-cp-ep-pp-dp"};
    p3d_problem problem =
            problem_of("llama-2-70b", "256xH100", "generic", 4096, 512);
    const p3d_problem flat = problem;
    p3d_tier *const leaf = &problem.cluster.tiers.at[0];

    (void)state;
    problem.cluster.tiers.n = 1;
    for (int i = 0; i < P3D_COUNT_OF(plans); i++) {
        double before = step_s(&flat, plans[i]);

        for (int nodes = 1; nodes <= 32; nodes *= 2) {
            *leaf = (p3d_tier){.nodes_below = nodes, .oversubscription = 1};
            check_same(step_s(&problem, plans[i]), before);
        }
        leaf->nodes_below = 8;
        for (double o = 2; o <= 256; o *= 2) {
            double now;

            leaf->oversubscription = o;
            now = step_s(&problem, plans[i]);
            assert_true(now >= before);
            before = now;
        }
        assert_true(before > step_s(&flat, plans[i]));
    }
}

/* An NVL72 rack whose trays lie below different switches: each tray sends its
 * share of what leaves the rack. */
static void a_switch_may_have_a_part_of_a_domain(void **state)
{
    p3d_cluster c = cluster_of(
            "288xGB200", (p3d_tier){.nodes_below = 6, .oversubscription = 3});
    const cost_axis axis = {.n_ranks = 36, .stride = 8};

    (void)state;
    assert_int_equal(cost_domain(&c), 72);
    CHECK_REL(cost_cut_above(&c, &axis, COST_RING, 0).load, 24 / 9.0, 1e-12);
    CHECK_REL(cost_narrowing(&c, &axis, COST_RING), 3, 1e-12);
}

/* Of a rack, equal parts below each switch, or some racks. */
static void leaves_do_not_split_a_domain_unevenly(void **state)
{
    const p3d_cluster flat = cluster_of("288xGB200", (p3d_tier){0});
    static const int good[] = {1, 2, 3, 6, 9, 18, 36, 54};

    (void)state;
    for (int i = 0; i < P3D_COUNT_OF(good); i++) {
        p3d_cluster c = flat;

        c.tiers.n = 0;
        assert_true(spec_tiers_set(
                &(spec_tiers_said){.leaf_nodes = good[i]}, &c, NULL));
        assert_int_equal(c.tiers.at[0].nodes_below, good[i]);
    }
    for (int n = 4; n < 48; n += 4) {
        p3d_cluster c = flat;
        p3d_error err = {0};

        c.tiers.n = 0;
        if (n == 36)
            continue;
        assert_false(
                spec_tiers_set(&(spec_tiers_said){.leaf_nodes = n}, &c, &err));
        test_check_error(&err, P3D_DATA, "of the 18 nodes that NVLink joins");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(loads_are_those_of_every_edge),
            cmocka_unit_test(loads_by_hand),
            cmocka_unit_test(replicas_around_a_pipeline_too),
            cmocka_unit_test(trees_load_somewhat_more_than_rings),
            cmocka_unit_test(listed_hosts_load_switches_as_every_edge_does),
            cmocka_unit_test(listed_hosts_by_hand),
            cmocka_unit_test(places_that_cannot_be_are_refused),
            cmocka_unit_test(hosts_of_full_switches_are_neighbours),
            cmocka_unit_test(random_nodes_load_leaves_as_a_draw_does),
            cmocka_unit_test(a_job_anywhere_loads_its_switches_as_draws_do),
            cmocka_unit_test(rails_have_the_switches_of_before),
            cmocka_unit_test(hashed_flows_collide_as_balls_in_bins),
            cmocka_unit_test(uplinks_follow_from_what_is_below),
            cmocka_unit_test(a_leaf_is_tight_where_its_load_is),
            cmocka_unit_test(steps_take_longer_with_less_above),
            cmocka_unit_test(a_switch_may_have_a_part_of_a_domain),
            cmocka_unit_test(leaves_do_not_split_a_domain_unevenly),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
