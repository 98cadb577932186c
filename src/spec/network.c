/* SPDX-License-Identifier: GPL-3.0-or-later */
/* network.c - the network of a node in words. */
#include "spec/network.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/elementary.h"
#include "base/number.h"
#include "base/util.h"
#include "plan3d/catalog.h"
#include "spec/hardware.h"

/* Of a node, and of one of them in Gbit/s; what a file may have (hardware.c)
 * is no narrower. */
enum { MAX_NICS = 64, MAX_GBIT = 10000, MAX_NODE_GBIT = 100000 };

static const double MIN_GBIT = 0.1;

/* What a collective reaches of a PCIe link: NCCL counts 12 GB/s of a link of
 * 16 GB/s (NVIDIA/nccl@5067397c src/graph/topo.h, PCI_BW). */
static const double PCIE_FRAC = 0.75;

/* What a word says. */
typedef enum role {
    ROLE_KIND,   /* of network; of adapters with one rate, that in Gbit/s */
    ROLE_RATE,   /* unit: Gbit/s in the number before it */
    ROLE_SCOPE,  /* what a rate is of */
    ROLE_INSIDE, /* the links in a node, no network */
    ROLE_RDMA,   /* network cards read and write memory by themselves */
    ROLE_DIRECT, /* and so the memory of GPUs */
    ROLE_WITHOUT,
    ROLE_FILLER
} role;

typedef enum scope { OF_OTHER, OF_NIC, OF_NODE, OF_GPU } scope;

typedef struct word {
    const char *text; /* small letters stand for both; where a capital B is a
                       * byte, both of its letters stand as they are */
    role role;
    const char *kind;
    double gbit_per_s;
    scope scope;
    bool no_rdma;
} word;

/* clang-format off */
#define KIND(t, k, rate) {t, ROLE_KIND, k, rate, OF_OTHER, false}
#define RATE(t, rate) {t, ROLE_RATE, NULL, rate, OF_OTHER, false}
#define SCOPE(t, s) {t, ROLE_SCOPE, NULL, 0, s, false}
#define INSIDE(t) {t, ROLE_INSIDE, NULL, 0, OF_OTHER, false}
#define FILLER(t) {t, ROLE_FILLER, NULL, 0, OF_OTHER, false}
#define DIRECT(t) {t, ROLE_DIRECT, NULL, 0, OF_OTHER, false}
#define WITHOUT(t) {t, ROLE_WITHOUT, NULL, 0, OF_OTHER, false}

/* The longest that stands at a place counts. Generations of InfiniBand by the
 * rate of four lanes (InfiniBand Trade Association, roadmap). */
static const word vocabulary[] = {
    KIND("infiniband", "ib", 0), KIND("ib", "ib", 0), KIND("edr", "ib", 100),
    KIND("hdr", "ib", 200), KIND("ndr", "ib-ndr", 400),
    KIND("ndr200", "ib-ndr", 200), KIND("ndr 200", "ib-ndr", 200),
    KIND("xdr", "ib", 800),
    KIND("roce", "roce", 0), KIND("rocev2", "roce", 0),
    KIND("omni-path", "opa", 100), KIND("omnipath", "opa", 100),
    KIND("opa", "opa", 100), KIND("efa", "efa", 0),
    KIND("ethernet", "ethernet", 0),
    {"tcp", ROLE_KIND, "ethernet", 0, OF_OTHER, true},
    KIND("slingshot", "slingshot", 200), KIND("tcpxo", "tcpxo", 200),
    KIND("dcn", "dcn", 100),
    RATE("Gb/s", 1), RATE("Gbps", 1), RATE("Gbit/s", 1), RATE("Gb", 1),
    RATE("Gbit", 1), RATE("g", 1), RATE("Tb/s", 1e3), RATE("Tbps", 1e3),
    RATE("GB/s", 8), RATE("GBps", 8), RATE("TB/s", 8e3), RATE("TBps", 8e3),
    {"gbe", ROLE_RATE, "ethernet", 1, OF_OTHER, false},
    SCOPE("per gpu", OF_GPU), SCOPE("/gpu", OF_GPU), SCOPE("a gpu", OF_GPU),
    SCOPE("per nic", OF_NIC), SCOPE("/nic", OF_NIC),
    SCOPE("per adapter", OF_NIC), SCOPE("per port", OF_NIC),
    SCOPE("nic count unstated", OF_NIC),
    SCOPE("per node", OF_NODE), SCOPE("/node", OF_NODE),
    SCOPE("a node", OF_NODE), SCOPE("per server", OF_NODE),
    SCOPE("node-node", OF_NODE), SCOPE("inter-node", OF_NODE),
    SCOPE("inter", OF_NODE),
    INSIDE("nvlink"), INSIDE("nvlink3"), INSIDE("nvlink4"), INSIDE("nvlink5"),
    INSIDE("nvswitch"), INSIDE("intra"), INSIDE("intra-node"), INSIDE("pcie"),
    {"rdma", ROLE_RDMA, NULL, 0, OF_OTHER, false},
    DIRECT("gpudirect"), DIRECT("gpudirect rdma"), DIRECT("gpu direct"),
    DIRECT("gpu direct rdma"), DIRECT("gdr"), DIRECT("gdrdma"),
    WITHOUT("without"), WITHOUT("no"), FILLER("with"),
    FILLER("nic"), FILLER("nics"), FILLER("network"),
    FILLER("link"), FILLER("links"), FILLER("adapter"), FILLER("adapters"),
    FILLER("hca"), FILLER("hcas"), FILLER("rails"),
};

/* All files of hardware/fabric by kind and rate of an adapter, in Gbit/s;
 * their names are words as well. */
static const word files[] = {
    KIND("opa-100", "opa", 100), KIND("slingshot-200", "slingshot", 200),
    KIND("roce-25", "roce", 25), KIND("roce-50", "roce", 50),
    KIND("roce-100", "roce", 100), KIND("roce-200", "roce", 200),
    KIND("roce-400", "roce", 400), KIND("efa-100", "efa", 100),
    KIND("efa-200", "efa", 200), KIND("efa-400", "efa", 400),
    KIND("ethernet-10", "ethernet", 10), KIND("ethernet-25", "ethernet", 25),
    KIND("ethernet-50", "ethernet", 50), KIND("ethernet-100", "ethernet", 100),
    KIND("dcn-100", "dcn", 100), KIND("tcpxo-200", "tcpxo", 200),
    KIND("ib-edr-100", "ib", 100), KIND("ib-hdr-200", "ib", 200),
    KIND("ib-ndr-400", "ib", 400), KIND("ib-xdr-800", "ib", 800),
    KIND("ib-ndr-200", "ib-ndr", 200), KIND("ib-ndr-400", "ib-ndr", 400),
};

/* Kinds that have no RDMA. */
static const char *const on_tcp[] = {"ethernet", "tcpxo", "dcn"};
/* clang-format on */

/* What stands between the signs that part a text. */
typedef struct clause {
    const char *number_at; /* of a number that nothing was made of yet; NULL */
    const char *read_at;   /* of the last number */
    double number;
    double rate_gbit_per_s, usual_gbit_per_s; /* 0 = none */
    int n_nics;
    const char *kind;
    scope scope;
    const char *without_at; /* of a "without" that nothing came after; NULL */
    bool is_inside;
} clause;

/* Bytes of a word where the text begins with it, else 0. 'B' and 'b' of a rate
 * are not the same. */
static size_t match(const char *text, const word *w)
{
    size_t n = 0;

    for (; w->text[n] != '\0'; n++) {
        const bool exact = w->role == ROLE_RATE && p3d_lower(w->text[n]) == 'b';

        if (exact ? text[n] != w->text[n]
                  : p3d_lower(text[n]) != p3d_lower(w->text[n]))
            return 0;
    }
    return p3d_is_word(text[n]) ? 0 : n;
}

static size_t longest_of(
        const char *text, const word *words, int n_words, const word **found)
{
    size_t longest = *found != NULL ? match(text, *found) : 0;

    for (int i = 0; i < n_words; i++) {
        const size_t n = match(text, &words[i]);

        if (n > longest) {
            longest = n;
            *found = &words[i];
        }
    }
    return longest;
}

static size_t find_word(const char *text, const word **found)
{
    (void)longest_of(text, vocabulary, P3D_COUNT_OF(vocabulary), found);
    return longest_of(text, files, P3D_COUNT_OF(files), found);
}

/* The number before a word, where it is in range; else 0, and it is noted. */
static double number_in(const clause *c, double unit, double least, double most,
        spec_network *out)
{
    const double value = c->number * unit;

    if (least <= value && value <= most)
        return value;
    if (out->out_of_range == NULL)
        out->out_of_range = c->read_at;
    return 0;
}

/* Adapters, in whole numbers. */
static int count_in(const clause *c, spec_network *out)
{
    const int n = (int)number_in(c, 1, 1, MAX_NICS, out);

    if (n > 0 && n != c->number && out->out_of_range == NULL)
        out->out_of_range = c->read_at;
    return n;
}

/* "NDR InfiniBand": the second word says no more than the first. */
static bool says_less(const word *w, const clause *c)
{
    return c->kind != NULL && w->gbit_per_s == 0 && c->usual_gbit_per_s > 0 &&
           strncmp(c->kind, w->kind, strlen(w->kind)) == 0;
}

/* A number before a kind counts adapters: "4 OmniPath links". */
static void take_kind(clause *c, const word *w, spec_network *out)
{
    if (!says_less(w, c)) {
        c->kind = w->kind;
        c->usual_gbit_per_s = w->gbit_per_s;
    }
    if (c->number_at != NULL)
        c->n_nics = count_in(c, out);
    c->number_at = NULL;
    if (w->no_rdma)
        out->no_rdma = true;
}

static void take_rate(clause *c, const word *w, spec_network *out)
{
    if (c->number_at != NULL)
        c->rate_gbit_per_s =
                number_in(c, w->gbit_per_s, MIN_GBIT, MAX_NODE_GBIT, out);
    if (w->kind != NULL)
        c->kind = w->kind;
    out->port = out->port || w->kind != NULL;
    c->number_at = NULL;
}

/* Nothing came of a "without". */
static void leave_without(const clause *c, spec_network *out)
{
    if (c->without_at != NULL && out->not_known == NULL)
        out->not_known = c->without_at;
}

/* GPUDirect is RDMA. */
static void take_feature(clause *c, role what, spec_network *out)
{
    const bool without = c->without_at != NULL;

    if (what == ROLE_DIRECT && without)
        out->no_gpudirect = true;
    else if (what == ROLE_DIRECT)
        out->gpudirect = true;
    if (what == ROLE_RDMA && without)
        out->no_rdma = true;
    else if (what == ROLE_RDMA || !without)
        out->rdma = true;
    c->without_at = NULL;
}

static void take_word(
        clause *c, const char *text, const word *w, spec_network *out)
{
    if (w->role != ROLE_RDMA && w->role != ROLE_DIRECT)
        leave_without(c, out);
    switch (w->role) {
    case ROLE_KIND: take_kind(c, w, out); break;
    case ROLE_RATE: take_rate(c, w, out); break;
    case ROLE_SCOPE: c->scope = w->scope; break;
    case ROLE_INSIDE: c->is_inside = true; break;
    case ROLE_RDMA:
    case ROLE_DIRECT: take_feature(c, w->role, out); break;
    case ROLE_WITHOUT: c->without_at = text; break;
    case ROLE_FILLER: break;
    }
}

/* Nothing was made of a number, but "HDR 200" says one thing twice. */
static void leave_number(const clause *c, spec_network *out)
{
    if (c->number_at != NULL && c->number != c->usual_gbit_per_s &&
            out->not_known == NULL)
        out->not_known = c->number_at;
}

/* A number, with "x" behind it a count of adapters. */
static size_t take_number(clause *c, const char *text, spec_network *out)
{
    p3d_decimal number;
    const size_t n = p3d_scan_decimal(text, &number);
    const bool is_count = n > 0 && p3d_lower(text[n]) == 'x';

    if (n == 0)
        return 0;
    leave_number(c, out);
    c->number = p3d_decimal_double(&number, 0);
    c->number_at = is_count ? NULL : text;
    c->read_at = text;
    if (is_count)
        c->n_nics = count_in(c, out);
    return n + is_count;
}

static double *rate_of(spec_network *network, scope of)
{
    switch (of) {
    case OF_NIC: return &network->nic_bit_per_s;
    case OF_NODE: return &network->node_bit_per_s;
    case OF_GPU: return &network->gpu_bit_per_s;
    case OF_OTHER: break;
    }
    return &network->other_bit_per_s;
}

/* What the links in a node are said to be is no network. */
static void end_clause(clause *c, spec_network *out)
{
    const double bit_per_s = 1e9 * c->rate_gbit_per_s;

    if (!c->is_inside && c->kind != NULL) {
        out->kind = c->kind;
        out->usual_bit_per_s = 1e9 * c->usual_gbit_per_s;
    }
    if (!c->is_inside && c->n_nics > 0 && (bit_per_s > 0 || c->kind != NULL))
        out->n_nics = c->n_nics;
    if (!c->is_inside && bit_per_s > 0)
        *rate_of(out, c->n_nics > 0 ? OF_NIC : c->scope) = bit_per_s;
    leave_number(c, out);
    leave_without(c, out);
}

static bool ends_clause(char c)
{
    return c == '\0' || strchr(",;:+()", c) != NULL;
}

static bool is_between(char c)
{
    return p3d_is_space(c) || c == '-' || c == '/';
}

/* A minus of a number, but not of "HDR-200": nothing before it, or a count. */
static bool is_minus(const char *all, const char *text)
{
    const char before = text > all ? text[-1] : ' ';

    return text[0] == '-' && p3d_is_digit(text[1]) &&
           (!p3d_is_word(before) ||
                   (p3d_lower(before) == 'x' && text - all > 1 &&
                           p3d_is_digit(text[-2])));
}

/* The word that is none, to its end. */
static size_t skip_word(const char *text, spec_network *out)
{
    size_t n = 1;

    while (!ends_clause(text[n]) && !is_between(text[n]))
        n++;
    if (out->not_known == NULL)
        out->not_known = text;
    return n;
}

static bool is_on_tcp(const char *kind)
{
    for (int i = 0; i < P3D_COUNT_OF(on_tcp); i++)
        if (strcmp(kind, on_tcp[i]) == 0)
            return true;
    return false;
}

/* This kind, with RDMA or without it as the words have it. */
static const char *kind_said(const spec_network *network, const char *kind)
{
    const bool on = kind != NULL && is_on_tcp(kind);

    if (network->rdma && on)
        return "roce";
    return network->no_rdma && !on ? "ethernet" : kind;
}

spec_network spec_network_read(const char *text)
{
    const char *const all = text;
    spec_network out = {0};
    clause c = {0};
    scope of_all = OF_OTHER;

    for (;;) {
        const word *found = NULL;
        size_t n = find_word(text, &found);

        if (n > 0) {
            take_word(&c, text, found, &out);
        } else if (ends_clause(*text)) {
            end_clause(&c, &out);
            of_all = of_all != OF_OTHER ? of_all : c.scope;
            c = (clause){0};
            if (*text == '\0')
                break;
            n = 1;
        } else if (is_minus(all, text)) {
            out.not_known = out.not_known != NULL ? out.not_known : text;
            n = 1;
        } else if (is_between(*text)) {
            n = 1;
        } else {
            n = take_number(&c, text, &out);
            n = n > 0 ? n : skip_word(text, &out);
        }
        text += n;
    }
    if (of_all != OF_OTHER && *rate_of(&out, of_all) == 0) {
        *rate_of(&out, of_all) = out.other_bit_per_s;
        out.other_bit_per_s = 0;
    }
    out.kind = kind_said(&out, out.kind);
    return out;
}

void spec_network_share(const spec_network *network, p3d_cluster *cluster)
{
    const double node_bit_per_s =
            network->gpu_bit_per_s > 0
                    ? network->gpu_bit_per_s * cluster->node.gpus_per_node
                    : network->node_bit_per_s;
    double nic_bit_per_s = network->nic_bit_per_s;
    int n = network->n_nics > 0 ? network->n_nics : cluster->node.nics_per_node;

    if (n < 1)
        n = 1;
    if (network->gpu_bit_per_s > 0)
        n = cluster->node.gpus_per_node;
    /* Of one rate only, so the rate of the node gives the count. */
    if (nic_bit_per_s == 0 && network->usual_bit_per_s > 0) {
        nic_bit_per_s = network->usual_bit_per_s;
        if (node_bit_per_s > 0)
            n = (int)lrint(node_bit_per_s / nic_bit_per_s);
    } else if (node_bit_per_s > 0 && nic_bit_per_s == 0) {
        nic_bit_per_s = node_bit_per_s / n;
    }
    cluster->node.nics_per_node = n < 1 ? 1 : n;
    if (nic_bit_per_s > 0)
        cluster->fabric.nic_bytes_per_s_one_way = nic_bit_per_s / 8;
}

bool spec_fabric_is_direct(const p3d_fabric *fabric)
{
    return strcmp(fabric->kind, "ethernet") != 0 && !fabric->without_gpudirect;
}

const char *spec_network_file(const char *kind, double nic_bytes_per_s)
{
    for (int i = 0; kind != NULL && i < P3D_COUNT_OF(files); i++)
        if (strcmp(files[i].kind, kind) == 0 &&
                fabs(nic_bytes_per_s * 8e-9 - files[i].gbit_per_s) <= 0.5)
            return files[i].text;
    return NULL;
}

/* The file of this kind whose rate is nearest; NULL where there is none. */
static const char *nearest_file(const char *kind, double nic_bytes_per_s)
{
    double least = HUGE_VAL;
    const char *file = NULL;

    for (int i = 0; i < P3D_COUNT_OF(files); i++) {
        const double distance =
                fabs(p3d_log(nic_bytes_per_s * 8e-9 / files[i].gbit_per_s));

        if (strcmp(files[i].kind, kind) == 0 && distance < least) {
            least = distance;
            file = files[i].text;
        }
    }
    return file;
}

static const char *const example =
        "name a file of 'plan3d list fabrics', or say what a node has, as "
        "'8x400 Gb/s RoCE' or '400 Gb/s per GPU'";

static bool check_words(
        const char *words, const spec_network *network, p3d_error *err)
{
    if (network->not_known != NULL)
        return p3d_fail(err, P3D_DATA,
                "fabric '%.80s': not understood from '%.40s' on; %s", words,
                network->not_known, example);
    if (network->out_of_range != NULL)
        return p3d_fail(err, P3D_DATA,
                "fabric '%.80s': out of range from '%.40s' on; a node has 1 to "
                "64 adapters of 0.1 to 10000 Gb/s each",
                words, network->out_of_range);
    if ((network->rdma && network->no_rdma) ||
            (network->gpudirect && network->no_gpudirect))
        return p3d_fail(err, P3D_DATA,
                "fabric '%.80s': with RDMA and GPUDirect, or without? TCP has "
                "neither, and GPUDirect needs RDMA",
                words);
    if (network->other_bit_per_s > 0)
        return p3d_fail(err, P3D_DATA,
                "fabric '%.80s': the rate of an adapter, of a GPU or of a "
                "node? %s",
                words, example);
    return true;
}

/* Nothing but perhaps a name with a mistake in it. */
static bool says_nothing(const spec_network *n)
{
    return n->kind == NULL && n->nic_bit_per_s == 0 && n->node_bit_per_s == 0 &&
           n->gpu_bit_per_s == 0 && n->other_bit_per_s == 0 && !n->rdma &&
           !n->no_gpudirect && n->out_of_range == NULL;
}

/* The kind of the node's own network, as files have it. */
static const char *kind_of(const p3d_fabric *fabric)
{
    for (int i = 0; i < P3D_COUNT_OF(files); i++)
        if (strcmp(files[i].text, fabric->name) == 0)
            return files[i].kind;
    return strcmp(fabric->kind, "infiniband") == 0 ? "ib" : fabric->kind;
}

/* "25GbE" and no word more is what a node has: one port of it. A node with more
 * says so, "8x25GbE". */
static void settle_port(spec_network *n)
{
    if (!n->port || n->other_bit_per_s == 0 || n->nic_bit_per_s > 0 ||
            n->node_bit_per_s > 0 || n->gpu_bit_per_s > 0)
        return;
    n->nic_bit_per_s = n->other_bit_per_s;
    n->other_bit_per_s = 0;
    n->n_nics = n->n_nics > 0 ? n->n_nics : 1;
}

/* The name of a network of no file: that of a node, where that was said. */
static void name_fabric(const char *kind, const spec_network *network,
        double rate, p3d_fabric *fabric)
{
    const bool of_node =
            network->node_bit_per_s > 0 && network->nic_bit_per_s == 0;

    if (of_node)
        snprintf(fabric->name, sizeof(fabric->name), "%.15s-%.4g/node", kind,
                network->node_bit_per_s * 1e-9);
    else
        snprintf(fabric->name, sizeof(fabric->name), "%.15s-%.4g", kind,
                rate * 8e-9);
}

/* Adapters of this kind and rate, with the latency and the shares of the file
 * that is nearest; those of the node's own network where no file is near. */
static bool set_fabric(const char *kind, const spec_network *network,
        p3d_fabric *fabric, p3d_error *err)
{
    const double rate = fabric->nic_bytes_per_s_one_way;
    const char *const exact = spec_network_file(kind, rate);
    const char *const file = exact != NULL ? exact : nearest_file(kind, rate);

    if (file != NULL && !spec_fabric_load(file, fabric, err))
        return false;
    if (exact == NULL)
        name_fabric(kind, network, rate, fabric);
    fabric->nic_bytes_per_s_one_way = rate;
    return true;
}

static void bound_share(double bytes_per_s, double nic, double *frac)
{
    if (*frac * nic > bytes_per_s)
        *frac = bytes_per_s / nic;
}

/* Bytes go through the memory of the host: on their way a network card and its
 * GPU, below one switch, share the link up, which each byte crosses twice; and
 * what is sent and what is received are each written and read there once.
 *
 * Source: NVIDIA/nccl issue 465 has 6 GB/s on adapters of 100 Gbit/s, as
 * 0.75 * 16 / 2 of PCIe 3.0, without a word on the node: an assumption. Where
 * cards and GPUs have links of their own the rate is higher. */
static void stage_in_host(p3d_cluster *cluster)
{
    p3d_fabric *const f = &cluster->fabric;
    const double nic = f->nic_bytes_per_s_one_way;
    const double link = PCIE_FRAC * cluster->gpu.pcie_bytes_per_s_one_way / 2;
    const double memory = cluster->node.host_memory_bytes_per_s / 4 /
                          cluster->node.nics_per_node;
    const double most = memory < link ? memory : link;
    char name[sizeof(f->name)];

    bound_share(most, nic, &f->all_reduce_frac);
    bound_share(most, nic, &f->all_gather_frac);
    bound_share(most, nic, &f->p2p_frac);
    f->without_gpudirect = true;
    snprintf(name, sizeof(name), "%.28s without GPUDirect", f->name);
    p3d_copy(f->name, sizeof(f->name), name);
}

static bool in_range(double nic_bytes_per_s)
{
    const double gbit_per_s = 8e-9 * nic_bytes_per_s;

    return MIN_GBIT * (1 - 1e-9) <= gbit_per_s && gbit_per_s <= MAX_GBIT;
}

/* Of a node that has them, or of one that has nothing yet. */
static bool set_words(const char *words, const spec_network *network,
        p3d_cluster *got, p3d_error *err)
{
    const char *const own = kind_of(&got->fabric);
    const char *const kind =
            network->kind != NULL ? network->kind : kind_said(network, own);
    double rate;

    spec_network_share(network, got);
    rate = got->fabric.nic_bytes_per_s_one_way;
    if (kind[0] == '\0' || rate == 0)
        return p3d_fail(err, P3D_DATA,
                "fabric '%.80s': the node has no network of its own; say the "
                "kind and the rate, as '8x400 Gb/s RoCE'",
                words);
    if (!in_range(rate))
        return p3d_fail(err, P3D_DATA,
                "fabric '%.80s': %.3g Gb/s an adapter are out of range; a node "
                "has 1 to 64 adapters of 0.1 to 10000 Gb/s each",
                words, 8e-9 * rate);
    if (!set_fabric(kind, network, &got->fabric, err))
        return false;
    if (network->no_gpudirect && !is_on_tcp(kind))
        stage_in_host(got);
    return true;
}

bool spec_network_set(const char *words, p3d_cluster *cluster, p3d_error *err)
{
    spec_network network = spec_network_read(words);
    p3d_cluster got = *cluster;
    p3d_error unknown = {0};

    settle_port(&network);
    if (spec_fabric_load(words, &cluster->fabric, &unknown))
        return true;
    if (unknown.code != P3D_DATA || says_nothing(&network) ||
            (network.not_known != NULL &&
                    strstr(unknown.text, "did you mean") != NULL)) {
        *err = unknown;
        return false;
    }
    if (!check_words(words, &network, err) ||
            !set_words(words, &network, &got, err))
        return false;
    *cluster = got;
    return true;
}
