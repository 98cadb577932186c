/* SPDX-License-Identifier: GPL-3.0-or-later */
/* corpus_cluster.c - the cluster of a run: GPU by name, network by its text. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/number.h"
#include "base/util.h"
#include "exchange/runs/corpus_parts.h"
#include "spec/hardware.h"

enum { MAX_NICS = 64, MAX_GBIT = 100000 };

/* Words for a kind of network; the first that is found counts. */
static const struct {
    const char *word;
    const char *kind;
} kinds[] = {
        {"Omni-Path", "opa"},
        {"OmniPath", "opa"},
        {"RoCE", "roce"},
        {"InfiniBand", "ib"},
        {"HDR", "ib"},
        {" IB ", "ib"},
};

/* What a rate is of, by the words after it. */
typedef enum scope { OF_NIC, OF_NODE, OF_GPU, UNKNOWN } scope;

static const struct {
    const char *word;
    scope scope;
} scopes[] = {
        {"per GPU", OF_GPU},
        {"count unstated", OF_NIC},
        {"per node", OF_NODE},
        {"node-node", OF_NODE},
        {"inter-node", OF_NODE},
        {"inter ", OF_NODE},
};

/* A number of at most max; 0 when it is larger. */
static int number_at(const char *digits, int max)
{
    int64_t value;

    p3d_scan_whole(digits, &value);
    return 0 < value && value <= max ? (int)value : 0;
}

/* Digits that end before `end`; where they begin, or end when there is none. */
static const char *digits_before(const char *text, const char *end)
{
    while (end > text && p3d_is_digit(end[-1]))
        end--;
    return end;
}

static scope find_scope(const char *text)
{
    for (int i = 0; i < P3D_COUNT_OF(scopes); i++) {
        if (strstr(text, scopes[i].word) != NULL)
            return scopes[i].scope;
    }
    return UNKNOWN;
}

/* Gigabits: "8x100 Gb/s NIC per node", "1600 Gbps", "4x100 Gb RoCE". Gigabytes
 * ("400 GB/s") are of NVLink. */
static void read_rate(const char *text, p3d_interconnect *out)
{
    const char *const unit = strstr(text, "Gb");
    const char *end = unit;
    const char *begin;
    double bit_per_s;

    if (unit == NULL)
        return;
    while (end > text && end[-1] == ' ')
        end--;
    begin = digits_before(text, end);
    if (begin == end)
        return;
    bit_per_s = 1e9 * number_at(begin, MAX_GBIT);
    if (begin - text >= 2 && begin[-1] == 'x' && p3d_is_digit(begin[-2])) {
        out->n_nics = number_at(digits_before(text, begin - 1), MAX_NICS);
        out->nic_bit_per_s = bit_per_s;
        return;
    }
    switch (find_scope(text)) {
    case OF_NIC: out->nic_bit_per_s = bit_per_s; break;
    case OF_GPU: out->gpu_bit_per_s = bit_per_s; break;
    case OF_NODE: out->node_bit_per_s = bit_per_s; break;
    case UNKNOWN: break;
    }
}

/* "4x Omni-Path 100 per node", "4 OmniPath links per node". */
static void read_omni_path(const char *text, p3d_interconnect *out)
{
    const char *const name = strstr(text, "Omni");
    const char *end = name;

    if (name == NULL || out->nic_bit_per_s > 0 || out->node_bit_per_s > 0)
        return;
    while (end > text && (end[-1] == ' ' || end[-1] == 'x'))
        end--;
    if (digits_before(text, end) != end)
        out->n_nics = number_at(digits_before(text, end), MAX_NICS);
    /* 400 Gb/s a node (bigscience-workshop/bigscience@9e64ede
     * jz/frameworks/megatron-lm.md). */
    else if (strstr(text, "Jean Zay") != NULL)
        out->n_nics = 4;
}

p3d_interconnect exchange_interconnect_read(const char *text)
{
    p3d_interconnect out = {0};

    for (int i = 0; i < P3D_COUNT_OF(kinds) && out.kind == NULL; i++) {
        if (strstr(text, kinds[i].word) != NULL)
            out.kind = kinds[i].kind;
    }
    read_rate(text, &out);
    read_omni_path(text, &out);
    return out;
}

enum { MAX_KNOWN = 64 };

struct p3d_corpus_hardware {
    int n_clusters;
    int n_fabrics;
    struct {
        char word[64];
        bool known;
        p3d_cluster cluster; /* of one GPU in its default node */
        p3d_node node;       /* the whole node */
    } clusters[MAX_KNOWN];
    struct {
        char name[48];
        bool known;
        p3d_fabric fabric;
    } fabrics[MAX_KNOWN];
};

p3d_corpus_hardware *exchange_hardware_create(p3d_error *err)
{
    p3d_corpus_hardware *const hardware = calloc(1, sizeof(*hardware));

    if (hardware == NULL)
        p3d_fail(err, P3D_SYSTEM, "out of memory");
    return hardware;
}

void exchange_hardware_destroy(p3d_corpus_hardware *hardware)
{
    free(hardware);
}

/* Index of a GPU's entry, made when it is new; -1 when there is no room. */
static int find_gpu(p3d_corpus_hardware *h, const char *gpu)
{
    const int n = h->n_clusters;
    p3d_cluster *cluster;
    char words[80];

    for (int i = 0; i < n; i++) {
        if (strcmp(h->clusters[i].word, gpu) == 0)
            return i;
    }
    if (n == MAX_KNOWN || strlen(gpu) >= sizeof(h->clusters[0].word))
        return -1;
    cluster = &h->clusters[n].cluster;
    snprintf(words, sizeof(words), "1x%s", gpu);
    p3d_copy(h->clusters[n].word, sizeof(h->clusters[n].word), gpu);
    h->clusters[n].known =
            gpu[0] != '\0' && p3d_cluster_find(words, cluster, NULL) &&
            spec_node_load(cluster->node.name, &h->clusters[n].node, NULL);
    return h->n_clusters++;
}

static const p3d_fabric *find_fabric(p3d_corpus_hardware *h, const char *name)
{
    int i = 0;

    while (i < h->n_fabrics && strcmp(h->fabrics[i].name, name) != 0)
        i++;
    if (i == MAX_KNOWN)
        return NULL;
    if (i == h->n_fabrics) {
        p3d_copy(h->fabrics[i].name, sizeof(h->fabrics[i].name), name);
        h->fabrics[i].known =
                spec_fabric_load(name, &h->fabrics[i].fabric, NULL);
        h->n_fabrics++;
    }
    return h->fabrics[i].known ? &h->fabrics[i].fabric : NULL;
}

/* Files of hardware/fabric by kind and rate of an adapter. */
static const struct {
    const char *kind;
    int gbit_per_s;
    const char *file;
} fabric_files[] = {
        {"opa", 100, "opa-100"},
        {"roce", 25, "roce-25"},
        {"roce", 50, "roce-50"},
        {"roce", 100, "roce-100"},
        {"roce", 200, "roce-200"},
        {"roce", 400, "roce-400"},
        {"ib", 100, "ib-edr-100"},
        {"ib", 200, "ib-hdr-200"},
        {"ib", 400, "ib-ndr-400"},
        {"ib", 800, "ib-xdr-800"},
};

/* Rate of one adapter and their number, from what is stated. */
static void share_out(const p3d_interconnect *in, p3d_cluster *c)
{
    const double node_bit_per_s =
            in->gpu_bit_per_s > 0 ? in->gpu_bit_per_s * c->node.gpus_per_node
                                  : in->node_bit_per_s;
    double nic_bit_per_s = in->nic_bit_per_s;
    int n = in->n_nics > 0 ? in->n_nics : c->node.nics_per_node;

    if (n < 1)
        n = 1;
    if (in->gpu_bit_per_s > 0)
        n = c->node.gpus_per_node;
    /* Omni-Path has one rate only, so the rate of the node gives the count. */
    if (nic_bit_per_s == 0 && in->kind != NULL &&
            strcmp(in->kind, "opa") == 0) {
        nic_bit_per_s = 1e11;
        if (node_bit_per_s > 0)
            n = (int)lrint(node_bit_per_s / nic_bit_per_s);
    } else if (node_bit_per_s > 0 && nic_bit_per_s == 0) {
        nic_bit_per_s = node_bit_per_s / n;
    }
    c->node.nics_per_node = n < 1 ? 1 : n;
    if (nic_bit_per_s > 0)
        c->fabric.nic_bytes_per_s_one_way = nic_bit_per_s / 8;
}

/* The node's own network, changed by what the text says. */
static void set_network(
        const char *text, p3d_corpus_hardware *h, p3d_cluster *c)
{
    const p3d_interconnect in = exchange_interconnect_read(text);
    double rate;

    share_out(&in, c);
    rate = c->fabric.nic_bytes_per_s_one_way;
    for (int i = 0; in.kind != NULL && i < P3D_COUNT_OF(fabric_files); i++) {
        const p3d_fabric *fabric;

        if (strcmp(fabric_files[i].kind, in.kind) != 0 ||
                fabs(rate * 8e-9 - fabric_files[i].gbit_per_s) > 0.5)
            continue;
        fabric = find_fabric(h, fabric_files[i].file);
        if (fabric != NULL)
            c->fabric = *fabric;
    }
}

bool exchange_corpus_cluster(const p3d_corpus_row *row,
        p3d_corpus_hardware *hardware, p3d_cluster *out,
        p3d_corpus_reason *reason)
{
    const int i = find_gpu(hardware, row->gpu);
    int n_gpus;
    int per_node;

    if (i < 0 || !hardware->clusters[i].known)
        return exchange_corpus_refuse(
                reason, "GPU '%.40s' is not known", row->gpu);
    if (row->n_gpus < 1 || row->n_gpus > P3D_MAX_GPUS)
        return exchange_corpus_refuse(reason, "n_gpus is not stated");
    n_gpus = (int)row->n_gpus;
    per_node = exchange_corpus_or(
            row->gpus_per_node, hardware->clusters[i].node.gpus_per_node);
    if (per_node < 1 || per_node > n_gpus)
        per_node = n_gpus;
    if (n_gpus % per_node != 0)
        return exchange_corpus_refuse(
                reason, "%d GPUs do not fill nodes of %d", n_gpus, per_node);
    *out = hardware->clusters[i].cluster;
    spec_cluster_shape(
            out, &hardware->clusters[i].node, n_gpus / per_node, per_node);
    set_network(row->interconnect, hardware, out);
    return true;
}
